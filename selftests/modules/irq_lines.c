// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupt lines without a device, which a test gives to handlers, fires and takes
 * back again:
 *
 *	insmod irq_lines.ko lines=160
 *	cd /sys/module/irq_lines/parameters
 *	cat first				the number of line 0
 *	echo -n "request 0 5 a name" >command	handler 5 comes to line 0
 *	cat action				where the kernel has what it knows of it
 *	echo -n "fire 0 1000" >command		on the CPU that writes
 *	echo -n "free 5" >command
 *
 * A line may have several handlers. The interrupts come from a timer of the CPU, inside
 * of whose own interrupt they are: at_once of them, each period_us.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/slab.h>

#define HANDLERS	256

static unsigned int lines = 160;
module_param(lines, uint, 0400);
MODULE_PARM_DESC(lines, "how many");

static unsigned int first;
module_param(first, uint, 0400);
MODULE_PARM_DESC(first, "number of the first one (read only)");

static unsigned int spin_us;
module_param(spin_us, uint, 0600);
MODULE_PARM_DESC(spin_us, "how long a handler takes");

static unsigned int timer_us;
module_param(timer_us, uint, 0600);
MODULE_PARM_DESC(timer_us, "how long the timer itself takes");

static unsigned int tasklet_us;
module_param(tasklet_us, uint, 0600);
MODULE_PARM_DESC(tasklet_us, "how long a softirq takes that the timer raises; 0: it raises none");

static unsigned int at_once = 50;	/* not for long in one interrupt */
module_param(at_once, uint, 0600);
MODULE_PARM_DESC(at_once, "how many are fired by one interrupt of the timer; 0: none, until who fires is killed");

static unsigned int period_us = 1000;
module_param(period_us, uint, 0600);
MODULE_PARM_DESC(period_us, "and how often that is");

static void *action;

static struct handler {
	char *name;		/* NULL: it has no line */
	unsigned int line;
} handler[HANDLERS];

static DEFINE_MUTEX(mutex);

static irqreturn_t on_irq(int irq, void *dev)
{
	udelay(READ_ONCE(spin_us));
	return IRQ_HANDLED;
}

static int request(unsigned int line, unsigned int id, const char *name)
{
	struct handler *h = &handler[id];
	int ret;

	if (line >= lines || id >= HANDLERS || h->name)
		return -EINVAL;
	h->name = kstrdup(name, GFP_KERNEL);
	if (!h->name)
		return -ENOMEM;
	h->line = line;
	ret = request_irq(first + line, on_irq, IRQF_SHARED, h->name, h);
	if (ret) {
		kfree(h->name);
		h->name = NULL;
		return ret;
	}
	action = irq_data_to_desc(irq_get_irq_data(first + line))->action;
	return 0;
}

static int give_back(unsigned int id)
{
	struct handler *h = &handler[id];

	if (id >= HANDLERS || !h->name)
		return -EINVAL;
	free_irq(first + h->line, h);
	kfree(h->name);
	h->name = NULL;
	return 0;
}

static struct shots {
	struct hrtimer timer;
	struct completion done;
	unsigned int line, left;
} shots;

static void on_softirq(struct tasklet_struct *t)
{
	udelay(READ_ONCE(tasklet_us));
}

static DECLARE_TASKLET(tasklet, on_softirq);

static enum hrtimer_restart on_timer(struct hrtimer *timer)
{
	unsigned int i;

	udelay(READ_ONCE(timer_us));
	if (READ_ONCE(tasklet_us))
		tasklet_schedule(&tasklet);
	for (i = 0; i < READ_ONCE(at_once) && shots.left; i++, shots.left--)
		generic_handle_irq(first + shots.line);
	if (!shots.left) {
		complete(&shots.done);
		return HRTIMER_NORESTART;
	}
	hrtimer_forward_now(timer, ns_to_ktime(READ_ONCE(period_us) * NSEC_PER_USEC));
	return HRTIMER_RESTART;
}

/* Until all have come, or the one who waits is killed. */
static int fire(unsigned int line, unsigned int count)
{
	int ret;

	if (line >= lines || !count)
		return -EINVAL;
	shots.line = line;
	shots.left = count;
	reinit_completion(&shots.done);
	hrtimer_start(&shots.timer, 0, HRTIMER_MODE_REL_PINNED_HARD);
	ret = wait_for_completion_killable(&shots.done);
	hrtimer_cancel(&shots.timer);
	return ret;
}

static int on_command(const char *text, const struct kernel_param *kp)
{
	unsigned int a, b;
	int at = 0, ret = -EINVAL;

	mutex_lock(&mutex);
	if (sscanf(text, "request %u %u %n", &a, &b, &at) == 2 && at && text[at])
		ret = request(a, b, text + at);
	else if (sscanf(text, "free %u", &a) == 1)
		ret = give_back(a);
	else if (sscanf(text, "fire %u %u", &a, &b) == 2)
		ret = fire(a, b);
	mutex_unlock(&mutex);
	return ret;
}

static const struct kernel_param_ops command_ops = {
	.set = on_command,
};
module_param_cb(command, &command_ops, NULL, 0200);
MODULE_PARM_DESC(command, "request LINE HANDLER NAME, free HANDLER, fire LINE TIMES");

static int on_get_action(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "0x%lx\n", (unsigned long)action);
}

static const struct kernel_param_ops action_ops = {
	.get = on_get_action,
};
module_param_cb(action, &action_ops, NULL, 0400);
MODULE_PARM_DESC(action, "where the first handler's irqaction of the line is to which one came last");

static int __init irq_lines_init(void)
{
	/* Nobody's: with an owner it could not be unloaded while a line has a handler. */
	int irq = __irq_alloc_descs(-1, 0, lines, NUMA_NO_NODE, NULL, NULL);
	unsigned int i;

	if (irq < 0)
		return irq;
	first = irq;
	for (i = 0; i < lines; i++) {
		irq_set_chip_and_handler(first + i, &dummy_irq_chip, handle_simple_irq);
		irq_clear_status_flags(first + i, IRQ_NOREQUEST);
	}
	hrtimer_init(&shots.timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	shots.timer.function = on_timer;
	init_completion(&shots.done);
	return 0;
}

static void __exit irq_lines_exit(void)
{
	unsigned int i;

	for (i = 0; i < HANDLERS; i++)
		if (handler[i].name)
			give_back(i);
	tasklet_kill(&tasklet);
	irq_free_descs(first, lines);
}

module_init(irq_lines_init);
module_exit(irq_lines_exit);

MODULE_AUTHOR("cpuprecise developers");
MODULE_DESCRIPTION("Interrupt lines for a test to fire");
MODULE_LICENSE("GPL");
