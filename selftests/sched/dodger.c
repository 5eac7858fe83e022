// SPDX-License-Identifier: GPL-2.0-only
/*
 * The task that dodges the tick: it works 3 ms of every 4 ms, at each of 16
 * phases, so that at some of them it always sleeps when the tick looks.
 *
 * The task is alone on its CPU but for interrupts and kernel threads, and takes
 * the snapshots itself. It is judged twice.
 *
 * By clocks: its own CPU clock (CLOCK_THREAD_CPUTIME_ID), plus what the
 * scheduler's books say that others ran there (/proc/schedstat less this task's
 * run time), read around each snapshot. An interrupt is part of the CPU's busy
 * time, and of the task's clock only if it came while the task ran; so busy may
 * exceed the clocks by the irq and softirq columns and by nothing else.
 *
 * By ftrace's timeline of the CPU (switches and interrupts): what was not idle.
 *
 * Both judges read their clocks a little before or after the module does. An
 * emulated CPU that loses its turn between the two puts milliseconds on
 * different sides of them. So under emulation it is the phase in the middle,
 * when they are put in order of how far they are off, that each judge looks at;
 * in the instruction-counting VM, where no CPU waits for a turn, and on real
 * machines, it is all of them. In that VM, the work is also a number of
 * instructions, and user has to be just that number of nanoseconds.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "kselftest.h"

#include "book.h"
#include "load.h"
#include "loop.h"
#include "machine.h"
#include "timeline.h"

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

/* How far a value is outside of a range. */
static uint64_t outside(uint64_t value, uint64_t least, uint64_t most)
{
	return value < least ? least - value : value > most ? value - most : 0;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static struct sample before[PHASES], after[PHASES];
static uint64_t worked[PHASES], stat_share[PHASES];

static void dodge(unsigned int phase, uint64_t length)
{
	uint64_t shift = phase * NSEC_PER_MSEC / 4, start, end, stat, turns = 0;

	take(&before[phase]);
	stat = stat_busy_ms(cpu);
	start = monotonic_ns();
	end = start + length;
	do {
		uint64_t now = monotonic_ns();

		sleep_until((now - shift) / GRID * GRID + GRID + shift);
		if (is_icount())
			loop_alu(WORK / LOOP_ALU_INSNS);
		else
			burn_ns(WORK);
		turns++;
	} while (monotonic_ns() < end);
	stat_share[phase] = (stat_busy_ms(cpu) - stat) * NSEC_PER_MSEC * 1000 / (monotonic_ns() - start);
	take(&after[phase]);
	worked[phase] = turns * WORK;
}

/* The judges' findings of each phase, in hundredths of a per cent of the busy time. */
static uint64_t by_clocks[PHASES], by_timeline[PHASES], by_work[PHASES];

static void compare_phase(unsigned int phase, const struct timeline *timeline)
{
	struct sample *a = &before[phase], *b = &after[phase];
	uint64_t busy, user, interrupts, least, most, others;

	parse(a);
	parse(b);
	busy = book_busy_delta(&a->book, &b->book, cpu);
	user = book_delta(&a->book, &b->book, cpu, USER);
	interrupts = book_delta(&a->book, &b->book, cpu, IRQ) +
		     book_delta(&a->book, &b->book, cpu, SOFTIRQ);
	least = b->before - a->after;
	most = b->after - a->before;
	others = b->run - a->run > b->before - a->before ? b->run - a->run - (b->before - a->before) : 0;
	by_clocks[phase] = outside(busy, least + others, most + others + interrupts) * 10000 / busy;
	ksft_print_msg("phase %u.%02u ms: busy %" PRIu64 " us of %" PRIu64 "; clock %" PRIu64 "..%" PRIu64
		       ", others %" PRIu64 ", interrupts %" PRIu64 "; /proc/stat %" PRIu64 ".%" PRIu64
		       " %%", phase / 4, phase % 4 * 25, busy / 1000, (b->book.now - a->book.now) / 1000,
		       least / 1000, most / 1000, others / 1000, interrupts / 1000,
		       stat_share[phase] / 10, stat_share[phase] % 10);
	if (timeline) {
		struct timeline_sum sum = timeline_sum(timeline, a->book.now, b->book.now);
		uint64_t truth = sum.task + sum.irq + sum.softirq;

		/* The trace goes on after the last snapshot. */
		if (sum.unknown)
			ksft_exit_fail_msg("the trace ends too early\n");
		by_timeline[phase] = outside(busy, truth, truth) * 10000 / busy;
		printf("; timeline %" PRIu64, truth / 1000);
	}
	if (is_icount()) {
		/* What the loop around the work does in user mode is 0.02 % of it. */
		by_work[phase] = outside(user, worked[phase], worked[phase]) * 10000 / worked[phase];
		printf("; user %" PRIu64 ", instructions %" PRIu64, user / 1000, worked[phase] / 1000);
	}
	printf("\n");
}

static void judge(const char *what, uint64_t *off, bool all, unsigned int allowed)
{
	uint64_t middle, most;

	qsort(off, PHASES, sizeof(*off), compare);
	middle = off[PHASES / 2];
	most = off[PHASES - 1];
	ksft_test_result((all ? most : middle) <= allowed, "%s: off by %" PRIu64 ".%02" PRIu64
			 " %% in the middle, %" PRIu64 ".%02" PRIu64 " %% at most; allowed: %u.%02u %% %s\n",
			 what, middle / 100, middle % 100, most / 100, most % 100, allowed / 100,
			 allowed % 100, all ? "at most" : "in the middle");
}

int main(void)
{
	static struct timeline timeline;
	bool icount, all, traced;
	uint64_t length, lost = 0;
	unsigned int phase, allowed, worst = 0;

	book_require();
	icount = is_icount();
	all = icount || !is_tcg();
	length = icount ? NSEC_PER_SEC / 4 : NSEC_PER_SEC;
	/* in hundredths of a per cent */
	allowed = icount ? 20 : is_tcg() ? 300 : 100;
	traced = timeline_available();
	cpu = other_cpu();
	if (cpu)
		pin_all(cpu, 0);
	pin(cpu);
	ksft_print_header();
	ksft_set_plan(1 + 2 * traced + icount);

	/* Touches what the measurement will touch. */
	take(&before[0]);
	if (traced)
		timeline_start(TIMELINE_SWITCHES);
	for (phase = 0; phase < PHASES; phase++)
		dodge(phase, length);
	if (traced) {
		sleep_ns(10 * NSEC_PER_MSEC);
		timeline_stop();
		lost = timeline_lost(cpu);
		timeline_load(&timeline, cpu);
	}
	for (phase = 0; phase < PHASES; phase++) {
		compare_phase(phase, traced ? &timeline : NULL);
		if (stat_share[phase] < stat_share[worst])
			worst = phase;
	}
	ksft_print_msg("/proc/stat at its worst, phase %u.%02u ms: %" PRIu64 ".%" PRIu64
		       " %% busy; /proc/cpuprecise: %" PRIu64 " %%\n", worst / 4, worst % 4 * 25,
		       stat_share[worst] / 10, stat_share[worst] % 10,
		       book_busy_delta(&before[worst].book, &after[worst].book, cpu) * 100 /
		       (after[worst].book.now - before[worst].book.now));

	judge("CPU clocks", by_clocks, all, allowed);
	if (traced) {
		ksft_test_result(!lost, "%" PRIu64 " trace events lost\n", lost);
		judge("timeline", by_timeline, all, allowed);
	}
	if (icount)
		judge("instructions", by_work, all, allowed);
	ksft_finished();
}
