// SPDX-License-Identifier: GPL-2.0-only
/*
 * Theft: whom interrupts take time of. When they begin and end is the irq and softirq
 * collectors' to see, by what name is irqs'; this says whether it is booked by the task.
 */
#include <cpuprecise/collector.h>

static struct cpupr_hook hooks[] = {
	{ }
};

struct cpupr_collector cpupr_theft_collector = {
	.name = "theft",
	.desc = "which interrupts took time of which tasks",
	.hooks = hooks,
	.on_demand = true,
};
