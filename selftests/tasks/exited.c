// SPDX-License-Identifier: GPL-2.0-only
/*
 * Short tasks, each of which lives for some hundred microseconds or a few
 * milliseconds: what they had is in the row exited to the last unit, and the last
 * 1,000 have a line each, oldest first, with the kernel's own figures of them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest.h"

#include "machine.h"
#include "tasks.h"
#include "worker.h"

#define EXITS	1500
#define FEW	500	/* less than the file keeps */
#define FOREIGN	100	/* threads of others that may exit meanwhile */
#define TRIES	10
#define SHORT_OFF	(200 * NSEC_PER_USEC)

/* One of them, by the kernel: of its zombie, when it had left the CPU for good. */
struct truth {
	pid_t pid;
	uint64_t before, after;		/* CLOCK_MONOTONIC around the fork */
	uint64_t reported;		/* its own clock, at its last word */
	uint64_t run, wait;
	unsigned long long voluntary, involuntary;
};

static struct truth truth[EXITS];
static struct tasks tasks, exited, later;

static uint64_t burn_of(unsigned int i)
{
	return (200 + i * 7919 % 2000) * NSEC_PER_USEC;
}

static void live(unsigned int i, int report)
{
	uint64_t clock;

	pin(other_cpu());
	clock = burn_own(burn_of(i));
	if (write(report, &clock, sizeof(clock)) != sizeof(clock))
		_exit(1);
	_exit(0);
}

/* One after the other, each until it is a zombie. */
static void run_all(unsigned int count)
{
	int report[2];
	unsigned int i;

	if (pipe(report))
		ksft_exit_fail_msg("no pipe\n");
	fflush(stdout);
	for (i = 0; i < count; i++) {
		struct truth *t = &truth[i];
		siginfo_t info;

		t->before = monotonic_ns();
		t->pid = fork();
		t->after = monotonic_ns();
		if (t->pid == 0)
			live(i, report[1]);
		if (t->pid < 0 || read(report[0], &t->reported, sizeof(t->reported)) != sizeof(t->reported) ||
		    waitid(P_PID, t->pid, &info, WEXITED | WNOWAIT))
			ksft_exit_fail_msg("task %u was lost\n", i);
	}
	close(report[0]);
	close(report[1]);
	sleep_ns(50 * NSEC_PER_MSEC);
}

static unsigned long long status_count(const char *text, const char *name)
{
	const char *at = strstr(text, name);
	unsigned long long count;

	if (!at || sscanf(at + strlen(name), ":%llu", &count) != 1)
		ksft_exit_fail_msg("/proc/PID/status has no %s\n", name);
	return count;
}

static void ask_kernel(struct truth *t)
{
	char path[64], text[4096];

	snprintf(path, sizeof(path), "/proc/%d/schedstat", t->pid);
	if (!file_read(path, text, sizeof(text)) ||
	    sscanf(text, "%" SCNu64 " %" SCNu64, &t->run, &t->wait) != 2)
		ksft_exit_fail_msg("no %s\n", path);
	snprintf(path, sizeof(path), "/proc/%d/status", t->pid);
	if (!file_read(path, text, sizeof(text)))
		ksft_exit_fail_msg("no %s\n", path);
	t->voluntary = status_count(text, "\nvoluntary_ctxt_switches");
	t->involuntary = status_count(text, "\nnonvoluntary_ctxt_switches");
}

static void reap_all(unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		ask_kernel(&truth[i]);
		worker_reap(truth[i].pid);
	}
}

/* The row exited and the lines of all that are in it, of one moment. */
static void folds_exactly(void)
{
	uint64_t sum;
	bool ok = true;
	int i, f;

	must_write(BOOK_DEBUGFS "reset", "1");
	run_all(FEW);
	for (i = 0; i < TRIES; i++) {
		tasks_read_checked(&exited, TASKS_GONE, NULL);
		tasks_read_checked(&tasks, TASKS, NULL);
		tasks_read_checked(&later, TASKS_GONE, NULL);
		if (exited.rows == later.rows)
			break;
	}
	for (f = 0; f < TASKS_FIELDS; f++) {
		sum = tasks_sum(&exited, f);
		if (tasks_row(&tasks, TASKS_EXITED)->value[f] == sum)
			continue;
		ksft_print_msg("exited: %s is %" PRIu64 ", the lines have %" PRIu64 "\n",
			       tasks_field_name[f], tasks_row(&tasks, TASKS_EXITED)->value[f], sum);
		ok = false;
	}
	ok &= exited.rows >= FEW && exited.rows < TASKS_GONE_ROWS;
	ksft_test_result(ok, "the row exited is the sum of %u lines, in each column\n", exited.rows);
	reap_all(FEW);
}

/* Whose pid is it? All of ours are zombies, so that no one else can have it. */
static int index_of(pid_t pid)
{
	int i;

	for (i = 0; i < EXITS && truth[i].pid != pid; i++)
		;
	return i < EXITS ? i : -1;
}

/* Ours among the lines, which must be in the order of their exits: the first, or -1; how many. */
static int first_of_last(unsigned int *count)
{
	unsigned int i;
	int first = -1;

	*count = 0;
	for (i = 0; i < exited.rows; i++) {
		int at = index_of(exited.row[i].pid);

		if (at < 0)
			continue;
		if (first < 0)
			first = at;
		if (at != first + (int)*count) {
			ksft_print_msg("line %u: number %d after %d\n", i, at, first + *count - 1);
			return -1;
		}
		++*count;
	}
	return first;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static bool row_is(const struct tasks_row *row, const struct truth *t, const char *comm)
{
	bool ok = row->tgid == t->pid && !strcmp(row->comm, comm) && row->state == 'X' &&
		  row->cpu == other_cpu() && row->start >= t->before && row->start <= t->after &&
		  row->value[TASKS_WAIT] == t->wait && row->value[TASKS_VOLUNTARY] == t->voluntary &&
		  row->value[TASKS_INVOLUNTARY] == t->involuntary;

	if (ok)
		return true;
	tasks_print_row(row);
	ksft_print_msg("by the kernel: '%s' run %" PRIu64 " wait %" PRIu64 " voluntary %llu involuntary %llu, forked %"
		       PRIu64 "..%" PRIu64 "\n", comm, t->run, t->wait, t->voluntary, t->involuntary,
		       t->before, t->after);
	return false;
}

static int compare(const void *a, const void *b)
{
	return (*(const uint64_t *)a > *(const uint64_t *)b) - (*(const uint64_t *)a < *(const uint64_t *)b);
}

/*
 * An emulated CPU may lose its turn between the kernel's stamp and the module's: there
 * the line in the middle is judged, and all of them in their sum.
 */
static void keeps_the_last(void)
{
	uint64_t books = 0, kernel = 0, reported = 0, within, judged;
	unsigned int count, i, wrong = 0;
	static uint64_t off[EXITS];
	char comm[32];
	int first;

	must_write(BOOK_DEBUGFS "reset", "1");
	run_all(EXITS);
	tasks_read_checked(&exited, TASKS_GONE, NULL);
	reap_all(EXITS);
	first = first_of_last(&count);
	ksft_test_result(exited.rows == TASKS_GONE_ROWS && first >= 0 && first + count == EXITS &&
			 count + FOREIGN >= TASKS_GONE_ROWS,
			 "%u lines, of which %u are ours: %d and on of %d, oldest first\n", exited.rows,
			 count, first, EXITS);
	if (first < 0)
		ksft_exit_fail_msg("not one of ours has a line\n");

	file_read("/proc/self/comm", comm, sizeof(comm));
	for (i = first; i < EXITS; i++) {
		const struct tasks_row *row = tasks_row(&exited, truth[i].pid);

		off[i - first] = distance(tasks_clock(row), truth[i].run);
		wrong += !row_is(row, &truth[i], comm);
		books += tasks_clock(row);
		kernel += truth[i].run;
		reported += truth[i].reported;
	}
	ksft_test_result(!wrong, "%u of them with the kernel's figures\n", count - wrong);
	qsort(off, count, sizeof(off[0]), compare);
	judged = off[is_tcg() ? count / 2 : count - 1];
	ksft_test_result(judged <= SHORT_OFF, "a line's time: %" PRIu64 " us off %s, %" PRIu64 " us at most\n",
			 judged / NSEC_PER_USEC, is_tcg() ? "in the middle" : "at most",
			 off[count - 1] / NSEC_PER_USEC);
	within = tolerance(kernel);
	ksft_test_result(distance(books, kernel) <= within && books + within >= reported,
			 "in all %" PRIu64 " us, by the kernel %" PRIu64 " us, at their last words %" PRIu64
			 " us\n", books / NSEC_PER_USEC, kernel / NSEC_PER_USEC, reported / NSEC_PER_USEC);
}

int main(void)
{
	tasks_require();
	ksft_print_header();
	ksft_set_plan(5);
	pin(0);
	folds_exactly();
	keeps_the_last();
	ksft_finished();
}
