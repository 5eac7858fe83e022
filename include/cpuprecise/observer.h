/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The observer in its own books: what the hooks themselves take.
 */
#ifndef CPUPRECISE_OBSERVER_H
#define CPUPRECISE_OBSERVER_H

#include <linux/types.h>

#include <cpuprecise/hooks.h>

/**
 * struct cpupr_calls - the calls of one hook on one CPU since load
 * @hits: how many
 * @missed: how many more could not be booked
 * @ns: what @hits took, estimated
 * @timed: @ns is known
 */
struct cpupr_calls {
	u64 hits;
	u64 missed;
	u64 ns;
	bool timed;
};

void cpupr_observer_read(int cpu, unsigned int hook, enum cpupr_calls_kind kind,
			 struct cpupr_calls *calls);
int cpupr_observer_init(void);

#endif
