/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tasks of each control group used of one CPU, slice by slice: what the
 * ledger grew by from a switch to the next one belongs to the group of the task
 * that ran.
 *
 * Pure: it sees numbers only. Times are ticks, but for waits.
 *
 * Context: one writer, the CPU that the books belong to, with interrupts off.
 */
#ifndef CPUPRECISE_CGROUP_TABLE_H
#define CPUPRECISE_CGROUP_TABLE_H

#include <cpuprecise/task_table.h>

#define CPUPR_CGROUPS		256	/* of a CPU, a power of two */
#define CPUPR_CGROUP_OTHER	CPUPR_CGROUPS	/* what finds no row */

/**
 * struct cpupr_cgroup_row - a group on one CPU
 * @id: as the kernel numbers it, never 0; 0 if the row is free
 * @time: ticks
 * @wait: on the run queue, ns
 */
struct cpupr_cgroup_row {
	u64 id;
	u64 time[CPUPR_NR_TASK_TIMES];
	u64 wait;
};

/**
 * struct cpupr_cgroup_books - all groups on one CPU
 * @mark: what the ledger had at the last switch, as of a task
 * @delay: what the wait of the task that runs was then, ns
 * @row: by hash of their number, and the rest
 */
struct cpupr_cgroup_books {
	u64 mark[CPUPR_NR_TASK_TIMES];
	u64 delay;
	struct cpupr_cgroup_row row[CPUPR_CGROUPS + 1];
};

struct cpupr_cgroup_row *cpupr_cgroup_row(struct cpupr_cgroup_books *b, u64 id);
void cpupr_cgroup_slice(struct cpupr_cgroup_books *b, const struct cpupr_ledger *l, u64 id,
			u64 delay);
void cpupr_cgroup_seed(struct cpupr_cgroup_books *b, const struct cpupr_ledger *l, u64 delay);
void cpupr_cgroup_rescale(struct cpupr_cgroup_books *b, const struct cpupr_ledger *l, u32 mult,
			  u32 shift);

#endif
