// SPDX-License-Identifier: GPL-2.0-only
/*
 * System calls by number. That one begins or ends is the syscall collector's to
 * see; this says whether it is counted, which takes the caller's record.
 */
#include <cpuprecise/collector.h>
#include <cpuprecise/tasks.h>

static int enable(void)
{
	cpupr_calls_start();
	return 0;
}

static struct cpupr_hook hooks[] = {
	{ }
};

struct cpupr_collector cpupr_syscalls_collector = {
	.name = "syscalls",
	.desc = "system calls by number",
	.hooks = hooks,
	.enable = enable,
	.disable = cpupr_calls_stop,
};
