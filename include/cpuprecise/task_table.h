/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tasks: how long each ran, by what it did, and where its record is found.
 *
 * A record holds no more than differences of its CPUs' ledgers: what a category
 * had when the task left the CPU, less what it had when the task came. So a
 * context switch adds the same few sums to one record and takes them off another,
 * and the records add up to the ledgers by construction. While the task runs, its
 * record lacks what its CPU's ledger has now.
 *
 * Records are found by the task's address, without a lock: they are chained by
 * hash, new ones in front. Whoever takes one out of its chain does so alone, and
 * waits until nobody can still look at it before it is given to another task.
 *
 * Pure: it sees numbers and addresses, which it never follows. Times are ticks.
 */
#ifndef CPUPRECISE_TASK_TABLE_H
#define CPUPRECISE_TASK_TABLE_H

#include <cpuprecise/ledger.h>

#define CPUPR_TASK_COMM	16	/* TASK_COMM_LEN */
#define CPUPR_NO_CALL	(-1)
#define CPUPR_TASK_DEAD	((const void *)1)	/* no task's address */

enum cpupr_task_time {
	CPUPR_TASK_USER,	/* user and nice */
	CPUPR_TASK_SYSTEM,
	CPUPR_TASK_IRQ,		/* what interrupts took of it */
	CPUPR_TASK_SOFTIRQ,
	CPUPR_NR_TASK_TIMES,
};

/**
 * struct cpupr_task_sum - what is known of a task, or of many: u64 only
 * @time: ns
 * @wait: on run queues, ns
 * @voluntary: switches away from a task that sleeps
 * @involuntary: and from one that does not
 * @tick: what the kernel's own tick charged it, ns
 */
struct cpupr_task_sum {
	u64 time[CPUPR_NR_TASK_TIMES];
	u64 wait;
	u64 voluntary;
	u64 involuntary;
	u64 tick;
};

/**
 * struct cpupr_task_id - who a task is, or was
 * @start: CLOCK_MONOTONIC of its fork, ns
 * @group: tells its process from others that live at the same time
 * @pid: in the initial pid namespace, as @tgid
 * @tgid: of its process
 * @alone: it was all that was left of its process
 * @state: as /proc/PID/stat has it
 * @comm: its name, NUL-padded
 */
struct cpupr_task_id {
	u64 start;
	const void *group;
	s32 pid;
	s32 tgid;
	bool alone;
	char state;
	char comm[CPUPR_TASK_COMM];
};

/**
 * struct cpupr_task - a task's record
 * @key: the task's address; NULL while the record stands still (module/tasks.c);
 *	CPUPR_TASK_DEAD once the task left its CPU for good
 * @chain: the next one of the same hash
 * @time: ticks; less what the ledger had when it came, while it runs
 * @delay: what its run-queue wait was when it last left its CPU, ns
 * @cpu: where it runs, or last did: that CPU's section covers @time to @call_start
 * @call: the system call that it is in, or CPUPR_NO_CALL
 * @call_system: what @time[CPUPR_TASK_SYSTEM] was when that began, ticks
 * @call_start: when it began, ticks
 * @was: the task's address, once @key is another; so are @id and @last valid then
 * @used: it belongs to a task, or to one that readers have yet to book
 * @still: it is not known whether the task still is
 * @id: who it was
 * @last: what the kernel's counters were; without @time
 * @base: where the epoch began
 * @shown: of @time, what the last read found, ns
 * @next: the next one of a list
 * @number: no other task ever has it: see theft_table.h
 */
struct cpupr_task {
	const void *key;
	struct cpupr_task *chain;
	u64 time[CPUPR_NR_TASK_TIMES];
	u64 delay;
	s32 cpu;
	s32 call;
	u64 call_system;
	u64 call_start;
	const void *was;
	bool used;
	bool still;
	struct cpupr_task_id id;
	struct cpupr_task_sum last;
	struct cpupr_task_sum base;
	u64 shown[CPUPR_NR_TASK_TIMES];
	struct cpupr_task *next;
	u64 number;
};

/**
 * struct cpupr_task_table - all records
 * @heads: first of each chain
 * @shift: 64 less the bits of a hash
 * @count: how many records there are
 * @task: all of them
 * @mask: entries of @free, less one
 * @taken: entries of @free that were ever taken
 * @given: entries of @free that were ever given
 * @free: numbers of records that belong to no task, a ring
 */
struct cpupr_task_table {
	struct cpupr_task **heads;
	unsigned int shift;
	unsigned int count;
	struct cpupr_task *task;
	unsigned long mask;
	unsigned long taken;
	unsigned long given;
	u32 *free;
};

void cpupr_task_table_init(struct cpupr_task_table *t);
struct cpupr_task *cpupr_task_get(struct cpupr_task_table *t, const void *key, u64 start,
				  struct cpupr_task **spare, bool *again);
void cpupr_task_unlink(struct cpupr_task_table *t, struct cpupr_task *task);
void cpupr_task_release(struct cpupr_task_table *t, struct cpupr_task *task);
void cpupr_task_sum_add(struct cpupr_task_sum *to, const struct cpupr_task_sum *from);
void cpupr_task_sum_sub(struct cpupr_task_sum *to, const struct cpupr_task_sum *from);

/* The chain of a task. */
static __always_inline struct cpupr_task **cpupr_task_head(const struct cpupr_task_table *t,
							   const void *key)
{
	/* 2^64 divided by the golden ratio: Knuth, The Art of Computer Programming, 6.4. */
	return &t->heads[(u64)(unsigned long)key * 0x9e3779b97f4a7c15ULL >> t->shift];
}

/**
 * cpupr_task_find() - the record of a task
 * @t: the table
 * @key: the task's address, not NULL
 *
 * Context: any; until the record is let go no other task gets it (RCU).
 *
 * Return: NULL if it has none.
 */
static __always_inline struct cpupr_task *cpupr_task_find(const struct cpupr_task_table *t,
							  const void *key)
{
	struct cpupr_task *task = READ_ONCE(*cpupr_task_head(t, key));

	while (task && READ_ONCE(task->key) != key)
		task = READ_ONCE(task->chain);
	return task;
}

/* How many more tasks can have a record. */
static inline unsigned long cpupr_task_room(const struct cpupr_task_table *t)
{
	/* First: as many had been given by then. */
	unsigned long taken = smp_load_acquire(&t->taken);

	return READ_ONCE(t->given) - taken;
}

/**
 * cpupr_task_switch() - one task leaves a CPU, another one comes
 * @prev: the record of the one that leaves, which @l was added to nothing of yet
 * @next: of the one that comes; may be the same
 * @l: the CPU's ledger, its interval just closed
 * @cpu: the CPU's number
 *
 * Context: as for the ledger.
 */
static __always_inline void cpupr_task_switch(struct cpupr_task *prev, struct cpupr_task *next,
					      const struct cpupr_ledger *l, s32 cpu)
{
	/* The compiler cannot know that the ledger is none of the records. */
	u64 user = l->time[CPUPR_USER] + l->time[CPUPR_NICE];
	u64 system = l->time[CPUPR_SYSTEM];
	u64 irq = l->time[CPUPR_IRQ];
	u64 softirq = l->time[CPUPR_SOFTIRQ];

	WRITE_ONCE(next->cpu, cpu);
	/* Whoever reads the rest under another CPU's section sees that it moved. */
	smp_wmb();
	prev->time[CPUPR_TASK_USER] += user;
	next->time[CPUPR_TASK_USER] -= user;
	prev->time[CPUPR_TASK_SYSTEM] += system;
	next->time[CPUPR_TASK_SYSTEM] -= system;
	prev->time[CPUPR_TASK_IRQ] += irq;
	next->time[CPUPR_TASK_IRQ] -= irq;
	prev->time[CPUPR_TASK_SOFTIRQ] += softirq;
	next->time[CPUPR_TASK_SOFTIRQ] -= softirq;
}

/* What a task had in all, and a ledger that it runs on: @sign 1 to add that, -1 to take it off. */
static inline void cpupr_task_ledger(u64 *time, const struct cpupr_ledger *l, s64 sign)
{
	time[CPUPR_TASK_USER] += (u64)sign * (l->time[CPUPR_USER] + l->time[CPUPR_NICE]);
	time[CPUPR_TASK_SYSTEM] += (u64)sign * l->time[CPUPR_SYSTEM];
	time[CPUPR_TASK_IRQ] += (u64)sign * l->time[CPUPR_IRQ];
	time[CPUPR_TASK_SOFTIRQ] += (u64)sign * l->time[CPUPR_SOFTIRQ];
}

#endif
