// SPDX-License-Identifier: GPL-2.0-only
/*
 * A cpufreq driver for machines that have none: one policy over all CPUs, with
 * the frequencies that a test asks for. It changes nothing but what it says.
 *
 *	insmod freq_driver.ko min_khz=1000000 max_khz=1790000 step_khz=10000
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpufreq.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <trace/events/power.h>

static unsigned int min_khz = 1000000;
module_param(min_khz, uint, 0400);
MODULE_PARM_DESC(min_khz, "the lowest frequency");

static unsigned int max_khz = 2000000;
module_param(max_khz, uint, 0400);
MODULE_PARM_DESC(max_khz, "the highest one, at which the CPUs start");

static unsigned int step_khz = 100000;
module_param(step_khz, uint, 0400);
MODULE_PARM_DESC(step_khz, "from one frequency of the table to the next; 0: no table, any frequency");

static bool fast;
module_param(fast, bool, 0400);
MODULE_PARM_DESC(fast, "the scheduler may switch by itself");

static bool hardware;
module_param(hardware, bool, 0400);
MODULE_PARM_DESC(hardware, "the driver gets limits only, and no change is told to the kernel");

static unsigned int zero_khz;
module_param(zero_khz, uint, 0400);
MODULE_PARM_DESC(zero_khz, "without a table: the frequency after which an event tells 0");

static struct cpufreq_frequency_table *table;

static int on_init(struct cpufreq_policy *policy)
{
	cpumask_copy(policy->cpus, cpu_possible_mask);
	policy->cpuinfo.min_freq = min_khz;
	policy->cpuinfo.max_freq = max_khz;
	policy->cpuinfo.transition_latency = 1000;
	policy->min = min_khz;
	policy->max = max_khz;
	policy->freq_table = table;
	policy->fast_switch_possible = fast;
	if (hardware)
		policy->policy = CPUFREQ_POLICY_PERFORMANCE;
	else
		policy->cur = max_khz;
	return 0;
}

static int on_verify(struct cpufreq_policy_data *policy)
{
	cpufreq_verify_within_cpu_limits(policy);
	return 0;
}

static int on_target_index(struct cpufreq_policy *policy, unsigned int index)
{
	return 0;
}

static int on_target(struct cpufreq_policy *policy, unsigned int target, unsigned int relation)
{
	struct cpufreq_freqs freqs = {
		.old = policy->cur,
		.new = target,
	};
	unsigned int cpu;

	cpufreq_freq_transition_begin(policy, &freqs);
	cpufreq_freq_transition_end(policy, &freqs, 0);
	/* Only in the event: the kernel itself does not bear it on each architecture. */
	if (target == zero_khz)
		for_each_cpu(cpu, policy->cpus)
			trace_cpu_frequency(0, cpu);
	return 0;
}

/* Context: interrupts off, in the scheduler. */
static unsigned int on_fast_switch(struct cpufreq_policy *policy, unsigned int target)
{
	if (!step_khz)
		return target;
	return min(min_khz + roundup(target - min_khz, step_khz), max_khz);
}

static int on_setpolicy(struct cpufreq_policy *policy)
{
	return 0;
}

/* It knows where it is now, and a moment later is elsewhere: never the same twice. */
static unsigned int on_get(unsigned int cpu)
{
	static atomic_t asked;

	return min_khz + atomic_inc_return(&asked) % (max_khz - min_khz + 1);
}

static struct cpufreq_driver driver = {
	.name = KBUILD_MODNAME,
	.init = on_init,
	.verify = on_verify,
};

static int __init make_table(void)
{
	unsigned int i, steps = (max_khz - min_khz) / step_khz;

	table = kcalloc(steps + 2, sizeof(*table), GFP_KERNEL);
	if (!table)
		return -ENOMEM;
	for (i = 0; i <= steps; i++)
		table[i].frequency = min_khz + i * step_khz;
	table[i].frequency = CPUFREQ_TABLE_END;
	max_khz = table[steps].frequency;
	return 0;
}

static int __init freq_driver_init(void)
{
	int ret;

	if (!min_khz || min_khz > max_khz)
		return -EINVAL;
	if (hardware) {
		driver.setpolicy = on_setpolicy;
		driver.get = on_get;
	} else if (step_khz) {
		driver.target_index = on_target_index;
		ret = make_table();
		if (ret)
			return ret;
	} else {
		driver.target = on_target;
	}
	if (fast)
		driver.fast_switch = on_fast_switch;
	ret = cpufreq_register_driver(&driver);
	if (ret)
		kfree(table);
	return ret;
}

static void __exit freq_driver_exit(void)
{
	cpufreq_unregister_driver(&driver);
	kfree(table);
}

module_init(freq_driver_init);
module_exit(freq_driver_exit);

MODULE_AUTHOR("cpuprecise developers");
MODULE_DESCRIPTION("Frequencies as a test wants them");
MODULE_LICENSE("GPL");
