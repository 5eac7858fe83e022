// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading changes nothing: two readers at full speed for five seconds see
 * closed and monotone books and no percentage out of bounds, however short the
 * interval since the read before, and the time of an observed CPU goes on as
 * CLOCK_MONOTONIC does.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "load.h"
#include "machine.h"

#define SECONDS	5

struct result {
	uint64_t reads;
	uint64_t shortest;
	char error[512];
};

static void watch(struct result *result, uint64_t end)
{
	static struct book book[2];
	const char *error = NULL;
	unsigned int i = 0;

	result->shortest = UINT64_MAX;
	do {
		struct book *now = &book[i % 2], *last = &book[(i + 1) % 2];

		book_read(now);
		error = book_check(now);
		if (!error)
			error = book_check_elapsed(now, NULL);
		if (!error && i) {
			error = book_check_after(last, now);
			if (now->now - last->now < result->shortest)
				result->shortest = now->now - last->now;
		}
		i++;
	} while (!error && monotonic_ns() < end);
	result->reads = i;
	if (error)
		strncpy(result->error, error, sizeof(result->error) - 1);
}

int main(void)
{
	static struct book first, last;
	struct result *result;
	const char *error;
	pid_t load, reader;
	uint64_t end;
	int i;

	book_require();
	ksft_print_header();
	ksft_set_plan(3);
	result = mmap(NULL, 2 * sizeof(*result), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (result == MAP_FAILED)
		ksft_exit_fail_msg("mmap\n");

	load = load_start(load_duty, -1);
	book_read(&first);
	end = monotonic_ns() + SECONDS * NSEC_PER_SEC;
	fflush(stdout);
	reader = fork();
	if (reader == 0) {
		watch(&result[1], end);
		_exit(0);
	}
	watch(&result[0], end);
	waitpid(reader, &i, 0);
	book_read(&last);
	load_stop(load);

	for (i = 0; i < 2; i++) {
		if (result[i].error[0])
			ksft_print_msg("%s\n", result[i].error);
		ksft_test_result(!result[i].error[0] && result[i].reads > 1,
				 "reader %d: %" PRIu64 " reads, the closest two %" PRIu64 " ns apart\n",
				 i, result[i].reads, result[i].shortest);
	}
	error = book_check_elapsed(&last, &first);
	if (error)
		ksft_print_msg("%s\n", error);
	ksft_test_result(!error, "elapsed is CLOCK_MONOTONIC while two readers poll\n");
	ksft_finished();
}
