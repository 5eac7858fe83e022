// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/cpuprecise: /proc/stat's rows, in ns. The format is described in
 * tools/abi/procfs-cpuprecise and never changes but by added columns.
 */
#include <linux/cpumask.h>
#include <linux/proc_fs.h>

#include <cpuprecise/snapshot.h>
#include <cpuprecise/table.h>

static void head(struct seq_file *m, const void *snapshot)
{
	const struct cpupr_snapshot *s = snapshot;

	seq_printf(m, "# cpuprecise 1 epoch=%llu clock=%s since_ns=%llu now_ns=%llu\n",
		   s->epoch, s->clock, s->since, s->now);
	seq_puts(m, "# cpu user nice system idle iowait irq softirq steal guest guest_nice elapsed busy_pct state\n");
}

/* The sum of all CPUs, then each by its number. */
static unsigned int rows(const void *snapshot)
{
	return 1 + nr_cpu_ids;
}

static int row(struct seq_file *m, const void *snapshot, unsigned int i)
{
	const struct cpupr_snapshot *s = snapshot;
	const struct cpupr_row *r = i ? &s->cpu[i - 1] : &s->total;
	int category;

	if (!r->shown)
		return SEQ_SKIP;
	seq_puts(m, "cpu");
	if (i)
		seq_put_decimal_ull(m, "", i - 1);
	for (category = 0; category < CPUPR_STEAL; category++)
		seq_put_decimal_ull(m, " ", r->ns[category]);
	cpupr_put_known(m, s->steal_known, r->ns[CPUPR_STEAL]);
	for (category = CPUPR_USER; category < CPUPR_NR_GUEST; category++)
		cpupr_put_known(m, s->guest_known, r->guest_ns[category]);
	seq_put_decimal_ull(m, " ", r->elapsed);
	cpupr_put_hundredths(m, r->elapsed,
			     cpupr_busy_pct(r->elapsed - r->ns[CPUPR_IDLE] - r->ns[CPUPR_IOWAIT],
					    r->elapsed ?: 1));
	seq_puts(m, r->online ? " online\n" : " offline\n");
	return 0;
}

static const struct cpupr_table table = {
	.name = "cpuprecise",
	.size = cpupr_snapshot_size,
	.take = cpupr_snapshot_take,
	.head = head,
	.rows = rows,
	.row = row,
};

/**
 * cpupr_proc_init() - publish /proc/cpuprecise
 *
 * Return: 0 or -ENOMEM.
 */
int cpupr_proc_init(void)
{
	return proc_create_data(table.name, 0444, NULL, &cpupr_table_proc_ops, (void *)&table) ?
	       0 : -ENOMEM;
}

/**
 * cpupr_proc_exit() - take it away; waits for reads in progress
 */
void cpupr_proc_exit(void)
{
	remove_proc_entry(table.name, NULL);
}
