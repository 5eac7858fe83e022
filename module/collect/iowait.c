// SPDX-License-Identifier: GPL-2.0-only
/*
 * Iowait, as the kernel defines it: a CPU is idle while at least one task that
 * sleeps for I/O last ran there (nr_iowait_cpu() in kernel/sched/core.c). The
 * kernel samples that number when the idle stay ends; here the stay is split
 * when the last sleeper is woken, by whichever CPU.
 */
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <trace/events/sched.h>

#include <cpuprecise/collector.h>
#include <cpuprecise/iowait.h>
#include <cpuprecise/sleepers.h>

static struct cpupr_sleepers sleepers;
static atomic64_t overflows;
static bool enabled __read_mostly;

static notrace void wake(struct task_struct *task, u64 now)
{
	int cpu = cpupr_sleepers_remove(&sleepers, (unsigned long)task);

	if (cpu >= 0)
		cpupr_ledger_iowait_end(&per_cpu_ptr(&cpupr_cpu, cpu)->ledger, now);
}

/*
 * Counted first: once the task is in the set, a waker may take it off. Also
 * counts what finds no room: its wait will be idle, not iowait.
 */
static notrace void sleep(struct cpupr_ledger *l, struct task_struct *task, int cpu, u64 now)
{
	int ret;

	cpupr_ledger_iowait_begin(l);
	ret = cpupr_sleepers_add(&sleepers, (unsigned long)task, cpu);
	if (!ret)
		return;
	cpupr_ledger_iowait_end(l, now);
	if (ret == -ENOSPC)
		atomic64_inc(&overflows);
}

/**
 * cpupr_iowait_leaves() - a task is switched out to sleep for I/O
 * @c: this CPU
 * @prev: the task
 * @now: ticks
 *
 * Context: the sched_switch probe.
 */
notrace void cpupr_iowait_leaves(struct cpupr_cpu *c, struct task_struct *prev, u64 now)
{
	if (!READ_ONCE(enabled))
		return;
	/* Left over from a time when switches were not watched. */
	wake(prev, now);
	sleep(&c->ledger, prev, smp_processor_id(), now);
}

/**
 * cpupr_iowait_runs() - a task that was to sleep for I/O runs again
 * @task: the task
 * @now: ticks
 *
 * Its waking was seen, as a rule. If the waker was so quick that it came
 * before cpupr_iowait_leaves(), this is where the task is taken off.
 *
 * Context: the sched_switch probe.
 */
notrace void cpupr_iowait_runs(struct task_struct *task, u64 now)
{
	if (READ_ONCE(enabled))
		wake(task, now);
}

/**
 * cpupr_iowait_overflows() - sleepers that found no room
 */
u64 cpupr_iowait_overflows(void)
{
	return atomic64_read(&overflows);
}

static noinline notrace void wake_now(struct task_struct *task)
{
	wake(task, cpupr_clock());
}

/*
 * Context: try_to_wake_up(), the task's pi_lock held, interrupts off, before it is decided
 * where it will run. Runs for each wake-up: the test comes first.
 */
static notrace void probe_sched_waking(void *data, struct task_struct *task)
{
	cpupr_count(this_cpu_ptr(&cpupr_cpu), data);
	if (unlikely(task->in_iowait))
		wake_now(task);
}
CPUPR_CHECK_HOOK(sched_waking, probe_sched_waking)

static struct cpupr_hook hooks[] = {
	CPUPR_COUNTING_HOOK(sched_waking, probe_sched_waking),
	{ }
};

static bool sleeps(struct task_struct *task)
{
	return task->in_iowait && !READ_ONCE(task->on_rq) && !READ_ONCE(task->on_cpu);
}

static int enable(void)
{
	WRITE_ONCE(enabled, true);
	return 0;
}

/*
 * Tasks that sleep for I/O already. The hooks are live, so one that is woken
 * from now on is taken off; one whose waking was just missed, here or when it
 * runs.
 */
static void catch_up(void)
{
	struct task_struct *process, *task;

	rcu_read_lock();
	for_each_process_thread(process, task) {
		int cpu = task_cpu(task);

		if (!sleeps(task))
			continue;
		sleep(&per_cpu_ptr(&cpupr_cpu, cpu)->ledger, task, cpu, cpupr_clock_of(cpu));
		/* The task is in the set before it is looked at again. */
		smp_mb();
		if (!sleeps(task))
			wake(task, cpupr_clock_of(cpu));
	}
	rcu_read_unlock();
}

static void disable(void)
{
	int cpu;

	WRITE_ONCE(enabled, false);
	/* The switch probe may still be in cpupr_iowait_leaves(). */
	tracepoint_synchronize_unregister();
	memset(&sleepers, 0, sizeof(sleepers));
	for_each_possible_cpu(cpu) {
		struct cpupr_ledger *l = &per_cpu_ptr(&cpupr_cpu, cpu)->ledger;

		/* What was iowait until now stays so. */
		if (atomic_read(&l->iowaiters) > 0)
			WRITE_ONCE(l->iowait_end, cpupr_clock_of(cpu));
		/* As in cpupr_ledger_iowait_end(). */
		smp_mb();
		atomic_set(&l->iowaiters, 0);
	}
}

struct cpupr_collector cpupr_iowait_collector = {
	.name = "iowait",
	.desc = "idle time while a task of this CPU waits for I/O",
	.hooks = hooks,
	.enable = enable,
	.catch_up = catch_up,
	.disable = disable,
};
