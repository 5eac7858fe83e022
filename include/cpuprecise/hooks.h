/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hooks: tracepoints found by name. Only two of the ones used here are
 * exported to modules, but all of them can be walked
 * (for_each_kernel_tracepoint()).
 */
#ifndef CPUPRECISE_HOOKS_H
#define CPUPRECISE_HOOKS_H

#include <linux/tracepoint.h>
#include <linux/types.h>

/* What the calls of a hook are, for the estimate of what they take: see observer.c. */
enum cpupr_calls_kind {
	CPUPR_CALLS_BOOK,	/* each has a write section */
	CPUPR_CALLS_OPEN,	/* and turns interrupts off and on for it */
	CPUPR_CALLS_COUNT,	/* none has one: see cpupr_count() */
	CPUPR_CALLS_PAIR,	/* every other one has one */
};

/**
 * struct cpupr_hook - one hook of a collector
 * @name: the tracepoint's name
 * @probe: the function to call; its prototype is checked where it is defined
 * @optional: the collector works without it; an exit is found or missed
 *	together with its entry
 * @kind: what its calls are
 * @tp: set when found
 * @number: index into struct cpupr_cpu.left, given to @probe as its data
 * @registered: it is live
 */
struct cpupr_hook {
	const char *name;
	void *probe;
	bool optional;
	enum cpupr_calls_kind kind;
	struct tracepoint *tp;
	unsigned int number;
	bool registered;
};

#define CPUPR_HOOK(tracepoint, function) \
	{ .name = #tracepoint, .probe = (void *)(function) }
#define CPUPR_OPEN_HOOK(tracepoint, function) \
	{ .name = #tracepoint, .probe = (void *)(function), .kind = CPUPR_CALLS_OPEN }
#define CPUPR_OPTIONAL_HOOK(tracepoint, function) \
	{ .name = #tracepoint, .probe = (void *)(function), .optional = true }
#define CPUPR_COUNTING_HOOK(tracepoint, function) \
	{ .name = #tracepoint, .probe = (void *)(function), .kind = CPUPR_CALLS_COUNT }
#define CPUPR_PAIR_HOOK(tracepoint, function) \
	{ .name = #tracepoint, .probe = (void *)(function), .kind = CPUPR_CALLS_PAIR }

/*
 * A compile-time check that @function can be called by @tracepoint. The
 * check_trace_callback_type_…() functions come with every tracepoint's header
 * (include/linux/tracepoint.h).
 */
#define CPUPR_CHECK_HOOK(tracepoint, function)				\
	static void __maybe_unused check_##tracepoint##_##function(void)	\
	{								\
		check_trace_callback_type_##tracepoint(function);	\
	}

unsigned int cpupr_hook_number(const char *name);
enum cpupr_calls_kind cpupr_hook_kind(unsigned int number);
const char *cpupr_hook_name(unsigned int number);
const char *cpupr_hooks_find(struct cpupr_hook *hooks);
bool cpupr_hooks_of_module(struct cpupr_hook *hooks, const struct module *mod);
void cpupr_hooks_forget(struct cpupr_hook *hooks);
int cpupr_hooks_register(struct cpupr_hook *hooks);
void cpupr_hooks_unregister(struct cpupr_hook *hooks);

#endif
