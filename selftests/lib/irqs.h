/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module's files irqs, softirqs, their histograms and theft as structures, and the
 * rules that hold at every read.
 *
 * A check answers NULL if the rule holds, else a sentence with the figures. It
 * stays valid until the next check.
 */
#ifndef SELFTEST_IRQS_H
#define SELFTEST_IRQS_H

#include <stdbool.h>
#include <stdint.h>

#include "book.h"

#define IRQS_MAX_ROWS	2048
#define IRQS_NAME	48	/* of a row; a longer one is cut */
#define IRQS_THEFT_ROWS	200	/* of which the pairs are told */

enum irqs_kind {
	IRQS_VECTOR, IRQS_LINE, IRQS_IPI, IRQS_SOFTIRQ, IRQS_NMI, IRQS_OTHER, IRQS_TOTAL, IRQS_KINDS,
};

struct irqs_hist {
	uint64_t count;
	uint64_t least, most;		/* the sum of all, by the buckets' bounds */
	uint64_t longest;		/* where the last bucket begins */
};

struct irqs_row {
	int cpu, number;		/* number: -1 where there is none */
	enum irqs_kind kind;
	char name[64];
	uint64_t count, time, max;
	uint64_t daemon, delays, delay, delay_max;	/* softirqs */
	struct irqs_hist times, delayed;
};

/* One of the two: irqs or softirqs. */
struct irqs {
	bool soft;
	uint64_t before, after;		/* CLOCK_MONOTONIC around the read of the rows */
	unsigned int rows;
	struct irqs_row row[IRQS_MAX_ROWS];
};

struct irqs_theft_row {
	int tgid, pid;			/* -1: of none */
	char comm[16];
	enum irqs_kind kind;
	char name[64];
	uint64_t count, time;
};

struct irqs_theft {
	unsigned int rows;		/* without the two at the end */
	struct irqs_theft_row row[IRQS_THEFT_ROWS], other, evicted;
};

extern const char *const irqs_kind_name[IRQS_KINDS];

void irqs_require(const char *file);
void irqs_read(struct irqs *irqs, bool soft);
void irqs_read_checked(struct irqs *irqs, bool soft, const struct irqs *last);
void irqs_print_row(const struct irqs_row *row);
void irqs_print(const struct irqs *irqs);

const struct irqs_row *irqs_find(const struct irqs *irqs, int cpu, enum irqs_kind kind, int number,
				 const char *name);
const struct irqs_row *irqs_total(const struct irqs *irqs, int cpu);
uint64_t irqs_count(const struct irqs *irqs, int cpu, enum irqs_kind kind, int number, const char *name);

const char *irqs_check(const struct irqs *irqs);
const char *irqs_check_after(const struct irqs *a, const struct irqs *b);
const char *irqs_check_quiet(const struct irqs *irqs);
const char *irqs_check_hists(const struct irqs *irqs, const struct irqs *before);

void irqs_theft_read(struct irqs_theft *theft);
uint64_t irqs_theft_sum(const struct irqs_theft *theft);

#endif
