// SPDX-License-Identifier: GPL-2.0-only
/*
 * cycles: by category. Format: tools/abi/debugfs-cpuprecise.
 */
#include <linux/cpumask.h>
#include <linux/math64.h>
#include <linux/slab.h>

#include <cpuprecise/collector.h>
#include <cpuprecise/cycles_snapshot.h>
#include <cpuprecise/percpu.h>
#include <cpuprecise/snapshot.h>
#include <cpuprecise/table.h>

#define ROWS	(CPUPR_NR_OPEN + 1)	/* a CPU: the last one is the total */
#define MIN_NS	1000000	/* below this a frequency is only noise of the two reads */

/* Where the epoch began. Protected by cpupr_snapshot_lock(). */
static struct cpupr_cycles_sum *bases;	/* nr_cpu_ids */

static void copy_sum(int cpu, struct cpupr_cycles_cpu *to)
{
	struct cpupr_cpu *c = per_cpu_ptr(&cpupr_cpu, cpu);
	unsigned int seq;

	do {
		seq = read_seqcount_begin(&c->seq);
		to->sum = c->cycles.sum;
		memcpy(to->counting, c->cycles.counting, sizeof(to->counting));
	} while (read_seqcount_retry(&c->seq, seq));
}

/**
 * cpupr_cycles_snapshot_cpu() - what a CPU counted in this epoch
 * @cpu: its number
 * @to: filled in
 *
 * Up to its last event: what came after it, the open interval counted alone.
 *
 * Context: under cpupr_snapshot_lock().
 */
void cpupr_cycles_snapshot_cpu(int cpu, struct cpupr_cycles_cpu *to)
{
	const u64 *from = (const u64 *)&bases[cpu];
	u64 *sum = (u64 *)&to->sum;
	unsigned int i;

	copy_sum(cpu, to);
	for (i = 0; i < sizeof(to->sum) / sizeof(u64); i++)
		sum[i] -= from[i];
	for (i = 0; i < CPUPR_NR_OPEN; i++)
		to->sum.time[i] = cpupr_clock_ns(to->sum.time[i]);
}

/**
 * cpupr_cycles_running_khz() - the mean frequency of a CPU that was not idle
 * @c: the CPU
 *
 * A counter may stop in idle states or go on, so what it says of them is left out.
 *
 * Return: kHz; 0 if the CPU was not busy for long enough to tell.
 */
u64 cpupr_cycles_running_khz(const struct cpupr_cycles_cpu *c)
{
	const u64 *count = c->sum.count[CPUPR_CYCLES];
	u64 cycles = 0, ns = 0;
	unsigned int i;

	for (i = 0; i < CPUPR_NR_OPEN; i++) {
		if (i == CPUPR_IDLE || i == CPUPR_IOWAIT)
			continue;
		cycles += count[i];
		ns += c->sum.time[i];
	}
	return ns < MIN_NS ? 0 : cpupr_khz(cycles, ns);
}

/**
 * cpupr_cycles_rebase() - a new epoch begins
 *
 * Context: under cpupr_snapshot_lock().
 */
void cpupr_cycles_rebase(void)
{
	struct cpupr_cycles_cpu copy;
	int cpu;

	for_each_possible_cpu(cpu) {
		copy_sum(cpu, &copy);
		bases[cpu] = copy.sum;
	}
}

/**
 * cpupr_cycles_snapshot_rescale() - convert baselines to another clock
 * @mult: one old tick is @mult / 2^@shift new ones
 * @shift: see @mult
 *
 * Context: under cpupr_snapshot_lock().
 */
void cpupr_cycles_snapshot_rescale(u32 mult, u32 shift)
{
	unsigned int i;
	int cpu;

	for_each_possible_cpu(cpu)
		for (i = 0; i < CPUPR_NR_OPEN; i++)
			bases[cpu].time[i] = mul_u64_u32_shr(bases[cpu].time[i], mult, shift);
}

/**
 * cpupr_cycles_snapshot_init() - before the first epoch
 *
 * Return: 0 or -ENOMEM.
 */
int cpupr_cycles_snapshot_init(void)
{
	bases = kvcalloc(nr_cpu_ids, sizeof(*bases), GFP_KERNEL);
	return bases ? 0 : -ENOMEM;
}

/**
 * cpupr_cycles_snapshot_exit() - the files are gone: forget all
 */
void cpupr_cycles_snapshot_exit(void)
{
	kvfree(bases);
	bases = NULL;
}

static size_t size(void)
{
	return nr_cpu_ids * sizeof(struct cpupr_cycles_cpu);
}

static void take(void *snapshot)
{
	struct cpupr_cycles_cpu *s = snapshot;
	int cpu;

	cpupr_snapshot_lock();
	for_each_possible_cpu(cpu)
		cpupr_cycles_snapshot_cpu(cpu, &s[cpu]);
	cpupr_snapshot_unlock();
}

static void head(struct seq_file *m, const void *snapshot)
{
	seq_puts(m, "# cpu category cycles instructions ipc khz\n");
}

static unsigned int rows(const void *snapshot)
{
	return nr_cpu_ids * ROWS;
}

static const char *const names[ROWS] = {
	"user", "nice", "system", "idle", "iowait", "irq", "softirq", "total",
};

/* Of the total while the CPU was not idle, as an idle CPU has no frequency. */
static u64 khz_of(const struct cpupr_cycles_cpu *c, unsigned int category)
{
	u64 ns;

	if (category == CPUPR_NR_OPEN)
		return cpupr_cycles_running_khz(c);
	ns = c->sum.time[category];
	if (category == CPUPR_IDLE || category == CPUPR_IOWAIT || ns < MIN_NS)
		return 0;
	return cpupr_khz(c->sum.count[CPUPR_CYCLES][category], ns);
}

static int row(struct seq_file *m, const void *snapshot, unsigned int i)
{
	const struct cpupr_cycles_cpu *c = (const struct cpupr_cycles_cpu *)snapshot + i / ROWS;
	const struct cpupr_cycles_sum *sum = &c->sum;
	u64 count[CPUPR_NR_CYCLES_KINDS];
	unsigned int category = i % ROWS, k;
	bool counted = sum->total[CPUPR_INSTRUCTIONS] || c->counting[CPUPR_INSTRUCTIONS];

	if (!sum->total[CPUPR_CYCLES] && !c->counting[CPUPR_CYCLES])
		return SEQ_SKIP;
	for (k = 0; k < CPUPR_NR_CYCLES_KINDS; k++)
		count[k] = category < CPUPR_NR_OPEN ? sum->count[k][category] : sum->total[k];
	seq_printf(m, "%u %s %llu", i / ROWS, names[category], count[CPUPR_CYCLES]);
	cpupr_put_known(m, counted, count[CPUPR_INSTRUCTIONS]);
	counted = counted && count[CPUPR_CYCLES];
	cpupr_put_hundredths(m, counted, counted ? cpupr_ipc100(count[CPUPR_INSTRUCTIONS],
								count[CPUPR_CYCLES]) : 0);
	cpupr_put_known(m, khz_of(c, category), khz_of(c, category));
	seq_putc(m, '\n');
	return 0;
}

const struct cpupr_table cpupr_cycles_table = {
	.name = "cycles",
	.size = size,
	.take = take,
	.head = head,
	.rows = rows,
	.row = row,
};
