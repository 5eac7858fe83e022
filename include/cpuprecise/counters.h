/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The list of counters that the user chose.
 */
#ifndef CPUPRECISE_COUNTERS_H
#define CPUPRECISE_COUNTERS_H

#include <cpuprecise/counter.h>

#define CPUPR_COUNTERS_MAX	32	/* names in the list */
#define CPUPR_COUNTERS_WRITE	4096	/* bytes of it */

/**
 * struct cpupr_counters_row - a counter on a CPU
 * @counts: in this epoch
 * @status: of now
 * @shown: the CPU is, or was, there
 */
struct cpupr_counters_row {
	struct cpupr_counts counts;
	enum cpupr_counter_status status;
	bool shown;
};

/**
 * struct cpupr_counters_snapshot - all counters at one read
 * @name: of the events, as written
 * @nr: how many
 * @row: by CPU number, CPUPR_COUNTERS_MAX each
 */
struct cpupr_counters_snapshot {
	char name[CPUPR_COUNTERS_MAX][CPUPR_EVENT_NAME];
	unsigned int nr;
	struct cpupr_counters_row row[];
};

void cpupr_counters_take(struct cpupr_counters_snapshot *snapshot);
int cpupr_counters_choose(const char *list);

#endif
