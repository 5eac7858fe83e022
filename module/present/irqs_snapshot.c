// SPDX-License-Identifier: GPL-2.0-only
/*
 * Taking snapshots of interrupts and softirqs by name. As in snapshot.c, a reset is a
 * baseline kept here and never touches the books.
 *
 * The rows of a CPU are copied in one section with its ledger, and so are their
 * baselines; the column that they are parts of is that of the same copy.
 */
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include <cpuprecise/irqs.h>
#include <cpuprecise/irqs_snapshot.h>
#include <cpuprecise/snapshot.h>

#define PARTS		(CPUPR_IRQ_ROWS + 1)	/* of the irq column: other, then rows */
#define SOFT_PARTS	(CPUPR_SOFTIRQS + 1)	/* of the softirq column: as well */

/**
 * struct part - what something had where the epoch began
 * @count: how many
 * @time: in all, with those that were open, ticks; of NMIs ns
 * @hist: sums to @count
 */
struct part {
	u64 count;
	u64 time;
	u64 hist[CPUPR_BUCKETS];
};

/**
 * struct irqs_base - what readers know of a CPU
 * @irq: parts of the irq column
 * @softirq: parts of the softirq column
 * @delay: of softirqs, by number
 * @daemon: of softirqs, by number: what ksoftirqd ran, ticks
 * @nmi: handlers of NMIs
 * @nmis_missed: calls of those that found no row
 * @irq_shown: of each part, what was shown last, ns since the epoch; they sum to the column
 * @softirq_shown: as well
 */
struct irqs_base {
	struct part irq[PARTS];
	struct part softirq[SOFT_PARTS];
	struct part delay[CPUPR_SOFTIRQS];
	u64 daemon[CPUPR_SOFTIRQS];
	struct part nmi[CPUPR_NMIS];
	u64 nmis_missed;
	u64 irq_shown[PARTS];
	u64 softirq_shown[SOFT_PARTS];
};

/**
 * struct irqs_copy - a CPU at one moment
 * @books: without histograms, names and slots
 * @ledger: its open interval accounted
 * @on: interrupts are booked by name
 */
struct irqs_copy {
	struct cpupr_irq_books books;
	struct cpupr_ledger ledger;
	bool on;
};

/* All protected by cpupr_snapshot_lock(). */
static struct irqs_base *bases;		/* nr_cpu_ids */
static struct irqs_copy *copy;		/* too large for a stack, as are these */
static u64 ticks[PARTS], softirq_ticks[SOFT_PARTS];

/* Baselines may be of a reader that was ahead of the CPU. */
static u64 less(u64 a, u64 b)
{
	return a > b ? a - b : 0;
}

static struct cpupr_irq_row *row_of(struct cpupr_irq_books *b, unsigned int part)
{
	return part ? &b->row[part - 1] : &b->other;
}

/* @begin: an epoch does. A maximum has no baseline: it begins anew. */
static void copy_row(struct cpupr_irq_row *to, struct cpupr_irq_row *from, bool begin)
{
	to->count = from->count;
	to->time = from->time;
	to->max = from->max;
	if (begin && to->max)
		WRITE_ONCE(from->max, 0);
}

static void copy_softirq(struct cpupr_softirq_row *to, struct cpupr_softirq_row *from, bool begin)
{
	copy_row(&to->row, &from->row, begin);
	to->daemon = from->daemon;
	to->delays = from->delays;
	to->delay = from->delay;
	to->delay_max = from->delay_max;
	if (begin && to->delay_max)
		WRITE_ONCE(from->delay_max, 0);
}

static void copy_books(struct cpupr_irq_books *to, struct cpupr_irq_books *from, bool begin)
{
	unsigned int i;

	/* Pairs with row_of() in module/ledger/irq_table.c. */
	to->used = smp_load_acquire(&from->used);
	for (i = 0; i <= to->used; i++)
		copy_row(row_of(to, i), row_of(from, i), begin);
	for (i = 0; i < CPUPR_SOFTIRQS; i++)
		copy_softirq(&to->softirq[i], &from->softirq[i], begin);
	to->top = from->top;
	to->from = from->from;
	memcpy(to->outer, from->outer, sizeof(to->outer));
	to->softirq_top = from->softirq_top;
	to->softirq_from = from->softirq_from;
}

/* Into @copy. */
static void copy_cpu(int cpu, bool begin)
{
	struct cpupr_cpu *c = per_cpu_ptr(&cpupr_cpu, cpu);
	struct cpupr_ledger *l = &copy->ledger;
	unsigned int seq;
	u64 now, stolen;

	do {
		seq = read_seqcount_begin(&c->seq);
		copy->on = READ_ONCE(c->irq_extra) & CPUPR_IRQ_NAMES;
		copy_books(&copy->books, &c->irqs->books, begin);
		*l = c->ledger;
		/* As cpupr_ledger_copy(). */
		smp_rmb();
		l->iowait_end = READ_ONCE(c->ledger.iowait_end);
		now = cpupr_clock_stolen(c, cpu, &stolen);
	} while (read_seqcount_retry(&c->seq, seq));
	cpupr_ledger_settle(l, now, stolen);
}

/* Of @copy: what a row has of what is open. @own: the row in the CPU's own books. */
static u64 open_ticks(const struct cpupr_irq_row *own)
{
	return copy->on ? cpupr_irqs_open_ticks(&copy->books, &copy->ledger, own) : 0;
}

/*
 * Of @copy: what the parts of the irq column have since load. @own: the CPU's own books.
 * What is in no row, and will be in none when it ends, is other's.
 */
static void irq_parts(struct cpupr_irq_books *own)
{
	struct cpupr_irq_books *b = &copy->books;
	u64 known = copy->on ? b->from + open_ticks(&own->other) : copy->ledger.time[CPUPR_IRQ];
	unsigned int i;
	u64 named = 0;

	for (i = 1; i <= b->used; i++) {
		ticks[i] = row_of(b, i)->time + open_ticks(row_of(own, i));
		named += row_of(b, i)->time;
	}
	ticks[0] = less(known, named);
}

/* And of the softirq column. */
static void softirq_parts(const struct cpupr_irq_books *own)
{
	const struct cpupr_irq_books *b = &copy->books;
	u64 known = copy->on ? b->softirq_from : copy->ledger.time[CPUPR_SOFTIRQ];
	unsigned int i;
	u64 named = 0;

	for (i = 0; i < CPUPR_SOFTIRQS; i++) {
		softirq_ticks[i + 1] = b->softirq[i].row.time + open_ticks(&own->softirq[i].row);
		named += b->softirq[i].row.time;
	}
	softirq_ticks[0] = less(known, named);
}

/* Ticks since load, into ns since the epoch, which sum to @column. */
static void share(u64 *shown, u64 *part, const struct part *base, unsigned int n, u64 column)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		part[i] = cpupr_clock_ns(less(part[i], base[i].time));
	cpupr_parts(shown, part, n, column);
}

/* One that does not fit is counted: see make(). */
static void add(struct cpupr_irqs_snapshot *s, const struct cpupr_irqs_row *row)
{
	if (s->rows < s->room)
		s->row[s->rows] = *row;
	s->rows++;
}

static int compare(const void *a, const void *b)
{
	static const u8 rank[] = {
		[CPUPR_IRQ_VECTOR] = 0,
		[CPUPR_IRQ_LINE] = 1,
		[CPUPR_IRQ_IPI] = 2,
		[CPUPR_IRQ_NMI] = 3,
		[CPUPR_IRQ_OTHER] = 4,
	};
	const struct cpupr_irqs_row *x = a, *y = b;
	int by;

	if (x->id.kind != y->id.kind)
		return rank[x->id.kind] - rank[y->id.kind];
	if (x->id.number != y->id.number)
		return x->id.number < y->id.number ? -1 : 1;
	by = x->id.name ? strcmp(x->id.name, y->id.name) : 0;
	return by ?: x->bucket - y->bucket;
}

static void sort_from(struct cpupr_irqs_snapshot *s, unsigned int first)
{
	if (s->rows <= s->room)
		sort(s->row + first, s->rows - first, sizeof(s->row[0]), compare, NULL);
}

static struct cpupr_irqs_row nmi_row(int cpu, unsigned int i)
{
	return (struct cpupr_irqs_row){
		.cpu = cpu,
		.id = { .kind = CPUPR_IRQ_NMI, .number = (s32)i },
	};
}

/* Since the epoch, of what NMIs write. The sum of it is the count: they are in no section. */
static u64 nmi_hist(const struct cpupr_irq_row *from, const struct part *base, u64 *hist)
{
	unsigned int i;
	u64 sum = 0;

	for (i = 0; i < CPUPR_BUCKETS; i++) {
		hist[i] = READ_ONCE(from->hist[i]) - base->hist[i];
		sum += hist[i];
	}
	return sum;
}

static void take_nmis(struct cpupr_irqs_snapshot *s, int cpu)
{
	const struct cpupr_irqs_cpu *c = per_cpu_ptr(&cpupr_cpu, cpu)->irqs;
	const struct irqs_base *base = &bases[cpu];
	u64 hist[CPUPR_BUCKETS];
	unsigned int i;

	for (i = 0; i < CPUPR_NMIS; i++) {
		struct cpupr_irqs_row row = nmi_row(cpu, i);

		row.id.handler = READ_ONCE(c->nmi[i].key);
		row.count = nmi_hist(&c->nmi[i], &base->nmi[i], hist);
		row.time = READ_ONCE(c->nmi[i].time) - base->nmi[i].time;
		row.max = READ_ONCE(c->nmi[i].max);
		if (row.count)
			add(s, &row);
	}
	if (READ_ONCE(c->nmis_missed) != base->nmis_missed) {
		struct cpupr_irqs_row row = nmi_row(cpu, i);

		row.count = READ_ONCE(c->nmis_missed) - base->nmis_missed;
		add(s, &row);
	}
}

static struct cpupr_irqs_row total_row(int cpu, const char *name, u64 count, u64 time)
{
	return (struct cpupr_irqs_row){
		.cpu = cpu,
		.id = { .kind = CPUPR_IRQ_TOTAL, .number = -1, .name = name },
		.count = count,
		.time = time,
	};
}

static void take_irqs(struct cpupr_irqs_snapshot *s, int cpu)
{
	struct cpupr_irq_books *own = &per_cpu_ptr(&cpupr_cpu, cpu)->irqs->books;
	struct irqs_base *base = &bases[cpu];
	struct cpupr_irqs_row row = { .cpu = cpu };
	unsigned int i, first = s->rows;
	struct cpupr_row column;
	u64 count = 0;

	copy_cpu(cpu, false);
	irq_parts(own);
	cpupr_snapshot_row(cpu, &column, &copy->ledger);
	if (!column.shown)
		return;
	share(base->irq_shown, ticks, base->irq, copy->books.used + 1, column.ns[CPUPR_IRQ]);
	for (i = 0; i <= copy->books.used; i++) {
		const struct cpupr_irq_row *from = row_of(&copy->books, i);

		row.count = from->count - base->irq[i].count;
		row.time = base->irq_shown[i];
		if (!row.count && !row.time)
			continue;
		row.max = cpupr_clock_ns(from->max);
		cpupr_irq_identify(own, row_of(own, i), &row.id);
		add(s, &row);
		count += row.count;
	}
	take_nmis(s, cpu);
	sort_from(s, first);
	row = total_row(cpu, "irq", count, column.ns[CPUPR_IRQ]);
	add(s, &row);
}

static void take_softirq(struct cpupr_irqs_row *row, unsigned int i, const struct irqs_base *base)
{
	const struct cpupr_softirq_row *from = &copy->books.softirq[i];

	row->count = from->row.count - base->softirq[i + 1].count;
	row->max = cpupr_clock_ns(from->row.max);
	row->daemon = cpupr_clock_ns(less(from->daemon, base->daemon[i]));
	/* What it is a part of may be shown a moment later. */
	row->daemon = min(row->daemon, row->time);
	row->delayed = from->delays - base->delay[i].count;
	row->delay = cpupr_clock_ns(less(from->delay, base->delay[i].time));
	row->delay_max = cpupr_clock_ns(from->delay_max);
}

static void take_softirqs(struct cpupr_irqs_snapshot *s, int cpu)
{
	struct cpupr_irq_books *own = &per_cpu_ptr(&cpupr_cpu, cpu)->irqs->books;
	struct irqs_base *base = &bases[cpu];
	struct cpupr_irqs_row row = { .cpu = cpu };
	struct cpupr_row column;
	unsigned int i;
	u64 count = 0;

	copy_cpu(cpu, false);
	softirq_parts(own);
	cpupr_snapshot_row(cpu, &column, &copy->ledger);
	if (!column.shown)
		return;
	share(base->softirq_shown, softirq_ticks, base->softirq, SOFT_PARTS,
	      column.ns[CPUPR_SOFTIRQ]);
	for (i = 0; i < CPUPR_SOFTIRQS; i++) {
		row.time = base->softirq_shown[i + 1];
		take_softirq(&row, i, base);
		cpupr_irq_identify(own, &own->softirq[i].row, &row.id);
		if (row.count || row.time || row.delayed)
			add(s, &row);
		count += row.count;
	}
	if (base->softirq_shown[0]) {
		row = (struct cpupr_irqs_row){ .cpu = cpu, .time = base->softirq_shown[0] };
		cpupr_irq_identify(own, &own->other, &row.id);
		add(s, &row);
	}
	row = total_row(cpu, "softirq", count, column.ns[CPUPR_SOFTIRQ]);
	add(s, &row);
}

/* The buckets of a row that have something. */
static void add_hist(struct cpupr_irqs_snapshot *s, struct cpupr_irqs_row *row, const u64 *hist)
{
	for (row->bucket = 0; row->bucket < CPUPR_BUCKETS; row->bucket++) {
		row->count = hist[row->bucket];
		if (row->count)
			add(s, row);
	}
}

/* Since the epoch. Row by row, since a CPU may write as often as a copy of all takes. */
static void copy_hist(int cpu, const u64 *from, const struct part *base, u64 *hist)
{
	struct cpupr_cpu *c = per_cpu_ptr(&cpupr_cpu, cpu);
	unsigned int seq, i;

	do {
		seq = read_seqcount_begin(&c->seq);
		memcpy(hist, from, sizeof(base->hist));
	} while (read_seqcount_retry(&c->seq, seq));
	for (i = 0; i < CPUPR_BUCKETS; i++)
		hist[i] -= base->hist[i];
}

static bool is_shown(int cpu)
{
	struct cpupr_ledger l;
	struct cpupr_row row;

	cpupr_snapshot_cpu(cpu, &row, &l);
	return row.shown;
}

static void take_irq_hist(struct cpupr_irqs_snapshot *s, int cpu)
{
	struct cpupr_irqs_cpu *c = per_cpu_ptr(&cpupr_cpu, cpu)->irqs;
	struct cpupr_irq_books *b = &c->books;
	struct cpupr_irqs_row row = { .cpu = cpu };
	unsigned int i, used, first = s->rows;
	u64 hist[CPUPR_BUCKETS];

	if (!is_shown(cpu))
		return;
	/* As copy_books(). */
	used = smp_load_acquire(&b->used);
	for (i = 0; i <= used; i++) {
		copy_hist(cpu, row_of(b, i)->hist, &bases[cpu].irq[i], hist);
		cpupr_irq_identify(b, row_of(b, i), &row.id);
		add_hist(s, &row, hist);
	}
	for (i = 0; i < CPUPR_NMIS; i++) {
		row = nmi_row(cpu, i);
		row.id.handler = READ_ONCE(c->nmi[i].key);
		nmi_hist(&c->nmi[i], &bases[cpu].nmi[i], hist);
		add_hist(s, &row, hist);
	}
	sort_from(s, first);
}

static void take_softirq_hist(struct cpupr_irqs_snapshot *s, int cpu)
{
	struct cpupr_irq_books *b = &per_cpu_ptr(&cpupr_cpu, cpu)->irqs->books;
	struct cpupr_irqs_row row = { .cpu = cpu };
	u64 hist[CPUPR_BUCKETS];
	unsigned int i;

	if (!is_shown(cpu))
		return;
	for (i = 0; i < CPUPR_SOFTIRQS; i++) {
		cpupr_irq_identify(b, &b->softirq[i].row, &row.id);
		row.delays = false;
		copy_hist(cpu, b->softirq[i].row.hist, &bases[cpu].softirq[i + 1], hist);
		add_hist(s, &row, hist);
		row.delays = true;
		copy_hist(cpu, b->softirq[i].delay_hist, &bases[cpu].delay[i], hist);
		add_hist(s, &row, hist);
	}
}

/* How many rows there will be shows only when they are there. */
static void *make(void (*take)(struct cpupr_irqs_snapshot *s, int cpu))
{
	unsigned int room = 16 * num_possible_cpus();
	struct cpupr_irqs_snapshot *s;
	int cpu;

	for (;;) {
		s = kvmalloc(struct_size(s, row, room), GFP_KERNEL);
		if (!s)
			return NULL;
		s->room = room;
		s->rows = 0;
		cpupr_snapshot_lock();
		for_each_possible_cpu(cpu)
			take(s, cpu);
		cpupr_snapshot_unlock();
		if (s->rows <= room)
			return s;
		/* And as many as may come meanwhile. */
		room = s->rows + s->rows / 8 + 8;
		kvfree(s);
	}
}

/**
 * cpupr_irqs_make() - the interrupts of all CPUs
 *
 * Changes nothing that a probe sees, interrupts no CPU.
 *
 * Context: process, may sleep.
 *
 * Return: a struct cpupr_irqs_snapshot, or NULL if there was no memory.
 */
void *cpupr_irqs_make(void)
{
	return make(take_irqs);
}

/**
 * cpupr_irq_hist_make() - how long they took
 *
 * Context: as cpupr_irqs_make().
 *
 * Return: as cpupr_irqs_make().
 */
void *cpupr_irq_hist_make(void)
{
	return make(take_irq_hist);
}

/**
 * cpupr_softirqs_make() - the softirqs of all CPUs
 *
 * Context: as cpupr_irqs_make().
 *
 * Return: as cpupr_irqs_make().
 */
void *cpupr_softirqs_make(void)
{
	return make(take_softirqs);
}

/**
 * cpupr_softirq_hist_make() - how long they took, and how long they waited
 *
 * Context: as cpupr_irqs_make().
 *
 * Return: as cpupr_irqs_make().
 */
void *cpupr_softirq_hist_make(void)
{
	return make(take_softirq_hist);
}

/* False if there were not @want of them any more. */
static bool keep_hist(struct cpupr_cpu *c, const u64 *count, const u64 *hist, u64 want,
		      struct part *base)
{
	unsigned int seq;

	/* It is there since another try, or another epoch. */
	if (base->count == want)
		return true;
	do {
		seq = read_seqcount_begin(&c->seq);
		base->count = *count;
		memcpy(base->hist, hist, sizeof(base->hist));
	} while (read_seqcount_retry(&c->seq, seq));
	return base->count == want;
}

/* Those of @copy, so that counts and histograms are of one moment. */
static bool keep_hists(struct cpupr_cpu *c, struct irqs_base *base)
{
	struct cpupr_irq_books *own = &c->irqs->books, *b = &copy->books;
	bool all = true;
	unsigned int i;

	for (i = 0; i <= b->used; i++)
		all &= keep_hist(c, &row_of(own, i)->count, row_of(own, i)->hist,
				 row_of(b, i)->count, &base->irq[i]);
	for (i = 0; i < CPUPR_SOFTIRQS; i++) {
		const struct cpupr_softirq_row *s = &own->softirq[i];

		all &= keep_hist(c, &s->row.count, s->row.hist, b->softirq[i].row.count,
				 &base->softirq[i + 1]);
		all &= keep_hist(c, &s->delays, s->delay_hist, b->softirq[i].delays,
				 &base->delay[i]);
	}
	return all;
}

static void rebase_nmis(struct cpupr_irqs_cpu *c, struct irqs_base *base)
{
	unsigned int i, n;

	for (i = 0; i < CPUPR_NMIS; i++) {
		base->nmi[i].time = READ_ONCE(c->nmi[i].time);
		for (n = 0; n < CPUPR_BUCKETS; n++)
			base->nmi[i].hist[n] = READ_ONCE(c->nmi[i].hist[n]);
		WRITE_ONCE(c->nmi[i].max, 0);
	}
	base->nmis_missed = READ_ONCE(c->nmis_missed);
}

static void rebase(int cpu)
{
	struct cpupr_cpu *c = per_cpu_ptr(&cpupr_cpu, cpu);
	struct cpupr_irq_books *own = &c->irqs->books;
	struct irqs_base *base = &bases[cpu];
	unsigned int i;

	/* Few are to be copied again: there is time enough between two interrupts. */
	do {
		copy_cpu(cpu, true);
	} while (!keep_hists(c, base));
	irq_parts(own);
	for (i = 0; i <= copy->books.used; i++)
		base->irq[i].time = ticks[i];
	softirq_parts(own);
	for (i = 0; i < SOFT_PARTS; i++)
		base->softirq[i].time = softirq_ticks[i];
	for (i = 0; i < CPUPR_SOFTIRQS; i++) {
		base->daemon[i] = copy->books.softirq[i].daemon;
		base->delay[i].time = copy->books.softirq[i].delay;
	}
	rebase_nmis(c->irqs, base);
	memset(base->irq_shown, 0, sizeof(base->irq_shown));
	memset(base->softirq_shown, 0, sizeof(base->softirq_shown));
}

/**
 * cpupr_irqs_rebase() - a new epoch begins
 *
 * What interrupts had between the column's baseline and this is the largest row's: see
 * cpupr_parts().
 *
 * Context: under cpupr_snapshot_lock(), after the CPUs' own baselines were taken.
 */
void cpupr_irqs_rebase(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		rebase(cpu);
}

static void rescale(struct part *part, unsigned int n, u32 mult, u32 shift)
{
	for (; n; n--, part++)
		part->time = mul_u64_u32_shr(part->time, mult, shift);
}

/**
 * cpupr_irqs_snapshot_rescale() - convert what is kept here to another clock
 * @mult: one old tick is @mult / 2^@shift new ones
 * @shift: see @mult
 *
 * What was shown is ns, and stays.
 *
 * Context: under cpupr_snapshot_lock().
 */
void cpupr_irqs_snapshot_rescale(u32 mult, u32 shift)
{
	unsigned int i;
	int cpu;

	for_each_possible_cpu(cpu) {
		struct irqs_base *base = &bases[cpu];

		rescale(base->irq, PARTS, mult, shift);
		rescale(base->softirq, SOFT_PARTS, mult, shift);
		rescale(base->delay, CPUPR_SOFTIRQS, mult, shift);
		for (i = 0; i < CPUPR_SOFTIRQS; i++)
			base->daemon[i] = mul_u64_u32_shr(base->daemon[i], mult, shift);
		/* Rows are rounded down one by one: what they lack by that is not other's. */
		base->irq[0].time += PARTS;
		base->softirq[0].time += SOFT_PARTS;
	}
}

/**
 * cpupr_irqs_snapshot_init() - before the first epoch
 *
 * Return: 0 or -ENOMEM.
 */
int cpupr_irqs_snapshot_init(void)
{
	bases = kvcalloc(nr_cpu_ids, sizeof(*bases), GFP_KERNEL);
	copy = kvzalloc(sizeof(*copy), GFP_KERNEL);
	return bases && copy ? 0 : -ENOMEM;
}

/**
 * cpupr_irqs_snapshot_exit() - the files are gone: forget all
 */
void cpupr_irqs_snapshot_exit(void)
{
	kvfree(copy);
	kvfree(bases);
	copy = NULL;
	bases = NULL;
}
