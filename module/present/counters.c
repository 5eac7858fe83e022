// SPDX-License-Identifier: GPL-2.0-only
/*
 * counters: events by name. Format: tools/abi/debugfs-cpuprecise.
 */
#include <linux/cpumask.h>

#include <cpuprecise/counters.h>
#include <cpuprecise/snapshot.h>
#include <cpuprecise/table.h>

static size_t size(void)
{
	return struct_size((struct cpupr_counters_snapshot *)NULL, row,
			   nr_cpu_ids * CPUPR_COUNTERS_MAX);
}

static void take(void *snapshot)
{
	cpupr_snapshot_lock();
	cpupr_counters_take(snapshot);
	cpupr_snapshot_unlock();
}

static void head(struct seq_file *m, const void *snapshot)
{
	seq_puts(m, "# cpu event value enabled_ns running_ns status\n");
}

static unsigned int rows(const void *snapshot)
{
	return nr_cpu_ids * CPUPR_COUNTERS_MAX;
}

static int row(struct seq_file *m, const void *snapshot, unsigned int i)
{
	static const char *const words[] = {
		[CPUPR_COUNTER_OK] = "ok",
		[CPUPR_COUNTER_UNSUPPORTED] = "unsupported",
		[CPUPR_COUNTER_NO_SLOT] = "no slot",
		[CPUPR_COUNTER_BUSY] = "busy",
		[CPUPR_COUNTER_OFF] = "off",
		[CPUPR_COUNTER_OFFLINE] = "offline",
		[CPUPR_COUNTER_FAILED] = "failed",
	};
	const struct cpupr_counters_snapshot *s = snapshot;
	const struct cpupr_counters_row *r = &s->row[i];
	unsigned int event = i % CPUPR_COUNTERS_MAX;

	if (event >= s->nr || !r->shown)
		return SEQ_SKIP;
	seq_put_decimal_ull(m, "", i / CPUPR_COUNTERS_MAX);
	seq_putc(m, ' ');
	cpupr_put_escaped(m, s->name[event], strlen(s->name[event]));
	cpupr_put_known(m, r->counts.running, r->counts.value);
	/* One that was never enabled has no times either. */
	cpupr_put_known(m, r->counts.enabled, r->counts.enabled);
	cpupr_put_known(m, r->counts.enabled, r->counts.running);
	seq_putc(m, ' ');
	cpupr_put_escaped(m, words[r->status], strlen(words[r->status]));
	seq_putc(m, '\n');
	return 0;
}

const struct cpupr_table cpupr_counters_table = {
	.name = "counters",
	.size = size,
	.take = take,
	.head = head,
	.rows = rows,
	.row = row,
	.write = cpupr_counters_choose,
	.write_max = CPUPR_COUNTERS_WRITE,
};
