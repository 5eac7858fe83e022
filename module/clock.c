// SPDX-License-Identifier: GPL-2.0-only
/*
 * Choosing the clock and converting its ticks.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/clocksource.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/timekeeping.h>

#include <cpuprecise/clock.h>

static char *clock = "auto";
module_param(clock, charp, 0444);
MODULE_PARM_DESC(clock, "auto (default), tsc or local");

bool cpupr_clock_is_tsc __read_mostly;
bool cpupr_clock_watched;
u32 cpupr_clock_mult, cpupr_clock_shift;
u64 cpupr_clock_scale __read_mostly = 1ULL << CPUPR_CLOCK_SHIFT;

#ifdef CONFIG_X86
static unsigned int khz;

static bool tsc_exists(void)
{
	return boot_cpu_has(X86_FEATURE_TSC) && tsc_khz;
}

/*
 * Is the TSC the kernel's clock source now? Its reading then lies between two
 * of ours. This needs no name or id, which kernels disagree on.
 */
static bool tsc_is_clocksource(void)
{
	struct system_time_snapshot snap;
	unsigned long flags;
	u64 before, after;

	local_irq_save(flags);
	before = rdtsc_ordered();
	ktime_get_snapshot(&snap);
	after = rdtsc_ordered();
	local_irq_restore(flags);
	return snap.cycles - before <= after - before;
}

/**
 * cpupr_clock_tsc_trusted() - does the kernel itself trust the TSC?
 *
 * Context: process.
 */
bool cpupr_clock_tsc_trusted(void)
{
	return tsc_exists() && boot_cpu_has(X86_FEATURE_CONSTANT_TSC) &&
	       !check_tsc_unstable() && tsc_is_clocksource();
}

/**
 * cpupr_clock_tsc_recalibrated() - has its rate changed since it was chosen?
 *
 * Context: process.
 */
bool cpupr_clock_tsc_recalibrated(void)
{
	return tsc_khz != khz;
}

static void tsc_use(void)
{
	khz = tsc_khz;
	clocks_calc_mult_shift(&cpupr_clock_mult, &cpupr_clock_shift, khz, NSEC_PER_MSEC, 0);
	cpupr_clock_scale = (u64)cpupr_clock_mult << (CPUPR_CLOCK_SHIFT - cpupr_clock_shift);
	cpupr_clock_is_tsc = true;
}

static int choose(void)
{
	if (!strcmp(clock, "tsc")) {
		if (!tsc_exists()) {
			pr_err("clock=tsc: this CPU has no usable TSC\n");
			return -EINVAL;
		}
		tsc_use();
	} else if (!strcmp(clock, "auto") && cpupr_clock_tsc_trusted()) {
		tsc_use();
		cpupr_clock_watched = true;
	}
	return 0;
}
#else
static int choose(void)
{
	if (strcmp(clock, "tsc"))
		return 0;
	pr_err("clock=tsc: only on x86\n");
	return -EINVAL;
}
#endif

/**
 * cpupr_clock_of() - another CPU's clock, for closing a copy of its books
 * @cpu: whose
 *
 * Context: any.
 *
 * Return: ticks, not before any that @cpu used in what was read before.
 */
u64 cpupr_clock_of(int cpu)
{
#ifdef CONFIG_X86
	if (cpupr_clock_is_tsc)
		return rdtsc_ordered();
#endif
	/* Monotone for one cpu, whoever asks: kernel/sched/clock.c. */
	return cpu_clock(cpu);
}

/**
 * cpupr_clock_ticks() - convert a span
 * @ns: nanoseconds
 *
 * Return: ticks of the clock in use, rounded down.
 */
notrace u64 cpupr_clock_ticks(u64 ns)
{
	return cpupr_clock_is_tsc ? mul_u64_u64_div_u64(ns, 1ULL << cpupr_clock_shift, cpupr_clock_mult) : ns;
}

/**
 * cpupr_clock_name() - the clock in use, as the header line shows it
 */
const char *cpupr_clock_name(void)
{
	return cpupr_clock_is_tsc ? "tsc" : "local";
}

/**
 * cpupr_clock_init() - choose the clock
 *
 * Return: 0, or -EINVAL for a clock that does not exist here.
 */
int cpupr_clock_init(void)
{
	if (strcmp(clock, "auto") && strcmp(clock, "tsc") && strcmp(clock, "local")) {
		pr_err("clock=%.16s: not auto, tsc or local\n", clock);
		return -EINVAL;
	}
	return choose();
}
