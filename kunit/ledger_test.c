// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: the ledger with the kernel's own types, arithmetic and atomics.
 *
 * The histories are the table that the host tests run too; random ones and the
 * slow model are the host's alone.
 */
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/kthread.h>
#include <linux/slab.h>

#include "ledger_vectors.h"
#include "suites.h"

static void vector_desc(const struct vector *v, char *desc)
{
	strscpy(desc, v->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(vectors, ledger_vectors, vector_desc);

static void history(struct kunit *test)
{
	const struct vector *v = test->param_value;
	struct cpupr_ledger l;
	u64 elapsed = 0;
	int i;

	KUNIT_EXPECT_EQ_MSG(test, vector_run(v, &l), -1, "the step after which it was not closed");
	for (i = 0; i < CPUPR_NR_CATEGORIES; i++) {
		KUNIT_EXPECT_EQ_MSG(test, l.time[i], v->want[i], "category %d", i);
		elapsed += v->want[i];
	}
	for (i = 0; i < CPUPR_NR_GUEST; i++)
		KUNIT_EXPECT_EQ_MSG(test, l.guest[i], v->guest[i], "guests, category %d", i);
	KUNIT_EXPECT_EQ(test, cpupr_ledger_elapsed(&l), elapsed);
	KUNIT_EXPECT_EQ(test, l.backsteps, v->backsteps);
}

/* From a counter of 2.15 GHz to ns, for up to two years. */
static void rescale_to_ns(struct kunit *test)
{
	const u32 mult = 3994575184u, shift = 33;
	static const struct {
		u64 ticks, ns;
	} point[] = {
		{ 0, 0 },
		{ 1, 0 },
		{ 2, 0 },
		{ 3, 1 },
		{ 1ULL << 33, 3994575184ULL },
		{ (1ULL << 33) + 1, 3994575184ULL },
		{ 1ULL << 57, 67017850690207744ULL },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(point); i++) {
		struct cpupr_ledger l = { 0 };

		cpupr_ledger_online(&l, 100, CPUPR_IDLE);
		cpupr_ledger_account(&l, 100 + point[i].ticks);
		cpupr_ledger_rescale(&l, 7, mult, shift);
		KUNIT_EXPECT_EQ(test, l.time[CPUPR_IDLE], point[i].ns);
		KUNIT_EXPECT_EQ(test, cpupr_ledger_elapsed(&l), point[i].ns);
	}
}

static void share(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, cpupr_busy_pct(0, 1), 0);
	KUNIT_EXPECT_EQ(test, cpupr_busy_pct(1, 1), 10000);
	KUNIT_EXPECT_EQ(test, cpupr_busy_pct(1, 3), 3333);
	KUNIT_EXPECT_EQ(test, cpupr_busy_pct(2, 3), 6666);
	KUNIT_EXPECT_EQ(test, cpupr_busy_pct(9999, 100000000), 0);
	KUNIT_EXPECT_EQ(test, cpupr_busy_pct(10000, 100000000), 1);
	KUNIT_EXPECT_EQ(test, cpupr_busy_pct((1ULL << 50) - 2, (1ULL << 50) - 1), 9999);
	KUNIT_EXPECT_EQ(test, cpupr_busy_pct(1ULL << 61, 1ULL << 63), 2500);
	KUNIT_EXPECT_EQ(test, cpupr_busy_pct(U64_MAX, U64_MAX), 10000);
	KUNIT_EXPECT_EQ(test, cpupr_busy_pct(0, U64_MAX), 0);
}

/*
 * Wake-ups from another CPU while this one closes its intervals: whoever sees
 * that nobody sleeps any more also sees when that happened.
 */
#define WAKES	2000

struct waker {
	struct cpupr_ledger *ledger;
	u64 asleep;		/* stays of iowait that have begun */
	struct completion done;
};

static int wake_all(void *data)
{
	struct waker *w = data;
	u64 i;

	for (i = 1; i <= WAKES; i++) {
		/* Pairs with the release of the sleeping CPU. */
		while (smp_load_acquire(&w->asleep) < i)
			cond_resched();
		/* Stay i begins at 100 i and ends 40 later. */
		cpupr_ledger_iowait_end(w->ledger, 100 * i + 40);
	}
	/* Not a return: that would be code of this module, which may go. */
	kthread_complete_and_exit(&w->done, 0);
}

static void woken_by_another_cpu(struct kunit *test)
{
	struct cpupr_ledger *l = kunit_kzalloc(test, sizeof(*l), GFP_KERNEL);
	struct waker *w = kunit_kzalloc(test, sizeof(*w), GFP_KERNEL);
	struct task_struct *task;
	u64 i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, l);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, w);
	w->ledger = l;
	init_completion(&w->done);
	task = kthread_run(wake_all, w, "cpupr-waker");
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));

	cpupr_ledger_online(l, 100, CPUPR_SYSTEM);
	for (i = 1; i <= WAKES; i++) {
		u64 wait = l->time[CPUPR_IOWAIT];
		u64 idle = l->time[CPUPR_IDLE];

		cpupr_ledger_iowait_begin(l);
		cpupr_ledger_switch(l, 100 * i, CPUPR_IOWAIT, 0);
		/* Pairs with the waker's load: the sleep is counted before it is ended. */
		smp_store_release(&w->asleep, i);
		while (atomic_read(&l->iowaiters))
			cond_resched();
		cpupr_ledger_account(l, 100 * i + 90);
		cpupr_ledger_switch(l, 100 * i + 90, CPUPR_SYSTEM, 0);
		if (l->time[CPUPR_IOWAIT] - wait != 40 || l->time[CPUPR_IDLE] - idle != 50)
			break;
	}
	KUNIT_EXPECT_EQ(test, i, WAKES + 1);
	/* If the loop was left early, let the thread end all the same; as above. */
	smp_store_release(&w->asleep, WAKES);
	wait_for_completion(&w->done);
	KUNIT_EXPECT_EQ(test, cpupr_ledger_sum(l), cpupr_ledger_elapsed(l));
}

static struct kunit_case ledger_cases[] = {
	KUNIT_CASE_PARAM(history, vectors_gen_params),
	KUNIT_CASE(rescale_to_ns),
	KUNIT_CASE(share),
	KUNIT_CASE(woken_by_another_cpu),
	{}
};

struct kunit_suite cpupr_ledger_suite = {
	.name = "cpuprecise-ledger",
	.test_cases = ledger_cases,
};
