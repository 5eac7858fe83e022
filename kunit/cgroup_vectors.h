/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Slices of control groups, step by step: what the host test and the KUnit suite share.
 */
#ifndef CPUPRECISE_CGROUP_VECTORS_H
#define CPUPRECISE_CGROUP_VECTORS_H

#include <cpuprecise/cgroup_table.h>

/**
 * struct cgroup_step - a slice that ends, and its group's row then
 * @name: of the step
 * @user: what the ledger's user, nice, system, irq and softirq grow by, ticks
 * @nice: see @user
 * @system: see @user
 * @irq: see @user
 * @softirq: see @user
 * @id: the group of the task that leaves
 * @delay: what the task's waits are by then, ns
 * @next: what those of the next one are, ns
 * @row: the group's row: user, system, irq, softirq, wait
 */
struct cgroup_step {
	const char *name;
	u64 user, nice, system, irq, softirq;
	u64 id;
	u64 delay, next;
	u64 row[CPUPR_NR_TASK_TIMES + 1];
};

static const struct cgroup_step cgroup_steps[] = {
	{ "all categories", 1, 20, 300, 4000, 50000, 7, 9, 100, { 21, 300, 4000, 50000, 9 } },
	{ "another group", 5, 0, 6, 0, 0, 8, 130, 9, { 5, 6, 0, 0, 30 } },
	{ "the first one again", 10, 0, 0, 0, 0, 7, 9, 0, { 31, 300, 4000, 50000, 9 } },
	{ "nobody's: the idle task", 0, 0, 0, 70, 0, 0, 0, 500, { 0 } },
	{ "and it is nobody's still", 2, 0, 0, 0, 0, 8, 501, 0, { 7, 6, 0, 0, 31 } },
	{ "a number of the same hash", 0, 0, 3, 0, 0, 7 + CPUPR_CGROUPS, 0, 0, { 0, 3, 0, 0, 0 } },
	{ "in a row that nobody's slice could take", 1, 0, 0, 0, 0, CPUPR_CGROUPS, 0, 0, { 1, 0, 0, 0, 0 } },
	{ "ten years at 6 GHz", 1893456000000000000ULL, 0, 0, 0, 0, 7, 0, 0,
	  { 1893456000000000031ULL, 300, 4000, 50000, 9 } },
};

static inline u64 cgroup_value(const struct cpupr_cgroup_row *row, unsigned int i)
{
	return i < CPUPR_NR_TASK_TIMES ? row->time[i] : row->wait;
}

/* Takes step @i; the books and the ledger are zeroed before the first one. */
static inline bool cgroup_right(struct cpupr_cgroup_books *b, struct cpupr_ledger *l, unsigned int i)
{
	const struct cgroup_step *s = &cgroup_steps[i];
	const struct cpupr_cgroup_row *row;
	unsigned int v;

	l->time[CPUPR_USER] += s->user;
	l->time[CPUPR_NICE] += s->nice;
	l->time[CPUPR_SYSTEM] += s->system;
	l->time[CPUPR_IRQ] += s->irq;
	l->time[CPUPR_SOFTIRQ] += s->softirq;
	cpupr_cgroup_slice(b, l, s->id, s->delay);
	cpupr_cgroup_seed(b, l, s->next);
	if (!s->id)
		return true;
	row = cpupr_cgroup_row(b, s->id);
	for (v = 0; v <= CPUPR_NR_TASK_TIMES; v++)
		if (row->id != s->id || cgroup_value(row, v) != s->row[v])
			return false;
	return true;
}

/* Half as many ticks: what a slice began with is not more than the ledger has. */
static inline bool cgroup_rescale_right(struct cpupr_cgroup_books *b, struct cpupr_ledger *l)
{
	struct cpupr_cgroup_row *row = cpupr_cgroup_row(b, 7);

	row->time[0] = 9;
	row->wait = 9;
	l->time[CPUPR_USER] = 3;
	l->time[CPUPR_NICE] = 3;
	l->time[CPUPR_SYSTEM] = 9;
	cpupr_cgroup_seed(b, l, 0);
	l->time[CPUPR_USER] = 1;
	l->time[CPUPR_NICE] = 1;
	l->time[CPUPR_SYSTEM] = 4;
	cpupr_cgroup_rescale(b, l, 1, 1);
	l->time[CPUPR_SYSTEM] += 5;
	cpupr_cgroup_slice(b, l, 7, 0);
	return row->time[0] == 4 && row->time[1] == 5 && row->wait == 9;
}

/* More groups than there are rows: each has its own, and then all the same. */
static inline bool cgroup_full_right(struct cpupr_cgroup_books *b)
{
	struct cpupr_cgroup_row *other = &b->row[CPUPR_CGROUP_OTHER];
	u64 id;

	for (id = 1; id <= CPUPR_CGROUPS; id++)
		if (cpupr_cgroup_row(b, id * 1000) == other)
			return false;
	return cpupr_cgroup_row(b, 7) == other && cpupr_cgroup_row(b, 8) == other && !other->id &&
	       cpupr_cgroup_row(b, 1000) != other && cpupr_cgroup_row(b, 1000)->id == 1000;
}

#endif
