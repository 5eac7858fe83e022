// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CPU that nobody touches is idle: from the first read after loading, though
 * it has not switched since long before, and for as long as one looks.
 *
 * The books close, so that idle is what the other columns leave; what they may
 * leave is bounded here by CLOCK_MONOTONIC, and the whole compared with
 * /proc/stat's idle time, which the kernel measures (in steps of 10 ms).
 */
#include <inttypes.h>
#include <stdio.h>

#include "kselftest.h"

#include "book.h"
#include "machine.h"
#include "module.h"

#define WATCH	(10 * NSEC_PER_SEC)
#define WITHIN	(20 * NSEC_PER_MSEC)

static int cpu;

/* What the CPU did of which idle is innocent. */
static uint64_t disturbed(const struct book_row *row)
{
	return row->ns[IRQ] + row->ns[SOFTIRQ] + row->ns[SYSTEM] + row->ns[STEAL];
}

static void check_since_epoch(const struct book *book, const char *what)
{
	const struct book_row *row = book_cpu(book, cpu);
	uint64_t wall = book->now - book->since;
	uint64_t least = wall - wall / 1000 - (book->after - book->before);

	ksft_test_result(row->ns[IDLE] + disturbed(row) + WITHIN >= least &&
			 row->ns[USER] + row->ns[NICE] == 0,
			 "%s: idle %" PRIu64 " us of %" PRIu64 " us, disturbed %" PRIu64
			 " us, user %" PRIu64 " us\n", what, row->ns[IDLE] / 1000, wall / 1000,
			 disturbed(row) / 1000, (row->ns[USER] + row->ns[NICE]) / 1000);
}

int main(void)
{
	static struct book before, first, second, after, third;
	uint64_t stat, idle, outer, wall, interrupts, tasks;
	const char *error;

	if (!module_file())
		book_require();
	setvbuf(stdout, NULL, _IOLBF, 0);
	require_cpus(2);
	ksft_print_header();
	ksft_set_plan(5);

	cpu = cpus_online() - 1;
	pin_all(cpu, 0);
	if (module_file()) {
		if (module_is_loaded())
			module_unload();
		sleep_ns(NSEC_PER_SEC);
		module_load("");
		sleep_ns(200 * NSEC_PER_MSEC);
		book_read(&first);
		check_since_epoch(&first, "first read after loading");
	} else {
		ksft_test_result_skip("no module file to load: set CPUPRECISE_KO\n");
		book_read(&first);
	}
	/* On a slow host it takes a while from one file to the other: books on both sides. */
	book_read(&before);
	stat = stat_idle_ms(cpu);
	book_read(&first);
	sleep_ns(WATCH);
	book_read(&second);
	stat = (stat_idle_ms(cpu) - stat) * NSEC_PER_MSEC;
	book_read(&after);

	wall = second.now - first.now;
	idle = book_delta(&first, &second, cpu, IDLE) + book_delta(&first, &second, cpu, IOWAIT);
	interrupts = book_delta(&first, &second, cpu, IRQ) + book_delta(&first, &second, cpu, SOFTIRQ) +
		     book_delta(&first, &second, cpu, STEAL);
	tasks = book_busy_delta(&first, &second, cpu) - interrupts;
	ksft_test_result(idle + interrupts + tasks + WITHIN >= wall && tasks < wall / 100,
			 "10 s: idle %" PRIu64 " us of %" PRIu64 " us, interrupts and steal %" PRIu64
			 " us, tasks %" PRIu64 " us\n", idle / 1000, wall / 1000, interrupts / 1000,
			 tasks / 1000);
	outer = book_delta(&before, &after, cpu, IDLE) + book_delta(&before, &after, cpu, IOWAIT);
	/* Half the bound is /proc/stat's own grain at both ends. */
	ksft_test_result(outer + WITHIN >= stat && idle <= stat + WITHIN,
			 "10 s: idle %" PRIu64 "..%" PRIu64 " us, /proc/stat %" PRIu64 " us\n",
			 idle / 1000, outer / 1000, stat / 1000);

	must_write(BOOK_DEBUGFS "reset", "1");
	sleep_ns(500 * NSEC_PER_MSEC);
	book_read(&third);
	error = book_check(&third);
	if (error)
		ksft_print_msg("%s\n", error);
	ksft_test_result(!error && third.epoch != second.epoch && third.since > second.now,
			 "reset begins an epoch: %" PRIu64 " after %" PRIu64 "\n", third.epoch,
			 second.epoch);
	check_since_epoch(&third, "first read after reset");
	ksft_finished();
}
