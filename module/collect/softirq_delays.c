// SPDX-License-Identifier: GPL-2.0-only
/*
 * How long softirqs wait: from when they are raised to when their handler begins.
 */
#include <linux/interrupt.h>
#include <trace/events/irq.h>

#include <cpuprecise/collector.h>
#include <cpuprecise/irqs.h>

/* Context: raise_softirq_irqoff(), interrupts off. */
static notrace void probe_softirq_raise(void *data, unsigned int vec)
{
	struct cpupr_cpu *c = this_cpu_ptr(&cpupr_cpu);

	cpupr_count(c, data);
	if (c->irq_extra & CPUPR_IRQ_DELAYS)
		cpupr_softirq_raise(&c->irqs->books, vec, cpupr_clock());
}
CPUPR_CHECK_HOOK(softirq_raise, probe_softirq_raise)

static struct cpupr_hook hooks[] = {
	CPUPR_COUNTING_HOOK(softirq_raise, probe_softirq_raise),
	{ }
};

struct cpupr_collector cpupr_softirq_delays_collector = {
	.name = "softirq_delays",
	.desc = "how long softirqs wait",
	.hooks = hooks,
	.on_demand = true,
};
