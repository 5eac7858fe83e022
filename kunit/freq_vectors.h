/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Literal frequencies, counters and cycles and what must come of them: the
 * tables that the host tests and the KUnit suite share.
 *
 * Every number was worked out by hand from the comments of freq.h and freq.c,
 * none was copied from a run.
 */
#ifndef CPUPRECISE_FREQ_VECTORS_H
#define CPUPRECISE_FREQ_VECTORS_H

#include <cpuprecise/freq.h>

#define FREQ_MAX	(~0ULL)
#define FREQ_48		(1ULL << 48)

#define FREQ_TEN_YEARS		315360000000000000ULL	/* ns, of 365 days */
#define FREQ_TEN_YEARS_6GHZ	1892160000000000000ULL	/* cycles */

enum freq_function { M_UTIL, M_KHZ, M_APERF, M_IPC, M_DELTA };

/**
 * struct freq_math_vector - what a function must say
 * @name: what it shows
 * @function: which
 * @a: its first argument
 * @b: its second one; ns of cpupr_util()
 * @khz: of cpupr_util() and cpupr_aperf_khz()
 * @none: it must say that there is none
 * @want: what it must say otherwise
 */
struct freq_math_vector {
	const char *name;
	enum freq_function function;
	u64 a;
	u64 b;
	u32 khz;
	bool none;
	u64 want;
};

static const struct freq_math_vector freq_math_vectors[] = {
	/* cycles, ns, kHz */
	{ "util: all of ten years at 6 GHz", M_UTIL, FREQ_TEN_YEARS_6GHZ, FREQ_TEN_YEARS, 6000000, false, 10000 },
	{ "util: one cycle less", M_UTIL, FREQ_TEN_YEARS_6GHZ - 1, FREQ_TEN_YEARS, 6000000, false, 9999 },
	{ "util: half of a second at 3 GHz", M_UTIL, 1500000000, 1000000000, 3000000, false, 5000 },
	{ "util: a third", M_UTIL, 1000000000, 1000000000, 3000000, false, 3333 },
	{ "util: two thirds", M_UTIL, 2000000000, 1000000000, 3000000, false, 6666 },
	{ "util: a boost", M_UTIL, 4500000000, 1000000000, 3000000, false, 15000 },
	{ "util: no cycle", M_UTIL, 0, 1000000000, 3000000, false, 0 },
	{ "util: a frequency of 0", M_UTIL, 1000, 1000000000, 0, true, 0 },
	{ "util: no time", M_UTIL, 1000, 0, 3000000, true, 0 },
	{ "util: time for no cycle", M_UTIL, 1000, 999999, 1, true, 0 },
	{ "util: time for one cycle", M_UTIL, 1, 1000000, 1, false, 10000 },
	{ "util: time for 1.5 cycles is that", M_UTIL, 1, 1500000, 1, false, 6666 },
	/* 1,999,999 millionths of a cycle: 5000.0025 */
	{ "util: all digits of the divisor count", M_UTIL, 1, 1999999, 1, false, 5000 },
	{ "util: 2^64 - 1 cycles in time for one", M_UTIL, FREQ_MAX, 1000000, 1, false, FREQ_MAX },
	{ "util: 2^64 - 1 cycles, the quotient just fits", M_UTIL, FREQ_MAX, 10000000000ULL, 1, false, FREQ_MAX },
	{ "util: 2^64 - 1 cycles, the quotient is too much", M_UTIL, FREQ_MAX, 9999999999ULL, 1, false, FREQ_MAX },
	{ "util: 2^63 cycles, half of that", M_UTIL, 1ULL << 63, 10000000000ULL, 1, false, 1ULL << 63 },
	/* The divisor is (2^64 - 1) * (2^32 - 1): 10^10 / (2^32 - 1) = 2.32 */
	{ "util: all at their most", M_UTIL, FREQ_MAX, FREQ_MAX, 0xffffffff, false, 2 },
	{ "util: a cycle of all the time there is", M_UTIL, 1, FREQ_MAX, 0xffffffff, false, 0 },
	/* cycles, ns */
	{ "kHz: ten years at 6 GHz", M_KHZ, FREQ_TEN_YEARS_6GHZ, FREQ_TEN_YEARS, 0, false, 6000000 },
	{ "kHz: one cycle less", M_KHZ, FREQ_TEN_YEARS_6GHZ - 1, FREQ_TEN_YEARS, 0, false, 5999999 },
	{ "kHz: a cycle a ns", M_KHZ, 5, 5, 0, false, 1000000 },
	{ "kHz: two thirds", M_KHZ, 2, 3, 0, false, 666666 },
	{ "kHz: no cycle", M_KHZ, 0, 5, 0, false, 0 },
	{ "kHz: no time", M_KHZ, 5, 0, 0, false, 0 },
	{ "kHz: 2^64 - 1 of both", M_KHZ, FREQ_MAX, FREQ_MAX, 0, false, 1000000 },
	{ "kHz: 2^64 - 1 cycles, the quotient just fits", M_KHZ, FREQ_MAX, 1000000, 0, false, FREQ_MAX },
	{ "kHz: too many for 64 bits", M_KHZ, FREQ_MAX, 999999, 0, false, FREQ_MAX },
	{ "kHz: a product of 84 bits", M_KHZ, 3ULL << 62, 1500000, 0, false, 1ULL << 63 },
	{ "kHz: one cycle in 2^64 - 1 ns", M_KHZ, 1, FREQ_MAX, 0, false, 0 },
	/* APERF, MPERF, kHz of that */
	{ "aperf: as fast as MPERF, ten years at 6 GHz", M_APERF, FREQ_TEN_YEARS_6GHZ, FREQ_TEN_YEARS_6GHZ, 6000000, false, 6000000 },
	{ "aperf: half as fast", M_APERF, 1500, 3000, 2400000, false, 1200000 },
	{ "aperf: a boost", M_APERF, 4000, 3000, 2400000, false, 3200000 },
	{ "aperf: rounded down", M_APERF, 2, 3, 100, false, 66 },
	{ "aperf: MPERF stood still", M_APERF, 7, 0, 2400000, false, 0 },
	{ "aperf: the base is not known", M_APERF, 7, 7, 0, false, 0 },
	{ "aperf: too many for 64 bits", M_APERF, FREQ_MAX, 1, 2, false, FREQ_MAX },
	/* instructions, cycles */
	{ "ipc: one", M_IPC, 1000, 1000, 0, false, 100 },
	{ "ipc: four and a half", M_IPC, 9, 2, 0, false, 450 },
	{ "ipc: two thirds", M_IPC, 2, 3, 0, false, 66 },
	{ "ipc: no instruction", M_IPC, 0, 3, 0, false, 0 },
	{ "ipc: 2^64 - 1 of both", M_IPC, FREQ_MAX, FREQ_MAX, 0, false, 100 },
	{ "ipc: 2^64 - 1 in half of that, rounded down", M_IPC, FREQ_MAX, 1ULL << 63, 0, false, 199 },
	{ "ipc: 2^64 - 1 in a hundred", M_IPC, FREQ_MAX, 100, 0, false, FREQ_MAX },
	{ "ipc: 2^64 - 1 in one", M_IPC, FREQ_MAX, 1, 0, false, FREQ_MAX },
	/* now, last */
	{ "delta: none", M_DELTA, 7, 7, 0, false, 0 },
	{ "delta: forwards", M_DELTA, 12, 7, 0, false, 5 },
	{ "delta: from 0 to the end", M_DELTA, FREQ_MAX, 0, 0, false, FREQ_MAX },
	{ "delta: across 48 bits, of a counter that has more", M_DELTA, FREQ_48 + 3, FREQ_48 - 2, 0, false, 5 },
	{ "delta: round at 48 bits", M_DELTA, 3, FREQ_48 - 2, 0, false, 5 },
	{ "delta: round at 48 bits to 0", M_DELTA, 0, FREQ_48 - 1, 0, false, 1 },
	{ "delta: almost all the way round", M_DELTA, 6, 7, 0, false, FREQ_48 - 1 },
	{ "delta: backwards from 48 bits", M_DELTA, 0, FREQ_48, 0, false, 0 },
	{ "delta: backwards above 48 bits", M_DELTA, FREQ_48 + 1, FREQ_48 + 2, 0, false, 0 },
	{ "delta: backwards from the end", M_DELTA, 1, FREQ_MAX, 0, false, 0 },
};

/* Returns whether it is as it should be; @got is what was said. */
static inline bool freq_math_run(const struct freq_math_vector *v, u64 *got)
{
	bool none = false;

	*got = 0;
	switch (v->function) {
	case M_UTIL:
		none = !cpupr_util(v->a, v->khz, v->b, got);
		break;
	case M_KHZ:
		*got = cpupr_khz(v->a, v->b);
		break;
	case M_APERF:
		*got = cpupr_aperf_khz(v->khz, v->a, v->b);
		break;
	case M_IPC:
		*got = cpupr_ipc100(v->a, v->b);
		break;
	case M_DELTA:
		*got = cpupr_count_delta(v->a, v->b);
		break;
	}
	return none == v->none && *got == v->want;
}

#define FREQ_PARTS	5

/**
 * struct freq_share_vector - what is to be shared out
 * @name: what it shows
 * @whole: the sum
 * @fallback: gets it if there are no parts
 * @part: in proportion to these
 * @want: the shares
 */
struct freq_share_vector {
	const char *name;
	u64 whole;
	unsigned int fallback;
	u64 part[FREQ_PARTS];
	u64 want[FREQ_PARTS];
};

static const struct freq_share_vector freq_share_vectors[] = {
	{ "no part: the fallback", 100, 2, { 0, 0, 0, 0, 0 }, { 0, 0, 100, 0, 0 } },
	{ "nothing to share out", 0, 2, { 1, 2, 3, 4, 5 }, { 0, 0, 0, 0, 0 } },
	{ "one part", 100, 2, { 0, 7, 0, 0, 0 }, { 0, 100, 0, 0, 0 } },
	{ "equal parts", 100, 0, { 3, 3, 3, 3, 3 }, { 20, 20, 20, 20, 20 } },
	{ "what is left goes to the last", 100, 0, { 1, 1, 1, 1, 2 }, { 16, 16, 16, 16, 36 } },
	{ "the last that has a part", 100, 0, { 1, 1, 1, 0, 0 }, { 33, 33, 34, 0, 0 } },
	{ "less than there are parts", 3, 0, { 1, 1, 1, 1, 1 }, { 0, 0, 0, 0, 3 } },
	{ "a part of 1 of 2^64 - 1", FREQ_MAX, 0, { 1, FREQ_MAX - 1, 0, 0, 0 }, { 1, FREQ_MAX - 1, 0, 0, 0 } },
	{ "2^64 - 1 by thirds", FREQ_MAX, 0, { 1, 0, 1, 0, 1 },
	  { FREQ_MAX / 3, 0, FREQ_MAX / 3, 0, FREQ_MAX / 3 } },
	/* 2^64 - 1 halved: 0.5 is left. */
	{ "2^64 - 1 halved", FREQ_MAX, 0, { 1ULL << 62, 1ULL << 62, 0, 0, 0 },
	  { FREQ_MAX >> 1, 1ULL << 63, 0, 0, 0 } },
	{ "parts that add up to 2^64 - 1", 1000, 0, { 1ULL << 63, (1ULL << 63) - 1, 0, 0, 0 },
	  { 500, 500, 0, 0, 0 } },
	{ "ten years of 6 GHz by time", FREQ_TEN_YEARS_6GHZ, 0,
	  { FREQ_TEN_YEARS / 10 * 9, 0, FREQ_TEN_YEARS / 10, 0, 0 },
	  { 1702944000000000000ULL, 0, 189216000000000000ULL, 0, 0 } },
};

/* Shares are added to what is there. Returns the first that is wrong, or -1. */
static inline int freq_share_run(const struct freq_share_vector *v, u64 *got)
{
	u64 to[FREQ_PARTS];
	int i;

	for (i = 0; i < FREQ_PARTS; i++)
		to[i] = 1000U * (unsigned int)i;
	cpupr_share(v->whole, v->part, to, FREQ_PARTS, v->fallback);
	for (i = 0; i < FREQ_PARTS; i++) {
		*got = to[i] - 1000U * (unsigned int)i;
		if (*got != v->want[i])
			return i;
	}
	return -1;
}

/* What is done, then what is looked at: of row @a it must be @b. */
enum freq_op {
	F_END,
	F_SEED_TIME,	/* busy, idle, clock */
	F_SEED_CYCLES,	/* cycles, clock */
	F_TIME,		/* busy, idle, clock */
	F_CYCLES,	/* cycles, clock */
	F_CHANGE,	/* kHz */
	F_FILL,		/* to 1, 2, ... up to this many kHz */
	F_KHZ,
	F_ROWS,		/* @b of them */
	F_ROW,		/* @b is current */
	F_COUNTED_ROW,	/* @b gets the cycles */
	F_BUSY,		/* as in struct cpupr_freq_sum */
	F_IDLE,
	F_CLOCK,
	F_SUM_CYCLES,
	F_COUNTED,
};

#define FREQ_STEPS	32

struct freq_step {
	enum freq_op op;
	u64 a;
	u64 b;
	u64 c;
};

struct freq_vector {
	const char *name;
	struct freq_step step[FREQ_STEPS];
};

#define ALL	FREQ_MAX	/* rows together */

static const struct freq_vector freq_vectors[] = {
	{
		.name = "nothing is known",
		.step = {
			{ F_ROWS, 0, 1 }, { F_ROW, 0, 0 }, { F_COUNTED_ROW, 0, 0 }, { F_KHZ, 0, 0 },
			{ F_BUSY, ALL, 0 }, { F_IDLE, ALL, 0 }, { F_CLOCK, ALL, 0 },
			{ F_SUM_CYCLES, ALL, 0 }, { F_COUNTED, ALL, 0 },
		},
	}, {
		.name = "time before a frequency is known",
		.step = {
			{ F_SEED_TIME, 100, 200, 300 }, { F_TIME, 110, 220, 330 },
			{ F_BUSY, 0, 10 }, { F_IDLE, 0, 20 }, { F_CLOCK, 0, 30 },
			{ F_CHANGE, 1000 }, { F_TIME, 111, 222, 333 },
			{ F_BUSY, 0, 10 }, { F_IDLE, 0, 20 }, { F_CLOCK, 0, 30 },
			{ F_BUSY, 1, 1 }, { F_IDLE, 1, 2 }, { F_CLOCK, 1, 3 },
			{ F_KHZ, 1, 1000 }, { F_ROWS, 0, 2 }, { F_SUM_CYCLES, ALL, 0 }, { F_COUNTED, ALL, 0 },
		},
	}, {
		.name = "to and fro: a row each",
		.step = {
			{ F_CHANGE, 1000 }, { F_TIME, 1, 0, 1 }, { F_CHANGE, 2000 }, { F_TIME, 3, 0, 3 },
			{ F_CHANGE, 1000 }, { F_TIME, 7, 0, 7 }, { F_CHANGE, 2000 }, { F_TIME, 15, 0, 15 },
			{ F_BUSY, 1, 1 + 4 }, { F_BUSY, 2, 2 + 8 }, { F_BUSY, ALL, 15 },
			{ F_KHZ, 1, 1000 }, { F_KHZ, 2, 2000 }, { F_ROWS, 0, 3 }, { F_ROW, 0, 2 },
		},
	}, {
		.name = "to the frequency that it has",
		.step = {
			{ F_CHANGE, 1000 }, { F_CHANGE, 1000 }, { F_ROWS, 0, 2 }, { F_ROW, 0, 1 },
		},
	}, {
		.name = "the frequency gets lost",
		.step = {
			{ F_CHANGE, 1000 }, { F_TIME, 0, 5, 5 }, { F_CHANGE, 0 }, { F_ROW, 0, 0 },
			{ F_TIME, 0, 8, 8 }, { F_CHANGE, 1000 }, { F_TIME, 0, 9, 9 },
			{ F_IDLE, 0, 3 }, { F_IDLE, 1, 6 }, { F_ROWS, 0, 2 }, { F_KHZ, 0, 0 },
		},
	}, {
		.name = "one that differs in its highest bit",
		.step = {
			{ F_CHANGE, 1 }, { F_CHANGE, 0x80000001 }, { F_ROW, 0, 2 },
			{ F_KHZ, 1, 1 }, { F_KHZ, 2, 0x80000001 },
		},
	}, {
		.name = "62 frequencies have a row",
		.step = {
			{ F_FILL, 62 }, { F_ROW, 0, 62 }, { F_ROWS, 0, 63 }, { F_KHZ, 1, 1 }, { F_KHZ, 62, 62 },
			{ F_TIME, 1, 1, 2 }, { F_BUSY, 62, 1 }, { F_BUSY, CPUPR_FREQ_OTHER, 0 },
		},
	}, {
		.name = "the 63rd has none, nor has the 64th",
		.step = {
			{ F_FILL, 63 }, { F_ROW, 0, CPUPR_FREQ_OTHER }, { F_ROWS, 0, 63 },
			{ F_KHZ, CPUPR_FREQ_OTHER, 0 }, { F_TIME, 1, 1, 2 },
			{ F_CHANGE, 64 }, { F_ROW, 0, CPUPR_FREQ_OTHER }, { F_ROWS, 0, 63 }, { F_TIME, 3, 3, 6 },
			{ F_BUSY, CPUPR_FREQ_OTHER, 3 }, { F_CLOCK, CPUPR_FREQ_OTHER, 6 },
			{ F_KHZ, CPUPR_FREQ_OTHER, 0 },
			/* Those that have one still do, and so does what is not known. */
			{ F_CHANGE, 62 }, { F_ROW, 0, 62 }, { F_CHANGE, 1 }, { F_ROW, 0, 1 },
			{ F_CHANGE, 0 }, { F_ROW, 0, 0 },
		},
	}, {
		.name = "cycles of 1,000 frequencies",
		.step = {
			{ F_FILL, 1000 }, { F_SEED_CYCLES, 50, 5 }, { F_CYCLES, 70, 8 },
			{ F_SUM_CYCLES, CPUPR_FREQ_OTHER, 20 }, { F_COUNTED, CPUPR_FREQ_OTHER, 3 },
			{ F_ROWS, 0, 63 },
		},
	}, {
		.name = "cycles belong to the frequency at the last look",
		.step = {
			{ F_CHANGE, 1000 }, { F_SEED_CYCLES, 100, 10 }, { F_COUNTED_ROW, 0, 1 },
			/* Two changes, no look */
			{ F_CHANGE, 2000 }, { F_CHANGE, 3000 }, { F_COUNTED_ROW, 0, 1 },
			{ F_CYCLES, 150, 12 }, { F_COUNTED_ROW, 0, 3 },
			{ F_SUM_CYCLES, 1, 50 }, { F_COUNTED, 1, 2 },
			{ F_SUM_CYCLES, 2, 0 }, { F_SUM_CYCLES, 3, 0 },
			{ F_CYCLES, 157, 15 }, { F_SUM_CYCLES, 3, 7 }, { F_COUNTED, 3, 3 },
			{ F_SUM_CYCLES, 1, 50 }, { F_SUM_CYCLES, ALL, 57 }, { F_COUNTED, ALL, 5 },
			/* None of it is time. */
			{ F_BUSY, ALL, 0 }, { F_IDLE, ALL, 0 }, { F_CLOCK, ALL, 0 },
		},
	}, {
		.name = "cycles are seeded between changes",
		.step = {
			{ F_CHANGE, 1000 }, { F_CHANGE, 2000 }, { F_SEED_CYCLES, 100, 10 }, { F_COUNTED_ROW, 0, 2 },
			{ F_CHANGE, 1000 }, { F_CYCLES, 101, 11 }, { F_SUM_CYCLES, 2, 1 }, { F_COUNTED_ROW, 0, 1 },
		},
	}, {
		.name = "a seed is no time, and no cycles",
		.step = {
			{ F_TIME, 10, 20, 30 }, { F_CYCLES, 40, 30 },
			{ F_SEED_TIME, 1000, 2000, 3000 }, { F_SEED_CYCLES, 4000, 3000 },
			{ F_TIME, 1001, 2002, 3003 }, { F_CYCLES, 4004, 3005 },
			{ F_BUSY, 0, 11 }, { F_IDLE, 0, 22 }, { F_CLOCK, 0, 33 },
			{ F_SUM_CYCLES, 0, 44 }, { F_COUNTED, 0, 35 },
			/* Backwards: a counter that begins anew */
			{ F_SEED_TIME, 0, 0, 0 }, { F_SEED_CYCLES, 0, 0 },
			{ F_TIME, 1, 1, 1 }, { F_CYCLES, 1, 1 },
			{ F_BUSY, 0, 12 }, { F_IDLE, 0, 23 }, { F_CLOCK, 0, 34 },
			{ F_SUM_CYCLES, 0, 45 }, { F_COUNTED, 0, 36 },
		},
	}, {
		.name = "a step back counts nothing, and nothing twice",
		.step = {
			{ F_SEED_TIME, 100, 100, 100 }, { F_SEED_CYCLES, 100, 100 },
			{ F_TIME, 90, 80, 70 }, { F_CYCLES, 60, 50 },
			{ F_BUSY, 0, 0 }, { F_IDLE, 0, 0 }, { F_CLOCK, 0, 0 },
			{ F_SUM_CYCLES, 0, 0 }, { F_COUNTED, 0, 0 },
			{ F_TIME, 101, 102, 103 }, { F_CYCLES, 104, 105 },
			{ F_BUSY, 0, 1 }, { F_IDLE, 0, 2 }, { F_CLOCK, 0, 3 },
			{ F_SUM_CYCLES, 0, 4 }, { F_COUNTED, 0, 5 },
		},
	}, {
		.name = "one of the books goes back, the others go on",
		.step = {
			{ F_SEED_TIME, 100, 100, 100 }, { F_SEED_CYCLES, 100, 100 },
			{ F_TIME, 99, 101, 102 }, { F_CYCLES, 99, 103 },
			{ F_BUSY, 0, 0 }, { F_IDLE, 0, 1 }, { F_CLOCK, 0, 2 },
			{ F_SUM_CYCLES, 0, 0 }, { F_COUNTED, 0, 3 },
			{ F_TIME, 101, 99, 101 }, { F_CYCLES, 104, 101 },
			{ F_BUSY, 0, 1 }, { F_IDLE, 0, 1 }, { F_CLOCK, 0, 2 },
			{ F_SUM_CYCLES, 0, 4 }, { F_COUNTED, 0, 3 },
		},
	}, {
		.name = "a step back while the frequency changes",
		.step = {
			{ F_SEED_TIME, 0, 0, 100 }, { F_CHANGE, 1000 }, { F_TIME, 0, 0, 110 }, { F_CHANGE, 2000 },
			{ F_TIME, 0, 0, 105 }, { F_CHANGE, 3000 }, { F_TIME, 0, 0, 112 },
			{ F_CLOCK, 1, 10 }, { F_CLOCK, 2, 0 }, { F_CLOCK, 3, 2 }, { F_CLOCK, ALL, 12 },
		},
	}, {
		.name = "all that 64 bits hold",
		.step = {
			{ F_TIME, FREQ_MAX, FREQ_MAX, FREQ_MAX }, { F_CYCLES, FREQ_MAX, FREQ_MAX },
			{ F_BUSY, 0, FREQ_MAX }, { F_IDLE, 0, FREQ_MAX }, { F_CLOCK, 0, FREQ_MAX },
			{ F_SUM_CYCLES, 0, FREQ_MAX }, { F_COUNTED, 0, FREQ_MAX },
		},
	},
};

static inline u64 freq_sum(const struct cpupr_freqs *f, enum freq_op field, u64 row)
{
	u64 sum = 0;
	int i;

	/* struct cpupr_freq_sum is u64 only. */
	for (i = 0; i < CPUPR_FREQ_ROWS; i++)
		if (row == ALL || row == (u64)i)
			sum += ((const u64 *)&f->sum[i])[field - F_BUSY];
	return sum;
}

/* Returns what @s found: what it must be, if it is not there to look. */
static inline u64 freq_apply(struct cpupr_freqs *f, const struct freq_step *s)
{
	u32 khz;

	switch (s->op) {
	case F_END:
		break;
	case F_SEED_TIME:
		cpupr_freqs_seed_time(f, s->a, s->b, s->c);
		break;
	case F_SEED_CYCLES:
		cpupr_freqs_seed_cycles(f, s->a, s->b);
		break;
	case F_TIME:
		cpupr_freqs_time(f, s->a, s->b, s->c);
		break;
	case F_CYCLES:
		cpupr_freqs_cycles(f, s->a, s->b);
		break;
	case F_CHANGE:
		cpupr_freqs_change(f, (u32)s->a);
		break;
	case F_FILL:
		for (khz = 1; khz <= s->a; khz++)
			cpupr_freqs_change(f, khz);
		break;
	case F_KHZ:
		return f->khz[s->a];
	case F_ROWS:
		return f->rows;
	case F_ROW:
		return f->row;
	case F_COUNTED_ROW:
		return f->counted;
	case F_BUSY:
	case F_IDLE:
	case F_CLOCK:
	case F_SUM_CYCLES:
	case F_COUNTED:
		return freq_sum(f, s->op, s->a);
	}
	return s->b;
}

/**
 * freq_run() - replay what happens to a CPU and look at its sums
 * @v: what happens
 * @f: where to, not cleared
 * @got: what the step that is returned found
 *
 * Return: the number of the first step that did not find what it should, or -1.
 */
static inline int freq_run(const struct freq_vector *v, struct cpupr_freqs *f, u64 *got)
{
	int i;

	memset(f, 0xa5, sizeof(*f));
	cpupr_freqs_init(f);
	for (i = 0; i < FREQ_STEPS && v->step[i].op != F_END; i++) {
		*got = freq_apply(f, &v->step[i]);
		if (*got != v->step[i].b)
			return i;
	}
	return -1;
}

#undef ALL

#endif
