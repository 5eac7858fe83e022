// SPDX-License-Identifier: GPL-2.0-only
/*
 * irq and softirq of a CPU are the spans that ftrace sees between the entry and
 * the exit of interrupt handlers, local vectors and softirq handlers, within the bounds
 * of lib/windows.c, which tells how they are judged.
 *
 * Under load: packets and timers with signals; interrupts between CPUs; and on
 * a CPU that only sleeps: its timers are irq, and leave idle.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "kselftest.h"

#include "book.h"
#include "load.h"
#include "machine.h"
#include "timeline.h"
#include "windows.h"

static struct book book[WINDOWS + 1];
static struct timeline timeline;
static int cpu;

static void judge(const char *what, enum book_field column, uint64_t least_events)
{
	struct window w[WINDOWS], all = { 0 };
	const struct window *middle;
	int i;

	for (i = 0; i < WINDOWS; i++) {
		struct timeline_sum sum = timeline_sum(&timeline, book[i].now, book[i + 1].now);

		w[i].booked = book_delta(&book[i], &book[i + 1], cpu, column);
		w[i].least = w[i].most = column == IRQ ? sum.irq : sum.softirq;
		w[i].events = column == IRQ ? sum.irqs : sum.softirqs;
		all.booked += w[i].booked;
		all.most += w[i].most;
		all.events += w[i].events;
	}
	all.least = all.most;
	middle = windows_middle(w);
	ksft_print_msg("%s: windows are off by %" PRId64 "..%" PRId64 " us\n", what,
		       window_off(&w[0]) / 1000, window_off(&w[WINDOWS - 1]) / 1000);
	ksft_test_result(all.events >= least_events && window_fits(middle) &&
			 (!is_icount() || window_fits(&all)),
			 "%s: %s %" PRId64 " us, spans %" PRId64 " us of %" PRIu64
			 " events; in all %" PRId64 " us, %" PRId64 " us of %" PRIu64 "\n", what,
			 book_field_name[column], middle->booked / 1000, middle->most / 1000,
			 middle->events, all.booked / 1000, all.most / 1000, all.events);
}

static void read_book(unsigned int i)
{
	const char *error;

	book_read(&book[i]);
	error = book_check(&book[i]);
	if (!error && i)
		error = book_check_after(&book[i - 1], &book[i]);
	if (error)
		ksft_exit_fail_msg("%s\n", error);
}

/* Returns what the whole time held, for a look at single vectors. */
static struct timeline_sum watch(const char *what, void (*const *loads)(void), unsigned int nr,
				 uint64_t least_irqs, uint64_t least_softirqs)
{
	bool whole = windows_watch(what, &timeline, cpu, loads, nr, 0, read_book);
	struct timeline_sum sum;
	unsigned int i;

	sum = timeline_sum(&timeline, book[0].now, book[WINDOWS].now);
	ksft_print_msg("%s, cpu%d:", what, cpu);
	for (i = 0; i < TIMELINE_VECTORS; i++)
		if (sum.vectors[i])
			printf(" %s %" PRIu64, timeline_vector[i], sum.vectors[i]);
	printf("; idle %" PRIu64 " us of %" PRIu64 " us\n",
	       book_delta(&book[0], &book[WINDOWS], cpu, IDLE) / 1000,
	       (book[WINDOWS].now - book[0].now) / 1000);
	ksft_test_result(whole, "%s: no trace event was lost\n", what);
	judge(what, IRQ, least_irqs);
	judge(what, SOFTIRQ, least_softirqs);
	return sum;
}

/* A CPU that has nothing to do but to sleep again. */
static void sleeper(void)
{
	for (;;)
		sleep_ns(NSEC_PER_MSEC);
}

int main(void)
{
	void (*const busy[])(void) = { load_datagrams, load_timers };
	void (*const asleep[])(void) = { sleeper };
	void (*const barriers[])(void) = { load_barriers };
	struct timeline_sum sum;
	uint64_t between;
	int i;

	book_require();
	if (!timeline_available())
		ksft_exit_skip("no tracefs: this is judged by ftrace\n");
	ksft_print_header();
	cpu = other_cpu();
	ksft_set_plan(cpu ? 10 : 6);
	if (cpu)
		pin_all(cpu, 0);

	watch("packets and timers", busy, ARRAY_SIZE(busy), 100, 100);
	watch("asleep", asleep, ARRAY_SIZE(asleep), 100, 0);
	if (cpu) {
		sum = watch("interrupts between CPUs", barriers, ARRAY_SIZE(barriers), 100, 0);
		between = sum.vectors[TIMELINE_IPI];
		for (i = 1; i <= 3; i++)	/* reschedule, call_function, call_function_single */
			between += sum.vectors[i];
		ksft_test_result(between > 20, "interrupts between CPUs: %" PRIu64 "\n", between);
	}
	ksft_finished();
}
