/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reference model: the same books, kept the slow way.
 *
 * It walks through every instant of an interval and asks what the CPU was doing
 * in it. It does no arithmetic on intervals and shares no code with the ledger,
 * only the names of the categories.
 */
#ifndef HOST_TESTS_MODEL_H
#define HOST_TESTS_MODEL_H

#include <cpuprecise/ledger.h>

struct model {
	s64 clock;			/* instant of the last event */
	u64 count[CPUPR_NR_CATEGORIES];	/* instants by category */
	u64 guest[CPUPR_NR_GUEST];	/* of user and nice, those of guests */
	u64 elapsed;			/* instants observed */
	u64 backsteps;
	u64 credit;			/* instants of user that are system */
	int base;
	int irqs;
	int softirqs;
	int sleepers;
	s64 woken;			/* instant of the last wake-up */
	u64 stolen;			/* instants, as told */
	bool online;
	bool in_guest;
	int host;			/* the base that follows a guest */
};

void model_walk(struct model *m, s64 now);
void model_online(struct model *m, s64 now, int base);
void model_offline(struct model *m, s64 now);
void model_base(struct model *m, s64 now, int base);
void model_switch(struct model *m, s64 now, int base, int softirqs);
void model_user(struct model *m, s64 now, int base, u64 boundary);
void model_irq(struct model *m, s64 now, int step);
void model_softirq(struct model *m, s64 now, int step);
void model_guest(struct model *m, s64 now, int base);
void model_host(struct model *m, s64 now);
void model_sleep(struct model *m);
void model_wake(struct model *m, s64 woken);
void model_steal(struct model *m, s64 now, u64 stolen);
void model_rescale(struct model *m, s64 now, u32 numerator, u32 shift);

#endif
