// SPDX-License-Identifier: GPL-2.0-only
/*
 * syscalls, syscall_hist: two views of one snapshot. Formats:
 * tools/abi/debugfs-cpuprecise.
 */
#include <linux/cpumask.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include <cpuprecise/call_rows.h>
#include <cpuprecise/snapshot.h>
#include <cpuprecise/syscall_names.h>
#include <cpuprecise/table.h>
#include <cpuprecise/tasks.h>

/* By slot, where the epoch began. Protected by cpupr_snapshot_lock(). */
static struct cpupr_call_row *bases;
static u64 counts[CPUPR_CALLS];	/* while that is taken */

/*
 * One call on one CPU. @begin: an epoch does. A maximum has no baseline: it begins anew
 * where the baseline of the times is taken, with no end of a call in between, so that
 * one fits the other.
 */
static void add_on(int cpu, unsigned int slot, struct cpupr_call_row *sum, bool begin)
{
	struct cpupr_cpu *c = per_cpu_ptr(&cpupr_cpu, cpu);
	struct cpupr_call_books *b = &c->tasks->calls;
	struct cpupr_call_row *row, copy;
	unsigned int seq;

	if (!cpupr_call_has_row(b, slot))
		return;
	do {
		seq = read_seqcount_begin(&c->seq);
		row = READ_ONCE(b->row_of[slot]);
		copy = *row;
		if (begin)
			WRITE_ONCE(row->max, 0);
	} while (read_seqcount_retry(&c->seq, seq));
	cpupr_call_rows_add(sum, &copy);
}

static void take_all(struct cpupr_call_row *sum, bool begin)
{
	unsigned int slot;
	int cpu;

	memset(sum, 0, CPUPR_CALLS * sizeof(*sum));
	for_each_possible_cpu(cpu)
		for (slot = 0; slot < CPUPR_CALLS; slot++)
			add_on(cpu, slot, &sum[slot], begin);
}

static size_t size(void)
{
	return CPUPR_CALLS * sizeof(*bases);
}

static void take(void *snapshot)
{
	struct cpupr_call_row *sum = snapshot;
	unsigned int slot;

	cpupr_snapshot_lock();
	take_all(sum, false);
	for (slot = 0; slot < CPUPR_CALLS; slot++)
		cpupr_call_rows_sub(&sum[slot], &bases[slot]);
	cpupr_snapshot_unlock();
	for (slot = 0; slot < CPUPR_CALLS; slot++) {
		sum[slot].cpu = cpupr_clock_ns(sum[slot].cpu);
		sum[slot].wall = cpupr_clock_ns(sum[slot].wall);
		sum[slot].max = cpupr_clock_ns(sum[slot].max);
	}
}

static void put_call(struct seq_file *m, unsigned int slot)
{
	bool compat = slot >= CPUPR_CALL_SLOTS;
	unsigned int nr = slot % CPUPR_CALL_SLOTS;
	const char *name = cpupr_syscall_name(compat, nr);

	seq_puts(m, compat ? "compat" : "native");
	if (nr == CPUPR_CALL_OTHER)
		seq_puts(m, " other");
	else
		seq_put_decimal_ull(m, " ", nr);
	seq_putc(m, ' ');
	seq_puts(m, name ?: "-");
}

static void head(struct seq_file *m, const void *snapshot)
{
	seq_puts(m, "# abi nr name count cpu_ns wall_ns max_ns\n");
}

static unsigned int rows(const void *snapshot)
{
	return CPUPR_CALLS;
}

static int row(struct seq_file *m, const void *snapshot, unsigned int slot)
{
	const struct cpupr_call_row *sum = (const struct cpupr_call_row *)snapshot + slot;

	if (!sum->count)
		return SEQ_SKIP;
	put_call(m, slot);
	seq_put_decimal_ull(m, " ", sum->count);
	seq_put_decimal_ull(m, " ", sum->cpu);
	seq_put_decimal_ull(m, " ", sum->wall);
	seq_put_decimal_ull(m, " ", sum->max);
	seq_putc(m, '\n');
	return 0;
}

const struct cpupr_table cpupr_syscalls_table = {
	.name = "syscalls",
	.size = size,
	.take = take,
	.head = head,
	.rows = rows,
	.row = row,
};

static void hist_head(struct seq_file *m, const void *snapshot)
{
	seq_puts(m, "# abi nr name kind bucket_ns count\n");
}

static unsigned int hist_rows(const void *snapshot)
{
	return CPUPR_CALLS * 2 * CPUPR_BUCKETS;
}

static int hist_row(struct seq_file *m, const void *snapshot, unsigned int i)
{
	unsigned int slot = i / CPUPR_BUCKETS / 2, bucket = i % CPUPR_BUCKETS;
	const struct cpupr_call_row *sum = (const struct cpupr_call_row *)snapshot + slot;
	bool wall = i / CPUPR_BUCKETS % 2;
	u64 count = wall ? sum->wall_hist[bucket] : sum->cpu_hist[bucket];

	if (!count)
		return SEQ_SKIP;
	put_call(m, slot);
	seq_printf(m, " %s %llu %llu\n", wall ? "wall" : "cpu", cpupr_bucket_ns(bucket), count);
	return 0;
}

const struct cpupr_table cpupr_syscall_hist_table = {
	.name = "syscall_hist",
	.size = size,
	.take = take,
	.head = hist_head,
	.rows = hist_rows,
	.row = hist_row,
};

/**
 * cpupr_call_rows_rebase() - a new epoch begins
 *
 * Context: under cpupr_snapshot_lock().
 */
void cpupr_call_rows_rebase(void)
{
	unsigned int i;

	/* Whose beginning is counted from here on may end in the epoch, and nothing else. */
	take_all(bases, false);
	for (i = 0; i < CPUPR_CALLS; i++)
		counts[i] = bases[i].count;
	cpupr_calls_forget();
	take_all(bases, true);
	for (i = 0; i < CPUPR_CALLS; i++) {
		bases[i].count = counts[i];
		bases[i].max = 0;
	}
}

/**
 * cpupr_call_rows_rescale() - convert baselines to another clock
 * @mult: one old tick is @mult / 2^@shift new ones
 * @shift: see @mult
 *
 * Context: under cpupr_snapshot_lock().
 */
void cpupr_call_rows_rescale(u32 mult, u32 shift)
{
	const u64 rounded = num_possible_cpus();	/* a tick a CPU, of rows that were added up */
	unsigned int i;

	for (i = 0; i < CPUPR_CALLS; i++) {
		struct cpupr_call_row *base = &bases[i];

		base->cpu = mul_u64_u32_shr(base->cpu, mult, shift);
		base->wall = mul_u64_u32_shr(base->wall, mult, shift);
		base->cpu -= min(base->cpu, rounded);
		base->wall -= min(base->wall, rounded);
	}
}

/**
 * cpupr_call_rows_init() - before the first epoch
 *
 * Return: 0 or -ENOMEM.
 */
int cpupr_call_rows_init(void)
{
	bases = kvcalloc(CPUPR_CALLS, sizeof(*bases), GFP_KERNEL);
	return bases ? 0 : -ENOMEM;
}

/**
 * cpupr_call_rows_exit() - the files are gone: forget all
 */
void cpupr_call_rows_exit(void)
{
	kvfree(bases);
	bases = NULL;
}
