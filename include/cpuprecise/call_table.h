/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * System calls of one CPU, by ABI and number: how many began here, and how long
 * those were that ended here.
 *
 * Pure: it sees numbers only.
 *
 * Context: one writer, the CPU that the books belong to, with interrupts off.
 */
#ifndef CPUPRECISE_CALL_TABLE_H
#define CPUPRECISE_CALL_TABLE_H

#include <cpuprecise/hist.h>
#include <cpuprecise/task_table.h>

#define CPUPR_CALL_NUMBERS	512	/* of an ABI; no kernel has more */
#define CPUPR_CALL_OTHER	CPUPR_CALL_NUMBERS	/* what is beyond, and what finds no row */
#define CPUPR_CALL_SLOTS	(CPUPR_CALL_OTHER + 1)
#define CPUPR_CALL_ABIS		2	/* native, compat */
#define CPUPR_CALLS		(CPUPR_CALL_ABIS * CPUPR_CALL_SLOTS)
#define CPUPR_CALL_ROWS		160	/* of a CPU: of these the first are the ABIs' others */

/**
 * struct cpupr_call_row - what is counted of a call: u64 only
 * @count: began
 * @cpu: of those that ended: time in the kernel, without sleep and interrupts, ticks
 * @wall: from entry to end, ticks
 * @max: the longest @wall, ticks
 * @cpu_hist: how many ended, by time in the kernel
 * @wall_hist: and from entry to end
 */
struct cpupr_call_row {
	u64 count;
	u64 cpu;
	u64 wall;
	u64 max;
	u64 cpu_hist[CPUPR_BUCKETS];
	u64 wall_hist[CPUPR_BUCKETS];
};

/**
 * struct cpupr_call_books - the calls of one CPU
 * @row_of: by slot: number, or CPUPR_CALL_OTHER, of the native ABI, then of the
 *	compat one; NULL before the first call
 * @used: entries of @row in use
 * @row: in the order of the first call
 */
struct cpupr_call_books {
	struct cpupr_call_row *row_of[CPUPR_CALLS];
	unsigned int used;
	struct cpupr_call_row row[CPUPR_CALL_ROWS];
};

void cpupr_calls_init(struct cpupr_call_books *b);
u64 __no_caller_saved_registers cpupr_call_row_new(void *unused, struct cpupr_call_books *b,
						     unsigned int slot);
bool cpupr_call_has_row(const struct cpupr_call_books *b, unsigned int slot);
void cpupr_call_rows_add(struct cpupr_call_row *to, const struct cpupr_call_row *from);
void cpupr_call_rows_sub(struct cpupr_call_row *to, const struct cpupr_call_row *from);

/* Where a call is counted. */
static __always_inline unsigned int cpupr_call_slot(bool compat, unsigned long nr)
{
	unsigned int slot = nr < CPUPR_CALL_NUMBERS ? (unsigned int)nr : CPUPR_CALL_OTHER;

	return unlikely(compat) ? slot + CPUPR_CALL_SLOTS : slot;
}

static __always_inline struct cpupr_call_row *cpupr_call_row(struct cpupr_call_books *b,
							     unsigned int slot)
{
	struct cpupr_call_row *row = b->row_of[slot];

	if (unlikely(!row))
		row = (void *)(unsigned long)cpupr_call_cold(cpupr_call_row_new, b, slot);
	return row;
}

/**
 * cpupr_call_begin() - a task enters a system call
 * @b: the CPU's calls
 * @task: its record; any, if it has none: then the call is only counted
 * @slot: see cpupr_call_slot()
 * @now: ticks
 * @system: the CPU's ledger's system time at @now, ticks
 */
static __always_inline void cpupr_call_begin(struct cpupr_call_books *b, struct cpupr_task *task,
					     unsigned int slot, u64 now, u64 system)
{
	cpupr_call_row(b, slot)->count++;
	if (unlikely(!task->key))
		return;
	task->call = (s32)slot;
	task->call_system = task->time[CPUPR_TASK_SYSTEM] + system;
	task->call_start = now;
}

/**
 * cpupr_call_end() - its call is over
 * @b: the CPU's calls
 * @task: its record, with a call
 * @now: ticks
 * @system: as for cpupr_call_begin(); 0 if the task has left the CPU
 * @scale: for ticks to ns, see below
 * @shift: ns are ticks * @scale >> @shift
 *
 * The wall clock may be that of another CPU than the one where it began: it says
 * no less than what the task was seen to spend.
 */
static __always_inline void cpupr_call_end(struct cpupr_call_books *b, struct cpupr_task *task,
					   u64 now, u64 system, u64 scale, unsigned int shift)
{
	struct cpupr_call_row *row = cpupr_call_row(b, (unsigned int)task->call);
	u64 cpu = task->time[CPUPR_TASK_SYSTEM] + system - task->call_system;
	u64 wall = now - task->call_start;

	if (unlikely((s64)(wall - cpu) < 0))
		wall = cpu;
	task->call = CPUPR_NO_CALL;
	row->cpu += cpu;
	row->wall += wall;
	if (unlikely(wall > row->max))
		row->max = wall;
	row->cpu_hist[cpupr_bucket(mul_u64_u64_shr(cpu, scale, shift))]++;
	row->wall_hist[cpupr_bucket(mul_u64_u64_shr(wall, scale, shift))]++;
}

#endif
