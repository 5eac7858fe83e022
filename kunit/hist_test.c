// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: buckets of histograms with the kernel's own types. The table is that
 * which the host test runs too.
 */
#include "hist_vectors.h"
#include "suites.h"

static void bucket(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(hist_vectors); i++)
		KUNIT_EXPECT_TRUE_MSG(test, hist_right(&hist_vectors[i]), "of %llu", hist_vectors[i].ns);
}

static struct kunit_case hist_cases[] = {
	KUNIT_CASE(bucket),
	{}
};

struct kunit_suite cpupr_hist_suite = {
	.name = "cpuprecise-hist",
	.test_cases = hist_cases,
};
