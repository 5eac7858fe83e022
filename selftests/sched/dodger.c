// SPDX-License-Identifier: GPL-2.0-only
/*
 * The task that dodges the tick: it works 3 ms of every 4 ms, at each of 16
 * phases, so that at some of them it always sleeps when the tick looks.
 *
 * The task is alone on its CPU but for interrupts and kernel threads, and takes
 * the snapshots itself. Truth is its own CPU clock (CLOCK_THREAD_CPUTIME_ID),
 * plus what the scheduler's books say that others ran on that CPU
 * (/proc/schedstat less this task's own run time), read around each snapshot.
 * An interrupt is part of the CPU's busy time, and of the task's clock only if
 * it came while the task ran; so busy may exceed the truth by the irq and
 * softirq columns, which are printed, and by nothing else. In the
 * instruction-counting VM the work is a number of instructions, and user has
 * to be just that number of nanoseconds.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "kselftest.h"

#include "book.h"
#include "load.h"
#include "loop.h"
#include "machine.h"

#define GRID	(4 * NSEC_PER_MSEC)
#define WORK	(3 * NSEC_PER_MSEC)
#define PHASES	16

struct sample {
	uint64_t before, after;	/* the task's clock */
	uint64_t run;		/* all tasks of the CPU */
	struct book_text text;
	struct book book;
};

static int cpu;

static void take(struct sample *s)
{
	/* Right after a sleep: this CPU's last switch, up to which run counts, is now. */
	sleep_ns(NSEC_PER_MSEC);
	s->run = schedstat_run_ns(cpu);
	s->before = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	book_take(&s->text);
	s->after = clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static void parse(struct sample *s)
{
	const char *error = book_parse(&s->book, &s->text);

	if (!error)
		error = book_check(&s->book);
	if (error)
		ksft_exit_fail_msg("%s\n", error);
}

int main(void)
{
	static struct sample a, b;
	bool icount = is_icount();
	uint64_t length = icount ? NSEC_PER_SEC / 2 : NSEC_PER_SEC, lowest = UINT64_MAX, at_lowest = 0;
	unsigned int phase, lowest_phase = 0;
	/* in hundredths of a per cent */
	unsigned int allowed = icount ? 20 : is_tcg() ? 300 : 100;

	book_require();
	cpu = other_cpu();
	if (cpu)
		pin_all(cpu, 0);
	pin(cpu);
	ksft_print_header();
	ksft_set_plan(PHASES);
	take(&a);

	for (phase = 0; phase < PHASES; phase++) {
		uint64_t shift = phase * NSEC_PER_MSEC / 4, end, turns = 0, stat, start;
		uint64_t busy, user, interrupts, truth, most, others, error, worked;

		take(&a);
		stat = stat_busy_ms(cpu);
		start = monotonic_ns();
		end = start + length;
		do {
			uint64_t now = monotonic_ns();

			sleep_until((now - shift) / GRID * GRID + GRID + shift);
			if (icount)
				loop_alu(WORK / LOOP_ALU_INSNS);
			else
				burn_ns(WORK);
			turns++;
		} while (monotonic_ns() < end);
		stat = stat_busy_ms(cpu) - stat;
		worked = turns * WORK;
		end = monotonic_ns() - start;
		take(&b);

		parse(&a);
		parse(&b);
		busy = book_busy_delta(&a.book, &b.book, cpu);
		user = book_delta(&a.book, &b.book, cpu, USER);
		interrupts = book_delta(&a.book, &b.book, cpu, IRQ) +
			     book_delta(&a.book, &b.book, cpu, SOFTIRQ);
		truth = b.before - a.after;
		most = b.after - a.before;
		others = b.run - a.run > b.before - a.before ?
			 b.run - a.run - (b.before - a.before) : 0;
		if (stat * NSEC_PER_MSEC * 1000 / end < lowest) {
			lowest = stat * NSEC_PER_MSEC * 1000 / end;
			at_lowest = busy * 1000 / end;
			lowest_phase = phase;
		}

		if (busy < truth + others)
			error = truth + others - busy;
		else if (busy - interrupts > most + others)
			error = busy - interrupts - most - others;
		else
			error = 0;
		ksft_print_msg("busy %" PRIu64 " us (of it interrupts %" PRIu64 "), clock %" PRIu64
			       "..%" PRIu64 " us, others %" PRIu64 " us, /proc/stat %" PRIu64
			       " ms, user %" PRIu64 " us of %" PRIu64 " us worked\n",
			       busy / 1000, interrupts / 1000, truth / 1000, most / 1000,
			       others / 1000, stat, user / 1000, worked / 1000);
		if (icount) {
			/* What the loop around the work does in user mode is 0.02 % of it. */
			error = user > worked ? user - worked : worked - user;
			truth = worked;
		}
		error = error * 10000 / truth;
		ksft_test_result(error <= allowed, "phase %u.%02u ms: off by %" PRIu64 ".%02" PRIu64
				 " %%, at most %u.%02u %%\n", phase / 4, phase % 4 * 25,
				 error / 100, error % 100, allowed / 100, allowed % 100);
	}
	ksft_print_msg("/proc/stat at its worst, phase %u.%02u ms: %" PRIu64 ".%" PRIu64
		       " %% busy; /proc/cpuprecise: %" PRIu64 ".%" PRIu64 " %%\n", lowest_phase / 4,
		       lowest_phase % 4 * 25, lowest / 10, lowest % 10, at_lowest / 10, at_lowest % 10);
	ksft_finished();
}
