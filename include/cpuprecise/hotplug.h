/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opening and freezing rows as CPUs come and go, and bringing rows in line
 * after collectors were switched.
 */
#ifndef CPUPRECISE_HOTPLUG_H
#define CPUPRECISE_HOTPLUG_H

#include <linux/types.h>

int cpupr_hotplug_init(void);
void cpupr_hotplug_exit(void);
void cpupr_hotplug_resync(void);
u64 cpupr_hotplug_suspends(void);

#endif
