/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The frequency at which a CPU ran, where nothing tells: by APERF and MPERF.
 */
#ifndef CPUPRECISE_APERF_H
#define CPUPRECISE_APERF_H

#include <linux/types.h>

#ifdef CONFIG_X86
void cpupr_aperf_get(void);
void cpupr_aperf_put(void);
u64 cpupr_aperf_read_khz(int cpu);
#else
static inline void cpupr_aperf_get(void)
{
}

static inline void cpupr_aperf_put(void)
{
}

static inline u64 cpupr_aperf_read_khz(int cpu)
{
	return 0;
}
#endif

#endif
