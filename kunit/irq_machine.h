/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A CPU with its ledger, its interrupts by name and whom they take time of: what the
 * timelines of irq_vectors.h are replayed on.
 *
 * It does what the hooks do, in their order, without anything of theirs.
 */
#ifndef CPUPRECISE_IRQ_MACHINE_H
#define CPUPRECISE_IRQ_MACHINE_H

#include <cpuprecise/irq_table.h>

#define IRQ_SHIFT	60
#define IRQ_NS		(1ULL << IRQ_SHIFT)	/* the scale of a clock of 1 GHz */

/* Rows by number: those of the books, then these. */
#define IRQ_MACHINE_OTHER	CPUPR_IRQ_ROWS
#define IRQ_MACHINE_SOFTIRQ(n)	(CPUPR_IRQ_ROWS + 1 + (n))
#define IRQ_MACHINE_ROWS	IRQ_MACHINE_SOFTIRQ(CPUPR_SOFTIRQS)

/**
 * struct irq_handler - what an interrupt is asked for by
 * @key: never followed
 * @kind: vector, line or IPI
 * @number: of the vector or the line
 * @name: of the handler
 */
struct irq_handler {
	unsigned long key;
	enum cpupr_irq_kind kind;
	s32 number;
	const char *name;
};

/**
 * struct irq_machine - all there is
 * @ledger: the CPU's
 * @books: by name
 * @theft: whom they take time of
 * @asked: that, or NULL while nobody asks
 * @booked: by name, now
 * @runs: the number of the task that runs
 * @scale: ns are ticks * @scale >> IRQ_SHIFT
 */
struct irq_machine {
	struct cpupr_ledger ledger;
	struct cpupr_irq_books books;
	struct cpupr_theft theft;
	struct cpupr_theft *asked;
	bool booked;
	u64 runs;
	u64 scale;
};

static inline void irq_machine_init(struct irq_machine *m, u64 now, u64 scale)
{
	memset(m, 0, sizeof(*m));
	m->scale = scale;
	cpupr_irqs_init(&m->books);
	cpupr_ledger_online(&m->ledger, now, CPUPR_SYSTEM);
}

static inline struct cpupr_irq_row *irq_machine_row(struct irq_machine *m, u64 number)
{
	if (number < IRQ_MACHINE_OTHER)
		return &m->books.row[number];
	if (number == IRQ_MACHINE_OTHER)
		return &m->books.other;
	return &m->books.softirq[number - IRQ_MACHINE_SOFTIRQ(0)].row;
}

static inline void irq_machine_book(struct irq_machine *m, u64 now)
{
	cpupr_ledger_account(&m->ledger, now);
	cpupr_irqs_open(&m->books, &m->ledger);
	cpupr_softirq_delays_open(&m->books);
	m->booked = true;
}

static inline void irq_machine_switch(struct irq_machine *m, u64 now, u64 next)
{
	cpupr_ledger_switch(&m->ledger, now, CPUPR_SYSTEM, 0);
	m->runs = next;
}

static inline void irq_machine_took(struct irq_machine *m, struct cpupr_irq_row *row, u64 ticks)
{
	if (!m->asked)
		return;
	if (row->victim != m->runs) {
		row->pair = cpupr_theft_find(m->asked, row, m->runs);
		row->victim = m->runs;
	}
	row->pair->count++;
	row->pair->time += ticks;
}

static inline void irq_machine_enter(struct irq_machine *m, u64 now, const struct irq_handler *h)
{
	struct cpupr_irq_row *row;

	cpupr_ledger_irq_enter(&m->ledger, now);
	if (!m->booked)
		return;
	if (h->kind == CPUPR_IRQ_VECTOR)
		row = cpupr_irq_vector(&m->books, (unsigned int)h->number);
	else
		row = cpupr_irq_row_of(&m->books, h->kind, h->number, (const void *)h->key, h->name);
	cpupr_irq_begin(&m->books, row, &m->ledger);
}

static inline void irq_machine_leave(struct irq_machine *m, u64 now)
{
	struct cpupr_irq_row *row;
	u64 took;

	if (!m->ledger.at.irq)
		return;
	cpupr_ledger_irq_exit(&m->ledger, now);
	if (!m->booked)
		return;
	row = cpupr_irq_end(&m->books, &m->ledger, m->scale, IRQ_SHIFT, &took);
	irq_machine_took(m, row, took);
}

static inline void irq_machine_softirq(struct irq_machine *m, u64 now, unsigned int number)
{
	cpupr_ledger_softirq_enter(&m->ledger, now);
	if (!m->booked)
		return;
	cpupr_softirq_begin(&m->books, number);
	cpupr_softirq_waited(&m->books, number, now, m->scale, IRQ_SHIFT);
}

static inline void irq_machine_softirq_end(struct irq_machine *m, u64 now, unsigned int number,
					   bool daemon)
{
	struct cpupr_irq_row *row;
	u64 took;

	if (!m->ledger.at.softirq)
		return;
	cpupr_ledger_softirq_exit(&m->ledger, now);
	if (!m->booked)
		return;
	row = cpupr_softirq_end(&m->books, number, &m->ledger, daemon, m->scale, IRQ_SHIFT, &took);
	irq_machine_took(m, row, took);
}

/* Another clock, at @local now, one of whose ticks is 2^@shift / @mult of those at @now. */
static inline void irq_machine_rescale(struct irq_machine *m, u64 now, u64 local, u32 mult, u32 shift)
{
	cpupr_ledger_account(&m->ledger, now);
	cpupr_ledger_rescale(&m->ledger, local, mult, shift);
	cpupr_irqs_rescale(&m->books, now, local, mult, shift);
	cpupr_theft_rescale(&m->theft, mult, shift);
}

/* As a reader finds it at @now. */
static inline u64 irq_machine_open(const struct irq_machine *m, u64 now, const struct cpupr_irq_row *row)
{
	struct cpupr_ledger l = m->ledger;

	cpupr_ledger_account(&l, now);
	return cpupr_irqs_open_ticks(&m->books, &l, row);
}

#endif
