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
 * @mutex: keeps a new snapshot from a concurrent read of the old one, and writes apart
 * @snapshot: the last one, or memory for it
 * @taken: there is one
 * @truncated: opened with O_TRUNC, and no write has succeeded yet
 * @written: somebody tried
 */
struct open_table {
	const struct cpupr_table *table;
	struct mutex mutex;
	void *snapshot;
	bool taken;
	bool truncated;
	bool written;
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
	cpupr_put_escaped_too(m, text, len, " \\");
}

/**
 * cpupr_put_escaped_too() - the same, where more than blanks part fields
 * @m: where to
 * @text: any bytes
 * @len: how many
 * @too: what is octal beside what does not print: blank and backslash have to be there
 */
void cpupr_put_escaped_too(struct seq_file *m, const char *text, size_t len, const char *too)
{
	seq_escape_mem(m, text, len, ESCAPE_OCTAL | ESCAPE_NAP | ESCAPE_APPEND, too);
}

/**
 * cpupr_put_comm() - print a task's name as one field
 * @m: where to
 * @comm: it
 * @size: of @comm: there need not be a NUL
 * @too: see cpupr_put_escaped_too()
 */
void cpupr_put_comm(struct seq_file *m, const char *comm, size_t size, const char *too)
{
	/* An empty name would be no field. */
	if (comm[0])
		cpupr_put_escaped_too(m, comm, strnlen(comm, size), too);
	else
		seq_puts(m, "<null>");
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
	/* The flag is gone when this is done. */
	t->truncated = table->replace && (file->f_mode & FMODE_WRITE) && (file->f_flags & O_TRUNC);
	if (table->make)
		return 0;
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

	/* There is nobody left to tell whether it worked. */
	if (t->truncated && !t->written)
		t->table->replace("");
	kvfree(t->snapshot);
	mutex_destroy(&t->mutex);
	return seq_release_private(inode, file);
}

static int take(struct open_table *t)
{
	if (t->table->make) {
		/* First, or there would be two at a time. */
		kvfree(t->snapshot);
		t->snapshot = t->table->make();
	} else {
		t->table->take(t->snapshot);
	}
	t->taken = t->snapshot;
	return t->taken ? 0 : -ENOMEM;
}

/* @anew: with a new snapshot; else there is one at least. Or -errno, not locked. */
static struct open_table *lock_table(struct file *file, bool anew)
{
	struct open_table *t = ((struct seq_file *)file->private_data)->private;
	int ret;

	mutex_lock(&t->mutex);
	ret = anew || !t->taken ? take(t) : 0;
	if (!ret)
		return t;
	mutex_unlock(&t->mutex);
	return ERR_PTR(ret);
}

static ssize_t read(struct file *file, char __user *buf, size_t size, loff_t *pos)
{
	struct open_table *t = lock_table(file, !*pos);
	ssize_t ret;

	if (IS_ERR(t))
		return PTR_ERR(t);
	ret = seq_read(file, buf, size, pos);
	mutex_unlock(&t->mutex);
	return ret;
}

static ssize_t read_iter(struct kiocb *iocb, struct iov_iter *iter)
{
	struct open_table *t = lock_table(iocb->ki_filp, !iocb->ki_pos);
	ssize_t ret;

	if (IS_ERR(t))
		return PTR_ERR(t);
	ret = seq_read_iter(iocb, iter);
	mutex_unlock(&t->mutex);
	return ret;
}

static loff_t llseek(struct file *file, loff_t offset, int whence)
{
	struct open_table *t = lock_table(file, false);
	loff_t ret;

	if (IS_ERR(t))
		return PTR_ERR(t);
	ret = seq_lseek(file, offset, whence);
	mutex_unlock(&t->mutex);
	return ret;
}

static int do_write(struct open_table *t, const char *text)
{
	int ret;

	mutex_lock(&t->mutex);
	t->written = true;
	ret = t->truncated ? t->table->replace(text) : t->table->write(text);
	if (!ret)
		t->truncated = false;
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
		ret = do_write(t, text);
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
