// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events as perf knows them: a tracepoint's and a PMU's number, and opening an
 * event on a CPU.
 */
#include <linux/cpumask.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/perf_event.h>
#include <linux/trace_events.h>

#include <cpuprecise/counter.h>

const struct cpupr_event cpupr_event_cycles = {
	.name = "cycles",
	.type = PERF_TYPE_HARDWARE,
	.config = PERF_COUNT_HW_CPU_CYCLES,
};

const struct cpupr_event cpupr_event_instructions = {
	.name = "instructions",
	.type = PERF_TYPE_HARDWARE,
	.config = PERF_COUNT_HW_INSTRUCTIONS,
};

/* The top instance has every event, as tracefs does. */
static int resolve_tracepoint(struct cpupr_event *event)
{
#ifdef CONFIG_EVENT_TRACING
	struct trace_event_file *file = trace_get_event_file(NULL, event->group, event->event);

	if (IS_ERR(file))
		return PTR_ERR(file) == -EINVAL ? -ENOENT : PTR_ERR(file);
	event->type = PERF_TYPE_TRACEPOINT;
	event->config = file->event_call->event.type;
	trace_put_event_file(file);
	return 0;
#else
	return -EOPNOTSUPP;
#endif
}

/*
 * The kernel keeps its list of PMUs to itself, but each has a device, named like
 * it, on a bus to which any event leads (kernel/events/core.c, pmu_dev_alloc()).
 */
static int resolve_pmu(struct cpupr_event *event)
{
	struct cpupr_event any = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
	};
	struct perf_event *perf = cpupr_perf_open(&any, cpumask_first(cpu_online_mask));
	struct device *dev = NULL;

	if (IS_ERR(perf))
		return PTR_ERR(perf);
	if (perf->pmu->dev)
		dev = bus_find_device_by_name(perf->pmu->dev->bus, NULL, event->group);
	if (dev) {
		event->type = ((struct pmu *)dev_get_drvdata(dev))->type;
		put_device(dev);
	}
	perf_event_release_kernel(perf);
	return dev ? 0 : -ENOENT;
}

/**
 * cpupr_perf_resolve() - find the number of what is known by its name
 * @event: @type, and of a tracepoint @config, are filled in
 *
 * Context: process, may sleep.
 *
 * Return: 0; -ENOENT: there is no such tracepoint or PMU; or why not.
 */
int cpupr_perf_resolve(struct cpupr_event *event)
{
	switch (event->kind) {
	case CPUPR_EVENT_TRACEPOINT:
		return resolve_tracepoint(event);
	case CPUPR_EVENT_PMU:
		return resolve_pmu(event);
	default:
		return 0;
	}
}

/**
 * cpupr_perf_attr() - what perf takes for an event
 * @attr: filled in. Pinned: it has its counter of the hardware all the time, or
 *	not at all
 * @event: as cpupr_perf_resolve() left it
 */
void cpupr_perf_attr(struct perf_event_attr *attr, const struct cpupr_event *event)
{
	*attr = (struct perf_event_attr){
		.size = sizeof(*attr),
		.type = event->type,
		.config = event->config,
		.config1 = event->config1,
		.config2 = event->config2,
		.pinned = 1,
		.exclude_user = event->no_user,
		.exclude_kernel = event->no_kernel,
	};
}

/**
 * cpupr_perf_create() - begin to watch an event on a CPU
 * @attr: which
 * @cpu: its number
 * @overflow: called when it overflows, or NULL
 * @context: for @overflow
 *
 * Context: process, may sleep; neither a hotplug callback nor under
 * cpus_read_lock(), which static keys of perf take.
 *
 * Return: the event, for perf_event_release_kernel(), or ERR_PTR().
 */
struct perf_event *cpupr_perf_create(struct perf_event_attr *attr, int cpu,
				     perf_overflow_handler_t overflow, void *context)
{
	struct perf_event *perf;

	perf = perf_event_create_kernel_counter(attr, cpu, NULL, overflow, context);
	if (IS_ERR(perf) || perf->cpu == cpu)
		return perf;
	/* A PMU of many CPUs, which counts on one of them. */
	perf_event_release_kernel(perf);
	return ERR_PTR(-EOPNOTSUPP);
}

/**
 * cpupr_perf_open() - begin to count an event on a CPU
 * @event: as cpupr_perf_resolve() left it
 * @cpu: its number
 *
 * Context and return: as cpupr_perf_create().
 */
struct perf_event *cpupr_perf_open(const struct cpupr_event *event, int cpu)
{
	struct perf_event_attr attr;

	cpupr_perf_attr(&attr, event);
	return cpupr_perf_create(&attr, cpu, NULL, NULL);
}
