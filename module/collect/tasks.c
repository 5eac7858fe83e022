// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks: who used the CPU. What runs when is the sched collector's hook; this says
 * whether records are kept of it (module/tasks.c).
 */
#include <cpuprecise/collector.h>
#include <cpuprecise/tasks.h>

static struct cpupr_hook hooks[] = {
	{ }
};

struct cpupr_collector cpupr_tasks_collector = {
	.name = "tasks",
	.desc = "time of tasks and processes",
	.hooks = hooks,
	.catch_up = cpupr_tasks_start,
	.stop = cpupr_tasks_stop,
};
