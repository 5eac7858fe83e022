// SPDX-License-Identifier: GPL-2.0-only
/*
 * Triggers come and go, and so does what they watch: hundreds at once, the module with
 * all of them, a module that is watched, other probes on the same function, and
 * kprobes as a whole.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kselftest.h"

#include "kprobe_events.h"
#include "machine.h"
#include "module.h"
#include "stacks.h"
#include "symbols.h"
#include "traces.h"

#define MANY		300
#define MANY_DEBUG	60	/* there each takes a third of a second */
#define FUNCTIONS	50
#define CALLS		10
#define LONGEST_UNLOAD	(10 * NSEC_PER_SEC)
#define ENABLED		"/sys/kernel/debug/kprobes/enabled"
#define CALL_PREFIX	SYMBOLS_CALL "get"
#define GETPGID		SYMBOLS_CALL "getpgid"

static struct traces before;

static void call(void)
{
	int i;

	for (i = 0; i < CALLS; i++)
		syscall(SYS_getpgid, 0);
}

/* Do these calls count, and how often? */
static bool counts(const char *name, uint64_t times)
{
	uint64_t a = triggers_value(name, TRIGGER_HITS) + triggers_value(name, TRIGGER_MISSED), b;

	call();
	b = triggers_value(name, TRIGGER_HITS) + triggers_value(name, TRIGGER_MISSED);
	if (b - a == times * CALLS)
		return true;
	ksft_print_msg("%s: %" PRIu64 " hits of %d calls\n", name, b - a, CALLS);
	return false;
}

static bool unloads(const char *with)
{
	uint64_t start = monotonic_ns(), took;

	module_unload();
	took = monotonic_ns() - start;
	ksft_print_msg("unloaded with %s within %" PRIu64 " ms\n", with, took / NSEC_PER_MSEC);
	return traces_none(&before) && took < LONGEST_UNLOAD;
}

/* Several on each function, of two kinds, and some on tracepoints. */
static void many(void)
{
	static const char *names[FUNCTIONS];
	static char text[65536];
	static struct triggers t;
	unsigned int n = symbols_begin(CALL_PREFIX, "T", names, FUNCTIONS), i;
	unsigned int number = is_debug_kernel() ? MANY_DEBUG : MANY;
	size_t length = 0;
	uint64_t start;
	int err;

	if (!n)
		ksft_exit_fail_msg("no functions %s*\n", CALL_PREFIX);
	for (i = 0; i < number; i++) {
		if (i % 10 == 9)
			length += sprintf(text + length, "t:many%u sched:sched_process_exec\n", i);
		else
			length += sprintf(text + length, "%c:many%u %s\n", i % 10 ? 'p' : 'r', i, names[i % n]);
	}
	module_load("");
	start = monotonic_ns();
	err = triggers_put(text, length);
	ksft_print_msg("%u triggers on %u functions: %" PRIu64 " ms\n", number, n,
		       (monotonic_ns() - start) / NSEC_PER_MSEC);
	triggers_read(&t);
	call();
	ksft_test_result(!err && t.rows == number, "%u triggers at once: %s\n", t.rows, err ? strerror(err) : "on");
	ksft_test_result(unloads("all of them"), "nothing is left of them\n");
}

/* --- two on one function ----------------------------------------------------------------------- */

static void twice(void)
{
	bool right;
	int err;

	triggers_add("p:one " GETPGID);
	triggers_add("p:two " GETPGID);
	triggers_add("r:three " GETPGID);
	err = triggers_try("p:two " GETPGID);
	right = counts("one", 1) && counts("two", 1) && counts("three", 1);
	ksft_test_result(right && err == EEXIST, "three on one function, each counts; the same name: %s\n",
			 strerror(err));
	triggers_add("-:one");
	right = counts("two", 1) && counts("three", 1);
	ksft_test_result(right, "one is removed, the others go on\n");
	triggers_clear();
}

static bool theirs_count(void)
{
	struct event_profile a = events_profile("beside"), b;

	call();
	b = events_profile("beside");
	return b.hits + b.missed - a.hits - a.missed == CALLS;
}

static void beside(void)
{
	bool right;

	if (!events_available()) {
		ksft_test_result_skip("no kprobe events\n");
		ksft_test_result_skip("no kprobe events\n");
		return;
	}
	triggers_add("p:ours " GETPGID);
	events_add("beside", "p " GETPGID);
	events_start("beside", 0);
	right = counts("ours", 1) && theirs_count();
	triggers_add("-:ours");
	right = right && theirs_count();
	events_remove("beside");
	ksft_test_result(right, "ours goes, ftrace's goes on\n");

	events_add("beside", "p " GETPGID);
	events_start("beside", 0);
	triggers_add("p:ours " GETPGID);
	right = counts("ours", 1) && theirs_count();
	events_remove("beside");
	right = right && counts("ours", 1);
	triggers_add("-:ours");
	ksft_test_result(right, "ftrace's goes, ours goes on\n");
}

/* --- all kprobes -------------------------------------------------------------------------------- */

static void disarmed(void)
{
	bool right;

	triggers_add("p:probe " GETPGID);
	triggers_add("r:return " GETPGID);
	must_borrow(ENABLED, "0");
	right = triggers_state("probe", "disarmed") && triggers_state("return", "disarmed") &&
		counts("probe", 0) && counts("return", 0);
	must_write(ENABLED, "1");
	ksft_test_result(right, "kprobes are off: disarmed, and nothing is counted\n");
	right = triggers_state("probe", "on") && triggers_state("return", "on") && counts("probe", 1) &&
		counts("return", 1);
	ksft_test_result(right, "and on again\n");
	triggers_clear();
}

/* --- what is watched is unloaded ------------------------------------------------------------------ */

static void store(void)
{
	must_write("/sys/module/watched/parameters/value", "1");
}

static void unloaded_first(void)
{
	uint64_t hits;
	bool right;

	module_beside_load("watched", "");
	triggers_add("p:probe watched_store");
	triggers_add("r:return watched_store");
	triggers_add("p:stays " GETPGID);
	store();
	right = triggers_value("probe", TRIGGER_HITS) == 1 && triggers_value("return", TRIGGER_HITS) == 1;
	ksft_test_result(right, "a function of a module\n");
	hits = triggers_value("probe", TRIGGER_HITS);
	module_beside_unload("watched");
	right = triggers_state("probe", "gone") && triggers_state("return", "gone") &&
		triggers_state("stays", "on") && counts("stays", 1) &&
		triggers_value("probe", TRIGGER_HITS) == hits;
	ksft_test_result(right, "its module is unloaded: gone, with its hits\n");

	/* Another one of the same name is another one. */
	module_beside_load("watched", "");
	store();
	right = triggers_state("probe", "gone") && triggers_value("probe", TRIGGER_HITS) == hits;
	triggers_add("-:probe");
	triggers_add("p:probe watched_store");
	store();
	right = right && triggers_value("probe", TRIGGER_HITS) == 1;
	ksft_test_result(right, "removed, and set on the module that came back\n");
	module_beside_unload("watched");
	ksft_test_result(unloads("triggers that are gone"), "nothing is left of them\n");
}

int main(void)
{
	module_require_unloaded();
	if (!module_beside("watched"))
		ksft_exit_skip("needs the module watched\n");
	ksft_print_header();
	ksft_set_plan(2 + 2 + 2 + 2 + 4);
	symbols_load();
	log_mark();
	traces_take(&before);
	many();
	module_load("");
	stacks_share(100);
	twice();
	beside();
	disarmed();
	unloaded_first();
	ksft_finished();
}
