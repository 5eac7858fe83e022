/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Theft: which interrupt took how much of which task, on one CPU.
 *
 * Pairs of a victim and an interrupt, as many as there is room for; for one more the
 * smallest of its set goes, and what that had is added up as evicted. So what is here
 * is exact, and together with what was evicted it is all.
 *
 * Pure: it sees numbers and addresses, which it never follows. Times are ticks.
 */
#ifndef CPUPRECISE_THEFT_TABLE_H
#define CPUPRECISE_THEFT_TABLE_H

#include <cpuprecise/task_table.h>

#define CPUPR_THEFT_SETS	64
#define CPUPR_THEFT_WAYS	8
#define CPUPR_THEFT_PAIRS	(CPUPR_THEFT_SETS * CPUPR_THEFT_WAYS)
#define CPUPR_THEFT_IDLE	0ULL	/* number of idle tasks, which are nobody */
#define CPUPR_THEFT_OTHER	1ULL	/* of all that have no record of their own */
#define CPUPR_THEFT_NONE	(~0ULL)	/* of no task */

struct cpupr_irq_row;

/**
 * struct cpupr_theft_pair - a victim and an interrupt
 * @row: the interrupt's row; NULL if the pair is free
 * @victim: number of the task's record, which no other task ever has
 * @born: how many pairs there had been: tells it from one that had its place before
 * @count: how often
 * @time: how long, ticks
 * @pid: the task's, as @tgid; 0 for CPUPR_THEFT_OTHER
 * @tgid: its process's
 * @comm: its name when the two were last found together, NUL-terminated
 */
struct cpupr_theft_pair {
	struct cpupr_irq_row *row;
	u64 victim;
	u64 born;
	u64 count;
	u64 time;
	s32 pid;
	s32 tgid;
	char comm[CPUPR_TASK_COMM];
};

/**
 * struct cpupr_theft - the pairs of a CPU
 * @born: pairs there have been
 * @evicted: of those, pairs that had to go
 * @evicted_count: what they had
 * @evicted_time: ticks
 * @idle: what was taken of nobody; no part of the pairs
 * @pair: in sets, by victim and interrupt
 */
struct cpupr_theft {
	u64 born;
	u64 evicted;
	u64 evicted_count;
	u64 evicted_time;
	struct cpupr_theft_pair idle;
	struct cpupr_theft_pair pair[CPUPR_THEFT_PAIRS];
};

struct cpupr_theft_pair *cpupr_theft_find(struct cpupr_theft *t, struct cpupr_irq_row *row,
					  u64 victim);
void cpupr_theft_rescale(struct cpupr_theft *t, u32 mult, u32 shift);

#endif
