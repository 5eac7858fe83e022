// SPDX-License-Identifier: GPL-2.0-only
/*
 * The moment when a CPU returns to user mode.
 *
 * x86 kernels with KVM have user return notifiers: callbacks that fire on the
 * way to user mode after all the work that the kernel still does for the task
 * there (signals, task work), interrupts off
 * (arch_exit_to_user_mode_prepare() in arch/x86/include/asm/entry-common.h).
 * One stays registered on each CPU while a collector needs it; the flag that
 * makes it fire moves from task to task with each context switch.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/ptrace.h>
#include <linux/smp.h>

#include <cpuprecise/hooks.h>
#include <cpuprecise/tasks.h>
#include <cpuprecise/user_return.h>

#define BOUNDARY_MAX_NS	100000

bool cpupr_user_split __read_mostly;
struct cpupr_boundary cpupr_boundary __read_mostly;

static unsigned int users;	/* under the registry's mutex */

#ifdef CONFIG_USER_RETURN_NOTIFIER
#define HOOK	cpupr_hook_data(CPUPR_HOOK_USER_RETURN)

/* With a boundary to book, or a nice task. */
static noinline notrace void return_slow(struct cpupr_cpu *c)
{
	enum cpupr_category base = cpupr_user_base(current);
	u64 boundary = 0;
	u64 now;

	/* An interrupt of user code: nothing changed. */
	if (c->ledger.at.category == base && c->ledger.at.base == base)
		return;
	if (cpupr_boundary.set)
		boundary = syscall_get_nr(current, current_pt_regs()) >= 0 ?
			   cpupr_boundary.syscall : cpupr_boundary.fault;
	if (!cpupr_begin(c, HOOK, &now))
		return;
	cpupr_ledger_user(&c->ledger, now, base, boundary);
	if (c->calls)
		cpupr_calls_leave(c, now);
	cpupr_end(c, HOOK);
}

/* Where calls are counted. Apart, so that the books alone pay little for it. */
static noinline notrace void return_from_call(struct cpupr_cpu *c)
{
	u64 now;

	if (!cpupr_begin(c, HOOK, &now))
		return;
	cpupr_ledger_user(&c->ledger, now, CPUPR_USER, 0);
	cpupr_calls_leave(c, now);
	cpupr_end(c, HOOK);
}

static notrace void on_user_return(struct user_return_notifier *urn)
{
	struct cpupr_cpu *c = container_of(urn, struct cpupr_cpu, user_return);
	u64 now;

	if (unlikely(cpupr_user_base(current) != CPUPR_USER)) {
		return_slow(c);
		return;
	}
	if (c->ledger.at.word == cpupr_at_base(CPUPR_USER).word)
		return;
	if (unlikely(cpupr_boundary.set)) {
		return_slow(c);
		return;
	}
	if (c->calls) {
		return_from_call(c);
		return;
	}
	if (!cpupr_begin(c, HOOK, &now))
		return;
	cpupr_ledger_user(&c->ledger, now, CPUPR_USER, 0);
	cpupr_end(c, HOOK);
}

/**
 * cpupr_user_return_cpu() - (un)register this CPU's callback as needed
 *
 * Context: on the CPU, interrupts off.
 */
void cpupr_user_return_cpu(void)
{
	struct cpupr_cpu *c = this_cpu_ptr(&cpupr_cpu);
	bool on = cpupr_user_split && c->ledger.online;

	if (c->user_return_on == on)
		return;
	c->user_return_on = on;
	c->user_return.on_user_return = on_user_return;
	if (on)
		user_return_notifier_register(&c->user_return);
	else
		user_return_notifier_unregister(&c->user_return);
}
#else
void cpupr_user_return_cpu(void)
{
}
#endif

/**
 * cpupr_user_return_get() - a collector tells user from system
 *
 * Context: process, under the registry's mutex. cpupr_hotplug_resync() makes
 * it known to the CPUs.
 */
void cpupr_user_return_get(void)
{
	/* They may have ended while nobody looked. */
	cpupr_calls_forget();
	users++;
	WRITE_ONCE(cpupr_user_split, true);
}

/**
 * cpupr_user_return_put() - it does no longer
 *
 * Context: as cpupr_user_return_get().
 */
void cpupr_user_return_put(void)
{
	if (!--users)
		WRITE_ONCE(cpupr_user_split, false);
}

/* boundary_ns=SYSCALL,FAULT; a single value is for both. */
static unsigned int boundary_ns[2];

/**
 * cpupr_boundary_update() - convert boundary_ns to ticks of the clock in use
 */
void cpupr_boundary_update(void)
{
	WRITE_ONCE(cpupr_boundary.syscall, cpupr_clock_ticks(boundary_ns[0]));
	WRITE_ONCE(cpupr_boundary.fault, cpupr_clock_ticks(boundary_ns[1]));
	WRITE_ONCE(cpupr_boundary.set, boundary_ns[0] || boundary_ns[1]);
}

/**
 * cpupr_boundary_show() - print boundary_ns
 * @buf: room for 32 bytes
 *
 * Return: length.
 */
int cpupr_boundary_show(char *buf)
{
	return scnprintf(buf, 32, "%u,%u", boundary_ns[0], boundary_ns[1]);
}

static int boundary_set(const char *val, const struct kernel_param *kp)
{
	char text[32];
	char *fault;
	unsigned int ns[2];

	if (strscpy(text, val, sizeof(text)) < 0)
		return -EINVAL;
	fault = strchr(text, ',');
	if (fault)
		*fault++ = '\0';
	if (kstrtouint(text, 10, &ns[0]) || kstrtouint(fault ?: text, 10, &ns[1]) ||
	    ns[0] > BOUNDARY_MAX_NS || ns[1] > BOUNDARY_MAX_NS)
		return -EINVAL;
	boundary_ns[0] = ns[0];
	boundary_ns[1] = ns[1];
	cpupr_boundary_update();
	return 0;
}

static int boundary_get(char *buf, const struct kernel_param *kp)
{
	int len = cpupr_boundary_show(buf);

	return len + scnprintf(buf + len, PAGE_SIZE - len, "\n");
}

static const struct kernel_param_ops boundary_ops = {
	.set = boundary_set,
	.get = boundary_get,
};
module_param_cb(boundary_ns, &boundary_ops, NULL, 0644);
MODULE_PARM_DESC(boundary_ns,
		 "SYSCALL,FAULT: up to this much of each stay in user mode is system");
