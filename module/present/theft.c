// SPDX-License-Identifier: GPL-2.0-only
/*
 * theft: which interrupts took time of which tasks. Format:
 * tools/abi/debugfs-cpuprecise.
 */
#include <linux/cpumask.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include <cpuprecise/irqs.h>
#include <cpuprecise/irqs_snapshot.h>
#include <cpuprecise/snapshot.h>
#include <cpuprecise/table.h>

#define ROWS	200	/* pairs that are shown */
#define TRIES	16	/* to copy a CPU between two of its tasks' first interrupts */

/**
 * struct theft_base - what a CPU had where the epoch began
 * @evicted_count: as in struct cpupr_theft
 * @evicted_time: ticks
 * @pair: by place: which one was there, and what it had
 */
struct theft_base {
	u64 evicted_count;
	u64 evicted_time;
	struct {
		u64 born;
		u64 count;
		u64 time;
	} pair[CPUPR_THEFT_PAIRS];
};

/**
 * struct amount - what was taken
 * @count: how often
 * @time: ns
 */
struct amount {
	u64 count;
	u64 time;
};

/**
 * struct theft - a victim and an interrupt
 * @victim: as in struct cpupr_theft_pair
 * @id: the interrupt
 * @pid: the task's
 * @tgid: its process's
 * @comm: its name
 * @took: since the epoch
 */
struct theft {
	u64 victim;
	struct cpupr_irq_id id;
	s32 pid;
	s32 tgid;
	char comm[CPUPR_TASK_COMM];
	struct amount took;
};

/**
 * struct thefts - one read
 * @rows: entries of @row that are in use
 * @other: pairs that are not shown
 * @evicted: pairs that had to go
 * @row: the largest first
 */
struct thefts {
	unsigned int rows;
	struct amount other;
	struct amount evicted;
	struct theft row[ROWS];
};

/* Protected by cpupr_snapshot_lock(). */
static struct theft_base *bases;	/* nr_cpu_ids */
static struct cpupr_theft *copy;	/* too large for a stack */

/*
 * Set by set, since a CPU may write as often as a copy of all takes. While none is born
 * none is evicted; one that is during the last try is seen twice.
 */
static void copy_cpu(int cpu)
{
	struct cpupr_cpu *c = per_cpu_ptr(&cpupr_cpu, cpu);
	const struct cpupr_theft *t = &c->irqs->theft;
	unsigned int seq, tries, i;
	u64 born;

	for (tries = 0; tries < TRIES; tries++) {
		born = READ_ONCE(t->born);
		for (i = 0; i < CPUPR_THEFT_PAIRS; i += CPUPR_THEFT_WAYS)
			do {
				seq = read_seqcount_begin(&c->seq);
				memcpy(&copy->pair[i], &t->pair[i],
				       CPUPR_THEFT_WAYS * sizeof(copy->pair[0]));
			} while (read_seqcount_retry(&c->seq, seq));
		do {
			seq = read_seqcount_begin(&c->seq);
			copy->born = t->born;
			copy->evicted_count = t->evicted_count;
			copy->evicted_time = t->evicted_time;
		} while (read_seqcount_retry(&c->seq, seq));
		if (copy->born == born)
			break;
	}
}

static void add(struct amount *to, u64 count, u64 ticks)
{
	to->count += count;
	to->time += cpupr_clock_ns(ticks);
}

/* Of @copy: to @all + *@n, and what was evicted since the epoch. */
static void take_cpu(int cpu, struct theft *all, unsigned int *n, struct amount *evicted)
{
	const struct cpupr_irq_books *b = &per_cpu_ptr(&cpupr_cpu, cpu)->irqs->books;
	const struct theft_base *base = &bases[cpu];
	u64 count = copy->evicted_count - base->evicted_count;
	u64 time = copy->evicted_time - base->evicted_time;
	unsigned int i;

	for (i = 0; i < CPUPR_THEFT_PAIRS; i++) {
		const struct cpupr_theft_pair *p = &copy->pair[i];
		struct theft *t = &all[*n];
		bool same = p->born == base->pair[i].born;

		/* What went since then took along what it had before. */
		if (!same) {
			count -= base->pair[i].count;
			time -= base->pair[i].time;
		}
		if (!p->row || (same && p->count == base->pair[i].count))
			continue;
		*t = (struct theft){ .victim = p->victim, .pid = p->pid, .tgid = p->tgid };
		memcpy(t->comm, p->comm, sizeof(t->comm));
		cpupr_irq_identify(b, p->row, &t->id);
		add(&t->took, p->count - (same ? base->pair[i].count : 0),
		    p->time - (same ? base->pair[i].time : 0));
		++*n;
	}
	add(evicted, count, time);
}

static int compare_numbers(u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

/* Which is which. */
static int compare(const struct theft *x, const struct theft *y)
{
	return compare_numbers(x->victim, y->victim) ?: compare_numbers(x->id.kind, y->id.kind) ?:
	       x->id.number - y->id.number ?: strcmp(x->id.name, y->id.name);
}

static int by_time(const void *a, const void *b)
{
	const struct theft *x = a, *y = b;

	return compare_numbers(y->took.time, x->took.time) ?: compare(x, y);
}

static int by_pair(const void *a, const void *b)
{
	return compare(a, b) ?: by_time(a, b);
}

/* A pair that several CPUs have is one. Return: how many there are then. */
static unsigned int merge(struct theft *all, unsigned int n)
{
	unsigned int i, m = 0;

	sort(all, n, sizeof(*all), by_pair, NULL);
	for (i = 0; i < n; i++) {
		if (m && !compare(&all[m - 1], &all[i])) {
			all[m - 1].took.count += all[i].took.count;
			all[m - 1].took.time += all[i].took.time;
		} else {
			all[m++] = all[i];
		}
	}
	return m;
}

static void largest(struct thefts *s, struct theft *all, unsigned int n)
{
	unsigned int i;

	n = merge(all, n);
	sort(all, n, sizeof(*all), by_time, NULL);
	s->rows = min_t(unsigned int, n, ROWS);
	memcpy(s->row, all, s->rows * sizeof(*all));
	for (i = s->rows; i < n; i++) {
		s->other.count += all[i].took.count;
		s->other.time += all[i].took.time;
	}
}

static void *make(void)
{
	struct thefts *s = kvzalloc(sizeof(*s), GFP_KERNEL);
	struct theft *all = kvmalloc_array(num_possible_cpus(), CPUPR_THEFT_PAIRS * sizeof(*all),
					   GFP_KERNEL);
	unsigned int n = 0;
	int cpu;

	if (!s || !all) {
		kvfree(all);
		kvfree(s);
		return NULL;
	}
	cpupr_snapshot_lock();
	for_each_possible_cpu(cpu) {
		copy_cpu(cpu);
		take_cpu(cpu, all, &n, &s->evicted);
	}
	cpupr_snapshot_unlock();
	largest(s, all, n);
	kvfree(all);
	return s;
}

static void head(struct seq_file *m, const void *snapshot)
{
	seq_puts(m, "# tgid pid comm kind name count time_ns\n");
}

static unsigned int rows(const void *snapshot)
{
	const struct thefts *s = snapshot;

	return s->rows + 2;
}

static void put_amount(struct seq_file *m, const struct amount *a)
{
	seq_printf(m, " %llu %llu\n", a->count, a->time);
}

static int row(struct seq_file *m, const void *snapshot, unsigned int i)
{
	const struct thefts *s = snapshot;
	const struct theft *t = &s->row[i];

	if (i >= s->rows) {
		seq_puts(m, i == s->rows ? "- - - other -" : "- - - evicted -");
		put_amount(m, i == s->rows ? &s->other : &s->evicted);
		return 0;
	}
	if (t->victim == CPUPR_THEFT_OTHER) {
		seq_puts(m, "- - other");
	} else {
		seq_printf(m, "%d %d ", t->tgid, t->pid);
		cpupr_put_comm(m, t->comm, sizeof(t->comm), " \\");
	}
	seq_printf(m, " %s ", cpupr_irq_kind_name(t->id.kind));
	cpupr_put_irq_name(m, &t->id);
	put_amount(m, &t->took);
	return 0;
}

const struct cpupr_table cpupr_theft_table = {
	.name = "theft",
	.make = make,
	.head = head,
	.rows = rows,
	.row = row,
};

/**
 * cpupr_theft_rebase() - a new epoch begins
 *
 * Context: under cpupr_snapshot_lock().
 */
void cpupr_theft_rebase(void)
{
	unsigned int i;
	int cpu;

	for_each_possible_cpu(cpu) {
		struct theft_base *base = &bases[cpu];

		copy_cpu(cpu);
		base->evicted_count = copy->evicted_count;
		base->evicted_time = copy->evicted_time;
		for (i = 0; i < CPUPR_THEFT_PAIRS; i++) {
			base->pair[i].born = copy->pair[i].born;
			base->pair[i].count = copy->pair[i].count;
			base->pair[i].time = copy->pair[i].time;
		}
	}
}

/**
 * cpupr_theft_snapshot_rescale() - convert what is kept here to another clock
 * @mult: one old tick is @mult / 2^@shift new ones
 * @shift: see @mult
 *
 * Context: under cpupr_snapshot_lock().
 */
void cpupr_theft_snapshot_rescale(u32 mult, u32 shift)
{
	unsigned int i;
	int cpu;

	for_each_possible_cpu(cpu) {
		struct theft_base *base = &bases[cpu];

		base->evicted_time = mul_u64_u32_shr(base->evicted_time, mult, shift);
		for (i = 0; i < CPUPR_THEFT_PAIRS; i++)
			base->pair[i].time = mul_u64_u32_shr(base->pair[i].time, mult, shift);
	}
}

/**
 * cpupr_theft_snapshot_init() - before the first epoch
 *
 * Return: 0 or -ENOMEM.
 */
int cpupr_theft_snapshot_init(void)
{
	bases = kvcalloc(nr_cpu_ids, sizeof(*bases), GFP_KERNEL);
	copy = kvzalloc(sizeof(*copy), GFP_KERNEL);
	return bases && copy ? 0 : -ENOMEM;
}

/**
 * cpupr_theft_snapshot_exit() - the files are gone: forget all
 */
void cpupr_theft_snapshot_exit(void)
{
	kvfree(copy);
	kvfree(bases);
	copy = NULL;
	bases = NULL;
}
