/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module's file freqs as structures, and the rules that hold at every read.
 *
 * A check answers NULL if the rule holds, else a sentence with the figures. It
 * stays valid until the next check.
 */
#ifndef SELFTEST_FREQS_H
#define SELFTEST_FREQS_H

#include <stdbool.h>
#include <stdint.h>

#include "cpufreq.h"

#define FREQS_MAX_ROWS	1024
#define FREQS_OWN_ROWS	62	/* frequencies of a CPU that have a row of their own */

#define FREQS_SHOT_CPUS	2

/* Instead of a frequency in kHz. */
#define FREQS_UNKNOWN	UINT64_C(0)
#define FREQS_OTHER	UINT64_MAX
#define FREQS_ANY	(UINT64_MAX - 1)

enum freqs_field { FREQS_TIME, FREQS_BUSY, FREQS_CYCLES, FREQS_CLOCK, FREQS_FIELDS };

struct freqs_row {
	int cpu;
	uint64_t khz;			/* that somebody has told */
	uint64_t mean_khz;		/* measured where nobody has, 0 where not */
	uint64_t value[FREQS_FIELDS];	/* 0 where unknown */
	unsigned int known;		/* one bit a field */
	bool has_util;
	unsigned int util_pct;		/* in hundredths */
	char source[32];
	uint64_t elapsed;		/* of the CPU, in all of its rows */
};

struct freqs {
	uint64_t before, after;		/* CLOCK_MONOTONIC around the read */
	unsigned int rows;
	struct freqs_row row[FREQS_MAX_ROWS];
};

/* Beside them what the kernel has counted, for the first two CPUs. */
struct freqs_shot {
	struct freqs freqs;
	struct cpufreq_stats stats[FREQS_SHOT_CPUS];
};

void freqs_require(void);
void freqs_parse(struct freqs *freqs, char *text);
void freqs_read(struct freqs *freqs);
void freqs_read_checked(struct freqs *freqs, const struct freqs *last);
void freqs_follow(struct freqs *last);
void freqs_take(struct freqs_shot *shot, const struct freqs *last);
void freqs_print(const struct freqs *freqs);

const struct freqs_row *freqs_find(const struct freqs *freqs, int cpu, uint64_t khz);
uint64_t freqs_sum(const struct freqs *freqs, int cpu, uint64_t khz, enum freqs_field field);
uint64_t freqs_delta(const struct freqs *a, const struct freqs *b, int cpu, uint64_t khz,
		     enum freqs_field field);
uint64_t freqs_elapsed(const struct freqs *freqs, int cpu);
bool freqs_only(const struct freqs *a, const struct freqs *b, int cpu, uint64_t khz);

const char *freqs_check(const struct freqs *freqs);
const char *freqs_check_after(const struct freqs *a, const struct freqs *b);
const char *freqs_check_clock(const struct freqs *a, const struct freqs *b);
const char *freqs_check_books(void);
const char *freqs_check_stats(const struct freqs_shot *a, const struct freqs_shot *b,
			      unsigned int *own);
bool freqs_passes(const char *error);

#endif
