/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module's files syscalls and syscall_hist as structures, and the rules that
 * hold at every read.
 *
 * A check answers NULL if the rule holds, else a sentence with the figures. It
 * stays valid until the next check.
 */
#ifndef SELFTEST_SYSCALLS_H
#define SELFTEST_SYSCALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "book.h"

#define SYSCALLS_OTHER		(-1)	/* instead of a number: of all that no table has */
#define SYSCALLS_MAX_ROWS	2048
#define SYSCALLS_MAX_BUCKETS	65536

struct syscalls_row {
	bool compat;
	int nr;
	char name[64];
	uint64_t count, cpu, wall, max;
};

struct syscalls_bucket {
	bool compat, wall;
	int nr;
	char name[64];
	uint64_t from, count;
};

struct syscalls {
	uint64_t before, after;		/* CLOCK_MONOTONIC around the read */
	unsigned int rows, buckets;
	struct syscalls_row row[SYSCALLS_MAX_ROWS];
	struct syscalls_bucket bucket[SYSCALLS_MAX_BUCKETS];
};

/* What came between two reads. */
struct syscalls_delta {
	uint64_t count, cpu, wall, ended;
};

void syscalls_require(void);
void syscalls_reset(void);
void syscalls_read(struct syscalls *s);
void syscalls_read_checked(struct syscalls *s, const struct syscalls *last);
void syscalls_print(const struct syscalls *s);
void syscalls_print_row(const struct syscalls_row *row);

const struct syscalls_row *syscalls_find(const struct syscalls *s, bool compat, int nr);
uint64_t syscalls_ended(const struct syscalls *s, bool compat, int nr, bool wall);
struct syscalls_delta syscalls_delta(const struct syscalls *a, const struct syscalls *b, bool compat, int nr);
uint64_t syscalls_count(const struct syscalls *s);
uint64_t syscalls_cpu(const struct syscalls *s);

const char *syscalls_check(const struct syscalls *s);
const char *syscalls_check_after(const struct syscalls *a, const struct syscalls *b);
const char *syscalls_check_hist(const struct syscalls *s, bool compat, int nr);

#endif
