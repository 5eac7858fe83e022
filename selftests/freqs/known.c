// SPDX-License-Identifier: GPL-2.0-only
/*
 * From when on, and until when, a CPU's frequency is known: the module comes after
 * the driver or before it, the driver goes, a CPU goes and comes back, an epoch
 * begins. What nobody has told is "-"; what the kernel knew before no event ever
 * told it is not.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kselftest.h"

#include "book.h"
#include "cpufreq.h"
#include "freqs.h"
#include "machine.h"
#include "module.h"

#define LOW	1100000
#define HIGH	2200000
#define ONLINE	"/sys/devices/system/cpu/cpu1/online"
#define STAY	(200 * NSEC_PER_MSEC)

static struct freqs a, b, c;

static void driver_load(void)
{
	if (system("modprobe acpi-cpufreq") || !cpufreq_here(1))
		ksft_exit_fail_msg("the driver does not load\n");
}

static void driver_unload(void)
{
	if (system("rmmod acpi-cpufreq") || cpufreq_here(1))
		ksft_exit_fail_msg("the driver does not unload\n");
}

static void set(uint64_t khz0, uint64_t khz1)
{
	cpufreq_governor(0, "userspace");
	cpufreq_governor(1, "userspace");
	cpufreq_set(0, khz0);
	cpufreq_set(1, khz1);
}

/* Two reads, with some time in between. */
static void watch(const struct freqs *last)
{
	freqs_read_checked(&a, last);
	sleep_ns(STAY);
	freqs_read_checked(&b, &a);
}

/* A CPU has one row, of this frequency, in which all its time is. */
static bool has_one_row(const struct freqs *freqs, int cpu, uint64_t khz)
{
	const struct freqs_row *row = freqs_find(freqs, cpu, khz);

	if (row && row->value[FREQS_TIME] == row->elapsed && freqs_find(freqs, cpu, FREQS_ANY) == row)
		return true;
	freqs_print(freqs);
	return false;
}

/* Neither time nor work was added to a row. */
static bool stands_still(const struct freqs *from, const struct freqs *to, int cpu, uint64_t khz)
{
	return !freqs_delta(from, to, cpu, khz, FREQS_TIME) &&
		!freqs_delta(from, to, cpu, khz, FREQS_BUSY) &&
		!freqs_delta(from, to, cpu, khz, FREQS_CLOCK);
}

static void driver_was_there(void)
{
	set(LOW, HIGH);
	module_load("");
	watch(NULL);
	ksft_test_result(has_one_row(&a, 0, LOW) && has_one_row(&a, 1, HIGH) &&
			 freqs_only(&a, &b, 0, LOW) && freqs_only(&a, &b, 1, HIGH),
			 "a driver that was there: known from the first read, without a change\n");
}

static void new_epoch(void)
{
	uint64_t before, most;

	set(HIGH, LOW);
	before = monotonic_ns();
	must_write(BOOK_DEBUGFS "reset", "1");
	watch(NULL);
	most = a.after - before;
	ksft_test_result(has_one_row(&a, 0, HIGH) && has_one_row(&a, 1, LOW) &&
			 freqs_elapsed(&a, 0) <= most + most / 1000 &&
			 freqs_only(&a, &b, 0, HIGH) && freqs_only(&a, &b, 1, LOW),
			 "a new epoch: the frequency of the last one, from its beginning\n");
}

/* The CPU's own policy goes with it, and comes back with it. */
static void hotplug(uint64_t khz)
{
	bool frozen;

	set(HIGH, khz);
	freqs_read_checked(&c, NULL);
	must_write(ONLINE, "0");
	watch(&c);
	frozen = freqs_elapsed(&a, 1) == freqs_elapsed(&b, 1) && stands_still(&a, &b, 1, FREQS_ANY) &&
		freqs_only(&a, &b, 0, HIGH);
	ksft_test_result(frozen, "CPU 1 goes offline at %" PRIu64 " kHz: its rows stand still\n", khz);

	must_write(ONLINE, "1");
	c = b;
	watch(&c);
	ksft_test_result(freqs_only(&a, &b, 1, cpufreq_khz(1)) && freqs_only(&a, &b, 0, HIGH),
			 "and comes back at %" PRIu64 " kHz, which is known at once\n", cpufreq_khz(1));
	set(HIGH, khz);
	freqs_read_checked(&c, &b);
	watch(&c);
	ksft_test_result(freqs_only(&a, &b, 1, khz), "and changes again\n");
}

static void driver_goes(void)
{
	set(LOW, HIGH);
	freqs_read_checked(&c, NULL);
	driver_unload();
	watch(&c);
	ksft_test_result(freqs_only(&a, &b, 0, FREQS_UNKNOWN) && freqs_only(&a, &b, 1, FREQS_UNKNOWN),
			 "the driver goes: unknown from then on\n");
	ksft_test_result(stands_still(&a, &b, 0, LOW) && stands_still(&a, &b, 0, HIGH) &&
			 stands_still(&a, &b, 1, LOW) && stands_still(&a, &b, 1, HIGH) &&
			 freqs_find(&b, 0, LOW) && freqs_find(&b, 1, HIGH),
			 "the rows of its frequencies stay as they are\n");

	driver_load();
	set(HIGH, LOW);
	c = b;
	watch(&c);
	ksft_test_result(freqs_only(&a, &b, 0, HIGH) && freqs_only(&a, &b, 1, LOW),
			 "it comes back: known again\n");
	module_unload();
}

static void driver_comes(void)
{
	bool unknown;

	driver_unload();
	module_load("");
	watch(NULL);
	unknown = has_one_row(&a, 0, FREQS_UNKNOWN) && has_one_row(&b, 1, FREQS_UNKNOWN) &&
		freqs_only(&a, &b, 0, FREQS_UNKNOWN) && freqs_only(&a, &b, 1, FREQS_UNKNOWN);
	ksft_test_result(unknown, "no driver yet: unknown\n");

	driver_load();
	set(HIGH, LOW);
	c = b;
	watch(&c);
	ksft_test_result(freqs_only(&a, &b, 0, HIGH) && freqs_only(&a, &b, 1, LOW) &&
			 stands_still(&a, &b, 0, FREQS_UNKNOWN) && stands_still(&a, &b, 1, FREQS_UNKNOWN),
			 "a driver that comes after the module: known from then on\n");
	/* Now the kernel tells the module of a CPU first, and the driver only then. */
	hotplug(LOW);
	module_unload();
}

int main(void)
{
	module_require_unloaded();
	require_cpus(2);
	cpufreq_require_driver("acpi-cpufreq");
	ksft_print_header();
	ksft_set_plan(1 + 1 + 2 * 3 + 3 + 2 + 3);
	pin(0);
	driver_was_there();
	new_epoch();
	hotplug(LOW);
	hotplug(HIGH);
	driver_goes();
	driver_comes();
	cpufreq_governor(0, "schedutil");
	cpufreq_governor(1, "schedutil");
	ksft_finished();
}
