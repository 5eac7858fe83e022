// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files: one snapshot a read, rendered by seq_file; and commands.
 *
 * A read at offset 0 takes a new snapshot; reads elsewhere go on with the last
 * one, so a table is consistent however small or odd the reads are. Opening takes
 * none: it would cost as much again, for nearly every reader begins at 0.
 */
#include <linux/ctype.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string_helpers.h>
#include <linux/uio.h>

#include <cpuprecise/table.h>

/**
 * struct open_table - one open file
 * @table: its description
 * @mutex: keeps a new snapshot from a concurrent read of the old one
 * @snapshot: the last one
 * @taken: there is one
 */
struct open_table {
	const struct cpupr_table *table;
	struct mutex mutex;
	void *snapshot;
	bool taken;
};

/* Position 0 is the head, row i stands at i + 1. */
static void *start(struct seq_file *m, loff_t *pos)
{
	struct open_table *t = m->private;

	return *pos <= t->table->rows(t->snapshot) ? pos : NULL;
}

static void *next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return start(m, pos);
}

static void stop(struct seq_file *m, void *v)
{
}

static int show(struct seq_file *m, void *v)
{
	struct open_table *t = m->private;
	loff_t pos = *(loff_t *)v;

	if (pos)
		return t->table->row(m, t->snapshot, pos - 1);
	t->table->head(m, t->snapshot);
	return 0;
}

/**
 * cpupr_put_escaped() - print a name as one field, as /proc/mounts does
 * @m: where to
 * @text: any bytes
 * @len: how many
 *
 * What would part or garble it is octal: white space, what does not print, and
 * the backslash itself.
 */
void cpupr_put_escaped(struct seq_file *m, const char *text, size_t len)
{
	seq_escape_mem(m, text, len, ESCAPE_OCTAL | ESCAPE_NAP | ESCAPE_APPEND, " \\");
}

/**
 * cpupr_put_known() - print a number as a further field
 * @m: where to
 * @known: it means something; else it is -
 * @value: the number
 */
void cpupr_put_known(struct seq_file *m, bool known, u64 value)
{
	if (known)
		seq_put_decimal_ull(m, " ", value);
	else
		seq_puts(m, " -");
}

/**
 * cpupr_put_hundredths() - print a number with two decimals as a further field
 * @m: where to
 * @known: it means something; else it is -
 * @value: hundredths
 */
void cpupr_put_hundredths(struct seq_file *m, bool known, u64 value)
{
	u32 rest;

	cpupr_put_known(m, known, div_u64_rem(value, 100, &rest));
	if (known)
		seq_put_decimal_ull(m, rest < 10 ? ".0" : ".", rest);
}

static const struct seq_operations table_seq_ops = {
	.start = start,
	.next = next,
	.stop = stop,
	.show = show,
};

static int open_table(struct file *file, const struct cpupr_table *table)
{
	struct open_table *t;

	/* The mode does not stop root. */
	if ((file->f_mode & FMODE_WRITE) && !table->write)
		return -EACCES;
	t = __seq_open_private(file, &table_seq_ops, sizeof(*t));
	if (!t)
		return -ENOMEM;
	t->table = table;
	mutex_init(&t->mutex);
	t->snapshot = kvzalloc(table->size(), GFP_KERNEL);
	if (!t->snapshot) {
		seq_release_private(file_inode(file), file);
		return -ENOMEM;
	}
	return 0;
}

static int open_proc(struct inode *inode, struct file *file)
{
	return open_table(file, pde_data(inode));
}

static int open_debugfs(struct inode *inode, struct file *file)
{
	return open_table(file, inode->i_private);
}

static int release(struct inode *inode, struct file *file)
{
	struct open_table *t = ((struct seq_file *)file->private_data)->private;

	kvfree(t->snapshot);
	mutex_destroy(&t->mutex);
	return seq_release_private(inode, file);
}

/* @anew: with a new snapshot; else there is one at least. */
static struct open_table *lock_table(struct file *file, bool anew)
{
	struct open_table *t = ((struct seq_file *)file->private_data)->private;

	mutex_lock(&t->mutex);
	if (anew || !t->taken) {
		t->table->take(t->snapshot);
		t->taken = true;
	}
	return t;
}

static ssize_t read(struct file *file, char __user *buf, size_t size, loff_t *pos)
{
	struct open_table *t = lock_table(file, !*pos);
	ssize_t ret = seq_read(file, buf, size, pos);

	mutex_unlock(&t->mutex);
	return ret;
}

static ssize_t read_iter(struct kiocb *iocb, struct iov_iter *iter)
{
	struct open_table *t = lock_table(iocb->ki_filp, !iocb->ki_pos);
	ssize_t ret = seq_read_iter(iocb, iter);

	mutex_unlock(&t->mutex);
	return ret;
}

static loff_t llseek(struct file *file, loff_t offset, int whence)
{
	struct open_table *t = lock_table(file, false);
	loff_t ret = seq_lseek(file, offset, whence);

	mutex_unlock(&t->mutex);
	return ret;
}

/* One command a write; a byte that no command has makes it invalid. */
static ssize_t write(struct file *file, const char __user *buf, size_t size, loff_t *pos)
{
	struct open_table *t = ((struct seq_file *)file->private_data)->private;
	size_t len = size;
	char *text;
	int ret = -EINVAL;

	if (!size)
		return -EINVAL;
	if (size > (t->table->write_max ?: CPUPR_WRITE_MAX))
		return t->table->write_max ? -E2BIG : -EINVAL;
	text = memdup_user_nul(buf, size);
	if (IS_ERR(text))
		return PTR_ERR(text);
	if (text[len - 1] == '\n')
		text[--len] = '\0';
	if (strlen(text) == len)
		ret = t->table->write(text);
	kfree(text);
	return ret ?: size;
}

const struct proc_ops cpupr_table_proc_ops = {
	.proc_open = open_proc,
	.proc_read = read,
	.proc_read_iter = read_iter,
	.proc_lseek = llseek,
	.proc_release = release,
};

const struct file_operations cpupr_table_fops = {
	.owner = THIS_MODULE,
	.open = open_debugfs,
	.read = read,
	.write = write,
	.llseek = llseek,
	.release = release,
};
