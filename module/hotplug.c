// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows open and freeze as CPUs come and go, and around suspend, when clocks
 * stop or go on as they please. Each CPU does it to itself.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/irqflags.h>
#include <linux/smp.h>
#include <linux/suspend.h>
#include <linux/workqueue.h>
#include <asm/irq_regs.h>
#include <asm/ptrace.h>

#include <cpuprecise/collector.h>
#include <cpuprecise/counter.h>
#include <cpuprecise/freqs.h>
#include <cpuprecise/hotplug.h>
#include <cpuprecise/idle.h>
#include <cpuprecise/irqs.h>
#include <cpuprecise/stacks.h>
#include <cpuprecise/tasks.h>
#include <cpuprecise/user_return.h>

/* Hooks are live before a row is open. */
DEFINE_PER_CPU_SHARED_ALIGNED(struct cpupr_cpu, cpupr_cpu) = {
	.slow = CPUPR_SLOW_FROZEN,
};

static int cpuhp_state;
static u64 suspends;
static bool suspended;	/* written under cpus_read_lock(), read under its write side */

/*
 * What the CPU is at, as far as the collectors that are on would tell. Not all
 * interrupts leave their registers: then the return to user mode will tell, or
 * where nothing does, the system call that the task is in.
 */
static enum cpupr_category base_now(struct cpupr_cpu *c)
{
	struct pt_regs *regs = get_irq_regs();
	bool in_kernel = regs ? !user_mode(regs) : CPUPR_USER_RETURN || cpupr_in_syscall(current);

	/* With switches not watched, nothing would end an iowait. */
	if (cpupr_is_idle(current))
		return cpupr_sched_collector.state == CPUPR_ON ? cpupr_idle_base(&c->ledger) : CPUPR_IDLE;
	if (current->flags & PF_KTHREAD)
		return CPUPR_SYSTEM;
	if (cpupr_user_split && in_kernel)
		return CPUPR_SYSTEM;
	return cpupr_user_base(current);
}

/* Context: on the CPU, interrupts off. */
static void open_row(void)
{
	struct cpupr_cpu *c = this_cpu_ptr(&cpupr_cpu);

	if (c->ledger.online)
		return;
	raw_write_seqcount_begin(&c->seq);
	cpupr_ledger_online(&c->ledger, cpupr_clock(), base_now(c));
	cpupr_steal_cpu(c);
	cpupr_tasks_open(c);
	cpupr_irqs_cpu(c);
	cpupr_cycles_seed(c);
	cpupr_idle_watched(&c->idle->books, cpupr_irq_collector.state == CPUPR_ON);
	cpupr_slow_set(c);
	raw_write_seqcount_end(&c->seq);
	cpupr_freqs_open(c);
	cpupr_idle_devices_cpu();
	cpupr_user_return_cpu();
}

static void freeze_row(void)
{
	struct cpupr_cpu *c = this_cpu_ptr(&cpupr_cpu);
	u64 now, stolen;

	if (!c->ledger.online)
		return;
	cpupr_freqs_freeze(c);
	raw_write_seqcount_begin(&c->seq);
	now = cpupr_clock_stolen(c, smp_processor_id(), &stolen);
	cpupr_cycles_account(c);
	cpupr_ledger_steal(&c->ledger, now, stolen);
	cpupr_ledger_offline(&c->ledger, now);
	cpupr_steal_cpu(c);
	cpupr_tasks_close(c);
	cpupr_idle_stop(c, now);
	cpupr_slow_set(c);
	raw_write_seqcount_end(&c->seq);
	cpupr_user_return_cpu();
}

static void open_this(void *unused)
{
	unsigned long flags;

	local_irq_save(flags);
	open_row();
	local_irq_restore(flags);
}

static void freeze_this(void *unused)
{
	unsigned long flags;

	local_irq_save(flags);
	freeze_row();
	local_irq_restore(flags);
}

/* They have events of perf, which may not be called from a hotplug callback. */
static void tell_triggers(struct work_struct *work)
{
	cpupr_triggers_cpus_change();
}

static DECLARE_WORK(triggers_work, tell_triggers);

static int cpu_comes(unsigned int cpu)
{
	cpupr_irqs_comes(cpu);
	cpupr_freqs_comes(cpu);
	/* In the middle of a suspend: not before its end, like all others. */
	if (!suspended)
		open_this(NULL);
	cpupr_counters_cpu(true);
	schedule_work(&triggers_work);
	return 0;
}

static int cpu_goes(unsigned int cpu)
{
	cpupr_counters_cpu(false);
	schedule_work(&triggers_work);
	freeze_this(NULL);
	return 0;
}

/*
 * What lies between the two events is in no category, as offline time is: the
 * TSC may run on, stand still or begin anew, and CLOCK_MONOTONIC stops.
 */
static int pm_event(struct notifier_block *nb, unsigned long event, void *unused)
{
	switch (event) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
	case PM_RESTORE_PREPARE:
		suspends++;
		cpus_read_lock();
		suspended = true;
		on_each_cpu(freeze_this, NULL, 1);
		cpus_read_unlock();
		break;
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
	case PM_POST_RESTORE:
		cpupr_calls_forget();
		/* CPUs may come and go again by now. */
		cpus_read_lock();
		suspended = false;
		on_each_cpu(open_this, NULL, 1);
		cpus_read_unlock();
		break;
	}
	return NOTIFY_OK;
}

static struct notifier_block pm_notifier = {
	.notifier_call = pm_event,
};

/**
 * cpupr_hotplug_suspends() - how often the system was suspended since load
 */
u64 cpupr_hotplug_suspends(void)
{
	return READ_ONCE(suspends);
}

static void resync_cpu(void *unused)
{
	struct cpupr_cpu *c = this_cpu_ptr(&cpupr_cpu);
	struct cpupr_ledger *l = &c->ledger;
	unsigned long flags;
	u64 now, stolen;

	local_irq_save(flags);
	if (l->online) {
		raw_write_seqcount_begin(&c->seq);
		if (cpupr_irq_collector.state != CPUPR_ON)
			l->at.irq = 0;
		if (cpupr_softirq_collector.state != CPUPR_ON) {
			l->at.softirq = 0;
			c->softirq_task = NULL;
		}
		now = cpupr_clock_stolen(c, smp_processor_id(), &stolen);
		cpupr_cycles_account(c);
		cpupr_ledger_steal(l, now, stolen);
		cpupr_steal_cpu(c);
		cpupr_ledger_guest_leave(l, now);
		cpupr_ledger_base(l, now, base_now(c));
		cpupr_tasks_close(c);
		cpupr_tasks_open(c);
		cpupr_irqs_cpu(c);
		cpupr_idle_watched(&c->idle->books, cpupr_irq_collector.state == CPUPR_ON);
		if (cpupr_idle_collector.state != CPUPR_ON)
			cpupr_idle_stop(c, now);
		cpupr_slow_set(c);
		raw_write_seqcount_end(&c->seq);
	}
	cpupr_user_return_cpu();
	local_irq_restore(flags);
}

/**
 * cpupr_hotplug_resync() - bring all rows in line with the collectors
 *
 * After a collector was switched, an open interval may wait for a hook that
 * will not come.
 *
 * Context: process, under the registry's mutex. Interrupts each CPU.
 */
void cpupr_hotplug_resync(void)
{
	cpus_read_lock();
	on_each_cpu(resync_cpu, NULL, 1);
	cpus_read_unlock();
}

/* Removing the state is the last that schedules the work. */
static void forget_cpus(void)
{
	cpuhp_remove_state(cpuhp_state);
	cancel_work_sync(&triggers_work);
}

/**
 * cpupr_hotplug_init() - open the rows of all CPUs, and of those to come
 *
 * Return: 0 or -errno.
 */
int cpupr_hotplug_init(void)
{
	int cpu, ret;

	for_each_possible_cpu(cpu)
		seqcount_init(&per_cpu_ptr(&cpupr_cpu, cpu)->seq);
	ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "cpuprecise:online", cpu_comes, cpu_goes);
	if (ret < 0)
		return ret;
	cpuhp_state = ret;
	ret = register_pm_notifier(&pm_notifier);
	if (ret)
		forget_cpus();
	return ret;
}

/**
 * cpupr_hotplug_exit() - freeze all rows
 */
void cpupr_hotplug_exit(void)
{
	unregister_pm_notifier(&pm_notifier);
	forget_cpus();
}
