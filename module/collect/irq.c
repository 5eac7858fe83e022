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
#include <asm/irq_vectors.h>
#include <asm/trace/irq_vectors.h>
#endif
#ifdef CONFIG_ARM64
#include <trace/events/ipi.h>
#endif

#include <cpuprecise/collector.h>
#include <cpuprecise/idle.h>
#include <cpuprecise/irqs.h>
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

/* By its vector, or by its handler: see struct cpupr_irq_row. */
static __always_inline void book_entry(struct cpupr_cpu *c, void *data, enum cpupr_irq_way way,
				       enum cpupr_irq_kind kind, const void *key, int number,
				       const char *name)
{
	struct cpupr_irq_row *row;
	u64 now;

	if (!cpupr_irq_section(c, data, &now, way))
		return;
	cpupr_ledger_irq_enter(&c->ledger, now);
	if (cpupr_irq_named(c, way)) {
		if (kind == CPUPR_IRQ_VECTOR)
			row = cpupr_irq_vector(&c->irqs->books, number);
		else
			row = cpupr_irq_row_of(&c->irqs->books, kind, number, key, name);
		cpupr_irq_begin(&c->irqs->books, row, &c->ledger);
	}
	cpupr_end(c, data);
}

/* One that may be what ends a stay in an idle state. */
static noinline notrace void enter_slow(void *data, enum cpupr_irq_kind kind, const void *key,
					int number, const char *name)
{
	struct cpupr_cpu *c = this_cpu_ptr(&cpupr_cpu);

	if ((c->slow & CPUPR_SLOW_IDLE) && !is_ipi(name))
		cpupr_idle_interrupt(c, key, kind == CPUPR_IRQ_LINE ? number :
				     kind == CPUPR_IRQ_IPI ? CPUPR_IDLE_IPI : CPUPR_IDLE_VECTOR,
				     name ?: cpupr_hook_name(cpupr_left(c, data) - c->left));
	book_entry(c, data, CPUPR_WAY_SLOW, kind, key, number, name);
}

/* Context for all: hard interrupt, interrupts off. */
static __always_inline void enter(void *data, enum cpupr_irq_kind kind, const void *key, int number,
				  const char *name)
{
	struct cpupr_cpu *c = this_cpu_ptr(&cpupr_cpu);

	if (missed(c, data))
		return;
	switch (cpupr_irq_way(c)) {
	case CPUPR_WAY_PLAIN:
		book_entry(c, data, CPUPR_WAY_PLAIN, kind, key, number, name);
		break;
	case CPUPR_WAY_NAMED:
		book_entry(c, data, CPUPR_WAY_NAMED, kind, key, number, name);
		break;
	case CPUPR_WAY_SLOW:
		enter_slow(data, kind, key, number, name);
	}
}

static __always_inline bool exit_work(void)
{
	/* Other CPUs may set flags at any time; what they set later comes with an interrupt. */
	return CPUPR_USER_RETURN && (data_race(current_thread_info()->flags) & CPUPR_EXIT_WORK);
}

/* The innermost one ended, the ledger knows. */
static __always_inline void end_row(struct cpupr_cpu *c, enum cpupr_irq_way way)
{
	struct cpupr_irq_row *row;
	u64 took;

	if (!cpupr_irq_named(c, way))
		return;
	row = cpupr_irq_end(&c->irqs->books, &c->ledger, cpupr_clock_scale, CPUPR_CLOCK_SHIFT, &took);
	if (way == CPUPR_WAY_SLOW && c->irq_extra & CPUPR_IRQ_THEFT)
		cpupr_irqs_took(c, row, took);
}

static __always_inline void book_exit(struct cpupr_cpu *c, void *data, enum cpupr_irq_way way)
{
	u64 now;

	if (!cpupr_irq_section(c, data, &now, way))
		return;
	/*
	 * Work that the kernel will do for the task on the way back to user
	 * mode, such as a switch, a signal or task work, is system.
	 */
	if (likely(cpupr_ledger_irq_of_user(&c->ledger)) && likely(!exit_work())) {
		cpupr_ledger_irq_exit_user(&c->ledger, now);
		end_row(c, way);
	} else if (likely(c->ledger.at.irq)) {
		if (cpupr_is_user(c->ledger.at.base) && cpupr_user_split && exit_work())
			c->ledger.at.base = CPUPR_SYSTEM;
		cpupr_ledger_irq_exit(&c->ledger, now);
		end_row(c, way);
	}
	cpupr_end(c, data);
}

static noinline notrace void leave_slow(void *data)
{
	book_exit(this_cpu_ptr(&cpupr_cpu), data, CPUPR_WAY_SLOW);
}

static __always_inline void leave(void *data)
{
	struct cpupr_cpu *c = this_cpu_ptr(&cpupr_cpu);

	if (missed(c, data))
		return;
	switch (cpupr_irq_way(c)) {
	case CPUPR_WAY_PLAIN:
		book_exit(c, data, CPUPR_WAY_PLAIN);
		break;
	case CPUPR_WAY_NAMED:
		book_exit(c, data, CPUPR_WAY_NAMED);
		break;
	case CPUPR_WAY_SLOW:
		leave_slow(data);
	}
}

static notrace void probe_handler_entry(void *data, int irq, struct irqaction *action)
{
	enter(data, CPUPR_IRQ_LINE, action, irq, action->name);
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
	enter(data, CPUPR_IRQ_VECTOR, data, vector, NULL);
}
CPUPR_CHECK_HOOK(local_timer_entry, probe_vector_entry)

static notrace void probe_vector_exit(void *data, int vector)
{
	leave(data);
}
CPUPR_CHECK_HOOK(local_timer_exit, probe_vector_exit)

/* /proc/interrupts has both kinds of function calls in one row, CAL; so they share one here. */
static notrace void probe_call_function_single_entry(void *data, int vector)
{
	enter(data, CPUPR_IRQ_VECTOR, data, CALL_FUNCTION_VECTOR, NULL);
}

/* All of one event class: arch/x86/include/asm/trace/irq_vectors.h. */
#define VECTOR_EXIT(name)	CPUPR_OPTIONAL_HOOK(name##_exit, probe_vector_exit)
#define VECTOR_ENTRY(name)	CPUPR_OPTIONAL_HOOK(name##_entry, probe_vector_entry)
#endif

#ifdef CONFIG_ARM64
static notrace void probe_ipi_entry(void *data, const char *reason)
{
	enter(data, CPUPR_IRQ_IPI, reason, -1, reason);
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
	VECTOR_EXIT(call_function_single),
	CPUPR_OPTIONAL_HOOK(call_function_single_entry, probe_call_function_single_entry),
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
