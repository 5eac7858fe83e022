// SPDX-License-Identifier: GPL-2.0-only
/*
 * What needs no hardware, against what else knows it: clocks, switches that two
 * tasks force, pages that are touched once, system calls that are made, the TSC,
 * and perf beside it.
 *
 * The other CPU is kept free for the load, so that what it counts is the load's,
 * and that of kernel threads, whose few switches a bound has to allow.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __x86_64__
#include <x86intrin.h>
#endif

#include "kselftest.h"

#include "counters.h"
#include "load.h"
#include "machine.h"
#include "table.h"

#define CPU	1
#define TURNS	5000
#define PAGES	2000
#define CALLS	20000
#define HOPS	500
#define OTHER_FAULTS	10

/* Kernel threads of the CPU run when they like: once a tick is more than they ever do. */
#define OTHERS(ns)	(10 + (ns) / (10 * NSEC_PER_MSEC))

static struct counters a, b;

/* Runs something on the other CPU, to its end. Between the two reads it has done it all. */
static void on_cpu(void (*work)(void))
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		pin(CPU);
		work();
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		ksft_exit_fail_msg("a load ended with %#x\n", status);
}

static bool is_between(const char *what, uint64_t value, uint64_t least, uint64_t most)
{
	ksft_print_msg("%s: %" PRIu64 ", should be %" PRIu64 " to %" PRIu64 "\n", what, value, least, most);
	return value >= least && value <= most;
}

/* --- clocks ---------------------------------------------------------------------------- */

static void clocks(void)
{
	static const char *const events[] = { "cpu-clock", "task-clock" };
	unsigned int i, right = 0;
	int cpu;

	counters_choose("cpu-clock,task-clock");
	for (i = 0; i < 20; i++) {
		struct counters_span span;

		counters_read_checked(&a, NULL);
		sleep_ns((20 + rand() % 100) * NSEC_PER_MSEC);
		counters_read_checked(&b, &a);
		span = counters_time(&a, &b);
		for (cpu = 0; cpu < cpus_online(); cpu++) {
			uint64_t ns = counters_delta(&a, &b, cpu, events[i % 2]);

			/* The scheduler's clock is not steered within 0.1 %. */
			right += ns + ns / 1000 >= span.least && ns <= span.most + span.most / 1000;
		}
	}
	ksft_test_result((int)right == (int)i * cpus_online(), "clocks are CLOCK_MONOTONIC, %u times of %u\n",
			 right, i * cpus_online());
}

/* The TSC, read around both reads. Only where perf has it as a PMU. */
static void tsc(void)
{
#ifdef __x86_64__
	uint64_t before[2], after[2], least, most;
	unsigned int i, right = 0;

	if (access("/sys/bus/event_source/devices/msr", F_OK)) {
		ksft_test_result_skip("no PMU msr\n");
		return;
	}
	counters_choose("msr/config=0/");
	for (i = 0; i < 10; i++) {
		before[0] = __rdtsc();
		counters_read_checked(&a, NULL);
		before[1] = __rdtsc();
		sleep_ns(50 * NSEC_PER_MSEC);
		after[0] = __rdtsc();
		counters_read_checked(&b, &a);
		after[1] = __rdtsc();
		least = after[0] - before[1];
		most = after[1] - before[0];
		right += counters_delta(&a, &b, 0, "msr/config=0/") >= least &&
			 counters_delta(&a, &b, 0, "msr/config=0/") <= most &&
			 counters_delta(&a, &b, CPU, "msr/config=0/") >= least &&
			 counters_delta(&a, &b, CPU, "msr/config=0/") <= most;
	}
	ksft_test_result(right == i, "msr/config=0/ is the TSC, %u times of %u\n", right, i);
#else
	ksft_test_result_skip("the TSC is x86's\n");
#endif
}

/* --- switches ---------------------------------------------------------------------------- */

/* A byte there and back: each of them is a switch there and one back. */
static void round_trips(void)
{
	int there[2], back[2], i;
	char byte = 0;

	if (pipe(there) || pipe(back))
		_exit(1);
	if (fork() == 0) {
		close(there[1]);
		while (read(there[0], &byte, 1) == 1)
			if (write(back[1], &byte, 1) != 1)
				break;
		_exit(0);
	}
	for (i = 0; i < TURNS; i++)
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			_exit(1);
	close(there[1]);
	wait(NULL);
}

/* Calls of the hook on sched_switch, by the module's own count. */
static uint64_t hook_calls(int cpu)
{
	static char text[1 << 18];
	char name[48], *at;

	file_read_all(BOOK_DEBUGFS "self", text, sizeof(text));
	snprintf(name, sizeof(name), "\nsched_switch %d ", cpu);
	at = strstr(text, name);
	if (!at)
		ksft_exit_fail_msg("self has no sched_switch of CPU %d\n", cpu);
	return strtoull(at + strlen(name), NULL, 10);
}

static void switches(void)
{
	uint64_t outer, inner, count, trace;
	bool ok;

	counters_choose("context-switches sched:sched_switch cpu-clock");
	outer = hook_calls(CPU);
	counters_read_checked(&a, NULL);
	inner = hook_calls(CPU);
	on_cpu(round_trips);
	inner = hook_calls(CPU) - inner;
	counters_read_checked(&b, &a);
	outer = hook_calls(CPU) - outer;
	count = counters_delta(&a, &b, CPU, "context-switches");
	trace = counters_delta(&a, &b, CPU, "sched:sched_switch");
	ok = is_between("switches of a pair", count, 2 * TURNS,
			2 * TURNS + OTHERS(counters_delta(&a, &b, CPU, "cpu-clock")));
	ok &= is_between("the hook's calls", count, inner, outer);
	ksft_test_result(ok, "context-switches are those that two tasks force\n");
	/* The CPU may switch between the looks at its two counters, as kernel threads come. */
	ksft_test_result(is_between("the tracepoint's", trace, count - 5, count + 5),
			 "sched:sched_switch counts the same\n");
}

static void hop(void)
{
	int i;

	for (i = 0; i < HOPS; i++)
		pin(i % 2 ? CPU : 0);
}

/* The counter is that of the CPU that a task leaves (or where it is woken). */
static void migrations(void)
{
	uint64_t sum = 0;
	int cpu;

	counters_choose("cpu-migrations");
	counters_read_checked(&a, NULL);
	on_cpu(hop);
	counters_read_checked(&b, &a);
	for (cpu = 0; cpu < cpus_online(); cpu++)
		sum += counters_delta(&a, &b, cpu, "cpu-migrations");
	/* fork(), pin() and what the balancer does with others come to it. */
	ksft_test_result(is_between("migrations", sum, HOPS, HOPS + 50), "cpu-migrations: a task that hops\n");
}

/* --- faults and calls ---------------------------------------------------------------------- */

static char *pages;

static void touch(void)
{
	unsigned int i;

	for (i = 0; i < PAGES; i++)
		pages[i * 4096ul] = 1;
}

/* The kernel touches them: faults in kernel mode. */
static void touch_in_kernel(void)
{
	int zero = open("/dev/zero", O_RDONLY);
	unsigned int i;

	for (i = 0; i < PAGES; i++)
		if (read(zero, pages + i * 4096ul, 1) != 1)
			_exit(1);
}

static void nothing(void)
{
}

#define FAULTS	"page-faults minor-faults major-faults page-faults:u page-faults:k"

/* Each event's count of what this does on the other CPU. */
static void count_faults(void (*work)(void), uint64_t *count)
{
	static const char *const events[] = {
		"page-faults", "minor-faults", "major-faults", "page-faults:u", "page-faults:k",
	};
	unsigned int i;

	pages = mmap(NULL, PAGES * 4096ul, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (pages == MAP_FAILED || madvise(pages, PAGES * 4096ul, MADV_NOHUGEPAGE))
		ksft_print_msg("huge pages cannot be ruled out\n");
	counters_read_checked(&a, NULL);
	on_cpu(work);
	counters_read_checked(&b, &a);
	munmap(pages, PAGES * 4096ul);
	for (i = 0; i < ARRAY_SIZE(events); i++)
		count[i] = counters_delta(&a, &b, CPU, events[i]);
}

static void faults(void)
{
	enum { ALL, MINOR, MAJOR, IN_USER, IN_KERNEL, EVENTS };
	uint64_t bare[EVENTS], user[EVENTS], kernel[EVENTS];
	bool ok;

	counters_choose(FAULTS);
	/* A child's own faults are few: it has its stack when it comes to the CPU. */
	count_faults(nothing, bare);
	count_faults(touch, user);
	count_faults(touch_in_kernel, kernel);
	ok = is_between("page-faults", user[ALL], PAGES, PAGES + bare[ALL] + OTHER_FAULTS) &&
		is_between("minor-faults", user[MINOR], PAGES, PAGES + bare[MINOR] + OTHER_FAULTS) &&
		is_between("page-faults:u", user[IN_USER], PAGES, PAGES + bare[IN_USER] + OTHER_FAULTS) &&
		is_between("page-faults:k", user[IN_KERNEL], 0, bare[IN_KERNEL] + OTHER_FAULTS);
	ksft_test_result(ok && bare[ALL] < OTHER_FAULTS, "each page touched is a fault, a minor one, in user mode\n");
	ok = is_between("page-faults:k", kernel[IN_KERNEL], PAGES, PAGES + bare[IN_KERNEL] + OTHER_FAULTS) &&
		is_between("page-faults:u", kernel[IN_USER], 0, bare[IN_USER] + OTHER_FAULTS);
	ksft_test_result(ok, "touched by the kernel: in the kernel\n");
	ok = user[IN_USER] + user[IN_KERNEL] == user[ALL] &&
		kernel[IN_USER] + kernel[IN_KERNEL] == kernel[ALL] &&
		user[MINOR] + user[MAJOR] == user[ALL] && kernel[MINOR] + kernel[MAJOR] == kernel[ALL];
	ksft_test_result(ok, "user and kernel, minor and major add up to page-faults\n");
}

static void call(void)
{
	unsigned int i;

	for (i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
}

/* The child's way to the CPU, and its end, are calls too. */
static void tracepoint(void)
{
	bool ok;

	counters_choose("raw_syscalls:sys_enter raw_syscalls:sys_exit raw_syscalls:sys_enter:u");
	counters_read_checked(&a, NULL);
	on_cpu(call);
	counters_read_checked(&b, &a);
	ok = is_between("sys_enter", counters_delta(&a, &b, CPU, "raw_syscalls:sys_enter"), CALLS, CALLS + 5);
	/* Its exit() does not come back. */
	ok &= is_between("sys_exit", counters_delta(&a, &b, CPU, "raw_syscalls:sys_exit"), CALLS, CALLS + 5);
	ksft_test_result(ok, "a tracepoint counts %u system calls\n", CALLS);
}

/* --- perf ------------------------------------------------------------------------------------ */

#define BESIDE	\
	"context-switches,page-faults,minor-faults,cpu-migrations,raw_syscalls:sys_enter,sched:sched_switch"

static void beside_perf(void)
{
	static const char *const events[] = {
		"context-switches", "page-faults", "minor-faults", "cpu-migrations",
		"raw_syscalls:sys_enter", "sched:sched_switch",
	};
	static struct perf_beside p;
	unsigned int i, right = 0;
	pid_t load[2];
	int cpu;

	if (!perf_here()) {
		ksft_test_result_skip("no perf\n");
		return;
	}
	counters_choose(BESIDE);
	for (cpu = 0; cpu < 2; cpu++)
		load[cpu] = load_start(load_mixed, cpu);
	perf_beside(&p, BESIDE, 3);
	for (cpu = 0; cpu < 2; cpu++)
		load_stop(load[cpu]);
	for (cpu = 0; cpu < cpus_online(); cpu++)
		for (i = 0; i < ARRAY_SIZE(events); i++) {
			const struct perf_row *row = perf_find(&p, cpu, events[i]);

			right += is_between(events[i], row->value,
					    counters_delta(&p.inner_a, &p.inner_b, cpu, events[i]),
					    counters_delta(&p.a, &p.b, cpu, events[i]));
		}
	ksft_test_result((int)right == (int)i * cpus_online(),
			 "perf stat counted what lies between our reads: %u of %u\n", right,
			 i * cpus_online());
}

int main(void)
{
	counters_require();
	require_cpus(2);
	ksft_print_header();
	ksft_set_plan(2 + 2 + 1 + 3 + 1 + 1);
	pin_all(CPU, 0);
	pin(0);
	clocks();
	tsc();
	switches();
	faults();
	tracepoint();
	migrations();
	beside_perf();
	counters_choose(COUNTERS_DEFAULT);
	ksft_finished();
}
