// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CPU that goes offline and comes back: its row stays, says so, stands still
 * in between and goes on where it stopped, no column of any row ever goes back,
 * and elapsed is the time online by CLOCK_MONOTONIC around each change.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "load.h"
#include "machine.h"

#define ONLINE	"/sys/devices/system/cpu/cpu1/online"
#define ROUNDS	20
#define STAY	(200 * NSEC_PER_MSEC)

static volatile bool done;
static char poll_error[512];
static unsigned int polls;

/* Looks all the time, while the CPU comes and goes. */
static void *poll(void *unused)
{
	static struct book book[2];
	const char *error = NULL;

	while (!done && !error) {
		struct book *now = &book[polls % 2], *last = &book[(polls + 1) % 2];

		book_read(now);
		error = book_check(now);
		if (!error && polls)
			error = book_check_after(last, now);
		polls++;
		sleep_ns(NSEC_PER_MSEC);
	}
	if (error)
		strncpy(poll_error, error, sizeof(poll_error) - 1);
	return NULL;
}

static void read_checked(struct book *book, const struct book *last)
{
	static struct book_text text;
	const char *error;

	book_take(&text);
	error = book_parse(book, &text);
	if (!error && last)
		error = book_check_after(last, book);
	if (error)
		ksft_exit_fail_msg("%s\n%s\n", error, text.text);
}

int main(void)
{
	/* Parsing is not for two threads at once: this one only looks while the other does not. */
	static struct book start, off, later, end;
	uint64_t least = 0, most = 0, on_before, on_after, elapsed, grown, grown_least, grown_most;
	unsigned int i, frozen = 0, named = 0;
	pthread_t poller;
	pid_t load;

	book_require();
	require_cpus(2);
	if (access(ONLINE, W_OK))
		ksft_exit_skip("CPU 1 cannot be taken offline here\n");
	ksft_print_header();
	ksft_set_plan(4);

	load = load_start(load_duty, -1);
	read_checked(&start, NULL);
	on_before = start.before;
	on_after = start.after;
	for (i = 0; i < ROUNDS; i++) {
		uint64_t before, after;

		done = false;
		if (pthread_create(&poller, NULL, poll, NULL))
			ksft_exit_fail_msg("no thread\n");
		sleep_ns(STAY);
		before = monotonic_ns();
		must_write(ONLINE, "0");
		after = monotonic_ns();
		least += before - on_after;
		most += after - on_before;
		done = true;
		pthread_join(poller, NULL);

		read_checked(&off, i ? &end : &start);
		sleep_ns(STAY / 4);
		read_checked(&later, &off);
		named += !book_cpu(&off, 1)->online && !book_cpu(&later, 1)->online;
		frozen += !memcmp(book_cpu(&off, 1)->ns, book_cpu(&later, 1)->ns,
				  sizeof(start.row[0].ns));

		done = false;
		if (pthread_create(&poller, NULL, poll, NULL))
			ksft_exit_fail_msg("no thread\n");
		sleep_ns(STAY / 4);
		on_before = monotonic_ns();
		must_write(ONLINE, "1");
		on_after = monotonic_ns();
		sleep_ns(STAY / 4);
		done = true;
		pthread_join(poller, NULL);
		read_checked(&end, &later);
		if (!book_cpu(&end, 1)->online)
			ksft_exit_fail_msg("CPU 1 is online, its row does not say so\n");
	}
	load_stop(load);
	elapsed = book_delta(&start, &end, 1, ELAPSED);
	grown_least = least + end.before - on_after;
	grown_most = most + end.after - on_before;
	grown = end.now - start.now;
	ksft_print_msg("%u reads while the CPU came and went\n", polls);

	if (poll_error[0])
		ksft_print_msg("%s\n", poll_error);
	ksft_test_result(!poll_error[0] && polls > ROUNDS, "closed and monotone in %u reads\n", polls);
	ksft_test_result(named == ROUNDS, "offline by its row %u times of %u\n", named, ROUNDS);
	ksft_test_result(frozen == ROUNDS, "stands still while offline %u times of %u\n", frozen, ROUNDS);
	ksft_test_result(elapsed + elapsed / 200 >= grown_least && elapsed <= grown_most + grown_most / 200,
			 "elapsed %" PRIu64 " us, online %" PRIu64 "..%" PRIu64 " us of %" PRIu64 " us\n",
			 elapsed / 1000, grown_least / 1000, grown_most / 1000, grown / 1000);
	ksft_finished();
}
