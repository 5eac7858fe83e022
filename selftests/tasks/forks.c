// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hundreds of thousands of processes come and go: the rows still add up to the
 * CPUs' time, and no memory stays with those that are gone.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest.h"

#include "machine.h"
#include "memory.h"
#include "tasks_books.h"

/* In all, after so many forks: what was there before is warmed up after the second. */
static const unsigned int stages[] = { 10, 20000, 100000, 300000 };

/* A slow machine does as many as it can, and says so. */
#define SECONDS	340

/* No record is as small as that, and no machine as quiet. */
#define FLAT_PER_FORK	UINT64_C(16)

static struct tasks_books books;
static unsigned int forks;

struct memory {
	uint64_t available, slab, vmalloc;
};

static struct memory memory(void)
{
	/* What waits for a grace period is on its way. */
	sleep_ns(2 * NSEC_PER_SEC);
	return (struct memory) {
		.available = memory_available_kb(),
		.slab = memory_kb("Slab"),
		.vmalloc = memory_kb("VmallocUsed"),
	};
}

/* Until there have been so many, or the time is over. */
static void fork_until(unsigned int count, uint64_t deadline)
{
	for (; forks < count; forks++) {
		pid_t pid = vfork();

		if (pid == 0)
			_exit(0);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			ksft_exit_fail_msg("fork %u failed\n", forks);
		if (forks % 64 == 0 && monotonic_ns() > deadline)
			break;
	}
}

static void check_books(void)
{
	const char *error;

	tasks_books_read(&books, TASKS);
	error = tasks_books_check(&books, NULL);
	if (error)
		ksft_print_msg("%s\n", error);
	ksft_test_result(!error, "the rows add up after %u forks: %" PRIu64 " ms, of which exited has %" PRIu64
			 " ms\n", forks, tasks_sum(&books.tasks, TASKS_RUN) / NSEC_PER_MSEC,
			 tasks_row(&books.tasks, TASKS_EXITED)->value[TASKS_RUN] / NSEC_PER_MSEC);
}

/* In kB: at most so much more, of which nothing can be per fork. */
static void check_flat(const char *name, uint64_t less, uint64_t more, unsigned int count)
{
	uint64_t grown = more > less ? more - less : 0, most = count * FLAT_PER_FORK / 1024;

	ksft_test_result(grown <= most, "%s: %" PRIu64 " kB taken by %u forks, at most %" PRIu64 " kB\n",
			 name, grown, count, most);
}

int main(void)
{
	uint64_t start, deadline;
	struct memory warm = { 0 }, end;
	unsigned int i, warm_forks = 0;

	tasks_require();
	ksft_print_header();
	ksft_set_plan(ARRAY_SIZE(stages) + 4);
	must_write(BOOK_DEBUGFS "reset", "1");
	start = monotonic_ns();
	deadline = start + SECONDS * NSEC_PER_SEC;
	for (i = 0; i < ARRAY_SIZE(stages); i++) {
		/* Half of the time at most for what comes before the last stage. */
		fork_until(stages[i], i + 1 < ARRAY_SIZE(stages) ?
			   start + (i + 1) * SECONDS * NSEC_PER_SEC / 8 : deadline);
		check_books();
		if (i == 1) {
			warm = memory();
			warm_forks = forks;
		}
	}
	end = memory();
	ksft_print_msg("%u forks, %" PRIu64 " us each%s\n", forks,
		       (monotonic_ns() - start) / forks / NSEC_PER_USEC,
		       forks < stages[i - 1] ? ": fewer, this machine is too slow for all" : "");
	ksft_test_result(!tasks_find(&books.tasks, TASKS_OTHER), "none was without a record\n");
	check_flat("memory available", end.available, warm.available, forks - warm_forks);
	check_flat("Slab", warm.slab, end.slab, forks - warm_forks);
	check_flat("VmallocUsed", warm.vmalloc, end.vmalloc, forks - warm_forks);
	ksft_finished();
}
