// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frequencies of a real driver: changed by hand from another CPU, and by schedutil
 * from within the scheduler. How long each CPU was at each frequency is what
 * cpufreq's own statistics say, and the rows add up to the ledger's elapsed time
 * at each read.
 *
 * A handler that takes the CPU on which an event fires for the one that changes
 * books all that is done to CPU 1 from CPU 0 to the wrong rows.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "cpufreq.h"
#include "freqs.h"
#include "load.h"
#include "machine.h"

#define CPUS		FREQS_SHOT_CPUS
#define LOW		1100000
#define HIGH		2200000
#define CHANGES		2000
#define TRACING		"/sys/kernel/tracing/"
#define EVENTS		TRACING "events/power/cpu_frequency/enable"

/* Where and how cpu_frequency fired since trace_start(), and what it told. */
struct events {
	unsigned int all, elsewhere, irqs_off;
	/* By CPU: what time it was at LOW and HIGH since trace_start(). */
	uint64_t ns[CPUS][2];
};

static uint64_t traced_from, traced_to, khz_from[CPUS];

/* The CPUs are at @khz0 and @khz1 as it begins. */
static void trace_start(uint64_t khz0, uint64_t khz1)
{
	if (!file_erase(TRACING "trace"))
		ksft_exit_skip("no ftrace here\n");
	must_borrow(TRACING "current_tracer", "nop");
	must_borrow(TRACING "trace_clock", "mono");
	must_write(EVENTS, "1");
	khz_from[0] = khz0;
	khz_from[1] = khz1;
	traced_from = monotonic_ns();
}

/* One line of the trace; false if it is none of an event. */
static bool trace_line(const char *line, struct events *events, uint64_t *since, uint64_t *at)
{
	const char *start = strrchr(line, '[');
	unsigned long long s, us, khz;
	char flags[16];
	int on, cpu;

	if (*line == '#' || !start ||
	    sscanf(start, "[%d] %15s %llu.%llu: cpu_frequency: state=%llu cpu_id=%d", &on, flags, &s, &us,
		   &khz, &cpu) != 6 || cpu >= CPUS)
		return false;
	events->all++;
	events->elsewhere += on != cpu;
	events->irqs_off += *flags == 'd' || *flags == 'D';
	s = s * NSEC_PER_SEC + us * NSEC_PER_USEC;
	events->ns[cpu][at[cpu] == HIGH] += s - since[cpu];
	since[cpu] = s;
	at[cpu] = khz;
	return true;
}

static struct events trace_stop(void)
{
	struct events events = { 0 };
	uint64_t since[CPUS];
	static char line[1024];
	FILE *file;
	int cpu;

	traced_to = monotonic_ns();
	must_write(EVENTS, "0");
	file = fopen(TRACING "trace", "r");
	if (!file)
		ksft_exit_fail_msg("no trace\n");
	for (cpu = 0; cpu < CPUS; cpu++)
		since[cpu] = traced_from;
	while (fgets(line, sizeof(line), file))
		trace_line(line, &events, since, khz_from);
	for (cpu = 0; cpu < CPUS; cpu++)
		events.ns[cpu][khz_from[cpu] == HIGH] += traced_to - since[cpu];
	fclose(file);
	return events;
}

/* --- against the kernel's statistics ---------------------------------------------------- */

static struct freqs_shot a, b;

/* What was measured, for who reads the log. */
static void print_times(void)
{
	unsigned int i;
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		for (i = 0; i < b.stats[cpu].states; i++)
			ksft_print_msg("CPU %d, %" PRIu64 " kHz: %" PRIu64 " us, by cpufreq %" PRIu64
				       " us\n", cpu, b.stats[cpu].state[i].khz,
				       freqs_delta(&a.freqs, &b.freqs, cpu, b.stats[cpu].state[i].khz,
						   FREQS_TIME) / 1000,
				       (b.stats[cpu].state[i].ns - a.stats[cpu].state[i].ns) / 1000);
}

/* All that holds from shot a to shot b. @what: who changed the frequencies. */
static void results(const char *what, unsigned int reads)
{
	unsigned int own;

	print_times();
	ksft_test_result(freqs_passes(freqs_check_stats(&a, &b, &own)), "%s: time as in cpufreq's statistics\n", what);
	ksft_test_result(freqs_passes(freqs_check_clock(&a.freqs, &b.freqs)),
			 "%s: the scheduler's clock says the same within 1 %%\n", what);
	/* One that was not would have ended the test. */
	ksft_test_result(freqs_passes(freqs_check_books()),
			 "%s: %u reads add up to elapsed, and are in the books\n", what, reads);
}

/* --- by hand ---------------------------------------------------------------------------- */

static void both(uint64_t khz0, uint64_t khz1)
{
	cpufreq_set(0, khz0);
	cpufreq_set(1, khz1);
}

/* A load on each: the loads of a process that is pinned are, too. */
static void load_both(void (*work)(void), pid_t *load)
{
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		load[cpu] = load_start(work, cpu);
}

static void stop_both(const pid_t *load)
{
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		load_stop(load[cpu]);
}

/* Each CPU is at what it was set to, and at nothing else, whoever did it. */
static void each_its_own(void)
{
	static const uint64_t khz[][CPUS] = {
		{ LOW, LOW }, { LOW, HIGH }, { HIGH, LOW }, { HIGH, HIGH }, { LOW, HIGH },
	};
	unsigned int i, right = 0;
	struct events events;

	both(HIGH, HIGH);
	trace_start(HIGH, HIGH);
	for (i = 0; i < ARRAY_SIZE(khz); i++) {
		both(khz[i][0], khz[i][1]);
		freqs_read_checked(&a.freqs, NULL);
		sleep_ns(100 * NSEC_PER_MSEC);
		freqs_read_checked(&b.freqs, &a.freqs);
		right += freqs_only(&a.freqs, &b.freqs, 0, khz[i][0]) &&
			freqs_only(&a.freqs, &b.freqs, 1, khz[i][1]);
	}
	events = trace_stop();
	ksft_test_result(events.elsewhere && !events.irqs_off,
			 "%u events, %u of them on another CPU than they name\n", events.all,
			 events.elsewhere);
	ksft_test_result(right == ARRAY_SIZE(khz), "each CPU is where it was set, %u times of %zu\n",
			 right, ARRAY_SIZE(khz));
}

/* One change, by one of the governors. Not to where it is: that is no change. */
static void change(int cpu, uint64_t *khz)
{
	*khz = *khz == LOW ? HIGH : LOW;
	if (rand() % 40) {
		cpufreq_set(cpu, *khz);
		return;
	}
	cpufreq_governor(cpu, *khz == LOW ? "powersave" : "performance");
	cpufreq_governor(cpu, "userspace");
}

/*
 * ftrace's own stamps of the same events, to the microsecond: within 1 %, as the
 * scheduler's clock is held back by a late tick where there are idle states, and
 * what lies between the ends of the two.
 */
static bool as_traced(const struct events *events)
{
	uint64_t width = a.freqs.after - traced_from + traced_to - b.freqs.before;
	bool ok = true;
	int cpu, high;

	for (cpu = 0; cpu < CPUS; cpu++)
		for (high = 0; high < 2; high++) {
			uint64_t traced = events->ns[cpu][high];
			uint64_t books = freqs_delta(&a.freqs, &b.freqs, cpu, high ? HIGH : LOW, FREQS_TIME);
			uint64_t off = books > traced ? books - traced : traced - books;

			ksft_print_msg("CPU %d, %d kHz: %" PRIu64 " us, by ftrace %" PRIu64 " us\n", cpu,
				       high ? HIGH : LOW, books / 1000, traced / 1000);
			ok &= off <= traced / 100 + events->all * NSEC_PER_USEC + width;
		}
	return ok;
}

/* Of CPU 0 every other one is short: the two CPUs are at each frequency for different times. */
static void by_hand(void)
{
	static struct freqs last;
	uint64_t khz[CPUS] = { HIGH, HIGH };
	unsigned int i, n = 0;
	struct events events;
	pid_t load[CPUS];

	both(HIGH, HIGH);
	load_both(load_duty, load);
	trace_start(HIGH, HIGH);
	freqs_take(&a, NULL);
	last = a.freqs;
	for (i = 0; i < CHANGES; i++) {
		int cpu = rand() % 3 > 0;

		change(cpu, &khz[cpu]);
		if (khz[cpu] == HIGH && cpu == 0)
			continue;
		if (i % 4 == 0) {
			freqs_follow(&last);
			n++;
		}
		sleep_ns(rand() % (12 * NSEC_PER_MSEC));
	}
	freqs_take(&b, &last);
	events = trace_stop();
	stop_both(load);
	ksft_test_result(as_traced(&events), "by hand: %u changes as ftrace has seen them\n", events.all);
	results("by hand", n);
}

/* What a task ran is in the row of the frequency that it ran at, with the interrupts that came. */
static void burner(void)
{
	static struct book book_a, book_b;
	uint64_t clock_a[2], clock_b[2], busy, irq, least, most, within;
	const struct freqs_row *row;
	clockid_t clock;
	bool at;
	pid_t load;

	both(HIGH, LOW);
	load = load_start(load_burn, 1);
	clock = process_clock(load);
	sleep_ns(200 * NSEC_PER_MSEC);
	book_read(&book_a);
	clock_a[0] = clock_ns(clock);
	freqs_read_checked(&a.freqs, NULL);
	clock_a[1] = clock_ns(clock);
	sleep_ns(2 * NSEC_PER_SEC);
	clock_b[0] = clock_ns(clock);
	freqs_read_checked(&b.freqs, &a.freqs);
	clock_b[1] = clock_ns(clock);
	book_read(&book_b);
	at = freqs_only(&a.freqs, &b.freqs, 1, LOW);
	busy = freqs_delta(&a.freqs, &b.freqs, 1, LOW, FREQS_BUSY);
	/* Nothing of what comes later goes there. */
	cpufreq_set(1, HIGH);
	freqs_read_checked(&a.freqs, &b.freqs);
	sleep_ns(500 * NSEC_PER_MSEC);
	freqs_read_checked(&b.freqs, &a.freqs);
	at &= freqs_only(&a.freqs, &b.freqs, 1, HIGH) &&
		!freqs_delta(&a.freqs, &b.freqs, 1, LOW, FREQS_BUSY);
	load_stop(load);
	irq = book_delta(&book_a, &book_b, 1, IRQ) + book_delta(&book_a, &book_b, 1, SOFTIRQ);
	least = clock_b[0] - clock_a[1];
	/* A kernel that measures interrupts leaves them out of a task's time. */
	most = clock_b[1] - clock_a[0] + irq;
	within = tolerance(most);
	ksft_test_result(at && busy + within >= least && busy <= most + within,
			 "at %d kHz: busy %" PRIu64 " us, the task's clock %" PRIu64 "..%" PRIu64
			 " us with interrupts, within %" PRIu64 " us\n", LOW, busy / 1000, least / 1000,
			 most / 1000, within / 1000);

	row = freqs_find(&b.freqs, 1, HIGH);
	if (row->known & 1u << FREQS_CYCLES)
		ksft_test_result_skip("there is a counter of cycles\n");
	else
		ksft_test_result(!strcmp(row->source, "cpufreq,cpu-clock") && row->has_util,
				 "without cycles: %u.%02u %% by %s\n", row->util_pct / 100,
				 row->util_pct % 100, row->source);
}

/* --- an interval that nothing ends ------------------------------------------------------- */

/*
 * An idle CPU: no change, no switch, no tick. Its row grows by just what its elapsed time
 * does, and by the time between the reads: with idle states the clock is local_clock(),
 * which late ticks hold back on an emulated machine.
 */
static void open_interval(void)
{
	unsigned int i, right = 0;
	uint64_t busy = 0;

	pin_all(1, 0);
	both(HIGH, LOW);
	sleep_ns(300 * NSEC_PER_MSEC);
	freqs_read_checked(&a.freqs, NULL);
	for (i = 0; i < 10; i++) {
		uint64_t least, most, grown;

		sleep_ns(2 * NSEC_PER_SEC / 10);
		freqs_read_checked(&b.freqs, &a.freqs);
		least = b.freqs.before - a.freqs.after;
		most = b.freqs.after - a.freqs.before;
		grown = freqs_delta(&a.freqs, &b.freqs, 1, LOW, FREQS_TIME);
		right += freqs_only(&a.freqs, &b.freqs, 1, LOW) &&
			grown == freqs_elapsed(&b.freqs, 1) - freqs_elapsed(&a.freqs, 1) &&
			grown + tolerance(grown) >= least && grown <= most + tolerance(most);
		busy += freqs_delta(&a.freqs, &b.freqs, 1, LOW, FREQS_BUSY);
		a = b;
	}
	ksft_test_result(right == i, "an idle CPU: its row grows with the time, in %u reads of %u\n",
			 right, i);
	ksft_test_result(busy < 2 * NSEC_PER_SEC / 10, "and is idle: %" PRIu64 " us busy\n", busy / 1000);
}

/* --- by the scheduler --------------------------------------------------------------------- */

static void by_schedutil(void)
{
	static struct freqs last;
	struct events events;
	unsigned int n = 0;
	uint64_t end;
	pid_t load[CPUS];

	cpufreq_governor(0, "schedutil");
	cpufreq_governor(1, "schedutil");
	load_both(load_surges, load);
	trace_start(HIGH, HIGH);
	freqs_take(&a, NULL);
	last = a.freqs;
	for (end = monotonic_ns() + 10 * NSEC_PER_SEC; monotonic_ns() < end; n++) {
		freqs_follow(&last);
		sleep_ns(3 * NSEC_PER_MSEC);
	}
	freqs_take(&b, &last);
	events = trace_stop();
	ksft_test_result(cpufreq_is_fast() && events.all && events.irqs_off == events.all,
			 "schedutil switches by itself: %u events, %u with interrupts off, %u on another CPU\n",
			 events.all, events.irqs_off, events.elsewhere);
	stop_both(load);
	results("schedutil", n);
}

static void clean_up(void)
{
	int cpu;

	file_write(EVENTS, "0");
	for (cpu = 0; cpu < CPUS; cpu++)
		cpufreq_governor(cpu, "schedutil");
}

int main(void)
{
	freqs_require();
	require_cpus(CPUS);
	cpufreq_require_driver("acpi-cpufreq");
	ksft_print_header();
	ksft_set_plan(2 + 4 + 2 + 4 + 2);
	atexit(clean_up);
	/* All changes come from here. */
	pin(0);
	cpufreq_governor(0, "userspace");
	cpufreq_governor(1, "userspace");

	each_its_own();
	by_hand();
	burner();
	by_schedutil();
	cpufreq_governor(0, "userspace");
	cpufreq_governor(1, "userspace");
	open_interval();
	ksft_finished();
}
