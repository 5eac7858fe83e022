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
	bool set;	/* one of them is not 0 */
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
	return task->static_prio > DEFAULT_PRIO ? CPUPR_NICE : CPUPR_USER;
}

/*
 * The flag that makes the callback fire goes from the task that leaves to the
 * one that comes. The kernel would do that a moment later, in __switch_to_xtra(),
 * which takes 90 instructions; this takes 6.
 *
 * Context: the sched_switch probe.
 */
static __always_inline void cpupr_user_return_move(struct task_struct *prev,
						   struct task_struct *next)
{
#ifdef CONFIG_USER_RETURN_NOTIFIER
	/* As propagate_user_return_notify(). Only this CPU writes the bit. */
	if (!(data_race(task_thread_info(prev)->flags) & _TIF_USER_RETURN_NOTIFY))
		return;
	clear_tsk_thread_flag(prev, TIF_USER_RETURN_NOTIFY);
	set_tsk_thread_flag(next, TIF_USER_RETURN_NOTIFY);
#endif
}

#endif
