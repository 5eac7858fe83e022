// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory and functions for a test to watch: what is written to the parameter is
 * stored in a variable by a function of its own.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

#include "watched.h"

int watched_value;
EXPORT_SYMBOL_GPL(watched_value);

/* noinline and a barrier: it is what stores, and is called. */
static noinline void watched_store(int value)
{
	WRITE_ONCE(watched_value, value);
	barrier();
}

static int on_set(const char *text, const struct kernel_param *kp)
{
	int value, ret = kstrtoint(text, 0, &value);

	if (!ret)
		watched_store(value);
	return ret;
}

static int on_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%d\n", READ_ONCE(watched_value));
}

static const struct kernel_param_ops value_ops = {
	.set = on_set,
	.get = on_get,
};
module_param_cb(value, &value_ops, NULL, 0600);
MODULE_PARM_DESC(value, "what is stored");

/* Not each kernel has data among its symbols (CONFIG_KALLSYMS_ALL). */
static int on_get_address(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "0x%lx\n", (unsigned long)&watched_value);
}

static const struct kernel_param_ops address_ops = {
	.get = on_get_address,
};
module_param_cb(address, &address_ops, NULL, 0400);
MODULE_PARM_DESC(address, "where that is");

static int __init watched_init(void)
{
	return 0;
}

static void __exit watched_exit(void)
{
}

module_init(watched_init);
module_exit(watched_exit);

MODULE_AUTHOR("cpuprecise developers");
MODULE_DESCRIPTION("Memory and functions for a test to watch");
MODULE_LICENSE("GPL");
