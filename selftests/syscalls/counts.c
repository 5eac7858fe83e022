// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each call is counted, once, under its number and name.
 *
 * Processes that begin and end between two reads make calls of many kinds on all CPUs;
 * perf counts the kernel's tracepoint beside it. Nobody else makes those calls then,
 * so that perf's count around the two reads is the one within them.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kselftest.h"

#include "entries.h"
#include "machine.h"
#include "syscalls.h"

#define WORKERS	4
#define TURNS	250
#define FEW	40	/* in a debug kernel */

static struct syscalls a, b;
static char buffer[4096];
static struct timespec zero;

struct call {
	const char *name;
	long nr, argument[4];
};

#define CALL(name, ...)	{ #name, SYS_##name, { __VA_ARGS__ } }
#define BUFFER		((long)buffer)
#define SIZE		sizeof(buffer)
#define ZERO		((long)&zero)

/* They do no harm, though many are refused. None is one that a test, or what watches it, needs. */
static const struct call calls[] = {
	CALL(getppid), CALL(getuid), CALL(geteuid), CALL(getgid), CALL(getegid),
	CALL(umask, 022), CALL(sched_yield), CALL(getcwd, BUFFER, SIZE), CALL(uname, BUFFER),
	CALL(getrusage, 0, BUFFER), CALL(times, BUFFER), CALL(sysinfo, BUFFER),
	CALL(getpriority, 0, 0), CALL(sched_getscheduler, 0), CALL(sched_getparam, 0, BUFFER),
	CALL(sched_get_priority_max, 1), CALL(capget, 0, 0), CALL(lseek, -1, 0, 0),
	CALL(fcntl, -1, 0), CALL(dup, -1), CALL(fsync, -1), CALL(fdatasync, -1),
	CALL(ftruncate, -1, 0), CALL(pread64, -1, BUFFER, SIZE, 0), CALL(pwrite64, -1, BUFFER, SIZE, 0),
	CALL(readv, -1, 0, 0), CALL(writev, -1, 0, 0), CALL(getrandom, BUFFER, 16, 0),
	CALL(msync, 0, 0, 0), CALL(madvise, 0, 0, 0), CALL(mincore, 0, 0, BUFFER),
	CALL(flock, -1, 0), CALL(nanosleep, ZERO, 0), CALL(clock_getres, 1, BUFFER),
	CALL(timerfd_settime, -1, 0, 0, 0), CALL(epoll_create1, -1), CALL(eventfd2, 0, -1),
	CALL(pipe2, BUFFER, -1), CALL(socket, -1, 0, 0), CALL(bind, -1, 0, 0), CALL(kill, 0, 0),
	CALL(tgkill, -1, -1, 0), CALL(rt_sigpending, BUFFER, 8), CALL(sigaltstack, 0, BUFFER),
	CALL(getitimer, 0, BUFFER), CALL(personality, 0xffffffff), CALL(statfs, 0, BUFFER),
	CALL(membarrier, 0, 0), CALL(memfd_create, 0, 0), CALL(tee, -1, -1, 0, 0),
	CALL(renameat2, -1, 0, -1, 0), CALL(faccessat, -1, 0, 0), CALL(readlinkat, -1, 0, BUFFER, SIZE),
	CALL(setpgid, -1, -1), CALL(getpgid, 0), CALL(getsid, 0), CALL(fadvise64, -1, 0, 0, 0),
	CALL(umount2, 0, 0),
#ifdef __x86_64__
	CALL(stat, 0, BUFFER), CALL(lstat, 0, BUFFER), CALL(access, 0, 0), CALL(poll, 0, 0, 0),
	CALL(readlink, 0, BUFFER, SIZE), CALL(alarm, 0), CALL(time, 0), CALL(dup2, -1, -1),
	CALL(rename, 0, 0), CALL(sendfile, -1, -1, 0, 0),
#endif
};

static void make(const struct call *call)
{
	syscall(call->nr, call->argument[0], call->argument[1], call->argument[2], call->argument[3]);
}

/* All of them again and again, each worker in another order. */
static void work(unsigned int worker, unsigned int turns)
{
	static const unsigned int step[WORKERS] = { 1, 5, 7, 11 };
	unsigned int turn, i, at;

	pin(worker % cpus_online());
	for (turn = 0; turn < turns; turn++)
		for (at = i = 0; i < ARRAY_SIZE(calls); i++) {
			make(&calls[at]);
			at = (at + step[worker]) % ARRAY_SIZE(calls);
		}
}

static void work_all(unsigned int turns)
{
	unsigned int i;
	int status;

	fflush(stdout);
	for (i = 0; i < WORKERS; i++)
		if (fork() == 0) {
			work(i, turns);
			_exit(0);
		}
	for (i = 0; i < WORKERS; i++)
		if (wait(&status) < 0 || status)
			ksft_exit_fail_msg("a worker ended with %#x\n", status);
}

static bool is_counted(const struct call *call, uint64_t made)
{
	struct syscalls_delta d = syscalls_delta(&a, &b, false, call->nr);
	struct entries_span perf = entries_span(call->nr);
	const char *error;

	if (perf.least != perf.most || perf.least < made || d.count != perf.least) {
		ksft_print_msg("%s: counted %" PRIu64 ", made %" PRIu64 ", perf %" PRIu64 " to %" PRIu64 "\n",
			       call->name, d.count, made, perf.least, perf.most);
		return false;
	}
	error = syscalls_check_hist(&b, false, call->nr);
	if (error)
		ksft_print_msg("%s\n", error);
	return !error;
}

static void counts(unsigned int turns)
{
	struct entries_span all;
	unsigned int i, right = 0;
	uint64_t count;

	for (i = 0; i < ARRAY_SIZE(calls); i++)
		entries_open(calls[i].nr);
	entries_open(ENTRIES_ALL);
	syscalls_reset();
	entries_begin(&a);
	work_all(turns);
	entries_end(&b, &a);
	for (i = 0; i < ARRAY_SIZE(calls); i++)
		right += is_counted(&calls[i], WORKERS * turns);
	ksft_test_result(right == i, "%u calls of each of %u kinds are counted as perf does, and end: %u\n",
			 WORKERS * turns, i, right);
	all = entries_span(ENTRIES_ALL);
	count = syscalls_count(&b) - syscalls_count(&a);
	ksft_test_result(count >= all.least && count <= all.most,
			 "%" PRIu64 " calls of all kinds, perf has %" PRIu64 " to %" PRIu64 "\n", count,
			 all.least, all.most);
}

/* --- names ----------------------------------------------------------------------------- */

static void have_names(void)
{
	unsigned int i, right = 0;

	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		const struct syscalls_row *row = syscalls_find(&b, false, calls[i].nr);

		if (row && !strcmp(row->name, calls[i].name))
			right++;
		else
			ksft_print_msg("%ld is %s, not %s\n", calls[i].nr, row ? row->name : "nothing",
				       calls[i].name);
	}
	ksft_test_result(right == i, "numbers have the names of asm/unistd.h: %u of %u\n", right, i);
}

static bool is_event(const char *name)
{
	char path[160];

	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/syscalls/sys_enter_%s", name);
	return !access(path, F_OK);
}

/* ftrace calls them as the kernel's functions are called. */
static bool has_event(const char *name)
{
	static const char *const function[][2] = {
		{ "stat", "newstat" }, { "fstat", "newfstat" }, { "lstat", "newlstat" },
		{ "uname", "newuname" }, { "sendfile", "sendfile64" }, { "umount2", "umount" },
		{ "fadvise64", "fadvise64_64" }, { "personality", "arm64_personality" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(function); i++)
		if (!strcmp(name, function[i][0]) && is_event(function[i][1]))
			return true;
	return is_event(name);
}

static void events(void)
{
	unsigned int i, named = 0, right = 0;

	for (i = 0; i < b.rows; i++) {
		if (b.row[i].compat || b.row[i].nr == SYSCALLS_OTHER)
			continue;
		named++;
		if (has_event(b.row[i].name))
			right++;
		else
			ksft_print_msg("ftrace has no sys_enter_%s\n", b.row[i].name);
	}
	ksft_test_result(right == named && named >= ARRAY_SIZE(calls), "names are known to ftrace: %u of %u\n",
			 right, named);
}

/* --- epochs ---------------------------------------------------------------------------- */

static void new_epoch(void)
{
	const struct syscalls_row *row;
	unsigned int i;

	syscalls_reset();
	for (i = 0; i < 100; i++)
		syscall(SYS_getppid);
	syscalls_read_checked(&b, NULL);
	row = syscalls_find(&b, false, SYS_getppid);
	ksft_test_result(row && row->count == 100 && !syscalls_check_hist(&b, false, SYS_getppid) &&
			 !syscalls_find(&b, false, SYS_umask),
			 "a new epoch has the calls that were made in it\n");
}

/* One that was made before belongs to no later epoch, or with as much as lies in it. */
static void call_across(void)
{
	const struct syscalls_row *row;
	uint64_t start;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		struct timespec ts = { .tv_sec = 1 };

		syscall(SYS_nanosleep, &ts, NULL);
		_exit(0);
	}
	usleep(400000);
	start = monotonic_ns();
	syscalls_reset();
	waitpid(pid, NULL, 0);
	syscalls_read_checked(&b, NULL);
	row = syscalls_find(&b, false, SYS_nanosleep);
	if (row)
		syscalls_print_row(row);
	ksft_test_result(!row || row->max <= monotonic_ns() - start,
			 "a call that is older than the epoch breaks no rule\n");
}

static pid_t start_work(unsigned int turns)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		work_all(turns);
		_exit(0);
	}
	return pid;
}

/* Reads while all that goes on: on a slow machine it has to go on more than once. */
static void read_meanwhile(unsigned int turns)
{
	static struct syscalls s[2];
	unsigned int n = 0;
	bool ended;
	pid_t pid = start_work(turns);

	syscalls_read_checked(&s[0], NULL);
	do {
		syscalls_read_checked(&s[(n + 1) % 2], &s[n % 2]);
		n++;
		ended = waitpid(pid, NULL, WNOHANG);
		if (ended && n <= 3)
			pid = start_work(turns);
	} while (!ended || n <= 3);
	ksft_test_result(n > 3, "%u reads meanwhile: nothing goes back\n", n);
}

int main(void)
{
	unsigned int turns = access("/sys/kernel/debug/kmemleak", F_OK) ? TURNS : FEW;

	syscalls_require();
	ksft_print_header();
	ksft_set_plan(7);
	counts(turns);
	have_names();
	events();
	read_meanwhile(turns);
	new_epoch();
	call_across();
	ksft_finished();
}
