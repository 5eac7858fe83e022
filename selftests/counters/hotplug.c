// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of a CPU that comes and goes, while others read them, and collectors
 * are switched: rows stay, nothing goes back, and time offline counts for nothing.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "counters.h"
#include "load.h"
#include "machine.h"
#include "module.h"
#include "traces.h"

#define ONLINE		"/sys/devices/system/cpu/cpu1/online"
#define COLLECTORS	BOOK_DEBUGFS "collectors"
#define ROUNDS		50
#define AWAY		(30 * NSEC_PER_MSEC)
#define STAY		(150 * NSEC_PER_MSEC)
#define LIST		"cycles cpu-clock context-switches page-faults raw_syscalls:sys_enter"

static const char *const software[] = {
	"cpu-clock", "context-switches", "page-faults", "raw_syscalls:sys_enter",
};

static struct counters off, later, end;

/* --- a reader beside all this ------------------------------------------------------------ */

static volatile bool done;
static char poll_error[512];
static unsigned int polls;
static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;

/* @last may be of another life of the collector: then its rows may be gone, and begin again. */
static const char *take(struct counters *now, const struct counters *last)
{
	const char *error;

	pthread_mutex_lock(&reading);
	counters_read(now);
	error = counters_check(now);
	if (!error && last && last->rows && now->rows)
		error = counters_check_after(last, now);
	if (error) {
		snprintf(poll_error, sizeof(poll_error), "%s", error);
		error = poll_error;
	}
	pthread_mutex_unlock(&reading);
	return error;
}

static void *poll(void *follows)
{
	static struct counters last[2];

	last[0].rows = last[1].rows = 0;
	for (polls = 0; !done && !*poll_error; polls++) {
		take(&last[polls % 2], follows ? &last[(polls + 1) % 2] : NULL);
		sleep_ns(3 * NSEC_PER_MSEC);
	}
	return NULL;
}

static pthread_t start_poll(bool follows)
{
	pthread_t thread;

	done = false;
	*poll_error = '\0';
	if (pthread_create(&thread, NULL, poll, follows ? poll_error : NULL))
		ksft_exit_fail_msg("no thread\n");
	return thread;
}

static bool stop_poll(pthread_t thread)
{
	done = true;
	pthread_join(thread, NULL);
	if (*poll_error)
		ksft_print_msg("read %u: %s\n", polls, poll_error);
	return !*poll_error && polls > 10;
}

static void must_take(struct counters *now, const struct counters *last)
{
	const char *error = take(now, last);

	if (error)
		ksft_exit_fail_msg("%s\n", error);
}

/* --- offline and online -------------------------------------------------------------------- */

/* All that was counted before the CPU went stays, and no more comes to it. */
static bool is_frozen(const struct counters *a, const struct counters *b)
{
	bool frozen = true;
	unsigned int i;

	for (i = 0; i < a->rows; i++) {
		const struct counters_row *was = &a->row[i], *is = counters_row(b, was->cpu, was->event);

		if (was->cpu != 1)
			continue;
		frozen &= !strcmp(was->status, "offline") && !strcmp(is->status, "offline") &&
			was->value == is->value && was->enabled == is->enabled &&
			was->running == is->running;
	}
	for (i = 0; i < ARRAY_SIZE(software); i++)
		frozen &= !!counters_find(b, 1, software[i]);
	if (!frozen)
		counters_print(b);
	return frozen;
}

static bool is_back(uint64_t at_most)
{
	uint64_t until = monotonic_ns() + at_most;
	unsigned int i, ok;

	do {
		must_take(&later, NULL);
		for (i = 0, ok = 0; i < ARRAY_SIZE(software); i++)
			ok += !strcmp(counters_row(&later, 1, software[i])->status, "ok") &&
				counters_row(&later, 1, software[i])->enabled >
				counters_row(&off, 1, software[i])->enabled;
	} while (ok < i && monotonic_ns() < until);
	return ok == i;
}

static void rounds(void)
{
	uint64_t least = 0, most = 0, grown, enabled, on_before, on_after;
	unsigned int i, frozen = 0, back = 0;
	pid_t load = load_start(load_duty, -1);
	pthread_t poller = start_poll(true);
	static struct counters start;

	must_take(&start, NULL);
	on_before = start.before;
	on_after = start.after;
	for (i = 0; i < ROUNDS && !*poll_error; i++) {
		uint64_t before = monotonic_ns(), after;

		must_write(ONLINE, "0");
		after = monotonic_ns();
		most += after - on_before;
		least += before > on_after ? before - on_after : 0;
		must_take(&off, NULL);
		sleep_ns(AWAY);
		must_take(&later, &off);
		frozen += is_frozen(&off, &later);

		before = monotonic_ns();
		must_write(ONLINE, "1");
		on_before = before;
		/* By then it counts again: less than a second later, or it is not back. */
		back += is_back(NSEC_PER_SEC);
		on_after = monotonic_ns();
		sleep_ns(STAY);
	}
	must_take(&end, &start);
	most += end.after - on_before;
	least += end.before > on_after ? end.before - on_after : 0;
	load_stop(load);
	grown = counters_delta(&start, &end, 1, "cpu-clock");
	ksft_test_result(stop_poll(poller), "%u rounds: nothing went back in %u reads meanwhile\n", i, polls);
	ksft_test_result(frozen == ROUNDS, "offline: rows stand still, %u times\n", frozen);
	ksft_test_result(back == ROUNDS, "online: back within a second, %u times\n", back);
	ksft_print_msg("cpu-clock %" PRIu64 " us, online %" PRIu64 " to %" PRIu64 " us\n", grown / 1000,
		       least / 1000, most / 1000);
	ksft_test_result(grown + grown / 1000 >= least && grown <= most + most / 1000,
			 "its clock is the time online\n");
	enabled = counters_row(&end, 1, "cpu-clock")->enabled - counters_row(&start, 1, "cpu-clock")->enabled;
	ksft_test_result(enabled == grown, "and so is the time for which it was to count\n");
}

/* --- collectors ------------------------------------------------------------------------------- */

/* Switches are counted by the hook of sched: without it they are not, and say so. */
static void without_sched(void)
{
	bool ok;

	must_take(&end, NULL);
	must_write(COLLECTORS, "-sched");
	must_take(&off, &end);
	sleep_ns(100 * NSEC_PER_MSEC);
	must_take(&later, &off);
	ok = counters_are(&later, 0, "context-switches", "off") &&
		counters_are(&later, 1, "context-switches", "off") &&
		counters_row(&off, 0, "context-switches")->value ==
		counters_row(&later, 0, "context-switches")->value &&
		counters_row(&off, 0, "context-switches")->enabled ==
		counters_row(&later, 0, "context-switches")->enabled;
	must_write(COLLECTORS, "+sched");
	must_take(&end, &later);
	sleep_ns(100 * NSEC_PER_MSEC);
	must_take(&later, &end);
	ok &= counters_are(&later, 0, "context-switches", "ok") &&
		counters_delta(&end, &later, 0, "context-switches") > 0;
	ksft_test_result(ok, "without sched no context-switches, and with it again\n");
}

static void switched_meanwhile(void)
{
	static const char *const commands[] = {
		"-counters", "+counters", "-sched", "+sched", "-sched", "-counters", "+sched", "+counters",
	};
	pid_t load = load_start(load_forks, -1);
	pthread_t poller = start_poll(false);
	unsigned int i;

	for (i = 0; i < 60; i++) {
		must_write(ONLINE, i % 2 ? "1" : "0");
		must_write(COLLECTORS, commands[i % ARRAY_SIZE(commands)]);
		if (i % 3 == 0)
			sleep_ns(rand() % (20 * NSEC_PER_MSEC));
	}
	must_write(ONLINE, "1");
	must_write(COLLECTORS, "+sched");
	must_write(COLLECTORS, "+counters");
	load_stop(load);
	must_take(&off, NULL);
	ksft_test_result(stop_poll(poller) && is_back(NSEC_PER_SEC),
			 "collectors switched meanwhile, %u reads\n", polls);
}

/* --- the end ------------------------------------------------------------------------------------ */

static bool unload(void)
{
	uint64_t start = monotonic_ns();

	module_unload();
	return monotonic_ns() - start < 5 * NSEC_PER_SEC;
}

static void unloads(void)
{
	pid_t load = load_start(load_mixed, -1);
	bool ok;

	counters_choose(LIST);
	sleep_ns(50 * NSEC_PER_MSEC);
	ok = unload();
	load_stop(load);
	ksft_test_result(ok, "unloads under load\n");

	module_load("");
	counters_choose(LIST);
	must_write(ONLINE, "0");
	ok = unload();
	must_write(ONLINE, "1");
	ksft_test_result(ok, "unloads while CPU 1 is away\n");

	must_write(ONLINE, "0");
	module_load("");
	counters_choose(LIST);
	must_take(&end, NULL);
	ok = !counters_find(&end, 1, "cpu-clock");
	must_write(ONLINE, "1");
	off = end;
	sleep_ns(NSEC_PER_SEC);
	must_take(&later, NULL);
	ok &= counters_are(&later, 1, "cpu-clock", "ok") && counters_are(&later, 1, "page-faults", "ok");
	/* At once, so that nothing that is to be done later has been. */
	must_write(ONLINE, "0");
	must_write(ONLINE, "1");
	ok &= unload();
	ksft_test_result(ok, "a CPU that comes after the module counts from then on\n");
}

int main(void)
{
	const char *trouble;
	static struct traces before, after;

	module_require_unloaded();
	require_cpus(2);
	if (access(ONLINE, W_OK))
		ksft_exit_skip("CPU 1 cannot be taken offline here\n");
	ksft_print_header();
	ksft_set_plan(5 + 2 + 3 + 1);
	log_mark();
	traces_take(&before);
	module_load("");
	counters_require();
	counters_choose(LIST);
	pin(0);
	rounds();
	without_sched();
	switched_meanwhile();
	unloads();
	traces_take(&after);
	trouble = log_trouble();
	ksft_test_result(!trouble && traces_same(&before, &after), "nothing left, a clean log%s%s\n",
			 trouble ? ": " : "", trouble ?: "");
	ksft_finished();
}
