/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Snapshots of interrupts and softirqs by name, since the epoch; and what names they
 * have.
 */
#ifndef CPUPRECISE_IRQS_SNAPSHOT_H
#define CPUPRECISE_IRQS_SNAPSHOT_H

#include <linux/seq_file.h>

#include <cpuprecise/irq_table.h>

#define CPUPR_IRQ_TOTAL	CPUPR_NR_IRQ_KINDS	/* the kind of a CPU's sum */

/**
 * struct cpupr_irq_id - which interrupt
 * @kind: enum cpupr_irq_kind, or CPUPR_IRQ_TOTAL
 * @number: of the line, vector or softirq; of a handler of NMIs: which one
 * @name: NUL-terminated, there as long as the module; NULL: see @handler
 * @handler: CPUPR_IRQ_NMI: its address; NULL for those that found no row
 */
struct cpupr_irq_id {
	u32 kind;
	s32 number;
	const char *name;
	const void *handler;
};

/**
 * struct cpupr_irqs_row - an interrupt on a CPU; or a bucket of its histogram
 * @id: which
 * @cpu: its number
 * @bucket: histograms only
 * @delays: histograms only: how many began after a delay of that length
 * @count: how many ended
 * @time: of those and of those that are open, ns; in a histogram: unused, as all below
 * @max: the longest one's, ns
 * @daemon: softirqs: of @time, what ksoftirqd ran, ns
 * @delayed: softirqs: how many were seen to be raised
 * @delay: softirqs: from there to the handler, ns
 * @delay_max: softirqs: the longest, ns
 */
struct cpupr_irqs_row {
	struct cpupr_irq_id id;
	u32 cpu;
	u8 bucket;
	bool delays;
	u64 count;
	u64 time;
	u64 max;
	u64 daemon;
	u64 delayed;
	u64 delay;
	u64 delay_max;
};

/**
 * struct cpupr_irqs_snapshot - one read, in the order of the file
 * @rows: entries of @row that are in use
 * @room: entries of @row
 * @row: one each
 */
struct cpupr_irqs_snapshot {
	unsigned int rows;
	unsigned int room;
	struct cpupr_irqs_row row[];
};

void cpupr_irq_identify(const struct cpupr_irq_books *b, const struct cpupr_irq_row *row,
			struct cpupr_irq_id *id);
const char *cpupr_irq_kind_name(u32 kind);
void cpupr_put_irq_name(struct seq_file *m, const struct cpupr_irq_id *id);
void *cpupr_irqs_make(void);
void *cpupr_irq_hist_make(void);
void *cpupr_softirqs_make(void);
void *cpupr_softirq_hist_make(void);
void cpupr_irqs_rebase(void);
void cpupr_irqs_snapshot_rescale(u32 mult, u32 shift);
int cpupr_irqs_snapshot_init(void);
void cpupr_irqs_snapshot_exit(void);
void cpupr_theft_rebase(void);
void cpupr_theft_snapshot_rescale(u32 mult, u32 shift);
int cpupr_theft_snapshot_init(void);
void cpupr_theft_snapshot_exit(void);

#endif
