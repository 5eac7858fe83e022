// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack/triggers and dump_stack: what is watched, and what became of its hits.
 * Formats: tools/abi/debugfs-cpuprecise.
 */
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sizes.h>

#include <cpuprecise/stacks.h>
#include <cpuprecise/table.h>

/**
 * struct trigger_row - a trigger as it was
 * @spec: as written
 * @counts: of all CPUs
 * @missed: hits that the kernel lost
 * @missed_known: it tells
 * @state: see cpupr_trigger_state()
 * @symbol: what its place is called, or empty
 */
struct trigger_row {
	struct cpupr_trigger_spec spec;
	struct cpupr_trigger_counts counts;
	u64 missed;
	bool missed_known;
	const char *state;
	char symbol[KSYM_SYMBOL_LEN];
};

struct triggers_snapshot {
	unsigned int rows;
	struct trigger_row row[];
};

static void copy_trigger(struct trigger_row *row, const struct cpupr_trigger *t)
{
	row->spec = t->spec;
	cpupr_trigger_sum(t, &row->counts);
	row->missed_known = t->ops->missed;
	row->missed = row->missed_known ? t->ops->missed(t) : 0;
	row->state = cpupr_trigger_state(t);
	strscpy(row->symbol, t->symbol, sizeof(row->symbol));
}

/* Those that go by themselves, or the others. */
static void *make(bool once)
{
	struct triggers_snapshot *s;
	struct cpupr_trigger *t;
	unsigned int n = 0;

	cpupr_triggers_lock();
	list_for_each_entry(t, &cpupr_triggers, node)
		n += t->once == once;
	s = kvmalloc(struct_size(s, row, n), GFP_KERNEL);
	if (s) {
		s->rows = 0;
		list_for_each_entry(t, &cpupr_triggers, node)
			if (t->once == once)
				copy_trigger(&s->row[s->rows++], t);
	}
	cpupr_triggers_unlock();
	return s;
}

static void *make_lasting(void)
{
	return make(false);
}

static void *make_once(void)
{
	return make(true);
}

static void head(struct seq_file *m, const void *snapshot)
{
	seq_puts(m, "# name kind target symbol mode hits missed filtered suppressed dropped delivered state options\n");
}

static unsigned int rows(const void *snapshot)
{
	const struct triggers_snapshot *s = snapshot;

	return s->rows;
}

static void put_target(struct seq_file *m, const struct cpupr_trigger_spec *spec)
{
	if (!spec->target[0])
		seq_printf(m, "0x%llx", spec->address);
	else
		cpupr_put_escaped(m, spec->target, strnlen(spec->target, sizeof(spec->target)));
	if (spec->kind == CPUPR_TRIGGER_UPROBE)
		seq_printf(m, ":0x%llx", spec->offset);
	else if (spec->offset)
		seq_printf(m, "+0x%llx", spec->offset);
}

/* What is before an option: nothing else is, or others are. */
static void put_option(struct seq_file *m, const char **before, const char *name)
{
	seq_puts(m, *before);
	seq_puts(m, name);
	*before = ",";
}

static void put_number(struct seq_file *m, const char **before, const char *name, u64 value)
{
	put_option(m, before, name);
	seq_put_decimal_ull(m, "", value);
}

static void put_filters(struct seq_file *m, const char **before,
			const struct cpupr_trigger_spec *spec)
{
	if (spec->has_pid)
		put_number(m, before, "pid=", spec->pid);
	if (spec->comm[0]) {
		put_option(m, before, "comm=");
		cpupr_put_comm(m, spec->comm, sizeof(spec->comm), " \\,");
	}
	if (spec->has_cpu)
		put_number(m, before, "cpu=", spec->cpu);
}

static void put_watch(struct seq_file *m, const char **before,
		      const struct cpupr_trigger_spec *spec)
{
	put_number(m, before, "len=", spec->watch_len);
	put_option(m, before, "access=");
	if (spec->watch & CPUPR_WATCH_READ)
		seq_putc(m, 'r');
	if (spec->watch & CPUPR_WATCH_WRITE)
		seq_putc(m, 'w');
	if (spec->watch & CPUPR_WATCH_EXECUTE)
		seq_putc(m, 'x');
}

static void put_options(struct seq_file *m, const struct cpupr_trigger_spec *spec)
{
	const char *before = "";

	if (spec->limit)
		put_number(m, &before, "limit=", spec->limit);
	if (spec->rate) {
		put_number(m, &before, "rate=", spec->rate);
		seq_puts(m, "/s");
	}
	put_filters(m, &before, spec);
	if (spec->depth != CPUPR_TRIGGER_DEPTH)
		put_number(m, &before, "depth=", spec->depth);
	/* That is all that u has. */
	if (spec->user && spec->kind != CPUPR_TRIGGER_UPROBE)
		put_number(m, &before, "user=", 1);
	if (spec->period)
		put_number(m, &before, "period=", spec->period);
	if (spec->freq)
		put_number(m, &before, "freq=", spec->freq);
	if (spec->kind == CPUPR_TRIGGER_WATCH)
		put_watch(m, &before, spec);
	if (!*before)
		seq_putc(m, '-');
}

static int row(struct seq_file *m, const void *snapshot, unsigned int i)
{
	static const char kinds[] = {
		[CPUPR_TRIGGER_KPROBE] = 'p',
		[CPUPR_TRIGGER_KRETPROBE] = 'r',
		[CPUPR_TRIGGER_TRACEPOINT] = 't',
		[CPUPR_TRIGGER_EVENT] = 'e',
		[CPUPR_TRIGGER_WATCH] = 'w',
		[CPUPR_TRIGGER_UPROBE] = 'u',
	};
	const struct triggers_snapshot *s = snapshot;
	const struct trigger_row *r = &s->row[i];

	seq_printf(m, "%s %c ", r->spec.name, kinds[r->spec.kind]);
	put_target(m, &r->spec);
	seq_putc(m, ' ');
	if (r->symbol[0])
		cpupr_put_escaped(m, r->symbol, strlen(r->symbol));
	else
		seq_putc(m, '-');
	seq_puts(m, r->spec.dump ? " dump" : " count");
	seq_put_decimal_ull(m, " ", r->counts.filtered + r->counts.suppressed +
			    r->counts.dropped + r->counts.delivered);
	cpupr_put_known(m, r->missed_known, r->missed);
	seq_put_decimal_ull(m, " ", r->counts.filtered);
	seq_put_decimal_ull(m, " ", r->counts.suppressed);
	seq_put_decimal_ull(m, " ", r->counts.dropped);
	seq_put_decimal_ull(m, " ", r->counts.delivered);
	seq_printf(m, " %s ", r->state);
	put_options(m, &r->spec);
	seq_putc(m, '\n');
	return 0;
}

const struct cpupr_table cpupr_triggers_table = {
	.dir = "stack",
	.name = "triggers",
	.make = make_lasting,
	.head = head,
	.rows = rows,
	.row = row,
	.write = cpupr_triggers_write,
	.replace = cpupr_triggers_replace,
	.write_max = SZ_64K,
};

const struct cpupr_table cpupr_dump_stack_table = {
	.name = "dump_stack",
	.make = make_once,
	.head = head,
	.rows = rows,
	.row = row,
	.write = cpupr_triggers_dump_stack,
	/* A function's name, blanks and a number. */
	.write_max = 2 * CPUPR_TRIGGER_TARGET,
};
