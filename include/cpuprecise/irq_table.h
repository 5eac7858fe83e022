/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interrupts of one CPU by name: lines, local vectors, IPIs and softirqs.
 *
 * Times are differences of the ledger's irq and softirq columns, so the rows of a
 * CPU add up to these by construction, and one that comes inside of another is
 * counted once: the time of a row is without that of interrupts inside of it. Each has
 * what its column grew by since the one before, so that nothing is left out or counted
 * twice where an end was missed.
 *
 * Pure: it sees numbers, names and addresses, which it never follows.
 *
 * Context: one writer, the CPU that the books belong to, with interrupts off. But any
 * CPU may clear the key of a row.
 */
#ifndef CPUPRECISE_IRQ_TABLE_H
#define CPUPRECISE_IRQ_TABLE_H

#include <cpuprecise/hist.h>
#include <cpuprecise/ledger.h>
#include <cpuprecise/theft_table.h>

#define CPUPR_IRQ_VECTORS	32	/* by the low bits of a vector's number */
#define CPUPR_IRQ_NAMED		128	/* lines and IPIs of a CPU that have a row */
#define CPUPR_IRQ_ROWS		(CPUPR_IRQ_VECTORS + CPUPR_IRQ_NAMED)
#define CPUPR_IRQ_SLOTS		256	/* where rows are looked for first */
#define CPUPR_IRQ_NEST		8	/* of interrupts inside of interrupts */
#define CPUPR_IRQ_NAME		48	/* what is longer is cut */
#define CPUPR_SOFTIRQS		16	/* more than any kernel has */

enum cpupr_irq_kind {
	CPUPR_IRQ_OTHER,	/* what finds no row */
	CPUPR_IRQ_LINE,		/* a device's handler */
	CPUPR_IRQ_VECTOR,	/* one that has no handler: x86 */
	CPUPR_IRQ_IPI,		/* arm64 */
	CPUPR_IRQ_SOFTIRQ,
	CPUPR_IRQ_NMI,		/* a handler of those: in no column */
	CPUPR_NR_IRQ_KINDS,
};

/**
 * struct cpupr_irq_row - what is counted of an interrupt
 * @key: what it is asked for by: its handler's irqaction, or its name's address; NULL if
 *	there is no such key now
 * @pair: what it took of @victim; only valid if that is a number
 * @victim: number of the task that it last took time of; CPUPR_THEFT_NONE: see @pair
 * @count: how many ended
 * @time: of those, and of one that others interrupt now, without these, ticks
 * @max: the longest one's, ticks
 * @number: of the line, vector or softirq; -1: none
 * @kind: enum cpupr_irq_kind
 * @name: as /proc/interrupts has it, NUL-terminated
 * @hist: how many ended, by time
 */
struct cpupr_irq_row {
	const void *key;
	struct cpupr_theft_pair *pair;
	u64 victim;
	u64 count;
	u64 time;
	u64 max;
	s32 number;
	u32 kind;
	char name[CPUPR_IRQ_NAME];
	u64 hist[CPUPR_BUCKETS];
};

/**
 * struct cpupr_softirq_row - and of a softirq
 * @row: its handler
 * @raised: since when it is to run, ticks; 0: not
 * @daemon: of @row.time, what ksoftirqd ran, ticks
 * @delays: how many were seen to be raised
 * @delay: from there to the handler, ticks
 * @delay_max: the longest, ticks
 * @delay_hist: how many, by delay
 */
struct cpupr_softirq_row {
	struct cpupr_irq_row row;
	u64 raised;
	u64 daemon;
	u64 delays;
	u64 delay;
	u64 delay_max;
	u64 delay_hist[CPUPR_BUCKETS];
};

/**
 * struct cpupr_irq_books - the interrupts of a CPU
 * @top: the innermost one's row
 * @from: what the irq column was when the last one ended, or the innermost one came inside of
 *	another; less what this had before others came
 * @outer: those which it interrupts, the outermost first: row, and ticks until then, which
 *	the row's time has already
 * @softirq_top: the softirq's number; -1: it began before anybody looked
 * @softirq_from: what the softirq column was when the last handler ended
 * @daemon: the CPU's ksoftirqd; NULL if it is not known
 * @slot: where the row of a key was found last; never NULL
 * @used: rows of @row in use beyond the vectors
 * @row: by the low bits of the vector, then in the order of their first interrupt
 * @other: what found no row
 * @softirq: by number
 */
struct cpupr_irq_books {
	struct cpupr_irq_row *top;
	u64 from;
	struct cpupr_irq_outer {
		struct cpupr_irq_row *row;
		u64 ticks;
	} outer[CPUPR_IRQ_NEST];
	s32 softirq_top;
	u64 softirq_from;
	const void *daemon;
	struct cpupr_irq_row *slot[CPUPR_IRQ_SLOTS];
	unsigned int used;
	struct cpupr_irq_row row[CPUPR_IRQ_ROWS];
	struct cpupr_irq_row other;
	struct cpupr_softirq_row softirq[CPUPR_SOFTIRQS];
};

void cpupr_irqs_init(struct cpupr_irq_books *b);
void cpupr_irqs_open(struct cpupr_irq_books *b, const struct cpupr_ledger *l);
void cpupr_softirq_delays_open(struct cpupr_irq_books *b);
struct cpupr_irq_row *cpupr_irq_row_find(struct cpupr_irq_books *b, enum cpupr_irq_kind kind,
					 s32 number, const void *key, const char *name);
void cpupr_irqs_forget(struct cpupr_irq_books *b, const void *key);
void __no_caller_saved_registers cpupr_irq_nested(void *unused, struct cpupr_irq_books *b,
						  const struct cpupr_ledger *l);
void __no_caller_saved_registers cpupr_irq_unnest(void *unused, struct cpupr_irq_books *b,
						  const struct cpupr_ledger *l);
void cpupr_irqs_rescale(struct cpupr_irq_books *b, u64 tsc, u64 local, u32 mult, u32 shift);
u64 cpupr_irqs_open_ticks(const struct cpupr_irq_books *b, const struct cpupr_ledger *l,
			  const struct cpupr_irq_row *row);
void cpupr_parts(u64 *shown, const u64 *target, unsigned int n, u64 total);

/* Where the row of a key is looked for first. Keys are aligned addresses. */
static __always_inline unsigned int cpupr_irq_slot(const void *key)
{
	return ((unsigned long)key >> 5 ^ (unsigned long)key >> 13) % CPUPR_IRQ_SLOTS;
}

/**
 * cpupr_irq_row_of() - the row of a line or of an IPI
 * @b: the CPU's interrupts
 * @kind: which of the two
 * @number: of the line, or -1
 * @key: see struct cpupr_irq_row; not NULL
 * @name: its name
 *
 * Return: never NULL.
 */
static __always_inline struct cpupr_irq_row *cpupr_irq_row_of(struct cpupr_irq_books *b,
							      enum cpupr_irq_kind kind,
							      s32 number, const void *key,
							      const char *name)
{
	struct cpupr_irq_row *row = b->slot[cpupr_irq_slot(key)];

	if (likely(READ_ONCE(row->key) == key))
		return row;
	return cpupr_irq_row_find(b, kind, number, key, name);
}

static __always_inline struct cpupr_irq_row *cpupr_irq_vector(struct cpupr_irq_books *b,
							      unsigned int vector)
{
	return &b->row[vector % CPUPR_IRQ_VECTORS];
}

/* One of @row ended; it took @ticks. */
static __always_inline void cpupr_irq_row_add(struct cpupr_irq_row *row, u64 ticks, u64 scale,
					      unsigned int shift)
{
	row->count++;
	row->time += ticks;
	if (unlikely(ticks > row->max))
		row->max = ticks;
	row->hist[cpupr_bucket(mul_u64_u64_shr(ticks, scale, shift))]++;
}

/**
 * cpupr_irq_begin() - an interrupt begins
 * @b: the CPU's interrupts
 * @row: its row
 * @l: the CPU's ledger, the interval just closed, where it is in one more irq already
 */
static __always_inline void cpupr_irq_begin(struct cpupr_irq_books *b, struct cpupr_irq_row *row,
					    const struct cpupr_ledger *l)
{
	if (unlikely(l->at.irq > 1))
		cpupr_call_cold(cpupr_irq_nested, b, l);
	b->top = row;
}

/**
 * cpupr_irq_end() - it ends
 * @b: the CPU's interrupts
 * @l: the CPU's ledger, the interval just closed, where it has left the irq already
 * @scale: for ticks to ns, see below
 * @shift: ns are ticks * @scale >> @shift
 *
 * Return: its row, and in @took what it took, ticks.
 */
static __always_inline struct cpupr_irq_row *cpupr_irq_end(struct cpupr_irq_books *b,
							   const struct cpupr_ledger *l, u64 scale,
							   unsigned int shift, u64 *took)
{
	struct cpupr_irq_row *row = b->top;
	u64 from = b->from;

	/* Before anything is written: the compiler still knows where it cannot be. */
	if (unlikely(l->at.irq))
		cpupr_call_cold(cpupr_irq_unnest, b, l);
	*took = l->time[CPUPR_IRQ] - from;
	b->from += *took;
	cpupr_irq_row_add(row, *took, scale, shift);
	return row;
}

/**
 * cpupr_softirq_raise() - a softirq is to run
 * @b: the CPU's interrupts
 * @number: of the softirq
 * @now: ticks
 */
static __always_inline void cpupr_softirq_raise(struct cpupr_irq_books *b, unsigned int number,
						u64 now)
{
	u64 *raised = &b->softirq[number % CPUPR_SOFTIRQS].raised;

	/* Raised again before it runs: it waits since the first time. */
	if (!*raised)
		*raised = now;
}

/**
 * cpupr_softirq_waited() - its handler begins: how long did it wait?
 * @b: the CPU's interrupts
 * @number: of the softirq
 * @now: ticks
 * @scale: as for cpupr_irq_end()
 * @shift: as for cpupr_irq_end()
 */
static __always_inline void cpupr_softirq_waited(struct cpupr_irq_books *b, unsigned int number,
						 u64 now, u64 scale, unsigned int shift)
{
	struct cpupr_softirq_row *s = &b->softirq[number % CPUPR_SOFTIRQS];
	u64 raised = s->raised, delay = now - raised;

	s->raised = 0;
	/* One that was raised before anybody looked, or a clock that stepped back. */
	if (!raised || (s64)delay < 0)
		return;
	s->delays++;
	s->delay += delay;
	if (delay > s->delay_max)
		s->delay_max = delay;
	s->delay_hist[cpupr_bucket(mul_u64_u64_shr(delay, scale, shift))]++;
}

/**
 * cpupr_softirq_begin() - its handler begins
 * @b: the CPU's interrupts
 * @number: of the softirq
 */
static __always_inline void cpupr_softirq_begin(struct cpupr_irq_books *b, unsigned int number)
{
	b->softirq_top = (s32)number;
}

/**
 * cpupr_softirq_end() - it ends
 * @b: the CPU's interrupts
 * @number: of the softirq
 * @l: the CPU's ledger, the interval just closed
 * @daemon: ksoftirqd ran it
 * @scale: as for cpupr_irq_end()
 * @shift: as for cpupr_irq_end()
 *
 * Return: its row, and in @took what it took, ticks.
 */
static __always_inline struct cpupr_irq_row *cpupr_softirq_end(struct cpupr_irq_books *b,
							       unsigned int number,
							       const struct cpupr_ledger *l,
							       bool daemon, u64 scale,
							       unsigned int shift, u64 *took)
{
	struct cpupr_softirq_row *s = &b->softirq[number % CPUPR_SOFTIRQS];

	*took = l->time[CPUPR_SOFTIRQ] - b->softirq_from;
	b->softirq_from += *took;
	cpupr_irq_row_add(&s->row, *took, scale, shift);
	if (unlikely(daemon))
		s->daemon += *took;
	return &s->row;
}

#endif
