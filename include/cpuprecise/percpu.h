/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What each CPU owns, and how a probe gets hold of it.
 *
 * One writer: the CPU itself, interrupts off. Readers copy under the seqcount.
 * An NMI never writes: it could come in the middle of a write section.
 */
#ifndef CPUPRECISE_PERCPU_H
#define CPUPRECISE_PERCPU_H

#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/seqlock.h>
#include <linux/user-return-notifier.h>

#include <cpuprecise/clock.h>
#include <cpuprecise/ledger.h>

#define CPUPR_MAX_HOOKS	48

/**
 * struct cpupr_cpu - one CPU's books and the observer's own
 * @seq: odd while @ledger is being written
 * @ledger: see ledger.h
 * @user_return: the CPU's callback on the way to user mode
 * @user_return_on: it is registered
 * @softirq_task: PREEMPT_RT: the task that was switched out of a softirq
 * @softirq_depth: and how deep it was
 * @hits: calls by hook
 * @missed: calls by hook that could not be booked (NMI)
 */
struct cpupr_cpu {
	seqcount_t seq;
	struct cpupr_ledger ledger;
	struct user_return_notifier user_return;
	bool user_return_on;
	u32 softirq_depth;
	struct task_struct *softirq_task;
	u64 hits[CPUPR_MAX_HOOKS];
	u32 missed[CPUPR_MAX_HOOKS];
};

DECLARE_PER_CPU_SHARED_ALIGNED(struct cpupr_cpu, cpupr_cpu);

/**
 * cpupr_begin() - enter this CPU's write section from a probe
 * @c: this CPU
 * @hook: the hook's number, as registered: see struct cpupr_hook
 *
 * Context: interrupts off. The section lasts until cpupr_end().
 *
 * Return: false if the books are frozen or this is an NMI.
 */
static __always_inline bool cpupr_begin(struct cpupr_cpu *c, void *hook)
{
	if (unlikely(!c->ledger.online))
		return false;
	if (unlikely(in_nmi())) {
		c->missed[(unsigned long)hook]++;
		return false;
	}
	c->hits[(unsigned long)hook]++;
	raw_write_seqcount_begin(&c->seq);
	return true;
}

/**
 * cpupr_end() - leave the write section
 * @c: as given to cpupr_begin()
 */
static __always_inline void cpupr_end(struct cpupr_cpu *c)
{
	raw_write_seqcount_end(&c->seq);
}

#endif
