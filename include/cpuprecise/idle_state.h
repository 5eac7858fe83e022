/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Idle states: how long the stays of one CPU were, what ended them, and
 * whether a state was too deep or too shallow for them.
 *
 * A stay goes from the choice of a state to the event that says that the CPU
 * left it (cpuidle_enter_state() in drivers/cpuidle/cpuidle.c). It is booked
 * only when the CPU goes on to something else, since the kernel itself counts
 * it later than that event, and what woke the CPU may run later still.
 *
 * Pure: it sees numbers only; residencies are in ns.
 *
 * Context: one writer, the CPU that the books belong to, with interrupts off.
 * What runs on each stay is inline.
 */
#ifndef CPUPRECISE_IDLE_STATE_H
#define CPUPRECISE_IDLE_STATE_H

#include <cpuprecise/hist.h>

#define CPUPR_IDLE_STATES	10	/* of a driver: CPUIDLE_STATE_MAX */
#define CPUPR_IDLE_NAME		16	/* CPUIDLE_NAME_LEN */
#define CPUPR_IDLE_CAUSES	48
#define CPUPR_IDLE_CAUSE_NAME	32

/* Slots for states. Drivers may come and go: each state that ever was has one. */
enum {
	CPUPR_IDLE_DEFAULT,	/* no driver: default_idle_call() */
	CPUPR_IDLE_POLL,	/* no driver: cpu_idle_poll() */
	CPUPR_IDLE_OTHER,	/* of a driver, when no slot was left */
	CPUPR_IDLE_FIRST,
	CPUPR_IDLE_SLOTS = 16,
};

/* What ended a stay: these, then one for each interrupt that ever did. */
enum {
	CPUPR_IDLE_NONE,	/* nothing: it came back by itself */
	CPUPR_IDLE_RESCHED,	/* another CPU's request to reschedule, seen while polling */
	CPUPR_IDLE_REST,	/* no entry was left, or interrupts are not watched */
	CPUPR_IDLE_CAUSES_FIRST,
};

/**
 * struct cpupr_idle_info - what a driver says of a state
 * @exit_latency: ns
 * @target_residency: ns
 * @name: as sysfs has it
 * @polling: the CPU does not stop in it
 */
struct cpupr_idle_info {
	u64 exit_latency;
	u64 target_residency;
	char name[CPUPR_IDLE_NAME];
	bool polling;
};

/**
 * struct cpupr_idle_counts - what is counted of a state: u64 only
 * @count: stays by bucket
 * @time: their residencies by bucket, ns
 * @wake: stays by cause
 * @less: shorter than exit latency and target residency
 * @more: not shorter than those of the next state
 * @above: too deep, by the kernel's rule
 * @below: too shallow, by the kernel's rule
 * @rejected: the driver refused to enter it
 * @unasked: another state was asked for, and this one entered
 * @swapped: this state was asked for, and another one entered
 */
struct cpupr_idle_counts {
	u64 count[CPUPR_BUCKETS];
	u64 time[CPUPR_BUCKETS];
	u64 wake[CPUPR_IDLE_CAUSES];
	u64 less;
	u64 more;
	u64 above;
	u64 below;
	u64 rejected;
	u64 unasked;
	u64 swapped;
};

/**
 * union cpupr_idle_at - what is known of the end of a stay
 * @cause: what ended it
 * @guess: the last interrupt that came while the CPU polled
 * @polling: the CPU does not stop in this state
 * @settled: @cause stays as it is
 * @word: all of it, so that a stay begins with one store
 */
union cpupr_idle_at {
	struct {
		u8 cause;
		u8 guess;
		bool polling;
		bool settled;
	};
	u32 word;
};

/**
 * struct cpupr_idle_slot - a state
 * @counts: see there
 * @less_than: a stay shorter than this is @counts.less, ns
 * @more_from: a stay not shorter than this is @counts.more, ns
 * @device: the kernel's own count of stays in it; NULL if unknown
 * @usage: what it was
 * @rejected: what the kernel's count of refusals was
 * @at: how a stay in it begins
 * @index: the driver's number for it
 * @used: there is such a state
 * @info: what the driver says
 */
struct cpupr_idle_slot {
	struct cpupr_idle_counts counts;
	u64 less_than;
	u64 more_from;
	const u64 *device;
	u64 usage;
	u64 rejected;
	union cpupr_idle_at at;
	u8 index;
	bool used;
	struct cpupr_idle_info info;
};

/**
 * struct cpupr_idle_cause - an interrupt that ended stays
 * @key: tells it from others of the same number
 * @number: of the interrupt line; negative if it has none
 * @name: of its handler, its vector or its reason
 */
struct cpupr_idle_cause {
	const void *key;
	int number;
	char name[CPUPR_IDLE_CAUSE_NAME];
};

/**
 * struct cpupr_idle_books - the idle states of one CPU
 * @start: when the open stay began, ticks
 * @stay: the state that was asked for, NULL if there is no stay
 * @at: what is known of its end
 * @states: how many the driver has
 * @causes: entries of @cause_of that are in use
 * @slot_of: where the states are, by number
 * @cause_of: what ends stays, by number
 * @slot: all states there ever were, by number
 */
struct cpupr_idle_books {
	u64 start;
	struct cpupr_idle_slot *stay;
	union cpupr_idle_at at;
	u8 states;
	u8 causes;
	struct cpupr_idle_slot *slot_of[CPUPR_IDLE_STATES];
	struct cpupr_idle_cause cause_of[CPUPR_IDLE_CAUSES];
	struct cpupr_idle_slot slot[CPUPR_IDLE_SLOTS];
};

void cpupr_idle_init(struct cpupr_idle_books *b);
void cpupr_idle_driver(struct cpupr_idle_books *b, const struct cpupr_idle_info *info,
		       unsigned int states);
u8 cpupr_idle_cause(struct cpupr_idle_books *b, const void *key, int number, const char *name);
void cpupr_idle_watched(struct cpupr_idle_books *b, bool interrupts);
void cpupr_idle_wake(struct cpupr_idle_books *b, u8 cause, bool over, bool resched);
void cpupr_idle_settle(struct cpupr_idle_books *b, bool resched);
int cpupr_idle_miss(const struct cpupr_idle_info *info, unsigned int states, u64 disabled,
		    unsigned int entered, u64 residency);
u64 cpupr_idle_cost_pct(u64 usage, u64 exit_latency, u64 elapsed);
u64 cpupr_idle_usage(const struct cpupr_idle_counts *c);
u64 cpupr_idle_time(const struct cpupr_idle_counts *c);

/**
 * cpupr_idle_enter() - a stay begins
 * @b: the books
 * @now: ticks
 * @slot: of the state that was asked for
 */
static __always_inline void cpupr_idle_enter(struct cpupr_idle_books *b, u64 now,
					     struct cpupr_idle_slot *slot)
{
	b->stay = slot;
	b->start = now;
	b->at = slot->at;
}

/**
 * cpupr_idle_book() - the stay is over for good: count it
 * @b: the books, with a stay
 * @slot: the state that was entered
 * @residency: ns
 * @switched: the CPU goes on to a task
 */
static __always_inline void cpupr_idle_book(struct cpupr_idle_books *b,
					    struct cpupr_idle_slot *slot, u64 residency,
					    bool switched)
{
	struct cpupr_idle_counts *c = &slot->counts;
	unsigned long bucket = cpupr_bucket(residency), cause = b->at.cause;

	if (switched && cause == CPUPR_IDLE_NONE)
		cause = CPUPR_IDLE_RESCHED;
	c->count[bucket]++;
	c->time[bucket] += residency;
	c->wake[cause]++;
	if (unlikely(residency < slot->less_than))
		c->less++;
	if (unlikely(residency >= slot->more_from))
		c->more++;
}

#endif
