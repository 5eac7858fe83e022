// SPDX-License-Identifier: GPL-2.0-only
/*
 * Triggers of kind u: a program gets to a place of its file.
 */
#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/namei.h>
#include <linux/preempt.h>

#include <cpuprecise/compat.h>
#include <cpuprecise/stacks.h>

static int hit(CPUPR_UPROBE_PROTO)
{
	struct cpupr_trigger *t = container_of(consumer, struct cpupr_trigger, consumer);

	preempt_disable();
	cpupr_trigger_hit(t, regs, CPUPR_FROM_USER);
	preempt_enable();
	return 0;
}

static struct inode *inode_of(const struct cpupr_trigger *t)
{
	return d_real_inode(t->uprobe_file.dentry);
}

static int open_file(struct cpupr_trigger *t, const char **why)
{
	int ret = kern_path(t->spec.target, LOOKUP_FOLLOW, &t->uprobe_file);

	if (ret) {
		*why = ret == -ENOENT ? "no such file" : "the file was not found";
		return ret;
	}
	if (!d_is_reg(t->uprobe_file.dentry)) {
		*why = "not a regular file";
		return -EINVAL;
	}
	if (t->spec.offset >= i_size_read(inode_of(t))) {
		*why = "the offset is behind the end of the file";
		return -EINVAL;
	}
	return 0;
}

/* By the instruction: a frame is made by what comes behind a function's first. */
static bool is_at_entry(const struct cpupr_trigger *t)
{
	struct file *file = dentry_open(&t->uprobe_file, O_RDONLY, current_cred());
	loff_t at = t->spec.offset;
	__le32 instruction;
	ssize_t n;

	if (IS_ERR(file))
		return false;
	n = kernel_read(file, &instruction, sizeof(instruction), &at);
	fput(file);
	return n == sizeof(instruction) && cpupr_is_entry(le32_to_cpu(instruction));
}

static const char *why_refused(int err)
{
	switch (err) {
	case -EIO:
		return "the file's system has no pages to put a breakpoint in";
	case -EINVAL:
		return "the offset is not that of an instruction";
	default:
		return "the instruction cannot be probed";
	}
}

static void close_file(struct cpupr_trigger *t)
{
	path_put(&t->uprobe_file);
	t->uprobe_file = (struct path){ };
}

static int install(struct cpupr_trigger *t, const char **why)
{
	int ret = open_file(t, why);

	if (ret)
		return ret;
	t->at_entry = is_at_entry(t);
	t->consumer.handler = hit;
	t->uprobe = cpupr_uprobe_register(inode_of(t), t->spec.offset, &t->consumer);
	if (!IS_ERR(t->uprobe))
		return 0;
	/* ENOTSUPP is the kernel's own. */
	ret = PTR_ERR(t->uprobe) == -ENOTSUPP ? -EOPNOTSUPP : PTR_ERR(t->uprobe);
	*why = why_refused(ret);
	return ret;
}

/* The kernel looks at the instruction when a program that runs has it, else never. */
static int arm(struct cpupr_trigger *t, const char **why)
{
	int ret;

	if (!IS_ENABLED(CONFIG_UPROBES)) {
		*why = "this kernel has no uprobes";
		return -EOPNOTSUPP;
	}
	ret = install(t, why);
	if (ret)
		close_file(t);
	return ret;
}

static void disarm(struct cpupr_trigger *t)
{
	if (!t->uprobe_file.dentry)
		return;
	cpupr_uprobe_unregister(t->uprobe, inode_of(t), t->spec.offset, &t->consumer);
	close_file(t);
}

const struct cpupr_trigger_ops cpupr_uprobe_ops = {
	.arm = arm,
	.disarm = disarm,
};
