// SPDX-License-Identifier: GPL-2.0-only
/*
 * A pid that is used again: the new task begins at nothing, with its own start
 * and name; what the old one had stays its own, among those that have exited.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "machine.h"
#include "tasks.h"
#include "worker.h"

#define NS_LAST_PID	"/proc/sys/kernel/ns_last_pid"
#define TRIES		1000

#define OLD_BURN	NSEC_PER_SEC
#define NEW_BURN	(200 * NSEC_PER_MSEC)

/* CLOCK_MONOTONIC around the fork. */
struct born {
	struct worker worker;
	uint64_t before, after;
};

static void start(struct born *b)
{
	b->before = monotonic_ns();
	worker_start(&b->worker, other_cpu());
	b->after = monotonic_ns();
}

/* Forks until the new one has that pid. */
static void start_as(struct born *b, pid_t pid)
{
	char last[16];
	int i;

	snprintf(last, sizeof(last), "%d", pid - 1);
	for (i = 0; i < TRIES; i++) {
		must_write(NS_LAST_PID, last);
		start(b);
		if (b->worker.pid == pid)
			return;
		worker_exit(&b->worker);
		worker_reap(b->worker.pid);
	}
	ksft_exit_fail_msg("pid %d did not come again in %d forks\n", pid, TRIES);
}

/* starttime of /proc/PID/stat: in ticks of sysconf(_SC_CLK_TCK), rounded down. */
static uint64_t stat_start_ticks(pid_t pid)
{
	char path[32], text[1024], *at;
	unsigned long long ticks;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	at = file_read(path, text, sizeof(text)) ? strrchr(text, ')') : NULL;
	if (!at || sscanf(at, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
			  &ticks) != 1)
		ksft_exit_fail_msg("%s: no starttime\n", path);
	return ticks;
}

static bool starts_right(const struct tasks_row *row, const struct born *b)
{
	if (row->start >= b->before && row->start <= b->after)
		return true;
	ksft_print_msg("pid %d: start_ns %" PRIu64 ", forked in %" PRIu64 "..%" PRIu64 "\n", row->pid,
		       row->start, b->before, b->after);
	return false;
}

static bool is_of(const struct tasks_row *row, uint64_t clock)
{
	uint64_t has = tasks_clock(row);

	if (has + tolerance(clock) >= clock && has <= clock + tolerance(clock))
		return true;
	tasks_print_row(row);
	ksft_print_msg("pid %d: run, irq and softirq are %" PRIu64 " us, its own clock %" PRIu64 " us\n",
		       row->pid, has / NSEC_PER_USEC, clock / NSEC_PER_USEC);
	return false;
}

int main(void)
{
	static struct tasks tasks, processes, exited;
	const uint64_t tick = NSEC_PER_SEC / sysconf(_SC_CLK_TCK);
	const struct tasks_row *row;
	uint64_t old_clock, new_clock, ticks;
	struct born old, new;
	pid_t pid;
	bool ok;

	tasks_require();
	if (access(NS_LAST_PID, W_OK))
		ksft_exit_skip("needs a kernel with CONFIG_CHECKPOINT_RESTORE\n");
	ksft_print_header();
	ksft_set_plan(6);
	pin(0);

	start(&old);
	pid = old.worker.pid;
	worker_rename(&old.worker, "first");
	worker_burn(&old.worker, OLD_BURN);
	worker_exit(&old.worker);
	sleep_ns(20 * NSEC_PER_MSEC);
	old_clock = worker_run_ns(pid);
	tasks_read_checked(&tasks, TASKS, NULL);
	ksft_test_result(!tasks_find(&tasks, pid), "no row of a zombie\n");
	worker_reap(pid);

	start_as(&new, pid);
	worker_rename(&new.worker, "second");
	new_clock = worker_burn(&new.worker, NEW_BURN);
	ticks = stat_start_ticks(pid);
	sleep_ns(20 * NSEC_PER_MSEC);
	tasks_read_checked(&tasks, TASKS, NULL);
	tasks_read_checked(&processes, TASKS_PROCESSES, NULL);
	tasks_read_checked(&exited, TASKS_GONE, NULL);

	row = tasks_row(&tasks, pid);
	ksft_test_result(is_of(row, new_clock) && !strcmp(row->comm, "second"),
			 "pid %d again: '%s' has run %" PRIu64 " us, by its own clock %" PRIu64 " us\n",
			 pid, row->comm, tasks_clock(row) / NSEC_PER_USEC, new_clock / NSEC_PER_USEC);
	ok = starts_right(row, &new);
	ksft_test_result(ok && row->start / tick == ticks,
			 "start_ns %" PRIu64 ": when it was forked, tick %" PRIu64 " in its stat\n",
			 row->start, ticks);
	row = tasks_row(&processes, pid);
	ksft_test_result(is_of(row, new_clock) && !strcmp(row->comm, "second") && starts_right(row, &new),
			 "and so has its process\n");
	row = tasks_row(&exited, pid);
	ksft_test_result(is_of(row, old_clock) && !strcmp(row->comm, "first") && starts_right(row, &old),
			 "'%s', which has exited, has its %" PRIu64 " us, by the kernel %" PRIu64 " us\n",
			 row->comm, tasks_clock(row) / NSEC_PER_USEC, old_clock / NSEC_PER_USEC);

	worker_exit(&new.worker);
	sleep_ns(20 * NSEC_PER_MSEC);
	new_clock = worker_run_ns(pid);
	tasks_read_checked(&exited, TASKS_GONE, NULL);
	worker_reap(pid);
	row = tasks_row(&exited, pid);
	ok = is_of(row, new_clock) && starts_right(row, &new);
	for (row--; row >= exited.row && row->pid != pid; row--)
		;
	ok &= row >= exited.row && is_of(row, old_clock) && starts_right(row, &old);
	ksft_test_result(ok, "both have exited: a row each, the older one first\n");
	ksft_finished();
}
