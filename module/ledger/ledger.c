// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ledger's cold half: opening and freezing a row, the intervals that are
 * booked in two parts, what was stolen of them, changing the clock, and sums.
 *
 * Pure: also built by KUnit and on the host. See ledger.h for the rules.
 */
#include <cpuprecise/ledger.h>

/**
 * cpupr_ledger_online() - open a row: the CPU is observed from now on
 * @l: the ledger, zeroed at its first opening
 * @now: ticks
 * @base: what runs on the CPU now
 *
 * Context: on the CPU, interrupts off.
 */
void cpupr_ledger_online(struct cpupr_ledger *l, u64 now, enum cpupr_category base)
{
	l->start = now;
	l->opened = now;
	l->at = cpupr_at_base(base);
	l->online = true;
}

/**
 * cpupr_ledger_offline() - freeze a row: what follows is in no category
 * @l: the ledger
 * @now: ticks
 *
 * Context: on the CPU, interrupts off.
 */
void cpupr_ledger_offline(struct cpupr_ledger *l, u64 now)
{
	cpupr_ledger_guest_leave(l, now);
	l->past += l->start - l->opened;
	l->opened = l->start;
	l->online = false;
}

/**
 * cpupr_ledger_account_back() - account, where @now is before @l->start
 * @unused: see cpupr_call_cold()
 * @l: the ledger
 * @now: ticks, less than @l->start
 *
 * Either a stay in user mode was shorter than what was booked ahead as system:
 * the rest is given back. Or the clock stepped back: the interval counts 0.
 */
notrace void cpupr_ledger_account_back(void *unused, struct cpupr_ledger *l, u64 now)
{
	u64 short_of = l->start - now;

	if (l->at.ahead) {
		u64 unused = min(short_of, l->lead);

		l->time[CPUPR_SYSTEM] -= unused;
		l->start -= unused;
		short_of -= unused;
		l->at.ahead = false;
	}
	if (short_of) {
		l->opened -= short_of;
		l->start = now;
		l->backsteps++;
	}
}

/**
 * cpupr_ledger_account_iowait() - account, where the interval is iowait
 * @unused: see cpupr_call_cold()
 * @l: the ledger
 * @now: ticks, not less than @l->start
 *
 * What comes after the last sleeper was woken is idle, and so is what follows.
 */
notrace void cpupr_ledger_account_iowait(void *unused, struct cpupr_ledger *l, u64 now)
{
	u64 delta = now - l->start;

	if (atomic_read_acquire(&l->iowaiters) <= 0) {
		u64 part = READ_ONCE(l->iowait_end) - l->start;

		/* Another CPU's clock said when: keep to this interval. */
		if ((s64)part < 0)
			part = 0;
		part = min(part, delta);
		l->time[CPUPR_IOWAIT] += part;
		delta -= part;
		l->at.category = CPUPR_IDLE;
		l->at.base = CPUPR_IDLE;
	}
	l->time[l->at.category] += delta;
	l->start = now;
}

/* What is still to be booked as stolen, of @grown in @category if need be. */
static notrace void take_stolen(struct cpupr_ledger *l, u8 category, u64 grown)
{
	u64 part = min(l->stolen - l->time[CPUPR_STEAL], grown);

	l->time[category] -= part;
	l->time[CPUPR_STEAL] += part;
}

/**
 * cpupr_ledger_steal() - account, and take what was stolen out of the interval
 * @l: the ledger, or a reader's private copy of it
 * @now: ticks
 * @stolen: the CPU's steal clock, ticks in all; less than before is as before
 *
 * The CPU was not where the interval says for that long. What is more than the
 * interval, or lies in what was booked ahead, is taken from those that follow:
 * no category falls behind what it was at the last event.
 */
notrace void cpupr_ledger_steal(struct cpupr_ledger *l, u64 now, u64 stolen)
{
	u8 open = l->at.category;
	u64 before = l->time[open], idle = l->time[CPUPR_IDLE];

	if ((s64)(stolen - l->stolen) > 0)
		l->stolen = stolen;
	cpupr_ledger_account(l, now);
	/* It is woken, and waits to be run: what follows iowait goes first. */
	if (open == CPUPR_IOWAIT)
		take_stolen(l, CPUPR_IDLE, l->time[CPUPR_IDLE] - idle);
	take_stolen(l, open, l->time[open] - before);
}

/**
 * cpupr_ledger_guest_enter() - the CPU begins to run a guest's code
 * @l: the ledger
 * @now: ticks
 * @base: CPUPR_USER or CPUPR_NICE: what a guest's code is booked under
 *
 * Every other transition comes after cpupr_ledger_guest_leave() at the same time:
 * whatever it is, the CPU has left the guest before.
 */
notrace void cpupr_ledger_guest_enter(struct cpupr_ledger *l, u64 now, enum cpupr_category base)
{
	cpupr_ledger_guest_leave(l, now);
	l->host = l->at.base;
	l->guest_mark = l->time[base];
	l->at = cpupr_at_base(base);
	l->in_guest = true;
}

/**
 * cpupr_ledger_guest_leave() - account, and if the interval was a guest's, it ends
 * @l: the ledger, or a reader's private copy of it
 * @now: ticks
 *
 * What follows is the host's, at what it was at before. A reader calls this on its
 * copy, so that an open interval is booked by the same rules as a closed one.
 */
notrace void cpupr_ledger_guest_leave(struct cpupr_ledger *l, u64 now)
{
	cpupr_ledger_account(l, now);
	if (!l->in_guest)
		return;
	l->guest[l->at.base] += l->time[l->at.base] - l->guest_mark;
	l->at = cpupr_at_base(l->host);
	l->in_guest = false;
}

/**
 * cpupr_ledger_rescale() - go on with another clock
 * @l: the ledger, its open interval just closed
 * @now: ticks of the new clock
 * @mult: one old tick is @mult / 2^@shift new ones
 * @shift: see @mult
 *
 * Each category is converted by itself and the elapsed time becomes their sum,
 * so the books stay closed to the tick. All CPUs stood still: none is in a guest.
 */
void cpupr_ledger_rescale(struct cpupr_ledger *l, u64 now, u32 mult, u32 shift)
{
	int i;

	if (l->in_guest)
		cpupr_ledger_guest_leave(l, l->start);
	for (i = 0; i < CPUPR_NR_CATEGORIES; i++)
		l->time[i] = mul_u64_u32_shr(l->time[i], mult, shift);
	l->stolen = mul_u64_u32_shr(l->stolen, mult, shift);
	for (i = 0; i < CPUPR_NR_GUEST; i++)
		l->guest[i] = mul_u64_u32_shr(l->guest[i], mult, shift);
	l->past = cpupr_ledger_sum(l);
	l->start = now;
	l->opened = now;
	l->at.ahead = false;
	l->iowait_end = now;
}

/**
 * cpupr_ledger_elapsed() - for how long the CPU was observed
 * @l: the ledger
 *
 * Kept apart from the categories, so that comparing both proves something.
 *
 * Return: ticks up to the last accounted event.
 */
u64 cpupr_ledger_elapsed(const struct cpupr_ledger *l)
{
	return l->past + (l->start - l->opened);
}

/**
 * cpupr_ledger_sum() - all categories
 * @l: the ledger
 *
 * Return: ticks; always equal to cpupr_ledger_elapsed().
 */
u64 cpupr_ledger_sum(const struct cpupr_ledger *l)
{
	u64 sum = 0;
	int i;

	for (i = 0; i < CPUPR_NR_CATEGORIES; i++)
		sum += l->time[i];
	return sum;
}

/**
 * cpupr_keep_shown() - what was shown stays
 * @time: what a read found, ticks by category; adjusted
 * @shown: what the read before it showed; set to @time
 *
 * A reader may see an open interval go on a little longer than its CPU, which
 * is just reading the clock to close it, will say; and the end of an iowait
 * stay is stamped by another CPU. A category that falls short of the last read
 * is raised to it, at the expense of those that grew: the sum stays, unless it
 * fell itself. Then all stays as it was.
 */
void cpupr_keep_shown(u64 *time, u64 *shown)
{
	u64 owed = 0;
	int i;

	for (i = 0; i < CPUPR_NR_CATEGORIES; i++)
		if (time[i] < shown[i]) {
			owed += shown[i] - time[i];
			time[i] = shown[i];
		}
	for (i = 0; i < CPUPR_NR_CATEGORIES; i++) {
		u64 part = min(owed, time[i] - shown[i]);

		owed -= part;
		time[i] -= part;
		shown[i] = time[i];
	}
}

/**
 * cpupr_keep_guest() - what was shown of guests stays, too
 * @guest: what a read found, ticks
 * @shown: what the read before it showed; set to what this one shows
 * @grown: by how much more of the category that it is part of this one shows
 *
 * Neither what is a guest's nor the rest of the category may fall.
 *
 * Return: what to show.
 */
u64 cpupr_keep_guest(u64 guest, u64 *shown, u64 grown)
{
	if (guest > *shown)
		*shown += min(guest - *shown, grown);
	return *shown;
}

/**
 * cpupr_busy_pct() - a share in hundredths of a per cent
 * @busy: part, ns
 * @elapsed: whole, ns, not 0 and not less than @busy
 *
 * Return: 0 to 10000, rounded down; no product overflows.
 */
unsigned int cpupr_busy_pct(u64 busy, u64 elapsed)
{
	/* Above 2^50 ns (13 days) the low bits cannot show in the result. */
	while (elapsed >> 50) {
		elapsed >>= 1;
		busy >>= 1;
	}
	return (unsigned int)div64_u64(busy * 10000, elapsed);
}
