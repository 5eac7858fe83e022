// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module's files tasks, processes and exited as structures, and the rules that
 * hold at every read.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "machine.h"
#include "parse.h"
#include "table.h"
#include "tasks.h"

static const char columns[] =
	"# pid tgid comm state last_cpu start_ns run_ns user_ns system_ns irq_ns softirq_ns wait_ns switches tick_ns voluntary involuntary";

/* Words of a row: where it begins to be values, and how many there are. */
enum { WORD_VALUES = 6, WORDS = WORD_VALUES + TASKS_FIELDS };

const char *const tasks_field_name[TASKS_FIELDS] = {
	"run_ns", "user_ns", "system_ns", "irq_ns", "softirq_ns", "wait_ns", "switches", "tick_ns",
	"voluntary", "involuntary",
};

/* What is known even of tasks that have no record. */
#define KNOWN_OF_OTHER	(1u << TASKS_RUN | 1u << TASKS_USER | 1u << TASKS_SYSTEM | \
			 1u << TASKS_IRQ | 1u << TASKS_SOFTIRQ)
#define KNOWN		((1u << TASKS_FIELDS) - 1)

/* Ends the test as skipped when there is nothing to test. */
void tasks_require(void)
{
	book_require();
	if (geteuid())
		ksft_exit_skip("needs root\n");
	if (access(BOOK_DEBUGFS TASKS, R_OK))
		ksft_exit_skip("this module has no tasks\n");
}

/* --- parsing ------------------------------------------------------------------------- */

static bool is_unknown(const char *word)
{
	return !strcmp(word, "-");
}

static uint64_t number(const char *file, const char *word)
{
	return is_unknown(word) ? 0 : table_count(file, word);
}

static int small_number(const char *file, const char *word)
{
	uint64_t value;

	if (is_unknown(word))
		return -1;
	value = table_count(file, word);
	if (value > INT32_MAX)
		ksft_exit_fail_msg("%s: '%s' is no pid and no CPU\n", file, word);
	return value;
}

static int parse_pid(const char *file, const char *word)
{
	if (!strcmp(word, "exited"))
		return TASKS_EXITED;
	if (!strcmp(word, "other"))
		return TASKS_OTHER;
	if (small_number(file, word) <= 0)
		ksft_exit_fail_msg("%s: a row is of pid '%s'\n", file, word);
	return small_number(file, word);
}

static void parse_row(struct tasks_row *row, const char *file, char *line)
{
	char *word[TABLE_WORDS];
	int i;

	memset(row, 0, sizeof(*row));
	table_split(file, line, word, WORDS);
	row->pid = parse_pid(file, word[0]);
	row->tgid = small_number(file, word[1]);
	table_unescape(file, word[2], row->comm, sizeof(row->comm));
	row->state = *word[3];
	if (word[3][1])
		ksft_exit_fail_msg("%s: pid %s is in state '%s'\n", file, word[0], word[3]);
	row->cpu = is_unknown(word[4]) ? -1 : table_cpu(file, word[4]);
	row->start = number(file, word[5]);
	for (i = 0; i < TASKS_FIELDS; i++) {
		row->value[i] = number(file, word[WORD_VALUES + i]);
		row->known |= !is_unknown(word[WORD_VALUES + i]) << i;
	}
}

static int compare_key(const struct tasks_row *row, int pid, uint64_t start)
{
	if (row->pid != pid)
		return row->pid < pid ? -1 : 1;
	return (row->start > start) - (row->start < start);
}

static int compare(const void *a, const void *b)
{
	const struct tasks_row *row = *(struct tasks_row *const *)b;

	return compare_key(*(struct tasks_row *const *)a, row->pid, row->start);
}

static void grow(struct tasks *tasks)
{
	tasks->room = tasks->room ? tasks->room * 2 : 1024;
	tasks->row = realloc(tasks->row, tasks->room * sizeof(*tasks->row));
	tasks->sorted = realloc(tasks->sorted, tasks->room * sizeof(*tasks->sorted));
	if (!tasks->row || !tasks->sorted)
		ksft_exit_fail_msg("no memory for %u tasks\n", tasks->room);
}

static void parse_rows(struct tasks *tasks, const char *file, char *line, char **save)
{
	unsigned int i;

	tasks->file = file;
	for (tasks->rows = 0; line; line = strtok_r(NULL, "\n", save)) {
		if (tasks->rows == tasks->room)
			grow(tasks);
		parse_row(&tasks->row[tasks->rows++], file, line);
	}
	for (i = 0; i < tasks->rows; i++)
		tasks->sorted[i] = &tasks->row[i];
	if (tasks->rows)
		qsort(tasks->sorted, tasks->rows, sizeof(*tasks->sorted), compare);
}

/* A text that somebody else has read, which is taken to pieces. */
void tasks_parse(struct tasks *tasks, const char *file, char *text)
{
	char *save = NULL, *line = table_rows(file, text, columns, &save);

	tasks->before = tasks->after = tasks->epoch = tasks->since = 0;
	parse_rows(tasks, file, line, &save);
}

/* @tasks: all zero, or read before, whose memory it takes again. */
void tasks_read(struct tasks *tasks, const char *file)
{
	char *line, *save = NULL, text[64];

	if (!file_read(BOOK_DEBUGFS "reset", text, sizeof(text)) ||
	    sscanf(text, "# epoch since_ns %" SCNu64 " %" SCNu64, &tasks->epoch, &tasks->since) != 2)
		ksft_exit_fail_msg("cannot read the epoch\n");
	tasks->before = monotonic_ns();
	line = table_read(file, columns, &save);
	tasks->after = monotonic_ns();
	parse_rows(tasks, file, line, &save);
}

/* @last: an earlier read of the same file in the same epoch, or NULL. What is not right ends the test. */
void tasks_read_checked(struct tasks *tasks, const char *file, const struct tasks *last)
{
	const char *error;

	tasks_read(tasks, file);
	error = tasks_check(tasks, last);
	if (!error)
		return;
	tasks_print(tasks);
	ksft_exit_fail_msg("%s: %s\n", file, error);
}

void tasks_free(struct tasks *tasks)
{
	free(tasks->row);
	free(tasks->sorted);
	memset(tasks, 0, sizeof(*tasks));
}

void tasks_print_row(const struct tasks_row *row)
{
	int i;

	ksft_print_msg("pid %d of %d '%s' %c CPU %d, start %" PRIu64 ":", row->pid, row->tgid,
		       row->comm, row->state, row->cpu, row->start);
	for (i = 0; i < TASKS_FIELDS; i++)
		if (row->known & 1u << i)
			printf(" %s %" PRIu64, tasks_field_name[i], row->value[i]);
	printf("\n");
}

void tasks_print(const struct tasks *tasks)
{
	unsigned int i;

	for (i = 0; i < tasks->rows; i++)
		tasks_print_row(&tasks->row[i]);
}

/* --- questions ----------------------------------------------------------------------- */

/* How many rows come before the one of a pid and start, in order. */
static unsigned int rows_before(const struct tasks *tasks, int pid, uint64_t start)
{
	unsigned int low = 0, high = tasks->rows;

	while (low < high) {
		unsigned int middle = (low + high) / 2;

		if (compare_key(tasks->sorted[middle], pid, start) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct tasks_row *tasks_find_start(const struct tasks *tasks, int pid, uint64_t start)
{
	unsigned int i = rows_before(tasks, pid, start);

	if (i == tasks->rows || compare_key(tasks->sorted[i], pid, start))
		return NULL;
	return tasks->sorted[i];
}

/* The youngest one of that pid: of those that have exited, several may have had it. */
const struct tasks_row *tasks_find(const struct tasks *tasks, int pid)
{
	unsigned int i = rows_before(tasks, pid, UINT64_MAX);

	return i && tasks->sorted[i - 1]->pid == pid ? tasks->sorted[i - 1] : NULL;
}

/* One that has to be there. */
const struct tasks_row *tasks_row(const struct tasks *tasks, int pid)
{
	const struct tasks_row *row = tasks_find(tasks, pid);

	if (!row) {
		tasks_print(tasks);
		ksft_exit_fail_msg("%s: no row of pid %d\n", tasks->file, pid);
	}
	return row;
}

/* Of all rows, with those at the end. */
uint64_t tasks_sum(const struct tasks *tasks, enum tasks_field field)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < tasks->rows; i++)
		sum += tasks->row[i].value[field];
	return sum;
}

uint64_t tasks_delta(const struct tasks *a, const struct tasks *b, int pid, enum tasks_field field)
{
	return tasks_row(b, pid)->value[field] - tasks_row(a, pid)->value[field];
}

/* What the kernel's CPU clock of the task has seen: it goes on in interrupts. */
uint64_t tasks_clock(const struct tasks_row *row)
{
	return row->value[TASKS_RUN] + row->value[TASKS_IRQ] + row->value[TASKS_SOFTIRQ];
}

/* --- what must hold ------------------------------------------------------------------ */

static const char *check_named(const struct tasks *tasks, const struct tasks_row *row)
{
	bool gone = !strcmp(tasks->file, TASKS_GONE);

	if (row->tgid <= 0 || row->cpu < 0 || !row->start || row->known != KNOWN)
		return wrong("pid %d: not all is known of it", row->pid);
	if (!strchr(gone ? "X" : "RSDTtIPXZ", row->state))
		return wrong("pid %d is in state %c", row->pid, row->state);
	if (!strcmp(tasks->file, TASKS_PROCESSES) && row->tgid != row->pid)
		return wrong("process %d has tgid %d", row->pid, row->tgid);
	if (row->start > tasks->after)
		return wrong("pid %d: start %" PRIu64 " is not over at %" PRIu64, row->pid, row->start,
			     tasks->after);
	return NULL;
}

/* exited comes after the tasks, and other after exited. */
static bool at_end(const struct tasks *tasks, const struct tasks_row *row)
{
	unsigned int behind = tasks->rows - 1 - (row - tasks->row);

	return behind == (row->pid == TASKS_EXITED && tasks_find(tasks, TASKS_OTHER));
}

static const char *check_end(const struct tasks *tasks, const struct tasks_row *row)
{
	bool other = row->pid == TASKS_OTHER;
	uint64_t zero[TASKS_FIELDS] = { 0 };

	if (!strcmp(tasks->file, TASKS_GONE))
		return wrong("a row that no thread has");
	if (!at_end(tasks, row))
		return wrong("row %d is not at the end", row->pid);
	if (row->tgid >= 0 || strcmp(row->comm, "-") || row->state != '-' || row->cpu >= 0 || row->start)
		return wrong("row %d tells of one task", row->pid);
	if (row->known != (other ? KNOWN_OF_OTHER : KNOWN))
		return wrong("row %d: fields %#x are known", row->pid, row->known);
	if (other && !memcmp(row->value, zero, sizeof(zero)))
		return wrong("a row other of nothing");
	return NULL;
}

/*
 * A thread is on one CPU at a time and not before it is there; several are on no more than
 * there are. The ledger's clock and CLOCK_MONOTONIC agree within 0.1 %. The tick charges
 * itself whole, to whom it finds. A wait that began before the epoch counts in full.
 */
static const char *check_values(const struct tasks *tasks, const struct tasks_row *row)
{
	const uint64_t *value = row->value;
	bool several = row->pid < 0 || !strcmp(tasks->file, TASKS_PROCESSES);
	unsigned int cpus = sysconf(_SC_NPROCESSORS_CONF);
	uint64_t from = !several && row->start > tasks->since ? row->start : tasks->since;
	uint64_t most = (tasks->after - from) * (several ? cpus : 1);
	int i;

	most += most / 1000 + 10 * NSEC_PER_USEC;
	if (value[TASKS_RUN] != value[TASKS_USER] + value[TASKS_SYSTEM])
		return wrong("pid %d: run_ns %" PRIu64 ", user_ns %" PRIu64 ", system_ns %" PRIu64,
			     row->pid, value[TASKS_RUN], value[TASKS_USER], value[TASKS_SYSTEM]);
	if (value[TASKS_SWITCHES] != value[TASKS_VOLUNTARY] + value[TASKS_INVOLUNTARY])
		return wrong("pid %d: %" PRIu64 " switches, of which %" PRIu64 " and %" PRIu64, row->pid,
			     value[TASKS_SWITCHES], value[TASKS_VOLUNTARY], value[TASKS_INVOLUNTARY]);
	for (i = 0; i < TASKS_FIELDS; i++)
		if (value[i] > UINT64_MAX / 4)
			return wrong("pid %d: %s is %" PRIu64, row->pid, tasks_field_name[i], value[i]);
	if (tasks_clock(row) > most)
		return wrong("pid %d: run, irq and softirq are %" PRIu64 " ns of %" PRIu64 " on %u CPUs",
			     row->pid, tasks_clock(row), tasks->after - from, several ? cpus : 1);
	if (value[TASKS_TICK] > most + cpus * 10 * NSEC_PER_MSEC)
		return wrong("pid %d: tick_ns is %" PRIu64 " of %" PRIu64 " on %u CPUs", row->pid,
			     value[TASKS_TICK], tasks->after - from, several ? cpus : 1);
	if (!several && value[TASKS_WAIT] > tasks->after)
		return wrong("pid %d: wait_ns is %" PRIu64 " at %" PRIu64, row->pid, value[TASKS_WAIT],
			     tasks->after);
	return NULL;
}

static const char *check_row(const struct tasks *tasks, const struct tasks_row *row)
{
	const char *error = row->pid < 0 ? check_end(tasks, row) : check_named(tasks, row);

	return error ? error : check_values(tasks, row);
}

static const char *check_after(const struct tasks *now, const struct tasks *last)
{
	unsigned int i;
	int f;

	if (now->epoch != last->epoch || strcmp(now->file, last->file))
		return wrong("%s of epoch %" PRIu64 " after %s of epoch %" PRIu64, now->file, now->epoch,
			     last->file, last->epoch);
	for (i = 0; i < last->rows; i++) {
		const struct tasks_row *was = &last->row[i];
		const struct tasks_row *is = tasks_find_start(now, was->pid, was->start);

		if (!is && was->pid < 0)
			return wrong("row %d went", was->pid);
		for (f = 0; is && f < TASKS_FIELDS; f++)
			if (is->value[f] < was->value[f])
				return wrong("pid %d, start %" PRIu64 ": %s went from %" PRIu64 " to %"
					     PRIu64, was->pid, was->start, tasks_field_name[f],
					     was->value[f], is->value[f]);
	}
	return NULL;
}

/* @last: an earlier read of the same file in the same epoch, or NULL. */
const char *tasks_check(const struct tasks *now, const struct tasks *last)
{
	bool gone = !strcmp(now->file, TASKS_GONE);
	const char *error;
	unsigned int i;

	for (i = 0; i < now->rows; i++) {
		error = check_row(now, &now->row[i]);
		if (error)
			return error;
		/* A thread that became another program took the number and start of its leader, which died. */
		if (i && !gone && !compare(&now->sorted[i - 1], &now->sorted[i]))
			return wrong("two rows of pid %d, start %" PRIu64, now->sorted[i]->pid,
				     now->sorted[i]->start);
	}
	if (gone && now->rows > TASKS_GONE_ROWS)
		return wrong("%u rows", now->rows);
	if (!gone && !tasks_find(now, TASKS_EXITED))
		return wrong("no row exited");
	return last ? check_after(now, last) : NULL;
}
