// SPDX-License-Identifier: GPL-2.0-only
/*
 * runq_hist: how long tasks waited for each CPU. Format: tools/abi/debugfs-cpuprecise.
 */
#include <linux/cpumask.h>
#include <linux/slab.h>

#include <cpuprecise/runq.h>
#include <cpuprecise/snapshot.h>
#include <cpuprecise/table.h>
#include <cpuprecise/tasks.h>

/* By CPU and bucket, where the epoch began. Protected by cpupr_snapshot_lock(). */
static u64 (*bases)[CPUPR_BUCKETS];

/* Each bucket by itself: they are counted apart. */
static u64 waits_of(unsigned int cpu, unsigned int bucket)
{
	return READ_ONCE(per_cpu_ptr(&cpupr_cpu, cpu)->tasks->waits[bucket]);
}

static size_t size(void)
{
	return nr_cpu_ids * sizeof(*bases);
}

static void take(void *snapshot)
{
	u64 (*waits)[CPUPR_BUCKETS] = snapshot;
	unsigned int i;
	int cpu;

	cpupr_snapshot_lock();
	for_each_possible_cpu(cpu)
		for (i = 0; i < CPUPR_BUCKETS; i++)
			waits[cpu][i] = waits_of(cpu, i) - bases[cpu][i];
	cpupr_snapshot_unlock();
}

static void head(struct seq_file *m, const void *snapshot)
{
	seq_puts(m, "# cpu bucket_ns count\n");
}

static unsigned int rows(const void *snapshot)
{
	return nr_cpu_ids * CPUPR_BUCKETS;
}

static int row(struct seq_file *m, const void *snapshot, unsigned int i)
{
	const u64 (*waits)[CPUPR_BUCKETS] = snapshot;
	u64 count = waits[i / CPUPR_BUCKETS][i % CPUPR_BUCKETS];

	if (!count)
		return SEQ_SKIP;
	seq_printf(m, "%u %llu %llu\n", i / CPUPR_BUCKETS, cpupr_bucket_ns(i % CPUPR_BUCKETS), count);
	return 0;
}

const struct cpupr_table cpupr_runq_hist_table = {
	.name = "runq_hist",
	.size = size,
	.take = take,
	.head = head,
	.rows = rows,
	.row = row,
};

/**
 * cpupr_runq_rebase() - a new epoch begins
 *
 * Context: under cpupr_snapshot_lock().
 */
void cpupr_runq_rebase(void)
{
	unsigned int i;
	int cpu;

	for_each_possible_cpu(cpu)
		for (i = 0; i < CPUPR_BUCKETS; i++)
			bases[cpu][i] = waits_of(cpu, i);
}

/**
 * cpupr_runq_init() - before the first epoch
 *
 * Return: 0 or -ENOMEM.
 */
int cpupr_runq_init(void)
{
	bases = kvcalloc(nr_cpu_ids, sizeof(*bases), GFP_KERNEL);
	return bases ? 0 : -ENOMEM;
}

/**
 * cpupr_runq_exit() - the files are gone: forget all
 */
void cpupr_runq_exit(void)
{
	kvfree(bases);
	bases = NULL;
}
