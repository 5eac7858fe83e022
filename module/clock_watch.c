// SPDX-License-Identifier: GPL-2.0-only
/*
 * Leaving the TSC when the kernel does.
 *
 * The kernel tells nobody when it stops trusting the TSC, so this looks once a
 * second, by deferrable work, which wakes no idle CPU. What it then does needs
 * the ledgers and the baselines: it starts after they are there and ends before
 * they go.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/stop_machine.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include <cpuprecise/idle.h>
#include <cpuprecise/irqs.h>
#include <cpuprecise/percpu.h>
#include <cpuprecise/snapshot.h>
#include <cpuprecise/tasks.h>
#include <cpuprecise/user_return.h>

#ifdef CONFIG_X86

/* The TSC and CLOCK_MONOTONIC when the TSC was last found good. */
static u64 good_tsc, good_mono;

/*
 * Reads @clock and CLOCK_MONOTONIC at the same moment, or as near to it as the
 * best of a few tries: a hypervisor may stop this CPU between two reads.
 */
static void read_both(u64 (*clock)(int cpu), int cpu, u64 *ticks, u64 *mono)
{
	u64 best = U64_MAX;
	int i;

	for (i = 0; i < 5; i++) {
		u64 before = clock(cpu);
		u64 now = ktime_get_mono_fast_ns();
		u64 width = clock(cpu) - before;

		if (width < best) {
			best = width;
			*ticks = before + width / 2;
			*mono = now;
		}
	}
}

static void note_good(void)
{
	unsigned long flags;

	local_irq_save(flags);
	read_both(cpupr_clock_of, smp_processor_id(), &good_tsc, &good_mono);
	local_irq_restore(flags);
}

static u64 local_clock_of(int cpu)
{
	return cpu_clock(cpu);
}

/*
 * Runs on one CPU while all others wait with interrupts off, so it may write
 * every ledger. The TSC may have gone astray since it was last found good:
 * what it should read now follows from CLOCK_MONOTONIC.
 */
static int leave_tsc(void *unused)
{
	u64 tsc, local, mono, stolen;
	int cpu;

	for_each_possible_cpu(cpu) {
		struct cpupr_cpu *c = per_cpu_ptr(&cpupr_cpu, cpu);
		struct cpupr_ledger *l = &c->ledger;
		struct cpupr_task *task = c->task;

		read_both(local_clock_of, cpu, &local, &mono);
		tsc = good_tsc + cpupr_clock_ticks(mono - good_mono);
		cpupr_clock_stolen(c, cpu, &stolen);
		raw_write_seqcount_begin(&c->seq);
		if (l->online && ((s64)(tsc - l->start) > 0 || l->at.ahead))
			cpupr_ledger_steal(l, tsc, stolen);
		if (task) {
			cpupr_task_ledger(task->time, l, 1);
			cpupr_task_ledger(c->tasks->all, l, 1);
		}
		cpupr_ledger_rescale(l, local, cpupr_clock_mult, cpupr_clock_shift);
		cpupr_irqs_leave_tsc(c, tsc, local, cpupr_clock_mult, cpupr_clock_shift);
		cpupr_steal_rescale(&c->steal, cpupr_clock_mult, cpupr_clock_shift);
		cpupr_idle_rescale(c, tsc, local);
		cpupr_cycles_rescale(c, local);
		raw_write_seqcount_end(&c->seq);
	}
	cpupr_tasks_rescale(tsc, local, cpupr_clock_mult, cpupr_clock_shift);
	cpupr_clock_is_tsc = false;
	cpupr_clock_scale = 1ULL << CPUPR_CLOCK_SHIFT;
	for_each_possible_cpu(cpu) {
		struct cpupr_cpu *c = per_cpu_ptr(&cpupr_cpu, cpu);

		if (c->task) {
			cpupr_task_ledger(c->task->time, &c->ledger, -1);
			cpupr_task_ledger(c->tasks->all, &c->ledger, -1);
		}
		cpupr_slow_set(c);
	}
	return 0;
}

static void watch(struct work_struct *work);
static DECLARE_DEFERRABLE_WORK(watch_work, watch);

static void watch(struct work_struct *work)
{
	bool trusted = cpupr_clock_tsc_trusted();

	if (trusted && !cpupr_clock_tsc_recalibrated()) {
		note_good();
		schedule_delayed_work(&watch_work, HZ);
		return;
	}
	cpupr_snapshot_lock();
	stop_machine(leave_tsc, NULL, NULL);
	cpupr_snapshot_rescale(cpupr_clock_mult, cpupr_clock_shift);
	cpupr_boundary_update();
	cpupr_snapshot_unlock();
	pr_info("the kernel %s the TSC: going on with local_clock()\n",
		trusted ? "recalibrated" : "no longer trusts");
}

/**
 * cpupr_clock_watch_init() - keep an eye on the TSC
 *
 * Return: 0.
 */
int cpupr_clock_watch_init(void)
{
	if (cpupr_clock_watched) {
		note_good();
		schedule_delayed_work(&watch_work, HZ);
	}
	return 0;
}

/**
 * cpupr_clock_watch_exit() - no longer; waits for a look in progress
 */
void cpupr_clock_watch_exit(void)
{
	cancel_delayed_work_sync(&watch_work);
}

#else

int cpupr_clock_watch_init(void)
{
	return 0;
}

void cpupr_clock_watch_exit(void)
{
}

#endif
