// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cycles by category: at each read the rows of a CPU add up to its total, which is
 * what the counter of cycles says but for the interval that is open; what a task
 * used is in the row of its mode; a frequency is that of the CPU while it works.
 *
 * The PMU is one whose cycles are time at 1 GHz and go on in idle (QEMU's arm64).
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "counters.h"
#include "freqs.h"
#include "load.h"
#include "machine.h"
#include "parse.h"
#include "table.h"
#include "traces.h"

#define CPUS		2
#define ONLINE		"/sys/devices/system/cpu/cpu1/online"
#define COLLECTORS	BOOK_DEBUGFS "collectors"
#define READS		1000
#define SWITCHES	100
#define HOST_NS		(5 * NSEC_PER_MSEC)
#define TWO_TICKS	UINT64_C(8000000)	/* cycles, at 250 Hz */

enum { OF_USER, OF_IDLE = 3, OF_IOWAIT, TOTAL = 7, CATEGORIES };

static const char *const names[CATEGORIES] = {
	"user", "nice", "system", "idle", "iowait", "irq", "softirq", "total",
};

/* Of each CPU, by category. */
struct cycles {
	uint64_t before, after;		/* CLOCK_MONOTONIC around the read */
	bool shown[CPUS];
	uint64_t count[CPUS][CATEGORIES];
	uint64_t khz[CPUS][CATEGORIES];	/* 0: not known */
};

static struct cycles first, last;

static void parse_row(struct cycles *c, char *line, unsigned int *rows)
{
	static const char file[] = "cycles";
	char *word[TABLE_WORDS];
	int cpu;

	table_split(file, line, word, 6);
	cpu = table_cpu(file, word[0]);
	if (cpu >= CPUS || strcmp(word[1], names[*rows % CATEGORIES]))
		ksft_exit_fail_msg("%s: row %u is '%s' of CPU %d\n", file, *rows, word[1], cpu);
	c->shown[cpu] = true;
	c->count[cpu][*rows % CATEGORIES] = table_count(file, word[2]);
	c->khz[cpu][*rows % CATEGORIES] = strcmp(word[5], "-") ? table_count(file, word[5]) : 0;
	++*rows;
}

static void read_cycles(struct cycles *c)
{
	unsigned int rows = 0;
	char *line, *save = NULL;

	memset(c, 0, sizeof(*c));
	c->before = monotonic_ns();
	line = table_read("cycles", "# cpu category cycles instructions ipc khz", &save);
	c->after = monotonic_ns();
	for (; line; line = strtok_r(NULL, "\n", &save))
		parse_row(c, line, &rows);
	if (rows % CATEGORIES)
		ksft_exit_fail_msg("cycles: %u rows\n", rows);
}

/* What holds at each read. @last: one of the same epoch before it, or NULL. */
static const char *check(const struct cycles *c, const struct cycles *last)
{
	int cpu, i;

	for (cpu = 0; cpu < CPUS; cpu++) {
		uint64_t sum = 0;

		for (i = 0; i < TOTAL; i++)
			sum += c->count[cpu][i];
		if (sum != c->count[cpu][TOTAL])
			return wrong("CPU %d: %" PRIu64 " cycles, in total %" PRIu64, cpu, sum,
				     c->count[cpu][TOTAL]);
		if (c->khz[cpu][OF_IDLE] || c->khz[cpu][OF_IOWAIT])
			return wrong("CPU %d: idle has a frequency", cpu);
		for (i = 0; last && i < CATEGORIES; i++)
			if (c->count[cpu][i] < last->count[cpu][i])
				return wrong("CPU %d: %s: %" PRIu64 " after %" PRIu64, cpu, names[i],
					     c->count[cpu][i], last->count[cpu][i]);
	}
	return NULL;
}

static void read_checked(struct cycles *c, const struct cycles *last)
{
	const char *error;

	read_cycles(c);
	error = check(c, last);
	if (error)
		ksft_exit_fail_msg("%s\n", error);
}

static uint64_t grown(int cpu, int category)
{
	return last.count[cpu][category] - first.count[cpu][category];
}

static bool within(const char *what, double value, double least, double most)
{
	ksft_print_msg("%s: %.0f, should be %.0f to %.0f\n", what, value, least, most);
	return value >= least && value <= most;
}

/* --- the books ------------------------------------------------------------------------- */

static void closed(void)
{
	pid_t load = load_start(load_mixed, -1);
	struct cycles then;
	unsigned int i;

	read_checked(&first, NULL);
	then = first;
	for (i = 0; i < READS; i++) {
		read_checked(&last, &then);
		then = last;
		if (i % 4 == 0)
			sleep_ns(NSEC_PER_MSEC);
	}
	load_stop(load);
	/* One that was not would have ended the test. */
	ksft_test_result(first.shown[0] && first.shown[1] && grown(0, TOTAL) && grown(1, TOTAL),
			 "%u reads: rows add up to the total, nothing goes back\n", i);
}

/* Since a reset the counter counted what is in the rows, and in the open intervals of both ends. */
static void as_the_counter(void)
{
	static struct counters before, after;
	int cpu, right = 0;
	pid_t load = load_start(load_burn, 1);
	uint64_t width;

	counters_choose("cycles");
	sleep_ns(100 * NSEC_PER_MSEC);
	/* Two beginnings, one of the rows and one of the counter. */
	width = monotonic_ns();
	must_write(BOOK_DEBUGFS "reset", "1");
	width = monotonic_ns() - width + TWO_TICKS;
	sleep_ns(2 * NSEC_PER_SEC);
	counters_read_checked(&before, NULL);
	read_checked(&last, NULL);
	counters_read_checked(&after, &before);
	load_stop(load);
	/* Reading the counter interrupts the CPU, idle or not: that ends an interval. */
	for (cpu = 0; cpu < CPUS; cpu++)
		right += within("total", last.count[cpu][TOTAL],
				counters_row(&before, cpu, "cycles")->value - width,
				counters_row(&after, cpu, "cycles")->value + width);
	ksft_test_result(right == CPUS, "the total is what the counter says, within two ticks\n");
}

/* --- who used them ---------------------------------------------------------------------- */

static void of_a_task(void)
{
	static struct book outer[2], inner[2];
	pid_t load = load_start(load_burn, 1);
	double ran, all;
	bool ok = true;
	int i;

	sleep_ns(100 * NSEC_PER_MSEC);
	book_read(&outer[0]);
	read_checked(&first, NULL);
	book_read(&inner[0]);
	ran = clock_ns(process_clock(load));
	sleep_ns(5 * NSEC_PER_SEC);
	ran = clock_ns(process_clock(load)) - ran;
	book_read(&inner[1]);
	read_checked(&last, &first);
	book_read(&outer[1]);
	load_stop(load);
	all = grown(1, TOTAL) - grown(1, OF_IDLE) - grown(1, OF_IOWAIT);
	/* Its clock goes on in interrupts. */
	ok = within("cycles of a busy CPU", all, ran * .99, ran * 1.01) &&
		within("of them, of its loop", grown(1, OF_USER),
		       book_delta(&inner[0], &inner[1], 1, USER) * .99 - TWO_TICKS,
		       book_delta(&outer[0], &outer[1], 1, USER) * 1.01 + TWO_TICKS) &&
		within("its share in %", grown(1, OF_USER) * 100 / all, 80, 100);
	ksft_test_result(ok, "a loop's cycles are user's, as many as its CPU clock says within 1 %%\n");

	for (i = 0, ok = true; i < CATEGORIES; i++) {
		/* The host may take the CPU away between the looks at cycles and clock. */
		double width = 20000 + 1e6 * HOST_NS / last.count[1][i];

		if (last.count[1][i] >= 50 * NSEC_PER_MSEC && i != OF_IDLE && i != OF_IOWAIT)
			ok &= within(names[i], last.khz[1][i], 1000000 - width, 1000000 + width);
	}
	ksft_test_result(ok && last.khz[1][OF_USER] && last.khz[1][TOTAL],
			 "all at 1 GHz within 2 %% and a few ms\n");
}

/* --- the file freqs ---------------------------------------------------------------------- */

static struct freqs freqs;

/* Of CPU 1, since a reset, while it does this. */
static const struct freqs_row *freqs_of(void (*work)(void))
{
	pid_t load = load_start(work, 1);

	sleep_ns(200 * NSEC_PER_MSEC);
	must_write(BOOK_DEBUGFS "reset", "1");
	sleep_ns(3 * NSEC_PER_SEC);
	freqs_read_checked(&freqs, NULL);
	load_stop(load);
	return freqs_find(&freqs, 1, FREQS_ANY);
}

static void frequency(void)
{
	const struct freqs_row *row = freqs_of(load_duty);
	double duty = row->mean_khz, spin;

	ksft_print_msg("30 %%: %.0f kHz, %s, %u.%02u %%\n", duty, row->source, row->util_pct / 100,
		       row->util_pct % 100);
	row = freqs_of(load_burn);
	spin = row->mean_khz;
	ksft_test_result(within("kHz, spinning", spin, 995000, 1005000) &&
			 within("kHz, 30 % of the time", duty, spin * .95, spin * 1.05) &&
			 !strcmp(row->source, "cycles,cycles"),
			 "the frequency is that of a CPU that works, whatever its load\n");
	ksft_test_result(row->has_util && within("hundredths of a %", row->util_pct, 9950, 10050),
			 "a CPU that spins is used\n");
}

/* Too short a time is no frequency; a long one is. */
static void idle_only(void)
{
	const struct freqs_row *row;
	unsigned int i, none = 0, wrong_one = 0;
	bool known;

	for (i = 0; i < 50; i++) {
		must_write(BOOK_DEBUGFS "reset", "1");
		freqs_read_checked(&freqs, NULL);
		row = freqs_find(&freqs, 1, FREQS_ANY);
		/* Its cycles are only counted in a part of its busy time. */
		if (row->value[FREQS_BUSY] < NSEC_PER_MSEC) {
			none++;
			wrong_one += row->mean_khz || row->source[0] != '-';
		}
		sleep_ns(10 * NSEC_PER_MSEC);
	}
	known = freqs_of(load_burn)->mean_khz;
	ksft_test_result(none && !wrong_one && known,
			 "a CPU that was idle has no frequency, %u times of %u\n", none, i);
}

/* --- on and off ---------------------------------------------------------------------------- */

static bool stands_still(int cpu)
{
	return first.shown[cpu] && !memcmp(first.count[cpu], last.count[cpu], sizeof(first.count[cpu]));
}

/* Off for a second, then on: not a cycle of that second. */
static void off_and_on(void)
{
	pid_t load = load_start(load_burn, 1);
	uint64_t start;
	bool frozen;

	must_write(COLLECTORS, "-cycles");
	read_checked(&first, NULL);
	sleep_ns(NSEC_PER_SEC);
	read_checked(&last, &first);
	frozen = stands_still(0) && stands_still(1);
	ksft_test_result(frozen, "off: the rows stand still\n");
	start = monotonic_ns();
	must_write(COLLECTORS, "+cycles");
	sleep_ns(500 * NSEC_PER_MSEC);
	read_checked(&last, &first);
	load_stop(load);
	ksft_test_result(within("cycles since", grown(1, TOTAL), 400 * NSEC_PER_MSEC,
				(last.after - start) * 1.005), "on again: they go on, without a jump\n");
}

static void hotplug(void)
{
	uint64_t start;
	bool frozen;

	must_write(ONLINE, "0");
	read_checked(&first, NULL);
	sleep_ns(500 * NSEC_PER_MSEC);
	read_checked(&last, &first);
	frozen = stands_still(1) && !stands_still(0);
	start = monotonic_ns();
	must_write(ONLINE, "1");
	burn_ns(NSEC_PER_SEC);
	read_checked(&last, &first);
	ksft_test_result(frozen && within("cycles since it came back", grown(1, TOTAL), 1,
					  (last.after - start) * 1.005),
			 "a CPU that is offline counts nothing, and goes on when it is back\n");
}

static void under_fire(void)
{
	pid_t load = load_start(load_mixed, -1);
	struct cycles then;
	uint64_t start = monotonic_ns();
	unsigned int i, jumps = 0;

	read_checked(&first, NULL);
	then = first;
	for (i = 0; i < SWITCHES; i++) {
		must_write(COLLECTORS, i % 2 ? "+cycles" : "-cycles");
		read_checked(&last, &then);
		sleep_ns(rand() % (10 * NSEC_PER_MSEC));
		then = last;
	}
	load_stop(load);
	jumps = grown(0, TOTAL) > (last.after - start) * 1.005 ||
		grown(1, TOTAL) > (last.after - start) * 1.005;
	ksft_test_result(!jumps && grown(0, TOTAL) && grown(1, TOTAL), "switched %u times under load\n", i);
}

static void reset(void)
{
	uint64_t start = monotonic_ns();
	int cpu, right = 0;

	must_write(BOOK_DEBUGFS "reset", "1");
	read_checked(&last, NULL);
	/* And the interval that was open then. */
	for (cpu = 0; cpu < CPUS; cpu++)
		right += last.count[cpu][TOTAL] <= (last.after - start) + 5 * NSEC_PER_SEC &&
			last.count[cpu][TOTAL] < first.count[cpu][TOTAL];
	ksft_test_result(right == CPUS, "a new epoch begins with 0\n");
}

int main(void)
{
	static struct counters counters;
	const char *trouble;

	counters_require();
	freqs_require();
	require_cpus(CPUS);
	counters_read_checked(&counters, NULL);
	if (!counters_row(&counters, 0, "cycles")->counted)
		ksft_exit_skip("no PMU counts cycles here\n");
	ksft_print_header();
	ksft_set_plan(2 + 2 + 3 + 2 + 3 + 1);
	log_mark();
	read_cycles(&first);
	if (first.shown[0] || first.shown[1])
		ksft_exit_fail_msg("cycles has rows before it is on\n");
	must_write(COLLECTORS, "+cycles");
	pin(0);
	closed();
	as_the_counter();
	of_a_task();
	frequency();
	idle_only();
	off_and_on();
	hotplug();
	under_fire();
	reset();
	counters_choose(COUNTERS_DEFAULT);
	trouble = log_trouble();
	ksft_test_result(!trouble, "a clean log%s%s\n", trouble ? ": " : "", trouble ?: "");
	ksft_finished();
}
