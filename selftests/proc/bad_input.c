// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is not a command is refused with the right errno, changes nothing, and
 * costs one line of the kernel log at most.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "machine.h"
#include "traces.h"

struct input {
	const char *name;
	const char *text;
	size_t length;		/* 0: that of the text */
	int want;		/* an errno, or 0 */
};

/* A string literal with all its bytes, those behind a NUL too. */
#define BYTES(s)	s, sizeof(s) - 1

static char long_text[5000], huge_text[1 << 20];

static const struct input collectors[] = {
	{ "an unknown name", BYTES("+nosuch"), ENOENT },
	{ "an unknown name, off", BYTES("-nosuch\n"), ENOENT },
	{ "a name that begins like another", BYTES("+irqss"), ENOENT },
	{ "a part of a name", BYTES("+ir"), ENOENT },
	{ "no sign", BYTES("foo"), EINVAL },
	{ "a name without a sign", BYTES("irq"), EINVAL },
	{ "another sign", BYTES("*irq"), EINVAL },
	{ "only a sign", BYTES("+"), EINVAL },
	{ "only a sign, with a newline", BYTES("-\n"), EINVAL },
	{ "only a newline", BYTES("\n"), EINVAL },
	{ "two words", BYTES("+sched extra"), EINVAL },
	{ "two lines", BYTES("-irq\n-softirq\n"), EINVAL },
	{ "two newlines", BYTES("-irq\n\n"), EINVAL },
	{ "a space before", BYTES(" -irq"), EINVAL },
	{ "a space inside", BYTES("- irq"), EINVAL },
	{ "a space after", BYTES("-irq "), EINVAL },
	{ "a carriage return", BYTES("-irq\r\n"), EINVAL },
	{ "capitals", BYTES("-IRQ"), EINVAL },
	{ "two signs", BYTES("--irq"), EINVAL },
	{ "a NUL at the end", BYTES("-irq\0"), EINVAL },
	{ "a NUL inside", BYTES("-irq\0softirq"), EINVAL },
	{ "a NUL at the start", BYTES("\0-irq"), EINVAL },
	{ "control bytes", BYTES("-\033[2J"), EINVAL },
	{ "bytes above 127", BYTES("-\303\251\377"), EINVAL },
	{ "a format", BYTES("-%s%n"), EINVAL },
	{ "5000 bytes", long_text, sizeof(long_text), EINVAL },
	{ "1 MiB", huge_text, sizeof(huge_text), EINVAL },
};

static const struct input reset[] = {
	{ "0", BYTES("0"), EINVAL },
	{ "2", BYTES("2"), EINVAL },
	{ "01", BYTES("01"), EINVAL },
	{ "11", BYTES("11"), EINVAL },
	{ "-1", BYTES("-1"), EINVAL },
	{ "1 1", BYTES("1 1"), EINVAL },
	{ "1 and a space", BYTES("1 "), EINVAL },
	{ "a space and 1", BYTES(" 1"), EINVAL },
	{ "1 and two newlines", BYTES("1\n\n"), EINVAL },
	{ "1 and a NUL", BYTES("1\0"), EINVAL },
	{ "x", BYTES("x"), EINVAL },
	{ "a newline", BYTES("\n"), EINVAL },
	{ "5000 bytes", long_text, sizeof(long_text), EINVAL },
	{ "1 MiB", huge_text, sizeof(huge_text), EINVAL },
};

static const struct input boundary[] = {
	{ "a word", BYTES("foo"), EINVAL },
	{ "a negative number", BYTES("-1"), EINVAL },
	{ "a second negative number", BYTES("1,-1"), EINVAL },
	{ "three numbers", BYTES("1,2,3"), EINVAL },
	{ "no second number", BYTES("1,"), EINVAL },
	{ "no first number", BYTES(",1"), EINVAL },
	{ "words behind the number", BYTES("1 2"), EINVAL },
	{ "a number and a letter", BYTES("10ns"), EINVAL },
	{ "a hundred times too much", BYTES("999999999999"), 0 /* either */ },
	{ "more than 64 bits", BYTES("99999999999999999999999"), 0 /* either */ },
};

struct state {
	char collectors[4096];
	char boundary[256];
	uint64_t epoch;
};

static void take_state(struct state *s)
{
	static struct book book;

	memset(s, 0, sizeof(*s));
	if (!file_read(BOOK_DEBUGFS "collectors", s->collectors, sizeof(s->collectors)) ||
	    !file_read(BOOK_PARAMETERS "boundary_ns", s->boundary, sizeof(s->boundary)))
		ksft_exit_fail_msg("cannot read the state\n");
	book_read(&book);
	s->epoch = book.epoch;
}

static bool is_refused(const char *file, const char *path, const struct input *in)
{
	struct state before, after;
	unsigned int lines;
	bool ok = true;
	int err;

	take_state(&before);
	log_mark();
	err = file_put(path, in->text, in->length);
	lines = log_lines("");
	take_state(&after);

	if (in->want ? err != in->want : err != EINVAL && err != ERANGE) {
		ksft_print_msg("%s: %s: %s, should be %s\n", file, in->name,
			       err ? strerror(err) : "done", strerror(in->want ?: EINVAL));
		ok = false;
	}
	if (lines > 1) {
		ksft_print_msg("%s: %s: %u lines in the kernel log\n", file, in->name, lines);
		ok = false;
	}
	if (memcmp(&before, &after, sizeof(before))) {
		ksft_print_msg("%s: %s: the state has changed\n", file, in->name);
		ok = false;
	}
	return ok;
}

static void all_refused(const char *file, const char *path, const struct input *in, unsigned int n)
{
	unsigned int i, wrong = 0;

	for (i = 0; i < n; i++)
		wrong += !is_refused(file, path, &in[i]);
	ksft_test_result(!wrong, "%s: %u of %u bad inputs refused\n", file, n - wrong, n);
}

/* A write of no bytes is no command: nothing happens, whether or not it is an error. */
static void empty_writes(void)
{
	struct state before, after;

	take_state(&before);
	file_put(BOOK_DEBUGFS "collectors", "", 0);
	file_put(BOOK_DEBUGFS "reset", "", 0);
	take_state(&after);
	ksft_test_result(!memcmp(&before, &after, sizeof(before)), "empty writes change nothing\n");
}

/* After all that, what is right still works, with and without a newline. */
static void good_input(void)
{
	struct state before, after;
	bool ok;

	take_state(&before);
	ok = !file_put(BOOK_DEBUGFS "reset", "1", 1) && !file_put(BOOK_DEBUGFS "reset", "1\n", 2);
	take_state(&after);
	ksft_test_result(ok && after.epoch == before.epoch + 2, "reset: 1, with and without a newline\n");

	take_state(&before);
	ok = !file_put(BOOK_DEBUGFS "collectors", "-irq", 4) && !file_put(BOOK_DEBUGFS "collectors", "-irq\n", 5);
	take_state(&after);
	ok &= strstr(after.collectors, "\nirq off -") && strcmp(before.collectors, after.collectors);
	ok &= !file_put(BOOK_DEBUGFS "collectors", "+irq\n", 5) && !file_put(BOOK_DEBUGFS "collectors", "+irq", 4);
	take_state(&after);
	ksft_test_result(ok && !strcmp(before.collectors, after.collectors),
			 "collectors: off and on, twice each\n");

	take_state(&before);
	ok = !file_put(BOOK_PARAMETERS "boundary_ns", "120,80\n", 7);
	take_state(&after);
	ok &= !strncmp(after.boundary, "120,80", 6);
	ok &= !file_put(BOOK_PARAMETERS "boundary_ns", before.boundary, strlen(before.boundary));
	take_state(&after);
	ksft_test_result(ok && !memcmp(&before, &after, sizeof(before)), "boundary_ns: there and back\n");
}

int main(void)
{
	book_require();
	if (geteuid())
		ksft_exit_skip("needs root\n");
	memset(long_text, 'x', sizeof(long_text));
	long_text[0] = '+';
	memset(huge_text, '1', sizeof(huge_text));

	ksft_print_header();
	ksft_set_plan(7);
	all_refused("collectors", BOOK_DEBUGFS "collectors", collectors, ARRAY_SIZE(collectors));
	all_refused("reset", BOOK_DEBUGFS "reset", reset, ARRAY_SIZE(reset));
	all_refused("boundary_ns", BOOK_PARAMETERS "boundary_ns", boundary, ARRAY_SIZE(boundary));
	empty_writes();
	good_input();
	ksft_finished();
}
