// SPDX-License-Identifier: GPL-2.0-only
/*
 * What ends the stays of a CPU, where the test knows what does: its own timer,
 * another CPU's interrupts, a disk, and, where it polls, no interrupt at all.
 *
 * The first interrupt of a stay that is taken for the next one's, or one that
 * comes while a task runs, would show as a cause that has ended more stays than
 * /proc/interrupts has interrupts.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest.h"

#include "idle.h"
#include "load.h"
#include "machine.h"

#define TIMES	300
#define DISK	"/dev/vda"
#define QUEUE	"/sys/block/vda/queue/"
#define MAX	256

static struct idle_shot a, b;
static struct count irqs_a[MAX], irqs_b[MAX];
static unsigned int nr_a, nr_b;
static bool bounded = true;

static uint64_t caused(const char *cause)
{
	return idle_caused(&b, 1, cause) - idle_caused(&a, 1, cause);
}

static uint64_t stays(void)
{
	return idle_delta(&a, &b, 1, IDLE_ANY, IDLE_USAGE);
}

static uint64_t irq_count(const struct count *counts, unsigned int n, const char *name)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (!strcmp(counts[i].name, name))
			return counts[i].value;
	return 0;
}

static void check_bound(const char *causes, uint64_t ended, const char *row)
{
	uint64_t came = irq_count(irqs_b, nr_b, row) - irq_count(irqs_a, nr_a, row);

	if (ended <= came)
		return;
	ksft_print_msg("%s has ended %" PRIu64 " stays of CPU 1, %s came %" PRIu64 " times\n", causes,
		       ended, row, came);
	bounded = false;
}

/* No cause has ended more stays of CPU 1 than it came. */
static void check_bounds(void)
{
	unsigned int i, number;
	char row[16];

	check_bound("local_timer", caused("local_timer"), "LOC");
	check_bound("reschedule", caused("reschedule"), "RES");
	check_bound("call_function*", caused("call_function") + caused("call_function_single"), "CAL");
	check_bound("irq_work", caused("irq_work"), "IWI");
	for (i = 0; i < b.causes; i++) {
		if (b.cause[i].cpu != 1 || sscanf(b.cause[i].cause, "irq/%u-", &number) != 1)
			continue;
		snprintf(row, sizeof(row), "%u", number);
		check_bound(b.cause[i].cause, caused(b.cause[i].cause), row);
	}
}

static void begin(void)
{
	/* What comes in between is outside of the books, but not of the interrupts. */
	nr_a = percpu_counts("/proc/interrupts", 1, irqs_a, MAX);
	idle_take_held(&a);
}

static void end(void)
{
	unsigned int i, j;

	idle_take_held(&b);
	nr_b = percpu_counts("/proc/interrupts", 1, irqs_b, MAX);
	check_bounds();
	for (i = 0; i < b.causes; i++) {
		/* Each once: the states of a CPU stand one below the other. */
		for (j = 0; j < i; j++)
			if (b.cause[j].cpu == 1 && !strcmp(b.cause[j].cause, b.cause[i].cause))
				break;
		if (j == i && b.cause[i].cpu == 1 && caused(b.cause[i].cause))
			ksft_print_msg("  %s: %" PRIu64 "\n", b.cause[i].cause, caused(b.cause[i].cause));
	}
}

/* A task on CPU 1 that sleeps for 10 ms, again and again. */
static void sleeper(void)
{
	for (;;)
		sleep_ns(10 * NSEC_PER_MSEC);
}

static void timer(void)
{
	pid_t load;

	idle_only(1, "C1");
	begin();
	load = load_start(sleeper, 1);
	sleep_ns(TIMES * 10 * NSEC_PER_MSEC);
	load_stop(load);
	end();
	/* Emulation may be late for many, but not for all. */
	ksft_test_result(caused("local_timer") >= TIMES / 4 &&
			 caused("local_timer") >= stays() / 4 * 3,
			 "a timer at 100 Hz: local_timer has ended %" PRIu64 " stays of %" PRIu64 "\n",
			 caused("local_timer"), stays());
}

/* Interrupts to CPU 1 that wake no task there: who reads its registers asks it by one. */
static void calls(void)
{
	int msr = msr_open(1);
	unsigned int i;

	if (msr < 0) {
		ksft_test_result_skip("calls: no module msr\n");
		return;
	}
	idle_only(1, "C1");
	begin();
	for (i = 0; i < TIMES; i++) {
		sleep_ns(3 * NSEC_PER_MSEC);
		msr_ask(msr);
	}
	end();
	close(msr);
	ksft_test_result(caused("call_function_single") >= TIMES * 9 / 10,
			 "%u calls to CPU 1: call_function_single has ended %" PRIu64 " stays of %" PRIu64 "\n",
			 TIMES, caused("call_function_single"), stays());
}

static int wake_fd;

/* Sleeps until it is woken. */
static void woken(void)
{
	uint64_t value;

	while (read(wake_fd, &value, sizeof(value)) == sizeof(value))
		;
}

/* CPU 0 wakes a task on CPU 1, again and again. */
static void wake(void)
{
	uint64_t one = 1;
	pid_t load;
	unsigned int i;

	wake_fd = eventfd(0, EFD_CLOEXEC);
	if (wake_fd < 0)
		ksft_exit_fail_msg("eventfd: %s\n", strerror(errno));
	begin();
	load = load_start(woken, 1);
	for (i = 0; i < TIMES; i++) {
		sleep_ns(3 * NSEC_PER_MSEC);
		if (write(wake_fd, &one, sizeof(one)) != sizeof(one))
			ksft_exit_fail_msg("eventfd: %s\n", strerror(errno));
	}
	load_stop(load);
	end();
	close(wake_fd);
}

static void wakeups(void)
{
	uint64_t ended;

	idle_only(1, "C1");
	wake();
	ended = caused("reschedule") + caused("call_function_single");
	ksft_test_result(ended >= TIMES * 9 / 10, "%u wake-ups by CPU 0: its interrupts have ended %" PRIu64
			 " stays of %" PRIu64 "\n", TIMES, ended, stays());
}

/* The CPU sees the request: no interrupt is needed, and none comes. */
static void polling(void)
{
	uint64_t ended;

	idle_only(1, "POLL");
	wake();
	ended = caused("reschedule") + caused("call_function_single");
	ksft_test_result(caused("resched") >= TIMES / 2 && ended <= TIMES / 5,
			 "%u wake-ups while CPU 1 polls: resched has ended %" PRIu64 " stays, interrupts %"
			 PRIu64 "\n", TIMES, caused("resched"), ended);
	ksft_test_result(caused("none") > 0, "and its limit, none: %" PRIu64 "\n", caused("none"));
}

/* Waits for the disk on CPU 1, whose interrupts go to who asked. */
static void reader(void)
{
	/* One request for so much takes longer than it takes the CPU to become idle. */
	static char block[16 << 20] __attribute__((aligned(2 << 20)));
	int fd = open(DISK, O_RDONLY | O_DIRECT | O_CLOEXEC);
	char most[32];

	madvise(block, sizeof(block), MADV_HUGEPAGE);
	memset(block, 1, sizeof(block));
	if (file_read(QUEUE "max_hw_sectors_kb", most, sizeof(most)))
		file_write(QUEUE "max_sectors_kb", most);
	while (pread(fd, block, sizeof(block), 0) == sizeof(block))
		;
}

/* Is there a row of that number in /proc/interrupts, with the name of its handler at the end? */
static bool is_interrupt(unsigned int number, const char *name)
{
	static char text[65536];
	char *line, *save = NULL;
	unsigned int is;

	file_read_all("/proc/interrupts", text, sizeof(text));
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *at = strrchr(line, ' ');

		if (sscanf(line, " %u:", &is) == 1 && is == number)
			return at && !strcmp(at + 1, name);
	}
	return false;
}

static void disk(void)
{
	uint64_t ended = 0;
	unsigned int i, number, wrong = 0;
	char name[IDLE_NAME];
	pid_t load;

	if (access(DISK, R_OK)) {
		ksft_test_result_skip("a disk: no " DISK "\n");
		ksft_test_result_skip("a disk: no " DISK "\n");
		return;
	}
	idle_only(1, "C1");
	begin();
	load = load_start(reader, 1);
	sleep_ns(TIMES * 5 * NSEC_PER_MSEC);
	load_stop(load);
	end();
	for (i = 0; i < b.causes; i++) {
		const struct idle_cause *c = &b.cause[i];

		if (c->cpu != 1 || sscanf(c->cause, "irq/%u-%63s", &number, name) != 2)
			continue;
		if (!is_interrupt(number, name)) {
			ksft_print_msg("/proc/interrupts has no %u by %s\n", number, name);
			wrong++;
		}
		if (strstr(name, "virtio"))
			ended += caused(c->cause);
	}
	ksft_test_result(ended >= TIMES / 30 && ended >= stays() / 4, "a disk: its interrupts have ended %" PRIu64 " stays of %"
			 PRIu64 "\n", ended, stays());
	ksft_test_result(!wrong, "lines and handlers are called as in /proc/interrupts\n");
}

int main(void)
{
	idle_require();
	require_cpus(2);
	idle_read_sysfs(&a.sysfs);
	if (!idle_find(&a.sysfs, 1, 0, "POLL") || !idle_find(&a.sysfs, 1, 1, "C1"))
		ksft_exit_skip("needs an idle driver with states POLL and C1\n");
	ksft_print_header();
	ksft_set_plan(8);

	pin_all(1, 0);
	timer();
	calls();
	wakeups();
	polling();
	disk();
	ksft_test_result(bounded, "no cause has ended more stays than it came\n");
	ksft_finished();
}
