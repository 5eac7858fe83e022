// SPDX-License-Identifier: GPL-2.0-only
/*
 * Softirq handlers, wherever they run: at the end of an interrupt, where
 * bottom halves are enabled again, or in ksoftirqd.
 */
#include <linux/interrupt.h>
#include <linux/irqflags.h>
#include <trace/events/irq.h>

#include <cpuprecise/collector.h>
#include <cpuprecise/irqs.h>

static __always_inline void book_entry(struct cpupr_cpu *c, void *data, unsigned int vec,
				       enum cpupr_irq_way way)
{
	u64 now;

	if (!cpupr_irq_section(c, data, &now, way))
		return;
	cpupr_ledger_softirq_enter(&c->ledger, now);
	if (cpupr_irq_named(c, way))
		cpupr_softirq_begin(&c->irqs->books, vec);
	if (way == CPUPR_WAY_SLOW && c->irq_extra & CPUPR_IRQ_DELAYS)
		cpupr_softirq_waited(&c->irqs->books, vec, now, cpupr_clock_scale,
				     CPUPR_CLOCK_SHIFT);
	cpupr_end(c, data);
}

static __always_inline void book_exit(struct cpupr_cpu *c, void *data, unsigned int vec,
				      enum cpupr_irq_way way)
{
	struct cpupr_irq_row *row;
	u64 now, took;

	if (!cpupr_irq_section(c, data, &now, way))
		return;
	/* Not one whose entry was not seen. */
	if (likely(c->ledger.at.softirq)) {
		cpupr_ledger_softirq_exit(&c->ledger, now);
		if (cpupr_irq_named(c, way)) {
			row = cpupr_softirq_end(&c->irqs->books, vec, &c->ledger,
						current == c->irqs->books.daemon, cpupr_clock_scale,
						CPUPR_CLOCK_SHIFT, &took);
			if (way == CPUPR_WAY_SLOW && c->irq_extra & CPUPR_IRQ_THEFT)
				cpupr_irqs_took(c, row, took);
		}
	}
	cpupr_end(c, data);
}

static noinline notrace void enter_slow(void *data, unsigned int vec)
{
	book_entry(this_cpu_ptr(&cpupr_cpu), data, vec, CPUPR_WAY_SLOW);
}

static noinline notrace void leave_slow(void *data, unsigned int vec)
{
	book_exit(this_cpu_ptr(&cpupr_cpu), data, vec, CPUPR_WAY_SLOW);
}

/* Context for both: softirq, interrupts on. */
static notrace void probe_softirq_entry(void *data, unsigned int vec)
{
	struct cpupr_cpu *c;

	local_irq_disable();
	c = this_cpu_ptr(&cpupr_cpu);
	switch (cpupr_irq_way(c)) {
	case CPUPR_WAY_PLAIN:
		book_entry(c, data, vec, CPUPR_WAY_PLAIN);
		break;
	case CPUPR_WAY_NAMED:
		book_entry(c, data, vec, CPUPR_WAY_NAMED);
		break;
	case CPUPR_WAY_SLOW:
		enter_slow(data, vec);
	}
	local_irq_enable();
}
CPUPR_CHECK_HOOK(softirq_entry, probe_softirq_entry)

static notrace void probe_softirq_exit(void *data, unsigned int vec)
{
	struct cpupr_cpu *c;

	local_irq_disable();
	c = this_cpu_ptr(&cpupr_cpu);
	switch (cpupr_irq_way(c)) {
	case CPUPR_WAY_PLAIN:
		book_exit(c, data, vec, CPUPR_WAY_PLAIN);
		break;
	case CPUPR_WAY_NAMED:
		book_exit(c, data, vec, CPUPR_WAY_NAMED);
		break;
	case CPUPR_WAY_SLOW:
		leave_slow(data, vec);
	}
	local_irq_enable();
}
CPUPR_CHECK_HOOK(softirq_exit, probe_softirq_exit)

static struct cpupr_hook hooks[] = {
	CPUPR_OPEN_HOOK(softirq_exit, probe_softirq_exit),
	CPUPR_OPEN_HOOK(softirq_entry, probe_softirq_entry),
	{ }
};

struct cpupr_collector cpupr_softirq_collector = {
	.name = "softirq",
	.desc = "softirq handlers",
	.hooks = hooks,
};
