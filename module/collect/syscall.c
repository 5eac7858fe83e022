// SPDX-License-Identifier: GPL-2.0-only
/*
 * System calls: user code becomes system.
 */
#include <linux/irqflags.h>
#include <trace/events/syscalls.h>

#include <cpuprecise/collector.h>
#include <cpuprecise/tasks.h>
#include <cpuprecise/user_return.h>

/* Where calls are counted. Apart, so that the books alone pay little for it. */
static noinline notrace void enter_call(void *data, long nr)
{
	struct cpupr_cpu *c;
	u64 now;

	local_irq_disable();
	c = this_cpu_ptr(&cpupr_cpu);
	if (cpupr_begin(c, data, &now)) {
		cpupr_ledger_system(&c->ledger, now);
		if (likely(c->calls))
			cpupr_calls_enter(c, nr, now);
		cpupr_end(c, data);
	}
	local_irq_enable();
}

/* Context: the task that calls, interrupts on. */
static notrace void probe_sys_enter(void *data, struct pt_regs *regs, long nr)
{
	struct cpupr_cpu *c;
	u64 now;

	/* On another CPU in a moment, maybe: enter_call() looks again. */
	if (raw_cpu_read(cpupr_cpu.calls)) {
		enter_call(data, nr);
		return;
	}
	local_irq_disable();
	c = this_cpu_ptr(&cpupr_cpu);
	if (cpupr_begin(c, data, &now)) {
		cpupr_ledger_system(&c->ledger, now);
		cpupr_end(c, data);
	}
	local_irq_enable();
}
CPUPR_CHECK_HOOK(sys_enter, probe_sys_enter)

/* Where nothing tells of the return to user mode, this comes closest. */
static notrace void __maybe_unused probe_sys_exit(void *data, struct pt_regs *regs, long ret)
{
	struct cpupr_cpu *c;
	u64 now;

	local_irq_disable();
	c = this_cpu_ptr(&cpupr_cpu);
	if (cpupr_begin(c, data, &now)) {
		cpupr_ledger_user(&c->ledger, now, cpupr_user_base(current),
				  cpupr_boundary.syscall);
		if (c->calls)
			cpupr_calls_leave(c, now);
		cpupr_end(c, data);
	}
	local_irq_enable();
}
CPUPR_CHECK_HOOK(sys_exit, probe_sys_exit)

static struct cpupr_hook hooks[] = {
#ifndef CONFIG_USER_RETURN_NOTIFIER
	CPUPR_OPEN_HOOK(sys_exit, probe_sys_exit),
#endif
	CPUPR_OPEN_HOOK(sys_enter, probe_sys_enter),
	{ }
};

struct cpupr_collector cpupr_syscall_collector = {
	.name = "syscall",
	.desc = "system calls",
	.hooks = hooks,
	.user_return = true,
};
