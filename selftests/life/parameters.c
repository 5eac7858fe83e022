// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parameters at load: bad ones are refused with the right errno, in one line of
 * the kernel log, with nothing left behind; good ones do what they say.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "machine.h"
#include "module.h"
#include "traces.h"

static struct traces before, after;

static const struct {
	const char *parameters;
	int want;
} bad[] = {
	{ "clock=foo", EINVAL },
	{ "clock=", EINVAL },
	{ "clock=tsc,local", EINVAL },
	{ "collectors=nosuch", ENOENT },
	{ "collectors=sched,nosuch", ENOENT },
	{ "collectors=sched,,irq", ENOENT },
	{ "collectors=+sched", ENOENT },
	{ "boundary_ns=-1", EINVAL },
	{ "boundary_ns=1,2,3", EINVAL },
	{ "boundary_ns=foo", EINVAL },
	{ "tasks_max=0", EINVAL },
	{ "tasks_max=15", EINVAL },
	{ "tasks_max=-1", EINVAL },
	{ "tasks_max=abc", EINVAL },
	{ "tasks_max=", EINVAL },
};

/* Out of range, whichever way it is said. */
static const char *const too_much[] = {
	"boundary_ns=999999999999", "boundary_ns=0,999999999999",
	"tasks_max=4294967295", "tasks_max=99999999999999999999",
};

static bool refused(const char *parameters, int want)
{
	unsigned int lines;
	bool ok = true;
	int err;

	log_mark();
	err = module_try_load(parameters);
	lines = log_lines("cpuprecise");
	if (!err)
		module_unload();
	if (want ? err != want : err != EINVAL && err != ERANGE) {
		ksft_print_msg("%s: %s, should be %s\n", parameters, err ? strerror(err) : "loaded",
			       strerror(want ?: ERANGE));
		ok = false;
	}
	if (lines != 1) {
		ksft_print_msg("%s: %u lines in the kernel log\n", parameters, lines);
		ok = false;
	}
	traces_take(&after);
	if (!traces_same(&before, &after)) {
		ksft_print_msg("%s: leaves this\n", parameters);
		ok = false;
	}
	return ok;
}

/* Does the line of @name in collectors say @state? */
static bool state_is(const char *name, const char *state)
{
	char text[4096], line[64];

	if (!file_read(BOOK_DEBUGFS "collectors", text, sizeof(text)))
		return false;
	snprintf(line, sizeof(line), "\n%s %s ", name, state);
	if (strstr(text, line))
		return true;
	ksft_print_msg("%s is not %s:\n%s\n", name, state, text);
	return false;
}

static void good(void)
{
	static struct book book;
	char text[64];
	bool ok;

	module_load("collectors=sched,irq boundary_ns=100,70 clock=local");
	book_read(&book);
	ok = !strcmp(book.clock, "local") &&
	     file_read(BOOK_PARAMETERS "boundary_ns", text, sizeof(text)) &&
	     !strncmp(text, "100,70", 6);
	ksft_test_result(ok, "clock=local boundary_ns=100,70: clock=%s, %s\n", book.clock, text);
	ok = state_is("sched", "on") & state_is("irq", "on") & state_is("syscall", "off") &
	     state_is("softirq", "off") & state_is("iowait", "off") & state_is("fault", "off");
	ksft_test_result(ok, "collectors=sched,irq\n");
	module_unload();

	module_load("clock=auto");
	ok = state_is("sched", "on") & state_is("irq", "on") & state_is("softirq", "on");
	book_read(&book);
	ksft_test_result(ok && (!strcmp(book.clock, "tsc") || !strcmp(book.clock, "local")),
			 "all collectors by default, clock=%s\n", book.clock);
	module_unload();
}

int main(void)
{
	unsigned int i, wrong = 0;

	module_require_unloaded();
	ksft_print_header();
	ksft_set_plan(4);
	traces_take(&before);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		wrong += !refused(bad[i].parameters, bad[i].want);
	for (i = 0; i < ARRAY_SIZE(too_much); i++)
		wrong += !refused(too_much[i], 0);
	ksft_test_result(!wrong, "%u bad parameters refused\n",
			 (unsigned int)(ARRAY_SIZE(bad) + ARRAY_SIZE(too_much)) - wrong);
	good();
	ksft_finished();
}
