// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: names of events with the kernel's own numbers, strings and memory.
 *
 * The names are the tables that the host tests run too; random ones are the
 * host's alone.
 */
#include <linux/slab.h>

#include "event_vectors.h"
#include "suites.h"

static void name_desc(const struct event_vector *v, char *desc)
{
	printable(v->text, strlen(v->text), desc, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(names, event_vectors, name_desc);

static void name(struct kunit *test)
{
	const struct event_vector *v = test->param_value;
	struct cpupr_event *e = kunit_kzalloc(test, sizeof(*e), GFP_KERNEL);
	const char *wrong;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, e);
	wrong = event_run(v, cpupr_kunit_bare(test, v->text, strlen(v->text)), e);
	if (wrong)
		KUNIT_FAIL(test, "%s", wrong);
}

static void pair(struct kunit *test)
{
	struct cpupr_event *e = kunit_kcalloc(test, 2, sizeof(*e), GFP_KERNEL);
	int i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, e);
	for (i = 0; i < ARRAY_SIZE(event_pairs); i++)
		KUNIT_EXPECT_TRUE_MSG(test, event_pair_right(&event_pairs[i], &e[0], &e[1]),
				      "%s and %s", event_pairs[i].a, event_pairs[i].b);
}

static void list(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(event_lists); i++) {
		const struct event_list *l = &event_lists[i];
		char *copy = cpupr_kunit_bare(test, l->text, strlen(l->text));

		KUNIT_EXPECT_TRUE_MSG(test, event_list_right(l, copy), "number %d", i);
	}
}

static struct kunit_case event_cases[] = {
	KUNIT_CASE_PARAM(name, names_gen_params),
	KUNIT_CASE(pair),
	KUNIT_CASE(list),
	{}
};

struct kunit_suite cpupr_event_suite = {
	.name = "cpuprecise-event",
	.test_cases = event_cases,
};
