// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each allocation of the module's init fails in turn (/proc/self/fail-nth, in kernels
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

/* Before the module's init runs, failures are the module loader's: one in eight is tried. */
#define EARLY_STEP	8

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

int main(void)
{
	unsigned int failed = 0, coped = 0, left = 0, in_init = 0, broken = 0, troubles = 0;
	unsigned int nth, step = EARLY_STEP, tried = 0;
	static struct book book;
	const char *error, *trouble;
	bool hit = true;

	module_require_unloaded();
	if (access(FAIL_NTH, W_OK) || access("/sys/kernel/debug/failslab", R_OK))
		ksft_exit_skip("needs a kernel with CONFIG_FAULT_INJECTION, CONFIG_FAILSLAB and CONFIG_FAIL_PAGE_ALLOC\n");
	ksft_print_header();
	ksft_set_plan(6);
	set_up();
	/* The kernel prints a stack for some of them: not on the console, where it would mean trouble. */
	must_borrow("/proc/sys/kernel/printk", "1");
	traces_take(&before);
	/* The first load leaves a word on out-of-tree modules in the log. */
	module_load("");
	module_unload();
	log_mark();

	for (nth = 1; nth < NTH_MAX && hit; nth += step) {
		int err = load_with(nth, &hit);
		unsigned int lines;

		tried++;
		trouble = log_scan("cpuprecise:", &lines, true);
		if (trouble) {
			ksft_print_msg("allocation %u: %s\n", nth, trouble);
			troubles++;
		}
		/* Only the module's own init names itself; one that succeeds may say what is unsupported. */
		if (err && lines) {
			if (step > 1) {
				/* Go back to see the first ones of init, too. */
				nth -= step;
				step = 1;
			} else {
				in_init++;
			}
		}
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
		if (tried % 100 == 0)
			ksft_print_msg("%u loads, the last with allocation %u\n", tried, nth);
	}
	ksft_test_result(!hit && failed > 0, "%u of %u allocations: %u failed loads, %u without harm\n",
			 tried - 1, nth - 2, failed, coped);
	ksft_test_result(in_init > 0, "%u of them inside the module's init\n", in_init);
	ksft_test_result(!left, "none left anything behind\n");
	ksft_test_result(!broken, "where the module loaded, it is closed\n");

	ksft_test_result(!troubles, "the kernel log has no trouble\n");

	log_mark();
	module_load("");
	module_unload();
	trouble = log_trouble();
	if (trouble)
		ksft_print_msg("%s\n", trouble);
	ksft_test_result(!trouble, "it still loads\n");
	ksft_finished();
}
