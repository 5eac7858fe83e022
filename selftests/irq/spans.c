// SPDX-License-Identifier: GPL-2.0-only
/*
 * irq and softirq of a CPU are the spans that ftrace sees between the entry and
 * the exit of interrupt handlers, local vectors and softirq handlers, each
 * between 0.95 of the spans and the spans plus what hooks and traces cost on
 * either side of a stamp: 3 us an event, 20 us under emulation, and 300
 * instructions in the instruction-counting VM.
 *
 * Under load: packets and timers with signals; interrupts between CPUs; and on
 * a CPU that only sleeps: its timers are irq, and leave idle.
 *
 * The module and ftrace stamp an event one after the other. When an emulated
 * CPU loses its turn between the two, milliseconds land on different sides of
 * them. So the time is cut into windows, and judged is the one in the middle
 * when they are put in order of how far the column is off: a column that is
 * wrong is so in all of them. In the instruction-counting VM no CPU waits for a
 * turn, and there the whole is judged, too.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "kselftest.h"

#include "book.h"
#include "load.h"
#include "machine.h"
#include "timeline.h"

#define WINDOWS	9
#define WINDOW	(300 * NSEC_PER_MSEC)

static struct book book[WINDOWS + 1];
static struct timeline timeline;
static int cpu;

struct window {
	int64_t booked, spans;
	uint64_t events;
};

static int compare(const void *a, const void *b)
{
	const struct window *x = a, *y = b;
	int64_t dx = x->booked - x->spans, dy = y->booked - y->spans;

	return (dx > dy) - (dx < dy);
}

static bool fits(const struct window *w)
{
	int64_t slack = (is_icount() ? 300 : is_tcg() ? 20000 : 3000) * w->events;

	return w->booked * 100 >= w->spans * 95 && w->booked <= w->spans + slack;
}

static void judge(const char *what, enum book_field column, uint64_t least_events)
{
	struct window w[WINDOWS], all = { 0 };
	const struct window *middle = &w[WINDOWS / 2];
	int i;

	for (i = 0; i < WINDOWS; i++) {
		struct timeline_sum sum = timeline_sum(&timeline, book[i].now, book[i + 1].now);

		w[i].booked = book_delta(&book[i], &book[i + 1], cpu, column);
		w[i].spans = column == IRQ ? sum.irq : sum.softirq;
		w[i].events = column == IRQ ? sum.irqs : sum.softirqs;
		all.booked += w[i].booked;
		all.spans += w[i].spans;
		all.events += w[i].events;
	}
	qsort(w, WINDOWS, sizeof(w[0]), compare);
	ksft_print_msg("%s: windows are off by %" PRId64 "..%" PRId64 " us\n", what,
		       (w[0].booked - w[0].spans) / 1000,
		       (w[WINDOWS - 1].booked - w[WINDOWS - 1].spans) / 1000);
	ksft_test_result(all.events >= least_events && fits(middle) && (!is_icount() || fits(&all)),
			 "%s: %s %" PRId64 " us, spans %" PRId64 " us of %" PRIu64
			 " events; in all %" PRId64 " us, %" PRId64 " us of %" PRIu64 "\n", what,
			 book_field_name[column], middle->booked / 1000, middle->spans / 1000,
			 middle->events, all.booked / 1000, all.spans / 1000, all.events);
}

/* Returns what the whole time held, for a look at single vectors. */
static struct timeline_sum watch(const char *what, void (*const *loads)(void), unsigned int nr,
				 uint64_t least_irqs, uint64_t least_softirqs)
{
	struct timeline_sum sum;
	const char *error = NULL;
	uint64_t lost;
	pid_t load[4];
	unsigned int i;

	for (i = 0; i < nr; i++)
		load[i] = load_start(loads[i], cpu);
	sleep_ns(100 * NSEC_PER_MSEC);
	timeline_start(false);
	sleep_ns(100 * NSEC_PER_MSEC);
	for (i = 0; i <= WINDOWS; i++) {
		if (i)
			sleep_ns(WINDOW);
		book_read(&book[i]);
		if (!error)
			error = book_check(&book[i]);
		if (!error && i)
			error = book_check_after(&book[i - 1], &book[i]);
	}
	timeline_stop();
	lost = timeline_lost(cpu);
	for (i = 0; i < nr; i++)
		load_stop(load[i]);
	if (error)
		ksft_exit_fail_msg("%s\n", error);

	timeline_load(&timeline, cpu);
	sum = timeline_sum(&timeline, book[0].now, book[WINDOWS].now);
	ksft_print_msg("%s, cpu%d:", what, cpu);
	for (i = 0; i < TIMELINE_VECTORS; i++)
		if (sum.vectors[i])
			printf(" %s %" PRIu64, timeline_vector[i], sum.vectors[i]);
	printf("; idle %" PRIu64 " us of %" PRIu64 " us\n",
	       book_delta(&book[0], &book[WINDOWS], cpu, IDLE) / 1000,
	       (book[WINDOWS].now - book[0].now) / 1000);
	ksft_test_result(!lost, "%s: %" PRIu64 " trace events lost\n", what, lost);
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
