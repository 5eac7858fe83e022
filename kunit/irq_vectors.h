/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Literal timelines of interrupts and softirqs and what must be booked of them by
 * name: the tables that the host test and the KUnit suite share.
 *
 * Every number was worked out by hand from the comments of ledger.h and irq_table.h,
 * none was copied from a run.
 */
#ifndef CPUPRECISE_IRQ_VECTORS_H
#define CPUPRECISE_IRQ_VECTORS_H

#include "irq_machine.h"

enum irq_op {
	/* What happens */
	I_END,
	I_SCALE,	/* a: ns are ticks * a >> IRQ_SHIFT */
	I_BOOK,		/* by name from now on */
	I_UNBOOK,	/* no longer */
	I_THEFT,	/* a: by the task from now on, or no longer */
	I_RUNS,		/* a: the task from now on */
	I_IRQ,		/* a: handler */
	I_IRQ_END,
	I_GOES,		/* a: a handler that goes */
	I_RAISE,	/* a: softirq */
	I_SOFTIRQ,	/* a: softirq */
	I_SOFTIRQ_END,	/* a: softirq; b: ksoftirqd ran it */
	I_RESCALE,	/* to 3/2 of the ticks; a: what the new clock is at */
	/* What must be, at that time */
	I_ROWS,		/* rows of lines and IPIs */
	I_ROW,		/* a: row; b: which number of it */
	I_OPEN,		/* a: row; what it has of what is not over */
	I_PAIR,		/* a: row; b: task; its time */
	I_PAIRED,	/* its count */
};

/* Rows: of the nth line or IPI, of a vector, the other's and a softirq's. */
#define NAMED(n)	(CPUPR_IRQ_VECTORS + (n))
#define VECTOR(n)	(n)
#define OTHER		IRQ_MACHINE_OTHER
#define SOFTIRQ(n)	IRQ_MACHINE_SOFTIRQ(n)

/* Numbers of a row. */
#define ROW(field)	offsetof(struct cpupr_irq_row, field)
#define HIST(bucket)	offsetof(struct cpupr_irq_row, hist[bucket])
#define SOFT(field)	offsetof(struct cpupr_softirq_row, field)
#define DELAYS(bucket)	offsetof(struct cpupr_softirq_row, delay_hist[bucket])

enum irq_handlers {
	DISK, NET,
	USB,		/* at the line of the disk */
	DISK_TOO,	/* of the same name, at another line */
	DISK_AGAIN,	/* the same line and name, elsewhere in memory */
	SOUND,		/* where the disk's was in memory */
	SLOT,		/* its row is looked for where the disk's is */
	NAMELESS, IPI, TIMER, CALL,
	DEEP,		/* and nine more */
};

static const struct irq_handler irq_handlers[] = {
	{ 0x1000, CPUPR_IRQ_LINE, 16, "disk" }, { 0x1080, CPUPR_IRQ_LINE, 17, "net" },
	{ 0x2000, CPUPR_IRQ_LINE, 16, "usb" }, { 0x2080, CPUPR_IRQ_LINE, 18, "disk" },
	{ 0x3000, CPUPR_IRQ_LINE, 16, "disk" }, { 0x1000, CPUPR_IRQ_LINE, 19, "sound" },
	{ 0x201000, CPUPR_IRQ_LINE, 20, "slot" }, { 0x4000, CPUPR_IRQ_LINE, 21, NULL },
	{ 0x5001, CPUPR_IRQ_IPI, -1, "Rescheduling interrupts" },
	{ 0, CPUPR_IRQ_VECTOR, 0xec, NULL }, { 0, CPUPR_IRQ_VECTOR, 0xfc, NULL },
	{ 0, CPUPR_IRQ_VECTOR, 0xe0, NULL }, { 0, CPUPR_IRQ_VECTOR, 0xe1, NULL },
	{ 0, CPUPR_IRQ_VECTOR, 0xe2, NULL }, { 0, CPUPR_IRQ_VECTOR, 0xe3, NULL },
	{ 0, CPUPR_IRQ_VECTOR, 0xe4, NULL }, { 0, CPUPR_IRQ_VECTOR, 0xe5, NULL },
	{ 0, CPUPR_IRQ_VECTOR, 0xe6, NULL }, { 0, CPUPR_IRQ_VECTOR, 0xe7, NULL },
	{ 0, CPUPR_IRQ_VECTOR, 0xe8, NULL }, { 0, CPUPR_IRQ_VECTOR, 0xe9, NULL },
};

struct irq_step {
	enum irq_op op;
	u64 at;
	u64 a;
	u64 b;
	u64 want;
};

#define IRQ_STEPS	40

/**
 * struct irq_vector - a timeline; nothing has happened before
 * @name: what it shows
 * @step: up to I_END
 */
struct irq_vector {
	const char *name;
	struct irq_step step[IRQ_STEPS];
};

/* 6 GHz: a sixth of 2^IRQ_SHIFT, rounded down; and ten years of such a clock. */
#define SIXTH		192153584101141162ULL
#define TEN_YEARS	1893456000000000000ULL

static const struct irq_vector irq_vectors[] = {
	{
		.name = "a line",
		.step = {
			{ I_BOOK, 0 }, { I_ROWS, 0, 0, 0, 0 }, { I_IRQ, 10, DISK }, { I_ROWS, 0, 0, 0, 1 },
			{ I_OPEN, 13, NAMED(0), 0, 3 }, { I_ROW, 13, NAMED(0), ROW(count), 0 },
			{ I_IRQ_END, 17 }, { I_OPEN, 30, NAMED(0), 0, 0 },
			{ I_ROW, 0, NAMED(0), ROW(count), 1 }, { I_ROW, 0, NAMED(0), ROW(time), 7 },
			{ I_ROW, 0, NAMED(0), ROW(max), 7 }, { I_ROW, 0, NAMED(0), HIST(2), 1 },
			{ I_IRQ, 40, DISK }, { I_IRQ_END, 45 },
			{ I_ROW, 0, NAMED(0), ROW(count), 2 }, { I_ROW, 0, NAMED(0), ROW(time), 12 },
			{ I_ROW, 0, NAMED(0), ROW(max), 7 }, { I_ROW, 0, NAMED(0), HIST(2), 2 },
			{ I_IRQ, 50, DISK }, { I_IRQ_END, 59 },
			{ I_ROW, 0, NAMED(0), ROW(max), 9 }, { I_ROW, 0, NAMED(0), HIST(3), 1 },
			{ I_ROWS, 0, 0, 0, 1 }, { I_ROW, 0, OTHER, ROW(count), 0 },
		},
	}, {
		.name = "a vector and an IPI",
		.step = {
			{ I_BOOK, 0 }, { I_IRQ, 10, TIMER }, { I_IRQ_END, 13 }, { I_ROWS, 0, 0, 0, 0 },
			{ I_IRQ, 20, CALL }, { I_IRQ_END, 25 }, { I_IRQ, 30, IPI }, { I_IRQ_END, 36 },
			{ I_ROWS, 0, 0, 0, 1 }, { I_ROW, 0, VECTOR(0xc), ROW(time), 3 },
			{ I_ROW, 0, VECTOR(0x1c), ROW(time), 5 }, { I_ROW, 0, NAMED(0), ROW(time), 6 },
		},
	}, {
		.name = "three inside of each other",
		.step = {
			{ I_BOOK, 0 }, { I_IRQ, 10, DISK }, { I_IRQ, 15, TIMER },
			{ I_OPEN, 16, VECTOR(0xc), 0, 1 }, { I_OPEN, 16, NAMED(0), 0, 0 },
			{ I_ROW, 16, NAMED(0), ROW(time), 5 }, { I_IRQ, 17, NET },
			{ I_ROW, 17, VECTOR(0xc), ROW(time), 2 }, { I_IRQ_END, 20 },
			{ I_OPEN, 21, VECTOR(0xc), 0, 3 }, { I_ROW, 21, VECTOR(0xc), ROW(time), 0 },
			{ I_ROW, 21, NAMED(0), ROW(time), 5 }, { I_IRQ_END, 26 },
			{ I_OPEN, 28, NAMED(0), 0, 7 }, { I_ROW, 28, NAMED(0), ROW(time), 0 },
			{ I_IRQ_END, 30 }, { I_OPEN, 40, NAMED(0), 0, 0 },
			{ I_ROW, 0, NAMED(1), ROW(time), 3 }, { I_ROW, 0, NAMED(1), ROW(count), 1 },
			{ I_ROW, 0, VECTOR(0xc), ROW(time), 8 }, { I_ROW, 0, VECTOR(0xc), ROW(count), 1 },
			{ I_ROW, 0, VECTOR(0xc), ROW(max), 8 }, { I_ROW, 0, VECTOR(0xc), HIST(3), 1 },
			{ I_ROW, 0, NAMED(0), ROW(time), 9 }, { I_ROW, 0, NAMED(0), ROW(count), 1 },
			{ I_ROW, 0, NAMED(0), ROW(max), 9 },
		},
	}, {
		.name = "inside of one of its own kind",
		.step = {
			{ I_BOOK, 0 }, { I_IRQ, 10, CALL }, { I_IRQ, 14, CALL },
			{ I_ROW, 16, VECTOR(0x1c), ROW(time), 4 }, { I_OPEN, 16, VECTOR(0x1c), 0, 2 },
			{ I_IRQ_END, 20 }, { I_IRQ_END, 23 }, { I_ROW, 0, VECTOR(0x1c), ROW(count), 2 },
			{ I_ROW, 0, VECTOR(0x1c), ROW(time), 13 }, { I_ROW, 0, VECTOR(0x1c), ROW(max), 7 },
		},
	}, {
		/* Who goes on is known of eight: the ninth keeps what it had, the rest is the other's. */
		.name = "ten inside of each other",
		.step = {
			{ I_BOOK, 0 }, { I_IRQ, 100, DEEP }, { I_IRQ, 110, DEEP + 1 }, { I_IRQ, 120, DEEP + 2 },
			{ I_IRQ, 130, DEEP + 3 }, { I_IRQ, 140, DEEP + 4 }, { I_IRQ, 150, DEEP + 5 },
			{ I_IRQ, 160, DEEP + 6 }, { I_IRQ, 170, DEEP + 7 }, { I_IRQ, 180, DEEP + 8 },
			{ I_IRQ, 190, DEEP + 9 }, { I_IRQ_END, 200 }, { I_IRQ_END, 211 }, { I_IRQ_END, 220 },
			{ I_IRQ_END, 230 }, { I_IRQ_END, 240 }, { I_IRQ_END, 250 }, { I_IRQ_END, 260 },
			{ I_IRQ_END, 270 }, { I_IRQ_END, 280 }, { I_IRQ_END, 290 },
			{ I_ROW, 0, VECTOR(9), ROW(count), 1 }, { I_ROW, 0, VECTOR(9), ROW(time), 10 },
			{ I_ROW, 0, VECTOR(8), ROW(count), 0 }, { I_ROW, 0, VECTOR(8), ROW(time), 10 },
			{ I_ROW, 0, OTHER, ROW(count), 1 }, { I_ROW, 0, OTHER, ROW(time), 11 },
			{ I_ROW, 0, VECTOR(7), ROW(count), 1 }, { I_ROW, 0, VECTOR(7), ROW(time), 19 },
			{ I_ROW, 0, VECTOR(6), ROW(time), 20 }, { I_ROW, 0, VECTOR(3), ROW(time), 20 },
			{ I_ROW, 0, VECTOR(0), ROW(time), 20 }, { I_ROW, 0, VECTOR(0), ROW(count), 1 },
		},
	}, {
		.name = "booked from the middle of two interrupts on",
		.step = {
			{ I_BOOK, 0 }, { I_IRQ, 1, DISK }, { I_IRQ, 2, NET }, { I_IRQ_END, 3 },
			{ I_IRQ_END, 4 }, { I_UNBOOK, 5 }, { I_IRQ, 10, DISK }, { I_IRQ, 12, NET },
			{ I_BOOK, 15 }, { I_OPEN, 17, OTHER, 0, 2 }, { I_IRQ_END, 18 }, { I_IRQ_END, 25 },
			{ I_ROW, 0, OTHER, ROW(count), 2 }, { I_ROW, 0, OTHER, ROW(time), 10 },
			{ I_ROW, 0, OTHER, ROW(max), 7 }, { I_ROW, 0, NAMED(0), ROW(time), 2 },
			{ I_ROW, 0, NAMED(1), ROW(time), 1 },
		},
	}, {
		.name = "an end without a beginning",
		.step = {
			{ I_BOOK, 0 }, { I_IRQ_END, 10 }, { I_SOFTIRQ_END, 12, 1 },
			{ I_ROW, 0, OTHER, ROW(count), 0 }, { I_ROW, 0, SOFTIRQ(1), ROW(count), 0 },
			{ I_IRQ, 20, DISK }, { I_IRQ_END, 24 }, { I_ROW, 0, NAMED(0), ROW(time), 4 },
		},
	}, {
		/* What came of them is the next one's. */
		.name = "ends that nobody saw",
		.step = {
			{ I_BOOK, 0 }, { I_IRQ, 10, DISK }, { I_RUNS, 20, 5 }, { I_OPEN, 25, NAMED(0), 0, 0 },
			{ I_IRQ, 30, NET }, { I_OPEN, 31, NAMED(1), 0, 11 }, { I_IRQ_END, 33 },
			{ I_ROW, 0, NAMED(1), ROW(time), 13 }, { I_ROW, 0, NAMED(0), ROW(count), 0 },
			{ I_IRQ, 40, DISK }, { I_IRQ, 42, NET }, { I_RUNS, 50, 6 },
			{ I_IRQ, 60, DISK }, { I_IRQ_END, 61 }, { I_ROW, 0, NAMED(0), ROW(time), 11 },
			{ I_ROW, 0, NAMED(0), ROW(count), 1 }, { I_ROW, 0, NAMED(0), ROW(max), 9 },
			{ I_SOFTIRQ, 70, 1 }, { I_SOFTIRQ, 75, 2 }, { I_OPEN, 76, SOFTIRQ(2), 0, 6 },
			{ I_SOFTIRQ_END, 78, 2 }, { I_ROW, 0, SOFTIRQ(2), ROW(time), 8 },
			{ I_OPEN, 79, SOFTIRQ(2), 0, 1 }, { I_SOFTIRQ_END, 82, 1 },
			{ I_ROW, 0, SOFTIRQ(1), ROW(time), 4 }, { I_OPEN, 90, SOFTIRQ(2), 0, 0 },
			{ I_SOFTIRQ, 91, 2 }, { I_RUNS, 95, 5 }, { I_OPEN, 97, SOFTIRQ(2), 0, 0 },
		},
	}, {
		.name = "a softirq with an interrupt inside",
		.step = {
			{ I_BOOK, 0 }, { I_RAISE, 5, 1 }, { I_SOFTIRQ, 12, 1 }, { I_OPEN, 14, SOFTIRQ(1), 0, 2 },
			{ I_IRQ, 15, DISK }, { I_OPEN, 17, SOFTIRQ(1), 0, 3 }, { I_OPEN, 17, NAMED(0), 0, 2 },
			{ I_IRQ_END, 19 }, { I_SOFTIRQ_END, 22, 1 }, { I_OPEN, 30, SOFTIRQ(1), 0, 0 },
			{ I_ROW, 0, SOFTIRQ(1), ROW(count), 1 }, { I_ROW, 0, SOFTIRQ(1), ROW(time), 6 },
			{ I_ROW, 0, SOFTIRQ(1), ROW(max), 6 }, { I_ROW, 0, SOFTIRQ(1), HIST(2), 1 },
			{ I_ROW, 0, SOFTIRQ(1), SOFT(delays), 1 }, { I_ROW, 0, SOFTIRQ(1), SOFT(delay), 7 },
			{ I_ROW, 0, SOFTIRQ(1), SOFT(delay_max), 7 }, { I_ROW, 0, SOFTIRQ(1), DELAYS(2), 1 },
			{ I_ROW, 0, SOFTIRQ(1), SOFT(daemon), 0 }, { I_ROW, 0, NAMED(0), ROW(time), 4 },
			{ I_SOFTIRQ, 40, 3 }, { I_SOFTIRQ_END, 45, 3 }, { I_ROW, 0, SOFTIRQ(3), ROW(time), 5 },
			{ I_ROW, 0, SOFTIRQ(1), ROW(time), 6 },
		},
	}, {
		.name = "raised twice before it runs, and while it does",
		.step = {
			{ I_BOOK, 0 }, { I_RAISE, 5, 2 }, { I_RAISE, 8, 2 }, { I_RAISE, 9, 3 }, { I_SOFTIRQ, 12, 2 },
			{ I_ROW, 0, SOFTIRQ(2), SOFT(delays), 1 }, { I_ROW, 0, SOFTIRQ(2), SOFT(delay), 7 },
			{ I_RAISE, 13, 2 }, { I_SOFTIRQ_END, 15, 2 }, { I_SOFTIRQ, 16, 2 },
			{ I_ROW, 0, SOFTIRQ(2), SOFT(delays), 2 }, { I_ROW, 0, SOFTIRQ(2), SOFT(delay), 10 },
			{ I_ROW, 0, SOFTIRQ(2), SOFT(delay_max), 7 }, { I_SOFTIRQ_END, 18, 2 },
			{ I_SOFTIRQ, 20, 3 }, { I_ROW, 0, SOFTIRQ(3), SOFT(delay), 11 },
		},
	}, {
		.name = "raised before anybody looked",
		.step = {
			{ I_BOOK, 0 }, { I_SOFTIRQ, 10, 2 }, { I_SOFTIRQ_END, 14, 2 },
			{ I_ROW, 0, SOFTIRQ(2), ROW(count), 1 }, { I_ROW, 0, SOFTIRQ(2), SOFT(delays), 0 },
			{ I_ROW, 0, SOFTIRQ(2), SOFT(delay), 0 }, { I_RAISE, 20, 2 }, { I_UNBOOK, 25 },
			{ I_BOOK, 50 }, { I_SOFTIRQ, 60, 2 }, { I_ROW, 0, SOFTIRQ(2), SOFT(delays), 0 },
		},
	}, {
		.name = "the clock steps back between raise and handler",
		.step = {
			{ I_BOOK, 0 }, { I_RAISE, 100, 2 }, { I_SOFTIRQ, 90, 2 }, { I_SOFTIRQ_END, 94, 2 },
			{ I_ROW, 0, SOFTIRQ(2), SOFT(delays), 0 }, { I_SOFTIRQ, 120, 2 }, { I_SOFTIRQ_END, 121, 2 },
			{ I_ROW, 0, SOFTIRQ(2), SOFT(delays), 0 }, { I_ROW, 0, SOFTIRQ(2), DELAYS(0), 0 },
			{ I_RAISE, 130, 2 }, { I_SOFTIRQ, 130, 2 }, { I_ROW, 0, SOFTIRQ(2), SOFT(delays), 1 },
			{ I_ROW, 0, SOFTIRQ(2), SOFT(delay), 0 }, { I_ROW, 0, SOFTIRQ(2), DELAYS(0), 1 },
			{ I_ROW, 0, SOFTIRQ(2), ROW(count), 2 }, { I_ROW, 0, SOFTIRQ(2), ROW(time), 5 },
		},
	}, {
		.name = "what ksoftirqd ran",
		.step = {
			{ I_BOOK, 0 }, { I_SOFTIRQ, 10, 9 }, { I_SOFTIRQ_END, 15, 9, 1 },
			{ I_SOFTIRQ, 20, 9 }, { I_SOFTIRQ_END, 23, 9, 0 }, { I_SOFTIRQ, 30, 9 },
			{ I_IRQ, 31, DISK }, { I_IRQ_END, 35 }, { I_SOFTIRQ_END, 36, 9, 1 },
			{ I_ROW, 0, SOFTIRQ(9), SOFT(daemon), 7 }, { I_ROW, 0, SOFTIRQ(9), ROW(time), 10 },
			{ I_ROW, 0, SOFTIRQ(9), ROW(count), 3 },
		},
	}, {
		.name = "booked from the middle of a softirq on",
		.step = {
			{ I_BOOK, 0 }, { I_SOFTIRQ, 2, 5 }, { I_SOFTIRQ_END, 3, 5 }, { I_UNBOOK, 5 },
			{ I_SOFTIRQ, 10, 4 }, { I_BOOK, 14 }, { I_OPEN, 16, SOFTIRQ(5), 0, 0 },
			{ I_OPEN, 16, SOFTIRQ(4), 0, 0 }, { I_OPEN, 16, OTHER, 0, 0 }, { I_SOFTIRQ_END, 20, 4 },
			{ I_ROW, 0, SOFTIRQ(4), ROW(count), 1 }, { I_ROW, 0, SOFTIRQ(4), ROW(time), 6 },
		},
	}, {
		.name = "a handler goes, others come",
		.step = {
			{ I_BOOK, 0 }, { I_IRQ, 10, DISK }, { I_IRQ_END, 12 }, { I_IRQ, 14, NET }, { I_IRQ_END, 15 },
			{ I_GOES, 16, DISK }, { I_IRQ, 20, SOUND }, { I_IRQ_END, 25 }, { I_ROWS, 0, 0, 0, 3 },
			{ I_ROW, 0, NAMED(0), ROW(time), 2 }, { I_ROW, 0, NAMED(2), ROW(time), 5 },
			{ I_IRQ, 30, DISK_AGAIN }, { I_IRQ_END, 33 }, { I_ROWS, 0, 0, 0, 3 },
			{ I_ROW, 0, NAMED(0), ROW(time), 5 }, { I_IRQ, 40, SOUND }, { I_IRQ_END, 46 },
			{ I_ROW, 0, NAMED(2), ROW(time), 11 }, { I_ROW, 0, NAMED(1), ROW(time), 1 },
			/* The last row that there is goes too. */
			{ I_GOES, 50, SOUND }, { I_IRQ, 60, DISK }, { I_IRQ_END, 67 },
			{ I_ROW, 0, NAMED(0), ROW(time), 12 }, { I_ROW, 0, NAMED(2), ROW(time), 11 },
		},
	}, {
		.name = "one name on two lines, two names on one",
		.step = {
			{ I_BOOK, 0 }, { I_IRQ, 10, DISK }, { I_IRQ_END, 12 }, { I_IRQ, 20, DISK_TOO },
			{ I_IRQ_END, 23 }, { I_IRQ, 30, USB }, { I_IRQ_END, 34 }, { I_IRQ, 40, DISK },
			{ I_IRQ_END, 45 }, { I_ROWS, 0, 0, 0, 3 }, { I_ROW, 0, NAMED(0), ROW(time), 7 },
			{ I_ROW, 0, NAMED(1), ROW(time), 3 }, { I_ROW, 0, NAMED(2), ROW(time), 4 },
			{ I_ROW, 0, NAMED(0), ROW(count), 2 },
		},
	}, {
		.name = "two that are looked for in one place",
		.step = {
			{ I_BOOK, 0 }, { I_IRQ, 10, DISK }, { I_IRQ_END, 12 }, { I_IRQ, 20, SLOT },
			{ I_IRQ_END, 23 }, { I_IRQ, 30, DISK }, { I_IRQ_END, 34 }, { I_IRQ, 40, SLOT },
			{ I_IRQ_END, 45 }, { I_ROWS, 0, 0, 0, 2 }, { I_ROW, 0, NAMED(0), ROW(time), 6 },
			{ I_ROW, 0, NAMED(1), ROW(time), 8 },
		},
	}, {
		/* 13 ticks are 2 ns, 25 are 4; 12 and 24 are a little less. */
		.name = "buckets are of ns, sums of ticks",
		.step = {
			{ I_SCALE, 0, SIXTH }, { I_BOOK, 0 }, { I_IRQ, 10, DISK }, { I_IRQ_END, 22 },
			{ I_ROW, 0, NAMED(0), HIST(0), 1 }, { I_IRQ, 30, DISK }, { I_IRQ_END, 43 },
			{ I_ROW, 0, NAMED(0), HIST(1), 1 }, { I_ROW, 0, NAMED(0), ROW(time), 25 },
			{ I_RAISE, 50, 7 }, { I_SOFTIRQ, 75, 7 }, { I_SOFTIRQ_END, 100, 7 },
			{ I_ROW, 0, SOFTIRQ(7), DELAYS(2), 1 }, { I_ROW, 0, SOFTIRQ(7), SOFT(delay), 25 },
			{ I_ROW, 0, SOFTIRQ(7), HIST(2), 1 }, { I_IRQ, 200, NET }, { I_IRQ_END, 200 + TEN_YEARS },
			{ I_ROW, 0, NAMED(1), HIST(58), 1 }, { I_ROW, 0, NAMED(1), ROW(max), TEN_YEARS },
			{ I_RAISE, 300 + TEN_YEARS, 7 }, { I_SOFTIRQ, 300 + 2 * TEN_YEARS, 7 },
			{ I_ROW, 0, SOFTIRQ(7), DELAYS(58), 1 }, { I_ROW, 0, SOFTIRQ(7), SOFT(delay_max), TEN_YEARS },
		},
	}, {
		.name = "another clock within two interrupts",
		.step = {
			{ I_BOOK, 0 }, { I_IRQ, 1, TIMER }, { I_IRQ_END, 8 }, { I_RAISE, 8, 2 }, { I_IRQ, 10, DISK },
			{ I_IRQ, 20, NET }, { I_RAISE, 30, 3 }, { I_RESCALE, 24, 1000 },
			{ I_ROW, 0, VECTOR(0xc), ROW(time), 10 }, { I_ROW, 0, VECTOR(0xc), ROW(max), 10 },
			{ I_ROW, 0, VECTOR(0xc), ROW(count), 1 }, { I_ROW, 0, VECTOR(0xc), HIST(2), 1 },
			{ I_ROW, 0, NAMED(0), ROW(time), 15 }, { I_OPEN, 1000, NAMED(1), 0, 6 },
			{ I_IRQ_END, 1010 }, { I_OPEN, 1010, NAMED(0), 0, 15 }, { I_IRQ_END, 1020 },
			{ I_ROW, 0, NAMED(1), ROW(time), 16 }, { I_ROW, 0, NAMED(0), ROW(time), 25 },
			{ I_SOFTIRQ, 1030, 2 }, { I_SOFTIRQ_END, 1031, 2 },
			{ I_ROW, 0, SOFTIRQ(2), SOFT(delay), 54 }, { I_SOFTIRQ, 1040, 3 },
			{ I_SOFTIRQ_END, 1041, 3 }, { I_ROW, 0, SOFTIRQ(3), SOFT(delay), 40 },
			{ I_SOFTIRQ, 1050, 4 }, { I_ROW, 0, SOFTIRQ(4), SOFT(delays), 0 },
		},
	}, {
		.name = "another clock within a softirq",
		.step = {
			{ I_BOOK, 0 }, { I_RAISE, 1, 6 }, { I_SOFTIRQ, 8, 6 }, { I_SOFTIRQ_END, 15, 6, 1 },
			{ I_UNBOOK, 16 }, { I_IRQ, 20, NET }, { I_BOOK, 30 }, { I_IRQ_END, 33 },
			{ I_SOFTIRQ, 40, 5 }, { I_RESCALE, 45, 1000 }, { I_SOFTIRQ_END, 1005, 5 },
			{ I_ROW, 0, SOFTIRQ(6), ROW(time), 10 }, { I_ROW, 0, SOFTIRQ(6), ROW(max), 10 },
			{ I_ROW, 0, SOFTIRQ(6), SOFT(daemon), 10 }, { I_ROW, 0, SOFTIRQ(6), SOFT(delay), 10 },
			{ I_ROW, 0, SOFTIRQ(6), SOFT(delay_max), 10 }, { I_ROW, 0, SOFTIRQ(6), SOFT(delays), 1 },
			{ I_ROW, 0, OTHER, ROW(time), 4 }, { I_ROW, 0, OTHER, ROW(max), 4 },
			/* From 10 of 18 on, not from 7. */
			{ I_ROW, 0, SOFTIRQ(5), ROW(time), 13 },
		},
	}, {
		.name = "whom they take time of",
		.step = {
			{ I_BOOK, 0 }, { I_RUNS, 1, 5 }, { I_IRQ, 2, DISK }, { I_IRQ_END, 4 }, { I_THEFT, 5, 1 },
			{ I_PAIR, 5, NAMED(0), 5, 0 }, { I_IRQ, 10, DISK }, { I_IRQ_END, 17 },
			{ I_IRQ, 20, DISK }, { I_IRQ_END, 22 }, { I_RUNS, 25, 6 }, { I_IRQ, 30, DISK },
			{ I_IRQ, 31, NET }, { I_IRQ_END, 35 }, { I_IRQ_END, 37 }, { I_RUNS, 40, 5 },
			{ I_SOFTIRQ, 42, 1 }, { I_IRQ, 43, DISK }, { I_IRQ_END, 44 }, { I_SOFTIRQ_END, 50, 1 },
			{ I_RUNS, 60, CPUPR_THEFT_IDLE }, { I_IRQ, 65, DISK }, { I_IRQ_END, 69 }, { I_THEFT, 70, 0 },
			{ I_IRQ, 72, DISK }, { I_IRQ_END, 75 }, { I_PAIR, 0, NAMED(0), 5, 10 },
			{ I_PAIRED, 0, NAMED(0), 5, 3 }, { I_PAIR, 0, NAMED(0), 6, 3 }, { I_PAIR, 0, NAMED(1), 6, 4 },
			{ I_PAIR, 0, SOFTIRQ(1), 5, 7 }, { I_PAIRED, 0, SOFTIRQ(1), 5, 1 },
			{ I_PAIR, 0, NAMED(0), CPUPR_THEFT_IDLE, 4 }, { I_PAIRED, 0, NAMED(0), CPUPR_THEFT_IDLE, 1 },
			{ I_PAIR, 0, NAMED(1), 5, 0 },
		},
	},
};

static inline void irq_event(struct irq_machine *m, const struct irq_step *s)
{
	switch (s->op) {
	case I_SCALE:
		m->scale = s->a;
		break;
	case I_BOOK:
		irq_machine_book(m, s->at);
		break;
	case I_UNBOOK:
		m->booked = false;
		break;
	case I_THEFT:
		m->asked = s->a ? &m->theft : NULL;
		break;
	case I_RUNS:
		irq_machine_switch(m, s->at, s->a);
		break;
	case I_IRQ:
		irq_machine_enter(m, s->at, &irq_handlers[s->a]);
		break;
	case I_IRQ_END:
		irq_machine_leave(m, s->at);
		break;
	case I_GOES:
		cpupr_irqs_forget(&m->books, (const void *)irq_handlers[s->a].key);
		break;
	case I_RAISE:
		cpupr_softirq_raise(&m->books, (unsigned int)s->a, s->at);
		break;
	case I_SOFTIRQ:
		irq_machine_softirq(m, s->at, (unsigned int)s->a);
		break;
	case I_SOFTIRQ_END:
		irq_machine_softirq_end(m, s->at, (unsigned int)s->a, s->b);
		break;
	case I_RESCALE:
		irq_machine_rescale(m, s->at, s->a, 3, 1);
		break;
	default:
		break;
	}
}

/* What is found at a step that says what must be. */
static inline u64 irq_found(struct irq_machine *m, const struct irq_step *s)
{
	struct cpupr_irq_row *row;

	if (s->op < I_ROWS)
		return s->want;
	row = irq_machine_row(m, s->a);
	switch (s->op) {
	case I_ROWS:
		return m->books.used - CPUPR_IRQ_VECTORS;
	case I_ROW:
		return *(const u64 *)((const char *)row + s->b);
	case I_OPEN:
		return irq_machine_open(m, s->at, row);
	case I_PAIR:
		return cpupr_theft_find(&m->theft, row, s->b)->time;
	case I_PAIRED:
		return cpupr_theft_find(&m->theft, row, s->b)->count;
	default:
		return 0;
	}
}

/**
 * irq_run() - replay a timeline
 * @v: the timeline
 * @m: memory for it
 * @got: what is there instead, where it went wrong
 *
 * Return: the step where it went wrong, or -1.
 */
static inline int irq_run(const struct irq_vector *v, struct irq_machine *m, u64 *got)
{
	int i;

	irq_machine_init(m, 0, IRQ_NS);
	for (i = 0; i < IRQ_STEPS && v->step[i].op != I_END; i++) {
		irq_event(m, &v->step[i]);
		*got = irq_found(m, &v->step[i]);
		if (*got != v->step[i].want)
			return i;
	}
	return -1;
}

/* What is known of a row before anything else is. */
static inline bool irq_row_is(const struct cpupr_irq_row *row, enum cpupr_irq_kind kind, s32 number,
			      const char *name)
{
	return row->kind == (u32)kind && row->number == number && !strcmp(row->name, name) &&
	       row->victim == CPUPR_THEFT_NONE;
}

/* The row of a line that has a handler at @key. */
static inline struct cpupr_irq_row *irq_line(struct irq_machine *m, s32 line, unsigned long key,
					     const char *name)
{
	return cpupr_irq_row_of(&m->books, CPUPR_IRQ_LINE, line, (const void *)key, name);
}

static inline bool irq_rows_right(struct irq_machine *m)
{
	unsigned int i;

	irq_machine_init(m, 0, IRQ_NS);
	for (i = 0; i < CPUPR_IRQ_VECTORS; i++)
		if (!irq_row_is(&m->books.row[i], CPUPR_IRQ_VECTOR, -1, "") ||
		    cpupr_irq_vector(&m->books, 0xe0 + i) != &m->books.row[i])
			return false;
	for (i = 0; i < CPUPR_SOFTIRQS; i++)
		if (!irq_row_is(&m->books.softirq[i].row, CPUPR_IRQ_SOFTIRQ, (s32)i, ""))
			return false;
	return irq_row_is(&m->books.other, CPUPR_IRQ_OTHER, -1, "") &&
	       irq_row_is(irq_line(m, 16, 0x1000, "disk"), CPUPR_IRQ_LINE, 16, "disk") &&
	       irq_row_is(cpupr_irq_row_of(&m->books, CPUPR_IRQ_IPI, -1, (void *)0x5001, "disk"),
			  CPUPR_IRQ_IPI, -1, "disk") && m->books.used == NAMED(2) &&
	       irq_row_is(cpupr_irq_row_of(&m->books, CPUPR_IRQ_IPI, 16, (void *)0x5002, "disk"),
			  CPUPR_IRQ_IPI, 16, "disk") && m->books.used == NAMED(3);
}

/* Who is where it was last is not looked for: not even its name is. */
static inline bool irq_known_right(struct irq_machine *m)
{
	struct cpupr_irq_row *row;

	irq_machine_init(m, 0, IRQ_NS);
	row = irq_line(m, 16, 0x1000, "disk");
	return irq_line(m, 16, 0x1000, "new name") == row && irq_line(m, 17, 0x2000, "net") != row &&
	       irq_line(m, 16, 0x1000, "new name") == row && m->books.used == NAMED(2);
}

/* 47 bytes fit. */
static inline bool irq_names_right(struct irq_machine *m)
{
	static const char fits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJK";
	struct cpupr_irq_row *row;

	irq_machine_init(m, 0, IRQ_NS);
	row = irq_line(m, 1, 0x100, fits);
	return sizeof(fits) == CPUPR_IRQ_NAME && irq_row_is(row, CPUPR_IRQ_LINE, 1, fits) &&
	       /* What is cut is one with all that begin so. */
	       irq_line(m, 1, 0x200, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL") == row &&
	       irq_line(m, 1, 0x300, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKMore") == row &&
	       irq_line(m, 1, 0x400, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJ") != row &&
	       irq_line(m, 1, 0x500, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJk") != row &&
	       irq_row_is(irq_line(m, 2, 0x600, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL"),
			  CPUPR_IRQ_LINE, 2, fits) &&
	       irq_row_is(irq_line(m, 3, 0x700, ""), CPUPR_IRQ_LINE, 3, "") &&
	       irq_row_is(irq_line(m, 3, 0x800, NULL), CPUPR_IRQ_LINE, 3, "(null)") &&
	       irq_line(m, 3, 0x900, NULL) == irq_line(m, 3, 0x800, "(null)");
}

/* One more than there are rows, and one more. */
static inline bool irq_full_right(struct irq_machine *m)
{
	struct cpupr_irq_row *row, *other = &m->books.other;
	s32 i;

	irq_machine_init(m, 0, IRQ_NS);
	for (i = 0; i < CPUPR_IRQ_NAMED; i++) {
		row = irq_line(m, i, 0x1000ul + 0x80ul * (unsigned long)i, "disk");
		if (row != &m->books.row[NAMED(i)] || row->number != i)
			return false;
	}
	if (irq_line(m, 500, 0x80000, "disk") != other || irq_line(m, 501, 0x80080, "net") != other ||
	    irq_line(m, 500, 0x80000, "disk") != other || m->books.used != CPUPR_IRQ_ROWS)
		return false;
	/* Those that have a row keep it, wherever their handler is, and who comes to where another was has its. */
	cpupr_irqs_forget(&m->books, (void *)0x80000);
	return irq_line(m, 127, 0x80000, "disk") == &m->books.row[NAMED(127)] &&
	       irq_line(m, 0, 0x1000, "disk") == &m->books.row[NAMED(0)];
}

#define IRQ_PARTS	3

/**
 * struct irq_parts - parts and the whole
 * @name: what it shows
 * @shown: what was shown last
 * @target: what they have
 * @total: the whole
 * @want: what is to be shown
 */
struct irq_parts {
	const char *name;
	u64 shown[IRQ_PARTS];
	u64 target[IRQ_PARTS];
	u64 total;
	u64 want[IRQ_PARTS];
};

static const struct irq_parts irq_parts[] = {
	{ "parts that add up", { 0, 0, 0 }, { 5, 7, 3 }, 15, { 5, 7, 3 } },
	{ "parts that grow", { 5, 7, 3 }, { 6, 7, 13 }, 26, { 6, 7, 13 } },
	{ "what is left over is the largest part's", { 5, 7, 3 }, { 6, 7, 4 }, 20, { 6, 10, 4 } },
	{ "the first of two that are as large", { 0, 0, 0 }, { 2, 8, 8 }, 20, { 2, 10, 8 } },
	{ "which is what they have, not what was shown", { 9, 0, 0 }, { 2, 5, 4 }, 20, { 9, 7, 4 } },
	{ "more parts than the whole", { 5, 7, 3 }, { 8, 9, 9 }, 19, { 8, 8, 3 } },
	{ "and none of it is new", { 5, 7, 3 }, { 8, 9, 9 }, 15, { 5, 7, 3 } },
	{ "a part that is less than was shown", { 5, 9, 3 }, { 6, 7, 4 }, 19, { 6, 9, 4 } },
	{ "a whole that is less than was shown", { 5, 7, 3 }, { 6, 8, 4 }, 14, { 5, 7, 3 } },
	{ "a whole that is less than a part that was shown", { 5, 7, 3 }, { 6, 8, 4 }, 1, { 5, 7, 3 } },
	{ "nothing", { 0, 0, 0 }, { 0, 0, 0 }, 0, { 0, 0, 0 } },
	{ "a whole whose parts are not known", { 0, 0, 0 }, { 0, 0, 0 }, 4, { 4, 0, 0 } },
	{ "2^64 - 1", { 0, 0, 1 }, { 0, ~0ULL - 2, 2 }, ~0ULL, { 0, ~0ULL - 2, 2 } },
};

static inline bool irq_parts_right(const struct irq_parts *p)
{
	u64 shown[IRQ_PARTS];

	memcpy(shown, p->shown, sizeof(shown));
	cpupr_parts(shown, p->target, IRQ_PARTS, p->total);
	return !memcmp(shown, p->want, sizeof(shown));
}

/**
 * struct irq_case - a test that is a function
 * @name: what it shows
 * @right: does it?
 */
struct irq_case {
	const char *name;
	bool (*right)(struct irq_machine *m);
};

static const struct irq_case irq_cases[] = {
	{ "what rows begin with", irq_rows_right },
	{ "a handler that is known", irq_known_right },
	{ "names", irq_names_right },
	{ "no row is left", irq_full_right },
};

#undef NAMED
#undef VECTOR
#undef OTHER
#undef SOFTIRQ
#undef ROW
#undef HIST
#undef SOFT
#undef DELAYS

#endif
