// SPDX-License-Identifier: GPL-2.0-only
/*
 * The system sleeps (suspend to idle) and is woken up by its power button: the
 * time asleep is in no category and no idle state, all other time is, and books
 * and idle states go on as exact as they were.
 *
 * How long user space stood still is seen by a thread that looks at the clock all
 * the time: rows are frozen before tasks are, and open after those. CLOCK_MONOTONIC
 * is no measure for that: it may stop while asleep, and here it stops now and then.
 *
 * Nobody may be there to wake a machine up: only one whose power button was just
 * pressed is put to sleep.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "idle.h"
#include "load.h"
#include "machine.h"
#include "parse.h"

#define STATE	"/sys/power/state"
#define PRESSES	"/sys/firmware/acpi/interrupts/ff_pwr_btn"
#define PATIENCE (20 * NSEC_PER_SEC)
#define AWAKE	(300 * NSEC_PER_MSEC)	/* before and after each sleep */
#define ROUNDS	2
#define MAX_STATES 10

struct s2idle {
	uint64_t usage, time;
};

/* Before a sleep, or after it. */
struct look {
	uint64_t boot[3];		/* CLOCK_BOOTTIME around the idle states, and then the books */
	uint64_t suspends;
	struct book book;
	struct idle_rows idle;
	struct s2idle s2idle[BOOK_MAX_CPUS];
};

static struct round {
	struct look before, after;
	uint64_t write, written;	/* CLOCK_MONOTONIC around the sleep */
	uint64_t still;			/* by CLOCK_BOOTTIME, as user space saw it */
	int error;			/* of the write */
} rounds[ROUNDS];

static struct idle_shot held, later;
static volatile bool watching;
static uint64_t still;

static uint64_t boot_ns(void)
{
	return clock_ns(CLOCK_BOOTTIME);
}

/* The longest time for which no task ran. */
static void *watch(void *unused)
{
	const struct sched_param first = { .sched_priority = 1 };
	uint64_t now, last;

	/* Else other tasks would be taken for a sleep. */
	sched_setscheduler(0, SCHED_FIFO, &first);
	for (last = boot_ns(); watching; last = now) {
		sleep_ns(NSEC_PER_MSEC);
		now = boot_ns();
		if (now - last > still)
			still = now - last;
	}
	return NULL;
}

static uint64_t suspends(void)
{
	static char text[1 << 16];
	const char *at;

	at = file_read(BOOK_DEBUGFS "self", text, sizeof(text)) ? strstr(text, " suspends=") : NULL;
	if (!at)
		ksft_exit_fail_msg("self does not say how often the system was suspended\n");
	return strtoull(at + strlen(" suspends="), NULL, 10);
}

/* Of all states of a CPU; false if none can be entered by a system that sleeps. */
static bool read_s2idle(int cpu, struct s2idle *sum)
{
	bool found = false;
	int state;

	memset(sum, 0, sizeof(*sum));
	for (state = 0; state < MAX_STATES; state++) {
		uint64_t usage, us;
		char path[128], value[32];

		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cpuidle/state%d/s2idle/usage", cpu,
			 state);
		if (!file_read(path, value, sizeof(value)) || !parse_u64(value, &usage))
			continue;
		strcpy(strrchr(path, '/'), "/time");
		if (!file_read(path, value, sizeof(value)) || !parse_u64(value, &us))
			continue;
		sum->usage += usage;
		sum->time += us * 1000;
		found = true;
	}
	return found;
}

static bool look(struct look *look)
{
	bool found = false;
	int cpu;

	for (cpu = 0; cpu < BOOK_MAX_CPUS; cpu++)
		found |= read_s2idle(cpu, &look->s2idle[cpu]);
	look->suspends = suspends();
	look->boot[0] = boot_ns();
	idle_read_states(&look->idle);
	look->boot[1] = boot_ns();
	book_read(&look->book);
	look->boot[2] = boot_ns();
	return found;
}

static uint64_t presses(void)
{
	char text[128];

	return file_read(PRESSES, text, sizeof(text)) ? strtoull(text, NULL, 10) : 0;
}

/* Until the power button is pressed: so it will be again, and not too soon. */
static void require_press(void)
{
	uint64_t end = monotonic_ns() + PATIENCE, count = presses();

	while (presses() == count) {
		if (monotonic_ns() > end)
			ksft_exit_skip("nobody presses the power button to wake this machine up\n");
		sleep_ns(100 * NSEC_PER_MSEC);
	}
}

static void sleep_once(struct round *r)
{
	pthread_t watcher;

	require_press();
	watching = true;
	still = 0;
	if (!look(&r->before))
		ksft_exit_skip("no idle state here is for a system that sleeps\n");
	if (pthread_create(&watcher, NULL, watch, NULL))
		ksft_exit_fail_msg("no thread\n");
	sleep_ns(AWAKE);
	r->write = monotonic_ns();
	r->error = file_write(STATE, "freeze") ? 0 : errno;
	r->written = monotonic_ns();
	sleep_ns(AWAKE);
	watching = false;
	pthread_join(watcher, NULL);
	look(&r->after);
	r->still = still;
}

static bool slept(const struct round *r)
{
	int cpu;

	for (cpu = 0; cpu < BOOK_MAX_CPUS; cpu++)
		if (r->after.s2idle[cpu].usage > r->before.s2idle[cpu].usage)
			return true;
	return false;
}

/* No task ran at least for as long as the kernel has booked that a CPU slept. */
static const char *check_still(const struct round *r)
{
	int cpu;

	for (cpu = 0; cpu < BOOK_MAX_CPUS; cpu++) {
		uint64_t time = r->after.s2idle[cpu].time - r->before.s2idle[cpu].time;

		if (time > r->still + tolerance(r->still))
			return wrong("CPU %d slept for %" PRIu64 " us, user space for %" PRIu64 " us", cpu,
				     time / 1000, r->still / 1000);
	}
	return NULL;
}

static const char *check_online(const struct book *book)
{
	int i;

	for (i = 1; i < book->rows; i++)
		if (book->row[i].online != cpu_online(book->row[i].cpu))
			return wrong("row %d is %s", book->row[i].cpu,
				     book->row[i].online ? "online" : "offline");
	return NULL;
}

/* Each row has all of the time around the sleep, and nothing of the sleep. */
static const char *check_awake(const struct round *r)
{
	const struct book *a = &r->before.book, *b = &r->after.book;
	uint64_t least = r->write - a->after + b->before - r->written;
	uint64_t boot = r->after.boot[2] - r->before.boot[1], most = boot - r->still;
	uint64_t monotonic = b->after - a->before;
	int i;

	for (i = 1; i < b->rows; i++) {
		uint64_t grown = book_delta(a, b, b->row[i].cpu, ELAPSED);

		ksft_print_msg("CPU %d: elapsed %" PRIu64 " us, awake %" PRIu64 "..%" PRIu64
			       " us of %" PRIu64 " us, CLOCK_MONOTONIC %" PRIu64 " us\n", b->row[i].cpu,
			       grown / 1000, least / 1000, most / 1000,
			       boot / 1000, monotonic / 1000);
		if (grown + tolerance(least) < least || grown > most + tolerance(most))
			return wrong("row %d: elapsed has grown by %" PRIu64 ", awake were %" PRIu64 "..%"
				     PRIu64, b->row[i].cpu, grown, least, most);
		if (grown > monotonic + monotonic / 1000)
			return wrong("row %d: elapsed has grown by %" PRIu64 ", CLOCK_MONOTONIC by %" PRIu64,
				     b->row[i].cpu, grown, monotonic);
	}
	return NULL;
}

/* Nor has an idle state that was open when the sleep began. */
static const char *check_idle_time(const struct round *r)
{
	uint64_t most = r->after.boot[1] - r->before.boot[0] - r->still;
	int i;

	for (i = 1; i < r->after.book.rows; i++) {
		int cpu = r->after.book.row[i].cpu;
		uint64_t grown = idle_sum(&r->after.idle, cpu, IDLE_ANY, NULL, IDLE_TIME) -
			idle_sum(&r->before.idle, cpu, IDLE_ANY, NULL, IDLE_TIME);

		if (grown > most + tolerance(most))
			return wrong("CPU %d: idle for %" PRIu64 ", awake were %" PRIu64, cpu, grown, most);
	}
	return NULL;
}

int main(void)
{
	static struct book end;
	bool written = true, entered = true, counted = true, still_enough = true, awake = true, idle = true, closed = true;
	bool after = true, online = true;
	unsigned int i;
	char states[64];
	pid_t load;

	idle_require();
	if (!file_read(STATE, states, sizeof(states)) || !strstr(states, "freeze"))
		ksft_exit_skip("this kernel has no suspend to idle\n");
	if (access("/sys/bus/acpi/drivers/button", F_OK) && system("modprobe button"))
		ksft_exit_skip("this kernel has no power button\n");
	ksft_print_header();

	for (i = 0; i < ROUNDS; i++) {
		sleep_once(&rounds[i]);
		if (!rounds[i].error && !slept(&rounds[i]))
			ksft_exit_skip("no CPU entered an idle state for a system that sleeps\n");
	}
	/* From here on nothing sleeps. */
	idle_take_held(&held);
	load = load_start(load_mixed, -1);
	sleep_ns(NSEC_PER_SEC);
	idle_take_held(&later);
	load_stop(load);
	book_read(&end);

	ksft_set_plan(11);
	for (i = 0; i < ROUNDS; i++) {
		struct round *r = &rounds[i];
		const struct book *next = i + 1 < ROUNDS ? &rounds[i + 1].before.book : &end;

		if (r->error)
			ksft_print_msg("cannot sleep: %s\n", strerror(r->error));
		written &= !r->error;
		entered &= slept(r);
		counted &= r->after.suspends == r->before.suspends + 1;
		still_enough &= idle_passes(check_still(r));
		awake &= idle_passes(check_awake(r));
		idle &= idle_passes(check_idle_time(r));
		closed &= idle_passes(book_check(&r->before.book)) & idle_passes(book_check(&r->after.book));
		after &= idle_passes(book_check_after(&r->before.book, &r->after.book)) &
			idle_passes(book_check_after(&r->after.book, next)) &
			idle_passes(idle_check_after(&r->before.idle, &r->after.idle));
		online &= idle_passes(check_online(&r->after.book));
	}
	ksft_test_result(written && entered, "slept and woke up %u times\n", ROUNDS);
	ksft_test_result(still_enough, "and user space with the CPUs\n");
	ksft_test_result(counted, "self has counted each\n");
	ksft_test_result(awake, "elapsed is the time awake\n");
	ksft_test_result(idle, "idle states have none of the time asleep\n");
	ksft_test_result(closed & idle_passes(book_check(&end)), "the books are closed\n");
	ksft_test_result(after & idle_passes(idle_check_after(&rounds[ROUNDS - 1].after.idle, &later.books)),
			 "nothing decreases\n");
	ksft_test_result(online, "rows are online again\n");
	ksft_test_result(idle_passes(book_check_elapsed(&end, &rounds[ROUNDS - 1].after.book)),
			 "elapsed goes on with CLOCK_MONOTONIC\n");
	ksft_test_result(idle_delta(&held, &later, IDLE_ANY, IDLE_ANY, IDLE_USAGE) &&
			 idle_passes(idle_check_counts(&held, &later)),
			 "usage, rejected, above, below go on as in sysfs\n");
	ksft_test_result(idle_passes(idle_check(&later)) & idle_passes(idle_check_growth(&held, &later)),
			 "histograms and causes add up\n");
	ksft_finished();
}
