/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a context switch tells the iowait collector.
 */
#ifndef CPUPRECISE_IOWAIT_H
#define CPUPRECISE_IOWAIT_H

#include <cpuprecise/percpu.h>

void cpupr_iowait_leaves(struct cpupr_cpu *c, struct task_struct *prev, u64 now);
void cpupr_iowait_runs(struct task_struct *task, u64 now);
u64 cpupr_iowait_overflows(void);

#endif
