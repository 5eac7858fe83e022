/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which tasks sleep for I/O, and on which CPU each of them last ran.
 *
 * The kernel keeps this as one number per run queue (rq->nr_iowait,
 * kernel/sched/core.c) that modules cannot read. A wake-up alone does not tell
 * whether the task was ever counted: it may have slept since before the module
 * was loaded, or not have been asleep yet. This set remembers who was.
 *
 * Pure and lock-free: a fixed array, a claim by compare-and-exchange, at most
 * CPUPR_SLEEPER_REACH slots looked at. It never allocates; what does not fit is
 * reported to the caller, who counts it.
 */
#ifndef CPUPRECISE_SLEEPERS_H
#define CPUPRECISE_SLEEPERS_H

#include <cpuprecise/pure.h>

#define CPUPR_SLEEPER_SLOTS	4096	/* a power of two; 64 KiB */
#define CPUPR_SLEEPER_REACH	16

struct cpupr_sleeper {
	unsigned long task;	/* 0: free, 1: being filled, else a task's address */
	int cpu;
};

struct cpupr_sleepers {
	struct cpupr_sleeper slot[CPUPR_SLEEPER_SLOTS];
};

int cpupr_sleepers_add(struct cpupr_sleepers *s, unsigned long task, int cpu);
int cpupr_sleepers_remove(struct cpupr_sleepers *s, unsigned long task);

#endif
