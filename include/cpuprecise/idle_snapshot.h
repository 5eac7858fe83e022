/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Snapshots of the idle states of all CPUs, since the epoch.
 */
#ifndef CPUPRECISE_IDLE_SNAPSHOT_H
#define CPUPRECISE_IDLE_SNAPSHOT_H

#include <linux/types.h>

#include <cpuprecise/idle_state.h>

/**
 * struct cpupr_idle_row - one state of one CPU
 * @slot: what it is and what is counted of it
 * @usage: stays that are over
 * @time: in the state, the open stay included, ns
 * @shown: the CPU has this state now, or was in it in this epoch
 */
struct cpupr_idle_row {
	struct cpupr_idle_slot slot;
	u64 usage;
	u64 time;
	bool shown;
};

/**
 * struct cpupr_idle_cpu - one CPU
 * @elapsed: see struct cpupr_row
 * @causes: entries of @cause that are in use
 * @cause: what ends stays, by number
 * @row: by slot
 */
struct cpupr_idle_cpu {
	u64 elapsed;
	u8 causes;
	struct cpupr_idle_cause cause[CPUPR_IDLE_CAUSES];
	struct cpupr_idle_row row[CPUPR_IDLE_SLOTS];
};

/**
 * struct cpupr_idle_snapshot - all CPUs at one read
 * @rejected_known: refusals are counted
 * @cpu: by CPU number, nr_cpu_ids entries
 */
struct cpupr_idle_snapshot {
	bool rejected_known;
	struct cpupr_idle_cpu cpu[];
};

size_t cpupr_idle_snapshot_size(void);
void cpupr_idle_snapshot_take(void *snapshot);
void cpupr_idle_rebase(void);
int cpupr_idle_snapshot_init(void);
void cpupr_idle_snapshot_exit(void);

#endif
