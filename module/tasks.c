// SPDX-License-Identifier: GPL-2.0-only
/*
 * Following tasks: records come when a task first runs, and go, by way of the
 * readers' side, when it left its CPU for good.
 *
 * The scheduler's hook sees each task die, so a record never outlives its task
 * without knowing it. When that hook or this collector is switched off, all
 * records stand still: they keep who their tasks were. When both are on again, a
 * look at all tasks tells whose go on; the others are dead.
 *
 * Readers may follow a record's key (cpupr_task_of()) within an RCU section: a task's
 * memory is freed a grace period after it left its CPU (put_task_struct_rcu_user()).
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/irq_work.h>
#include <linux/log2.h>
#include <linux/moduleparam.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include <cpuprecise/collector.h>
#include <cpuprecise/hotplug.h>
#include <cpuprecise/snapshot.h>
#include <cpuprecise/task_rows.h>
#include <cpuprecise/tasks.h>
#include <cpuprecise/theft_table.h>

#define TASKS_MIN	16
#define TASKS_MAX	(1 << 20)

static unsigned int tasks_max = 16384;

static int tasks_max_set(const char *val, const struct kernel_param *kp)
{
	return param_set_uint_minmax(val, kp, TASKS_MIN, TASKS_MAX);
}

static const struct kernel_param_ops tasks_max_ops = {
	.set = tasks_max_set,
	.get = param_get_uint,
};
module_param_cb(tasks_max, &tasks_max_ops, &tasks_max, 0444);
MODULE_PARM_DESC(tasks_max, "threads that have a row of their own, 16 to 1048576");

struct cpupr_task_table cpupr_tasks __read_mostly;

bool cpupr_tasks_watched;
/* CPUs follow their tasks, or are about to. */
static bool following;
/* And their system calls. */
static bool calling;

/* Records whose task is dead, the last one first. */
static struct cpupr_task *dead;
/* Of those, booked: free after a grace period. Under cpupr_snapshot_lock(). */
static struct cpupr_task *booked;

static void fold(struct work_struct *work)
{
	struct cpupr_task *task, *next;

	cpupr_snapshot_lock();
	cpupr_task_rows_fold();
	task = booked;
	booked = NULL;
	cpupr_snapshot_unlock();
	if (!task)
		return;
	/* Interrupts are off in whoever walks a chain. */
	synchronize_rcu();
	cpupr_snapshot_lock();
	for (; task; task = next) {
		next = task->next;
		cpupr_task_release(&cpupr_tasks, task);
	}
	cpupr_snapshot_unlock();
}

static DECLARE_WORK(fold_work, fold);

static void fold_soon(struct irq_work *work)
{
	schedule_work(&fold_work);
}

static DEFINE_IRQ_WORK(fold_irq_work, fold_soon);

/* A record for the dead; waking somebody is for later, the run queue may be locked. */
static notrace void bury(struct cpupr_task *task)
{
	struct cpupr_task *first;

	do {
		first = READ_ONCE(dead);
		task->next = first;
	} while (cmpxchg(&dead, first, task) != first);
	if (cpupr_task_room(&cpupr_tasks) < cpupr_tasks.count / 2)
		irq_work_queue(&fold_irq_work);
}

/**
 * cpupr_tasks_dead() - take all records whose task is dead
 *
 * Context: under cpupr_snapshot_lock().
 *
 * Return: a list by @next; of a record with no @was nothing needs booking.
 */
struct cpupr_task *cpupr_tasks_dead(void)
{
	return xchg(&dead, NULL);
}

/**
 * cpupr_tasks_dispose() - a dead task is booked: its record becomes free
 * @task: the record
 *
 * Context: under cpupr_snapshot_lock().
 */
void cpupr_tasks_dispose(struct cpupr_task *task)
{
	if (task->was)
		cpupr_task_unlink(&cpupr_tasks, task);
	task->used = false;
	task->next = booked;
	booked = task;
	if (cpupr_task_room(&cpupr_tasks) < cpupr_tasks.count / 2)
		schedule_work(&fold_work);
}

/**
 * cpupr_task_counters() - what the kernel itself counts of a task
 * @task: the task
 * @sum: filled in, but for its time
 *
 * Context: any, while the task's memory stays.
 */
notrace void cpupr_task_counters(const struct task_struct *task, struct cpupr_task_sum *sum)
{
	sum->wait = cpupr_run_delay(task);
	sum->voluntary = READ_ONCE(task->nvcsw);
	sum->involuntary = READ_ONCE(task->nivcsw);
	sum->tick = READ_ONCE(task->utime) + READ_ONCE(task->stime);
}

/**
 * cpupr_task_identify() - who a task is
 * @task: the task
 * @id: filled in
 *
 * Context: any, while the task's memory stays.
 */
notrace void cpupr_task_identify(struct task_struct *task, struct cpupr_task_id *id)
{
	id->start = task->start_time;
	id->group = task->signal;
	id->pid = task->pid;
	id->tgid = task->tgid;
	id->alone = thread_group_leader(task) && get_nr_threads(task) == 1;
	id->state = task_state_to_char(task);
	/* One that is being renamed may show as half of each: never unterminated. */
	memcpy(id->comm, task->comm, sizeof(id->comm));
	id->comm[sizeof(id->comm) - 1] = '\0';
}

/* The last one that was given. */
static atomic64_t numbers = ATOMIC64_INIT(CPUPR_THEFT_OTHER);

/* @ran: it did before this record, so what was counted before does not belong to it. */
static notrace void begin(struct cpupr_task *record, const struct task_struct *task, bool ran)
{
	record->delay = cpupr_run_delay(task);
	record->cpu = task_cpu(task);
	record->number = atomic64_inc_return(&numbers);
	if (ran)
		cpupr_task_counters(task, &record->base);
	else
		record->delay = 0;
	/* Readers may see it from now on. */
	smp_store_release(&record->used, true);
}

/* Time went by without this record, which nobody finds yet. */
static void go_on(struct cpupr_task *record, const struct task_struct *task)
{
	struct cpupr_task_sum now = { };

	cpupr_task_counters(task, &now);
	cpupr_task_sum_sub(&now, &record->last);
	cpupr_task_sum_add(&record->base, &now);
	record->delay = cpupr_run_delay(task);
	record->call = CPUPR_NO_CALL;
	record->still = false;
}

static notrace bool has_run(const struct task_struct *task)
{
#ifdef CONFIG_SCHED_INFO
	return task->sched_info.pcount;
#else
	return task->nvcsw + task->nivcsw;
#endif
}

/* Context: one RCU section. Returns NULL if there is no record left. */
static notrace struct cpupr_task *get(struct task_struct *task)
{
	struct cpupr_task *record, *spare;
	bool again;

	record = cpupr_task_get(&cpupr_tasks, task, task->start_time, &spare, &again);
	if (spare) {
		spare->was = NULL;
		bury(spare);
	}
	if (record && !record->used)
		begin(record, task, has_run(task));
	return record;
}

/**
 * cpupr_task_new() - a record for a task that has none and begins to run
 * @unused: see cpupr_call_cold()
 * @c: this CPU
 * @task: the task
 *
 * Context: write section.
 *
 * Return: a struct cpupr_task: the CPU's other if there is none left.
 */
notrace u64 cpupr_task_new(void *unused, struct cpupr_cpu *c, struct task_struct *task)
{
	return (unsigned long)(get(task) ?: &c->tasks->other);
}

/*
 * The task leaves its record to those that read @id and @last; @key is what stands for
 * it from now on. Context: one RCU section. Returns false if somebody else was faster,
 * who filled in the same.
 */
static notrace bool leave(struct cpupr_task *record, struct task_struct *task, const void *key)
{
	cpupr_task_identify(task, &record->id);
	cpupr_task_counters(task, &record->last);
	/* Pairs with cpupr_task_get(). */
	smp_store_release(&record->was, task);
	return cmpxchg(&record->key, task, key) == task;
}

/**
 * cpupr_task_died() - a task left its CPU for the last time
 * @task: the task
 *
 * Context: the sched_switch probe, outside of a write section.
 */
notrace void cpupr_task_died(struct task_struct *task)
{
	struct cpupr_cpu *c = this_cpu_ptr(&cpupr_cpu);
	struct cpupr_task *record;

	if (!READ_ONCE(cpupr_tasks_watched))
		return;
	record = cpupr_task_find(&cpupr_tasks, task);
	if (!record)
		return;
	/* exit() and exit_group() do not return, nor does what a signal killed. */
	if (c->calls && record->call >= 0) {
		raw_write_seqcount_begin(&c->seq);
		cpupr_call_end(c->calls, record, c->ledger.start, 0, cpupr_clock_scale,
			       CPUPR_CLOCK_SHIFT);
		raw_write_seqcount_end(&c->seq);
	}
	if (leave(record, task, CPUPR_TASK_DEAD))
		bury(record);
}

/**
 * cpupr_tasks_open() - the task that runs on this CPU is followed, if any is to be
 * @c: this CPU
 *
 * Context: on the CPU, write section, its ledger's interval just closed, or all
 * CPUs stopped.
 */
void cpupr_tasks_open(struct cpupr_cpu *c)
{
	if (following && !c->task) {
		c->task = cpupr_is_idle(current) ? &c->tasks->idle :
			  get(current) ?: &c->tasks->other;
		WRITE_ONCE(c->task->cpu, smp_processor_id());
		/* As in cpupr_task_switch(). */
		smp_wmb();
		cpupr_task_ledger(c->task->time, &c->ledger, -1);
		cpupr_task_ledger(c->tasks->all, &c->ledger, -1);
	}
	c->calls = calling && c->task ? &c->tasks->calls : NULL;
	cpupr_cgroups_open(c);
}

/**
 * cpupr_tasks_close() - and is no longer
 * @c: this CPU
 *
 * Context: as cpupr_tasks_open().
 */
void cpupr_tasks_close(struct cpupr_cpu *c)
{
	cpupr_cgroups_close(c);
	if (c->task) {
		cpupr_task_ledger(c->task->time, &c->ledger, 1);
		cpupr_task_ledger(c->tasks->all, &c->ledger, 1);
	}
	c->task = NULL;
	c->calls = NULL;
}

/* The record that stands still for a task. Context: nobody follows tasks. */
static struct cpupr_task *still_of(const struct task_struct *task)
{
	struct cpupr_task *record = READ_ONCE(*cpupr_task_head(&cpupr_tasks, task));

	while (record && (record->key || record->was != task || record->id.start != task->start_time))
		record = record->chain;
	return record;
}

/*
 * A record for all tasks that there are. Context: deaths are seen, but nobody follows
 * tasks: records are made here only.
 */
static void look_at_all(void)
{
	struct task_struct *process, *task;
	struct cpupr_task *record;

	rcu_read_lock();
	for_each_process_thread(process, task) {
		/* A zombie's death was not seen; one that comes now is. */
		if (READ_ONCE(task->__state) == TASK_DEAD)
			continue;
		record = still_of(task);
		if (record)
			go_on(record, task);
		record = get(task);
		/* It may have been, while the record was not there yet. */
		smp_mb();
		if (record && READ_ONCE(task->__state) == TASK_DEAD &&
		    leave(record, task, CPUPR_TASK_DEAD))
			bury(record);
	}
	rcu_read_unlock();
}

/**
 * cpupr_tasks_start() - follow all tasks, if both this and sched are on
 *
 * Context: process, under the registry's mutex, the hooks registered. CPUs do so from
 * the next resync on.
 */
void cpupr_tasks_start(void)
{
	unsigned int i;

	if (cpupr_tasks_watched || cpupr_tasks_collector.state != CPUPR_ON ||
	    cpupr_sched_collector.state != CPUPR_ON)
		return;
	cpupr_snapshot_lock();
	cpupr_tasks_watched = true;
	/* On all CPUs, before any record is there. */
	cpupr_hotplug_resync();
	look_at_all();
	for (i = 0; i < cpupr_tasks.count; i++) {
		struct cpupr_task *record = &cpupr_tasks.task[i];

		if (!record->used || !record->still)
			continue;
		/* Not for a task that leaves its CPU only now, if there is one. */
		WRITE_ONCE(record->key, CPUPR_TASK_DEAD);
		bury(record);
	}
	cpupr_task_rows_fold();
	following = true;
	cpupr_snapshot_unlock();
}

/**
 * cpupr_tasks_stop() - let all records stand still
 *
 * Context: process, under the registry's mutex, the hooks still registered.
 */
void cpupr_tasks_stop(void)
{
	unsigned int i;

	if (!cpupr_tasks_watched)
		return;
	cpupr_snapshot_lock();
	following = false;
	cpupr_hotplug_resync();
	cpupr_task_rows_fold();
	/* Tasks still may die meanwhile, and be seen. */
	for (i = 0; i < cpupr_tasks.count; i++) {
		struct cpupr_task *record = &cpupr_tasks.task[i];
		struct task_struct *task;

		if (!record->used)
			continue;
		rcu_read_lock();
		task = cpupr_task_of(record);
		if (task && leave(record, task, NULL))
			record->still = true;
		rcu_read_unlock();
	}
	cpupr_tasks_watched = false;
	cpupr_snapshot_unlock();
}

/**
 * cpupr_calls_forget() - no end of a call that is open now will be booked
 *
 * Because it was not seen, or belongs to another epoch.
 *
 * Context: any. A call that a CPU begins or ends meanwhile may be forgotten, or be
 * booked.
 */
void cpupr_calls_forget(void)
{
	unsigned int i;

	for (i = 0; i < cpupr_tasks.count; i++) {
		s32 *call = &cpupr_tasks.task[i].call, was = READ_ONCE(*call);

		/* Not one that begins just now. */
		if (was != CPUPR_NO_CALL)
			cmpxchg(call, was, CPUPR_NO_CALL);
	}
}

/**
 * cpupr_calls_start() - follow system calls from the next resync on
 *
 * Context: process, under the registry's mutex.
 */
void cpupr_calls_start(void)
{
	cpupr_calls_forget();
	calling = true;
}

/**
 * cpupr_calls_stop() - until the next resync
 *
 * Context: as cpupr_calls_start().
 */
void cpupr_calls_stop(void)
{
	calling = false;
}

static void rescale_time(u64 *time, u32 mult, u32 shift)
{
	unsigned int i;

	/* A task that ran while rows were frozen is in no debt. */
	for (i = 0; i < CPUPR_NR_TASK_TIMES; i++)
		time[i] = mul_u64_u32_shr(time[i], mult, shift);
}

/**
 * cpupr_tasks_rescale() - go on with another clock, whose ticks are ns
 * @tsc: what the old one is at
 * @local: and the new one
 * @mult: one old tick is @mult / 2^@shift ns
 * @shift: see @mult
 *
 * Context: all CPUs stopped, none follows a task; their ledgers are converted.
 */
void cpupr_tasks_rescale(u64 tsc, u64 local, u32 mult, u32 shift)
{
	unsigned int i;
	int cpu;

	for (i = 0; i < cpupr_tasks.count; i++) {
		struct cpupr_task *task = &cpupr_tasks.task[i];
		s64 open = tsc - task->call_start;

		rescale_time(task->time, mult, shift);
		task->call_system = mul_u64_u32_shr(task->call_system, mult, shift);
		task->call_start = local - mul_u64_u32_shr(open > 0 ? open : 0, mult, shift);
	}
	for_each_possible_cpu(cpu) {
		struct cpupr_cpu *c = per_cpu_ptr(&cpupr_cpu, cpu);
		struct cpupr_tasks_cpu *t = c->tasks;

		rescale_time(t->idle.time, mult, shift);
		rescale_time(t->other.time, mult, shift);
		rescale_time(t->all, mult, shift);
		cpupr_cgroup_rescale(&t->cgroups, &c->ledger, mult, shift);
		for (i = 0; i < t->calls.used; i++) {
			struct cpupr_call_row *row = &t->calls.row[i];

			row->cpu = mul_u64_u32_shr(row->cpu, mult, shift);
			row->wall = mul_u64_u32_shr(row->wall, mult, shift);
			row->max = mul_u64_u32_shr(row->max, mult, shift);
		}
	}
}

/**
 * cpupr_tasks_books_init() - memory for all records and all CPUs
 *
 * Return: 0 or -ENOMEM.
 */
int cpupr_tasks_books_init(void)
{
	struct cpupr_task_table *t = &cpupr_tasks;
	unsigned int bits = order_base_2(tasks_max);
	int cpu;

	t->count = tasks_max;
	t->shift = 64 - bits;
	t->mask = (1UL << bits) - 1;
	t->heads = kvcalloc(1UL << bits, sizeof(*t->heads), GFP_KERNEL);
	t->free = kvcalloc(1UL << bits, sizeof(*t->free), GFP_KERNEL);
	t->task = kvcalloc(t->count, sizeof(*t->task), GFP_KERNEL);
	if (!t->heads || !t->free || !t->task)
		goto no_memory;
	cpupr_task_table_init(t);
	for_each_possible_cpu(cpu) {
		struct cpupr_tasks_cpu *tasks = kvzalloc_node(sizeof(*tasks), GFP_KERNEL,
							      cpu_to_node(cpu));

		if (!tasks)
			goto no_memory;
		tasks->idle.call = CPUPR_NO_CALL;
		tasks->idle.cpu = cpu;
		tasks->other.cpu = cpu;
		tasks->other.number = CPUPR_THEFT_OTHER;
		tasks->other.call = CPUPR_NO_CALL;
		cpupr_calls_init(&tasks->calls);
		per_cpu_ptr(&cpupr_cpu, cpu)->tasks = tasks;
	}
	return 0;
no_memory:
	cpupr_tasks_books_exit();
	return -ENOMEM;
}

/**
 * cpupr_tasks_books_exit() - give it back
 *
 * Context: process; the collectors are off.
 */
void cpupr_tasks_books_exit(void)
{
	int cpu;

	irq_work_sync(&fold_irq_work);
	cancel_work_sync(&fold_work);
	cpupr_task_rows_forget();
	for_each_possible_cpu(cpu) {
		kvfree(per_cpu_ptr(&cpupr_cpu, cpu)->tasks);
		per_cpu_ptr(&cpupr_cpu, cpu)->tasks = NULL;
	}
	kvfree(cpupr_tasks.task);
	kvfree(cpupr_tasks.free);
	kvfree(cpupr_tasks.heads);
}
