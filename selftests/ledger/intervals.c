// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shares of an interval: read once a second under mixed load, the categories of
 * each CPU and each interval add up to what CLOCK_MONOTONIC says of it, within
 * 0.1 % and the width of the reads, and never to more than that.
 */
#include <inttypes.h>
#include <stdio.h>

#include "kselftest.h"

#include "book.h"
#include "load.h"
#include "machine.h"

#define INTERVALS	15

int main(void)
{
	static struct book book[INTERVALS + 1];
	void (*const loads[])(void) = { load_files, load_datagrams, load_duty, load_pipes };
	pid_t load[ARRAY_SIZE(loads)];
	unsigned int i, r, f;
	const char *error;

	book_require();
	ksft_print_header();
	ksft_set_plan(INTERVALS);

	for (i = 0; i < ARRAY_SIZE(loads); i++)
		load[i] = load_start(loads[i], -1);
	for (i = 0; i <= INTERVALS; i++) {
		if (i)
			sleep_ns(NSEC_PER_SEC);
		book_read(&book[i]);
	}
	for (i = 0; i < ARRAY_SIZE(loads); i++)
		load_stop(load[i]);

	for (i = 1; i <= INTERVALS; i++) {
		struct book *a = &book[i - 1], *b = &book[i];
		/* The most and the least that the interval can have been. */
		uint64_t most = b->after - a->before, least = b->before - a->after;

		error = book_check(b);
		if (!error)
			error = book_check_after(a, b);
		if (!error)
			error = book_check_elapsed(b, a);
		for (r = 1; !error && r < (unsigned int)b->rows; r++) {
			uint64_t sum = 0;

			for (f = USER; f <= STEAL; f++)
				sum += book_delta(a, b, b->row[r].cpu, f);
			if (sum > most + most / 1000 || sum < least - least / 1000)
				error = "the categories do not add up to the interval";
			ksft_print_msg("cpu%d: %" PRIu64 " ns in %" PRIu64 "..%" PRIu64
				       " ns, busy %" PRIu64 " ns\n", b->row[r].cpu, sum, least, most,
				       book_busy_delta(a, b, b->row[r].cpu));
		}
		if (error)
			ksft_print_msg("%s\n", error);
		ksft_test_result(!error, "interval %u\n", i);
	}
	ksft_finished();
}
