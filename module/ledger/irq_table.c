// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts by name, the cold half: rows for those that were not seen before,
 * interrupts inside of interrupts, and changing the clock.
 *
 * Pure: also built by KUnit and on the host. See irq_table.h.
 */
#include <cpuprecise/irq_table.h>

static notrace void init_row(struct cpupr_irq_row *row, enum cpupr_irq_kind kind, s32 number)
{
	row->kind = kind;
	row->number = number;
	row->victim = CPUPR_THEFT_NONE;
}

/**
 * cpupr_irqs_init() - books of a CPU that has seen no interrupt
 * @b: the books, zeroed; cpupr_irqs_open() comes before the first one
 */
void cpupr_irqs_init(struct cpupr_irq_books *b)
{
	unsigned int i;

	for (i = 0; i < CPUPR_IRQ_VECTORS; i++)
		init_row(&b->row[i], CPUPR_IRQ_VECTOR, -1);
	for (i = 0; i < CPUPR_SOFTIRQS; i++)
		init_row(&b->softirq[i].row, CPUPR_IRQ_SOFTIRQ, (s32)i);
	init_row(&b->other, CPUPR_IRQ_OTHER, -1);
	for (i = 0; i < CPUPR_IRQ_SLOTS; i++)
		b->slot[i] = &b->other;
	b->used = CPUPR_IRQ_VECTORS;
}

/**
 * cpupr_irqs_open() - interrupts are booked by name from now on
 * @b: the CPU's interrupts
 * @l: its ledger, the interval just closed
 *
 * What the CPU is in the middle of has no name: it belongs to other.
 */
void cpupr_irqs_open(struct cpupr_irq_books *b, const struct cpupr_ledger *l)
{
	unsigned int i;

	b->top = &b->other;
	b->from = l->time[CPUPR_IRQ];
	b->softirq_top = -1;
	b->softirq_from = l->time[CPUPR_SOFTIRQ];
	for (i = 0; i < CPUPR_IRQ_NEST; i++)
		b->outer[i] = (struct cpupr_irq_outer){ .row = &b->other };
}

/**
 * cpupr_softirq_delays_open() - it is seen from now on when softirqs are raised
 * @b: the CPU's interrupts
 *
 * One that was raised when that was last seen may have run since.
 */
void cpupr_softirq_delays_open(struct cpupr_irq_books *b)
{
	unsigned int i;

	for (i = 0; i < CPUPR_SOFTIRQS; i++)
		b->softirq[i].raised = 0;
}

/* Names are cut to what fits. */
static notrace bool is_named(const struct cpupr_irq_row *row, const char *name)
{
	return !strncmp(row->name, name, CPUPR_IRQ_NAME - 1);
}

/* The row of a line, or an IPI, that was seen before, or a new one. */
static notrace struct cpupr_irq_row *row_of(struct cpupr_irq_books *b, enum cpupr_irq_kind kind,
					    s32 number, const char *name)
{
	struct cpupr_irq_row *row;
	unsigned int i;

	for (i = CPUPR_IRQ_VECTORS; i < b->used; i++) {
		row = &b->row[i];
		if (row->kind == (u32)kind && row->number == number && is_named(row, name))
			return row;
	}
	if (b->used == CPUPR_IRQ_ROWS)
		return NULL;
	row = &b->row[b->used];
	init_row(row, kind, number);
	for (i = 0; i < CPUPR_IRQ_NAME - 1 && name[i]; i++)
		row->name[i] = name[i];
	/* Readers look at as many as there are, which pairs with this. */
	smp_store_release(&b->used, b->used + 1);
	return row;
}

/**
 * cpupr_irq_row_find() - the row of a line or an IPI that is not where it was last
 * @b: the CPU's interrupts
 * @kind: which of the two
 * @number: of the line, or -1
 * @key: see struct cpupr_irq_row
 * @name: its name; a handler may have none
 *
 * A line may have several handlers, each of which has a row; and a handler may have
 * gone, and another one of the same name come to the same line, which goes on in it.
 *
 * Return: other, if there is no room for one more.
 */
notrace struct cpupr_irq_row *cpupr_irq_row_find(struct cpupr_irq_books *b,
						 enum cpupr_irq_kind kind, s32 number,
						 const void *key, const char *name)
{
	/* That is what /proc/interrupts has then. */
	struct cpupr_irq_row *row = row_of(b, kind, number, name ?: "(null)");

	if (!row)
		return &b->other;
	WRITE_ONCE(row->key, key);
	b->slot[cpupr_irq_slot(key)] = row;
	return row;
}

/**
 * cpupr_irqs_forget() - a handler goes; another one may come to where it was in memory
 * @b: a CPU's interrupts
 * @key: what it was asked for by
 *
 * Context: any CPU.
 */
notrace void cpupr_irqs_forget(struct cpupr_irq_books *b, const void *key)
{
	/* Pairs with row_of(). */
	unsigned int i, used = smp_load_acquire(&b->used);

	for (i = CPUPR_IRQ_VECTORS; i < used; i++)
		if (READ_ONCE(b->row[i].key) == key)
			WRITE_ONCE(b->row[i].key, NULL);
}

/**
 * cpupr_irq_nested() - an interrupt begins inside of another
 * @unused: see cpupr_call_cold()
 * @b: the CPU's interrupts
 * @l: as for cpupr_irq_begin()
 */
notrace void cpupr_irq_nested(void *unused, struct cpupr_irq_books *b,
			      const struct cpupr_ledger *l)
{
	unsigned int outer = l->at.irq - 2u;
	u64 ticks = l->time[CPUPR_IRQ] - b->from;

	/* What nobody will know to go on keeps its time. */
	b->top->time += ticks;
	b->from += ticks;
	if (outer < CPUPR_IRQ_NEST)
		b->outer[outer] = (struct cpupr_irq_outer){ b->top, ticks };
}

/**
 * cpupr_irq_unnest() - the interrupt goes on that was interrupted
 * @unused: see cpupr_call_cold()
 * @b: the CPU's interrupts
 * @l: as for cpupr_irq_end()
 */
notrace void cpupr_irq_unnest(void *unused, struct cpupr_irq_books *b,
			      const struct cpupr_ledger *l)
{
	unsigned int outer = l->at.irq - 1u;
	struct cpupr_irq_outer none = { .row = &b->other };
	struct cpupr_irq_outer *o = outer < CPUPR_IRQ_NEST ? &b->outer[outer] : &none;

	b->top = o->row;
	b->from -= o->ticks;
	o->row->time -= o->ticks;
}

/**
 * cpupr_irqs_open_ticks() - what a row has, beside its time, of the one that is not over
 * @b: the CPU's interrupts, or a copy in which @row is one of the CPU's own
 * @l: a copy of its ledger, the open interval accounted
 * @row: the row of an interrupt or a softirq
 *
 * Return: ticks.
 */
u64 cpupr_irqs_open_ticks(const struct cpupr_irq_books *b, const struct cpupr_ledger *l,
			  const struct cpupr_irq_row *row)
{
	if (l->at.irq && row == b->top)
		return l->time[CPUPR_IRQ] - b->from;
	if (l->at.softirq && row->kind == CPUPR_IRQ_SOFTIRQ && row->number == b->softirq_top)
		return l->time[CPUPR_SOFTIRQ] - b->softirq_from;
	return 0;
}

static void rescale_row(struct cpupr_irq_row *row, u32 mult, u32 shift)
{
	row->time = mul_u64_u32_shr(row->time, mult, shift);
	row->max = mul_u64_u32_shr(row->max, mult, shift);
}

/**
 * cpupr_irqs_rescale() - go on with another clock, whose ticks are ns
 * @b: a CPU's interrupts
 * @tsc: what the old clock is at
 * @local: and the new one
 * @mult: one old tick is @mult / 2^@shift ns
 * @shift: see @mult
 */
void cpupr_irqs_rescale(struct cpupr_irq_books *b, u64 tsc, u64 local, u32 mult, u32 shift)
{
	unsigned int i;

	for (i = 0; i < b->used; i++)
		rescale_row(&b->row[i], mult, shift);
	rescale_row(&b->other, mult, shift);
	for (i = 0; i < CPUPR_SOFTIRQS; i++) {
		struct cpupr_softirq_row *s = &b->softirq[i];
		s64 waited = (s64)(tsc - s->raised);

		rescale_row(&s->row, mult, shift);
		s->daemon = mul_u64_u32_shr(s->daemon, mult, shift);
		s->delay = mul_u64_u32_shr(s->delay, mult, shift);
		s->delay_max = mul_u64_u32_shr(s->delay_max, mult, shift);
		if (s->raised)
			s->raised = local - mul_u64_u32_shr(waited > 0 ? (u64)waited : 0, mult, shift);
	}
	b->from = mul_u64_u32_shr(b->from, mult, shift);
	b->softirq_from = mul_u64_u32_shr(b->softirq_from, mult, shift);
	for (i = 0; i < CPUPR_IRQ_NEST; i++)
		b->outer[i].ticks = mul_u64_u32_shr(b->outer[i].ticks, mult, shift);
}

/**
 * cpupr_parts() - parts that add up to what is known of the whole
 * @shown: of each part, what was shown last; raised
 * @target: of each part, what it has
 * @n: how many, at least one
 * @total: the whole; if it is less than the sum of @shown, these stay as they are
 *
 * Parts are rounded by themselves, and were read a moment before or after the whole.
 * None ever falls; what is left over, or too much, is a part's for one read.
 */
void cpupr_parts(u64 *shown, const u64 *target, unsigned int n, u64 total)
{
	unsigned int i, most = 0;

	for (i = 0; i < n; i++)
		total -= min(total, shown[i]);
	for (i = 0; i < n; i++) {
		u64 more = target[i] > shown[i] ? target[i] - shown[i] : 0;

		more = min(more, total);
		shown[i] += more;
		total -= more;
		if (target[i] > target[most])
			most = i;
	}
	shown[most] += total;
}
