// SPDX-License-Identifier: GPL-2.0-only
/*
 * Drivers that machines at hand do not have: one policy over all CPUs, more
 * frequencies than there are rows, any frequency or one only, frequencies that are
 * not known or not told; and drivers and CPUs that come and go meanwhile.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "cpufreq.h"
#include "freqs.h"
#include "load.h"
#include "machine.h"
#include "module.h"

#define DRIVER	"freq_driver"
#define MIN	1000000
#define STEP	10000
#define SOME	"min_khz=1000000 max_khz=1100000 step_khz=10000"
#define MANY	"min_khz=1000000 max_khz=1790000 step_khz=10000"
#define ANY	"min_khz=1000000 max_khz=2000000 step_khz=0"
#define ONLINE	"/sys/devices/system/cpu/cpu1/online"
#define STAY	(100 * NSEC_PER_MSEC)

static struct freqs a, b, c;
static struct freqs_shot first, last;

static void begin(const char *driver)
{
	module_load("");
	module_beside_load(DRIVER, driver);
	if (!cpufreq_here(0) || !cpufreq_here(1))
		ksft_exit_fail_msg("no policy with %s\n", driver);
}

static void end(void)
{
	module_unload();
	module_beside_unload(DRIVER);
}

static void watch(const struct freqs *last)
{
	freqs_read_checked(&a, last);
	sleep_ns(STAY);
	freqs_read_checked(&b, &a);
}

static bool both_only(uint64_t khz)
{
	return freqs_only(&a, &b, 0, khz) & freqs_only(&a, &b, 1, khz);
}

static bool as_in_stats(unsigned int *own)
{
	return freqs_passes(freqs_check_stats(&first, &last, own));
}

/*
 * The CPUs of a policy hear of a change one right after the other. A change that one
 * of them misses is the next one's time, or more, in the wrong row.
 */
static bool alike(void)
{
	bool ok = true;
	unsigned int i;

	for (i = 0; i < last.freqs.rows; i++) {
		uint64_t khz = last.freqs.row[i].khz;
		uint64_t one = freqs_delta(&first.freqs, &last.freqs, 0, khz, FREQS_TIME);
		uint64_t other = freqs_delta(&first.freqs, &last.freqs, 1, khz, FREQS_TIME);
		uint64_t off = one > other ? one - other : other - one;

		if (off <= tolerance(one))
			continue;
		ksft_print_msg("at %" PRIu64 " kHz CPU 0 was %" PRIu64 " us, CPU 1 %" PRIu64 " us\n", khz,
			       one / 1000, other / 1000);
		ok = false;
	}
	return ok;
}

/* To a frequency of the table by its number. */
static void step_to(unsigned int step)
{
	cpufreq_set(0, MIN + step * STEP);
}

/* --- one policy, all CPUs --------------------------------------------------------------- */

static void shared(void)
{
	unsigned int i, right = 0, own;
	pid_t load;

	begin(SOME);
	cpufreq_governor(0, "userspace");
	for (i = 0; i < 5; i++) {
		step_to(i * 2);
		watch(NULL);
		right += both_only(MIN + i * 2 * STEP);
	}
	ksft_test_result(right == i, "a policy changes, and all of its CPUs do, %u times of %u\n", right, i);

	load = load_start(load_mixed, -1);
	freqs_take(&first, NULL);
	c = first.freqs;
	for (i = 0; i < 500; i++) {
		step_to(rand() % 11);
		freqs_follow(&c);
		sleep_ns(rand() % (16 * NSEC_PER_MSEC));
	}
	freqs_take(&last, &c);
	load_stop(load);
	ksft_test_result(alike(), "under load: both CPUs of the policy alike\n");
	ksft_test_result(as_in_stats(&own) && own == 11, "under load, 11 frequencies: as in cpufreq's statistics\n");
	ksft_test_result(freqs_passes(freqs_check_clock(&first.freqs, &last.freqs)), "the scheduler's clock says the same\n");
	ksft_test_result(freqs_passes(freqs_check_books()), "elapsed and busy as in the books\n");
	end();
}

/* What was busy of a CPU while changes were made, or none, from another one. */
static uint64_t busy_of_idle(bool changes)
{
	static struct book from, to;
	uint64_t stop = monotonic_ns() + 2 * NSEC_PER_SEC;
	unsigned int i;

	book_read(&from);
	for (i = 0; monotonic_ns() < stop; i++) {
		if (changes)
			step_to(i % 11);
		sleep_ns(2 * NSEC_PER_MSEC);
	}
	book_read(&to);
	return book_busy_delta(&from, &to, 1);
}

/* Were each change a beginning of work, the CPU would be busy from the first one on. */
static void idle_stays_idle(void)
{
	uint64_t quiet, changed;

	begin(SOME);
	cpufreq_governor(0, "userspace");
	sleep_ns(200 * NSEC_PER_MSEC);
	quiet = busy_of_idle(false);
	changed = busy_of_idle(true);
	end();
	ksft_test_result(changed <= quiet * 2 + 2 * NSEC_PER_SEC / 50,
			 "an idle CPU, changed by another one: %" PRIu64 " us busy, without changes %" PRIu64
			 " us\n", changed / 1000, quiet / 1000);
}

/* From within the scheduler, for a CPU that is idle or comes out of idle at that moment. */
static void by_scheduler(void)
{
	unsigned int own, reads = 0;
	uint64_t stop;
	pid_t load;

	begin(SOME " fast=1");
	cpufreq_governor(0, "schedutil");
	load = load_start(load_mixed, -1);
	freqs_take(&first, NULL);
	c = first.freqs;
	for (stop = monotonic_ns() + 8 * NSEC_PER_SEC; monotonic_ns() < stop; reads++) {
		freqs_follow(&c);
		sleep_ns(3 * NSEC_PER_MSEC);
	}
	freqs_take(&last, &c);
	load_stop(load);
	ksft_test_result(alike(), "switched by the scheduler: both CPUs alike\n");
	ksft_test_result(cpufreq_is_fast() && as_in_stats(&own) && own > 1,
			 "switched by the scheduler, %u frequencies, %u reads: as in cpufreq's statistics\n",
			 own, reads);
	end();
}

/* --- many, any, one -------------------------------------------------------------------------- */

static size_t read_in_blocks(size_t size, char *text, size_t room)
{
	int fd = open(BOOK_DEBUGFS "freqs", O_RDONLY | O_CLOEXEC);
	size_t length = 0;
	ssize_t n;

	if (fd < 0)
		ksft_exit_fail_msg("cannot open freqs\n");
	while ((n = read(fd, text + length, size)) > 0 && length + 2 * size < room)
		length += n;
	close(fd);
	if (n)
		ksft_exit_fail_msg("freqs in blocks of %zu: no end\n", size);
	text[length] = '\0';
	return length;
}

/* Pieces of one snapshot: as many rows, and exact. */
static bool in_blocks(void)
{
	static const size_t sizes[] = { 1, 7, 4096, 65536 };
	static char text[1 << 18];
	unsigned int i;
	bool ok = true;

	freqs_read_checked(&b, NULL);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		read_in_blocks(sizes[i], text, sizeof(text));
		freqs_parse(&c, text);
		ok &= c.rows == b.rows && freqs_passes(freqs_check(&c)) &&
			freqs_passes(freqs_check_after(&b, &c));
		b = c;
	}
	return ok;
}

/* The first of the table that has a row, or has none. */
static unsigned int step_with_row(bool row)
{
	unsigned int step = 0;

	while (!freqs_find(&b, 0, MIN + step * STEP) == row)
		step++;
	return step;
}

/* 80 of them: the first to come have the rows. */
static void many(void)
{
	unsigned int i, own, with, without;

	begin(MANY);
	cpufreq_governor(0, "userspace");
	freqs_take(&first, NULL);
	c = first.freqs;
	for (i = 0; i < 4 * 80; i++) {
		step_to(i % 80);
		freqs_follow(&c);
		sleep_ns(rand() % (24 * NSEC_PER_MSEC));
	}
	freqs_take(&last, &c);
	ksft_test_result(as_in_stats(&own) && own == FREQS_OWN_ROWS,
			 "80 frequencies: %u have a row, and others has the rest\n", own);
	ksft_test_result(in_blocks(), "%u rows in blocks of any size\n", b.rows);

	/* One that has a row, one that has none, and the first again. */
	with = step_with_row(true);
	without = step_with_row(false);
	step_to(with);
	watch(NULL);
	i = both_only(MIN + with * STEP);
	step_to(without);
	watch(&b);
	i += both_only(FREQS_OTHER);
	step_to(with);
	watch(&b);
	i += both_only(MIN + with * STEP);
	ksft_test_result(i == 3, "to a row, to others, and back\n");

	step_to(without);
	must_write(BOOK_DEBUGFS "reset", "1");
	watch(NULL);
	ksft_test_result(both_only(FREQS_OTHER) && b.rows == FREQS_SHOT_CPUS,
			 "a new epoch goes on in the row of others\n");
	end();
}

static void any(void)
{
	unsigned int right = 0;

	begin(ANY " zero_khz=1234567");
	cpufreq_governor(0, "userspace");
	cpufreq_set(0, 1000001);
	watch(NULL);
	right += both_only(1000001);
	cpufreq_set(0, 1999999);
	watch(&b);
	right += both_only(1999999);
	ksft_test_result(right == 2, "frequencies of no table\n");

	cpufreq_set(0, 1234567);
	watch(&b);
	ksft_test_result(both_only(FREQS_UNKNOWN), "a frequency of 0: unknown\n");
	cpufreq_set(0, 1500000);
	watch(&b);
	ksft_test_result(both_only(1500000), "and known again\n");
	end();
}

/* It has a frequency, and never a change: no event will ever tell. */
static void no_change(void)
{
	begin("min_khz=1300000 max_khz=1300000");
	watch(NULL);
	ksft_test_result(both_only(1300000), "a driver of one frequency, after the module\n");
	module_unload();
	module_load("");
	watch(NULL);
	ksft_test_result(both_only(1300000) && !freqs_find(&b, 0, FREQS_UNKNOWN) &&
			 !freqs_find(&b, 1, FREQS_UNKNOWN), "and before the module\n");
	end();
}

/* Asked, it says where it is at that moment: no frequency to book time to. */
static void not_told(void)
{
	unsigned int i, named = 0;
	bool unknown;

	begin("hardware=1");
	watch(NULL);
	unknown = both_only(FREQS_UNKNOWN);
	module_unload();
	module_load("");
	watch(NULL);
	unknown &= both_only(FREQS_UNKNOWN);
	for (i = 0; i < b.rows; i++)
		named += b.row[i].khz != FREQS_UNKNOWN;
	ksft_test_result(unknown && !named, "a driver that leaves it to the hardware: %u frequencies invented\n",
			 named);
	end();
}

/* --- coming and going -------------------------------------------------------------------------- */

static void drivers_change(void)
{
	unsigned int i, right = 0;
	pid_t load;

	module_load("");
	load = load_start(load_duty, -1);
	freqs_read_checked(&b, NULL);
	for (i = 0; i < 10; i++) {
		module_beside_load(DRIVER, i % 2 ? SOME : ANY);
		cpufreq_governor(0, "userspace");
		cpufreq_set(0, MIN + i * STEP);
		watch(&b);
		right += both_only(MIN + i * STEP);
		module_beside_unload(DRIVER);
		watch(&b);
		right += both_only(FREQS_UNKNOWN);
	}
	load_stop(load);
	module_unload();
	ksft_test_result(right == 2 * i, "a driver comes and goes, %u times of %u\n", right, 2 * i);
}

/* The policy goes on without the CPU, and elsewhere: no event names one that is offline. */
static void hotplug(void)
{
	unsigned int i, right = 0, frozen = 0;

	begin(SOME);
	cpufreq_governor(0, "userspace");
	step_to(0);
	freqs_read_checked(&b, NULL);
	for (i = 1; i <= 5; i++) {
		must_write(ONLINE, "0");
		step_to(i);
		watch(&b);
		frozen += freqs_elapsed(&a, 1) == freqs_elapsed(&b, 1) &&
			!freqs_delta(&a, &b, 1, FREQS_ANY, FREQS_TIME) &&
			freqs_only(&a, &b, 0, MIN + i * STEP);
		must_write(ONLINE, "1");
		watch(&b);
		right += both_only(MIN + i * STEP);
	}
	ksft_test_result(frozen == 5, "a CPU goes offline, its policy does not, %u times of 5\n", frozen);
	ksft_test_result(right == 5, "it comes back to where the policy is, %u times of 5\n", right);
	end();

	/* One that the module has never seen. */
	module_beside_load(DRIVER, SOME);
	cpufreq_governor(0, "userspace");
	step_to(3);
	must_write(ONLINE, "0");
	module_load("");
	must_write(ONLINE, "1");
	watch(NULL);
	ksft_test_result(both_only(MIN + 3 * STEP), "a CPU that was offline at load\n");
	end();
}

int main(void)
{
	module_require_unloaded();
	require_cpus(FREQS_SHOT_CPUS);
	if (!module_beside(DRIVER))
		ksft_exit_skip("no " DRIVER ".ko beside the module: build with TESTS=1\n");
	if (cpufreq_here(0))
		ksft_exit_skip("needs a machine without cpufreq\n");
	ksft_print_header();
	ksft_set_plan(5 + 1 + 2 + 4 + 3 + 2 + 1 + 1 + 3);
	shared();
	by_scheduler();
	many();
	any();
	no_change();
	not_told();
	drivers_change();
	hotplug();
	/* At the end: all tasks that can be moved go to CPU 0. */
	pin_all(1, 0);
	idle_stays_idle();
	ksft_finished();
}
