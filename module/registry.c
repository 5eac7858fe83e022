// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of collectors, and switching them.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <cpuprecise/collector.h>
#include <cpuprecise/hotplug.h>
#include <cpuprecise/user_return.h>

static struct cpupr_collector *const collectors[] = {
	&cpupr_sched_collector,
	&cpupr_syscall_collector,
	&cpupr_fault_collector,
	&cpupr_irq_collector,
	&cpupr_softirq_collector,
	&cpupr_irqs_collector,
	&cpupr_softirq_delays_collector,
	&cpupr_iowait_collector,
	&cpupr_guest_collector,
	&cpupr_idle_collector,
	&cpupr_tasks_collector,
	&cpupr_theft_collector,
	&cpupr_syscalls_collector,
	&cpupr_cgroups_collector,
	&cpupr_counters_collector,
	&cpupr_freqs_collector,
	&cpupr_cycles_collector,
	&cpupr_steal_collector,
};

static char *collectors_param = "default";
module_param_named(collectors, collectors_param, charp, 0444);
MODULE_PARM_DESC(collectors, "comma-separated names to switch on at load, default, all or none");

/* Serialises switching. Taken before cpus_read_lock(), never in a probe. */
static DEFINE_MUTEX(registry_mutex);

static struct cpupr_collector *find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(collectors); i++)
		if (!strcmp(collectors[i]->name, name))
			return collectors[i];
	return NULL;
}

static int switch_on(struct cpupr_collector *c)
{
	int ret = c->enable ? c->enable() : 0;

	if (ret)
		return ret;
	if (c->user_return)
		cpupr_user_return_get();
	ret = cpupr_hooks_register(c->hooks);
	if (ret) {
		if (c->user_return)
			cpupr_user_return_put();
		if (c->disable)
			c->disable();
		return ret;
	}
	c->state = CPUPR_ON;
	return 0;
}

static void switch_off(struct cpupr_collector *c)
{
	if (c->stop)
		c->stop();
	c->state = CPUPR_OFF;
	cpupr_hooks_unregister(c->hooks);
	if (c->user_return)
		cpupr_user_return_put();
	if (c->disable)
		c->disable();
}

/**
 * cpupr_registry_switch() - switch a collector on or off
 * @name: which
 * @on: what it shall be; no change is no error
 *
 * Context: process, may sleep.
 *
 * Return: 0; -ENOENT: no such collector; -EOPNOTSUPP: this kernel cannot do
 * it; or what registering a hook said, with the collector off.
 */
int cpupr_registry_switch(const char *name, bool on)
{
	struct cpupr_collector *c = find(name);
	int ret = 0;

	if (!c)
		return -ENOENT;
	if (c->state == CPUPR_UNSUPPORTED)
		return -EOPNOTSUPP;

	mutex_lock(&registry_mutex);
	if (on != (c->state == CPUPR_ON)) {
		if (on)
			ret = switch_on(c);
		else
			switch_off(c);
		if (c->state == CPUPR_ON && c->catch_up)
			c->catch_up();
		cpupr_hotplug_resync();
	}
	mutex_unlock(&registry_mutex);
	return ret;
}

/**
 * cpupr_registry_get() - walk the collectors
 * @i: 0, 1, …
 *
 * Return: the collector, or NULL past the last.
 */
const struct cpupr_collector *cpupr_registry_get(unsigned int i)
{
	return i < ARRAY_SIZE(collectors) ? collectors[i] : NULL;
}

static void probe_all(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(collectors); i++) {
		struct cpupr_collector *c = collectors[i];

		c->missing = cpupr_hooks_find(c->hooks);
		c->reason = c->probe ? c->probe() : NULL;
		if (!c->reason && c->missing)
			c->reason = "tracepoint missing";
		if (c->reason)
			c->state = CPUPR_UNSUPPORTED;
	}
}

/* Check all names before any is switched: bad input changes nothing. */
static int check_names(void)
{
	char *names, *next, *name;
	int ret = 0;

	if (!strcmp(collectors_param, "default") || !strcmp(collectors_param, "all") ||
	    !strcmp(collectors_param, "none"))
		return 0;
	names = kstrdup(collectors_param, GFP_KERNEL);
	if (!names)
		return -ENOMEM;
	next = names;
	while (!ret && (name = strsep(&next, ",")))
		if (!find(name)) {
			pr_err("collectors=: no collector '%.16s'\n", name);
			ret = -ENOENT;
		}
	kfree(names);
	return ret;
}

static bool wanted(const struct cpupr_collector *c)
{
	size_t len = strlen(c->name);
	const char *p;

	if (!strcmp(collectors_param, "default"))
		return !c->on_demand;
	if (!strcmp(collectors_param, "all"))
		return true;
	for (p = collectors_param; *p; p += strcspn(p, ","), p += *p == ',')
		if (strcspn(p, ",") == len && !strncmp(p, c->name, len))
			return true;
	return false;
}

/**
 * cpupr_registry_exit() - switch all collectors off
 */
void cpupr_registry_exit(void)
{
	unsigned int i = ARRAY_SIZE(collectors);

	while (i--)
		if (collectors[i]->state == CPUPR_ON)
			switch_off(collectors[i]);
}

/**
 * cpupr_registry_init() - find out what the kernel can do and switch it on
 *
 * Return: 0, or -errno with all off.
 */
int cpupr_registry_init(void)
{
	unsigned int i;
	int ret = check_names();

	if (ret)
		return ret;
	cpupr_boundary_update();
	probe_all();
	for (i = 0; i < ARRAY_SIZE(collectors); i++) {
		struct cpupr_collector *c = collectors[i];

		if (c->state == CPUPR_UNSUPPORTED || !wanted(c))
			continue;
		ret = switch_on(c);
		if (ret) {
			cpupr_registry_exit();
			return ret;
		}
	}
	return 0;
}

/**
 * cpupr_registry_catch_up() - the rows are open: take in what began before
 *
 * Return: 0.
 */
int cpupr_registry_catch_up(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(collectors); i++)
		if (collectors[i]->state == CPUPR_ON && collectors[i]->catch_up)
			collectors[i]->catch_up();
	/* An idle CPU may turn out to be one that waits. */
	cpupr_hotplug_resync();
	return 0;
}

/**
 * cpupr_registry_report() - the module is loaded: say what it cannot do, and why
 *
 * Return: 0.
 */
int cpupr_registry_report(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(collectors); i++) {
		const struct cpupr_collector *c = collectors[i];

		if (c->state == CPUPR_UNSUPPORTED)
			pr_info("%s: unsupported: %s%s%s\n", c->name, c->reason,
				c->missing ? ": " : "", c->missing ?: "");
	}
	return 0;
}
