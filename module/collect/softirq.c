// SPDX-License-Identifier: GPL-2.0-only
/*
 * Softirq handlers, wherever they run: at the end of an interrupt, where
 * bottom halves are enabled again, or in ksoftirqd.
 */
#include <linux/interrupt.h>
#include <linux/irqflags.h>
#include <trace/events/irq.h>

#include <cpuprecise/collector.h>
#include <cpuprecise/percpu.h>

/* Context for both: softirq, interrupts on. */
static notrace void probe_softirq_entry(void *data, unsigned int vec)
{
	struct cpupr_cpu *c;
	u64 now;

	local_irq_disable();
	c = this_cpu_ptr(&cpupr_cpu);
	if (cpupr_begin(c, data, &now)) {
		cpupr_ledger_softirq_enter(&c->ledger, now);
		cpupr_end(c, data);
	}
	local_irq_enable();
}
CPUPR_CHECK_HOOK(softirq_entry, probe_softirq_entry)

static notrace void probe_softirq_exit(void *data, unsigned int vec)
{
	struct cpupr_cpu *c;
	u64 now;

	local_irq_disable();
	c = this_cpu_ptr(&cpupr_cpu);
	if (cpupr_begin(c, data, &now)) {
		cpupr_ledger_softirq_exit(&c->ledger, now);
		cpupr_end(c, data);
	}
	local_irq_enable();
}
CPUPR_CHECK_HOOK(softirq_exit, probe_softirq_exit)

static struct cpupr_hook hooks[] = {
	CPUPR_HOOK(softirq_exit, probe_softirq_exit),
	CPUPR_HOOK(softirq_entry, probe_softirq_entry),
	{ }
};

struct cpupr_collector cpupr_softirq_collector = {
	.name = "softirq",
	.desc = "softirq handlers",
	.hooks = hooks,
};
