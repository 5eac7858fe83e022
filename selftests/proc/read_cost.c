// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a read costs: so many instructions, and so many more for each CPU. With
 * few CPUs and with many, in a boot each, that holds only if it is linear.
 */
#include <inttypes.h>

#include "kselftest.h"

#include "book.h"
#include "machine.h"
#include "reads.h"

#define REPEATS		5
#define PER_READ	16700	/* measured, of either kernel the larger */
#define PER_CPU		2530
#define MARGIN		10	/* % */

int main(void)
{
	uint64_t insns, least = UINT64_MAX, most;
	unsigned int cpus;
	int i;

	book_require();
	if (!icount_ns())
		ksft_exit_skip("needs the instruction-counting VM\n");
	ksft_print_header();
	ksft_set_plan(2);
	pin(0);
	for (i = 0; i < REPEATS; i++) {
		insns = reads_ns(&cpus) / icount_ns();
		if (!insns)
			ksft_exit_fail_msg("cannot read %s\n", READS_FILE);
		least = insns < least ? insns : least;
	}
	most = (PER_READ + (uint64_t)PER_CPU * cpus) * (100 + MARGIN) / 100;
	ksft_test_result((int)cpus == cpus_online(), "%u rows of %d CPUs\n", cpus, cpus_online());
	ksft_test_result(least <= most, "%" PRIu64 " instructions, at most %" PRIu64 "\n", least, most);
	ksft_finished();
}
