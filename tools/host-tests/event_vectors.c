// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: the literal names of events that it shares with the KUnit suite.
 */
#include "bare.h"
#include "ktap.h"
#include "event_vectors.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

static bool name_right(const struct event_vector *v)
{
	char *text = bare(v->text, strlen(v->text));
	struct cpupr_event e;
	const char *wrong = event_run(v, text, &e);

	free(text);
	if (wrong)
		ktap_note("%s", wrong);
	return !wrong;
}

static bool pair_right(const struct event_pair *p)
{
	struct cpupr_event a, b;

	return event_pair_right(p, &a, &b);
}

static bool list_right(const struct event_list *l)
{
	char *text = bare(l->text, strlen(l->text));
	bool ok = event_list_right(l, text);

	free(text);
	return ok;
}

static void result(bool ok, const char *what, const char *text)
{
	char name[300], line[400];

	printable(text, strlen(text), name, sizeof(name));
	snprintf(line, sizeof(line), "%s %s", what, name);
	ktap_result(ok, line);
}

int main(void)
{
	unsigned int i;

	ktap_plan(NR(event_vectors) + NR(event_pairs) + NR(event_lists));
	for (i = 0; i < NR(event_vectors); i++)
		result(name_right(&event_vectors[i]), "name", event_vectors[i].text);
	for (i = 0; i < NR(event_pairs); i++)
		result(pair_right(&event_pairs[i]), "pair", event_pairs[i].b);
	for (i = 0; i < NR(event_lists); i++)
		result(list_right(&event_lists[i]), "list", event_lists[i].text);
	return ktap_exit();
}
