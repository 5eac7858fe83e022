// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where others put return addresses of theirs on the stack, the callers are shown that
 * are there without them: beside function_graph and return probes of ftrace, alone and
 * together, and whichever of them sees a call first.
 */
#include <inttypes.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "kprobe_events.h"
#include "machine.h"
#include "stacks.h"
#include "symbols.h"
#include "traces.h"

#define CALLS	20
/* Which jumps to ksys_read(): their returns are in one place on the stack. */
#define ENTER	SYMBOLS_CALL "read"
#define TRACEFS	"/sys/kernel/tracing/"
#define KPROBES	"/sys/kernel/debug/kprobes/enabled"

static struct stacks stacks, plain;

static void reads(void)
{
	int fd = open("/dev/zero", O_RDONLY), i;
	char byte;

	for (i = 0; i < CALLS; i++)
		if (read(fd, &byte, 1) != 1)
			_exit(1);
	close(fd);
}

static bool is_same(const struct stack_block *a, const struct stack_block *b)
{
	unsigned int i;

	for (i = 0; i < a->kernel && i < b->kernel && !strcmp(a->frame[i], b->frame[i]); i++)
		;
	return i == a->kernel && i == b->kernel && a->cut == b->cut;
}

/* As one of those when nobody was beside. */
static bool is_real(const struct stack_block *b)
{
	unsigned int i;

	for (i = 0; i < plain.blocks && !is_same(b, &plain.block[i]); i++)
		;
	return i < plain.blocks;
}

static void check(const char *name, const char *beside)
{
	uint64_t count = stacks_count(&stacks, name);
	unsigned int i, wrong = 0;

	for (i = 0; i < stacks.blocks; i++) {
		const struct stack_block *b = &stacks.block[i];

		if (!strcmp(b->name, name) && !is_real(b) && !wrong++)
			stack_print(b);
	}
	ksft_test_result(!wrong && count >= CALLS, "%s: %" PRIu64 " hits of %s have their callers\n",
			 beside, count, name);
}

static void look(const struct actor *actor)
{
	triggers_add("p:call vfs_read pid=%d", actor->pid);
	triggers_add("r:return vfs_read pid=%d", actor->pid);
	actor_run(actor);
	stacks_read(&stacks);
	triggers_clear();
}

/* Of a file that has a position, and of the pipe that tells the child to go. */
static void alone(const struct actor *actor)
{
	unsigned int i, good = 0;

	triggers_add("p:call vfs_read pid=%d", actor->pid);
	actor_run(actor);
	stacks_read(&plain);
	triggers_clear();
	for (i = 0; i < plain.blocks; i++) {
		const struct stack_block *b = &plain.block[i];

		good += b->kernel >= 3 && frame_names(b->frame[0], "ksys_read") && !b->cut;
		stack_print(b);
	}
	ksft_test_result(good == 2 && plain.blocks == 2, "alone: %u stacks of a read\n", good);
}

/* --- others ---------------------------------------------------------------------------- */

static void probes_start(void)
{
	events_add("read", "r vfs_read");
	events_add("call", "r ksys_read");
	events_add("enter", "r " ENTER);
	events_start("read", 0);
	events_start("call", 0);
	events_start("enter", 0);
}

static void probes_end(const char *beside)
{
	uint64_t read = events_profile("read").hits, call = events_profile("call").hits;

	ksft_test_result(read >= CALLS && call >= CALLS, "%s: return probes hit, %" PRIu64 " and %" PRIu64
			 " times\n", beside, read, call);
	events_remove("read");
	events_remove("call");
	events_remove("enter");
}

static bool graph_available(void)
{
	char tracers[256];

	return file_read(TRACEFS "available_tracers", tracers, sizeof(tracers)) &&
	       strstr(tracers, "function_graph");
}

static void no_filter(void)
{
	file_erase(TRACEFS "set_ftrace_filter");
}

/*
 * Who comes last to ftrace sees a call first. There are kprobes of the module's all the
 * time: all have to go for a moment if function_graph is to come first.
 */
static void graph_start(bool sees_first)
{
	must_borrow(TRACEFS "tracing_on", "1");
	must_write(TRACEFS "set_ftrace_filter", "vfs_read\n");
	must_write(TRACEFS "set_ftrace_filter", "ksys_read\n");
	must_write(TRACEFS "set_ftrace_filter", ENTER "\n");
	if (!sees_first)
		must_borrow(KPROBES, "0");
	must_borrow(TRACEFS "current_tracer", "function_graph");
	if (!sees_first)
		must_write(KPROBES, "1");
}

/* Calls in the trace: returns are hooked only of those. To read it calls more of them. */
static void graph_end(const char *beside)
{
	unsigned int read = 0, call = 0;
	char line[256];
	FILE *trace;

	must_write(TRACEFS "tracing_on", "0");
	trace = fopen(TRACEFS "trace", "r");
	if (!trace)
		ksft_exit_fail_msg("no trace\n");
	while (fgets(line, sizeof(line), trace)) {
		read += !!strstr(line, " vfs_read(");
		call += !!strstr(line, " ksys_read(");
	}
	fclose(trace);
	ksft_test_result(read >= CALLS && call >= CALLS, "%s: function_graph has %u and %u calls\n",
			 beside, read, call);
	must_write(TRACEFS "current_tracer", "nop");
	no_filter();
	file_erase(TRACEFS "trace");
	must_write(TRACEFS "tracing_on", "1");
}

static const struct {
	const char *name;
	bool probes, graph, graph_first;
} company[] = {
	{ "return probes", .probes = true },
	{ "function_graph, first", .graph = true, .graph_first = true },
	{ "function_graph, last", .graph = true },
	{ "return probes on function_graph", .probes = true, .graph = true, .graph_first = true },
	{ "function_graph on return probes", .probes = true, .graph = true },
};

int main(void)
{
	const char *trouble;
	struct actor actor;
	unsigned int i;

	stacks_require();
	if (!events_available() || !graph_available())
		ksft_exit_skip("a kernel without kprobe events or function_graph\n");
	ksft_print_header();
	ksft_set_plan(1 + 5 * 2 + 3 + 4 + 1);
	log_mark();
	stacks_share(100);
	atexit(no_filter);
	actor_start(&actor, reads, other_cpu());
	alone(&actor);
	for (i = 0; i < ARRAY_SIZE(company); i++) {
		if (company[i].graph)
			graph_start(company[i].graph_first);
		if (company[i].probes)
			probes_start();
		look(&actor);
		check("call", company[i].name);
		check("return", company[i].name);
		if (company[i].probes)
			probes_end(company[i].name);
		if (company[i].graph)
			graph_end(company[i].name);
	}
	actor_end(&actor);
	trouble = log_trouble();
	ksft_test_result(!trouble, "a clean log%s%s\n", trouble ? ": " : "", trouble ?: "");
	ksft_finished();
}
