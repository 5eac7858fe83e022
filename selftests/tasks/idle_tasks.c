// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that do nearly nothing, for ten seconds: the tasks have next to nothing, no
 * more than the time that there was, and the idle tasks have no row.
 */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "kselftest.h"

#include "load.h"
#include "machine.h"
#include "tasks_books.h"

#define CPUS	4
#define TIME	(12 * NSEC_PER_SEC)
#define PERIOD	(100 * NSEC_PER_MSEC)

static struct tasks_books books[2], processes[2];

static void naps(void)
{
	for (;;)
		sleep_ns(997 * NSEC_PER_USEC);
}

/* By name or by number; a name alone would be any task's. */
static const char *idle_row(const struct tasks *tasks)
{
	static char text[64];
	unsigned int i;

	for (i = 0; i < tasks->rows; i++) {
		if (tasks->row[i].pid > 0 || tasks->row[i].pid == TASKS_EXITED)
			continue;
		snprintf(text, sizeof(text), "a row of pid %d, '%s'", tasks->row[i].pid,
			 tasks->row[i].comm);
		return text;
	}
	return NULL;
}

static const char *check(struct tasks_books *pair, unsigned int i, const char *file)
{
	struct tasks_books *now = &pair[i % 2], *before = &pair[(i + 1) % 2];
	const char *error;

	tasks_books_read(now, file);
	error = tasks_books_check(now, i ? before : NULL);
	return error ? error : idle_row(&now->tasks);
}

int main(void)
{
	uint64_t end, run, idle;
	const char *error = NULL;
	pid_t load[CPUS];
	unsigned int i, reads;
	const struct book_row *all;

	tasks_require();
	require_cpus(CPUS);
	ksft_print_header();
	ksft_set_plan(3);
	must_write(BOOK_DEBUGFS "reset", "1");
	for (i = 0; i < CPUS; i++)
		load[i] = load_start(naps, i);
	end = monotonic_ns() + TIME;
	for (reads = 0; monotonic_ns() < end && !error; reads++) {
		error = check(books, reads, TASKS);
		if (!error)
			error = check(processes, reads, TASKS_PROCESSES);
		sleep_ns(PERIOD);
	}
	if (error)
		ksft_print_msg("%s\n", error);
	ksft_test_result(!error, "%u reads: the sum is the CPUs', no row of an idle task\n", 2 * reads);

	tasks_books_read(&books[0], TASKS);
	all = book_cpu(&books[0].after, BOOK_ALL);
	run = tasks_sum(&books[0].tasks, TASKS_RUN);
	idle = all->ns[IDLE] + all->ns[IOWAIT];
	ksft_test_result(run + idle <= all->ns[ELAPSED] && idle > run,
			 "tasks have %" PRIu64 " ms of the %" PRIu64 " ms of %d CPUs, which were idle for %"
			 PRIu64 " ms\n", run / NSEC_PER_MSEC, all->ns[ELAPSED] / NSEC_PER_MSEC, CPUS,
			 idle / NSEC_PER_MSEC);
	for (i = 0; i < CPUS; i++) {
		const struct tasks_row *row = tasks_row(&books[0].tasks, load[i]);

		if (row->cpu == (int)i && (row->state == 'S' || row->state == 'R') && row->value[TASKS_VOLUNTARY] > 100 &&
		    tasks_clock(row) < TIME / 2)
			continue;
		tasks_print_row(row);
		break;
	}
	ksft_test_result(i == CPUS, "each task that naps has a row with its naps, on its CPU\n");
	for (i = 0; i < CPUS; i++)
		load_stop(load[i]);
	ksft_finished();
}
