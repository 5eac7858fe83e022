// SPDX-License-Identifier: GPL-2.0-only
/*
 * self: the observer in its own books. Counts since load, by hook and CPU.
 */
#include <linux/cpumask.h>

#include <cpuprecise/iowait.h>
#include <cpuprecise/hooks.h>
#include <cpuprecise/hotplug.h>
#include <cpuprecise/observer.h>
#include <cpuprecise/percpu.h>
#include <cpuprecise/snapshot.h>
#include <cpuprecise/table.h>
#include <cpuprecise/user_return.h>

struct self_snapshot {
	u64 backsteps;
	u64 overflow;
	u64 unbalanced;
	u64 suspends;
	char boundary[32];
	struct cpupr_calls calls[];
};

static size_t size(void)
{
	return struct_size((struct self_snapshot *)NULL, calls, CPUPR_MAX_HOOKS * nr_cpu_ids);
}

static void take(void *snapshot)
{
	struct self_snapshot *s = snapshot;
	int cpu, i;

	s->backsteps = cpupr_snapshot_backsteps();
	s->overflow = cpupr_iowait_overflows();
	s->unbalanced = cpupr_snapshot_unbalanced();
	s->suspends = cpupr_hotplug_suspends();
	cpupr_boundary_show(s->boundary);
	for (i = 0; i < CPUPR_MAX_HOOKS; i++)
		for_each_possible_cpu(cpu)
			cpupr_observer_read(cpu, i, cpupr_hook_kind(i),
					    &s->calls[i * nr_cpu_ids + cpu]);
}

static void head(struct seq_file *m, const void *snapshot)
{
	const struct self_snapshot *s = snapshot;

	seq_printf(m, "# self 1 boundary_ns=%s backsteps=%llu overflow=%llu unbalanced=%llu suspends=%llu\n",
		   s->boundary, s->backsteps, s->overflow, s->unbalanced, s->suspends);
	seq_puts(m, "# hook cpu hits missed ns\n");
}

static unsigned int rows(const void *snapshot)
{
	return CPUPR_MAX_HOOKS * nr_cpu_ids;
}

static int row(struct seq_file *m, const void *snapshot, unsigned int i)
{
	const struct self_snapshot *s = snapshot;
	unsigned int cpu = i % nr_cpu_ids;
	unsigned int hook = i / nr_cpu_ids;
	const struct cpupr_calls *calls = &s->calls[i];
	const char *name = cpupr_hook_name(hook);

	if (!name || !cpu_possible(cpu))
		return SEQ_SKIP;
	seq_printf(m, "%s %u %llu %llu ", name, cpu, calls->hits, calls->missed);
	if (calls->timed)
		seq_printf(m, "%llu\n", calls->ns);
	else
		seq_puts(m, "-\n");
	return 0;
}

const struct cpupr_table cpupr_self_table = {
	.name = "self",
	.size = size,
	.take = take,
	.head = head,
	.rows = rows,
	.row = row,
};
