// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks in pid namespaces of their own: their rows have the numbers of the initial
 * one, those with the same number inside never merge, and who reads from inside
 * sees the same table.
 */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest.h"

#include "load.h"
#include "machine.h"
#include "tasks.h"
#include "worker.h"

#define BURN	(300 * NSEC_PER_MSEC)

/* What cannot be had here, by the status of who tried. */
#define NO_NAMESPACE	77

struct report {
	pid_t inside;
	uint64_t clock;
};

/* What the namespace's init has read. */
struct seen {
	uint64_t row;			/* run, irq and softirq in the row of the burner */
	unsigned int rows;
	int err;
};

struct family {
	pid_t keeper, init, burner;	/* numbers of the initial namespace */
	int report, ask, answer;
	struct report burnt;
};

static const struct {
	const char *name;
	int flags;
} kinds[] = {
	{ "of pids", CLONE_NEWPID | CLONE_NEWNS },
	{ "of pids, again", CLONE_NEWPID | CLONE_NEWNS },
	{ "of users and pids", CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS },
};

static struct family family[ARRAY_SIZE(kinds)];
static struct tasks start, tasks, processes, exited;

/* --- inside ---------------------------------------------------------------------------- */

static void burner(int report)
{
	struct report r = { .inside = getpid() };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "inside");
	r.clock = burn_own(BURN);
	if (write(report, &r, sizeof(r)) != sizeof(r))
		_exit(1);
	for (;;)
		pause();
}

/* Reads the table as often as it is asked for the row of a pid. */
static void namespace_init(int report, int ask, int answer)
{
	pid_t pid;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (fork() == 0)
		burner(report);
	while (read(ask, &pid, sizeof(pid)) == sizeof(pid)) {
		struct seen seen = { 0 };

		if (access(BOOK_DEBUGFS TASKS, R_OK)) {
			seen.err = errno;
		} else {
			tasks_read_checked(&tasks, TASKS, NULL);
			seen.rows = tasks.rows;
			seen.row = tasks_clock(tasks_row(&tasks, pid));
		}
		if (write(answer, &seen, sizeof(seen)) != sizeof(seen))
			break;
	}
	_exit(1);
}

static void keep(int flags, const int *report, const int *ask, const int *answer, const int *pid_pipe)
{
	pid_t init;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (unshare(flags))
		_exit(errno == EINVAL || errno == ENOSPC ? NO_NAMESPACE : 1);
	/* Groups can be mapped by who gives up to change his (user_namespaces(7)). */
	if (flags & CLONE_NEWUSER &&
	    (!file_write("/proc/self/setgroups", "deny") ||
	     !file_write("/proc/self/uid_map", "0 0 1") || !file_write("/proc/self/gid_map", "0 0 1")))
		_exit(1);
	init = fork();
	if (init == 0)
		namespace_init(report[1], ask[0], answer[1]);
	if (init < 0 || write(pid_pipe[1], &init, sizeof(init)) != sizeof(init))
		_exit(1);
	for (;;)
		pause();
}

/* --- outside --------------------------------------------------------------------------- */

/* The only child of a process. */
static pid_t child_of(pid_t pid)
{
	char path[64], text[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, pid);
	if (!file_read(path, text, sizeof(text)) || atoi(text) <= 0)
		ksft_exit_fail_msg("%s does not name a child\n", path);
	return atoi(text);
}

/* False where there is no such namespace. */
static bool found(struct family *f, int flags)
{
	int report[2], ask[2], answer[2], pid_pipe[2], status = 0;

	if (pipe(report) || pipe(ask) || pipe(answer) || pipe(pid_pipe))
		ksft_exit_fail_msg("no pipe\n");
	fflush(stdout);
	f->keeper = fork();
	if (f->keeper == 0)
		keep(flags, report, ask, answer, pid_pipe);
	close(pid_pipe[1]);
	close(report[1]);
	if (read(pid_pipe[0], &f->init, sizeof(f->init)) != sizeof(f->init)) {
		if (waitpid(f->keeper, &status, 0) != f->keeper || !WIFEXITED(status) ||
		    WEXITSTATUS(status) != NO_NAMESPACE)
			ksft_exit_fail_msg("a namespace cannot be made: %#x\n", status);
		return false;
	}
	if (read(report[0], &f->burnt, sizeof(f->burnt)) != sizeof(f->burnt))
		ksft_exit_fail_msg("the task inside does not report\n");
	f->burner = child_of(f->init);
	f->report = report[0];
	f->ask = ask[1];
	f->answer = answer[0];
	return true;
}

/* NSpid in /proc/PID/status: the numbers from here to the innermost. */
static bool kernel_agrees(const struct family *f)
{
	char path[64], text[4096], *at;
	int outside, inside;

	snprintf(path, sizeof(path), "/proc/%d/status", f->burner);
	at = file_read(path, text, sizeof(text)) ? strstr(text, "\nNSpid:") : NULL;
	return at && sscanf(at, " NSpid: %d %d", &outside, &inside) == 2 && outside == f->burner &&
	       inside == f->burnt.inside;
}

static bool row_is(const struct tasks *from, const struct family *f)
{
	const struct tasks_row *row = tasks_row(from, f->burner);
	uint64_t has = tasks_clock(row), clock = f->burnt.clock;

	if (row->tgid == f->burner && !strcmp(row->comm, "inside") &&
	    has + tolerance(clock) >= clock && has <= clock + tolerance(clock))
		return true;
	tasks_print_row(row);
	ksft_print_msg("its own clock: %" PRIu64 " ns\n", clock);
	return false;
}

/* The task of the initial namespace that has the number which the other one has inside. */
static bool namesake_is_alone(const struct family *f)
{
	const struct tasks_row *old = tasks_row(&start, f->burnt.inside);
	const struct tasks_row *now = tasks_row(&tasks, f->burnt.inside);

	if (now->start == old->start && !strcmp(now->comm, old->comm) &&
	    tasks_clock(now) - tasks_clock(old) < BURN / 3)
		return true;
	tasks_print_row(old);
	tasks_print_row(now);
	return false;
}

static bool from_inside(const struct family *f)
{
	struct seen seen;

	if (write(f->ask, &f->burner, sizeof(f->burner)) != sizeof(f->burner) ||
	    read(f->answer, &seen, sizeof(seen)) != sizeof(seen))
		ksft_exit_fail_msg("who reads inside does not answer\n");
	/* Who is root there only is not let in. */
	if (seen.err)
		return seen.err == EACCES || seen.err == EPERM;
	if (seen.rows + 10 > tasks.rows && seen.row >= tasks_clock(tasks_row(&tasks, f->burner)))
		return true;
	ksft_print_msg("inside there are %u rows, and %" PRIu64 " ns of the task\n", seen.rows, seen.row);
	return false;
}

static void look_at(const struct family *f, const char *name)
{
	ksft_test_result(kernel_agrees(f) && row_is(&tasks, f) && row_is(&processes, f),
			 "namespaces %s: %d inside has the row of %d\n", name, f->burnt.inside, f->burner);
	ksft_test_result(f->burnt.inside == 2 && namesake_is_alone(f), "and nothing of it is in that of %d\n",
			 f->burnt.inside);
	ksft_test_result(from_inside(f), "the table read from inside\n");
}

static void end(struct family *f)
{
	/* The namespace's init takes all others with it. */
	kill(f->init, SIGKILL);
	sleep_ns(100 * NSEC_PER_MSEC);
	tasks_read_checked(&exited, TASKS_GONE, NULL);
	ksft_test_result(row_is(&exited, f), "ended with its namespace, it keeps that number\n");
	kill(f->keeper, SIGKILL);
	worker_reap(f->keeper);
}

int main(void)
{
	bool there[ARRAY_SIZE(kinds)];
	unsigned int i, plan = 0;

	tasks_require();
	ksft_print_header();
	tasks_read_checked(&start, TASKS, NULL);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		there[i] = found(&family[i], kinds[i].flags);
		plan += there[i] ? 4 : 1;
	}
	ksft_set_plan(plan);
	sleep_ns(20 * NSEC_PER_MSEC);
	tasks_read_checked(&tasks, TASKS, &start);
	tasks_read_checked(&processes, TASKS_PROCESSES, NULL);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (there[i])
			look_at(&family[i], kinds[i].name);
	}
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (there[i])
			end(&family[i]);
		else
			ksft_test_result_skip("this kernel has no namespaces %s\n", kinds[i].name);
	}
	ksft_finished();
}
