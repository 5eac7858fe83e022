/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Frequencies of all CPUs at one read.
 */
#ifndef CPUPRECISE_FREQS_SNAPSHOT_H
#define CPUPRECISE_FREQS_SNAPSHOT_H

#include <cpuprecise/freq.h>

/**
 * struct cpupr_freqs_cpu - a CPU in this epoch
 * @sum: by row; busy and idle of all rows are together what /proc/cpuprecise has
 * @khz: by row
 * @row: of the frequency now
 * @elapsed: ns
 * @counted: cycles are
 * @running_khz: measured, where no frequency is known; 0: that is not known either
 * @by: how it was measured
 */
struct cpupr_freqs_cpu {
	struct cpupr_freq_sum sum[CPUPR_FREQ_ROWS];
	u32 khz[CPUPR_FREQ_ROWS];
	unsigned int row;
	u64 elapsed;
	bool counted;
	u64 running_khz;
	const char *by;
};

void cpupr_freqs_rebase(void);
size_t cpupr_freqs_snapshot_size(void);
void cpupr_freqs_snapshot_take(void *snapshot);
int cpupr_freqs_snapshot_init(void);
void cpupr_freqs_snapshot_exit(void);

#endif
