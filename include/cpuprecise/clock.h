/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The clock of the books: raw TSC ticks while the kernel itself trusts the
 * TSC, else local_clock() in ns.
 */
#ifndef CPUPRECISE_CLOCK_H
#define CPUPRECISE_CLOCK_H

#include <linux/math64.h>
#include <linux/sched/clock.h>
#include <linux/types.h>
#ifdef CONFIG_X86
#include <asm/msr.h>
#include <asm/tsc.h>
#endif

/* Written with all CPUs stopped, so that no ledger ever mixes two clocks. */
extern bool cpupr_clock_is_tsc;

/* ns = ticks * mult >> shift; constant while the TSC is in use. */
extern u32 cpupr_clock_mult, cpupr_clock_shift;

/* The same with a fixed shift: ns = ticks * scale >> CPUPR_CLOCK_SHIFT, whichever clock it is. */
#define CPUPR_CLOCK_SHIFT	60
extern u64 cpupr_clock_scale;

/* clock=auto chose the TSC: it may have to be left. */
extern bool cpupr_clock_watched;

/**
 * cpupr_clock() - this CPU's clock
 *
 * Context: any, preemption off. Only differences of two values that were read
 * on one CPU mean anything.
 *
 * Return: ticks.
 */
static __always_inline u64 cpupr_clock(void)
{
#ifdef CONFIG_X86
	if (likely(cpupr_clock_is_tsc))
		return rdtsc();
#endif
	return local_clock();
}

/**
 * cpupr_clock_ns() - convert a span
 * @ticks: of the clock in use
 *
 * Return: ns, rounded down.
 */
static __always_inline u64 cpupr_clock_ns(u64 ticks)
{
	return mul_u64_u64_shr(ticks, cpupr_clock_scale, CPUPR_CLOCK_SHIFT);
}

u64 cpupr_clock_of(int cpu);
u64 cpupr_clock_ticks(u64 ns);
const char *cpupr_clock_name(void);
bool cpupr_clock_tsc_trusted(void);
bool cpupr_clock_tsc_recalibrated(void);
int cpupr_clock_init(void);
int cpupr_clock_watch_init(void);
void cpupr_clock_watch_exit(void);

#endif
