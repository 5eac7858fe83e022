/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ftrace's timeline of a CPU: what it did, by stamps that are not the module's.
 */
#ifndef SELFTEST_TIMELINE_H
#define SELFTEST_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TIMELINE_VECTORS	12
#define TIMELINE_IPI	11	/* arm64: all IPIs */

/* What timeline_start() may be asked for beside interrupts and softirqs. */
#define TIMELINE_SWITCHES	1u	/* what task runs */
#define TIMELINE_RAISES		2u	/* since when a softirq is to run */

extern const char *const timeline_vector[TIMELINE_VECTORS];

struct timeline_event {
	uint64_t ns;
	int32_t pid;		/* the task that ran up to here; 0: idle */
	uint8_t kind;
	uint8_t vector;
	uint16_t number;	/* of the line or the softirq */
	bool voluntary;		/* a switch: does the task wait for something? */
};

struct timeline {
	struct timeline_event *event;
	size_t events, room;
};

/* Nanoseconds by what was on top: interrupt, softirq, a task, the idle task. */
struct timeline_sum {
	uint64_t irq, softirq, task, idle;
	uint64_t unknown;		/* after the last event */
	uint64_t irqs, softirqs;	/* how many began */
	uint64_t vectors[TIMELINE_VECTORS];
};

/* The same of one task while it was current, and how it was switched away. */
struct timeline_task {
	uint64_t irq, softirq, run;
	uint64_t irqs, softirqs;	/* how many began */
	uint64_t voluntary, involuntary;
};

/* By what interrupts and softirqs a CPU's time is told apart. */
#define TIMELINE_SOFTIRQS	16
#define TIMELINE_LINES		256
#define TIMELINE_PARTS		(TIMELINE_VECTORS + TIMELINE_SOFTIRQS + TIMELINE_LINES)
#define TIMELINE_SOFTIRQ(nr)	(TIMELINE_VECTORS + (nr))
#define TIMELINE_LINE(nr)	(TIMELINE_SOFTIRQ(TIMELINE_SOFTIRQS) + (nr))

/* Nanoseconds without those of interrupts inside, and how many ended; for softirqs, from the raise on. */
struct timeline_part {
	uint64_t ns, ends;
	uint64_t delays, delay_ns;
};

bool timeline_available(void);
void timeline_start(unsigned int what);
void timeline_stop(void);
uint64_t timeline_lost(int cpu);
unsigned int timeline_filled(int cpu);
void timeline_load(struct timeline *timeline, int cpu);
struct timeline_sum timeline_sum(const struct timeline *timeline, uint64_t from, uint64_t to);
void timeline_split(const struct timeline *timeline, uint64_t from, uint64_t to,
		    struct timeline_part part[TIMELINE_PARTS]);
void timeline_add_task(struct timeline_task *task, const struct timeline *timeline, int pid,
		       uint64_t from, uint64_t to);

#endif
