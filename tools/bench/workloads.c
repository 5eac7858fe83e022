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
			uint64_t self = workload_self_ns(), took = workload_repeat(w);

			printf("%s\t%u\t%" PRIu64 "\t%" PRIu64 "\n", w->name, w->events, took,
			       (workload_self_ns() - self) / w->batches);
		}
	}
	return 0;
}
