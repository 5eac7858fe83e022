// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: triggers with the kernel's own numbers, strings and memory.
 *
 * The lines are the tables that the host tests run too; random ones are the
 * host's alone.
 */
#include "suites.h"
#include "trigger_vectors.h"

static void line_desc(const struct trigger_vector *v, char *desc)
{
	printable(v->text, v->len, desc, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(lines, trigger_vectors, line_desc);
KUNIT_ARRAY_PARAM(dumps, trigger_dumps, line_desc);
KUNIT_ARRAY_PARAM(removals, trigger_removals, line_desc);

static struct cpupr_trigger_spec *spec(struct kunit *test)
{
	struct cpupr_trigger_spec *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, s);
	return s;
}

static void right(struct kunit *test, const char *wrong)
{
	if (wrong)
		KUNIT_FAIL(test, "%s", wrong);
}

static void line(struct kunit *test)
{
	const struct trigger_vector *v = test->param_value;

	right(test, trigger_run(v, cpupr_kunit_bare(test, v->text, v->len), spec(test)));
}

static void dump(struct kunit *test)
{
	right(test, trigger_dump_run(test->param_value, spec(test)));
}

static void removal(struct kunit *test)
{
	const struct trigger_vector *v = test->param_value;

	right(test, trigger_removal_run(v, cpupr_kunit_bare(test, v->text, v->len)));
}

static void text(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(trigger_texts); i++) {
		const struct trigger_text *t = &trigger_texts[i];
		char *copy = cpupr_kunit_bare(test, t->text, t->len);

		KUNIT_EXPECT_TRUE_MSG(test, trigger_text_right(t, copy), "number %d", i);
	}
}

static void rate(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, trigger_takes_run(ARRAY_SIZE(trigger_takes)), ARRAY_SIZE(trigger_takes));
}

static struct kunit_case trigger_cases[] = {
	KUNIT_CASE_PARAM(line, lines_gen_params),
	KUNIT_CASE_PARAM(dump, dumps_gen_params),
	KUNIT_CASE_PARAM(removal, removals_gen_params),
	KUNIT_CASE(text),
	KUNIT_CASE(rate),
	{}
};

struct kunit_suite cpupr_trigger_suite = {
	.name = "cpuprecise-trigger",
	.test_cases = trigger_cases,
};
