/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Literal timelines of system calls and what must be counted of them: the tables
 * that the host test and the KUnit suite share.
 *
 * Every number was worked out by hand from the comments of ledger.h and
 * call_table.h, none was copied from a run.
 */
#ifndef CPUPRECISE_CALL_VECTORS_H
#define CPUPRECISE_CALL_VECTORS_H

#include "task_machine.h"

#define CALL_MAX	(~0ULL)

#define OTHER		CPUPR_CALL_OTHER
#define COMPAT(nr)	(CPUPR_CALL_SLOTS + (nr))

/* 6 GHz: a sixth of 2^MACHINE_SHIFT, rounded down. */
#define SIXTH		192153584101141162ULL

static const struct machine_vector call_vectors[] = {
	{
		.name = "a call",
		.step = {
			{ M_ONLINE, 0, 0, CPUPR_IDLE }, { M_SWITCH, 0, 10, 1, CPUPR_USER },
			{ M_HAS_ROW, 0, 0, 39, 0, 0 }, { M_CALL, 0, 30, 39 },
			{ M_HAS_ROW, 0, 0, 39, 0, 1 }, { M_IN_CALL, 0, 0, 1, 0, 1 },
			{ M_ROW, 0, 0, 39, ROW(count), 1 }, { M_ROW, 0, 0, 39, ROW(wall), 0 },
			{ M_RETURN, 0, 37 }, { M_IN_CALL, 0, 0, 1, 0, 0 },
			{ M_ROW, 0, 0, 39, ROW(count), 1 }, { M_ROW, 0, 0, 39, ROW(cpu), 7 },
			{ M_ROW, 0, 0, 39, ROW(wall), 7 }, { M_ROW, 0, 0, 39, ROW(max), 7 },
			{ M_ROW, 0, 0, 39, ROW_CPU_HIST(2), 1 }, { M_ROW, 0, 0, 39, ROW_WALL_HIST(2), 1 },
			{ M_ROW, 0, 0, 39, ROW_CPU_HIST(1), 0 }, { M_ROW, 0, 0, 39, ROW_WALL_HIST(3), 0 },
			/* Back in user code it is over. */
			{ M_SYSTEM, 0, 50 }, { M_RETURN, 0, 60 }, { M_ROW, 0, 0, 39, ROW(wall), 7 },
			{ M_HAS_ROW, 1, 0, 39, 0, 0 },
		},
	}, {
		.name = "a call that sleeps",
		.step = {
			{ M_ONLINE, 0, 0, CPUPR_IDLE }, { M_SWITCH, 0, 10, 1, CPUPR_USER },
			{ M_CALL, 0, 30, 0 }, { M_SWITCH, 0, 32, 0, CPUPR_IDLE },
			{ M_SWITCH, 0, 100, 2, CPUPR_SYSTEM }, { M_SWITCH, 0, 132, 1, CPUPR_SYSTEM },
			{ M_RETURN, 0, 135 },
			{ M_ROW, 0, 0, 0, ROW(cpu), 2 + 3 }, { M_ROW, 0, 0, 0, ROW(wall), 105 },
			{ M_ROW, 0, 0, 0, ROW(max), 105 },
			{ M_ROW, 0, 0, 0, ROW_CPU_HIST(2), 1 }, { M_ROW, 0, 0, 0, ROW_WALL_HIST(6), 1 },
		},
	}, {
		.name = "a call that is interrupted",
		.step = {
			{ M_ONLINE, 0, 0, CPUPR_IDLE }, { M_SWITCH, 0, 10, 1, CPUPR_USER },
			{ M_CALL, 0, 30, 1 }, { M_IRQ, 0, 31 }, { M_IRQ_END, 0, 39 },
			{ M_SOFTIRQ, 0, 40 }, { M_SOFTIRQ_END, 0, 42 }, { M_RETURN, 0, 50 },
			{ M_ROW, 0, 0, 1, ROW(cpu), 10 }, { M_ROW, 0, 0, 1, ROW(wall), 20 },
			{ M_ROW, 0, 0, 1, ROW_CPU_HIST(3), 1 }, { M_ROW, 0, 0, 1, ROW_WALL_HIST(4), 1 },
		},
	}, {
		.name = "a call that moves to another CPU",
		.step = {
			{ M_ONLINE, 0, 900, CPUPR_IDLE }, { M_ONLINE, 1, 950, CPUPR_SYSTEM },
			{ M_SWITCH, 0, 950, 1, CPUPR_SYSTEM }, { M_USER, 0, 970, CPUPR_USER },
			{ M_CALL, 0, 1000, 2 }, { M_SWITCH, 0, 1003, 0, CPUPR_IDLE },
			{ M_SWITCH, 1, 2000, 1, CPUPR_SYSTEM }, { M_RETURN, 1, 2004 },
			{ M_ROW, 0, 0, 2, ROW(count), 1 }, { M_ROW, 0, 0, 2, ROW(cpu), 0 },
			{ M_ROW, 0, 0, 2, ROW(wall), 0 }, { M_ROW, 0, 0, 2, ROW(max), 0 },
			{ M_ROW, 1, 0, 2, ROW(count), 0 }, { M_ROW, 1, 0, 2, ROW(cpu), 3 + 4 },
			{ M_ROW, 1, 0, 2, ROW(wall), 1004 }, { M_ROW, 1, 0, 2, ROW(max), 1004 },
			{ M_ROW, 1, 0, 2, ROW_CPU_HIST(2), 1 }, { M_ROW, 1, 0, 2, ROW_WALL_HIST(9), 1 },
		},
	}, {
		.name = "the other CPU's clock is behind: before the call began",
		.step = {
			{ M_ONLINE, 0, 900, CPUPR_IDLE }, { M_ONLINE, 1, 400, CPUPR_IDLE },
			{ M_SWITCH, 0, 950, 1, CPUPR_USER }, { M_CALL, 0, 1000, 2 },
			{ M_SWITCH, 0, 1009, 0, CPUPR_IDLE },
			{ M_SWITCH, 1, 500, 1, CPUPR_SYSTEM }, { M_RETURN, 1, 504 },
			{ M_ROW, 1, 0, 2, ROW(cpu), 13 }, { M_ROW, 1, 0, 2, ROW(wall), 13 },
			{ M_ROW, 1, 0, 2, ROW(max), 13 },
			{ M_ROW, 1, 0, 2, ROW_CPU_HIST(3), 1 }, { M_ROW, 1, 0, 2, ROW_WALL_HIST(3), 1 },
		},
	}, {
		.name = "the other CPU's clock is behind: the call seems short",
		.step = {
			{ M_ONLINE, 0, 900, CPUPR_IDLE }, { M_ONLINE, 1, 900, CPUPR_IDLE },
			{ M_SWITCH, 0, 950, 1, CPUPR_USER }, { M_CALL, 0, 1000, 2 },
			{ M_SWITCH, 0, 1009, 0, CPUPR_IDLE },
			{ M_SWITCH, 1, 1003, 1, CPUPR_SYSTEM }, { M_RETURN, 1, 1007 },
			{ M_ROW, 1, 0, 2, ROW(cpu), 13 }, { M_ROW, 1, 0, 2, ROW(wall), 13 },
			/* Just as long as it seems. */
			{ M_CALL, 1, 1100, 2 }, { M_SWITCH, 1, 1105, 0, CPUPR_IDLE },
			{ M_SWITCH, 0, 1103, 1, CPUPR_SYSTEM }, { M_RETURN, 0, 1110 },
			{ M_ROW, 0, 0, 2, ROW(cpu), 12 }, { M_ROW, 0, 0, 2, ROW(wall), 12 },
			/* One less: it is cut. */
			{ M_CALL, 0, 1200, 2 }, { M_SWITCH, 0, 1205, 0, CPUPR_IDLE },
			{ M_SWITCH, 1, 1204, 1, CPUPR_SYSTEM }, { M_RETURN, 1, 1211 },
			{ M_ROW, 1, 0, 2, ROW(cpu), 13 + 12 }, { M_ROW, 1, 0, 2, ROW(wall), 13 + 12 },
			{ M_ROW, 1, 0, 2, ROW(max), 13 },
		},
	}, {
		.name = "the clock passes 2^64 within a call",
		.step = {
			{ M_ONLINE, 0, -100ULL, CPUPR_IDLE }, { M_SWITCH, 0, -90ULL, 1, CPUPR_USER },
			{ M_CALL, 0, -40ULL, 9 }, { M_SWITCH, 0, -30ULL, 0, CPUPR_IDLE },
			{ M_SWITCH, 0, 5, 1, CPUPR_SYSTEM }, { M_RETURN, 0, 25 },
			{ M_ROW, 0, 0, 9, ROW(cpu), 30 }, { M_ROW, 0, 0, 9, ROW(wall), 65 },
		},
	}, {
		.name = "the longest of some",
		.step = {
			{ M_ONLINE, 0, 0, CPUPR_USER }, { M_SWITCH, 0, 0, 1, CPUPR_USER },
			{ M_CALL, 0, 10, 5 }, { M_RETURN, 0, 17 }, { M_ROW, 0, 0, 5, ROW(max), 7 },
			{ M_CALL, 0, 20, 5 }, { M_RETURN, 0, 40 }, { M_ROW, 0, 0, 5, ROW(max), 20 },
			{ M_CALL, 0, 50, 5 }, { M_RETURN, 0, 53 }, { M_ROW, 0, 0, 5, ROW(max), 20 },
			{ M_ROW, 0, 0, 5, ROW(count), 3 }, { M_ROW, 0, 0, 5, ROW(cpu), 30 },
			{ M_ROW, 0, 0, 5, ROW(wall), 30 },
			{ M_ROW, 0, 0, 5, ROW_WALL_HIST(1), 1 }, { M_ROW, 0, 0, 5, ROW_WALL_HIST(2), 1 },
			{ M_ROW, 0, 0, 5, ROW_WALL_HIST(4), 1 },
		},
	}, {
		.name = "calls of 0 to 4 ns",
		.step = {
			{ M_ONLINE, 0, 0, CPUPR_USER }, { M_SWITCH, 0, 0, 1, CPUPR_USER },
			{ M_CALL, 0, 10, 5 }, { M_RETURN, 0, 10 }, { M_CALL, 0, 20, 5 }, { M_RETURN, 0, 21 },
			{ M_CALL, 0, 30, 5 }, { M_RETURN, 0, 32 }, { M_CALL, 0, 40, 5 }, { M_RETURN, 0, 43 },
			{ M_CALL, 0, 50, 5 }, { M_RETURN, 0, 54 },
			{ M_ROW, 0, 0, 5, ROW_CPU_HIST(0), 2 }, { M_ROW, 0, 0, 5, ROW_CPU_HIST(1), 2 },
			{ M_ROW, 0, 0, 5, ROW_CPU_HIST(2), 1 }, { M_ROW, 0, 0, 5, ROW_WALL_HIST(0), 2 },
			{ M_ROW, 0, 0, 5, ROW_WALL_HIST(1), 2 }, { M_ROW, 0, 0, 5, ROW_WALL_HIST(2), 1 },
			{ M_ROW, 0, 0, 5, ROW(wall), 10 },
		},
	}, {
		/* 13 ticks are 2 ns, 25 are 4; 12 and 24 are a little less. */
		.name = "buckets are of ns, sums of ticks",
		.step = {
			{ M_SCALE, 0, 0, SIXTH },
			{ M_ONLINE, 0, 0, CPUPR_USER }, { M_SWITCH, 0, 0, 1, CPUPR_USER },
			{ M_CALL, 0, 10, 5 }, { M_RETURN, 0, 22 }, { M_ROW, 0, 0, 5, ROW_CPU_HIST(0), 1 },
			{ M_CALL, 0, 30, 5 }, { M_RETURN, 0, 43 }, { M_ROW, 0, 0, 5, ROW_CPU_HIST(1), 1 },
			{ M_CALL, 0, 50, 5 }, { M_SWITCH, 0, 62, 0, CPUPR_IDLE },
			{ M_SWITCH, 0, 74, 1, CPUPR_SYSTEM }, { M_RETURN, 0, 75 },
			{ M_ROW, 0, 0, 5, ROW_CPU_HIST(1), 2 }, { M_ROW, 0, 0, 5, ROW_WALL_HIST(0), 1 },
			{ M_ROW, 0, 0, 5, ROW_WALL_HIST(1), 1 }, { M_ROW, 0, 0, 5, ROW_WALL_HIST(2), 1 },
			{ M_ROW, 0, 0, 5, ROW(cpu), 12 + 13 + 13 }, { M_ROW, 0, 0, 5, ROW(wall), 12 + 13 + 25 },
		},
	}, {
		/* 3.2 * 10^17 ns: between 2^58 and 2^59. In ticks, it would be 2^60. */
		.name = "a call of ten years of 6 GHz",
		.step = {
			{ M_SCALE, 0, 0, SIXTH },
			{ M_ONLINE, 0, 0, CPUPR_USER }, { M_SWITCH, 0, 0, 1, CPUPR_USER },
			{ M_CALL, 0, 10, 5 }, { M_RETURN, 0, TEN_YEARS + 10 },
			{ M_ROW, 0, 0, 5, ROW(cpu), TEN_YEARS }, { M_ROW, 0, 0, 5, ROW(wall), TEN_YEARS },
			{ M_ROW, 0, 0, 5, ROW(max), TEN_YEARS },
			{ M_ROW, 0, 0, 5, ROW_CPU_HIST(58), 1 }, { M_ROW, 0, 0, 5, ROW_WALL_HIST(58), 1 },
		},
	}, {
		.name = "a call of 2^63 - 1 ns, and one of 2^62",
		.step = {
			{ M_ONLINE, 0, 0, CPUPR_USER }, { M_SWITCH, 0, 0, 1, CPUPR_USER },
			{ M_CALL, 0, 1, 5 }, { M_RETURN, 0, 1ULL << 63 },
			{ M_CALL, 0, 1ULL << 63, 5 }, { M_RETURN, 0, 3ULL << 62 },
			{ M_ROW, 0, 0, 5, ROW_WALL_HIST(62), 2 }, { M_ROW, 0, 0, 5, ROW_WALL_HIST(63), 0 },
			{ M_ROW, 0, 0, 5, ROW(max), (1ULL << 63) - 1 },
		},
	}, {
		.name = "two tasks in calls at a time",
		.step = {
			{ M_ONLINE, 0, 0, CPUPR_IDLE }, { M_SWITCH, 0, 0, 1, CPUPR_USER },
			{ M_CALL, 0, 10, 3 }, { M_SWITCH, 0, 12, 2, CPUPR_USER }, { M_CALL, 0, 20, 4 },
			{ M_SWITCH, 0, 25, 1, CPUPR_SYSTEM }, { M_RETURN, 0, 26 },
			{ M_SWITCH, 0, 30, 2, CPUPR_SYSTEM }, { M_RETURN, 0, 38 },
			{ M_ROW, 0, 0, 3, ROW(cpu), 3 }, { M_ROW, 0, 0, 3, ROW(wall), 16 },
			{ M_ROW, 0, 0, 4, ROW(cpu), 13 }, { M_ROW, 0, 0, 4, ROW(wall), 18 },
		},
	}, {
		.name = "a boundary ahead of a call is not the call's",
		.step = {
			{ M_ONLINE, 0, 0, CPUPR_IDLE }, { M_SWITCH, 0, 0, 1, CPUPR_SYSTEM },
			{ M_USER, 0, 10, CPUPR_USER, 4 }, { M_CALL, 0, 12, 7 }, { M_RETURN, 0, 20 },
			{ M_ROW, 0, 0, 7, ROW(cpu), 8 }, { M_ROW, 0, 0, 7, ROW(wall), 8 },
		},
	}, {
		.name = "a call whose end nobody saw",
		.step = {
			{ M_ONLINE, 0, 0, CPUPR_IDLE }, { M_SWITCH, 0, 0, 1, CPUPR_USER },
			{ M_CALL, 0, 30, 1 }, { M_CALL, 0, 50, 2 }, { M_RETURN, 0, 55 },
			{ M_ROW, 0, 0, 1, ROW(count), 1 }, { M_ROW, 0, 0, 1, ROW(wall), 0 },
			{ M_ROW, 0, 0, 1, ROW_WALL_HIST(0), 0 },
			{ M_ROW, 0, 0, 2, ROW(cpu), 5 }, { M_ROW, 0, 0, 2, ROW(wall), 5 },
		},
	}, {
		.name = "a task dies within a call",
		.step = {
			{ M_ONLINE, 0, 0, CPUPR_IDLE }, { M_SWITCH, 0, 10, 1, CPUPR_SYSTEM },
			{ M_USER, 0, 20, CPUPR_USER }, { M_CALL, 0, 30, 60 }, { M_IRQ, 0, 33 }, { M_IRQ_END, 0, 38 },
			{ M_SWITCH, 0, 41, 0, CPUPR_IDLE }, { M_DIED, 0, 0, 1 }, { M_IN_CALL, 0, 0, 1, 0, 0 },
			{ M_ROW, 0, 0, 60, ROW(count), 1 }, { M_ROW, 0, 0, 60, ROW(cpu), 6 },
			{ M_ROW, 0, 0, 60, ROW(wall), 11 }, { M_ROW, 0, 0, 60, ROW(max), 11 },
			{ M_ROW, 0, 0, 60, ROW_CPU_HIST(2), 1 }, { M_ROW, 0, 0, 60, ROW_WALL_HIST(3), 1 },
		},
	}, {
		.name = "a task without a record: its call is only counted",
		.step = {
			{ M_ONLINE, 0, 0, CPUPR_IDLE }, { M_SWITCH, 0, 10, MACHINE_OTHER, CPUPR_USER },
			{ M_CALL, 0, 30, 8 }, { M_IN_CALL, 0, 0, MACHINE_OTHER, 0, 0 },
			{ M_SWITCH, 0, 35, MACHINE_OTHER, CPUPR_SYSTEM }, { M_RETURN, 0, 40 },
			{ M_ROW, 0, 0, 8, ROW(count), 1 }, { M_ROW, 0, 0, 8, ROW(cpu), 0 },
			{ M_ROW, 0, 0, 8, ROW(wall), 0 }, { M_ROW, 0, 0, 8, ROW_CPU_HIST(0), 0 },
		},
	}, {
		.name = "compat: a number of its own",
		.step = {
			{ M_ONLINE, 0, 0, CPUPR_IDLE }, { M_SWITCH, 0, 0, 1, CPUPR_USER },
			{ M_CALL, 0, 10, 3 }, { M_RETURN, 0, 12 }, { M_HAS_ROW, 0, 0, COMPAT(3), 0, 0 },
			{ M_CALL, 0, 20, COMPAT(3) }, { M_RETURN, 0, 27 }, { M_HAS_ROW, 0, 0, COMPAT(3), 0, 1 },
			{ M_ROW, 0, 0, 3, ROW(wall), 2 }, { M_ROW, 0, 0, COMPAT(3), ROW(wall), 7 },
			{ M_ROW, 0, 0, 3, ROW(count), 1 }, { M_ROW, 0, 0, COMPAT(3), ROW(count), 1 },
		},
	}, {
		.name = "numbers beyond: the others of each ABI",
		.step = {
			{ M_HAS_ROW, 0, 0, OTHER, 0, 1 }, { M_HAS_ROW, 0, 0, COMPAT(OTHER), 0, 1 },
			{ M_ONLINE, 0, 0, CPUPR_IDLE }, { M_SWITCH, 0, 0, 1, CPUPR_USER },
			{ M_CALL, 0, 10, OTHER }, { M_RETURN, 0, 12 },
			{ M_CALL, 0, 20, COMPAT(OTHER) }, { M_RETURN, 0, 27 },
			{ M_ROW, 0, 0, OTHER, ROW(count), 1 }, { M_ROW, 0, 0, OTHER, ROW(wall), 2 },
			{ M_ROW, 0, 0, COMPAT(OTHER), ROW(count), 1 }, { M_ROW, 0, 0, COMPAT(OTHER), ROW(wall), 7 },
			{ M_HAS_ROW, 0, 0, OTHER - 1, 0, 0 }, { M_HAS_ROW, 0, 0, COMPAT(OTHER - 1), 0, 0 },
		},
	}, {
		/* 160 rows, two of which are the others'. */
		.name = "no row is left",
		.step = {
			{ M_ONLINE, 0, 0, CPUPR_IDLE }, { M_ONLINE, 1, 0, CPUPR_IDLE },
			{ M_SWITCH, 0, 0, 1, CPUPR_USER }, { M_SWITCH, 1, 0, 2, CPUPR_USER },
			{ M_FILL, 0, 0, 0, 157 }, { M_HAS_ROW, 0, 0, 156, 0, 1 }, { M_HAS_ROW, 0, 0, 157, 0, 0 },
			{ M_CALL, 0, 10, COMPAT(157) }, { M_RETURN, 0, 11 }, { M_HAS_ROW, 0, 0, COMPAT(157), 0, 1 },
			{ M_CALL, 0, 20, 300 }, { M_RETURN, 0, 23 }, { M_HAS_ROW, 0, 0, 300, 0, 0 },
			{ M_CALL, 0, 30, 301 }, { M_RETURN, 0, 34 }, { M_CALL, 0, 40, 300 }, { M_RETURN, 0, 45 },
			{ M_CALL, 0, 50, COMPAT(300) }, { M_RETURN, 0, 57 }, { M_HAS_ROW, 0, 0, COMPAT(300), 0, 0 },
			{ M_ROW, 0, 0, OTHER, ROW(count), 3 }, { M_ROW, 0, 0, OTHER, ROW(wall), 3 + 4 + 5 },
			{ M_ROW, 0, 0, COMPAT(OTHER), ROW(count), 1 }, { M_ROW, 0, 0, COMPAT(OTHER), ROW(wall), 7 },
			/* Those that have one keep it, and so have other CPUs theirs. */
			{ M_CALL, 0, 60, 156 }, { M_RETURN, 0, 69 }, { M_ROW, 0, 0, 156, ROW(wall), 9 },
			{ M_CALL, 1, 10, 300 }, { M_HAS_ROW, 1, 0, 300, 0, 1 },
		},
	},
};

#undef OTHER
#undef COMPAT
#undef SIXTH

/**
 * struct call_slot_vector - a call and where it is counted
 * @compat: its ABI
 * @nr: its number
 * @want: its slot
 */
struct call_slot_vector {
	bool compat;
	unsigned long nr;
	unsigned int want;
};

static const struct call_slot_vector call_slot_vectors[] = {
	{ false, 0, 0 }, { false, 1, 1 }, { false, 511, 511 }, { false, 512, 512 }, { false, 513, 512 },
	{ false, 0x40000000, 512 }, { false, 0x100000001, 512 }, { false, -1UL, 512 },
	{ true, 0, 513 }, { true, 1, 514 }, { true, 511, 1024 }, { true, 512, 1025 }, { true, 513, 1025 },
	{ true, 0x100000001, 1025 }, { true, -1UL, 1025 },
};

static inline bool call_slot_right(const struct call_slot_vector *v)
{
	return cpupr_call_slot(v->compat, v->nr) == v->want && v->want < CPUPR_CALLS;
}

#define CALL_NUMBERS	(sizeof(struct cpupr_call_row) / sizeof(u64))

/* All numbers of two rows differ, and each sum passes the highest. */
static inline void call_rows_fill(struct cpupr_call_row *a, struct cpupr_call_row *b)
{
	unsigned int i;

	for (i = 0; i < CALL_NUMBERS; i++) {
		((u64 *)a)[i] = 1000 * (i + 1);
		((u64 *)b)[i] = CALL_MAX - i;
	}
}

/* Is each number what it is in @a, and @by times what it is in @b, but for the longest? */
static inline bool call_rows_are(const struct cpupr_call_row *sum, const struct cpupr_call_row *a,
				 const struct cpupr_call_row *b, u64 by, u64 max)
{
	const u64 *number = (const u64 *)sum;
	unsigned int i;

	for (i = 0; i < CALL_NUMBERS; i++)
		if (i != ROW(max) && number[i] != ((const u64 *)a)[i] + by * ((const u64 *)b)[i])
			return false;
	return sum->max == max;
}

/**
 * call_sums_right() - are sums and differences of rows?
 * @row: memory for three
 */
static inline bool call_sums_right(struct cpupr_call_row *row)
{
	struct cpupr_call_row *sum = &row[0], *a = &row[1], *b = &row[2];

	call_rows_fill(a, b);
	a->max = 70;
	b->max = 30;
	*sum = *a;
	cpupr_call_rows_add(sum, b);
	if (!call_rows_are(sum, a, b, 1, 70))
		return false;
	*sum = *b;
	cpupr_call_rows_add(sum, a);
	if (!call_rows_are(sum, a, b, 1, 70))
		return false;
	*sum = *a;
	cpupr_call_rows_sub(sum, b);
	if (!call_rows_are(sum, a, b, CALL_MAX, 70))
		return false;
	a->max = 0;
	b->max = 0;
	*sum = *a;
	cpupr_call_rows_add(sum, b);
	return call_rows_are(sum, a, b, 1, 0);
}

#endif
