// SPDX-License-Identifier: GPL-2.0-only
/*
 * idle_states, idle_hist, idle_wakeups: three views of one snapshot. Formats:
 * tools/abi/debugfs-cpuprecise.
 */
#include <linux/cpumask.h>

#include <cpuprecise/idle.h>
#include <cpuprecise/idle_snapshot.h>
#include <cpuprecise/table.h>

/* A driver's states come before those without one. */
static unsigned int slot_at(unsigned int i)
{
	return (i + CPUPR_IDLE_FIRST) % CPUPR_IDLE_SLOTS;
}

static void put_state(struct seq_file *m, unsigned int cpu, unsigned int slot,
		      const struct cpupr_idle_row *r)
{
	static const char *const words[] = {
		[CPUPR_IDLE_DEFAULT] = " default",
		[CPUPR_IDLE_POLL] = " poll",
		[CPUPR_IDLE_OTHER] = " other",
	};

	seq_put_decimal_ull(m, "", cpu);
	if (slot < CPUPR_IDLE_FIRST)
		seq_puts(m, words[slot]);
	else
		seq_put_decimal_ull(m, " ", r->slot.index);
}

static void put_name(struct seq_file *m, unsigned int slot, const struct cpupr_idle_row *r)
{
	const struct cpupr_idle_info *info = &r->slot.info;

	seq_putc(m, ' ');
	/* An empty name would be no field; sysfs calls it so. */
	if (slot < CPUPR_IDLE_FIRST)
		seq_putc(m, '-');
	else if (!info->name[0])
		seq_puts(m, "<null>");
	else
		cpupr_put_escaped(m, info->name, strnlen(info->name, CPUPR_IDLE_NAME));
}

static const struct cpupr_idle_row *row_of(const void *snapshot, unsigned int cpu, unsigned int slot)
{
	const struct cpupr_idle_snapshot *s = snapshot;

	return &s->cpu[cpu].row[slot];
}

static void states_head(struct seq_file *m, const void *snapshot)
{
	seq_puts(m, "# cpu state name exit_latency_ns target_residency_ns usage time_ns rejected above below less more requested cost_pct\n");
}

static unsigned int states_rows(const void *snapshot)
{
	return nr_cpu_ids * CPUPR_IDLE_SLOTS;
}

static int states_row(struct seq_file *m, const void *snapshot, unsigned int i)
{
	const struct cpupr_idle_snapshot *s = snapshot;
	unsigned int cpu = i / CPUPR_IDLE_SLOTS, slot = slot_at(i % CPUPR_IDLE_SLOTS);
	const struct cpupr_idle_row *r = row_of(s, cpu, slot);
	const struct cpupr_idle_counts *c = &r->slot.counts;
	u64 elapsed;

	if (!r->shown)
		return SEQ_SKIP;
	put_state(m, cpu, slot, r);
	put_name(m, slot, r);
	if (slot < CPUPR_IDLE_FIRST) {
		seq_printf(m, " - - %llu %llu - - - - - - -\n", r->usage, r->time);
		return 0;
	}
	seq_printf(m, " %llu %llu %llu %llu", r->slot.info.exit_latency,
		   r->slot.info.target_residency, r->usage, r->time);
	cpupr_put_known(m, s->rejected_known, c->rejected);
	seq_printf(m, " %llu %llu %llu %llu %llu", c->above, c->below, c->less, c->more,
		   r->usage - c->unasked + c->swapped + c->rejected);
	elapsed = s->cpu[cpu].elapsed;
	cpupr_put_hundredths(m, elapsed, cpupr_idle_cost_pct(r->usage, r->slot.info.exit_latency,
							     elapsed ?: 1));
	seq_putc(m, '\n');
	return 0;
}

const struct cpupr_table cpupr_idle_states_table = {
	.name = "idle_states",
	.size = cpupr_idle_snapshot_size,
	.take = cpupr_idle_snapshot_take,
	.head = states_head,
	.rows = states_rows,
	.row = states_row,
};

static void hist_head(struct seq_file *m, const void *snapshot)
{
	seq_puts(m, "# cpu state bucket_ns count time_ns name\n");
}

static unsigned int hist_rows(const void *snapshot)
{
	return nr_cpu_ids * CPUPR_IDLE_SLOTS * CPUPR_BUCKETS;
}

static int hist_row(struct seq_file *m, const void *snapshot, unsigned int i)
{
	unsigned int bucket = i % CPUPR_BUCKETS;
	unsigned int cpu = i / CPUPR_BUCKETS / CPUPR_IDLE_SLOTS;
	unsigned int slot = slot_at(i / CPUPR_BUCKETS % CPUPR_IDLE_SLOTS);
	const struct cpupr_idle_row *r = row_of(snapshot, cpu, slot);
	const struct cpupr_idle_counts *c = &r->slot.counts;

	if (!c->count[bucket])
		return SEQ_SKIP;
	put_state(m, cpu, slot, r);
	seq_printf(m, " %llu %llu %llu", cpupr_bucket_ns(bucket), c->count[bucket],
		   c->time[bucket]);
	put_name(m, slot, r);
	seq_putc(m, '\n');
	return 0;
}

const struct cpupr_table cpupr_idle_hist_table = {
	.name = "idle_hist",
	.size = cpupr_idle_snapshot_size,
	.take = cpupr_idle_snapshot_take,
	.head = hist_head,
	.rows = hist_rows,
	.row = hist_row,
};

static void put_cause(struct seq_file *m, const struct cpupr_idle_cpu *s, unsigned int number)
{
	static const char *const words[] = {
		[CPUPR_IDLE_NONE] = "none",
		[CPUPR_IDLE_RESCHED] = "resched",
		[CPUPR_IDLE_REST] = "other",
	};
	const struct cpupr_idle_cause *cause = &s->cause[number];
	size_t len = strlen(cause->name);

	if (number < CPUPR_IDLE_CAUSES_FIRST) {
		seq_puts(m, words[number]);
		return;
	}
	if (cause->number >= 0)
		seq_printf(m, "irq/%d-", cause->number);
	else if (cause->number == CPUPR_IDLE_IPI)
		seq_puts(m, "ipi/");
	else
		len = strrchr(cause->name, '_') - cause->name;	/* NAME_entry */
	cpupr_put_escaped(m, cause->name, len);
}

static void wakeups_head(struct seq_file *m, const void *snapshot)
{
	seq_puts(m, "# cpu state cause count name\n");
}

static unsigned int wakeups_rows(const void *snapshot)
{
	return nr_cpu_ids * CPUPR_IDLE_SLOTS * CPUPR_IDLE_CAUSES;
}

static int wakeups_row(struct seq_file *m, const void *snapshot, unsigned int i)
{
	const struct cpupr_idle_snapshot *s = snapshot;
	unsigned int cause = i % CPUPR_IDLE_CAUSES;
	unsigned int cpu = i / CPUPR_IDLE_CAUSES / CPUPR_IDLE_SLOTS;
	unsigned int slot = slot_at(i / CPUPR_IDLE_CAUSES % CPUPR_IDLE_SLOTS);
	const struct cpupr_idle_row *r = row_of(s, cpu, slot);

	if (!r->slot.counts.wake[cause])
		return SEQ_SKIP;
	put_state(m, cpu, slot, r);
	seq_putc(m, ' ');
	put_cause(m, &s->cpu[cpu], cause);
	seq_printf(m, " %llu", r->slot.counts.wake[cause]);
	put_name(m, slot, r);
	seq_putc(m, '\n');
	return 0;
}

const struct cpupr_table cpupr_idle_wakeups_table = {
	.name = "idle_wakeups",
	.size = cpupr_idle_snapshot_size,
	.take = cpupr_idle_snapshot_take,
	.head = wakeups_head,
	.rows = wakeups_rows,
	.row = wakeups_row,
};
