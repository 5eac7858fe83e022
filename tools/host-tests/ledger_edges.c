// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: each place at which an interval is cut in two, tried at every
 * position around it; and the arithmetic of shares.
 *
 * In the sweeps a reader looks at each instant of an open interval, then the
 * owner closes the interval there: both must show the same.
 */
#include "ktap.h"

#include <cpuprecise/ledger.h>

#define START	1000

static bool is(const char *what, u64 got, u64 want)
{
	if (got == want)
		return true;
	ktap_note("%s: %llu, should be %llu", what, (unsigned long long)got,
		  (unsigned long long)want);
	return false;
}

static bool same_books(const struct cpupr_ledger *a, const struct cpupr_ledger *b)
{
	return !memcmp(a->time, b->time, sizeof(a->time)) &&
	       cpupr_ledger_elapsed(a) == cpupr_ledger_elapsed(b) &&
	       cpupr_ledger_sum(a) == cpupr_ledger_elapsed(a);
}

/* A reader at each instant up to @end; then the owner closes there. */
static bool reader_sees_what_closes(const struct cpupr_ledger *l, u64 end,
				    enum cpupr_category next)
{
	struct cpupr_ledger before = *l;
	u64 now = l->start - (l->at.ahead ? l->lead : 0);
	int i;

	for (cpupr_ledger_account(&before, now); now <= end; now++) {
		struct cpupr_ledger copy = *l, owner = *l;

		cpupr_ledger_account(&copy, now);
		if (owner.at.category == CPUPR_IOWAIT)
			cpupr_ledger_account(&owner, now);
		cpupr_ledger_switch(&owner, now, next, 0);
		if (!same_books(&copy, &owner)) {
			ktap_note("at %llu a reader sees other books than the owner closes",
				  (unsigned long long)now);
			return false;
		}
		for (i = 0; i < CPUPR_NR_CATEGORIES; i++)
			if (copy.time[i] < before.time[i]) {
				ktap_note("at %llu category %d fell",
					  (unsigned long long)now, i);
				return false;
			}
		before = copy;
	}
	return true;
}

static bool boundary_at_each_instant(void)
{
	u64 boundary, stay;
	bool ok = true;

	for (boundary = 0; boundary <= 20; boundary++)
		for (stay = 0; stay <= 40; stay++) {
			struct cpupr_ledger l = { 0 };

			cpupr_ledger_online(&l, START, CPUPR_SYSTEM);
			cpupr_ledger_user(&l, START + 5, CPUPR_USER, boundary);
			ok &= reader_sees_what_closes(&l, START + 5 + stay, CPUPR_IDLE);
			cpupr_ledger_base(&l, START + 5 + stay, CPUPR_SYSTEM);
			ok &= is("system", l.time[CPUPR_SYSTEM],
				 5 + (stay < boundary ? stay : boundary));
			ok &= is("user", l.time[CPUPR_USER], stay < boundary ? 0 : stay - boundary);
		}
	return ok;
}

/* An interrupt that comes at each instant of the stay, before and after its boundary. */
static bool boundary_around_an_interrupt(void)
{
	const u64 boundary = 20, stay = 40, irq = 7;
	bool ok = true;
	u64 at;

	for (at = 0; at <= stay; at++) {
		struct cpupr_ledger l = { 0 };

		cpupr_ledger_online(&l, START, CPUPR_SYSTEM);
		cpupr_ledger_user(&l, START, CPUPR_USER, boundary);
		cpupr_ledger_irq_enter(&l, START + at);
		ok &= reader_sees_what_closes(&l, START + at + irq, CPUPR_IDLE);
		cpupr_ledger_irq_exit(&l, START + at + irq);
		cpupr_ledger_base(&l, START + stay + irq, CPUPR_SYSTEM);
		ok &= is("system", l.time[CPUPR_SYSTEM], at < boundary ? at : boundary);
		ok &= is("user", l.time[CPUPR_USER], at < boundary ? stay - at : stay - boundary);
		ok &= is("irq", l.time[CPUPR_IRQ], irq);
	}
	return ok;
}

/* The waker's stamp from before the interval to after its end, by each count. */
static bool iowait_end_at_each_instant(void)
{
	const u64 end = START + 30;
	bool ok = true;
	int count;
	u64 woken;

	for (count = -2; count <= 2; count++)
		for (woken = START - 20; woken <= end + 20; woken++) {
			struct cpupr_ledger l = { 0 };
			u64 wait;

			cpupr_ledger_online(&l, START, CPUPR_IOWAIT);
			atomic_set(&l.iowaiters, count + 1);
			cpupr_ledger_iowait_end(&l, woken);
			ok &= is("count", (u64)atomic_read(&l.iowaiters), (u64)count);
			ok &= reader_sees_what_closes(&l, end, CPUPR_USER);
			cpupr_ledger_account(&l, end);
			cpupr_ledger_irq_enter(&l, end);

			if (count > 0 || woken > end)
				wait = end - START;
			else if (woken < START)
				wait = 0;
			else
				wait = woken - START;
			ok &= is("iowait", l.time[CPUPR_IOWAIT], wait);
			ok &= is("idle", l.time[CPUPR_IDLE], end - START - wait);
			ok &= is("base after it", l.at.base, count > 0 ? CPUPR_IOWAIT : CPUPR_IDLE);
		}
	return ok;
}

/* Entries without exits, far past what a depth can hold: nothing else is touched. */
static bool depth_has_an_end(void)
{
	struct cpupr_ledger l = { 0 };
	u64 now = START;
	bool ok = true;
	int i;

	cpupr_ledger_online(&l, now, CPUPR_USER);
	for (i = 0; i < 1000; i++) {
		cpupr_ledger_irq_enter(&l, now);
		now += 3;
	}
	ok &= is("irq", l.time[CPUPR_IRQ], 999 * 3);
	cpupr_ledger_irq_exit(&l, now);
	cpupr_ledger_account(&l, now + 5);
	ok &= is("irq after one exit of many", l.time[CPUPR_IRQ], 1000 * 3 + 5);
	cpupr_ledger_switch(&l, now + 5, CPUPR_USER, 0);

	for (i = 0; i < 1000; i++) {
		cpupr_ledger_softirq_enter(&l, now + 5);
		now += 2;
	}
	cpupr_ledger_softirq_exit(&l, now + 5);
	cpupr_ledger_account(&l, now + 10);
	ok &= is("softirq", l.time[CPUPR_SOFTIRQ], 1000 * 2 + 5);
	ok &= is("user", l.time[CPUPR_USER], 0);
	ok &= is("closed", cpupr_ledger_sum(&l), cpupr_ledger_elapsed(&l));
	return ok;
}

/* What a reader showed in ns before the clock changed, it shows after. */
static bool rescale_is_seamless(void)
{
	static const struct { u32 mult, shift; } scales[] = {
		{ 1, 0 }, { 1431655765, 32 }, { 3, 1 }, { 4294967295, 32 },
		{ 2863311531, 33 }, { 16777217, 24 }, { 1, 31 },
	};
	bool ok = true;
	unsigned int s;
	u64 unit;
	int i;

	for (s = 0; s < sizeof(scales) / sizeof(scales[0]); s++)
		for (unit = 1; unit < 1ULL << 58; unit = unit * 3 + 1) {
			struct cpupr_ledger l = { 0 };
			u64 shown[CPUPR_NR_CATEGORIES];
			u64 now = START;

			cpupr_ledger_online(&l, now, CPUPR_USER);
			for (i = 0; i < CPUPR_NR_CATEGORIES; i++) {
				l.at.category = (u8)i;
				atomic_set(&l.iowaiters, 1);
				now += unit + (u64)i;
				cpupr_ledger_account(&l, now);
				shown[i] = (u64)((unsigned __int128)l.time[i] * scales[s].mult >>
						 scales[s].shift);
			}
			cpupr_ledger_rescale(&l, 77, scales[s].mult, scales[s].shift);
			for (i = 0; i < CPUPR_NR_CATEGORIES; i++)
				ok &= is("shown", l.time[i], shown[i]);
			ok &= is("closed", cpupr_ledger_sum(&l), cpupr_ledger_elapsed(&l));
			cpupr_ledger_account(&l, 177);
			ok &= is("closed", cpupr_ledger_sum(&l), cpupr_ledger_elapsed(&l));
		}
	return ok;
}

static u64 exact_pct(u64 busy, u64 elapsed)
{
	return (u64)((unsigned __int128)busy * 10000 / elapsed);
}

static bool shares_below_2_50_are_exact(void)
{
	static const u64 wholes[] = {
		1, 2, 3, 9999, 10000, 10001, 1000000007, 1ULL << 32, (1ULL << 32) + 1,
		(1ULL << 50) - 1,
	};
	bool ok = true;
	unsigned int w, i;

	for (w = 0; w < sizeof(wholes) / sizeof(wholes[0]); w++) {
		u64 e = wholes[w];

		ok &= is("none", cpupr_busy_pct(0, e), 0);
		ok &= is("all", cpupr_busy_pct(e, e), 10000);
		for (i = 0; i <= 1000; i++) {
			u64 b = (u64)((unsigned __int128)e * i / 1000);

			ok &= is("share", cpupr_busy_pct(b, e), exact_pct(b, e));
			if (b)
				ok &= is("share", cpupr_busy_pct(b - 1, e), exact_pct(b - 1, e));
		}
	}
	return ok;
}

/* There the low bits are dropped: the last digit may be one off, the ends never. */
static bool shares_above_2_50_are_near(void)
{
	bool ok = true;
	unsigned int i;
	int bit;

	for (bit = 50; bit < 64; bit++) {
		u64 e = 1ULL << bit;

		ok &= is("none", cpupr_busy_pct(0, e), 0);
		ok &= is("one tick", cpupr_busy_pct(1, e), 0);
		ok &= is("half", cpupr_busy_pct(e / 2, e), 5000);
		ok &= is("all", cpupr_busy_pct(e, e), 10000);
		e += e - 1;
		ok &= is("all", cpupr_busy_pct(e, e), 10000);
		for (i = 0; i <= 1000; i++) {
			u64 b = (u64)((unsigned __int128)e * i / 1000);
			unsigned int got = cpupr_busy_pct(b, e);
			u64 want = exact_pct(b, e);

			if (got > 10000 || got + 1 < want || got > want + 1)
				ok &= is("share", got, want);

		}
	}
	return ok;
}

static bool what_was_shown_stays(void)
{
	u64 shown[CPUPR_NR_CATEGORIES] = { 0 };
	u64 first[CPUPR_NR_CATEGORIES] = { [CPUPR_USER] = 100, [CPUPR_IDLE] = 7 };
	/* User closed 40 short of what was shown; system runs since. */
	u64 second[CPUPR_NR_CATEGORIES] = { [CPUPR_USER] = 60, [CPUPR_SYSTEM] = 50, [CPUPR_IDLE] = 7 };
	/* All in all 3 less than was shown. */
	u64 third[CPUPR_NR_CATEGORIES] = { [CPUPR_USER] = 95, [CPUPR_SYSTEM] = 12, [CPUPR_IDLE] = 7 };
	bool ok = true;

	cpupr_keep_shown(first, shown);
	ok &= is("user, first", first[CPUPR_USER], 100);
	cpupr_keep_shown(second, shown);
	ok &= is("user, second", second[CPUPR_USER], 100);
	ok &= is("system, second", second[CPUPR_SYSTEM], 10);
	ok &= is("idle, second", second[CPUPR_IDLE], 7);
	cpupr_keep_shown(third, shown);
	ok &= is("user, third", third[CPUPR_USER], 100);
	ok &= is("system, third", third[CPUPR_SYSTEM], 10);
	ok &= is("idle, third", third[CPUPR_IDLE], 7);
	ok &= is("shown", shown[CPUPR_SYSTEM], 10);
	return ok;
}

/*
 * A reader whose clock is ahead of an event that the CPU is just booking, over
 * and over: nothing it shows falls, and it adds up to the time of the read.
 */
static bool reader_ahead_of_the_event(void)
{
	static const enum cpupr_category next[] = {
		CPUPR_SYSTEM, CPUPR_USER, CPUPR_SYSTEM, CPUPR_IDLE, CPUPR_NICE,
	};
	u64 shown[CPUPR_NR_CATEGORIES] = { 0 }, last[CPUPR_NR_CATEGORIES];
	u64 event = START, read = START, sum;
	struct cpupr_ledger l = { 0 }, copy;
	unsigned int i;
	int c;

	cpupr_ledger_online(&l, START, CPUPR_IDLE);
	for (i = 0; i < 100000; i++) {
		event += 1 + i % 7;
		read = event + i % 11 > read ? event + i % 11 : read;
		copy = l;
		cpupr_ledger_account(&copy, read);
		memcpy(last, shown, sizeof(last));
		cpupr_keep_shown(copy.time, shown);
		for (sum = 0, c = 0; c < CPUPR_NR_CATEGORIES; c++) {
			sum += shown[c];
			if (shown[c] < last[c] || shown[c] != copy.time[c])
				return is("a category that fell", shown[c], last[c]);
		}
		if (sum != read - START)
			return is("the sum", sum, read - START);
		cpupr_ledger_switch(&l, event, next[i % 5], 0);
	}
	return true;
}

/*
 * Guests of both kinds in a task's user code, and a reader whose clock is ahead of
 * the event that is being booked: neither they nor the rest of their categories fall,
 * and in the end nothing is missing.
 */
static bool guests_and_a_reader_ahead(void)
{
	u64 last[CPUPR_NR_GUEST], shown[CPUPR_NR_CATEGORIES] = { 0 }, guest[CPUPR_NR_GUEST] = { 0 };
	u64 event = START, read = START, rest[CPUPR_NR_GUEST] = { 0 }, had[CPUPR_NR_GUEST] = { 0 };
	struct cpupr_ledger l = { 0 }, copy;
	unsigned int i;
	int c;

	cpupr_ledger_online(&l, START, CPUPR_USER);
	for (i = 0; i < 100000; i++) {
		event += 1 + i % 7;
		read = event + i % 11 > read ? event + i % 11 : read;
		copy = l;
		cpupr_ledger_guest_leave(&copy, read);
		memcpy(last, shown, sizeof(last));
		cpupr_keep_shown(copy.time, shown);
		for (c = 0; c < CPUPR_NR_GUEST; c++) {
			u64 was = guest[c], now;

			now = cpupr_keep_guest(copy.guest[c], &guest[c], shown[c] - last[c]);
			if (now != guest[c] || now < was || now > shown[c])
				return is("a guest's time that fell", now, was);
			if (shown[c] - now < rest[c])
				return is("the rest that fell", shown[c] - now, rest[c]);
			rest[c] = shown[c] - now;
		}
		if (i % 5 < 2) {
			c = i % 3 ? CPUPR_USER : CPUPR_NICE;
			cpupr_ledger_guest_enter(&l, event, (enum cpupr_category)c);
		} else {
			cpupr_ledger_guest_leave(&l, event);
			if (i % 5 == 4)
				cpupr_ledger_switch(&l, event, i % 2 ? CPUPR_USER : CPUPR_NICE, 0);
		}
	}
	/* What was shown too early is made up for. */
	cpupr_ledger_guest_enter(&l, read, CPUPR_USER);
	cpupr_ledger_guest_enter(&l, read + 100, CPUPR_NICE);
	cpupr_ledger_guest_leave(&l, read + 200);
	cpupr_keep_shown(l.time, shown);
	for (c = 0; c < CPUPR_NR_GUEST; c++)
		had[c] = cpupr_keep_guest(l.guest[c], &guest[c], read);
	return is("guest", had[CPUPR_USER], l.guest[CPUPR_USER]) &
	       is("guest_nice", had[CPUPR_NICE], l.guest[CPUPR_NICE]);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "the boundary, read and closed at each instant of a stay", boundary_at_each_instant },
		{ "the boundary around an interrupt", boundary_around_an_interrupt },
		{ "the end of iowait at each instant, by each count", iowait_end_at_each_instant },
		{ "1000 entries without an exit", depth_has_an_end },
		{ "a change of clock shows nothing else", rescale_is_seamless },
		{ "what was shown stays", what_was_shown_stays },
		{ "a reader's clock ahead of the event that is being booked", reader_ahead_of_the_event },
		{ "guests, and a reader's clock ahead", guests_and_a_reader_ahead },
		{ "shares of less than 2^50 are exact", shares_below_2_50_are_exact },
		{ "shares of more than 2^50", shares_above_2_50_are_near },
	};

	ktap_run(tests, sizeof(tests) / sizeof(tests[0]));
	return ktap_exit();
}
