/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module's file counters as structures, the rules that hold at every read,
 * and perf beside it.
 *
 * A check answers NULL if the rule holds, else a sentence with the figures. It
 * stays valid until the next check.
 */
#ifndef SELFTEST_COUNTERS_H
#define SELFTEST_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "book.h"

#define COUNTERS_PATH		BOOK_DEBUGFS "counters"
#define COUNTERS_DEFAULT	"cycles instructions cpu-clock context-switches"
#define COUNTERS_MAX_ROWS	1024
#define COUNTERS_NAME		128

struct counters_row {
	int cpu;
	char event[COUNTERS_NAME];
	uint64_t value, enabled, running;	/* 0 where unknown */
	bool counted;				/* there is a value */
	char status[16];			/* unescaped: "no slot" */
};

struct counters {
	uint64_t before, after;		/* CLOCK_MONOTONIC around the read */
	unsigned int rows;
	struct counters_row row[COUNTERS_MAX_ROWS];
};

/* What two reads say of what came between them: not less and not more than that. */
struct counters_span {
	uint64_t least, most;
};

void counters_require(void);
void counters_parse(struct counters *counters, char *text);
void counters_read(struct counters *counters);
void counters_read_checked(struct counters *counters, const struct counters *last);
void counters_choose(const char *list);
void counters_print(const struct counters *counters);

const struct counters_row *counters_find(const struct counters *counters, int cpu, const char *event);
const struct counters_row *counters_row(const struct counters *counters, int cpu, const char *event);
bool counters_are(const struct counters *counters, int cpu, const char *event, const char *status);
uint64_t counters_delta(const struct counters *a, const struct counters *b, int cpu,
			const char *event);
struct counters_span counters_time(const struct counters *a, const struct counters *b);

const char *counters_check(const struct counters *counters);
const char *counters_check_after(const struct counters *a, const struct counters *b);

#define PERF_MAX_ROWS	64

/* What perf counted of an event on a CPU. */
struct perf_row {
	int cpu;
	char event[COUNTERS_NAME];
	double value;			/* scaled, as perf does it; clocks in ms */
	bool counted;
	double running;			/* for how long, ns */
	double running_pct;		/* of the time it was to count */
};

struct perf_beside {
	struct counters a, inner_a, inner_b, b;	/* before perf, within its time, after it */
	unsigned int rows;
	struct perf_row row[PERF_MAX_ROWS];
};

bool perf_here(void);
void perf_beside(struct perf_beside *p, const char *events, unsigned int seconds);
const struct perf_row *perf_find(const struct perf_beside *p, int cpu, const char *event);

#endif
