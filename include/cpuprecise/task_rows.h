/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The readers' side of tasks: booking the dead, and snapshots of all.
 */
#ifndef CPUPRECISE_TASK_ROWS_H
#define CPUPRECISE_TASK_ROWS_H

#include <cpuprecise/task_table.h>

#define CPUPR_EXITED	1000	/* tasks that stay readable once they are dead */

/**
 * struct cpupr_task_row - a task, or a process
 * @id: who
 * @cpu: where it last ran
 * @sum: what is known of it since the epoch
 */
struct cpupr_task_row {
	struct cpupr_task_id id;
	s32 cpu;
	struct cpupr_task_sum sum;
};

/**
 * struct cpupr_task_rows - all of them at one read
 * @rows: entries of @row
 * @exited: those that are gone
 * @other: those that found no record; @time only
 * @row: one each
 */
struct cpupr_task_rows {
	unsigned int rows;
	struct cpupr_task_sum exited;
	struct cpupr_task_sum other;
	struct cpupr_task_row row[];
};

size_t cpupr_task_rows_size(void);
void cpupr_task_rows_take(void *snapshot);
void cpupr_process_rows_take(void *snapshot);
size_t cpupr_exited_rows_size(void);
void cpupr_exited_rows_take(void *snapshot);
void cpupr_task_rows_fold(void);
void cpupr_task_rows_rebase(void);
void cpupr_task_rows_rebase_cpu(int cpu, const struct cpupr_ledger *l);
void cpupr_task_rows_settle(void);
void cpupr_task_rows_forget(void);

#endif
