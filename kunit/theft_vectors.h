/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pairs of victims and interrupts, few, many and too many: what the host test and the
 * KUnit suite share.
 */
#ifndef CPUPRECISE_THEFT_VECTORS_H
#define CPUPRECISE_THEFT_VECTORS_H

#include <cpuprecise/irq_table.h>

#define THEFT_CROWD	(CPUPR_THEFT_WAYS + 2)	/* two more than a set has room for */

/**
 * struct theft_books - pairs, and what they are of
 * @theft: the pairs
 * @row: interrupts
 * @victim: tasks whose pairs with the first row are in one set
 */
struct theft_books {
	struct cpupr_theft theft;
	struct cpupr_irq_row row[2];
	u64 victim[THEFT_CROWD];
};

static inline bool theft_is(const struct cpupr_theft_pair *p, const struct cpupr_irq_row *row,
			    u64 victim, u64 born, u64 count, u64 time)
{
	return p->row == row && p->victim == victim && p->born == born && p->count == count &&
	       p->time == time;
}

static inline bool theft_evicted(const struct cpupr_theft *t, u64 pairs, u64 count, u64 time)
{
	return t->evicted == pairs && t->evicted_count == count && t->evicted_time == time;
}

/* A pair, and that it once took @time. */
static inline struct cpupr_theft_pair *theft_take(struct theft_books *b, u64 victim, u64 time)
{
	struct cpupr_theft_pair *p = cpupr_theft_find(&b->theft, &b->row[0], victim);

	p->count++;
	p->time += time;
	return p;
}

/* Which set that is differs from run to run, as rows' addresses do. */
static inline void theft_find_crowd(struct theft_books *b)
{
	unsigned int n = 0;
	long set = -1;
	u64 victim;

	for (victim = 2; n < THEFT_CROWD; victim++) {
		struct cpupr_theft_pair *p = cpupr_theft_find(&b->theft, &b->row[0], victim);
		long its = (p - b->theft.pair) / CPUPR_THEFT_WAYS;

		if (set < 0)
			set = its;
		if (its == set)
			b->victim[n++] = victim;
		p->row = NULL;
	}
	memset(&b->theft, 0, sizeof(b->theft));
}

static inline bool theft_find_right(struct theft_books *b)
{
	struct cpupr_theft *t = &b->theft;
	struct cpupr_theft_pair *p = cpupr_theft_find(t, &b->row[0], 7), *q, *o;

	if (!theft_is(p, &b->row[0], 7, 1, 0, 0))
		return false;
	theft_take(b, 7, 30);
	q = cpupr_theft_find(t, &b->row[1], 7);
	o = cpupr_theft_find(t, &b->row[0], CPUPR_THEFT_OTHER);
	return theft_is(q, &b->row[1], 7, 2, 0, 0) &&
	       theft_is(o, &b->row[0], CPUPR_THEFT_OTHER, 3, 0, 0) &&
	       theft_is(cpupr_theft_find(t, &b->row[0], ~0ULL - 1), &b->row[0], ~0ULL - 1, 4, 0, 0) &&
	       theft_take(b, 7, 4) == p && theft_is(p, &b->row[0], 7, 1, 2, 34) &&
	       cpupr_theft_find(t, &b->row[1], 7) == q && theft_evicted(t, 0, 0, 0) && t->born == 4;
}

static inline bool theft_idle_right(struct theft_books *b)
{
	struct cpupr_theft_pair *idle = &b->theft.idle;

	return cpupr_theft_find(&b->theft, &b->row[0], CPUPR_THEFT_IDLE) == idle &&
	       theft_take(b, CPUPR_THEFT_IDLE, 5) == idle &&
	       cpupr_theft_find(&b->theft, &b->row[1], CPUPR_THEFT_IDLE) == idle && idle->time == 5 &&
	       idle->count == 1 && !b->theft.born;
}

/* Tasks that came one after the other do not crowd. */
static inline bool theft_spread_right(struct theft_books *b)
{
	u64 victim;

	for (victim = 1; victim <= 2 * CPUPR_THEFT_SETS; victim++)
		theft_take(b, victim, 1);
	return theft_evicted(&b->theft, 0, 0, 0) && b->theft.born == victim - 1;
}

/* One that has no time yet is not free. */
static inline bool theft_room_right(struct theft_books *b)
{
	unsigned int i;

	theft_find_crowd(b);
	for (i = 0; i < CPUPR_THEFT_WAYS; i++)
		theft_take(b, b->victim[i], 0);
	return theft_evicted(&b->theft, 0, 0, 0);
}

/* As many as there is room for: 50 to 57 ticks, but for the fourth one's 10. */
static inline struct cpupr_theft_pair *theft_fill(struct theft_books *b)
{
	unsigned int i;

	theft_find_crowd(b);
	for (i = 0; i < CPUPR_THEFT_WAYS; i++)
		theft_take(b, b->victim[i], i == 3 ? 10 : 50 + i);
	return cpupr_theft_find(&b->theft, &b->row[0], b->victim[3]);
}

static inline bool theft_evict_right(struct theft_books *b)
{
	struct cpupr_theft *t = &b->theft;
	struct cpupr_theft_pair *least = theft_fill(b);
	unsigned int i;

	if (!theft_evicted(t, 0, 0, 0) || !theft_is(least, &b->row[0], b->victim[3], 4, 1, 10))
		return false;
	memcpy(least->comm, "left", 5);
	least->pid = 12;
	if (cpupr_theft_find(t, &b->row[0], b->victim[8]) != least || !theft_evicted(t, 1, 1, 10) ||
	    !theft_is(least, &b->row[0], b->victim[8], 9, 0, 0) || least->pid || least->comm[0])
		return false;
	/* The one that took its place is no more than the others were. */
	least->count = 3;
	least->time = 60;
	if (cpupr_theft_find(t, &b->row[0], b->victim[9])->victim != b->victim[9] ||
	    !theft_evicted(t, 2, 2, 60))
		return false;
	for (i = 1; i < 9; i++)
		if (i != 3 && cpupr_theft_find(t, &b->row[0], b->victim[i])->time !=
			      (i == 8 ? 60 : 50 + i))
			return false;
	return t->born == 10;
}

/* Where a row has its last pair at hand, it must not have another one's. */
static inline bool theft_cache_right(struct theft_books *b)
{
	struct cpupr_theft_pair *least = theft_fill(b);

	b->row[0].pair = least;
	b->row[0].victim = b->victim[3];
	b->row[1].pair = least;
	b->row[1].victim = 5;
	cpupr_theft_find(&b->theft, &b->row[0], b->victim[8]);
	if (b->row[0].victim != CPUPR_THEFT_NONE || b->row[1].victim != 5)
		return false;
	/* One that goes, while another one is at hand. */
	b->row[0].pair = least;
	b->row[0].victim = b->victim[8];
	least->time = 70;
	cpupr_theft_find(&b->theft, &b->row[0], b->victim[9]);
	return b->theft.evicted == 2 && b->row[0].victim == b->victim[8];
}

/* 7 and 2^62 + 5 ticks, of which each is 3/2. */
static inline bool theft_rescale_right(struct theft_books *b)
{
	struct cpupr_theft *t = &b->theft;
	struct cpupr_theft_pair *p = theft_take(b, 2, 7), *q = theft_take(b, 3, (1ULL << 62) + 5);

	theft_take(b, CPUPR_THEFT_IDLE, 9);
	t->evicted = 3;
	t->evicted_count = 5;
	t->evicted_time = 11;
	t->pair[CPUPR_THEFT_PAIRS - 1].time = 20;
	cpupr_theft_rescale(t, 3, 1);
	return theft_is(p, &b->row[0], 2, 1, 1, 10) && theft_is(q, &b->row[0], 3, 2, 1, (3ULL << 61) + 7) &&
	       theft_evicted(t, 3, 5, 16) && t->idle.time == 13 && t->idle.count == 1 &&
	       t->pair[CPUPR_THEFT_PAIRS - 1].time == 30;
}

/**
 * struct theft_vector - a test that is a function
 * @name: what it shows
 * @right: does it, with zeroed books?
 */
struct theft_vector {
	const char *name;
	bool (*right)(struct theft_books *b);
};

static const struct theft_vector theft_vectors[] = {
	{ "pairs are found again", theft_find_right },
	{ "what is taken of nobody is no pair", theft_idle_right },
	{ "pairs are spread", theft_spread_right },
	{ "nobody makes room while there is some", theft_room_right },
	{ "the smallest one makes room", theft_evict_right },
	{ "one that made room is at hand no longer", theft_cache_right },
	{ "another clock", theft_rescale_right },
};

static inline bool theft_right(const struct theft_vector *v, struct theft_books *b)
{
	memset(b, 0, sizeof(*b));
	return v->right(b);
}

#endif
