/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The steal clock: for how long a hypervisor ran something else while a CPU
 * would have run.
 */
#ifndef CPUPRECISE_STEAL_H
#define CPUPRECISE_STEAL_H

#include <linux/types.h>

struct cpupr_cpu;
struct kvm_steal_time;

/**
 * struct cpupr_steal - of one CPU
 * @area: where the hypervisor tells it; NULL: nowhere, or nobody looks
 * @from: the clock when that began, ns
 * @ticks: and what the ledger had of it then
 */
struct cpupr_steal {
	const struct kvm_steal_time *area;
	u64 from;
	u64 ticks;
};

u64 cpupr_steal_clock(const struct cpupr_steal *s, int cpu, u64 *stolen);
void cpupr_steal_cpu(struct cpupr_cpu *c);
void cpupr_steal_rescale(struct cpupr_steal *s, u32 mult, u32 shift);
bool cpupr_steal_watched(void);

#endif
