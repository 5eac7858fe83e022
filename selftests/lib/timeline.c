// SPDX-License-Identifier: GPL-2.0-only
/*
 * ftrace's timeline of a CPU, from the text of the trace.
 *
 * ftrace stamps the same tracepoints as the module, by its own clock (trace_clock
 * mono, printed to the microsecond). An interrupt inside of a softirq is irq,
 * not softirq; a lost event would leave a hole, so whoever uses this checks
 * timeline_lost() too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "machine.h"
#include "timeline.h"

#define BUFFER_KB	"24576"

enum { IRQ_IN, IRQ_OUT, SOFTIRQ_IN, SOFTIRQ_OUT, TO_IDLE, TO_TASK, NOTHING };

const char *const timeline_vector[TIMELINE_VECTORS] = {
	"local_timer", "reschedule", "call_function", "call_function_single", "irq_work",
	"x86_platform_ipi", "spurious_apic", "error_apic", "thermal_apic", "threshold_apic",
	"deferred_error_apic",
};

static const char *tracefs = "/sys/kernel/tracing/";

static const char *path_of(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s%s", tracefs, name);
	return path;
}

bool timeline_available(void)
{
	if (access(path_of("trace"), W_OK))
		tracefs = "/sys/kernel/debug/tracing/";
	return !access(path_of("trace"), W_OK);
}

static void set_events(const char *on, bool switches)
{
	char name[96];
	unsigned int i;

	/* A kernel has those of its configuration. */
	for (i = 0; i < TIMELINE_VECTORS; i++) {
		snprintf(name, sizeof(name), "events/irq_vectors/%s_entry/enable", timeline_vector[i]);
		file_write(path_of(name), on);
		snprintf(name, sizeof(name), "events/irq_vectors/%s_exit/enable", timeline_vector[i]);
		file_write(path_of(name), on);
	}
	must_write(path_of("events/irq/irq_handler_entry/enable"), on);
	must_write(path_of("events/irq/irq_handler_exit/enable"), on);
	must_write(path_of("events/irq/softirq_entry/enable"), on);
	must_write(path_of("events/irq/softirq_exit/enable"), on);
	if (switches)
		must_write(path_of("events/sched/sched_switch/enable"), on);
}

static void clean_up(void)
{
	file_write(path_of("tracing_on"), "0");
	set_events("0", true);
	file_write(path_of("trace"), "");
	file_write(path_of("buffer_size_kb"), "1");
}

/* From here on. @switches: also what task runs. */
void timeline_start(bool switches)
{
	static bool cleaning;

	if (!cleaning)
		atexit(clean_up);
	cleaning = true;
	must_write(path_of("tracing_on"), "0");
	must_write(path_of("current_tracer"), "nop");
	must_write(path_of("trace_clock"), "mono");
	must_write(path_of("buffer_size_kb"), BUFFER_KB);
	must_write(path_of("trace"), "");
	set_events("1", switches);
	must_write(path_of("tracing_on"), "1");
}

void timeline_stop(void)
{
	must_write(path_of("tracing_on"), "0");
}

/* Entries that a CPU's buffer lost, in whichever way. */
uint64_t timeline_lost(int cpu)
{
	char name[64], text[1024], *at;
	unsigned long long overrun, dropped;

	snprintf(name, sizeof(name), "per_cpu/cpu%d/stats", cpu);
	if (!file_read(path_of(name), text, sizeof(text)))
		ksft_exit_fail_msg("no %s\n", path_of(name));
	at = strstr(text, "\noverrun: ");
	if (!at || sscanf(at, " overrun: %llu", &overrun) != 1)
		ksft_exit_fail_msg("%s: no overrun\n", path_of(name));
	at = strstr(text, "\ndropped events: ");
	if (!at || sscanf(at, " dropped events: %llu", &dropped) != 1)
		ksft_exit_fail_msg("%s: no dropped events\n", path_of(name));
	return overrun + dropped;
}

static void classify(struct timeline_event *e, char *event)
{
	size_t length = strcspn(event, ":");
	char *next;
	uint8_t i;

	e->kind = NOTHING;
	e->vector = TIMELINE_VECTORS;
	if (!strncmp(event, "sched_switch", length)) {
		next = strstr(event, " ==> ");
		next = next ? strstr(next, " next_pid=") : NULL;
		if (next)
			e->kind = atoi(next + 10) ? TO_TASK : TO_IDLE;
		return;
	}
	event[length] = '\0';
	if (!strcmp(event, "softirq_entry")) {
		e->kind = SOFTIRQ_IN;
	} else if (!strcmp(event, "softirq_exit")) {
		e->kind = SOFTIRQ_OUT;
	} else if (length > 6 && !strcmp(event + length - 6, "_entry")) {
		e->kind = IRQ_IN;
		event[length - 6] = '\0';
		for (i = 0; i < TIMELINE_VECTORS; i++)
			if (!strcmp(event, timeline_vector[i]))
				e->vector = i;
	} else if (length > 5 && !strcmp(event + length - 5, "_exit")) {
		e->kind = IRQ_OUT;
	}
}

/* "comm-pid [001] d.h.1 12.345678: local_timer_entry: vector=236" */
void timeline_load(struct timeline *t, int cpu)
{
	static char line[4096];
	char name[64], tag[16];
	size_t room = 0;
	FILE *file;

	snprintf(name, sizeof(name), "per_cpu/cpu%d/trace", cpu);
	snprintf(tag, sizeof(tag), "[%03d] ", cpu);
	file = fopen(path_of(name), "r");
	if (!file)
		ksft_exit_fail_msg("no %s\n", path_of(name));
	free(t->event);
	t->event = NULL;
	t->events = 0;
	while (fgets(line, sizeof(line), file)) {
		unsigned long long seconds, micro;
		char *at = strstr(line, tag);
		int skip = 0;

		if (*line == '#' || !at)
			continue;
		at += strlen(tag);
		if (sscanf(at, "%*s %llu.%llu: %n", &seconds, &micro, &skip) != 2 || !skip)
			continue;
		if (t->events == room) {
			room = room ? room * 2 : 4096;
			t->event = realloc(t->event, room * sizeof(*t->event));
			if (!t->event)
				ksft_exit_fail_msg("no memory for the trace\n");
		}
		t->event[t->events].ns = seconds * NSEC_PER_SEC + micro * NSEC_PER_USEC;
		classify(&t->event[t->events++], at + skip);
	}
	fclose(file);
}

struct timeline_sum timeline_sum(const struct timeline *t, uint64_t from, uint64_t to)
{
	struct timeline_sum sum = { 0 };
	int irq = 0, softirq = 0, task = -1;
	uint64_t start = 0;
	size_t i;

	for (i = 0; i <= t->events; i++) {
		const struct timeline_event *e = &t->event[i];
		uint64_t end = i < t->events ? e->ns : to;
		uint64_t a = start > from ? start : from, b = end < to ? end : to;
		bool inside = i < t->events && e->ns >= from && e->ns < to;

		if (b > a) {
			if (irq)
				sum.irq += b - a;
			else if (softirq)
				sum.softirq += b - a;
			else if (task < 0)
				sum.unknown += b - a;
			else if (task)
				sum.task += b - a;
			else
				sum.idle += b - a;
		}
		if (i == t->events)
			break;
		start = end;
		switch (e->kind) {
		case IRQ_IN:
			irq++;
			sum.irqs += inside;
			if (inside && e->vector < TIMELINE_VECTORS)
				sum.vectors[e->vector]++;
			break;
		case IRQ_OUT:
			irq -= irq > 0;
			break;
		case SOFTIRQ_IN:
			softirq++;
			sum.softirqs += inside;
			break;
		case SOFTIRQ_OUT:
			softirq -= softirq > 0;
			break;
		case TO_IDLE:
		case TO_TASK:
			task = e->kind == TO_TASK;
			break;
		}
	}
	return sum;
}
