/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All differences between kernels, in one place.
 *
 * CPUPR_HAVE_* come from the compile probes in module/probes/, which ask the
 * target's headers and not its version: distributions back-port.
 */
#ifndef CPUPRECISE_COMPAT_H
#define CPUPRECISE_COMPAT_H

#include <linux/compat.h>
#include <linux/irqflags.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uprobes.h>
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
#include <linux/entry-common.h>
#define CPUPR_USER_RETURN	true
#define CPUPR_EXIT_WORK		EXIT_TO_USER_MODE_WORK
#else
#define CPUPR_USER_RETURN	false
#define CPUPR_EXIT_WORK		0
#endif

/*
 * cpu_idle_miss tells what cpuidle counts as above and below since 6.0.
 */
#ifdef CPUPR_HAVE_CPU_IDLE_MISS
#define CPUPR_CPU_IDLE_MISS	true
#else
#define CPUPR_CPU_IDLE_MISS	false
#endif

/*
 * The idle task of a CPU. Not is_idle_task(): that looks at PF_IDLE, which an
 * idle task gets only when it first runs, since commit cff9b2332ab7
 * ("kernel/sched: Modify initial boot task idle setup"; 6.6 and stable
 * kernels), and which threads that inject idle time have too.
 */
static __always_inline bool cpupr_is_idle(const struct task_struct *task)
{
	return !task->pid;
}

/* Is the task, which does not run now, inside a system call? */
static __always_inline bool cpupr_in_syscall(struct task_struct *task)
{
	return syscall_get_nr(task, task_pt_regs(task)) >= 0;
}

/*
 * A system call of the other ABI. The tracepoints come where the kernel itself asks
 * so (x86: in_ia32_syscall(), set on the way in).
 */
static __always_inline bool cpupr_in_compat_syscall(void)
{
#ifdef CONFIG_X86
	return in_ia32_syscall();
#else
	return in_compat_syscall();
#endif
}

/* Tasks that never are in user mode, whosever memory they have. */
#ifdef PF_USER_WORKER
#define CPUPR_NO_USER	(PF_KTHREAD | PF_IO_WORKER | PF_USER_WORKER)
#else
#define CPUPR_NO_USER	(PF_KTHREAD | PF_IO_WORKER)
#endif

/*
 * A user's frames: are they of 64 bits, what is an address in them (arm64 may sign
 * it), is an instruction a function's first (ENDBR64 or PUSH %RBP; PACIASP, BTI C or
 * STP X29, X30, [SP, #-N]!), and where is its caller then?
 */
#ifdef CONFIG_X86
#define cpupr_is_entry(instruction) \
	((instruction) == 0xfa1e0ff3 || ((instruction) & 0xff) == 0x55)
#define cpupr_user_is_64bit()		(!test_thread_flag(TIF_ADDR32))
#define cpupr_code_address(address)	(address)
#define cpupr_user_caller(regs, caller)	\
	(!copy_from_user_nofault(caller, (const void __user *)(regs)->sp, sizeof(*(caller))))
#else
#define cpupr_is_entry(instruction) \
	((instruction) == 0xd503233f || (instruction) == 0xd503245f || \
	 ((instruction) & 0xffc07fff) == 0xa9807bfd)
#define cpupr_user_is_64bit()		(!test_thread_flag(TIF_32BIT))
#define cpupr_code_address(address)	((address) & (TASK_SIZE_64 - 1))
#define cpupr_user_caller(regs, caller)	\
	(*(caller) = cpupr_code_address(procedure_link_pointer(regs)), true)
#endif

/* What the scheduler knows of a task's waits on run queues, ns. */
#ifdef CONFIG_SCHED_INFO
#define CPUPR_RUN_DELAY	true
#define cpupr_run_delay(task)	((u64)READ_ONCE((task)->sched_info.run_delay))
#else
#define CPUPR_RUN_DELAY	false
#define cpupr_run_delay(task)	((void)(task), 0ULL)
#endif

/*
 * Halts, for the enter() of an idle driver: with interrupts disabled before and
 * after. Since 6.3 ("cpuidle: Fix ct_idle_*() usage") its caller says to lockdep
 * and to tracers that they will be on; until then the driver does.
 */
static __always_inline void cpupr_idle_halt(void)
{
#ifndef CONFIG_X86
	dsb(sy);
	wfi();
#elif defined(CPUPR_HAVE_CT_CPUIDLE)
	raw_safe_halt();
	raw_local_irq_disable();
#else
	safe_halt();
	local_irq_disable();
#endif
}

/*
 * Whether a CPU goes on behind a watchpoint that a module handles. arm64 only steps
 * over those that perf's own handler takes (watchpoint_report()); it would meet the
 * others again and again.
 */
#define CPUPR_WATCHPOINTS	IS_ENABLED(CONFIG_X86)

/*
 * A uprobe is known by a handle since 6.12 ("uprobes: make uprobe_register() return
 * struct uprobe *"), before by file and offset. Its handlers have a third argument
 * since 6.13.
 */
#ifdef CPUPR_HAVE_UPROBE_DATA
#define CPUPR_UPROBE_PROTO \
	struct uprobe_consumer *consumer, struct pt_regs *regs, __u64 *data
#else
#define CPUPR_UPROBE_PROTO	struct uprobe_consumer *consumer, struct pt_regs *regs
#endif

/* Returns the handle, NULL where there is none, or ERR_PTR(). */
static inline struct uprobe *cpupr_uprobe_register(struct inode *inode, loff_t offset,
						   struct uprobe_consumer *consumer)
{
#ifdef CPUPR_HAVE_UPROBE_HANDLE
	return uprobe_register(inode, offset, 0, consumer);
#else
	return ERR_PTR(uprobe_register(inode, offset, consumer));
#endif
}

/* No handler is in progress when it returns. */
static inline void cpupr_uprobe_unregister(struct uprobe *uprobe, struct inode *inode,
					   loff_t offset, struct uprobe_consumer *consumer)
{
#ifdef CPUPR_HAVE_UPROBE_HANDLE
	uprobe_unregister_nosync(uprobe, consumer);
	uprobe_unregister_sync();
#else
	uprobe_unregister(inode, offset, consumer);
#endif
}

#endif
