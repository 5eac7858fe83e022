// SPDX-License-Identifier: GPL-2.0-only
/*
 * A read interrupts and wakes no CPU. A reader on CPU 0 opens, reads and closes
 * the file, and those of counters and frequencies, a thousand times a second;
 * another CPU counts nothing more in that time than while the reader only sleeps: no
 * interrupt, softirq or call of a hook, no time but idle. Interrupts between CPUs are
 * none at all.
 *
 * Exact where time is instructions and the other CPU has nothing to do: the plan
 * isolates it, and whatever can be moved away from it is.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "load.h"
#include "machine.h"

#define PERIODS		6	/* every other one with a reader */
#define READS		2000	/* a period */
#define STEP		NSEC_PER_MSEC
#define MAX_COUNTS	100	/* of a kind */

/* Whose counters these are, and where they begin among all. */
enum kind { INTERRUPTS, SOFTIRQS, HOOKS, COLUMNS, KINDS };

static const char *const kind_name[KINDS] = {
	"/proc/interrupts", "/proc/softirqs", BOOK_DEBUGFS "self", BOOK_PATH,
};

struct reading {
	unsigned int n[KINDS];
	struct count counts[KINDS][MAX_COUNTS];
};

static struct reading first, last;
static struct book book, before;
static int cpu;

/* Calls of each hook, by the module's own count. */
static unsigned int hook_counts(struct count *counts)
{
	static char text[1 << 20];
	char *line, *save = NULL;
	unsigned int n = 0;
	int of;

	if (!file_read(BOOK_DEBUGFS "self", text, sizeof(text)))
		ksft_exit_skip("needs root and debugfs\n");
	for (line = strtok_r(text, "\n", &save); line && n < MAX_COUNTS; line = strtok_r(NULL, "\n", &save))
		if (sscanf(line, "%31s %d %" SCNu64, counts[n].name, &of, &counts[n].value) == 3 &&
		    of == cpu)
			n++;
	return n;
}

/* All time that is not idle. */
static unsigned int column_counts(struct count *counts)
{
	unsigned int n = 0;
	int f;

	book_read(&book);
	for (f = USER; f <= SOFTIRQ; f++) {
		if (f == IDLE)
			continue;
		snprintf(counts[n].name, sizeof(counts[n].name), "%s", book_field_name[f]);
		counts[n++].value = book_cpu(&book, cpu)->ns[f];
	}
	return n;
}

static void take(struct reading *r)
{
	r->n[INTERRUPTS] = percpu_counts("/proc/interrupts", cpu, r->counts[INTERRUPTS], MAX_COUNTS);
	r->n[SOFTIRQS] = percpu_counts("/proc/softirqs", cpu, r->counts[SOFTIRQS], MAX_COUNTS);
	r->n[HOOKS] = hook_counts(r->counts[HOOKS]);
	r->n[COLUMNS] = column_counts(r->counts[COLUMNS]);
}

/* Adds to @sum what was counted from @first to @last. */
static void add(struct reading *sum)
{
	unsigned int i;
	int kind;

	for (kind = 0; kind < KINDS; kind++) {
		sum->n[kind] = last.n[kind];
		for (i = 0; i < last.n[kind]; i++) {
			struct count *count = &sum->counts[kind][i];

			if (first.n[kind] != last.n[kind] ||
			    strcmp(first.counts[kind][i].name, last.counts[kind][i].name))
				ksft_exit_fail_msg("%s has other rows than before\n", kind_name[kind]);
			memcpy(count->name, last.counts[kind][i].name, sizeof(count->name));
			count->value += last.counts[kind][i].value - first.counts[kind][i].value;
		}
	}
}

/* Those that a PMU's counters would be in: here there is none. */
static const char *const files[] = { BOOK_DEBUGFS "counters", BOOK_DEBUGFS "freqs" };

static void read_all(void)
{
	static char text[65536];
	int fd = book_open();
	unsigned int i;

	while (read(fd, text, sizeof(text)) > 0)
		;
	close(fd);
	for (i = 0; i < ARRAY_SIZE(files); i++)
		file_read_all(files[i], text, sizeof(text));
}

static void watch(struct reading *sum, bool reads)
{
	uint64_t next;
	int i;

	take(&first);
	before = book;
	next = monotonic_ns();
	for (i = 0; i < READS; i++) {
		next += STEP;
		sleep_until(next);
		if (reads)
			read_all();
	}
	take(&last);
	add(sum);
}

/* Do other CPUs cause it, with an interrupt? */
static bool is_ipi(const char *name)
{
	return !strcmp(name, "RES") || !strcmp(name, "CAL") || !strcmp(name, "TLB") ||
	       !strcmp(name, "IWI");
}

static void judge(const struct reading *without, const struct reading *with, enum kind kind)
{
	unsigned int i;
	bool ok = true;

	for (i = 0; i < with->n[kind]; i++) {
		uint64_t most = without->counts[kind][i].value;

		if (kind == INTERRUPTS && is_ipi(with->counts[kind][i].name))
			most = 0;
		if (with->counts[kind][i].value > most) {
			ksft_print_msg("cpu%d: %s: %" PRIu64 " with a reader, %" PRIu64 " without\n", cpu,
				       with->counts[kind][i].name, with->counts[kind][i].value,
				       without->counts[kind][i].value);
			ok = false;
		}
	}
	ksft_test_result(ok && i, "%s: %u counters of cpu%d, as they are without a reader\n",
			 kind_name[kind], i, cpu);
}

int main(void)
{
	static struct reading without, with, busy;
	const char *error;
	uint64_t idle, elapsed;
	pid_t load;
	int i, kind, count;

	book_require();
	require_icount();
	require_cpus(2);
	ksft_print_header();
	ksft_set_plan(2 + KINDS);
	cpu = cpus_online() - 1;
	pin(0);
	pin_all(cpu, 0);
	/* It looks at each CPU every four seconds. */
	file_write("/proc/sys/kernel/watchdog", "0");
	sleep_ns(2 * NSEC_PER_SEC);

	/* Nothing is printed meanwhile: the console interrupts. */
	for (i = 0; i < PERIODS; i++)
		watch(i % 2 ? &with : &without, i % 2);
	error = book_check(&book);
	if (!error)
		error = book_check_after(&before, &book);
	idle = book_delta(&before, &book, cpu, IDLE);
	elapsed = book_delta(&before, &book, cpu, ELAPSED);

	load = load_start(load_datagrams, cpu);
	take(&first);
	sleep_ns(100 * NSEC_PER_MSEC);
	take(&last);
	add(&busy);
	load_stop(load);
	file_write("/proc/sys/kernel/watchdog", "1");

	for (kind = 0; kind < KINDS; kind++)
		judge(&without, &with, kind);
	ksft_test_result(!error && elapsed - idle <= elapsed / 1000000,
			 "cpu%d slept: idle %" PRIu64 " us of %" PRIu64 " us, %d reads%s%s\n", cpu,
			 idle / 1000, elapsed / 1000, READS, error ? ": " : "", error ?: "");
	/* None of these counters is just dead. */
	for (kind = 0, count = 0; kind < KINDS; kind++)
		for (i = 0; i < (int)busy.n[kind]; i++)
			if (busy.counts[kind][i].value) {
				count++;
				break;
			}
	ksft_test_result(count == KINDS, "cpu%d at work for 100 ms shows in %d of %d files\n", cpu, count,
			 KINDS);
	ksft_finished();
}
