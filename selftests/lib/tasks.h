/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module's files tasks, processes and exited as structures, and the rules that
 * hold at every read.
 *
 * A check answers NULL if the rule holds, else a sentence with the figures. It
 * stays valid until the next check.
 */
#ifndef SELFTEST_TASKS_H
#define SELFTEST_TASKS_H

#include <stdbool.h>
#include <stdint.h>

#include "book.h"

/* Files. */
#define TASKS		"tasks"
#define TASKS_PROCESSES	"processes"
#define TASKS_GONE	"exited"

#define TASKS_GONE_ROWS	1000	/* the file exited has no more */

/* Instead of a pid: the rows at the end. */
#define TASKS_EXITED	(-1)
#define TASKS_OTHER	(-2)

enum tasks_field {
	TASKS_RUN, TASKS_USER, TASKS_SYSTEM, TASKS_IRQ, TASKS_SOFTIRQ, TASKS_WAIT, TASKS_SWITCHES,
	TASKS_TICK, TASKS_VOLUNTARY, TASKS_INVOLUNTARY, TASKS_FIELDS,
};

extern const char *const tasks_field_name[TASKS_FIELDS];

struct tasks_row {
	int pid, tgid;			/* tgid, cpu: -1 where unknown */
	char comm[16];			/* as the kernel has it, not escaped */
	char state;
	int cpu;
	uint64_t start;			/* CLOCK_MONOTONIC; 0 where unknown */
	uint64_t value[TASKS_FIELDS];	/* 0 where unknown */
	unsigned int known;		/* one bit a field */
};

struct tasks {
	const char *file;
	uint64_t before, after;		/* CLOCK_MONOTONIC around the read */
	uint64_t epoch, since;		/* the module's, just before */
	unsigned int rows, room;
	struct tasks_row *row;		/* in the file's order */
	struct tasks_row **sorted;	/* by pid and start */
};

void tasks_require(void);
void tasks_parse(struct tasks *tasks, const char *file, char *text);
void tasks_read(struct tasks *tasks, const char *file);
void tasks_read_checked(struct tasks *tasks, const char *file, const struct tasks *last);
void tasks_free(struct tasks *tasks);
void tasks_print_row(const struct tasks_row *row);
void tasks_print(const struct tasks *tasks);

const struct tasks_row *tasks_find(const struct tasks *tasks, int pid);
const struct tasks_row *tasks_find_start(const struct tasks *tasks, int pid, uint64_t start);
const struct tasks_row *tasks_row(const struct tasks *tasks, int pid);
uint64_t tasks_sum(const struct tasks *tasks, enum tasks_field field);
uint64_t tasks_delta(const struct tasks *a, const struct tasks *b, int pid, enum tasks_field field);
uint64_t tasks_clock(const struct tasks_row *row);

const char *tasks_check(const struct tasks *now, const struct tasks *last);

#endif
