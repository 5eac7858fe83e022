// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the kernel events that a program cannot make by itself, a known number
 * at a time: timer interrupts, softirqs, passes of the idle loop.
 *
 * For the instruction-counting VM: one CPU, one instruction = one nanosecond.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/cpuidle.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/timekeeping.h>

/* --- interrupts ------------------------------------------------------------- */

/* The first comes when the writer is surely back in user mode and has looked at the clock. */
#define IRQ_FIRST_NS	100000
#define IRQ_PERIOD_NS	20000

static struct hrtimer irq_timer;
static unsigned int irqs_left;

static enum hrtimer_restart on_irq(struct hrtimer *timer)
{
	if (!--irqs_left)
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, ns_to_ktime(IRQ_PERIOD_NS));
	return HRTIMER_RESTART;
}

static int irqs_set(const char *val, const struct kernel_param *kp)
{
	unsigned int n;

	if (kstrtouint(val, 0, &n))
		return -EINVAL;
	hrtimer_cancel(&irq_timer);
	irqs_left = n;
	if (n)
		hrtimer_start(&irq_timer, ns_to_ktime(IRQ_FIRST_NS), HRTIMER_MODE_REL_PINNED_HARD);
	return 0;
}

static int irqs_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%u\n", READ_ONCE(irqs_left));
}

static const struct kernel_param_ops irqs_ops = {
	.set = irqs_set,
	.get = irqs_get,
};
module_param_cb(irqs, &irqs_ops, NULL, 0600);
MODULE_PARM_DESC(irqs, "N: the timer interrupts N times, from 100 us on, each 20 us; reads as how many are left");

/* --- softirqs --------------------------------------------------------------- */

static unsigned int softirqs_run;
static u64 softirqs_ns;

static void on_softirq(struct tasklet_struct *t)
{
	softirqs_run++;
}

static DECLARE_TASKLET(softirq_tasklet, on_softirq);

static int softirqs_set(const char *val, const struct kernel_param *kp)
{
	unsigned int n, i;
	u64 start;

	if (kstrtouint(val, 0, &n))
		return -EINVAL;
	softirqs_run = 0;
	start = ktime_get_mono_fast_ns();
	for (i = 0; i < n; i++) {
		local_bh_disable();
		tasklet_hi_schedule(&softirq_tasklet);
		local_bh_enable();
	}
	softirqs_ns = ktime_get_mono_fast_ns() - start;
	/* One that was put off to ksoftirqd was not measured. */
	return softirqs_run == n ? 0 : -EAGAIN;
}

static int softirqs_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%llu\n", softirqs_ns);
}

static const struct kernel_param_ops softirqs_ops = {
	.set = softirqs_set,
	.get = softirqs_get,
};
module_param_cb(softirqs, &softirqs_ops, NULL, 0600);
MODULE_PARM_DESC(softirqs, "N: runs N softirq handlers, one by one; reads as the ns that this took");

/* --- the idle loop ---------------------------------------------------------- */

/*
 * In this VM the time for which a CPU halts is skipped, and so cannot be
 * measured. From the first measurement until N is 0, the CPU has an idle state
 * that returns at once: the idle loop goes round and round, with a pair of cpu_idle events each
 * time. With a single state there is no governor whose decisions could vary.
 */
#define IDLE_SLEEP_US	1000	/* less than a tick, more than the passes take */

static bool idle_registered;
static unsigned int idle_passes, idle_wanted;
static u64 idle_start, idle_ns;

/* Context: interrupts off; RCU does not watch, so nothing here may be traced. */
static notrace int on_idle(struct cpuidle_device *dev, struct cpuidle_driver *drv, int index)
{
	unsigned int pass = idle_passes++;

	if (!pass)
		idle_start = ktime_get_mono_fast_ns();
	else if (pass == idle_wanted)
		idle_ns = ktime_get_mono_fast_ns() - idle_start;
	return index;
}

static struct cpuidle_driver idle_driver = {
	.name = KBUILD_MODNAME,
	.owner = THIS_MODULE,
	.states = {
		{
			.name = "PASS",
			.desc = "returns at once",
			.flags = CPUIDLE_FLAG_POLLING,
			.enter = on_idle,
		},
	},
	.state_count = 1,
};

static void idle_stop(void)
{
	if (idle_registered)
		cpuidle_unregister(&idle_driver);
	idle_registered = false;
}

static int idle_set(const char *val, const struct kernel_param *kp)
{
	unsigned int n, tries;
	int ret;

	if (kstrtouint(val, 0, &n))
		return -EINVAL;
	if (!n) {
		idle_stop();
		return 0;
	}
	if (!idle_registered) {
		ret = cpuidle_register(&idle_driver, NULL);
		if (ret)
			return ret;
		idle_registered = true;
	}
	idle_wanted = n;
	idle_ns = 0;
	/* From zero each time: what comes between two sleeps is no pass. */
	for (tries = 0; !READ_ONCE(idle_ns) && tries < 100; tries++) {
		WRITE_ONCE(idle_passes, 0);
		usleep_range(IDLE_SLEEP_US, IDLE_SLEEP_US + 1);
	}
	return idle_ns ? 0 : -ETIME;
}

static int idle_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%llu\n", idle_ns);
}

static const struct kernel_param_ops idle_ops = {
	.set = idle_set,
	.get = idle_get,
};
module_param_cb(idle, &idle_ops, NULL, 0600);
MODULE_PARM_DESC(idle, "N: lets the idle loop go round N times within 1 ms; reads as the ns that this took; 0: no more");

static int __init bench_load_init(void)
{
	/* The counts are nobody's but this CPU's. */
	if (num_possible_cpus() != 1) {
		pr_err("for machines with one CPU\n");
		return -EINVAL;
	}
	hrtimer_init(&irq_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	irq_timer.function = on_irq;
	return 0;
}

static void __exit bench_load_exit(void)
{
	idle_stop();
	hrtimer_cancel(&irq_timer);
	tasklet_kill(&softirq_tasklet);
}

module_init(bench_load_init);
module_exit(bench_load_exit);

MODULE_AUTHOR("cpuprecise developers");
MODULE_DESCRIPTION("Interrupts, softirqs and idle passes by number");
MODULE_LICENSE("GPL");
