/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Frequencies: time, busy time and cycles of one CPU by the frequency it was
 * set to, and the arithmetic of cycles.
 *
 * Whoever changes the frequency first brings the sums up to date. Cycles can
 * only be read on the CPU itself, which may be later than the change, so that
 * they have a row of their own: the one that was current when they were last
 * read.
 *
 * Pure: it sees numbers only.
 *
 * Context: the caller serialises all calls for a CPU, from whichever CPU.
 */
#ifndef CPUPRECISE_FREQ_H
#define CPUPRECISE_FREQ_H

#include <cpuprecise/pure.h>

#define CPUPR_FREQ_ROWS		64
#define CPUPR_FREQ_UNKNOWN	0	/* row: no frequency is known */
#define CPUPR_FREQ_OTHER	(CPUPR_FREQ_ROWS - 1)	/* row: those that found no place */

/**
 * struct cpupr_freq_sum - what is summed up: u64 only
 * @busy: ns
 * @idle: ns
 * @clock: ns
 * @cycles: while not halted
 * @counted: the clock's ns for which cycles were counted
 */
struct cpupr_freq_sum {
	u64 busy;
	u64 idle;
	u64 clock;
	u64 cycles;
	u64 counted;
};

/**
 * struct cpupr_freqs - the frequencies of one CPU
 * @khz: by row; 0 in the two special ones
 * @sum: by row
 * @rows: in use, CPUPR_FREQ_UNKNOWN included, CPUPR_FREQ_OTHER not
 * @row: of the frequency now
 * @counted: row that cycles belong to until they are next read
 * @at: the CPU's books when the sums were last brought up to date; its clock
 *	at that for cycles is @at.counted
 */
struct cpupr_freqs {
	u32 khz[CPUPR_FREQ_ROWS];
	struct cpupr_freq_sum sum[CPUPR_FREQ_ROWS];
	unsigned int rows;
	unsigned int row;
	unsigned int counted;
	struct cpupr_freq_sum at;
};

void cpupr_freqs_init(struct cpupr_freqs *f);
void cpupr_freqs_seed_time(struct cpupr_freqs *f, u64 busy, u64 idle, u64 clock);
void cpupr_freqs_seed_cycles(struct cpupr_freqs *f, u64 cycles, u64 clock);
void cpupr_freqs_time(struct cpupr_freqs *f, u64 busy, u64 idle, u64 clock);
void cpupr_freqs_cycles(struct cpupr_freqs *f, u64 cycles, u64 clock);
void cpupr_freqs_change(struct cpupr_freqs *f, u32 khz);

u64 cpupr_count_delta(u64 now, u64 last);
bool cpupr_util(u64 cycles, u32 khz, u64 ns, u64 *pct100);
u64 cpupr_khz(u64 cycles, u64 ns);
u64 cpupr_aperf_khz(u32 base, u64 aperf, u64 mperf);
u64 cpupr_ipc100(u64 instructions, u64 cycles);
void cpupr_share(u64 whole, const u64 *part, u64 *to, unsigned int n, unsigned int fallback);

#endif
