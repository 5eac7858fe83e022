// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is left after the module is unloaded: nothing. All that it may leave
 * behind is compared with what was there before its first load, after it was
 * used and unloaded, three times.
 */
#include <stdio.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "machine.h"
#include "module.h"
#include "traces.h"

static struct traces before, loaded, after;

static const char *const files[] = {
	BOOK_PATH, BOOK_DEBUGFS "collectors", BOOK_DEBUGFS "reset", BOOK_DEBUGFS "self",
	BOOK_DEBUGFS "counters", BOOK_DEBUGFS "freqs", BOOK_DEBUGFS "cycles",
	BOOK_DEBUGFS "tasks", BOOK_DEBUGFS "processes", BOOK_DEBUGFS "exited",
	BOOK_DEBUGFS "dump_stack", BOOK_DEBUGFS "stack/triggers", BOOK_DEBUGFS "stack/stacks",
	BOOK_DEBUGFS "stack/folded",
};

static void use(void)
{
	static char text[1 << 16];
	static struct book book;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(files); i++)
		if (!file_read(files[i], text, sizeof(text)))
			ksft_exit_fail_msg("cannot read %s\n", files[i]);
	book_read(&book);
	must_write(BOOK_DEBUGFS "collectors", "-syscall");
	must_write(BOOK_DEBUGFS "collectors", "+syscall");
	must_write(BOOK_DEBUGFS "collectors", "-irq");
	/* One is in memory, one of a PMU, one of a tracepoint, where there are such. */
	must_write(BOOK_DEBUGFS "collectors", "+counters");
	must_write(BOOK_DEBUGFS "counters", "page-faults cycles sched:sched_switch:k");
	file_write(BOOK_DEBUGFS "collectors", "+cycles");
	must_write(BOOK_DEBUGFS "stack/triggers", "p vfs_read\nt sched:sched_switch");
	must_write(BOOK_DEBUGFS "reset", "1");
}

int main(void)
{
	const char *trouble;
	int round;

	module_require_unloaded();
	ksft_print_header();
	ksft_set_plan(3 * 2 + 1);
	log_mark();
	traces_take(&before);
	for (round = 1; round <= 3; round++) {
		module_load(round == 2 ? "collectors=sched,irq" : "");
		traces_take(&loaded);
		/* Else the comparison would prove nothing. */
		ksft_test_result(loaded.length > before.length && !access(BOOK_PATH, R_OK),
				 "load %d leaves traces\n", round);
		use();
		module_unload();
		traces_take(&after);
		ksft_test_result(traces_same(&before, &after), "unload %d leaves none\n", round);
	}
	trouble = log_trouble();
	if (trouble)
		ksft_print_msg("%s\n", trouble);
	ksft_test_result(!trouble, "the kernel log is clean\n");
	ksft_finished();
}
