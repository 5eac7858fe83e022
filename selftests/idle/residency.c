// SPDX-License-Identifier: GPL-2.0-only
/*
 * The time in idle states is time that the CPU was idle: under a mixed load not
 * more than idle and the interrupts that came meanwhile, on a CPU that sleeps
 * nearly all of it; and the stay that is open counts at each read, without ending.
 *
 * A time that is booked twice, or that goes on while a task runs, is more than the
 * CPU was idle; without the open stay a CPU that sleeps for seconds has none of
 * them; a reader that woke the CPUs would change what it reads.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kselftest.h"

#include "book.h"
#include "idle.h"
#include "load.h"
#include "machine.h"

#define WATCH	(15 * NSEC_PER_SEC)
#define STILL	75
#define PAUSE	(20 * NSEC_PER_MSEC)
/* On a slow host the kernel's own timers end most stays; a reader that wakes ends them all. */
#define PATIENCE	(60 * NSEC_PER_SEC)

static struct idle_shot a, b;
static struct book book_a, book_b;

/*
 * Books at the ends of a time: outside of the states' where they are to be more, else inside, as
 * reads take time.
 */
static void take(struct idle_shot *shot, struct book *book, bool book_first)
{
	if (book_first)
		book_read(book);
	idle_take_held(shot);
	if (!book_first)
		book_read(book);
}

static uint64_t idle_of(int cpu)
{
	return book_delta(&book_a, &book_b, cpu, IDLE) + book_delta(&book_a, &book_b, cpu, IOWAIT);
}

static uint64_t interrupts_of(int cpu)
{
	return book_delta(&book_a, &book_b, cpu, IRQ) + book_delta(&book_a, &book_b, cpu, SOFTIRQ);
}

static void under_load(void)
{
	pid_t load = load_start(load_mixed, -1);
	bool ok = true;
	int cpu;

	take(&a, &book_a, true);
	sleep_ns(WATCH);
	take(&b, &book_b, false);
	load_stop(load);
	for (cpu = 0; cpu < cpus_online(); cpu++) {
		uint64_t time = idle_delta(&a, &b, cpu, IDLE_ANY, IDLE_TIME);
		uint64_t most = idle_of(cpu) + interrupts_of(cpu);

		ksft_print_msg("CPU %d: %" PRIu64 " us in states, idle %" PRIu64 " us, interrupts %"
			       PRIu64 " us\n", cpu, time / 1000, idle_of(cpu) / 1000,
			       interrupts_of(cpu) / 1000);
		ok = ok && time <= most + most / 500 && time;
	}
	ksft_test_result(ok, "under a mixed load: not more than idle and interrupts\n");
}

static void asleep(int cpu)
{
	uint64_t time, idle;

	take(&a, &book_a, false);
	sleep_ns(WATCH / 3);
	take(&b, &book_b, true);
	time = idle_delta(&a, &b, cpu, IDLE_ANY, IDLE_TIME);
	idle = idle_of(cpu);
	ksft_test_result(time >= idle / 10 * 9 && idle,
			 "a CPU that sleeps: %" PRIu64 " us in states, idle %" PRIu64 " us\n",
			 time / 1000, idle / 1000);
}

/* Between two reads in which no stay ended there was one, open all the time. */
static void open_stay(int cpu)
{
	static struct idle_shot shot[2];
	uint64_t end = monotonic_ns() + PATIENCE;
	unsigned int i, still = 0, wrong = 0;

	idle_take(&shot[0]);
	for (i = 1; still < STILL && monotonic_ns() < end; i++) {
		struct idle_shot *last = &shot[(i + 1) % 2], *now = &shot[i % 2];
		uint64_t grown, least, most;

		sleep_ns(PAUSE);
		idle_take(now);
		if (idle_delta(last, now, cpu, IDLE_ANY, IDLE_USAGE))
			continue;
		still++;
		grown = idle_delta(last, now, cpu, IDLE_ANY, IDLE_TIME);
		least = now->before - last->after;
		most = now->after - last->before;
		if (grown >= least - least / 500 && grown <= most + most / 500)
			continue;
		if (!wrong++)
			ksft_print_msg("grown by %" PRIu64 " ns in %" PRIu64 "..%" PRIu64 " ns\n",
				       grown, least, most);
	}
	ksft_test_result(still == STILL, "no stay ended between %u reads of %u\n", still, i);
	ksft_test_result(still && !wrong, "and the open one grew by the time, but %u times\n", wrong);
}

int main(void)
{
	idle_require();
	require_cpus(2);
	idle_read_sysfs(&a.sysfs);
	if (!idle_find(&a.sysfs, 1, 1, "C1"))
		ksft_exit_skip("needs an idle driver with a state C1\n");
	ksft_print_header();
	ksft_set_plan(4);

	under_load();
	/* The other states of the emulated machine come back at once. */
	pin_all(1, 0);
	idle_only(1, "C1");
	asleep(1);
	open_stay(1);
	ksft_finished();
}
