// SPDX-License-Identifier: GPL-2.0-only
/*
 * System calls, the cold half: rows for calls that were not seen before, and sums.
 *
 * Pure: also built by KUnit and on the host. See call_table.h.
 */
#include <cpuprecise/call_table.h>

/**
 * cpupr_calls_init() - books of a CPU that has seen no call
 * @b: the books, zeroed
 */
void cpupr_calls_init(struct cpupr_call_books *b)
{
	for (b->used = 0; b->used < CPUPR_CALL_ABIS; b->used++)
		b->row_of[b->used * CPUPR_CALL_SLOTS + CPUPR_CALL_OTHER] = &b->row[b->used];
}

/**
 * cpupr_call_row_new() - a row for a call
 * @unused: see cpupr_call_cold()
 * @b: the CPU's calls
 * @slot: of the call, which has none
 *
 * Return: a struct cpupr_call_row: a new one, or the ABI's other.
 */
notrace u64 cpupr_call_row_new(void *unused, struct cpupr_call_books *b, unsigned int slot)
{
	struct cpupr_call_row *row = &b->row[slot / CPUPR_CALL_SLOTS];

	if (b->used < CPUPR_CALL_ROWS)
		row = &b->row[b->used++];
	b->row_of[slot] = row;
	return (unsigned long)row;
}

/**
 * cpupr_call_has_row() - is a call counted by itself?
 * @b: a CPU's calls
 * @slot: of the call
 *
 * Return: false, too, before its first.
 */
bool cpupr_call_has_row(const struct cpupr_call_books *b, unsigned int slot)
{
	const struct cpupr_call_row *row = READ_ONCE(b->row_of[slot]);

	return row && (slot % CPUPR_CALL_SLOTS == CPUPR_CALL_OTHER ||
		       row != &b->row[slot / CPUPR_CALL_SLOTS]);
}

#define NUMBERS	(sizeof(struct cpupr_call_row) / sizeof(u64))

/**
 * cpupr_call_rows_add() - add up a call over CPUs
 * @to: the sum
 * @from: what is added
 */
void cpupr_call_rows_add(struct cpupr_call_row *to, const struct cpupr_call_row *from)
{
	u64 max = to->max > from->max ? to->max : from->max;
	unsigned int i;

	for (i = 0; i < NUMBERS; i++)
		((u64 *)to)[i] += ((const u64 *)from)[i];
	to->max = max;
}

/**
 * cpupr_call_rows_sub() - what came since
 * @to: what is counted now, made the difference; its longest stays
 * @from: what was counted then
 */
void cpupr_call_rows_sub(struct cpupr_call_row *to, const struct cpupr_call_row *from)
{
	u64 max = to->max;
	unsigned int i;

	for (i = 0; i < NUMBERS; i++)
		((u64 *)to)[i] -= ((const u64 *)from)[i];
	to->max = max;
}
