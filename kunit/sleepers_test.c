// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: the set of tasks that sleep for I/O, with the kernel's cmpxchg() and
 * barriers, real task addresses, and kernel threads as callers.
 *
 * Single steps, full windows and the one interleaving that matters are the host
 * tests'.
 */
#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include <cpuprecise/sleepers.h>

#include "suites.h"

static int sleepers_init(struct kunit *test)
{
	test->priv = kvzalloc(sizeof(struct cpupr_sleepers), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

static void sleepers_exit(struct kunit *test)
{
	kvfree(test->priv);
}

static unsigned int used(const struct cpupr_sleepers *s)
{
	unsigned int i, n = 0;

	for (i = 0; i < CPUPR_SLEEPER_SLOTS; i++)
		n += !!s->slot[i].task;
	return n;
}

static void one_task(struct kunit *test)
{
	struct cpupr_sleepers *s = test->priv;
	unsigned long task = (unsigned long)current;

	KUNIT_EXPECT_EQ(test, cpupr_sleepers_remove(s, task), -ENOENT);
	KUNIT_EXPECT_EQ(test, cpupr_sleepers_add(s, task, 2), 0);
	KUNIT_EXPECT_EQ(test, cpupr_sleepers_add(s, task, 3), -EEXIST);
	KUNIT_EXPECT_EQ(test, cpupr_sleepers_remove(s, task), 2);
	KUNIT_EXPECT_EQ(test, cpupr_sleepers_remove(s, task), -ENOENT);
	KUNIT_EXPECT_EQ(test, used(s), 0);
}

/* Each task of the machine at once, at the addresses that the slab gave them. */
static void all_tasks(struct kunit *test)
{
	struct cpupr_sleepers *s = test->priv;
	struct task_struct *process, *task;
	unsigned int tasks = 0, wrong = 0;

	rcu_read_lock();
	for_each_process_thread(process, task) {
		tasks++;
		wrong += cpupr_sleepers_add(s, (unsigned long)task, task->pid & 0xff) != 0;
	}
	KUNIT_EXPECT_EQ(test, used(s), tasks);
	for_each_process_thread(process, task)
		wrong += cpupr_sleepers_remove(s, (unsigned long)task) != (task->pid & 0xff);
	rcu_read_unlock();

	KUNIT_EXPECT_EQ(test, wrong, 0);
	KUNIT_EXPECT_EQ(test, used(s), 0);
}

/*
 * Threads that add their own tasks and remove everybody's, as wake-ups do. What
 * was added on a CPU must be removed with that CPU, once.
 */
#define THREADS	4
#define TASKS	32
#define CPUS	16
#define ROUNDS	2000

struct crowd {
	struct cpupr_sleepers *set;
	atomic_t balance[CPUS];
	atomic_t added;
	atomic_t removed;
	atomic_t running;
	struct completion done;
};

struct member {
	struct crowd *crowd;
	unsigned int number;
};

static unsigned long task_address(unsigned int n)
{
	return PAGE_OFFSET + 64UL * (n + 1);
}

static void take_off(struct crowd *c, unsigned int n)
{
	int cpu = cpupr_sleepers_remove(c->set, task_address(n));

	if (cpu < 0)
		return;
	atomic_dec(&c->balance[cpu]);
	atomic_inc(&c->removed);
}

static int crowd_thread(void *data)
{
	struct member *m = data;
	struct crowd *c = m->crowd;
	u32 random = m->number * 2654435761u + 1;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		unsigned int own, any, cpu;

		random = random * 1664525u + 1013904223u;
		own = m->number + (random >> 8) % (TASKS / THREADS) * THREADS;
		any = (random >> 16) % TASKS;
		cpu = (random >> 24) % CPUS;

		take_off(c, own);
		atomic_inc(&c->balance[cpu]);
		if (cpupr_sleepers_add(c->set, task_address(own), cpu))
			atomic_dec(&c->balance[cpu]);
		else
			atomic_inc(&c->added);
		take_off(c, any);
		cond_resched();
	}
	if (!atomic_dec_and_test(&c->running))
		kthread_complete_and_exit(NULL, 0);
	kthread_complete_and_exit(&c->done, 0);
}

static void many_callers(struct kunit *test)
{
	struct crowd *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);
	struct member *m = kunit_kcalloc(test, THREADS, sizeof(*m), GFP_KERNEL);
	struct task_struct *task;
	int i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, c);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, m);
	c->set = test->priv;
	init_completion(&c->done);
	/* One more than threads, so that none of them is the last while others start. */
	atomic_set(&c->running, 1);
	for (i = 0; i < THREADS; i++) {
		m[i].crowd = c;
		m[i].number = i;
		atomic_inc(&c->running);
		task = kthread_run(crowd_thread, &m[i], "cpupr-crowd/%d", i);
		if (IS_ERR(task)) {
			atomic_dec(&c->running);
			KUNIT_FAIL(test, "no thread: %ld", PTR_ERR(task));
			break;
		}
	}
	if (!atomic_dec_and_test(&c->running))
		wait_for_completion(&c->done);

	for (i = 0; i < TASKS; i++)
		take_off(c, i);
	for (i = 0; i < CPUS; i++)
		KUNIT_EXPECT_EQ_MSG(test, atomic_read(&c->balance[i]), 0, "CPU %d", i);
	KUNIT_EXPECT_EQ(test, atomic_read(&c->added), THREADS * ROUNDS);
	KUNIT_EXPECT_EQ(test, atomic_read(&c->removed), THREADS * ROUNDS);
	KUNIT_EXPECT_EQ(test, used(c->set), 0);
}

static struct kunit_case sleepers_cases[] = {
	KUNIT_CASE(one_task),
	KUNIT_CASE(all_tasks),
	KUNIT_CASE(many_callers),
	{}
};

struct kunit_suite cpupr_sleepers_suite = {
	.name = "cpuprecise-sleepers",
	.init = sleepers_init,
	.exit = sleepers_exit,
	.test_cases = sleepers_cases,
};
