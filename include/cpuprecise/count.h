/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One event counted on one CPU. Who wants to count an event asks for a counter,
 * which is one on all CPUs: see counter.h.
 */
#ifndef CPUPRECISE_COUNT_H
#define CPUPRECISE_COUNT_H

#include <cpuprecise/counter.h>

/* How an event is counted. */
enum cpupr_count_source {
	CPUPR_COUNT_HARDWARE,	/* by perf; only the CPU itself can read it */
	CPUPR_COUNT_MEMORY,	/* by perf, in memory */
	CPUPR_COUNT_CLOCK,	/* by the scheduler's clock, of which perf's are made */
	CPUPR_COUNT_SWITCHES,	/* by the hook on sched_switch */
};

/**
 * struct cpupr_count - an event on a CPU
 * @source: how it is counted
 * @perf: where perf counts, if it does; written by one, read by the CPU's probes
 * @life: of the CPU, of which @start is; 0: nothing is counted now
 * @error: why not
 * @start: the value and, in @enabled, the time online when this life's count began
 * @past: what was counted in earlier lives
 * @base: where the epoch began: the reader's
 */
struct cpupr_count {
	enum cpupr_count_source source;
	struct perf_event *perf;
	unsigned int life;
	int error;
	struct cpupr_counts start, past, base;
};

enum cpupr_count_source cpupr_count_source(const struct cpupr_event *event);
void cpupr_count_now(const struct cpupr_count *c, int cpu, struct cpupr_counts *to);
void cpupr_count_stop(struct cpupr_count *c, int cpu);
bool cpupr_count_follow(struct cpupr_count *c, const struct cpupr_event *event, int cpu);
enum cpupr_counter_status cpupr_count_status(const struct cpupr_count *c, int cpu);
void cpupr_count_hooked(bool hooked);
void cpupr_count_life(bool online);

#endif
