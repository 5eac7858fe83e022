// SPDX-License-Identifier: GPL-2.0-only
/*
 * Choosing the clock, converting its ticks, and leaving the TSC when the
 * kernel does.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/clocksource.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/stop_machine.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include <cpuprecise/percpu.h>
#include <cpuprecise/snapshot.h>
#include <cpuprecise/user_return.h>

#define WATCH_PERIOD	HZ

static char *clock = "auto";
module_param(clock, charp, 0444);
MODULE_PARM_DESC(clock, "auto (default), tsc or local");

bool cpupr_clock_is_tsc __read_mostly;

/* ns = ticks * mult >> shift; constant while the TSC is in use. */
static u32 mult, shift;

#ifdef CONFIG_X86
static unsigned int khz;
static bool watched;		/* clock=auto chose the TSC */

/* The TSC and CLOCK_MONOTONIC when the TSC was last found good. */
static u64 good_tsc, good_mono;

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

static bool tsc_trusted(void)
{
	return tsc_exists() && boot_cpu_has(X86_FEATURE_CONSTANT_TSC) &&
	       !check_tsc_unstable() && tsc_is_clocksource();
}

static void tsc_use(void)
{
	khz = tsc_khz;
	clocks_calc_mult_shift(&mult, &shift, khz, NSEC_PER_MSEC, 0);
	cpupr_clock_is_tsc = true;
}

static void note_good(void)
{
	unsigned long flags;

	local_irq_save(flags);
	good_tsc = rdtsc_ordered();
	good_mono = ktime_get_mono_fast_ns();
	local_irq_restore(flags);
}

/*
 * Runs on one CPU while all others wait with interrupts off, so it may write
 * every ledger. The TSC may have gone astray since it was last found good:
 * what it should read now follows from CLOCK_MONOTONIC.
 */
static int leave_tsc(void *unused)
{
	u64 now = good_tsc + cpupr_clock_ticks(ktime_get_mono_fast_ns() - good_mono);
	int cpu;

	for_each_possible_cpu(cpu) {
		struct cpupr_cpu *c = per_cpu_ptr(&cpupr_cpu, cpu);
		struct cpupr_ledger *l = &c->ledger;

		raw_write_seqcount_begin(&c->seq);
		if (l->online && (s64)(now - l->start) > 0)
			cpupr_ledger_account(l, now);
		cpupr_ledger_rescale(l, cpu_clock(cpu), mult, shift);
		raw_write_seqcount_end(&c->seq);
	}
	cpupr_clock_is_tsc = false;
	return 0;
}

static void watch(struct work_struct *work);
static DECLARE_DEFERRABLE_WORK(watch_work, watch);

/*
 * The kernel tells nobody when it stops trusting the TSC. Deferrable: this
 * wakes no idle CPU.
 */
static void watch(struct work_struct *work)
{
	bool trusted = tsc_trusted();

	if (trusted && tsc_khz == khz) {
		note_good();
		schedule_delayed_work(&watch_work, WATCH_PERIOD);
		return;
	}
	cpupr_snapshot_lock();
	stop_machine(leave_tsc, NULL, NULL);
	cpupr_snapshot_rescale(mult, shift);
	cpupr_boundary_update();
	cpupr_snapshot_unlock();
	pr_info("the kernel %s the TSC: going on with local_clock()\n",
		trusted ? "recalibrated" : "no longer trusts");
}

static int choose(void)
{
	if (!strcmp(clock, "tsc")) {
		if (!tsc_exists()) {
			pr_err("clock=tsc: this CPU has no usable TSC\n");
			return -EINVAL;
		}
		tsc_use();
	} else if (!strcmp(clock, "auto") && tsc_trusted()) {
		tsc_use();
		watched = true;
	}
	return 0;
}

static void start_watch(void)
{
	if (!watched)
		return;
	note_good();
	schedule_delayed_work(&watch_work, WATCH_PERIOD);
}

static void stop_watch(void)
{
	cancel_delayed_work_sync(&watch_work);
}
#else
static int choose(void)
{
	if (strcmp(clock, "tsc"))
		return 0;
	pr_err("clock=tsc: only on x86\n");
	return -EINVAL;
}

static void start_watch(void)
{
}

static void stop_watch(void)
{
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
 * cpupr_clock_ns() - convert a span
 * @ticks: of the clock in use
 *
 * Return: ns, rounded down.
 */
u64 cpupr_clock_ns(u64 ticks)
{
	return cpupr_clock_is_tsc ? mul_u64_u32_shr(ticks, mult, shift) : ticks;
}

/**
 * cpupr_clock_ticks() - convert a span
 * @ns: nanoseconds
 *
 * Return: ticks of the clock in use, rounded down.
 */
u64 cpupr_clock_ticks(u64 ns)
{
	return cpupr_clock_is_tsc ? mul_u64_u64_div_u64(ns, 1ULL << shift, mult) : ns;
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
	int ret;

	if (strcmp(clock, "auto") && strcmp(clock, "tsc") && strcmp(clock, "local")) {
		pr_err("clock=%.16s: not auto, tsc or local\n", clock);
		return -EINVAL;
	}
	ret = choose();
	cpupr_boundary_update();
	return ret;
}

/**
 * cpupr_clock_watch_init() - keep an eye on the TSC
 *
 * What it does when the kernel stops trusting the TSC needs the ledgers and
 * the baselines: they are there before, and go after.
 *
 * Return: 0.
 */
int cpupr_clock_watch_init(void)
{
	start_watch();
	return 0;
}

/**
 * cpupr_clock_watch_exit() - no longer
 */
void cpupr_clock_watch_exit(void)
{
	stop_watch();
}
