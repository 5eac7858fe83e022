// SPDX-License-Identifier: GPL-2.0-only
/*
 * The time of each row is the spans that ftrace sees of it, within the bounds of
 * lib/windows.c, and without those of interrupts inside of it. And what softirqs wait is
 * the time from when they are raised to when their handler begins.
 *
 * In the instruction-counting VM times are, in all, within 1 % or 50 instructions an
 * event either way, and delays within 1 % or 300.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kselftest.h"

#include "irqs.h"
#include "load.h"
#include "machine.h"
#include "timeline.h"
#include "windows.h"

#define LEAST	100	/* events of a row that is judged */

static struct irqs hard[WINDOWS + 1], soft[WINDOWS + 1];
static struct timeline timeline;
static struct timeline_part least[WINDOWS + 1][TIMELINE_PARTS], most[WINDOWS + 1][TIMELINE_PARTS];
static int cpu;

static void read_rows(unsigned int i)
{
	irqs_read_checked(&hard[i], false, i ? &hard[i - 1] : NULL);
	irqs_read_checked(&soft[i], true, i ? &soft[i - 1] : NULL);
}

/* Names of /proc/interrupts, in the order of timeline_vector. */
static const char *const vector[TIMELINE_VECTORS] = {
	"LOC", "RES", "CAL", "CAL", "IWI", "PLT", "SPU", "ERR", "TRM", "THR", "DFR", "",
};

static void add(struct timeline_part *sum, const struct timeline_part *part)
{
	sum->ns += part->ns;
	sum->ends += part->ends;
	sum->delays += part->delays;
	sum->delay_ns += part->delay_ns;
}

/* What ftrace has of a row. */
static struct timeline_part part_of(const struct irqs_row *row, const struct timeline_part *part)
{
	struct timeline_part sum = { 0 };
	unsigned int i;

	if (row->kind == IRQS_SOFTIRQ)
		add(&sum, &part[TIMELINE_SOFTIRQ(row->number)]);
	else if (row->kind == IRQS_LINE && row->number < TIMELINE_LINES)
		add(&sum, &part[TIMELINE_LINE(row->number)]);
	for (i = 0; row->kind == IRQS_VECTOR && i < TIMELINE_VECTORS; i++)
		if (!strcmp(row->name, vector[i]))
			add(&sum, &part[i]);
	return sum;
}

static void split(const struct irqs *irqs)
{
	unsigned int i;

	for (i = 0; i < WINDOWS; i++) {
		timeline_split(&timeline, irqs[i].after, irqs[i + 1].before, least[i]);
		timeline_split(&timeline, irqs[i].before, irqs[i + 1].after, most[i]);
	}
	timeline_split(&timeline, irqs[0].after, irqs[WINDOWS].before, least[WINDOWS]);
	timeline_split(&timeline, irqs[0].before, irqs[WINDOWS].after, most[WINDOWS]);
}

/* Of a row: between two reads, or (@i: WINDOWS) the first and the last one. */
static struct window window_of(const struct irqs *irqs, unsigned int i, const struct irqs_row *row, bool delay,
			       uint64_t *count)
{
	static const struct irqs_row none;
	const struct irqs *from = &irqs[i == WINDOWS ? 0 : i], *to = &irqs[i == WINDOWS ? WINDOWS : i + 1];
	const struct irqs_row *a = irqs_find(from, cpu, row->kind, row->number, row->name) ?: &none;
	const struct irqs_row *b = irqs_find(to, cpu, row->kind, row->number, row->name) ?: &none;
	struct timeline_part low = part_of(row, least[i]), high = part_of(row, most[i]);

	*count = delay ? b->delays - a->delays : b->count - a->count;
	return (struct window){
		.booked = delay ? b->delay - a->delay : b->time - a->time,
		.least = delay ? low.delay_ns : low.ns,
		.most = delay ? high.delay_ns : high.ns,
		.events = delay ? high.delays : high.ends,
	};
}

/*
 * As arithmetic as it gets: within 1 %, or by what lies between the module's stamps and
 * ftrace's, which is the module's own hook where a span ends, and both of them where a
 * softirq is raised: some instructions.
 */
static bool is_exact(const struct window *w, bool delay)
{
	int64_t slack = (delay ? 300 : 50) * w->events;

	if (slack < w->most / 100)
		slack = w->most / 100;
	return w->booked + slack >= w->least && w->booked <= w->most + slack;
}

/*
 * One that began before a window and ended in it is in the one count and not in the other.
 * And a softirq begins with interrupts on: one that comes between the module's look at it and
 * ftrace's and raises it anew begins a delay for who was there first, and goes on with one for the
 * other, who has one delay less then. That is rare where no CPU is stopped between the two.
 */
static bool is_counted(uint64_t count, uint64_t fewest, uint64_t most_of_all, bool delay)
{
	uint64_t slack = 1 + (delay && is_tcg() && !is_icount() ? most_of_all / 50 : 0);

	return count + slack >= fewest && count <= most_of_all + slack;
}

static bool judge(const struct irqs *irqs, const struct irqs_row *row, bool delay)
{
	struct timeline_part low = part_of(row, least[WINDOWS]), high = part_of(row, most[WINDOWS]);
	uint64_t fewest = delay ? low.delays : low.ends, most_of_all = delay ? high.delays : high.ends;
	const struct window *middle;
	struct window w[WINDOWS], all;
	uint64_t count;
	unsigned int i;
	bool ok;

	for (i = 0; i < WINDOWS; i++)
		w[i] = window_of(irqs, i, row, delay, &count);
	all = window_of(irqs, WINDOWS, row, delay, &count);
	middle = windows_middle(w);
	/* Delays may be shorter than what lies between the module's stamps and ftrace's. */
	ok = is_counted(count, fewest, most_of_all, delay) &&
	     (delay && is_icount() ? is_exact(middle, delay) : window_fits(middle));
	if (is_icount())
		ok &= is_exact(&all, delay);
	ksft_print_msg("%s%s of %s: %" PRId64 " us, spans %" PRId64 "..%" PRId64 " us of %" PRIu64 " events; in all %"
		       PRId64 " us, %" PRId64 "..%" PRId64 " us, count %" PRIu64 ", %" PRIu64 "..%" PRIu64 "\n",
		       ok ? "" : "WRONG: ",
		       delay ? "delay" : "time", row->name, middle->booked / 1000, middle->least / 1000,
		       middle->most / 1000, middle->events, all.booked / 1000, all.least / 1000,
		       all.most / 1000, count, fewest, most_of_all);
	return ok;
}

/* All rows of which there were enough. */
static void judge_rows(const char *what, const struct irqs *irqs, bool delay, unsigned int at_least)
{
	const struct irqs *end = &irqs[WINDOWS];
	unsigned int i, judged = 0, right = 0;

	for (i = 0; i < end->rows; i++) {
		const struct irqs_row *row = &end->row[i];
		uint64_t count;

		if (row->cpu != cpu || row->kind == IRQS_TOTAL || row->kind == IRQS_NMI || row->kind == IRQS_OTHER)
			continue;
		window_of(irqs, WINDOWS, row, delay, &count);
		if (count < LEAST)
			continue;
		judged++;
		right += judge(irqs, row, delay);
	}
	ksft_test_result(right == judged && judged >= at_least, "%s: %s of %u of %u %s\n", what,
			 delay ? "delays" : "times", right, judged, irqs->soft ? "softirqs" : "interrupts");
}

static void watch(const char *what, void (*const *loads)(void), unsigned int nr, unsigned int hards,
		  unsigned int softs)
{
	ksft_test_result(windows_watch(what, &timeline, cpu, loads, nr, TIMELINE_RAISES, read_rows),
			 "%s: no trace event was lost\n", what);
	split(hard);
	judge_rows(what, hard, false, hards);
	split(soft);
	judge_rows(what, soft, false, softs);
	judge_rows(what, soft, true, softs);
}

int main(void)
{
	void (*const busy[])(void) = { load_datagrams, load_timers, load_files };
	void (*const pings[])(void) = { load_pings };
	void (*const barriers[])(void) = { load_barriers, load_forks };

	irqs_require("softirqs");
	if (!timeline_available())
		ksft_exit_skip("no tracefs: this is judged by ftrace\n");
	ksft_print_header();
	cpu = other_cpu();
	ksft_set_plan(4 * (1 + !!cpu + load_has_pings()));
	if (cpu)
		pin_all(cpu, 0);
	must_write(BOOK_DEBUGFS "collectors", "+softirq_delays");
	must_write(BOOK_DEBUGFS "reset", "1");
	watch("packets, timers and files", busy, ARRAY_SIZE(busy), 1, 1);
	if (load_has_pings())
		watch("pings", pings, ARRAY_SIZE(pings), 1, 1);
	if (cpu)
		watch("interrupts between CPUs", barriers, ARRAY_SIZE(barriers), 2, 0);
	ksft_finished();
}
