// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module's file freqs as structures, and the rules that hold at every read.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "freqs.h"
#include "machine.h"
#include "parse.h"
#include "table.h"

static const char file[] = "freqs";
static const char columns[] =
	"# cpu freq_khz time_ns busy_ns cycles clock_ns util_pct source elapsed_ns";

static const char *const field_name[FREQS_FIELDS] = { "time_ns", "busy_ns", "cycles", "clock_ns" };

/* Ends the test as skipped when there is nothing to test. */
void freqs_require(void)
{
	book_require();
	if (geteuid())
		ksft_exit_skip("needs root\n");
	if (access(BOOK_DEBUGFS "freqs", R_OK))
		ksft_exit_skip("this module keeps no frequencies\n");
}

/* --- parsing ------------------------------------------------------------------------- */

static uint64_t parse_khz(const char *word)
{
	uint64_t khz;

	if (!strcmp(word, "-"))
		return FREQS_UNKNOWN;
	if (!strcmp(word, "other"))
		return FREQS_OTHER;
	khz = table_count(file, word);
	if (!khz || khz >= FREQS_ANY)
		ksft_exit_fail_msg("%s: a frequency of %s\n", file, word);
	return khz;
}

static void parse_row(struct freqs_row *row, char *line)
{
	char *word[TABLE_WORDS];
	int i;

	memset(row, 0, sizeof(*row));
	table_split(file, line, word, 2 + FREQS_FIELDS + 3);
	row->cpu = table_cpu(file, word[0]);
	row->khz = parse_khz(word[1]);
	for (i = 0; i < FREQS_FIELDS; i++) {
		if (!strcmp(word[2 + i], "-"))
			continue;
		row->value[i] = table_count(file, word[2 + i]);
		row->known |= 1u << i;
	}
	row->has_util = strcmp(word[6], "-");
	if (row->has_util && !parse_percent(word[6], &row->util_pct))
		ksft_exit_fail_msg("%s: util_pct is '%s'\n", file, word[6]);
	snprintf(row->source, sizeof(row->source), "%s", word[7]);
	row->elapsed = table_count(file, word[8]);
	/* A mean is another one at each read. */
	if (!strncmp(row->source, "aperf,", 6) || !strncmp(row->source, "cycles,", 7)) {
		row->mean_khz = row->khz;
		row->khz = FREQS_UNKNOWN;
	}
}

static void parse_rows(struct freqs *freqs, char *line, char **save)
{
	for (freqs->rows = 0; line; line = strtok_r(NULL, "\n", save)) {
		if (freqs->rows == FREQS_MAX_ROWS)
			ksft_exit_fail_msg("%s: more than %u rows\n", file, freqs->rows);
		parse_row(&freqs->row[freqs->rows++], line);
	}
}

/* A text that somebody else has read, which is taken to pieces. */
void freqs_parse(struct freqs *freqs, char *text)
{
	char *save = NULL;

	freqs->before = freqs->after = 0;
	parse_rows(freqs, table_rows(file, text, columns, &save), &save);
}

void freqs_read(struct freqs *freqs)
{
	char *line, *save = NULL;

	freqs->before = monotonic_ns();
	line = table_read(file, columns, &save);
	freqs->after = monotonic_ns();
	parse_rows(freqs, line, &save);
}

void freqs_print(const struct freqs *freqs)
{
	unsigned int i;
	int f;

	for (i = 0; i < freqs->rows; i++) {
		const struct freqs_row *row = &freqs->row[i];

		ksft_print_msg("CPU %d, %" PRIu64 " kHz:", row->cpu, row->khz);
		for (f = 0; f < FREQS_FIELDS; f++)
			if (row->known & 1u << f)
				printf(" %s=%" PRIu64, field_name[f], row->value[f]);
		printf(" util=%u.%02u %s elapsed=%" PRIu64 "\n", row->util_pct / 100,
		       row->util_pct % 100, row->source, row->elapsed);
	}
}

/* --- questions ----------------------------------------------------------------------- */

const struct freqs_row *freqs_find(const struct freqs *freqs, int cpu, uint64_t khz)
{
	unsigned int i;

	for (i = 0; i < freqs->rows; i++)
		if (freqs->row[i].cpu == cpu && (khz == FREQS_ANY || freqs->row[i].khz == khz))
			return &freqs->row[i];
	return NULL;
}

uint64_t freqs_sum(const struct freqs *freqs, int cpu, uint64_t khz, enum freqs_field field)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < freqs->rows; i++)
		if (freqs->row[i].cpu == cpu && (khz == FREQS_ANY || freqs->row[i].khz == khz))
			sum += freqs->row[i].value[field];
	return sum;
}

uint64_t freqs_delta(const struct freqs *a, const struct freqs *b, int cpu, uint64_t khz,
		     enum freqs_field field)
{
	return freqs_sum(b, cpu, khz, field) - freqs_sum(a, cpu, khz, field);
}

uint64_t freqs_elapsed(const struct freqs *freqs, int cpu)
{
	const struct freqs_row *row = freqs_find(freqs, cpu, FREQS_ANY);

	if (!row)
		ksft_exit_fail_msg("%s: no row of CPU %d\n", file, cpu);
	return row->elapsed;
}

/* Did a CPU, whose time went on, spend all of it at this frequency? */
bool freqs_only(const struct freqs *a, const struct freqs *b, int cpu, uint64_t khz)
{
	uint64_t elapsed = freqs_elapsed(b, cpu) - freqs_elapsed(a, cpu);
	uint64_t time = freqs_delta(a, b, cpu, khz, FREQS_TIME);

	if (elapsed && time == elapsed)
		return true;
	ksft_print_msg("CPU %d: %" PRIu64 " ns at %" PRIu64 " kHz, elapsed %" PRIu64 " ns\n", cpu, time,
		       khz, elapsed);
	return false;
}

/* --- what must hold ------------------------------------------------------------------ */

/* Source and utilisation say what the other columns have. */
static const char *check_source(const struct freqs_row *row)
{
	bool cycles = row->known & 1u << FREQS_CYCLES, told = row->khz != FREQS_UNKNOWN;
	char of_khz[16], of_util[16];
	double util = 1e4 * row->value[FREQS_BUSY] / row->value[FREQS_TIME];

	if (sscanf(row->source, "%15[^,],%15s", of_khz, of_util) != 2 ||
	    strcmp(of_khz, told ? "cpufreq" : row->mean_khz ? of_khz : "-") ||
	    strcmp(of_util, !row->has_util ? "-" : cycles ? "cycles" : "cpu-clock"))
		return wrong("CPU %d: %" PRIu64 " kHz, mean %" PRIu64 ", with%s cycles, from '%s'", row->cpu,
			     row->khz, row->mean_khz, cycles ? "" : "out", row->source);
	/* Cycles are of the time for which they were counted, which is not told. */
	if (row->has_util && !cycles && (util > row->util_pct + 1.01 || util < row->util_pct - 1.01))
		return wrong("CPU %d, %" PRIu64 " kHz: util_pct is %.2f, its columns say %.2f", row->cpu,
			     row->khz, row->util_pct / 1e2, util / 1e2);
	return NULL;
}

static const char *check_row(const struct freqs *freqs, const struct freqs_row *row)
{
	const unsigned int needed = 1u << FREQS_TIME | 1u << FREQS_BUSY;

	if (freqs_find(freqs, row->cpu, row->khz) != row)
		return wrong("CPU %d: two rows of %" PRIu64 " kHz", row->cpu, row->khz);
	if ((row->known & needed) != needed)
		return wrong("CPU %d, %" PRIu64 " kHz: known %#x", row->cpu, row->khz, row->known);
	if (row->value[FREQS_BUSY] > row->value[FREQS_TIME])
		return wrong("CPU %d, %" PRIu64 " kHz: busy %" PRIu64 " of %" PRIu64, row->cpu,
			     row->khz, row->value[FREQS_BUSY], row->value[FREQS_TIME]);
	return check_source(row);
}

/* What must hold for one read by itself, as integers. */
const char *freqs_check(const struct freqs *freqs)
{
	unsigned int i, j, own;

	for (i = 0; i < freqs->rows; i++) {
		const struct freqs_row *row = &freqs->row[i];
		uint64_t sum = freqs_sum(freqs, row->cpu, FREQS_ANY, FREQS_TIME);
		const char *error = check_row(freqs, row);

		if (error)
			return error;
		if (sum != row->elapsed)
			return wrong("CPU %d: its rows add up to %" PRIu64 ", elapsed is %" PRIu64,
				     row->cpu, sum, row->elapsed);
		for (j = own = 0; j < freqs->rows; j++)
			own += freqs->row[j].cpu == row->cpu && freqs->row[j].khz != FREQS_UNKNOWN &&
				freqs->row[j].khz != FREQS_OTHER;
		if (own > FREQS_OWN_ROWS)
			return wrong("CPU %d: %u rows of frequencies", row->cpu, own);
	}
	return NULL;
}

/* Of a later read in the same epoch: no row goes away, nothing decreases. */
const char *freqs_check_after(const struct freqs *a, const struct freqs *b)
{
	unsigned int i;
	int f;

	for (i = 0; i < a->rows; i++) {
		const struct freqs_row *old = &a->row[i], *new = freqs_find(b, old->cpu, old->khz);

		if (!new)
			return wrong("CPU %d: the row of %" PRIu64 " kHz went away", old->cpu, old->khz);
		for (f = 0; f < FREQS_FIELDS; f++)
			if (new->value[f] < old->value[f])
				return wrong("CPU %d, %" PRIu64 " kHz: %s went from %" PRIu64 " to %"
					     PRIu64, old->cpu, old->khz, field_name[f], old->value[f],
					     new->value[f]);
	}
	return NULL;
}

/* The scheduler's clock is steered or not, and the module's is not: within 1 %, for each row that grew. */
const char *freqs_check_clock(const struct freqs *a, const struct freqs *b)
{
	unsigned int i;

	for (i = 0; i < b->rows; i++) {
		const struct freqs_row *row = &b->row[i];
		uint64_t time = freqs_delta(a, b, row->cpu, row->khz, FREQS_TIME);
		uint64_t clock = freqs_delta(a, b, row->cpu, row->khz, FREQS_CLOCK);
		uint64_t off = time > clock ? time - clock : clock - time;

		if (off > time / 100)
			return wrong("CPU %d, %" PRIu64 " kHz: %" PRIu64 " ns, %" PRIu64
				     " by the scheduler's clock", row->cpu, row->khz, time, clock);
	}
	return NULL;
}

/* Elapsed and busy time of each CPU lie between two reads of /proc/cpuprecise around one of freqs. */
const char *freqs_check_books(void)
{
	static struct book before, after;
	static struct freqs freqs;
	int i;

	book_read(&before);
	freqs_read(&freqs);
	book_read(&after);
	for (i = 1; i < before.rows; i++) {
		const struct book_row *from = &before.row[i], *to = book_cpu(&after, from->cpu);
		uint64_t elapsed = freqs_elapsed(&freqs, from->cpu);
		uint64_t busy = freqs_sum(&freqs, from->cpu, FREQS_ANY, FREQS_BUSY);

		if (elapsed < from->ns[ELAPSED] || elapsed > to->ns[ELAPSED])
			return wrong("CPU %d: elapsed %" PRIu64 ", in the books %" PRIu64 "..%" PRIu64,
				     from->cpu, elapsed, from->ns[ELAPSED], to->ns[ELAPSED]);
		if (busy < book_busy(from) || busy > book_busy(to))
			return wrong("CPU %d: busy %" PRIu64 ", in the books %" PRIu64 "..%" PRIu64,
				     from->cpu, busy, book_busy(from), book_busy(to));
	}
	return NULL;
}

/*
 * Two times at frequencies between two shots, by the module and by the kernel:
 * within 2 %, for each looks at a clock of its own, and some time after the other.
 * Each read of the statistics drops less than a unit of each of the @states, and
 * there is time between the two reads at each end.
 */
static bool is_near(const struct freqs_shot *a, const struct freqs_shot *b, int cpu, uint64_t books,
		    uint64_t stats, unsigned int states)
{
	uint64_t width = a->stats[cpu].after - a->freqs.before + b->stats[cpu].after - b->freqs.before;
	uint64_t off = books > stats ? books - stats : stats - books;

	return off <= stats / 50 + states * CPUFREQ_STATS_UNIT + width;
}

static const char *check_stats_of(const struct freqs_shot *a, const struct freqs_shot *b, int cpu,
				  unsigned int *own)
{
	const struct cpufreq_stats *from = &a->stats[cpu], *to = &b->stats[cpu];
	uint64_t books, stats, others = 0;
	unsigned int i;

	for (i = *own = 0; i < to->states; i++) {
		uint64_t khz = to->state[i].khz;

		stats = to->state[i].ns - from->state[i].ns;
		if (!freqs_find(&b->freqs, cpu, khz)) {
			others += stats;
			continue;
		}
		++*own;
		books = freqs_delta(&a->freqs, &b->freqs, cpu, khz, FREQS_TIME);
		if (!is_near(a, b, cpu, books, stats, 1))
			return wrong("CPU %d: %" PRIu64 " us at %" PRIu64 " kHz, by cpufreq %" PRIu64
				     " us", cpu, books / 1000, khz, stats / 1000);
	}
	books = freqs_delta(&a->freqs, &b->freqs, cpu, FREQS_OTHER, FREQS_TIME);
	if (!is_near(a, b, cpu, books, others, to->states - *own))
		return wrong("CPU %d: %" PRIu64 " us at other frequencies, by cpufreq %" PRIu64 " us", cpu,
			     books / 1000, others / 1000);
	return NULL;
}

/*
 * Each CPU was at each frequency for as long as cpufreq's statistics say. @own: how
 * many frequencies of a CPU have a row; the rest is in that of others.
 */
const char *freqs_check_stats(const struct freqs_shot *a, const struct freqs_shot *b, unsigned int *own)
{
	const char *error = NULL;
	int cpu;

	for (cpu = 0; cpu < FREQS_SHOT_CPUS && !error; cpu++)
		error = check_stats_of(a, b, cpu, own);
	return error;
}

/* Says what is wrong, if something is. */
bool freqs_passes(const char *error)
{
	if (error)
		ksft_print_msg("%s\n", error);
	return !error;
}

/* For reads in the middle of a test: one that breaks a rule ends it. @last may be NULL. */
void freqs_read_checked(struct freqs *freqs, const struct freqs *last)
{
	const char *error;

	freqs_read(freqs);
	error = freqs_check(freqs);
	if (!error && last)
		error = freqs_check_after(last, freqs);
	if (!error)
		return;
	freqs_print(freqs);
	ksft_exit_fail_msg("%s\n", error);
}

/* The next read, which must follow *@last and takes its place. */
void freqs_follow(struct freqs *last)
{
	static struct freqs next;

	freqs_read_checked(&next, last);
	*last = next;
}

/* @last, if it is not NULL, must be followed by it. */
void freqs_take(struct freqs_shot *shot, const struct freqs *last)
{
	int cpu;

	freqs_read_checked(&shot->freqs, last);
	for (cpu = 0; cpu < FREQS_SHOT_CPUS; cpu++)
		cpufreq_read_stats(cpu, &shot->stats[cpu]);
}
