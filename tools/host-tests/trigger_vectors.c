// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: the literal triggers that it shares with the KUnit suite.
 */
#include "bare.h"
#include "ktap.h"
#include "trigger_vectors.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

static const char *line_wrong(const struct trigger_vector *v)
{
	char *text = bare(v->text, v->len);
	struct cpupr_trigger_spec s;
	const char *wrong = trigger_run(v, text, &s);

	free(text);
	return wrong;
}

static const char *dump_wrong(const struct trigger_vector *v)
{
	char *text = bare(v->text, v->len + 1);
	struct trigger_vector copy = *v;
	struct cpupr_trigger_spec s;
	const char *wrong;

	copy.text = text;
	wrong = trigger_dump_run(&copy, &s);
	free(text);
	return wrong;
}

static const char *removal_wrong(const struct trigger_vector *v)
{
	char *text = bare(v->text, v->len);
	const char *wrong = trigger_removal_run(v, text);

	free(text);
	return wrong;
}

static const char *text_wrong(const struct trigger_text *t)
{
	char *text = bare(t->text, t->len);
	bool ok = trigger_text_right(t, text);

	free(text);
	return ok ? NULL : "the lines";
}

static void result(const char *wrong, const char *what, const char *text, size_t len)
{
	char name[300], line[400];

	if (wrong)
		ktap_note("%s", wrong);
	printable(text, len, name, sizeof(name));
	snprintf(line, sizeof(line), "%s %s", what, name);
	ktap_result(!wrong, line);
}

static void results(const struct trigger_vector *v, unsigned int n, const char *what,
		    const char *(*run)(const struct trigger_vector *v))
{
	for (; n; n--, v++)
		result(run(v), what, v->text, v->len);
}

/* No line that is one of a trigger is one of a removal. */
static bool lines_are_no_removals(void)
{
	unsigned int i;

	for (i = 0; i < NR(trigger_vectors); i++)
		if (trigger_vectors[i].spec &&
		    cpupr_trigger_is_removal(trigger_vectors[i].text, trigger_vectors[i].len))
			return false;
	return !cpupr_trigger_is_removal("-", 0) && !cpupr_trigger_is_removal("   -", 3);
}

int main(void)
{
	unsigned int i;

	ktap_plan(NR(trigger_vectors) + NR(trigger_dumps) + NR(trigger_removals) +
		  NR(trigger_texts) + 2);
	results(trigger_vectors, NR(trigger_vectors), "line", line_wrong);
	results(trigger_dumps, NR(trigger_dumps), "dump", dump_wrong);
	results(trigger_removals, NR(trigger_removals), "removal", removal_wrong);
	for (i = 0; i < NR(trigger_texts); i++) {
		const struct trigger_text *t = &trigger_texts[i];

		result(text_wrong(t), "text", t->text, t->len);
	}
	ktap_result(lines_are_no_removals(), "lines are no removals");
	i = trigger_takes_run(NR(trigger_takes));
	if (i < NR(trigger_takes))
		ktap_note("number %u is wrong", i);
	ktap_result(i == NR(trigger_takes), "rates");
	return ktap_exit();
}
