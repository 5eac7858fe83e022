/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /proc/cpuprecise as structures: the one place that knows its text.
 *
 * Reading and parsing are apart, so that a measurement can take its two
 * snapshots with one pread() each and parse them afterwards.
 */
#ifndef SELFTEST_BOOK_H
#define SELFTEST_BOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BOOK_PATH	"/proc/cpuprecise"
#define BOOK_DEBUGFS	"/sys/kernel/debug/cpuprecise/"
#define BOOK_PARAMETERS	"/sys/module/cpuprecise/parameters/"
#define BOOK_MAX_CPUS	256
#define BOOK_ALL	(-1)	/* the row `cpu`: all CPUs */

enum book_field {
	USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, GUEST, GUEST_NICE,
	ELAPSED, BOOK_FIELDS,
};

extern const char *const book_field_name[BOOK_FIELDS];

struct book_row {
	int cpu;
	uint64_t ns[BOOK_FIELDS];	/* 0 where unknown */
	unsigned int known;		/* one bit a field */
	unsigned int busy_pct;		/* in hundredths */
	bool online;
};

struct book {
	uint64_t before, after;		/* CLOCK_MONOTONIC around the read */
	uint64_t epoch, since, now;	/* the header's */
	char clock[16];
	int rows;
	struct book_row row[BOOK_MAX_CPUS + 1];
};

/* A snapshot that is not parsed yet. */
struct book_text {
	uint64_t before, after;
	size_t length;
	char text[BOOK_MAX_CPUS * 256];
};

int book_open(void);
void book_close(void);
void book_take(struct book_text *text);
const char *book_parse(struct book *book, const struct book_text *text);
void book_read(struct book *book);

const struct book_row *book_find(const struct book *book, int cpu);
const struct book_row *book_cpu(const struct book *book, int cpu);
uint64_t book_sum(const struct book_row *row);
uint64_t book_busy(const struct book_row *row);
uint64_t book_delta(const struct book *a, const struct book *b, int cpu, enum book_field field);
uint64_t book_busy_delta(const struct book *a, const struct book *b, int cpu);

const char *book_check(const struct book *book);
const char *book_check_after(const struct book *a, const struct book *b);
const char *book_check_elapsed(const struct book *book, const struct book *from);
const char *book_check_elapsed_lost(const struct book *book, const struct book *from, uint64_t lost);
void book_print(const struct book *book);
void book_require(void);

#endif
