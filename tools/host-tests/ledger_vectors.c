// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: the literal histories that it shares with the KUnit suite.
 */
#include "ktap.h"
#include "ledger_vectors.h"

#define NR_LEDGER_VECTORS	(sizeof(ledger_vectors) / sizeof(ledger_vectors[0]))

static bool right(const struct vector *v)
{
	struct cpupr_ledger l;
	u64 elapsed = 0;
	int open, i;
	bool ok;

	open = vector_run(v, &l);
	ok = open < 0;
	if (!ok)
		ktap_note("not closed after step %d", open);
	for (i = 0; i < CPUPR_NR_CATEGORIES; i++) {
		elapsed += v->want[i];
		if (l.time[i] == v->want[i])
			continue;
		ktap_note("category %d: %llu, should be %llu", i,
			  (unsigned long long)l.time[i], (unsigned long long)v->want[i]);
		ok = false;
	}
	for (i = 0; i < CPUPR_NR_GUEST; i++) {
		if (l.guest[i] == v->guest[i])
			continue;
		ktap_note("guests, category %d: %llu, should be %llu", i,
			  (unsigned long long)l.guest[i], (unsigned long long)v->guest[i]);
		ok = false;
	}
	if (cpupr_ledger_elapsed(&l) != elapsed) {
		ktap_note("elapsed: %llu, should be %llu",
			  (unsigned long long)cpupr_ledger_elapsed(&l),
			  (unsigned long long)elapsed);
		ok = false;
	}
	if (l.backsteps != v->backsteps) {
		ktap_note("backsteps: %llu, should be %llu",
			  (unsigned long long)l.backsteps, (unsigned long long)v->backsteps);
		ok = false;
	}
	return ok;
}

int main(void)
{
	unsigned int i;

	ktap_plan(NR_LEDGER_VECTORS);
	for (i = 0; i < NR_LEDGER_VECTORS; i++)
		ktap_result(right(&ledger_vectors[i]), ledger_vectors[i].name);
	return ktap_exit();
}
