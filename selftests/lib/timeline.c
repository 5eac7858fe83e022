// SPDX-License-Identifier: GPL-2.0-only
/*
 * ftrace's timeline of a CPU, from the text of the trace.
 *
 * ftrace stamps the same tracepoints as the module, by its own clock (trace_clock
 * mono). Its raw format prints nanoseconds: a line is "PID CPU NS type: ID", with
 * the task that ran when the event came, so that what ran before each event is
 * known, too. An interrupt inside of a softirq is irq, not softirq; a lost event
 * would leave a hole, so whoever uses this checks timeline_lost() too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "machine.h"
#include "timeline.h"

#define BUFFER_KB	"24576"

enum { NOTHING, IRQ_IN, IRQ_OUT, SOFTIRQ_IN, SOFTIRQ_OUT, SWITCH };

#define MAX_ID	8192

static uint8_t kind_of[MAX_ID], vector_of[MAX_ID];

const char *const timeline_vector[TIMELINE_VECTORS] = {
	"local_timer", "reschedule", "call_function", "call_function_single", "irq_work",
	"x86_platform_ipi", "spurious_apic", "error_apic", "thermal_apic", "threshold_apic",
	"deferred_error_apic", "ipi",
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

/* Also learns the number that stands for the event in the trace. */
static bool set_event(const char *event, const char *on, uint8_t kind, uint8_t vector)
{
	char name[96], text[32];
	int id;

	snprintf(name, sizeof(name), "events/%s/id", event);
	if (!file_read(path_of(name), text, sizeof(text)))
		return false;
	id = atoi(text);
	if (id <= 0 || id >= MAX_ID)
		ksft_exit_fail_msg("%s is %s\n", name, text);
	kind_of[id] = kind;
	vector_of[id] = vector;
	snprintf(name, sizeof(name), "events/%s/enable", event);
	must_write(path_of(name), on);
	return true;
}

static void set_events(const char *on, bool switches)
{
	char name[64];
	unsigned int i;

	/* A kernel has those of its configuration. */
	for (i = 0; i < TIMELINE_VECTORS; i++) {
		const char *group = strcmp(timeline_vector[i], "ipi") ? "irq_vectors" : "ipi";

		snprintf(name, sizeof(name), "%s/%s_entry", group, timeline_vector[i]);
		set_event(name, on, IRQ_IN, i);
		snprintf(name, sizeof(name), "%s/%s_exit", group, timeline_vector[i]);
		set_event(name, on, IRQ_OUT, i);
	}
	if (!set_event("irq/irq_handler_entry", on, IRQ_IN, TIMELINE_VECTORS) ||
	    !set_event("irq/irq_handler_exit", on, IRQ_OUT, TIMELINE_VECTORS) ||
	    !set_event("irq/softirq_entry", on, SOFTIRQ_IN, TIMELINE_VECTORS) ||
	    !set_event("irq/softirq_exit", on, SOFTIRQ_OUT, TIMELINE_VECTORS) ||
	    (switches && !set_event("sched/sched_switch", on, SWITCH, TIMELINE_VECTORS)))
		ksft_exit_fail_msg("ftrace lacks an event\n");
}

static void clean_up(void)
{
	file_write(path_of("tracing_on"), "0");
	set_events("0", true);
	file_write(path_of("trace"), "");
	file_write(path_of("trace_options"), "noraw");
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
	must_write(path_of("trace_options"), "raw");
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

void timeline_load(struct timeline *t, int cpu)
{
	static char line[4096];
	char name[64];
	size_t room = 0;
	FILE *file;

	snprintf(name, sizeof(name), "per_cpu/cpu%d/trace", cpu);
	file = fopen(path_of(name), "r");
	if (!file)
		ksft_exit_fail_msg("no %s\n", path_of(name));
	free(t->event);
	t->event = NULL;
	t->events = 0;
	while (fgets(line, sizeof(line), file)) {
		struct timeline_event *e;
		unsigned long long ns;
		int pid, id;

		if (*line == '#')
			continue;
		if (sscanf(line, "%d %*d %llu type: %d", &pid, &ns, &id) != 3 || id <= 0 || id >= MAX_ID)
			ksft_exit_fail_msg("%s: not a raw event: %s", path_of(name), line);
		if (t->events == room) {
			room = room ? room * 2 : 4096;
			t->event = realloc(t->event, room * sizeof(*t->event));
			if (!t->event)
				ksft_exit_fail_msg("no memory for the trace\n");
		}
		e = &t->event[t->events++];
		e->ns = ns;
		e->idle = pid == 0;
		e->kind = kind_of[id];
		e->vector = vector_of[id];
	}
	fclose(file);
}

struct timeline_sum timeline_sum(const struct timeline *t, uint64_t from, uint64_t to)
{
	struct timeline_sum sum = { 0 };
	int irq = 0, softirq = 0;
	uint64_t start = 0;
	size_t i;

	for (i = 0; i <= t->events; i++) {
		const struct timeline_event *e = &t->event[i];
		uint64_t end = i < t->events ? e->ns : UINT64_MAX;
		uint64_t a = start > from ? start : from, b = end < to ? end : to;
		bool inside = i < t->events && e->ns >= from && e->ns < to;

		if (b > a) {
			if (irq)
				sum.irq += b - a;
			else if (softirq)
				sum.softirq += b - a;
			else if (i == t->events)
				sum.unknown += b - a;
			else if (e->idle)
				sum.idle += b - a;
			else
				sum.task += b - a;
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
		}
	}
	return sum;
}
