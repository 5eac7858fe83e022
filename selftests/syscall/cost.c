// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the module costs, in instructions: a ping-pong over two pipes and a
 * system call that does nothing, without the module, with it, and without it
 * again. In the instruction-counting VM a figure is the same run after run, once
 * nothing else wants the CPU: the cheapest of several batches counts, as kernels
 * still have work of their own in the first seconds.
 */
#include <inttypes.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest.h"

#include "loop.h"
#include "machine.h"
#include "module.h"

#define BATCHES		12
#define TRIPS		2000	/* a batch */
#define CALLS		20000
#define MAX_SLOWER	10	/* % of a ping-pong: two switches, four system calls */
#define MAX_CALL	210	/* what README says of a system call */

static void pong(int in, int out)
{
	char byte;

	while (read(in, &byte, 1) == 1)
		if (write(out, &byte, 1) != 1)
			break;
	_exit(0);
}

static double ping_pong(void)
{
	int there[2], back[2], batch, i;
	uint64_t start, took, least = UINT64_MAX;
	char byte = 0;
	pid_t pid;

	if (pipe(there) || pipe(back))
		ksft_exit_fail_msg("no pipe\n");
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		close(there[1]);
		close(back[0]);
		pong(there[0], back[1]);
	}
	for (batch = 0; batch < BATCHES; batch++) {
		start = monotonic_ns();
		for (i = 0; i < TRIPS; i++)
			if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
				ksft_exit_fail_msg("the pipe broke\n");
		took = monotonic_ns() - start;
		least = took < least ? took : least;
	}
	close(there[0]);
	close(there[1]);
	close(back[0]);
	close(back[1]);
	waitpid(pid, NULL, 0);
	return (double)least / TRIPS;
}

static double getppid_loop(void)
{
	uint64_t start, took, least = UINT64_MAX;
	int batch;

	for (batch = 0; batch < BATCHES; batch++) {
		start = monotonic_ns();
		loop_syscall(CALLS, SYS_getppid, 0, 0, 0, 0);
		took = monotonic_ns() - start;
		least = took < least ? took : least;
	}
	return (double)least / CALLS;
}

int main(void)
{
	double trip[3], call[3], base;
	int i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	require_icount();
	if (!module_file())
		ksft_exit_skip("no module file to load: set CPUPRECISE_KO\n");
	ksft_print_header();
	ksft_set_plan(3);
	if (module_is_loaded())
		module_unload();
	for (i = 0; i < 3; i++) {
		if (i == 1)
			module_load("");
		trip[i] = ping_pong();
		call[i] = getppid_loop();
		if (i == 1)
			module_unload();
		ksft_print_msg("%s: ping-pong %.0f instructions, getppid %.1f\n",
			       i == 1 ? "with the module" : "without", trip[i], call[i]);
	}
	base = (trip[0] + trip[2]) / 2;
	ksft_test_result(trip[2] < trip[0] * 1.01 && trip[2] > trip[0] * 0.99 &&
			 call[2] < call[0] * 1.01 && call[2] > call[0] * 0.99,
			 "without it, before and after: ping-pong %.0f and %.0f, getppid %.1f and %.1f\n",
			 trip[0], trip[2], call[0], call[2]);
	ksft_test_result(trip[1] <= base * (100 + MAX_SLOWER) / 100,
			 "ping-pong: %.0f instructions more, %.1f %%, at most %d %%\n", trip[1] - base,
			 (trip[1] - base) * 100 / base, MAX_SLOWER);
	base = (call[0] + call[2]) / 2;
	ksft_test_result(call[1] - base <= MAX_CALL, "system call: %.0f instructions more, at most %d\n",
			 call[1] - base, MAX_CALL);
	ksft_finished();
}
