/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tasks and their system calls, between the hooks and the books: which record is
 * that of the task that runs.
 */
#ifndef CPUPRECISE_TASKS_H
#define CPUPRECISE_TASKS_H

#include <linux/sched.h>
#include <linux/smp.h>

#include <cpuprecise/call_table.h>
#include <cpuprecise/cgroup_table.h>
#include <cpuprecise/cgroups.h>
#include <cpuprecise/compat.h>
#include <cpuprecise/percpu.h>
#include <cpuprecise/task_table.h>

/**
 * struct cpupr_tasks_cpu - of one CPU
 * @idle: the record of its idle task, which no reader shows
 * @other: of the tasks that found none, while they run here
 * @all: what the ledger grew by while tasks were followed, as of a task that ran all along
 * @waits: for this CPU's run queue, by length: of the tasks that left the CPU
 * @calls: system calls
 * @cgroups: control groups
 */
struct cpupr_tasks_cpu {
	struct cpupr_task idle;
	struct cpupr_task other;
	u64 all[CPUPR_NR_TASK_TIMES];
	u64 waits[CPUPR_BUCKETS];
	struct cpupr_call_books calls;
	struct cpupr_cgroup_books cgroups;
};

extern struct cpupr_task_table cpupr_tasks;

/* Each death of a task is seen. Changes under cpupr_snapshot_lock(). */
extern bool cpupr_tasks_watched;

u64 __no_caller_saved_registers cpupr_task_new(void *unused, struct cpupr_cpu *c,
					       struct task_struct *task);
void cpupr_task_died(struct task_struct *task);
void cpupr_tasks_open(struct cpupr_cpu *c);
void cpupr_tasks_close(struct cpupr_cpu *c);
void cpupr_tasks_start(void);
void cpupr_tasks_stop(void);
void cpupr_calls_start(void);
void cpupr_calls_stop(void);
void cpupr_calls_forget(void);
void cpupr_tasks_rescale(u64 tsc, u64 local, u32 mult, u32 shift);
struct cpupr_task *cpupr_tasks_dead(void);
void cpupr_tasks_dispose(struct cpupr_task *task);
void cpupr_task_counters(const struct task_struct *task, struct cpupr_task_sum *sum);
void cpupr_task_identify(struct task_struct *task, struct cpupr_task_id *id);
int cpupr_tasks_books_init(void);
void cpupr_tasks_books_exit(void);

/**
 * cpupr_task_of() - the task of a record
 * @record: the record
 *
 * Context: RCU section, which the task's memory outlives.
 *
 * Return: NULL if the record stands still or the task is dead: then the record's id
 * and last are valid.
 */
static inline struct task_struct *cpupr_task_of(const struct cpupr_task *record)
{
	/* Pairs with leave() in module/tasks.c. */
	const void *key = smp_load_acquire(&record->key);

	return key == CPUPR_TASK_DEAD ? NULL : (struct task_struct *)key;
}

/**
 * cpupr_tasks_switched() - another task begins to run
 * @c: this CPU, which follows tasks; its ledger's interval just closed
 * @prev: the one that leaves
 * @next: the one that comes
 *
 * Context: the sched_switch probe, write section.
 */
static __always_inline void cpupr_tasks_switched(struct cpupr_cpu *c, struct task_struct *prev,
						 struct task_struct *next)
{
	struct cpupr_task *from = c->task, *to;
	u64 delay;

	if (cpupr_is_idle(next)) {
		to = &c->tasks->idle;
	} else {
		to = cpupr_task_find(&cpupr_tasks, next);
		if (unlikely(!to))
			to = (void *)(unsigned long)cpupr_call_cold(cpupr_task_new, c, next);
	}
	cpupr_task_switch(from, to, &c->ledger, smp_processor_id());
	c->task = to;
	if (unlikely(c->cgroups))
		cpupr_call_cold(cpupr_cgroups_switched, c, prev);
	/* Waits are booked when a task leaves: the kernel knows them a moment after it came. */
	if (CPUPR_RUN_DELAY && likely(from->key)) {
		delay = cpupr_run_delay(prev);
		c->tasks->waits[cpupr_bucket(delay - from->delay)]++;
		from->delay = delay;
	}
}

/**
 * cpupr_calls_enter() - the task that runs enters a system call
 * @c: this CPU, which follows calls; its ledger's interval just closed
 * @nr: of the call
 * @now: ticks
 *
 * Context: write section.
 */
static __always_inline void cpupr_calls_enter(struct cpupr_cpu *c, long nr, u64 now)
{
	cpupr_call_begin(c->calls, c->task, cpupr_call_slot(cpupr_in_compat_syscall(), nr), now,
			 c->ledger.time[CPUPR_SYSTEM]);
}

/**
 * cpupr_calls_leave() - the task that runs returns to user code
 * @c: this CPU, which follows calls; its ledger's interval just closed
 * @now: ticks
 *
 * Context: write section.
 */
static __always_inline void cpupr_calls_leave(struct cpupr_cpu *c, u64 now)
{
	if (c->task->call >= 0)
		cpupr_call_end(c->calls, c->task, now, c->ledger.time[CPUPR_SYSTEM],
			       cpupr_clock_scale, CPUPR_CLOCK_SHIFT);
}

#endif
