// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads of any size at any offset give the same table that one big read gives:
 * each row complete, once, of one snapshot. One snapshot a pass: a read at
 * offset 0 takes it, reads elsewhere go on with it.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "idle.h"
#include "load.h"
#include "machine.h"

static struct book_text whole;
static struct book reference;

/* The text is one table: closed rows, and those of @reference by number. */
static const char *table_error(const struct book_text *text, struct book *book)
{
	const char *error = book_parse(book, text);
	int i;

	if (!error)
		error = book_check(book);
	if (error)
		return error;
	if (book->rows != reference.rows)
		return "not as many rows as in one big read";
	for (i = 0; i < book->rows; i++)
		if (book->row[i].cpu != reference.row[i].cpu)
			return "not the rows of one big read";
	return NULL;
}

/* Reads to the end in pieces of @size; the end is one read of 0. */
static const char *read_in_pieces(int fd, size_t size, struct book_text *text)
{
	ssize_t n;

	text->length = 0;
	text->before = monotonic_ns();
	do {
		size_t room = sizeof(text->text) - 1 - text->length;

		if (!room)
			return "longer than this test can keep";
		n = read(fd, text->text + text->length, size < room ? size : room);
		if (n < 0)
			return strerror(errno);
		if (n > (ssize_t)size)
			return "a read gave more than it was asked for";
		text->length += n;
	} while (n);
	text->text[text->length] = '\0';
	text->after = monotonic_ns();
	return NULL;
}

static bool passes(const char *what, const char *error)
{
	if (error)
		ksft_print_msg("%s: %s\n", what, error);
	return !error;
}

static void block_sizes(void)
{
	static const size_t sizes[] = { 1, 7, 100, 512, 4096, 65536 };
	static struct book_text text;
	static struct book book, last;
	char name[32];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		int fd = book_open();
		const char *error = read_in_pieces(fd, sizes[i], &text);

		snprintf(name, sizeof(name), "blocks of %zu", sizes[i]);
		if (!error)
			error = table_error(&text, &book);
		/* Passes follow each other: what one showed, the next shows or more. */
		if (!error && i)
			error = book_check_after(&last, &book);
		/* At the end it stays. */
		if (!error && (read(fd, text.text, 100) != 0 || read(fd, text.text, 1) != 0))
			error = "a read after the end gave something";
		last = book;
		close(fd);
		ksft_test_result(passes(name, error), "%s\n", name);
	}
}

/* One read at 0 fixes the table; then pieces of it at odd offsets, in any order, twice. */
static void positions(void)
{
	static struct book_text text;
	static struct book book;
	enum { PIECE = 61 };
	int fd = book_open();
	const char *error = NULL;
	unsigned int pieces, i, turn;
	size_t length = 0;
	ssize_t n;

	text.before = monotonic_ns();
	if (pread(fd, text.text, 1, 0) != 1)
		error = "no first byte";
	text.after = monotonic_ns();
	/* How long is it? Look at the end, and behind it. */
	while (!error && (n = pread(fd, text.text, PIECE, length + 1)) > 0)
		length += n;
	length++;
	if (!error && pread(fd, text.text, PIECE, length + 100000) != 0)
		error = "a read behind the end gave something";

	memset(text.text, 0, sizeof(text.text));
	pieces = (length + PIECE - 1) / PIECE;
	for (turn = 0; turn < 2 && !error; turn++) {
		/* 7919 is prime and does not divide the count: each piece once, far apart. */
		for (i = 0; i < pieces && !error; i++) {
			size_t at = (size_t)i * 7919 % pieces * PIECE, done = 0;
			size_t want = at + PIECE < length ? PIECE : length - at;

			/* Not at 0, which would be a new table. */
			if (!at) {
				done = 1;
				if (!turn)
					text.text[0] = '#';
			}
			while (done < want) {
				char piece[PIECE];

				n = pread(fd, piece, want - done, at + done);
				if (n <= 0) {
					error = "a piece is missing";
					break;
				}
				if (turn && memcmp(text.text + at + done, piece, n)) {
					error = "a piece has changed";
					break;
				}
				memcpy(text.text + at + done, piece, n);
				done += n;
			}
		}
		sleep_ns(20 * NSEC_PER_MSEC);
	}
	text.length = length;
	if (!error)
		error = table_error(&text, &book);
	close(fd);
	ksft_test_result(passes("positions", error), "%u pieces of %d bytes in any order are one table\n",
			 pieces, PIECE);
}

/* Back to the start: a new table, later and not less. */
static void rewinds(void)
{
	static struct book_text text;
	static struct book first, second;
	int fd = book_open();
	const char *error;

	error = read_in_pieces(fd, 512, &text);
	if (!error)
		error = table_error(&text, &first);
	sleep_ns(5 * NSEC_PER_MSEC);
	if (!error && lseek(fd, 0, SEEK_SET) != 0)
		error = "no seek to the start";
	if (!error)
		error = read_in_pieces(fd, 512, &text);
	if (!error)
		error = table_error(&text, &second);
	if (!error)
		error = book_check_after(&first, &second);
	if (!error && second.now <= first.now)
		error = "the same snapshot again";

	/* In the middle of a table, too. */
	if (!error && (lseek(fd, 0, SEEK_SET) || read(fd, text.text, 150) != 150 ||
		       lseek(fd, 0, SEEK_SET)))
		error = "no seek to the start from the middle";
	if (!error)
		error = read_in_pieces(fd, 100, &text);
	if (!error)
		error = table_error(&text, &first);
	if (!error)
		error = book_check_after(&second, &first);
	close(fd);
	ksft_test_result(passes("rewind", error), "a rewind gives a new table\n");
}

/* The first read of a file need not be at 0. */
static void begins_elsewhere(void)
{
	static const char skipped[] = "# ";
	static struct book_text text;
	static struct book book;
	const size_t skip = strlen(skipped);
	uint64_t before = monotonic_ns();
	int fd = book_open();
	const char *error = NULL;

	if (lseek(fd, skip, SEEK_SET) != (off_t)skip)
		error = "no seek before the first read";
	if (!error)
		error = read_in_pieces(fd, 100, &text);
	if (!error && text.length + skip >= sizeof(text.text))
		error = "longer than this test can keep";
	if (!error) {
		memmove(text.text + skip, text.text, text.length + 1);
		memcpy(text.text, skipped, skip);
		text.length += skip;
		text.before = before;
		error = table_error(&text, &book);
	}
	close(fd);
	ksft_test_result(passes("begins elsewhere", error), "the first read may begin anywhere\n");
}

/* Two descriptors in turn, at different places: neither disturbs the other. */
static void two_readers(void)
{
	static struct book_text text[2];
	static struct book book;
	int fd[2] = { book_open(), book_open() };
	const char *error = NULL;
	bool more = true;
	int i;

	text[0].length = text[1].length = 0;
	text[0].before = text[1].before = monotonic_ns();
	while (more && !error) {
		more = false;
		for (i = 0; i < 2; i++) {
			ssize_t n = read(fd[i], text[i].text + text[i].length, i ? 33 : 100);

			if (n < 0)
				error = strerror(errno);
			else
				text[i].length += n;
			more |= n > 0;
		}
	}
	for (i = 0; i < 2; i++) {
		text[i].text[text[i].length] = '\0';
		text[i].after = monotonic_ns();
		if (!error)
			error = table_error(&text[i], &book);
		close(fd[i]);
	}
	ksft_test_result(passes("two readers", error), "two descriptors in turn\n");
}

/* The first columns of all rows, in a sum; how many lines, and whether the last one ends. */
static uint64_t names_of(const char *text, size_t length, unsigned int columns, unsigned int *lines,
			 bool *ends)
{
	uint64_t sum = 14695981039346656037ULL;
	unsigned int column = 0;
	size_t i;

	*lines = 0;
	for (i = 0; i < length; i++) {
		if (text[i] == '\n') {
			column = 0;
			++*lines;
			continue;
		}
		column += text[i] == ' ';
		if (column < columns)
			sum = (sum ^ (unsigned char)text[i]) * 1099511628211ULL;
	}
	*ends = length && text[length - 1] == '\n';
	return sum;
}

/*
 * The same rows, by their first columns, in pieces of any size. @heading: what stands
 * above them. @columns: so many are names, the others change.
 */
static void named_rows(const char *name, const char *heading, unsigned int columns)
{
	static const size_t sizes[] = { 65536, 4096, 4095, 511, 97, 1 };
	static char text[1 << 21];
	unsigned int i, lines, first_lines = 0;
	uint64_t sum, first_sum = 0;
	bool ok = true, ends;
	char path[128];
	ssize_t n = 0;

	snprintf(path, sizeof(path), BOOK_DEBUGFS "%s", name);
	if (access(path, R_OK)) {
		ksft_test_result_skip("%s: needs root and debugfs\n", name);
		return;
	}
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		char *rows;

		/* Not for minutes. */
		if (n > (ssize_t)sizes[i] << 16)
			continue;
		n = file_read_pieces(path, sizes[i], text, sizeof(text));
		/* What stands before the rows of self says how much was counted: that changes. */
		rows = n < 0 ? NULL : memmem(text, n, heading, strlen(heading));
		if (!rows) {
			ksft_print_msg("%s: blocks of %zu: %s\n", name, sizes[i],
				       n < 0 ? "does not end" : "no head");
			ok = false;
			continue;
		}
		sum = names_of(rows, n - (rows - text), columns, &lines, &ends);
		if (!i) {
			first_sum = sum;
			first_lines = lines;
		}
		if (sum != first_sum || lines != first_lines || !ends) {
			ksft_print_msg("%s: blocks of %zu: %u lines, should be %u\n", name, sizes[i],
				       lines, first_lines);
			ok = false;
		}
	}
	ksft_test_result(ok, "%s: %zd bytes, %u lines, in blocks of any size\n", name, n, first_lines);
}

/* Of idle_states: without the last column, a share of the time that has passed. */
static size_t strip_last_column(char *text, size_t length)
{
	char *to = text, *line = text, *end = text + length;

	while (line < end) {
		char *next = memchr(line, '\n', end - line), *blank;

		next = next ? next : end;
		blank = memrchr(line, ' ', next - line);
		memmove(to, line, (blank ? blank : next) - line);
		to += (blank ? blank : next) - line;
		*to++ = '\n';
		line = next + 1;
	}
	return to - text;
}

/* The tables of idle states stand still while no CPU is idle: the same text in pieces of any size. */
static void idle_tables(void)
{
	static const char *const names[] = { "idle_states", "idle_hist", "idle_wakeups" };
	static const size_t sizes[] = { 65536, 4096, 511, 97 };
	static char first[1 << 20], text[1 << 20];
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		char path[128];
		ssize_t length = 0, n = 0;
		bool ok = true;

		snprintf(path, sizeof(path), BOOK_DEBUGFS "%s", names[i]);
		if (access(path, R_OK)) {
			ksft_test_result_skip("%s: needs root and debugfs\n", names[i]);
			continue;
		}
		idle_hold();
		for (j = 0; j < ARRAY_SIZE(sizes); j++) {
			char *to = j ? text : first;

			n = file_read_pieces(path, sizes[j], to, sizeof(text));
			if (n > 0 && !i)
				n = strip_last_column(to, n);
			length = j ? length : n;
			if (n > 0 && n == length && !memcmp(first, to, n))
				continue;
			ksft_print_msg("%s: blocks of %zu: %zd bytes\n", names[i], sizes[j], n);
			ok = false;
		}
		idle_release();
		ksft_test_result(ok, "%s: %zd bytes, in blocks of any size\n", names[i], length);
	}
}

/*
 * Rows come with interrupts that were not seen before: not while nobody looks at names, but
 * for the row other, which each CPU has by then where there are few.
 */
static void irq_tables(void)
{
	static const struct {
		const char *name, *heading;
		unsigned int columns;
	} tables[] = {
		{ "irqs", "# cpu kind", 4 },
		{ "irq_hist", "# cpu kind", 5 },
		{ "softirqs", "# cpu kind", 4 },
		{ "softirq_hist", "# cpu vector", 5 },
		{ "theft", "# tgid pid", 5 },
	};
	unsigned int i;

	file_write(BOOK_DEBUGFS "collectors", "+theft");
	sleep_ns(300 * NSEC_PER_MSEC);
	file_write(BOOK_DEBUGFS "collectors", "-irqs");
	sleep_ns(300 * NSEC_PER_MSEC);
	for (i = 0; i < ARRAY_SIZE(tables); i++) {
		if (cpus_online() <= 4)
			named_rows(tables[i].name, tables[i].heading, tables[i].columns);
		else
			ksft_test_result_skip("%s: rows come with the first interrupt of each CPU\n",
					      tables[i].name);
	}
	file_write(BOOK_DEBUGFS "collectors", "+irqs");
}

/* Rows are of the CPUs that were online in this epoch, however many are possible. */
static void rows(void)
{
	char possible[64], online[64];
	int i;

	for (i = 1; i < reference.rows && reference.row[i].online; i++)
		;
	ksft_print_msg("CPUs possible: %s, online: %s\n",
		       file_read("/sys/devices/system/cpu/possible", possible, sizeof(possible)),
		       file_read("/sys/devices/system/cpu/online", online, sizeof(online)));
	ksft_test_result(i == reference.rows && reference.rows == 1 + cpus_online(),
			 "%d rows of %d CPUs that are online\n", reference.rows - 1, cpus_online());
}

int main(void)
{
	const char *error;
	pid_t load;

	book_require();
	ksft_print_header();
	ksft_set_plan(6 + 9 + 3 + 5);
	load = load_start(load_pipes, -1);
	book_take(&whole);
	error = book_parse(&reference, &whole);
	if (!error)
		error = book_check(&reference);
	if (error)
		ksft_exit_fail_msg("%s\n", error);
	rows();
	block_sizes();
	positions();
	rewinds();
	begins_elsewhere();
	two_readers();
	/* A table of many pages, where many CPUs are possible. */
	named_rows("self", "# hook cpu", 2);
	/* A frequency that is measured is another one each time. */
	named_rows("freqs", "# cpu freq_khz", 1);
	named_rows("counters", "# cpu event", 2);
	/* Where there is a PMU. */
	file_write(BOOK_DEBUGFS "collectors", "+cycles");
	named_rows("cycles", "# cpu category", 2);
	idle_tables();
	irq_tables();
	load_stop(load);
	ksft_finished();
}
