// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each step of the module's init fails in turn (its parameter fail_init, there
 * in kernels with CONFIG_FAULT_INJECTION): the load says so, in one line of the
 * kernel log at most, and leaves nothing behind.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "module.h"
#include "traces.h"

#define STEPS_MAX	100

static struct traces before, after;

int main(void)
{
	unsigned int passed, failed = 0, left = 0, other = 0, lines = 0;
	char parameter[64];
	static struct book book;
	const char *error;

	module_require_unloaded();
	if (access("/proc/self/fail-nth", W_OK))
		ksft_exit_skip("needs a kernel with CONFIG_FAULT_INJECTION\n");
	ksft_print_header();
	ksft_set_plan(6);
	traces_take(&before);
	/* The first load leaves a word on out-of-tree modules in the log. */
	module_load("");
	module_unload();

	/* A space of N lets N - 1 steps pass; then one step fails, always. */
	for (passed = 0; passed < STEPS_MAX; passed++) {
		unsigned int n;
		int err;

		snprintf(parameter, sizeof(parameter), "fail_init=1,100,%u,1", passed + 1);
		log_mark();
		err = module_try_load(parameter);
		if (!err)
			break;
		failed++;
		if (err != ENOMEM) {
			ksft_print_msg("step %u: %s\n", passed + 1, strerror(err));
			other++;
		}
		n = log_lines("");
		if (n > 1) {
			ksft_print_msg("step %u: %u lines in the log\n", passed + 1, n);
			lines++;
		}
		traces_take(&after);
		if (!traces_same(&before, &after)) {
			ksft_print_msg("step %u leaves this\n", passed + 1);
			left++;
		}
	}
	ksft_test_result(failed >= 5 && passed < STEPS_MAX, "%u steps failed, one after the other\n",
			 failed);
	ksft_test_result(!other, "each with ENOMEM\n");
	ksft_test_result(!lines, "and one line in the log at most\n");
	ksft_test_result(!left, "none left anything behind\n");
	if (passed == STEPS_MAX)
		ksft_exit_fail_msg("no load succeeded\n");

	book_read(&book);
	error = book_check(&book);
	if (error)
		ksft_print_msg("%s\n", error);
	ksft_test_result(!error, "then it loads and is closed\n");
	log_mark();
	module_unload();
	ksft_test_result(traces_none(&before), "and unloads\n");
	ksft_finished();
}
