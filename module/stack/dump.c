// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stacks on their way to the kernel's log: hits leave them in a ring, work prints
 * them. A hit cannot: it may hold the run queue's lock, and printing wakes tasks up.
 *
 * From the hit an irq_work is raised, which runs once interrupts are on, and from
 * that the work is queued.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/irq_work.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/workqueue.h>

#include <cpuprecise/stacks.h>

#define RECORDS	64

enum record_state {
	RECORD_FREE,
	RECORD_WRITTEN,	/* a hit writes it */
	RECORD_READY,
};

/**
 * struct record - a stack that is to be printed
 * @state: enum record_state: who may touch the rest
 * @turn: in which order they came
 * @trigger: whose; it outlives the record, see cpupr_dump_flush()
 * @cpu: where
 * @pid: of the task
 * @stack: a struct cpupr_stack with its frames
 */
struct record {
	atomic_t state;
	unsigned int turn;
	struct cpupr_trigger *trigger;
	unsigned int cpu;
	pid_t pid;
	u64 stack[CPUPR_STACK_WORDS];
};

static struct record records[RECORDS];
static atomic_t turns;

/* Who prints now: what that hits is nobody's concern, and would never end. */
static struct task_struct *printer;

static void print(struct work_struct *work);
static DECLARE_WORK(print_work, print);

static void reap(struct work_struct *work)
{
	cpupr_triggers_reap();
}

static DECLARE_WORK(reap_work, reap);

static notrace void raise_print(struct irq_work *unused)
{
	queue_work(system_unbound_wq, &print_work);
}

static struct irq_work print_raise = IRQ_WORK_INIT_HARD(raise_print);

/**
 * cpupr_dump_prints() - is it our own printing that runs here?
 *
 * Context: any.
 */
notrace bool cpupr_dump_prints(void)
{
	return READ_ONCE(printer) == current;
}

/**
 * cpupr_dump_put() - leave a stack to be printed
 * @t: whose
 * @stack: with its frames
 *
 * Context: any, NMIs too; preemption off.
 *
 * Return: false if there is no room.
 */
notrace bool cpupr_dump_put(struct cpupr_trigger *t, const struct cpupr_stack *stack)
{
	struct record *r = records;

	while (atomic_read(&r->state) != RECORD_FREE ||
	       atomic_cmpxchg(&r->state, RECORD_FREE, RECORD_WRITTEN) != RECORD_FREE)
		if (++r == records + RECORDS)
			return false;
	r->turn = atomic_inc_return(&turns);
	r->trigger = t;
	r->cpu = smp_processor_id();
	r->pid = current->pid;
	memcpy(r->stack, stack, cpupr_stack_bytes(stack));
	atomic_set_release(&r->state, RECORD_READY);
	irq_work_queue(&print_raise);
	return true;
}

/* The one that came first, or NULL. */
static struct record *first_ready(void)
{
	struct record *r, *first = NULL;

	for (r = records; r < records + RECORDS; r++)
		if (atomic_read_acquire(&r->state) == RECORD_READY &&
		    (!first || (int)(r->turn - first->turn) < 0))
			first = r;
	return first;
}

static void print_frame(const char *name, u64 frame)
{
	void *address = (void *)(unsigned long)(frame | CPUPR_FRAME_BITS);
	const char *mark = frame & CPUPR_FRAME_RELIABLE ? "" : "? ";

	if (frame & CPUPR_FRAME_RETURN)
		pr_info("%s:  %s%pB\n", name, mark, address);
	else
		pr_info("%s:  %s%pS\n", name, mark, address);
	/* A line is 10 ms of a serial console, and a stack has many. */
	cond_resched();
}

static void print_record(const struct record *r)
{
	const struct cpupr_trigger_spec *spec = &r->trigger->spec;
	const struct cpupr_stack *s = (const struct cpupr_stack *)r->stack;
	char user[CPUPR_USER_FRAME];
	unsigned int i;

	pr_info("%s: CPU: %u PID: %d Comm: %*pE Context: %s Function: %s\n", spec->name, r->cpu,
		r->pid, (int)strnlen(s->comm, sizeof(s->comm)), s->comm,
		cpupr_stack_contexts[s->context],
		r->trigger->symbol[0] ? r->trigger->symbol : spec->target);
	for (i = 0; i < s->kernel; i++)
		print_frame(spec->name, s->frame[i]);
	if (s->cut & CPUPR_STACK_CUT_KERNEL)
		pr_info("%s:  ...\n", spec->name);
	for (; i < s->kernel + s->user; i++) {
		cpupr_user_frame(user, s->tgid, s->start, s->frame[i]);
		pr_info("%s: user:  %s\n", spec->name, user);
	}
	if (s->cut & CPUPR_STACK_CUT_USER)
		pr_info("%s: user:  ...\n", spec->name);
}

/*
 * Only what had its turn when this began: hits that come as fast as they are printed
 * would keep whoever flushes waiting for ever. Each raises the work again, after that.
 */
static void print(struct work_struct *work)
{
	unsigned int last = atomic_read(&turns);
	struct record *r;

	WRITE_ONCE(printer, current);
	for (r = first_ready(); r && (int)(r->turn - last) <= 0; r = first_ready()) {
		struct cpupr_trigger *t = r->trigger;

		/* Whoever removes it waits for this. */
		if (READ_ONCE(t->retired))
			t->unprinted++;
		else
			print_record(r);
		WRITE_ONCE(t->printed, t->printed + 1);
		if (t->once && t->printed >= t->spec.limit)
			schedule_work(&reap_work);
		atomic_set_release(&r->state, RECORD_FREE);
		cond_resched();
	}
	WRITE_ONCE(printer, NULL);
}

/**
 * cpupr_dump_flush() - print what there is, but for what is of retired triggers
 *
 * Triggers that have no hits any more have no records behind it.
 *
 * Context: process, may sleep.
 */
void cpupr_dump_flush(void)
{
	irq_work_sync(&print_raise);
	flush_work(&print_work);
}

/**
 * cpupr_dump_exit() - nothing is left to be done later; no trigger is either
 *
 * Context: process, may sleep; not under the triggers' mutex.
 */
void cpupr_dump_exit(void)
{
	cancel_work_sync(&reap_work);
}
