// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module costs no more than its goals (tools/bench/goals.h), in instructions
 * an event: the workloads of `make bench` without the module, with it, and without
 * it again.
 */
#include <stdio.h>
#include <string.h>

#include "kselftest.h"

#include "machine.h"
#include "module.h"
#include "workload.h"

#define REPEATS	3	/* the first is a warm-up */

static const struct goal {
	const char *tool;
	const char *workload;
	double most;
	const char *what;
} goals[] = {
#define GOAL(tool, workload, most, what)	{ #tool, #workload, most, what },
#include "goals.h"
#undef GOAL
};

#define GOALS	(sizeof(goals) / sizeof(goals[0]))

/*
 * Instructions an event, of the workload of each goal of a tool, or of all, and what
 * the module says that its hooks took of them.
 */
static void measure(const char *tool, double *cost, double *self)
{
	unsigned int i, repeat;

	for (i = 0; i < GOALS; i++) {
		const struct workload *w = workload_find(goals[i].workload);
		uint64_t took, least = UINT64_MAX;
		struct workload_self from = workload_self(w);

		if (tool && strcmp(goals[i].tool, tool))
			continue;
		for (repeat = 0; repeat < REPEATS; repeat++) {
			took = workload_repeat(w);
			if (repeat && took < least)
				least = took;
		}
		self[i] = workload_self_event(w, REPEATS, from, workload_self(w));
		cost[i] = (double)least / w->events;
	}
}

static double of(const double *cost, const char *tool, const char *workload)
{
	unsigned int i;

	for (i = 0; strcmp(goals[i].tool, tool) || strcmp(goals[i].workload, workload); i++)
		;
	return cost[i];
}

int main(void)
{
	double before[GOALS], with[GOALS], floor[GOALS], after[GOALS], over[GOALS];
	double self[GOALS], none[GOALS];
	unsigned int i, hooked = 0;
	bool same = true;

	setvbuf(stdout, NULL, _IOLBF, 0);
	require_icount();
	module_require_unloaded();
	if (!module_beside("bench_load") || !module_beside("bench_floor"))
		ksft_exit_skip("no bench_*.ko beside the module: build with BENCH=1\n");
	ksft_print_header();
	/* A kernel has work of its own in the first seconds. */
	sleep_ns(10 * NSEC_PER_SEC);
	workload_prepare();
	module_beside_load("bench_load", "");
	/* What it takes and gives back leaves the kernel's free pages in another order. */
	module_load("");
	module_unload();
	measure(NULL, before, none);
	module_load("collectors=" BOOKS);
	measure("books", with, self);
	module_unload();
	module_load("");
	measure("default", with, self);
	module_unload();
	module_beside_load("bench_floor", "");
	measure(NULL, floor, none);
	module_beside_unload("bench_floor");
	measure(NULL, after, none);
	module_beside_unload("bench_load");

	for (i = 0; i < GOALS; i++)
		hooked += with[i] > floor[i];
	ksft_set_plan(1 + GOALS + hooked);
	for (i = 0; i < GOALS; i++) {
		double least = before[i] < after[i] ? before[i] : after[i];

		over[i] = with[i] - least;
		ksft_print_msg("%s: %.1f without the module, %.1f with %s, %.1f without\n",
			       goals[i].workload, before[i], with[i], goals[i].tool, after[i]);
		same = same && before[i] < least * 1.01 && after[i] < least * 1.01;
	}
	ksft_test_result(same, "without the module: the same before and after, within 1 %%\n");
	for (i = 0; i < GOALS; i++) {
		double cost = over[i];

		if (!strcmp(goals[i].workload, "yield"))
			cost -= of(over, goals[i].tool, "syscall");
		/* Half an instruction: what surrounds a batch does not go into its events. */
		ksft_test_result(cost < goals[i].most + 0.5, "%s: %.1f instructions, at most %.0f\n",
				 goals[i].what, cost, goals[i].most);
	}
	/*
	 * What is the module's own is beyond what empty probes on the same hooks
	 * cost; self is an estimate.
	 */
	for (i = 0; i < GOALS; i++) {
		double own = with[i] - floor[i];

		if (with[i] > floor[i])
			ksft_test_result(self[i] > own * 0.75 && self[i] < own * 1.25,
					 "%s, %s: %.1f of the module's own, and self says %.1f\n",
					 goals[i].tool, goals[i].workload, own, self[i]);
	}
	ksft_finished();
}
