// SPDX-License-Identifier: GPL-2.0-only
/*
 * The debugfs directory; collectors and reset.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/debugfs.h>
#include <linux/err.h>

#include <cpuprecise/collector.h>
#include <cpuprecise/snapshot.h>
#include <cpuprecise/table.h>

static struct dentry *dir;

struct collectors_snapshot {
	const struct cpupr_collector *collector;
	enum cpupr_collector_state state;
};

#define MAX_COLLECTORS	32

static size_t collectors_size(void)
{
	return sizeof(struct collectors_snapshot[MAX_COLLECTORS]);
}

static void collectors_take(void *snapshot)
{
	struct collectors_snapshot *s = snapshot;
	unsigned int i;

	for (i = 0; i < MAX_COLLECTORS; i++) {
		s[i].collector = cpupr_registry_get(i);
		if (!s[i].collector)
			break;
		s[i].state = READ_ONCE(s[i].collector->state);
	}
}

static void collectors_head(struct seq_file *m, const void *snapshot)
{
	seq_puts(m, "# name state reason\n");
}

static unsigned int collectors_rows(const void *snapshot)
{
	unsigned int i = 0;

	while (cpupr_registry_get(i))
		i++;
	return i;
}

static int collectors_row(struct seq_file *m, const void *snapshot, unsigned int i)
{
	static const char *const states[] = {
		[CPUPR_OFF] = "off",
		[CPUPR_ON] = "on",
		[CPUPR_UNSUPPORTED] = "unsupported",
	};
	const struct collectors_snapshot *s = snapshot;

	seq_printf(m, "%s %s ", s[i].collector->name, states[s[i].state]);
	if (s[i].state == CPUPR_UNSUPPORTED)
		cpupr_put_escaped(m, s[i].collector->reason, strlen(s[i].collector->reason));
	else
		seq_putc(m, '-');
	seq_putc(m, '\n');
	return 0;
}

static int collectors_write(const char *text)
{
	if (text[0] != '+' && text[0] != '-')
		return -EINVAL;
	/* A name that no collector can have is malformed, not unknown. */
	if (!text[1] || text[1 + strspn(text + 1, "abcdefghijklmnopqrstuvwxyz0123456789_")])
		return -EINVAL;
	return cpupr_registry_switch(text + 1, text[0] == '+');
}

static const struct cpupr_table collectors_table = {
	.name = "collectors",
	.size = collectors_size,
	.take = collectors_take,
	.head = collectors_head,
	.rows = collectors_rows,
	.row = collectors_row,
	.write = collectors_write,
};

static void reset_head(struct seq_file *m, const void *snapshot)
{
	seq_puts(m, "# epoch since_ns\n");
}

static unsigned int reset_rows(const void *snapshot)
{
	return 1;
}

static int reset_row(struct seq_file *m, const void *snapshot, unsigned int i)
{
	const struct cpupr_snapshot *s = snapshot;

	seq_printf(m, "%llu %llu\n", s->epoch, s->since);
	return 0;
}

static int reset_write(const char *text)
{
	if (strcmp(text, "1"))
		return -EINVAL;
	cpupr_snapshot_reset();
	return 0;
}

static const struct cpupr_table reset_table = {
	.name = "reset",
	.size = cpupr_snapshot_size,
	.take = cpupr_snapshot_take,
	.head = reset_head,
	.rows = reset_rows,
	.row = reset_row,
	.write = reset_write,
};

static const struct cpupr_table *const tables[] = {
	&collectors_table,
	&reset_table,
	&cpupr_self_table,
	&cpupr_idle_states_table,
	&cpupr_idle_hist_table,
	&cpupr_idle_wakeups_table,
	&cpupr_tasks_table,
	&cpupr_processes_table,
	&cpupr_exited_table,
	&cpupr_runq_hist_table,
	&cpupr_syscalls_table,
	&cpupr_syscall_hist_table,
	&cpupr_cgroups_table,
	&cpupr_irqs_table,
	&cpupr_irq_hist_table,
	&cpupr_softirqs_table,
	&cpupr_softirq_hist_table,
	&cpupr_theft_table,
	&cpupr_counters_table,
	&cpupr_freqs_table,
	&cpupr_cycles_table,
	&cpupr_dump_stack_table,
	&cpupr_triggers_table,
	&cpupr_stacks_table,
	&cpupr_folded_table,
};

/* NULL or an error as of debugfs_create_file(), below @dir if the table says so. */
static struct dentry *create_file(const struct cpupr_table *t, const struct cpupr_table *before)
{
	static struct dentry *parent;

	if (!t->dir)
		parent = dir;
	else if (!before || !before->dir || strcmp(before->dir, t->dir))
		parent = debugfs_create_dir(t->dir, dir);
	if (IS_ERR(parent))
		return parent;
	return debugfs_create_file(t->name, t->write ? 0600 : 0400, parent, (void *)t,
				   &cpupr_table_fops);
}

/**
 * cpupr_debugfs_init() - publish the directory
 *
 * A kernel without debugfs, or locked down, still gets /proc/cpuprecise.
 *
 * Return: 0 or -errno.
 */
int cpupr_debugfs_init(void)
{
	unsigned int i;

	dir = debugfs_create_dir("cpuprecise", NULL);
	if (IS_ERR(dir)) {
		int ret = PTR_ERR(dir);

		dir = NULL;
		if (ret != -ENODEV && ret != -EPERM)
			return ret;
		pr_info("no debugfs here: /proc/cpuprecise only\n");
		return 0;
	}
	for (i = 0; i < ARRAY_SIZE(tables); i++) {
		struct dentry *file = create_file(tables[i], i ? tables[i - 1] : NULL);

		if (IS_ERR(file)) {
			debugfs_remove(dir);
			return PTR_ERR(file);
		}
	}
	return 0;
}

/**
 * cpupr_debugfs_exit() - take it away
 */
void cpupr_debugfs_exit(void)
{
	debugfs_remove(dir);
}
