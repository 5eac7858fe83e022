// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hard interrupts: device handlers, and those that never pass through them:
 * the local APIC's own vectors on x86, inter-processor interrupts on arm64.
 *
 * Not seen, because the kernel has no tracepoint there: hypervisor callback
 * and posted-interrupt vectors, machine checks, NMIs, and the code around the
 * handlers. That time stays in what was interrupted.
 */
#include <linux/interrupt.h>
#include <trace/events/irq.h>
#ifdef CONFIG_X86_LOCAL_APIC
#include <asm/trace/irq_vectors.h>
#endif
#ifdef CONFIG_ARM64
#include <trace/events/ipi.h>
#endif

#include <cpuprecise/collector.h>
#include <cpuprecise/idle.h>
#include <cpuprecise/user_return.h>

/* On arm64, handlers of device interrupts can run as NMIs (handle_fasteoi_nmi()). */
static __always_inline bool missed(struct cpupr_cpu *c, void *data)
{
	if (IS_ENABLED(CONFIG_X86) || likely(!in_nmi()))
		return false;
	cpupr_miss(c, data);
	return true;
}

/* arm64: a handler whose own tracepoint follows, and tells the reason. */
static bool is_ipi(const char *handler)
{
	return IS_ENABLED(CONFIG_ARM64) && handler && !strcmp(handler, "IPI");
}

/* An interrupt that may be what ends a stay in an idle state; @key to @name: see there. */
static noinline notrace void enter_slow(void *data, const void *key, int number, const char *name)
{
	struct cpupr_cpu *c = this_cpu_ptr(&cpupr_cpu);
	u64 now;

	if ((c->slow & CPUPR_SLOW_IDLE) && !is_ipi(name))
		cpupr_idle_interrupt(c, key, number,
				     name ?: cpupr_hook_name(cpupr_left(c, data) - c->left));
	if (!cpupr_begin(c, data, &now))
		return;
	cpupr_ledger_irq_enter(&c->ledger, now);
	cpupr_end(c, data);
}

/* Context for all: hard interrupt, interrupts off. */
static __always_inline void enter(void *data, const void *key, int number, const char *name)
{
	struct cpupr_cpu *c = this_cpu_ptr(&cpupr_cpu);
	u64 now;

	if (missed(c, data))
		return;
	if (unlikely(c->slow)) {
		enter_slow(data, key, number, name);
		return;
	}
	if (!cpupr_begin(c, data, &now))
		return;
	cpupr_ledger_irq_enter(&c->ledger, now);
	cpupr_end(c, data);
}

static __always_inline bool exit_work(void)
{
	/* Other CPUs may set flags at any time; what they set later comes with an interrupt. */
	return CPUPR_USER_RETURN && (data_race(current_thread_info()->flags) & CPUPR_EXIT_WORK);
}

static __always_inline void leave(void *data)
{
	struct cpupr_cpu *c = this_cpu_ptr(&cpupr_cpu);
	u64 now;

	if (missed(c, data) || !cpupr_begin(c, data, &now))
		return;
	/*
	 * Work that the kernel will do for the task on the way back to user
	 * mode, such as a switch, a signal or task work, is system.
	 */
	if (likely(cpupr_ledger_irq_of_user(&c->ledger)) && likely(!exit_work())) {
		cpupr_ledger_irq_exit_user(&c->ledger, now);
	} else {
		if (cpupr_is_user(c->ledger.at.base) && cpupr_user_split && exit_work())
			c->ledger.at.base = CPUPR_SYSTEM;
		cpupr_ledger_irq_exit(&c->ledger, now);
	}
	cpupr_end(c, data);
}

static notrace void probe_handler_entry(void *data, int irq, struct irqaction *action)
{
	enter(data, action, irq, action->name);
}
CPUPR_CHECK_HOOK(irq_handler_entry, probe_handler_entry)

static notrace void probe_handler_exit(void *data, int irq, struct irqaction *action, int ret)
{
	leave(data);
}
CPUPR_CHECK_HOOK(irq_handler_exit, probe_handler_exit)

#ifdef CONFIG_X86_LOCAL_APIC
static notrace void probe_vector_entry(void *data, int vector)
{
	enter(data, data, CPUPR_IDLE_VECTOR, NULL);
}
CPUPR_CHECK_HOOK(local_timer_entry, probe_vector_entry)

static notrace void probe_vector_exit(void *data, int vector)
{
	leave(data);
}
CPUPR_CHECK_HOOK(local_timer_exit, probe_vector_exit)

/* All of one event class: arch/x86/include/asm/trace/irq_vectors.h. */
#define VECTOR_EXIT(name)	CPUPR_OPTIONAL_HOOK(name##_exit, probe_vector_exit)
#define VECTOR_ENTRY(name)	CPUPR_OPTIONAL_HOOK(name##_entry, probe_vector_entry)
#endif

#ifdef CONFIG_ARM64
static notrace void probe_ipi_entry(void *data, const char *reason)
{
	enter(data, reason, CPUPR_IDLE_IPI, reason);
}
CPUPR_CHECK_HOOK(ipi_entry, probe_ipi_entry)

static notrace void probe_ipi_exit(void *data, const char *reason)
{
	leave(data);
}
CPUPR_CHECK_HOOK(ipi_exit, probe_ipi_exit)
#endif

static struct cpupr_hook hooks[] = {
	CPUPR_HOOK(irq_handler_exit, probe_handler_exit),
	CPUPR_HOOK(irq_handler_entry, probe_handler_entry),
#ifdef CONFIG_X86_LOCAL_APIC
	VECTOR_EXIT(local_timer), VECTOR_ENTRY(local_timer),
	VECTOR_EXIT(reschedule), VECTOR_ENTRY(reschedule),
	VECTOR_EXIT(call_function), VECTOR_ENTRY(call_function),
	VECTOR_EXIT(call_function_single), VECTOR_ENTRY(call_function_single),
	VECTOR_EXIT(irq_work), VECTOR_ENTRY(irq_work),
	VECTOR_EXIT(x86_platform_ipi), VECTOR_ENTRY(x86_platform_ipi),
	VECTOR_EXIT(spurious_apic), VECTOR_ENTRY(spurious_apic),
	VECTOR_EXIT(error_apic), VECTOR_ENTRY(error_apic),
	VECTOR_EXIT(thermal_apic), VECTOR_ENTRY(thermal_apic),
	VECTOR_EXIT(threshold_apic), VECTOR_ENTRY(threshold_apic),
	VECTOR_EXIT(deferred_error_apic), VECTOR_ENTRY(deferred_error_apic),
#endif
#ifdef CONFIG_ARM64
	CPUPR_OPTIONAL_HOOK(ipi_exit, probe_ipi_exit),
	CPUPR_OPTIONAL_HOOK(ipi_entry, probe_ipi_entry),
#endif
	{ }
};

struct cpupr_collector cpupr_irq_collector = {
	.name = "irq",
	.desc = "hard interrupts: device handlers, local vectors, IPIs",
	.hooks = hooks,
};
