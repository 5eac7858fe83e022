// SPDX-License-Identifier: GPL-2.0-only
/*
 * An NMI has a row of its handler's name, on the CPU that it came to, for each one, and
 * the books stay closed: it interrupts anything, and its time is in no column.
 *
 * They come when the kernel is asked for the stacks of all CPUs.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kselftest.h"

#include "book.h"
#include "irqs.h"
#include "load.h"
#include "machine.h"

#define TIMES	10

static struct irqs last, now;
static struct book before, after;
static char level[64];

/* What was said in an NMI gets to the console a moment later. */
static void level_back(void)
{
	sleep_ns(2 * NSEC_PER_SEC);
	file_write("/proc/sys/kernel/printk", level);
}

/* The stacks are not for the console. */
static void quieten(void)
{
	if (!file_read("/proc/sys/kernel/printk", level, sizeof(level)))
		return;
	atexit(level_back);
	file_write("/proc/sys/kernel/printk", "0");
}

int main(void)
{
	const char *error = NULL;
	uint64_t came = 0, count;
	int other = other_cpu(), i;
	pid_t load;

	irqs_require("irqs");
	require_cpus(2);
#ifndef __x86_64__
	ksft_exit_skip("no NMI comes: the kernel has pseudo NMIs only where it is told to\n");
#else
	if (access("/proc/sysrq-trigger", W_OK))
		ksft_exit_skip("no NMI comes: this kernel has no SysRq\n");
	ksft_print_header();
	ksft_set_plan(4);
	pin(0);
	quieten();
	must_write(BOOK_DEBUGFS "reset", "1");
	came = interrupt_count("NMI", other);
	load = load_start(load_timers, other);
	book_read(&before);
	irqs_read_checked(&last, false, NULL);
	for (i = 0; i < TIMES; i++) {
		must_write("/proc/sysrq-trigger", "l");
		irqs_read_checked(&now, false, &last);
		last = now;
		book_read(&after);
		error = book_check(&after);
		if (!error)
			error = book_check_after(&before, &after);
		if (error)
			break;
		before = after;
		/* The next one says so on the console, and what then is yet to be printed goes along. */
		sleep_ns(200 * NSEC_PER_MSEC);
	}
	load_stop(load);
	came = interrupt_count("NMI", other) - came;
	if (!came)
		ksft_exit_skip("no NMI came to CPU %d\n", other);
	irqs_read_checked(&now, false, &last);
	count = irqs_count(&now, other, IRQS_NMI, -1, "nmi_cpu_backtrace_handler");
	ksft_test_result(count == came && came >= TIMES, "CPU %d: %" PRIu64 " NMIs, counted %" PRIu64 "\n", other,
			 came, count);
	count = irqs_count(&now, 0, IRQS_NMI, -1, "nmi_cpu_backtrace_handler");
	ksft_test_result(!count, "CPU 0, which sent them: counted %" PRIu64 "\n", count);
	if (error)
		ksft_print_msg("%s\n", error);
	ksft_test_result(!error, "the books are closed\n");
	error = irqs_check_quiet(&now);
	for (i = 0; error && i < 20; i++) {
		irqs_read_checked(&now, false, &last);
		error = irqs_check_quiet(&now);
	}
	ksft_test_result(!error, "histograms have each one: %s\n", error ?: "yes");
	ksft_finished();
#endif
}
