// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs workloads and prints what they took, a line a repeat:
 *
 *	workloads [NAME...]
 *	NAME <TAB> EVENTS <TAB> INSTRUCTIONS <TAB> SELF
 *
 * SELF is what the module says that its hooks took for as many events, 0 without it.
 */
#include <inttypes.h>
#include <stdio.h>

#include "workload.h"

#define REPEATS	5

int main(int argc, char **argv)
{
	static char buffer[65536];
	const struct workload *w;
	int i, arg;

	/* Nothing goes out to a device before all is measured. */
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	for (arg = 1; arg < argc; arg++)
		if (!workload_find(argv[arg])) {
			fprintf(stderr, "no workload '%s'\n", argv[arg]);
			return 2;
		}
	workload_prepare();
	for (w = workloads; w->name; w++) {
		for (arg = 1; arg < argc && workload_find(argv[arg]) != w; arg++)
			;
		if (argc > 1 && arg == argc)
			continue;
		workload_repeat(w);	/* a warm-up */
		for (i = 0; i < REPEATS; i++) {
			struct workload_self self = workload_self(w);
			uint64_t took = workload_repeat(w);

			printf("%s\t%u\t%" PRIu64 "\t%.0f\n", w->name, w->events, took,
			       w->events * workload_self_event(w, 1, self, workload_self(w)));
		}
	}
	return 0;
}
