/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stacks, counted by content: two are one if they are the same to the last frame
 * and of the same task name, context and address space; the hash only says where
 * to look.
 *
 * Sets share a pool of bounded memory, made of chunks. A set takes a chunk when
 * its last one is full and keeps it as long as it lives. Stacks are only ever
 * added, by any number of CPUs at once and from NMIs, without a lock: an entry is
 * complete before it is chained, new ones in front.
 *
 * Pure: it sees addresses, which it never follows.
 */
#ifndef CPUPRECISE_STACK_SET_H
#define CPUPRECISE_STACK_SET_H

#include <cpuprecise/pure.h>

#define CPUPR_STACK_COMM	16	/* TASK_COMM_LEN */
#define CPUPR_STACK_DEPTH	64	/* frames of each kind, at most */
#define CPUPR_STACK_CHUNK	8192	/* bytes */
#define CPUPR_STACK_HEADS	512	/* chains of a set */

/* In what a hit happened. */
enum cpupr_stack_context {
	CPUPR_STACK_TASK,
	CPUPR_STACK_SOFTIRQ,
	CPUPR_STACK_IRQ,
	CPUPR_STACK_NMI,
	CPUPR_NR_STACK_CONTEXTS,
};

/**
 * struct cpupr_stack - what two stacks are compared by
 * @comm: the task's name, NUL-padded
 * @context: enum cpupr_stack_context
 * @kernel: how many frames of the kernel
 * @user: how many of the user follow them
 * @cut: there were more than that: bits CPUPR_STACK_CUT_*
 * @tgid: whose addresses the user's are; 0 without any
 * @start: when that process was born, CLOCK_MONOTONIC ns: numbers come again; 0 without any
 * @frame: innermost first, the kernel's then the user's
 */
struct cpupr_stack {
	char comm[CPUPR_STACK_COMM];
	u8 context;
	u8 kernel;
	u8 user;
	u8 cut;
	s32 tgid;
	u64 start;
	u64 frame[];
};

/* Room for any stack, u64. */
#define CPUPR_STACK_WORDS \
	(sizeof(struct cpupr_stack) / sizeof(u64) + 2 * CPUPR_STACK_DEPTH)

#define CPUPR_STACK_CUT_KERNEL	1
#define CPUPR_STACK_CUT_USER	2

/*
 * Addresses of the kernel have their high bits set, on all architectures that the
 * module runs on; so two of them can say more about a frame of the kernel. An
 * exact one is where the CPU is or was interrupted, the others are where calls
 * return to.
 */
#define CPUPR_FRAME_RETURN	(1ULL << 62)	/* set: a return address */
#define CPUPR_FRAME_RELIABLE	(1ULL << 61)	/* set: the unwinder is sure of it */
#define CPUPR_FRAME_BITS	(CPUPR_FRAME_RETURN | CPUPR_FRAME_RELIABLE)

/**
 * struct cpupr_stack_entry - a stack in a set
 * @next: of its chain, a place in the pool; 0 ends it
 * @hash: of @stack
 * @count: how often it was met
 * @spans: how many spans @time is the sum of
 * @time: of spans that began with it, ns
 * @stack: what it is
 */
struct cpupr_stack_entry {
	u32 next;
	u32 hash;
	atomic64_t count;
	atomic64_t spans;
	atomic64_t time;
	struct cpupr_stack stack;
};

/**
 * struct cpupr_stack_pool - memory for all sets
 * @memory: CPUPR_STACK_CHUNK bytes for each chunk, of any content, 8-byte aligned
 * @taken: a bit for each chunk, as unsigned longs; zeroed
 * @chunks: how many there are, at most 131072: 1 GiB
 */
struct cpupr_stack_pool {
	void *memory;
	unsigned long *taken;
	u32 chunks;
};

/**
 * struct cpupr_stack_set - the stacks of one trigger; zeroed but for @pool and @owned
 * @pool: where its memory is from
 * @last: its newest chunk, by number + 1, above, and the bytes used of it below; 0: none
 * @owned: a bit for each chunk of the pool: it is of this set; zeroed
 * @heads: first of each chain, a place in the pool; 0: empty
 */
struct cpupr_stack_set {
	struct cpupr_stack_pool *pool;
	u64 last;
	unsigned long *owned;
	u32 heads[CPUPR_STACK_HEADS];
};

struct cpupr_stack_entry *cpupr_stack_set_find(struct cpupr_stack_set *set,
					       const struct cpupr_stack *stack);
struct cpupr_stack_entry *cpupr_stack_set_count(struct cpupr_stack_set *set,
						const struct cpupr_stack *stack);
void cpupr_stack_entry_span(struct cpupr_stack_entry *entry, u64 ns);
struct cpupr_stack_entry *cpupr_stack_set_next(const struct cpupr_stack_set *set, u32 *chain,
					       const struct cpupr_stack_entry *after);
void cpupr_stack_set_clear(struct cpupr_stack_set *set);
u32 cpupr_stack_pool_used(const struct cpupr_stack_pool *pool);

static inline size_t cpupr_stack_bytes(const struct cpupr_stack *stack)
{
	return sizeof(*stack) + (stack->kernel + stack->user) * sizeof(stack->frame[0]);
}

#endif
