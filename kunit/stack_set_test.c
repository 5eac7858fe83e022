// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: stacks counted by content with the kernel's own types. The tests are those
 * which the host takes too.
 */
#include <linux/vmalloc.h>

#include "stack_set_vectors.h"
#include "suites.h"

static void vectors(struct kunit *test)
{
	struct stack_books *b = vzalloc(sizeof(*b));
	int i;

	KUNIT_ASSERT_TRUE(test, b);
	for (i = 0; i < ARRAY_SIZE(stack_vectors); i++)
		KUNIT_EXPECT_TRUE_MSG(test, stack_vectors[i].right(b), "%s", stack_vectors[i].name);
	vfree(b);
}

static struct kunit_case stack_set_cases[] = {
	KUNIT_CASE(vectors),
	{}
};

struct kunit_suite cpupr_stack_set_suite = {
	.name = "cpuprecise-stack-set",
	.test_cases = stack_set_cases,
};
