// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: tasks and their records with the kernel's own types, cmpxchg() and
 * barriers.
 *
 * The timelines are the tables that the host tests run too; random ones, threads
 * and the slow model are the host's alone.
 */
#include <linux/mm.h>
#include <linux/slab.h>

#include "suites.h"
#include "task_vectors.h"

static int task_init(struct kunit *test)
{
	test->priv = kvzalloc(sizeof(struct machine), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

static void task_exit(struct kunit *test)
{
	kvfree(test->priv);
}

static void time_desc(const struct machine_vector *v, char *desc)
{
	strscpy(desc, v->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(times, task_time_vectors, time_desc);

static void timeline(struct kunit *test)
{
	const struct machine_vector *v = test->param_value;
	u64 got = 0;
	int step = machine_run(v, test->priv, &got);

	if (step >= 0)
		KUNIT_EXPECT_EQ_MSG(test, got, v->step[step].want, "step %d", step);
}

static void table_desc(const struct table_vector *v, char *desc)
{
	strscpy(desc, v->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(tables, task_table_vectors, table_desc);

static void table(struct kunit *test)
{
	const struct table_vector *v = test->param_value;
	struct table_rig *r = kunit_kzalloc(test, sizeof(*r), GFP_KERNEL);
	u64 got = 0;
	int step;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, r);
	step = table_run(v, r, &got);
	if (step >= 0)
		KUNIT_EXPECT_EQ_MSG(test, got, v->step[step].want, "step %d", step);
}

static void hash(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(task_hash_vectors); i++)
		KUNIT_EXPECT_TRUE_MSG(test, task_hash_right(&task_hash_vectors[i]), "number %d", i);
}

static void sums(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, task_sums_right());
}

static struct kunit_case task_cases[] = {
	KUNIT_CASE_PARAM(timeline, times_gen_params),
	KUNIT_CASE_PARAM(table, tables_gen_params),
	KUNIT_CASE(hash),
	KUNIT_CASE(sums),
	{}
};

struct kunit_suite cpupr_task_suite = {
	.name = "cpuprecise-task",
	.init = task_init,
	.exit = task_exit,
	.test_cases = task_cases,
};
