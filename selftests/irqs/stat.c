// SPDX-License-Identifier: GPL-2.0-only
/*
 * irq and softirq of a CPU against the kernel's own measure of them, where it has one
 * (CONFIG_IRQ_TIME_ACCOUNTING), within 2 %; and against what the osnoise tracer says that
 * interrupts and softirqs took, within 5 %.
 *
 * The kernel's columns have the code around the handlers too (irq_enter_rcu() to
 * irq_exit_rcu()), and the emulator may stop a CPU between one stamp and the other. So
 * judged are handlers that are long beside both, and softirqs that ticks interrupt. Of many
 * short ones the module may have less than the kernel, and not more.
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
#include "module.h"

#define TRACING		"/sys/kernel/tracing/"
#define PARAMETERS	"/sys/module/irq_lines/parameters/"
#define LENGTH		(10 * NSEC_PER_SEC)

struct figures {
	uint64_t irq, softirq, interrupts;
};

static int cpu;

/* The kernel takes softirqs that ksoftirqd runs for a task's time: without those. */
static struct figures module_figures(void)
{
	static struct book book;
	static struct irqs hard, soft;
	struct figures f;
	unsigned int i;

	book_read(&book);
	irqs_read_checked(&hard, false, NULL);
	irqs_read_checked(&soft, true, NULL);
	f.irq = book_cpu(&book, cpu)->ns[IRQ];
	f.softirq = book_cpu(&book, cpu)->ns[SOFTIRQ];
	f.interrupts = irqs_total(&hard, cpu)->count;
	for (i = 0; i < soft.rows; i++)
		if (soft.row[i].cpu == cpu)
			f.softirq -= soft.row[i].daemon;
	return f;
}

static struct figures stat_figures(void)
{
	return (struct figures){
		.irq = stat_irq_ms(cpu) * NSEC_PER_MSEC,
		.softirq = stat_softirq_ms(cpu) * NSEC_PER_MSEC,
	};
}

static struct figures difference(struct figures a, struct figures b)
{
	return (struct figures){ b.irq - a.irq, b.softirq - a.softirq, b.interrupts - a.interrupts };
}

/* @less, @more: what the module may differ by, per cent. */
static void judge(const char *what, uint64_t booked, uint64_t truth, uint64_t interrupts, int less, int more)
{
	double off = truth ? (double)booked / truth * 100 - 100 : 1e9;

	ksft_test_result(off >= -less && off <= more, "%s: %" PRIu64 " us, the kernel has %" PRIu64
			 " us: %.2f %%; %" PRIu64 " interrupts, %" PRId64 " ns of each\n", what, booked / 1000,
			 truth / 1000, off, interrupts,
			 interrupts ? (int64_t)(booked - truth) / (int64_t)interrupts : 0);
}

/* /proc/stat over what goes on. */
static void stat(const char *what, int less)
{
	struct figures mine = module_figures(), kernel = stat_figures();
	char text[64];

	sleep_ns(LENGTH);
	mine = difference(mine, module_figures());
	kernel = difference(kernel, stat_figures());
	snprintf(text, sizeof(text), "%s: irq, /proc/stat", what);
	judge(text, mine.irq, kernel.irq, mine.interrupts, less, 2);
	snprintf(text, sizeof(text), "%s: softirq, /proc/stat", what);
	judge(text, mine.softirq, kernel.softirq, mine.interrupts, less, 2);
}

/* --- osnoise --------------------------------------------------------------------------- */

static void osnoise_stop(void)
{
	file_write(TRACING "tracing_on", "0");
	file_write(TRACING "events/osnoise/enable", "0");
	file_write(TRACING "current_tracer", "nop");
	file_write(TRACING "tracing_on", "1");
	file_erase(TRACING "trace");
}

static void osnoise_start(void)
{
	char text[8];

	atexit(osnoise_stop);
	snprintf(text, sizeof(text), "%d", cpu);
	must_borrow(TRACING "osnoise/cpus", text);
	must_borrow(TRACING "trace_clock", "mono");
	must_borrow(TRACING "buffer_size_kb", "8192");
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
	*events = 0;
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
	uint64_t from, to, irqs, softirqs, irq, softirq;
	struct figures mine;

	osnoise_start();
	sleep_ns(3 * NSEC_PER_SEC);
	mine = module_figures();
	from = monotonic_ns();
	sleep_ns(LENGTH);
	to = monotonic_ns();
	mine = difference(mine, module_figures());
	file_write(TRACING "tracing_on", "0");
	irq = osnoise_sum(": irq_noise: ", from, to, &irqs);
	softirq = osnoise_sum(": softirq_noise: ", from, to, &softirqs);
	judge("long handlers: irq, osnoise", mine.irq, irq, irqs, 5, 5);
	judge("long handlers: softirq, osnoise", mine.softirq, softirq, softirqs, 5, 5);
	osnoise_stop();
}

/*
 * Of each 100 ms 60 in a timer and 30 in a tasklet, for as long as this runs. Not in the handler
 * of a line, inside of the timer's interrupt: osnoise knows of one interrupt at a time.
 */
static void load_long_handlers(void)
{
	must_write(PARAMETERS "command", "fire 0 1");
}

static void long_handlers_end(void)
{
	module_beside_unload("irq_lines");
}

int main(void)
{
	void (*const work[])(void) = { load_datagrams, load_timers, load_barriers };
	pid_t load[ARRAY_SIZE(work)];
	unsigned int i;

	irqs_require("softirqs");
	if (!is_debug_kernel())
		ksft_exit_skip("needs a kernel that measures interrupts (CONFIG_IRQ_TIME_ACCOUNTING)\n");
	ksft_print_header();
	ksft_set_plan(6);
	cpu = other_cpu();
	if (cpu)
		pin_all(cpu, 0);
	for (i = 0; i < ARRAY_SIZE(work); i++)
		load[i] = load_start(work[i], cpu);
	sleep_ns(100 * NSEC_PER_MSEC);
	stat("many short ones", 100);
	for (i = 0; i < ARRAY_SIZE(work); i++)
		load_stop(load[i]);

	atexit(long_handlers_end);
	module_beside_load("irq_lines", "at_once=0 period_us=100000 timer_us=60000 tasklet_us=30000");
	load[0] = load_start(load_long_handlers, cpu);
	sleep_ns(500 * NSEC_PER_MSEC);
	stat("long handlers", 2);
	osnoise();
	load_stop(load[0]);
	ksft_finished();
}
