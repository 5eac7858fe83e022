// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stacks, counted by content: finding, adding and giving back.
 *
 * Probes call it in any context, NMIs among them, on all CPUs at once. Nothing here
 * waits: what is tried again is so because another one succeeded, and each of those
 * uses up some of the pool.
 *
 * Pure: also built by KUnit and on the host. See stack_set.h.
 */
#include <cpuprecise/stack_set.h>

/* What a place counts. */
#define UNIT		8

/* No piece begins at the start of a chunk: place 0 is none. */
#define FIRST		UNIT

#define NO_CHUNK	((u32)-1)

/* There is no padding to compare, and any entry fits into a chunk. */
static_assert(sizeof(struct cpupr_stack) == CPUPR_STACK_COMM + 16);
static_assert(sizeof(struct cpupr_stack_entry) == 32 + sizeof(struct cpupr_stack));
static_assert(sizeof(struct cpupr_stack_entry) + 2 * 255 * sizeof(u64) <= CPUPR_STACK_CHUNK - FIRST);

static notrace void *at(const struct cpupr_stack_pool *pool, u32 place)
{
	return (char *)pool->memory + (size_t)place * UNIT;
}

static notrace u32 entry_bytes(const struct cpupr_stack *stack)
{
	return offsetof(struct cpupr_stack_entry, stack) + cpupr_stack_bytes(stack);
}

static notrace u32 hash_of(const struct cpupr_stack *stack)
{
	size_t bytes = cpupr_stack_bytes(stack), i;
	u64 hash = bytes, word;

	for (i = 0; i < bytes; i += sizeof(word)) {
		memcpy(&word, (const char *)stack + i, sizeof(word));
		hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
		hash ^= hash >> 32;
	}
	return (hash * 0xd6e8feb86659fd93ULL) >> 32;
}

/* Of the same size, first: there may be nothing to compare behind a shorter one. */
static notrace bool same_content(const struct cpupr_stack *a, const struct cpupr_stack *b)
{
	size_t bytes = cpupr_stack_bytes(a);

	return bytes == cpupr_stack_bytes(b) && !memcmp(a, b, bytes);
}

/* The part of a chain from @place up to, but without, @end. */
static notrace struct cpupr_stack_entry *look(const struct cpupr_stack_pool *pool, u32 place,
					      u32 end, const struct cpupr_stack *stack, u32 hash)
{
	while (place != end) {
		struct cpupr_stack_entry *entry = at(pool, place);

		if (entry->hash == hash && same_content(&entry->stack, stack))
			return entry;
		place = entry->next;
	}
	return NULL;
}

/* Those that are taken all along are passed by a word at a time. */
static notrace u32 take_chunk(struct cpupr_stack_pool *pool)
{
	u32 chunk;

	for (chunk = 0; chunk < pool->chunks; chunk++) {
		if (READ_ONCE(pool->taken[chunk / BITS_PER_LONG]) == ~0UL)
			chunk |= BITS_PER_LONG - 1;
		else if (!test_bit(chunk, pool->taken) && !test_and_set_bit(chunk, pool->taken))
			return chunk;
	}
	return NO_CHUNK;
}

static notrace u64 last_of(u32 chunk, u32 used)
{
	return (u64)(chunk + 1) << 32 | used;
}

static notrace u32 place_of(u32 chunk, u32 offset)
{
	return (chunk * (u64)CPUPR_STACK_CHUNK + offset) / UNIT;
}

/* A piece of the set's memory: its place, or 0 if there is none left. */
static notrace u32 take_piece(struct cpupr_stack_set *set, u32 bytes)
{
	for (;;) {
		u64 last = READ_ONCE(set->last);
		u32 chunk = (last >> 32) - 1, used = last;

		if (last && used + bytes <= CPUPR_STACK_CHUNK) {
			if (cmpxchg(&set->last, last, last + bytes) == last)
				return place_of(chunk, used);
			continue;
		}
		chunk = take_chunk(set->pool);
		if (chunk != NO_CHUNK &&
		    cmpxchg(&set->last, last, last_of(chunk, FIRST + bytes)) == last) {
			set_bit(chunk, set->owned);
			return place_of(chunk, FIRST);
		}
		/* Another CPU was faster: perhaps it is that which got the last chunk. */
		if (chunk != NO_CHUNK)
			clear_bit_unlock(chunk, set->pool->taken);
		else if (READ_ONCE(set->last) == last)
			return 0;
	}
}

/* A piece that was not used; if there are others behind it, it is lost until the set is cleared. */
static notrace void give_piece(struct cpupr_stack_set *set, u32 place, u32 bytes)
{
	u32 offset = place % (CPUPR_STACK_CHUNK / UNIT) * UNIT;
	u64 before = last_of(place / (CPUPR_STACK_CHUNK / UNIT), offset);

	cmpxchg(&set->last, before + bytes, before);
}

/* @first is the front of the chain, in which it is not. Counts it. */
static notrace struct cpupr_stack_entry *add_stack(struct cpupr_stack_set *set, u32 *head,
						   u32 first, const struct cpupr_stack *stack,
						   u32 hash)
{
	u32 bytes = entry_bytes(stack), place = take_piece(set, bytes);
	struct cpupr_stack_entry *entry, *other;

	if (!place)
		return NULL;
	entry = at(set->pool, place);
	entry->hash = hash;
	atomic64_set(&entry->count, 1);
	atomic64_set(&entry->spans, 0);
	atomic64_set(&entry->time, 0);
	/* Not by way of @entry: fortified, that would be a copy of the head alone. */
	memcpy((char *)at(set->pool, place) + offsetof(struct cpupr_stack_entry, stack), stack,
	       cpupr_stack_bytes(stack));
	for (;;) {
		u32 front;

		entry->next = first;
		if (cmpxchg(head, first, place) == first)
			return entry;
		/* Pairs with the cmpxchg() of who was faster. */
		front = smp_load_acquire(head);
		other = look(set->pool, front, first, stack, hash);
		if (other) {
			give_piece(set, place, bytes);
			atomic64_inc(&other->count);
			return other;
		}
		first = front;
	}
}

/**
 * cpupr_stack_set_find() - where a stack is counted
 * @set: a set
 * @stack: what it is
 *
 * Context: any, NMI included.
 *
 * Return: NULL if it was not met yet.
 */
notrace struct cpupr_stack_entry *cpupr_stack_set_find(struct cpupr_stack_set *set,
						       const struct cpupr_stack *stack)
{
	u32 hash = hash_of(stack);

	/* Pairs with the cmpxchg() of add_stack(). */
	return look(set->pool, smp_load_acquire(&set->heads[hash % CPUPR_STACK_HEADS]), 0, stack,
		    hash);
}

/**
 * cpupr_stack_set_count() - a stack was met
 * @set: a set
 * @stack: what it is; copied if it is new
 *
 * Context: any, NMI included.
 *
 * Return: where it is counted, until the set is cleared. NULL if there is no memory
 * left, or what there was is in the hands of whoever was interrupted: then it is
 * counted nowhere.
 */
notrace struct cpupr_stack_entry *cpupr_stack_set_count(struct cpupr_stack_set *set,
							const struct cpupr_stack *stack)
{
	u32 hash = hash_of(stack), *head = &set->heads[hash % CPUPR_STACK_HEADS];
	/* Pairs with the cmpxchg() of add_stack(). */
	u32 first = smp_load_acquire(head);
	struct cpupr_stack_entry *entry = look(set->pool, first, 0, stack, hash);

	if (!entry)
		return add_stack(set, head, first, stack, hash);
	atomic64_inc(&entry->count);
	return entry;
}

/**
 * cpupr_stack_entry_span() - what began with a stack ended
 * @entry: of the stack
 * @ns: how long it took
 *
 * Context: any, NMI included.
 */
notrace void cpupr_stack_entry_span(struct cpupr_stack_entry *entry, u64 ns)
{
	atomic64_add(ns, &entry->time);
	atomic64_inc(&entry->spans);
}

/**
 * cpupr_stack_set_next() - go through all stacks
 * @set: a set
 * @chain: the next one of the set; 0 before the first call
 * @after: what the call before returned; NULL before the first one
 *
 * Those that are added meanwhile may be seen or not, all others are, once.
 *
 * Context: any, while the set is not cleared.
 *
 * Return: NULL after the last one.
 */
struct cpupr_stack_entry *cpupr_stack_set_next(const struct cpupr_stack_set *set, u32 *chain,
					       const struct cpupr_stack_entry *after)
{
	u32 place = after ? after->next : 0;

	for (; !place && *chain < CPUPR_STACK_HEADS; ++*chain) {
		/* Pairs with the cmpxchg() of add_stack(). */
		place = smp_load_acquire(&set->heads[*chain]);
	}
	return place ? at(set->pool, place) : NULL;
}

/**
 * cpupr_stack_set_clear() - forget all stacks, and give their memory back
 * @set: a set, that nobody uses meanwhile; others of the pool may be in use
 */
void cpupr_stack_set_clear(struct cpupr_stack_set *set)
{
	u32 chunk;

	for (chunk = 0; chunk < set->pool->chunks; chunk++) {
		if (!test_bit(chunk, set->owned))
			continue;
		clear_bit(chunk, set->owned);
		/* Pairs with take_chunk(). */
		clear_bit_unlock(chunk, set->pool->taken);
	}
	set->last = 0;
	memset(set->heads, 0, sizeof(set->heads));
}

/**
 * cpupr_stack_pool_used() - how much of a pool is in use
 * @pool: a pool
 *
 * Return: bytes of the chunks that sets have.
 */
u32 cpupr_stack_pool_used(const struct cpupr_stack_pool *pool)
{
	u32 chunk, used = 0;

	for (chunk = 0; chunk < pool->chunks; chunk++)
		if (test_bit(chunk, pool->taken))
			used += CPUPR_STACK_CHUNK;
	return used;
}
