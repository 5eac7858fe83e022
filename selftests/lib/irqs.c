// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module's files irqs, softirqs, their histograms and theft as structures, and the
 * rules that hold at every read.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "irqs.h"
#include "machine.h"
#include "parse.h"
#include "table.h"

/* In the order of the file. */
const char *const irqs_kind_name[IRQS_KINDS] = {
	"vector", "line", "ipi", "softirq", "nmi", "other", "total",
};

static const char columns[] = "# cpu kind vector name count time_ns max_ns";
static const char soft_columns[] =
	"# cpu kind vector name count time_ns max_ns ksoftirqd_ns delays delay_ns max_delay_ns";
static const char hist_columns[] = "# cpu kind vector name bucket_ns count";
static const char soft_hist_columns[] = "# cpu vector name kind bucket_ns count";
static const char theft_columns[] = "# tgid pid comm kind name count time_ns";

/* Ends the test as skipped when there is nothing to test. */
void irqs_require(const char *file)
{
	char path[128];

	book_require();
	if (geteuid())
		ksft_exit_skip("needs root\n");
	snprintf(path, sizeof(path), BOOK_DEBUGFS "%s", file);
	if (access(path, R_OK))
		ksft_exit_skip("this module has no %s\n", file);
}

static const char *file_of(bool soft)
{
	return soft ? "softirqs" : "irqs";
}

/* --- parsing ------------------------------------------------------------------------- */

static enum irqs_kind parse_kind(const char *file, const char *word)
{
	int kind;

	for (kind = 0; kind < IRQS_KINDS; kind++)
		if (!strcmp(word, irqs_kind_name[kind]))
			return kind;
	ksft_exit_fail_msg("%s: a row is of kind '%s'\n", file, word);
	return IRQS_OTHER;
}

static int parse_number(const char *file, const char *word)
{
	uint64_t value;

	if (!strcmp(word, "-"))
		return -1;
	value = table_count(file, word);
	if (value > INT32_MAX)
		ksft_exit_fail_msg("%s: '%s' is no interrupt\n", file, word);
	return value;
}

static bool has_number(enum irqs_kind kind)
{
	return kind == IRQS_VECTOR || kind == IRQS_LINE || kind == IRQS_SOFTIRQ;
}

/* @known: not each row has each figure. */
static uint64_t figure(const char *file, const char *word, bool known)
{
	if (known != !!strcmp(word, "-"))
		ksft_exit_fail_msg("%s: '%s' where a figure is %s\n", file, word, known ? "known" : "unknown");
	return known ? table_count(file, word) : 0;
}

static void parse_row(struct irqs_row *row, bool soft, char *line)
{
	const char *file = file_of(soft);
	char *word[TABLE_WORDS];
	bool total, timed, waits;

	memset(row, 0, sizeof(*row));
	table_split(file, line, word, soft ? 11 : 7);
	row->cpu = table_cpu(file, word[0]);
	row->kind = parse_kind(file, word[1]);
	row->number = parse_number(file, word[2]);
	table_unescape(file, word[3], row->name, sizeof(row->name));
	if ((row->number >= 0) != has_number(row->kind))
		ksft_exit_fail_msg("%s: number '%s' of kind %s\n", file, word[2], word[1]);
	total = row->kind == IRQS_TOTAL;
	if (soft ? !total && row->kind != IRQS_SOFTIRQ : row->kind == IRQS_SOFTIRQ)
		ksft_exit_fail_msg("%s: a row is of kind '%s'\n", file, word[1]);
	row->count = table_count(file, word[4]);
	/* Of NMIs that have no row there is a count only. */
	timed = row->kind != IRQS_NMI || strcmp(row->name, "other");
	row->time = figure(file, word[5], timed);
	row->max = figure(file, word[6], timed && !total);
	if (!soft)
		return;
	row->daemon = figure(file, word[7], !total);
	/* Those are on demand: all of them, or none. */
	waits = !total && strcmp(word[8], "-");
	row->delays = figure(file, word[8], waits);
	row->delay = figure(file, word[9], waits);
	row->delay_max = figure(file, word[10], waits);
}

/* One row of a histogram, which are read before the rows that they are of. */
struct bucket {
	int cpu, number;
	enum irqs_kind kind;
	bool delay;
	char name[64];
	uint64_t from, count;
};

static struct bucket *bucket;
static unsigned int buckets, room;

static void parse_bucket(struct bucket *b, bool soft, char *line)
{
	const char *file = soft ? "softirq_hist" : "irq_hist";
	char *word[TABLE_WORDS];

	memset(b, 0, sizeof(*b));
	table_split(file, line, word, 6);
	b->cpu = table_cpu(file, word[0]);
	b->kind = soft ? IRQS_SOFTIRQ : parse_kind(file, word[1]);
	b->number = parse_number(file, word[soft ? 1 : 2]);
	table_unescape(file, word[soft ? 2 : 3], b->name, sizeof(b->name));
	b->delay = soft && !strcmp(word[3], "delay");
	if (soft && !b->delay && strcmp(word[3], "time"))
		ksft_exit_fail_msg("%s: '%s' is neither time nor delay\n", file, word[3]);
	b->from = table_count(file, word[4]);
	b->count = table_count(file, word[5]);
	if (b->from == 1 || b->from & (b->from - 1))
		ksft_exit_fail_msg("%s: a bucket from %" PRIu64 "\n", file, b->from);
}

static void read_buckets(bool soft)
{
	const char *file = soft ? "softirq_hist" : "irq_hist";
	char *line, *save = NULL;

	line = table_read(file, soft ? soft_hist_columns : hist_columns, &save);
	for (buckets = 0; line; line = strtok_r(NULL, "\n", &save)) {
		if (buckets == room) {
			room = room ? room * 2 : 1024;
			bucket = realloc(bucket, room * sizeof(*bucket));
			if (!bucket)
				ksft_exit_fail_msg("no memory for %u buckets\n", room);
		}
		parse_bucket(&bucket[buckets++], soft, line);
	}
}

static void add_bucket(struct irqs *irqs, const struct bucket *b)
{
	struct irqs_row *row = (struct irqs_row *)irqs_find(irqs, b->cpu, b->kind, b->number, b->name);
	struct irqs_hist *hist;

	if (!row)
		ksft_exit_fail_msg("a histogram of CPU %d's %s %d '%s', which has no row\n", b->cpu,
				   irqs_kind_name[b->kind], b->number, b->name);
	hist = b->delay ? &row->delayed : &row->times;
	hist->count += b->count;
	hist->least += b->count * b->from;
	hist->most += b->count * (b->from ? 2 * b->from : 2);
	if (b->count && b->from >= hist->longest)
		hist->longest = b->from;
}

/* The histograms first: what has ended by then was counted before. */
void irqs_read(struct irqs *irqs, bool soft)
{
	const char *file = file_of(soft);
	char *line, *save = NULL;
	unsigned int i;

	irqs->soft = soft;
	read_buckets(soft);
	irqs->before = monotonic_ns();
	line = table_read(file, soft ? soft_columns : columns, &save);
	irqs->after = monotonic_ns();
	for (irqs->rows = 0; line; line = strtok_r(NULL, "\n", &save)) {
		if (irqs->rows == IRQS_MAX_ROWS)
			ksft_exit_fail_msg("%s: more than %u rows\n", file, irqs->rows);
		parse_row(&irqs->row[irqs->rows++], soft, line);
	}
	for (i = 0; i < buckets; i++)
		add_bucket(irqs, &bucket[i]);
}

/* @last: an earlier read of the same file in the same epoch, or NULL. What is not right ends the test. */
void irqs_read_checked(struct irqs *irqs, bool soft, const struct irqs *last)
{
	const char *error;

	irqs_read(irqs, soft);
	error = irqs_check(irqs);
	if (!error && last)
		error = irqs_check_after(last, irqs);
	if (!error)
		return;
	irqs_print(irqs);
	ksft_exit_fail_msg("%s: %s\n", file_of(soft), error);
}

void irqs_print_row(const struct irqs_row *row)
{
	ksft_print_msg("CPU %d %s %d '%s': count %" PRIu64 ", time %" PRIu64 ", max %" PRIu64 ", delays %"
		       PRIu64 ", delay %" PRIu64 "\n", row->cpu, irqs_kind_name[row->kind], row->number,
		       row->name, row->count, row->time, row->max, row->delays, row->delay);
}

void irqs_print(const struct irqs *irqs)
{
	unsigned int i;

	for (i = 0; i < irqs->rows; i++)
		irqs_print_row(&irqs->row[i]);
}

/* --- questions ----------------------------------------------------------------------- */

/* @name: NULL: whatever it is called. Returns NULL if there is no such row. */
const struct irqs_row *irqs_find(const struct irqs *irqs, int cpu, enum irqs_kind kind, int number,
				 const char *name)
{
	unsigned int i;

	for (i = 0; i < irqs->rows; i++) {
		const struct irqs_row *row = &irqs->row[i];

		if (row->cpu == cpu && row->kind == kind && row->number == number &&
		    (!name || !strcmp(row->name, name)))
			return row;
	}
	return NULL;
}

/* A CPU's last row. */
const struct irqs_row *irqs_total(const struct irqs *irqs, int cpu)
{
	const struct irqs_row *row = irqs_find(irqs, cpu, IRQS_TOTAL, -1, NULL);

	if (!row)
		ksft_exit_fail_msg("%s: CPU %d has no row total\n", file_of(irqs->soft), cpu);
	return row;
}

/* 0 if there is no such row. */
uint64_t irqs_count(const struct irqs *irqs, int cpu, enum irqs_kind kind, int number, const char *name)
{
	const struct irqs_row *row = irqs_find(irqs, cpu, kind, number, name);

	return row ? row->count : 0;
}

/* --- what must hold ------------------------------------------------------------------ */

static const char *check_order(const struct irqs_row *a, const struct irqs_row *b)
{
	bool ok = true;

	if (a->cpu != b->cpu)
		ok = a->cpu < b->cpu && a->kind == IRQS_TOTAL;
	else if (a->kind != b->kind)
		ok = a->kind < b->kind;
	else if (a->number != b->number)
		ok = a->number < b->number;
	else
		ok = strcmp(a->name, b->name) < 0;
	if (ok)
		return NULL;
	return wrong("CPU %d's %s %d '%s' is followed by CPU %d's %s %d '%s'", a->cpu,
		     irqs_kind_name[a->kind], a->number, a->name, b->cpu, irqs_kind_name[b->kind],
		     b->number, b->name);
}

static const char *check_row(const struct irqs_row *row, const struct irqs_row *total)
{
	if (!row->count && !row->time)
		return wrong("CPU %d '%s': a row of nothing", row->cpu, row->name);
	if (row->count > UINT64_MAX / 4 || row->time > UINT64_MAX / 4 || row->delay > UINT64_MAX / 4)
		return wrong("CPU %d '%s': count %" PRIu64 ", time %" PRIu64 ", delay %" PRIu64, row->cpu,
			     row->name, row->count, row->time, row->delay);
	if (row->kind != IRQS_NMI && row->max > total->time)
		return wrong("CPU %d '%s': max %" PRIu64 ", time of all %" PRIu64, row->cpu, row->name,
			     row->max, total->time);
	/* Those that ended between the two reads are in the later one only. */
	if (row->times.count > row->count || row->delayed.count > row->delays)
		return wrong("CPU %d '%s': %" PRIu64 " of %" PRIu64 " in the histogram, delays %" PRIu64
			     " of %" PRIu64, row->cpu, row->name, row->times.count, row->count,
			     row->delayed.count, row->delays);
	/* One may have begun that has not ended. */
	if (row->delays > row->count + 1 || row->delay_max > row->delay || row->daemon > total->time)
		return wrong("CPU %d '%s': count %" PRIu64 ", delays %" PRIu64 " of %" PRIu64 ", max %"
			     PRIu64 ", ksoftirqd %" PRIu64, row->cpu, row->name, row->count, row->delays,
			     row->delay, row->delay_max, row->daemon);
	return NULL;
}

/* Rows without total and NMIs add up to it, to the nanosecond. */
static const char *check_sum(const struct irqs *irqs, const struct irqs_row *total)
{
	uint64_t count = 0, time = 0;
	const char *error;
	unsigned int i;

	for (i = 0; i < irqs->rows; i++) {
		const struct irqs_row *row = &irqs->row[i];

		if (row->cpu != total->cpu || row == total)
			continue;
		error = check_row(row, total);
		if (error)
			return error;
		if (row->kind == IRQS_NMI)
			continue;
		count += row->count;
		time += row->time;
	}
	if (count != total->count || time != total->time)
		return wrong("CPU %d: rows add up to %" PRIu64 " and %" PRIu64 " ns, total is %" PRIu64
			     " and %" PRIu64 " ns", total->cpu, count, time, total->count, total->time);
	if (strcmp(total->name, irqs->soft ? "softirq" : "irq"))
		return wrong("CPU %d: total is called '%s'", total->cpu, total->name);
	return NULL;
}

/* What must hold for one read by itself. */
const char *irqs_check(const struct irqs *irqs)
{
	const char *error = NULL;
	unsigned int i;

	if (!irqs->rows || irqs->row[irqs->rows - 1].kind != IRQS_TOTAL)
		return wrong("%u rows, of which the last is no total", irqs->rows);
	for (i = 1; i < irqs->rows && !error; i++)
		error = check_order(&irqs->row[i - 1], &irqs->row[i]);
	for (i = 0; i < irqs->rows && !error; i++)
		if (irqs->row[i].kind == IRQS_TOTAL)
			error = check_sum(irqs, &irqs->row[i]);
	return error;
}

/* What must hold for a read that follows another one of the same epoch: rows stay, and nothing goes back. */
const char *irqs_check_after(const struct irqs *a, const struct irqs *b)
{
	unsigned int i;

	for (i = 0; i < a->rows; i++) {
		const struct irqs_row *was = &a->row[i];
		const struct irqs_row *is = irqs_find(b, was->cpu, was->kind, was->number, was->name);

		if (!is)
			return wrong("CPU %d '%s': its row went", was->cpu, was->name);
		if (is->count < was->count || is->time < was->time || is->max < was->max ||
		    is->daemon < was->daemon || is->delays < was->delays || is->delay < was->delay ||
		    is->delay_max < was->delay_max)
			return wrong("CPU %d '%s': %" PRIu64 ", %" PRIu64 " ns, max %" PRIu64 ", delays %"
				     PRIu64 ", %" PRIu64 " ns after %" PRIu64 ", %" PRIu64 " ns, max %"
				     PRIu64 ", delays %" PRIu64 ", %" PRIu64 " ns", was->cpu, was->name,
				     is->count, is->time, is->max, is->delays, is->delay, was->count,
				     was->time, was->max, was->delays, was->delay);
		if (is->times.count < was->times.count || is->delayed.count < was->delayed.count)
			return wrong("CPU %d '%s': its histogram went back", was->cpu, was->name);
	}
	return NULL;
}

/* @slack: a row's nanoseconds may be another's for one read. */
static bool hist_fits(const struct irqs_hist *hist, uint64_t count, uint64_t sum, uint64_t max, uint64_t slack)
{
	return hist->count == count && sum + slack >= hist->least && sum <= hist->most + slack &&
	       max >= hist->longest && (!count || max < 2 * hist->longest + 2);
}

static const char *misfit(const struct irqs_row *row)
{
	return wrong("CPU %d '%s': %" PRIu64 ", %" PRIu64 " ns, max %" PRIu64 ", by the histogram %" PRIu64
		     ", %" PRIu64 "..%" PRIu64 " ns, max from %" PRIu64 "; delays %" PRIu64 ", %" PRIu64
		     " ns, max %" PRIu64 ", %" PRIu64 ", %" PRIu64 "..%" PRIu64 " ns, max from %" PRIu64,
		     row->cpu, row->name, row->count, row->time, row->max, row->times.count,
		     row->times.least, row->times.most, row->times.longest, row->delays, row->delay,
		     row->delay_max, row->delayed.count, row->delayed.least, row->delayed.most,
		     row->delayed.longest);
}

static bool fits(const struct irqs *irqs, const struct irqs_row *row)
{
	return hist_fits(&row->times, row->count, row->time, row->max, row->count + irqs->rows) &&
	       hist_fits(&row->delayed, row->delays, row->delay, row->delay_max, row->delays);
}

static bool has_hist(const struct irqs_row *row)
{
	return row->kind != IRQS_TOTAL && row->kind != IRQS_OTHER;
}

/* Of rows in which nothing happens: the histograms have each one, and bound the sums. */
const char *irqs_check_quiet(const struct irqs *irqs)
{
	unsigned int i;

	for (i = 0; i < irqs->rows; i++)
		if (has_hist(&irqs->row[i]) && !fits(irqs, &irqs->row[i]))
			return misfit(&irqs->row[i]);
	return NULL;
}

/*
 * The same of rows in which something may. A read begins with the histograms: they have
 * no fewer than the read @before, and no more than the rows.
 */
const char *irqs_check_hists(const struct irqs *irqs, const struct irqs *before)
{
	unsigned int i;

	for (i = 0; i < irqs->rows; i++) {
		const struct irqs_row *row = &irqs->row[i];

		if (!has_hist(row))
			continue;
		if (row->times.count < irqs_count(before, row->cpu, row->kind, row->number, row->name) ||
		    row->times.count > row->count ||
		    (row->times.count == row->count && row->delayed.count == row->delays && !fits(irqs, row)))
			return misfit(row);
	}
	return NULL;
}

/* --- theft --------------------------------------------------------------------------- */

static void parse_theft(struct irqs_theft_row *row, char *line, bool *end)
{
	const char *file = "theft";
	char *word[TABLE_WORDS];

	memset(row, 0, sizeof(*row));
	table_split(file, line, word, 7);
	row->tgid = parse_number(file, word[0]);
	row->pid = parse_number(file, word[1]);
	/* Of the two at the end, the kind is what they are. */
	*end = !strcmp(word[2], "-");
	table_unescape(file, *end ? word[3] : word[4], row->name, sizeof(row->name));
	row->count = table_count(file, word[5]);
	row->time = table_count(file, word[6]);
	if (*end)
		return;
	table_unescape(file, word[2], row->comm, sizeof(row->comm));
	row->kind = parse_kind(file, word[3]);
	if ((row->pid < 0) != (row->tgid < 0) || (row->pid < 0 && strcmp(row->comm, "other")))
		ksft_exit_fail_msg("%s: pid %s of %s is called '%s'\n", file, word[1], word[0], row->comm);
	if (!row->count && !row->time)
		ksft_exit_fail_msg("%s: a row of nothing: %s %s\n", file, word[1], word[4]);
}

void irqs_theft_read(struct irqs_theft *theft)
{
	char *line, *save = NULL;
	struct irqs_theft_row row;
	unsigned int ends = 0;
	bool end;

	line = table_read("theft", theft_columns, &save);
	for (theft->rows = 0; line; line = strtok_r(NULL, "\n", &save)) {
		parse_theft(&row, line, &end);
		if (end) {
			*(ends ? &theft->evicted : &theft->other) = row;
			if (++ends > 2 || strcmp(row.name, ends == 1 ? "other" : "evicted"))
				ksft_exit_fail_msg("theft: row '%s' at the end\n", row.name);
			continue;
		}
		if (ends || theft->rows == IRQS_THEFT_ROWS)
			ksft_exit_fail_msg("theft: %u rows, then %u, then one more\n", theft->rows, ends);
		if (theft->rows && row.time > theft->row[theft->rows - 1].time)
			ksft_exit_fail_msg("theft: %" PRIu64 " ns after %" PRIu64 "\n", row.time,
					   theft->row[theft->rows - 1].time);
		theft->row[theft->rows++] = row;
	}
	if (ends != 2)
		ksft_exit_fail_msg("theft: %u rows at the end\n", ends);
}

/* What was stolen, in all. */
uint64_t irqs_theft_sum(const struct irqs_theft *theft)
{
	uint64_t sum = theft->other.time + theft->evicted.time;
	unsigned int i;

	for (i = 0; i < theft->rows; i++)
		sum += theft->row[i].time;
	return sum;
}
