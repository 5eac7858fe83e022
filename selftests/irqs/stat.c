// SPDX-License-Identifier: GPL-2.0-only
/*
 * irq and softirq of a CPU against the kernel's own measure of them, where it has one
 * (CONFIG_IRQ_TIME_ACCOUNTING): not more than the columns irq and softirq of /proc/stat,
 * within 2 %, which also have the code around the handlers; and against what the osnoise
 * tracer says that interrupts and softirqs took of its thread, within 5 %.
 *
 * The kernel takes softirqs that ksoftirqd runs for a task's time, so those are left out.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "irqs.h"
#include "load.h"
#include "machine.h"
#include "stacks.h"

#define TRACING	"/sys/kernel/tracing/"
#define LENGTH	(20 * NSEC_PER_SEC)

struct figures {
	uint64_t irq, softirq, interrupts;
};

static struct irqs soft;
static int cpu;

/* What ksoftirqd ran of them. */
static uint64_t daemon_ns(void)
{
	uint64_t sum = 0;
	unsigned int i;

	irqs_read_checked(&soft, true, NULL);
	for (i = 0; i < soft.rows; i++)
		if (soft.row[i].cpu == cpu)
			sum += soft.row[i].daemon;
	return sum;
}

static struct figures module_figures(void)
{
	static struct book book;
	static struct irqs hard;
	struct figures f;

	book_read(&book);
	irqs_read_checked(&hard, false, NULL);
	f.irq = book_cpu(&book, cpu)->ns[IRQ];
	f.softirq = book_cpu(&book, cpu)->ns[SOFTIRQ] - daemon_ns();
	f.interrupts = irqs_total(&hard, cpu)->count;
	return f;
}

static struct figures stat_figures(void)
{
	return (struct figures){
		.irq = stat_irq_ms(cpu) * NSEC_PER_MSEC,
		.softirq = stat_softirq_ms(cpu) * NSEC_PER_MSEC,
	};
}

static double share(uint64_t a, uint64_t b)
{
	return b ? (double)a / b * 100 - 100 : 100;
}

/* @less: how much less it may be, per cent. */
static void judge(const char *what, uint64_t booked, uint64_t truth, uint64_t interrupts, double allowed,
		  double less)
{
	double off = share(booked, truth);

	ksft_test_result(off >= -less && off <= allowed, "%s: %" PRIu64 " us, the kernel has %" PRIu64
			 " us: %.2f %%, allowed %.0f %%; %" PRIu64 " interrupts, %" PRId64 " ns of each\n", what,
			 booked / 1000, truth / 1000, off, allowed, interrupts,
			 interrupts ? (int64_t)(booked - truth) / (int64_t)interrupts : 0);
}

/* --- osnoise --------------------------------------------------------------------------- */

static void osnoise_stop(void)
{
	file_write(TRACING "tracing_on", "0");
	file_write(TRACING "events/osnoise/enable", "0");
	file_write(TRACING "current_tracer", "nop");
	file_write(TRACING "trace", "");
	file_write(TRACING "tracing_on", "1");
}

static void osnoise_start(void)
{
	char text[8];

	atexit(osnoise_stop);
	snprintf(text, sizeof(text), "%d", cpu);
	must_write(TRACING "osnoise/cpus", text);
	must_write(TRACING "trace_clock", "mono");
	must_write(TRACING "buffer_size_kb", "8192");
	must_write(TRACING "events/osnoise/irq_noise/enable", "1");
	must_write(TRACING "events/osnoise/softirq_noise/enable", "1");
	must_write(TRACING "current_tracer", "osnoise");
}

/* The stamp of a trace's line that stands before @at, ns. */
static uint64_t stamp_before(const char *line, const char *at)
{
	unsigned long long s, us;

	while (at > line && at[-1] != ' ')
		at--;
	return sscanf(at, "%llu.%6llu", &s, &us) == 2 ? s * NSEC_PER_SEC + us * NSEC_PER_USEC : 0;
}

/* What osnoise has of interrupts or softirqs that ended within a time; each without those inside of it. */
static uint64_t osnoise_sum(const char *event, uint64_t from, uint64_t to, uint64_t *events)
{
	char path[64], line[512];
	uint64_t sum = 0;
	FILE *file;

	snprintf(path, sizeof(path), TRACING "per_cpu/cpu%d/trace", cpu);
	file = fopen(path, "r");
	if (!file)
		ksft_exit_fail_msg("no %s\n", path);
	while (fgets(line, sizeof(line), file)) {
		char *at = strstr(line, event), *length = strstr(line, " duration ");
		unsigned long long duration;
		uint64_t ns;

		if (!at || !length || sscanf(length, " duration %llu", &duration) != 1)
			continue;
		ns = stamp_before(line, at);
		if (ns < from || ns >= to)
			continue;
		sum += duration;
		++*events;
	}
	fclose(file);
	return sum;
}

static void osnoise(void)
{
	uint64_t from, to, irqs = 0, softirqs = 0, irq, softirq;
	struct figures mine, end;

	if (access(TRACING "osnoise/cpus", W_OK)) {
		ksft_test_result_skip("no osnoise tracer\n");
		ksft_test_result_skip("no osnoise tracer\n");
		return;
	}
	osnoise_start();
	sleep_ns(3 * NSEC_PER_SEC);
	mine = module_figures();
	from = monotonic_ns();
	sleep_ns(LENGTH / 4);
	to = monotonic_ns();
	end = module_figures();
	file_write(TRACING "tracing_on", "0");
	irq = osnoise_sum(": irq_noise: ", from, to, &irqs);
	softirq = osnoise_sum(": softirq_noise: ", from, to, &softirqs);
	judge("irq, osnoise", end.irq - mine.irq, irq, irqs, 5, 5);
	judge("softirq, osnoise", end.softirq - mine.softirq, softirq, softirqs, 5, 5);
	osnoise_stop();
}

int main(void)
{
	void (*const work[])(void) = { load_datagrams, load_timers, load_barriers };
	struct figures stat, mine, stat_end, mine_end;
	pid_t load[ARRAY_SIZE(work)];
	unsigned int i;

	irqs_require("softirqs");
	if (!is_debug_kernel())
		ksft_exit_skip("needs a kernel that measures interrupts (CONFIG_IRQ_TIME_ACCOUNTING)\n");
	ksft_print_header();
	ksft_set_plan(5);
	cpu = other_cpu();
	if (cpu)
		pin_all(cpu, 0);
	must_write(BOOK_DEBUGFS "reset", "1");
	for (i = 0; i < ARRAY_SIZE(work); i++)
		load[i] = load_start(work[i], cpu);
	sleep_ns(100 * NSEC_PER_MSEC);
	stat = stat_figures();
	mine = module_figures();
	sleep_ns(LENGTH);
	stat_end = stat_figures();
	mine_end = module_figures();
	mine_end.interrupts -= mine.interrupts;
	if (stat_end.irq == stat.irq)
		ksft_exit_skip("this kernel does not measure interrupts: its clock is not good enough for it\n");
	judge("irq", mine_end.irq - mine.irq, stat_end.irq - stat.irq, mine_end.interrupts, 2, 100);
	judge("softirq", mine_end.softirq - mine.softirq, stat_end.softirq - stat.softirq, mine_end.interrupts, 2, 100);
	judge("both", mine_end.irq + mine_end.softirq - mine.irq - mine.softirq,
	      stat_end.irq + stat_end.softirq - stat.irq - stat.softirq, mine_end.interrupts, 2, 100);
	osnoise();
	for (i = 0; i < ARRAY_SIZE(work); i++)
		load_stop(load[i]);
	ksft_finished();
}
