// SPDX-License-Identifier: GPL-2.0-only
/*
 * A task with a positive nice value is booked under nice, a task without one
 * under user, and one that is reniced while it runs moves over at its next
 * interrupts: after a few ticks the old column stands still.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "load.h"
#include "machine.h"

static volatile pid_t tid;
static int cpu;

static void *burn(void *unused)
{
	pin(cpu);
	tid = syscall(SYS_gettid);
	load_burn();
	return NULL;
}

/* The tick is where a task that makes no system call is looked at. */
static void wait_for_ticks(void)
{
	uint64_t start = interrupt_count(TIMER_INTERRUPT, cpu);

	while (interrupt_count(TIMER_INTERRUPT, cpu) < start + 4)
		sleep_ns(2 * NSEC_PER_MSEC);
}

static void step(int nice, enum book_field grows, enum book_field stands, clockid_t clock)
{
	static struct book a, b;
	uint64_t before[2], after[2], least, most, grown, within, others;

	if (setpriority(PRIO_PROCESS, tid, nice))
		ksft_exit_fail_msg("setpriority: %s\n", strerror(errno));
	wait_for_ticks();
	before[0] = clock_ns(clock);
	book_read(&a);
	after[0] = clock_ns(clock);
	sleep_ns(NSEC_PER_SEC);
	before[1] = clock_ns(clock);
	book_read(&b);
	after[1] = clock_ns(clock);

	least = before[1] - after[0];
	most = after[1] - before[0];
	grown = book_delta(&a, &b, cpu, grows);
	/* The thread's clock runs on in interrupts, the column does not. */
	others = book_delta(&a, &b, cpu, IRQ) + book_delta(&a, &b, cpu, SOFTIRQ) +
		 book_delta(&a, &b, cpu, SYSTEM);
	within = tolerance(most);
	ksft_test_result(grown + others + within >= least && grown <= most + within,
			 "nice %d: %s grew by %" PRIu64 " us, the thread's clock by %" PRIu64 "..%"
			 PRIu64 " us (interrupts and system %" PRIu64 " us)\n", nice,
			 book_field_name[grows], grown / NSEC_PER_USEC, least / NSEC_PER_USEC,
			 most / NSEC_PER_USEC, others / NSEC_PER_USEC);
	ksft_test_result(book_delta(&a, &b, cpu, stands) == 0, "nice %d: %s grew by %" PRIu64 " ns\n",
			 nice, book_field_name[stands], book_delta(&a, &b, cpu, stands));
}

int main(void)
{
	pthread_t thread;
	clockid_t clock;

	book_require();
	require_cpus(2);
	ksft_print_header();
	ksft_set_plan(6);

	cpu = 1;
	pin_all(cpu, 0);
	if (pthread_create(&thread, NULL, burn, NULL))
		ksft_exit_fail_msg("no thread\n");
	while (!tid)
		sleep_ns(NSEC_PER_MSEC);
	clock = pthread_clock(thread);
	step(10, NICE, USER, clock);
	step(0, USER, NICE, clock);
	step(19, NICE, USER, clock);
	ksft_finished();
}
