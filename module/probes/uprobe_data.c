// SPDX-License-Identifier: GPL-2.0-only
/* Compile probe: a uprobe's handler has data of its own as its third argument. */
#include <linux/module.h>
#include <linux/uprobes.h>

static int handler(struct uprobe_consumer *consumer, struct pt_regs *regs, __u64 *data)
{
	return 0;
}

static struct uprobe_consumer probe __maybe_unused = {
	.handler = handler,
};
