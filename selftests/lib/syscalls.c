// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module's files syscalls and syscall_hist as structures, and the rules that
 * hold at every read.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "machine.h"
#include "parse.h"
#include "syscalls.h"
#include "table.h"

static const char file[] = "syscalls", hist[] = "syscall_hist";
static const char columns[] = "# abi nr name count cpu_ns wall_ns max_ns";
static const char hist_columns[] = "# abi nr name kind bucket_ns count";

/* Ends the test as skipped when there is nothing to test. */
void syscalls_require(void)
{
	book_require();
	if (geteuid())
		ksft_exit_skip("needs root\n");
	if (access(BOOK_DEBUGFS "syscalls", R_OK))
		ksft_exit_skip("this module has no syscalls\n");
}

/* A new epoch. */
void syscalls_reset(void)
{
	must_write(BOOK_DEBUGFS "reset", "1");
}

/* --- parsing ------------------------------------------------------------------------- */

/* One of two words. */
static bool is_second(const char *from, const char *word, const char *first, const char *second)
{
	if (!strcmp(word, second))
		return true;
	if (strcmp(word, first))
		ksft_exit_fail_msg("%s: '%s' is neither %s nor %s\n", from, word, first, second);
	return false;
}

/* A number has a name; what no table has, has none. */
static int parse_nr(const char *from, const char *word, const char *name)
{
	uint64_t nr;

	if (!strcmp(word, "other") && !strcmp(name, "-"))
		return SYSCALLS_OTHER;
	nr = table_count(from, word);
	if (nr > INT32_MAX)
		ksft_exit_fail_msg("%s: '%s' is no system call\n", from, word);
	return nr;
}

static void parse_row(struct syscalls_row *row, char *line)
{
	char *word[TABLE_WORDS];

	table_split(file, line, word, 7);
	row->compat = is_second(file, word[0], "native", "compat");
	row->nr = parse_nr(file, word[1], word[2]);
	snprintf(row->name, sizeof(row->name), "%s", word[2]);
	row->count = table_count(file, word[3]);
	row->cpu = table_count(file, word[4]);
	row->wall = table_count(file, word[5]);
	row->max = table_count(file, word[6]);
}

static void parse_bucket(struct syscalls_bucket *bucket, char *line)
{
	char *word[TABLE_WORDS];

	table_split(hist, line, word, 6);
	bucket->compat = is_second(hist, word[0], "native", "compat");
	bucket->nr = parse_nr(hist, word[1], word[2]);
	snprintf(bucket->name, sizeof(bucket->name), "%s", word[2]);
	bucket->wall = is_second(hist, word[3], "cpu", "wall");
	bucket->from = table_count(hist, word[4]);
	bucket->count = table_count(hist, word[5]);
}

/* The histograms first: what has ended by then was counted before. */
void syscalls_read(struct syscalls *s)
{
	char *line, *save = NULL;

	s->before = monotonic_ns();
	line = table_read(hist, hist_columns, &save);
	for (s->buckets = 0; line; line = strtok_r(NULL, "\n", &save)) {
		if (s->buckets == SYSCALLS_MAX_BUCKETS)
			ksft_exit_fail_msg("%s: more than %u rows\n", hist, s->buckets);
		parse_bucket(&s->bucket[s->buckets++], line);
	}
	line = table_read(file, columns, &save);
	s->after = monotonic_ns();
	for (s->rows = 0; line; line = strtok_r(NULL, "\n", &save)) {
		if (s->rows == SYSCALLS_MAX_ROWS)
			ksft_exit_fail_msg("%s: more than %u rows\n", file, s->rows);
		parse_row(&s->row[s->rows++], line);
	}
}

/* @last: an earlier read of the same epoch, or NULL. What is not right ends the test. */
void syscalls_read_checked(struct syscalls *s, const struct syscalls *last)
{
	const char *error;

	syscalls_read(s);
	error = syscalls_check(s);
	if (!error && last)
		error = syscalls_check_after(last, s);
	if (!error)
		return;
	syscalls_print(s);
	ksft_exit_fail_msg("%s\n", error);
}

void syscalls_print_row(const struct syscalls_row *row)
{
	ksft_print_msg("%s %d %s: count %" PRIu64 ", cpu %" PRIu64 ", wall %" PRIu64 ", max %" PRIu64 "\n",
		       row->compat ? "compat" : "native", row->nr, row->name, row->count, row->cpu,
		       row->wall, row->max);
}

void syscalls_print(const struct syscalls *s)
{
	unsigned int i;

	for (i = 0; i < s->rows; i++)
		syscalls_print_row(&s->row[i]);
}

/* --- questions ----------------------------------------------------------------------- */

/* NULL while there was no such call. */
const struct syscalls_row *syscalls_find(const struct syscalls *s, bool compat, int nr)
{
	unsigned int i;

	for (i = 0; i < s->rows; i++)
		if (s->row[i].compat == compat && s->row[i].nr == nr)
			return &s->row[i];
	return NULL;
}

/* How many calls have ended, by one of the two histograms. */
uint64_t syscalls_ended(const struct syscalls *s, bool compat, int nr, bool wall)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < s->buckets; i++)
		if (s->bucket[i].compat == compat && s->bucket[i].nr == nr && s->bucket[i].wall == wall)
			sum += s->bucket[i].count;
	return sum;
}

struct syscalls_delta syscalls_delta(const struct syscalls *a, const struct syscalls *b, bool compat, int nr)
{
	static const struct syscalls_row none;
	const struct syscalls_row *from = syscalls_find(a, compat, nr) ?: &none;
	const struct syscalls_row *to = syscalls_find(b, compat, nr) ?: &none;

	return (struct syscalls_delta){
		.count = to->count - from->count,
		.cpu = to->cpu - from->cpu,
		.wall = to->wall - from->wall,
		.ended = syscalls_ended(b, compat, nr, true) - syscalls_ended(a, compat, nr, true),
	};
}

/* Calls of all rows. */
uint64_t syscalls_count(const struct syscalls *s)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < s->rows; i++)
		sum += s->row[i].count;
	return sum;
}

/* What those that have ended took of CPUs. */
uint64_t syscalls_cpu(const struct syscalls *s)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < s->rows; i++)
		sum += s->row[i].cpu;
	return sum;
}

/* --- what must hold ------------------------------------------------------------------ */

static const char *check_row(const struct syscalls *s, const struct syscalls_row *row)
{
	if (syscalls_find(s, row->compat, row->nr) != row)
		return wrong("two rows of %s", row->name);
	if (!row->count)
		return wrong("%s: a row of no call", row->name);
	if (row->count > UINT64_MAX / 4 || row->wall > UINT64_MAX / 4)
		return wrong("%s: count %" PRIu64 ", wall %" PRIu64, row->name, row->count, row->wall);
	if (row->cpu > row->wall || row->max > row->wall)
		return wrong("%s: cpu %" PRIu64 ", max %" PRIu64 ", wall %" PRIu64, row->name, row->cpu,
			     row->max, row->wall);
	/* Kept apart: the one may be read between what two calls add to the other. */
	if (syscalls_ended(s, row->compat, row->nr, false) > row->count ||
	    syscalls_ended(s, row->compat, row->nr, true) > row->count)
		return wrong("%s: %" PRIu64 " calls, ended %" PRIu64 " and %" PRIu64, row->name, row->count,
			     syscalls_ended(s, row->compat, row->nr, false),
			     syscalls_ended(s, row->compat, row->nr, true));
	return NULL;
}

static bool is_bucket(uint64_t from)
{
	return !from || (from >= 2 && !(from & (from - 1)));
}

static const char *check_bucket(const struct syscalls *s, unsigned int i)
{
	const struct syscalls_bucket *bucket = &s->bucket[i];
	const struct syscalls_row *row = syscalls_find(s, bucket->compat, bucket->nr);
	unsigned int j;

	if (!row || strcmp(row->name, bucket->name))
		return wrong("%s: a histogram without a row", bucket->name);
	if (!is_bucket(bucket->from))
		return wrong("%s: a bucket from %" PRIu64, bucket->name, bucket->from);
	/* None is longer than the longest, which was read later. */
	if (bucket->count && bucket->from > row->max)
		return wrong("%s: a call of %" PRIu64 " or more, the longest took %" PRIu64, bucket->name,
			     bucket->from, row->max);
	for (j = 0; j < i; j++)
		if (s->bucket[j].compat == bucket->compat && s->bucket[j].nr == bucket->nr &&
		    s->bucket[j].wall == bucket->wall && s->bucket[j].from == bucket->from)
			return wrong("%s: two buckets from %" PRIu64, bucket->name, bucket->from);
	return NULL;
}

const char *syscalls_check(const struct syscalls *s)
{
	const char *error = NULL;
	unsigned int i;

	for (i = 0; i < s->rows && !error; i++)
		error = check_row(s, &s->row[i]);
	for (i = 0; i < s->buckets && !error; i++)
		error = check_bucket(s, i);
	return error;
}

static const char *check_buckets_after(const struct syscalls *a, const struct syscalls *b)
{
	unsigned int i, j;

	for (i = 0; i < a->buckets; i++) {
		const struct syscalls_bucket *was = &a->bucket[i];

		for (j = 0; j < b->buckets; j++)
			if (b->bucket[j].compat == was->compat && b->bucket[j].nr == was->nr &&
			    b->bucket[j].wall == was->wall && b->bucket[j].from == was->from)
				break;
		if (was->count && (j == b->buckets || b->bucket[j].count < was->count))
			return wrong("%s: fewer than %" PRIu64 " from %" PRIu64, was->name, was->count,
				     was->from);
	}
	return NULL;
}

/* Rows stay, and nothing goes back. */
const char *syscalls_check_after(const struct syscalls *a, const struct syscalls *b)
{
	unsigned int i;

	for (i = 0; i < a->rows; i++) {
		const struct syscalls_row *was = &a->row[i];
		const struct syscalls_row *is = syscalls_find(b, was->compat, was->nr);

		if (!is || strcmp(is->name, was->name))
			return wrong("%s: its row went", was->name);
		if (is->count < was->count || is->cpu < was->cpu || is->wall < was->wall ||
		    is->max < was->max)
			return wrong("%s: %" PRIu64 " (%" PRIu64 ", %" PRIu64 ", %" PRIu64 ") after %"
				     PRIu64 " (%" PRIu64 ", %" PRIu64 ", %" PRIu64 ")", was->name,
				     is->count, is->cpu, is->wall, is->max, was->count, was->cpu,
				     was->wall, was->max);
	}
	return check_buckets_after(a, b);
}

/*
 * Of a call that nobody is in and nobody makes: the histograms have each one, and the sums
 * lie between what their buckets begin and end with.
 */
const char *syscalls_check_hist(const struct syscalls *s, bool compat, int nr)
{
	const struct syscalls_row *row = syscalls_find(s, compat, nr);
	unsigned int i, kind;

	if (!row)
		return wrong("no row of %d", nr);
	if (row->wall / row->count > row->max)
		return wrong("%s: %" PRIu64 " calls, the longest took %" PRIu64 ", all of them %" PRIu64,
			     row->name, row->count, row->max, row->wall);
	for (kind = 0; kind < 2; kind++) {
		uint64_t least = 0, most = 0, sum = kind ? row->wall : row->cpu, count = 0;

		for (i = 0; i < s->buckets; i++) {
			const struct syscalls_bucket *bucket = &s->bucket[i];

			if (bucket->compat != compat || bucket->nr != nr || bucket->wall != kind)
				continue;
			count += bucket->count;
			least += bucket->count * bucket->from;
			most += bucket->count * (bucket->from ? 2 * bucket->from : 2);
		}
		if (count != row->count)
			return wrong("%s: %" PRIu64 " calls, %" PRIu64 " ended (%s)", row->name, row->count,
				     count, kind ? "wall" : "cpu");
		if (sum < least || sum >= most)
			return wrong("%s: %" PRIu64 " ns (%s), by its buckets %" PRIu64 " to %" PRIu64,
				     row->name, sum, kind ? "wall" : "cpu", least, most);
	}
	return NULL;
}
