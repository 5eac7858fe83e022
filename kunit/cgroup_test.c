// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: slices of control groups with the kernel's own types. The steps are those
 * which the host test takes too.
 */
#include <linux/slab.h>

#include "cgroup_vectors.h"
#include "suites.h"

static void slices(struct kunit *test)
{
	struct cpupr_cgroup_books *b = kunit_kzalloc(test, sizeof(*b), GFP_KERNEL);
	struct cpupr_ledger *l = kunit_kzalloc(test, sizeof(*l), GFP_KERNEL);
	int i;

	KUNIT_ASSERT_TRUE(test, b && l);
	for (i = 0; i < ARRAY_SIZE(cgroup_steps); i++)
		KUNIT_EXPECT_TRUE_MSG(test, cgroup_right(b, l, i), "%s", cgroup_steps[i].name);
}

static void full(struct kunit *test)
{
	struct cpupr_cgroup_books *b = kunit_kzalloc(test, sizeof(*b), GFP_KERNEL);

	KUNIT_ASSERT_TRUE(test, b);
	KUNIT_EXPECT_TRUE(test, cgroup_full_right(b));
}

static void rescale(struct kunit *test)
{
	struct cpupr_cgroup_books *b = kunit_kzalloc(test, sizeof(*b), GFP_KERNEL);
	struct cpupr_ledger *l = kunit_kzalloc(test, sizeof(*l), GFP_KERNEL);

	KUNIT_ASSERT_TRUE(test, b && l);
	KUNIT_EXPECT_TRUE(test, cgroup_rescale_right(b, l));
}

static struct kunit_case cgroup_cases[] = {
	KUNIT_CASE(slices),
	KUNIT_CASE(full),
	KUNIT_CASE(rescale),
	{}
};

struct kunit_suite cpupr_cgroup_suite = {
	.name = "cpuprecise-cgroup",
	.test_cases = cgroup_cases,
};
