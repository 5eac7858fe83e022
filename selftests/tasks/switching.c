// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks while the collector is switched off and on, CPUs come and go and epochs
 * begin, all under load: while on, what the rows grow by is what the CPUs' time grows
 * by; while off, they stand still; nothing decreases within an epoch, and each epoch
 * begins at nothing.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "load.h"
#include "machine.h"
#include "tasks_books.h"
#include "traces.h"

#define ROUNDS		50
#define HOTPLUGS	20
#define EPOCHS		30
#define STAY		(20 * NSEC_PER_MSEC)
#define ONLINE		"/sys/devices/system/cpu/cpu1/online"

static struct tasks_books books[2];
static struct tasks off, later;

static bool passes(const char *what, unsigned int round, const char *error)
{
	if (error)
		ksft_print_msg("%s, round %u: %s\n", what, round, error);
	return !error;
}

static void turn(const char *name, bool on)
{
	char command[32];

	snprintf(command, sizeof(command), "%c%s", on ? '+' : '-', name);
	must_write(BOOK_DEBUGFS "collectors", command);
}

/* While nobody keeps them: all that a row has, and the sum over those that have gone since. */
static bool stands_still(unsigned int round)
{
	unsigned int i;
	int f;

	for (i = 0; i < later.rows; i++) {
		const struct tasks_row *now = &later.row[i];
		const struct tasks_row *was = tasks_find_start(&off, now->pid, now->start);

		for (f = 0; was && f <= TASKS_SOFTIRQ && now->pid != TASKS_EXITED; f++) {
			if (now->value[f] == was->value[f])
				continue;
			tasks_print_row(was);
			tasks_print_row(now);
			ksft_print_msg("round %u: %s goes on while off\n", round, tasks_field_name[f]);
			return false;
		}
	}
	if (tasks_sum(&off, TASKS_RUN) == tasks_sum(&later, TASKS_RUN))
		return true;
	ksft_print_msg("round %u: off, the sum went from %" PRIu64 " to %" PRIu64 "\n", round,
		       tasks_sum(&off, TASKS_RUN), tasks_sum(&later, TASKS_RUN));
	return false;
}

/* @name: tasks, or a collector that it needs or that takes from it. */
static bool off_and_on(const char *name, unsigned int round)
{
	const char *error;
	bool ok;

	turn(name, false);
	tasks_read(&off, TASKS);
	ok = passes(name, round, tasks_check(&off, round ? &books[1].tasks : NULL));
	sleep_ns(STAY);
	tasks_read(&later, TASKS);
	ok &= passes(name, round, tasks_check(&later, &off));
	if (!strcmp(name, "tasks"))
		ok &= stands_still(round);

	turn(name, true);
	tasks_books_read(&books[0], TASKS);
	ok &= passes(name, round, tasks_check(&books[0].tasks, &later));
	sleep_ns(STAY);
	tasks_books_read(&books[1], TASKS);
	error = tasks_books_check_delta(&books[0], &books[1]);
	return ok & passes(name, round, error);
}

static void (*const loads[])(void) = { load_burn, load_forks, load_duty };
static pid_t load[ARRAY_SIZE(loads)];

static void start_loads(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(loads); i++)
		load[i] = load_start(loads[i], -1);
}

static void stop_loads(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(loads); i++)
		load_stop(load[i]);
}

/* A debug kernel takes ten times as long, and sees in one round what others see in ten. */
static unsigned int rounds(unsigned int all)
{
	return access("/sys/kernel/debug/kmemleak", F_OK) ? all : all / 10;
}

static void on_and_off(void)
{
	static const char *const others[] = { "sched", "syscall", "irq", "softirq", "fault" };
	uint64_t start = monotonic_ns();
	unsigned int round;
	bool ok = true;

	for (round = 0; round < rounds(ROUNDS) && ok; round++)
		ok = off_and_on("tasks", round);
	ksft_test_result(ok, "%u times off and on, in %" PRIu64 " ms\n", round,
			 (monotonic_ns() - start) / NSEC_PER_MSEC);
	for (round = 0; round < 2 * ARRAY_SIZE(others) && ok; round++)
		ok = off_and_on(others[round % ARRAY_SIZE(others)], ROUNDS + round);
	ksft_test_result(ok, "%u times another collector\n", round);
}

static void reset(void)
{
	must_write(BOOK_DEBUGFS "reset", "1");
}

/* Two that would never leave their CPUs. More load, and a CPU would not go for minutes. */
static void hotplug(void)
{
	pid_t burner[2];
	unsigned int round;
	bool ok = true;

	if (access(ONLINE, W_OK)) {
		ksft_test_result_skip("CPU 1 cannot be taken offline here\n");
		return;
	}
	burner[0] = load_start(load_burn, -1);
	burner[1] = load_start(load_burn, -1);
	reset();
	for (round = 0; round < rounds(HOTPLUGS) && ok; round++) {
		must_write(ONLINE, "0");
		ok = passes("offline", round, tasks_books_follow(books, 2, TASKS));
		sleep_ns(STAY);
		must_write(ONLINE, "1");
		ok &= passes("online", round, tasks_books_follow(books, 2, TASKS_PROCESSES));
		sleep_ns(STAY);
	}
	ksft_test_result(ok, "%u times a CPU offline and online under two burners\n", round);
	load_stop(burner[0]);
	load_stop(burner[1]);
}

/* Context switches of all CPUs since boot, those to the idle tasks too. */
static uint64_t kernel_switches(void)
{
	static char text[65536];
	char *at = file_read("/proc/stat", text, sizeof(text)) ? strstr(text, "\nctxt ") : NULL;

	if (!at)
		ksft_exit_fail_msg("/proc/stat has no ctxt\n");
	return strtoull(at + 6, NULL, 10);
}

/* Of one epoch's first read: what there can have been since @start. */
static const char *is_new(const struct tasks *tasks, uint64_t start, uint64_t switches)
{
	static char text[256];
	uint64_t wall = tasks->after - start, has = tasks_sum(tasks, TASKS_RUN);
	uint64_t counted = tasks_sum(tasks, TASKS_SWITCHES), most = kernel_switches() - switches;
	uint64_t cpus = cpus_online();

	if (tasks->since < start)
		snprintf(text, sizeof(text), "the epoch is since %" PRIu64 ", reset at %" PRIu64,
			 tasks->since, start);
	else if (has > wall * cpus + wall / 1000)
		snprintf(text, sizeof(text), "%s: %" PRIu64 " ns after %" PRIu64, tasks->file, has, wall);
	else if (counted > most)
		snprintf(text, sizeof(text), "%s: %" PRIu64 " switches of %" PRIu64, tasks->file, counted,
			 most);
	else
		return NULL;
	return text;
}

static bool epoch(unsigned int round, const char *file)
{
	uint64_t switches = kernel_switches(), start = monotonic_ns();
	const char *error;

	reset();
	tasks_books_read(&books[0], file);
	error = tasks_books_check(&books[0], NULL);
	if (!error)
		error = is_new(&books[0].tasks, start, switches);
	sleep_ns(STAY);
	if (!error) {
		tasks_books_read(&books[1], file);
		error = tasks_books_check(&books[1], &books[0]);
	}
	if (!error) {
		tasks_read(&later, TASKS_GONE);
		error = tasks_check(&later, NULL);
	}
	if (!error)
		error = is_new(&later, start, switches);
	return passes(file, round, error);
}

static void new_epochs(void)
{
	unsigned int round;
	bool ok = true;

	for (round = 0; round < rounds(EPOCHS) && ok; round++)
		ok = epoch(round, round % 2 ? TASKS_PROCESSES : TASKS);
	ksft_test_result(ok, "%u epochs, each from nothing\n", round);
}

int main(void)
{
	const char *trouble;

	tasks_require();
	ksft_print_header();
	ksft_set_plan(5);
	log_mark();
	start_loads();
	on_and_off();
	new_epochs();
	stop_loads();
	hotplug();
	trouble = log_trouble();
	if (trouble)
		ksft_print_msg("%s\n", trouble);
	ksft_test_result(!trouble, "a clean log\n");
	ksft_finished();
}
