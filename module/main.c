// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module: steps of init in order, exit in reverse.
 *
 * Probes are registered before any CPU is seeded and ignored until then; files
 * are published last and go first.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/fault-inject.h>

#include <cpuprecise/clock.h>
#include <cpuprecise/collector.h>
#include <cpuprecise/counter.h>
#include <cpuprecise/freqs.h>
#include <cpuprecise/hotplug.h>
#include <cpuprecise/idle.h>
#include <cpuprecise/irqs.h>
#include <cpuprecise/observer.h>
#include <cpuprecise/snapshot.h>
#include <cpuprecise/stacks.h>
#include <cpuprecise/table.h>
#include <cpuprecise/tasks.h>

static const struct {
	const char *name;
	int (*init)(void);
	void (*exit)(void);
} steps[] = {
	{ "clock", cpupr_clock_init, NULL },
	{ "observer", cpupr_observer_init, NULL },
	{ "idle books", cpupr_idle_books_init, cpupr_idle_books_exit },
	{ "frequency books", cpupr_freqs_books_init, cpupr_freqs_books_exit },
	{ "task books", cpupr_tasks_books_init, cpupr_tasks_books_exit },
	{ "irq books", cpupr_irqs_books_init, cpupr_irqs_books_exit },
	{ "counters", NULL, cpupr_counters_exit },
	{ "collectors", cpupr_registry_init, cpupr_registry_exit },
	{ "hotplug", cpupr_hotplug_init, cpupr_hotplug_exit },
	{ "catch up", cpupr_registry_catch_up, NULL },
	{ "triggers", cpupr_triggers_init, cpupr_triggers_exit },
	{ "snapshot", cpupr_snapshot_init, cpupr_snapshot_exit },
	{ "clock watch", cpupr_clock_watch_init, cpupr_clock_watch_exit },
	{ "/proc", cpupr_proc_init, cpupr_proc_exit },
	{ "debugfs", cpupr_debugfs_init, cpupr_debugfs_exit },
	{ "report", cpupr_registry_report, NULL },
};

#ifdef CONFIG_FAULT_INJECTION
/*
 * Lets a test fail each step in turn: <interval>,<probability>,<space>,<times>
 * as in Documentation/fault-injection/fault-injection.rst; every step costs
 * one unit of space.
 */
static DECLARE_FAULT_ATTR(fail_init_attr);
static char *fail_init;
module_param(fail_init, charp, 0);
MODULE_PARM_DESC(fail_init, "make init fail: <interval>,<probability>,<space>,<times>");

static bool step_fails(void)
{
	return fail_init && should_fail(&fail_init_attr, 1);
}

static int setup_faults(void)
{
	fail_init_attr.verbose = 0;
	return !fail_init || setup_fault_attr(&fail_init_attr, fail_init) ? 0 : -EINVAL;
}
#else
static bool step_fails(void)
{
	return false;
}

static int setup_faults(void)
{
	return 0;
}
#endif

static void undo(unsigned int done)
{
	while (done--)
		if (steps[done].exit)
			steps[done].exit();
}

static int __init cpuprecise_init(void)
{
	unsigned int i;
	int ret = setup_faults();

	for (i = 0; !ret && i < ARRAY_SIZE(steps); i++) {
		ret = step_fails() ? -ENOMEM : steps[i].init ? steps[i].init() : 0;
		if (!ret)
			continue;
		/* A bad parameter was named where it was found: one line each. */
		if (ret != -EINVAL && ret != -ENOENT)
			pr_err("%s: init failed: %d\n", steps[i].name, ret);
		undo(i);
	}
	return ret;
}

static void __exit cpuprecise_exit(void)
{
	undo(ARRAY_SIZE(steps));
}

module_init(cpuprecise_init);
module_exit(cpuprecise_exit);

MODULE_AUTHOR("cpuprecise developers");
MODULE_DESCRIPTION("What each CPU did, to the nanosecond");
MODULE_LICENSE("GPL");
