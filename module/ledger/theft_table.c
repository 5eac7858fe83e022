// SPDX-License-Identifier: GPL-2.0-only
/*
 * Theft: finding a pair, and making room for it.
 *
 * Pure: also built by KUnit and on the host. See theft_table.h.
 */
#include <cpuprecise/irq_table.h>

/* Where a pair is. The factor is that of cpupr_task_head(). */
static notrace unsigned int set_of(const struct cpupr_irq_row *row, u64 victim)
{
	return ((victim + ((unsigned long)row >> 6)) * 0x9e3779b97f4a7c15ULL >> 32) % CPUPR_THEFT_SETS;
}

/* The one of a set that is to go: a free one, or that with the least time. */
static notrace struct cpupr_theft_pair *least(struct cpupr_theft_pair *set)
{
	struct cpupr_theft_pair *p, *best = set;

	for (p = set; p < set + CPUPR_THEFT_WAYS; p++) {
		if (!p->row)
			return p;
		if (p->time < best->time)
			best = p;
	}
	return best;
}

static notrace void evict(struct cpupr_theft *t, struct cpupr_theft_pair *p)
{
	t->evicted++;
	t->evicted_count += p->count;
	t->evicted_time += p->time;
	if (p->row->pair == p)
		p->row->victim = CPUPR_THEFT_NONE;
}

/**
 * cpupr_theft_find() - the pair of an interrupt and its victim
 * @t: the CPU's pairs
 * @row: the interrupt's row, one of the same CPU
 * @victim: number of the task's record
 *
 * Return: the pair, with @count and @time 0 if it is new. Good until the next call for
 * the same CPU.
 */
notrace struct cpupr_theft_pair *cpupr_theft_find(struct cpupr_theft *t, struct cpupr_irq_row *row,
						  u64 victim)
{
	struct cpupr_theft_pair *set, *p;

	if (victim == CPUPR_THEFT_IDLE)
		return &t->idle;
	set = &t->pair[set_of(row, victim) * CPUPR_THEFT_WAYS];
	for (p = set; p < set + CPUPR_THEFT_WAYS; p++)
		if (p->row == row && p->victim == victim)
			return p;
	p = least(set);
	if (p->row)
		evict(t, p);
	*p = (struct cpupr_theft_pair){ .row = row, .victim = victim, .born = ++t->born };
	return p;
}

/**
 * cpupr_theft_rescale() - go on with another clock
 * @t: a CPU's pairs
 * @mult: one old tick is @mult / 2^@shift new ones
 * @shift: see @mult
 */
void cpupr_theft_rescale(struct cpupr_theft *t, u32 mult, u32 shift)
{
	unsigned int i;

	for (i = 0; i < CPUPR_THEFT_PAIRS; i++)
		t->pair[i].time = mul_u64_u32_shr(t->pair[i].time, mult, shift);
	t->idle.time = mul_u64_u32_shr(t->idle.time, mult, shift);
	t->evicted_time = mul_u64_u32_shr(t->evicted_time, mult, shift);
}
