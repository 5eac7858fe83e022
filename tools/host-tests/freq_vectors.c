// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: the literal frequencies, counters and cycles that it shares with
 * the KUnit suite.
 */
#include "ktap.h"
#include "freq_vectors.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

static void note(u64 got, u64 want)
{
	ktap_note("%llu, should be %llu", (unsigned long long)got, (unsigned long long)want);
}

static bool math_right(const struct freq_math_vector *v)
{
	u64 got;

	if (freq_math_run(v, &got))
		return true;
	note(got, v->want);
	return false;
}

static bool share_right(const struct freq_share_vector *v)
{
	u64 got = 0;
	int wrong = freq_share_run(v, &got);

	if (wrong < 0)
		return true;
	ktap_note("part %d:", wrong);
	note(got, v->want[wrong]);
	return false;
}

static bool sums_right(const struct freq_vector *v)
{
	static struct cpupr_freqs f;
	u64 got = 0;
	int step = freq_run(v, &f, &got);

	if (step < 0)
		return true;
	ktap_note("step %d:", step);
	note(got, v->step[step].b);
	return false;
}

int main(void)
{
	unsigned int i;

	ktap_plan(NR(freq_math_vectors) + NR(freq_share_vectors) + NR(freq_vectors));
	for (i = 0; i < NR(freq_math_vectors); i++)
		ktap_result(math_right(&freq_math_vectors[i]), freq_math_vectors[i].name);
	for (i = 0; i < NR(freq_share_vectors); i++)
		ktap_result(share_right(&freq_share_vectors[i]), freq_share_vectors[i].name);
	for (i = 0; i < NR(freq_vectors); i++)
		ktap_result(sums_right(&freq_vectors[i]), freq_vectors[i].name);
	return ktap_exit();
}
