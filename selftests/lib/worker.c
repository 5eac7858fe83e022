// SPDX-License-Identifier: GPL-2.0-only
/*
 * Children that do what they are told, one thing at a time, and tell the CPU
 * time that they have used.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest.h"

#include "loop.h"
#include "machine.h"
#include "worker.h"

struct command {
	uint64_t burn;
	bool rename, end;
	char name[WORKER_NAME];
};

/* In user mode, until the thread's own CPU clock has gone on by that much; returns the clock. */
uint64_t burn_own(uint64_t ns)
{
	uint64_t end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + ns, now;

	while ((now = clock_ns(CLOCK_THREAD_CPUTIME_ID)) < end)
		loop_alu(1000);
	return now;
}

static void work(int command, int reply)
{
	struct command c;
	uint64_t clock;

	while (read(command, &c, sizeof(c)) == sizeof(c) && !c.end) {
		if (c.rename)
			prctl(PR_SET_NAME, c.name);
		clock = burn_own(c.burn);
		if (write(reply, &clock, sizeof(clock)) != sizeof(clock))
			_exit(1);
	}
	_exit(0);
}

/* On one CPU or (-1) wherever the scheduler likes. It dies with the test. */
void worker_start(struct worker *w, int cpu)
{
	int command[2], reply[2];

	if (pipe2(command, O_CLOEXEC) || pipe2(reply, O_CLOEXEC))
		ksft_exit_fail_msg("pipe: %s\n", strerror(errno));
	fflush(stdout);
	w->pid = fork();
	if (w->pid < 0)
		ksft_exit_fail_msg("fork: %s\n", strerror(errno));
	if (w->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(command[1]);
		close(reply[0]);
		if (cpu >= 0)
			pin(cpu);
		work(command[0], reply[1]);
	}
	close(command[0]);
	close(reply[1]);
	w->command = command[1];
	w->reply = reply[0];
}

static uint64_t ask(const struct worker *w, const struct command *c)
{
	uint64_t clock;

	if (write(w->command, c, sizeof(*c)) != sizeof(*c) ||
	    read(w->reply, &clock, sizeof(clock)) != sizeof(clock))
		ksft_exit_fail_msg("worker %d does not answer\n", w->pid);
	return clock;
}

/* Has it burn that much; returns its own CPU clock then. */
uint64_t worker_burn(const struct worker *w, uint64_t ns)
{
	const struct command c = { .burn = ns };

	return ask(w, &c);
}

uint64_t worker_rename(const struct worker *w, const char *name)
{
	struct command c = { .rename = true };

	snprintf(c.name, sizeof(c.name), "%s", name);
	return ask(w, &c);
}

/* Ends it, and leaves a zombie. */
void worker_exit(struct worker *w)
{
	const struct command c = { .end = true };
	siginfo_t info;

	if (write(w->command, &c, sizeof(c)) != sizeof(c))
		ksft_exit_fail_msg("worker %d does not listen\n", w->pid);
	close(w->command);
	close(w->reply);
	if (waitid(P_PID, w->pid, &info, WEXITED | WNOWAIT))
		ksft_exit_fail_msg("waitid: %s\n", strerror(errno));
}

/*
 * What the kernel has of a thread's time on CPUs (sum_exec_runtime): up to its last
 * context switch, or all of it once that was its last one, until it is reaped.
 */
uint64_t worker_run_ns(pid_t tid)
{
	char path[64], text[128];
	uint64_t ns;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", tid);
	if (!file_read(path, text, sizeof(text)) || sscanf(text, "%" SCNu64, &ns) != 1)
		ksft_exit_fail_msg("no %s\n", path);
	return ns;
}

void worker_reap(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		ksft_exit_fail_msg("waitpid: %s\n", strerror(errno));
}
