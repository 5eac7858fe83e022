// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who writes this variable? A watchpoint catches the function that does, by the
 * variable's name and by its address.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "machine.h"
#include "module.h"
#include "stacks.h"
#include "symbols.h"
#include "traces.h"

#define WRITES	20

static struct triggers triggers;
static struct stacks stacks;

static void store(void)
{
	int i;

	for (i = 0; i < WRITES; i++)
		must_write("/sys/module/watched/parameters/value", "7");
}

static void load(void)
{
	char value[16];

	if (!file_read("/sys/module/watched/parameters/value", value, sizeof(value)))
		ksft_exit_fail_msg("the variable cannot be read\n");
}

/* All of its stacks begin with the function that stores. */
static bool caught(const char *name)
{
	unsigned int i, wrong = 0;

	for (i = 0; i < stacks.blocks; i++) {
		const struct stack_block *b = &stacks.block[i];

		if (strcmp(b->name, name) || (b->kernel && frame_names(b->frame[0], "watched_store") &&
					      !strcmp(b->context, "task")))
			continue;
		if (!wrong++)
			stack_print(b);
	}
	return !wrong && stacks_count(&stacks, name) == WRITES;
}

/* One at a time: an emulated CPU looks no further than to the first one. */
static void writes(const char *name)
{
	const char *error;

	store();
	load();
	triggers_read(&triggers);
	stacks_read(&stacks);
	error = triggers_check(&triggers) ?: stacks_check(&stacks, &triggers);
	ksft_test_result(caught(name) && !error, "by %s: %" PRIu64 " of %d writes; %s\n", name,
			 stacks_count(&stacks, name), WRITES, error ?: "right sums");
	/* A kernel without symbols of data knows one only if it was asked by it. */
	if (symbols_find("watched_value"))
		ksft_test_result(!strncmp(triggers_row(&triggers, name)->symbol, "watched_value+0x0/", 18) &&
				 strstr(triggers_row(&triggers, name)->symbol, "[watched]"), "it is %s\n",
				 triggers_row(&triggers, name)->symbol);
	else
		ksft_test_result_skip("this kernel has no symbols of data\n");
	triggers_clear();
}

static void other_access(void)
{
	uint64_t reads;
	int err;

	err = triggers_try("w:touched watched_value 4 rw");
	if (err)
		ksft_exit_fail_msg("read and write: %s\n", strerror(err));
	load();
	reads = triggers_value("touched", TRIGGER_HITS);
	store();
	ksft_test_result(reads >= 1 && reads <= 4 && triggers_value("touched", TRIGGER_HITS) >= reads + WRITES,
			 "read: %" PRIu64 " times, and written\n", reads);
	triggers_clear();
}

int main(void)
{
	const char *trouble;
	char address[32];
	int err;

	stacks_require();
	if (!module_beside("watched"))
		ksft_exit_skip("needs the module watched\n");
	ksft_print_header();
#ifndef __x86_64__
	/* Perf's own handler alone can step over one there (CPUPR_WATCHPOINTS). */
	ksft_set_plan(1);
	err = triggers_try("w:name watched_value 4 w");
	ksft_test_result(err == EOPNOTSUPP, "no watchpoints on this architecture: %s\n", strerror(err));
	ksft_finished();
#endif
	ksft_set_plan(4 + 1 + 1 + 1);
	log_mark();
	stacks_share(100);
	module_beside_load("watched", "");
	symbols_load();
	if (!file_read("/sys/module/watched/parameters/address", address, sizeof(address)))
		ksft_exit_fail_msg("the module does not say where its variable is\n");
	err = triggers_try("w:name watched_value 4 w");
	if (err)
		ksft_exit_fail_msg("no watchpoint: %s\n", strerror(err));
	writes("name");
	triggers_add("w:address %s 4 w", address);
	writes("address");
	other_access();
	triggers_add("w:name watched_value 4 w");
	triggers_add("w:address %s 4 w", address);
	store();
	module_beside_unload("watched");
	ksft_test_result(triggers_state("name", "gone") && triggers_state("address", "gone") &&
			 triggers_value("name", TRIGGER_HITS) == WRITES, "its module is unloaded: gone\n");
	triggers_clear();
	trouble = log_trouble();
	ksft_test_result(!trouble, "a clean log%s%s\n", trouble ? ": " : "", trouble ?: "");
	ksft_finished();
}
