// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: idle states with the kernel's own types, arithmetic and memory.
 *
 * The stays are the tables that the host tests run too; random ones and the
 * slow model are the host's alone.
 */
#include <linux/slab.h>

#include "idle_vectors.h"
#include "suites.h"

static void miss_desc(const struct idle_miss_vector *v, char *desc)
{
	strscpy(desc, v->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(misses, idle_miss_vectors, miss_desc);

static void miss(struct kunit *test)
{
	const struct idle_miss_vector *v = test->param_value;

	KUNIT_EXPECT_EQ(test, idle_miss_run(v), v->want);
}

static void cost_desc(const struct idle_cost_vector *v, char *desc)
{
	strscpy(desc, v->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(costs, idle_cost_vectors, cost_desc);

static void cost(struct kunit *test)
{
	const struct idle_cost_vector *v = test->param_value;

	KUNIT_EXPECT_EQ(test, cpupr_idle_cost_pct(v->usage, v->exit_latency, v->elapsed), v->want);
}

static void stays_desc(const struct idle_vector *v, char *desc)
{
	strscpy(desc, v->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(stays, idle_vectors, stays_desc);

static void stay(struct kunit *test)
{
	const struct idle_vector *v = test->param_value;
	struct cpupr_idle_books *b = kunit_kzalloc(test, sizeof(*b), GFP_KERNEL);
	u64 got = 0;
	int step;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, b);
	step = idle_run(v, b, &got);
	if (step >= 0)
		KUNIT_EXPECT_EQ_MSG(test, got, v->step[step].want, "step %d", step);
}

static struct kunit_case idle_cases[] = {
	KUNIT_CASE_PARAM(miss, misses_gen_params),
	KUNIT_CASE_PARAM(cost, costs_gen_params),
	KUNIT_CASE_PARAM(stay, stays_gen_params),
	{}
};

struct kunit_suite cpupr_idle_suite = {
	.name = "cpuprecise-idle",
	.test_cases = idle_cases,
};
