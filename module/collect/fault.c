// SPDX-License-Identifier: GPL-2.0-only
/*
 * Exceptions from user mode: page faults, and those that end in a signal.
 *
 * Other exceptions that the kernel handles without one (uprobes, emulated
 * instructions) have no tracepoint; they stay user.
 */
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/signal.h>
#include <trace/events/signal.h>
#ifdef CONFIG_X86
#include <asm/trace/exceptions.h>
#endif

#include <cpuprecise/collector.h>
#include <cpuprecise/user_return.h>

/* The CPU is in the kernel now, if it was not known to be. */
static notrace void leave_user(void *data)
{
	struct cpupr_cpu *c;
	unsigned long flags;
	u64 now;

	local_irq_save(flags);
	c = this_cpu_ptr(&cpupr_cpu);
	if (cpupr_begin(c, data, &now)) {
		if (cpupr_is_user(c->ledger.at.base))
			cpupr_ledger_base(&c->ledger, now, CPUPR_SYSTEM);
		cpupr_end(c, data);
	}
	local_irq_restore(flags);
}

#ifdef CONFIG_USER_RETURN_NOTIFIER

#ifdef CONFIG_X86
static notrace void probe_page_fault_user(void *data, unsigned long address, struct pt_regs *regs,
					  unsigned long error_code)
{
	leave_user(data);
}
CPUPR_CHECK_HOOK(page_fault_user, probe_page_fault_user)
#endif

/* A signal that a task brings upon itself, by an exception or an interrupt. */
static notrace void probe_signal_generate(void *data, int sig, struct kernel_siginfo *info,
					  struct task_struct *task, int group, int result)
{
	if (task == current)
		leave_user(data);
}
CPUPR_CHECK_HOOK(signal_generate, probe_signal_generate)

/* Signals are delivered on the way to user mode, perhaps from an interrupt. */
static notrace void probe_signal_deliver(void *data, int sig, struct kernel_siginfo *info,
					 struct k_sigaction *ka)
{
	leave_user(data);
}
CPUPR_CHECK_HOOK(signal_deliver, probe_signal_deliver)

static struct cpupr_hook hooks[] = {
#ifdef CONFIG_X86
	CPUPR_OPEN_HOOK(page_fault_user, probe_page_fault_user),
#endif
	CPUPR_OPEN_HOOK(signal_generate, probe_signal_generate),
	CPUPR_OPEN_HOOK(signal_deliver, probe_signal_deliver),
	{ }
};

#else /* !CONFIG_USER_RETURN_NOTIFIER */

/*
 * Nothing tells when a fault is over but the return of the function that
 * handles it. Where a fault sleeps, what follows the sleep is taken for user.
 */
static struct cpupr_hook hooks[] = {
	{ }
};

static unsigned int hook_number;

static int fault_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	if (!(regs_get_kernel_argument(regs, 2) & FAULT_FLAG_USER))
		return 1;
	leave_user(cpupr_hook_data(hook_number));
	return 0;
}
NOKPROBE_SYMBOL(fault_entry);

static int fault_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct cpupr_cpu *c;
	unsigned long flags;
	u64 now;

	local_irq_save(flags);
	c = this_cpu_ptr(&cpupr_cpu);
	if (cpupr_begin(c, cpupr_hook_data(hook_number), &now)) {
		cpupr_ledger_user(&c->ledger, now, cpupr_user_base(current),
				  cpupr_boundary.fault);
		cpupr_end(c, cpupr_hook_data(hook_number));
	}
	local_irq_restore(flags);
	return 0;
}
NOKPROBE_SYMBOL(fault_return);

static struct kretprobe fault_probe;

static const char *probe(void)
{
	return IS_ENABLED(CONFIG_KRETPROBES) ? NULL : "kernel without return probes";
}

static int enable(void)
{
	fault_probe = (struct kretprobe) {
		.kp.symbol_name = "handle_mm_fault",
		.entry_handler = fault_entry,
		.handler = fault_return,
		.maxactive = max_t(int, 256, 4 * num_possible_cpus()),
	};
	hook_number = cpupr_hook_number("handle_mm_fault");
	return register_kretprobe(&fault_probe);
}

static void disable(void)
{
	unregister_kretprobe(&fault_probe);
}

#endif

struct cpupr_collector cpupr_fault_collector = {
	.name = "fault",
	.desc = "page faults and other exceptions from user mode",
	.hooks = hooks,
	/* Without it, only sys_exit would end what a switch in a system call begins. */
	.user_return = CPUPR_USER_RETURN,
#ifndef CONFIG_USER_RETURN_NOTIFIER
	.probe = probe,
	.enable = enable,
	.disable = disable,
#endif
};
