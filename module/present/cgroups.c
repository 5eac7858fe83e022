// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroups: a row a group. Format: tools/abi/debugfs-cpuprecise.
 */
#include <linux/cgroup.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include <cpuprecise/cgroups.h>
#include <cpuprecise/snapshot.h>
#include <cpuprecise/table.h>
#include <cpuprecise/tasks.h>

#define GROUPS	2048	/* on all CPUs together */
#define OTHER	GROUPS	/* what is beyond, or found no row on its CPU */
#define VALUES	(CPUPR_NR_TASK_TIMES + 1)	/* and the wait, ns */

/**
 * struct group - what readers know of a group
 * @id: its number; 0 if the row is free
 * @now: what is being added up
 * @shown: what the last read found
 * @base: where the epoch began
 */
struct group {
	u64 id;
	u64 now[VALUES];
	u64 shown[VALUES];
	u64 base[VALUES];
};

/* In the order in which they were first seen. Protected by cpupr_snapshot_lock(). */
static struct group *groups;

struct row {
	u64 id;
	u64 value[VALUES];
};

/* One CPU, its open slice included. */
static void copy_books(int cpu, struct cpupr_cgroup_books *copy)
{
	struct cpupr_cpu *c = per_cpu_ptr(&cpupr_cpu, cpu);
	const struct cpupr_task *record;
	struct task_struct *task;
	struct cpupr_ledger l;
	unsigned int seq;
	u64 now, stolen;

	rcu_read_lock();
	do {
		seq = read_seqcount_begin(&c->seq);
		*copy = c->tasks->cgroups;
		record = READ_ONCE(c->cgroups) ? READ_ONCE(c->task) : NULL;
		task = record ? cpupr_task_of(record) : NULL;
		l = c->ledger;
		/* The time after what it closes. */
		smp_rmb();
		now = cpupr_clock_stolen(c, cpu, &stolen);
	} while (read_seqcount_retry(&c->seq, seq));
	if (task) {
		cpupr_ledger_settle(&l, now, stolen);
		cpupr_cgroup_slice(copy, &l, cpupr_cgroup_of(task), cpupr_run_delay(task));
	}
	rcu_read_unlock();
}

static struct group *find(u64 id)
{
	struct group *g;

	for (g = groups; g < groups + OTHER; g++) {
		if (!g->id)
			g->id = id;
		if (g->id == id)
			break;
	}
	return g;
}

static void add(struct group *g, const struct cpupr_cgroup_row *from)
{
	unsigned int i;

	for (i = 0; i < CPUPR_NR_TASK_TIMES; i++)
		g->now[i] += cpupr_clock_ns(from->time[i]);
	g->now[i] += from->wait;
}

/* What was shown stays: a reader may be ahead of the CPU. @copy: too large for a stack. */
static void read_all(struct cpupr_cgroup_books *copy)
{
	struct group *g;
	unsigned int i;
	int cpu;

	for (g = groups; g <= groups + OTHER; g++)
		memset(g->now, 0, sizeof(g->now));
	for_each_possible_cpu(cpu) {
		copy_books(cpu, copy);
		for (i = 0; i < CPUPR_CGROUPS; i++)
			if (copy->row[i].id)
				add(find(copy->row[i].id), &copy->row[i]);
		add(groups + OTHER, &copy->row[CPUPR_CGROUP_OTHER]);
	}
	for (g = groups; g <= groups + OTHER; g++)
		for (i = 0; i < VALUES; i++)
			g->shown[i] = max(g->shown[i], g->now[i]);
}

static struct cpupr_cgroup_books copy;	/* under cpupr_snapshot_lock() */

static size_t size(void)
{
	return (GROUPS + 1) * sizeof(struct row);
}

static void take(void *snapshot)
{
	struct row *row = snapshot;
	unsigned int i, v;

	cpupr_snapshot_lock();
	read_all(&copy);
	for (i = 0; i <= OTHER; i++) {
		row[i].id = groups[i].id;
		for (v = 0; v < VALUES; v++)
			row[i].value[v] = groups[i].shown[v] - groups[i].base[v];
	}
	cpupr_snapshot_unlock();
}

static void head(struct seq_file *m, const void *snapshot)
{
	seq_puts(m, "# id path run_ns user_ns system_ns irq_ns softirq_ns wait_ns\n");
}

static unsigned int rows(const void *snapshot)
{
	return GROUPS + 1;
}

/* As /proc/PID/cgroup has it, from the reader's own root on; a group may be gone. */
static void put_path(struct seq_file *m, u64 id)
{
#ifdef CONFIG_CGROUPS
	struct cgroup *group = cgroup_get_from_id(id);
	char *path = kmalloc(PATH_MAX, GFP_KERNEL);

	if (!IS_ERR(group) && path && cgroup_path(group, path, PATH_MAX) > 0)
		cpupr_put_escaped(m, path, strnlen(path, PATH_MAX));
	else
		seq_putc(m, '-');
	if (!IS_ERR(group))
		cgroup_put(group);
	kfree(path);
#else
	seq_putc(m, '-');
#endif
}

static int row(struct seq_file *m, const void *snapshot, unsigned int i)
{
	const struct row *row = (const struct row *)snapshot + i;
	const u64 *value = row->value;
	unsigned int v;

	if (!memchr_inv(value, 0, sizeof(row->value)))
		return SEQ_SKIP;
	if (i == OTHER) {
		seq_puts(m, "other -");
	} else {
		seq_printf(m, "%llu ", row->id);
		put_path(m, row->id);
	}
	seq_put_decimal_ull(m, " ", value[CPUPR_TASK_USER] + value[CPUPR_TASK_SYSTEM]);
	for (v = 0; v < CPUPR_NR_TASK_TIMES; v++)
		seq_put_decimal_ull(m, " ", value[v]);
	cpupr_put_known(m, CPUPR_RUN_DELAY, value[v]);
	seq_putc(m, '\n');
	return 0;
}

const struct cpupr_table cpupr_cgroups_table = {
	.name = "cgroups",
	.size = size,
	.take = take,
	.head = head,
	.rows = rows,
	.row = row,
};

/**
 * cpupr_cgroups_rebase() - a new epoch begins
 *
 * Context: under cpupr_snapshot_lock().
 */
void cpupr_cgroups_rebase(void)
{
	unsigned int i;

	read_all(&copy);
	for (i = 0; i <= OTHER; i++)
		memcpy(groups[i].base, groups[i].shown, sizeof(groups[i].base));
}

/**
 * cpupr_cgroups_init() - before the first epoch
 *
 * Return: 0 or -ENOMEM.
 */
int cpupr_cgroups_init(void)
{
	groups = kvcalloc(GROUPS + 1, sizeof(*groups), GFP_KERNEL);
	return groups ? 0 : -ENOMEM;
}

/**
 * cpupr_cgroups_exit() - the files are gone: forget all
 */
void cpupr_cgroups_exit(void)
{
	kvfree(groups);
	groups = NULL;
}
