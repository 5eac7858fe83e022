// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cycles and instructions by what the CPU was at.
 *
 * With this on, every write section begins with a look at the two counters: what
 * they counted since the last one belongs to the category that was open. It
 * costs a read of each a transition, and is off unless asked for.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/rcupdate.h>

#include <cpuprecise/collector.h>
#include <cpuprecise/counter.h>
#include <cpuprecise/percpu.h>

static const struct cpupr_event *const events[CPUPR_NR_CYCLES_KINDS] = {
	[CPUPR_CYCLES] = &cpupr_event_cycles,
	[CPUPR_INSTRUCTIONS] = &cpupr_event_instructions,
};

/* NULL while the collector is off. Read by probes, so a grace period before they go. */
static struct cpupr_counter *counters[CPUPR_NR_CYCLES_KINDS];

static __always_inline void look(struct cpupr_cycles *c, enum cpupr_cycles_kind kind, u8 category)
{
	u64 value;

	if (cpupr_counter_here(READ_ONCE(counters[kind]), &value))
		cpupr_cycles_book(c, kind, category, value);
	else
		c->counting[kind] = false;
}

/**
 * cpupr_cycles_account() - what was counted since the last time belongs to what is open
 * @c: this CPU
 *
 * The time is that right behind the look at the cycles: from the section's own
 * it may be microseconds, where caches are cold.
 *
 * Context: write section, before the category changes.
 */
notrace void cpupr_cycles_account(struct cpupr_cpu *c)
{
	u8 category = c->ledger.at.category;
	bool counted = c->cycles.counting[CPUPR_CYCLES];

	look(&c->cycles, CPUPR_CYCLES, category);
	cpupr_cycles_time(&c->cycles, counted, category, cpupr_clock());
	look(&c->cycles, CPUPR_INSTRUCTIONS, category);
}

/**
 * cpupr_cycles_seed() - what was counted until now belongs to nothing
 * @c: this CPU
 *
 * Context: write section.
 */
void cpupr_cycles_seed(struct cpupr_cpu *c)
{
	memset(c->cycles.counting, 0, sizeof(c->cycles.counting));
	cpupr_cycles_account(c);
}

/**
 * cpupr_cycles_rescale() - go on with another clock, whose ticks are ns
 * @c: a CPU
 * @now: ticks of the other one
 *
 * Context: all CPUs stopped, write section.
 */
void cpupr_cycles_rescale(struct cpupr_cpu *c, u64 now)
{
	unsigned int i;

	for (i = 0; i < CPUPR_NR_OPEN; i++)
		c->cycles.sum.time[i] = cpupr_clock_ns(c->cycles.sum.time[i]);
	c->cycles.at = now;
}

/* Whether there is a PMU shows when it is asked for. */
static const char *probe(void)
{
	struct perf_event *perf = cpupr_perf_open(&cpupr_event_cycles, cpumask_first(cpu_online_mask));

	if (IS_ERR(perf))
		return PTR_ERR(perf) == -EBUSY ? "PMU busy" : "no PMU";
	perf_event_release_kernel(perf);
	return NULL;
}

static void disable(void)
{
	struct cpupr_counter *old[CPUPR_NR_CYCLES_KINDS];
	unsigned int i;

	for (i = 0; i < CPUPR_NR_CYCLES_KINDS; i++) {
		old[i] = counters[i];
		WRITE_ONCE(counters[i], NULL);
	}
	/* Interrupts are off in a write section. */
	synchronize_rcu();
	for (i = 0; i < CPUPR_NR_CYCLES_KINDS; i++)
		cpupr_counter_put(old[i]);
}

static int enable(void)
{
	unsigned int i;
	int ret;

	for (i = 0; i < CPUPR_NR_CYCLES_KINDS; i++) {
		ret = cpupr_counter_get(events[i], &counters[i]);
		if (ret) {
			disable();
			return ret;
		}
	}
	return 0;
}

static struct cpupr_hook hooks[] = {
	{ }
};

struct cpupr_collector cpupr_cycles_collector = {
	.name = "cycles",
	.desc = "cycles and instructions by category",
	.hooks = hooks,
	.probe = probe,
	.enable = enable,
	.disable = disable,
	.on_demand = true,
};
