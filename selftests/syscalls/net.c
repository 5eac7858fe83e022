// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a call took: of the CPU, which is the task's system time, and from its entry to
 * its return, which has sleep, interrupts and others' turns in it too.
 *
 * A child makes calls that nobody else makes, alone on its CPU but for what the test
 * puts there; the module's own table of tasks has its time, as clocks have it.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kselftest.h"

#include "load.h"
#include "loop.h"
#include "machine.h"
#include "syscalls.h"
#include "tasks.h"

#define TURNS	100000
#define BOUNDARY	350
#define BLOCK	(64 << 20)
#define BUSY	(4 * NSEC_PER_SEC)
#define ASLEEP	(5 * NSEC_PER_SEC)
#define TURN	(8 * NSEC_PER_MSEC)

static int cpu;

/* --- a child between two reads ---------------------------------------------------------- */

struct took {
	uint64_t count, cpu, wall, max;		/* by its calls */
	uint64_t task[TASKS_FIELDS];		/* by its row */
	uint64_t elapsed;			/* by its clock */
	const char *hist;			/* what is wrong with the histograms */
};

/* What the child is asked to do; returns how long that took. */
static uint64_t (*work)(void);

static void child(int in, int out)
{
	uint64_t elapsed;
	char byte = 0;

	pin(cpu);
	if (write(out, &byte, 1) != 1 || read(in, &byte, 1) != 1)
		_exit(1);
	elapsed = work();
	if (write(out, &elapsed, sizeof(elapsed)) != sizeof(elapsed) || read(in, &byte, 1) != 1)
		_exit(1);
	_exit(0);
}

/* What a child has to wait for meanwhile is done by the parent. */
static void measure(struct took *took, long nr, uint64_t (*what)(void), void (*meanwhile)(void))
{
	static struct syscalls a, b;
	static struct tasks tasks[2];
	struct syscalls_delta d;
	int there[2], back[2], status, f;
	char byte = 0;
	pid_t pid;

	work = what;
	fflush(stdout);
	if (pipe(there) || pipe(back))
		ksft_exit_fail_msg("no pipe\n");
	pid = fork();
	if (pid == 0)
		child(there[0], back[1]);
	syscalls_reset();
	if (read(back[0], &byte, 1) != 1)
		ksft_exit_fail_msg("no child\n");
	sleep_ns(20 * NSEC_PER_MSEC);
	tasks_read_checked(&tasks[0], TASKS, NULL);
	syscalls_read_checked(&a, NULL);
	if (write(there[1], &byte, 1) != 1)
		ksft_exit_fail_msg("no child\n");
	if (meanwhile)
		meanwhile();
	if (read(back[0], &took->elapsed, sizeof(took->elapsed)) != sizeof(took->elapsed))
		ksft_exit_fail_msg("the child is gone\n");
	sleep_ns(20 * NSEC_PER_MSEC);
	syscalls_read_checked(&b, &a);
	tasks_read_checked(&tasks[1], TASKS, &tasks[0]);
	for (f = 0; f < TASKS_FIELDS; f++)
		took->task[f] = tasks_delta(&tasks[0], &tasks[1], pid, f);
	if (write(there[1], &byte, 1) != 1 || waitpid(pid, &status, 0) != pid || status)
		ksft_exit_fail_msg("the child ended with %#x\n", status);
	close(there[0]);
	close(there[1]);
	close(back[0]);
	close(back[1]);

	d = syscalls_delta(&a, &b, false, nr);
	took->count = d.count;
	took->cpu = d.cpu;
	took->wall = d.wall;
	took->max = syscalls_find(&b, false, nr) ? syscalls_find(&b, false, nr)->max : 0;
	took->hist = syscalls_check_hist(&b, false, nr);
	ksft_print_msg("%" PRIu64 " calls of %ld: cpu %" PRIu64 ", wall %" PRIu64 ", max %" PRIu64
		       "; system %" PRIu64 ", irq %" PRIu64 ", softirq %" PRIu64 ", wait %" PRIu64
		       ", user %" PRIu64 "; elapsed %" PRIu64 "\n", took->count, nr, took->cpu, took->wall,
		       took->max, took->task[TASKS_SYSTEM], took->task[TASKS_IRQ],
		       took->task[TASKS_SOFTIRQ], took->task[TASKS_WAIT], took->task[TASKS_USER],
		       took->elapsed);
	if (took->hist)
		ksft_print_msg("%s\n", took->hist);
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static uint64_t interrupts(const struct took *took)
{
	return took->task[TASKS_IRQ] + took->task[TASKS_SOFTIRQ];
}

/* --- short calls ------------------------------------------------------------------------ */

static uint64_t loop_getppid(void)
{
	uint64_t start = monotonic_ns();

	loop_syscall(TURNS, SYS_getppid, 0, 0, 0, 0);
	return monotonic_ns() - start;
}

/*
 * An instruction a nanosecond: what is not within the calls is the loop's own, and what
 * the kernel does before its first hook and after the last one, as user_system bounds it.
 */
static void outside_of_calls(const struct took *took, uint64_t beyond)
{
	uint64_t outside = took->elapsed - took->wall;

	if (is_icount())
		ksft_test_result(outside >= TURNS * LOOP_SYSCALL_INSNS &&
				 outside <= TURNS * (LOOP_SYSCALL_INSNS + BOUNDARY) + beyond,
				 "getppid: %.1f instructions a turn are outside of the calls\n",
				 (double)outside / TURNS);
	else
		ksft_test_result_skip("instructions are not counted\n");
}

/* In counted instructions there is the child's own coming and going beside its calls, and no more. */
static void short_calls(void)
{
	struct took took;
	uint64_t system, beyond;

	measure(&took, SYS_getppid, loop_getppid, NULL);
	system = took.task[TASKS_SYSTEM];
	ksft_test_result(took.count == TURNS && !took.hist, "%d calls, all of them ended\n", TURNS);
	ksft_test_result(took.cpu <= system && (system - took.cpu) * (is_icount() ? 500 : 20) <= system,
			 "getppid: cpu %" PRIu64 " ns, the task's system time %" PRIu64 "\n", took.cpu,
			 system);
	beyond = interrupts(&took) + took.task[TASKS_WAIT];
	ksft_test_result(took.wall - took.cpu <= beyond + NSEC_PER_MSEC,
			 "getppid: wall is %" PRIu64 " ns more, interrupts and waits were %" PRIu64 "\n",
			 took.wall - took.cpu, beyond);
	outside_of_calls(&took, beyond);
}

/* --- calls that sleep ------------------------------------------------------------------- */

static int pipe_of_child[2];

static uint64_t sleep_in_read(void)
{
	static char byte;
	struct iovec to = { &byte, 1 };
	uint64_t start = monotonic_ns();

	if (syscall(SYS_readv, pipe_of_child[0], &to, 1) != 1)
		_exit(1);
	return monotonic_ns() - start;
}

static void write_later(void)
{
	sleep_ns(ASLEEP);
	if (write(pipe_of_child[1], "", 1) != 1)
		ksft_exit_fail_msg("write: %s\n", strerror(errno));
}

static uint64_t sleep_itself(void)
{
	struct timespec ts = { .tv_sec = 1 };
	uint64_t start = monotonic_ns();

	if (syscall(SYS_nanosleep, &ts, NULL))
		_exit(1);
	return monotonic_ns() - start;
}

static void sleeping_call(const char *name, long nr, uint64_t (*what)(void), void (*meanwhile)(void))
{
	struct took took;
	uint64_t most;

	measure(&took, nr, what, meanwhile);
	/* An emulated CPU may lose its turn in the middle of a call. */
	most = is_tcg() && !is_icount() ? tolerance(took.wall) : NSEC_PER_MSEC;
	ksft_test_result(took.count == 1 && !took.hist && took.cpu < most,
			 "%s: sleep is no CPU time: %" PRIu64 " us\n", name, took.cpu / 1000);
	ksft_test_result(took.wall == took.max && distance(took.wall, took.elapsed) <= 20 * NSEC_PER_MSEC,
			 "%s: wall %" PRIu64 " us, by its clock %" PRIu64 "\n", name, took.wall / 1000,
			 took.elapsed / 1000);
}

/* --- calls that are kept from running --------------------------------------------------- */

/* Reads zeros for so long, in calls of some milliseconds, in which pages come to be there. */
static uint64_t read_zeros(void)
{
	void *to = mmap(NULL, BLOCK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = open("/dev/zero", O_RDONLY);
	uint64_t start = monotonic_ns();

	while (monotonic_ns() - start < BUSY)
		if (to == MAP_FAILED || syscall(SYS_pread64, fd, to, BLOCK, 0) != BLOCK)
			_exit(1);
	return monotonic_ns() - start;
}

/* The same while perf samples the CPU every 20 us: timer interrupts, for nobody. */
static uint64_t read_interrupted(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK, .sample_period = 20000,
	};

	if (syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0) < 0)
		_exit(1);
	return read_zeros();
}

static void busy_call(const char *name, uint64_t (*what)(void))
{
	struct took took;
	uint64_t beyond, outside;

	measure(&took, SYS_pread64, what, NULL);
	beyond = interrupts(&took) + took.task[TASKS_WAIT];
	/* Some of that comes between the calls, and, another's turn each time, before and after them all. */
	outside = took.elapsed - took.wall + 2 * TURN + tolerance(0);
	ksft_test_result(took.cpu <= took.task[TASKS_SYSTEM] &&
			 took.cpu + took.cpu / 20 + tolerance(0) >= took.task[TASKS_SYSTEM],
			 "%s: cpu %" PRIu64 " us, the task's system time %" PRIu64 "\n", name,
			 took.cpu / 1000, took.task[TASKS_SYSTEM] / 1000);
	ksft_test_result(distance(took.wall - took.cpu, beyond) <= outside && beyond > 2 * outside,
			 "%s: wall is %" PRIu64 " us more, interrupts and others' turns were %" PRIu64 "\n",
			 name, (took.wall - took.cpu) / 1000, beyond / 1000);
}

int main(void)
{
	pid_t load;

	tasks_require();
	syscalls_require();
	ksft_print_header();
	ksft_set_plan(4 + 2 * 2 + 2 * 2);
	cpu = other_cpu();
	if (cpu)
		pin_all(cpu, 0);
	pin(0);
	if (pipe(pipe_of_child))
		ksft_exit_fail_msg("no pipe\n");
	short_calls();
	sleeping_call("read", SYS_readv, sleep_in_read, write_later);
	sleeping_call("nanosleep", SYS_nanosleep, sleep_itself, NULL);
	busy_call("under interrupts", read_interrupted);
	load = load_start(load_burn, cpu);
	busy_call("beside another task", read_zeros);
	load_stop(load);
	ksft_finished();
}
