// SPDX-License-Identifier: GPL-2.0-only
/*
 * irq and softirq of a CPU are the spans that ftrace sees between the entry and
 * the exit of interrupt handlers, local vectors and softirq handlers.
 *
 * ftrace stamps the same tracepoints by its own clock (trace_clock mono). An
 * interrupt inside of a softirq is irq, not softirq; so both are read off one
 * timeline with the same rule. Events that were lost make the test fail: a
 * timeline with holes proves nothing. Each column has to lie between 0.95 of
 * the spans and the spans plus 3 us an event (20 us under emulation), which is
 * what hooks and traces cost on either side of a stamp.
 *
 * Under load: packets, timers with signals, interrupts between CPUs. And on a
 * CPU that only sleeps: its timers are irq, and leave idle.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "load.h"
#include "machine.h"

#define WATCH		(2 * NSEC_PER_SEC)
#define BUFFER_KB	"24576"

static const char *tracefs = "/sys/kernel/tracing/";

static const char *const vectors[] = {
	"local_timer", "reschedule", "call_function", "call_function_single", "irq_work",
	"x86_platform_ipi", "spurious_apic", "error_apic", "thermal_apic", "threshold_apic",
	"deferred_error_apic",
};

struct spans {
	uint64_t irq, softirq;
	uint64_t irqs, softirqs;	/* how many */
	uint64_t vectors[ARRAY_SIZE(vectors)];
};

static const char *trace_path(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s%s", tracefs, name);
	return path;
}

static void trace_events(bool on)
{
	char name[96];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(vectors); i++) {
		snprintf(name, sizeof(name), "events/irq_vectors/%s_entry/enable", vectors[i]);
		file_write(trace_path(name), on ? "1" : "0");
		snprintf(name, sizeof(name), "events/irq_vectors/%s_exit/enable", vectors[i]);
		file_write(trace_path(name), on ? "1" : "0");
	}
	must_write(trace_path("events/irq/irq_handler_entry/enable"), on ? "1" : "0");
	must_write(trace_path("events/irq/irq_handler_exit/enable"), on ? "1" : "0");
	must_write(trace_path("events/irq/softirq_entry/enable"), on ? "1" : "0");
	must_write(trace_path("events/irq/softirq_exit/enable"), on ? "1" : "0");
}

static void trace_off(void)
{
	file_write(trace_path("tracing_on"), "0");
	trace_events(false);
	file_write(trace_path("trace"), "");
	file_write(trace_path("buffer_size_kb"), "1");
}

/* Entries that a CPU's buffer lost; none of the ways may have happened. */
static uint64_t lost(int cpu)
{
	char name[64], text[1024], *at;
	unsigned long long overrun, dropped;

	snprintf(name, sizeof(name), "per_cpu/cpu%d/stats", cpu);
	if (!file_read(trace_path(name), text, sizeof(text)))
		ksft_exit_fail_msg("no %s\n", trace_path(name));
	at = strstr(text, "\noverrun: ");
	if (!at || sscanf(at, " overrun: %llu", &overrun) != 1)
		ksft_exit_fail_msg("%s: no overrun\n", trace_path(name));
	at = strstr(text, "\ndropped events: ");
	if (!at || sscanf(at, " dropped events: %llu", &dropped) != 1)
		ksft_exit_fail_msg("%s: no dropped events\n", trace_path(name));
	return overrun + dropped;
}

/* "comm-pid [001] d.h.1 12.345678: local_timer_entry: vector=236" */
static bool parse(char *line, int cpu, uint64_t *ns, char **event)
{
	unsigned long long seconds, micro;
	char tag[16], *at;
	int skip = 0;

	snprintf(tag, sizeof(tag), "[%03d] ", cpu);
	at = strstr(line, tag);
	if (*line == '#' || !at)
		return false;
	at += strlen(tag);
	if (sscanf(at, "%*s %llu.%llu: %n", &seconds, &micro, &skip) != 2 || !skip)
		return false;
	*ns = seconds * NSEC_PER_SEC + micro * NSEC_PER_USEC;
	*event = at + skip;
	return true;
}

/* The time between two events, by what was on top; only what is inside [from, to] counts. */
static void add(struct spans *s, uint64_t start, uint64_t end, uint64_t from, uint64_t to, int irq,
		int softirq)
{
	if (start < from)
		start = from;
	if (end > to)
		end = to;
	if (end <= start)
		return;
	if (irq)
		s->irq += end - start;
	else if (softirq)
		s->softirq += end - start;
}

static struct spans read_spans(int cpu, uint64_t from, uint64_t to)
{
	struct spans s = { 0 };
	int irq = 0, softirq = 0;
	uint64_t last = 0, ns;
	char line[1024], name[64], *event;
	FILE *file;

	snprintf(name, sizeof(name), "per_cpu/cpu%d/trace", cpu);
	file = fopen(trace_path(name), "r");
	if (!file)
		ksft_exit_fail_msg("no %s\n", trace_path(name));
	while (fgets(line, sizeof(line), file)) {
		size_t length;
		bool inside;
		unsigned int i;

		if (!parse(line, cpu, &ns, &event))
			continue;
		add(&s, last, ns, from, to, irq, softirq);
		last = ns;
		inside = ns >= from && ns < to;
		length = strcspn(event, ":");
		event[length] = '\0';
		if (!strcmp(event, "softirq_entry")) {
			softirq++;
			s.softirqs += inside;
		} else if (!strcmp(event, "softirq_exit")) {
			softirq -= softirq > 0;
		} else if (length > 6 && !strcmp(event + length - 6, "_entry")) {
			irq++;
			s.irqs += inside;
			event[length - 6] = '\0';
			for (i = 0; i < ARRAY_SIZE(vectors); i++)
				if (!strcmp(event, vectors[i]))
					s.vectors[i] += inside;
		} else {
			irq -= irq > 0;
		}
	}
	fclose(file);
	return s;
}

static void judge(const char *what, int cpu, const char *column, uint64_t booked, uint64_t spans,
		  uint64_t count, uint64_t least_count)
{
	uint64_t slack = (is_tcg() ? 20 : 3) * NSEC_PER_USEC * count;

	ksft_test_result(count >= least_count && booked >= spans / 100 * 95 && booked <= spans + slack,
			 "%s, cpu%d: %s %" PRIu64 " us, spans %" PRIu64 " us of %" PRIu64 " events\n",
			 what, cpu, column, booked / 1000, spans / 1000, count);
}

static void watch(const char *what, unsigned int cpus, void (*const *loads)(void), unsigned int nr,
		  uint64_t least_irqs, uint64_t least_softirqs)
{
	static struct book a, b;
	pid_t load[8];
	unsigned int i, cpu;
	const char *error;

	must_write(trace_path("trace"), "");
	for (i = 0; i < nr; i++)
		load[i] = load_start(loads[i], 1);
	sleep_ns(100 * NSEC_PER_MSEC);
	must_write(trace_path("tracing_on"), "1");
	sleep_ns(100 * NSEC_PER_MSEC);
	book_read(&a);
	sleep_ns(WATCH);
	book_read(&b);
	sleep_ns(10 * NSEC_PER_MSEC);
	must_write(trace_path("tracing_on"), "0");
	for (i = 0; i < nr; i++)
		load_stop(load[i]);

	error = book_check(&b);
	if (!error)
		error = book_check_after(&a, &b);
	if (error)
		ksft_exit_fail_msg("%s\n", error);
	for (cpu = cpus; cpu < 2; cpu++) {
		struct spans s = read_spans(cpu, a.now, b.now);
		uint64_t missing = lost(cpu);

		ksft_print_msg("%s, cpu%u:", what, cpu);
		for (i = 0; i < ARRAY_SIZE(vectors); i++)
			if (s.vectors[i])
				printf(" %s %" PRIu64, vectors[i], s.vectors[i]);
		printf("; idle %" PRIu64 " us\n", book_delta(&a, &b, cpu, IDLE) / 1000);
		ksft_test_result(!missing, "%s, cpu%u: %" PRIu64 " trace events lost\n", what, cpu, missing);
		judge(what, cpu, "irq", book_delta(&a, &b, cpu, IRQ), s.irq, s.irqs, least_irqs);
		judge(what, cpu, "softirq", book_delta(&a, &b, cpu, SOFTIRQ), s.softirq, s.softirqs,
		      least_softirqs);
	}
}

/* A CPU that has nothing to do but to sleep again. */
static void sleeper(void)
{
	for (;;)
		sleep_ns(NSEC_PER_MSEC);
}

int main(void)
{
	void (*const loads[])(void) = { load_datagrams, load_timers, load_barriers };
	void (*const sleeps[])(void) = { sleeper };

	book_require();
	require_cpus(2);
	if (access(trace_path("trace"), W_OK)) {
		tracefs = "/sys/kernel/debug/tracing/";
		if (access(trace_path("trace"), W_OK))
			ksft_exit_skip("no tracefs: this is judged by ftrace\n");
	}
	ksft_print_header();
	ksft_set_plan(9);
	pin_all(1, 0);

	must_write(trace_path("tracing_on"), "0");
	must_write(trace_path("current_tracer"), "nop");
	must_write(trace_path("trace_clock"), "mono");
	must_write(trace_path("buffer_size_kb"), BUFFER_KB);
	trace_events(true);
	atexit(trace_off);

	watch("load", 0, loads, ARRAY_SIZE(loads), 100, 1);
	watch("asleep", 1, sleeps, ARRAY_SIZE(sleeps), 100, 0);
	ksft_finished();
}
