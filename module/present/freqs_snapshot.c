// SPDX-License-Identifier: GPL-2.0-only
/*
 * Taking snapshots of the frequencies. As in snapshot.c, a reset is a baseline
 * kept here.
 *
 * The books have the times of a frequency as parts of a CPU's busy and idle time
 * since load; rows of /proc/cpuprecise round each category by itself. So that
 * both agree as integers, what a CPU's busy time grew by since the last read is
 * shared out among the frequencies as the books say, and idle time likewise.
 */
#include <linux/cpumask.h>
#include <linux/slab.h>

#include <cpuprecise/aperf.h>
#include <cpuprecise/cycles_snapshot.h>
#include <cpuprecise/freqs.h>
#include <cpuprecise/freqs_snapshot.h>
#include <cpuprecise/snapshot.h>

/**
 * struct freqs_base - what readers know of a CPU
 * @base: the books where the epoch began
 * @last: the times of the books at the last read, which were shared out
 * @busy: shown at the last read, ns
 * @idle: shown at the last read, ns
 * @busy_all: of all frequencies
 * @idle_all: of all frequencies
 */
struct freqs_base {
	struct cpupr_freq_sum base[CPUPR_FREQ_ROWS];
	struct cpupr_freq_sum last[CPUPR_FREQ_ROWS];
	u64 busy[CPUPR_FREQ_ROWS];
	u64 idle[CPUPR_FREQ_ROWS];
	u64 busy_all;
	u64 idle_all;
};

/* Protected by cpupr_snapshot_lock(), and so is @copy, too large for a stack. */
static struct freqs_base *bases;	/* nr_cpu_ids */
static struct cpupr_freqs copy;

/* Copy a CPU's books, the open interval closed as of the row that is taken with it. */
static void copy_books(int cpu, struct cpupr_row *row)
{
	struct cpupr_freq *f = per_cpu_ptr(&cpupr_cpu, cpu)->freq;
	struct cpupr_ledger ledger;
	unsigned int seq;

	do {
		seq = read_seqcount_begin(&f->seq);
		copy = f->books;
		cpupr_snapshot_cpu(cpu, row, &ledger);
	} while (read_seqcount_retry(&f->seq, seq));
	cpupr_freqs_account(&copy, &ledger, cpu);
}

/* A reader may be ahead of the CPU's own clock: what was shared out stays. */
static u64 advance(u64 *last, u64 now)
{
	u64 part = now > *last ? now - *last : 0;

	*last += part;
	return part;
}

static void share(struct freqs_base *b, const struct cpupr_row *row)
{
	u64 idle_part[CPUPR_FREQ_ROWS], busy_part[CPUPR_FREQ_ROWS];
	u64 idle = row->ns[CPUPR_IDLE] + row->ns[CPUPR_IOWAIT];
	u64 busy = row->elapsed - idle;
	unsigned int i;

	for (i = 0; i < CPUPR_FREQ_ROWS; i++) {
		busy_part[i] = advance(&b->last[i].busy, copy.sum[i].busy);
		idle_part[i] = advance(&b->last[i].idle, copy.sum[i].idle);
		advance(&b->last[i].clock, copy.sum[i].clock);
	}
	cpupr_share(busy - b->busy_all, busy_part, b->busy, CPUPR_FREQ_ROWS, copy.row);
	cpupr_share(idle - b->idle_all, idle_part, b->idle, CPUPR_FREQ_ROWS, copy.row);
	b->busy_all = busy;
	b->idle_all = idle;
}

/* Where nothing ever told a CPU's frequency, it may have been measured. */
static void take_running_khz(int cpu, struct cpupr_freqs_cpu *to)
{
	const struct cpupr_freq_sum *unknown = &to->sum[CPUPR_FREQ_UNKNOWN];
	struct cpupr_cycles_cpu c;

	to->running_khz = 0;
	if (unknown->busy + unknown->idle != to->elapsed)
		return;
	to->by = "aperf";
	to->running_khz = cpupr_aperf_read_khz(cpu);
	if (to->running_khz)
		return;
	to->by = "cycles";
	cpupr_cycles_snapshot_cpu(cpu, &c);
	to->running_khz = cpupr_cycles_running_khz(&c);
}

static void take_cpu(int cpu, struct cpupr_freqs_cpu *to)
{
	struct freqs_base *b = &bases[cpu];
	struct cpupr_row row;
	unsigned int i;

	copy_books(cpu, &row);
	share(b, &row);
	for (i = 0; i < CPUPR_FREQ_ROWS; i++) {
		to->sum[i].busy = b->busy[i];
		to->sum[i].idle = b->idle[i];
		to->sum[i].clock = b->last[i].clock - b->base[i].clock;
		to->sum[i].cycles = copy.sum[i].cycles - b->base[i].cycles;
		to->sum[i].counted = copy.sum[i].counted - b->base[i].counted;
	}
	memcpy(to->khz, copy.khz, sizeof(to->khz));
	to->row = copy.row;
	to->elapsed = row.elapsed;
	take_running_khz(cpu, to);
}

/**
 * cpupr_freqs_snapshot_size() - bytes of a struct cpupr_freqs_cpu a CPU
 */
size_t cpupr_freqs_snapshot_size(void)
{
	return nr_cpu_ids * sizeof(struct cpupr_freqs_cpu);
}

/**
 * cpupr_freqs_snapshot_take() - fill in a snapshot
 * @snapshot: struct cpupr_freqs_cpu by CPU number
 *
 * Where cycles are counted it interrupts the CPUs, since only they can read them.
 *
 * Context: process, may sleep.
 */
void cpupr_freqs_snapshot_take(void *snapshot)
{
	struct cpupr_freqs_cpu *s = snapshot;
	int cpu;

	cpupr_freqs_wait();
	cpupr_snapshot_lock();
	for_each_possible_cpu(cpu) {
		s[cpu].counted = cpupr_freqs_look(cpu);
		take_cpu(cpu, &s[cpu]);
	}
	cpupr_snapshot_unlock();
}

/**
 * cpupr_freqs_rebase() - a new epoch begins
 *
 * Context: under cpupr_snapshot_lock(), the baselines of snapshot.c taken.
 */
void cpupr_freqs_rebase(void)
{
	struct cpupr_row row;
	int cpu;

	for_each_possible_cpu(cpu) {
		struct freqs_base *b = &bases[cpu];

		cpupr_freqs_look(cpu);
		copy_books(cpu, &row);
		memset(b, 0, sizeof(*b));
		memcpy(b->base, copy.sum, sizeof(b->base));
		/* The epoch is a little older than this look. */
		b->base[copy.row].clock -= row.elapsed;
		memcpy(b->last, copy.sum, sizeof(b->last));
	}
}

/**
 * cpupr_freqs_snapshot_init() - before the first epoch
 *
 * Return: 0 or -ENOMEM.
 */
int cpupr_freqs_snapshot_init(void)
{
	bases = kvcalloc(nr_cpu_ids, sizeof(*bases), GFP_KERNEL);
	return bases ? 0 : -ENOMEM;
}

/**
 * cpupr_freqs_snapshot_exit() - the files are gone: forget all
 */
void cpupr_freqs_snapshot_exit(void)
{
	kvfree(bases);
	bases = NULL;
}
