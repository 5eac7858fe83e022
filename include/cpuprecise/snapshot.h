/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Snapshots: a consistent copy of all ledgers, in ns since the epoch. The
 * presentation layer sees nothing else.
 */
#ifndef CPUPRECISE_SNAPSHOT_H
#define CPUPRECISE_SNAPSHOT_H

#include <linux/types.h>

#include <cpuprecise/ledger.h>

/**
 * struct cpupr_row - one CPU, or the sum of all
 * @ns: by category
 * @guest_ns: what guests had of user and of nice
 * @elapsed: their sum
 * @online: the CPU is observed now
 * @shown: it was, at some time in this epoch
 */
struct cpupr_row {
	u64 ns[CPUPR_NR_CATEGORIES];
	u64 guest_ns[CPUPR_NR_GUEST];
	u64 elapsed;
	bool online;
	bool shown;
};

/**
 * struct cpupr_snapshot - all CPUs at one read
 * @epoch: counts from 1, one more with each reset
 * @clock: name of the clock in use
 * @since: CLOCK_MONOTONIC at the start of the epoch, ns
 * @now: CLOCK_MONOTONIC of the read, ns
 * @steal_known: steal is kept, or was at some time in this epoch
 * @guest_known: it is known what guests had
 * @total: the sum over @cpu
 * @cpu: by CPU number, nr_cpu_ids entries
 */
struct cpupr_snapshot {
	u64 epoch;
	const char *clock;
	u64 since;
	u64 now;
	bool steal_known;
	bool guest_known;
	struct cpupr_row total;
	struct cpupr_row cpu[];
};

size_t cpupr_snapshot_size(void);
void cpupr_snapshot_take(void *snapshot);
void cpupr_snapshot_reset(void);
void cpupr_snapshot_row(int cpu, struct cpupr_row *row, struct cpupr_ledger *copy);
void cpupr_snapshot_cpu(int cpu, struct cpupr_row *row, struct cpupr_ledger *copy);
u64 cpupr_snapshot_elapsed(int cpu);
void cpupr_snapshot_lock(void);
void cpupr_snapshot_unlock(void);
void cpupr_snapshot_rescale(u32 mult, u32 shift);
u64 cpupr_snapshot_unbalanced(void);
u64 cpupr_snapshot_backsteps(void);
int cpupr_snapshot_init(void);
void cpupr_snapshot_exit(void);

#endif
