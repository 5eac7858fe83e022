/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Literal histories of one CPU and the books that they must give: the table
 * that the host tests and the KUnit suite share.
 *
 * A vector is a list of events with their times, the time of a read, and what
 * the read must show. Every number was worked out by hand from the rules in
 * ledger.h, none was copied from a run.
 */
#ifndef CPUPRECISE_LEDGER_VECTORS_H
#define CPUPRECISE_LEDGER_VECTORS_H

#include <cpuprecise/ledger.h>

enum vector_op {
	V_END,
	V_ONLINE,	/* at, a: base */
	V_OFFLINE,	/* at */
	V_BASE,		/* at, a: base */
	V_SWITCH,	/* at, a: base, b: softirq depth */
	V_SYSTEM,	/* at */
	V_USER,		/* at, a: user or nice, b: boundary */
	V_IRQ,		/* at: entry */
	V_IRQ_END,	/* at: exit */
	V_SOFTIRQ,	/* at: entry */
	V_SOFTIRQ_END,	/* at: exit */
	V_GUEST,	/* at, a: user or nice: a guest begins to run */
	V_GUEST_END,	/* at: it is seen to have ended */
	V_SLEEP,	/* a task that ran here sleeps for I/O */
	V_WAKE,		/* at: by the waker's clock */
	V_RESCALE,	/* at: new clock, a: mult, b: shift */
	V_TICK,		/* at: an account without an event */
	V_STEAL,	/* at, a: the steal clock, in all */
};

struct vector_step {
	enum vector_op op;
	u64 at;
	u64 a;
	u64 b;
};

#define VECTOR_STEPS	16

/**
 * struct vector - a history and its books
 * @name: what it shows
 * @step: the events, up to V_END
 * @read: when the books are read
 * @want: what they must show then, by category
 * @guest: and of user and nice, what guests had
 * @frozen: true if the row is offline at the read: nothing is open then
 * @backsteps: what the ledger must have counted
 */
struct vector {
	const char *name;
	struct vector_step step[VECTOR_STEPS];
	u64 read;
	u64 want[CPUPR_NR_CATEGORIES];
	u64 guest[CPUPR_NR_GUEST];
	bool frozen;
	u64 backsteps;
};

/* The highest bit but one: times around it overflow a signed product. */
#define VECTOR_HUGE	(1ULL << 62)

static const struct vector ledger_vectors[] = {
	/* Open intervals count */
	{
		.name = "idle since the row was opened, never an event",
		.step = { { V_ONLINE, 1000, CPUPR_IDLE } },
		.read = 5000,
		.want = { [CPUPR_IDLE] = 4000 },
	}, {
		.name = "busy since the row was opened, never an event",
		.step = { { V_ONLINE, 1000, CPUPR_USER } },
		.read = 1000000001000,
		.want = { [CPUPR_USER] = 1000000000000 },
	}, {
		.name = "a read at the instant of the opening shows nothing",
		.step = { { V_ONLINE, 77, CPUPR_SYSTEM } },
		.read = 77,
		.want = { 0 },
	}, {
		.name = "an interval longer than 2^32",
		.step = { { V_ONLINE, 5, CPUPR_IDLE } },
		.read = 0x500000005,
		.want = { [CPUPR_IDLE] = 0x500000000 },
	}, {
		.name = "an interval of 2^62",
		.step = { { V_ONLINE, 9, CPUPR_IDLE }, { V_SWITCH, VECTOR_HUGE + 9, CPUPR_USER } },
		.read = VECTOR_HUGE + 12,
		.want = { [CPUPR_IDLE] = VECTOR_HUGE, [CPUPR_USER] = 3 },
	}, {
		.name = "the clock passes 2^64 and goes on at 0",
		.step = { { V_ONLINE, -100ULL, CPUPR_USER }, { V_SWITCH, -40ULL, CPUPR_IDLE } },
		.read = 25,
		.want = { [CPUPR_USER] = 60, [CPUPR_IDLE] = 65 },
	},
	/* Base contexts */
	{
		.name = "switches: idle, user, nice, kernel thread, idle",
		.step = {
			{ V_ONLINE, 100, CPUPR_IDLE },
			{ V_SWITCH, 110, CPUPR_USER },
			{ V_SWITCH, 130, CPUPR_NICE },
			{ V_SWITCH, 170, CPUPR_SYSTEM },
			{ V_SWITCH, 250, CPUPR_IDLE },
		},
		.read = 410,
		.want = {
			[CPUPR_IDLE] = 10 + 160, [CPUPR_USER] = 20,
			[CPUPR_NICE] = 40, [CPUPR_SYSTEM] = 80,
		},
	}, {
		.name = "a system call: user, system, user",
		.step = {
			{ V_ONLINE, 0, CPUPR_USER },
			{ V_SYSTEM, 300 },
			{ V_USER, 350, CPUPR_USER, 0 },
		},
		.read = 1000,
		.want = { [CPUPR_USER] = 300 + 650, [CPUPR_SYSTEM] = 50 },
	}, {
		.name = "a call that sleeps comes back in a call",
		.step = {
			{ V_ONLINE, 0, CPUPR_USER },
			{ V_BASE, 10, CPUPR_SYSTEM },
			{ V_SWITCH, 13, CPUPR_IDLE },
			{ V_SWITCH, 113, CPUPR_SYSTEM },
			{ V_USER, 118, CPUPR_USER, 0 },
		},
		.read = 120,
		.want = { [CPUPR_USER] = 12, [CPUPR_SYSTEM] = 8, [CPUPR_IDLE] = 100 },
	}, {
		.name = "the same base again splits nothing",
		.step = {
			{ V_ONLINE, 0, CPUPR_USER },
			{ V_BASE, 5, CPUPR_SYSTEM },
			{ V_BASE, 9, CPUPR_SYSTEM },
		},
		.read = 20,
		.want = { [CPUPR_USER] = 5, [CPUPR_SYSTEM] = 15 },
	}, {
		.name = "two events at one instant",
		.step = {
			{ V_ONLINE, 50, CPUPR_IDLE },
			{ V_SWITCH, 60, CPUPR_SYSTEM },
			{ V_SWITCH, 60, CPUPR_USER },
		},
		.read = 61,
		.want = { [CPUPR_IDLE] = 10, [CPUPR_USER] = 1 },
	},
	/* Interrupts */
	{
		.name = "an interrupt out of user code",
		.step = {
			{ V_ONLINE, 0, CPUPR_USER },
			{ V_IRQ, 100 },
			{ V_IRQ_END, 107 },
		},
		.read = 200,
		.want = { [CPUPR_USER] = 193, [CPUPR_IRQ] = 7 },
	}, {
		.name = "an interrupt out of idle, then its softirq",
		.step = {
			{ V_ONLINE, 0, CPUPR_IDLE },
			{ V_IRQ, 100 },
			{ V_IRQ_END, 103 },
			{ V_SOFTIRQ, 105 },
			{ V_SOFTIRQ_END, 135 },
		},
		.read = 200,
		.want = { [CPUPR_IDLE] = 102 + 65, [CPUPR_IRQ] = 3, [CPUPR_SOFTIRQ] = 30 },
	}, {
		.name = "an interrupt inside a softirq goes back to softirq",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_SOFTIRQ, 10 },
			{ V_IRQ, 20 },
			{ V_IRQ_END, 25 },
			{ V_SOFTIRQ_END, 40 },
		},
		.read = 50,
		.want = { [CPUPR_SYSTEM] = 20, [CPUPR_SOFTIRQ] = 25, [CPUPR_IRQ] = 5 },
	}, {
		.name = "interrupts nest three deep",
		.step = {
			{ V_ONLINE, 0, CPUPR_USER },
			{ V_IRQ, 1 }, { V_IRQ, 3 }, { V_IRQ, 7 },
			{ V_IRQ_END, 15 }, { V_IRQ_END, 31 }, { V_IRQ_END, 63 },
		},
		.read = 127,
		.want = { [CPUPR_USER] = 1 + 64, [CPUPR_IRQ] = 62 },
	}, {
		.name = "a read in the middle of nested interrupts",
		.step = {
			{ V_ONLINE, 0, CPUPR_USER },
			{ V_SOFTIRQ, 4 }, { V_IRQ, 10 }, { V_IRQ, 11 }, { V_IRQ_END, 12 },
		},
		.read = 30,
		.want = { [CPUPR_USER] = 4, [CPUPR_SOFTIRQ] = 6, [CPUPR_IRQ] = 20 },
	}, {
		.name = "an interrupt exit without an entry changes nothing",
		.step = {
			{ V_ONLINE, 0, CPUPR_USER },
			{ V_IRQ_END, 10 },
			{ V_IRQ, 20 },
			{ V_IRQ_END, 22 },
		},
		.read = 30,
		.want = { [CPUPR_USER] = 28, [CPUPR_IRQ] = 2 },
	}, {
		.name = "a softirq exit without an entry changes nothing",
		.step = {
			{ V_ONLINE, 0, CPUPR_IDLE },
			{ V_SOFTIRQ_END, 10 },
			{ V_IRQ, 20 },
			{ V_SOFTIRQ_END, 21 },
			{ V_IRQ_END, 24 },
		},
		.read = 30,
		.want = { [CPUPR_IDLE] = 26, [CPUPR_IRQ] = 4 },
	}, {
		.name = "the base changes under an interrupt and shows after it",
		.step = {
			{ V_ONLINE, 0, CPUPR_IDLE },
			{ V_IRQ, 10 },
			{ V_BASE, 12, CPUPR_SYSTEM },
			{ V_IRQ_END, 16 },
		},
		.read = 20,
		.want = { [CPUPR_IDLE] = 10, [CPUPR_IRQ] = 6, [CPUPR_SYSTEM] = 4 },
	}, {
		.name = "a switch ends interrupts whose exit was missed",
		.step = {
			{ V_ONLINE, 0, CPUPR_IDLE },
			{ V_IRQ, 10 },
			{ V_SOFTIRQ, 11 },
			{ V_SWITCH, 15, CPUPR_USER },
		},
		.read = 100,
		.want = { [CPUPR_IDLE] = 10, [CPUPR_IRQ] = 5, [CPUPR_USER] = 85 },
	}, {
		.name = "user code ends interrupts whose exit was missed",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_IRQ, 10 },
			{ V_SOFTIRQ, 11 },
			{ V_USER, 15, CPUPR_NICE, 0 },
			{ V_IRQ_END, 20 },
		},
		.read = 100,
		.want = { [CPUPR_SYSTEM] = 10, [CPUPR_IRQ] = 5, [CPUPR_NICE] = 85 },
	}, {
		.name = "so does an entry into the kernel out of user code",
		.step = {
			{ V_ONLINE, 0, CPUPR_USER },
			{ V_IRQ, 10 },
			{ V_SOFTIRQ, 11 },
			{ V_SYSTEM, 15 },
			{ V_IRQ_END, 20 },
		},
		.read = 100,
		.want = { [CPUPR_USER] = 10, [CPUPR_IRQ] = 5, [CPUPR_SYSTEM] = 85 },
	}, {
		.name = "boundary: an entry into the kernel ends it",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_USER, 100, CPUPR_USER, 30 },
			{ V_SYSTEM, 110 },
			{ V_USER, 120, CPUPR_USER, 0 },
		},
		.read = 200,
		.want = { [CPUPR_SYSTEM] = 120, [CPUPR_USER] = 80 },
	}, {
		.name = "a task that is switched in inside a softirq goes on in it",
		.step = {
			{ V_ONLINE, 0, CPUPR_IDLE },
			{ V_SWITCH, 10, CPUPR_SYSTEM, 1 },
			{ V_SOFTIRQ_END, 30 },
		},
		.read = 35,
		.want = { [CPUPR_IDLE] = 10, [CPUPR_SOFTIRQ] = 20, [CPUPR_SYSTEM] = 5 },
	}, {
		.name = "and leaves it behind when it is switched out",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_SOFTIRQ, 10 },
			{ V_SWITCH, 14, CPUPR_USER, 0 },
			{ V_SWITCH, 24, CPUPR_SYSTEM, 1 },
			{ V_SOFTIRQ_END, 29 },
		},
		.read = 30,
		.want = { [CPUPR_SYSTEM] = 11, [CPUPR_SOFTIRQ] = 9, [CPUPR_USER] = 10 },
	},
	/* The boundary */
	{
		.name = "boundary: the first part of a stay in user mode is system",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_USER, 100, CPUPR_USER, 30 },
			{ V_BASE, 200, CPUPR_SYSTEM },
		},
		.read = 200,
		.want = { [CPUPR_SYSTEM] = 130, [CPUPR_USER] = 70 },
	}, {
		.name = "boundary: a stay shorter than it is all system",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_USER, 100, CPUPR_USER, 30 },
			{ V_BASE, 129, CPUPR_SYSTEM },
		},
		.read = 150,
		.want = { [CPUPR_SYSTEM] = 150 },
	}, {
		.name = "boundary: a stay as long as it is all system",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_USER, 100, CPUPR_USER, 30 },
		},
		.read = 130,
		.want = { [CPUPR_SYSTEM] = 130 },
	}, {
		.name = "boundary: one tick more is user",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_USER, 100, CPUPR_NICE, 30 },
		},
		.read = 131,
		.want = { [CPUPR_SYSTEM] = 130, [CPUPR_NICE] = 1 },
	}, {
		.name = "boundary: what a stay did not use is not carried on",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_USER, 100, CPUPR_USER, 30 },
			{ V_BASE, 110, CPUPR_SYSTEM },
			{ V_USER, 120, CPUPR_USER, 0 },
		},
		.read = 200,
		.want = { [CPUPR_SYSTEM] = 120, [CPUPR_USER] = 80 },
	}, {
		.name = "boundary: an interrupt ends it",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_USER, 100, CPUPR_USER, 30 },
			{ V_IRQ, 110 },
			{ V_IRQ_END, 160 },
		},
		.read = 200,
		.want = { [CPUPR_SYSTEM] = 110, [CPUPR_IRQ] = 50, [CPUPR_USER] = 40 },
	}, {
		.name = "boundary: an interrupt after it changes nothing of it",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_USER, 100, CPUPR_USER, 30 },
			{ V_IRQ, 140 },
			{ V_IRQ_END, 160 },
		},
		.read = 200,
		.want = { [CPUPR_SYSTEM] = 130, [CPUPR_IRQ] = 20, [CPUPR_USER] = 50 },
	}, {
		.name = "boundary: a softirq ends it",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_USER, 100, CPUPR_USER, 30 },
			{ V_SOFTIRQ, 101 },
			{ V_SOFTIRQ_END, 111 },
		},
		.read = 200,
		.want = { [CPUPR_SYSTEM] = 101, [CPUPR_SOFTIRQ] = 10, [CPUPR_USER] = 89 },
	}, {
		.name = "boundary: user again while in user does not renew it",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_USER, 100, CPUPR_USER, 30 },
			{ V_USER, 150, CPUPR_NICE, 30 },
		},
		.read = 200,
		.want = { [CPUPR_SYSTEM] = 130, [CPUPR_USER] = 20, [CPUPR_NICE] = 50 },
	}, {
		.name = "boundary: a switch ends it",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_USER, 100, CPUPR_USER, 1000 },
			{ V_SWITCH, 150, CPUPR_USER, 0 },
		},
		.read = 200,
		.want = { [CPUPR_SYSTEM] = 150, [CPUPR_USER] = 50 },
	}, {
		.name = "boundary: an account without an event ends it",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_USER, 100, CPUPR_USER, 30 },
			{ V_TICK, 110 },
			{ V_TICK, 125 },
			{ V_TICK, 126 },
		},
		.read = 140,
		.want = { [CPUPR_SYSTEM] = 110, [CPUPR_USER] = 30 },
	},
	/* Iowait */
	{
		.name = "iowait: as long as a sleeper is left",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_SLEEP },
			{ V_SWITCH, 10, CPUPR_IOWAIT },
		},
		.read = 60,
		.want = { [CPUPR_SYSTEM] = 10, [CPUPR_IOWAIT] = 50 },
	}, {
		.name = "iowait: idle after the last sleeper is woken",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_SLEEP },
			{ V_SWITCH, 10, CPUPR_IOWAIT },
			{ V_WAKE, 40 },
		},
		.read = 60,
		.want = { [CPUPR_SYSTEM] = 10, [CPUPR_IOWAIT] = 30, [CPUPR_IDLE] = 20 },
	}, {
		.name = "iowait: and stays idle, whatever interrupts",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_SLEEP },
			{ V_SWITCH, 10, CPUPR_IOWAIT },
			{ V_WAKE, 40 },
			{ V_IRQ, 50 },
			{ V_IRQ_END, 52 },
		},
		.read = 60,
		.want = {
			[CPUPR_SYSTEM] = 10, [CPUPR_IOWAIT] = 30,
			[CPUPR_IDLE] = 18, [CPUPR_IRQ] = 2,
		},
	}, {
		.name = "iowait: woken while an interrupt runs here",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_SLEEP },
			{ V_SWITCH, 10, CPUPR_IOWAIT },
			{ V_IRQ, 50 },
			{ V_WAKE, 51 },
			{ V_IRQ_END, 55 },
		},
		.read = 60,
		.want = {
			[CPUPR_SYSTEM] = 10, [CPUPR_IOWAIT] = 40,
			[CPUPR_IDLE] = 5, [CPUPR_IRQ] = 5,
		},
	}, {
		.name = "iowait: one of two woken, it goes on",
		.step = {
			{ V_ONLINE, 0, CPUPR_IDLE },
			{ V_SLEEP }, { V_SLEEP },
			{ V_SWITCH, 10, CPUPR_IOWAIT },
			{ V_WAKE, 20 },
		},
		.read = 60,
		.want = { [CPUPR_IDLE] = 10, [CPUPR_IOWAIT] = 50 },
	}, {
		.name = "iowait: both woken, the later one ends it",
		.step = {
			{ V_ONLINE, 0, CPUPR_IDLE },
			{ V_SLEEP }, { V_SLEEP },
			{ V_SWITCH, 10, CPUPR_IOWAIT },
			{ V_WAKE, 20 }, { V_WAKE, 35 },
		},
		.read = 60,
		.want = { [CPUPR_IDLE] = 10 + 25, [CPUPR_IOWAIT] = 25 },
	}, {
		.name = "iowait: the waker's clock says before this interval",
		.step = {
			{ V_ONLINE, 100, CPUPR_IDLE },
			{ V_SLEEP },
			{ V_SWITCH, 110, CPUPR_IOWAIT },
			{ V_WAKE, 90 },
		},
		.read = 160,
		.want = { [CPUPR_IDLE] = 60 },
	}, {
		.name = "iowait: the waker's clock says its very start",
		.step = {
			{ V_ONLINE, 100, CPUPR_IDLE },
			{ V_SLEEP },
			{ V_SWITCH, 110, CPUPR_IOWAIT },
			{ V_WAKE, 110 },
		},
		.read = 160,
		.want = { [CPUPR_IDLE] = 60 },
	}, {
		.name = "iowait: the waker's clock says later than the read",
		.step = {
			{ V_ONLINE, 100, CPUPR_IDLE },
			{ V_SLEEP },
			{ V_SWITCH, 110, CPUPR_IOWAIT },
			{ V_WAKE, 1000 },
		},
		.read = 160,
		.want = { [CPUPR_IDLE] = 10, [CPUPR_IOWAIT] = 50 },
	}, {
		.name = "iowait: a wake-up more than sleeps is not a sleeper",
		.step = {
			{ V_ONLINE, 100, CPUPR_IDLE },
			{ V_WAKE, 105 },
			{ V_SWITCH, 110, CPUPR_IOWAIT },
		},
		.read = 160,
		.want = { [CPUPR_IDLE] = 60 },
	}, {
		.name = "iowait: a busy CPU is not waiting, whoever sleeps",
		.step = {
			{ V_ONLINE, 0, CPUPR_USER },
			{ V_SLEEP },
			{ V_BASE, 10, CPUPR_SYSTEM },
			{ V_WAKE, 12 },
		},
		.read = 30,
		.want = { [CPUPR_USER] = 10, [CPUPR_SYSTEM] = 20 },
	},
	/* The clock */
	{
		.name = "clock: a step back counts 0, and the step is counted",
		.step = {
			{ V_ONLINE, 1000, CPUPR_USER },
			{ V_SWITCH, 1100, CPUPR_SYSTEM },
			{ V_SWITCH, 900, CPUPR_IDLE },
		},
		.read = 950,
		.want = { [CPUPR_USER] = 100, [CPUPR_IDLE] = 50 },
		.backsteps = 1,
	}, {
		.name = "clock: a step back before the opening",
		.step = {
			{ V_ONLINE, 1000, CPUPR_USER },
			{ V_TICK, 10 },
		},
		.read = 30,
		.want = { [CPUPR_USER] = 20 },
		.backsteps = 1,
	}, {
		.name = "clock: a read behind the books shows what was closed",
		.step = {
			{ V_ONLINE, 1000, CPUPR_USER },
			{ V_SWITCH, 1100, CPUPR_IDLE },
		},
		.read = 1099,
		.want = { [CPUPR_USER] = 100 },
		.backsteps = 1,
	}, {
		.name = "clock: a step back to before the stay takes its boundary back",
		.step = {
			{ V_ONLINE, 1000, CPUPR_SYSTEM },
			{ V_USER, 1100, CPUPR_USER, 50 },
			{ V_TICK, 1090 },
		},
		.read = 1100,
		.want = { [CPUPR_SYSTEM] = 100, [CPUPR_USER] = 10 },
		.backsteps = 1,
	}, {
		.name = "clock: a step back after the boundary leaves it",
		.step = {
			{ V_ONLINE, 1000, CPUPR_SYSTEM },
			{ V_USER, 1100, CPUPR_USER, 50 },
			{ V_IRQ, 1200 },
			{ V_IRQ_END, 1210 },
			{ V_SYSTEM, 1205 },
		},
		.read = 1205,
		.want = { [CPUPR_SYSTEM] = 150, [CPUPR_USER] = 50, [CPUPR_IRQ] = 10 },
		.backsteps = 1,
	}, {
		.name = "clock: a step back inside a softirq of the boundary leaves it",
		.step = {
			{ V_ONLINE, 1000, CPUPR_SYSTEM },
			{ V_USER, 1100, CPUPR_USER, 50 },
			{ V_SOFTIRQ, 1120 },
			{ V_SOFTIRQ_END, 1110 },
		},
		.read = 1111,
		.want = { [CPUPR_SYSTEM] = 120, [CPUPR_USER] = 1 },
		.backsteps = 1,
	}, {
		.name = "clock: rescaled by 1/3, each category by itself",
		.step = {
			{ V_ONLINE, 0, CPUPR_USER },
			{ V_SWITCH, 100, CPUPR_IDLE },
			{ V_TICK, 300 },
			{ V_RESCALE, 7000, 1431655765, 32 },	/* 1/3, rounded down */
		},
		.read = 7010,
		.want = { [CPUPR_USER] = 33, [CPUPR_IDLE] = 66 + 10 },
	}, {
		.name = "clock: rescaled within the boundary",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_USER, 100, CPUPR_USER, 40 },
			{ V_TICK, 120 },
			{ V_RESCALE, 5, 1, 1 },			/* 1/2 */
		},
		.read = 5 + 30,
		.want = { [CPUPR_SYSTEM] = 60, [CPUPR_USER] = 30 },
	}, {
		.name = "clock: rescaled in iowait, woken by the new clock",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_SLEEP },
			{ V_SWITCH, 100, CPUPR_IOWAIT },
			{ V_TICK, 140 },
			{ V_RESCALE, 9, 2, 0 },
			{ V_WAKE, 19 },
		},
		.read = 39,
		.want = { [CPUPR_SYSTEM] = 200, [CPUPR_IOWAIT] = 90, [CPUPR_IDLE] = 20 },
	}, {
		.name = "clock: a rescale whose product needs more than 64 bits",
		.step = {
			{ V_ONLINE, 0, CPUPR_USER },
			{ V_TICK, 1ULL << 60 },
			{ V_RESCALE, 1, 1U << 31, 32 },
		},
		.read = 1,
		.want = { [CPUPR_USER] = 1ULL << 59 },
	},
	/* Steal */
	{
		.name = "steal: taken out of what was open",
		.step = {
			{ V_ONLINE, 0, CPUPR_USER },
			{ V_STEAL, 100, 30 },
			{ V_SYSTEM, 100 },
		},
		.read = 120,
		.want = { [CPUPR_USER] = 70, [CPUPR_STEAL] = 30, [CPUPR_SYSTEM] = 20 },
	}, {
		.name = "steal: of an interrupt",
		.step = {
			{ V_ONLINE, 0, CPUPR_USER },
			{ V_IRQ, 10 },
			{ V_STEAL, 50, 35 },
			{ V_IRQ_END, 50 },
		},
		.read = 60,
		.want = { [CPUPR_USER] = 20, [CPUPR_IRQ] = 5, [CPUPR_STEAL] = 35 },
	}, {
		.name = "steal: of an idle CPU that waits to be run",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_SWITCH, 10, CPUPR_IDLE },
			{ V_STEAL, 60, 5 },
			{ V_SWITCH, 60, CPUPR_SYSTEM },
		},
		.read = 70,
		.want = { [CPUPR_SYSTEM] = 20, [CPUPR_IDLE] = 45, [CPUPR_STEAL] = 5 },
	}, {
		.name = "steal: more than the interval is taken from the next ones",
		.step = {
			{ V_ONLINE, 0, CPUPR_USER },
			{ V_STEAL, 10, 25 },
			{ V_IRQ, 10 },
			{ V_STEAL, 18, 25 },
			{ V_IRQ_END, 18 },
			{ V_STEAL, 40, 25 },
		},
		.read = 40,
		.want = { [CPUPR_USER] = 15, [CPUPR_STEAL] = 25 },
	}, {
		.name = "steal: a clock that goes back steals nothing",
		.step = {
			{ V_ONLINE, 0, CPUPR_USER },
			{ V_STEAL, 100, 30 },
			{ V_STEAL, 200, 20 },
			{ V_STEAL, 300, 35 },
		},
		.read = 300,
		.want = { [CPUPR_USER] = 265, [CPUPR_STEAL] = 35 },
	}, {
		.name = "steal: after iowait, what is idle goes first",
		.step = {
			{ V_ONLINE, 0, CPUPR_IDLE },
			{ V_SLEEP },
			{ V_SWITCH, 10, CPUPR_IOWAIT },
			{ V_WAKE, 40 },
			{ V_STEAL, 60, 15 },
		},
		.read = 60,
		.want = { [CPUPR_IDLE] = 15, [CPUPR_IOWAIT] = 30, [CPUPR_STEAL] = 15 },
	}, {
		.name = "steal: and then the iowait",
		.step = {
			{ V_ONLINE, 0, CPUPR_IDLE },
			{ V_SLEEP },
			{ V_SWITCH, 10, CPUPR_IOWAIT },
			{ V_WAKE, 40 },
			{ V_STEAL, 60, 26 },
		},
		.read = 60,
		.want = { [CPUPR_IDLE] = 10, [CPUPR_IOWAIT] = 24, [CPUPR_STEAL] = 26 },
	}, {
		.name = "steal: of the stay behind a boundary",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_USER, 10, CPUPR_USER, 40 },
			{ V_STEAL, 110, 30 },
			{ V_SYSTEM, 110 },
		},
		.read = 120,
		.want = { [CPUPR_SYSTEM] = 60, [CPUPR_USER] = 30, [CPUPR_STEAL] = 30 },
	}, {
		.name = "steal: what is booked ahead stays, and the next one pays",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_USER, 10, CPUPR_USER, 40 },
			{ V_STEAL, 30, 15 },
			{ V_SYSTEM, 30 },
			{ V_STEAL, 50, 15 },
		},
		.read = 50,
		.want = { [CPUPR_SYSTEM] = 35, [CPUPR_STEAL] = 15 },
	}, {
		.name = "steal: of a step back nothing can be taken",
		.step = {
			{ V_ONLINE, 100, CPUPR_USER },
			{ V_TICK, 200 },
			{ V_STEAL, 150, 20 },
			{ V_STEAL, 160, 20 },
		},
		.read = 160,
		.want = { [CPUPR_USER] = 100, [CPUPR_STEAL] = 10 },
		.backsteps = 1,
	}, {
		.name = "steal: a change of clock keeps what is owed",
		.step = {
			{ V_ONLINE, 0, CPUPR_USER },
			{ V_STEAL, 100, 150 },
			{ V_RESCALE, 7, 1, 1 },			/* 1/2 */
			{ V_STEAL, 57, 75 },
		},
		.read = 57,
		.want = { [CPUPR_USER] = 25, [CPUPR_STEAL] = 75 },
	}, {
		.name = "steal: so does a CPU that goes and comes back",
		.step = {
			{ V_ONLINE, 0, CPUPR_USER },
			{ V_STEAL, 10, 15 },
			{ V_OFFLINE, 10 },
			{ V_ONLINE, 500, CPUPR_IDLE },
			{ V_STEAL, 520, 15 },
		},
		.read = 520,
		.want = { [CPUPR_IDLE] = 15, [CPUPR_STEAL] = 15 },
	},
	/* Hotplug */
	{
		.name = "hotplug: a frozen row stands still",
		.step = {
			{ V_ONLINE, 100, CPUPR_IDLE },
			{ V_SWITCH, 150, CPUPR_SYSTEM },
			{ V_OFFLINE, 170 },
		},
		.read = 100000,
		.want = { [CPUPR_IDLE] = 50, [CPUPR_SYSTEM] = 20 },
		.frozen = true,
	}, {
		.name = "hotplug: offline time is in no category",
		.step = {
			{ V_ONLINE, 100, CPUPR_IDLE },
			{ V_OFFLINE, 170 },
			{ V_ONLINE, 5000, CPUPR_SYSTEM },
			{ V_SWITCH, 5010, CPUPR_IDLE },
		},
		.read = 5040,
		.want = { [CPUPR_IDLE] = 70 + 30, [CPUPR_SYSTEM] = 10 },
	}, {
		.name = "hotplug: back with a clock that begins again",
		.step = {
			{ V_ONLINE, 90000, CPUPR_USER },
			{ V_OFFLINE, 90100 },
			{ V_ONLINE, 3, CPUPR_IDLE },
		},
		.read = 10,
		.want = { [CPUPR_USER] = 100, [CPUPR_IDLE] = 7 },
	}, {
		.name = "hotplug: an interrupt that was open does not come back",
		.step = {
			{ V_ONLINE, 0, CPUPR_USER },
			{ V_SOFTIRQ, 10 },
			{ V_IRQ, 20 },
			{ V_OFFLINE, 30 },
			{ V_ONLINE, 100, CPUPR_IDLE },
			{ V_IRQ_END, 104 },
			{ V_SOFTIRQ_END, 106 },
		},
		.read = 110,
		.want = {
			[CPUPR_USER] = 10, [CPUPR_SOFTIRQ] = 10,
			[CPUPR_IRQ] = 10, [CPUPR_IDLE] = 10,
		},
	}, {
		.name = "hotplug: nor does the boundary",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_USER, 10, CPUPR_USER, 1000 },
			{ V_OFFLINE, 20 },
			{ V_ONLINE, 100, CPUPR_USER },
		},
		.read = 110,
		.want = { [CPUPR_SYSTEM] = 20, [CPUPR_USER] = 10 },
	}, {
		.name = "hotplug: offline in iowait",
		.step = {
			{ V_ONLINE, 0, CPUPR_IDLE },
			{ V_SLEEP },
			{ V_SWITCH, 10, CPUPR_IOWAIT },
			{ V_WAKE, 15 },
			{ V_OFFLINE, 20 },
		},
		.read = 500,
		.want = { [CPUPR_IDLE] = 15, [CPUPR_IOWAIT] = 5 },
		.frozen = true,
	},
	/* Guests */
	{
		.name = "guest: part of user, between two parts of system",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_GUEST, 10, CPUPR_USER },
			{ V_GUEST_END, 110 },
		},
		.read = 115,
		.want = { [CPUPR_SYSTEM] = 15, [CPUPR_USER] = 100 },
		.guest = { [CPUPR_USER] = 100 },
	}, {
		.name = "guest: open at the read",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_GUEST, 10, CPUPR_NICE },
		},
		.read = 1010,
		.want = { [CPUPR_SYSTEM] = 10, [CPUPR_NICE] = 1000 },
		.guest = { [CPUPR_NICE] = 1000 },
	}, {
		.name = "guest: an interrupt ends it, and the host goes on",
		.step = {
			{ V_ONLINE, 0, CPUPR_USER },
			{ V_SYSTEM, 10 },
			{ V_GUEST, 20, CPUPR_USER },
			{ V_IRQ, 70 },
			{ V_IRQ_END, 73 },
			{ V_GUEST_END, 78 },
			{ V_GUEST, 80, CPUPR_USER },
			{ V_GUEST_END, 90 },
			{ V_USER, 95, CPUPR_USER },
		},
		.read = 100,
		.want = { [CPUPR_USER] = 75, [CPUPR_SYSTEM] = 22, [CPUPR_IRQ] = 3 },
		.guest = { [CPUPR_USER] = 60 },
	}, {
		.name = "guest: a switch ends it",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_GUEST, 10, CPUPR_USER },
			{ V_SWITCH, 40, CPUPR_IDLE },
		},
		.read = 100,
		.want = { [CPUPR_SYSTEM] = 10, [CPUPR_USER] = 30, [CPUPR_IDLE] = 60 },
		.guest = { [CPUPR_USER] = 30 },
	}, {
		.name = "guest: one that follows another, whose end was not seen",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_GUEST, 10, CPUPR_USER },
			{ V_GUEST, 30, CPUPR_NICE },
			{ V_GUEST_END, 35 },
		},
		.read = 36,
		.want = { [CPUPR_SYSTEM] = 11, [CPUPR_USER] = 20, [CPUPR_NICE] = 5 },
		.guest = { [CPUPR_USER] = 20, [CPUPR_NICE] = 5 },
	}, {
		.name = "guest: an end without a beginning changes nothing",
		.step = {
			{ V_ONLINE, 0, CPUPR_USER },
			{ V_GUEST_END, 10 },
		},
		.read = 30,
		.want = { [CPUPR_USER] = 30 },
	}, {
		.name = "guest: what is not split from user code goes on as user",
		.step = {
			{ V_ONLINE, 0, CPUPR_USER },
			{ V_GUEST, 10, CPUPR_USER },
			{ V_GUEST_END, 15 },
		},
		.read = 30,
		.want = { [CPUPR_USER] = 30 },
		.guest = { [CPUPR_USER] = 5 },
	}, {
		.name = "guest: no boundary reaches into it",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_USER, 10, CPUPR_USER, 50 },
			{ V_GUEST, 20, CPUPR_USER },
			{ V_GUEST_END, 90 },
		},
		.read = 90,
		.want = { [CPUPR_SYSTEM] = 20, [CPUPR_USER] = 70 },
		.guest = { [CPUPR_USER] = 70 },
	}, {
		.name = "guest: an account does not end it",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_GUEST, 10, CPUPR_USER },
			{ V_TICK, 50 },
			{ V_GUEST_END, 60 },
		},
		.read = 65,
		.want = { [CPUPR_SYSTEM] = 15, [CPUPR_USER] = 50 },
		.guest = { [CPUPR_USER] = 50 },
	}, {
		.name = "guest: the clock steps back in it",
		.step = {
			{ V_ONLINE, 100, CPUPR_SYSTEM },
			{ V_GUEST, 110, CPUPR_USER },
			{ V_TICK, 50 },
			{ V_GUEST_END, 60 },
		},
		.read = 65,
		.want = { [CPUPR_SYSTEM] = 15, [CPUPR_USER] = 10 },
		.guest = { [CPUPR_USER] = 10 },
		.backsteps = 1,
	}, {
		.name = "guest: offline ends it",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_GUEST, 10, CPUPR_USER },
			{ V_OFFLINE, 30 },
			{ V_ONLINE, 100, CPUPR_USER },
		},
		.read = 110,
		.want = { [CPUPR_SYSTEM] = 10, [CPUPR_USER] = 30 },
		.guest = { [CPUPR_USER] = 20 },
	}, {
		.name = "guest: another clock ends it, and converts what guests had",
		.step = {
			{ V_ONLINE, 0, CPUPR_SYSTEM },
			{ V_GUEST, 10, CPUPR_USER },
			{ V_TICK, 51 },
			{ V_RESCALE, 1000, 1, 1 },
		},
		.read = 1004,
		.want = { [CPUPR_SYSTEM] = 9, [CPUPR_USER] = 20 },
		.guest = { [CPUPR_USER] = 20 },
	},
};

static inline void vector_apply(struct cpupr_ledger *l, const struct vector_step *s)
{
	/* As whoever calls a transition does: see cpupr_ledger_guest_enter(), … */
	if (s->op >= V_BASE && s->op <= V_SOFTIRQ_END && l->in_guest)
		cpupr_ledger_guest_leave(l, s->at);
	/* … and cpupr_ledger_close(). */
	if (s->op >= V_BASE && s->op <= V_SOFTIRQ_END && l->at.category == CPUPR_IOWAIT)
		cpupr_ledger_account(l, s->at);

	switch (s->op) {
	case V_END:
		break;
	case V_ONLINE:
		cpupr_ledger_online(l, s->at, (enum cpupr_category)s->a);
		break;
	case V_OFFLINE:
		cpupr_ledger_offline(l, s->at);
		break;
	case V_BASE:
		cpupr_ledger_base(l, s->at, (enum cpupr_category)s->a);
		break;
	case V_SWITCH:
		cpupr_ledger_switch(l, s->at, (enum cpupr_category)s->a, (u16)s->b);
		break;
	case V_SYSTEM:
		cpupr_ledger_system(l, s->at);
		break;
	case V_USER:
		cpupr_ledger_user(l, s->at, (enum cpupr_category)s->a, s->b);
		break;
	case V_IRQ:
		cpupr_ledger_irq_enter(l, s->at);
		break;
	case V_IRQ_END:
		cpupr_ledger_irq_exit(l, s->at);
		break;
	case V_SOFTIRQ:
		cpupr_ledger_softirq_enter(l, s->at);
		break;
	case V_SOFTIRQ_END:
		cpupr_ledger_softirq_exit(l, s->at);
		break;
	case V_GUEST:
		cpupr_ledger_guest_enter(l, s->at, (enum cpupr_category)s->a);
		break;
	case V_GUEST_END:
		cpupr_ledger_guest_leave(l, s->at);
		break;
	case V_SLEEP:
		cpupr_ledger_iowait_begin(l);
		break;
	case V_WAKE:
		cpupr_ledger_iowait_end(l, s->at);
		break;
	case V_RESCALE:
		cpupr_ledger_rescale(l, s->at, (u32)s->a, (u32)s->b);
		break;
	case V_TICK:
		cpupr_ledger_account(l, s->at);
		break;
	case V_STEAL:
		cpupr_ledger_steal(l, s->at, s->a);
		break;
	}
}

/**
 * vector_run() - replay a history and read its books
 * @v: the history
 * @l: where to, cleared first
 *
 * Return: the number of the first step after which the books were not closed,
 * or -1 if they always were.
 */
static inline int vector_run(const struct vector *v, struct cpupr_ledger *l)
{
	int open = -1;
	int i;

	memset(l, 0, sizeof(*l));
	for (i = 0; i < VECTOR_STEPS && v->step[i].op != V_END; i++) {
		vector_apply(l, &v->step[i]);
		if (open < 0 && cpupr_ledger_sum(l) != cpupr_ledger_elapsed(l))
			open = i;
	}
	if (!v->frozen)
		cpupr_ledger_guest_leave(l, v->read);
	if (open < 0 && cpupr_ledger_sum(l) != cpupr_ledger_elapsed(l))
		open = i;
	return open;
}

#endif
