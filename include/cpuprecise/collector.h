/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Collectors: one kernel subsystem each, one file each under module/collect/,
 * one line each in module/registry.c.
 *
 * To add one: write module/collect/NAME.c with a struct cpupr_collector, name
 * it in module/registry.c and in module/Kbuild.
 */
#ifndef CPUPRECISE_COLLECTOR_H
#define CPUPRECISE_COLLECTOR_H

#include <linux/types.h>

#include <cpuprecise/hooks.h>

enum cpupr_collector_state {
	CPUPR_OFF,
	CPUPR_ON,
	CPUPR_UNSUPPORTED,
};

/**
 * struct cpupr_collector - what the registry knows of a collector
 * @name: as written to and shown in debugfs; lower case, no blanks
 * @desc: one line for the reader
 * @hooks: tracepoints, exits before the entries that they close; ends with an
 *	entry without a name. Registered in this order, removed in reverse.
 * @user_return: needs to know when the CPU returns to user mode
 * @probe: optional; NULL if the kernel can do it, else why not. May sleep.
 * @enable: optional; runs before the hooks are registered. May sleep.
 * @catch_up: optional; runs once the hooks are live and the rows open: takes
 *	in what began before. May sleep.
 * @stop: optional; runs before the hooks go. May sleep.
 * @disable: optional; undoes @enable after the hooks are gone
 * @on_demand: not on unless asked for: it costs more than most want to pay
 * @state: set by the registry
 * @reason: why it is unsupported
 * @missing: the tracepoint that it cannot do without, if that is why
 */
struct cpupr_collector {
	const char *name;
	const char *desc;
	struct cpupr_hook *hooks;
	bool user_return;
	const char *(*probe)(void);
	int (*enable)(void);
	void (*catch_up)(void);
	void (*stop)(void);
	void (*disable)(void);
	bool on_demand;
	enum cpupr_collector_state state;
	const char *reason;
	const char *missing;
};

extern struct cpupr_collector cpupr_sched_collector;
extern struct cpupr_collector cpupr_syscall_collector;
extern struct cpupr_collector cpupr_fault_collector;
extern struct cpupr_collector cpupr_irq_collector;
extern struct cpupr_collector cpupr_softirq_collector;
extern struct cpupr_collector cpupr_irqs_collector;
extern struct cpupr_collector cpupr_softirq_delays_collector;
extern struct cpupr_collector cpupr_theft_collector;
extern struct cpupr_collector cpupr_iowait_collector;
extern struct cpupr_collector cpupr_guest_collector;
extern struct cpupr_collector cpupr_idle_collector;
extern struct cpupr_collector cpupr_tasks_collector;
extern struct cpupr_collector cpupr_syscalls_collector;
extern struct cpupr_collector cpupr_cgroups_collector;
extern struct cpupr_collector cpupr_counters_collector;
extern struct cpupr_collector cpupr_freqs_collector;
extern struct cpupr_collector cpupr_cycles_collector;
extern struct cpupr_collector cpupr_steal_collector;

int cpupr_registry_init(void);
int cpupr_registry_catch_up(void);
int cpupr_registry_report(void);
void cpupr_registry_exit(void);
int cpupr_registry_switch(const char *name, bool on);
const struct cpupr_collector *cpupr_registry_get(unsigned int i);

#endif
