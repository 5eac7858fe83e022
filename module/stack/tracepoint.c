// SPDX-License-Identifier: GPL-2.0-only
/*
 * Triggers t: a tracepoint, by the names that tracefs has for it.
 */
#include <linux/err.h>
#include <linux/trace_events.h>

#include <cpuprecise/stacks.h>

/* Whatever the tracepoint hands over behind our own argument is not looked at. */
static notrace void tracepoint_hit(void *data)
{
	cpupr_trigger_hit(data, NULL, CPUPR_FROM_TRACEPOINT);
}

#ifdef CONFIG_EVENT_TRACING

/* The top instance has every event, as tracefs does. */
static int find(struct cpupr_trigger *t, const char **why)
{
	const struct cpupr_event *e = &t->spec.event;
	struct trace_event_file *file = trace_get_event_file(NULL, e->group, e->event);

	if (IS_ERR(file)) {
		*why = "no such tracepoint";
		return PTR_ERR(file) == -EINVAL ? -ENOENT : PTR_ERR(file);
	}
	if (file->event_call->flags & TRACE_EVENT_FL_TRACEPOINT)
		t->tp = file->event_call->tp;
	trace_put_event_file(file);
	if (t->tp)
		return 0;
	*why = "an event that is no tracepoint: of raw_syscalls:sys_enter, a kprobe or the like";
	return -EOPNOTSUPP;
}

#else

static int find(struct cpupr_trigger *t, const char **why)
{
	*why = "this kernel has no events";
	return -EOPNOTSUPP;
}

#endif

/* Bytes of the function that begins there, by "NAME+0x0/0xSIZE". */
static unsigned long size_of(const void *function)
{
	char symbol[KSYM_SYMBOL_LEN], *slash;
	unsigned long size;

	sprint_symbol(symbol, (unsigned long)function);
	slash = strrchr(symbol, '/');
	return slash && sscanf(slash, "/%lx", &size) == 1 ? size : 0;
}

static int arm(struct cpupr_trigger *t, const char **why)
{
	int ret;

	/* One probe for all prototypes: a kernel that checks them at each call would panic. */
	if (IS_ENABLED(CONFIG_CFI_CLANG) || IS_ENABLED(CONFIG_CFI)) {
		*why = "this kernel checks prototypes (CONFIG_CFI): e with period=1 does the same";
		return -EOPNOTSUPP;
	}
	ret = find(t, why);
	if (ret)
		return ret;
	t->place = (unsigned long)t->tp;
	t->tp_size = size_of(t->tp->iterator);
	ret = tracepoint_probe_register(t->tp, (void *)tracepoint_hit, t);
	if (ret)
		*why = "the tracepoint takes no further probe";
	return ret;
}

static void disarm(struct cpupr_trigger *t)
{
	if (!t->gone)
		tracepoint_probe_unregister(t->tp, (void *)tracepoint_hit, t);
}

static void settle(void)
{
	tracepoint_synchronize_unregister();
}

/* A tracepoint cannot be missed: it calls its probes. */
static u64 missed(const struct cpupr_trigger *t)
{
	return 0;
}

static void module_goes(struct cpupr_trigger *t, const struct module *mod)
{
	if (!within_module((unsigned long)t->tp, mod))
		return;
	disarm(t);
	t->gone = true;
}

const struct cpupr_trigger_ops cpupr_tracepoint_ops = {
	.arm = arm,
	.disarm = disarm,
	.settle = settle,
	.missed = missed,
	.module_goes = module_goes,
};
