// SPDX-License-Identifier: GPL-2.0-only
/*
 * The shortest way to a stack: a function's name into dump_stack, and the next call's
 * stack is in the log; once, or as often as was said.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kselftest.h"

#include "machine.h"
#include "stacks.h"
#include "symbols.h"
#include "traces.h"

#define CALLS	20
#define LONGEST	160
#define GETPGID		SYMBOLS_CALL "getpgid"

static int kmsg;
static struct triggers triggers;

/* What the log has of a dump. */
struct dump {
	unsigned int heads, wrong_heads, frames, before_head, too_long;
	bool has_caller;
	char bad[256];
};

static void call(void)
{
	int i;

	prctl(PR_SET_NAME, "dumped");
	for (i = 0; i < CALLS; i++)
		syscall(SYS_getpgid, 0);
}

/* The function, or behind the instruction that only marks its beginning (endbr64). */
static bool is_head(const char *text, const char *function, int pid)
{
	char want[200], cpu[16];
	const char *at;

	snprintf(cpu, sizeof(cpu), "CPU: %d ", other_cpu());
	snprintf(want, sizeof(want), " PID: %d Comm: dumped Context: task Function: %s+", pid, function);
	at = strstr(text, want);
	return strstr(text, cpu) && at && (!strncmp(at + strlen(want), "0x0/0x", 6) ||
					   !strncmp(at + strlen(want), "0x4/0x", 6));
}

/* The records of the log since the mark: "PREFIX;cpuprecise: NAME: TEXT". */
static void look(struct dump *d, const char *function, int pid)
{
	char record[2048];
	ssize_t n;

	memset(d, 0, sizeof(*d));
	while ((n = read(kmsg, record, sizeof(record) - 1)) > 0 || (n < 0 && errno == EPIPE)) {
		char *text, *end;

		if (n < 0)
			continue;
		record[n] = '\0';
		text = strchr(record, ';');
		end = strchr(record, '\n');
		if (!text || !end)
			continue;
		*end = '\0';
		text++;
		if (strncmp(text, "cpuprecise: ", 12))
			continue;
		d->too_long += strlen(text) > LONGEST;
		if (strstr(text, " CPU: ")) {
			d->heads++;
			if (!is_head(text, function, pid) && !d->wrong_heads++)
				snprintf(d->bad, sizeof(d->bad), "%.200s", text);
		} else if (!d->heads) {
			d->before_head++;
			snprintf(d->bad, sizeof(d->bad), "%.200s", text);
		} else {
			d->frames++;
			/* The caller of all system calls, by its architecture. */
			d->has_caller |= strstr(text, ":  do_syscall_64+") || strstr(text, ":  invoke_syscall+") ||
				strstr(text, ":  x64_sys_call+") || strstr(text, ":  do_el0_svc+");
		}
	}
	if (*d->bad)
		ksft_print_msg("%s\n", d->bad);
}

static unsigned int waiting(void)
{
	triggers_parse(&triggers, "dump_stack");
	return triggers.rows;
}

static void dump(const struct actor *actor, const char *text, unsigned int times)
{
	struct dump d;
	unsigned int before, tries;

	lseek(kmsg, 0, SEEK_END);
	must_write(STACKS_DUMP, text);
	before = waiting();
	if (before == 1 && (strcmp(triggers.row[0].mode, "dump") || strcmp(triggers.row[0].target, GETPGID)))
		before = 0;
	actor_run(actor);
	/* Printing and removal come a little later. */
	for (tries = 0; waiting() && tries < 30; tries++)
		sleep_ns(100 * NSEC_PER_MSEC);
	sleep_ns(100 * NSEC_PER_MSEC);
	look(&d, GETPGID, actor->pid);
	ksft_test_result(d.heads == times && !d.wrong_heads && !d.before_head && d.has_caller && !d.too_long,
			 "'%.*s': %u stacks of %u frames in the log, %u lines are too long\n",
			 (int)strcspn(text, "\n"), text, d.heads,
			 d.frames, d.too_long);
	ksft_test_result(before == 1 && !waiting(), "'%.*s': waits, and is gone then\n",
			 (int)strcspn(text, "\n"), text);
}

static void commands(void)
{
	static const struct {
		const char *text;
		int want;
	} bad[] = {
		{ "\n", EINVAL }, { "no_such_fn", ENOENT }, { GETPGID " 0", EINVAL },
		{ GETPGID " -1", EINVAL }, { GETPGID " x", EINVAL }, { GETPGID " 1 2", EINVAL },
		{ "p:x " GETPGID, EINVAL }, { GETPGID "+", EINVAL },
	};
	unsigned int i, refused = 0;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		int err = file_put(STACKS_DUMP, bad[i].text, strlen(bad[i].text));

		if (err == bad[i].want && !waiting())
			refused++;
		else
			ksft_print_msg("'%s': %s\n", bad[i].text, strerror(err));
	}
	ksft_test_result(refused == i, "%u of %u bad commands refused\n", refused, i);
}

int main(void)
{
	const char *trouble;
	struct actor actor;

	stacks_require();
	ksft_print_header();
	ksft_set_plan(2 * 3 + 1 + 1);
	log_mark();
	kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (kmsg < 0)
		ksft_exit_fail_msg("/dev/kmsg: %s\n", strerror(errno));
	stacks_share(100);
	actor_start(&actor, call, other_cpu());
	dump(&actor, GETPGID, 1);
	dump(&actor, GETPGID "\n", 1);
	dump(&actor, GETPGID " 5\n", 5);
	commands();
	trouble = log_trouble();
	ksft_test_result(!trouble, "a clean log%s%s\n", trouble ? ": " : "", trouble ?: "");
	actor_end(&actor);
	ksft_finished();
}
