// SPDX-License-Identifier: GPL-2.0-only
/*
 * The frequency at which a CPU ran, by APERF and MPERF: events of the msr PMU
 * (arch/x86/events/msr.c), which take none of the hardware's counters and are
 * looked at by readers only.
 */
#include <asm/tsc.h>

#include <cpuprecise/aperf.h>
#include <cpuprecise/counter.h>
#include <cpuprecise/freq.h>
#include <cpuprecise/snapshot.h>

/* Protected by cpupr_snapshot_lock(). NULL: without. */
static struct cpupr_counter *aperf, *mperf;

/**
 * cpupr_aperf_get() - count both, where the CPUs have them
 *
 * Context: process, may sleep, not under cpus_read_lock().
 */
void cpupr_aperf_get(void)
{
	static const struct cpupr_event events[] = {
		{ .kind = CPUPR_EVENT_PMU, .group = "msr", .config = 1 /* aperf */ },
		{ .kind = CPUPR_EVENT_PMU, .group = "msr", .config = 2 /* mperf */ },
	};

	cpupr_snapshot_lock();
	/* One or both may not be there, which leaves NULL. */
	if (!cpupr_counter_get(&events[0], &aperf))
		cpupr_counter_get(&events[1], &mperf);
	cpupr_snapshot_unlock();
}

/**
 * cpupr_aperf_put() - no longer
 *
 * Context: as cpupr_aperf_get().
 */
void cpupr_aperf_put(void)
{
	cpupr_snapshot_lock();
	cpupr_counter_put(aperf);
	cpupr_counter_put(mperf);
	aperf = NULL;
	mperf = NULL;
	cpupr_snapshot_unlock();
}

/**
 * cpupr_aperf_read_khz() - the mean frequency at which a CPU ran in this epoch
 * @cpu: which
 *
 * Context: process, may sleep; under cpupr_snapshot_lock().
 *
 * Return: kHz; 0 if they cannot tell.
 */
u64 cpupr_aperf_read_khz(int cpu)
{
	struct cpupr_counts actual, maximum;

	if (!aperf || !mperf || cpupr_counter_read(aperf, cpu, &actual) != CPUPR_COUNTER_OK ||
	    cpupr_counter_read(mperf, cpu, &maximum) != CPUPR_COUNTER_OK)
		return 0;
	return cpupr_aperf_khz(tsc_khz, actual.value, maximum.value);
}
