// SPDX-License-Identifier: GPL-2.0-only
/*
 * Triggers that are events of perf: any that overflows (e), and memory that is
 * touched (w). Each is one event a CPU, which perf takes off a CPU that goes.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/hw_breakpoint.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <cpuprecise/compat.h>
#include <cpuprecise/counter.h>
#include <cpuprecise/stacks.h>

/*
 * It cannot hit itself for ever: perf throttles what overflows in its own handler,
 * and keeps software's from nesting; x86 switches watchpoints off in theirs.
 */
static void overflow(struct perf_event *perf, struct perf_sample_data *data, struct pt_regs *regs)
{
	cpupr_trigger_hit(perf->overflow_handler_context, regs, CPUPR_FROM_HERE);
}

static void event_attr(struct perf_event_attr *attr, const struct cpupr_trigger_spec *spec)
{
	cpupr_perf_attr(attr, &spec->event);
	attr->freq = !spec->period;
	if (attr->freq)
		attr->sample_freq = spec->freq;
	else
		attr->sample_period = spec->period;
}

static void watch_attr(struct perf_event_attr *attr, const struct cpupr_trigger *t)
{
	BUILD_BUG_ON(CPUPR_WATCH_READ != HW_BREAKPOINT_R || CPUPR_WATCH_WRITE != HW_BREAKPOINT_W ||
		     CPUPR_WATCH_EXECUTE != HW_BREAKPOINT_X);
	hw_breakpoint_init(attr);
	attr->bp_addr = t->place ?: t->spec.address;
	attr->bp_len = t->spec.watch_len;
	attr->bp_type = t->spec.watch;
}

static struct perf_event *open_on(struct cpupr_trigger *t, int cpu)
{
	struct perf_event_attr attr;
	struct perf_event *perf;

	if (t->spec.kind == CPUPR_TRIGGER_WATCH)
		watch_attr(&attr, t);
	else
		event_attr(&attr, &t->spec);
	perf = cpupr_perf_create(&attr, cpu, overflow, t);
	if (IS_ERR(perf) || READ_ONCE(perf->state) != PERF_EVENT_STATE_ERROR)
		return perf;
	/* The PMU's counters are all taken: as pinned, it would never count. */
	perf_event_release_kernel(perf);
	return ERR_PTR(-ENOSPC);
}

static void close_on(struct cpupr_trigger *t, int cpu)
{
	if (!t->perf[cpu])
		return;
	perf_event_release_kernel(t->perf[cpu]);
	t->perf[cpu] = NULL;
}

static void close_all(struct cpupr_trigger *t)
{
	int cpu;

	for_each_possible_cpu(cpu)
		close_on(t, cpu);
}

static bool wanted(const struct cpupr_trigger *t, int cpu)
{
	return cpu_online(cpu) && (!t->spec.has_cpu || t->spec.cpu == cpu);
}

/* The CPU went, be it that it is back. */
static bool taken_off(const struct perf_event *perf)
{
	return !(READ_ONCE(perf->attach_state) & PERF_ATTACH_CONTEXT);
}

/*
 * An event on each CPU that is wanted. Returns why a CPU has none, if one has not:
 * -ENODEV, that it went meanwhile, only if there is nothing worse.
 */
static int follow(struct cpupr_trigger *t)
{
	struct perf_event *perf;
	int cpu, err = 0;

	for_each_possible_cpu(cpu) {
		if (t->perf[cpu] && (taken_off(t->perf[cpu]) || !wanted(t, cpu)))
			close_on(t, cpu);
		if (t->perf[cpu] || !wanted(t, cpu))
			continue;
		perf = open_on(t, cpu);
		if (!IS_ERR(perf))
			t->perf[cpu] = perf;
		else if (!err || err == -ENODEV)
			err = PTR_ERR(perf);
	}
	return err;
}

static bool open_anywhere(const struct cpupr_trigger *t)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (t->perf[cpu])
			return true;
	return false;
}

/*
 * Events of clocks and of hardware interrupt what is there, the others are called
 * by it.
 */
static enum cpupr_trigger_trap trap_of(const struct cpupr_event *event)
{
	if (event->type == PERF_TYPE_TRACEPOINT)
		return CPUPR_TRAP_NONE;
	if (event->type != PERF_TYPE_SOFTWARE)
		return CPUPR_TRAP_OVERFLOW;
	return event->config == PERF_COUNT_SW_CPU_CLOCK ||
	       event->config == PERF_COUNT_SW_TASK_CLOCK ? CPUPR_TRAP_OVERFLOW : CPUPR_TRAP_NONE;
}

static int prepare_event(struct cpupr_trigger *t, const char **why)
{
	int ret;

	/* perf computes with it as with a signed number. */
	if (t->spec.period > S64_MAX) {
		*why = "period= is more than 9223372036854775807";
		return -EINVAL;
	}
	ret = cpupr_perf_resolve(&t->spec.event);
	if (ret)
		*why = ret == -ENOENT ? "no such tracepoint or PMU" : "the event was not found";
	t->trap = trap_of(&t->spec.event);
	return ret;
}

/* The symbol's module may go as soon as this returns: module_goes() then tells. */
static int look_up(struct cpupr_trigger *t, const char **why)
{
	t->place = (unsigned long)__symbol_get(t->spec.target);
	if (!t->place) {
		*why = "not an exported symbol (EXPORT_SYMBOL_GPL): give its address";
		return -ENOENT;
	}
	__symbol_put(t->spec.target);
	t->place += t->spec.offset;
	if (t->place >= TASK_SIZE_MAX)
		return 0;
	*why = "a symbol that each CPU has: give the address of one";
	return -EINVAL;
}

/* What the kernel would only call EINVAL, or NULL. */
static const char *watch_fault(const struct cpupr_trigger_spec *spec, unsigned long address)
{
	if (spec->watch == CPUPR_WATCH_READ)
		return "the CPU cannot watch for reads alone: say rw";
	if (spec->watch == CPUPR_WATCH_EXECUTE)
		return spec->watch_len == sizeof(long) ? NULL : "with x, LEN is 8";
	return address & (spec->watch_len - 1) ? "the address is not a multiple of LEN" : NULL;
}

static int prepare_watch(struct cpupr_trigger *t, const char **why)
{
	int ret;

	if (!CPUPR_WATCHPOINTS) {
		*why = "watchpoints of the kernel are not possible on this architecture";
		return -EOPNOTSUPP;
	}
	if (t->spec.target[0]) {
		ret = look_up(t, why);
		if (ret)
			return ret;
	} else if (t->spec.address >= TASK_SIZE_MAX) {
		t->place = t->spec.address;
	}
	*why = watch_fault(&t->spec, t->place ?: t->spec.address);
	if (*why)
		return -EINVAL;
	if (t->place)
		sprint_symbol(t->symbol, t->place);
	t->trap = CPUPR_TRAP_EXCEPTION;
	return 0;
}

static const char *why_refused(const struct cpupr_trigger *t, int err)
{
	bool watch = t->spec.kind == CPUPR_TRIGGER_WATCH;

	switch (err) {
	case -ENOSPC:
		return watch ? "a CPU's watchpoints are all taken" : "the CPU's counters are all taken";
	case -EBUSY:
		return "somebody has the PMU for himself";
	case -ENOENT:
	case -ENODEV:
	case -EOPNOTSUPP:
		return watch ? "no CPU has watchpoints" : "no CPU knows the event";
	default:
		return watch ? "the kernel does not watch this address" : "perf does not take the event";
	}
}

static void disarm(struct cpupr_trigger *t)
{
	if (!t->perf)
		return;
	close_all(t);
	kvfree(t->perf);
	t->perf = NULL;
}

/* Taking an event of software off a CPU may have interrupted its handler there. */
static void settle(void)
{
	synchronize_rcu();
}

/*
 * A CPU that lacks the event, of a PMU of some CPUs, is no error; one that does not
 * watch would make a lie of the others' silence.
 */
static int arm(struct cpupr_trigger *t, const char **why)
{
	bool watch = t->spec.kind == CPUPR_TRIGGER_WATCH;
	int ret = watch ? prepare_watch(t, why) : prepare_event(t, why);

	if (ret)
		return ret;
	t->perf = kvcalloc(nr_cpu_ids, sizeof(*t->perf), GFP_KERNEL);
	if (!t->perf) {
		*why = "out of memory";
		return -ENOMEM;
	}
	ret = follow(t);
	if (!ret || (watch ? ret == -ENODEV : open_anywhere(t)))
		return 0;
	*why = why_refused(t, ret);
	disarm(t);
	settle();
	return ret;
}

static void module_goes(struct cpupr_trigger *t, const struct module *mod)
{
	if (!t->place || !within_module(t->place, mod))
		return;
	close_all(t);
	t->gone = true;
}

static void cpus_change(struct cpupr_trigger *t)
{
	if (!t->gone)
		follow(t);
}

const struct cpupr_trigger_ops cpupr_perf_ops = {
	.arm = arm,
	.disarm = disarm,
	.settle = settle,
	.module_goes = module_goes,
	.cpus_change = cpus_change,
};
