// SPDX-License-Identifier: GPL-2.0-only
/*
 * More tasks than there are records (tasks_max): those that find none are in the
 * row other, which has their time. Nothing is lost, nothing ever decreases, and
 * records of tasks that exit serve the next ones.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "load.h"
#include "machine.h"
#include "module.h"
#include "tasks_books.h"
#include "traces.h"
#include "worker.h"

#define WORKERS	300
#define LEAST	16		/* records that there can be */
#define ROOM	60		/* beyond the tasks that are there */
#define LATER	40		/* of these, with what comes and goes by itself beside them */
#define BURN	NSEC_PER_SEC
#define READS	50

static struct worker worker[WORKERS];
static struct tasks_books books[2], last;

static void start(unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		worker_start(&worker[i], -1);
	/* A task finds its record when it first runs. */
	for (i = 0; i < count; i++)
		worker_burn(&worker[i], 0);
}

static void stop(unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		worker_exit(&worker[i]);
		worker_reap(worker[i].pid);
	}
	/* Records become free a grace period later. */
	sleep_ns(NSEC_PER_SEC);
}

/* Those of the workers that have a row. */
static unsigned int rows(unsigned int count)
{
	unsigned int i, n = 0;

	for (i = 0; i < count; i++)
		n += !!tasks_find(&books[0].tasks, worker[i].pid);
	return n;
}

/* The row in which a worker's time is. */
static int row_of(unsigned int i)
{
	return tasks_find(&books[0].tasks, worker[i].pid) ? worker[i].pid : TASKS_OTHER;
}

/* One read, right by itself and after the one before. */
static void read_next(bool first)
{
	const char *error;

	tasks_books_read(&books[0], TASKS);
	error = tasks_books_check(&books[0], first ? NULL : &last);
	if (error)
		ksft_exit_fail_msg("%s\n", error);
	tasks_books_read(&last, TASKS);
	error = tasks_books_check(&last, &books[0]);
	if (error)
		ksft_exit_fail_msg("%s\n", error);
}

static uint64_t value(int pid)
{
	return tasks_clock(tasks_row(&books[0].tasks, pid));
}

static void no_room(void)
{
	char parameter[32];
	uint64_t before, grown, clock;
	const char *error;
	pid_t load;

	snprintf(parameter, sizeof(parameter), "tasks_max=%u", LEAST);
	module_load(parameter);
	start(WORKERS);
	read_next(true);
	/* The rows at the end are no tasks. */
	ksft_test_result(books[0].tasks.rows <= LEAST + 2 && tasks_find(&books[0].tasks, TASKS_OTHER) &&
			 rows(WORKERS) <= LEAST,
			 "%u rows for more than %u tasks with tasks_max=%u\n", books[0].tasks.rows,
			 WORKERS, LEAST);

	before = value(row_of(WORKERS - 1));
	clock = worker_burn(&worker[WORKERS - 1], BURN);
	read_next(false);
	grown = value(row_of(WORKERS - 1)) - before;
	ksft_test_result(grown + tolerance(BURN) >= BURN && row_of(WORKERS - 1) == TASKS_OTHER,
			 "other has grown by %" PRIu64 " us, a task without a record has run %" PRIu64 " us\n",
			 grown / NSEC_PER_USEC, clock / NSEC_PER_USEC);

	before = value(TASKS_OTHER);
	stop(WORKERS);
	read_next(false);
	ksft_test_result(value(TASKS_OTHER) >= before, "and keeps it when they are gone\n");

	load = load_start(load_forks, -1);
	error = tasks_books_follow(books, READS, TASKS);
	if (!error)
		error = tasks_books_follow(books, READS, TASKS_PROCESSES);
	load_stop(load);
	if (error)
		ksft_print_msg("%s\n", error);
	ksft_test_result(!error, "%u reads under a load of forks: nothing is lost, nothing decreases\n",
			 2 * READS);
	module_unload();
}

/* How many threads there are. */
static unsigned int count_threads(void)
{
	unsigned int count;
	char text[128];

	if (!file_read("/proc/loadavg", text, sizeof(text)) ||
	    sscanf(text, "%*s %*s %*s %*u/%u", &count) != 1)
		ksft_exit_fail_msg("/proc/loadavg does not say how many threads there are\n");
	return count;
}

static void some_room(void)
{
	unsigned int first, second, again;
	char parameter[32];
	uint64_t before;

	snprintf(parameter, sizeof(parameter), "tasks_max=%u", count_threads() + ROOM);
	module_load(parameter);
	start(2 * ROOM);
	read_next(true);
	first = rows(2 * ROOM);
	ksft_test_result(first >= LATER && first < 2 * ROOM && tasks_find(&books[0].tasks, TASKS_OTHER),
			 "%u of %u tasks have a row with room for %u\n", first, 2 * ROOM, ROOM);
	stop(2 * ROOM);
	start(LATER);
	worker_burn(&worker[LATER - 1], BURN / 10);
	read_next(false);
	second = rows(LATER);
	before = value(row_of(LATER - 1));
	ksft_test_result(second == LATER && before + tolerance(BURN / 10) >= BURN / 10,
			 "when they are gone, %u of %u later ones have one\n", second, LATER);
	stop(LATER);
	/* And not only once. */
	for (again = 0; again < 10 && second == LATER; again++) {
		start(LATER);
		read_next(false);
		second = rows(LATER);
		stop(LATER);
	}
	if (second != LATER)
		ksft_print_msg("%u rows with %s, of %u threads\n", books[0].tasks.rows, parameter,
			       count_threads() + LATER);
	ksft_test_result(second == LATER, "%u times in a row: %u of %u\n", again, second, LATER);
	module_unload();
}

int main(void)
{
	static struct traces before;

	module_require_unloaded();
	ksft_print_header();
	ksft_set_plan(8);
	log_mark();
	traces_take(&before);
	no_room();
	some_room();
	ksft_test_result(traces_none(&before), "nothing left, a clean log\n");
	ksft_finished();
}
