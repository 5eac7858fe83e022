// SPDX-License-Identifier: GPL-2.0-only
/*
 * irqs, irq_hist, softirqs, softirq_hist. Formats: tools/abi/debugfs-cpuprecise.
 */
#include <cpuprecise/collector.h>
#include <cpuprecise/irqs_snapshot.h>
#include <cpuprecise/table.h>

static bool has_number(u32 kind)
{
	return kind == CPUPR_IRQ_LINE || kind == CPUPR_IRQ_VECTOR || kind == CPUPR_IRQ_SOFTIRQ;
}

static void put_irq(struct seq_file *m, const struct cpupr_irqs_row *r)
{
	seq_put_decimal_ull(m, "", r->cpu);
	seq_putc(m, ' ');
	seq_puts(m, cpupr_irq_kind_name(r->id.kind));
	cpupr_put_known(m, has_number(r->id.kind), r->id.number);
	seq_putc(m, ' ');
	cpupr_put_irq_name(m, &r->id);
}

static unsigned int rows(const void *snapshot)
{
	const struct cpupr_irqs_snapshot *s = snapshot;

	return s->rows;
}

static const struct cpupr_irqs_row *row_at(const void *snapshot, unsigned int i)
{
	const struct cpupr_irqs_snapshot *s = snapshot;

	return &s->row[i];
}

static void put_times(struct seq_file *m, const struct cpupr_irqs_row *r)
{
	bool timed = r->id.name || r->id.handler;

	seq_put_decimal_ull(m, " ", r->count);
	cpupr_put_known(m, timed, r->time);
	cpupr_put_known(m, timed && r->id.kind != CPUPR_IRQ_TOTAL, r->max);
}

static void irqs_head(struct seq_file *m, const void *snapshot)
{
	seq_puts(m, "# cpu kind vector name count time_ns max_ns\n");
}

static int irqs_row(struct seq_file *m, const void *snapshot, unsigned int i)
{
	const struct cpupr_irqs_row *r = row_at(snapshot, i);

	put_irq(m, r);
	put_times(m, r);
	seq_putc(m, '\n');
	return 0;
}

const struct cpupr_table cpupr_irqs_table = {
	.name = "irqs",
	.make = cpupr_irqs_make,
	.head = irqs_head,
	.rows = rows,
	.row = irqs_row,
};

static void irq_hist_head(struct seq_file *m, const void *snapshot)
{
	seq_puts(m, "# cpu kind vector name bucket_ns count\n");
}

static int irq_hist_row(struct seq_file *m, const void *snapshot, unsigned int i)
{
	const struct cpupr_irqs_row *r = row_at(snapshot, i);

	put_irq(m, r);
	seq_printf(m, " %llu %llu\n", cpupr_bucket_ns(r->bucket), r->count);
	return 0;
}

const struct cpupr_table cpupr_irq_hist_table = {
	.name = "irq_hist",
	.make = cpupr_irq_hist_make,
	.head = irq_hist_head,
	.rows = rows,
	.row = irq_hist_row,
};

static void softirqs_head(struct seq_file *m, const void *snapshot)
{
	seq_puts(m, "# cpu kind vector name count time_ns max_ns ksoftirqd_ns delays delay_ns max_delay_ns\n");
}

static int softirqs_row(struct seq_file *m, const void *snapshot, unsigned int i)
{
	const struct cpupr_irqs_row *r = row_at(snapshot, i);
	bool softirq = r->id.kind == CPUPR_IRQ_SOFTIRQ;
	bool delays = softirq && (r->delayed || cpupr_softirq_delays_collector.state == CPUPR_ON);

	put_irq(m, r);
	put_times(m, r);
	cpupr_put_known(m, softirq, r->daemon);
	cpupr_put_known(m, delays, r->delayed);
	cpupr_put_known(m, delays, r->delay);
	cpupr_put_known(m, delays, r->delay_max);
	seq_putc(m, '\n');
	return 0;
}

const struct cpupr_table cpupr_softirqs_table = {
	.name = "softirqs",
	.make = cpupr_softirqs_make,
	.head = softirqs_head,
	.rows = rows,
	.row = softirqs_row,
};

static void softirq_hist_head(struct seq_file *m, const void *snapshot)
{
	seq_puts(m, "# cpu vector name kind bucket_ns count\n");
}

static int softirq_hist_row(struct seq_file *m, const void *snapshot, unsigned int i)
{
	const struct cpupr_irqs_row *r = row_at(snapshot, i);

	seq_printf(m, "%u %d ", r->cpu, r->id.number);
	cpupr_put_irq_name(m, &r->id);
	seq_printf(m, " %s %llu %llu\n", r->delays ? "delay" : "time", cpupr_bucket_ns(r->bucket),
		   r->count);
	return 0;
}

const struct cpupr_table cpupr_softirq_hist_table = {
	.name = "softirq_hist",
	.make = cpupr_softirq_hist_make,
	.head = softirq_hist_head,
	.rows = rows,
	.row = softirq_hist_row,
};
