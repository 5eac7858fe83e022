// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pool of counters: who shares them, and how they follow CPUs that come and
 * go.
 *
 * perf may not be called from a hotplug callback; so a callback says only that
 * the CPU lives anew, or no more, and work does the rest.
 */
#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include <cpuprecise/count.h>

/**
 * struct cpupr_counter - one event on all CPUs
 * @node: in the pool
 * @users: who asked for it
 * @event: which one
 * @paused: it lends its place to others
 * @cpu: by CPU number
 */
struct cpupr_counter {
	struct list_head node;
	unsigned int users;
	struct cpupr_event event;
	bool paused;
	struct cpupr_count cpu[];
};

/* Protects the pool. Taken after the registry's and the snapshots' mutexes. */
static DEFINE_MUTEX(pool_mutex);
static LIST_HEAD(pool);

static void follow(struct work_struct *work);
static DECLARE_DELAYED_WORK(follow_work, follow);

static enum cpupr_count_source source_of(const struct cpupr_counter *counter)
{
	return cpupr_count_source(&counter->event);
}

/* Returns true if a CPU has no hardware left for it. */
static bool follow_counter(struct cpupr_counter *counter)
{
	bool lacks = false;
	int cpu;

	if (counter->paused)
		return false;
	for_each_possible_cpu(cpu)
		lacks |= cpupr_count_follow(&counter->cpu[cpu], &counter->event, cpu);
	return lacks;
}

static void stop_counter(struct cpupr_counter *counter)
{
	int cpu;

	for_each_possible_cpu(cpu)
		cpupr_count_stop(&counter->cpu[cpu], cpu);
}

/* Whoever has the slots may give them back at any time, and tells nobody. */
static void follow(struct work_struct *work)
{
	struct cpupr_counter *counter;
	bool again = false;

	mutex_lock(&pool_mutex);
	list_for_each_entry(counter, &pool, node)
		again |= follow_counter(counter);
	if (again)
		schedule_delayed_work(&follow_work, HZ);
	mutex_unlock(&pool_mutex);
}

/**
 * cpupr_counters_follow() - begin to count on CPUs that came
 *
 * Context: process, may sleep, not under cpus_read_lock().
 */
void cpupr_counters_follow(void)
{
	follow(NULL);
}

/**
 * cpupr_counters_cpu() - this CPU comes or goes
 * @online: it comes
 *
 * Context: hotplug callback, on the CPU.
 */
void cpupr_counters_cpu(bool online)
{
	cpupr_count_life(online);
	schedule_delayed_work(&follow_work, 0);
}

/**
 * cpupr_counters_switches() - the hook on sched_switch is about to come, or went
 * @hooked: it comes
 *
 * Context: process, may sleep.
 */
void cpupr_counters_switches(bool hooked)
{
	struct cpupr_counter *counter;

	mutex_lock(&pool_mutex);
	cpupr_count_hooked(hooked);
	list_for_each_entry(counter, &pool, node) {
		if (source_of(counter) != CPUPR_COUNT_SWITCHES)
			continue;
		if (hooked)
			follow_counter(counter);
		else
			stop_counter(counter);
	}
	mutex_unlock(&pool_mutex);
}

static struct cpupr_counter *find(const struct cpupr_event *event)
{
	struct cpupr_counter *counter;

	list_for_each_entry(counter, &pool, node)
		if (cpupr_event_same(&counter->event, event))
			return counter;
	return NULL;
}

static struct cpupr_counter *add(const struct cpupr_event *event)
{
	struct cpupr_counter *counter = kvzalloc(struct_size(counter, cpu, nr_cpu_ids), GFP_KERNEL);
	int cpu;

	if (!counter)
		return NULL;
	counter->event = *event;
	for_each_possible_cpu(cpu)
		counter->cpu[cpu].source = cpupr_count_source(event);
	list_add_tail(&counter->node, &pool);
	return counter;
}

/* One more user, who wants it to count: whoever paused it has to do without. */
static void use(struct cpupr_counter *counter)
{
	counter->users++;
	counter->paused = false;
	if (follow_counter(counter))
		schedule_delayed_work(&follow_work, HZ);
}

/**
 * cpupr_counter_get() - count an event on all CPUs, from now on
 * @event: as cpupr_event_parse() leaves it
 * @counter: set to the counter, which may be one that there was before
 *
 * CPUs that cannot count it are no error: see cpupr_counter_read().
 *
 * Context: process, may sleep, not under cpus_read_lock().
 *
 * Return: 0; -ENOENT: there is no such tracepoint or PMU; -ENOMEM; or why else
 * its number was not found.
 */
int cpupr_counter_get(const struct cpupr_event *event, struct cpupr_counter **counter)
{
	struct cpupr_event resolved = *event;
	int ret = cpupr_perf_resolve(&resolved);

	if (ret)
		return ret;
	mutex_lock(&pool_mutex);
	*counter = find(&resolved) ?: add(&resolved);
	if (*counter)
		use(*counter);
	mutex_unlock(&pool_mutex);
	return *counter ? 0 : -ENOMEM;
}

/**
 * cpupr_counter_put() - it is not needed any more
 * @counter: as cpupr_counter_get() gave it, or NULL; no probe of the caller's
 *	uses it any more
 *
 * Context: process, may sleep, not under cpus_read_lock().
 */
void cpupr_counter_put(struct cpupr_counter *counter)
{
	if (!counter)
		return;
	mutex_lock(&pool_mutex);
	if (!--counter->users) {
		stop_counter(counter);
		list_del(&counter->node);
		kvfree(counter);
	}
	mutex_unlock(&pool_mutex);
}

/**
 * cpupr_counter_name() - its event, as it was first asked for
 * @counter: which
 */
const char *cpupr_counter_name(const struct cpupr_counter *counter)
{
	return counter->event.name;
}

/**
 * cpupr_counter_pause() - give the hardware's counters to others, or take them back
 * @counter: which; nothing happens if it has more than one user
 * @pause: give them
 *
 * Context: process, may sleep.
 */
void cpupr_counter_pause(struct cpupr_counter *counter, bool pause)
{
	mutex_lock(&pool_mutex);
	if (source_of(counter) == CPUPR_COUNT_HARDWARE && (counter->users == 1 || !pause)) {
		counter->paused = pause;
		if (pause)
			stop_counter(counter);
		else
			follow_counter(counter);
	}
	mutex_unlock(&pool_mutex);
}

/**
 * cpupr_counter_lacks_slot() - is there a CPU that has no hardware left for it?
 * @counter: which
 *
 * Context: process, may sleep.
 */
bool cpupr_counter_lacks_slot(struct cpupr_counter *counter)
{
	bool lacks;

	mutex_lock(&pool_mutex);
	lacks = follow_counter(counter);
	mutex_unlock(&pool_mutex);
	return lacks;
}

/**
 * cpupr_counter_read() - what was counted in this epoch
 * @counter: which
 * @cpu: where
 * @counts: filled in
 *
 * Hardware is read by its own CPU: an interrupt to it, idle or not.
 *
 * Context: process, may sleep; under cpupr_snapshot_lock().
 *
 * Return: enum cpupr_counter_status, of now.
 */
enum cpupr_counter_status cpupr_counter_read(struct cpupr_counter *counter, int cpu,
					     struct cpupr_counts *counts)
{
	const struct cpupr_counts *base = &counter->cpu[cpu].base;
	enum cpupr_counter_status status;

	mutex_lock(&pool_mutex);
	cpupr_count_now(&counter->cpu[cpu], cpu, counts);
	status = cpupr_count_status(&counter->cpu[cpu], cpu);
	mutex_unlock(&pool_mutex);
	counts->value -= base->value;
	counts->enabled -= base->enabled;
	counts->running -= base->running;
	/* perf takes some events that their PMU then never counts (arm64: CHAIN). */
	if (status == CPUPR_COUNTER_OK && counts->enabled && !counts->running)
		return CPUPR_COUNTER_UNSUPPORTED;
	return status;
}

/**
 * cpupr_counters_rebase() - a new epoch begins
 *
 * Context: process, may sleep; under cpupr_snapshot_lock().
 */
void cpupr_counters_rebase(void)
{
	struct cpupr_counter *counter;
	int cpu;

	mutex_lock(&pool_mutex);
	list_for_each_entry(counter, &pool, node)
		for_each_possible_cpu(cpu)
			cpupr_count_now(&counter->cpu[cpu], cpu, &counter->cpu[cpu].base);
	mutex_unlock(&pool_mutex);
}

/**
 * cpupr_counter_on() - does hardware count on a CPU now?
 * @counter: which, or NULL
 * @cpu: where
 *
 * Context: any, RCU read side.
 */
notrace bool cpupr_counter_on(struct cpupr_counter *counter, int cpu)
{
	struct perf_event *perf = counter ? READ_ONCE(counter->cpu[cpu].perf) : NULL;

	return perf && READ_ONCE(perf->oncpu) == cpu;
}

/**
 * cpupr_counter_here() - look at a counter of the hardware, on this CPU
 * @counter: which, or NULL
 * @value: set to what was counted since the counter was made, if it counts now
 *
 * perf_event_read_local() is not exported. Its way: the PMU brings the count up
 * to date if the event is on this CPU (kernel/events/core.c).
 *
 * Context: a probe; interrupts off, not in an NMI.
 *
 * Return: it does.
 */
notrace bool cpupr_counter_here(struct cpupr_counter *counter, u64 *value)
{
	int cpu = smp_processor_id();
	struct perf_event *perf;

	if (!counter)
		return false;
	/* Pairs with the release in start() of count.c: @past does not change while it is there. */
	perf = smp_load_acquire(&counter->cpu[cpu].perf);
	if (!perf || READ_ONCE(perf->oncpu) != cpu)
		return false;
	perf->pmu->read(perf);
	*value = counter->cpu[cpu].past.value + local64_read(&perf->count);
	return true;
}

/**
 * cpupr_counters_exit() - nothing is left to be done later
 *
 * Context: process, may sleep; no CPU's comings and goings are told any more,
 * and all counters were put.
 */
void cpupr_counters_exit(void)
{
	cancel_delayed_work_sync(&follow_work);
	WARN_ON(!list_empty(&pool));
}
