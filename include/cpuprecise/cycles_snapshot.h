/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cycles of all CPUs at one read.
 */
#ifndef CPUPRECISE_CYCLES_SNAPSHOT_H
#define CPUPRECISE_CYCLES_SNAPSHOT_H

#include <cpuprecise/cycles.h>

/**
 * struct cpupr_cycles_cpu - a CPU in this epoch
 * @sum: times in ns
 * @counting: it counts now
 */
struct cpupr_cycles_cpu {
	struct cpupr_cycles_sum sum;
	bool counting[CPUPR_NR_CYCLES_KINDS];
};

void cpupr_cycles_snapshot_cpu(int cpu, struct cpupr_cycles_cpu *to);
u64 cpupr_cycles_running_khz(const struct cpupr_cycles_cpu *c);
void cpupr_cycles_rebase(void);
void cpupr_cycles_snapshot_rescale(u32 mult, u32 shift);
int cpupr_cycles_snapshot_init(void);
void cpupr_cycles_snapshot_exit(void);

#endif
