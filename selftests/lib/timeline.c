// SPDX-License-Identifier: GPL-2.0-only
/*
 * ftrace's timeline of a CPU, from the pages of its ring buffer.
 *
 * ftrace stamps the same tracepoints as the module, by its own clock (trace_clock
 * mono), in nanoseconds. Each event has the task that ran when it came, so that what
 * ran before each event is known, too. An interrupt inside of a softirq is irq, not
 * softirq; a lost event would leave a hole, so whoever uses this checks
 * timeline_lost() too.
 *
 * A page is the stamp of its first event, its length, and events; the layout is in
 * tracefs: events/header_page, events/header_event. Text would take the emulated
 * kernel longer than the trace did, and has no names of states that are not printed.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "machine.h"
#include "timeline.h"

#define BUFFER_KB	"24576"

enum { NOTHING, IRQ_IN, IRQ_OUT, SOFTIRQ_IN, SOFTIRQ_OUT, SOFTIRQ_RAISE, SWITCH };

#define MAX_ID	8192

static uint8_t kind_of[MAX_ID], vector_of[MAX_ID];
static unsigned int prev_state_offset;

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

/* Where in the event is the state of the task that is switched away? */
static void find_prev_state(void)
{
	char text[4096], *at;

	if (!file_read(path_of("events/sched/sched_switch/format"), text, sizeof(text)))
		ksft_exit_fail_msg("no format of sched_switch\n");
	at = strstr(text, " prev_state;");
	if (!at || sscanf(at, " prev_state; offset:%u; size:8;", &prev_state_offset) != 1)
		ksft_exit_fail_msg("sched_switch has no prev_state: %s\n", text);
}

static void set_events(const char *on, unsigned int what)
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
	    ((what & TIMELINE_RAISES) && !set_event("irq/softirq_raise", on, SOFTIRQ_RAISE, TIMELINE_VECTORS)) ||
	    ((what & TIMELINE_SWITCHES) && !set_event("sched/sched_switch", on, SWITCH, TIMELINE_VECTORS)))
		ksft_exit_fail_msg("ftrace lacks an event\n");
}

static void clean_up(void)
{
	set_events("0", TIMELINE_SWITCHES | TIMELINE_RAISES);
	file_write(path_of("trace_options"), "record-cmd");
	file_erase(path_of("trace"));
}

/* From here on. @what: TIMELINE_SWITCHES, TIMELINE_RAISES or both. */
void timeline_start(unsigned int what)
{
	static bool cleaning;

	if (!cleaning)
		atexit(clean_up);
	cleaning = true;
	must_borrow(path_of("tracing_on"), "0");
	must_borrow(path_of("current_tracer"), "nop");
	must_borrow(path_of("trace_clock"), "mono");
	/* Names of tasks are not asked for, and are found before a switch is stamped. */
	must_write(path_of("trace_options"), "norecord-cmd");
	must_borrow(path_of("buffer_size_kb"), BUFFER_KB);
	if (!file_erase(path_of("trace")))
		ksft_exit_fail_msg("cannot erase the trace\n");
	find_prev_state();
	set_events("1", what);
	must_write(path_of("tracing_on"), "1");
}

void timeline_stop(void)
{
	must_write(path_of("tracing_on"), "0");
}

/* A line "NAME: NUMBER" of what ftrace says of a CPU's buffer. */
static unsigned long long buffer_stat(int cpu, const char *name)
{
	char file[64], text[1024], line[64], *at;
	unsigned long long value;

	snprintf(file, sizeof(file), "per_cpu/cpu%d/stats", cpu);
	if (!file_read(path_of(file), text, sizeof(text)))
		ksft_exit_fail_msg("no %s\n", path_of(file));
	snprintf(line, sizeof(line), "\n%s: ", name);
	at = strstr(text, line);
	if (!at || sscanf(at + strlen(line), "%llu", &value) != 1)
		ksft_exit_fail_msg("%s: no %s\n", path_of(file), name);
	return value;
}

/* Entries that a CPU's buffer lost, in whichever way. */
uint64_t timeline_lost(int cpu)
{
	return buffer_stat(cpu, "overrun") + buffer_stat(cpu, "commit overrun") +
	       buffer_stat(cpu, "dropped events");
}

/* How much of a CPU's buffer is used, in per cent. */
unsigned int timeline_filled(int cpu)
{
	return buffer_stat(cpu, "bytes") * 100 / (strtoul(BUFFER_KB, NULL, 10) * 1024);
}

/* --- the ring buffer's pages ----------------------------------------------------------- */

/* The first fields of each event, where its own ones begin, and the bit by which sched_switch says "preempted". */
enum { COMMON_TYPE = 0, COMMON_PID = 4, FIRST = 8, PREEMPTED = 0x100 };

/* The length of an event in its first word; the others are no data, the rest is a number of words. */
enum { LONG_DATA = 0, PADDING = 29, TIME_EXTEND = 30, TIME_STAMP = 31 };

static void add_event(struct timeline *t, uint64_t ns, const uint8_t *data)
{
	struct timeline_event *e;
	uint64_t state;
	uint16_t id;

	memcpy(&id, data + COMMON_TYPE, sizeof(id));
	if (!id || id >= MAX_ID)
		ksft_exit_fail_msg("ftrace has an event of type %u\n", id);
	if (t->events == t->room) {
		t->room = t->room ? t->room * 2 : 4096;
		t->event = realloc(t->event, t->room * sizeof(*t->event));
		if (!t->event)
			ksft_exit_fail_msg("no memory for the trace\n");
	}
	e = &t->event[t->events++];
	e->ns = ns;
	memcpy(&e->pid, data + COMMON_PID, sizeof(e->pid));
	e->kind = kind_of[id];
	e->vector = vector_of[id];
	/* The number comes first in those that have one. */
	memcpy(&e->number, data + FIRST, sizeof(e->number));
	if (e->kind != SWITCH)
		return;
	memcpy(&state, data + prev_state_offset, sizeof(state));
	e->voluntary = state && !(state & PREEMPTED);
}

static void add_page(struct timeline *t, const uint8_t *page, size_t size)
{
	uint64_t ns, length;
	const uint8_t *at, *end;

	memcpy(&ns, page, sizeof(ns));
	memcpy(&length, page + 8, sizeof(length));
	at = page + 16;
	length &= 0xfffff;	/* the upper bits tell of lost events, which stats count */
	if (length > size - 16)
		ksft_exit_fail_msg("a page of ftrace has %zu bytes\n", (size_t)length);
	for (end = at + length; at < end; ) {
		uint32_t head[2] = { 0 }, kind;
		uint64_t delta;

		memcpy(head, at, at + 8 <= end ? 8 : 4);
		kind = head[0] & 31;
		delta = head[0] >> 5;
		if (kind == TIME_STAMP) {
			ns = (ns & ~((UINT64_C(1) << 59) - 1)) | (uint64_t)head[1] << 27 | delta;
			at += 8;
			continue;
		}
		if (kind == TIME_EXTEND)
			delta += (uint64_t)head[1] << 27;
		if (kind == PADDING && !delta)
			return;		/* the rest of the page */
		ns += delta;
		if (kind == LONG_DATA)
			add_event(t, ns, at + 8);
		else if (kind < PADDING)
			add_event(t, ns, at + 4);
		at += 4 + (kind == TIME_EXTEND ? 4 : kind == LONG_DATA || kind == PADDING ? head[1] : kind * 4);
	}
}

/* Takes what is in the buffer out of it. */
void timeline_load(struct timeline *t, int cpu)
{
	static uint8_t page[65536];
	size_t size = sysconf(_SC_PAGESIZE);
	char name[64];
	ssize_t n;
	int fd;

	snprintf(name, sizeof(name), "per_cpu/cpu%d/trace_pipe_raw", cpu);
	fd = open(path_of(name), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		ksft_exit_fail_msg("%s: %s\n", path_of(name), strerror(errno));
	t->events = 0;
	while ((n = read(fd, page, size)) > 0)
		add_page(t, page, n);
	if (n < 0 && errno != EAGAIN)
		ksft_exit_fail_msg("%s: %s\n", path_of(name), strerror(errno));
	close(fd);
}

/* --- sums ------------------------------------------------------------------------------ */

/* What is on top of the task. */
struct depth {
	int irq, softirq;
};

static void pass(struct depth *depth, uint8_t kind)
{
	switch (kind) {
	case IRQ_IN:
		depth->irq++;
		break;
	case IRQ_OUT:
		depth->irq -= depth->irq > 0;
		break;
	case SOFTIRQ_IN:
		depth->softirq++;
		break;
	case SOFTIRQ_OUT:
		depth->softirq -= depth->softirq > 0;
		break;
	}
}

/* How much of the time up to an event, from the one before it, is inside of a span. */
static uint64_t overlap(uint64_t start, uint64_t end, uint64_t from, uint64_t to)
{
	uint64_t a = start > from ? start : from, b = end < to ? end : to;

	return b > a ? b - a : 0;
}

static void count(struct timeline_sum *sum, const struct timeline_event *e)
{
	sum->irqs += e->kind == IRQ_IN;
	sum->softirqs += e->kind == SOFTIRQ_IN;
	if (e->kind == IRQ_IN && e->vector < TIMELINE_VECTORS)
		sum->vectors[e->vector]++;
}

struct timeline_sum timeline_sum(const struct timeline *t, uint64_t from, uint64_t to)
{
	struct timeline_sum sum = { 0 };
	struct depth depth = { 0 };
	uint64_t start = 0;
	size_t i;

	for (i = 0; i < t->events; i++) {
		const struct timeline_event *e = &t->event[i];
		uint64_t ns = overlap(start, e->ns, from, to);

		if (depth.irq)
			sum.irq += ns;
		else if (depth.softirq)
			sum.softirq += ns;
		else if (e->pid)
			sum.task += ns;
		else
			sum.idle += ns;
		if (e->ns >= from && e->ns < to)
			count(&sum, e);
		start = e->ns;
		pass(&depth, e->kind);
	}
	sum.unknown = overlap(start, UINT64_MAX, from, to);
	return sum;
}

/* Which part an interrupt or a softirq is. */
static unsigned int part_of(const struct timeline_event *e)
{
	if (e->kind != IRQ_IN)
		return TIMELINE_SOFTIRQ(e->number % TIMELINE_SOFTIRQS);
	if (e->vector < TIMELINE_VECTORS)
		return e->vector;
	if (e->number >= TIMELINE_LINES)
		ksft_exit_fail_msg("ftrace has line %u\n", e->number);
	return TIMELINE_LINE(e->number);
}

enum { NEST = 8 };

/* What is going on, the innermost one last: softirqs, and interrupts in them. */
struct stack {
	unsigned int part[NEST], depth;
};

static void pass_part(struct stack *s, const struct timeline_event *e)
{
	if (e->kind == IRQ_IN || e->kind == SOFTIRQ_IN) {
		if (s->depth == NEST)
			ksft_exit_fail_msg("ftrace has %u interrupts inside of each other\n", NEST);
		s->part[s->depth++] = part_of(e);
	} else if (e->kind == IRQ_OUT || e->kind == SOFTIRQ_OUT) {
		s->depth -= s->depth > 0;
	}
}

/* Tells a CPU's time apart by interrupt and softirq. @part: is set. */
void timeline_split(const struct timeline *t, uint64_t from, uint64_t to,
		    struct timeline_part part[TIMELINE_PARTS])
{
	uint64_t raised[TIMELINE_SOFTIRQS] = { 0 }, start = 0;
	struct stack stack = { 0 };
	size_t i;

	memset(part, 0, TIMELINE_PARTS * sizeof(*part));
	for (i = 0; i < t->events; i++) {
		const struct timeline_event *e = &t->event[i];
		struct timeline_part *top = stack.depth ? &part[stack.part[stack.depth - 1]] : NULL;
		bool inside = e->ns >= from && e->ns < to;
		uint64_t *since = &raised[e->number % TIMELINE_SOFTIRQS];

		if (top)
			top->ns += overlap(start, e->ns, from, to);
		if (top && inside && (e->kind == IRQ_OUT || e->kind == SOFTIRQ_OUT))
			top->ends++;
		if (e->kind == SOFTIRQ_RAISE && !*since)
			*since = e->ns;
		if (e->kind == SOFTIRQ_IN) {
			if (inside && *since) {
				part[part_of(e)].delays++;
				part[part_of(e)].delay_ns += e->ns - *since;
			}
			*since = 0;
		}
		start = e->ns;
		pass_part(&stack, e);
	}
}

static void count_task(struct timeline_task *task, const struct timeline_event *e)
{
	task->irqs += e->kind == IRQ_IN;
	task->softirqs += e->kind == SOFTIRQ_IN;
	task->voluntary += e->kind == SWITCH && e->voluntary;
	task->involuntary += e->kind == SWITCH && !e->voluntary;
}

/* Adds what a task had of a CPU. */
void timeline_add_task(struct timeline_task *task, const struct timeline *t, int pid, uint64_t from,
		       uint64_t to)
{
	struct depth depth = { 0 };
	uint64_t start = 0;
	size_t i;

	for (i = 0; i < t->events; i++) {
		const struct timeline_event *e = &t->event[i];

		if (e->pid == pid) {
			uint64_t ns = overlap(start, e->ns, from, to);

			*(depth.irq ? &task->irq : depth.softirq ? &task->softirq : &task->run) += ns;
			if (e->ns >= from && e->ns < to)
				count_task(task, e);
		}
		start = e->ns;
		pass(&depth, e->kind);
	}
}
