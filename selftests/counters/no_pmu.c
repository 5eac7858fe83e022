// SPDX-License-Identifier: GPL-2.0-only
/*
 * A machine without a PMU: the module loads all the same, says once what is
 * missing, counts what needs no hardware, and has no number for what does.
 */
#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kselftest.h"

#include "book.h"
#include "counters.h"
#include "load.h"
#include "machine.h"
#include "module.h"
#include "table.h"
#include "traces.h"

static struct counters a, b;

/* A PMU of the CPU itself: "cpu", "cpu_core" or "armv8_…". */
static bool has_pmu(void)
{
	static const char *const names[] = { "cpu", "cpu_*", "armv8_*" };
	char pattern[128];
	bool found = false;
	unsigned int i;
	glob_t list;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(pattern, sizeof(pattern), "/sys/bus/event_source/devices/%s", names[i]);
		found |= !glob(pattern, 0, NULL, &list);
		globfree(&list);
	}
	return found;
}

/* Lines of the log, of one load each, that contain this. */
static unsigned int said(const char *words)
{
	unsigned int lines;

	log_mark();
	module_load("");
	lines = log_lines(words);
	module_unload();
	return lines;
}

static void log_says(void)
{
	const char *trouble;

	log_mark();
	module_load("");
	module_unload();
	trouble = log_trouble();
	ksft_test_result(!trouble, "loads with a clean log%s%s\n", trouble ? ": " : "", trouble ?: "");
	ksft_test_result(said("cycles: unsupported: no PMU") == 1 && said("cycles") == 1,
			 "one line says what cannot be done, and why\n");
}

static void rows(void)
{
	int cpu, right = 0;

	counters_read_checked(&a, NULL);
	burn_ns(100 * NSEC_PER_MSEC);
	counters_read_checked(&b, &a);
	for (cpu = 0; cpu < cpus_online(); cpu++)
		right += counters_are(&b, cpu, "cycles", "unsupported") &&
			 counters_are(&b, cpu, "instructions", "unsupported") &&
			 counters_are(&b, cpu, "cpu-clock", "ok") &&
			 counters_are(&b, cpu, "context-switches", "ok") &&
			 !counters_row(&b, cpu, "cycles")->enabled &&
			 !counters_row(&b, cpu, "cycles")->counted &&
			 !counters_row(&b, cpu, "instructions")->counted &&
			 counters_delta(&a, &b, cpu, "cpu-clock");
	ksft_test_result(right == cpu && (int)b.rows == 4 * cpu, "%d CPUs: only what is software is counted\n",
			 right);
}

/* No cycles anywhere, and nothing can make them come. */
static void no_cycles(void)
{
	char text[4096], *save = NULL;
	bool empty;

	file_read(BOOK_DEBUGFS "collectors", text, sizeof(text));
	ksft_test_result(strstr(text, "\ncycles unsupported no\\040PMU") &&
			 file_put(BOOK_DEBUGFS "collectors", "+cycles", 7) == EOPNOTSUPP,
			 "collector cycles is unsupported\n");
	empty = !table_read("cycles", "# cpu category cycles instructions ipc", &save);
	ksft_test_result(empty, "cycles has no rows\n");
}

static void books(void)
{
	static struct book first, last;
	const char *error;

	book_read(&first);
	burn_ns(200 * NSEC_PER_MSEC);
	book_read(&last);
	error = book_check(&first);
	if (!error)
		error = book_check(&last);
	if (!error)
		error = book_check_after(&first, &last);
	if (!error)
		error = book_check_elapsed(&last, &first);
	ksft_test_result(!error, "the books close%s%s\n", error ? ": " : "", error ?: "");
}

int main(void)
{
	const char *trouble;

	module_require_unloaded();
	if (has_pmu())
		ksft_exit_skip("there is a PMU\n");
	ksft_print_header();
	ksft_set_plan(2 + 1 + 2 + 1 + 2);
	log_says();
	module_load("");
	log_mark();
	rows();
	no_cycles();
	books();
	module_unload();
	ksft_test_result(!module_try_load("collectors=all") && !module_try_unload(),
			 "loads with all collectors\n");
	trouble = log_trouble();
	ksft_test_result(!trouble, "a clean log%s%s\n", trouble ? ": " : "", trouble ?: "");
	ksft_finished();
}
