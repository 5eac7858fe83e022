// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which cpuidle device a CPU has: only its counts tell which state was entered.
 *
 * The kernel keeps the devices to itself. It passes one to a function that
 * makes, or removes, the device's files in sysfs whenever a driver enables or
 * disables it (drivers/cpuidle/cpuidle.c): kprobes there tell of changes. Those
 * that were there before are told by cpuidle_enter(), which each CPU calls when
 * it goes idle: a kprobe there is removed as soon as all CPUs have been seen.
 *
 * Where that cannot be done, the state that was asked for is taken to be the
 * one that was entered, and refusals are not known.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpuidle.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include <cpuprecise/idle.h>

#define FIND_TRIES	20	/* of a ms each, until work goes on with it */

static DEFINE_MUTEX(look_mutex);
static bool watching;	/* changes are told */
static bool finding;	/* by the kprobe on cpuidle_enter() */

/**
 * cpupr_idle_devices_watched() - do devices tell what was entered?
 *
 * Context: any.
 */
bool cpupr_idle_devices_watched(void)
{
	return READ_ONCE(watching);
}

/**
 * cpupr_idle_device_none() - is the CPU, whose device is not known, without any?
 * @i: the CPU's
 *
 * Else it may have one from before that it was not told of yet.
 *
 * Context: any.
 */
bool cpupr_idle_device_none(const struct cpupr_idle *i)
{
	return READ_ONCE(i->told) || READ_ONCE(finding);
}

static void set_device(struct cpupr_idle *i, struct cpuidle_device *device, bool told)
{
	WRITE_ONCE(i->device, device);
	WRITE_ONCE(i->told, told);
	/* Whoever sees it stale sees the device: see read_driver() in idle.c. */
	smp_mb();
	WRITE_ONCE(i->stale, true);
}

static struct cpupr_cpu *owner(const struct cpuidle_device *device)
{
	return device && cpu_possible(device->cpu) ? per_cpu_ptr(&cpupr_cpu, device->cpu) : NULL;
}

/*
 * The driver is about to free its device. No CPU is inside of cpuidle now, but
 * one may just book its last stay: either it sees that the device is gone, or
 * its section is waited for here.
 */
static int forget(struct kprobe *p, struct pt_regs *regs)
{
	struct cpuidle_device *device = (void *)regs_get_kernel_argument(regs, 0);
	struct cpupr_cpu *c = owner(device);

	if (!c || READ_ONCE(c->idle->device) != device)
		return 0;
	set_device(c->idle, NULL, true);
	/* Pairs with that in enter() in idle.c. */
	smp_mb();
	if (device->cpu != raw_smp_processor_id())
		read_seqcount_begin(&c->seq);
	return 0;
}
NOKPROBE_SYMBOL(forget);

static int learn(struct kprobe *p, struct pt_regs *regs)
{
	struct cpuidle_device *device = (void *)regs_get_kernel_argument(regs, 0);
	struct cpupr_cpu *c = owner(device);

	if (c)
		set_device(c->idle, device, true);
	return 0;
}
NOKPROBE_SYMBOL(learn);

/* Context: the idle task of the CPU, interrupts off. */
static int find(struct kprobe *p, struct pt_regs *regs)
{
	struct cpuidle_device *device = (void *)regs_get_kernel_argument(regs, 1);
	struct cpupr_idle *i = this_cpu_ptr(&cpupr_cpu)->idle;

	if (i->device != device)
		set_device(i, device, true);
	return 0;
}
NOKPROBE_SYMBOL(find);

/* Not for its own sake: a kprobe that has one stays a breakpoint. */
static void nothing(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
}
NOKPROBE_SYMBOL(nothing);

static struct teller {
	const char *function;
	kprobe_pre_handler_t handler;
	struct kprobe kprobe;
} changes[] = {
	{ "cpuidle_remove_device_sysfs", forget },
	{ "cpuidle_add_device_sysfs", learn },
}, enters = { "cpuidle_enter", find };

/*
 * By a breakpoint, which is one byte to write, and not through ftrace, which has
 * to be set up first and may be switched off: other CPUs run cpuidle_enter() all
 * the time, and for some ms only is the kprobe there. The call to ftrace is the
 * first thing that a function does; its arguments are still in place behind it.
 */
static int listen(struct teller *t)
{
	struct kprobe where = {
		.symbol_name = t->function,
		.pre_handler = t->handler,
		.flags = KPROBE_FLAG_DISABLED,
	};
	int ret = register_kprobe(&where);

	if (ret)
		return ret;
	t->kprobe = (struct kprobe){
		.addr = where.addr,
		.pre_handler = t->handler,
		.post_handler = nothing,
	};
#ifdef MCOUNT_INSN_SIZE
	if (where.flags & KPROBE_FLAG_FTRACE)
		t->kprobe.addr = (void *)where.addr + MCOUNT_INSN_SIZE;
#endif
	unregister_kprobe(&where);
	return register_kprobe(&t->kprobe);
}

static bool one_missing(void)
{
	int cpu;

	/* A CPU that comes meanwhile says so: cpupr_idle_devices_cpu(). */
	for_each_online_cpu(cpu)
		if (!READ_ONCE(per_cpu_ptr(&cpupr_cpu, cpu)->idle->device))
			return true;
	return false;
}

static void look(struct work_struct *work);
static DECLARE_DEFERRABLE_WORK(look_work, look);

/* While a CPU is missing that never goes idle, or that has none, this goes on. */
static void look(struct work_struct *work)
{
	bool missing;
	int cpu;

	mutex_lock(&look_mutex);
	missing = watching && cpuidle_get_driver() && one_missing();
	if (missing && !finding) {
		WRITE_ONCE(finding, !listen(&enters));
		/* From now on, whoever goes idle and is not told of one has none. */
		for_each_possible_cpu(cpu)
			WRITE_ONCE(per_cpu_ptr(&cpupr_cpu, cpu)->idle->stale, true);
	} else if (!missing && finding) {
		WRITE_ONCE(finding, false);
		unregister_kprobe(&enters.kprobe);
	}
	if (finding)
		schedule_delayed_work(&look_work, HZ);
	mutex_unlock(&look_mutex);
}

/**
 * cpupr_idle_devices_watch() - learn of devices that come and go
 *
 * Context: process, may sleep.
 *
 * Return: 0, also where the kernel does not let them be watched.
 */
int cpupr_idle_devices_watch(void)
{
	unsigned int n;
	int ret;

	for (n = 0; n < ARRAY_SIZE(changes); n++) {
		ret = listen(&changes[n]);
		if (!ret)
			continue;
		pr_info("idle: no kprobe on %s (%d): refused states are not known\n",
			changes[n].function, ret);
		while (n--)
			unregister_kprobe(&changes[n].kprobe);
		return 0;
	}
	WRITE_ONCE(watching, true);
	/* Before the hooks, so that no stay begins with a device that is not known. */
	look(NULL);
	return 0;
}

/**
 * cpupr_idle_devices_find() - find those that were there before
 *
 * Context: process, may sleep; the rows are open.
 */
void cpupr_idle_devices_find(void)
{
	int tries;

	if (!READ_ONCE(finding))
		return;
	wake_up_all_idle_cpus();
	for (tries = 0; tries < FIND_TRIES && one_missing(); tries++)
		usleep_range(1000, 1100);
	look(NULL);
}

/**
 * cpupr_idle_devices_cpu() - this CPU comes online: it may have one from before
 *
 * Context: any.
 */
void cpupr_idle_devices_cpu(void)
{
	if (cpupr_idle_devices_watched() && !READ_ONCE(this_cpu_ptr(&cpupr_cpu)->idle->device))
		schedule_delayed_work(&look_work, 0);
}

/**
 * cpupr_idle_devices_unwatch() - forget all
 *
 * Context: process, may sleep; the hooks are gone.
 */
void cpupr_idle_devices_unwatch(void)
{
	int cpu, n;

	if (!watching)
		return;
	WRITE_ONCE(watching, false);
	look(NULL);
	for (n = 0; n < ARRAY_SIZE(changes); n++)
		unregister_kprobe(&changes[n].kprobe);
	for_each_possible_cpu(cpu)
		set_device(per_cpu_ptr(&cpupr_cpu, cpu)->idle, NULL, false);
}

/**
 * cpupr_idle_devices_exit() - nothing is left to be done later
 *
 * Context: process, may sleep; no row opens any more.
 */
void cpupr_idle_devices_exit(void)
{
	cancel_delayed_work_sync(&look_work);
}
