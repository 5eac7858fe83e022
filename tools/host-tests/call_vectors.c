// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: the literal timelines of system calls that it shares with the KUnit
 * suite.
 */
#include "ktap.h"
#include "call_vectors.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

static bool right(const struct machine_vector *v)
{
	static struct machine m;
	u64 got = 0;
	int step = machine_run(v, &m, &got);

	if (step < 0)
		return true;
	ktap_note("step %d: %llu, should be %llu", step, (unsigned long long)got,
		  (unsigned long long)v->step[step].want);
	return false;
}

static bool slots_right(void)
{
	bool ok = true;
	unsigned int i;

	for (i = 0; i < NR(call_slot_vectors); i++)
		ok &= call_slot_right(&call_slot_vectors[i]);
	return ok;
}

int main(void)
{
	static struct cpupr_call_row row[3];
	unsigned int i;

	ktap_plan(NR(call_vectors) + 2);
	for (i = 0; i < NR(call_vectors); i++)
		ktap_result(right(&call_vectors[i]), call_vectors[i].name);
	ktap_result(slots_right(), "slots");
	ktap_result(call_sums_right(row), "sums");
	return ktap_exit();
}
