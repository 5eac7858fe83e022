// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: random histories of tasks and their system calls on three CPUs, the
 * same ones in every run.
 *
 * The ledgers are real ones, and the reference: whatever an event adds to a
 * CPU's ledger is added, in the model, to the task that ran there. After each
 * event the records must say the same, to the tick, and with those of idle and
 * of tasks without a record they must add up to the ledgers. Calls are kept as a
 * list of what began and ended.
 */
#include "draw.h"
#include "ktap.h"

#include <cpuprecise/call_table.h>

#define CPUS	3
#define TASKS	10
#define SHIFT	60

/* Records by number: tasks, then each CPU's idle task, then what stands for tasks without. */
#define IDLE(cpu)	(TASKS + (cpu))
#define OTHER(cpu)	(TASKS + CPUS + (cpu))
#define RECORDS		(TASKS + 2 * CPUS)

/**
 * struct history - what happens how often
 * @name: what it shows
 * @events: how many
 * @origin: of the CPUs' clocks, ticks
 * @tick: the least that passes, ticks
 * @scale: ns are ticks * @scale >> SHIFT
 * @skew: of the CPUs' clocks, times @tick
 * @back: clocks step back, in 1024 events
 * @hotplug: CPUs go and come, in 1024 events
 * @follow: tasks are followed, or not, from now on, in 1024 events
 * @deaths: in 1024 events
 * @recordless: switches to a task without a record, in 1024
 * @numbers: of calls of an ABI
 */
struct history {
	const char *name;
	unsigned int events;
	u64 origin;
	u64 tick;
	u64 scale;
	unsigned int skew;
	unsigned int back;
	unsigned int hotplug;
	unsigned int follow;
	unsigned int deaths;
	unsigned int recordless;
	unsigned int numbers;
};

#define ONE	(1ULL << SHIFT)

static const struct history histories[] = {
	{ "tasks and calls", 150000, 0, 1, ONE, 0, 0, 0, 0, 0, 0, 8 },
	{ "clocks that differ", 150000, 1000000, 1, ONE, 500, 0, 0, 0, 10, 0, 8 },
	{ "ticks of 2^40 around 2^63", 60000, 0x7fff000000000000, 1ULL << 40, ONE, 3, 0, 0, 0, 10, 50, 8 },
	{ "clocks that pass 2^64", 60000, -100000ULL, 1, ONE / 3, 9, 0, 5, 0, 10, 50, 8 },
	{ "clocks that step back", 100000, 1000000, 3, ONE / 6, 9, 30, 0, 0, 10, 50, 8 },
	{ "CPUs go and come", 100000, 0, 5, ONE / 6 * 5, 9, 0, 60, 0, 10, 50, 8 },
	{ "followed now and then", 100000, 0, 1, ONE, 9, 0, 0, 60, 10, 50, 8 },
	{ "tasks without a record", 100000, 0, 1, ONE, 0, 0, 0, 0, 30, 700, 8 },
	{ "more calls than rows", 150000, 0, 7, ONE / 3, 9, 0, 0, 0, 10, 50, 600 },
	{ "all of it at once", 200000, 123456789, 11, ONE / 7 * 2, 9, 5, 5, 5, 10, 100, 250 },
};

/* What the model knows of a task. */
struct task_model {
	u64 time[CPUPR_NR_TASK_TIMES];
	bool in_call;
	unsigned int slot;
	u64 call_system;
	u64 call_start;
};

/* And of a slot of a CPU. */
struct call_model {
	bool seen;
	unsigned int counted_as;	/* the slot whose row it has */
};

static struct run {
	const struct history *h;
	struct cpupr_ledger ledger[CPUS];
	struct cpupr_task record[RECORDS];
	struct cpupr_call_books calls[CPUS];
	u64 clock[CPUS];
	unsigned int runs[CPUS];		/* a record's number */
	bool followed[CPUS];
	u64 gone[CPUPR_NR_TASK_TIMES];		/* of dead tasks' records */

	struct task_model task[RECORDS];
	u64 nobody[CPUPR_NR_TASK_TIMES];
	struct call_model call[CPUS][CPUPR_CALLS];
	struct cpupr_call_row row[CPUS][CPUPR_CALLS];
	unsigned int rows[CPUS];

	unsigned int number;
	const char *event;
} r;

static bool differ(const char *what, u64 got, u64 want)
{
	return event_differs(r.h->name, r.number, r.event, what, got, want);
}

/* --- the model -------------------------------------------------------------------------- */

/* Which of a task's times a category is; CPUPR_NR_TASK_TIMES: none. */
static int time_of(int category)
{
	static const int times[CPUPR_NR_CATEGORIES] = {
		[CPUPR_USER] = CPUPR_TASK_USER, [CPUPR_NICE] = CPUPR_TASK_USER,
		[CPUPR_SYSTEM] = CPUPR_TASK_SYSTEM,
		[CPUPR_IDLE] = CPUPR_NR_TASK_TIMES, [CPUPR_IOWAIT] = CPUPR_NR_TASK_TIMES,
		[CPUPR_IRQ] = CPUPR_TASK_IRQ, [CPUPR_SOFTIRQ] = CPUPR_TASK_SOFTIRQ,
		[CPUPR_STEAL] = CPUPR_NR_TASK_TIMES,
	};

	return times[category];
}

/* What the ledger of @cpu got since @before belongs to whoever ran there. */
static void attribute(unsigned int cpu, const u64 *before)
{
	u64 *to = r.followed[cpu] ? r.task[r.runs[cpu]].time : r.nobody;
	int i;

	for (i = 0; i < CPUPR_NR_CATEGORIES; i++)
		if (time_of(i) < CPUPR_NR_TASK_TIMES)
			to[time_of(i)] += r.ledger[cpu].time[i] - before[i];
}

static unsigned int bucket(u64 ticks)
{
	u64 ns = (u64)((unsigned __int128)ticks * r.h->scale >> SHIFT);
	unsigned int n = 0;

	while (ns > 1) {
		ns /= 2;
		n++;
	}
	return n;
}

static struct cpupr_call_row *model_row(unsigned int cpu, unsigned int slot)
{
	struct call_model *call = &r.call[cpu][slot];
	unsigned int other = slot < CPUPR_CALL_SLOTS ? CPUPR_CALL_OTHER :
			     CPUPR_CALL_SLOTS + CPUPR_CALL_OTHER;

	if (!call->seen) {
		call->seen = true;
		call->counted_as = slot;
		if (slot != other && ++r.rows[cpu] > CPUPR_CALL_ROWS - CPUPR_CALL_ABIS)
			call->counted_as = other;
	}
	return &r.row[cpu][call->counted_as];
}

static void model_call(unsigned int cpu, unsigned int slot)
{
	struct task_model *task = &r.task[r.runs[cpu]];

	model_row(cpu, slot)->count++;
	if (r.runs[cpu] >= TASKS)
		return;
	task->in_call = true;
	task->slot = slot;
	task->call_system = task->time[CPUPR_TASK_SYSTEM];
	task->call_start = r.ledger[cpu].start;
}

static void model_call_end(unsigned int cpu, struct task_model *task)
{
	struct cpupr_call_row *row = model_row(cpu, task->slot);
	u64 cpu_time = task->time[CPUPR_TASK_SYSTEM] - task->call_system;
	u64 wall = r.ledger[cpu].start - task->call_start;

	/* An instant before the call began is far after it. */
	if (wall > ~0ULL / 2 || wall < cpu_time)
		wall = cpu_time;
	task->in_call = false;
	row->cpu += cpu_time;
	row->wall += wall;
	row->max = wall > row->max ? wall : row->max;
	row->cpu_hist[bucket(cpu_time)]++;
	row->wall_hist[bucket(wall)]++;
}

/* --- what must be ----------------------------------------------------------------------- */

/* As a reader sees it, were it now: of an interval that is open, what is closed. */
static void record_time(unsigned int number, u64 *time)
{
	unsigned int cpu;

	memcpy(time, r.record[number].time, sizeof(r.record[number].time));
	for (cpu = 0; cpu < CPUS; cpu++)
		if (r.followed[cpu] && r.runs[cpu] == number)
			cpupr_task_ledger(time, &r.ledger[cpu], 1);
}

static bool tasks_agree(void)
{
	u64 sum[CPUPR_NR_TASK_TIMES] = { 0 }, ledgers[CPUPR_NR_TASK_TIMES] = { 0 };
	u64 time[CPUPR_NR_TASK_TIMES];
	unsigned int i, k;
	bool bad = false;

	for (i = 0; i < RECORDS; i++) {
		bad |= differ("in a call", r.record[i].call >= 0, r.task[i].in_call);
		record_time(i, time);
		for (k = 0; k < CPUPR_NR_TASK_TIMES; k++) {
			bad |= differ("a task's time", time[k], r.task[i].time[k]);
			sum[k] += time[k];
		}
	}
	for (i = 0; i < CPUS; i++)
		for (k = 0; k < CPUPR_NR_CATEGORIES; k++)
			if (time_of((int)k) < CPUPR_NR_TASK_TIMES)
				ledgers[time_of((int)k)] += r.ledger[i].time[k];
	for (k = 0; k < CPUPR_NR_TASK_TIMES; k++)
		bad |= differ("the sum of all tasks", sum[k] + r.gone[k] + r.nobody[k], ledgers[k]);
	return !bad;
}

static bool on_its_cpu(unsigned int cpu)
{
	return !r.followed[cpu] ||
	       !differ("a task's CPU", (u64)r.record[r.runs[cpu]].cpu, cpu);
}

static bool row_agrees(unsigned int cpu, unsigned int slot)
{
	static const struct cpupr_call_row none;
	const struct cpupr_call_row *row = r.calls[cpu].row_of[slot];
	const struct call_model *call = &r.call[cpu][slot];
	bool other = slot % CPUPR_CALL_SLOTS == CPUPR_CALL_OTHER;
	bool own = other || (call->seen && call->counted_as == slot);

	if (differ("a row of its own", cpupr_call_has_row(&r.calls[cpu], slot), own))
		return false;
	if (!own)
		return true;
	if (!row)
		row = &none;
	return !(differ("calls", row->count, r.row[cpu][slot].count) |
		 differ("their time", row->cpu, r.row[cpu][slot].cpu) |
		 differ("from entry to end", row->wall, r.row[cpu][slot].wall) |
		 differ("the longest", row->max, r.row[cpu][slot].max) |
		 differ("all of a row", !!memcmp(row, &r.row[cpu][slot], sizeof(*row)), 0));
}

static bool rows_agree(void)
{
	unsigned int cpu, slot;

	for (cpu = 0; cpu < CPUS; cpu++)
		for (slot = 0; slot < CPUPR_CALLS; slot++)
			if (!row_agrees(cpu, slot))
				return false;
	return true;
}

/* --- events ----------------------------------------------------------------------------- */

static void open_task(unsigned int cpu)
{
	struct cpupr_task *record = &r.record[r.runs[cpu]];

	record->cpu = (s32)cpu;
	cpupr_task_ledger(record->time, &r.ledger[cpu], -1);
	r.followed[cpu] = true;
}

static void close_task(unsigned int cpu)
{
	cpupr_task_ledger(r.record[r.runs[cpu]].time, &r.ledger[cpu], 1);
	r.followed[cpu] = false;
}

static bool runs_somewhere(unsigned int number)
{
	unsigned int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		if (r.runs[cpu] == number)
			return true;
	return false;
}

static unsigned int any_next(unsigned int cpu)
{
	unsigned int task = below(TASKS);

	if (chance(r.h->recordless))
		return OTHER(cpu);
	return chance(200) || (runs_somewhere(task) && r.runs[cpu] != task) ? IDLE(cpu) : task;
}

static enum cpupr_category any_base(unsigned int number, unsigned int cpu)
{
	static const enum cpupr_category bases[] = { CPUPR_USER, CPUPR_NICE, CPUPR_SYSTEM };

	if (number == IDLE(cpu))
		return CPUPR_IDLE;
	return r.task[number].in_call ? CPUPR_SYSTEM : bases[below(3)];
}

static void end_call(unsigned int cpu, unsigned int number, u64 system)
{
	if (!r.task[number].in_call)
		return;
	cpupr_call_end(&r.calls[cpu], &r.record[number], r.ledger[cpu].start, system, r.h->scale, SHIFT);
	model_call_end(cpu, &r.task[number]);
}

static void die(unsigned int cpu, unsigned int number)
{
	unsigned int k;

	r.event = "death";
	end_call(cpu, number, 0);
	for (k = 0; k < CPUPR_NR_TASK_TIMES; k++)
		r.gone[k] += r.record[number].time[k];
	memset(r.record[number].time, 0, sizeof(r.record[number].time));
	memset(&r.task[number], 0, sizeof(r.task[number]));
}

static void switch_to(unsigned int cpu, u64 now)
{
	unsigned int prev = r.runs[cpu], next = any_next(cpu);
	u64 before[CPUPR_NR_CATEGORIES];

	r.event = "switch";
	memcpy(before, r.ledger[cpu].time, sizeof(before));
	cpupr_ledger_switch(&r.ledger[cpu], now, any_base(next, cpu), chance(50) ? 1 : 0);
	attribute(cpu, before);
	if (r.followed[cpu])
		cpupr_task_switch(&r.record[prev], &r.record[next], &r.ledger[cpu], (s32)cpu);
	r.runs[cpu] = next;
	if (prev < TASKS && prev != next && r.followed[cpu] && chance(r.h->deaths))
		die(cpu, prev);
}

static void enter_call(unsigned int cpu, u64 now)
{
	unsigned int slot = cpupr_call_slot(below(4) == 0, below(r.h->numbers));
	struct cpupr_ledger *l = &r.ledger[cpu];
	u64 before[CPUPR_NR_CATEGORIES];

	memcpy(before, l->time, sizeof(before));
	cpupr_ledger_system(l, now);
	attribute(cpu, before);
	if (r.runs[cpu] == IDLE(cpu) || !r.followed[cpu])
		return;
	r.event = "call";
	cpupr_call_begin(&r.calls[cpu], &r.record[r.runs[cpu]], slot, l->start, l->time[CPUPR_SYSTEM]);
	model_call(cpu, slot);
}

static void return_to_user(unsigned int cpu, u64 now)
{
	struct cpupr_ledger *l = &r.ledger[cpu];
	u64 before[CPUPR_NR_CATEGORIES];

	r.event = "return";
	memcpy(before, l->time, sizeof(before));
	cpupr_ledger_account(l, now);
	attribute(cpu, before);
	if (r.followed[cpu])
		end_call(cpu, r.runs[cpu], l->time[CPUPR_SYSTEM]);
	memcpy(before, l->time, sizeof(before));
	cpupr_ledger_user(l, l->start, below(4) ? CPUPR_USER : CPUPR_NICE,
			  below(2) ? below(20) * r.h->tick : 0);
	attribute(cpu, before);
}

static void interrupt(unsigned int cpu, u64 now)
{
	struct cpupr_ledger *l = &r.ledger[cpu];
	u64 before[CPUPR_NR_CATEGORIES];

	r.event = "interrupt";
	memcpy(before, l->time, sizeof(before));
	switch (below(5)) {
	case 0:
		cpupr_ledger_irq_enter(l, now);
		break;
	case 1:
		cpupr_ledger_irq_exit(l, now);
		break;
	case 2:
		cpupr_ledger_softirq_enter(l, now);
		break;
	case 3:
		cpupr_ledger_softirq_exit(l, now);
		break;
	case 4:
		cpupr_ledger_account(l, now);
		break;
	}
	attribute(cpu, before);
}

static void follow(unsigned int cpu, u64 now)
{
	u64 before[CPUPR_NR_CATEGORIES];

	r.event = "follow";
	memcpy(before, r.ledger[cpu].time, sizeof(before));
	cpupr_ledger_account(&r.ledger[cpu], now);
	attribute(cpu, before);
	if (r.followed[cpu])
		close_task(cpu);
	else
		open_task(cpu);
}

static void offline(unsigned int cpu, u64 now)
{
	u64 before[CPUPR_NR_CATEGORIES];

	r.event = "offline";
	memcpy(before, r.ledger[cpu].time, sizeof(before));
	cpupr_ledger_offline(&r.ledger[cpu], now);
	attribute(cpu, before);
	if (r.followed[cpu])
		close_task(cpu);
	r.runs[cpu] = IDLE(cpu);
}

static void online(unsigned int cpu, u64 now)
{
	r.event = "online";
	cpupr_ledger_online(&r.ledger[cpu], now, CPUPR_IDLE);
	r.runs[cpu] = IDLE(cpu);
	open_task(cpu);
}

static void event(unsigned int cpu)
{
	const struct history *h = r.h;
	u64 now = r.clock[cpu];

	if (!r.ledger[cpu].online) {
		if (chance(200))
			online(cpu, now);
		return;
	}
	if (chance(h->back))
		now = r.ledger[cpu].start - below(40) * h->tick;
	if (chance(h->hotplug)) {
		offline(cpu, now);
	} else if (chance(h->follow)) {
		follow(cpu, now);
	} else {
		switch (below(6)) {
		case 0:
		case 1:
			switch_to(cpu, now);
			break;
		case 2:
			enter_call(cpu, now);
			break;
		case 3:
			return_to_user(cpu, now);
			break;
		default:
			interrupt(cpu, now);
			break;
		}
	}
}

static void begin(const struct history *h)
{
	unsigned int i;

	memset(&r, 0, sizeof(r));
	r.h = h;
	for (i = 0; i < RECORDS; i++) {
		r.record[i].call = CPUPR_NO_CALL;
		r.record[i].key = i < TASKS ? &r.record[i] : NULL;
	}
	for (i = 0; i < CPUS; i++) {
		cpupr_calls_init(&r.calls[i]);
		r.clock[i] = h->origin + below(h->skew + 1) * h->tick;
		online(i, r.clock[i]);
	}
}

static bool history(const struct history *h)
{
	unsigned int i;

	begin(h);
	for (r.number = 0; r.number < h->events; r.number++) {
		u64 passed = below(12) * h->tick;

		for (i = 0; i < CPUS; i++)
			r.clock[i] += passed;
		i = below(CPUS);
		event(i);
		if (!tasks_agree() || !on_its_cpu(i) ||
		    (r.number % 1000 == 0 && !rows_agree()))
			return false;
	}
	return rows_agree();
}

int main(void)
{
	unsigned int i;

	ktap_plan(sizeof(histories) / sizeof(histories[0]));
	for (i = 0; i < sizeof(histories) / sizeof(histories[0]); i++) {
		random_state = i;
		ktap_result(history(&histories[i]), histories[i].name);
	}
	return ktap_exit();
}
