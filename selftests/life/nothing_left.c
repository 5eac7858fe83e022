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
	BOOK_DEBUGFS "idle_states", BOOK_DEBUGFS "idle_hist", BOOK_DEBUGFS "idle_wakeups",
	BOOK_DEBUGFS "tasks", BOOK_DEBUGFS "processes", BOOK_DEBUGFS "exited", BOOK_DEBUGFS "runq_hist",
	BOOK_DEBUGFS "syscalls", BOOK_DEBUGFS "syscall_hist", BOOK_DEBUGFS "cgroups",
	BOOK_DEBUGFS "irqs", BOOK_DEBUGFS "irq_hist", BOOK_DEBUGFS "softirqs",
	BOOK_DEBUGFS "softirq_hist", BOOK_DEBUGFS "theft",
	BOOK_DEBUGFS "dump_stack", BOOK_DEBUGFS "stack/triggers", BOOK_DEBUGFS "stack/stacks",
	BOOK_DEBUGFS "stack/folded",
};

static void read_all(void)
{
	static char text[1 << 16];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(files); i++)
		if (!file_read(files[i], text, sizeof(text)))
			ksft_exit_fail_msg("cannot read %s\n", files[i]);
}

static void use(void)
{
	static struct book book;

	book_read(&book);
	must_write(BOOK_DEBUGFS "collectors", "-syscall");
	must_write(BOOK_DEBUGFS "collectors", "+syscall");
	must_write(BOOK_DEBUGFS "collectors", "-irq");
	/* One is in memory, one of a PMU, one of a tracepoint, where there are such. */
	must_write(BOOK_DEBUGFS "collectors", "+counters");
	must_write(BOOK_DEBUGFS "counters", "page-faults cycles sched:sched_switch:k");
	file_write(BOOK_DEBUGFS "collectors", "+cycles");
	must_write(BOOK_DEBUGFS "collectors", "+theft");
	must_write(BOOK_DEBUGFS "collectors", "+softirq_delays");
	file_write(BOOK_DEBUGFS "collectors", "+cgroups");
	must_write(BOOK_DEBUGFS "stack/triggers", "p vfs_read\nt sched:sched_switch");
	read_all();
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
