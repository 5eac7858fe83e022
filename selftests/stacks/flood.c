// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probes on the hottest functions that there are, under hackbench: the machine stays
 * usable, whether stacks are counted or printed to a console that shows all of them.
 * Another program starts soon, nothing stalls, what is too much is suppressed, and
 * the triggers go away while it goes on.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest.h"

#include "load.h"
#include "machine.h"
#include "stacks.h"
#include "symbols.h"
#include "traces.h"

#define LENGTH		(10 * NSEC_PER_SEC)
#define LEAST		5		/* functions */
#define LEAST_DEBUG	3		/* where each is patched for seconds under this load */

static const char *const hot[] = {
	"vfs_read", "try_to_wake_up", "_raw_spin_lock", "update_curr", "enqueue_task_fair",
	"ttwu_do_activate",
};

static const char *function[32];
static unsigned int functions;
static struct triggers triggers;
static uint64_t unwatched;	/* how long a start takes without triggers, at most */

static void hackbench(void)
{
	int null = open("/dev/null", O_WRONLY);

	dup2(null, STDOUT_FILENO);
	execlp("hackbench", "hackbench", "-g", "2", "-f", "5", "-l", "10000000", NULL);
}

/* How long another program takes to start and end. */
static uint64_t start_true(void)
{
	uint64_t start = monotonic_ns();
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		execlp("true", "true", NULL);
		_exit(1);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		ksft_exit_fail_msg("true: %#x\n", status);
	return monotonic_ns() - start;
}

/* The longest of what is started for so long. */
static uint64_t start_many(uint64_t ns, unsigned int *tries)
{
	uint64_t start = monotonic_ns(), longest = 0;

	for (*tries = 0; monotonic_ns() < start + ns; ++*tries) {
		uint64_t took = start_true();

		if (took > longest)
			longest = took;
		sleep_ns(NSEC_PER_SEC / 5);
	}
	return longest;
}

/* A machine that is emulated is slow under this load without us. */
static uint64_t longest_start(void)
{
	return 10 * unwatched > NSEC_PER_SEC ? 10 * unwatched : NSEC_PER_SEC;
}

/*
 * Code is patched for each probe, and each patch waits for all CPUs: those of an
 * emulated machine take turns of 100 ms.
 */
static uint64_t longest_end(void)
{
	return (is_tcg() ? 20 : 5) * NSEC_PER_SEC;
}

/* A kernel that checks all it does, each probe too, is no measure of time: only of harm. */
#define judge_time(right, ...)					\
	do {							\
		if (is_debug_kernel())				\
			ksft_test_result_skip(__VA_ARGS__);	\
		else						\
			ksft_test_result(right, __VA_ARGS__);	\
	} while (0)

/* As many of them as the kernel takes. */
static unsigned int arm(const char *mode)
{
	unsigned int i, n = 0;

	for (i = 0; i < functions; i++) {
		int err = triggers_try("p:flood%u %s mode=%s", i, function[i], mode);

		if (err)
			ksft_print_msg("%s: %s\n", function[i], strerror(err));
		n += !err;
	}
	return n;
}

static uint64_t sum(enum trigger_field field)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < triggers.rows; i++)
		sum += triggers.row[i].value[field];
	return sum;
}

static void flood(const char *mode)
{
	uint64_t start, longest, suppressed, took;
	unsigned int n, tries;
	const char *trouble;

	log_mark();
	n = arm(mode);
	ksft_test_result(n >= (is_debug_kernel() ? LEAST_DEBUG : LEAST), "%s: %u hot functions\n", mode, n);
	triggers_read(&triggers);
	suppressed = sum(TRIGGER_SUPPRESSED);
	longest = start_many(LENGTH, &tries);
	triggers_read(&triggers);
	judge_time(longest < longest_start(), "%s: true started within %" PRIu64 " ms, %u times; without, %" PRIu64
		   " ms\n", mode, longest / NSEC_PER_MSEC, tries, unwatched / NSEC_PER_MSEC);
	ksft_test_result(sum(TRIGGER_SUPPRESSED) > suppressed && sum(TRIGGER_DELIVERED),
			 "%s: of %" PRIu64 " hits %" PRIu64 " suppressed, %" PRIu64 " delivered, %" PRIu64
			 " dropped\n", mode, sum(TRIGGER_HITS), sum(TRIGGER_SUPPRESSED),
			 sum(TRIGGER_DELIVERED), sum(TRIGGER_DROPPED));
	start = monotonic_ns();
	triggers_clear();
	took = monotonic_ns() - start;
	judge_time(took < longest_end(), "%s: removed within %" PRIu64 " ms\n", mode, took / NSEC_PER_MSEC);
	trouble = log_trouble();
	ksft_test_result(!trouble, "%s: a clean log%s%s\n", mode, trouble ? ": " : "", trouble ?: "");
}

int main(void)
{
	unsigned int tries;
	pid_t load;

	stacks_require();
	if (system("command -v hackbench >/dev/null"))
		ksft_exit_skip("needs hackbench\n");
	ksft_print_header();
	ksft_set_plan(2 * 5);
	symbols_load();
	memcpy(function, hot, sizeof(hot));
	functions = ARRAY_SIZE(hot);
	if (is_debug_kernel())
		functions = LEAST_DEBUG;
	else
		functions += symbols_begin("kmem_cache_alloc", "T", function + functions, 4);
	/* They are this test's to bury when their parent is gone. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	load = load_start(hackbench, -1);
	unwatched = start_many(LENGTH / 3, &tries);
	flood("count");
	must_borrow("/proc/sys/kernel/printk", "8");
	flood("dump");
	load_stop(load);
	while (wait(NULL) > 0)
		;
	ksft_finished();
}
