// SPDX-License-Identifier: GPL-2.0-only
/*
 * What interrupts are called: as /proc/interrupts and /proc/softirqs call them.
 */
#include <linux/interrupt.h>
#include <linux/kallsyms.h>
#ifdef CONFIG_X86_LOCAL_APIC
#include <asm/irq_vectors.h>
#endif

#include <cpuprecise/irqs.h>
#include <cpuprecise/irqs_snapshot.h>
#include <cpuprecise/table.h>

/* x86 has 256 vectors, of which these are the last: by the low bits. */
#define VECTOR_OF(index)	(256 - CPUPR_IRQ_VECTORS + (s32)(index))
#define INDEX(vector)		((vector) % CPUPR_IRQ_VECTORS)

/* Those that have hooks, by the names of /proc/interrupts. */
static const char *const vectors[CPUPR_IRQ_VECTORS] = {
#ifdef CONFIG_X86_LOCAL_APIC
	[INDEX(LOCAL_TIMER_VECTOR)] = "LOC",
	[INDEX(RESCHEDULE_VECTOR)] = "RES",
	[INDEX(CALL_FUNCTION_VECTOR)] = "CAL",
	[INDEX(IRQ_WORK_VECTOR)] = "IWI",
	[INDEX(X86_PLATFORM_IPI_VECTOR)] = "PLT",
	[INDEX(SPURIOUS_APIC_VECTOR)] = "SPU",
	[INDEX(ERROR_APIC_VECTOR)] = "ERR",
	[INDEX(THERMAL_APIC_VECTOR)] = "TRM",
	[INDEX(THRESHOLD_APIC_VECTOR)] = "THR",
	[INDEX(DEFERRED_ERROR_VECTOR)] = "DFR",
#endif
};

/* And of /proc/softirqs. */
static const char *const softirqs[CPUPR_SOFTIRQS] = {
	[HI_SOFTIRQ] = "HI",
	[TIMER_SOFTIRQ] = "TIMER",
	[NET_TX_SOFTIRQ] = "NET_TX",
	[NET_RX_SOFTIRQ] = "NET_RX",
	[BLOCK_SOFTIRQ] = "BLOCK",
	[IRQ_POLL_SOFTIRQ] = "IRQ_POLL",
	[TASKLET_SOFTIRQ] = "TASKLET",
	[SCHED_SOFTIRQ] = "SCHED",
	[HRTIMER_SOFTIRQ] = "HRTIMER",
	[RCU_SOFTIRQ] = "RCU",
};

/**
 * cpupr_irq_identify() - which interrupt a row is of
 * @b: a CPU's own books
 * @row: one of them
 * @id: filled in
 *
 * Context: any, once a reader has seen the row to be in use.
 */
void cpupr_irq_identify(const struct cpupr_irq_books *b, const struct cpupr_irq_row *row,
			struct cpupr_irq_id *id)
{
	*id = (struct cpupr_irq_id){ .kind = row->kind, .number = row->number, .name = row->name };
	if (row->kind == CPUPR_IRQ_VECTOR) {
		id->number = VECTOR_OF(row - b->row);
		id->name = vectors[row - b->row];
	} else if (row->kind == CPUPR_IRQ_SOFTIRQ) {
		id->name = softirqs[row->number];
	} else if (row->kind == CPUPR_IRQ_OTHER) {
		id->name = "other";
	}
	if (!id->name)
		id->name = "-";
}

/**
 * cpupr_irq_kind_name() - how files call a kind of interrupts
 * @kind: see struct cpupr_irq_id
 */
const char *cpupr_irq_kind_name(u32 kind)
{
	static const char *const names[] = {
		[CPUPR_IRQ_OTHER] = "other",
		[CPUPR_IRQ_LINE] = "line",
		[CPUPR_IRQ_VECTOR] = "vector",
		[CPUPR_IRQ_IPI] = "ipi",
		[CPUPR_IRQ_SOFTIRQ] = "softirq",
		[CPUPR_IRQ_NMI] = "nmi",
		[CPUPR_IRQ_TOTAL] = "total",
	};

	return names[kind];
}

/**
 * cpupr_put_irq_name() - print the name of an interrupt as one field
 * @m: where to
 * @id: which
 */
void cpupr_put_irq_name(struct seq_file *m, const struct cpupr_irq_id *id)
{
	char symbol[KSYM_NAME_LEN];

	if (id->name) {
		cpupr_put_comm(m, id->name, CPUPR_IRQ_NAME, " \\");
	} else if (id->handler) {
		/* One of a module has its name behind a blank. */
		snprintf(symbol, sizeof(symbol), "%ps", id->handler);
		cpupr_put_escaped(m, symbol, strlen(symbol));
	} else {
		seq_puts(m, "other");
	}
}
