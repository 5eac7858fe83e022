// SPDX-License-Identifier: GPL-2.0-only
/*
 * Idle states, the cold half: taking in a driver's states, naming what ends
 * stays, the kernel's rule of too deep and too shallow, and sums.
 *
 * Pure: also built by KUnit and on the host. See idle_state.h.
 */
#include <cpuprecise/idle_state.h>

/**
 * cpupr_idle_init() - books of a CPU of which nothing is known
 * @b: the books, zeroed
 */
void cpupr_idle_init(struct cpupr_idle_books *b)
{
	int i;

	for (i = 0; i < CPUPR_IDLE_FIRST; i++)
		b->slot[i].more_from = ~0ULL;
	/* The numbers that the kernel gives them: kernel/sched/idle.c. */
	b->slot[CPUPR_IDLE_DEFAULT].index = 1;
	b->slot[CPUPR_IDLE_POLL].index = 0;
	b->slot[CPUPR_IDLE_POLL].at.polling = true;
	b->slot[CPUPR_IDLE_OTHER].index = CPUPR_IDLE_STATES;
	b->causes = CPUPR_IDLE_CAUSES_FIRST;
}

/**
 * cpupr_idle_watched() - are interrupts told by cpupr_idle_wake()?
 * @b: the books
 * @interrupts: from now on
 *
 * Where they are not, what ends stays cannot be known.
 */
void cpupr_idle_watched(struct cpupr_idle_books *b, bool interrupts)
{
	int i;

	for (i = 0; i < CPUPR_IDLE_SLOTS; i++)
		b->slot[i].at.cause = interrupts ? CPUPR_IDLE_NONE : CPUPR_IDLE_REST;
}

static bool same(const struct cpupr_idle_info *a, const struct cpupr_idle_info *b)
{
	return a->exit_latency == b->exit_latency && a->target_residency == b->target_residency &&
	       a->polling == b->polling && !memcmp(a->name, b->name, CPUPR_IDLE_NAME);
}

static struct cpupr_idle_slot *find_slot(struct cpupr_idle_books *b,
					 const struct cpupr_idle_info *info, u8 index)
{
	unsigned int i;

	for (i = CPUPR_IDLE_FIRST; i < CPUPR_IDLE_SLOTS; i++) {
		struct cpupr_idle_slot *s = &b->slot[i];

		if (!s->used) {
			s->info = *info;
			s->index = index;
			s->at.polling = info->polling;
			s->used = true;
		}
		if (s->index == index && same(&s->info, info))
			return s;
	}
	return &b->slot[CPUPR_IDLE_OTHER];
}

/* A driver may say what it likes: no sum of two overflows. */
static u64 add(u64 a, u64 b)
{
	return a + b < a ? ~0ULL : a + b;
}

/**
 * cpupr_idle_driver() - these are the states from now on
 * @b: the books, with no stay
 * @info: by number; names zero-padded
 * @states: how many; 0 if there is no driver. More than CPUPR_IDLE_STATES
 *	cannot be: what is beyond is ignored
 *
 * A state that was there before, with the same number, name and times, goes on
 * with its counts.
 */
void cpupr_idle_driver(struct cpupr_idle_books *b, const struct cpupr_idle_info *info,
		       unsigned int states)
{
	unsigned int i;

	b->states = states < CPUPR_IDLE_STATES ? states : CPUPR_IDLE_STATES;
	for (i = 0; i < b->states; i++) {
		struct cpupr_idle_slot *s = find_slot(b, &info[i], (u8)i);

		b->slot_of[i] = s;
		if (s == &b->slot[CPUPR_IDLE_OTHER])
			continue;
		s->less_than = add(info[i].exit_latency, info[i].target_residency);
		s->more_from = i + 1 < b->states ?
			       add(info[i + 1].exit_latency, info[i + 1].target_residency) : ~0ULL;
	}
}

/**
 * cpupr_idle_cause() - the number of an interrupt among what ends stays
 * @b: the books
 * @key: tells it from others that have the same @number, now or at another time
 * @number: of the interrupt line; negative if it has none
 * @name: copied when it is first seen
 *
 * Return: a number, CPUPR_IDLE_REST if there are too many.
 */
notrace u8 cpupr_idle_cause(struct cpupr_idle_books *b, const void *key, int number,
			    const char *name)
{
	struct cpupr_idle_cause *cause;
	unsigned int i, len;

	for (i = CPUPR_IDLE_CAUSES_FIRST; i < b->causes; i++)
		if (b->cause_of[i].key == key && b->cause_of[i].number == number)
			return (u8)i;
	if (i == CPUPR_IDLE_CAUSES)
		return CPUPR_IDLE_REST;
	cause = &b->cause_of[i];
	cause->key = key;
	cause->number = number;
	for (len = 0; len < CPUPR_IDLE_CAUSE_NAME - 1 && name && name[len]; len++)
		cause->name[len] = name[len];
	b->causes++;
	return (u8)i;
}

/**
 * cpupr_idle_wake() - an interrupt comes to a CPU with a stay
 * @b: the books
 * @cause: which
 * @over: the CPU has left the state
 * @resched: the CPU was asked to reschedule before
 *
 * The first one wakes a CPU that had stopped, or comes just after that, if it
 * stopped with interrupts off; unless it was woken by a request to reschedule,
 * which needs no interrupt where the CPU watches for it. One that polls goes on
 * with that, unless the handler asks it to reschedule: see cpupr_idle_settle().
 */
notrace void cpupr_idle_wake(struct cpupr_idle_books *b, u8 cause, bool over, bool resched)
{
	if (b->at.settled)
		return;
	if (resched && (over || b->at.polling)) {
		b->at.settled = true;
	} else if (!b->at.polling) {
		b->at.cause = cause;
		b->at.settled = true;
	} else if (!over) {
		b->at.guess = cause;
	}
}

/**
 * cpupr_idle_settle() - an interrupt handler or a softirq of a stay is over
 * @b: the books
 * @resched: the CPU is asked to reschedule, and was not when that began
 */
notrace void cpupr_idle_settle(struct cpupr_idle_books *b, bool resched)
{
	if (!resched || b->at.settled || b->at.guess == CPUPR_IDLE_NONE)
		return;
	b->at.cause = b->at.guess;
	b->at.settled = true;
}

/**
 * cpupr_idle_miss() - was the state too deep, or too shallow?
 * @info: the driver's states by number, in whatever order
 * @states: how many
 * @disabled: bit by number
 * @entered: the state
 * @residency: of the stay, ns
 *
 * The rule of cpuidle_enter_state(): too deep is what was shorter than the
 * target residency while any state of a lower number is enabled; too shallow
 * is what, without the exit latency, would have been enough for the next
 * enabled state of a higher number.
 *
 * Return: -1 too deep (above), 1 too shallow (below), 0 neither.
 */
int cpupr_idle_miss(const struct cpupr_idle_info *info, unsigned int states, u64 disabled,
		    unsigned int entered, u64 residency)
{
	const struct cpupr_idle_info *s = &info[entered];
	unsigned int i;

	if (residency < s->target_residency)
		return ~disabled & ((1ULL << entered) - 1) ? -1 : 0;
	if (residency <= s->exit_latency)
		return 0;
	for (i = entered + 1; i < states; i++)
		if (!(disabled >> i & 1))
			return residency - s->exit_latency >= info[i].target_residency;
	return 0;
}

/**
 * cpupr_idle_cost_pct() - the time that it took to come back
 * @usage: stays
 * @exit_latency: of each, ns
 * @elapsed: in this time, ns, not 0
 *
 * Return: hundredths of a per cent, rounded down (above 2^50 ns, 13 days, it may
 * be one more); more than 10000 where the driver's figure is more than it really
 * takes.
 */
u64 cpupr_idle_cost_pct(u64 usage, u64 exit_latency, u64 elapsed)
{
	u64 cost = usage * exit_latency;

	if (usage && div64_u64(cost, usage) != exit_latency)
		cost = ~0ULL;
	/* No product overflows. */
	while (cost >> 50 && elapsed > 1) {
		cost >>= 1;
		elapsed >>= 1;
	}
	return cost >> 50 ? ~0ULL : div64_u64(cost * 10000, elapsed);
}

static u64 sum(const u64 *buckets)
{
	u64 total = 0;
	int i;

	for (i = 0; i < CPUPR_BUCKETS; i++)
		total += buckets[i];
	return total;
}

/**
 * cpupr_idle_usage() - stays in a state
 * @c: its counts
 */
u64 cpupr_idle_usage(const struct cpupr_idle_counts *c)
{
	return sum(c->count);
}

/**
 * cpupr_idle_time() - time of all stays in a state that are over
 * @c: its counts
 *
 * Return: ns.
 */
u64 cpupr_idle_time(const struct cpupr_idle_counts *c)
{
	return sum(c->time);
}
