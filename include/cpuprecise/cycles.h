/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cycles and instructions by what the CPU was at: the books of collector cycles.
 *
 * Pure. Context: one writer, the CPU, interrupts off.
 */
#ifndef CPUPRECISE_CYCLES_H
#define CPUPRECISE_CYCLES_H

#include <cpuprecise/freq.h>
#include <cpuprecise/ledger.h>

enum cpupr_cycles_kind {
	CPUPR_CYCLES,
	CPUPR_INSTRUCTIONS,
	CPUPR_NR_CYCLES_KINDS,
};

/**
 * struct cpupr_cycles_sum - what was counted
 * @count: by kind and category
 * @total: by kind, of all categories
 * @time: by category, for which cycles were counted, ticks
 */
struct cpupr_cycles_sum {
	u64 count[CPUPR_NR_CYCLES_KINDS][CPUPR_NR_OPEN];
	u64 total[CPUPR_NR_CYCLES_KINDS];
	u64 time[CPUPR_NR_OPEN];
};

/**
 * struct cpupr_cycles - of one CPU
 * @sum: up to the last look
 * @last: the counters then
 * @counting: they were there then
 * @at: when that was, ticks
 */
struct cpupr_cycles {
	struct cpupr_cycles_sum sum;
	u64 last[CPUPR_NR_CYCLES_KINDS];
	bool counting[CPUPR_NR_CYCLES_KINDS];
	u64 at;
};

/**
 * cpupr_cycles_book() - what a counter counted since the last look is a category's
 * @c: the books
 * @kind: of the counter
 * @category: what the CPU was at
 * @value: the counter
 */
static inline void cpupr_cycles_book(struct cpupr_cycles *c, enum cpupr_cycles_kind kind,
				     u8 category, u64 value)
{
	u64 delta = c->counting[kind] ? cpupr_count_delta(value, c->last[kind]) : 0;

	c->sum.count[kind][category] += delta;
	c->sum.total[kind] += delta;
	c->last[kind] = value;
	c->counting[kind] = true;
}

/**
 * cpupr_cycles_time() - and so is the time
 * @c: the books
 * @counted: cycles were counted at the last look too
 * @category: what the CPU was at
 * @now: ticks
 */
static inline void cpupr_cycles_time(struct cpupr_cycles *c, bool counted, u8 category, u64 now)
{
	if (counted && c->counting[CPUPR_CYCLES] && (s64)(now - c->at) > 0)
		c->sum.time[category] += now - c->at;
	c->at = now;
}

#endif
