// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finding tracepoints by name, and registering a collector's hooks all or
 * none.
 */
#include <linux/module.h>
#include <linux/string.h>

#include <cpuprecise/compat.h>
#include <cpuprecise/hooks.h>
#include <cpuprecise/percpu.h>

static const char *names[CPUPR_MAX_HOOKS] = {
	[CPUPR_HOOK_USER_RETURN] = CPUPR_USER_RETURN ? "user_return" : "",
};
static enum cpupr_calls_kind kinds[CPUPR_MAX_HOOKS];

/**
 * cpupr_hook_number() - the number under which a hook's calls are counted
 * @name: a string that lives as long as the module
 *
 * Context: init, or under the registry's mutex.
 *
 * Return: 0 to CPUPR_MAX_HOOKS - 1, the same for the same name.
 */
unsigned int cpupr_hook_number(const char *name)
{
	unsigned int i;

	for (i = 0; i < CPUPR_MAX_HOOKS - 1; i++) {
		if (!names[i])
			names[i] = name;
		if (!strcmp(names[i], name))
			return i;
	}
	WARN_ONCE(1, "more than %d hooks: raise CPUPR_MAX_HOOKS\n", CPUPR_MAX_HOOKS);
	return i;
}

/**
 * cpupr_hook_name() - the hook with a number
 * @number: 0 to CPUPR_MAX_HOOKS - 1
 *
 * Return: its name, or NULL.
 */
const char *cpupr_hook_name(unsigned int number)
{
	return names[number] && *names[number] ? names[number] : NULL;
}

/**
 * cpupr_hook_kind() - what its calls are
 * @number: 0 to CPUPR_MAX_HOOKS - 1
 */
enum cpupr_calls_kind cpupr_hook_kind(unsigned int number)
{
	return kinds[number];
}

static void match(struct tracepoint *tp, void *hooks)
{
	struct cpupr_hook *h;

	for (h = hooks; h->name; h++)
		if (!strcmp(h->name, tp->name))
			h->tp = tp;
}

/**
 * cpupr_hooks_find() - look up the tracepoints of a collector
 * @hooks: ends with an entry without a name
 *
 * Context: init; may sleep.
 *
 * Return: NULL, or the name of one that the kernel lacks and the collector
 * cannot do without.
 */
const char *cpupr_hooks_find(struct cpupr_hook *hooks)
{
	struct cpupr_hook *h;

	for_each_kernel_tracepoint(match, hooks);
	for (h = hooks; h->name; h++) {
		if (h->tp) {
			h->number = cpupr_hook_number(h->name);
			kinds[h->number] = h->kind;
		} else if (!h->optional) {
			return h->name;
		}
	}
	return NULL;
}

/**
 * cpupr_hooks_unregister() - remove a collector's hooks
 * @hooks: as given to cpupr_hooks_register()
 *
 * Context: process, may sleep. When it returns, no probe runs any more.
 */
void cpupr_hooks_unregister(struct cpupr_hook *hooks)
{
	struct cpupr_hook *h;

	for (h = hooks; h->name; h++)
		;
	while (h-- > hooks) {
		if (!h->registered)
			continue;
		tracepoint_probe_unregister(h->tp, h->probe, cpupr_hook_data(h->number));
		h->registered = false;
	}
	tracepoint_synchronize_unregister();
}

/**
 * cpupr_hooks_register() - register a collector's hooks, in order
 * @hooks: as given to cpupr_hooks_find()
 *
 * Context: process, may sleep.
 *
 * Return: 0, or -errno with none registered.
 */
int cpupr_hooks_register(struct cpupr_hook *hooks)
{
	struct cpupr_hook *h;
	int ret;

	for (h = hooks; h->name; h++) {
		if (!h->tp)
			continue;
		ret = tracepoint_probe_register(h->tp, h->probe, cpupr_hook_data(h->number));
		if (ret) {
			cpupr_hooks_unregister(hooks);
			return ret;
		}
		h->registered = true;
	}
	return 0;
}

/**
 * cpupr_hooks_of_module() - look them up in a module that comes
 * @hooks: ends with an entry without a name; with their numbers, none registered
 * @mod: the module, which has all of them or none
 *
 * Context: a notifier of tracepoints.
 *
 * Return: true if it has them.
 */
bool cpupr_hooks_of_module(struct cpupr_hook *hooks, const struct module *mod)
{
	unsigned int i;

	/* Those of another one, which has not gone yet. */
	if (hooks->tp)
		return false;
	for (i = 0; i < mod->num_tracepoints; i++)
		match(tracepoint_ptr_deref(&mod->tracepoints_ptrs[i]), hooks);
	return hooks->tp;
}

/**
 * cpupr_hooks_forget() - that module goes
 * @hooks: as given to cpupr_hooks_of_module()
 *
 * Context: as cpupr_hooks_of_module().
 */
void cpupr_hooks_forget(struct cpupr_hook *hooks)
{
	struct cpupr_hook *h;

	cpupr_hooks_unregister(hooks);
	for (h = hooks; h->name; h++)
		h->tp = NULL;
}
