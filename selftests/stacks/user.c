// SPDX-License-Identifier: GPL-2.0-only
/*
 * How a program gets somewhere, by its file and offset: where its own addresses say
 * that it was. Once by a probe in the program, once by a probe in the kernel that takes
 * the user's stack too.
 *
 * It has frame pointers (see the Makefile), which the kernel goes by.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kselftest.h"

#include "machine.h"
#include "place.h"
#include "stacks.h"
#include "symbols.h"
#include "traces.h"

#define CALLS	20
#define GETPGID		SYMBOLS_CALL "getpgid"

static struct triggers triggers;
static struct stacks stacks;

/* Where calls return to, as the child has seen it. */
static struct {
	void *from_inner, *from_middle, *from_outer;
} *told;

/* It is called by nothing of a library, nor calls any: those have no frame pointers. */
static __attribute__((noinline, noclone)) void inner(void)
{
#ifdef __x86_64__
	long ret = SYS_getpgid;

	asm volatile("syscall" : "+a" (ret) : "D" (0) : "rcx", "r11", "memory");
#else
	register long nr asm("x8") = SYS_getpgid;
	register long ret asm("x0") = 0;

	asm volatile("svc #0" : "+r" (ret) : "r" (nr) : "memory");
#endif
	told->from_inner = __builtin_return_address(0);
}

static __attribute__((noinline, noclone)) void middle(void)
{
	inner();
	told->from_middle = __builtin_return_address(0);
}

static __attribute__((noinline, noclone)) void outer(void)
{
	middle();
	told->from_outer = __builtin_return_address(0);
}

static void work(void)
{
	int i;

	for (i = 0; i < CALLS; i++) {
		outer();
		asm volatile("");
	}
}

static bool is_at(const char *frame, const void *code)
{
	char want[4200];

	snprintf(want, sizeof(want), "%s+0x%" PRIx64, place_file(), place_offset(code));
	if (!strcmp(frame, want))
		return true;
	ksft_print_msg("'%s' should be '%s'\n", frame, want);
	return false;
}

/* Innermost first; what is behind them is the library's. */
static bool are_callers(const struct stack_block *b, unsigned int first)
{
	const char *const *user = b->frame + b->kernel;

	if (b->user >= first + 3 && is_at(user[first], told->from_inner) &&
	    is_at(user[first + 1], told->from_middle) && is_at(user[first + 2], told->from_outer))
		return true;
	stack_print(b);
	return false;
}

/* All calls of the child are one stack. */
static const struct stack_block *only(const char *name)
{
	unsigned int i, n = 0;
	const struct stack_block *found = NULL;

	for (i = 0; i < stacks.blocks; i++)
		if (!strcmp(stacks.block[i].name, name)) {
			found = &stacks.block[i];
			n++;
		}
	if (n != 1 || found->count != CALLS) {
		ksft_print_msg("%s: %u stacks, %" PRIu64 " of %u calls\n", name, n, n ? found->count : 0, CALLS);
		return NULL;
	}
	return found;
}

static bool is_folded(const char *name)
{
	static char text[1 << 20];
	char want[4200];

	file_read_all(STACKS_FOLDED, text, sizeof(text));
	/* Outermost first. */
	snprintf(want, sizeof(want), "%s+0x%" PRIx64 ";%s+0x%" PRIx64, place_file(),
		 place_offset(told->from_middle), place_file(), place_offset(told->from_inner));
	if (strstr(text, want))
		return true;
	ksft_print_msg("%s: folded has no '%s':\n%s", name, want, text);
	return false;
}

static void by_kernel(const struct actor *actor)
{
	const struct stack_block *b;

	triggers_add("p:call " GETPGID " mode=count user=1 pid=%d", actor->pid);
	actor_run(actor);
	stacks_read(&stacks);
	b = only("call");
	ksft_test_result(b && b->kernel && are_callers(b, 1), "a system call: the kernel's stack and the user's\n");
	ksft_test_result(is_folded("call"), "the same folded\n");
	triggers_clear();
}

static void by_program(struct actor *actor)
{
	char line[4400];
	const struct stack_block *b;
	const char *error;
	int err;

	snprintf(line, sizeof(line), "u:place %s:0x%" PRIx64, place_file(), place_offset(inner));
	err = triggers_try("%s pid=%d", line, actor->pid);
	if (err == EOPNOTSUPP) {
		ksft_test_result_skip("uprobes: this kernel has none\n");
		ksft_test_result_skip("uprobes: this kernel has none\n");
		ksft_test_result_skip("uprobes: this kernel has none\n");
		actor_end(actor);
		return;
	}
	if (err)
		ksft_exit_fail_msg("%s: %s\n", line, strerror(err));
	actor_run(actor);
	triggers_read(&triggers);
	stacks_read(&stacks);
	error = triggers_check(&triggers) ?: stacks_check(&stacks, &triggers);
	b = only("place");
	ksft_test_result(b && !b->kernel && is_at(b->frame[0], inner) && are_callers(b, 1),
			 "a place in a program, and its callers\n");
	ksft_test_result(!error && triggers_row(&triggers, "place")->value[TRIGGER_HITS] == CALLS, "sums: %s\n",
			 error ?: "right");

	/* What was mapped where is not known any more. */
	actor_end(actor);
	stacks_read(&stacks);
	b = only("place");
	ksft_test_result(b && b->user && !strncmp(b->frame[0], "0x", 2) &&
			 strtoull(b->frame[0], NULL, 16) == (uintptr_t)inner, "the program has ended: %s\n",
			 b && b->user ? b->frame[0] : "-");
	triggers_clear();
}

int main(void)
{
	const char *trouble;
	struct actor actor;

	stacks_require();
	ksft_print_header();
	ksft_set_plan(2 + 3 + 1);
	told = mmap(NULL, sizeof(*told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (told == MAP_FAILED)
		ksft_exit_fail_msg("no memory\n");
	log_mark();
	stacks_share(100);
	actor_start(&actor, work, other_cpu());
	by_kernel(&actor);
	by_program(&actor);
	trouble = log_trouble();
	ksft_test_result(!trouble, "a clean log%s%s\n", trouble ? ": " : "", trouble ?: "");
	ksft_finished();
}
