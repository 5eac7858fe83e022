/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Event names as perf spells them, and what perf_event_open() takes for them.
 *
 * Pure: names that only a running kernel knows, those of tracepoints and of
 * PMUs, are taken apart here and looked up by the caller.
 */
#ifndef CPUPRECISE_EVENT_H
#define CPUPRECISE_EVENT_H

#include <cpuprecise/pure.h>

#define CPUPR_EVENT_NAME	128	/* bytes of a name as written, with its NUL */
#define CPUPR_EVENT_PART	64	/* bytes of a part of it, with its NUL */

enum cpupr_event_kind {
	CPUPR_EVENT_PERF,	/* type and config are known */
	CPUPR_EVENT_TRACEPOINT,	/* group:event: config is to be looked up */
	CPUPR_EVENT_PMU,	/* group/config=.../: type is to be looked up */
};

/**
 * struct cpupr_event - what a name stands for
 * @name: as written
 * @kind: what is known of it
 * @type: as in struct perf_event_attr, like the next three
 * @config: see there
 * @config1: see there
 * @config2: see there
 * @group: the tracepoint's system or the PMU's name, else empty
 * @event: the tracepoint's name, else empty
 * @no_user: not while the CPU is in user mode
 * @no_kernel: not while the CPU is in the kernel
 */
struct cpupr_event {
	char name[CPUPR_EVENT_NAME];
	enum cpupr_event_kind kind;
	u32 type;
	u64 config;
	u64 config1;
	u64 config2;
	char group[CPUPR_EVENT_PART];
	char event[CPUPR_EVENT_PART];
	bool no_user;
	bool no_kernel;
};

int cpupr_event_parse(struct cpupr_event *e, const char *name, size_t len);
bool cpupr_event_same(const struct cpupr_event *a, const struct cpupr_event *b);
const char *cpupr_event_next(const char *list, size_t *len);

#endif
