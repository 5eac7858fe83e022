// SPDX-License-Identifier: GPL-2.0-only
/*
 * A task that never gives up its CPU is booked while it runs: every half second
 * the CPU's busy time has grown by what the thread's own clock has, and never
 * by nothing, with no catching up later.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>

#include "kselftest.h"

#include "book.h"
#include "load.h"
#include "machine.h"

#define READS		14
#define INTERVAL	(500 * NSEC_PER_MSEC)

static void *burn(void *cpu)
{
	pin(*(int *)cpu);
	load_burn();
	return NULL;
}

int main(void)
{
	static struct book book[READS + 1];
	uint64_t before[READS + 1], after[READS + 1];
	pthread_t thread;
	clockid_t clock;
	int i, cpu = 1;

	book_require();
	require_cpus(2);
	ksft_print_header();
	ksft_set_plan(READS);

	pin(0);
	if (pthread_create(&thread, NULL, burn, &cpu))
		ksft_exit_fail_msg("no thread\n");
	clock = pthread_clock(thread);
	sleep_ns(INTERVAL);
	for (i = 0; i <= READS; i++) {
		if (i)
			sleep_ns(INTERVAL);
		/* The clock lies around the read: how wide, is part of the comparison. */
		before[i] = clock_ns(clock);
		book_read(&book[i]);
		after[i] = clock_ns(clock);
	}
	for (i = 1; i <= READS; i++) {
		uint64_t busy = book_busy_delta(&book[i - 1], &book[i], cpu);
		uint64_t least = before[i] - after[i - 1], most = after[i] - before[i - 1];
		uint64_t within = tolerance(most);

		ksft_test_result(busy && busy + within >= least && busy <= most + within,
				 "cpu%d busy %" PRIu64 " us, the thread's clock %" PRIu64 "..%" PRIu64
				 " us, within %" PRIu64 " us\n", cpu, busy / NSEC_PER_USEC,
				 least / NSEC_PER_USEC, most / NSEC_PER_USEC, within / NSEC_PER_USEC);
	}
	ksft_finished();
}
