// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: random stacks in several sets of a pool, the same ones in every run.
 *
 * The model is a plain list of stacks a set, and how much of the pool each set has.
 * After each event it is gone through all sets: they must hold what the lists do.
 */
#include "draw.h"
#include "ktap.h"

#include <cpuprecise/stack_set.h>

#define SETS	3
#define CHUNKS	66	/* more than a word of bits */
#define EVENTS	20000
#define PLACES	(CHUNKS * CPUPR_STACK_CHUNK / 8)
#define FRAMES	(2 * CPUPR_STACK_DEPTH)

union buffer {
	struct cpupr_stack stack;
	u64 word[sizeof(struct cpupr_stack) / 8 + FRAMES];
};

/* What the model knows of a stack. */
struct known {
	union buffer what;
	const struct cpupr_stack_entry *entry;
	s64 count, spans, time;
	unsigned int seen;
};

/* And of a set. */
struct list {
	struct known *known[PLACES / 8];
	unsigned int n;
	unsigned int chunks;
	unsigned int room;	/* bytes left of the last one */
};

/**
 * struct history - a pool and what comes
 * @name: what it shows
 * @chunks: of the pool
 * @deep: in 1024, how many stacks are of any depth
 * @clears: in 1024 events, how often a set is cleared
 */
struct history {
	const char *name;
	unsigned int chunks;
	unsigned int deep;
	unsigned int clears;
};

static const struct history histories[] = {
	{ "a chunk for all", 1, 100, 20 },
	{ "a chunk for each", 3, 200, 10 },
	{ "small stacks, rarely cleared", 8, 0, 2 },
	{ "deep ones", 12, 900, 10 },
	{ "more chunks than a word has bits", CHUNKS, 900, 1 },
};

static struct run {
	const struct history *h;
	u64 memory[CHUNKS * CPUPR_STACK_CHUNK / 8];
	unsigned long taken[2];
	unsigned long owned[SETS][2];
	struct cpupr_stack_pool pool;
	struct cpupr_stack_set set[SETS];
	struct list list[SETS];
	struct known *at[PLACES];	/* by place */
	unsigned int number, full, met, cleared;
	const char *event;
} r;

static bool differ(const char *what, s64 got, s64 want)
{
	if (got == want)
		return false;
	ktap_note("%s, event %u (%s): %s is %lld, should be %lld", r.h->name, r.number, r.event, what,
		  (long long)got, (long long)want);
	return true;
}

static struct known **place_of(const struct cpupr_stack_entry *entry)
{
	return &r.at[(const u64 *)entry - r.memory];
}

static void random_stack(union buffer *b)
{
	struct cpupr_stack *stack = &b->stack;
	bool deep = chance(r.h->deep);
	unsigned int i;

	memset(b, 0, sizeof(*b));
	stack->comm[below(2) ? 0 : CPUPR_STACK_COMM - 1] = "ab"[below(2)];
	stack->context = below(2);
	stack->cut = below(4) == 3;
	stack->kernel = below(deep ? CPUPR_STACK_DEPTH + 1 : 3);
	stack->user = below(deep ? CPUPR_STACK_DEPTH + 1 : 2);
	stack->tgid = stack->user ? (int)below(2) + 1 : 0;
	stack->start = stack->user ? below(2) + 1 : 0;
	for (i = 0; i < stack->kernel + stack->user; i++)
		stack->frame[i] = 0xffffffff81000000ULL + below(2);
}

static struct known *known(const struct list *list, const struct cpupr_stack *stack)
{
	unsigned int i;

	for (i = 0; i < list->n; i++) {
		const struct cpupr_stack *other = &list->known[i]->what.stack;

		/* Behind the frames there is nothing but zeroes. */
		if (!memcmp(stack, other, sizeof(union buffer)))
			return list->known[i];
	}
	return NULL;
}

/* Is there memory for a new stack? Then it is taken. */
static bool room_for(struct list *list, const struct cpupr_stack *stack)
{
	unsigned int i, bytes = 64 + 8 * (stack->kernel + stack->user), chunks = 0;

	for (i = 0; i < SETS; i++)
		chunks += r.list[i].chunks;
	if (list->room < bytes) {
		if (chunks == r.h->chunks)
			return false;
		list->chunks++;
		list->room = CPUPR_STACK_CHUNK - 8;
	}
	list->room -= bytes;
	return true;
}

static bool count(unsigned int s)
{
	struct list *list = &r.list[s];
	struct cpupr_stack_entry *entry;
	union buffer what;
	struct known *k;

	r.event = "count";
	random_stack(&what);
	k = known(list, &what.stack);
	entry = cpupr_stack_set_count(&r.set[s], &what.stack);
	if (k) {
		r.met++;
		k->count++;
		return !differ("the entry", entry == k->entry, 1);
	}
	if (!room_for(list, &what.stack)) {
		r.full++;
		return !differ("an entry", !!entry, 0);
	}
	if (differ("an entry", !!entry, 1) || differ("another's entry", !!*place_of(entry), 0))
		return false;
	k = calloc(1, sizeof(*k));
	k->what = what;
	k->entry = entry;
	k->count = 1;
	list->known[list->n++] = k;
	*place_of(entry) = k;
	return true;
}

static bool find(unsigned int s)
{
	struct cpupr_stack_entry *entry;
	union buffer what;
	struct known *k;
	u64 ns;

	r.event = "find";
	random_stack(&what);
	k = known(&r.list[s], &what.stack);
	entry = cpupr_stack_set_find(&r.set[s], &what.stack);
	if (differ("the entry", entry == (k ? k->entry : NULL), 1))
		return false;
	if (!k)
		return true;
	r.event = "span";
	ns = any_bits() >> 20;
	cpupr_stack_entry_span(entry, ns);
	k->spans++;
	k->time += (s64)ns;
	return true;
}

static void clear(unsigned int s)
{
	struct list *list = &r.list[s];
	unsigned int i;

	r.event = "clear";
	r.cleared++;
	cpupr_stack_set_clear(&r.set[s]);
	for (i = 0; i < list->n; i++) {
		*place_of(list->known[i]->entry) = NULL;
		free(list->known[i]);
	}
	memset(list, 0, sizeof(*list));
}

static bool set_agrees(unsigned int s)
{
	struct cpupr_stack_entry *entry = NULL;
	unsigned int n = 0;
	u32 chain = 0;

	while ((entry = cpupr_stack_set_next(&r.set[s], &chain, entry))) {
		struct known *k = *place_of(entry);

		if (differ("what is known", !!k, 1) || differ("seen before", k->seen == r.number + 1, 0))
			return false;
		k->seen = r.number + 1;
		if (differ("the content", memcmp(&entry->stack, &k->what, cpupr_stack_bytes(&k->what.stack)), 0) ||
		    differ("count", atomic64_read(&entry->count), k->count) ||
		    differ("spans", atomic64_read(&entry->spans), k->spans) ||
		    differ("time", atomic64_read(&entry->time), k->time))
			return false;
		n++;
	}
	return !differ("stacks", n, r.list[s].n);
}

static bool agree(void)
{
	unsigned int s, chunks = 0;

	for (s = 0; s < SETS; s++) {
		if (!set_agrees(s) ||
		    differ("chunks of the set", __builtin_popcountl(r.owned[s][0]) +
			   __builtin_popcountl(r.owned[s][1]), r.list[s].chunks))
			return false;
		chunks += r.list[s].chunks;
	}
	return !differ("bytes used", cpupr_stack_pool_used(&r.pool), chunks * CPUPR_STACK_CHUNK);
}

static void begin(const struct history *h)
{
	unsigned int s;

	memset(&r, 0, sizeof(r));
	memset(r.memory, 0x5a, sizeof(r.memory));
	r.h = h;
	r.pool = (struct cpupr_stack_pool){ r.memory, r.taken, h->chunks };
	for (s = 0; s < SETS; s++) {
		r.set[s].pool = &r.pool;
		r.set[s].owned = r.owned[s];
	}
}

static bool history(const struct history *h)
{
	unsigned int s;
	bool ok = true;

	begin(h);
	for (r.number = 0; ok && r.number < EVENTS; r.number++) {
		s = below(SETS);
		if (chance(h->clears))
			clear(s);
		else
			ok = chance(700) ? count(s) : find(s);
		ok = ok && agree();
	}
	for (s = 0; s < SETS; s++)
		clear(s);
	/* All of it was tried. */
	return ok && !differ("what never happened", !r.full || !r.met || !r.cleared, 0);
}

#define DRAWN	300000

static int by_hash(const void *a, const void *b)
{
	const u32 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Stacks are not one because their hashes are. Drawn until there are some of the same hash. */
static bool same_hash(void)
{
	static u32 drawn[DRAWN][2];
	union buffer b = { .stack = { .kernel = 1 } };
	unsigned int i, found = 0;

	begin(&histories[2]);
	r.event = "same hash";
	for (i = 0; i < DRAWN; i++) {
		b.stack.frame[0] = i;
		if (r.set[0].last >> 32 == 4)
			cpupr_stack_set_clear(&r.set[0]);
		drawn[i][0] = cpupr_stack_set_count(&r.set[0], &b.stack)->hash;
		drawn[i][1] = i;
	}
	qsort(drawn, DRAWN, sizeof(drawn[0]), by_hash);
	for (i = 1; i < DRAWN; i++) {
		struct cpupr_stack_entry *one, *other;

		if (drawn[i - 1][0] != drawn[i][0])
			continue;
		cpupr_stack_set_clear(&r.set[0]);
		b.stack.frame[0] = drawn[i - 1][1];
		one = cpupr_stack_set_count(&r.set[0], &b.stack);
		b.stack.frame[0] = drawn[i][1];
		other = cpupr_stack_set_count(&r.set[0], &b.stack);
		if (differ("hash", one->hash, other->hash) || differ("the same", one == other, 0))
			return false;
		found++;
	}
	/* With a good hash some, not many: DRAWN^2 / 2^33 are to be expected. */
	ktap_note("%u pairs of a hash", found);
	return !differ("some", found > 0 && found < 50, 1);
}

/* Of stacks that differ by little, chains are about as long as by chance. */
static bool chains_are_even(void)
{
	union buffer b = { .stack = { .kernel = 8 } };
	unsigned int n[CPUPR_STACK_HEADS] = { 0 }, i, longest = 0;

	begin(&histories[4]);
	r.event = "chains";
	for (i = 0; i < 4096; i++) {
		struct cpupr_stack_entry *entry;

		b.stack.frame[i / 512] += 0x1000;
		entry = cpupr_stack_set_count(&r.set[0], &b.stack);
		if (differ("an entry", !!entry, 1))
			return false;
		if (++n[entry->hash % CPUPR_STACK_HEADS] > longest)
			longest = n[entry->hash % CPUPR_STACK_HEADS];
	}
	/* 16 on average. */
	return !differ("a chain that is too long", longest > 3 * 16, 0);
}

int main(void)
{
	unsigned int i;

	ktap_plan(sizeof(histories) / sizeof(histories[0]) + 2);
	for (i = 0; i < sizeof(histories) / sizeof(histories[0]); i++) {
		random_state = i;
		ktap_result(history(&histories[i]), histories[i].name);
	}
	ktap_result(same_hash(), "stacks of the same hash");
	ktap_result(chains_are_even(), "stacks that differ by little");
	return ktap_exit();
}
