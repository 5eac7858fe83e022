// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters grow by a straight line under steady load: past 4.3 s (2^32 ns),
 * 18.4 s and, where an idle minute costs nothing, 120 s. A counter that wraps
 * or a product that overflows leaves the line at such a point.
 *
 * One CPU is idle, another burns. With one CPU, these are two runs. Where the
 * load is exact (the instruction-counting VM), every field is judged; elsewhere
 * what a host or a background task takes at some moment is no straight line, and
 * elapsed is judged, of which the other fields are the exact parts.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "kselftest.h"

#include "book.h"
#include "load.h"
#include "machine.h"

#define MAX	256

static struct book book[MAX];

/* The largest distance of a field from its line, against what the field may grow by at most. */
static double residual(int n, int cpu, enum book_field field)
{
	double x0 = book[0].now, sx = 0, sy = 0, sxx = 0, sxy = 0, worst = 0, slope, base;
	uint64_t y0 = book_cpu(&book[0], cpu)->ns[field];
	int i;

	for (i = 0; i < n; i++) {
		double x = book[i].now - x0, y = book_cpu(&book[i], cpu)->ns[field] - y0;

		sx += x;
		sy += y;
		sxx += x * x;
		sxy += x * y;
	}
	slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
	base = (sy - slope * sx) / n;
	for (i = 0; i < n; i++) {
		double y = book_cpu(&book[i], cpu)->ns[field] - y0;
		double off = fabs(y - base - slope * (book[i].now - x0));

		if (off > worst)
			worst = off;
	}
	return worst / (book[n - 1].now - x0);
}

static void judge(int n, int cpu, const char *what, enum book_field main_field)
{
	const char *error = NULL;
	double worst = 0;
	int i, f, worst_field = ELAPSED;

	for (i = 0; i < n && !error; i++) {
		error = book_check(&book[i]);
		if (!error && i)
			error = book_check_after(&book[i - 1], &book[i]);
		if (!error)
			error = book_check_elapsed(&book[i], NULL);
	}
	if (error)
		ksft_print_msg("%s\n", error);
	ksft_test_result(!error, "%s: %d reads in %.1f s are closed, monotone, on time\n", what, n,
			 (book[n - 1].now - book[0].now) / 1e9);
	for (f = is_icount() ? 0 : ELAPSED; f < BOOK_FIELDS; f++) {
		double off = residual(n, cpu, f);

		if (off > worst) {
			worst = off;
			worst_field = f;
		}
	}
	ksft_test_result(worst < 0.005, "%s: %s is at most %.4f %% off a straight line\n", what,
			 book_field_name[worst_field], worst * 100);
	ksft_test_result(book_delta(&book[0], &book[n - 1], cpu, main_field) >
			 (book[n - 1].now - book[0].now) / 2, "%s: %s grew by %" PRIu64 " us\n", what,
			 book_field_name[main_field],
			 book_delta(&book[0], &book[n - 1], cpu, main_field) / 1000);
}

/* @burn: between the reads, this very CPU has nothing else to do than to burn. */
static void watch(int n, uint64_t step, bool burn)
{
	uint64_t next;
	int i;

	book_read(&book[0]);
	next = book[0].now;
	for (i = 1; i < n; i++) {
		next += step;
		if (burn && monotonic_ns() < next)
			burn_ns(next - monotonic_ns());
		sleep_until(next);
		book_read(&book[i]);
	}
}

int main(void)
{
	pid_t load;

	book_require();
	ksft_print_header();
	ksft_set_plan(6);
	pin(0);
	if (cpus_online() > 1) {
		load = load_start(load_burn, 1);
		sleep_ns(200 * NSEC_PER_MSEC);
		watch(43, NSEC_PER_SEC / 2, false);
		judge(43, 1, "burning CPU", USER);
		judge(43, 0, "idle CPU", IDLE);
		load_stop(load);
	} else {
		watch(141, NSEC_PER_SEC, false);
		judge(141, 0, "idle CPU", IDLE);
		watch(31, NSEC_PER_SEC / 5, true);
		judge(31, 0, "burning CPU", USER);
	}
	ksft_finished();
}
