// SPDX-License-Identifier: GPL-2.0-only
/*
 * KVM's guests: from kvm_entry until the CPU is seen to be the host's again, by
 * kvm_exit or by whatever else comes first: on SVM, 6.1 tells of an exit only after the
 * interrupt that caused it.
 *
 * KVM is a module that comes and goes (x86), or built in (arm64). The prototypes of
 * its tracepoints differ between kernels, and their header is KVM's own: the probes
 * look at none of their arguments.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/irqflags.h>
#include <linux/module.h>

#include <cpuprecise/collector.h>
#include <cpuprecise/guest.h>
#include <cpuprecise/percpu.h>
#include <cpuprecise/user_return.h>

bool cpupr_guest_known;

/* Context: the task whose guest it is, interrupts off. */
static notrace void probe_entry(void *data)
{
	struct cpupr_cpu *c = this_cpu_ptr(&cpupr_cpu);
	u64 now;

	if (!cpupr_begin(c, data, &now))
		return;
	cpupr_ledger_guest_enter(&c->ledger, now, cpupr_user_base(current));
	c->slow |= CPUPR_SLOW_GUEST;
	cpupr_end(c, data);
}

/* Context: the same task, interrupts on or off. Any write section ends a guest's interval. */
static notrace void probe_exit(void *data)
{
	struct cpupr_cpu *c;
	unsigned long flags;
	u64 now;

	local_irq_save(flags);
	c = this_cpu_ptr(&cpupr_cpu);
	if (cpupr_begin(c, data, &now))
		cpupr_end(c, data);
	local_irq_restore(flags);
}

#define HOOKS { \
	CPUPR_OPTIONAL_HOOK(kvm_exit, probe_exit), \
	CPUPR_OPTIONAL_HOOK(kvm_entry, probe_entry), \
	{ } \
}

static struct cpupr_hook hooks[] = HOOKS;
static struct cpupr_hook module_hooks[] = HOOKS;

/* Context: under the tracepoints' mutex of modules, which is all that @module_hooks need. */
static int module_event(struct notifier_block *nb, unsigned long event, void *data)
{
	const struct tp_module *tp_module = data;
	int ret;

	switch (event) {
	case MODULE_STATE_COMING:
		if (!cpupr_hooks_of_module(module_hooks, tp_module->mod))
			break;
		ret = cpupr_hooks_register(module_hooks);
		if (ret)
			pr_warn("guest: %s takes no probe: %d\n", tp_module->mod->name, ret);
		else
			WRITE_ONCE(cpupr_guest_known, true);
		break;
	case MODULE_STATE_GOING:
		if (within_module((unsigned long)module_hooks[0].tp, tp_module->mod))
			cpupr_hooks_forget(module_hooks);
		break;
	}
	return NOTIFY_OK;
}

static struct notifier_block module_block = {
	.notifier_call = module_event,
};

static const char *probe(void)
{
	/* One probe for all prototypes: a kernel that checks them at each call would panic. */
	return IS_ENABLED(CONFIG_CFI_CLANG) || IS_ENABLED(CONFIG_CFI) ?
	       "kernel checks prototypes (CONFIG_CFI)" : NULL;
}

/* Tells of modules that are there, too. */
static int enable(void)
{
	struct cpupr_hook *h;

	for (h = module_hooks; h->name; h++)
		h->number = cpupr_hook_number(h->name);
	if (hooks[0].tp)
		WRITE_ONCE(cpupr_guest_known, true);
	return register_tracepoint_module_notifier(&module_block);
}

/* And here that they go. */
static void disable(void)
{
	unregister_tracepoint_module_notifier(&module_block);
}

struct cpupr_collector cpupr_guest_collector = {
	.name = "guest",
	.desc = "KVM's guests",
	.hooks = hooks,
	.probe = probe,
	.enable = enable,
	.disable = disable,
};
