/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Literal looks at counters and what must come of them: the table that the host
 * test and the KUnit suite share.
 *
 * Every number was worked out by hand from the comments of cycles.h, none was
 * copied from a run.
 */
#ifndef CPUPRECISE_CYCLES_VECTORS_H
#define CPUPRECISE_CYCLES_VECTORS_H

#include <cpuprecise/cycles.h>

#define CYCLES_48	(1ULL << 48)
#define CYCLES_STEPS	24

enum cycles_op {
	/* What happens */
	Y_END,
	Y_BOOK,		/* cpupr_cycles_book(kind, category, a) */
	Y_TIME,		/* cpupr_cycles_time(category, a), cycles counted at the last look */
	Y_TIME_ANEW,	/* the same, not counted then */
	Y_AWAY,		/* the counter of this kind is not there */
	/* What must be: a */
	Y_COUNT,	/* of a kind and category */
	Y_TOTAL,	/* of a kind */
	Y_NS,		/* time of a category */
	Y_NS_ALL,	/* time of all of them */
};

/**
 * struct cycles_step - what happens, or what must be
 * @op: which
 * @kind: of the counter
 * @category: what the CPU was at
 * @a: the counter, the time or what must be
 */
struct cycles_step {
	enum cycles_op op;
	enum cpupr_cycles_kind kind;
	u8 category;
	u64 a;
};

/**
 * struct cycles_vector - a life of the books; they begin with all zeroes
 * @name: what it shows
 * @step: up to the first that is zero
 */
struct cycles_vector {
	const char *name;
	struct cycles_step step[CYCLES_STEPS];
};

#define CYC	CPUPR_CYCLES
#define INS	CPUPR_INSTRUCTIONS

static const struct cycles_vector cycles_vectors[] = {
	{
		.name = "the first look books nothing",
		.step = {
			{ Y_BOOK, CYC, CPUPR_USER, 1000 }, { Y_COUNT, CYC, CPUPR_USER, 0 },
			{ Y_TOTAL, CYC, 0, 0 },
		},
	}, {
		.name = "the second one books the difference",
		.step = {
			{ Y_BOOK, CYC, CPUPR_USER, 1000 }, { Y_BOOK, CYC, CPUPR_SYSTEM, 1007 },
			{ Y_COUNT, CYC, CPUPR_SYSTEM, 7 }, { Y_COUNT, CYC, CPUPR_USER, 0 },
			{ Y_TOTAL, CYC, 0, 7 },
		},
	}, {
		.name = "categories in turn",
		.step = {
			{ Y_BOOK, CYC, CPUPR_USER, 0 }, { Y_BOOK, CYC, CPUPR_USER, 1 },
			{ Y_BOOK, CYC, CPUPR_NICE, 3 }, { Y_BOOK, CYC, CPUPR_SYSTEM, 7 },
			{ Y_BOOK, CYC, CPUPR_IDLE, 15 }, { Y_BOOK, CYC, CPUPR_IOWAIT, 31 },
			{ Y_BOOK, CYC, CPUPR_IRQ, 63 }, { Y_BOOK, CYC, CPUPR_SOFTIRQ, 127 },
			{ Y_BOOK, CYC, CPUPR_USER, 255 },
			{ Y_COUNT, CYC, CPUPR_USER, 1 + 128 }, { Y_COUNT, CYC, CPUPR_NICE, 2 },
			{ Y_COUNT, CYC, CPUPR_SYSTEM, 4 }, { Y_COUNT, CYC, CPUPR_IDLE, 8 },
			{ Y_COUNT, CYC, CPUPR_IOWAIT, 16 }, { Y_COUNT, CYC, CPUPR_IRQ, 32 },
			{ Y_COUNT, CYC, CPUPR_SOFTIRQ, 64 }, { Y_TOTAL, CYC, 0, 255 },
		},
	}, {
		.name = "cycles and instructions are apart",
		.step = {
			{ Y_BOOK, CYC, CPUPR_USER, 100 }, { Y_BOOK, INS, CPUPR_USER, 500 },
			{ Y_BOOK, CYC, CPUPR_USER, 110 }, { Y_BOOK, INS, CPUPR_USER, 530 },
			{ Y_COUNT, CYC, CPUPR_USER, 10 }, { Y_COUNT, INS, CPUPR_USER, 30 },
			{ Y_TOTAL, CYC, 0, 10 }, { Y_TOTAL, INS, 0, 30 },
		},
	}, {
		.name = "nothing was counted",
		.step = {
			{ Y_BOOK, CYC, CPUPR_IDLE, 5 }, { Y_BOOK, CYC, CPUPR_IDLE, 5 },
			{ Y_TOTAL, CYC, 0, 0 }, { Y_BOOK, CYC, CPUPR_IDLE, 6 }, { Y_TOTAL, CYC, 0, 1 },
		},
	}, {
		.name = "what passes while the counter is away is nobody's",
		.step = {
			{ Y_BOOK, CYC, CPUPR_USER, 100 }, { Y_BOOK, CYC, CPUPR_USER, 110 },
			{ Y_AWAY, CYC, 0, 0 }, { Y_BOOK, CYC, CPUPR_SYSTEM, 1000000 },
			{ Y_COUNT, CYC, CPUPR_SYSTEM, 0 }, { Y_TOTAL, CYC, 0, 10 },
			{ Y_BOOK, CYC, CPUPR_SYSTEM, 1000003 }, { Y_COUNT, CYC, CPUPR_SYSTEM, 3 },
			{ Y_TOTAL, CYC, 0, 13 },
		},
	}, {
		.name = "one counter is away, the other goes on",
		.step = {
			{ Y_BOOK, CYC, CPUPR_USER, 0 }, { Y_BOOK, INS, CPUPR_USER, 0 },
			{ Y_AWAY, INS, 0, 0 }, { Y_BOOK, CYC, CPUPR_USER, 9 }, { Y_BOOK, INS, CPUPR_USER, 8 },
			{ Y_TOTAL, CYC, 0, 9 }, { Y_TOTAL, INS, 0, 0 },
			{ Y_BOOK, INS, CPUPR_IRQ, 18 }, { Y_COUNT, INS, CPUPR_IRQ, 10 },
		},
	}, {
		.name = "a counter that comes back begins anew",
		.step = {
			{ Y_BOOK, CYC, CPUPR_USER, 5000 }, { Y_AWAY, CYC, 0, 0 },
			{ Y_BOOK, CYC, CPUPR_USER, 3 }, { Y_TOTAL, CYC, 0, 0 },
			{ Y_BOOK, CYC, CPUPR_USER, 4 }, { Y_TOTAL, CYC, 0, 1 },
		},
	}, {
		.name = "it goes round at 48 bits",
		.step = {
			{ Y_BOOK, CYC, CPUPR_USER, CYCLES_48 - 3 }, { Y_BOOK, CYC, CPUPR_USER, 4 },
			{ Y_COUNT, CYC, CPUPR_USER, 7 }, { Y_TOTAL, CYC, 0, 7 },
			{ Y_BOOK, CYC, CPUPR_USER, 5 }, { Y_TOTAL, CYC, 0, 8 },
		},
	}, {
		.name = "one of more bits that goes back counts nothing, and goes on from there",
		.step = {
			{ Y_BOOK, CYC, CPUPR_USER, CYCLES_48 + 10 }, { Y_BOOK, CYC, CPUPR_USER, CYCLES_48 + 4 },
			{ Y_TOTAL, CYC, 0, 0 }, { Y_BOOK, CYC, CPUPR_USER, CYCLES_48 + 5 },
			{ Y_TOTAL, CYC, 0, 1 },
		},
	}, {
		.name = "all that 64 bits hold",
		.step = {
			{ Y_BOOK, INS, CPUPR_USER, 0 }, { Y_BOOK, INS, CPUPR_USER, ~0ULL },
			{ Y_COUNT, INS, CPUPR_USER, ~0ULL }, { Y_TOTAL, INS, 0, ~0ULL },
		},
	}, {
		.name = "time is that in which cycles were counted",
		.step = {
			{ Y_BOOK, CYC, CPUPR_USER, 0 }, { Y_TIME_ANEW, CYC, CPUPR_USER, 100 },
			{ Y_NS_ALL, CYC, 0, 0 },
			{ Y_BOOK, CYC, CPUPR_USER, 1 }, { Y_TIME, CYC, CPUPR_USER, 110 },
			{ Y_BOOK, CYC, CPUPR_IRQ, 2 }, { Y_TIME, CYC, CPUPR_IRQ, 113 },
			{ Y_NS, CYC, CPUPR_USER, 10 }, { Y_NS, CYC, CPUPR_IRQ, 3 }, { Y_NS_ALL, CYC, 0, 13 },
		},
	}, {
		.name = "time while the counter is away is nobody's",
		.step = {
			{ Y_BOOK, CYC, CPUPR_USER, 0 }, { Y_TIME_ANEW, CYC, CPUPR_USER, 100 },
			{ Y_AWAY, CYC, 0, 0 }, { Y_TIME, CYC, CPUPR_USER, 150 }, { Y_NS_ALL, CYC, 0, 0 },
			{ Y_TIME_ANEW, CYC, CPUPR_USER, 170 }, { Y_NS_ALL, CYC, 0, 0 },
			{ Y_BOOK, CYC, CPUPR_USER, 90 }, { Y_TIME_ANEW, CYC, CPUPR_USER, 200 },
			{ Y_NS_ALL, CYC, 0, 0 },
			{ Y_BOOK, CYC, CPUPR_USER, 91 }, { Y_TIME, CYC, CPUPR_USER, 201 },
			{ Y_NS_ALL, CYC, 0, 1 }, { Y_NS, CYC, CPUPR_USER, 1 }, { Y_TOTAL, CYC, 0, 1 },
		},
	}, {
		.name = "instructions alone are no time of cycles",
		.step = {
			{ Y_BOOK, INS, CPUPR_USER, 0 }, { Y_TIME, INS, CPUPR_USER, 100 },
			{ Y_BOOK, INS, CPUPR_USER, 5 }, { Y_TIME, INS, CPUPR_USER, 110 },
			{ Y_NS_ALL, CYC, 0, 0 },
		},
	}, {
		.name = "no time has passed",
		.step = {
			{ Y_BOOK, CYC, CPUPR_USER, 0 }, { Y_TIME_ANEW, CYC, CPUPR_USER, 7 },
			{ Y_TIME, CYC, CPUPR_USER, 7 }, { Y_NS_ALL, CYC, 0, 0 },
		},
	}, {
		.name = "the clock steps back: no time, and it goes on from there",
		.step = {
			{ Y_BOOK, CYC, CPUPR_USER, 0 }, { Y_TIME_ANEW, CYC, CPUPR_USER, 100 },
			{ Y_TIME, CYC, CPUPR_USER, 60 }, { Y_NS_ALL, CYC, 0, 0 },
			{ Y_TIME, CYC, CPUPR_SYSTEM, 65 }, { Y_NS, CYC, CPUPR_SYSTEM, 5 },
			{ Y_NS_ALL, CYC, 0, 5 },
		},
	}, {
		.name = "the clock goes round at 64 bits",
		.step = {
			{ Y_BOOK, CYC, CPUPR_USER, 0 }, { Y_TIME_ANEW, CYC, CPUPR_USER, ~0ULL - 1 },
			{ Y_TIME, CYC, CPUPR_USER, 2 }, { Y_NS, CYC, CPUPR_USER, 4 },
		},
	}, {
		.name = "an hour of cycles in one interval",
		.step = {
			{ Y_BOOK, CYC, CPUPR_IDLE, 1 }, { Y_TIME_ANEW, CYC, CPUPR_IDLE, 1 },
			{ Y_BOOK, CYC, CPUPR_IDLE, 10800000000001ULL },
			{ Y_TIME, CYC, CPUPR_IDLE, 3600000000001ULL },
			{ Y_TOTAL, CYC, 0, 10800000000000ULL }, { Y_NS, CYC, CPUPR_IDLE, 3600000000000ULL },
		},
	},
};

static inline u64 cycles_sum(const u64 *of)
{
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < CPUPR_NR_OPEN; i++)
		sum += of[i];
	return sum;
}

static inline void cycles_do(const struct cycles_step *s, struct cpupr_cycles *c)
{
	switch (s->op) {
	case Y_BOOK:
		cpupr_cycles_book(c, s->kind, s->category, s->a);
		break;
	case Y_TIME:
	case Y_TIME_ANEW:
		cpupr_cycles_time(c, s->op == Y_TIME, s->category, s->a);
		break;
	case Y_AWAY:
		c->counting[s->kind] = false;
		break;
	default:
		break;
	}
}

/* What a step asks for; what it wants, if it asks for nothing. */
static inline u64 cycles_ask(const struct cycles_step *s, const struct cpupr_cycles *c)
{
	switch (s->op) {
	case Y_COUNT:
		return c->sum.count[s->kind][s->category];
	case Y_TOTAL:
		return c->sum.total[s->kind];
	case Y_NS:
		return c->sum.time[s->category];
	case Y_NS_ALL:
		return cycles_sum(c->sum.time);
	default:
		return s->a;
	}
}

/* Returns the step that is wrong, or -1; what it found there is in @got. Totals are sums at each step. */
static inline int cycles_run(const struct cycles_vector *v, struct cpupr_cycles *c, u64 *got)
{
	int i;

	memset(c, 0, sizeof(*c));
	for (i = 0; i < CYCLES_STEPS && v->step[i].op != Y_END; i++) {
		cycles_do(&v->step[i], c);
		*got = cycles_ask(&v->step[i], c);
		if (*got != v->step[i].a || cycles_sum(c->sum.count[CYC]) != c->sum.total[CYC] ||
		    cycles_sum(c->sum.count[INS]) != c->sum.total[INS])
			return i;
	}
	return -1;
}

#endif
