/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reference model of idle states: it writes a log of all that happens and
 * thinks about it afterwards.
 *
 * Whatever is asked of it is found by walking that log; it keeps no counts, no
 * limits and no state machine, and shares no code with idle_state.c, only the
 * names of what is numbered.
 */
#ifndef HOST_TESTS_IDLE_MODEL_H
#define HOST_TESTS_IDLE_MODEL_H

#include <cpuprecise/idle_state.h>

#define MODEL_EVENTS	12	/* of a stay */
#define MODEL_STAYS	400
#define MODEL_STATES	(CPUPR_IDLE_SLOTS - CPUPR_IDLE_FIRST)
#define MODEL_LONGEST	80

struct idle_event {
	bool softirq;	/* else an interrupt */
	u8 cause;
	bool over;
	bool resched;
};

struct idle_stay {
	bool polls;		/* the state that was asked for */
	bool watched;
	unsigned int entered;	/* slot */
	bool switched;
	u64 residency;
	/* What the driver says of the state that was entered, and of the next one. */
	bool known;
	bool last;
	struct cpupr_idle_info info;
	struct cpupr_idle_info next;
	unsigned int events;
	struct idle_event event[MODEL_EVENTS];
};

struct idle_state {
	unsigned int number;
	struct cpupr_idle_info info;
};

struct idle_source {
	unsigned long key;
	int number;
	char name[MODEL_LONGEST];
};

struct idle_model {
	unsigned int states;		/* all there ever were */
	struct idle_state state[MODEL_STATES];
	unsigned int sources;
	struct idle_source source[CPUPR_IDLE_CAUSES];
	unsigned int stays;
	struct idle_stay stay[MODEL_STAYS];
};

unsigned int idle_model_slot(struct idle_model *m, unsigned int number,
			     const struct cpupr_idle_info *info);
unsigned int idle_model_cause(struct idle_model *m, unsigned long key, int number,
			      const char *name);
void idle_model_counts(const struct idle_model *m, unsigned int slot,
		       struct cpupr_idle_counts *c);
int idle_model_miss(const struct cpupr_idle_info *info, unsigned int states, u64 disabled,
		    unsigned int entered, u64 residency);
u64 idle_model_cost_pct(u64 usage, u64 exit_latency, u64 elapsed);

#endif
