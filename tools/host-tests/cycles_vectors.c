// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: the literal looks at counters that it shares with the KUnit suite.
 */
#include "ktap.h"
#include "cycles_vectors.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

static bool right(const struct cycles_vector *v)
{
	struct cpupr_cycles c;
	u64 got = 0;
	int step = cycles_run(v, &c, &got);

	if (step < 0)
		return true;
	ktap_note("step %d: %llu, should be %llu", step, (unsigned long long)got,
		  (unsigned long long)v->step[step].a);
	return false;
}

int main(void)
{
	unsigned int i;

	ktap_plan(NR(cycles_vectors));
	for (i = 0; i < NR(cycles_vectors); i++)
		ktap_result(right(&cycles_vectors[i]), cycles_vectors[i].name);
	return ktap_exit();
}
