// SPDX-License-Identifier: GPL-2.0-only
/*
 * The books close: in each row of 10,000 reads under load the categories add up
 * to elapsed as integers, no field ever goes back, the row of all CPUs is the
 * sum of the others, and elapsed is what CLOCK_MONOTONIC says.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kselftest.h"

#include "book.h"
#include "load.h"
#include "machine.h"

#define READS	10000

/*
 * The module itself compares the categories of each row that it prints with the
 * time since the row was opened, and counts what does not fit.
 */
static void check_self(void)
{
	static char text[65536];
	char *at = file_read(BOOK_DEBUGFS "self", text, sizeof(text)) ? strstr(text, "unbalanced=") : NULL;

	ksft_test_result(at && !strncmp(at, "unbalanced=0 ", 13), "self: %.14s\n", at ? at : "nothing");
}

int main(void)
{
	static struct book book[2];
	void (*const loads[])(void) = { load_pipes, load_forks, load_files, load_timers };
	pid_t load[ARRAY_SIZE(loads)];
	uint64_t start, widest = 0, worst = 0;
	const char *error = NULL;
	unsigned int i, r;

	book_require();
	ksft_print_header();
	ksft_set_plan(2);

	for (i = 0; i < ARRAY_SIZE(loads); i++)
		load[i] = load_start(loads[i], -1);
	start = monotonic_ns();
	for (i = 0; i < READS && !error; i++) {
		struct book *now = &book[i % 2], *last = &book[(i + 1) % 2];

		book_read(now);
		error = book_check(now);
		if (!error && i)
			error = book_check_after(last, now);
		if (!error)
			error = book_check_elapsed(now, NULL);
		if (now->after - now->before > widest)
			widest = now->after - now->before;
		for (r = 1; r < (unsigned int)now->rows; r++) {
			uint64_t wall = now->now - now->since, elapsed = now->row[r].ns[ELAPSED];
			uint64_t off = elapsed > wall ? elapsed - wall : wall - elapsed;

			if (off > worst)
				worst = off;
		}
	}
	ksft_print_msg("%u reads in %" PRIu64 " ms, the widest %" PRIu64 " us; elapsed - CLOCK_MONOTONIC: at most %"
		       PRIu64 " ns\n", i, (monotonic_ns() - start) / NSEC_PER_MSEC,
		       widest / NSEC_PER_USEC, worst);
	book_print(&book[(i + 1) % 2]);
	for (i = 0; i < ARRAY_SIZE(loads); i++)
		load_stop(load[i]);
	if (error)
		ksft_print_msg("%s\n", error);
	ksft_test_result(!error, "10,000 reads under load: closed, monotone, on time\n");
	check_self();
	ksft_finished();
}
