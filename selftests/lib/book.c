// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/cpuprecise as structures, and the rules that hold at every read.
 *
 * A check answers NULL if the rule holds, else a sentence with the figures. It
 * stays valid until the next check.
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
#include "machine.h"
#include "parse.h"

const char *const book_field_name[BOOK_FIELDS] = {
	"user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal", "guest",
	"guest_nice", "elapsed",
};

static const char columns[] =
	"# cpu user nice system idle iowait irq softirq steal guest guest_nice elapsed busy_pct state";

/* Ends the test as skipped when there is nothing to test. */
void book_require(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (access(BOOK_PATH, R_OK))
		ksft_exit_skip("no %s: load the module cpuprecise first\n", BOOK_PATH);
}

int book_open(void)
{
	int fd = open(BOOK_PATH, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		ksft_exit_fail_msg("open %s: %s\n", BOOK_PATH, strerror(errno));
	return fd;
}

/*
 * Kept open by each thread that reads, and not shared with the processes that
 * it forks: a read at offset 0 takes a new snapshot for all who share the file.
 */
static __thread int book_fd = -1;
static __thread pid_t book_pid;

/* To be called by who unloads the module: the old descriptor does not come alive again. */
void book_close(void)
{
	if (book_fd >= 0)
		close(book_fd);
	book_fd = -1;
}

/* Takes a snapshot with as little user code as there can be. */
void book_take(struct book_text *text)
{
	ssize_t n;

	if (book_pid != getpid())
		book_close();
	if (book_fd < 0) {
		book_fd = book_open();
		book_pid = getpid();
	}
	text->before = monotonic_ns();
	n = pread(book_fd, text->text, sizeof(text->text) - 1, 0);
	text->after = monotonic_ns();
	if (n <= 0)
		ksft_exit_fail_msg("read %s: %s\n", BOOK_PATH, n ? strerror(errno) : "empty");
	/* The snapshot is taken; a read returns no more than a page of it. */
	for (text->length = n; n > 0; text->length += n) {
		n = pread(book_fd, text->text + text->length,
			  sizeof(text->text) - 1 - text->length, text->length);
		if (n < 0)
			ksft_exit_fail_msg("read %s: %s\n", BOOK_PATH, strerror(errno));
	}
	text->text[text->length] = '\0';
}

static const char *parse_row(struct book_row *row, char *line)
{
	char *word, *save = NULL;
	int i;

	memset(row, 0, sizeof(*row));
	word = strtok_r(line, " \t", &save);
	if (!word || strncmp(word, "cpu", 3))
		return wrong("a row begins with '%s'", word ? word : "");
	if (word[3]) {
		uint64_t cpu;

		if (!parse_u64(word + 3, &cpu) || cpu > INT32_MAX)
			return wrong("a row is called '%s'", word);
		row->cpu = cpu;
	} else {
		row->cpu = BOOK_ALL;
	}
	for (i = 0; i < BOOK_FIELDS; i++) {
		word = strtok_r(NULL, " \t", &save);
		if (!word)
			return wrong("row %d ends before %s", row->cpu, book_field_name[i]);
		if (!strcmp(word, "-"))
			continue;
		if (!parse_u64(word, &row->ns[i]))
			return wrong("row %d: %s is '%s'", row->cpu, book_field_name[i], word);
		row->known |= 1u << i;
	}
	/* There is no share of nothing. */
	word = strtok_r(NULL, " \t", &save);
	if (!word || !(parse_percent(word, &row->busy_pct) ||
		       (!strcmp(word, "-") && !row->ns[ELAPSED])))
		return wrong("row %d: busy_pct is '%s'", row->cpu, word ? word : "");
	word = strtok_r(NULL, " \t", &save);
	if (!word || (strcmp(word, "online") && strcmp(word, "offline")))
		return wrong("row %d: state is '%s'", row->cpu, word ? word : "");
	row->online = !strcmp(word, "online");
	return NULL;
}

const char *book_parse(struct book *book, const struct book_text *text)
{
	static char copy[sizeof(text->text)];
	char *line, *save = NULL;
	const char *error;
	bool named = false;

	book->before = text->before;
	book->after = text->after;
	book->rows = 0;
	memcpy(copy, text->text, text->length + 1);
	if (text->length == 0 || copy[text->length - 1] != '\n')
		return wrong("the last line does not end");

	line = strtok_r(copy, "\n", &save);
	if (!line || sscanf(line, "# cpuprecise 1 epoch=%" SCNu64 " clock=%15s since_ns=%" SCNu64
			    " now_ns=%" SCNu64, &book->epoch, book->clock, &book->since,
			    &book->now) != 4)
		return wrong("the header is '%s'", line ? line : "");
	while ((line = strtok_r(NULL, "\n", &save))) {
		if (*line == '#') {
			/* Columns may be appended, never changed. */
			named = !strncmp(line, columns, sizeof(columns) - 1);
			continue;
		}
		if (!named)
			return wrong("the columns are not named as documented");
		if (book->rows == BOOK_MAX_CPUS + 1)
			return wrong("more than %d rows", book->rows);
		error = parse_row(&book->row[book->rows++], line);
		if (error)
			return error;
	}
	if (book->rows < 2 || book->row[0].cpu != BOOK_ALL)
		return wrong("%d rows, of which the first is %d", book->rows, book->row[0].cpu);
	return NULL;
}

/* Reads the file; a text that does not parse ends the test. */
void book_read(struct book *book)
{
	static struct book_text text;
	const char *error;

	book_take(&text);
	error = book_parse(book, &text);
	if (error)
		ksft_exit_fail_msg("%s: %s\n%s\n", BOOK_PATH, error, text.text);
}

const struct book_row *book_find(const struct book *book, int cpu)
{
	int i;

	for (i = 0; i < book->rows; i++)
		if (book->row[i].cpu == cpu)
			return &book->row[i];
	return NULL;
}

const struct book_row *book_cpu(const struct book *book, int cpu)
{
	const struct book_row *row = book_find(book, cpu);

	if (!row)
		ksft_exit_fail_msg("no row of CPU %d\n", cpu);
	return row;
}

/* As in /proc/stat, guest and guest_nice are part of user and nice. */
uint64_t book_sum(const struct book_row *row)
{
	uint64_t sum = 0;
	int i;

	for (i = USER; i <= STEAL; i++)
		sum += row->ns[i];
	return sum;
}

uint64_t book_busy(const struct book_row *row)
{
	return row->ns[ELAPSED] - row->ns[IDLE] - row->ns[IOWAIT];
}

uint64_t book_delta(const struct book *a, const struct book *b, int cpu, enum book_field field)
{
	return book_cpu(b, cpu)->ns[field] - book_cpu(a, cpu)->ns[field];
}

uint64_t book_busy_delta(const struct book *a, const struct book *b, int cpu)
{
	return book_busy(book_cpu(b, cpu)) - book_busy(book_cpu(a, cpu));
}

/* What must hold for one read by itself, as integers. */
const char *book_check(const struct book *book)
{
	uint64_t total[BOOK_FIELDS] = { 0 };
	const struct book_row *all = &book->row[0];
	int i, f;

	for (i = 0; i < book->rows; i++) {
		const struct book_row *row = &book->row[i];
		uint64_t exact;

		if (book_sum(row) != row->ns[ELAPSED])
			return wrong("row %d: the categories add up to %" PRIu64 ", elapsed is %"
				     PRIu64, row->cpu, book_sum(row), row->ns[ELAPSED]);
		for (f = 0; f < 2; f++)
			if (row->ns[GUEST + f] > row->ns[USER + f])
				return wrong("row %d: %s is %" PRIu64 ", %s is %" PRIu64, row->cpu,
					     book_field_name[GUEST + f], row->ns[GUEST + f],
					     book_field_name[USER + f], row->ns[USER + f]);
		if (row->busy_pct > 10000)
			return wrong("row %d: busy_pct is %u.%02u", row->cpu,
				     row->busy_pct / 100, row->busy_pct % 100);
		exact = row->ns[ELAPSED] ?
			(unsigned __int128)book_busy(row) * 10000 / row->ns[ELAPSED] : 0;
		if (row->busy_pct > exact + 1 || row->busy_pct + 1 < exact)
			return wrong("row %d: busy_pct is %u.%02u, its columns say %u.%02u",
				     row->cpu, row->busy_pct / 100, row->busy_pct % 100,
				     (unsigned int)exact / 100, (unsigned int)exact % 100);
		if (i && i > 1 && row->cpu <= row[-1].cpu)
			return wrong("row %d follows row %d", row->cpu, row[-1].cpu);
		for (f = 0; i && f < BOOK_FIELDS; f++)
			total[f] += row->ns[f];
	}
	for (f = 0; f < BOOK_FIELDS; f++)
		if (all->ns[f] != total[f])
			return wrong("row cpu: %s is %" PRIu64 ", the rows add up to %" PRIu64,
				     book_field_name[f], all->ns[f], total[f]);
	if (book->now < book->before || book->now > book->after)
		return wrong("now_ns %" PRIu64 " is outside of the read, %" PRIu64 "..%" PRIu64,
			     book->now, book->before, book->after);
	return NULL;
}

/* What must hold for a read that follows another one of the same epoch. */
const char *book_check_after(const struct book *a, const struct book *b)
{
	int i, f;

	if (a->epoch != b->epoch || a->since != b->since)
		return wrong("epoch %" PRIu64 " since %" PRIu64 " became epoch %" PRIu64 " since %"
			     PRIu64, a->epoch, a->since, b->epoch, b->since);
	if (b->now < a->now)
		return wrong("now_ns went from %" PRIu64 " to %" PRIu64, a->now, b->now);
	for (i = 0; i < a->rows; i++) {
		const struct book_row *old = &a->row[i], *new = book_find(b, old->cpu);

		if (!new)
			return wrong("row %d went away", old->cpu);
		for (f = 0; f < BOOK_FIELDS; f++)
			if (new->ns[f] < old->ns[f])
				return wrong("row %d: %s went from %" PRIu64 " to %" PRIu64,
					     old->cpu, book_field_name[f], old->ns[f], new->ns[f]);
		for (f = 0; f < 2; f++)
			if (new->ns[GUEST + f] - old->ns[GUEST + f] > new->ns[USER + f] - old->ns[USER + f])
				return wrong("row %d: %s grew by more than %s", old->cpu,
					     book_field_name[GUEST + f], book_field_name[USER + f]);
		/* It may have come and gone between two reads; hotplug/row looks at one that did not. */
		if (!old->online && !new->online && old->cpu >= 0 &&
		    new->ns[ELAPSED] - old->ns[ELAPSED] > b->after - a->before)
			return wrong("row %d grew by more than the time in between while offline",
				     old->cpu);
	}
	return NULL;
}

/*
 * elapsed of each CPU that is online against CLOCK_MONOTONIC: since the epoch,
 * or since another read (@from) where that one is given. Within 0.1 % and the
 * width of the reads. @lost, ns: time that CLOCK_MONOTONIC does not know of, and
 * the books may have, or a part of it.
 */
const char *book_check_elapsed_lost(const struct book *book, const struct book *from, uint64_t lost)
{
	uint64_t wall = book->now - (from ? from->now : book->since);
	uint64_t width = book->after - book->before + (from ? from->after - from->before : 0);
	uint64_t bound = wall / 1000 + width;
	int i;

	for (i = 1; i < book->rows; i++) {
		const struct book_row *row = &book->row[i];
		uint64_t elapsed = row->ns[ELAPSED];

		if (!row->online)
			continue;
		if (from)
			elapsed -= book_cpu(from, row->cpu)->ns[ELAPSED];
		if (elapsed + bound < wall || elapsed > wall + lost + bound)
			return wrong("row %d: elapsed %" PRIu64 " against %" PRIu64
				     " of CLOCK_MONOTONIC, which lost %" PRIu64 " (read %" PRIu64
				     " wide)", row->cpu, elapsed, wall, lost, width);
	}
	return NULL;
}

const char *book_check_elapsed(const struct book *book, const struct book *from)
{
	return book_check_elapsed_lost(book, from, 0);
}

void book_print(const struct book *book)
{
	int i, f;

	for (i = 0; i < book->rows; i++) {
		ksft_print_msg("cpu%d %s:", book->row[i].cpu, book->row[i].online ? "online" : "offline");
		for (f = 0; f < BOOK_FIELDS; f++)
			printf(" %s=%" PRIu64, book_field_name[f], book->row[i].ns[f]);
		printf("\n");
	}
}
