// SPDX-License-Identifier: GPL-2.0-only
/*
 * One event counted on one CPU, through the times for which the CPU is online.
 *
 * perf takes its events off a CPU that goes, so each life of a CPU has a count of
 * its own. What the module knows anyway is not left to perf: a context switch is
 * counted by the hook of collector sched, since perf takes a hundred
 * instructions for it, and the clock of a CPU is the kernel's. So the default
 * set costs nothing where there is no PMU, and reading it interrupts nobody.
 */
#include <linux/err.h>
#include <linux/percpu.h>
#include <linux/sched/clock.h>

#include <cpuprecise/count.h>
#include <cpuprecise/observer.h>

/**
 * struct life - the times for which a CPU was online
 * @number: of the last one; they begin with 1
 * @online: it lasts
 * @away: what the CPU's clock has on the time for which it was online, ns
 * @stop: for how long it had been online when it ended, ns
 * @switches: context switches that the hook had counted then
 */
struct life {
	unsigned int number;
	bool online;
	u64 away;
	u64 stop;
	u64 switches;
};

/* Written by the CPU itself, in a hotplug callback. */
static DEFINE_PER_CPU(struct life, lives);

/* Under the pool's mutex. */
static bool switches_hooked;

/* For how long a CPU has been online, by its clock. */
static u64 online_clock(int cpu)
{
	struct life *life = per_cpu_ptr(&lives, cpu);

	/* Pairs with the release in cpupr_count_life(). */
	return smp_load_acquire(&life->online) ? cpu_clock(cpu) - READ_ONCE(life->away) :
						 READ_ONCE(life->stop);
}

static u64 switches_of(int cpu)
{
	struct cpupr_calls calls;

	cpupr_observer_read(cpu, cpupr_hook_number("sched_switch"), CPUPR_CALLS_BOOK, &calls);
	return calls.hits;
}

/**
 * cpupr_count_source() - how an event is counted
 * @event: which
 */
enum cpupr_count_source cpupr_count_source(const struct cpupr_event *event)
{
	if (event->kind == CPUPR_EVENT_TRACEPOINT)
		return CPUPR_COUNT_MEMORY;
	if (event->kind == CPUPR_EVENT_PMU || event->type != PERF_TYPE_SOFTWARE)
		return CPUPR_COUNT_HARDWARE;
	switch (event->config) {
	case PERF_COUNT_SW_CPU_CLOCK:
	case PERF_COUNT_SW_TASK_CLOCK:
		return CPUPR_COUNT_CLOCK;
	case PERF_COUNT_SW_CONTEXT_SWITCHES:
		return CPUPR_COUNT_SWITCHES;
	default:
		return CPUPR_COUNT_MEMORY;
	}
}

/* This life's count, where perf does not keep the times. */
static void count_memory(const struct cpupr_count *c, int cpu, struct cpupr_counts *to)
{
	struct life *life = per_cpu_ptr(&lives, cpu);
	bool lasts = READ_ONCE(life->online) && READ_ONCE(life->number) == c->life;
	u64 clock = lasts ? online_clock(cpu) : READ_ONCE(life->stop);

	to->running = clock > c->start.enabled ? clock - c->start.enabled : 0;
	to->enabled = to->running;
	if (c->source == CPUPR_COUNT_CLOCK)
		to->value = to->running;
	else if (c->source == CPUPR_COUNT_MEMORY)
		to->value = local64_read(&c->perf->count);
	else
		to->value = (lasts ? switches_of(cpu) : READ_ONCE(life->switches)) - c->start.value;
}

/**
 * cpupr_count_now() - what was counted, in all lives
 * @c: on this CPU
 * @cpu: its number
 * @to: filled in
 *
 * Context: process, may sleep; under the pool's mutex. Interrupts the CPU where
 * hardware counts.
 */
void cpupr_count_now(const struct cpupr_count *c, int cpu, struct cpupr_counts *to)
{
	*to = c->past;
	if (c->life) {
		struct cpupr_counts now;

		if (c->source == CPUPR_COUNT_HARDWARE)
			now.value = perf_event_read_value(c->perf, &now.enabled, &now.running);
		else
			count_memory(c, cpu, &now);
		to->value += now.value;
		to->enabled += now.enabled;
		to->running += now.running;
	}
}

static void start(struct cpupr_count *c, const struct cpupr_event *event, int cpu)
{
	struct life *life = per_cpu_ptr(&lives, cpu);
	unsigned int number = READ_ONCE(life->number);
	struct perf_event *perf = NULL;

	if (!READ_ONCE(life->online) || (c->source == CPUPR_COUNT_SWITCHES && !switches_hooked))
		return;
	if (c->source == CPUPR_COUNT_HARDWARE || c->source == CPUPR_COUNT_MEMORY) {
		perf = cpupr_perf_open(event, cpu);
		c->error = PTR_ERR_OR_ZERO(perf);
		if (c->error)
			return;
	}
	c->start.enabled = online_clock(cpu);
	if (c->source == CPUPR_COUNT_SWITCHES)
		c->start.value = switches_of(cpu);
	c->life = number;
	/* With @past as it is now: see cpupr_counter_here(). */
	smp_store_release(&c->perf, perf);
}

/**
 * cpupr_count_stop() - no longer; what was counted is kept
 * @c: on this CPU
 * @cpu: its number
 *
 * Context: process, may sleep, not under cpus_read_lock(); under the pool's mutex.
 */
void cpupr_count_stop(struct cpupr_count *c, int cpu)
{
	struct perf_event *perf = c->perf;
	struct cpupr_counts all;

	if (!c->life)
		return;
	cpupr_count_now(c, cpu, &all);
	WRITE_ONCE(c->perf, NULL);
	c->past = all;
	c->life = 0;
	/*
	 * Taken off the CPU by an interrupt to it, if it is there still, so that no
	 * probe of that CPU is in cpupr_counter_here() with it; and freed after a
	 * grace period.
	 */
	if (perf)
		perf_event_release_kernel(perf);
}

static bool lacks_slot(const struct cpupr_count *c)
{
	return c->perf && READ_ONCE(c->perf->state) == PERF_EVENT_STATE_ERROR;
}

/**
 * cpupr_count_follow() - count, if and as the CPU lives
 * @c: on this CPU
 * @event: which
 * @cpu: its number
 *
 * Context: as cpupr_count_stop().
 *
 * Return: true if the CPU has no hardware left for it.
 */
bool cpupr_count_follow(struct cpupr_count *c, const struct cpupr_event *event, int cpu)
{
	struct life *life = per_cpu_ptr(&lives, cpu);

	if (c->life && (!READ_ONCE(life->online) || READ_ONCE(life->number) != c->life))
		cpupr_count_stop(c, cpu);
	if (!c->life)
		start(c, event, cpu);
	if (!lacks_slot(c))
		return false;
	perf_event_enable(c->perf);
	return lacks_slot(c);
}

/**
 * cpupr_count_status() - does it count, and if not, why?
 * @c: on this CPU
 * @cpu: its number
 *
 * Context: process; under the pool's mutex.
 */
enum cpupr_counter_status cpupr_count_status(const struct cpupr_count *c, int cpu)
{
	if (!READ_ONCE(per_cpu_ptr(&lives, cpu)->online))
		return CPUPR_COUNTER_OFFLINE;
	if (c->source == CPUPR_COUNT_SWITCHES && !switches_hooked)
		return CPUPR_COUNTER_OFF;
	if (lacks_slot(c))
		return CPUPR_COUNTER_NO_SLOT;
	switch (c->error) {
	case 0:
		return CPUPR_COUNTER_OK;
	case -ENOENT:
	case -ENODEV:
	case -EINVAL:
	case -EOPNOTSUPP:
		return CPUPR_COUNTER_UNSUPPORTED;
	case -EBUSY:
		return CPUPR_COUNTER_BUSY;
	default:
		return CPUPR_COUNTER_FAILED;
	}
}

/**
 * cpupr_count_hooked() - the hook on sched_switch is about to come, or went
 * @hooked: it comes
 *
 * Context: process; under the pool's mutex.
 */
void cpupr_count_hooked(bool hooked)
{
	switches_hooked = hooked;
}

/**
 * cpupr_count_life() - a life of this CPU begins or ends
 * @online: it begins
 *
 * Context: hotplug callback, on the CPU.
 */
void cpupr_count_life(bool online)
{
	struct life *life = get_cpu_ptr(&lives);

	if (online) {
		WRITE_ONCE(life->number, life->number + 1);
		WRITE_ONCE(life->away, local_clock() - life->stop);
	} else {
		WRITE_ONCE(life->stop, local_clock() - life->away);
		WRITE_ONCE(life->switches, switches_of(smp_processor_id()));
	}
	/* After what it makes valid. */
	smp_store_release(&life->online, online);
	put_cpu_ptr(&lives);
}
