// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who calls a function, as ftrace says: the same stacks, frame by frame, and each as
 * often, of functions of the scheduler, of file systems, of interrupts, of softirqs and
 * of a module.
 *
 * Both watch one task, which waits while they begin and end. So what they see is the
 * same, to the last hit; and a hit that one loses the other loses, too, for the kernel
 * has one place for both. Hits by all tasks are counted all the time: ours lie within
 * what ftrace's profile says before and after.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kselftest.h"

#include "kprobe_events.h"
#include "load.h"
#include "machine.h"
#include "module.h"
#include "stacks.h"
#include "symbols.h"

#define CPU		1
#define TURNS		15
#define LEAST		20	/* functions */
#define MAX_STACKS	4096

static const char *const wanted[] = {
	/* scheduler */
	"try_to_wake_up", "ttwu_do_activate", "update_curr", "enqueue_task_fair", "dequeue_task_fair",
	"finish_task_switch",
	/* file systems */
	"vfs_read", "vfs_write", "do_sys_openat2", "do_filp_open", "vfs_open", "filp_close",
	"pipe_read", "pipe_write",
	/* memory, processes, time */
	"handle_mm_fault", "kernel_clone", "hrtimer_nanosleep", "hrtimer_start_range_ns",
	"kmem_cache_alloc", "kmem_cache_alloc_noprof",
	/* interrupts */
	"hrtimer_interrupt", "update_process_times", "scheduler_tick", "sched_tick",
	/* softirqs */
	"net_rx_action", "process_backlog", "ip_rcv", "rcu_core", "run_rebalance_domains",
	"loopback_xmit", "udp_sendmsg",
	/* a module */
	"watched_store",
};

static struct function {
	const char *name, *variant;	/* as it is written, and as the kernel has it */
	bool used;
	struct event_profile before[2], after[2];
	uint64_t ours[2];
} function[ARRAY_SIZE(wanted)];

static struct triggers triggers;
static struct stacks stacks;
static struct event_stack theirs[MAX_STACKS];
static unsigned int nr_theirs;
static int there[2], back[2];

/* --- the load ---------------------------------------------------------------------------- */

static void send_and_receive(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	socklen_t length = sizeof(to);
	int in = socket(AF_INET, SOCK_DGRAM, 0), out = socket(AF_INET, SOCK_DGRAM, 0);
	char packet[64] = "";

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(in, (struct sockaddr *)&to, sizeof(to)) ||
	    getsockname(in, (struct sockaddr *)&to, &length) ||
	    sendto(out, packet, sizeof(packet), 0, (struct sockaddr *)&to, sizeof(to)) < 0 ||
	    recv(in, packet, sizeof(packet), 0) < 0)
		_exit(1);
	close(in);
	close(out);
}

static void ping(void)
{
	char byte = 0;

	if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
		_exit(1);
}

static void fork_one(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
}

static void work(void)
{
	struct timespec nap = { 0, 100000 };
	char text[64];
	int i;

	for (i = 0; i < TURNS; i++) {
		if (!file_read("/proc/self/comm", text, sizeof(text)) ||
		    !file_write("/sys/module/watched/parameters/value", "1"))
			_exit(1);
		nanosleep(&nap, NULL);
		send_and_receive();
		ping();
		fork_one();
		/* A tick or two. */
		burn_ns(12 * NSEC_PER_MSEC);
	}
}

static void echo(void)
{
	char byte;

	while (read(there[0], &byte, 1) == 1)
		if (write(back[1], &byte, 1) != 1)
			break;
}

/* --- both watch ---------------------------------------------------------------------------- */

static unsigned int choose(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < ARRAY_SIZE(wanted); i++) {
		const struct symbol *s = symbols_variant(wanted[i]);

		function[i].name = wanted[i];
		if (!s || symbols_named(s->name) != 1)
			continue;
		function[i].variant = s->name;
		function[i].used = true;
		n++;
	}
	return n;
}

static void watch(pid_t pid)
{
	char definition[160];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(function); i++) {
		if (!function[i].used)
			continue;
		triggers_add("p:%s %s mode=count pid=%d", function[i].name, function[i].name, pid);
		snprintf(definition, sizeof(definition), "p %s", function[i].variant);
		events_add(function[i].name, definition);
		events_start(function[i].name, pid);
	}
}

static void profile(bool after)
{
	unsigned int i, part;

	for (part = 0; part < 2; part++) {
		for (i = 0; i < ARRAY_SIZE(function); i++)
			if (function[i].used)
				(after ? function[i].after : function[i].before)[part] =
					events_profile(function[i].name);
		if (part)
			break;
		triggers_read(&triggers);
		for (i = 0; i < ARRAY_SIZE(function); i++) {
			const struct trigger *t;

			if (!function[i].used)
				continue;
			t = triggers_row(&triggers, function[i].name);
			function[i].ours[after] = t->value[TRIGGER_HITS] + t->value[TRIGGER_MISSED];
		}
	}
}

/* --- judging --------------------------------------------------------------------------------- */

/* Ours begins with the caller, theirs with the function. */
static bool is_same(const struct stack_block *b, const struct event_stack *e)
{
	unsigned int i, n = e->frames - 1;

	if (b->cut ? b->kernel > n : b->kernel != n)
		return false;
	for (i = 0; i < b->kernel; i++)
		if (!symbols_frame_is(b->frame[i], e->frame[i + 1]))
			return false;
	return true;
}

static void print_theirs(const struct event_stack *e)
{
	unsigned int i;

	ksft_print_msg("ftrace: %s %" PRIu64 "\n", e->event, e->count);
	for (i = 0; i < e->frames; i++)
		ksft_print_msg("    %" PRIx64 "\n", e->frame[i]);
}

/* Each stack of theirs is one of ours, as often; returns how many hits that are. */
static uint64_t compare_theirs(const char *name, unsigned int *wrong)
{
	uint64_t hits = 0;
	unsigned int i, k;

	for (i = 0; i < nr_theirs; i++) {
		uint64_t ours = 0;

		if (strcmp(theirs[i].event, name))
			continue;
		hits += theirs[i].count;
		for (k = 0; k < stacks.blocks; k++)
			if (!strcmp(stacks.block[k].name, name) && is_same(&stacks.block[k], &theirs[i]))
				ours += stacks.block[k].count;
		if (ours == theirs[i].count)
			continue;
		if (!(*wrong)++) {
			ksft_print_msg("%s: ours is %" PRIu64 " times\n", name, ours);
			print_theirs(&theirs[i]);
		}
	}
	return hits;
}

/* And each of ours is one of theirs. */
static void compare_ours(const char *name, unsigned int *wrong)
{
	unsigned int i, k;

	for (k = 0; k < stacks.blocks; k++) {
		if (strcmp(stacks.block[k].name, name))
			continue;
		for (i = 0; i < nr_theirs; i++)
			if (!strcmp(theirs[i].event, name) && is_same(&stacks.block[k], &theirs[i]))
				break;
		if (i == nr_theirs && !(*wrong)++) {
			ksft_print_msg("%s: ftrace has no such stack\n", name);
			stack_print(&stacks.block[k]);
		}
	}
}

/* Where a function begins with an instruction that only marks that (endbr64), a probe is behind it. */
static bool is_symbol(const struct trigger *t, const char *variant)
{
	size_t length = strlen(variant);

	if (!strncmp(t->symbol, variant, length) &&
	    (!strncmp(t->symbol + length, "+0x0/", 5) || !strncmp(t->symbol + length, "+0x4/", 5)))
		return true;
	ksft_print_msg("%s: its symbol is %s, should be %s\n", t->name, t->symbol, variant);
	return false;
}

/* Returns whether there is something to judge. */
static bool judge(const struct function *f)
{
	const struct trigger *t = triggers_row(&triggers, f->name);
	uint64_t least = f->after[0].hits + f->after[0].missed - f->before[1].hits - f->before[1].missed;
	uint64_t most = f->after[1].hits + f->after[1].missed - f->before[0].hits - f->before[0].missed;
	uint64_t grown = f->ours[1] - f->ours[0], hits;
	bool is_right = grown >= least && grown <= most;
	unsigned int wrong = 0;

	if (!is_right)
		ksft_print_msg("%s: %" PRIu64 " hits and missed, should be %" PRIu64 "..%" PRIu64 "\n",
			       f->name, grown, least, most);
	hits = compare_theirs(f->name, &wrong);
	compare_ours(f->name, &wrong);
	is_right &= is_symbol(t, f->variant) && !wrong && t->value[TRIGGER_DELIVERED] == hits &&
		!t->value[TRIGGER_SUPPRESSED] && !t->value[TRIGGER_DROPPED];
	/* Compilers put some into their callers. */
	if (is_right && !hits) {
		ksft_test_result_skip("%s: the task that is watched did not call it, others did %" PRIu64
				      " times: no stacks to compare\n", f->name, grown);
		return false;
	}
	ksft_test_result(is_right, "%s: %" PRIu64 " of %" PRIu64 " hits, missed %" PRIu64 "; %u stacks are wrong\n",
			 f->name, t->value[TRIGGER_DELIVERED], hits, t->value[TRIGGER_MISSED], wrong);
	return true;
}

int main(void)
{
	const char *error;
	unsigned int n, i, judged = 0;
	struct actor actor;
	pid_t echoes;

	stacks_require();
	require_cpus(2);
	if (!events_available())
		ksft_exit_skip("no kprobe events: this is judged by ftrace\n");
	if (!module_beside("watched"))
		ksft_exit_skip("needs the module watched\n");
	ksft_print_header();
	module_beside_load("watched", "");
	symbols_load();
	n = choose();
	ksft_set_plan(2 + n);
	ksft_test_result(n >= LEAST, "%u functions to watch\n", n);

	stacks_share(100);
	if (pipe(there) || pipe(back))
		ksft_exit_fail_msg("no pipe\n");
	echoes = load_start(echo, 0);
	actor_start(&actor, work, CPU);
	watch(actor.pid);
	profile(false);
	actor_run(&actor);
	profile(true);
	for (i = 0; i < ARRAY_SIZE(function); i++)
		if (function[i].used)
			events_stop(function[i].name);
	triggers_read(&triggers);
	stacks_read(&stacks);
	nr_theirs = events_stacks(theirs, MAX_STACKS);
	for (i = 0; i < ARRAY_SIZE(function); i++)
		if (function[i].used)
			judged += judge(&function[i]);
	error = stacks_check(&stacks, &triggers);
	ksft_test_result(!error && judged >= LEAST, "counts and shares of %u stacks, %u functions: %s\n",
			 stacks.blocks, judged, error ?: "right");
	actor_end(&actor);
	load_stop(echoes);
	triggers_clear();
	module_beside_unload("watched");
	ksft_finished();
}
