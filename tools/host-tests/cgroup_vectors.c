// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: the slices of control groups that it shares with the KUnit suite.
 */
#include "ktap.h"
#include "cgroup_vectors.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

int main(void)
{
	static struct cpupr_cgroup_books slices, full, halved;
	static struct cpupr_ledger ledger, other;
	unsigned int i;

	ktap_plan(NR(cgroup_steps) + 2);
	for (i = 0; i < NR(cgroup_steps); i++)
		ktap_result(cgroup_right(&slices, &ledger, i), cgroup_steps[i].name);
	ktap_result(cgroup_full_right(&full), "more groups than rows");
	ktap_result(cgroup_rescale_right(&halved, &other), "another clock");
	return ktap_exit();
}
