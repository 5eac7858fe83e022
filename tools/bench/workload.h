/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Workloads of a known number of events, measured in instructions.
 *
 * For the instruction-counting VM: a difference of CLOCK_MONOTONIC is a number
 * of instructions there.
 */
#ifndef BENCH_WORKLOAD_H
#define BENCH_WORKLOAD_H

#include <stdint.h>

/**
 * struct workload - makes events of one kind
 * @name: one word
 * @event: what one event is
 * @events: how many a batch makes: so few that most batches are over before a
 *	timer tick disturbs them
 * @batches: how many batches are a repeat
 * @start: optional; before the first batch
 * @batch: makes the events; returns the instructions that they took
 * @stop: optional; after the last batch
 * @hook: optional; the one hook that counts in workload_self()
 */
struct workload {
	const char *name;
	const char *event;
	unsigned int events;
	unsigned int batches;
	void (*start)(void);
	uint64_t (*batch)(unsigned int events);
	void (*stop)(void);
	const char *hook;
};

/* Calls of hooks and what they took, ns, as the module estimates it. */
struct workload_self {
	uint64_t hits;
	uint64_t ns;
};

extern const struct workload workloads[];	/* ends with one without a name */

const struct workload *workload_find(const char *name);
void workload_prepare(void);
uint64_t workload_repeat(const struct workload *workload);
struct workload_self workload_self(const struct workload *workload);
double workload_self_event(const struct workload *workload, unsigned int repeats,
			   struct workload_self from, struct workload_self to);

#endif
