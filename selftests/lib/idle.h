/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The idle states as structures: by the module's three files, and by sysfs.
 *
 * Both are exact, and so comparable to the last count, only while no CPU is idle:
 * the kernel books a stay when it has ended. idle_hold() sees to that.
 */
#ifndef SELFTEST_IDLE_H
#define SELFTEST_IDLE_H

#include <stdbool.h>
#include <stdint.h>

#define IDLE_MAX_ROWS		1024
#define IDLE_MAX_BUCKETS	16384
#define IDLE_MAX_CAUSES		8192
#define IDLE_NAME		64

/* Instead of a state's index. */
#define IDLE_DEFAULT	(-1)
#define IDLE_POLL	(-2)
#define IDLE_ANY	(-3)	/* all rows of a CPU; as a CPU: of all CPUs */

enum idle_field {
	IDLE_LATENCY, IDLE_RESIDENCY, IDLE_USAGE, IDLE_TIME, IDLE_REJECTED, IDLE_ABOVE,
	IDLE_BELOW, IDLE_LESS, IDLE_MORE, IDLE_REQUESTED, IDLE_FIELDS,
};

struct idle_state {
	int cpu, state;
	char name[IDLE_NAME];		/* unescaped; "-" where unknown */
	uint64_t value[IDLE_FIELDS];	/* 0 where unknown */
	unsigned int known;		/* one bit a field */
	unsigned int cost_pct;		/* in hundredths; the module's rows only */
	bool disabled;			/* sysfs's rows only */
};

struct idle_rows {
	unsigned int rows;
	struct idle_state row[IDLE_MAX_ROWS];
};

struct idle_bucket {
	int cpu, state;
	char name[IDLE_NAME];
	uint64_t from, count, time;
};

struct idle_cause {
	int cpu, state;
	char name[IDLE_NAME], cause[IDLE_NAME];
	uint64_t count;
};

struct idle_shot {
	uint64_t before, after;		/* CLOCK_MONOTONIC around the read of idle_states */
	struct idle_rows books, sysfs;
	unsigned int buckets, causes;
	struct idle_bucket bucket[IDLE_MAX_BUCKETS];
	struct idle_cause cause[IDLE_MAX_CAUSES];
};

void idle_require(void);
void idle_require_driver(const char *name);

void idle_hold(void);
void idle_release(void);
void idle_read_states(struct idle_rows *books);
void idle_read_sysfs(struct idle_rows *sysfs);
void idle_take(struct idle_shot *shot);
void idle_take_held(struct idle_shot *shot);
void idle_wait(uint64_t stays, uint64_t at_most_ns);

void idle_disable(int cpu, const char *name, bool disable);
void idle_only(int cpu, const char *name);
void idle_enable_all(void);

const struct idle_state *idle_find(const struct idle_rows *rows, int cpu, int state, const char *name);
uint64_t idle_sum(const struct idle_rows *rows, int cpu, int state, const char *name,
		  enum idle_field field);
uint64_t idle_delta(const struct idle_shot *a, const struct idle_shot *b, int cpu, int state,
		    enum idle_field field);
uint64_t idle_caused(const struct idle_shot *shot, int cpu, const char *cause);

const char *idle_check(const struct idle_shot *held);
const char *idle_check_names(const struct idle_shot *shot);
const char *idle_check_histogram(const struct idle_shot *held);
const char *idle_check_growth(const struct idle_shot *a, const struct idle_shot *b);
const char *idle_check_causes(const struct idle_shot *held);
const char *idle_check_bounds(const struct idle_shot *held);
const char *idle_check_after(const struct idle_rows *a, const struct idle_rows *b);
const char *idle_check_counts(const struct idle_shot *a, const struct idle_shot *b);
const char *idle_check_time(const struct idle_shot *a, const struct idle_shot *b);
bool idle_passes(const char *error);

#endif
