// SPDX-License-Identifier: GPL-2.0-only
/*
 * Load and unload 200 times (20 in a debug kernel) while every hook is busy:
 * processes are forked, pipes are written, datagrams are sent, timers fire, and
 * readers read. Each unload takes less than five seconds (15 in a debug kernel), the
 * kernel survives, nothing is left.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "load.h"
#include "machine.h"
#include "module.h"
#include "traces.h"

#define ROUNDS	200
#define LONGEST	(5 * NSEC_PER_SEC)	/* three times that in a debug kernel, as the plan has it */
#define HELD_UP	(30 * NSEC_PER_SEC)
#define FLASH	(3 * NSEC_PER_MSEC)
#define PAUSE	(3 * NSEC_PER_MSEC)
#define READ_PAUSE	(5 * NSEC_PER_MSEC)
#define LONG_READ_PAUSE	(200 * NSEC_PER_MSEC)	/* after what takes some 10 ms */
#define DEBUG_READ_PAUSE (4 * NSEC_PER_SEC)	/* some 100 ms, in flashes: 2 s in all */
#define LONG_PAUSE	(60 * NSEC_PER_MSEC)	/* in a debug kernel */

static struct traces before;
static bool debug_kernel;

/*
 * Reads whatever is there, whole and in small pieces; it may be gone at any time. What is
 * open holds an unload up: readers must let go for longer than they read.
 */
static void reader(const char *path, size_t size, uint64_t pause)
{
	char text[8192];

	for (;;) {
		int fd = open(path, O_RDONLY);

		if (fd < 0) {
			sleep_ns(NSEC_PER_MSEC);
			continue;
		}
		while (read(fd, text, size) > 0)
			;
		close(fd);
		sleep_ns(pause);
	}
}

static uint64_t long_read_pause(void)
{
	return debug_kernel ? DEBUG_READ_PAUSE : LONG_READ_PAUSE;
}

static void read_book(void)
{
	reader(BOOK_PATH, 8192, READ_PAUSE);
}

static void read_book_slowly(void)
{
	reader(BOOK_PATH, 100, READ_PAUSE);
}

static void read_self(void)
{
	reader(BOOK_DEBUGFS "self", 4096, READ_PAUSE);
}

static void read_tasks(void)
{
	reader(BOOK_DEBUGFS "tasks", 8192, long_read_pause());
}

static void read_processes_slowly(void)
{
	reader(BOOK_DEBUGFS "processes", 100, long_read_pause());
}

static void read_exited(void)
{
	reader(BOOK_DEBUGFS "exited", 4096, long_read_pause());
}

static void (*const work[])(void) = {
	load_forks, load_pipes, load_datagrams, load_timers,
	read_book, read_book_slowly, read_self, read_tasks, read_processes_slowly, read_exited,
};

static pid_t load[ARRAY_SIZE(work)];

/*
 * A busy vCPU of an emulation that runs them in turn gives way at ticks only,
 * so that each of the hundreds of code patches of a load, which interrupts all
 * CPUs, lasts a tick or more. There the fire burns in flashes, with pauses in
 * which the CPUs are idle and quick to answer.
 */
static void pace(void)
{
	struct sched_param first = { .sched_priority = 50 };
	unsigned int i, turn;

	sched_setscheduler(0, SCHED_FIFO, &first);
	for (turn = 0; ; turn++) {
		for (i = 0; i < ARRAY_SIZE(load); i++)
			kill(-load[i], turn % 2 ? SIGCONT : SIGSTOP);
		sleep_ns(turn % 2 ? FLASH : debug_kernel ? LONG_PAUSE : PAUSE);
	}
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : ROUNDS;
	uint64_t longest = 0, longest_load = 0, retries = 0, bound = LONGEST;
	pid_t pacer = 0;
	static struct book book;
	const char *error = NULL;
	unsigned int i;
	int round;

	module_require_unloaded();
	/* A debug kernel takes ten times as long, and sees in one round what others see in ten. */
	debug_kernel = !access("/sys/kernel/debug/kmemleak", F_OK);
	if (argc == 1 && debug_kernel)
		rounds = ROUNDS / 10;
	if (debug_kernel)
		bound *= 3;
	ksft_print_header();
	ksft_set_plan(4);
	log_mark();
	traces_take(&before);
	for (i = 0; i < ARRAY_SIZE(work); i++)
		load[i] = load_start(work[i], -1);
	if (is_tcg())
		pacer = load_start(pace, -1);

	for (round = 0; round < rounds && !error && longest < bound; round++) {
		uint64_t start = monotonic_ns(), held, took;
		int err;

		/* What a debug kernel takes to hand out, check and take back memory is not the question. */
		module_load(debug_kernel ? "tasks_max=1024" : "");
		took = monotonic_ns() - start;
		if (took > longest_load)
			longest_load = took;
		/* Now and then let it run a little, now and then not at all. */
		if (round % 4 == 1)
			sleep_ns(20 * NSEC_PER_MSEC);
		if (round % 4 != 3) {
			book_read(&book);
			error = book_check(&book);
		}

		/* Only a reader that has debugfs open may hold it up, for the time of its read. */
		held = monotonic_ns();
		do {
			start = monotonic_ns();
			err = module_try_unload();
			took = monotonic_ns() - start;
			if (err == EWOULDBLOCK) {
				retries++;
				sleep_ns(NSEC_PER_MSEC);
			}
		} while (err == EWOULDBLOCK && start - held < HELD_UP);
		if (err)
			ksft_exit_fail_msg("round %d: unload: %s\n", round, strerror(err));
		if (took > longest)
			longest = took;
		if (round % 50 == 49)
			ksft_print_msg("%d rounds\n", round + 1);
	}
	if (pacer)
		load_stop(pacer);
	for (i = 0; i < ARRAY_SIZE(work); i++)
		load_stop(load[i]);

	if (error)
		ksft_print_msg("%s\n", error);
	ksft_test_result(!error && round == rounds, "%d times loaded and unloaded under fire\n", round);
	ksft_test_result(longest < bound, "the longest unload took %" PRIu64 " ms (load %" PRIu64
			 " ms, %" PRIu64 " times held up by a reader)\n",
			 longest / NSEC_PER_MSEC, longest_load / NSEC_PER_MSEC, retries);

	module_load("");
	book_read(&book);
	error = book_check(&book);
	if (error)
		ksft_print_msg("%s\n", error);
	ksft_test_result(!error, "loads again and is closed\n");
	module_unload();

	ksft_test_result(traces_none(&before), "nothing left, a clean log\n");
	ksft_finished();
}
