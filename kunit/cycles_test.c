// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: cycles by category with the kernel's own types and memory. The table is
 * that which the host test runs too.
 */
#include "cycles_vectors.h"
#include "suites.h"

static void books_desc(const struct cycles_vector *v, char *desc)
{
	strscpy(desc, v->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(books, cycles_vectors, books_desc);

static void book(struct kunit *test)
{
	const struct cycles_vector *v = test->param_value;
	struct cpupr_cycles c;
	u64 got = 0;
	int step = cycles_run(v, &c, &got);

	KUNIT_EXPECT_EQ_MSG(test, step, -1, "%llu, should be %llu", got, v->step[max(step, 0)].a);
}

static struct kunit_case cycles_cases[] = {
	KUNIT_CASE_PARAM(book, books_gen_params),
	{}
};

struct kunit_suite cpupr_cycles_suite = {
	.name = "cpuprecise-cycles",
	.test_cases = cycles_cases,
};
