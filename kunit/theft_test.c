// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: whom interrupts take time of, with the kernel's own types. The tests are
 * those which the host takes too.
 */
#include <linux/vmalloc.h>

#include "suites.h"
#include "theft_vectors.h"

static void vectors(struct kunit *test)
{
	struct theft_books *b = vmalloc(sizeof(*b));
	int i;

	KUNIT_ASSERT_TRUE(test, b);
	for (i = 0; i < ARRAY_SIZE(theft_vectors); i++)
		KUNIT_EXPECT_TRUE_MSG(test, theft_right(&theft_vectors[i], b), "%s",
				      theft_vectors[i].name);
	vfree(b);
}

static struct kunit_case theft_cases[] = {
	KUNIT_CASE(vectors),
	{}
};

struct kunit_suite cpupr_theft_suite = {
	.name = "cpuprecise-theft",
	.test_cases = theft_cases,
};
