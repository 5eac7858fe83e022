// SPDX-License-Identifier: GPL-2.0-only
/*
 * Control groups (v2): who used the CPU, by group. Each slice of a task is booked
 * to the group that it is in when it leaves the CPU.
 *
 * That takes a look for the group at each switch, and is off unless asked for.
 */
#include <linux/cgroup.h>

#include <cpuprecise/cgroups.h>
#include <cpuprecise/collector.h>
#include <cpuprecise/tasks.h>

/* CPUs book slices from the next resync on. */
static bool booking;

/**
 * cpupr_cgroup_of() - the group of a task
 * @task: the task
 *
 * Context: RCU section; the task's memory stays.
 *
 * Return: the number of its group in the default hierarchy; 0 for idle tasks.
 */
notrace u64 cpupr_cgroup_of(struct task_struct *task)
{
#ifdef CONFIG_CGROUPS
	/* Interrupts off, or rcu_read_lock(): both will do. */
	return cpupr_is_idle(task) ? 0 :
	       cgroup_id(rcu_dereference_raw(task->cgroups)->dfl_cgrp);
#else
	return 0;
#endif
}

/**
 * cpupr_cgroups_switched() - a task left this CPU, another one came
 * @unused: see cpupr_call_cold()
 * @c: this CPU, which books slices; its record is that of the one that came
 * @prev: the one that left
 *
 * Context: the sched_switch probe, write section.
 *
 * Return: nothing that means anything.
 */
notrace u64 cpupr_cgroups_switched(void *unused, struct cpupr_cpu *c, struct task_struct *prev)
{
	const struct task_struct *next = c->task->key;

	cpupr_cgroup_slice(c->cgroups, &c->ledger, cpupr_cgroup_of(prev), cpupr_run_delay(prev));
	cpupr_cgroup_seed(c->cgroups, &c->ledger, next ? cpupr_run_delay(next) : 0);
	return 0;
}

/**
 * cpupr_cgroups_open() - slices are booked on this CPU, if they are to be
 * @c: this CPU
 *
 * Context: on the CPU, write section, its ledger's interval just closed; after
 * cpupr_tasks_open().
 */
void cpupr_cgroups_open(struct cpupr_cpu *c)
{
	c->cgroups = booking && c->task ? &c->tasks->cgroups : NULL;
	if (c->cgroups)
		cpupr_cgroup_seed(c->cgroups, &c->ledger, cpupr_run_delay(current));
}

/**
 * cpupr_cgroups_close() - and no longer
 * @c: this CPU
 *
 * Context: as cpupr_cgroups_open(), before the ledger's books stand still.
 */
void cpupr_cgroups_close(struct cpupr_cpu *c)
{
	if (c->cgroups)
		cpupr_cgroup_slice(c->cgroups, &c->ledger, cpupr_cgroup_of(current),
				   cpupr_run_delay(current));
	c->cgroups = NULL;
}

static const char *probe(void)
{
	return IS_ENABLED(CONFIG_CGROUPS) ? NULL : "no control groups";
}

static int enable(void)
{
	booking = true;
	return 0;
}

static void disable(void)
{
	booking = false;
}

static struct cpupr_hook hooks[] = {
	{ }
};

struct cpupr_collector cpupr_cgroups_collector = {
	.name = "cgroups",
	.desc = "time of control groups",
	.hooks = hooks,
	.probe = probe,
	.enable = enable,
	.disable = disable,
	.on_demand = true,
};
