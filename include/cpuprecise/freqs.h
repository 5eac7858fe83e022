/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the freqs collector keeps of each CPU.
 */
#ifndef CPUPRECISE_FREQS_H
#define CPUPRECISE_FREQS_H

#include <linux/seqlock.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include <cpuprecise/freq.h>
#include <cpuprecise/percpu.h>

/**
 * struct cpupr_freq - the frequencies of a CPU
 * @told: the last frequency that was told of, kHz, and in the upper half how
 *	often one was; written by any CPU
 * @applied: what of it is in @books; written under @lock
 * @unsure: that half, when the frequency may have changed without a word
 * @lock: of @books. A probe only tries it: its owner looks at @told afterwards.
 * @seq: odd while @books is written, under @lock
 * @books: see freq.h
 * @look: has the CPU read its cycles
 */
struct cpupr_freq {
	u64 told;
	u64 applied;
	u32 unsure;
	raw_spinlock_t lock;
	seqcount_t seq;
	struct cpupr_freqs books;
	call_single_data_t look;
};

void cpupr_freqs_account(struct cpupr_freqs *books, const struct cpupr_ledger *l, int cpu);
void cpupr_freqs_comes(int cpu);
void cpupr_freqs_open(struct cpupr_cpu *c);
void cpupr_freqs_freeze(struct cpupr_cpu *c);
void cpupr_freqs_woken(struct cpupr_cpu *c);
bool cpupr_freqs_look(int cpu);
void cpupr_freqs_wait(void);
int cpupr_freqs_books_init(void);
void cpupr_freqs_books_exit(void);

#endif
