// SPDX-License-Identifier: GPL-2.0-only
/*
 * The hardware's counters beside perf: the same number, also while perf has to
 * take turns for want of counters; none at all while perf has all of them; and
 * none kept when the module is gone.
 *
 * The PMU is one whose cycles are time at 1 GHz and go on in idle (QEMU's arm64).
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "counters.h"
#include "load.h"
#include "machine.h"
#include "module.h"
#include "traces.h"

#define SECONDS		10
#define TURNS_SECONDS	20

/* One for each counter of the PMU, and more than it has. */
#define ALL_COUNTERS	"cycles,cycles:u,cycles:k,r11,r11:u,r11:k,r0"
#define TOO_MANY	ALL_COUNTERS ",r0:u,r0:k,r0:uk"
#define ALL_PINNED	"cycles:D,cycles:uD,cycles:kD,r11:D,r11:uD,r11:kD,r0:D"

static struct perf_beside p;
static struct counters a, b;

static bool within(const char *what, int cpu, double value, double least, double most)
{
	if (value >= least && value <= most)
		return true;
	ksft_print_msg("CPU %d: %s: %.0f, should be %.0f to %.0f\n", cpu, what, value, least, most);
	return false;
}

/* Cycles a ns, of our reads around perf. */
static double our_rate(int cpu)
{
	return (double)counters_delta(&p.a, &p.b, cpu, "cycles") /
		(counters_row(&p.b, cpu, "cycles")->running - counters_row(&p.a, cpu, "cycles")->running);
}

static void same_number(void)
{
	int cpu, between = 0, rates = 0, sums = 0;
	pid_t load = load_start(load_burn, 1);

	counters_choose("cycles cycles:u cycles:k");
	perf_beside(&p, "cycles", SECONDS);
	load_stop(load);
	for (cpu = 0; cpu < 2; cpu++) {
		const struct perf_row *row = perf_find(&p, cpu, "cycles");
		double rate = row->value / row->running;
		uint64_t all = counters_delta(&p.a, &p.b, cpu, "cycles");
		uint64_t user = counters_delta(&p.a, &p.b, cpu, "cycles:u");
		uint64_t kernel = counters_delta(&p.a, &p.b, cpu, "cycles:k");

		ksft_print_msg("CPU %d: perf %.0f, %.4f GHz; here %" PRIu64 ", %.4f GHz, user %" PRIu64
			       ", kernel %" PRIu64 "\n", cpu, row->value, rate, all, our_rate(cpu), user,
			       kernel);
		between += within("perf", cpu, row->value,
				  counters_delta(&p.inner_a, &p.inner_b, cpu, "cycles"), all);
		rates += within("1e6 cycles a second", cpu, our_rate(cpu) * 1000, rate * 995, rate * 1005) &&
			within("of 1 GHz", cpu, our_rate(cpu) * 1000, 995, 1005);
		sums += within("user and kernel", cpu, user + kernel, all * .99, all * 1.01);
	}
	ksft_test_result(between == 2, "perf's cycles lie between those of our reads\n");
	ksft_test_result(rates == 2, "within 0.5 %% of perf's frequency, and of 1 GHz\n");
	/* The spinner is in user mode, the other CPU hardly ever. */
	ksft_test_result(sums == 2 && counters_delta(&p.a, &p.b, 1, "cycles:u") >
			 counters_delta(&p.a, &p.b, 1, "cycles") / 2,
			 "cycles:u and cycles:k add up to cycles within 1 %%\n");
}

static void perf_takes_turns(void)
{
	struct counters_span span;
	int cpu, ours = 0, theirs = 0;
	unsigned int i, turns = 0;
	pid_t load = load_start(load_burn, 1);

	counters_choose("cycles");
	perf_beside(&p, TOO_MANY, TURNS_SECONDS);
	load_stop(load);
	span = counters_time(&p.a, &p.b);
	for (i = 0; i < p.rows; i++)
		turns += p.row[i].running_pct < 99;
	for (cpu = 0; cpu < 2; cpu++) {
		const struct perf_row *row = perf_find(&p, cpu, "cycles");
		const struct counters_row *end = counters_row(&p.b, cpu, "cycles");

		/* perf stops the whole PMU for as long as it changes counters: then nobody counts. */
		ours += within("cycles", cpu, counters_delta(&p.a, &p.b, cpu, "cycles"),
			       span.least * .95, span.most * 1.005) && end->running == end->enabled;
		theirs += within("perf's cycles", cpu, row->value,
				 counters_delta(&p.inner_a, &p.inner_b, cpu, "cycles") * .95,
				 counters_delta(&p.a, &p.b, cpu, "cycles") * 1.05);
		ksft_print_msg("CPU %d: perf %.0f from %.0f %%, here %" PRIu64 "\n", cpu, row->value,
			       row->running_pct, counters_delta(&p.a, &p.b, cpu, "cycles"));
	}
	ksft_test_result(turns && ours == 2, "perf takes turns with %u counters, ours are there all the time\n",
			 turns);
	ksft_test_result(theirs == 2, "and what perf makes of them is right within 5 %%\n");
}

static void run_perf(void)
{
	execlp("perf", "perf", "stat", "-a", "-A", "-x,", "-o", "/dev/null", "-e", ALL_PINNED, "--",
	       "sleep", "100", NULL);
}

/* While perf starts, it is not known which of its events have their counters yet. */
static bool wait_for(const char *status, uint64_t at_most)
{
	uint64_t end = monotonic_ns() + at_most;
	bool there = false;

	while (!there && monotonic_ns() < end) {
		sleep_ns(50 * NSEC_PER_MSEC);
		counters_read_checked(&b, NULL);
		there = !strcmp(counters_row(&b, 0, "cycles")->status, status) &&
			!strcmp(counters_row(&b, 1, "cycles")->status, status);
	}
	return there;
}

static void perf_has_all(void)
{
	struct counters_span span;
	int cpu, none = 0, back = 0;
	uint64_t start, took;
	pid_t perf;
	bool ok;

	counters_choose("cycles cpu-clock");
	must_write(BOOK_DEBUGFS "collectors", "-freqs");
	must_write(BOOK_DEBUGFS "collectors", "-counters");
	perf = load_start(run_perf, -1);
	sleep_ns(4 * NSEC_PER_SEC);
	must_write(BOOK_DEBUGFS "collectors", "+counters");
	ok = wait_for("no slot", NSEC_PER_SEC);
	counters_read_checked(&a, NULL);
	sleep_ns(2 * NSEC_PER_SEC);
	counters_read_checked(&b, &a);
	for (cpu = 0; cpu < 2; cpu++)
		none += counters_are(&b, cpu, "cycles", "no slot") &&
			!counters_row(&b, cpu, "cycles")->counted &&
			counters_are(&b, cpu, "cpu-clock", "ok");
	ksft_test_result(ok && none == 2, "perf has all counters: no slot, and no number\n");

	start = monotonic_ns();
	load_stop(perf);
	ok = wait_for("ok", 2 * NSEC_PER_SEC);
	took = monotonic_ns() - start;
	counters_read_checked(&a, NULL);
	sleep_ns(NSEC_PER_SEC);
	counters_read_checked(&b, &a);
	span = counters_time(&a, &b);
	for (cpu = 0; cpu < 2; cpu++) {
		const struct counters_row *row = counters_row(&b, cpu, "cycles");

		back += within("cycles", cpu, counters_delta(&a, &b, cpu, "cycles"), span.least * .995,
			       span.most * 1.005) &&
			within("cycles since perf's end", cpu, row->value, 0, (b.after - start) * 1.005) &&
			within("ns that it had a counter", cpu, row->running, 0, b.after - start);
	}
	ksft_test_result(ok && back == 2, "%" PRIu64 " ms after perf gave them back they count\n",
			 took / NSEC_PER_MSEC);
	must_write(BOOK_DEBUGFS "collectors", "+freqs");
}

/* Events of perf that were not there all the time. */
static int perf_alone(void)
{
	char line[512];
	int part = 0, all = 0;
	FILE *csv = popen("perf stat -a -A -x, -e " ALL_COUNTERS " -- sleep 2 2>&1", "r");

	while (fgets(line, sizeof(line), csv)) {
		all += !strncmp(line, "CPU", 3);
		part += !strncmp(line, "CPU", 3) && !strstr(line, ",100.00,");
	}
	pclose(csv);
	if (all != 7 * 2)
		ksft_exit_fail_msg("perf has %d rows\n", all);
	return part;
}

static void nothing_kept(void)
{
	int with = perf_alone(), without;

	module_unload();
	without = perf_alone();
	ksft_test_result(with && !without,
			 "of perf's 14 counters %d took turns with the module, %d without\n", with, without);
}

int main(void)
{
	const char *trouble;

	module_require_unloaded();
	require_cpus(2);
	if (!perf_here())
		ksft_exit_skip("no perf\n");
	log_mark();
	module_load("");
	counters_require();
	counters_read_checked(&a, NULL);
	if (!counters_row(&a, 0, "cycles")->counted) {
		module_unload();
		ksft_exit_skip("no PMU counts cycles here\n");
	}
	ksft_print_header();
	ksft_set_plan(3 + 2 + 2 + 1 + 1);
	same_number();
	perf_takes_turns();
	perf_has_all();
	nothing_kept();
	trouble = log_trouble();
	ksft_test_result(!trouble, "a clean log%s%s\n", trouble ? ": " : "", trouble ?: "");
	ksft_finished();
}
