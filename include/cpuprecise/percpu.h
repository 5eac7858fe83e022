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
#include <cpuprecise/cycles.h>
#include <cpuprecise/ledger.h>
#include <cpuprecise/steal.h>

#define CPUPR_MAX_HOOKS	48
#define CPUPR_HOOK_USER_RETURN	0	/* not a tracepoint: user_return.c */

/* Why the next event takes the slow way into its write section. */
enum cpupr_slow {
	CPUPR_SLOW_FROZEN = 1,	/* there will be none: the row is not open */
	CPUPR_SLOW_CLOCK = 2,	/* the clock is not the TSC */
	CPUPR_SLOW_SAMPLE = 4,	/* it is to be timed */
	CPUPR_SLOW_IOWAIT = 8,	/* the open interval may be iowait */
	CPUPR_SLOW_IDLE = 16,	/* it may be what ends a stay in an idle state */
	CPUPR_SLOW_CYCLES = 32,	/* cycles are to be read */
	CPUPR_SLOW_DEATHS = 64,	/* tasks are not followed, but seen to die */
	CPUPR_SLOW_STEAL = 128,	/* the steal clock is to be looked at */
	CPUPR_SLOW_GUEST = 256,	/* the open interval is a guest's */
};

/* What the hooks of interrupts do beyond the ledger. */
enum cpupr_irq_extra {
	CPUPR_IRQ_NAMES = 1,	/* book by name */
	CPUPR_IRQ_THEFT = 2,	/* and by the task that is interrupted */
	CPUPR_IRQ_DELAYS = 4,	/* softirqs: how long they waited */
};

struct cpupr_call_books;
struct cpupr_cgroup_books;
struct cpupr_freq;
struct cpupr_idle;
struct cpupr_irqs_cpu;
struct cpupr_task;
struct cpupr_tasks_cpu;

/**
 * struct cpupr_cpu - one CPU's books and the observer's own
 * @left: calls by hook until the next lap: see observer.c
 * @seq: odd while anything but @slow is being written
 * @slow: enum cpupr_slow
 * @irq_extra: enum cpupr_irq_extra
 * @irq_way: both, so that hooks of interrupts look once: see cpupr_irq_way()
 * @ledger: see ledger.h
 * @steal: the steal clock: see steal.h
 * @idle_end: when the CPU last left an idle state, ticks
 * @idle: idle states: see idle.h
 * @freq: frequencies: see freqs.h
 * @freq_asked: cycles are to be read as soon as the CPU is not idle; set by any CPU
 * @cycles: by category: see cycles.h
 * @task: the record of the task that runs; NULL while tasks are not followed
 * @tasks: see tasks.h
 * @calls: system calls; NULL while they are not followed
 * @cgroups: control groups; NULL while they are not booked
 * @irqs: interrupts by name: see irqs.h
 * @observer: what is known of the hooks, beside @left
 * @user_return: the CPU's callback on the way to user mode
 * @user_return_on: it is registered
 * @softirq_task: PREEMPT_RT: the task that was switched out of a softirq
 * @softirq_depth: and how deep it was
 */
struct cpupr_cpu {
	struct cpupr_ledger ledger;
	seqcount_t seq;
	union {
		struct {
			u16 slow;
			u16 irq_extra;
		};
		u32 irq_way;
	};
	s32 left[CPUPR_MAX_HOOKS];
	struct cpupr_steal steal;
	u64 idle_end;
	struct cpupr_idle *idle;
	struct cpupr_freq *freq;
	bool freq_asked;
	struct cpupr_cycles cycles;
	struct cpupr_task *task;
	struct cpupr_tasks_cpu *tasks;
	struct cpupr_call_books *calls;
	struct cpupr_cgroup_books *cgroups;
	struct cpupr_irqs_cpu *irqs;
	struct cpupr_observer {
		u64 laps[CPUPR_MAX_HOOKS];	/* calls of all laps, the present one included */
		u64 samples[CPUPR_MAX_HOOKS];
		u64 time[CPUPR_MAX_HOOKS];	/* of the samples, ns / 256 */
		u32 missed[CPUPR_MAX_HOOKS];	/* calls that could not be booked */
		u64 began;			/* the event being timed, ticks; or 0 */
		s32 put_by;			/* its left[] */
	} observer;
	struct user_return_notifier user_return;
	bool user_return_on;
	u16 softirq_depth;
	struct task_struct *softirq_task;
};

DECLARE_PER_CPU_SHARED_ALIGNED(struct cpupr_cpu, cpupr_cpu);

u64 __no_caller_saved_registers cpupr_begin_slow(void *unused, struct cpupr_cpu *c, void *hook);
void __no_caller_saved_registers cpupr_observer_turn(void *unused, struct cpupr_cpu *c, void *hook);
void cpupr_slow_set(struct cpupr_cpu *c);
void cpupr_cycles_account(struct cpupr_cpu *c);
void cpupr_cycles_seed(struct cpupr_cpu *c);
void cpupr_cycles_rescale(struct cpupr_cpu *c, u64 now);
bool cpupr_ledger_copy(int cpu, struct cpupr_ledger *copy, unsigned int tries);

/**
 * cpupr_hook_data() - a hook as its probe knows it
 * @number: index into @left
 *
 * Return: where its @left is, in bytes: an instruction less than an index.
 */
static __always_inline void *cpupr_hook_data(unsigned int number)
{
	return (void *)offsetof(struct cpupr_cpu, left[number]);
}

static __always_inline s32 *cpupr_left(struct cpupr_cpu *c, void *hook)
{
	return (void *)c + (unsigned long)hook;
}

/* The clock, where CPUPR_SLOW_CLOCK is not set. */
static __always_inline u64 cpupr_fast_clock(void)
{
#ifdef CONFIG_X86
	return rdtsc();
#else
	return local_clock();
#endif
}

/**
 * cpupr_clock_stolen() - a CPU's clock, and its steal clock at the same moment
 * @c: the CPU
 * @cpu: its number
 * @stolen: set, for cpupr_ledger_steal(); 0 where there is none
 *
 * Context: as cpupr_clock_of(); what was read before that may have been torn
 * will have to be read anew.
 *
 * Return: ticks, as cpupr_clock_of().
 */
static inline u64 cpupr_clock_stolen(struct cpupr_cpu *c, int cpu, u64 *stolen)
{
	if (unlikely(READ_ONCE(c->steal.area)))
		return cpupr_steal_clock(&c->steal, cpu, stolen);
	*stolen = 0;
	return cpupr_clock_of(cpu);
}

/**
 * cpupr_begin_but() - enter this CPU's write section from a probe
 * @c: this CPU
 * @hook: the hook, as cpupr_hook_data() gives it: a probe's first argument
 * @now: set to this CPU's clock, ticks
 * @but: enum cpupr_slow: no reason to take the slow way for this hook
 *
 * Context: interrupts off, not in an NMI. The section lasts until cpupr_end().
 *
 * Return: false if the books are frozen.
 */
static __always_inline bool cpupr_begin_but(struct cpupr_cpu *c, void *hook, u64 *now, u16 but)
{
	if (unlikely(c->slow & ~but)) {
		*now = cpupr_call_cold(cpupr_begin_slow, c, hook);
		return *now;
	}
	raw_write_seqcount_begin(&c->seq);
	*now = cpupr_fast_clock();
	return true;
}

/**
 * cpupr_begin() - the same, with no exception
 * @c: this CPU
 * @hook: as for cpupr_begin_but()
 * @now: as for cpupr_begin_but()
 *
 * Context: as cpupr_begin_but().
 *
 * Return: as cpupr_begin_but().
 */
static __always_inline bool cpupr_begin(struct cpupr_cpu *c, void *hook, u64 *now)
{
	return cpupr_begin_but(c, hook, now, 0);
}

/* Returns true when a lap is over. No interrupt counts for the same hook. */
static __always_inline bool cpupr_count_down(struct cpupr_cpu *c, void *hook)
{
	bool over;

#ifdef CONFIG_X86
	/* Two instructions: GCC makes it three. */
	asm("subl $1, %[left]" : [left] "+m" (*cpupr_left(c, hook)), "=@ccs" (over));
#else
	over = --*cpupr_left(c, hook) < 0;
#endif
	return over;
}

/**
 * cpupr_count() - count a call of a hook
 * @c: this CPU
 * @hook: as given to the probe
 *
 * For hooks that write nothing else; cpupr_end() includes it.
 *
 * Context: interrupts off.
 */
static __always_inline void cpupr_count(struct cpupr_cpu *c, void *hook)
{
	if (unlikely(cpupr_count_down(c, hook)))
		cpupr_call_cold(cpupr_observer_turn, c, hook);
}

/* A call that could not be booked, instead of cpupr_count(). */
static __always_inline void cpupr_miss(struct cpupr_cpu *c, void *hook)
{
	c->observer.missed[cpupr_left(c, hook) - c->left]++;
}

/**
 * cpupr_end() - leave the write section
 * @c: as given to cpupr_begin()
 * @hook: as given to cpupr_begin()
 */
static __always_inline void cpupr_end(struct cpupr_cpu *c, void *hook)
{
	cpupr_count(c, hook);
	raw_write_seqcount_end(&c->seq);
}

#endif
