// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts and softirqs are counted as the kernel itself does, row by row and CPU by
 * CPU: /proc/interrupts and /proc/softirqs, from a new epoch on.
 *
 * While CPUs work each count lies between what the kernel has before and after the
 * read; the kernel counts one that begins, the module one that has ended, so that one
 * may be under way. When they are quiet again, rows that did not change around the reads
 * have the kernel's own number.
 *
 * And the rows add up: to the row total, and that to the CPU's column of /proc/cpuprecise.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kselftest.h"

#include "book.h"
#include "irqs.h"
#include "load.h"
#include "machine.h"

#define READS	6	/* while CPUs work */
#define TRIES	40	/* at rest, and so many times more until rows were still once */
#define MORE	6

enum { HARD, SOFT, FILES };

static const char *const path[FILES] = { "/proc/interrupts", "/proc/softirqs" };

#define MAX_COUNTS	256
#define MAX_CPUS	4

/* Of one file, all CPUs. */
struct kernel {
	unsigned int rows;
	struct count count[MAX_CPUS][MAX_COUNTS];
};

static struct kernel start_low[FILES], start_high[FILES], low, high;
static struct irqs irqs[FILES][2];
static int cpus;

static void take(struct kernel *k, int file)
{
	int cpu;

	for (cpu = 0; cpu < cpus; cpu++)
		k->rows = percpu_counts(path[file], cpu, k->count[cpu], MAX_COUNTS);
}

/* By name: lines may have come meanwhile. */
static uint64_t value_of(const struct kernel *k, int cpu, const char *name)
{
	unsigned int i;

	for (i = 0; i < k->rows; i++)
		if (!strcmp(k->count[cpu][i].name, name))
			return k->count[cpu][i].value;
	return 0;
}

/* Rows that the kernel has and no tracepoint tells of, or that are counted elsewhere, too. */
static bool is_ours(const char *name)
{
	static const char *const vectors[] = {
		"LOC", "RES", "CAL", "IWI", "PLT", "SPU", "TRM", "THR", "DFR",
	};
	unsigned int i;

	if (isdigit((unsigned char)*name) || !strncmp(name, "IPI", 3))
		return true;
	for (i = 0; i < ARRAY_SIZE(vectors); i++)
		if (!strcmp(name, vectors[i]))
			return true;
	return false;
}

static bool ends_with(const char *text, const char *end)
{
	size_t a = strlen(text), b = strlen(end);

	return a >= b && !strcmp(text + a - b, end);
}

/* Is it the row of a counter of the kernel's? */
static bool is_row_of(const struct irqs_row *row, const struct count *count)
{
	char *end;

	switch (row->kind) {
	case IRQS_LINE:
		return strtol(count->name, &end, 10) == row->number && !*end;
	case IRQS_IPI:
		return !strncmp(count->name, "IPI", 3) && !strcmp(count->text, row->name);
	case IRQS_VECTOR:
	case IRQS_SOFTIRQ:
		return !strcmp(count->name, row->name);
	default:
		return false;
	}
}

/* Rows, once for each CPU, that were compared, and that had the very number. */
struct verdict {
	unsigned int compared, exact, wrong;
	bool still[MAX_CPUS][MAX_COUNTS];	/* it did not change around the read */
	uint64_t counted;
};

static void compare(struct verdict *v, const struct irqs_row *row, int file, int cpu, unsigned int i,
		    unsigned int under_way)
{
	const char *name = high.count[cpu][i].name;
	uint64_t least = low.count[cpu][i].value - value_of(&start_high[file], cpu, name);
	uint64_t most = high.count[cpu][i].value - value_of(&start_low[file], cpu, name);
	uint64_t count = row ? row->count : 0;

	/* Around a new epoch others might begin, too. */
	if (value_of(&start_high[file], cpu, name) > low.count[cpu][i].value)
		least = 0;
	v->compared += !!row;
	v->counted += count;
	v->still[cpu][i] |= least == most;
	v->exact += row && least == most && count == most;
	if (count + under_way >= least && count <= most + under_way)
		return;
	v->wrong++;
	ksft_print_msg("CPU %d %s: count %" PRIu64 ", the kernel has %" PRIu64 "..%" PRIu64 "\n", cpu, name,
		       count, least, most);
}

/* Each row of the kernel's has one of the module's. */
static void judge(struct verdict *v, const struct irqs *irqs, int file, unsigned int under_way)
{
	unsigned int i, j;
	int cpu;

	for (cpu = 0; cpu < cpus; cpu++)
		for (i = 0; i < high.rows; i++) {
			const struct count *count = &high.count[cpu][i];
			unsigned int found = 0;

			if (file == HARD && !is_ours(count->name))
				continue;
			for (j = 0; j < irqs->rows; j++) {
				const struct irqs_row *row = &irqs->row[j];

				if (row->cpu != cpu || !is_row_of(row, count))
					continue;
				found++;
				compare(v, row, file, cpu, i, under_way);
			}
			if (!found)
				compare(v, NULL, file, cpu, i, under_way);
		}
}

/* Each row of the module's has one of the kernel's, which ends with the handler's name. */
static unsigned int strangers(const struct irqs *irqs, int file)
{
	unsigned int i, j, strange = 0;

	for (j = 0; j < irqs->rows; j++) {
		const struct irqs_row *row = &irqs->row[j];

		if (row->kind == IRQS_TOTAL || row->kind == IRQS_NMI)
			continue;
		/* arm64: what IPIs come in by is hidden. */
		if (row->kind == IRQS_LINE && !strcmp(row->name, "IPI"))
			continue;
		for (i = 0; i < high.rows; i++)
			if (is_row_of(row, &high.count[row->cpu][i]) &&
			    (row->kind != IRQS_LINE || ends_with(high.count[row->cpu][i].text, row->name) ||
			     strstr(high.count[row->cpu][i].text, row->name)))
				break;
		if (i < high.rows)
			continue;
		strange++;
		irqs_print_row(row);
	}
	return strange;
}

static void read_between(int file, unsigned int turn)
{
	take(&low, file);
	irqs_read_checked(&irqs[file][turn % 2], file == SOFT, turn ? &irqs[file][!(turn % 2)] : NULL);
	take(&high, file);
}

/* The row total of each CPU is the CPU's column. */
static unsigned int totals_off(unsigned int turn)
{
	static struct book before, after;
	unsigned int off = 0;
	int file, cpu;

	for (file = 0; file < FILES; file++) {
		enum book_field column = file == HARD ? IRQ : SOFTIRQ;

		book_read(&before);
		irqs_read_checked(&irqs[file][turn % 2], file == SOFT, &irqs[file][!(turn % 2)]);
		book_read(&after);
		for (cpu = 0; cpu < cpus; cpu++) {
			uint64_t time = irqs_total(&irqs[file][turn % 2], cpu)->time;
			uint64_t least = book_cpu(&before, cpu)->ns[column];
			uint64_t most = book_cpu(&after, cpu)->ns[column];

			if (time >= least && time <= most)
				continue;
			off++;
			ksft_print_msg("CPU %d: total of %s is %" PRIu64 " ns, the column was %" PRIu64 "..%"
				       PRIu64 "\n", cpu, path[file], time, least, most);
		}
	}
	return off;
}

static void new_epoch(void)
{
	int file;

	for (file = 0; file < FILES; file++)
		take(&start_low[file], file);
	must_write(BOOK_DEBUGFS "reset", "1");
	for (file = 0; file < FILES; file++)
		take(&start_high[file], file);
}

static uint64_t count_of(int file, enum irqs_kind kind, int number, const char *name, unsigned int turn)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < irqs[file][turn % 2].rows; i++) {
		const struct irqs_row *row = &irqs[file][turn % 2].row[i];

		if (row->kind == kind && (number < 0 || row->number == number) &&
		    (!name || !strncmp(row->name, name, strlen(name))))
			sum += row->count;
	}
	return sum;
}

/* Did the loads do what they are for? */
static void came(unsigned int turn)
{
	struct {
		const char *what;
		uint64_t count, least;
	} all[] = {	/* a slow CPU is seldom asked to reschedule */
		{ "NET_RX", count_of(SOFT, IRQS_SOFTIRQ, -1, "NET_RX", turn), load_has_pings() ? 500 : 20 },
		{ "TIMER", count_of(SOFT, IRQS_SOFTIRQ, -1, "TIMER", turn), 20 },
		{ "SCHED", count_of(SOFT, IRQS_SOFTIRQ, -1, "SCHED", turn), 20 },
		{ "RCU", count_of(SOFT, IRQS_SOFTIRQ, -1, "RCU", turn), 20 },
#ifdef __x86_64__
		{ "LOC", count_of(HARD, IRQS_VECTOR, -1, "LOC", turn), 20 },
		{ "CAL", count_of(HARD, IRQS_VECTOR, -1, "CAL", turn), 20 },
		{ "RES", count_of(HARD, IRQS_VECTOR, -1, "RES", turn), 1 },
#else
		{ "arch_timer", count_of(HARD, IRQS_LINE, -1, "arch_timer", turn), 20 },
		{ "Function call interrupts", count_of(HARD, IRQS_IPI, -1, "Function call", turn), 20 },
		{ "Rescheduling interrupts", count_of(HARD, IRQS_IPI, -1, "Rescheduling", turn), 1 },
#endif
		{ "virtio", count_of(HARD, IRQS_LINE, -1, "virtio", turn), 20 },
	};
	unsigned int i, n = ARRAY_SIZE(all) - !!access("/dev/vda", F_OK), few = 0;

	for (i = 0; i < n; i++) {
		ksft_print_msg("%s: %" PRIu64 "\n", all[i].what, all[i].count);
		few += all[i].count < all[i].least;
	}
	ksft_test_result(!few, "%u kinds came, too few of %u\n", n, few);
}

/* How many rows were still around a read, of how many: those of each tick need not be. */
static unsigned int still_rows(const struct verdict *v, int file, unsigned int *rows)
{
	unsigned int i, still = 0;
	int cpu;

	*rows = 0;
	for (cpu = 0; cpu < cpus; cpu++)
		for (i = 0; i < high.rows; i++)
			if (file == SOFT || is_ours(high.count[cpu][i].name)) {
				++*rows;
				still += v->still[cpu][i];
			}
	return still;
}

static void quiet(int file)
{
	static struct verdict v;
	unsigned int rows = 0, still = 0, turn;
	const char *error = NULL;

	memset(&v, 0, sizeof(v));
	for (turn = READS; turn < READS + TRIES ||
	     (2 * still < rows && turn < READS + MORE * TRIES); turn++) {
		read_between(file, turn);
		judge(&v, &irqs[file][turn % 2], file, 0);
		if (!error)
			error = irqs_check_hists(&irqs[file][turn % 2], &irqs[file][!(turn % 2)]);
		still = still_rows(&v, file, &rows);
		sleep_ns(20 * NSEC_PER_MSEC);
	}
	ksft_test_result(!v.wrong && v.exact, "%s: %u comparisons at rest, exact %u, wrong %u\n", path[file],
			 v.compared, v.exact, v.wrong);
	ksft_test_result(2 * still >= rows, "%s: %u of %u rows were still around a read\n", path[file],
			 still, rows);
	if (error)
		ksft_print_msg("%s\n", error);
	ksft_test_result(!error, "%s: histograms have each one\n", path[file]);
	ksft_test_result(!strangers(&irqs[file][(turn - 1) % 2], file), "%s: has each row, by its name\n",
			 path[file]);
}

int main(void)
{
	static void (*const work[])(void) = {
		load_files, load_timers, load_datagrams, load_barriers, load_ping_pong, load_naps, load_forks, load_pings,
	};
	unsigned int loads = ARRAY_SIZE(work) - !load_has_pings();
	static struct verdict v[FILES];
	pid_t load[ARRAY_SIZE(work)];
	unsigned int i, turn, off = 0;
	uint64_t other;
	int file, cpu;

	irqs_require("irqs");
	ksft_print_header();
	ksft_set_plan(4 + 2 * 4 + 1);
	cpus = cpus_online();
	if (cpus > MAX_CPUS)
		ksft_exit_skip("more than %d CPUs\n", MAX_CPUS);
	sleep_ns(300 * NSEC_PER_MSEC);
	new_epoch();
	for (i = 0; i < loads; i++)
		load[i] = load_start(work[i], work[i] == load_barriers || work[i] == load_timers ? other_cpu() : -1);
	for (turn = 0; turn < READS; turn++) {
		sleep_ns(500 * NSEC_PER_MSEC);
		for (file = 0; file < FILES; file++) {
			read_between(file, turn);
			judge(&v[file], &irqs[file][turn % 2], file, 1);
		}
		if (turn)
			off += totals_off(turn + 1);
	}
	for (i = 0; i < loads; i++)
		load_stop(load[i]);
	for (file = 0; file < FILES; file++)
		ksft_test_result(!v[file].wrong && v[file].compared, "%s: %u comparisons under load, exact %u, wrong %u\n",
				 path[file], v[file].compared, v[file].exact, v[file].wrong);
	ksft_test_result(!off, "row total is the CPU's column, not so %u times\n", off);
	came(turn + 1);

	sleep_ns(500 * NSEC_PER_MSEC);
	for (file = 0; file < FILES; file++)
		quiet(file);
	for (other = 0, cpu = 0; cpu < cpus; cpu++)
		other += !!irqs_find(&irqs[HARD][1], cpu, IRQS_OTHER, -1, NULL);
	ksft_test_result(!other, "%" PRIu64 " CPUs have a row other\n", other);
	ksft_finished();
}
