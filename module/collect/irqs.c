// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts by name. When they begin and end is the irq and softirq collectors' to
 * see; here is what else there is to know: which handlers are no longer, and how long those
 * of NMIs take.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/kprobes.h>
#include <linux/nmi.h>
#include <trace/events/nmi.h>

#include <cpuprecise/collector.h>
#include <cpuprecise/irqs.h>

/* The row of a handler; NULL if there is no room for one more. */
static notrace struct cpupr_irq_row *nmi_row(struct cpupr_irqs_cpu *i, const void *handler)
{
	struct cpupr_irq_row *row;

	for (row = i->nmi; row < i->nmi + CPUPR_NMIS; row++) {
		if (!row->key)
			WRITE_ONCE(row->key, handler);
		if (row->key == handler)
			return row;
	}
	return NULL;
}

/*
 * Context: an NMI, which nothing interrupts. It may be in the middle of any section, so it
 * writes what nobody else does, and its calls are counted without laps.
 */
static notrace void probe_nmi_handler(void *data, void *handler, s64 delta_ns, int handled)
{
	struct cpupr_cpu *c = this_cpu_ptr(&cpupr_cpu);
	struct cpupr_irq_row *row;

	c->observer.laps[cpupr_left(c, data) - c->left]++;
	if (!c->irq_extra)
		return;
	row = nmi_row(c->irqs, handler);
	if (row)
		cpupr_irq_row_add(row, delta_ns > 0 ? delta_ns : 0, 1, 0);
	else
		c->irqs->nmis_missed++;
}
CPUPR_CHECK_HOOK(nmi_handler, probe_nmi_handler)

/*
 * unregister_handler_proc(irq, action), which __free_irq() calls when no interrupt finds
 * the handler any more, and before its memory is another's (kernel/irq/manage.c). It waits
 * for handlers that run only after that: one that begins just then finds its row again,
 * and what has that memory next may be counted there.
 */
static int goes(struct kprobe *p, struct pt_regs *regs)
{
	const void *action = (void *)regs_get_kernel_argument(regs, 1);
	int cpu;

	for_each_possible_cpu(cpu)
		cpupr_irqs_forget(&per_cpu_ptr(&cpupr_cpu, cpu)->irqs->books, action);
	return 0;
}
NOKPROBE_SYMBOL(goes);

static struct kprobe handlers;
static bool watching;

static int enable(void)
{
	int ret;

	handlers = (struct kprobe){
		.symbol_name = "unregister_handler_proc",
		.pre_handler = goes,
	};
	ret = register_kprobe(&handlers);
	watching = !ret;
	static_branch_enable(&cpupr_irqs_named);
	if (ret)
		pr_info("irqs: no kprobe on %s (%d): a line that is given to another device may keep its name\n",
			handlers.symbol_name, ret);
	return 0;
}

static void disable(void)
{
	static_branch_disable(&cpupr_irqs_named);
	if (watching)
		unregister_kprobe(&handlers);
}

static struct cpupr_hook hooks[] = {
	{ .name = "nmi_handler", .probe = (void *)probe_nmi_handler, .optional = true,
	  .kind = CPUPR_CALLS_COUNT },
	{ }
};

struct cpupr_collector cpupr_irqs_collector = {
	.name = "irqs",
	.desc = "interrupts and softirqs by name",
	.hooks = hooks,
	.enable = enable,
	.catch_up = cpupr_irqs_find_daemons,
	.disable = disable,
};
