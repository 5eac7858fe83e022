/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All differences between kernels, in one place.
 *
 * CPUPR_HAVE_* come from the compile probes in module/probes/, which ask the
 * target's headers and not its version: distributions back-port.
 */
#ifndef CPUPRECISE_COMPAT_H
#define CPUPRECISE_COMPAT_H

#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/user-return-notifier.h>
#include <asm/syscall.h>

/*
 * sched_switch has told the state of the task that leaves since 5.18 (commit
 * fa2c3254d7cf, "sched/tracing: Don't re-read p->state when emitting
 * sched_switch event").
 */
#ifdef CPUPR_HAVE_SCHED_SWITCH_PREV_STATE
#define CPUPR_SCHED_SWITCH_PROTO \
	void *data, bool preempt, struct task_struct *prev, struct task_struct *next, \
	unsigned int prev_state
#define cpupr_prev_state(prev)	((void)(prev), prev_state)
#else
#define CPUPR_SCHED_SWITCH_PROTO \
	void *data, bool preempt, struct task_struct *prev, struct task_struct *next
#define cpupr_prev_state(prev)	READ_ONCE((prev)->__state)
#endif

/*
 * A callback on every return to user mode: x86 with KVM
 * (kernel/user-return-notifier.c). Elsewhere sys_exit has to do.
 */
#ifdef CONFIG_USER_RETURN_NOTIFIER
#define CPUPR_USER_RETURN	true
#else
#define CPUPR_USER_RETURN	false
#endif

/*
 * The idle task of a CPU, or one that injects idle time. is_idle_task() looks
 * at PF_IDLE, which an idle task gets only when it first runs, since commit
 * cff9b2332ab7 ("kernel/sched: Modify initial boot task idle setup"; 6.6 and
 * stable kernels).
 */
static __always_inline bool cpupr_is_idle(const struct task_struct *task)
{
	return is_idle_task(task) || !task->pid;
}

/* Is the task, which does not run now, inside a system call? */
static __always_inline bool cpupr_in_syscall(struct task_struct *task)
{
	return syscall_get_nr(task, task_pt_regs(task)) >= 0;
}

#endif
