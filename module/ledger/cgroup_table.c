// SPDX-License-Identifier: GPL-2.0-only
/*
 * Control groups: booking slices.
 *
 * Pure: also built by KUnit and on the host. See cgroup_table.h.
 */
#include <cpuprecise/cgroup_table.h>

/**
 * cpupr_cgroup_row() - where a group is booked
 * @b: the CPU's books
 * @id: of the group, not 0
 *
 * Return: its row, from the first time on; that of the rest if there is none left.
 */
notrace struct cpupr_cgroup_row *cpupr_cgroup_row(struct cpupr_cgroup_books *b, u64 id)
{
	unsigned int i;

	/* Groups are numbered in order: their numbers are hash enough. */
	for (i = 0; i < CPUPR_CGROUPS; i++) {
		struct cpupr_cgroup_row *row = &b->row[(id + i) % CPUPR_CGROUPS];

		if (!row->id)
			row->id = id;
		if (row->id == id)
			return row;
	}
	return &b->row[CPUPR_CGROUP_OTHER];
}

/**
 * cpupr_cgroup_slice() - a task leaves the CPU
 * @b: the CPU's books
 * @l: its ledger, its interval just closed
 * @id: of the task's group; 0 if the slice is nobody's
 * @delay: the task's waits, all in all, ns
 */
notrace void cpupr_cgroup_slice(struct cpupr_cgroup_books *b, const struct cpupr_ledger *l, u64 id,
				u64 delay)
{
	u64 time[CPUPR_NR_TASK_TIMES] = { 0 };
	struct cpupr_cgroup_row *row;
	unsigned int i;

	if (!id)
		return;
	cpupr_task_ledger(time, l, 1);
	row = cpupr_cgroup_row(b, id);
	for (i = 0; i < CPUPR_NR_TASK_TIMES; i++)
		row->time[i] += time[i] - b->mark[i];
	row->wait += delay - b->delay;
}

/**
 * cpupr_cgroup_seed() - another one comes, or what was before is nobody's
 * @b: the CPU's books
 * @l: its ledger, its interval just closed
 * @delay: that task's waits, all in all, ns
 */
notrace void cpupr_cgroup_seed(struct cpupr_cgroup_books *b, const struct cpupr_ledger *l,
			       u64 delay)
{
	memset(b->mark, 0, sizeof(b->mark));
	cpupr_task_ledger(b->mark, l, 1);
	b->delay = delay;
}

/**
 * cpupr_cgroup_rescale() - convert ticks to another clock
 * @b: the CPU's books
 * @l: its ledger, already converted
 * @mult: one old tick is @mult / 2^@shift new ones
 * @shift: see @mult
 */
void cpupr_cgroup_rescale(struct cpupr_cgroup_books *b, const struct cpupr_ledger *l, u32 mult,
			  u32 shift)
{
	u64 time[CPUPR_NR_TASK_TIMES] = { 0 };
	unsigned int i, row;

	cpupr_task_ledger(time, l, 1);
	for (i = 0; i < CPUPR_NR_TASK_TIMES; i++) {
		/* A mark is rounded down once, what it was made of part by part. */
		b->mark[i] = min(mul_u64_u32_shr(b->mark[i], mult, shift), time[i]);
		for (row = 0; row <= CPUPR_CGROUP_OTHER; row++)
			b->row[row].time[i] = mul_u64_u32_shr(b->row[row].time[i], mult, shift);
	}
}
