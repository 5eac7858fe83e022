/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables: how a file of this module is described. To add a file, fill in a
 * struct cpupr_table and name it in module/present/debugfs.c.
 */
#ifndef CPUPRECISE_TABLE_H
#define CPUPRECISE_TABLE_H

#include <linux/fs.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>

#define CPUPR_WRITE_MAX	64	/* the longest command, bytes, where a table does not say */

/**
 * struct cpupr_table - one file
 * @dir: optional; of the directory in which it is. Tables of one stand together.
 * @name: of the file
 * @size: bytes of a snapshot
 * @take: fills in a snapshot. May sleep.
 * @make: instead of these two, where only a look at what there is tells the size: a
 *	new snapshot from kvmalloc(), or NULL if there was no memory. May sleep.
 * @head: prints the lines that start with #
 * @rows: how many rows a snapshot has
 * @row: prints row @i, or returns SEQ_SKIP
 * @write: optional; does what the text says, the trailing newline taken off:
 *	0 or -errno. May sleep.
 * @replace: optional; what a write does instead where the file was opened with O_TRUNC,
 *	up to the first that succeeds. Closed without any write: it is called with "".
 * @write_max: the longest @text, bytes; more is -E2BIG. 0: CPUPR_WRITE_MAX, and
 *	more is no command at all: -EINVAL
 */
struct cpupr_table {
	const char *dir;
	const char *name;
	size_t (*size)(void);
	void (*take)(void *snapshot);
	void *(*make)(void);
	void (*head)(struct seq_file *m, const void *snapshot);
	unsigned int (*rows)(const void *snapshot);
	int (*row)(struct seq_file *m, const void *snapshot, unsigned int i);
	int (*write)(const char *text);
	int (*replace)(const char *text);
	size_t write_max;
};

extern const struct cpupr_table cpupr_self_table;
extern const struct cpupr_table cpupr_idle_states_table;
extern const struct cpupr_table cpupr_idle_hist_table;
extern const struct cpupr_table cpupr_idle_wakeups_table;
extern const struct cpupr_table cpupr_tasks_table;
extern const struct cpupr_table cpupr_processes_table;
extern const struct cpupr_table cpupr_exited_table;
extern const struct cpupr_table cpupr_runq_hist_table;
extern const struct cpupr_table cpupr_syscalls_table;
extern const struct cpupr_table cpupr_syscall_hist_table;
extern const struct cpupr_table cpupr_cgroups_table;
extern const struct cpupr_table cpupr_irqs_table;
extern const struct cpupr_table cpupr_irq_hist_table;
extern const struct cpupr_table cpupr_softirqs_table;
extern const struct cpupr_table cpupr_softirq_hist_table;
extern const struct cpupr_table cpupr_theft_table;
extern const struct cpupr_table cpupr_counters_table;
extern const struct cpupr_table cpupr_freqs_table;
extern const struct cpupr_table cpupr_cycles_table;
extern const struct cpupr_table cpupr_dump_stack_table;
extern const struct cpupr_table cpupr_triggers_table;
extern const struct cpupr_table cpupr_stacks_table;
extern const struct cpupr_table cpupr_folded_table;
extern const struct proc_ops cpupr_table_proc_ops;
extern const struct file_operations cpupr_table_fops;

void cpupr_put_escaped(struct seq_file *m, const char *text, size_t len);
void cpupr_put_escaped_too(struct seq_file *m, const char *text, size_t len, const char *too);
void cpupr_put_comm(struct seq_file *m, const char *comm, size_t size, const char *too);
void cpupr_put_known(struct seq_file *m, bool known, u64 value);
void cpupr_put_hundredths(struct seq_file *m, bool known, u64 value);
int cpupr_proc_init(void);
void cpupr_proc_exit(void);
int cpupr_debugfs_init(void);
void cpupr_debugfs_exit(void);

#endif
