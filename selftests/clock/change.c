// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel stops using the TSC while the module counts in it: the books go
 * over to local_clock() within three seconds, under load, with nothing lost:
 * closed and monotone at every read, in the same epoch, and as long as
 * CLOCK_MONOTONIC says both before and after.
 *
 * To change its clock the kernel reads the old one, and then the new one. What passes
 * in between, CLOCK_MONOTONIC loses, and for an emulated CPU that loses its turn there
 * it is milliseconds. The books have that time while they count in TSC, and afterwards
 * none of it, or some (leave_tsc()). How much it is, the TSC tells this test.
 *
 * The times of system calls go over as well, and where their epoch began.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/syscall.h>
#ifdef __x86_64__
#include <x86intrin.h>
#else
/* Where there is none, no module counts in it. */
#define __rdtsc()	UINT64_C(0)
#endif

#include "kselftest.h"

#include "book.h"
#include "load.h"
#include "machine.h"
#include "syscalls.h"

#define CLOCKSOURCE	"/sys/devices/system/clocksource/clocksource0/"
#define WITHIN		(3 * NSEC_PER_SEC)
#define WAIT		(300 * NSEC_PER_MSEC)
#define ROUNDED		100	/* ns: what was counted in TSC is rounded, on each CPU */

static uint64_t lost;	/* by CLOCK_MONOTONIC, ns */

struct moment {
	uint64_t tsc, monotonic;
};

/* Both at the same moment, or as near to it as the best of a few tries. */
static struct moment moment(void)
{
	uint64_t least = UINT64_MAX;
	struct moment best = { 0 };
	unsigned int i;

	for (i = 0; i < 20; i++) {
		uint64_t before = __rdtsc(), monotonic = monotonic_ns(), width = __rdtsc() - before;

		if (width >= least)
			continue;
		least = width;
		best.tsc = before + width / 2;
		best.monotonic = monotonic;
	}
	return best;
}

/* What the TSC says has passed from @b to @c, and CLOCK_MONOTONIC does not; from @a to @b both are right. */
static uint64_t missing(const struct moment *a, const struct moment *b, const struct moment *c)
{
	double rate = (double)(b->monotonic - a->monotonic) / (b->tsc - a->tsc);
	double passed = (c->tsc - b->tsc) * rate, shown = c->monotonic - b->monotonic;

	return passed > shown ? passed - shown : 0;
}

/* Reads until @end, or until the header names @clock. */
static const char *watch(struct book *first, struct book *last, uint64_t end, const char *clock,
			 unsigned int *reads)
{
	static struct book book[2];
	const char *error = NULL;
	unsigned int i = 0;

	do {
		struct book *now = &book[i % 2];

		book_read(now);
		if (!i)
			*first = *now;
		error = book_check(now);
		if (!error)
			error = book_check_after(i ? &book[(i + 1) % 2] : last->rows ? last : now, now);
		if (!error)
			error = book_check_elapsed_lost(now, NULL, lost);
		i++;
		*last = *now;
		if (clock && !strcmp(now->clock, clock))
			break;
		sleep_ns(2 * NSEC_PER_MSEC);
	} while (!error && monotonic_ns() < end);
	*reads += i;
	return error;
}

/* A call that nobody else makes. Returns how long it took. */
static uint64_t wait_once(void)
{
	const struct timespec time = { .tv_nsec = WAIT };
	uint64_t start = monotonic_ns();

	if (pselect(0, NULL, NULL, NULL, &time, NULL))
		ksft_exit_fail_msg("pselect: %s\n", strerror(errno));
	return monotonic_ns() - start;
}

/* Of an epoch that began when there were calls already, and they were counted in TSC. */
static void calls(uint64_t took)
{
	static struct syscalls syscalls;
	const struct syscalls_row *row;

	syscalls_read_checked(&syscalls, NULL);
	row = syscalls_find(&syscalls, false, SYS_pselect6);
	ksft_test_result(row && row->count == 1 && row->wall >= WAIT - WAIT / 100 &&
			 row->wall <= took + took / 100 && row->max <= row->wall && row->max + ROUNDED >= row->wall,
			 "%" PRIu64 " calls of the epoch took %" PRIu64 " ns, max %" PRIu64 " ns, by this test %"
			 PRIu64 " ns\n", row ? row->count : 0, row ? row->wall : 0, row ? row->max : 0, took);
}

int main(void)
{
	static struct book first, last, settled;
	char available[256] = "";
	const char *other, *error;
	struct moment begin, before, after;
	unsigned int reads = 0;
	uint64_t changed, took;
	unsigned int i;
	pid_t load[2];

	syscalls_require();
	book_read(&first);
	if (strcmp(first.clock, "tsc"))
		ksft_exit_skip("the module counts in %s here\n", first.clock);
	file_read(CLOCKSOURCE "available_clocksource", available, sizeof(available));
	other = strstr(available, "hpet") ? "hpet" : strstr(available, "acpi_pm") ? "acpi_pm" : NULL;
	if (!other)
		ksft_exit_skip("no clock source but %s\n", available);
	ksft_print_header();
	ksft_set_plan(5);

	for (i = 0; i < 5; i++)
		wait_once();
	syscalls_reset();
	took = wait_once();

	load[0] = load_start(load_pipes, -1);
	load[1] = load_start(load_duty, -1);
	begin = moment();
	error = watch(&first, &last, monotonic_ns() + NSEC_PER_SEC, NULL, &reads);
	if (error)
		ksft_print_msg("%s\n", error);
	ksft_test_result(!error, "tsc: %u reads closed, monotone, on time\n", reads);

	before = moment();
	must_borrow(CLOCKSOURCE "current_clocksource", other);
	after = moment();
	lost = missing(&begin, &before, &after);
	ksft_print_msg("at the change CLOCK_MONOTONIC lost %" PRIu64 " ns\n", lost);
	changed = monotonic_ns();
	error = watch(&first, &last, changed + WITHIN, "local", &reads);
	if (error)
		ksft_print_msg("%s\n", error);
	ksft_test_result(!error, "the kernel takes %s: %u reads closed, monotone, on time\n", other, reads);
	ksft_test_result(!strcmp(last.clock, "local"), "clock=%s %" PRIu64 " ms after\n", last.clock,
			 (last.now - changed) / NSEC_PER_MSEC);

	/* What a reader saw of it in TSC stays until CLOCK_MONOTONIC has caught up. */
	sleep_ns(lost);
	error = watch(&settled, &last, monotonic_ns() + 3 * NSEC_PER_SEC, NULL, &reads);
	if (!error)
		error = book_check_elapsed(&last, &settled);
	if (error)
		ksft_print_msg("%s\n", error);
	load_stop(load[0]);
	load_stop(load[1]);
	ksft_test_result(!error && !strcmp(last.clock, "local"),
			 "clock=%s: %u reads closed, monotone, on time\n", last.clock, reads);
	calls(took);
	ksft_finished();
}
