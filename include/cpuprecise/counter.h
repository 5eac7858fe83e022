/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters: one event, counted on every CPU for whoever asks. All who ask for
 * the same event share the counter, since hardware has few of them.
 */
#ifndef CPUPRECISE_COUNTER_H
#define CPUPRECISE_COUNTER_H

#include <linux/perf_event.h>
#include <linux/types.h>

#include <cpuprecise/event.h>

struct cpupr_counter;

enum cpupr_counter_status {
	CPUPR_COUNTER_OK,
	CPUPR_COUNTER_UNSUPPORTED,	/* the CPU, or its PMU, does not know the event */
	CPUPR_COUNTER_NO_SLOT,		/* the PMU's counters are all taken */
	CPUPR_COUNTER_BUSY,		/* somebody has the PMU for himself */
	CPUPR_COUNTER_OFF,		/* the collector that counts it is off */
	CPUPR_COUNTER_OFFLINE,		/* the CPU is */
	CPUPR_COUNTER_FAILED,		/* of memory, and the like */
};

/**
 * struct cpupr_counts - what was counted on a CPU
 * @value: events; of clocks, ns
 * @enabled: for how long it was to be counted, ns
 * @running: for how long it was, ns; 0: @value means nothing
 */
struct cpupr_counts {
	u64 value;
	u64 enabled;
	u64 running;
};

extern const struct cpupr_event cpupr_event_cycles, cpupr_event_instructions;

int cpupr_counter_get(const struct cpupr_event *event, struct cpupr_counter **counter);
void cpupr_counter_put(struct cpupr_counter *counter);
const char *cpupr_counter_name(const struct cpupr_counter *counter);
void cpupr_counter_pause(struct cpupr_counter *counter, bool pause);
bool cpupr_counter_lacks_slot(struct cpupr_counter *counter);
enum cpupr_counter_status cpupr_counter_read(struct cpupr_counter *counter, int cpu,
					     struct cpupr_counts *counts);
bool cpupr_counter_on(struct cpupr_counter *counter, int cpu);
bool cpupr_counter_here(struct cpupr_counter *counter, u64 *value);
void cpupr_counters_rebase(void);

/* What the counters are told: see counter.c. */
void cpupr_counters_cpu(bool online);
void cpupr_counters_switches(bool hooked);
void cpupr_counters_follow(void);
void cpupr_counters_exit(void);

/* perf's part: see counter_perf.c. */
int cpupr_perf_resolve(struct cpupr_event *event);
void cpupr_perf_attr(struct perf_event_attr *attr, const struct cpupr_event *event);
struct perf_event *cpupr_perf_create(struct perf_event_attr *attr, int cpu,
				     perf_overflow_handler_t overflow, void *context);
struct perf_event *cpupr_perf_open(const struct cpupr_event *event, int cpu);

#endif
