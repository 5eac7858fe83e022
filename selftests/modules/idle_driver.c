// SPDX-License-Identifier: GPL-2.0-only
/*
 * A cpuidle driver for machines that have none, with the states that a test asks
 * for: names, latencies and what happens when one is entered.
 *
 *	insmod idle_driver.ko enter=poll,halt,1 name="P,C 1,C2" latency_us=0,2,20
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/cpuidle.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/string.h>

#include <cpuprecise/compat.h>

static char *enter[CPUIDLE_STATE_MAX];
static unsigned int enters;
module_param_array(enter, charp, &enters, 0400);
MODULE_PARM_DESC(enter, "what each state does, and so how many there are: halt, poll, return (at once), or the number of another one that is entered in its place");

static char *name[CPUIDLE_STATE_MAX];
static unsigned int names;
module_param_array(name, charp, &names, 0400);
MODULE_PARM_DESC(name, "of each state; S0, S1, … without");

static unsigned int latency_us[CPUIDLE_STATE_MAX];
module_param_array(latency_us, uint, NULL, 0400);
MODULE_PARM_DESC(latency_us, "exit latency of each state, in any order");

static unsigned int residency_us[CPUIDLE_STATE_MAX];
module_param_array(residency_us, uint, NULL, 0400);
MODULE_PARM_DESC(residency_us, "target residency of each state, in any order");

static unsigned int reject[CPUIDLE_STATE_MAX];
module_param_array(reject, uint, NULL, 0400);
MODULE_PARM_DESC(reject, "N: each Nth entry of a state on a CPU fails; 0: none");

static struct {
	int entered;	/* as which state */
	bool halts;
} act[CPUIDLE_STATE_MAX];

static DEFINE_PER_CPU(unsigned int, entries[CPUIDLE_STATE_MAX]);

/* Context: interrupts off; RCU does not watch, so nothing here may be traced. */
static __cpuidle notrace int on_enter(struct cpuidle_device *dev, struct cpuidle_driver *drv,
				      int index)
{
	if (reject[index] && this_cpu_inc_return(entries[index]) % reject[index] == 0)
		return -EBUSY;
	if (act[index].halts)
		cpupr_idle_halt();
	return act[index].entered;
}

/* With an owner it could not be unloaded while it is registered; it goes only after that. */
static struct cpuidle_driver driver = {
	.name = KBUILD_MODNAME,
};

static int __init set_state(unsigned int i)
{
	struct cpuidle_state *state = &driver.states[i];
	unsigned int other;

	act[i].entered = i;
	if (!strcmp(enter[i], "poll")) {
		/* The kernel's own, which it makes for state 0. */
		struct cpuidle_state first = driver.states[0];

		cpuidle_poll_state_init(&driver);
		*state = driver.states[0];
		if (i)
			driver.states[0] = first;
		if (!state->enter)
			return -EOPNOTSUPP;
	} else {
		state->enter = on_enter;
		if (!strcmp(enter[i], "return")) {
			state->flags = CPUIDLE_FLAG_POLLING;
		} else {
			act[i].halts = true;
			if (strcmp(enter[i], "halt")) {
				if (kstrtouint(enter[i], 10, &other) || other >= enters)
					return -EINVAL;
				act[i].entered = other;
			}
		}
	}
	if (i < names)
		strscpy(state->name, name[i], sizeof(state->name));
	else
		snprintf(state->name, sizeof(state->name), "S%u", i);
	strscpy(state->desc, enter[i], sizeof(state->desc));
	state->exit_latency = latency_us[i];
	state->target_residency = residency_us[i];
	return 0;
}

static int __init idle_driver_init(void)
{
	unsigned int i;
	int ret;

	if (!enters)
		return -EINVAL;
	for (i = 0; i < enters; i++) {
		ret = set_state(i);
		if (ret) {
			pr_err("enter: no such thing as '%s'\n", enter[i]);
			return ret;
		}
	}
	driver.state_count = enters;
	return cpuidle_register(&driver, NULL);
}

static void __exit idle_driver_exit(void)
{
	cpuidle_unregister(&driver);
}

module_init(idle_driver_init);
module_exit(idle_driver_exit);

MODULE_AUTHOR("cpuprecise developers");
MODULE_DESCRIPTION("Idle states as a test wants them");
MODULE_LICENSE("GPL");
