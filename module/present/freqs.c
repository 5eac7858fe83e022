// SPDX-License-Identifier: GPL-2.0-only
/*
 * freqs: time, busy time and cycles by frequency. Format:
 * tools/abi/debugfs-cpuprecise.
 */
#include <linux/cpumask.h>

#include <cpuprecise/freqs_snapshot.h>
#include <cpuprecise/table.h>

static void head(struct seq_file *m, const void *snapshot)
{
	seq_puts(m, "# cpu freq_khz time_ns busy_ns cycles clock_ns util_pct source elapsed_ns\n");
}

static unsigned int rows(const void *snapshot)
{
	return nr_cpu_ids * CPUPR_FREQ_ROWS;
}

static int row(struct seq_file *m, const void *snapshot, unsigned int i)
{
	const struct cpupr_freqs_cpu *c =
		(const struct cpupr_freqs_cpu *)snapshot + i / CPUPR_FREQ_ROWS;
	unsigned int n = i % CPUPR_FREQ_ROWS;
	const struct cpupr_freq_sum *s = &c->sum[n];
	bool told = n != CPUPR_FREQ_UNKNOWN && n != CPUPR_FREQ_OTHER;
	bool counted = c->counted || s->cycles;
	u64 khz = told ? c->khz[n] : 0, util = 0;
	bool known;

	/* A CPU is at one of them, if it was ever there. */
	if (!(s->busy + s->idle) && !(n == c->row && c->elapsed))
		return SEQ_SKIP;
	if (n == CPUPR_FREQ_UNKNOWN)
		khz = c->running_khz;
	seq_put_decimal_ull(m, "", i / CPUPR_FREQ_ROWS);
	if (n == CPUPR_FREQ_OTHER)
		seq_puts(m, " other");
	else
		cpupr_put_known(m, khz, khz);
	seq_printf(m, " %llu %llu", s->busy + s->idle, s->busy);
	cpupr_put_known(m, counted, s->cycles);
	seq_printf(m, " %llu", s->clock);
	if (counted)
		known = cpupr_util(s->cycles, khz, s->counted, &util);
	else
		/* As if one cycle were a busy ns. */
		known = cpupr_util(s->busy, 1000000, s->busy + s->idle, &util);
	cpupr_put_hundredths(m, known, util);
	seq_printf(m, " %s,%s %llu\n", told || n == CPUPR_FREQ_OTHER ? "cpufreq" : khz ? c->by : "-",
		   !known ? "-" : counted ? "cycles" : "cpu-clock", c->elapsed);
	return 0;
}

const struct cpupr_table cpupr_freqs_table = {
	.name = "freqs",
	.size = cpupr_freqs_snapshot_size,
	.take = cpupr_freqs_snapshot_take,
	.head = head,
	.rows = rows,
	.row = row,
};
