// SPDX-License-Identifier: GPL-2.0-only
/*
 * A hit of a trigger: is it one that was asked for, is there time and room for its
 * stack, and where does that go?
 *
 * Any context, NMIs too. Memory is per CPU and context; what is shared between CPUs
 * is written without a lock.
 */
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>

#include <cpuprecise/clock.h>
#include <cpuprecise/compat.h>
#include <cpuprecise/stacks.h>

/* One hit may interrupt another: task, softirq, irq, NMI. Of more, something hits itself. */
#define NESTS		4

/* In which the share of a CPU is looked at, ns. */
#define WINDOW_NS	(16 * NSEC_PER_MSEC)

/* Other CPUs may come in between, but not for ever. */
#define TRIES		16

const char *const cpupr_stack_contexts[] = {
	[CPUPR_STACK_TASK] = "task",
	[CPUPR_STACK_SOFTIRQ] = "softirq",
	[CPUPR_STACK_IRQ] = "irq",
	[CPUPR_STACK_NMI] = "nmi",
};

/**
 * struct hit_cpu - what hits use of a CPU
 * @nests: how many are in progress
 * @copying: one of them reads the user's memory, where faults are our own doing
 * @window: when the last window began, ns of the CPU's clock
 * @spent: on stacks, in that window, ns
 * @room: for the stacks in progress
 */
struct hit_cpu {
	unsigned int nests;
	bool copying;
	u64 window;
	u64 spent;
	u64 room[NESTS][CPUPR_STACK_WORDS];
};

static struct hit_cpu __percpu *hit_cpus;

static unsigned int stack_cpu_pct = 20;

static int stack_cpu_pct_set(const char *val, const struct kernel_param *kp)
{
	return param_set_uint_minmax(val, kp, 1, 100);
}

static const struct kernel_param_ops stack_cpu_pct_ops = {
	.set = stack_cpu_pct_set,
	.get = param_get_uint,
};
module_param_cb(stack_cpu_pct, &stack_cpu_pct_ops, &stack_cpu_pct, 0600);
MODULE_PARM_DESC(stack_cpu_pct, "percent of each CPU that taking stacks may use, 1 to 100");

/**
 * cpupr_hits_init() - a first trigger is about to come
 *
 * Return: 0 or -ENOMEM.
 */
int cpupr_hits_init(void)
{
	hit_cpus = alloc_percpu(struct hit_cpu);
	return hit_cpus ? 0 : -ENOMEM;
}

/**
 * cpupr_hits_exit() - the last one is gone, and no hit is in progress
 */
void cpupr_hits_exit(void)
{
	free_percpu(hit_cpus);
	hit_cpus = NULL;
}

static notrace bool matches(const struct cpupr_trigger_spec *spec)
{
	if (spec->has_cpu && spec->cpu != smp_processor_id())
		return false;
	if (spec->has_pid && spec->pid != current->pid && spec->pid != current->tgid)
		return false;
	return !spec->comm[0] || !strncmp(spec->comm, current->comm, sizeof(spec->comm));
}

/* A share of the CPU, and no more, goes into stacks, whatever they are of. */
static notrace bool has_time(struct hit_cpu *h, u64 now)
{
	if (now - h->window >= WINDOW_NS) {
		h->window = now;
		h->spent = 0;
	}
	return h->spent * 100 < WINDOW_NS * READ_ONCE(stack_cpu_pct) ||
	       READ_ONCE(stack_cpu_pct) == 100;
}

static notrace bool within_rate(struct cpupr_trigger *t, u64 now)
{
	unsigned int i;

	if (!t->spec.rate)
		return true;
	for (i = 0; i < TRIES; i++) {
		u64 window = READ_ONCE(t->window);
		bool taken;
		u64 next = cpupr_trigger_rate_take(window, now, t->spec.rate, &taken);

		if (!taken)
			return false;
		if (cmpxchg(&t->window, window, next) == window)
			return true;
	}
	return false;
}

static notrace bool within_limit(struct cpupr_trigger *t)
{
	return !t->spec.limit || atomic64_dec_if_positive(&t->left) >= 0;
}

/* What was hit, not what brings us here. */
static notrace u8 context_of(const struct cpupr_trigger *t)
{
	unsigned long count = preempt_count();

	if (t->trap != CPUPR_TRAP_NONE && (count & NMI_MASK))
		count -= NMI_OFFSET + HARDIRQ_OFFSET;
	else if (t->trap == CPUPR_TRAP_OVERFLOW && (count & HARDIRQ_MASK))
		count -= HARDIRQ_OFFSET;
	if (count & NMI_MASK)
		return CPUPR_STACK_NMI;
	if (count & HARDIRQ_MASK)
		return CPUPR_STACK_IRQ;
	return in_serving_softirq() ? CPUPR_STACK_SOFTIRQ : CPUPR_STACK_TASK;
}

static notrace void take_user(struct cpupr_stack *stack, const struct cpupr_trigger *t,
			      struct pt_regs *regs)
{
	if ((current->flags & CPUPR_NO_USER) || !current->mm)
		return;
	if (!regs || !user_mode(regs))
		regs = task_pt_regs(current);
	cpupr_unwind_user(stack, t->spec.depth, regs, t->at_entry);
	stack->tgid = current->tgid;
	stack->start = current->group_leader->start_time;
}

static notrace void take(struct cpupr_stack *stack, const struct cpupr_trigger *t,
			 struct pt_regs *regs, enum cpupr_stack_from from, struct hit_cpu *h)
{
	bool in_user = regs && user_mode(regs);

	memset(stack, 0, sizeof(*stack));
	strscpy_pad(stack->comm, current->comm, sizeof(stack->comm));
	stack->context = context_of(t);
	if (!in_user)
		cpupr_unwind_kernel(stack, t, regs, from);
	if (!t->spec.user && !in_user)
		return;
	WRITE_ONCE(h->copying, true);
	take_user(stack, t, regs);
	WRITE_ONCE(h->copying, false);
}

/* In this order: what a later one refuses has taken nothing of limit=. */
static notrace bool may_take(struct cpupr_trigger *t, struct hit_cpu *h, u64 now)
{
	if (READ_ONCE(t->retired) || h->copying || cpupr_dump_prints())
		return false;
	return has_time(h, now) && within_rate(t, now) && within_limit(t);
}

/* Returns the trigger's counter for what became of the hit. */
static notrace u64 __percpu *hit(struct cpupr_trigger *t, struct pt_regs *regs,
				 enum cpupr_stack_from from, struct hit_cpu *h, unsigned int nest,
				 struct cpupr_stack_entry **entry)
{
	struct cpupr_stack *stack;
	bool put;
	u64 now;

	if (!matches(&t->spec))
		return &t->counts->filtered;
	if (nest >= NESTS)
		return &t->counts->dropped;
	now = cpupr_clock_ns(cpupr_clock());
	if (!may_take(t, h, now))
		return &t->counts->suppressed;
	stack = (struct cpupr_stack *)h->room[nest];
	take(stack, t, regs, from, h);
	if (t->set) {
		*entry = cpupr_stack_set_count(t->set, stack);
		put = *entry;
	} else {
		put = cpupr_dump_put(t, stack);
	}
	h->spent += cpupr_clock_ns(cpupr_clock()) - now;
	if (put)
		return &t->counts->delivered;
	if (t->spec.limit)
		atomic64_inc(&t->left);
	return &t->counts->dropped;
}

/**
 * cpupr_trigger_hit() - what a trigger watches for happened
 * @t: which
 * @regs: where; NULL with CPUPR_FROM_TRACEPOINT
 * @from: where the stack is to begin
 *
 * Context: any, NMIs too.
 *
 * Return: the stack that was counted, as long as the trigger lives; NULL if none was.
 */
notrace struct cpupr_stack_entry *cpupr_trigger_hit(struct cpupr_trigger *t, struct pt_regs *regs,
						    enum cpupr_stack_from from)
{
	struct cpupr_stack_entry *entry = NULL;
	struct hit_cpu *h;
	unsigned int nest;
	u64 __percpu *became;

	preempt_disable_notrace();
	h = this_cpu_ptr(hit_cpus);
	/* Whatever comes in between puts back what it found. */
	nest = READ_ONCE(h->nests);
	WRITE_ONCE(h->nests, nest + 1);
	barrier();
	became = hit(t, regs, from, h, nest, &entry);
	barrier();
	WRITE_ONCE(h->nests, nest);
	this_cpu_inc(*became);
	preempt_enable_notrace();
	return entry;
}
