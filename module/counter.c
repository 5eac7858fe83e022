// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pool of counters: who shares them, and how they follow CPUs that come and
 * go.
 *
 * perf takes its events off a CPU that goes, and may not be called from a hotplug
 * callback; so a callback says only that the CPU lives anew, or no more, and
 * work does the rest. What the module knows anyway is not left to perf: a
 * context switch is counted by the hook of collector sched, since perf takes a
 * hundred instructions for it, and the clock of a CPU is the kernel's. So the
 * default set costs nothing where there is no PMU, and reading it interrupts
 * nobody.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched/clock.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include <cpuprecise/counter.h>
#include <cpuprecise/observer.h>

/* How an event is counted. */
enum source {
	HARDWARE,	/* by perf; only the CPU itself can read it */
	MEMORY,		/* by perf, in memory */
	CLOCK,		/* by the scheduler's clock, of which perf's are made */
	SWITCHES,	/* by the hook on sched_switch */
};

/**
 * struct count - of a counter on a CPU
 * @perf: where perf counts, if it does; written by one, read by the CPU's probes
 * @life: of the CPU, of which @start is; 0: nothing is counted now
 * @error: why not
 * @start: the value and, in @enabled, online_clock() when this life's count began
 * @past: what was counted in earlier lives
 * @base: where the epoch began: the reader's
 */
struct count {
	struct perf_event *perf;
	unsigned int life;
	int error;
	struct cpupr_counts start, past, base;
};

/**
 * struct cpupr_counter - one event on all CPUs
 * @node: in the pool
 * @users: who asked for it
 * @event: which one
 * @source: how it is counted
 * @paused: it lends its place to others
 * @cpu: by CPU number
 */
struct cpupr_counter {
	struct list_head node;
	unsigned int users;
	struct cpupr_event event;
	enum source source;
	bool paused;
	struct count cpu[];
};

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

/* Protects the pool. Taken after the registry's and the snapshots' mutexes. */
static DEFINE_MUTEX(pool_mutex);
static LIST_HEAD(pool);
static bool switches_hooked;

static void follow(struct work_struct *work);
static DECLARE_DELAYED_WORK(follow_work, follow);

/* For how long a CPU has been online, by its clock. */
static u64 online_clock(int cpu)
{
	struct life *life = per_cpu_ptr(&lives, cpu);

	/* Pairs with the release in cpupr_counters_cpu(). */
	return smp_load_acquire(&life->online) ? cpu_clock(cpu) - READ_ONCE(life->away) :
						 READ_ONCE(life->stop);
}

static u64 switches_of(int cpu)
{
	struct cpupr_calls calls;

	cpupr_observer_read(cpu, cpupr_hook_number("sched_switch"), CPUPR_CALLS_BOOK, &calls);
	return calls.hits;
}

static enum source source_of(const struct cpupr_event *event)
{
	if (event->kind == CPUPR_EVENT_TRACEPOINT)
		return MEMORY;
	if (event->kind == CPUPR_EVENT_PMU || event->type != PERF_TYPE_SOFTWARE)
		return HARDWARE;
	switch (event->config) {
	case PERF_COUNT_SW_CPU_CLOCK:
	case PERF_COUNT_SW_TASK_CLOCK:
		return CLOCK;
	case PERF_COUNT_SW_CONTEXT_SWITCHES:
		return SWITCHES;
	default:
		return MEMORY;
	}
}

/* This life's count, where perf does not keep the times. */
static void count_memory(struct cpupr_counter *counter, int cpu, struct cpupr_counts *to)
{
	struct life *life = per_cpu_ptr(&lives, cpu);
	struct count *c = &counter->cpu[cpu];
	bool lasts = READ_ONCE(life->online) && READ_ONCE(life->number) == c->life;
	u64 clock = lasts ? online_clock(cpu) : READ_ONCE(life->stop);

	to->running = clock > c->start.enabled ? clock - c->start.enabled : 0;
	to->enabled = to->running;
	if (counter->source == CLOCK)
		to->value = to->running;
	else if (counter->source == MEMORY)
		to->value = local64_read(&c->perf->count);
	else
		to->value = (lasts ? switches_of(cpu) : READ_ONCE(life->switches)) - c->start.value;
}

static void count_now(struct cpupr_counter *counter, int cpu, struct cpupr_counts *to)
{
	struct count *c = &counter->cpu[cpu];

	*to = c->past;
	if (c->life) {
		struct cpupr_counts now;

		if (counter->source == HARDWARE)
			now.value = perf_event_read_value(c->perf, &now.enabled, &now.running);
		else
			count_memory(counter, cpu, &now);
		to->value += now.value;
		to->enabled += now.enabled;
		to->running += now.running;
	}
}

static void start(struct cpupr_counter *counter, int cpu)
{
	struct life *life = per_cpu_ptr(&lives, cpu);
	struct count *c = &counter->cpu[cpu];
	unsigned int number = READ_ONCE(life->number);
	struct perf_event *perf = NULL;

	if (!READ_ONCE(life->online) || (counter->source == SWITCHES && !switches_hooked))
		return;
	if (counter->source == HARDWARE || counter->source == MEMORY) {
		perf = cpupr_perf_open(&counter->event, cpu);
		c->error = PTR_ERR_OR_ZERO(perf);
		if (c->error)
			return;
	}
	c->start.enabled = online_clock(cpu);
	if (counter->source == SWITCHES)
		c->start.value = switches_of(cpu);
	c->life = number;
	/* With @past as it is now: see cpupr_counter_here(). */
	smp_store_release(&c->perf, perf);
}

static void stop(struct cpupr_counter *counter, int cpu)
{
	struct count *c = &counter->cpu[cpu];
	struct perf_event *perf = c->perf;
	struct cpupr_counts all;

	if (!c->life)
		return;
	count_now(counter, cpu, &all);
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

static bool lacks_slot(const struct count *c)
{
	return c->perf && READ_ONCE(c->perf->state) == PERF_EVENT_STATE_ERROR;
}

/* Returns true if it is to be tried again. */
static bool follow_cpu(struct cpupr_counter *counter, int cpu)
{
	struct life *life = per_cpu_ptr(&lives, cpu);
	struct count *c = &counter->cpu[cpu];

	if (c->life && (!READ_ONCE(life->online) || READ_ONCE(life->number) != c->life))
		stop(counter, cpu);
	if (!c->life && !counter->paused)
		start(counter, cpu);
	if (!lacks_slot(c) || counter->paused)
		return false;
	perf_event_enable(c->perf);
	return lacks_slot(c);
}

/* Returns true if a CPU has no hardware left for it. */
static bool follow_counter(struct cpupr_counter *counter)
{
	bool lacks = false;
	int cpu;

	for_each_possible_cpu(cpu)
		lacks |= follow_cpu(counter, cpu);
	return lacks;
}

static void stop_counter(struct cpupr_counter *counter)
{
	int cpu;

	for_each_possible_cpu(cpu)
		stop(counter, cpu);
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
	switches_hooked = hooked;
	list_for_each_entry(counter, &pool, node) {
		if (counter->source != SWITCHES)
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

	if (!counter)
		return NULL;
	counter->event = *event;
	counter->source = source_of(event);
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
	if (counter->source == HARDWARE && (counter->users == 1 || !pause)) {
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

static enum cpupr_counter_status status_of(const struct cpupr_counter *counter, int cpu)
{
	const struct count *c = &counter->cpu[cpu];

	if (!READ_ONCE(per_cpu_ptr(&lives, cpu)->online))
		return CPUPR_COUNTER_OFFLINE;
	if (counter->source == SWITCHES && !switches_hooked)
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
	count_now(counter, cpu, counts);
	status = status_of(counter, cpu);
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
			count_now(counter, cpu, &counter->cpu[cpu].base);
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
	/* Pairs with the release in start(): @past does not change while it is there. */
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
