// SPDX-License-Identifier: GPL-2.0-only
/* Compile probe: registering a uprobe gives a handle, with which it goes again. */
#include <linux/module.h>
#include <linux/uprobes.h>

static void __maybe_unused check(struct inode *inode, struct uprobe_consumer *consumer)
{
	struct uprobe *uprobe = uprobe_register(inode, 0, 0, consumer);

	uprobe_unregister_nosync(uprobe, consumer);
	uprobe_unregister_sync();
}
