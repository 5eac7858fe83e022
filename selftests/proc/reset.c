// SPDX-License-Identifier: GPL-2.0-only
/*
 * A new epoch: all counters start again near 0, the books are closed from the
 * first read on, and who has the file open goes on with what he has. And the
 * other two files of debugfs: their columns, and that hits grow.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "load.h"
#include "machine.h"

#define BEFORE	(500 * NSEC_PER_MSEC)

static const char *checked(struct book *book, const struct book_text *text)
{
	const char *error = book_parse(book, text);

	return error ?: book_check(book) ?: book_check_elapsed(book, NULL);
}

static void new_epoch(void)
{
	static struct book_text text;
	static struct book old, new;
	uint64_t start, end;
	const char *error;
	bool near = true;
	int i, f;

	sleep_ns(BEFORE);
	book_read(&old);
	start = monotonic_ns();
	must_write(BOOK_DEBUGFS "reset", "1");
	end = monotonic_ns();
	book_take(&text);
	error = checked(&new, &text);
	if (error)
		ksft_print_msg("%s\n", error);
	ksft_test_result(!error, "closed at the first read of an epoch, elapsed as CLOCK_MONOTONIC\n");
	ksft_test_result(new.epoch == old.epoch + 1, "epoch %" PRIu64 " after %" PRIu64 "\n",
			 new.epoch, old.epoch);
	ksft_test_result(new.since >= start && new.since <= end,
			 "since_ns is the instant of the reset: %" PRIu64 ", within %" PRIu64 "..%" PRIu64 "\n",
			 new.since, start, end);
	/* Nothing can be more than the time since the reset began. */
	for (i = 1; i < new.rows; i++)
		for (f = 0; f < BOOK_FIELDS; f++)
			near &= new.row[i].ns[f] <= text.after - start;
	ksft_test_result(near && new.rows == old.rows, "counters start again near 0\n");
}

/* The table in the reader's hands is that of the old epoch, whole; the next one is new. */
static void open_across(void)
{
	static struct book_text text;
	static struct book before, old, new;
	int fd = book_open();
	const char *error;
	ssize_t n;

	book_read(&before);
	text.before = monotonic_ns();
	n = read(fd, text.text, 200);
	text.after = monotonic_ns();
	text.length = n > 0 ? n : 0;
	must_write(BOOK_DEBUGFS "reset", "1");
	while ((n = read(fd, text.text + text.length, 100)) > 0)
		text.length += n;
	text.text[text.length] = '\0';
	error = checked(&old, &text);
	if (!error)
		error = book_check_after(&before, &old);

	text.before = monotonic_ns();
	text.length = 0;
	n = pread(fd, text.text, sizeof(text.text) - 1, 0);
	text.after = monotonic_ns();
	text.length = n > 0 ? n : 0;
	text.text[text.length] = '\0';
	if (!error)
		error = checked(&new, &text);
	if (!error && new.epoch != before.epoch + 1)
		error = "the next table is not of the new epoch";
	if (error)
		ksft_print_msg("%s\n", error);
	ksft_test_result(!error, "a reader in the middle of a table ends it, then sees the new epoch\n");
	close(fd);
}

/* Resets in a row while others read: each epoch is closed. */
static void many(void)
{
	static struct book book;
	const char *error = NULL;
	uint64_t epoch;
	int i;

	book_read(&book);
	epoch = book.epoch;
	for (i = 0; i < 100 && !error; i++) {
		must_write(BOOK_DEBUGFS "reset", "1\n");
		book_read(&book);
		error = book_check(&book);
	}
	if (error)
		ksft_print_msg("%s\n", error);
	ksft_test_result(!error && book.epoch == epoch + 100, "100 epochs in a row, closed\n");
}

static char text[1 << 18];

/* The line after the last one that starts with #, if that one is @columns. */
static char *rows_of(const char *file, const char *columns)
{
	char *line, *rows = NULL;

	if (!file_read(file, text, sizeof(text)))
		ksft_exit_fail_msg("cannot read %s\n", file);
	for (line = text; *line == '#'; line = strchr(line, '\n') + 1) {
		rows = line;
		if (!strchr(line, '\n'))
			return NULL;
	}
	if (!rows || strncmp(rows, columns, strlen(columns)) || rows[strlen(columns)] != '\n') {
		ksft_print_msg("%s: the columns are not '%s'\n%s\n", file, columns, text);
		return NULL;
	}
	return line;
}

static void collectors(void)
{
	static const char *const names[] = {
		"sched", "syscall", "fault", "irq", "softirq", "iowait",
	};
	char *line = rows_of(BOOK_DEBUGFS "collectors", "# name state reason"), *save = NULL;
	unsigned int seen = 0, i;
	bool ok = line;

	for (line = line ? strtok_r(line, "\n", &save) : NULL; line; line = strtok_r(NULL, "\n", &save)) {
		char name[64], state[64], reason[256];
		int used = 0;

		if (sscanf(line, "%63s %63s %255s%n", name, state, reason, &used) != 3 || line[used]) {
			ksft_print_msg("not three columns: %s\n", line);
			ok = false;
			continue;
		}
		for (i = 0; i < ARRAY_SIZE(names); i++)
			if (!strcmp(name, names[i]))
				seen |= 1u << i;
		/* Who cannot say why is not unsupported, and who is not needs no reason. */
		if (strcmp(state, "unsupported") ? strcmp(reason, "-") : !strcmp(reason, "-")) {
			ksft_print_msg("state and reason do not fit: %s\n", line);
			ok = false;
		}
		if (strcmp(state, "on") && strcmp(state, "off") && strcmp(state, "unsupported")) {
			ksft_print_msg("not a state: %s\n", line);
			ok = false;
		}
	}
	ksft_test_result(ok && seen == (1u << ARRAY_SIZE(names)) - 1, "collectors: three columns, all there\n");
}

/* Sum of the hits of all hooks and CPUs; *rows: how many lines. */
static uint64_t hits(unsigned int *rows, bool *ok)
{
	char *line = rows_of(BOOK_DEBUGFS "self", "# hook cpu hits missed ns"), *save = NULL;
	uint64_t sum = 0;

	*rows = 0;
	*ok = line;
	for (line = line ? strtok_r(line, "\n", &save) : NULL; line; line = strtok_r(NULL, "\n", &save)) {
		char hook[64], missed[32], ns[32];
		uint64_t n;
		unsigned int cpu;
		int used = 0;

		if (sscanf(line, "%63s %u %" SCNu64 " %31s %31s%n", hook, &cpu, &n, missed, ns, &used) != 5 ||
		    line[used]) {
			ksft_print_msg("self: not five columns: %s\n", line);
			*ok = false;
			continue;
		}
		sum += n;
		++*rows;
	}
	return sum;
}

static void self(void)
{
	unsigned int rows, rows_later;
	bool ok, ok_later;
	uint64_t before, after;
	pid_t load;

	before = hits(&rows, &ok);
	load = load_start(load_pipes, -1);
	sleep_ns(300 * NSEC_PER_MSEC);
	load_stop(load);
	after = hits(&rows_later, &ok_later);
	ksft_test_result(ok && ok_later && rows == rows_later && rows >= (unsigned int)cpus_online(),
			 "self: five columns, %u rows\n", rows);
	ksft_test_result(after > before + 100, "hits grow: %" PRIu64 " more under a load of pipes\n",
			 after - before);
	ksft_test_result(strstr(text, "unbalanced=0 ") || strstr(text, "unbalanced=0\n"),
			 "no read has found books that did not add up\n");
}

int main(void)
{
	book_require();
	if (geteuid())
		ksft_exit_skip("needs root\n");
	ksft_print_header();
	ksft_set_plan(4 + 1 + 1 + 1 + 3);
	new_epoch();
	open_across();
	many();
	collectors();
	self();
	ksft_finished();
}
