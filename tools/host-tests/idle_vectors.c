// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: the literal stays in idle states that it shares with the KUnit
 * suite.
 */
#include "ktap.h"
#include "idle_vectors.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

static bool is(u64 got, u64 want)
{
	if (got != want)
		ktap_note("%llu, should be %llu", (unsigned long long)got, (unsigned long long)want);
	return got == want;
}

static bool miss_right(const struct idle_miss_vector *v)
{
	int got = idle_miss_run(v);

	if (got != v->want)
		ktap_note("%d, should be %d", got, v->want);
	return got == v->want;
}

static bool stays_right(const struct idle_vector *v)
{
	static struct cpupr_idle_books b;
	u64 got = 0;
	int step = idle_run(v, &b, &got);

	if (step < 0)
		return true;
	ktap_note("step %d:", step);
	return is(got, v->step[step].want);
}

int main(void)
{
	unsigned int i;

	ktap_plan(NR(idle_miss_vectors) + NR(idle_cost_vectors) + NR(idle_vectors));
	for (i = 0; i < NR(idle_miss_vectors); i++)
		ktap_result(miss_right(&idle_miss_vectors[i]), idle_miss_vectors[i].name);
	for (i = 0; i < NR(idle_cost_vectors); i++) {
		const struct idle_cost_vector *v = &idle_cost_vectors[i];

		ktap_result(is(cpupr_idle_cost_pct(v->usage, v->exit_latency, v->elapsed), v->want),
			    v->name);
	}
	for (i = 0; i < NR(idle_vectors); i++)
		ktap_result(stays_right(&idle_vectors[i]), idle_vectors[i].name);
	return ktap_exit();
}
