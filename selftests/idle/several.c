// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CPU that is woken by interrupts, but never to run a task, ends a stay each
 * time, and begins another one: all of them count.
 *
 * Who looks at context switches only sees one long stay here.
 */
#include <inttypes.h>
#include <stdio.h>

#include "kselftest.h"

#include "idle.h"
#include "machine.h"

#define READS	3000

static struct idle_shot a, b;

int main(void)
{
	uint64_t start, usage, sysfs, switches, causes;
	unsigned int i;
	int msr;

	idle_require();
	require_cpus(2);
	idle_read_sysfs(&a.sysfs);
	if (!idle_find(&a.sysfs, 1, 1, "C1"))
		ksft_exit_skip("needs an idle driver with a state C1\n");
	msr = msr_open(1);
	if (msr < 0)
		ksft_exit_skip("needs the module msr\n");
	ksft_print_header();
	ksft_set_plan(4);

	pin_all(1, 0);
	/* A CPU that polls needs no interrupt. */
	idle_only(1, "C1");
	idle_take_held(&a);
	/* Its thread has gone. */
	sleep_ns(100 * NSEC_PER_MSEC);
	switches = schedstat_switches(1);
	start = monotonic_ns();
	for (i = 0; i < READS; i++) {
		sleep_until(start + i * NSEC_PER_MSEC);
		msr_ask(msr);
	}
	switches = schedstat_switches(1) - switches;
	idle_take_held(&b);

	usage = idle_delta(&a, &b, 1, 1, IDLE_USAGE);
	sysfs = idle_sum(&b.sysfs, 1, 1, NULL, IDLE_USAGE) - idle_sum(&a.sysfs, 1, 1, NULL, IDLE_USAGE);
	causes = idle_caused(&b, 1, "call_function_single") - idle_caused(&a, 1, "call_function_single");
	ksft_test_result(usage >= READS / 10 * 9, "%u interrupts, %" PRIu64 " stays\n", READS, usage);
	ksft_test_result(usage == sysfs, "%" PRIu64 " stays in sysfs\n", sysfs);
	ksft_test_result(switches < READS / 5, "%" PRIu64 " switches to tasks\n", switches);
	ksft_test_result(causes >= READS / 10 * 9 && causes <= READS + READS / 20,
			 "call_function_single has ended %" PRIu64 "\n", causes);
	ksft_finished();
}
