// SPDX-License-Identifier: GPL-2.0-only
/*
 * No hit gets lost without being told: what was filtered, suppressed, dropped and
 * delivered adds up to the hits, with each option, when memory is short and when the
 * share of the CPU is used up; and hits and missed ones are as many as ftrace's, or as
 * many as calls were made.
 *
 * getpgid() is a call that nobody makes but the test, and so is clock_nanosleep() while
 * it does not sleep by it itself.
 */
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest.h"

#include "kprobe_events.h"
#include "machine.h"
#include "module.h"
#include "stacks.h"
#include "symbols.h"
#include "traces.h"

#define CALLS		1000
#define NAMES		2000
#define SLEEPERS	500
#define BURST		50000
#define GETPGID		SYMBOLS_CALL "getpgid"

static struct triggers triggers;
static struct stacks stacks;
static int calls = CALLS;

static void call(void)
{
	int i;

	for (i = 0; i < calls; i++)
		syscall(SYS_getpgid, 0);
}

/* Half on each CPU, and half under another name. */
static void call_all_ways(void)
{
	pin(0);
	prctl(PR_SET_NAME, "first half");
	calls = CALLS / 2;
	call();
	pin(other_cpu());
	prctl(PR_SET_NAME, "second");
	call();
}

static uint64_t value(const char *name, enum trigger_field field)
{
	return triggers_row(&triggers, name)->value[field];
}

/* All hits of a trigger, to where they belong. */
static void is(const char *name, uint64_t filtered, uint64_t suppressed, uint64_t delivered)
{
	ksft_test_result(value(name, TRIGGER_HITS) == CALLS && value(name, TRIGGER_FILTERED) == filtered &&
			 value(name, TRIGGER_SUPPRESSED) == suppressed && !value(name, TRIGGER_DROPPED) &&
			 value(name, TRIGGER_DELIVERED) == delivered,
			 "%s: of %" PRIu64 " hits %" PRIu64 " filtered, %" PRIu64 " suppressed, %" PRIu64
			 " dropped, %" PRIu64 " delivered; should be %" PRIu64 ", %" PRIu64 ", 0, %" PRIu64 "\n",
			 name, value(name, TRIGGER_HITS), value(name, TRIGGER_FILTERED),
			 value(name, TRIGGER_SUPPRESSED), value(name, TRIGGER_DROPPED),
			 value(name, TRIGGER_DELIVERED), filtered, suppressed, delivered);
}

/* The stacks of a trigger have one frame at most, and are cut; user frames have no place here. */
static bool is_shallow(const char *name)
{
	unsigned int i, n = 0;

	for (i = 0; i < stacks.blocks; i++)
		if (!strcmp(stacks.block[i].name, name)) {
			if (stacks.block[i].kernel != 1 || !stacks.block[i].cut)
				return false;
			n++;
		}
	return n;
}

static void options(void)
{
	const char *error;
	struct actor actor;
	uint64_t start, least;

	actor_start(&actor, call_all_ways, -1);
	triggers_add("p:plain " GETPGID " mode=count");
	triggers_add("p:limit " GETPGID " mode=count limit=10");
	triggers_add("p:pid " GETPGID " mode=count pid=%d", actor.pid);
	triggers_add("p:others " GETPGID " mode=count pid=%d", getpid());
	triggers_add("p:cpu " GETPGID " mode=count cpu=0");
	triggers_add("p:comm " GETPGID " mode=count comm=second");
	triggers_add("p:depth " GETPGID " mode=count depth=1");
	triggers_add("p:rate " GETPGID " mode=count rate=20/s");
	triggers_add("p:dump " GETPGID " mode=dump limit=2");
	triggers_add("p:all " GETPGID " mode=count limit=10 pid=%d cpu=0 comm=second", actor.pid);
	events_add("getpgid", "p " GETPGID);
	events_start("getpgid", 0);
	start = monotonic_ns();
	actor_run(&actor);
	least = (monotonic_ns() - start) / NSEC_PER_SEC;
	triggers_read(&triggers);
	stacks_read(&stacks);
	is("plain", 0, 0, CALLS);
	is("limit", 0, CALLS - 10, 10);
	is("pid", 0, 0, CALLS);
	is("others", CALLS, 0, 0);
	is("cpu", other_cpu() ? CALLS / 2 : 0, 0, other_cpu() ? CALLS / 2 : CALLS);
	is("comm", CALLS / 2, 0, CALLS / 2);
	is("depth", 0, 0, CALLS);
	ksft_test_result(is_shallow("depth"), "depth=1: one frame, and more were there\n");
	is("dump", 0, CALLS - 2, 2);
	/* The second half is on another CPU. */
	if (other_cpu())
		is("all", CALLS, 0, 0);
	else
		is("all", CALLS / 2, CALLS / 2 - 10, 10);
	ksft_test_result(value("rate", TRIGGER_DELIVERED) >= 20 &&
			 value("rate", TRIGGER_DELIVERED) <= 20 * (least + 2) &&
			 value("rate", TRIGGER_DELIVERED) + value("rate", TRIGGER_SUPPRESSED) == CALLS,
			 "rate=20/s: %" PRIu64 " within %" PRIu64 " s, %" PRIu64 " suppressed\n",
			 value("rate", TRIGGER_DELIVERED), least + 1, value("rate", TRIGGER_SUPPRESSED));
	ksft_test_result(triggers_state("limit", "done") && triggers_state("plain", "on") &&
			 triggers_state("dump", "done"), "done, once the limit is reached\n");
	error = triggers_check(&triggers) ?: stacks_check(&stacks, &triggers);
	ksft_test_result(!error, "sums of all: %s\n", error ?: "right");
	ksft_test_result(value("plain", TRIGGER_HITS) + value("plain", TRIGGER_MISSED) ==
			 events_profile("getpgid").hits + events_profile("getpgid").missed,
			 "ftrace has seen %" PRIu64 " hits and missed %" PRIu64 "\n",
			 events_profile("getpgid").hits, events_profile("getpgid").missed);
	actor_end(&actor);
	events_remove("getpgid");
	triggers_clear();
}

/* --- the share of the CPU --------------------------------------------------------------------- */

static void share(void)
{
	struct actor actor;
	const char *error;

	calls = is_debug_kernel() ? BURST / 10 : BURST;
	actor_start(&actor, call, other_cpu());
	stacks_share(1);
	triggers_add("p:busy " GETPGID " mode=count");
	actor_run(&actor);
	triggers_read(&triggers);
	stacks_read(&stacks);
	error = triggers_check(&triggers) ?: stacks_check(&stacks, &triggers);
	ksft_test_result(!error && value("busy", TRIGGER_SUPPRESSED) && value("busy", TRIGGER_DELIVERED) &&
			 (int)(value("busy", TRIGGER_HITS) + value("busy", TRIGGER_MISSED)) == calls,
			 "1 %% of a CPU: of %" PRIu64 " hits %" PRIu64 " suppressed; %s\n",
			 value("busy", TRIGGER_HITS), value("busy", TRIGGER_SUPPRESSED), error ?: "right sums");
	actor_end(&actor);
	triggers_clear();
	stacks_share(100);
	calls = CALLS;
}

/* --- memory --------------------------------------------------------------------------------------- */

/* Each name makes a stack of its own. */
static void call_as_many(void)
{
	char name[16];
	int i;

	for (i = 0; i < NAMES; i++) {
		snprintf(name, sizeof(name), "name %d", i);
		prctl(PR_SET_NAME, name);
		syscall(SYS_getpgid, 0);
	}
}

static void memory(void)
{
	uint64_t dropped, delivered;
	struct actor actor;
	const char *error;

	actor_start(&actor, call_as_many, other_cpu());
	triggers_add("p:many " GETPGID " mode=count");
	actor_run(&actor);
	triggers_read(&triggers);
	stacks_read(&stacks);
	dropped = value("many", TRIGGER_DROPPED);
	delivered = value("many", TRIGGER_DELIVERED);
	error = triggers_check(&triggers) ?: stacks_check(&stacks, &triggers);
	ksft_test_result(!error && dropped && delivered && dropped + delivered == NAMES,
			 "64 KiB: %" PRIu64 " of %d stacks dropped; %s\n", dropped, NAMES, error ?: "right sums");
	/* The same again: those that are there are counted. */
	actor_run(&actor);
	triggers_read(&triggers);
	stacks_read(&stacks);
	error = triggers_check(&triggers) ?: stacks_check(&stacks, &triggers);
	ksft_test_result(!error && value("many", TRIGGER_DELIVERED) == 2 * delivered &&
			 value("many", TRIGGER_DROPPED) == 2 * dropped,
			 "known stacks are counted when there is no memory: %" PRIu64 " of %" PRIu64 "; %s\n",
			 value("many", TRIGGER_DELIVERED), 2 * delivered, error ?: "right sums");
	/* All is given back with the trigger, and can be had again. */
	triggers_clear();
	triggers_add("p:many " GETPGID " mode=count");
	actor_run(&actor);
	ksft_test_result(triggers_value("many", TRIGGER_DELIVERED) == delivered,
			 "memory is had again: %" PRIu64 " stacks\n", triggers_value("many", TRIGGER_DELIVERED));
	actor_end(&actor);
	triggers_clear();
}

/* --- returns ---------------------------------------------------------------------------------------- */

static void nap(uint64_t ns)
{
	struct timespec ts = { ns / NSEC_PER_SEC, ns % NSEC_PER_SEC };

	if (syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &ts, NULL))
		_exit(1);
}

static void *sleeper(void *unused)
{
	nap(1000 * NSEC_PER_SEC);
	return NULL;
}

static void sleepers(void)
{
	pthread_attr_t attr;
	pthread_t thread;
	int i;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 32768);
	for (i = 0; i < SLEEPERS; i++)
		if (pthread_create(&thread, &attr, sleeper, NULL))
			_exit(1);
	/* Until the last one sleeps, too. */
	poll(NULL, 0, 500);
	for (i = 0; i < CALLS; i++)
		nap(1);
}

static void returns(void)
{
	struct event_profile truth;
	struct actor actor;
	const char *error;
	uint64_t hits;

	actor_start(&actor, sleepers, other_cpu());
	triggers_add("r1:one hrtimer_nanosleep mode=count pid=%d", actor.pid);
	events_add("nanosleep", "p hrtimer_nanosleep");
	events_start("nanosleep", 0);
	actor_run(&actor);
	/* The test has slept, too, while it was settling: by another task's name. */
	truth = events_profile("nanosleep");
	triggers_read(&triggers);
	stacks_read(&stacks);
	hits = value("one", TRIGGER_HITS) + value("one", TRIGGER_MISSED);
	error = triggers_check(&triggers) ?: stacks_check(&stacks, &triggers);
	ksft_test_result(!error && hits == truth.hits + truth.missed && hits >= SLEEPERS + CALLS &&
			 value("one", TRIGGER_MISSED) >= SLEEPERS - 1,
			 "r1: %" PRIu64 " hits and %" PRIu64 " missed of %" PRIu64 " calls; %s\n",
			 value("one", TRIGGER_HITS), value("one", TRIGGER_MISSED), truth.hits + truth.missed,
			 error ?: "right sums");
	events_remove("nanosleep");
	triggers_clear();
	kill(actor.pid, SIGKILL);
	waitpid(actor.pid, NULL, 0);
}

static uint64_t slept;

static void nap_50(void)
{
	nap(50 * NSEC_PER_MSEC);
}

static void span(void)
{
	struct actor actor;
	uint64_t count = 0, time = 0;
	unsigned int i;

	actor_start(&actor, nap_50, other_cpu());
	triggers_add("r:nap hrtimer_nanosleep mode=count pid=%d", actor.pid);
	slept = monotonic_ns();
	for (i = 0; i < 4; i++)
		actor_run(&actor);
	slept = monotonic_ns() - slept;
	stacks_read(&stacks);
	for (i = 0; i < stacks.blocks; i++) {
		count += stacks.block[i].count;
		time += stacks.block[i].time;
	}
	ksft_test_result(stacks.blocks && stacks.block[0].has_time && count == 4 &&
			 time >= 4 * 50 * NSEC_PER_MSEC && time <= slept,
			 "4 naps of 50 ms: %" PRIu64 " took %" PRIu64 " us, within %" PRIu64 " us\n", count,
			 time / 1000, slept / 1000);
	actor_end(&actor);
	triggers_clear();
}

int main(void)
{
	const char *trouble;

	module_require_unloaded();
	if (!events_available())
		ksft_exit_skip("no kprobe events: this is judged by ftrace\n");
	ksft_print_header();
	ksft_set_plan(9 + 5 + 1 + 1 + 1 + 3 + 1);
	log_mark();
	module_load("stack_cpu_pct=100");
	options();
	share();
	returns();
	span();
	module_unload();
	module_load("stack_kb=64 stack_cpu_pct=100");
	memory();
	module_unload();
	trouble = log_trouble();
	ksft_test_result(!trouble, "a clean log%s%s\n", trouble ? ": " : "", trouble ?: "");
	ksft_finished();
}
