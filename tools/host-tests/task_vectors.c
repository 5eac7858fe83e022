// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: the literal timelines of tasks and lives of their records that it
 * shares with the KUnit suite.
 */
#include "ktap.h"
#include "task_vectors.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

static bool right(int step, u64 got, u64 want)
{
	if (step >= 0)
		ktap_note("step %d: %llu, should be %llu", step, (unsigned long long)got,
			  (unsigned long long)want);
	return step < 0;
}

static bool time_right(const struct machine_vector *v)
{
	static struct machine m;
	u64 got = 0;
	int step = machine_run(v, &m, &got);

	return right(step, got, step < 0 ? 0 : v->step[step].want);
}

static bool table_right(const struct table_vector *v)
{
	static struct table_rig r;
	u64 got = 0;
	int step = table_run(v, &r, &got);

	return right(step, got, step < 0 ? 0 : v->step[step].want);
}

static bool hashes_right(void)
{
	bool ok = true;
	unsigned int i;

	for (i = 0; i < NR(task_hash_vectors); i++)
		ok &= task_hash_right(&task_hash_vectors[i]);
	return ok;
}

int main(void)
{
	unsigned int i;

	ktap_plan(NR(task_time_vectors) + NR(task_table_vectors) + 2);
	for (i = 0; i < NR(task_time_vectors); i++)
		ktap_result(time_right(&task_time_vectors[i]), task_time_vectors[i].name);
	for (i = 0; i < NR(task_table_vectors); i++)
		ktap_result(table_right(&task_table_vectors[i]), task_table_vectors[i].name);
	ktap_result(hashes_right(), "chains of addresses");
	ktap_result(task_sums_right(), "sums");
	return ktap_exit();
}
