// SPDX-License-Identifier: GPL-2.0-only
/*
 * The readers' side of tasks. As in snapshot.c, a reset is a baseline kept here.
 *
 * The dead are booked here and not by the hook that sees them die: so each record
 * is either a row of its own or part of the row exited, never both or neither.
 */
#include <linux/cpumask.h>
#include <linux/hashtable.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include <cpuprecise/snapshot.h>
#include <cpuprecise/task_rows.h>
#include <cpuprecise/tasks.h>

/**
 * struct group - a process of which tasks are dead, and others may live
 * @node: of @groups
 * @sum: of the dead
 * @last: one of them, the leader if that is dead
 * @living: as the last look at all tasks found
 */
struct group {
	struct hlist_node node;
	struct cpupr_task_sum sum;
	struct cpupr_task_row last;
	bool living;
};

/* All of this under cpupr_snapshot_lock(). */
static DEFINE_HASHTABLE(groups, 10);
static unsigned int nr_groups, sweep_at = 1024;
static struct cpupr_task_sum exited, exited_groups;
static u64 gone[CPUPR_NR_TASK_TIMES];		/* of the dead, since load, ns */
static u64 followed[CPUPR_NR_TASK_TIMES];	/* of the CPUs where the epoch began, ns */
static struct cpupr_task_row last[CPUPR_EXITED];
static u64 nr_last;

static bool is_used(const struct cpupr_task *record)
{
	/* Pairs with begin() in module/tasks.c. */
	return smp_load_acquire(&record->used);
}

/* A record's time, of an interval that is open, too. */
static void read_time(const struct cpupr_task *task, u64 *time)
{
	struct cpupr_ledger l;
	struct cpupr_cpu *c;
	unsigned int seq;
	u64 now, stolen;
	bool running;
	s32 cpu;

	do {
		cpu = READ_ONCE(task->cpu);
		c = per_cpu_ptr(&cpupr_cpu, cpu);
		seq = read_seqcount_begin(&c->seq);
		memcpy(time, task->time, sizeof(task->time));
		running = READ_ONCE(c->task) == task;
		l = c->ledger;
		/* The time after what it closes. */
		smp_rmb();
		now = cpupr_clock_stolen(c, cpu, &stolen);
	} while (read_seqcount_retry(&c->seq, seq) || READ_ONCE(task->cpu) != cpu);
	if (running) {
		cpupr_ledger_settle(&l, now, stolen);
		cpupr_task_ledger(time, &l, 1);
	}
}

/* In ns. A reader may be ahead of the CPU: what was shown stays. */
static void read_shown(struct cpupr_task *task, u64 *time)
{
	unsigned int i;

	read_time(task, time);
	for (i = 0; i < CPUPR_NR_TASK_TIMES; i++) {
		time[i] = max(cpupr_clock_ns(time[i]), task->shown[i]);
		task->shown[i] = time[i];
	}
}

/* A record that is used, since load. */
static void read_record(struct cpupr_task *record, struct cpupr_task_row *row)
{
	struct task_struct *task;

	rcu_read_lock();
	task = cpupr_task_of(record);
	if (task) {
		cpupr_task_identify(task, &row->id);
		cpupr_task_counters(task, &row->sum);
	} else {
		row->id = record->id;
		row->sum = record->last;
	}
	rcu_read_unlock();
	/* Last: that of a task which is dead is final by now. */
	read_shown(record, row->sum.time);
	row->cpu = READ_ONCE(record->cpu);
}

static void add_time(u64 *to, const u64 *from)
{
	unsigned int i;

	for (i = 0; i < CPUPR_NR_TASK_TIMES; i++)
		to[i] += from[i];
}

static void read_row(struct cpupr_task *record, struct cpupr_task_row *row)
{
	read_record(record, row);
	cpupr_task_sum_sub(&row->sum, &record->base);
}

/* --- processes -------------------------------------------------------------------------- */

static struct group *find_group(const struct cpupr_task_id *id)
{
	struct group *g;

	hash_for_each_possible(groups, g, node, (unsigned long)id->group)
		if (g->last.id.group == id->group && g->last.id.tgid == id->tgid)
			return g;
	return NULL;
}

static void end_group(struct group *g)
{
	cpupr_task_sum_add(&exited_groups, &g->sum);
	hash_del(&g->node);
	nr_groups--;
	kfree(g);
}

static void fold_into_group(const struct cpupr_task_row *row)
{
	struct group *g = find_group(&row->id);

	if (row->id.alone) {
		if (g)
			end_group(g);
		g = NULL;
	} else if (!g) {
		g = kzalloc(sizeof(*g), GFP_KERNEL);
		if (g) {
			g->last = *row;
			hash_add(groups, &g->node, (unsigned long)row->id.group);
			nr_groups++;
		}
	}
	if (!g) {
		cpupr_task_sum_add(&exited_groups, &row->sum);
		return;
	}
	cpupr_task_sum_add(&g->sum, &row->sum);
	if (row->id.pid == row->id.tgid)
		g->last = *row;
}

/* Groups of which no task was found alive are gone. */
static void sweep_groups(void)
{
	struct hlist_node *next;
	struct group *g;
	unsigned int i;

	hash_for_each_safe(groups, i, next, g, node) {
		if (!g->living)
			end_group(g);
		else
			g->living = false;
	}
	sweep_at = 2 * nr_groups + 1024;
}

/* Without a reader nobody else does. */
static void look_for_groups(void)
{
	struct cpupr_task_row row;
	struct group *g;
	unsigned int i;

	for (i = 0; i < cpupr_tasks.count; i++) {
		if (!is_used(&cpupr_tasks.task[i]))
			continue;
		read_record(&cpupr_tasks.task[i], &row);
		g = find_group(&row.id);
		if (g)
			g->living = true;
	}
	sweep_groups();
}

/* --- the dead --------------------------------------------------------------------------- */

/**
 * cpupr_task_rows_fold() - book all tasks that died since the last time
 *
 * Context: process, under cpupr_snapshot_lock().
 */
void cpupr_task_rows_fold(void)
{
	struct cpupr_task *record, *next, *oldest = NULL;
	struct cpupr_task_row *row;

	for (record = cpupr_tasks_dead(); record; record = next) {
		next = record->next;
		record->next = oldest;
		oldest = record;
	}
	for (record = oldest; record; record = next) {
		next = record->next;
		if (record->was) {
			row = &last[nr_last++ % CPUPR_EXITED];
			read_row(record, row);
			row->id.state = 'X';
			add_time(gone, record->shown);
			cpupr_task_sum_add(&exited, &row->sum);
			fold_into_group(row);
		}
		cpupr_tasks_dispose(record);
	}
	if (nr_groups > sweep_at)
		look_for_groups();
}

/* --- snapshots -------------------------------------------------------------------------- */

static struct cpupr_task *other_of(int cpu)
{
	return &per_cpu_ptr(&cpupr_cpu, cpu)->tasks->other;
}

static void take_other(struct cpupr_task_sum *other)
{
	unsigned int i;
	int cpu;

	memset(other, 0, sizeof(*other));
	for_each_possible_cpu(cpu) {
		struct cpupr_task *task = other_of(cpu);
		u64 time[CPUPR_NR_TASK_TIMES];

		read_shown(task, time);
		for (i = 0; i < CPUPR_NR_TASK_TIMES; i++)
			other->time[i] += time[i] - task->base.time[i];
	}
}

/* Those that die meanwhile are still rows of their own. */
static void take_rows(struct cpupr_task_rows *s)
{
	unsigned int i;

	s->rows = 0;
	cpupr_task_rows_fold();
	for (i = 0; i < cpupr_tasks.count; i++)
		if (is_used(&cpupr_tasks.task[i]))
			read_row(&cpupr_tasks.task[i], &s->row[s->rows++]);
	take_other(&s->other);
}

static int by_pid(const void *a, const void *b)
{
	const struct cpupr_task_id *x = &((const struct cpupr_task_row *)a)->id;
	const struct cpupr_task_id *y = &((const struct cpupr_task_row *)b)->id;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

/* Those of a process side by side, its leader first. */
static int by_group(const void *a, const void *b)
{
	const struct cpupr_task_id *x = &((const struct cpupr_task_row *)a)->id;
	const struct cpupr_task_id *y = &((const struct cpupr_task_row *)b)->id;

	if (x->tgid != y->tgid)
		return x->tgid < y->tgid ? -1 : 1;
	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if ((x->pid == x->tgid) != (y->pid == y->tgid))
		return x->pid == x->tgid ? -1 : 1;
	return by_pid(a, b);
}

static void sort_rows(struct cpupr_task_rows *s, int (*by)(const void *, const void *))
{
	sort(s->row, s->rows, sizeof(*s->row), by, NULL);
}

/**
 * cpupr_task_rows_size() - bytes of a snapshot of tasks or processes
 */
size_t cpupr_task_rows_size(void)
{
	return struct_size((struct cpupr_task_rows *)NULL, row, cpupr_tasks.count);
}

/**
 * cpupr_task_rows_take() - a row a task
 * @snapshot: struct cpupr_task_rows, cpupr_task_rows_size() bytes; filled in
 *
 * Context: process, may sleep.
 */
void cpupr_task_rows_take(void *snapshot)
{
	struct cpupr_task_rows *s = snapshot;

	cpupr_snapshot_lock();
	take_rows(s);
	s->exited = exited;
	cpupr_snapshot_unlock();
	sort_rows(s, by_pid);
}

/* What the process's dead add to a row of the first of its living. */
static void add_group(struct cpupr_task_row *row)
{
	struct group *g = find_group(&row->id);

	if (g) {
		g->living = true;
		cpupr_task_sum_add(&row->sum, &g->sum);
	}
	if (row->id.pid == row->id.tgid)
		return;
	row->id.pid = row->id.tgid;
	if (!g || g->last.id.pid != row->id.tgid)
		return;
	row->cpu = g->last.cpu;
	row->id = g->last.id;
	row->id.state = 'Z';
}

/**
 * cpupr_process_rows_take() - a row a process
 * @snapshot: as for cpupr_task_rows_take()
 *
 * Context: process, may sleep.
 */
void cpupr_process_rows_take(void *snapshot)
{
	struct cpupr_task_rows *s = snapshot;
	unsigned int i, n = 0;

	cpupr_snapshot_lock();
	take_rows(s);
	sort_rows(s, by_group);
	for (i = 0; i < s->rows; i++) {
		struct cpupr_task_row *row = &s->row[i];

		if (i && row->id.group == row[-1].id.group && row->id.tgid == row[-1].id.tgid) {
			cpupr_task_sum_add(&s->row[n - 1].sum, &row->sum);
			continue;
		}
		s->row[n++] = *row;
	}
	s->rows = n;
	for (i = 0; i < n; i++)
		add_group(&s->row[i]);
	sweep_groups();
	s->exited = exited_groups;
	cpupr_snapshot_unlock();
}

/**
 * cpupr_exited_rows_size() - bytes of a snapshot of the last tasks that died
 */
size_t cpupr_exited_rows_size(void)
{
	return struct_size((struct cpupr_task_rows *)NULL, row, CPUPR_EXITED);
}

/**
 * cpupr_exited_rows_take() - a row each, the oldest first
 * @snapshot: struct cpupr_task_rows, cpupr_exited_rows_size() bytes; filled in
 *
 * Context: process, may sleep.
 */
void cpupr_exited_rows_take(void *snapshot)
{
	struct cpupr_task_rows *s = snapshot;
	u64 i;

	cpupr_snapshot_lock();
	cpupr_task_rows_fold();
	s->rows = min_t(u64, nr_last, CPUPR_EXITED);
	for (i = 0; i < s->rows; i++)
		s->row[i] = last[(nr_last - s->rows + i) % CPUPR_EXITED];
	cpupr_snapshot_unlock();
}

/**
 * cpupr_task_rows_rebase() - a new epoch begins
 *
 * Context: under cpupr_snapshot_lock(), before the CPUs' own baselines are taken.
 */
void cpupr_task_rows_rebase(void)
{
	struct cpupr_task_row row;
	struct hlist_node *next;
	struct group *g;
	unsigned int i;
	int cpu;

	cpupr_task_rows_fold();
	for (i = 0; i < cpupr_tasks.count; i++)
		if (is_used(&cpupr_tasks.task[i])) {
			read_record(&cpupr_tasks.task[i], &row);
			cpupr_tasks.task[i].base = row.sum;
		}
	for_each_possible_cpu(cpu)
		read_shown(other_of(cpu), other_of(cpu)->base.time);
	hash_for_each_safe(groups, i, next, g, node)
		memset(&g->sum, 0, sizeof(g->sum));
	memset(&exited, 0, sizeof(exited));
	memset(&exited_groups, 0, sizeof(exited_groups));
	memset(followed, 0, sizeof(followed));
	nr_last = 0;
}

/**
 * cpupr_task_rows_rebase_cpu() - a CPU's baseline is taken, and so is that of its task
 * @cpu: its number
 * @l: its ledger as of the baseline
 *
 * Context: under cpupr_snapshot_lock(), between cpupr_task_rows_rebase() and
 * cpupr_task_rows_settle().
 */
void cpupr_task_rows_rebase_cpu(int cpu, const struct cpupr_ledger *l)
{
	struct cpupr_cpu *c = per_cpu_ptr(&cpupr_cpu, cpu);
	u64 all[CPUPR_NR_TASK_TIMES], time[CPUPR_NR_TASK_TIMES];
	struct cpupr_task *record;
	bool task;
	unsigned int seq, i;

	do {
		seq = read_seqcount_begin(&c->seq);
		memcpy(all, c->tasks->all, sizeof(all));
		record = READ_ONCE(c->task);
		task = record && record != &c->tasks->idle;
		if (task)
			memcpy(time, record->time, sizeof(time));
	} while (read_seqcount_retry(&c->seq, seq));
	if (record)
		cpupr_task_ledger(all, l, 1);
	for (i = 0; i < CPUPR_NR_TASK_TIMES; i++)
		followed[i] += cpupr_clock_ns(all[i]);
	if (!task)
		return;
	cpupr_task_ledger(time, l, 1);
	for (i = 0; i < CPUPR_NR_TASK_TIMES; i++) {
		/* One that came after that had less then than it has now: that stays. */
		u64 then = (s64)time[i] > 0 ? cpupr_clock_ns(time[i]) : 0;

		record->base.time[i] = max(record->base.time[i], then);
		/* What turns out to have been stolen of it is not to make a row negative. */
		record->shown[i] = max(record->shown[i], record->base.time[i]);
	}
}

/* Of what the CPUs had more than the records, as much as a record may have had of it. */
static void settle(struct cpupr_task *record, u64 *owed)
{
	u64 time[CPUPR_NR_TASK_TIMES];
	unsigned int i;

	read_shown(record, time);
	for (i = 0; i < CPUPR_NR_TASK_TIMES; i++) {
		u64 *base = &record->base.time[i];
		u64 part = min(owed[i], time[i] > *base ? time[i] - *base : 0);

		*base += part;
		owed[i] -= part;
	}
}

/**
 * cpupr_task_rows_settle() - all CPUs' baselines are taken
 *
 * What tasks ran between their own baseline and that of their CPU is no part of the
 * epoch: with it, the rows would add up to more than the CPUs. Who ran since may
 * have had it.
 *
 * Context: under cpupr_snapshot_lock().
 */
void cpupr_task_rows_settle(void)
{
	u64 booked[CPUPR_NR_TASK_TIMES], owed[CPUPR_NR_TASK_TIMES];
	unsigned int i;
	int cpu;

	memcpy(booked, gone, sizeof(booked));
	for (i = 0; i < cpupr_tasks.count; i++)
		if (is_used(&cpupr_tasks.task[i]))
			add_time(booked, cpupr_tasks.task[i].base.time);
	for_each_possible_cpu(cpu)
		add_time(booked, other_of(cpu)->base.time);
	/* Interrupts of idle tasks are nobody's. */
	memset(owed, 0, sizeof(owed));
	for (i = CPUPR_TASK_USER; i <= CPUPR_TASK_SYSTEM; i++)
		owed[i] = followed[i] > booked[i] ? followed[i] - booked[i] : 0;
	for (i = 0; i < cpupr_tasks.count; i++)
		if (is_used(&cpupr_tasks.task[i]))
			settle(&cpupr_tasks.task[i], owed);
	for_each_possible_cpu(cpu)
		settle(other_of(cpu), owed);
}

/**
 * cpupr_task_rows_forget() - the module goes
 *
 * Context: process; nobody reads any more.
 */
void cpupr_task_rows_forget(void)
{
	struct hlist_node *next;
	struct group *g;
	unsigned int i;

	hash_for_each_safe(groups, i, next, g, node)
		end_group(g);
}
