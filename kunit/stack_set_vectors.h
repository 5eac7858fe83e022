/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stacks that are counted, one, many and too many: what the host test and the KUnit
 * suite share.
 */
#ifndef CPUPRECISE_STACK_SET_VECTORS_H
#define CPUPRECISE_STACK_SET_VECTORS_H

#include <cpuprecise/stack_set.h>

#define STACK_CHUNKS	12
#define STACK_CHAINED	(2 * CPUPR_STACK_HEADS + 1)	/* then one chain has three at least */

/* Room for all frames that there may be. */
union stack_buffer {
	struct cpupr_stack stack;
	char byte[sizeof(struct cpupr_stack) + 2 * CPUPR_STACK_DEPTH * sizeof(u64)];
};

/**
 * struct stack_books - two sets of a pool
 * @memory: of the pool
 * @taken: its chunks
 * @owned: those of the sets
 * @pool: for both
 * @set: the two
 * @stack: what is counted
 * @other: another one
 * @before: what the first set was
 */
struct stack_books {
	u64 memory[STACK_CHUNKS * CPUPR_STACK_CHUNK / sizeof(u64)];
	unsigned long taken;
	unsigned long owned[2];
	struct cpupr_stack_pool pool;
	struct cpupr_stack_set set[2];
	union stack_buffer stack, other;
	struct cpupr_stack_set before;
};

/* The memory is garbage: it need not be zeroed. */
static inline void stack_begin(struct stack_books *b, u32 chunks)
{
	unsigned int i;

	memset(b->memory, 0x5a, sizeof(b->memory));
	b->taken = 0;
	b->pool = (struct cpupr_stack_pool){ b->memory, &b->taken, chunks };
	memset(b->set, 0, sizeof(b->set));
	for (i = 0; i < 2; i++) {
		b->owned[i] = 0;
		b->set[i].pool = &b->pool;
		b->set[i].owned = &b->owned[i];
	}
}

/* Frames are numbered from @number. */
static inline struct cpupr_stack *stack_of(union stack_buffer *buffer, u8 kernel, u8 user, u64 number)
{
	struct cpupr_stack *stack = &buffer->stack;
	unsigned int i;

	memset(buffer, 0, sizeof(*buffer));
	memcpy(stack->comm, "task", 4);
	stack->context = CPUPR_STACK_IRQ;
	stack->kernel = kernel;
	stack->user = user;
	stack->tgid = 123;
	stack->start = 4567890123ULL;
	for (i = 0; i < kernel + user; i++)
		stack->frame[i] = (i < kernel ? 0xffffffff81000000ULL : 0x400000) + number + i;
	return stack;
}

static inline u32 stack_entries(const struct cpupr_stack_set *set)
{
	struct cpupr_stack_entry *entry = NULL;
	u32 chain = 0, n = 0;

	while ((entry = cpupr_stack_set_next(set, &chain, entry)))
		n++;
	return n;
}

/* It is there, as often as that; 0: it is not. */
static inline bool stack_counted(struct cpupr_stack_set *set, const struct cpupr_stack *stack, u64 count)
{
	struct cpupr_stack_entry *entry = cpupr_stack_set_find(set, stack);

	if (!entry)
		return !count;
	return (u64)atomic64_read(&entry->count) == count &&
	       !memcmp(&entry->stack, stack, cpupr_stack_bytes(stack));
}

static inline bool stack_same_right(struct stack_books *b)
{
	struct cpupr_stack *stack = stack_of(&b->stack, 3, 2, 0);
	struct cpupr_stack_entry *entry;

	stack_begin(b, STACK_CHUNKS);
	if (cpupr_stack_set_find(b->set, stack) || stack_entries(b->set) ||
	    cpupr_stack_pool_used(&b->pool))
		return false;
	entry = cpupr_stack_set_count(b->set, stack);
	return entry && stack_counted(b->set, stack, 1) &&
	       cpupr_stack_set_count(b->set, stack) == entry &&
	       cpupr_stack_set_count(b->set, stack) == entry &&
	       cpupr_stack_set_find(b->set, stack) == entry && stack_counted(b->set, stack, 3) &&
	       stack_entries(b->set) == 1 && !stack_entries(&b->set[1]) &&
	       cpupr_stack_pool_used(&b->pool) == CPUPR_STACK_CHUNK;
}

/* Each byte in turn; but for the numbers of frames, which say how many bytes there are. */
static inline bool stack_bytes_right(struct stack_books *b)
{
	struct cpupr_stack *stack = stack_of(&b->stack, 3, 2, 0);
	u32 i, n = 1;

	stack_begin(b, STACK_CHUNKS);
	cpupr_stack_set_count(b->set, stack);
	for (i = 0; i < cpupr_stack_bytes(stack); i++) {
		if (i == offsetof(struct cpupr_stack, kernel) || i == offsetof(struct cpupr_stack, user))
			continue;
		b->other = b->stack;
		b->other.byte[i] ^= 0x10;
		if (!stack_counted(b->set, &b->other.stack, 0) ||
		    !cpupr_stack_set_count(b->set, &b->other.stack) ||
		    !stack_counted(b->set, &b->other.stack, 1))
			return false;
		n++;
	}
	return stack_entries(b->set) == n && stack_counted(b->set, stack, 1);
}

static inline bool stack_split_right(struct stack_books *b)
{
	struct cpupr_stack *stack = stack_of(&b->stack, 3, 2, 0);
	u8 kernel;

	stack_begin(b, STACK_CHUNKS);
	for (kernel = 0; kernel <= 5; kernel++) {
		stack->kernel = kernel;
		stack->user = 5 - kernel;
		if (!cpupr_stack_set_count(b->set, stack))
			return false;
	}
	return stack_entries(b->set) == 6 && stack_counted(b->set, stack, 1);
}

/* From no frames at all to all that there may be: each is the begin of the next. */
static inline bool stack_depths_right(struct stack_books *b)
{
	struct cpupr_stack *stack = stack_of(&b->stack, CPUPR_STACK_DEPTH, CPUPR_STACK_DEPTH, 0);
	static const u8 depth[] = { 0, 1, 2, CPUPR_STACK_DEPTH - 1, CPUPR_STACK_DEPTH };
	u32 i, k, n = sizeof(depth);

	stack_begin(b, STACK_CHUNKS);
	for (k = 0; k < 2; k++)
		for (i = 0; i < n * n; i++) {
			stack->kernel = depth[i / n];
			stack->user = depth[i % n];
			if (!cpupr_stack_set_count(b->set, stack) || !stack_counted(b->set, stack, k + 1))
				return false;
		}
	return stack_entries(b->set) == n * n;
}

/* More stacks than there are chains, the nth is met n times. */
static inline bool stack_chains_right(struct stack_books *b)
{
	struct cpupr_stack_entry *entry = NULL;
	u32 chain = 0, i, k, n = 0;
	u64 sum = 0;

	stack_begin(b, STACK_CHUNKS);
	for (i = 1; i <= STACK_CHAINED; i++)
		for (k = i; k <= STACK_CHAINED; k++)
			if (!cpupr_stack_set_count(b->set, stack_of(&b->stack, 1, 0, k)))
				return false;
	for (i = 1; i <= STACK_CHAINED; i++)
		if (!stack_counted(b->set, stack_of(&b->stack, 1, 0, i), i))
			return false;
	while ((entry = cpupr_stack_set_next(b->set, &chain, entry))) {
		sum += atomic64_read(&entry->count);
		n++;
	}
	return n == STACK_CHAINED && sum == STACK_CHAINED * (STACK_CHAINED + 1) / 2;
}

/* Counts new stacks until there is no memory; how many there was memory for. */
static inline u32 stack_fill(struct stack_books *b, struct cpupr_stack_set *set)
{
	u32 n = 0;

	while (n < 10000 && cpupr_stack_set_count(set, stack_of(&b->stack, 1, 1, n)))
		n++;
	return n;
}

#define STACK_BYTES	(sizeof(struct cpupr_stack_entry) + 2 * sizeof(u64))

/* A few bytes of each chunk are not used: less than a stack. */
static inline bool stack_fills(u32 n, u32 chunks)
{
	return n == chunks * ((CPUPR_STACK_CHUNK - sizeof(u64)) / STACK_BYTES);
}

/* What is there is counted still, and what is not changes nothing. */
static inline bool stack_full_right(struct stack_books *b)
{
	u32 n, i;

	stack_begin(b, 2);
	n = stack_fill(b, b->set);
	b->before = b->set[0];
	if (!stack_fills(n, 2) || cpupr_stack_pool_used(&b->pool) != 2 * CPUPR_STACK_CHUNK ||
	    cpupr_stack_set_count(b->set, &b->stack.stack) ||
	    cpupr_stack_set_count(&b->set[1], &b->stack.stack) ||
	    cpupr_stack_set_find(b->set, &b->stack.stack) ||
	    memcmp(&b->before, b->set, sizeof(b->before)) || b->owned[0] != 3 || b->owned[1])
		return false;
	for (i = 0; i < n; i++)
		if (!stack_counted(b->set, stack_of(&b->stack, 1, 1, i), 1) ||
		    !cpupr_stack_set_count(b->set, &b->stack.stack) ||
		    !stack_counted(b->set, &b->stack.stack, 2))
			return false;
	/* Behind the chunks is nobody's. */
	for (i = 2 * CPUPR_STACK_CHUNK / sizeof(u64); i < sizeof(b->memory) / sizeof(u64); i++)
		if (b->memory[i] != 0x5a5a5a5a5a5a5a5aULL)
			return false;
	return stack_entries(b->set) == n && !stack_entries(&b->set[1]);
}

/* One set goes, all that it had is the other one's, whose own is as it was. */
static inline bool stack_clear_right(struct stack_books *b)
{
	struct cpupr_stack *stack = stack_of(&b->other, 5, 5, 0);
	u32 n, round;

	stack_begin(b, 4);
	for (round = 1; round <= 3; round++) {
		if (!cpupr_stack_set_count(&b->set[1], stack))
			return false;
		n = stack_fill(b, b->set);
		if (!stack_fills(n, 3) || stack_entries(b->set) != n ||
		    !stack_counted(b->set, stack_of(&b->stack, 1, 1, 0), 1))
			return false;
		cpupr_stack_set_clear(b->set);
		if (stack_entries(b->set) || cpupr_stack_set_find(b->set, &b->stack.stack) ||
		    cpupr_stack_pool_used(&b->pool) != CPUPR_STACK_CHUNK || b->owned[0] ||
		    b->owned[1] != b->taken || !stack_counted(&b->set[1], stack, round))
			return false;
	}
	cpupr_stack_set_clear(&b->set[1]);
	return !cpupr_stack_pool_used(&b->pool) && !b->taken && stack_fills(stack_fill(b, &b->set[1]), 4);
}

static inline bool stack_spans_right(struct stack_books *b)
{
	struct cpupr_stack_entry *entry, *other;

	stack_begin(b, STACK_CHUNKS);
	entry = cpupr_stack_set_count(b->set, stack_of(&b->stack, 2, 0, 0));
	other = cpupr_stack_set_count(b->set, stack_of(&b->stack, 2, 0, 1));
	if (!entry || !other || atomic64_read(&entry->spans) || atomic64_read(&entry->time))
		return false;
	cpupr_stack_entry_span(entry, 5000000000ULL);
	cpupr_stack_entry_span(entry, 0);
	cpupr_stack_entry_span(entry, 37);
	return atomic64_read(&entry->spans) == 3 && atomic64_read(&entry->time) == 5000000037LL &&
	       atomic64_read(&entry->count) == 1 && !atomic64_read(&other->spans) &&
	       !atomic64_read(&other->time);
}

/**
 * struct stack_vector - a test
 * @name: what it shows
 * @right: does it? The books are zeroed before the first one.
 */
struct stack_vector {
	const char *name;
	bool (*right)(struct stack_books *b);
};

static const struct stack_vector stack_vectors[] = {
	{ "the same stack again", stack_same_right },
	{ "another byte, another stack", stack_bytes_right },
	{ "frames of the kernel, or of the user", stack_split_right },
	{ "from no frames to all", stack_depths_right },
	{ "more stacks than chains", stack_chains_right },
	{ "more stacks than memory", stack_full_right },
	{ "a set is cleared", stack_clear_right },
	{ "spans", stack_spans_right },
};

#endif
