// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: system calls with the kernel's own types, arithmetic and memory.
 *
 * The timelines are the table that the host tests run too; random ones are the
 * host's alone.
 */
#include <linux/mm.h>
#include <linux/slab.h>

#include "call_vectors.h"
#include "suites.h"

static int call_init(struct kunit *test)
{
	test->priv = kvzalloc(sizeof(struct machine), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

static void call_exit(struct kunit *test)
{
	kvfree(test->priv);
}

static void calls_desc(const struct machine_vector *v, char *desc)
{
	strscpy(desc, v->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(calls, call_vectors, calls_desc);

static void call(struct kunit *test)
{
	const struct machine_vector *v = test->param_value;
	u64 got = 0;
	int step = machine_run(v, test->priv, &got);

	if (step >= 0)
		KUNIT_EXPECT_EQ_MSG(test, got, v->step[step].want, "step %d", step);
}

static void slot(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(call_slot_vectors); i++)
		KUNIT_EXPECT_TRUE_MSG(test, call_slot_right(&call_slot_vectors[i]), "number %d", i);
}

static void sums(struct kunit *test)
{
	struct cpupr_call_row *row = kunit_kcalloc(test, 3, sizeof(*row), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, row);
	KUNIT_EXPECT_TRUE(test, call_sums_right(row));
}

static struct kunit_case call_cases[] = {
	KUNIT_CASE_PARAM(call, calls_gen_params),
	KUNIT_CASE(slot),
	KUNIT_CASE(sums),
	{}
};

struct kunit_suite cpupr_call_suite = {
	.name = "cpuprecise-call",
	.init = call_init,
	.exit = call_exit,
	.test_cases = call_cases,
};
