/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's cpufreq: what sysfs says of frequencies, and takes.
 */
#ifndef SELFTEST_CPUFREQ_H
#define SELFTEST_CPUFREQ_H

#include <stdbool.h>
#include <stdint.h>

#define CPUFREQ_MAX_STATES	256

/* How long a CPU's policy was at each frequency of its table. */
struct cpufreq_stats {
	uint64_t before, after;		/* CLOCK_MONOTONIC around the read */
	unsigned int states;
	struct {
		uint64_t khz, ns;	/* ns in steps of CPUFREQ_STATS_UNIT, rounded down */
	} state[CPUFREQ_MAX_STATES];
};

#define CPUFREQ_STATS_UNIT	UINT64_C(10000000)

bool cpufreq_here(int cpu);
void cpufreq_require_driver(const char *name);
void cpufreq_governor(int cpu, const char *name);
void cpufreq_set(int cpu, uint64_t khz);
uint64_t cpufreq_khz(int cpu);
void cpufreq_read_stats(int cpu, struct cpufreq_stats *stats);
bool cpufreq_is_fast(void);

#endif
