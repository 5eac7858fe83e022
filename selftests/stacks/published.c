// SPDX-License-Identifier: GPL-2.0-only
/*
 * The question that a kernel developer asked: who calls finish_task_switch()? By that
 * name, whatever the compiler has made of it; and it is called for tasks and for the
 * idle task.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kselftest.h"

#include "machine.h"
#include "stacks.h"
#include "symbols.h"

#define FUNCTION	"finish_task_switch"

static struct triggers triggers;
static struct stacks stacks;

/* A task that sleeps: its CPU goes idle, and comes back. */
static void naps(void)
{
	int i;

	for (i = 0; i < 50; i++)
		sleep_ns(NSEC_PER_MSEC);
}

static const struct stack_block *with(const char *symbol)
{
	unsigned int i;

	for (i = 0; i < stacks.blocks; i++)
		if (stack_has(&stacks.block[i], symbol))
			return &stacks.block[i];
	return NULL;
}

static void folded(void)
{
	static char text[1 << 20];
	char *save, *line, *at;
	unsigned int rows = 0, wrong = 0;
	uint64_t sum = 0;

	file_read_all(STACKS_FOLDED, text, sizeof(text));
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save), rows++) {
		at = strrchr(line, ' ');
		/* Innermost last: the function itself. */
		if (!at || !strchr(line, ';') || strncmp(strrchr(line, ';') + 1, FUNCTION, strlen(FUNCTION))) {
			if (!wrong++)
				ksft_print_msg("folded: '%s'\n", line);
			continue;
		}
		sum += strtoull(at + 1, NULL, 10);
	}
	ksft_test_result(!wrong && rows && sum == stacks_count(&stacks, "switches"),
			 "folded: %u rows, %u are wrong, %llu hits\n", rows, wrong, (unsigned long long)sum);
}

int main(void)
{
	const struct symbol *variant;
	const struct trigger *row;
	const char *error;
	struct actor actor;

	stacks_require();
	ksft_print_header();
	ksft_set_plan(5);
	symbols_load();
	variant = symbols_variant(FUNCTION);
	if (!variant)
		ksft_exit_fail_msg("the kernel has no " FUNCTION "\n");
	stacks_share(100);
	actor_start(&actor, naps, other_cpu());
	triggers_add("p:switches " FUNCTION " mode=count");
	actor_run(&actor);
	must_borrow("/sys/kernel/debug/kprobes/enabled", "0");
	triggers_read(&triggers);
	stacks_read(&stacks);
	row = triggers_row(&triggers, "switches");
	ksft_print_msg("%s is %s\n", FUNCTION, row->symbol);
	ksft_test_result(!strncmp(row->symbol, variant->name, strlen(variant->name)) &&
			 row->symbol[strlen(variant->name)] == '+', "the symbol is %s\n", variant->name);
	ksft_test_result(with("schedule") && with("__schedule"), "called from schedule()\n");
	ksft_test_result(with("schedule_idle"), "called from schedule_idle()\n");
	if (with("schedule_idle"))
		stack_print(with("schedule_idle"));
	error = triggers_check(&triggers) ?: stacks_check(&stacks, &triggers);
	ksft_test_result(!error, "sums: %s\n", error ?: "right");
	folded();
	must_write("/sys/kernel/debug/kprobes/enabled", "1");
	actor_end(&actor);
	triggers_clear();
	ksft_finished();
}
