// SPDX-License-Identifier: GPL-2.0-only
/*
 * Context switches: what runs on the CPU, and when it is idle.
 */
#include <linux/mm_types.h>	/* trace/events/sched.h names struct folio */
#include <linux/sched.h>
#include <trace/events/sched.h>

#include <cpuprecise/collector.h>
#include <cpuprecise/counter.h>
#include <cpuprecise/freqs.h>
#include <cpuprecise/idle.h>
#include <cpuprecise/iowait.h>
#include <cpuprecise/tasks.h>
#include <cpuprecise/user_return.h>

/*
 * A task that was just switched in is in the kernel, whatever it does next;
 * the return to user mode will say so (user_return.c). Where nothing does,
 * a task outside of system calls is taken to be in user code.
 */
static __always_inline enum cpupr_category base_of(struct cpupr_cpu *c, struct task_struct *task)
{
	if (cpupr_is_idle(task)) {
		if (likely(cpupr_idle_base(&c->ledger) == CPUPR_IDLE))
			return CPUPR_IDLE;
		c->slow |= CPUPR_SLOW_IOWAIT;
		return CPUPR_IOWAIT;
	}
	if (cpupr_user_split && (CPUPR_USER_RETURN || cpupr_in_syscall(task)))
		return CPUPR_SYSTEM;
	if (task->flags & (PF_KTHREAD | PF_IO_WORKER))
		return CPUPR_SYSTEM;
	return cpupr_user_base(task);
}

/*
 * Only under PREEMPT_RT can a softirq handler be switched out. At most one
 * task of a CPU is inside one (local_bh_disable() takes a per-CPU lock there).
 */
static __always_inline u16 softirq_of(struct cpupr_cpu *c, struct task_struct *prev,
				      struct task_struct *next)
{
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		return 0;
	if (c->ledger.at.softirq) {
		c->softirq_task = prev;
		c->softirq_depth = c->ledger.at.softirq;
	}
	if (next != c->softirq_task)
		return 0;
	c->softirq_task = NULL;
	return c->softirq_depth;
}

/* Most that run are tasks, and most observers split them from user code. */
static __always_inline void book(struct cpupr_cpu *c, struct task_struct *prev,
				 struct task_struct *next, u64 now)
{
	cpupr_user_return_move(prev, next);
	if (likely(!cpupr_is_idle(next) && cpupr_user_split && CPUPR_USER_RETURN))
		cpupr_ledger_switch(&c->ledger, now, CPUPR_SYSTEM, softirq_of(c, prev, next));
	else
		cpupr_ledger_switch(&c->ledger, now, base_of(c, next), softirq_of(c, prev, next));
}

/* The same, where there is more to do; @sleeps: @prev is to, if it still is. */
static noinline notrace void switch_slow(void *data, struct task_struct *prev,
					 struct task_struct *next, bool sleeps, bool dies)
{
	struct cpupr_cpu *c = this_cpu_ptr(&cpupr_cpu);
	u64 now;

	if (c->slow & CPUPR_SLOW_IDLE) {
		cpupr_idle_switched(c);
		if (unlikely(READ_ONCE(c->freq_asked)))
			cpupr_freqs_woken(c);
	}
	if (cpupr_begin(c, data, &now)) {
		/* Set back to running: a signal came, the task does not sleep. */
		if (prev->in_iowait && sleeps && READ_ONCE(prev->__state) != TASK_RUNNING)
			cpupr_iowait_leaves(c, prev, now);
		if (next->in_iowait)
			cpupr_iowait_runs(next, now);
		book(c, prev, next, now);
		if (c->task)
			cpupr_tasks_switched(c, prev, next);
		cpupr_end(c, data);
	}
	if (dies)
		cpupr_task_died(prev);
}

/* Where tasks are followed. Apart, so that the books alone pay nothing for it. */
static noinline notrace void switch_task(void *data, struct task_struct *prev,
					 struct task_struct *next, bool dies)
{
	struct cpupr_cpu *c = this_cpu_ptr(&cpupr_cpu);
	u64 now;

	if (cpupr_begin(c, data, &now)) {
		book(c, prev, next, now);
		cpupr_tasks_switched(c, prev, next);
		cpupr_end(c, data);
	}
	if (unlikely(dies))
		cpupr_task_died(prev);
}

/* Context: __schedule(), under the run queue's lock, interrupts off. */
static notrace void probe_sched_switch(CPUPR_SCHED_SWITCH_PROTO)
{
	struct cpupr_cpu *c = this_cpu_ptr(&cpupr_cpu);
	unsigned int state = cpupr_prev_state(prev);
	u64 now;

	if (unlikely(c->slow || prev->in_iowait || next->in_iowait)) {
		switch_slow(data, prev, next, !preempt && state, state & TASK_DEAD);
		return;
	}
	if (c->task) {
		switch_task(data, prev, next, state & TASK_DEAD);
		return;
	}
	if (cpupr_begin(c, data, &now)) {
		book(c, prev, next, now);
		cpupr_end(c, data);
	}
}
CPUPR_CHECK_HOOK(sched_switch, probe_sched_switch)

static struct cpupr_hook hooks[] = {
	CPUPR_HOOK(sched_switch, probe_sched_switch),
	{ }
};

/* Counter context-switches is this hook's count. */
static int enable(void)
{
	cpupr_counters_switches(true);
	return 0;
}

static void disable(void)
{
	cpupr_counters_switches(false);
}

struct cpupr_collector cpupr_sched_collector = {
	.name = "sched",
	.desc = "idle, kernel threads and user tasks",
	.hooks = hooks,
	.enable = enable,
	.catch_up = cpupr_tasks_start,
	.stop = cpupr_tasks_stop,
	.disable = disable,
};
