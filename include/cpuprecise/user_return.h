/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Telling user code from the kernel's work for it: who needs to know, and the
 * moment when a CPU returns to user mode.
 */
#ifndef CPUPRECISE_USER_RETURN_H
#define CPUPRECISE_USER_RETURN_H

#include <linux/sched.h>

#include <cpuprecise/compat.h>
#include <cpuprecise/percpu.h>

/* The part of a stay in user mode that is booked as system, clock ticks. */
struct cpupr_boundary {
	u64 syscall;
	u64 fault;
};

extern struct cpupr_boundary cpupr_boundary;

/* Some collector splits user from system; else user tasks are all user. */
extern bool cpupr_user_split;

void cpupr_user_return_get(void);
void cpupr_user_return_put(void);
void cpupr_user_return_cpu(void);
void cpupr_boundary_update(void);
int cpupr_boundary_show(char *buf);

/* The category of a task's user code, as /proc/stat has it. */
static __always_inline enum cpupr_category cpupr_user_base(const struct task_struct *task)
{
	return task_nice(task) > 0 ? CPUPR_NICE : CPUPR_USER;
}

#endif
