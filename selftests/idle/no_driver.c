// SPDX-License-Identifier: GPL-2.0-only
/*
 * A machine without an idle driver: the kernel idles by its own paths, and the
 * rows say which. With idle=poll (arm64: nohlt) it spins.
 *
 * The kernel names these by 0 and 1, as it names a driver's states: taken for
 * those, rows of states would stand here that the machine does not have.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kselftest.h"

#include "book.h"
#include "idle.h"
#include "load.h"
#include "machine.h"

#define WATCH	(10 * NSEC_PER_SEC)

static struct idle_shot a, b;
static struct book book_a, book_b;

int main(void)
{
	uint64_t time, idle, interrupts, off;
	const char *word = "default";
	int path = IDLE_DEFAULT;
	unsigned int i, others = 0;
	pid_t load;

	idle_require();
	require_cpus(2);
	idle_require_driver("none");
	if (idle_polls()) {
		path = IDLE_POLL;
		word = "poll";
	}
	ksft_print_header();
	ksft_set_plan(5);

	load = load_start(load_naps, -1);
	idle_take_held(&a);
	sleep_ns(NSEC_PER_SEC);
	idle_take_held(&b);
	load_stop(load);
	for (i = 0; i < b.books.rows; i++)
		others += b.books.row[i].state != path;
	ksft_test_result(!others && (int)b.books.rows == cpus_online(), "%u rows, all but %u are '%s'\n",
			 b.books.rows, others, word);
	ksft_test_result(idle_delta(&a, &b, 0, path, IDLE_USAGE) && idle_delta(&a, &b, 1, path, IDLE_USAGE),
			 "stays under load: %" PRIu64 " and %" PRIu64 "\n",
			 idle_delta(&a, &b, 0, path, IDLE_USAGE), idle_delta(&a, &b, 1, path, IDLE_USAGE));
	ksft_test_result(idle_passes(idle_check(&b)) & idle_passes(idle_check_growth(&a, &b)),
			 "histograms and causes add up\n");
	ksft_test_result(idle_passes(idle_check_after(&a.books, &b.books)), "nothing decreases\n");

	pin_all(1, 0);
	sleep_ns(100 * NSEC_PER_MSEC);
	book_read(&book_a);
	idle_take(&a);
	sleep_ns(WATCH);
	idle_take(&b);
	book_read(&book_b);
	time = idle_delta(&a, &b, 1, path, IDLE_TIME);
	idle = book_delta(&book_a, &book_b, 1, IDLE) + book_delta(&book_a, &book_b, 1, IOWAIT);
	interrupts = book_delta(&book_a, &book_b, 1, IRQ) + book_delta(&book_a, &book_b, 1, SOFTIRQ);
	off = time > idle ? time - idle : idle - time;
	/* The interrupts that end stays, or come while the CPU spins, are in the states' time. */
	ksft_test_result(off <= idle / 100 * 3 + interrupts, "a CPU that sleeps: %" PRIu64
			 " us in %s, idle %" PRIu64 " us, interrupts %" PRIu64 " us\n", time / 1000,
			 word, idle / 1000, interrupts / 1000);
	ksft_finished();
}
