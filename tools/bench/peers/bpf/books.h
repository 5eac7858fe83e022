/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the BPF programs and their loader share: the books of one CPU.
 */
#ifndef BOOKS_H
#define BOOKS_H

#define MAX_CPUS	1024	/* a power of two: a mask is the cheapest check of an index */
#define MAX_STATES	16	/* likewise */

/* UNSEEN comes first: what is 0 before the first event. */
enum category { UNSEEN, USER, SYSTEM, IDLE, IRQ, SOFTIRQ, NR_CATEGORIES = 8 };

/*
 * What events write lies in cache lines that no other CPU's share; a size that is a power of two
 * makes the index a shift.
 */
struct books {
	unsigned long long start;	/* of the open interval, ns */
	unsigned long long time[NR_CATEGORIES];
	unsigned int category;		/* of the open interval */
	unsigned int below_irq;		/* what the interrupt, the softirq came upon */
	unsigned int below_softirq;
	unsigned int idle_state;
	unsigned long long idle_start;	/* 0: not in an idle state */
	unsigned long long residency[MAX_STATES];
	unsigned long long unused[4];
};

#endif
