// SPDX-License-Identifier: GPL-2.0-only
/*
 * The floor: empty probes on the hooks that the module's collectors use. What
 * these cost no module can save that is called there.
 *
 *	hooks=sched_switch,sys_enter,user_return,...
 *
 * Names are those of tracepoints; user_return is the kernel's callback on each
 * return to user mode, handle_mm_fault the return probe that a kernel without one gets.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/interrupt.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/user-return-notifier.h>
#include <trace/events/irq.h>
#include <trace/events/power.h>
#include <trace/events/sched.h>
#include <trace/events/signal.h>
#include <trace/events/syscalls.h>
#ifdef CONFIG_X86
#include <asm/trace/exceptions.h>
#include <asm/trace/irq_vectors.h>
#endif
#ifdef CONFIG_ARM64
#include <trace/events/ipi.h>
#endif

#include <cpuprecise/compat.h>
#include <cpuprecise/hooks.h>

static char *hooks = "";
module_param(hooks, charp, 0444);
MODULE_PARM_DESC(hooks, "comma-separated names; all that there are if none is given");

/*
 * The flag that makes a CPU call its user return notifiers belongs to a task.
 * Left to itself the kernel moves it in the slow path of each context switch,
 * __switch_to_xtra(); moved here, that path is not taken.
 */
static notrace void on_switch(CPUPR_SCHED_SWITCH_PROTO)
{
#ifdef CONFIG_USER_RETURN_NOTIFIER
	if (test_tsk_thread_flag(prev, TIF_USER_RETURN_NOTIFY)) {
		clear_tsk_thread_flag(prev, TIF_USER_RETURN_NOTIFY);
		set_tsk_thread_flag(next, TIF_USER_RETURN_NOTIFY);
	}
#endif
}
CPUPR_CHECK_HOOK(sched_switch, on_switch)

static notrace void on_waking(void *data, struct task_struct *task)
{
}
CPUPR_CHECK_HOOK(sched_waking, on_waking)

static notrace void on_sys_enter(void *data, struct pt_regs *regs, long nr)
{
}
CPUPR_CHECK_HOOK(sys_enter, on_sys_enter)

static notrace void on_handler_entry(void *data, int irq, struct irqaction *action)
{
}
CPUPR_CHECK_HOOK(irq_handler_entry, on_handler_entry)

static notrace void on_handler_exit(void *data, int irq, struct irqaction *action, int ret)
{
}
CPUPR_CHECK_HOOK(irq_handler_exit, on_handler_exit)

#ifdef CONFIG_X86
static notrace void on_vector(void *data, int vector)
{
}
CPUPR_CHECK_HOOK(local_timer_entry, on_vector)

#define VECTOR_ENTRY(name)	CPUPR_OPTIONAL_HOOK(name##_entry, on_vector)
#define VECTOR_EXIT(name)	CPUPR_OPTIONAL_HOOK(name##_exit, on_vector)

static notrace void on_page_fault(void *data, unsigned long address, struct pt_regs *regs,
				  unsigned long error_code)
{
}
CPUPR_CHECK_HOOK(page_fault_user, on_page_fault)
#endif

#ifdef CONFIG_ARM64
static notrace void on_ipi(void *data, const char *reason)
{
}
CPUPR_CHECK_HOOK(ipi_entry, on_ipi)
#endif

static notrace void on_softirq(void *data, unsigned int vec)
{
}
CPUPR_CHECK_HOOK(softirq_entry, on_softirq)

static notrace void on_cpu_idle(void *data, unsigned int state, unsigned int cpu)
{
}
CPUPR_CHECK_HOOK(cpu_idle, on_cpu_idle)

#ifdef CONFIG_USER_RETURN_NOTIFIER
static notrace void on_signal_generate(void *data, int sig, struct kernel_siginfo *info,
				       struct task_struct *task, int group, int result)
{
}
CPUPR_CHECK_HOOK(signal_generate, on_signal_generate)

static notrace void on_signal_deliver(void *data, int sig, struct kernel_siginfo *info,
				      struct k_sigaction *ka)
{
}
CPUPR_CHECK_HOOK(signal_deliver, on_signal_deliver)
#else
static notrace void on_sys_exit(void *data, struct pt_regs *regs, long ret)
{
}
CPUPR_CHECK_HOOK(sys_exit, on_sys_exit)
#endif

static struct cpupr_hook known[] = {
	CPUPR_HOOK(sched_switch, on_switch),
	CPUPR_HOOK(sched_waking, on_waking),
	CPUPR_HOOK(sys_enter, on_sys_enter),
	CPUPR_HOOK(irq_handler_entry, on_handler_entry),
	CPUPR_HOOK(irq_handler_exit, on_handler_exit),
#ifdef CONFIG_X86
	VECTOR_ENTRY(local_timer), VECTOR_EXIT(local_timer),
	VECTOR_ENTRY(reschedule), VECTOR_EXIT(reschedule),
	VECTOR_ENTRY(call_function), VECTOR_EXIT(call_function),
	VECTOR_ENTRY(call_function_single), VECTOR_EXIT(call_function_single),
	VECTOR_ENTRY(irq_work), VECTOR_EXIT(irq_work),
	VECTOR_ENTRY(x86_platform_ipi), VECTOR_EXIT(x86_platform_ipi),
	VECTOR_ENTRY(spurious_apic), VECTOR_EXIT(spurious_apic),
	VECTOR_ENTRY(error_apic), VECTOR_EXIT(error_apic),
	VECTOR_ENTRY(thermal_apic), VECTOR_EXIT(thermal_apic),
	VECTOR_ENTRY(threshold_apic), VECTOR_EXIT(threshold_apic),
	VECTOR_ENTRY(deferred_error_apic), VECTOR_EXIT(deferred_error_apic),
	CPUPR_HOOK(page_fault_user, on_page_fault),
#endif
#ifdef CONFIG_ARM64
	CPUPR_OPTIONAL_HOOK(ipi_entry, on_ipi),
	CPUPR_OPTIONAL_HOOK(ipi_exit, on_ipi),
#endif
	CPUPR_HOOK(softirq_entry, on_softirq),
	CPUPR_HOOK(softirq_exit, on_softirq),
	CPUPR_HOOK(cpu_idle, on_cpu_idle),
#ifdef CONFIG_USER_RETURN_NOTIFIER
	CPUPR_HOOK(signal_generate, on_signal_generate),
	CPUPR_HOOK(signal_deliver, on_signal_deliver),
#else
	CPUPR_HOOK(sys_exit, on_sys_exit),
#endif
	{ }
};

/* The hook that is no tracepoint. */
#ifdef CONFIG_USER_RETURN_NOTIFIER

static const char other[] = "user_return";

static notrace void on_user_return(struct user_return_notifier *urn)
{
}

static DEFINE_PER_CPU(struct user_return_notifier, notifier);

/* Context for both: on each CPU, interrupts off. */
static void notifier_on(void *unused)
{
	struct user_return_notifier *urn = this_cpu_ptr(&notifier);

	urn->on_user_return = on_user_return;
	user_return_notifier_register(urn);
}

static void notifier_off(void *unused)
{
	user_return_notifier_unregister(this_cpu_ptr(&notifier));
}

static int other_on(void)
{
	on_each_cpu(notifier_on, NULL, 1);
	return 0;
}

static void other_off(void)
{
	on_each_cpu(notifier_off, NULL, 1);
}

#else /* !CONFIG_USER_RETURN_NOTIFIER */

static const char other[] = "handle_mm_fault";

static int on_fault_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return !(regs_get_kernel_argument(regs, 2) & FAULT_FLAG_USER);
}
NOKPROBE_SYMBOL(on_fault_entry);

static int on_fault_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return 0;
}
NOKPROBE_SYMBOL(on_fault_return);

static struct kretprobe fault_probe = {
	.kp.symbol_name = other,
	.entry_handler = on_fault_entry,
	.handler = on_fault_return,
	.maxactive = 256,
};

static int other_on(void)
{
	return register_kretprobe(&fault_probe);
}

static void other_off(void)
{
	unregister_kretprobe(&fault_probe);
}

#endif

static bool other_is_on;

static bool wanted(const char *name)
{
	size_t len = strlen(name);
	const char *p;

	if (!*hooks)
		return true;
	for (p = hooks; *p; p += strcspn(p, ","), p += *p == ',')
		if (strcspn(p, ",") == len && !strncmp(p, name, len))
			return true;
	return false;
}

/* A misspelt hook would be a floor that is too low. */
static int __init check_names(void)
{
	const struct cpupr_hook *h;
	const char *p;
	size_t len;

	for (p = hooks; *p; p += len, p += *p == ',') {
		len = strcspn(p, ",");
		for (h = known; h->name; h++)
			if (strlen(h->name) == len && !strncmp(p, h->name, len))
				break;
		if (!h->name && !(strlen(other) == len && !strncmp(p, other, len))) {
			pr_err("hooks=: no hook '%.*s'\n", (int)len, p);
			return -ENOENT;
		}
	}
	return 0;
}

static void match(struct tracepoint *tp, void *unused)
{
	struct cpupr_hook *h;

	for (h = known; h->name; h++)
		if (!strcmp(h->name, tp->name))
			h->tp = tp;
}

static void bench_floor_exit(void)
{
	struct cpupr_hook *h;

	if (other_is_on)
		other_off();
	for (h = known; h->name; h++)
		if (h->registered)
			tracepoint_probe_unregister(h->tp, h->probe, NULL);
	tracepoint_synchronize_unregister();
}

static int __init bench_floor_init(void)
{
	struct cpupr_hook *h;
	int ret = check_names();

	if (ret)
		return ret;
	for_each_kernel_tracepoint(match, NULL);
	for (h = known; h->name; h++) {
		if (!wanted(h->name) || (!h->tp && h->optional))
			continue;
		ret = h->tp ? tracepoint_probe_register(h->tp, h->probe, NULL) : -ENOENT;
		if (ret) {
			pr_err("%s: %d\n", h->name, ret);
			bench_floor_exit();
			return ret;
		}
		h->registered = true;
	}
	if (wanted(other)) {
		ret = other_on();
		if (ret) {
			pr_err("%s: %d\n", other, ret);
			bench_floor_exit();
			return ret;
		}
		other_is_on = true;
	}
	return 0;
}

module_init(bench_floor_init);
module_exit(bench_floor_exit);

MODULE_AUTHOR("cpuprecise developers");
MODULE_DESCRIPTION("Empty probes where cpuprecise has its own");
MODULE_LICENSE("GPL");
