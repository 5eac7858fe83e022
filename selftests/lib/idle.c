// SPDX-License-Identifier: GPL-2.0-only
/*
 * The idle states, by the module's three files and by sysfs, and the rules that
 * hold between them.
 *
 * A check answers NULL if the rule holds, else a sentence with the figures. It
 * stays valid until the next check.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "idle.h"
#include "machine.h"
#include "parse.h"
#include "table.h"

#define MAX_STATES	10	/* the kernel's CPUIDLE_STATE_MAX */

static const char *const field_name[IDLE_FIELDS] = {
	"exit_latency_ns", "target_residency_ns", "usage", "time_ns", "rejected", "above",
	"below", "less", "more", "requested",
};

/* Ends the test as skipped when there is nothing to test. */
void idle_require(void)
{
	book_require();
	if (geteuid())
		ksft_exit_skip("needs root\n");
	if (access(BOOK_DEBUGFS "idle_states", R_OK))
		ksft_exit_skip("this module keeps no idle states\n");
}

/* @name: of the driver, or "none". */
void idle_require_driver(const char *name)
{
	char driver[32];

	if (!file_read("/sys/devices/system/cpu/cpuidle/current_driver", driver, sizeof(driver)))
		ksft_exit_skip("this kernel has no cpuidle\n");
	if (strcmp(driver, name))
		ksft_exit_skip("needs the idle driver %s, there is %s\n", name, driver);
}

/* --- all CPUs busy ------------------------------------------------------------------ */

static struct {
	pthread_t thread;
	bool used;
	volatile bool runs;
} holder[BOOK_MAX_CPUS];
static volatile bool holding;

static void *spin(void *runs)
{
	*(volatile bool *)runs = true;
	while (holding)
#ifdef __x86_64__
		__builtin_ia32_pause();
#else
		asm volatile("yield");
#endif
	return NULL;
}

/*
 * Has a thread run on each CPU that is online, until idle_release(): the idle task
 * has gone there, and what it left is booked.
 */
void idle_hold(void)
{
	pthread_attr_t attr;
	cpu_set_t set;
	int cpu, err;

	holding = true;
	pthread_attr_init(&attr);
	for (cpu = 0; cpu < BOOK_MAX_CPUS; cpu++) {
		holder[cpu].used = cpu_online(cpu);
		holder[cpu].runs = false;
		if (!holder[cpu].used)
			continue;
		CPU_ZERO(&set);
		CPU_SET(cpu, &set);
		pthread_attr_setaffinity_np(&attr, sizeof(set), &set);
		err = pthread_create(&holder[cpu].thread, &attr, spin, (void *)&holder[cpu].runs);
		if (err)
			ksft_exit_fail_msg("no thread on CPU %d: %s\n", cpu, strerror(err));
	}
	pthread_attr_destroy(&attr);
	for (cpu = 0; cpu < BOOK_MAX_CPUS; cpu++)
		while (holder[cpu].used && !holder[cpu].runs)
			sched_yield();
}

void idle_release(void)
{
	int cpu;

	holding = false;
	for (cpu = 0; cpu < BOOK_MAX_CPUS; cpu++)
		if (holder[cpu].used)
			pthread_join(holder[cpu].thread, NULL);
}

/* --- the module's files --------------------------------------------------------------- */

/* As in /proc/mounts: \040 is a blank. */
static void unescape(char *to, const char *from)
{
	unsigned int length = 0, code;

	while (*from && length < IDLE_NAME - 1) {
		if (*from == '\\' && sscanf(from + 1, "%3o", &code) == 1 && strlen(from) >= 4) {
			to[length++] = code;
			from += 4;
		} else {
			to[length++] = *from++;
		}
	}
	to[length] = '\0';
}

static int parse_state(const char *file, const char *word)
{
	uint64_t state;

	if (!strcmp(word, "default"))
		return IDLE_DEFAULT;
	if (!strcmp(word, "poll"))
		return IDLE_POLL;
	if (!parse_u64(word, &state) || state >= MAX_STATES)
		ksft_exit_fail_msg("%s: a state is called '%s'\n", file, word);
	return state;
}

void idle_read_states(struct idle_rows *books)
{
	static const char file[] = "idle_states";
	char *save = NULL, *word[TABLE_WORDS];
	char *line = table_read(file, "# cpu state name exit_latency_ns target_residency_ns usage time_ns "
				"rejected above below less more requested cost_pct", &save);

	for (books->rows = 0; line; line = strtok_r(NULL, "\n", &save)) {
		struct idle_state *row = &books->row[books->rows++];
		int i;

		if (books->rows == IDLE_MAX_ROWS)
			ksft_exit_fail_msg("%s: more than %u rows\n", file, books->rows);
		memset(row, 0, sizeof(*row));
		table_split(file, line, word, 3 + IDLE_FIELDS + 1);
		row->cpu = table_cpu(file, word[0]);
		row->state = parse_state(file, word[1]);
		unescape(row->name, word[2]);
		for (i = 0; i < IDLE_FIELDS; i++) {
			if (!strcmp(word[3 + i], "-"))
				continue;
			row->value[i] = table_count(file, word[3 + i]);
			row->known |= 1u << i;
		}
		if (!parse_percent(word[3 + IDLE_FIELDS], &row->cost_pct) &&
		    strcmp(word[3 + IDLE_FIELDS], "-"))
			ksft_exit_fail_msg("%s: cost_pct is '%s'\n", file, word[3 + IDLE_FIELDS]);
	}
}

static void read_histogram(struct idle_shot *shot)
{
	static const char file[] = "idle_hist";
	char *save = NULL, *word[TABLE_WORDS];
	char *line = table_read(file, "# cpu state bucket_ns count time_ns name", &save);

	for (shot->buckets = 0; line; line = strtok_r(NULL, "\n", &save)) {
		struct idle_bucket *bucket = &shot->bucket[shot->buckets++];

		if (shot->buckets == IDLE_MAX_BUCKETS)
			ksft_exit_fail_msg("%s: more than %u rows\n", file, shot->buckets);
		table_split(file, line, word, 6);
		bucket->cpu = table_cpu(file, word[0]);
		bucket->state = parse_state(file, word[1]);
		bucket->from = table_count(file, word[2]);
		bucket->count = table_count(file, word[3]);
		bucket->time = table_count(file, word[4]);
		unescape(bucket->name, word[5]);
	}
}

static void read_causes(struct idle_shot *shot)
{
	static const char file[] = "idle_wakeups";
	char *save = NULL, *word[TABLE_WORDS];
	char *line = table_read(file, "# cpu state cause count name", &save);

	for (shot->causes = 0; line; line = strtok_r(NULL, "\n", &save)) {
		struct idle_cause *cause = &shot->cause[shot->causes++];

		if (shot->causes == IDLE_MAX_CAUSES)
			ksft_exit_fail_msg("%s: more than %u rows\n", file, shot->causes);
		table_split(file, line, word, 5);
		cause->cpu = table_cpu(file, word[0]);
		cause->state = parse_state(file, word[1]);
		unescape(cause->cause, word[2]);
		cause->count = table_count(file, word[3]);
		unescape(cause->name, word[4]);
	}
}

/* --- sysfs ---------------------------------------------------------------------------- */

#define SYSFS	"/sys/devices/system/cpu/cpu%d/cpuidle/state%d/%s"

static bool read_attribute(int cpu, int state, const char *name, char *value, size_t size)
{
	char path[128];

	snprintf(path, sizeof(path), SYSFS, cpu, state, name);
	return file_read(path, value, size);
}

static uint64_t read_number(int cpu, int state, const char *name)
{
	char value[64];

	if (!read_attribute(cpu, state, name, value, sizeof(value)))
		ksft_exit_fail_msg("CPU %d, state %d: no %s\n", cpu, state, name);
	return table_count(name, value);
}

void idle_read_sysfs(struct idle_rows *sysfs)
{
	static const struct {
		enum idle_field field;
		const char *name;
		unsigned int unit;
	} attributes[] = {
		{ IDLE_LATENCY, "latency", 1000 },
		{ IDLE_RESIDENCY, "residency", 1000 },
		{ IDLE_USAGE, "usage", 1 },
		{ IDLE_TIME, "time", 1000 },
		{ IDLE_REJECTED, "rejected", 1 },
		{ IDLE_ABOVE, "above", 1 },
		{ IDLE_BELOW, "below", 1 },
	};
	int cpu, state;
	unsigned int i;

	sysfs->rows = 0;
	for (cpu = 0; cpu < BOOK_MAX_CPUS; cpu++) {
		for (state = 0; state < MAX_STATES; state++) {
			struct idle_state *row = &sysfs->row[sysfs->rows];

			memset(row, 0, sizeof(*row));
			if (!read_attribute(cpu, state, "name", row->name, sizeof(row->name)))
				break;
			if (++sysfs->rows == IDLE_MAX_ROWS)
				ksft_exit_fail_msg("sysfs has more than %u states\n", sysfs->rows);
			row->cpu = cpu;
			row->state = state;
			for (i = 0; i < ARRAY_SIZE(attributes); i++) {
				row->value[attributes[i].field] = attributes[i].unit *
					read_number(cpu, state, attributes[i].name);
				row->known |= 1u << attributes[i].field;
			}
			row->disabled = read_number(cpu, state, "disable");
		}
	}
}

/* As the files are now; exact only while the CPUs are held. */
void idle_take(struct idle_shot *shot)
{
	shot->before = monotonic_ns();
	idle_read_states(&shot->books);
	shot->after = monotonic_ns();
	read_histogram(shot);
	read_causes(shot);
	idle_read_sysfs(&shot->sysfs);
}

void idle_take_held(struct idle_shot *shot)
{
	idle_hold();
	idle_take(shot);
	idle_release();
}

static uint64_t all_stays(void)
{
	static struct idle_rows sysfs;

	idle_read_sysfs(&sysfs);
	return idle_sum(&sysfs, IDLE_ANY, IDLE_ANY, NULL, IDLE_USAGE);
}

/* Until that many stays have ended, by sysfs; a slow machine gives up. */
void idle_wait(uint64_t stays, uint64_t at_most_ns)
{
	uint64_t end = monotonic_ns() + at_most_ns, start = all_stays();

	do {
		sleep_ns(200 * NSEC_PER_MSEC);
	} while (all_stays() - start < stays && monotonic_ns() < end);
}

static void set_disable(int cpu, int state, bool disable)
{
	char path[128];

	snprintf(path, sizeof(path), SYSFS, cpu, state, "disable");
	must_write(path, disable ? "1" : "0");
}

/* Disables a state, or enables it; with @others those of other names get the opposite. */
static void disable_states(int cpu, const char *name, bool disable, bool others)
{
	static bool registered;
	bool found = false;
	char other[IDLE_NAME];
	int i;

	if (!registered)
		atexit(idle_enable_all);
	registered = true;
	for (i = 0; i < MAX_STATES && read_attribute(cpu, i, "name", other, sizeof(other)); i++) {
		bool this = !strcmp(name, other);

		found |= this;
		if (this || others)
			set_disable(cpu, i, this ? disable : !disable);
	}
	if (!found)
		ksft_exit_fail_msg("CPU %d has no idle state %s\n", cpu, name);
}

void idle_disable(int cpu, const char *name, bool disable)
{
	disable_states(cpu, name, disable, false);
}

/* Until idle_enable_all(), a CPU gets this state or none. */
void idle_only(int cpu, const char *name)
{
	disable_states(cpu, name, false, true);
}

void idle_enable_all(void)
{
	char name[IDLE_NAME];
	int cpu, i;

	for (cpu = 0; cpu < BOOK_MAX_CPUS; cpu++)
		for (i = 0; i < MAX_STATES && read_attribute(cpu, i, "name", name, sizeof(name)); i++)
			set_disable(cpu, i, false);
}

/* --- questions ------------------------------------------------------------------------ */

static bool is_row(const struct idle_state *row, int cpu, int state, const char *name)
{
	return (cpu == IDLE_ANY || row->cpu == cpu) && (state == IDLE_ANY || row->state == state) &&
		(!name || !strcmp(row->name, name));
}

/* NULL stands for any name. */
const struct idle_state *idle_find(const struct idle_rows *rows, int cpu, int state, const char *name)
{
	unsigned int i;

	for (i = 0; i < rows->rows; i++)
		if (is_row(&rows->row[i], cpu, state, name))
			return &rows->row[i];
	return NULL;
}

uint64_t idle_sum(const struct idle_rows *rows, int cpu, int state, const char *name,
		  enum idle_field field)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < rows->rows; i++)
		if (is_row(&rows->row[i], cpu, state, name))
			sum += rows->row[i].value[field];
	return sum;
}

/* By the module's books. */
uint64_t idle_delta(const struct idle_shot *a, const struct idle_shot *b, int cpu, int state,
		    enum idle_field field)
{
	return idle_sum(&b->books, cpu, state, NULL, field) - idle_sum(&a->books, cpu, state, NULL, field);
}

/* How many stays a cause has ended; @cause may be the beginning of some, as in "irq/". */
uint64_t idle_caused(const struct idle_shot *shot, int cpu, const char *cause)
{
	size_t length = strlen(cause);
	bool all = length && cause[length - 1] == '/';
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < shot->causes; i++) {
		const struct idle_cause *c = &shot->cause[i];

		if (c->cpu == cpu && (all ? !strncmp(c->cause, cause, length) : !strcmp(c->cause, cause)))
			sum += c->count;
	}
	return sum;
}

/* --- what must hold ------------------------------------------------------------------- */

static const char *wrong_row(const struct idle_state *row, const char *what, uint64_t is, uint64_t should)
{
	return wrong("CPU %d, state %d %s: %s is %" PRIu64 ", should be %" PRIu64, row->cpu, row->state,
		     row->name, what, is, should);
}

/* A row for each of sysfs's, called as there; what is not known of the kernel's own paths is "-". */
const char *idle_check_names(const struct idle_shot *shot)
{
	const unsigned int own = 1u << IDLE_USAGE | 1u << IDLE_TIME;
	unsigned int i, f;

	for (i = 0; i < shot->sysfs.rows; i++) {
		const struct idle_state *s = &shot->sysfs.row[i];
		const struct idle_state *row = idle_find(&shot->books, s->cpu, s->state, s->name);

		if (!cpu_online(s->cpu))
			continue;
		if (!row)
			return wrong("CPU %d: no row of state %d %s", s->cpu, s->state, s->name);
		for (f = IDLE_LATENCY; f <= IDLE_RESIDENCY; f++)
			if (row->value[f] != s->value[f])
				return wrong_row(row, field_name[f], row->value[f], s->value[f]);
	}
	for (i = 0; i < shot->books.rows; i++) {
		const struct idle_state *row = &shot->books.row[i];

		if (row->state >= 0 && row->known != (1u << IDLE_FIELDS) - 1)
			return wrong("CPU %d, state %d %s: known %#x", row->cpu, row->state, row->name,
				     row->known);
		if (row->state < 0 && (row->known != own || strcmp(row->name, "-")))
			return wrong("CPU %d, state %d: name %s, known %#x", row->cpu, row->state,
				     row->name, row->known);
		if (row->state < 0 && !row->value[IDLE_USAGE] && !row->value[IDLE_TIME])
			return wrong("CPU %d, state %d: a row, though never used", row->cpu, row->state);
	}
	return NULL;
}

/* The upper edge of a bucket, the first value that is not in it. */
static uint64_t bucket_end(const struct idle_bucket *bucket)
{
	return bucket->from ? bucket->from * 2 : 2;
}

static uint64_t buckets_time(const struct idle_shot *shot, const struct idle_state *row)
{
	uint64_t time = 0;
	unsigned int i;

	for (i = 0; i < shot->buckets; i++)
		if (is_row(row, shot->bucket[i].cpu, shot->bucket[i].state, shot->bucket[i].name))
			time += shot->bucket[i].time;
	return time;
}

/*
 * While no stay is open, what the buckets hold is what the row says. Of a stay that
 * was open when the epoch began the row has only what was left of it.
 */
const char *idle_check_histogram(const struct idle_shot *held)
{
	unsigned int i, j;

	for (i = 0; i < held->buckets; i++) {
		const struct idle_bucket *b = &held->bucket[i];

		if (!b->count || b->from == 1 || (b->from & (b->from - 1)))
			return wrong("CPU %d, state %d: a bucket from %" PRIu64 " ns with %" PRIu64,
				     b->cpu, b->state, b->from, b->count);
		if (b->time < b->from * b->count || b->time > (bucket_end(b) - 1) * b->count)
			return wrong("CPU %d, state %d: %" PRIu64 " stays from %" PRIu64 " ns on took %"
				     PRIu64 " ns", b->cpu, b->state, b->count, b->from, b->time);
		if (!idle_find(&held->books, b->cpu, b->state, b->name))
			return wrong("CPU %d, state %d: a bucket of %s, which has no row", b->cpu,
				     b->state, b->name);
		for (j = 0; j < i; j++) {
			const struct idle_bucket *o = &held->bucket[j];

			if (o->cpu == b->cpu && o->state == b->state && o->from == b->from &&
			    !strcmp(o->name, b->name) && held->books.rows == held->sysfs.rows)
				return wrong("CPU %d, state %d %s: two buckets from %" PRIu64 " ns",
					     b->cpu, b->state, b->name, b->from);
		}
	}
	for (i = 0; i < held->books.rows; i++) {
		const struct idle_state *row = &held->books.row[i];
		uint64_t count = 0, time = buckets_time(held, row);

		for (j = 0; j < held->buckets; j++) {
			const struct idle_bucket *b = &held->bucket[j];

			if (is_row(row, b->cpu, b->state, b->name))
				count += b->count;
		}
		/* Rows of one name (a driver that came back) share their buckets here. */
		if (count != idle_sum(&held->books, row->cpu, row->state, row->name, IDLE_USAGE))
			return wrong_row(row, "the sum of buckets", count, row->value[IDLE_USAGE]);
		if (time < idle_sum(&held->books, row->cpu, row->state, row->name, IDLE_TIME))
			return wrong_row(row, "the time of buckets", time, row->value[IDLE_TIME]);
	}
	return NULL;
}

/* Between two shots, each of CPUs that are held, rows and buckets have grown alike, to the ns. */
const char *idle_check_growth(const struct idle_shot *a, const struct idle_shot *b)
{
	unsigned int i;

	for (i = 0; i < b->books.rows; i++) {
		const struct idle_state *row = &b->books.row[i];
		uint64_t time = idle_sum(&b->books, row->cpu, row->state, row->name, IDLE_TIME) -
			idle_sum(&a->books, row->cpu, row->state, row->name, IDLE_TIME);
		uint64_t buckets = buckets_time(b, row) - buckets_time(a, row);

		if (time != buckets)
			return wrong_row(row, "the growth of the time of buckets", buckets, time);
	}
	return NULL;
}

/* Each stay that has ended has a cause, and only one. */
const char *idle_check_causes(const struct idle_shot *held)
{
	unsigned int i, j;

	for (i = 0; i < held->causes; i++) {
		const struct idle_cause *c = &held->cause[i];

		if (!c->count || !*c->cause)
			return wrong("CPU %d, state %d: cause '%s' with %" PRIu64, c->cpu, c->state,
				     c->cause, c->count);
		if (!idle_find(&held->books, c->cpu, c->state, c->name))
			return wrong("CPU %d, state %d: a cause of %s, which has no row", c->cpu,
				     c->state, c->name);
	}
	for (i = 0; i < held->books.rows; i++) {
		const struct idle_state *row = &held->books.row[i];
		uint64_t count = 0;

		for (j = 0; j < held->causes; j++) {
			const struct idle_cause *c = &held->cause[j];

			if (is_row(row, c->cpu, c->state, c->name))
				count += c->count;
		}
		if (count != idle_sum(&held->books, row->cpu, row->state, row->name, IDLE_USAGE))
			return wrong_row(row, "the sum of causes", count, row->value[IDLE_USAGE]);
	}
	return NULL;
}

/*
 * How many stays were shorter than @limit: not fewer than the buckets that end
 * below it hold, nor more than those that begin below it.
 */
static void bounds(const struct idle_shot *shot, const struct idle_state *row, uint64_t limit,
		   uint64_t *least, uint64_t *most)
{
	unsigned int i;

	*least = *most = 0;
	for (i = 0; i < shot->buckets; i++) {
		const struct idle_bucket *b = &shot->bucket[i];

		if (!is_row(row, b->cpu, b->state, b->name))
			continue;
		if (bucket_end(b) <= limit)
			*least += b->count;
		if (b->from < limit)
			*most += b->count;
	}
}

/* less and more, from the histogram; cost_pct, from the columns. For rows that are the only ones of their name. */
const char *idle_check_bounds(const struct idle_shot *held)
{
	static struct book book;
	unsigned int i;

	book_read(&book);
	for (i = 0; i < held->books.rows; i++) {
		const struct idle_state *row = &held->books.row[i], *next = NULL;
		uint64_t usage = row->value[IDLE_USAGE], least, most, elapsed;
		double cost, is = row->cost_pct;

		if (row->state < 0)
			continue;
		bounds(held, row, row->value[IDLE_LATENCY] + row->value[IDLE_RESIDENCY], &least, &most);
		if (row->value[IDLE_LESS] < least || row->value[IDLE_LESS] > most)
			return wrong("CPU %d, state %d %s: less is %" PRIu64 ", the histogram says %"
				     PRIu64 "..%" PRIu64, row->cpu, row->state, row->name,
				     row->value[IDLE_LESS], least, most);
		/* The rows of a driver stand together. */
		if (i + 1 < held->books.rows && row[1].cpu == row->cpu && row[1].state == row->state + 1)
			next = &row[1];
		least = most = usage;
		if (next)
			bounds(held, row, next->value[IDLE_LATENCY] + next->value[IDLE_RESIDENCY],
			       &least, &most);
		if (row->value[IDLE_MORE] + most < usage || row->value[IDLE_MORE] + least > usage)
			return wrong("CPU %d, state %d %s: more is %" PRIu64 ", the histogram says %"
				     PRIu64 "..%" PRIu64, row->cpu, row->state, row->name,
				     row->value[IDLE_MORE], usage - most, usage - least);
		/* Of the time up to the shot: the books were read a little later. */
		elapsed = book_cpu(&book, row->cpu)->ns[ELAPSED];
		cost = 1e4 * usage * row->value[IDLE_LATENCY] / elapsed;
		if (is + 1 < cost || is > cost * elapsed / (elapsed - (book.after - held->before)) + 1)
			return wrong("CPU %d, state %d %s: cost_pct is %.2f, should be %.2f", row->cpu,
				     row->state, row->name, is / 100, cost / 100);
	}
	return NULL;
}

/* All that must hold for one shot of CPUs that are held. */
const char *idle_check(const struct idle_shot *held)
{
	const char *error = idle_check_names(held);

	if (!error)
		error = idle_check_histogram(held);
	return error ? error : idle_check_causes(held);
}

/* Of a later read in the same epoch: no row goes away, nothing decreases. */
const char *idle_check_after(const struct idle_rows *a, const struct idle_rows *b)
{
	unsigned int i, f;

	for (i = 0; i < a->rows; i++) {
		const struct idle_state *row = &a->row[i];

		if (!idle_find(b, row->cpu, row->state, row->name))
			return wrong("CPU %d: the row of state %d %s went away", row->cpu, row->state,
				     row->name);
		for (f = IDLE_USAGE; f < IDLE_FIELDS; f++) {
			uint64_t old = idle_sum(a, row->cpu, row->state, row->name, f);
			uint64_t new = idle_sum(b, row->cpu, row->state, row->name, f);

			if (new < old)
				return wrong("CPU %d, state %d %s: %s went from %" PRIu64 " to %" PRIu64,
					     row->cpu, row->state, row->name, field_name[f], old, new);
		}
	}
	return NULL;
}

/* The growth of a field between two shots, by the module and by sysfs, of sysfs's row @s. */
static void growth(const struct idle_shot *a, const struct idle_shot *b, const struct idle_state *s,
		   enum idle_field field, uint64_t *books, uint64_t *sysfs)
{
	*books = idle_sum(&b->books, s->cpu, s->state, s->name, field) -
		idle_sum(&a->books, s->cpu, s->state, s->name, field);
	*sysfs = s->value[field] - idle_sum(&a->sysfs, s->cpu, s->state, s->name, field);
}

/* Between two shots, each of CPUs that are held, the module has counted what the kernel has. */
const char *idle_check_counts(const struct idle_shot *a, const struct idle_shot *b)
{
	static const enum idle_field fields[] = { IDLE_USAGE, IDLE_REJECTED, IDLE_ABOVE, IDLE_BELOW };
	unsigned int i, f;

	for (i = 0; i < b->sysfs.rows; i++) {
		const struct idle_state *s = &b->sysfs.row[i];

		for (f = 0; f < ARRAY_SIZE(fields); f++) {
			uint64_t books, sysfs;

			growth(a, b, s, fields[f], &books, &sysfs);
			if (books != sysfs)
				return wrong("CPU %d, state %d %s: %s has grown by %" PRIu64 ", in sysfs by %"
					     PRIu64, s->cpu, s->state, s->name, field_name[fields[f]],
					     books, sysfs);
		}
	}
	return NULL;
}

/*
 * And the time: within 1 us a stay, as each looks at the clock by itself, and
 * 0.1 %. The module's looks are the outer ones: an emulator that goes by the host's
 * time may stretch what lies in between, or let another CPU have its turn there.
 */
const char *idle_check_time(const struct idle_shot *a, const struct idle_shot *b)
{
	unsigned int i;

	for (i = 0; i < b->sysfs.rows; i++) {
		const struct idle_state *s = &b->sysfs.row[i];
		uint64_t books, sysfs, usage, unused, off, most;

		growth(a, b, s, IDLE_TIME, &books, &sysfs);
		growth(a, b, s, IDLE_USAGE, &usage, &unused);
		off = books > sysfs ? books - sysfs : sysfs - books;
		most = (usage + 2) * 1000 + sysfs / 1000;
		if (is_tcg() && !is_icount() && books > sysfs)
			most = usage * 2000 + sysfs / 20 + 20 * NSEC_PER_MSEC;
		if (off > most)
			return wrong("CPU %d, state %d %s: %" PRIu64 " stays, %" PRIu64 " ns, in sysfs %"
				     PRIu64 " ns", s->cpu, s->state, s->name, usage, books, sysfs);
	}
	return NULL;
}

/* Says what is wrong, if something is. */
bool idle_passes(const char *error)
{
	if (error)
		ksft_print_msg("%s\n", error);
	return !error;
}
