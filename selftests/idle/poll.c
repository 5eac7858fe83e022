// SPDX-License-Identifier: GPL-2.0-only
/*
 * With idle=poll (arm64: nohlt) an empty CPU spins in the idle loop: that is idle, not work.
 *
 * 99 % of the time is to be idle. Under emulation a tick takes so long that the
 * ticks alone can be more than the rest: there, of the time that interrupts
 * leave. /proc/stat measures the same idle time, in steps of 10 ms, but stops
 * before an interrupt's tracepoint and goes on behind it (irq_enter_rcu()).
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kselftest.h"

#include "book.h"
#include "machine.h"

int main(void)
{
	static struct book a, b;
	uint64_t elapsed, idle, interrupts, stat, wall, left, ticks, most;
	int cpu = 1;

	book_require();
	require_cpus(2);
	if (!idle_polls())
		ksft_exit_skip("this kernel was not booted with idle=poll (arm64: nohlt)\n");
	ksft_print_header();
	ksft_set_plan(3);

	pin_all(cpu, 0);
	sleep_ns(100 * NSEC_PER_MSEC);
	ticks = interrupt_count(TIMER_INTERRUPT, cpu);
	stat = stat_idle_ms(cpu);
	book_read(&a);
	sleep_ns(10 * NSEC_PER_SEC);
	book_read(&b);
	stat = (stat_idle_ms(cpu) - stat) * NSEC_PER_MSEC;
	ticks = interrupt_count(TIMER_INTERRUPT, cpu) - ticks;

	wall = b.now - a.now;
	elapsed = book_delta(&a, &b, cpu, ELAPSED);
	idle = book_delta(&a, &b, cpu, IDLE);
	interrupts = book_delta(&a, &b, cpu, IRQ) + book_delta(&a, &b, cpu, SOFTIRQ);
	left = is_tcg() ? elapsed - interrupts : elapsed;
	ksft_test_result(idle >= left / 100 * 99, "idle %" PRIu64 " us of %" PRIu64
			 " us, interrupts %" PRIu64 " us\n", idle / 1000, elapsed / 1000,
			 interrupts / 1000);
	most = stat + 20 * NSEC_PER_MSEC + ticks * (is_tcg() ? 20 * NSEC_PER_USEC : NSEC_PER_USEC);
	ksft_test_result(idle + 20 * NSEC_PER_MSEC >= stat && idle <= most,
			 "idle %" PRIu64 " us, /proc/stat %" PRIu64 " us, %" PRIu64 " ticks\n", idle / 1000,
			 stat / 1000, ticks);
	ksft_test_result(!book_check(&b) && !book_check_elapsed(&b, &a),
			 "elapsed %" PRIu64 " us, CLOCK_MONOTONIC %" PRIu64 " us\n", elapsed / 1000,
			 wall / 1000);
	ksft_finished();
}
