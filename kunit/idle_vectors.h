/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Literal stays in idle states and what must be counted of them: the tables
 * that the host tests and the KUnit suite share.
 *
 * Every number was worked out by hand from the comments of idle_state.h and
 * from what cpuidle_enter_state() does, none was copied from a run.
 */
#ifndef CPUPRECISE_IDLE_VECTORS_H
#define CPUPRECISE_IDLE_VECTORS_H

#include <cpuprecise/idle_state.h>

#define IDLE_MAX	(~0ULL)
#define IDLE_TOP	(1ULL << 63)

#define IDLE_INFO(latency, target, text)				\
	{ .exit_latency = (latency), .target_residency = (target), .name = (text) }
#define IDLE_INFO_POLL(latency, target, text)				\
	{ .exit_latency = (latency), .target_residency = (target), .name = (text), .polling = true }

enum idle_driver_name {
	D_NONE,
	D_LADDER,
	D_LADDER_FOOT,
	D_LADDER_STEEP,
	D_PAIR,
	D_TWELVE,
	D_HUGE,
	D_ONE,
	D_ONE_LATENCY,
	D_ONE_TARGET,
	D_ONE_POLLING,
	D_ONE_NAME,
	D_ONE_TWICE,
	D_LONG_NAME_B,
	D_LONG_NAME_C,
	D_UNORDERED,
	D_LATENCY,
	D_EXTREME,
	D_SINGLE,
};

#define IDLE_DRIVER_STATES	12

struct idle_driver {
	unsigned int states;
	struct cpupr_idle_info info[IDLE_DRIVER_STATES];
};

static const struct idle_driver idle_drivers[] = {
	[D_NONE] = { .states = 0 },
	/* In due order. Latency and target: 0, 6000, 130000, 750000. */
	[D_LADDER] = { .states = 4, .info = {
		IDLE_INFO_POLL(0, 0, "POLL"),
		IDLE_INFO(2000, 4000, "C1"),
		IDLE_INFO(30000, 100000, "C2"),
		IDLE_INFO(150000, 600000, "C3"),
	} },
	[D_LADDER_FOOT] = { .states = 2, .info = {
		IDLE_INFO_POLL(0, 0, "POLL"),
		IDLE_INFO(2000, 4000, "C1"),
	} },
	/* The second step is another one: 20. */
	[D_LADDER_STEEP] = { .states = 2, .info = {
		IDLE_INFO_POLL(0, 0, "POLL"),
		IDLE_INFO(7, 13, "C1"),
	} },
	[D_PAIR] = { .states = 2, .info = {
		IDLE_INFO(1, 1, "WFI"),
		IDLE_INFO(100, 500, "retention"),
	} },
	/* The last two must not be seen: with them, the tenth would have a next one. */
	[D_TWELVE] = { .states = 12, .info = {
		IDLE_INFO(0, 0, "T0"), IDLE_INFO(10, 10, "T1"),
		IDLE_INFO(20, 20, "T2"), IDLE_INFO(30, 30, "T3"),
		IDLE_INFO(40, 40, "T4"), IDLE_INFO(50, 50, "T5"),
		IDLE_INFO(60, 60, "T6"), IDLE_INFO(70, 70, "T7"),
		IDLE_INFO(80, 80, "T8"), IDLE_INFO(90, 90, "T9"),
		IDLE_INFO(1, 1, "T10"), IDLE_INFO(1, 1, "T11"),
	} },
	/* Sums: 2^65 - 2, 2^64, 2^64 - 1. */
	[D_HUGE] = { .states = 3, .info = {
		IDLE_INFO(IDLE_MAX, IDLE_MAX, "H0"),
		IDLE_INFO(IDLE_TOP, IDLE_TOP, "H1"),
		IDLE_INFO(IDLE_TOP, IDLE_TOP - 1, "H2"),
	} },
	/* One field each */
	[D_ONE] = { .states = 1, .info = { IDLE_INFO(10, 20, "A") } },
	[D_ONE_LATENCY] = { .states = 1, .info = { IDLE_INFO(11, 20, "A") } },
	[D_ONE_TARGET] = { .states = 1, .info = { IDLE_INFO(10, 21, "A") } },
	[D_ONE_POLLING] = { .states = 1, .info = { IDLE_INFO_POLL(10, 20, "A") } },
	[D_ONE_NAME] = { .states = 1, .info = { IDLE_INFO(10, 20, "B") } },
	[D_ONE_TWICE] = { .states = 2, .info = {
		IDLE_INFO(10, 20, "A"),
		IDLE_INFO(10, 20, "A"),
	} },
	/* As long as sysfs has them, apart in the last letter. */
	[D_LONG_NAME_B] = { .states = 1, .info = { IDLE_INFO(10, 20, "A-state-of-15-b") } },
	[D_LONG_NAME_C] = { .states = 1, .info = { IDLE_INFO(10, 20, "A-state-of-15-c") } },
	/* The third one needs less than the second. */
	[D_UNORDERED] = { .states = 4, .info = {
		IDLE_INFO(10, 20, "U0"),
		IDLE_INFO(100, 500, "U1"),
		IDLE_INFO(50, 200, "U2"),
		IDLE_INFO(300, 1000, "U3"),
	} },
	/* Longer to leave than to be worth it; then targets 0, 1, 2. */
	[D_LATENCY] = { .states = 4, .info = {
		IDLE_INFO(5000, 1000, "L0"),
		IDLE_INFO(0, 0, "L1"),
		IDLE_INFO(0, 1, "L2"),
		IDLE_INFO(0, 2, "L3"),
	} },
	[D_EXTREME] = { .states = 5, .info = {
		IDLE_INFO(0, 0, "E0"),
		IDLE_INFO(1, IDLE_TOP, "E1"),
		IDLE_INFO(IDLE_MAX - 1, 0, "E2"),
		IDLE_INFO(IDLE_MAX, 1, "E3"),
		IDLE_INFO(0, IDLE_MAX, "E4"),
	} },
	[D_SINGLE] = { .states = 1, .info = { IDLE_INFO(5, 10, "S0") } },
};

/**
 * struct idle_miss_vector - a stay, and what cpupr_idle_miss() must say
 * @name: what it shows
 * @driver: whose states
 * @disabled: bit by number
 * @entered: the state
 * @residency: ns
 * @want: -1 too deep, 1 too shallow, 0 neither
 */
struct idle_miss_vector {
	const char *name;
	enum idle_driver_name driver;
	u64 disabled;
	unsigned int entered;
	u64 residency;
	int want;
};

static inline int idle_miss_run(const struct idle_miss_vector *v)
{
	const struct idle_driver *d = &idle_drivers[v->driver];

	return cpupr_idle_miss(d->info, min(d->states, CPUPR_IDLE_STATES + 0U), v->disabled,
			       v->entered, v->residency);
}

static const struct idle_miss_vector idle_miss_vectors[] = {
	/* Edges of a state in the middle */
	{ "nothing at all", D_LADDER, 0, 2, 0, -1 },
	{ "less than the latency", D_LADDER, 0, 2, 29999, -1 },
	{ "target - 1", D_LADDER, 0, 2, 99999, -1 },
	{ "target", D_LADDER, 0, 2, 100000, 0 },
	{ "target + 1", D_LADDER, 0, 2, 100001, 0 },
	{ "the next target, latency not taken off", D_LADDER, 0, 2, 600000, 0 },
	{ "latency + next target - 1", D_LADDER, 0, 2, 629999, 0 },
	{ "latency + next target", D_LADDER, 0, 2, 630000, 1 },
	{ "latency + next target + 1", D_LADDER, 0, 2, 630001, 1 },
	{ "next state's latency is nothing to it", D_LADDER, 0, 2, 750000, 1 },
	{ "the second: target - 1", D_LADDER, 0, 1, 3999, -1 },
	{ "the second: target", D_LADDER, 0, 1, 4000, 0 },
	{ "the second: latency + next target - 1", D_LADDER, 0, 1, 101999, 0 },
	{ "the second: latency + next target", D_LADDER, 0, 1, 102000, 1 },
	{ "the second: enough for the last", D_LADDER, 0, 1, 10000000, 1 },
	/* Zero latency, zero target */
	{ "polling: nothing at all", D_LADDER, 0, 0, 0, 0 },
	{ "polling: 1", D_LADDER, 0, 0, 1, 0 },
	{ "polling: next target - 1", D_LADDER, 0, 0, 3999, 0 },
	{ "polling: next target", D_LADDER, 0, 0, 4000, 1 },
	{ "zeros, next target 1: 0", D_LATENCY, 0, 1, 0, 0 },
	{ "zeros, next target 1: 1", D_LATENCY, 0, 1, 1, 1 },
	/* No longer than the latency: never too shallow */
	{ "latency above target: target - 1, nothing lower", D_LATENCY, 0, 0, 999, 0 },
	{ "latency above target: target", D_LATENCY, 0, 0, 1000, 0 },
	{ "latency, next target 0", D_LATENCY, 0, 0, 5000, 0 },
	{ "latency + 1, next target 0", D_LATENCY, 0, 0, 5001, 1 },
	{ "latency + 1, next target 1", D_LATENCY, 1 << 1, 0, 5001, 1 },
	{ "latency + 1, next target 2", D_LATENCY, 3 << 1, 0, 5001, 0 },
	{ "latency + 2, next target 2", D_LATENCY, 3 << 1, 0, 5002, 1 },
	/* Deepest, only */
	{ "the deepest: target - 1", D_LADDER, 0, 3, 599999, -1 },
	{ "the deepest: target", D_LADDER, 0, 3, 600000, 0 },
	{ "the deepest: for ever", D_LADDER, 0, 3, IDLE_MAX, 0 },
	{ "the only one: nothing at all", D_SINGLE, 0, 0, 0, 0 },
	{ "the only one: target - 1", D_SINGLE, 0, 0, 9, 0 },
	{ "the only one: target", D_SINGLE, 0, 0, 10, 0 },
	{ "the only one: for ever", D_SINGLE, 0, 0, IDLE_MAX, 0 },
	/* Disabled neighbours */
	{ "short, all shallower ones disabled", D_LADDER, 3 << 0, 2, 99999, 0 },
	{ "short, the shallowest one enabled", D_LADDER, 1 << 1, 2, 99999, -1 },
	{ "short, the one above enabled", D_LADDER, 1 << 0, 2, 99999, -1 },
	{ "short, it is disabled itself", D_LADDER, 1 << 2, 2, 99999, -1 },
	{ "short, the deeper one disabled", D_LADDER, 1 << 3, 2, 99999, -1 },
	{ "short, only it and the deeper one enabled", D_LADDER, 3 << 0, 2, 0, 0 },
	{ "short, all disabled", D_LADDER, IDLE_MAX, 2, 99999, 0 },
	{ "long, all shallower ones disabled", D_LADDER, 3 << 0, 2, 630000, 1 },
	{ "long, it is disabled itself", D_LADDER, 1 << 2, 2, 630000, 1 },
	{ "long, the deeper one disabled", D_LADDER, 1 << 3, 2, 630000, 0 },
	{ "long, all disabled", D_LADDER, IDLE_MAX, 2, 630000, 0 },
	{ "next disabled, its edge", D_LADDER, 1 << 2, 1, 102000, 0 },
	{ "next disabled, the edge after it - 1", D_LADDER, 1 << 2, 1, 601999, 0 },
	{ "next disabled, the edge after it", D_LADDER, 1 << 2, 1, 602000, 1 },
	{ "both deeper ones disabled", D_LADDER, 3 << 2, 1, IDLE_MAX, 0 },
	/* By number, not by depth */
	{ "unordered: long enough for the next, not for it", D_UNORDERED, 0, 1, 499, -1 },
	{ "unordered: its target is too much for the next", D_UNORDERED, 0, 1, 500, 1 },
	{ "unordered: next disabled, the edge after it - 1", D_UNORDERED, 1 << 2, 1, 1099, 0 },
	{ "unordered: next disabled, the edge after it", D_UNORDERED, 1 << 2, 1, 1100, 1 },
	{ "unordered: only a deeper one below", D_UNORDERED, 1 << 0, 2, 199, -1 },
	{ "unordered: the next, not the cheapest - 1", D_UNORDERED, 0, 0, 509, 0 },
	{ "unordered: the next, not the cheapest", D_UNORDERED, 0, 0, 510, 1 },
	/* Ten states */
	{ "ten: the last, all others disabled", D_TWELVE, 0x1ff, 9, 89, 0 },
	{ "ten: the last, all but the one above", D_TWELVE, 0x0ff, 9, 89, -1 },
	{ "ten: the last, all but the first", D_TWELVE, 0x1fe, 9, 89, -1 },
	{ "ten: the last has no next one", D_TWELVE, 0, 9, IDLE_MAX, 0 },
	{ "ten: the last but one: edge - 1", D_TWELVE, 0, 8, 169, 0 },
	{ "ten: the last but one: edge", D_TWELVE, 0, 8, 170, 1 },
	{ "ten: from the first to the last: edge - 1", D_TWELVE, 0x1fe, 0, 89, 0 },
	{ "ten: from the first to the last: edge", D_TWELVE, 0x1fe, 0, 90, 1 },
	/* Extremes */
	{ "2^63 - 1 against 2^63", D_EXTREME, 0, 0, IDLE_TOP - 1, 0 },
	{ "2^63 against 2^63", D_EXTREME, 0, 0, IDLE_TOP, 1 },
	{ "target 2^63: 2^63 - 1", D_EXTREME, 0, 1, IDLE_TOP - 1, -1 },
	{ "target 2^63: 2^63", D_EXTREME, 7 << 2, 1, IDLE_TOP, 0 },
	{ "target 2^63, next target 0", D_EXTREME, 0, 1, IDLE_TOP, 1 },
	{ "latency 1, next target 2^64 - 1: 2^64 - 1", D_EXTREME, 3 << 2, 1, IDLE_MAX, 0 },
	{ "latency 0, next target 2^64 - 1: 2^64 - 2", D_EXTREME, 7 << 1, 0, IDLE_MAX - 1, 0 },
	{ "latency 0, next target 2^64 - 1: 2^64 - 1", D_EXTREME, 7 << 1, 0, IDLE_MAX, 1 },
	{ "latency 2^64 - 2, next target 1: 2^64 - 2", D_EXTREME, 0, 2, IDLE_MAX - 1, 0 },
	{ "latency 2^64 - 2, next target 1: 2^64 - 1", D_EXTREME, 0, 2, IDLE_MAX, 1 },
	{ "latency 2^64 - 1", D_EXTREME, 0, 3, IDLE_MAX, 0 },
	{ "target 2^64 - 1: 2^64 - 2", D_EXTREME, 0, 4, IDLE_MAX - 1, -1 },
	{ "target 2^64 - 1: 2^64 - 1", D_EXTREME, 0, 4, IDLE_MAX, 0 },
};

/**
 * struct idle_cost_vector - what cpupr_idle_cost_pct() must say
 * @name: what it shows
 * @usage: stays
 * @exit_latency: ns
 * @elapsed: ns
 * @want: hundredths of a per cent
 */
struct idle_cost_vector {
	const char *name;
	u64 usage;
	u64 exit_latency;
	u64 elapsed;
	u64 want;
};

static const struct idle_cost_vector idle_cost_vectors[] = {
	{ "no stay", 0, 2000, 1000000, 0 },
	{ "no latency", 1000, 0, 1000000, 0 },
	{ "a tenth", 10, 100, 10000, 1000 },
	{ "a third", 1, 1, 3, 3333 },
	{ "two thirds", 2, 1, 3, 6666 },
	{ "all of it", 4, 25, 100, 10000 },
	{ "just below 0.01 %", 9999, 1, 100000000, 0 },
	{ "0.01 %", 10000, 1, 100000000, 1 },
	{ "200 %", 100, 200, 10000, 20000 },
	{ "a driver's year for a second", 1, 31536000000000000, 1000000000, 315360000000 },
	{ "elapsed 1", 1, 1, 1, 10000 },
	{ "elapsed 1, 3500 %", 5, 7, 1, 350000 },
	{ "elapsed 1, 2^50 - 1", (1ULL << 50) - 1, 1, 1, 11258999068426230000ULL },
	{ "elapsed 1, 2^50: more than can be said", 1ULL << 50, 1, 1, IDLE_MAX },
	{ "elapsed 1, all there is", IDLE_MAX, IDLE_MAX, 1, IDLE_MAX },
	/* (2^64 - 2^32) / 2^63 */
	{ "a product that just fits", 1ULL << 32, (1ULL << 32) - 1, IDLE_TOP, 19999 },
	/* Where the product does not fit, it is taken to be 2^64 - 1. */
	{ "a product of 2^64", 1ULL << 32, 1ULL << 32, IDLE_TOP, 19999 },
	{ "a product of 2^80", 1ULL << 40, 1ULL << 40, 1ULL << 62, 39999 },
	{ "a product of 2^64 + 2", (1ULL << 63) + 1, 2, IDLE_TOP, 19999 },
	/* 315360000 s, 20000 stays a second of 2 us each; then one stay less. */
	{ "ten years of 4 %", 6307200000000, 2000, 315360000000000000, 400 },
	{ "ten years of just below 4 %", 6307199999999, 2000, 315360000000000000, 399 },
	{ "ten years of 100 %", 315360000000, 1000000, 315360000000000000, 10000 },
};

/* Slots by number, and causes that no table of reasons names */
#define S(n)	(CPUPR_IDLE_FIRST + (n))
#define NIC	7
#define DISK	8

#define OVER	1
#define RESCHED	2

enum idle_op {
	I_END,
	/* Events */
	I_DRIVER,	/* a: enum idle_driver_name */
	I_WATCHED,	/* a: are interrupts watched? */
	I_ENTER,	/* a: slot */
	I_WAKE,		/* a: cause, b: OVER, RESCHED */
	I_SETTLE,	/* a: asked to reschedule */
	I_BOOK,		/* a: residency, b: the CPU goes on to a task */
	I_BOOK_AS,	/* a: residency, b: the slot that was entered */
	I_STAY,		/* a: slot, b: residency: I_ENTER, I_BOOK */
	I_FILL,		/* a: so many new causes; what the last one got */
	/* What must be there */
	I_CAUSE,	/* a: key, b: number, text; its number */
	I_NAME,		/* a: cause; is its name the text? */
	I_STATES,	/* how many the driver has */
	I_SLOT,		/* a: state; its slot */
	I_INDEX,	/* a: slot; the number of its state */
	I_POLLING,	/* a: slot; does it poll? */
	I_COUNT,	/* a: slot, b: bucket; stays */
	I_TIME,		/* a: slot, b: bucket; ns */
	I_ALL,		/* a: slot; stays */
	I_ALL_TIME,	/* a: slot; ns */
	I_WOKE,		/* a: slot, b: cause; stays */
	I_LESS,		/* a: slot; stays */
	I_MORE,		/* a: slot; stays */
};

struct idle_step {
	enum idle_op op;
	u64 a;
	u64 b;
	u64 want;
	const char *text;
};

#define IDLE_STEPS	28

/**
 * struct idle_vector - events of a CPU, and between them what must be there
 * @name: what it shows
 * @step: up to I_END
 */
struct idle_vector {
	const char *name;
	struct idle_step step[IDLE_STEPS];
};

static const struct idle_vector idle_vectors[] = {
	/* Counts */
	{
		.name = "count: residencies by bucket, and their sums",
		.step = {
			{ I_DRIVER, D_LADDER },
			{ I_STAY, S(2), 0 }, { I_STAY, S(2), 1 }, { I_STAY, S(2), 3 },
			{ I_STAY, S(2), 1000 }, { I_STAY, S(2), IDLE_TOP },
			{ I_COUNT, S(2), 0, 2 }, { I_TIME, S(2), 0, 1 },
			{ I_COUNT, S(2), 1, 1 }, { I_TIME, S(2), 1, 3 },
			{ I_COUNT, S(2), 2, 0 }, { I_TIME, S(2), 2, 0 },
			{ I_COUNT, S(2), 9, 1 }, { I_TIME, S(2), 9, 1000 },
			{ I_COUNT, S(2), 63, 1 }, { I_TIME, S(2), 63, IDLE_TOP },
			{ I_ALL, S(2), 0, 5 }, { I_ALL_TIME, S(2), 0, IDLE_TOP + 1004 },
			{ I_WOKE, S(2), CPUPR_IDLE_NONE, 5 },
			{ I_ALL, S(1), 0, 0 }, { I_ALL, S(3), 0, 0 },
		},
	}, {
		.name = "count: in the state that was entered, not the one that was asked for",
		.step = {
			{ I_DRIVER, D_LADDER },
			{ I_ENTER, S(2) }, { I_WAKE, NIC }, { I_BOOK_AS, 6000, S(1) },
			{ I_ALL, S(2), 0, 0 }, { I_WOKE, S(2), NIC, 0 },
			{ I_ALL, S(1), 0, 1 }, { I_WOKE, S(1), NIC, 1 },
			{ I_LESS, S(1), 0, 0 }, { I_LESS, S(2), 0, 0 },
		},
	}, {
		.name = "count: without a driver",
		.step = {
			{ I_DRIVER, D_NONE }, { I_STATES, 0, 0, 0 },
			{ I_INDEX, CPUPR_IDLE_DEFAULT, 0, 1 }, { I_INDEX, CPUPR_IDLE_POLL, 0, 0 },
			{ I_INDEX, CPUPR_IDLE_OTHER, 0, 10 },
			{ I_POLLING, CPUPR_IDLE_DEFAULT, 0, 0 }, { I_POLLING, CPUPR_IDLE_POLL, 0, 1 },
			{ I_STAY, CPUPR_IDLE_DEFAULT, 0 }, { I_STAY, CPUPR_IDLE_DEFAULT, IDLE_MAX - 1 },
			{ I_STAY, CPUPR_IDLE_POLL, 0 }, { I_STAY, CPUPR_IDLE_POLL, IDLE_MAX - 1 },
			{ I_ALL, CPUPR_IDLE_DEFAULT, 0, 2 }, { I_ALL, CPUPR_IDLE_POLL, 0, 2 },
			{ I_LESS, CPUPR_IDLE_DEFAULT, 0, 0 }, { I_MORE, CPUPR_IDLE_DEFAULT, 0, 0 },
			{ I_LESS, CPUPR_IDLE_POLL, 0, 0 }, { I_MORE, CPUPR_IDLE_POLL, 0, 0 },
		},
	},
	/* Less and more */
	{
		.name = "less: latency and target - 1",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_STAY, S(1), 5999 },
			{ I_LESS, S(1), 0, 1 }, { I_MORE, S(1), 0, 0 },
		},
	}, {
		.name = "less: latency and target, and 1 more",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_STAY, S(1), 6000 }, { I_STAY, S(1), 6001 },
			{ I_LESS, S(1), 0, 0 }, { I_MORE, S(1), 0, 0 },
		},
	}, {
		.name = "less: never, where both are 0",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_STAY, S(0), 0 },
			{ I_LESS, S(0), 0, 0 }, { I_MORE, S(0), 0, 0 },
		},
	}, {
		.name = "more: the next one's latency and target - 1",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_STAY, S(1), 129999 }, { I_STAY, S(0), 5999 },
			{ I_LESS, S(1), 0, 0 }, { I_MORE, S(1), 0, 0 },
			{ I_LESS, S(0), 0, 0 }, { I_MORE, S(0), 0, 0 },
		},
	}, {
		.name = "more: the next one's latency and target, and 1 more",
		.step = {
			{ I_DRIVER, D_LADDER },
			{ I_STAY, S(1), 130000 }, { I_MORE, S(1), 0, 1 },
			{ I_STAY, S(1), 130001 }, { I_MORE, S(1), 0, 2 },
			{ I_STAY, S(0), 6000 }, { I_MORE, S(0), 0, 1 },
			{ I_LESS, S(1), 0, 0 }, { I_LESS, S(0), 0, 0 },
		},
	}, {
		.name = "more: never in the last state",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_STAY, S(3), IDLE_MAX - 1 },
			{ I_LESS, S(3), 0, 0 }, { I_MORE, S(3), 0, 0 },
		},
	}, {
		.name = "less and more: both, where the next one needs less",
		.step = {
			{ I_DRIVER, D_UNORDERED }, { I_STAY, S(1), 250 },
			{ I_LESS, S(1), 0, 1 }, { I_MORE, S(1), 0, 1 },
		},
	}, {
		.name = "less and more: a sum that does not fit is out of reach",
		.step = {
			{ I_DRIVER, D_HUGE },
			{ I_STAY, S(0), IDLE_MAX - 1 }, { I_STAY, S(1), IDLE_MAX - 1 }, { I_STAY, S(2), IDLE_MAX - 1 },
			{ I_LESS, S(0), 0, 1 }, { I_LESS, S(1), 0, 1 }, { I_LESS, S(2), 0, 1 },
			{ I_MORE, S(0), 0, 0 }, { I_MORE, S(1), 0, 0 }, { I_MORE, S(2), 0, 0 },
			{ I_STAY, S(1), 5 }, { I_LESS, S(1), 0, 2 }, { I_MORE, S(0), 0, 0 },
			{ I_STAY, S(2), IDLE_MAX }, { I_LESS, S(2), 0, 1 },
		},
	}, {
		.name = "less and more: a state's next one may become another, or none",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_STAY, S(0), 5999 }, { I_MORE, S(0), 0, 0 },
			{ I_DRIVER, D_LADDER_STEEP }, { I_SLOT, 0, 0, S(0) },
			{ I_STAY, S(0), 19 }, { I_MORE, S(0), 0, 0 },
			{ I_STAY, S(0), 20 }, { I_MORE, S(0), 0, 1 },
			{ I_DRIVER, D_LADDER_FOOT }, { I_SLOT, 1, 0, S(1) },
			{ I_STAY, S(0), 5999 }, { I_MORE, S(0), 0, 1 },
			{ I_STAY, S(1), 10000000 }, { I_MORE, S(1), 0, 0 },
			{ I_DRIVER, D_LADDER }, { I_STAY, S(1), 130000 }, { I_MORE, S(1), 0, 1 },
		},
	},
	/* Slots */
	{
		.name = "driver: the same one again goes on",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_STATES, 0, 0, 4 },
			{ I_SLOT, 0, 0, S(0) }, { I_SLOT, 1, 0, S(1) }, { I_SLOT, 2, 0, S(2) }, { I_SLOT, 3, 0, S(3) },
			{ I_INDEX, S(0), 0, 0 }, { I_INDEX, S(3), 0, 3 },
			{ I_POLLING, S(0), 0, 1 }, { I_POLLING, S(1), 0, 0 },
			{ I_STAY, S(1), 6000 },
			{ I_DRIVER, D_LADDER }, { I_STATES, 0, 0, 4 },
			{ I_SLOT, 0, 0, S(0) }, { I_SLOT, 1, 0, S(1) }, { I_SLOT, 2, 0, S(2) }, { I_SLOT, 3, 0, S(3) },
			{ I_STAY, S(1), 6000 }, { I_ALL, S(1), 0, 2 }, { I_ALL_TIME, S(1), 0, 12000 },
		},
	}, {
		.name = "driver: another one, none, and the first one back",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_STAY, S(1), 6000 },
			{ I_DRIVER, D_PAIR }, { I_STATES, 0, 0, 2 },
			{ I_SLOT, 0, 0, S(4) }, { I_SLOT, 1, 0, S(5) }, { I_INDEX, S(5), 0, 1 },
			{ I_STAY, S(5), 7 },
			{ I_DRIVER, D_NONE }, { I_STATES, 0, 0, 0 },
			{ I_DRIVER, D_LADDER },
			{ I_SLOT, 0, 0, S(0) }, { I_SLOT, 1, 0, S(1) }, { I_SLOT, 2, 0, S(2) }, { I_SLOT, 3, 0, S(3) },
			{ I_STAY, S(1), 6000 }, { I_ALL, S(1), 0, 2 }, { I_ALL, S(5), 0, 1 },
			{ I_DRIVER, D_PAIR }, { I_SLOT, 0, 0, S(4) }, { I_SLOT, 1, 0, S(5) },
		},
	}, {
		.name = "driver: more states than there can be",
		.step = {
			{ I_DRIVER, D_TWELVE }, { I_STATES, 0, 0, 10 },
			{ I_SLOT, 0, 0, S(0) }, { I_SLOT, 9, 0, S(9) }, { I_INDEX, S(9), 0, 9 },
			{ I_STAY, S(9), 179 }, { I_LESS, S(9), 0, 1 },
			{ I_STAY, S(9), 180 }, { I_LESS, S(9), 0, 1 }, { I_MORE, S(9), 0, 0 },
			{ I_STAY, S(8), 179 }, { I_MORE, S(8), 0, 0 },
			{ I_STAY, S(8), 180 }, { I_MORE, S(8), 0, 1 },
			/* The next new state comes right after the tenth. */
			{ I_DRIVER, D_PAIR }, { I_SLOT, 0, 0, S(10) },
		},
	}, {
		.name = "driver: no slots left",
		.step = {
			{ I_DRIVER, D_TWELVE },
			{ I_DRIVER, D_LADDER },
			{ I_SLOT, 0, 0, S(10) }, { I_SLOT, 1, 0, S(11) }, { I_SLOT, 2, 0, S(12) },
			{ I_SLOT, 3, 0, CPUPR_IDLE_OTHER },
			/* Its limits are nobody's, but the one before it knows its next one's. */
			{ I_STAY, CPUPR_IDLE_OTHER, 1 }, { I_STAY, CPUPR_IDLE_OTHER, IDLE_MAX - 1 },
			{ I_ALL, CPUPR_IDLE_OTHER, 0, 2 },
			{ I_LESS, CPUPR_IDLE_OTHER, 0, 0 }, { I_MORE, CPUPR_IDLE_OTHER, 0, 0 },
			{ I_STAY, S(12), 749999 }, { I_MORE, S(12), 0, 0 },
			{ I_STAY, S(12), 750000 }, { I_MORE, S(12), 0, 1 },
			{ I_DRIVER, D_PAIR }, { I_SLOT, 0, 0, CPUPR_IDLE_OTHER }, { I_SLOT, 1, 0, CPUPR_IDLE_OTHER },
			{ I_STAY, CPUPR_IDLE_OTHER, 1 }, { I_LESS, CPUPR_IDLE_OTHER, 0, 0 },
			{ I_DRIVER, D_TWELVE }, { I_SLOT, 0, 0, S(0) }, { I_SLOT, 9, 0, S(9) },
			{ I_DRIVER, D_LADDER_FOOT }, { I_SLOT, 1, 0, S(11) },
			{ I_INDEX, CPUPR_IDLE_OTHER, 0, 10 },
		},
	}, {
		.name = "driver: states apart in one thing only",
		.step = {
			{ I_DRIVER, D_ONE }, { I_SLOT, 0, 0, S(0) },
			{ I_DRIVER, D_ONE_LATENCY }, { I_SLOT, 0, 0, S(1) },
			{ I_DRIVER, D_ONE_TARGET }, { I_SLOT, 0, 0, S(2) },
			{ I_DRIVER, D_ONE_POLLING }, { I_SLOT, 0, 0, S(3) },
			{ I_POLLING, S(3), 0, 1 }, { I_POLLING, S(0), 0, 0 },
			{ I_DRIVER, D_ONE_NAME }, { I_SLOT, 0, 0, S(4) },
			{ I_DRIVER, D_ONE_TWICE }, { I_SLOT, 0, 0, S(0) }, { I_SLOT, 1, 0, S(5) },
			{ I_INDEX, S(0), 0, 0 }, { I_INDEX, S(5), 0, 1 },
			{ I_DRIVER, D_ONE }, { I_SLOT, 0, 0, S(0) }, { I_STATES, 0, 0, 1 },
		},
	}, {
		.name = "driver: names of full length",
		.step = {
			{ I_DRIVER, D_LONG_NAME_B }, { I_SLOT, 0, 0, S(0) },
			{ I_DRIVER, D_LONG_NAME_C }, { I_SLOT, 0, 0, S(1) },
			{ I_DRIVER, D_LONG_NAME_B }, { I_SLOT, 0, 0, S(0) },
			{ I_DRIVER, D_LONG_NAME_C }, { I_SLOT, 0, 0, S(1) },
		},
	},
	/* Causes */
	{
		.name = "cause: the same one, another key, another number",
		.step = {
			{ I_CAUSE, 0x100, 9, 3, "acpi" }, { I_CAUSE, 0x100, 9, 3, "acpi" },
			{ I_CAUSE, 0x200, 9, 4, "i801" }, { I_CAUSE, 0x100, 10, 5, "acpi" },
			{ I_CAUSE, 0x300, (u64)-1, 6, "local_timer" }, { I_CAUSE, 0x300, (u64)-2, 7, "local_timer" },
			{ I_CAUSE, 0x200, 9, 4, "i801" }, { I_CAUSE, 0x300, (u64)-1, 6, "local_timer" },
			{ I_NAME, 3, 0, 1, "acpi" }, { I_NAME, 4, 0, 1, "i801" }, { I_NAME, 5, 0, 1, "acpi" },
			{ I_NAME, 7, 0, 1, "local_timer" },
		},
	}, {
		.name = "cause: the first name stays, no name is empty, a long one is cut",
		.step = {
			{ I_CAUSE, 1, 1, 3, "first" }, { I_CAUSE, 1, 1, 3, "second" }, { I_NAME, 3, 0, 1, "first" },
			{ I_CAUSE, 2, 1, 4, NULL }, { I_NAME, 4, 0, 1, "" },
			{ I_CAUSE, 3, 1, 5, "" }, { I_NAME, 5, 0, 1, "" },
			{ I_CAUSE, 4, 1, 6, "1234567890123456789012345678901" },
			{ I_NAME, 6, 0, 1, "1234567890123456789012345678901" },
			{ I_CAUSE, 5, 1, 7, "12345678901234567890123456789012" },
			{ I_NAME, 7, 0, 1, "1234567890123456789012345678901" },
			{ I_CAUSE, 6, 1, 8, "12345678901234567890123456789012345678901234567890" },
			{ I_NAME, 8, 0, 1, "1234567890123456789012345678901" },
			{ I_CAUSE, 7, 1, 9, "after" }, { I_NAME, 9, 0, 1, "after" },
			/* What is known is found by its key, whatever it is called now. */
			{ I_CAUSE, 2, 1, 4, "late" }, { I_NAME, 4, 0, 1, "" },
		},
	}, {
		.name = "cause: no key is a key",
		.step = {
			{ I_CAUSE, 0, 0, 3, "timer" }, { I_CAUSE, 0, 0, 3, "timer" }, { I_CAUSE, 0, 1, 4, "i8042" },
		},
	}, {
		.name = "cause: one entry left, none left",
		.step = {
			{ I_CAUSE, 1, 9, 3, "acpi" },
			{ I_FILL, 43, 0, 46 },
			{ I_CAUSE, 2, 9, 47, "last" },
			{ I_CAUSE, 3, 9, CPUPR_IDLE_REST, "none" }, { I_CAUSE, 3, 9, CPUPR_IDLE_REST, "none" },
			{ I_CAUSE, 2, 9, 47, "last" }, { I_CAUSE, 1, 9, 3, "acpi" },
			{ I_NAME, 47, 0, 1, "last" },
			{ I_DRIVER, D_LADDER },
			{ I_ENTER, S(1) }, { I_WAKE, 47 }, { I_BOOK, 1, 1 },
			{ I_ENTER, S(1) }, { I_WAKE, CPUPR_IDLE_REST }, { I_BOOK, 1, 1 },
			{ I_WOKE, S(1), 47, 1 }, { I_WOKE, S(1), CPUPR_IDLE_REST, 1 }, { I_LESS, S(1), 0, 2 },
		},
	},
	/* A CPU that stops */
	{
		.name = "halt: nothing woke it, and it goes idle again",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_ENTER, S(1) }, { I_BOOK, 9, 0 },
			{ I_WOKE, S(1), CPUPR_IDLE_NONE, 1 }, { I_WOKE, S(1), CPUPR_IDLE_RESCHED, 0 },
		},
	}, {
		.name = "halt: nothing woke it but a task for it",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_ENTER, S(1) }, { I_BOOK, 9, 1 },
			{ I_WOKE, S(1), CPUPR_IDLE_RESCHED, 1 }, { I_WOKE, S(1), CPUPR_IDLE_NONE, 0 },
		},
	}, {
		.name = "halt: the first interrupt, not the second",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_ENTER, S(1) },
			{ I_WAKE, NIC }, { I_SETTLE, 0 }, { I_WAKE, DISK, OVER }, { I_SETTLE, 1 },
			{ I_BOOK, 9, 1 },
			{ I_WOKE, S(1), NIC, 1 }, { I_WOKE, S(1), DISK, 0 }, { I_WOKE, S(1), CPUPR_IDLE_RESCHED, 0 },
		},
	}, {
		.name = "halt: interrupts come once the state is left",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_ENTER, S(1) },
			{ I_WAKE, NIC, OVER }, { I_WAKE, DISK, OVER }, { I_BOOK, 9, 0 },
			{ I_WOKE, S(1), NIC, 1 }, { I_WOKE, S(1), DISK, 0 },
		},
	}, {
		.name = "halt: an interrupt that finds a wish to reschedule when the state is left",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_ENTER, S(1) },
			{ I_WAKE, NIC, OVER | RESCHED }, { I_WAKE, DISK, OVER }, { I_SETTLE, 1 }, { I_BOOK, 9, 1 },
			{ I_WOKE, S(1), CPUPR_IDLE_RESCHED, 1 }, { I_WOKE, S(1), NIC, 0 }, { I_WOKE, S(1), DISK, 0 },
			/* The wish came to nothing. */
			{ I_ENTER, S(1) }, { I_WAKE, NIC, OVER | RESCHED }, { I_BOOK, 9, 0 },
			{ I_WOKE, S(1), CPUPR_IDLE_NONE, 1 },
		},
	}, {
		.name = "halt: an interrupt that finds that wish while the state lasts",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_ENTER, S(1) },
			{ I_WAKE, NIC, RESCHED }, { I_WAKE, DISK, OVER | RESCHED }, { I_BOOK, 9, 1 },
			{ I_WOKE, S(1), NIC, 1 }, { I_WOKE, S(1), DISK, 0 }, { I_WOKE, S(1), CPUPR_IDLE_RESCHED, 0 },
		},
	}, {
		.name = "halt: a softirq without an interrupt ends nothing",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_ENTER, S(1) }, { I_SETTLE, 1 }, { I_WAKE, NIC }, { I_BOOK, 9, 1 },
			{ I_WOKE, S(1), NIC, 1 },
		},
	}, {
		.name = "halt: the next stay begins anew",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_ENTER, S(1) }, { I_WAKE, NIC }, { I_BOOK, 9, 1 },
			{ I_ENTER, S(1) }, { I_BOOK, 9, 1 },
			{ I_ENTER, S(2) }, { I_WAKE, DISK }, { I_BOOK, 9, 1 },
			{ I_WOKE, S(1), NIC, 1 }, { I_WOKE, S(1), CPUPR_IDLE_RESCHED, 1 }, { I_WOKE, S(2), DISK, 1 },
		},
	}, {
		.name = "halt: by default, and where no slot was left",
		.step = {
			{ I_ENTER, CPUPR_IDLE_DEFAULT }, { I_WAKE, NIC }, { I_BOOK, 9, 0 },
			{ I_ENTER, CPUPR_IDLE_OTHER }, { I_WAKE, NIC }, { I_BOOK, 9, 0 },
			{ I_WOKE, CPUPR_IDLE_DEFAULT, NIC, 1 }, { I_WOKE, CPUPR_IDLE_OTHER, NIC, 1 },
		},
	},
	/* A CPU that polls */
	{
		.name = "poll: an interrupt that wants nothing, then the limit",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_ENTER, S(0) }, { I_WAKE, NIC }, { I_SETTLE, 0 }, { I_BOOK, 9, 0 },
			{ I_WOKE, S(0), CPUPR_IDLE_NONE, 1 }, { I_WOKE, S(0), NIC, 0 },
		},
	}, {
		.name = "poll: an interrupt that wakes a task",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_ENTER, S(0) }, { I_WAKE, NIC }, { I_SETTLE, 1 }, { I_BOOK, 9, 1 },
			{ I_WOKE, S(0), NIC, 1 }, { I_WOKE, S(0), CPUPR_IDLE_RESCHED, 0 },
		},
	}, {
		.name = "poll: it does so in its softirq",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_ENTER, S(0) },
			{ I_WAKE, NIC }, { I_SETTLE, 0 }, { I_SETTLE, 0 }, { I_SETTLE, 1 }, { I_BOOK, 9, 1 },
			{ I_WOKE, S(0), NIC, 1 },
		},
	}, {
		.name = "poll: the last of two interrupts wakes a task",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_ENTER, S(0) },
			{ I_WAKE, NIC }, { I_SETTLE, 0 }, { I_WAKE, DISK }, { I_SETTLE, 1 }, { I_BOOK, 9, 1 },
			{ I_WOKE, S(0), DISK, 1 }, { I_WOKE, S(0), NIC, 0 },
		},
	}, {
		.name = "poll: the first of two interrupts wakes a task",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_ENTER, S(0) },
			{ I_WAKE, NIC }, { I_SETTLE, 1 }, { I_WAKE, DISK, RESCHED }, { I_SETTLE, 1 }, { I_BOOK, 9, 1 },
			{ I_WOKE, S(0), NIC, 1 }, { I_WOKE, S(0), DISK, 0 }, { I_WOKE, S(0), CPUPR_IDLE_RESCHED, 0 },
		},
	}, {
		.name = "poll: another CPU's request, no interrupt",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_ENTER, S(0) }, { I_BOOK, 9, 1 },
			{ I_WOKE, S(0), CPUPR_IDLE_RESCHED, 1 },
		},
	}, {
		.name = "poll: another CPU's request, then an interrupt",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_ENTER, S(0) },
			{ I_WAKE, NIC, RESCHED }, { I_SETTLE, 1 }, { I_WAKE, DISK, OVER }, { I_BOOK, 9, 1 },
			{ I_WOKE, S(0), CPUPR_IDLE_RESCHED, 1 }, { I_WOKE, S(0), NIC, 0 }, { I_WOKE, S(0), DISK, 0 },
		},
	}, {
		.name = "poll: an interrupt that wants nothing, then another CPU's request",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_ENTER, S(0) },
			{ I_WAKE, NIC }, { I_SETTLE, 0 }, { I_BOOK, 9, 1 },
			{ I_WOKE, S(0), CPUPR_IDLE_RESCHED, 1 }, { I_WOKE, S(0), NIC, 0 },
		},
	}, {
		.name = "poll: an interrupt, another CPU's request, an interrupt",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_ENTER, S(0) },
			{ I_WAKE, NIC }, { I_SETTLE, 0 }, { I_WAKE, DISK, RESCHED }, { I_SETTLE, 1 }, { I_BOOK, 9, 1 },
			{ I_WOKE, S(0), CPUPR_IDLE_RESCHED, 1 }, { I_WOKE, S(0), NIC, 0 }, { I_WOKE, S(0), DISK, 0 },
		},
	}, {
		.name = "poll: interrupts once it is over",
		.step = {
			{ I_DRIVER, D_LADDER },
			{ I_ENTER, S(0) }, { I_WAKE, NIC, OVER }, { I_SETTLE, 0 }, { I_BOOK, 9, 0 },
			{ I_WOKE, S(0), CPUPR_IDLE_NONE, 1 },
			{ I_ENTER, S(0) }, { I_WAKE, NIC, OVER }, { I_WAKE, DISK, OVER | RESCHED }, { I_BOOK, 9, 1 },
			{ I_WOKE, S(0), CPUPR_IDLE_RESCHED, 1 },
			/* One of them is no guess either. */
			{ I_ENTER, S(0) }, { I_WAKE, NIC, OVER }, { I_SETTLE, 1 }, { I_BOOK, 9, 0 },
			{ I_WOKE, S(0), CPUPR_IDLE_NONE, 2 },
			{ I_WOKE, S(0), NIC, 0 }, { I_WOKE, S(0), DISK, 0 },
		},
	}, {
		.name = "poll: a guess does not outlive the stay",
		.step = {
			{ I_DRIVER, D_LADDER },
			{ I_ENTER, S(0) }, { I_WAKE, NIC }, { I_SETTLE, 0 }, { I_BOOK, 9, 0 },
			{ I_ENTER, S(0) }, { I_SETTLE, 1 }, { I_BOOK, 9, 1 },
			{ I_WOKE, S(0), CPUPR_IDLE_NONE, 1 }, { I_WOKE, S(0), CPUPR_IDLE_RESCHED, 1 },
			{ I_WOKE, S(0), NIC, 0 },
		},
	}, {
		.name = "poll: by cpu_idle_poll()",
		.step = {
			{ I_ENTER, CPUPR_IDLE_POLL }, { I_WAKE, NIC }, { I_SETTLE, 0 }, { I_BOOK, 9, 0 },
			{ I_ENTER, CPUPR_IDLE_POLL }, { I_WAKE, NIC }, { I_SETTLE, 1 }, { I_BOOK, 9, 1 },
			{ I_WOKE, CPUPR_IDLE_POLL, CPUPR_IDLE_NONE, 1 }, { I_WOKE, CPUPR_IDLE_POLL, NIC, 1 },
		},
	},
	/* Interrupts that nobody tells of */
	{
		.name = "unwatched: what ends a stay is not known",
		.step = {
			{ I_DRIVER, D_LADDER }, { I_WATCHED, 0 },
			{ I_ENTER, S(1) }, { I_BOOK, 9, 0 }, { I_ENTER, S(1) }, { I_BOOK, 9, 1 },
			{ I_ENTER, S(0) }, { I_BOOK, 9, 0 }, { I_ENTER, S(0) }, { I_BOOK, 9, 1 },
			{ I_STAY, CPUPR_IDLE_DEFAULT, 9 }, { I_STAY, CPUPR_IDLE_POLL, 9 }, { I_STAY, CPUPR_IDLE_OTHER, 9 },
			{ I_WOKE, S(1), CPUPR_IDLE_REST, 2 }, { I_WOKE, S(0), CPUPR_IDLE_REST, 2 },
			{ I_WOKE, CPUPR_IDLE_DEFAULT, CPUPR_IDLE_REST, 1 },
			{ I_WOKE, CPUPR_IDLE_POLL, CPUPR_IDLE_REST, 1 },
			{ I_WOKE, CPUPR_IDLE_OTHER, CPUPR_IDLE_REST, 1 },
		},
	}, {
		.name = "unwatched: from the next stay on, and no longer than that",
		.step = {
			{ I_DRIVER, D_LADDER },
			{ I_ENTER, S(1) }, { I_WATCHED, 0 }, { I_BOOK, 9, 0 }, { I_WOKE, S(1), CPUPR_IDLE_NONE, 1 },
			{ I_ENTER, S(1) }, { I_WATCHED, 1 }, { I_BOOK, 9, 0 }, { I_WOKE, S(1), CPUPR_IDLE_REST, 1 },
			{ I_ENTER, S(1) }, { I_BOOK, 9, 1 }, { I_WOKE, S(1), CPUPR_IDLE_RESCHED, 1 },
			{ I_ENTER, S(0) }, { I_WAKE, NIC }, { I_SETTLE, 0 }, { I_BOOK, 9, 0 },
			{ I_WOKE, S(0), CPUPR_IDLE_NONE, 1 },
		},
	}, {
		.name = "unwatched: nor in the states of a driver that comes later",
		.step = {
			{ I_WATCHED, 0 }, { I_DRIVER, D_LADDER },
			{ I_STAY, S(0), 9 }, { I_STAY, S(3), 9 },
			{ I_WOKE, S(0), CPUPR_IDLE_REST, 1 }, { I_WOKE, S(3), CPUPR_IDLE_REST, 1 },
			{ I_POLLING, S(0), 0, 1 },
		},
	},
};

/* Keys are told apart, never followed. */
static inline u8 idle_cause_of(struct cpupr_idle_books *b, u64 key, u64 number, const char *name)
{
	return cpupr_idle_cause(b, (const void *)(unsigned long)key, (int)number, name);
}

static inline u64 idle_fill(struct cpupr_idle_books *b, u64 causes)
{
	u64 last = 0, i;

	for (i = 0; i < causes; i++)
		last = idle_cause_of(b, 0x10000 + i, 1, "filler");
	return last;
}

/* Returns what @s found: what it wants, if it is not there to look. */
static inline u64 idle_apply(struct cpupr_idle_books *b, const struct idle_step *s)
{
	struct cpupr_idle_slot *slot = &b->slot[s->a % CPUPR_IDLE_SLOTS];

	switch (s->op) {
	case I_END:
		break;
	case I_DRIVER:
		cpupr_idle_driver(b, idle_drivers[s->a].info, idle_drivers[s->a].states);
		break;
	case I_WATCHED:
		cpupr_idle_watched(b, s->a);
		break;
	case I_ENTER:
		cpupr_idle_enter(b, 0, slot);
		break;
	case I_WAKE:
		cpupr_idle_wake(b, (u8)s->a, s->b & OVER, s->b & RESCHED);
		break;
	case I_SETTLE:
		cpupr_idle_settle(b, s->a);
		break;
	case I_BOOK:
		cpupr_idle_book(b, b->stay, s->a, s->b);
		break;
	case I_BOOK_AS:
		cpupr_idle_book(b, &b->slot[s->b], s->a, false);
		break;
	case I_STAY:
		cpupr_idle_enter(b, 0, slot);
		cpupr_idle_book(b, slot, s->b, false);
		break;
	case I_FILL:
		return idle_fill(b, s->a);
	case I_CAUSE:
		return idle_cause_of(b, s->a, s->b, s->text);
	case I_NAME:
		return !strcmp(b->cause_of[s->a].name, s->text);
	case I_STATES:
		return b->states;
	case I_SLOT:
		return (u64)(b->slot_of[s->a] - b->slot);
	case I_INDEX:
		return slot->index;
	case I_POLLING:
		return slot->at.polling;
	case I_COUNT:
		return slot->counts.count[s->b];
	case I_TIME:
		return slot->counts.time[s->b];
	case I_ALL:
		return cpupr_idle_usage(&slot->counts);
	case I_ALL_TIME:
		return cpupr_idle_time(&slot->counts);
	case I_WOKE:
		return slot->counts.wake[s->b];
	case I_LESS:
		return slot->counts.less;
	case I_MORE:
		return slot->counts.more;
	}
	return s->want;
}

/**
 * idle_run() - replay events and look at the books
 * @v: the events
 * @b: where to, cleared first
 * @got: what the step that is returned found
 *
 * Return: the number of the first step that did not find what it should, or -1.
 */
static inline int idle_run(const struct idle_vector *v, struct cpupr_idle_books *b, u64 *got)
{
	int i;

	memset(b, 0, sizeof(*b));
	cpupr_idle_init(b);
	for (i = 0; i < IDLE_STEPS && v->step[i].op != I_END; i++) {
		*got = idle_apply(b, &v->step[i]);
		if (*got != v->step[i].want)
			return i;
	}
	return -1;
}

#undef S
#undef NIC
#undef DISK
#undef OVER
#undef RESCHED

#endif
