// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts by name: the memory for it, and when a CPU begins and ends to book so.
 */
#include <linux/cpumask.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include <cpuprecise/collector.h>
#include <cpuprecise/irqs.h>

DEFINE_STATIC_KEY_FALSE(cpupr_irqs_named);

/**
 * cpupr_irqs_took() - an interrupt or softirq took time of the task that runs
 * @c: this CPU, which has CPUPR_IRQ_THEFT
 * @row: which
 * @ticks: how long
 *
 * Context: write section.
 */
notrace void cpupr_irqs_took(struct cpupr_cpu *c, struct cpupr_irq_row *row, u64 ticks)
{
	u64 victim = c->task->number;

	/* Another task than the last time. */
	if (row->victim != victim) {
		struct cpupr_theft_pair *pair = cpupr_theft_find(&c->irqs->theft, row, victim);

		if (victim > CPUPR_THEFT_OTHER) {
			pair->pid = current->pid;
			pair->tgid = current->tgid;
			/* One that is being renamed may show as half of each: never unterminated. */
			memcpy(pair->comm, current->comm, sizeof(pair->comm));
			pair->comm[sizeof(pair->comm) - 1] = '\0';
		}
		row->pair = pair;
		row->victim = victim;
	}
	row->pair->count++;
	row->pair->time += ticks;
}

/**
 * cpupr_irqs_cpu() - this CPU books interrupts by name from now on, or does no longer
 * @c: this CPU
 *
 * Context: on the CPU, write section, its ledger's interval just closed, whether it
 * follows tasks settled.
 */
void cpupr_irqs_cpu(struct cpupr_cpu *c)
{
	u16 extra = 0;

	if (cpupr_irqs_collector.state == CPUPR_ON) {
		/* What this is called from may be an interrupt that has its row. */
		if (!c->irq_extra || !c->ledger.at.irq)
			cpupr_irqs_open(&c->irqs->books, &c->ledger);
		extra |= CPUPR_IRQ_NAMES;
		if (c->task && cpupr_theft_collector.state == CPUPR_ON)
			extra |= CPUPR_IRQ_THEFT;
		if (cpupr_softirq_delays_collector.state == CPUPR_ON) {
			cpupr_softirq_delays_open(&c->irqs->books);
			extra |= CPUPR_IRQ_DELAYS;
		}
	}
	c->irq_extra = extra;
}

/**
 * cpupr_irqs_find_daemons() - which task is which CPU's ksoftirqd
 *
 * There is one for each CPU that was ever online, and it stays.
 *
 * Context: process.
 */
void cpupr_irqs_find_daemons(void)
{
	struct task_struct *task;
	unsigned int cpu;

	rcu_read_lock();
	for_each_process(task) {
		if (!(task->flags & PF_KTHREAD) || sscanf(task->comm, "ksoftirqd/%u", &cpu) != 1)
			continue;
		if (cpu < nr_cpu_ids && cpu_possible(cpu))
			WRITE_ONCE(per_cpu_ptr(&cpupr_cpu, cpu)->irqs->books.daemon, task);
	}
	rcu_read_unlock();
}

/**
 * cpupr_irqs_comes() - a CPU comes online, perhaps for the first time
 * @cpu: its number
 *
 * Context: process, before its row opens.
 */
void cpupr_irqs_comes(unsigned int cpu)
{
	if (!per_cpu_ptr(&cpupr_cpu, cpu)->irqs->books.daemon)
		cpupr_irqs_find_daemons();
}

/**
 * cpupr_irqs_leave_tsc() - go on with another clock, whose ticks are ns
 * @c: a CPU
 * @tsc: what the old clock is at
 * @local: and the new one
 * @mult: one old tick is @mult / 2^@shift ns
 * @shift: see @mult
 *
 * Context: all CPUs stopped.
 */
void cpupr_irqs_leave_tsc(struct cpupr_cpu *c, u64 tsc, u64 local, u32 mult, u32 shift)
{
	cpupr_irqs_rescale(&c->irqs->books, tsc, local, mult, shift);
	cpupr_theft_rescale(&c->irqs->theft, mult, shift);
}

/**
 * cpupr_irqs_books_init() - memory for all CPUs
 *
 * It stays until the module goes, whether the collector is on or off.
 *
 * Return: 0 or -ENOMEM.
 */
int cpupr_irqs_books_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct cpupr_irqs_cpu *i = kvzalloc_node(sizeof(*i), GFP_KERNEL, cpu_to_node(cpu));

		if (!i) {
			cpupr_irqs_books_exit();
			return -ENOMEM;
		}
		cpupr_irqs_init(&i->books);
		per_cpu_ptr(&cpupr_cpu, cpu)->irqs = i;
	}
	return 0;
}

/**
 * cpupr_irqs_books_exit() - the hooks and all rows are gone: give it back
 */
void cpupr_irqs_books_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		kvfree(per_cpu_ptr(&cpupr_cpu, cpu)->irqs);
		per_cpu_ptr(&cpupr_cpu, cpu)->irqs = NULL;
	}
}
