/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two CPUs with their ledgers and calls, and a few tasks: what the timelines of
 * task_vectors.h and call_vectors.h are replayed on.
 *
 * It does what the hooks do, in their order, without anything of theirs.
 */
#ifndef CPUPRECISE_TASK_MACHINE_H
#define CPUPRECISE_TASK_MACHINE_H

#include <cpuprecise/call_table.h>

#define MACHINE_CPUS	2
#define MACHINE_TASKS	4
#define MACHINE_OTHER	3	/* what tasks without a record are booked under */
#define MACHINE_SHIFT	60

/* Ten years of a clock of 6 GHz. */
#define TEN_YEARS	1893456000000000000ULL

enum machine_op {
	/* What happens, on a CPU at a time */
	M_END,
	M_ONLINE,	/* a: base; its idle task runs */
	M_SWITCH,	/* a: to which task, 0 is the idle one; b: base */
	M_SYSTEM,	/* user code enters the kernel by no call */
	M_USER,		/* a: base; b: boundary */
	M_IRQ,
	M_IRQ_END,
	M_SOFTIRQ,
	M_SOFTIRQ_END,
	M_CLOSE,	/* tasks are no longer followed */
	M_OPEN,		/* a: the task that runs, which is followed from now on */
	M_CALL,		/* a: slot */
	M_RETURN,	/* the call of the task that runs is over, if it is in one */
	M_DIED,		/* a: a task that just left the CPU within a call */
	M_FILL,		/* calls of a task without a record, a: first slot, b: how many */
	M_SCALE,	/* a: ns are ticks * a >> MACHINE_SHIFT */
	/* What must be, at that time; the last three: of the CPU */
	M_TIME,		/* a: task, 0 is the idle one of the CPU; b: of which time */
	M_ON,		/* a: task; its CPU */
	M_IN_CALL,	/* a: task; is it in one? */
	M_HAS_ROW,	/* a: slot */
	M_ROW,		/* a: slot; b: which number of a struct cpupr_call_row */
};

/* Numbers of a row. */
#define ROW(field)		(offsetof(struct cpupr_call_row, field) / sizeof(u64))
#define ROW_CPU_HIST(bucket)	(ROW(cpu_hist) + (bucket))
#define ROW_WALL_HIST(bucket)	(ROW(wall_hist) + (bucket))

struct machine_step {
	enum machine_op op;
	int cpu;
	u64 at;
	u64 a;
	u64 b;
	u64 want;
};

#define MACHINE_STEPS	32

/**
 * struct machine_vector - a timeline; nothing has happened before
 * @name: what it shows
 * @step: up to M_END
 */
struct machine_vector {
	const char *name;
	struct machine_step step[MACHINE_STEPS];
};

/**
 * struct machine - all there is
 * @ledger: of the CPUs
 * @runs: which record is followed there, NULL if none
 * @idle: of the CPUs
 * @task: by number
 * @scale: see M_SCALE
 * @calls: of the CPUs
 */
struct machine {
	struct cpupr_ledger ledger[MACHINE_CPUS];
	struct cpupr_task *runs[MACHINE_CPUS];
	struct cpupr_task idle[MACHINE_CPUS];
	struct cpupr_task task[MACHINE_TASKS];
	u64 scale;
	struct cpupr_call_books calls[MACHINE_CPUS];
};

static inline void machine_init(struct machine *m)
{
	int i;

	memset(m, 0, sizeof(*m));
	m->scale = 1ULL << MACHINE_SHIFT;
	for (i = 0; i < MACHINE_CPUS; i++) {
		m->idle[i].call = CPUPR_NO_CALL;
		cpupr_calls_init(&m->calls[i]);
	}
	for (i = 0; i < MACHINE_TASKS; i++) {
		m->task[i].call = CPUPR_NO_CALL;
		m->task[i].cpu = -1;
		if (i != MACHINE_OTHER)
			m->task[i].key = &m->task[i];
	}
}

static inline struct cpupr_task *machine_task(struct machine *m, int cpu, u64 number)
{
	return number ? &m->task[number] : &m->idle[cpu];
}

static inline void machine_open(struct machine *m, int cpu, struct cpupr_task *task)
{
	m->runs[cpu] = task;
	task->cpu = cpu;
	cpupr_task_ledger(task->time, &m->ledger[cpu], -1);
}

static inline void machine_close(struct machine *m, int cpu)
{
	cpupr_task_ledger(m->runs[cpu]->time, &m->ledger[cpu], 1);
	m->runs[cpu] = NULL;
}

static inline void machine_switch(struct machine *m, int cpu, struct cpupr_task *next)
{
	if (!m->runs[cpu])
		return;
	cpupr_task_switch(m->runs[cpu], next, &m->ledger[cpu], cpu);
	m->runs[cpu] = next;
}

static inline void machine_call_end(struct machine *m, int cpu, struct cpupr_task *task, u64 system)
{
	if (task->call >= 0)
		cpupr_call_end(&m->calls[cpu], task, m->ledger[cpu].start, system, m->scale,
			       MACHINE_SHIFT);
}

/* As a reader: an interval that is open, too. */
static inline u64 machine_time(const struct machine *m, const struct cpupr_task *task, u64 at,
			       u64 which)
{
	u64 time[CPUPR_NR_TASK_TIMES];
	struct cpupr_ledger l;

	memcpy(time, task->time, sizeof(time));
	if (task->cpu >= 0 && m->runs[task->cpu] == task) {
		l = m->ledger[task->cpu];
		cpupr_ledger_account(&l, at);
		cpupr_task_ledger(time, &l, 1);
	}
	return time[which];
}

static inline void machine_fill(struct cpupr_call_books *b, struct cpupr_task *task, u64 first, u64 n)
{
	u64 slot;

	for (slot = first; slot < first + n; slot++)
		cpupr_call_begin(b, task, (unsigned int)slot, 0, 0);
}

/* Returns what @s found: what it wants, if it is not there to look. */
static inline u64 machine_apply(struct machine *m, const struct machine_step *s)
{
	struct cpupr_task *task = machine_task(m, s->cpu, s->a % MACHINE_TASKS);
	struct cpupr_call_books *calls = &m->calls[s->cpu];
	struct cpupr_ledger *l = &m->ledger[s->cpu];

	switch (s->op) {
	case M_END:
		break;
	case M_ONLINE:
		cpupr_ledger_online(l, s->at, (enum cpupr_category)s->a);
		machine_open(m, s->cpu, &m->idle[s->cpu]);
		break;
	case M_SWITCH:
		cpupr_ledger_switch(l, s->at, (enum cpupr_category)s->b, 0);
		machine_switch(m, s->cpu, task);
		break;
	case M_SYSTEM:
		cpupr_ledger_system(l, s->at);
		break;
	case M_USER:
		cpupr_ledger_user(l, s->at, (enum cpupr_category)s->a, s->b);
		break;
	case M_IRQ:
		cpupr_ledger_irq_enter(l, s->at);
		break;
	case M_IRQ_END:
		cpupr_ledger_irq_exit(l, s->at);
		break;
	case M_SOFTIRQ:
		cpupr_ledger_softirq_enter(l, s->at);
		break;
	case M_SOFTIRQ_END:
		cpupr_ledger_softirq_exit(l, s->at);
		break;
	case M_CLOSE:
		cpupr_ledger_account(l, s->at);
		machine_close(m, s->cpu);
		break;
	case M_OPEN:
		cpupr_ledger_account(l, s->at);
		machine_open(m, s->cpu, task);
		break;
	case M_CALL:
		cpupr_ledger_system(l, s->at);
		cpupr_call_begin(calls, m->runs[s->cpu], (unsigned int)s->a, s->at,
				 l->time[CPUPR_SYSTEM]);
		break;
	case M_RETURN:
		cpupr_ledger_account(l, s->at);
		machine_call_end(m, s->cpu, m->runs[s->cpu], l->time[CPUPR_SYSTEM]);
		cpupr_ledger_user(l, s->at, CPUPR_USER, 0);
		break;
	case M_DIED:
		machine_call_end(m, s->cpu, task, 0);
		break;
	case M_FILL:
		machine_fill(calls, &m->task[MACHINE_OTHER], s->a, s->b);
		break;
	case M_SCALE:
		m->scale = s->a;
		break;
	case M_TIME:
		return machine_time(m, task, s->at, s->b);
	case M_ON:
		return (u64)task->cpu;
	case M_IN_CALL:
		return task->call >= 0;
	case M_HAS_ROW:
		return cpupr_call_has_row(calls, (unsigned int)s->a);
	case M_ROW:
		return calls->row_of[s->a] ? ((u64 *)calls->row_of[s->a])[s->b] : 0;
	}
	return s->want;
}

/**
 * machine_run() - replay a timeline
 * @v: the timeline
 * @m: on what, cleared first
 * @got: what the step that is returned found
 *
 * Return: the number of the first step that did not find what it should, or -1.
 */
static inline int machine_run(const struct machine_vector *v, struct machine *m, u64 *got)
{
	int i;

	machine_init(m);
	for (i = 0; i < MACHINE_STEPS && v->step[i].op != M_END; i++) {
		*got = machine_apply(m, &v->step[i]);
		if (*got != v->step[i].want)
			return i;
	}
	return -1;
}

#endif
