// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of tasks, the cold half: giving a task a record, and taking it back.
 *
 * Pure: also built by KUnit and on the host. See task_table.h for who may do what.
 */
#include <cpuprecise/task_table.h>

/**
 * cpupr_task_table_init() - all records are free
 * @t: the table, its memory in place and zeroed
 */
void cpupr_task_table_init(struct cpupr_task_table *t)
{
	unsigned int i;

	for (i = 0; i < t->count; i++)
		t->free[i] = i;
	t->taken = 0;
	t->given = t->count;
}

/* Any number may take at a time, one gives: the count tells when another was faster. */
static notrace struct cpupr_task *take(struct cpupr_task_table *t)
{
	for (;;) {
		/* First: whoever took up to there saw that much given. */
		unsigned long at = smp_load_acquire(&t->taken);
		u32 number;

		/* Pairs with cpupr_task_release(). */
		if (at == smp_load_acquire(&t->given))
			return NULL;
		number = READ_ONCE(t->free[at & t->mask]);
		if (cmpxchg(&t->taken, at, at + 1) == at)
			return &t->task[number];
	}
}

/*
 * Is the record that of a task, or is so again from now on? If somebody else is about
 * to revive it, too, one of both does; and the key is looked at after @was, which may
 * be cleared once the key is set.
 */
static notrace bool is_of(struct cpupr_task *task, const void *key, u64 start, bool *again)
{
	/* Pairs with whoever sets it, once the rest is there. */
	const void *was = smp_load_acquire(&task->was);
	const void *now = READ_ONCE(task->key);

	*again = false;
	if (now || was != key || READ_ONCE(task->id.start) != start)
		return now == key;
	now = cmpxchg(&task->key, NULL, key);
	*again = !now;
	return !now || now == key;
}

/**
 * cpupr_task_get() - the record of a task, which has one from now on
 * @t: the table
 * @key: the task's address, not NULL
 * @start: CLOCK_MONOTONIC of its fork, ns
 * @spare: set to a record that was taken and turned out not to be needed, or NULL;
 *	for whoever books the dead
 * @again: set to whether it stood still for the same task, and goes on now
 *
 * Context: any; within one RCU section.
 *
 * Return: NULL if all records are in use. New if not @used: the caller fills in the
 * base, and sets that last.
 */
notrace struct cpupr_task *cpupr_task_get(struct cpupr_task_table *t, const void *key, u64 start,
					  struct cpupr_task **spare, bool *again)
{
	struct cpupr_task **slot = cpupr_task_head(t, key);
	struct cpupr_task *new = NULL, *head, *task;

	for (;;) {
		head = READ_ONCE(*slot);
		*again = false;
		for (task = head; task; task = READ_ONCE(task->chain))
			if (is_of(task, key, start, again))
				break;
		if (task) {
			*spare = new;
			return task;
		}
		*spare = NULL;
		if (!new)
			new = take(t);
		if (!new)
			return NULL;
		memset(new->time, 0, sizeof(new->time));
		memset(new->shown, 0, sizeof(new->shown));
		memset(&new->base, 0, sizeof(new->base));
		new->delay = 0;
		new->call = CPUPR_NO_CALL;
		new->was = NULL;
		new->still = false;
		new->key = key;
		new->chain = head;
		/* Nobody else put the task there since. */
		if (cmpxchg(slot, head, new) == head)
			return new;
	}
}

/**
 * cpupr_task_unlink() - take a record out of its chain
 * @t: the table
 * @task: the record; its @was is the task's address
 *
 * Context: one at a time.
 */
void cpupr_task_unlink(struct cpupr_task_table *t, struct cpupr_task *task)
{
	struct cpupr_task **slot = cpupr_task_head(t, task->was);

	/* Others put new ones in front meanwhile, and only there. */
	while (cmpxchg(slot, task, task->chain) != task) {
		struct cpupr_task *before = READ_ONCE(*slot);

		while (before && before->chain != task)
			before = before->chain;
		if (before) {
			WRITE_ONCE(before->chain, task->chain);
			return;
		}
	}
}

/**
 * cpupr_task_release() - a record that nobody looks at any more is free again
 * @t: the table
 * @task: the record, taken and in no chain
 *
 * Context: one at a time.
 */
void cpupr_task_release(struct cpupr_task_table *t, struct cpupr_task *task)
{
	WRITE_ONCE(t->free[t->given & t->mask], (u32)(task - t->task));
	/* Pairs with take(). */
	smp_store_release(&t->given, t->given + 1);
}

#define SUMS	(sizeof(struct cpupr_task_sum) / sizeof(u64))

/**
 * cpupr_task_sum_add() - add up what is known of tasks
 * @to: the sum
 * @from: what is added
 */
void cpupr_task_sum_add(struct cpupr_task_sum *to, const struct cpupr_task_sum *from)
{
	unsigned int i;

	for (i = 0; i < SUMS; i++)
		((u64 *)to)[i] += ((const u64 *)from)[i];
}

/**
 * cpupr_task_sum_sub() - what came since
 * @to: what is known now, made the difference
 * @from: what was known then
 */
void cpupr_task_sum_sub(struct cpupr_task_sum *to, const struct cpupr_task_sum *from)
{
	unsigned int i;

	for (i = 0; i < SUMS; i++)
		((u64 *)to)[i] -= ((const u64 *)from)[i];
}
