// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints "reads CPUS INSTRUCTIONS" a repeat: what one read of /proc/cpuprecise
 * costs with so many CPUs in it.
 */
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>

#include "reads.h"

#define REPEATS	7

int main(void)
{
	unsigned int ns = insn_ns(), cpus;
	cpu_set_t set;
	uint64_t took;
	int i;

	if (!ns) {
		fprintf(stderr, "reads: this is not the instruction-counting VM\n");
		return 1;
	}
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	sched_setaffinity(0, sizeof(set), &set);
	/* The first warms up. */
	for (i = 0; i <= REPEATS; i++) {
		took = reads_ns(&cpus);
		if (!took) {
			perror("reads: " READS_FILE);
			return 1;
		}
		if (i)
			printf("reads\t%u\t%" PRIu64 "\n", cpus, took / ns);
	}
	return 0;
}
