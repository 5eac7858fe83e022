/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Literal timelines of tasks and lives of their records, and what must come of
 * them: the tables that the host test and the KUnit suite share.
 *
 * Every number was worked out by hand from the comments of ledger.h and
 * task_table.h, none was copied from a run.
 */
#ifndef CPUPRECISE_TASK_VECTORS_H
#define CPUPRECISE_TASK_VECTORS_H

#include "task_machine.h"

#define TASK_MAX	(~0ULL)

#define USER		CPUPR_TASK_USER
#define SYSTEM		CPUPR_TASK_SYSTEM
#define IRQ		CPUPR_TASK_IRQ
#define SOFTIRQ		CPUPR_TASK_SOFTIRQ

static const struct machine_vector task_time_vectors[] = {
	{
		.name = "a task runs",
		.step = {
			{ M_ONLINE, 0, 100, CPUPR_IDLE }, { M_SWITCH, 0, 110, 1, CPUPR_USER },
			{ M_TIME, 0, 110, 1, USER, 0 }, { M_TIME, 0, 150, 1, USER, 40 },
			{ M_SWITCH, 0, 160, 0, CPUPR_IDLE },
			{ M_TIME, 0, 500, 1, USER, 50 }, { M_TIME, 0, 500, 1, SYSTEM, 0 },
			{ M_TIME, 0, 500, 1, IRQ, 0 }, { M_TIME, 0, 500, 1, SOFTIRQ, 0 },
			{ M_TIME, 0, 500, 0, USER, 0 }, { M_TIME, 0, 500, 0, SYSTEM, 0 },
		},
	}, {
		.name = "the kernel and both kinds of user code",
		.step = {
			{ M_ONLINE, 0, 0, CPUPR_IDLE }, { M_SWITCH, 0, 10, 1, CPUPR_SYSTEM },
			{ M_USER, 0, 13, CPUPR_USER }, { M_SYSTEM, 0, 40 }, { M_USER, 0, 45, CPUPR_NICE },
			{ M_TIME, 0, 50, 1, USER, 27 + 5 },
			{ M_SWITCH, 0, 75, 2, CPUPR_USER },
			{ M_TIME, 0, 80, 1, USER, 27 + 30 }, { M_TIME, 0, 80, 1, SYSTEM, 3 + 5 },
			{ M_TIME, 0, 80, 2, USER, 5 }, { M_TIME, 0, 80, 2, SYSTEM, 0 },
		},
	}, {
		.name = "interrupts of a task",
		.step = {
			{ M_ONLINE, 0, 0, CPUPR_IDLE }, { M_SWITCH, 0, 100, 1, CPUPR_USER },
			{ M_IRQ, 0, 110 }, { M_IRQ, 0, 112 }, { M_IRQ_END, 0, 115 }, { M_IRQ_END, 0, 118 },
			{ M_SOFTIRQ, 0, 118 }, { M_IRQ, 0, 120 }, { M_IRQ_END, 0, 123 },
			{ M_TIME, 0, 125, 1, SOFTIRQ, 2 + 2 },
			{ M_SOFTIRQ_END, 0, 130 }, { M_SWITCH, 0, 150, 0, CPUPR_IDLE },
			{ M_TIME, 0, 200, 1, USER, 10 + 20 }, { M_TIME, 0, 200, 1, SYSTEM, 0 },
			{ M_TIME, 0, 200, 1, IRQ, 8 + 3 }, { M_TIME, 0, 200, 1, SOFTIRQ, 2 + 7 },
		},
	}, {
		.name = "interrupts of an idle CPU are no task's",
		.step = {
			{ M_ONLINE, 0, 0, CPUPR_IDLE }, { M_IRQ, 0, 5 }, { M_IRQ_END, 0, 9 },
			{ M_SWITCH, 0, 20, 1, CPUPR_SYSTEM }, { M_IRQ, 0, 26 }, { M_IRQ_END, 0, 27 },
			{ M_SWITCH, 0, 30, 0, CPUPR_IDLE }, { M_SOFTIRQ, 0, 40 }, { M_SOFTIRQ_END, 0, 56 },
			{ M_TIME, 0, 60, 1, SYSTEM, 6 + 3 }, { M_TIME, 0, 60, 1, IRQ, 1 },
			{ M_TIME, 0, 60, 1, SOFTIRQ, 0 },
			{ M_TIME, 0, 60, 0, IRQ, 4 }, { M_TIME, 0, 60, 0, SOFTIRQ, 16 },
		},
	}, {
		.name = "two tasks in turn",
		.step = {
			{ M_ONLINE, 0, 0, CPUPR_IDLE }, { M_SWITCH, 0, 1, 1, CPUPR_USER },
			{ M_SWITCH, 0, 3, 2, CPUPR_SYSTEM }, { M_SWITCH, 0, 7, 1, CPUPR_SYSTEM },
			{ M_SWITCH, 0, 15, 2, CPUPR_USER }, { M_SWITCH, 0, 31, 1, CPUPR_USER },
			{ M_SWITCH, 0, 63, 2, CPUPR_USER },
			{ M_TIME, 0, 127, 1, USER, 2 + 32 }, { M_TIME, 0, 127, 1, SYSTEM, 8 },
			{ M_TIME, 0, 127, 2, USER, 16 + 64 }, { M_TIME, 0, 127, 2, SYSTEM, 4 },
		},
	}, {
		.name = "a task moves to another CPU, whose clock is another, and back",
		.step = {
			{ M_ONLINE, 0, 1000, CPUPR_IDLE }, { M_ONLINE, 1, 5, CPUPR_IDLE },
			{ M_ON, 0, 0, 1, 0, TASK_MAX },
			{ M_SWITCH, 0, 1010, 1, CPUPR_USER }, { M_ON, 0, 0, 1, 0, 0 },
			{ M_SWITCH, 0, 1050, 0, CPUPR_IDLE }, { M_ON, 0, 0, 1, 0, 0 },
			{ M_SWITCH, 1, 40, 1, CPUPR_SYSTEM }, { M_ON, 0, 0, 1, 0, 1 },
			{ M_TIME, 1, 47, 1, USER, 40 }, { M_TIME, 1, 47, 1, SYSTEM, 7 },
			{ M_USER, 1, 50, CPUPR_USER }, { M_IRQ, 1, 90 }, { M_IRQ_END, 1, 91 },
			{ M_SWITCH, 1, 91, 0, CPUPR_IDLE },
			{ M_SWITCH, 0, 2000, 1, CPUPR_NICE }, { M_ON, 0, 0, 1, 0, 0 },
			{ M_SWITCH, 0, 2004, 0, CPUPR_IDLE },
			{ M_TIME, 0, 3000, 1, USER, 40 + 40 + 4 }, { M_TIME, 0, 3000, 1, SYSTEM, 10 },
			{ M_TIME, 0, 3000, 1, IRQ, 1 }, { M_TIME, 0, 3000, 1, SOFTIRQ, 0 },
		},
	}, {
		.name = "two CPUs at a time",
		.step = {
			{ M_ONLINE, 0, 0, CPUPR_IDLE }, { M_ONLINE, 1, 0, CPUPR_IDLE },
			{ M_SWITCH, 0, 10, 1, CPUPR_USER }, { M_SWITCH, 1, 11, 2, CPUPR_USER },
			{ M_TIME, 0, 20, 1, USER, 10 }, { M_TIME, 0, 20, 2, USER, 9 },
			{ M_SWITCH, 0, 30, 0, CPUPR_IDLE }, { M_SWITCH, 1, 33, 1, CPUPR_USER },
			{ M_SWITCH, 0, 40, 2, CPUPR_USER },
			{ M_TIME, 0, 50, 1, USER, 20 + 17 }, { M_TIME, 0, 50, 2, USER, 22 + 10 },
		},
	}, {
		.name = "one task without a record after another",
		.step = {
			{ M_ONLINE, 0, 0, CPUPR_IDLE }, { M_SWITCH, 0, 10, MACHINE_OTHER, CPUPR_USER },
			{ M_SWITCH, 0, 30, MACHINE_OTHER, CPUPR_SYSTEM }, { M_IRQ, 0, 31 }, { M_IRQ_END, 0, 33 },
			{ M_SWITCH, 0, 35, MACHINE_OTHER, CPUPR_USER },
			{ M_TIME, 0, 50, MACHINE_OTHER, USER, 20 + 15 }, { M_TIME, 0, 50, MACHINE_OTHER, SYSTEM, 3 },
			{ M_SWITCH, 0, 60, 0, CPUPR_IDLE },
			{ M_TIME, 0, 70, MACHINE_OTHER, USER, 20 + 25 }, { M_TIME, 0, 70, MACHINE_OTHER, SYSTEM, 3 },
			{ M_TIME, 0, 70, MACHINE_OTHER, IRQ, 2 }, { M_ON, 0, 0, MACHINE_OTHER, 0, 0 },
		},
	}, {
		.name = "ten years of 6 GHz, three times",
		.step = {
			{ M_ONLINE, 0, 0, CPUPR_IDLE }, { M_SWITCH, 0, 7, 1, CPUPR_USER },
			{ M_TIME, 0, TEN_YEARS + 7, 1, USER, TEN_YEARS },
			{ M_SWITCH, 0, TEN_YEARS + 7, 2, CPUPR_NICE },
			{ M_SWITCH, 0, 2 * TEN_YEARS + 7, 1, CPUPR_SYSTEM },
			{ M_TIME, 0, 3 * TEN_YEARS + 8, 1, SYSTEM, TEN_YEARS + 1 },
			{ M_SWITCH, 0, 3 * TEN_YEARS + 9, 1, CPUPR_USER },
			{ M_TIME, 0, 4 * TEN_YEARS + 9, 1, USER, 2 * TEN_YEARS },
			{ M_TIME, 0, 4 * TEN_YEARS + 9, 1, SYSTEM, TEN_YEARS + 2 },
			{ M_TIME, 0, 4 * TEN_YEARS + 9, 2, USER, TEN_YEARS },
		},
	}, {
		.name = "a task that comes late has nothing of before",
		.step = {
			{ M_ONLINE, 0, 0, CPUPR_USER }, { M_SYSTEM, 0, TEN_YEARS }, { M_IRQ, 0, TEN_YEARS + 100 },
			{ M_IRQ_END, 0, 2 * TEN_YEARS }, { M_SWITCH, 0, 2 * TEN_YEARS + 1, 1, CPUPR_SYSTEM },
			{ M_TIME, 0, 2 * TEN_YEARS + 1, 1, USER, 0 }, { M_TIME, 0, 2 * TEN_YEARS + 4, 1, SYSTEM, 3 },
			{ M_SWITCH, 0, 2 * TEN_YEARS + 6, 0, CPUPR_IDLE },
			{ M_TIME, 0, 0, 1, USER, 0 }, { M_TIME, 0, 0, 1, SYSTEM, 5 }, { M_TIME, 0, 0, 1, IRQ, 0 },
			{ M_TIME, 0, 0, 0, USER, TEN_YEARS }, { M_TIME, 0, 0, 0, SYSTEM, 101 },
			{ M_TIME, 0, 0, 0, IRQ, TEN_YEARS - 100 },
		},
	}, {
		.name = "the clock passes 2^64",
		.step = {
			{ M_ONLINE, 0, -100ULL, CPUPR_IDLE }, { M_SWITCH, 0, -40ULL, 1, CPUPR_USER },
			{ M_TIME, 0, 25, 1, USER, 65 }, { M_SWITCH, 0, 30, 2, CPUPR_USER },
			{ M_TIME, 0, 31, 1, USER, 70 }, { M_TIME, 0, 31, 2, USER, 1 },
		},
	}, {
		.name = "a boundary, used up and not",
		.step = {
			{ M_ONLINE, 0, 0, CPUPR_IDLE }, { M_SWITCH, 0, 0, 1, CPUPR_SYSTEM },
			{ M_USER, 0, 10, CPUPR_USER, 4 },
			{ M_TIME, 0, 12, 1, SYSTEM, 12 }, { M_TIME, 0, 12, 1, USER, 0 },
			{ M_TIME, 0, 15, 1, SYSTEM, 14 }, { M_TIME, 0, 15, 1, USER, 1 },
			{ M_SYSTEM, 0, 30 }, { M_USER, 0, 31, CPUPR_USER, 4 },
			{ M_SWITCH, 0, 33, 2, CPUPR_SYSTEM },
			{ M_TIME, 0, 40, 1, SYSTEM, 14 + 1 + 2 }, { M_TIME, 0, 40, 1, USER, 16 },
			{ M_TIME, 0, 40, 2, SYSTEM, 7 }, { M_TIME, 0, 40, 2, USER, 0 },
		},
	}, {
		.name = "the clock steps back while a task runs",
		.step = {
			{ M_ONLINE, 0, 1000, CPUPR_IDLE }, { M_SWITCH, 0, 1100, 1, CPUPR_USER },
			{ M_SYSTEM, 0, 1110 }, { M_USER, 0, 600, CPUPR_USER }, { M_SWITCH, 0, 607, 2, CPUPR_USER },
			{ M_TIME, 0, 610, 1, USER, 10 + 7 }, { M_TIME, 0, 610, 1, SYSTEM, 0 },
			{ M_TIME, 0, 610, 2, USER, 3 },
		},
	}, {
		.name = "what passes while tasks are not followed is nobody's",
		.step = {
			{ M_ONLINE, 0, 0, CPUPR_IDLE }, { M_SWITCH, 0, 10, 1, CPUPR_USER },
			{ M_SYSTEM, 0, 15 }, { M_IRQ, 0, 17 }, { M_SOFTIRQ, 0, 18 }, { M_IRQ_END, 0, 19 },
			{ M_CLOSE, 0, 20 },
			{ M_TIME, 0, 25, 1, USER, 5 }, { M_TIME, 0, 25, 1, SYSTEM, 2 }, { M_TIME, 0, 25, 1, IRQ, 2 },
			{ M_TIME, 0, 25, 1, SOFTIRQ, 1 },
			{ M_SOFTIRQ_END, 0, 30 }, { M_IRQ, 0, 31 }, { M_IRQ_END, 0, 36 },
			{ M_USER, 0, 40, CPUPR_NICE }, { M_SWITCH, 0, 45, 2, CPUPR_SYSTEM },
			{ M_SWITCH, 0, 50, 1, CPUPR_USER }, { M_TIME, 0, 55, 1, USER, 5 },
			{ M_OPEN, 0, 60, 1 }, { M_TIME, 0, 64, 1, USER, 5 + 4 }, { M_SYSTEM, 0, 70 },
			{ M_SWITCH, 0, 71, 0, CPUPR_IDLE },
			{ M_TIME, 0, 80, 1, USER, 5 + 10 }, { M_TIME, 0, 80, 1, SYSTEM, 2 + 1 },
			{ M_TIME, 0, 80, 1, IRQ, 2 }, { M_TIME, 0, 80, 1, SOFTIRQ, 1 },
			{ M_TIME, 0, 80, 2, SYSTEM, 0 },
		},
	},
};

#undef USER
#undef SYSTEM
#undef IRQ
#undef SOFTIRQ

/* A table of four records in two chains: keys 1, 3, 6, 8, 9 are of one, 2, 4, 5, 7 of the other. */
#define TABLE_RECORDS	4
#define TABLE_NONE	(~0ULL)

enum table_op {
	/* What happens */
	R_END,
	R_GET,		/* a: key, b: start; which record is that? */
	R_AGAIN,	/* as R_GET, of a record that stood still */
	R_STILL,	/* a: record; its task is not seen any more */
	R_UNLINK,	/* a: record, which stands still */
	R_RELEASE,	/* a: record, unlinked */
	R_WRAP,		/* a: records that were taken and given before, nothing else has happened */
	/* What must be */
	R_FIND,		/* a: key; which record is that? */
	R_ROOM,		/* records that are free */
	R_FRESH,	/* a: record; is it as one begins? */
};

struct table_step {
	enum table_op op;
	u64 a;
	u64 b;
	u64 want;
};

#define TABLE_STEPS	32

/**
 * struct table_vector - lives of records
 * @name: what it shows
 * @step: up to R_END
 */
struct table_vector {
	const char *name;
	struct table_step step[TABLE_STEPS];
};

static const struct table_vector task_table_vectors[] = {
	{
		.name = "nobody is there",
		.step = { { R_FIND, 1, 0, TABLE_NONE }, { R_FIND, 2, 0, TABLE_NONE }, { R_ROOM, 0, 0, 4 } },
	}, {
		.name = "a record is got once, and found",
		.step = {
			{ R_GET, 1, 100, 0 }, { R_FRESH, 0, 1, 1 }, { R_ROOM, 0, 0, 3 }, { R_FIND, 1, 0, 0 },
			{ R_GET, 1, 100, 0 }, { R_ROOM, 0, 0, 3 }, { R_FIND, 2, 0, TABLE_NONE },
			{ R_FIND, 3, 0, TABLE_NONE },
		},
	}, {
		.name = "the key is enough while the task is seen",
		.step = { { R_GET, 1, 100, 0 }, { R_GET, 1, 101, 0 }, { R_ROOM, 0, 0, 3 } },
	}, {
		.name = "a chain of three, and one beside it",
		.step = {
			{ R_GET, 1, 1, 0 }, { R_GET, 3, 1, 1 }, { R_GET, 6, 1, 2 }, { R_GET, 2, 1, 3 },
			{ R_FIND, 1, 0, 0 }, { R_FIND, 3, 0, 1 }, { R_FIND, 6, 0, 2 }, { R_FIND, 2, 0, 3 },
			{ R_GET, 3, 1, 1 }, { R_GET, 1, 1, 0 }, { R_FIND, 8, 0, TABLE_NONE },
			{ R_FIND, 4, 0, TABLE_NONE },
		},
	}, {
		.name = "the table is full, until one is released",
		.step = {
			{ R_GET, 1, 1, 0 }, { R_GET, 2, 1, 1 }, { R_GET, 3, 1, 2 }, { R_GET, 4, 1, 3 },
			{ R_ROOM, 0, 0, 0 }, { R_GET, 5, 1, TABLE_NONE }, { R_GET, 6, 1, TABLE_NONE },
			{ R_ROOM, 0, 0, 0 }, { R_FIND, 5, 0, TABLE_NONE }, { R_GET, 3, 1, 2 },
			{ R_STILL, 2, 1 }, { R_GET, 5, 1, TABLE_NONE },
			{ R_UNLINK, 2 }, { R_GET, 5, 1, TABLE_NONE }, { R_ROOM, 0, 0, 0 },
			{ R_RELEASE, 2 }, { R_ROOM, 0, 0, 1 }, { R_GET, 5, 1, 2 }, { R_FRESH, 2, 5, 1 },
			{ R_ROOM, 0, 0, 0 }, { R_GET, 6, 1, TABLE_NONE },
			{ R_FIND, 1, 0, 0 }, { R_FIND, 2, 0, 1 }, { R_FIND, 4, 0, 3 }, { R_FIND, 5, 0, 2 },
		},
	}, {
		.name = "the last one of a chain goes",
		.step = {
			{ R_GET, 1, 1, 0 }, { R_GET, 3, 1, 1 }, { R_GET, 6, 1, 2 },
			{ R_STILL, 0, 1 }, { R_UNLINK, 0 }, { R_RELEASE, 0 },
			{ R_FIND, 1, 0, TABLE_NONE }, { R_FIND, 3, 0, 1 }, { R_FIND, 6, 0, 2 },
			{ R_GET, 8, 1, 3 }, { R_GET, 2, 1, 0 },
			{ R_FIND, 3, 0, 1 }, { R_FIND, 6, 0, 2 }, { R_FIND, 8, 0, 3 }, { R_FIND, 2, 0, 0 },
		},
	}, {
		.name = "the middle one of a chain goes",
		.step = {
			{ R_GET, 1, 1, 0 }, { R_GET, 3, 1, 1 }, { R_GET, 6, 1, 2 },
			{ R_STILL, 1, 1 }, { R_UNLINK, 1 }, { R_RELEASE, 1 },
			{ R_FIND, 1, 0, 0 }, { R_FIND, 3, 0, TABLE_NONE }, { R_FIND, 6, 0, 2 },
			{ R_GET, 8, 1, 3 }, { R_GET, 2, 1, 1 },
			{ R_FIND, 1, 0, 0 }, { R_FIND, 6, 0, 2 }, { R_FIND, 8, 0, 3 }, { R_FIND, 2, 0, 1 },
		},
	}, {
		.name = "the first one of a chain goes",
		.step = {
			{ R_GET, 1, 1, 0 }, { R_GET, 3, 1, 1 }, { R_GET, 6, 1, 2 },
			{ R_STILL, 2, 1 }, { R_UNLINK, 2 }, { R_RELEASE, 2 },
			{ R_FIND, 1, 0, 0 }, { R_FIND, 3, 0, 1 }, { R_FIND, 6, 0, TABLE_NONE },
			{ R_GET, 8, 1, 3 }, { R_FIND, 1, 0, 0 }, { R_FIND, 3, 0, 1 }, { R_FIND, 8, 0, 3 },
		},
	}, {
		.name = "the only one of a chain goes",
		.step = {
			{ R_GET, 2, 1, 0 }, { R_STILL, 0, 1 }, { R_UNLINK, 0 }, { R_RELEASE, 0 },
			{ R_FIND, 2, 0, TABLE_NONE }, { R_ROOM, 0, 0, 4 },
			{ R_GET, 2, 2, 1 }, { R_GET, 4, 2, 2 }, { R_FIND, 2, 0, 1 }, { R_FIND, 4, 0, 2 },
		},
	}, {
		.name = "all of a chain go, and are released in another order",
		.step = {
			{ R_GET, 1, 1, 0 }, { R_GET, 3, 1, 1 }, { R_GET, 6, 1, 2 }, { R_GET, 8, 1, 3 },
			{ R_STILL, 1, 1 }, { R_STILL, 2, 1 }, { R_STILL, 0, 1 }, { R_STILL, 3, 1 },
			{ R_UNLINK, 1 }, { R_UNLINK, 2 }, { R_UNLINK, 0 }, { R_UNLINK, 3 },
			{ R_RELEASE, 2 }, { R_RELEASE, 0 }, { R_RELEASE, 3 }, { R_RELEASE, 1 }, { R_ROOM, 0, 0, 4 },
			{ R_FIND, 1, 0, TABLE_NONE }, { R_FIND, 8, 0, TABLE_NONE },
			{ R_GET, 9, 2, 2 }, { R_GET, 8, 2, 0 }, { R_GET, 6, 2, 3 }, { R_GET, 3, 2, 1 },
			{ R_GET, 1, 2, TABLE_NONE },
			{ R_FIND, 9, 0, 2 }, { R_FIND, 8, 0, 0 }, { R_FIND, 6, 0, 3 }, { R_FIND, 3, 0, 1 },
		},
	}, {
		.name = "a task that stood still goes on",
		.step = {
			{ R_GET, 1, 70, 0 }, { R_GET, 3, 80, 1 }, { R_STILL, 0, 70 },
			{ R_FIND, 1, 0, TABLE_NONE }, { R_FIND, 3, 0, 1 }, { R_ROOM, 0, 0, 2 },
			{ R_AGAIN, 1, 70, 0 }, { R_ROOM, 0, 0, 2 }, { R_FIND, 1, 0, 0 },
			{ R_GET, 1, 70, 0 }, { R_FRESH, 0, 1, 0 },
			{ R_STILL, 0, 70 }, { R_AGAIN, 1, 70, 0 },
		},
	}, {
		.name = "another task at the address of one that stood still",
		.step = {
			{ R_GET, 1, 70, 0 }, { R_STILL, 0, 70 },
			{ R_GET, 1, 71, 1 }, { R_FRESH, 1, 1, 1 }, { R_FIND, 1, 0, 1 }, { R_ROOM, 0, 0, 2 },
			{ R_STILL, 1, 71 }, { R_FIND, 1, 0, TABLE_NONE },
			{ R_AGAIN, 1, 70, 0 }, { R_FIND, 1, 0, 0 }, { R_STILL, 0, 70 },
			{ R_AGAIN, 1, 71, 1 }, { R_FIND, 1, 0, 1 },
			/* The old one is dead after all. */
			{ R_UNLINK, 0 }, { R_RELEASE, 0 }, { R_FIND, 1, 0, 1 }, { R_ROOM, 0, 0, 3 },
		},
	}, {
		.name = "one that stands still is no other task's",
		.step = {
			{ R_GET, 1, 70, 0 }, { R_STILL, 0, 70 },
			{ R_GET, 3, 70, 1 }, { R_GET, 6, 70, 2 }, { R_AGAIN, 1, 70, 0 },
			{ R_FIND, 3, 0, 1 }, { R_FIND, 6, 0, 2 },
		},
	}, {
		.name = "a full table, of which one goes on",
		.step = {
			{ R_GET, 1, 1, 0 }, { R_GET, 3, 1, 1 }, { R_GET, 6, 1, 2 }, { R_GET, 8, 1, 3 },
			{ R_STILL, 1, 1 }, { R_GET, 3, 2, TABLE_NONE }, { R_FIND, 3, 0, TABLE_NONE },
			{ R_AGAIN, 3, 1, 1 }, { R_FIND, 3, 0, 1 }, { R_ROOM, 0, 0, 0 },
		},
	}, {
		.name = "numbers of what was taken and given pass the highest",
		.step = {
			{ R_WRAP, TASK_MAX - 5 }, { R_ROOM, 0, 0, 4 },
			{ R_GET, 1, 1, 0 }, { R_GET, 3, 1, 1 }, { R_GET, 6, 1, 2 }, { R_GET, 2, 1, 3 },
			{ R_GET, 4, 1, TABLE_NONE },
			{ R_STILL, 3, 1 }, { R_UNLINK, 3 }, { R_RELEASE, 3 }, { R_ROOM, 0, 0, 1 },
			{ R_STILL, 0, 1 }, { R_UNLINK, 0 }, { R_RELEASE, 0 }, { R_ROOM, 0, 0, 2 },
			{ R_STILL, 1, 1 }, { R_UNLINK, 1 }, { R_RELEASE, 1 }, { R_ROOM, 0, 0, 3 },
			{ R_GET, 4, 1, 3 }, { R_GET, 5, 1, 0 }, { R_GET, 7, 1, 1 }, { R_ROOM, 0, 0, 0 },
			{ R_GET, 8, 1, TABLE_NONE }, { R_FIND, 6, 0, 2 }, { R_FIND, 4, 0, 3 },
		},
	},
};

/**
 * struct table_rig - a table with its memory
 * @table: it
 * @heads: its chains
 * @task: its records
 * @free: its ring
 */
struct table_rig {
	struct cpupr_task_table table;
	struct cpupr_task *heads[2];
	struct cpupr_task task[TABLE_RECORDS];
	u32 free[TABLE_RECORDS];
};

static inline void table_rig_init(struct table_rig *r)
{
	memset(r, 0, sizeof(*r));
	r->table.heads = r->heads;
	r->table.shift = 63;
	r->table.count = TABLE_RECORDS;
	r->table.task = r->task;
	r->table.mask = TABLE_RECORDS - 1;
	r->table.free = r->free;
	cpupr_task_table_init(&r->table);
}

static inline u64 table_number(const struct table_rig *r, const struct cpupr_task *task)
{
	return task ? (u64)(task - r->task) : TABLE_NONE;
}

static inline const void *table_key(u64 key)
{
	return (const void *)(unsigned long)key;
}

/* Alone, nobody is faster: no record is taken for nothing. */
static inline u64 table_get(struct table_rig *r, u64 key, u64 start, bool again)
{
	struct cpupr_task *spare = r->task, *task;
	bool was_again = !again;

	task = cpupr_task_get(&r->table, table_key(key), start, &spare, &was_again);
	if (spare || was_again != again)
		return TABLE_NONE - 1;
	return table_number(r, task);
}

/* What a record may hold when it is released. */
static inline void table_soil(struct cpupr_task *task)
{
	memset(task->time, 0x5a, sizeof(task->time));
	memset(task->shown, 0x5a, sizeof(task->shown));
	memset(&task->base, 0x5a, sizeof(task->base));
	task->delay = 5;
	task->call = 5;
	task->still = true;
}

static inline bool table_fresh(const struct cpupr_task *task, u64 key)
{
	static const struct cpupr_task none;

	return task->key == table_key(key) && !task->was && !task->still && !task->delay &&
	       task->call == CPUPR_NO_CALL && !memcmp(task->time, none.time, sizeof(none.time)) &&
	       !memcmp(task->shown, none.shown, sizeof(none.shown)) &&
	       !memcmp(&task->base, &none.base, sizeof(none.base));
}

static inline void table_still(struct cpupr_task *task, u64 start)
{
	task->was = task->key;
	task->key = NULL;
	task->id.start = start;
	table_soil(task);
}

/* Returns what @s found: what it wants, if it is not there to look. */
static inline u64 table_apply(struct table_rig *r, const struct table_step *s)
{
	struct cpupr_task *task = &r->task[s->a % TABLE_RECORDS];

	switch (s->op) {
	case R_END:
		break;
	case R_GET:
		return table_get(r, s->a, s->b, false);
	case R_AGAIN:
		return table_get(r, s->a, s->b, true);
	case R_STILL:
		table_still(task, s->b);
		break;
	case R_UNLINK:
		cpupr_task_unlink(&r->table, task);
		break;
	case R_RELEASE:
		cpupr_task_release(&r->table, task);
		break;
	case R_WRAP:
		/* A multiple of the ring, so that what is free stays in its order. */
		r->table.taken = (unsigned long)s->a & ~r->table.mask;
		r->table.given = r->table.taken + TABLE_RECORDS;
		break;
	case R_FIND:
		return table_number(r, cpupr_task_find(&r->table, table_key(s->a)));
	case R_ROOM:
		return cpupr_task_room(&r->table);
	case R_FRESH:
		return table_fresh(task, s->b);
	}
	return s->want;
}

/**
 * table_run() - replay lives of records
 * @v: what happens
 * @r: on what, cleared first
 * @got: what the step that is returned found
 *
 * Return: the number of the first step that did not find what it should, or -1.
 */
static inline int table_run(const struct table_vector *v, struct table_rig *r, u64 *got)
{
	int i;

	table_rig_init(r);
	for (i = 0; i < TABLE_STEPS && v->step[i].op != R_END; i++) {
		*got = table_apply(r, &v->step[i]);
		if (*got != v->step[i].want)
			return i;
	}
	return -1;
}

/**
 * struct task_hash_vector - an address and its chain
 * @key: the address
 * @shift: of the table
 * @want: number of the chain
 */
struct task_hash_vector {
	u64 key;
	unsigned int shift;
	u64 want;
};

static const struct task_hash_vector task_hash_vectors[] = {
	{ 1, 63, 1 }, { 2, 63, 0 }, { 64, 60, 8 }, { 64, 50, 9079 },
	{ 0xffff888000000000, 63, 1 }, { 0xffff888000000000, 60, 11 }, { 0xffff888000000000, 50, 11973 },
	{ 0xffff888000002a00, 60, 13 }, { 0xffff888000002a00, 50, 13635 },
	{ 0xffff888100005400, 60, 6 }, { 0xffff888100005400, 50, 7059 },
	{ 0xffff000012345680, 60, 0 }, { 0xffff000012345680, 50, 459 },
	{ 0xffffffffffffffc0, 60, 7 }, { 0xffffffffffffffc0, 50, 7304 },
};

static inline bool task_hash_right(const struct task_hash_vector *v)
{
	/* No chain is looked at, so there need not be any. */
	struct cpupr_task_table t = { .shift = v->shift };

	return (unsigned long)cpupr_task_head(&t, table_key(v->key)) / sizeof(*t.heads) == v->want;
}

/* Sums of tasks: each number by itself, and past the highest. */
static inline bool task_sums_right(void)
{
	static const struct cpupr_task_sum a = { { 1, 2, 3, 4 }, 5, 6, 7, TASK_MAX };
	static const struct cpupr_task_sum b = { { 10, 20, 30, 40 }, 50, 60, 70, 80 };
	static const struct cpupr_task_sum sum = { { 11, 22, 33, 44 }, 55, 66, 77, 79 };
	struct cpupr_task_sum s = a;

	cpupr_task_sum_add(&s, &b);
	if (memcmp(&s, &sum, sizeof(s)))
		return false;
	cpupr_task_sum_sub(&s, &b);
	return !memcmp(&s, &a, sizeof(s));
}

#endif
