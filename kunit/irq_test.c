// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: interrupts by name with the kernel's own types, arithmetic and memory.
 *
 * The timelines are the table that the host tests run too; random ones are the
 * host's alone.
 */
#include <linux/mm.h>
#include <linux/slab.h>

#include "irq_vectors.h"
#include "suites.h"

static int begin(struct kunit *test)
{
	test->priv = kvzalloc(sizeof(struct irq_machine), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

static void end(struct kunit *test)
{
	kvfree(test->priv);
}

static void vectors_desc(const struct irq_vector *v, char *desc)
{
	strscpy(desc, v->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(vectors, irq_vectors, vectors_desc);

static void timeline(struct kunit *test)
{
	const struct irq_vector *v = test->param_value;
	u64 got = 0;
	int step = irq_run(v, test->priv, &got);

	if (step >= 0)
		KUNIT_EXPECT_EQ_MSG(test, got, v->step[step].want, "step %d", step);
}

static void rows(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(irq_cases); i++)
		KUNIT_EXPECT_TRUE_MSG(test, irq_cases[i].right(test->priv), "%s", irq_cases[i].name);
}

static void parts(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(irq_parts); i++)
		KUNIT_EXPECT_TRUE_MSG(test, irq_parts_right(&irq_parts[i]), "%s", irq_parts[i].name);
}

static struct kunit_case irq_suite_cases[] = {
	KUNIT_CASE_PARAM(timeline, vectors_gen_params),
	KUNIT_CASE(rows),
	KUNIT_CASE(parts),
	{}
};

struct kunit_suite cpupr_irq_suite = {
	.name = "cpuprecise-irq",
	.init = begin,
	.exit = end,
	.test_cases = irq_suite_cases,
};
