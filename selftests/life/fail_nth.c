// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each allocation during the load fails in turn (/proc/self/fail-nth, in kernels
 * with CONFIG_FAULT_INJECTION), until one load sees no failure: either the load
 * fails and leaves nothing behind, or it copes and the module works.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "machine.h"
#include "module.h"
#include "traces.h"

#define FAIL_NTH	"/proc/self/fail-nth"
#define NTH_MAX		20000

static struct traces before, after;

/* All allocations are to fail, those that may sleep too, and without a stack in the log. */
static void set_up(void)
{
	static const struct {
		const char *path, *value;
	} set[] = {
		{ "/sys/kernel/debug/failslab/ignore-gfp-wait", "N" },
		{ "/sys/kernel/debug/failslab/verbose", "0" },
		{ "/sys/kernel/debug/fail_page_alloc/ignore-gfp-wait", "N" },
		{ "/sys/kernel/debug/fail_page_alloc/ignore-gfp-highmem", "N" },
		{ "/sys/kernel/debug/fail_page_alloc/min-order", "0" },
		{ "/sys/kernel/debug/fail_page_alloc/verbose", "0" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(set); i++)
		must_write(set[i].path, set[i].value);
}

/*
 * Loads with the nth allocation failing; *hit: it was reached. Nothing else is
 * done while it is armed, as that would count and fail too.
 */
static int load_with(unsigned int nth, bool *hit)
{
	int fail_nth = open(FAIL_NTH, O_RDWR | O_CLOEXEC);
	int ko = open(module_file(), O_RDONLY | O_CLOEXEC);
	char text[32];
	int err, length;
	ssize_t n;

	if (fail_nth < 0 || ko < 0)
		ksft_exit_fail_msg("cannot open %s and %s: %s\n", FAIL_NTH, module_file(),
				   strerror(errno));
	length = snprintf(text, sizeof(text), "%u", nth);
	if (write(fail_nth, text, length) != length)
		ksft_exit_fail_msg("%s: write: %s\n", FAIL_NTH, strerror(errno));
	err = syscall(SYS_finit_module, ko, "", 0) ? errno : 0;
	n = pread(fail_nth, text, sizeof(text) - 1, 0);
	/* If that was what failed, it was not the load. */
	if (n < 0)
		strcpy(text, "1");
	else
		text[n] = '\0';
	*hit = atoi(text) == 0;
	while (pwrite(fail_nth, "0", 1, 0) != 1)
		if (errno != EFAULT && errno != ENOMEM)
			ksft_exit_fail_msg("%s: %s\n", FAIL_NTH, strerror(errno));
	close(fail_nth);
	close(ko);
	return err;
}

int main(int argc, char **argv)
{
	unsigned int nth, failed = 0, coped = 0, left = 0, in_init = 0, broken = 0;
	static struct book book;
	const char *error, *trouble;
	bool hit = true;

	module_require_unloaded();
	if (access(FAIL_NTH, W_OK) || access("/sys/kernel/debug/failslab", R_OK))
		ksft_exit_skip("needs a kernel with CONFIG_FAULT_INJECTION, CONFIG_FAILSLAB and CONFIG_FAIL_PAGE_ALLOC\n");
	ksft_print_header();
	ksft_set_plan(5);
	set_up();
	traces_take(&before);
	log_mark();

	for (nth = argc > 1 ? atoi(argv[1]) : 1; nth < NTH_MAX && hit; nth++) {
		char last[256] = "";
		int err = load_with(nth, &hit);

		/* Only the module's own init names itself. */
		in_init += log_lines("cpuprecise:", last, sizeof(last)) > 0;
		if (err) {
			failed++;
			if (err != ENOMEM)
				ksft_print_msg("allocation %u: %s\n", nth, strerror(err));
		} else {
			coped += hit;
			book_read(&book);
			error = book_check(&book);
			if (error) {
				ksft_print_msg("allocation %u: %s\n", nth, error);
				broken++;
			}
			module_unload();
		}
		traces_take(&after);
		if (!traces_same(&before, &after)) {
			ksft_print_msg("allocation %u leaves this\n", nth);
			left++;
		}
		if (nth % 100 == 0)
			ksft_print_msg("%u allocations\n", nth);
	}
	ksft_test_result(!hit && failed > 0, "%u allocations: %u failed loads, %u without harm\n",
			 nth - 1, failed, coped);
	ksft_test_result(in_init > 0, "%u of them inside the module's init\n", in_init);
	ksft_test_result(!left, "none left anything behind\n");
	ksft_test_result(!broken, "where the module loaded, it is closed\n");

	log_mark();
	module_load("");
	module_unload();
	trouble = log_trouble();
	if (trouble)
		ksft_print_msg("%s\n", trouble);
	ksft_test_result(!trouble, "it still loads\n");
	ksft_finished();
}
