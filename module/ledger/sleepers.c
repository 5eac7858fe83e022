// SPDX-License-Identifier: GPL-2.0-only
/*
 * The set of tasks that sleep for I/O. See sleepers.h.
 *
 * Pure: also built by KUnit and on the host.
 */
#include <cpuprecise/sleepers.h>

#define FREE	0UL
#define FILLING	1UL

static unsigned int home(unsigned long task)
{
	/* Fibonacci hashing; task structures are at least 64 bytes apart. */
	return (unsigned int)(((u64)(task >> 6) * 0x9e3779b97f4a7c15ULL) >> 32);
}

static struct cpupr_sleeper *slot(struct cpupr_sleepers *s, unsigned long task, unsigned int i)
{
	return &s->slot[(home(task) + i) % CPUPR_SLEEPER_SLOTS];
}

/**
 * cpupr_sleepers_add() - a task begins to sleep for I/O
 * @s: the set
 * @task: the task's address, above 1
 * @cpu: where it last ran
 *
 * Context: any, NMI excepted. A task is added only by the CPU that it leaves,
 * so the same one is never added twice at a time.
 *
 * Return: 0; -EEXIST if the task was there already; -ENOSPC if there was no
 * room near its slot.
 */
notrace int cpupr_sleepers_add(struct cpupr_sleepers *s, unsigned long task, int cpu)
{
	unsigned int i;

	for (i = 0; i < CPUPR_SLEEPER_REACH; i++)
		if (READ_ONCE(slot(s, task, i)->task) == task)
			return -EEXIST;

	for (i = 0; i < CPUPR_SLEEPER_REACH; i++) {
		struct cpupr_sleeper *e = slot(s, task, i);

		if (READ_ONCE(e->task) != FREE || cmpxchg(&e->task, FREE, FILLING) != FREE)
			continue;
		e->cpu = cpu;
		smp_store_release(&e->task, task);
		return 0;
	}
	return -ENOSPC;
}

/**
 * cpupr_sleepers_remove() - a task is woken, or runs
 * @s: the set
 * @task: the task's address
 *
 * Context: any, NMI excepted. Of several callers one gets the CPU.
 *
 * Return: the CPU that the task was added with, or -ENOENT.
 */
notrace int cpupr_sleepers_remove(struct cpupr_sleepers *s, unsigned long task)
{
	unsigned int i;

	for (i = 0; i < CPUPR_SLEEPER_REACH; i++) {
		struct cpupr_sleeper *e = slot(s, task, i);

		if (smp_load_acquire(&e->task) == task) {
			int cpu = e->cpu;

			if (cmpxchg(&e->task, task, FREE) == task)
				return cpu;
			return -ENOENT;
		}
	}
	return -ENOENT;
}
