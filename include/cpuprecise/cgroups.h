/* SPDX-License-Identifier: GPL-2.0-only */
/* Control groups: what switches book to them, and their rows. */
#ifndef CPUPRECISE_CGROUPS_H
#define CPUPRECISE_CGROUPS_H

#include <cpuprecise/percpu.h>

u64 __no_caller_saved_registers cpupr_cgroups_switched(void *unused, struct cpupr_cpu *c,
						       struct task_struct *prev);
void cpupr_cgroups_open(struct cpupr_cpu *c);
void cpupr_cgroups_close(struct cpupr_cpu *c);
u64 cpupr_cgroup_of(struct task_struct *task);
void cpupr_cgroups_rebase(void);
int cpupr_cgroups_init(void);
void cpupr_cgroups_exit(void);

#endif
