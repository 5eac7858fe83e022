/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interrupts by name, between the hooks and the books.
 */
#ifndef CPUPRECISE_IRQS_H
#define CPUPRECISE_IRQS_H

#include <linux/jump_label.h>
#include <linux/sched.h>

#include <cpuprecise/irq_table.h>
#include <cpuprecise/percpu.h>
#include <cpuprecise/task_table.h>

#define CPUPR_NMIS	8	/* handlers of NMIs that have a row */

/**
 * struct cpupr_irqs_cpu - of one CPU
 * @books: interrupts and softirqs
 * @theft: whom they take time of
 * @nmi: handlers of NMIs, written in NMIs only and outside of any section; by address,
 *	times in ns
 * @nmis_missed: calls of those that found no row
 */
struct cpupr_irqs_cpu {
	struct cpupr_irq_books books;
	struct cpupr_theft theft;
	struct cpupr_irq_row nmi[CPUPR_NMIS];
	u64 nmis_missed;
};

void cpupr_irqs_took(struct cpupr_cpu *c, struct cpupr_irq_row *row, u64 ticks);
void cpupr_irqs_cpu(struct cpupr_cpu *c);
void cpupr_irqs_comes(unsigned int cpu);
void cpupr_irqs_find_daemons(void);
void cpupr_irqs_leave_tsc(struct cpupr_cpu *c, u64 tsc, u64 local, u32 mult, u32 shift);
int cpupr_irqs_books_init(void);
void cpupr_irqs_books_exit(void);

/*
 * Three ways through the hooks of an interrupt: nothing but the ledger, names too, or
 * anything. The first two need nothing of what cpupr_begin() looks for.
 */
enum cpupr_irq_way {
	CPUPR_WAY_PLAIN,
	CPUPR_WAY_NAMED,
	CPUPR_WAY_SLOW,
};

/* Which of the first two is to be quick: an instruction less than to ask. */
DECLARE_STATIC_KEY_FALSE(cpupr_irqs_named);

/**
 * cpupr_irq_way() - the way to go
 * @c: this CPU
 */
static __always_inline enum cpupr_irq_way cpupr_irq_way(const struct cpupr_cpu *c)
{
	static const union {
		u16 part[2];
		u32 way;
	} named = { .part = { 0, CPUPR_IRQ_NAMES } };

	if (static_branch_likely(&cpupr_irqs_named)) {
		if (likely(c->irq_way == named.way))
			return CPUPR_WAY_NAMED;
	} else if (likely(!c->slow)) {
		return CPUPR_WAY_PLAIN;
	}
	return CPUPR_WAY_SLOW;
}

/* Enters the write section, as cpupr_begin(). */
static __always_inline bool cpupr_irq_section(struct cpupr_cpu *c, void *hook, u64 *now,
					      enum cpupr_irq_way way)
{
	return cpupr_begin_but(c, hook, now, way == CPUPR_WAY_SLOW ? 0 : U16_MAX);
}

/* Are interrupts booked by name? */
static __always_inline bool cpupr_irq_named(const struct cpupr_cpu *c, enum cpupr_irq_way way)
{
	return way == CPUPR_WAY_NAMED || (way == CPUPR_WAY_SLOW && c->irq_extra & CPUPR_IRQ_NAMES);
}

#endif
