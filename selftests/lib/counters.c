// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module's file counters as structures, the rules that hold at every read,
 * and perf beside it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "counters.h"
#include "machine.h"
#include "parse.h"
#include "table.h"

static const char file[] = "counters";
static const char columns[] = "# cpu event value enabled_ns running_ns status";

/* Ends the test as skipped when there is nothing to test. */
void counters_require(void)
{
	book_require();
	if (geteuid())
		ksft_exit_skip("needs root\n");
	if (access(COUNTERS_PATH, R_OK))
		ksft_exit_skip("this module has no counters\n");
}

/* --- parsing ------------------------------------------------------------------------- */

static bool parse_known(const char *word, uint64_t *value)
{
	*value = 0;
	if (!strcmp(word, "-"))
		return false;
	*value = table_count(file, word);
	return true;
}

static void parse_row(struct counters_row *row, char *line)
{
	char *word[TABLE_WORDS], *blank;

	table_split(file, line, word, 6);
	row->cpu = table_cpu(file, word[0]);
	snprintf(row->event, sizeof(row->event), "%s", word[1]);
	row->counted = parse_known(word[2], &row->value);
	if (parse_known(word[3], &row->enabled) != parse_known(word[4], &row->running))
		ksft_exit_fail_msg("%s: '%s' has one time without the other\n", file, row->event);
	blank = strstr(word[5], "\\040");
	if (blank) {
		*blank = ' ';
		memmove(blank + 1, blank + 4, strlen(blank + 4) + 1);
	}
	snprintf(row->status, sizeof(row->status), "%s", word[5]);
}

static void parse_rows(struct counters *counters, char *line, char **save)
{
	for (counters->rows = 0; line; line = strtok_r(NULL, "\n", save)) {
		if (counters->rows == COUNTERS_MAX_ROWS)
			ksft_exit_fail_msg("%s: more than %u rows\n", file, counters->rows);
		parse_row(&counters->row[counters->rows++], line);
	}
}

/* A text that somebody else has read, which is taken to pieces. */
void counters_parse(struct counters *counters, char *text)
{
	char *save = NULL;

	counters->before = counters->after = 0;
	parse_rows(counters, table_rows(file, text, columns, &save), &save);
}

void counters_read(struct counters *counters)
{
	char *line, *save = NULL;

	counters->before = monotonic_ns();
	line = table_read(file, columns, &save);
	counters->after = monotonic_ns();
	parse_rows(counters, line, &save);
}

/* @last: an earlier read of the same list and epoch, or NULL. What is not right ends the test. */
void counters_read_checked(struct counters *counters, const struct counters *last)
{
	const char *error;

	counters_read(counters);
	error = counters_check(counters);
	if (!error && last)
		error = counters_check_after(last, counters);
	if (!error)
		return;
	counters_print(counters);
	ksft_exit_fail_msg("%s\n", error);
}

/* The test ends if the list is not taken. */
void counters_choose(const char *list)
{
	must_write(COUNTERS_PATH, list);
}

void counters_print(const struct counters *counters)
{
	unsigned int i;

	for (i = 0; i < counters->rows; i++) {
		const struct counters_row *row = &counters->row[i];

		ksft_print_msg("CPU %d, %s: %s%" PRIu64 ", enabled %" PRIu64 ", running %" PRIu64
			       ", %s\n", row->cpu, row->event, row->counted ? "" : "not ", row->value,
			       row->enabled, row->running, row->status);
	}
}

/* --- questions ----------------------------------------------------------------------- */

const struct counters_row *counters_find(const struct counters *counters, int cpu, const char *event)
{
	unsigned int i;

	for (i = 0; i < counters->rows; i++)
		if (counters->row[i].cpu == cpu && !strcmp(counters->row[i].event, event))
			return &counters->row[i];
	return NULL;
}

/* One that has to be there. */
const struct counters_row *counters_row(const struct counters *counters, int cpu, const char *event)
{
	const struct counters_row *row = counters_find(counters, cpu, event);

	if (!row) {
		counters_print(counters);
		ksft_exit_fail_msg("%s: no row of %s on CPU %d\n", file, event, cpu);
	}
	return row;
}

/* An event's status; without a value unless it is ok or was. */
bool counters_are(const struct counters *counters, int cpu, const char *event, const char *status)
{
	const struct counters_row *row = counters_row(counters, cpu, event);

	if (!strcmp(row->status, status) && (row->counted || strcmp(status, "ok")))
		return true;
	ksft_print_msg("CPU %d, %s: %s, should be %s\n", cpu, event, row->status, status);
	return false;
}

/* What was counted between two reads, both of which have a value. */
uint64_t counters_delta(const struct counters *a, const struct counters *b, int cpu, const char *event)
{
	const struct counters_row *from = counters_row(a, cpu, event), *to = counters_row(b, cpu, event);

	if (!from->counted || !to->counted)
		ksft_exit_fail_msg("%s: %s of CPU %d is not counted: %s, %s\n", file, event, cpu,
				   from->status, to->status);
	return to->value - from->value;
}

/* The time between two reads, wherever within them their values were taken. */
struct counters_span counters_time(const struct counters *a, const struct counters *b)
{
	return (struct counters_span){ b->before - a->after, b->after - a->before };
}

/* --- what must hold ------------------------------------------------------------------ */

static bool is_status(const char *word)
{
	static const char *const words[] = {
		"ok", "unsupported", "no slot", "busy", "off", "offline", "failed",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(word, words[i]))
			return true;
	return false;
}

/* Each CPU has the same events in the same order. */
static bool in_order(const struct counters *c, unsigned int i)
{
	const struct counters_row *row = &c->row[i], *last = &c->row[i ? i - 1 : 0];
	unsigned int first;

	if (row->cpu < last->cpu)
		return false;
	for (first = i; first && c->row[first - 1].cpu == row->cpu; first--)
		;
	return !strcmp(row->event, c->row[i - first].event);
}

const char *counters_check(const struct counters *c)
{
	unsigned int i;

	for (i = 0; i < c->rows; i++) {
		const struct counters_row *row = &c->row[i];

		if (!is_status(row->status))
			return wrong("CPU %d, %s: '%s' is no status", row->cpu, row->event, row->status);
		if (!in_order(c, i))
			return wrong("CPU %d, %s: not in its place", row->cpu, row->event);
		if (row->running > row->enabled)
			return wrong("CPU %d, %s: running for %" PRIu64 " ns of %" PRIu64, row->cpu,
				     row->event, row->running, row->enabled);
		/* Never a number that was not counted. */
		if (row->counted != !!row->running)
			return wrong("CPU %d, %s: %svalue, running for %" PRIu64 " ns", row->cpu,
				     row->event, row->counted ? "a " : "no ", row->running);
		if (!strcmp(row->status, "unsupported") && row->running)
			return wrong("CPU %d, %s: unsupported, for %" PRIu64 " ns", row->cpu, row->event,
				     row->running);
	}
	return NULL;
}

/* Rows stay, and nothing goes back. */
const char *counters_check_after(const struct counters *a, const struct counters *b)
{
	unsigned int i;

	for (i = 0; i < a->rows; i++) {
		const struct counters_row *was = &a->row[i];
		const struct counters_row *is = counters_find(b, was->cpu, was->event);

		if (!is)
			return wrong("CPU %d, %s: its row went", was->cpu, was->event);
		if (is->value < was->value || is->enabled < was->enabled || is->running < was->running)
			return wrong("CPU %d, %s: %" PRIu64 " (%" PRIu64 ", %" PRIu64 ") after %" PRIu64
				     " (%" PRIu64 ", %" PRIu64 ")", was->cpu, was->event, is->value,
				     is->enabled, is->running, was->value, was->enabled, was->running);
	}
	return NULL;
}

/* --- perf ----------------------------------------------------------------------------- */

#define PERF_CSV	"/tmp/perf.csv"
#define PERF_INNER_A	"/tmp/counters.a"
#define PERF_INNER_B	"/tmp/counters.b"

bool perf_here(void)
{
	return !system("perf --version >/dev/null 2>&1");
}

/* CPU0,value,unit,event,run time,percentage of it,... */
static void parse_perf(struct perf_beside *p)
{
	char line[512], *at, *field[6];
	FILE *csv = fopen(PERF_CSV, "r");
	unsigned int i;

	if (!csv)
		ksft_exit_fail_msg("no %s\n", PERF_CSV);
	for (p->rows = 0; fgets(line, sizeof(line), csv); ) {
		struct perf_row *row = &p->row[p->rows];

		if (strncmp(line, "CPU", 3))
			continue;
		for (at = line, i = 0; i < ARRAY_SIZE(field); i++)
			field[i] = strsep(&at, ",");
		if (!field[5] || p->rows == PERF_MAX_ROWS)
			ksft_exit_fail_msg("%s: cannot read row %u\n", PERF_CSV, p->rows);
		row->cpu = atoi(field[0] + 3);
		row->counted = *field[1] != '<';
		row->value = atof(field[1]);
		snprintf(row->event, sizeof(row->event), "%s", field[3]);
		row->running = atof(field[4]);
		row->running_pct = atof(field[5]);
		p->rows++;
	}
	fclose(csv);
}

static void parse_inner(struct counters *counters, const char *path)
{
	static char text[1 << 20];
	const char *error;

	file_read_all(path, text, sizeof(text));
	counters_parse(counters, text);
	error = counters_check(counters);
	if (error)
		ksft_exit_fail_msg("%s\n", error);
}

/*
 * Has perf stat count events on all CPUs for so long, between two of our reads and
 * around two others: what perf counted lies between what these counted.
 */
void perf_beside(struct perf_beside *p, const char *events, unsigned int seconds)
{
	char command[4096];

	snprintf(command, sizeof(command),
		 "perf stat -a -A -x, -o " PERF_CSV " -e '%s' -- sh -c 'cat %s >" PERF_INNER_A
		 "; sleep %u; cat %s >" PERF_INNER_B "'", events, COUNTERS_PATH, seconds, COUNTERS_PATH);
	counters_read_checked(&p->a, NULL);
	if (system(command))
		ksft_exit_fail_msg("perf failed: %s\n", command);
	counters_read_checked(&p->b, &p->a);
	parse_perf(p);
	parse_inner(&p->inner_a, PERF_INNER_A);
	parse_inner(&p->inner_b, PERF_INNER_B);
}

const struct perf_row *perf_find(const struct perf_beside *p, int cpu, const char *event)
{
	unsigned int i;

	for (i = 0; i < p->rows; i++)
		if (p->row[i].cpu == cpu && !strcmp(p->row[i].event, event))
			return &p->row[i];
	ksft_exit_fail_msg("perf has no row of %s on CPU %d\n", event, cpu);
	return NULL;
}
