// SPDX-License-Identifier: GPL-2.0-only
/*
 * A machine without a cpufreq driver: one row a CPU with all of its time, whose
 * frequency nobody tells: "-", or a measured mean, and never 0. And not a word in
 * the kernel log about it.
 */
#include <inttypes.h>
#include <stdio.h>

#include "kselftest.h"

#include "book.h"
#include "cpufreq.h"
#include "freqs.h"
#include "load.h"
#include "machine.h"
#include "module.h"
#include "traces.h"

#define READS	100
#define LOADS	100

static struct freqs a, b;

static bool all_unknown(const struct freqs *freqs)
{
	unsigned int i;

	for (i = 0; i < freqs->rows; i++)
		if (freqs->row[i].khz != FREQS_UNKNOWN)
			return false;
	return (int)freqs->rows == cpus_online();
}

/* One load and one read; how many lines of the module the log got. */
static unsigned int load_once(void)
{
	log_mark();
	module_load("");
	freqs_read_checked(&a, NULL);
	module_unload();
	return log_lines("cpuprecise");
}

int main(void)
{
	unsigned int i, unknown = 0, lines, least, most;
	pid_t load;

	module_require_unloaded();
	if (cpufreq_here(0))
		ksft_exit_skip("needs a machine without cpufreq\n");
	ksft_print_header();
	ksft_set_plan(5);

	/* The first load of all also taints the kernel, which says so. */
	load_once();
	module_load("");
	load = load_start(load_duty, -1);
	log_mark();
	freqs_read_checked(&a, NULL);
	b = a;
	for (i = 0; i < READS; i++) {
		freqs_follow(&b);
		unknown += all_unknown(&b);
		sleep_ns(5 * NSEC_PER_MSEC);
	}
	lines = log_lines("cpuprecise");
	load_stop(load);
	ksft_test_result(unknown == READS, "%u rows, all unknown, in %u reads of %d\n", b.rows, unknown,
			 READS);
	ksft_test_result(!lines, "%u lines in the log of %d reads\n", lines, READS);
	ksft_test_result(freqs_passes(freqs_check_clock(&a, &b)), "the scheduler's clock says the same\n");
	ksft_test_result(freqs_passes(freqs_check_books()), "elapsed and busy as in the books\n");
	module_unload();

	least = most = load_once();
	for (i = 1; i < LOADS; i++) {
		lines = load_once();
		least = lines < least ? lines : least;
		most = lines > most ? lines : most;
	}
	ksft_test_result(least == most, "%d loads: %u..%u lines in the log each\n", LOADS, least, most);
	ksft_finished();
}
