// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: frequencies with the kernel's own types, arithmetic and memory.
 *
 * The tables are those that the host tests run too; random ones and the slow
 * model are the host's alone.
 */
#include <linux/slab.h>

#include "freq_vectors.h"
#include "suites.h"

static void math_desc(const struct freq_math_vector *v, char *desc)
{
	strscpy(desc, v->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(maths, freq_math_vectors, math_desc);

static void math(struct kunit *test)
{
	const struct freq_math_vector *v = test->param_value;
	u64 got;

	KUNIT_EXPECT_TRUE_MSG(test, freq_math_run(v, &got), "%llu, should be %llu", got, v->want);
}

static void share_desc(const struct freq_share_vector *v, char *desc)
{
	strscpy(desc, v->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(shares, freq_share_vectors, share_desc);

static void share(struct kunit *test)
{
	const struct freq_share_vector *v = test->param_value;
	u64 got = 0;
	int wrong = freq_share_run(v, &got);

	if (wrong >= 0)
		KUNIT_EXPECT_EQ_MSG(test, got, v->want[wrong], "part %d", wrong);
}

static void sums_desc(const struct freq_vector *v, char *desc)
{
	strscpy(desc, v->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(sums, freq_vectors, sums_desc);

static void sum(struct kunit *test)
{
	const struct freq_vector *v = test->param_value;
	struct cpupr_freqs *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	u64 got = 0;
	int step;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, f);
	step = freq_run(v, f, &got);
	if (step >= 0)
		KUNIT_EXPECT_EQ_MSG(test, got, v->step[step].b, "step %d", step);
}

static struct kunit_case freq_cases[] = {
	KUNIT_CASE_PARAM(math, maths_gen_params),
	KUNIT_CASE_PARAM(share, shares_gen_params),
	KUNIT_CASE_PARAM(sum, sums_gen_params),
	{}
};

struct kunit_suite cpupr_freq_suite = {
	.name = "cpuprecise-freq",
	.test_cases = freq_cases,
};
