// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters by name: the list, and replacing it all or nothing.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include <cpuprecise/collector.h>
#include <cpuprecise/counters.h>

#define DEFAULT_LIST "cycles instructions cpu-clock context-switches"

/**
 * struct list - what is counted
 * @event: in the order of the list
 * @counter: while the collector is on; NULL if there is no such thing any more
 * @nr: how many
 */
struct list {
	struct cpupr_event event[CPUPR_COUNTERS_MAX];
	struct cpupr_counter *counter[CPUPR_COUNTERS_MAX];
	unsigned int nr;
};

/* Protects what follows. Comes before the pool's and after the snapshots'. */
static DEFINE_MUTEX(list_mutex);
static struct list list;
static bool on;

/* Escaped: what somebody wrote is not to speak to the console. */
static int refuse(const char *name, size_t len, int error, const char *why)
{
	pr_info("counters: '%*pE': %s\n", (int)strnlen(name, min_t(size_t, len, 64)), name, why);
	return error;
}

static int add(struct list *l, const char *name, size_t len)
{
	struct cpupr_event *event;
	unsigned int i;
	int ret;

	if (l->nr == CPUPR_COUNTERS_MAX)
		return refuse(name, len, -E2BIG, "too many events");
	event = &l->event[l->nr];
	ret = cpupr_event_parse(event, name, len);
	if (ret)
		return refuse(name, len, ret, ret == -ENOENT ? "no such event" : "not an event");
	for (i = 0; i < l->nr; i++)
		if (cpupr_event_same(&l->event[i], event))
			return refuse(name, len, -EEXIST, "twice");
	l->nr++;
	return 0;
}

/* @l: empty */
static int parse(struct list *l, const char *text)
{
	const char *end = text + strlen(text);
	size_t len;
	int ret = 0;

	while (!ret) {
		len = end - text;
		text = cpupr_event_next(text, &len);
		if (!text)
			break;
		ret = add(l, text, len);
		text += len;
	}
	return ret ?: l->nr ? 0 : -EINVAL;
}

static void put(struct list *l)
{
	unsigned int i;

	for (i = 0; i < l->nr; i++) {
		cpupr_counter_put(l->counter[i]);
		l->counter[i] = NULL;
	}
}

static int get(struct list *l)
{
	unsigned int i;
	int ret;

	for (i = 0; i < l->nr; i++) {
		ret = cpupr_counter_get(&l->event[i], &l->counter[i]);
		if (!ret)
			continue;
		put(l);
		return refuse(l->event[i].name, CPUPR_EVENT_NAME, ret,
			      ret == -ENOENT ? "no such event" : "cannot be counted");
	}
	return 0;
}

static struct cpupr_counter *without_slot(const struct list *l)
{
	unsigned int i;

	for (i = 0; i < l->nr; i++)
		if (cpupr_counter_lacks_slot(l->counter[i]))
			return l->counter[i];
	return NULL;
}

static void pause(const struct list *l, bool yes)
{
	unsigned int i;

	for (i = 0; i < l->nr; i++)
		if (l->counter[i])
			cpupr_counter_pause(l->counter[i], yes);
}

/*
 * The old counters go on until the new ones count. Only where the hardware has
 * no room for both do they stand still: for as long as it takes to find out that
 * there is room for the new ones alone, or not.
 */
static int replace(struct list *new)
{
	struct cpupr_counter *lacks;
	int ret = get(new);

	if (ret)
		return ret;
	if (without_slot(new)) {
		pause(&list, true);
		lacks = without_slot(new);
		if (lacks) {
			refuse(cpupr_counter_name(lacks), CPUPR_EVENT_NAME, 0,
			       "the PMU has no counter left");
			put(new);
			pause(&list, false);
			return -ENOSPC;
		}
	}
	put(&list);
	return 0;
}

/**
 * cpupr_counters_choose() - count other events
 * @text: their names, parted by blanks, newlines or commas
 *
 * Context: process, may sleep.
 *
 * Return: 0, or with nothing changed: -EINVAL: a name is malformed; -ENOENT: of
 * no event; -EEXIST: there twice; -E2BIG: too many; -ENOSPC: more than the
 * hardware can count at once; -ENOMEM.
 */
int cpupr_counters_choose(const char *text)
{
	struct list *new = kvzalloc(sizeof(*new), GFP_KERNEL);
	int ret = new ? parse(new, text) : -ENOMEM;

	if (!ret) {
		mutex_lock(&list_mutex);
		if (on)
			ret = replace(new);
		if (!ret)
			list = *new;
		mutex_unlock(&list_mutex);
	}
	kvfree(new);
	return ret;
}

/* All rows of a CPU or none: what it cannot count does not go when it does. */
static void take_cpu(struct cpupr_counters_snapshot *s, int cpu)
{
	struct cpupr_counters_row *row = &s->row[cpu * CPUPR_COUNTERS_MAX];
	bool shown = false;
	unsigned int i;

	for (i = 0; i < s->nr; i++) {
		row[i].status = cpupr_counter_read(list.counter[i], cpu, &row[i].counts);
		shown |= row[i].counts.running || row[i].status != CPUPR_COUNTER_OFFLINE;
	}
	for (i = 0; i < s->nr; i++)
		row[i].shown = shown;
}

/**
 * cpupr_counters_take() - read all counters
 * @s: filled in
 *
 * Context: process, may sleep; under cpupr_snapshot_lock().
 */
void cpupr_counters_take(struct cpupr_counters_snapshot *s)
{
	unsigned int i;
	int cpu;

	mutex_lock(&list_mutex);
	s->nr = on ? list.nr : 0;
	for (i = 0; i < s->nr; i++)
		memcpy(s->name[i], list.event[i].name, CPUPR_EVENT_NAME);
	for_each_possible_cpu(cpu)
		take_cpu(s, cpu);
	mutex_unlock(&list_mutex);
}

static int enable(void)
{
	int ret = 0;

	mutex_lock(&list_mutex);
	if (!list.nr)
		ret = parse(&list, DEFAULT_LIST);
	if (!ret)
		ret = get(&list);
	on = !ret;
	mutex_unlock(&list_mutex);
	return ret;
}

static void disable(void)
{
	mutex_lock(&list_mutex);
	on = false;
	put(&list);
	mutex_unlock(&list_mutex);
}

static struct cpupr_hook hooks[] = {
	{ }
};

struct cpupr_collector cpupr_counters_collector = {
	.name = "counters",
	.desc = "perf events by name",
	.hooks = hooks,
	.enable = enable,
	.catch_up = cpupr_counters_follow,
	.disable = disable,
};
