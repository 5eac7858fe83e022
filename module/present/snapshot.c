// SPDX-License-Identifier: GPL-2.0-only
/*
 * Taking snapshots, and the epoch: a reset is a baseline kept here, on the
 * reader's side, and never touches a ledger.
 */
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include <cpuprecise/call_rows.h>
#include <cpuprecise/cgroups.h>
#include <cpuprecise/counter.h>
#include <cpuprecise/cycles_snapshot.h>
#include <cpuprecise/freqs_snapshot.h>
#include <cpuprecise/guest.h>
#include <cpuprecise/idle_snapshot.h>
#include <cpuprecise/irqs_snapshot.h>
#include <cpuprecise/percpu.h>
#include <cpuprecise/runq.h>
#include <cpuprecise/snapshot.h>
#include <cpuprecise/task_rows.h>

#define PASSES	16	/* to begin an epoch between two interrupts */

/**
 * struct baseline - what readers know of a CPU, in ticks since load
 * @time: by category, where the epoch began
 * @shown: by category, the last read
 * @guest: of user and nice, where the epoch began
 * @guest_shown: of user and nice, the last read
 */
struct baseline {
	u64 time[CPUPR_NR_CATEGORIES];
	u64 shown[CPUPR_NR_CATEGORIES];
	u64 guest[CPUPR_NR_GUEST];
	u64 guest_shown[CPUPR_NR_GUEST];
};

/* Serialises readers with resets and with a change of clock. Never in a probe. */
static DEFINE_MUTEX(snapshot_mutex);
static struct baseline *baselines;	/* nr_cpu_ids */
static u64 epoch, since;
static bool steal_known;	/* in this epoch */
static u64 unbalanced;

static void copy_ledger(int cpu, struct cpupr_ledger *copy)
{
	while (!cpupr_ledger_copy(cpu, copy, UINT_MAX))
		;
}

/* What was shown stays. */
static void keep_shown(struct baseline *b, struct cpupr_ledger *copy)
{
	u64 was[CPUPR_NR_GUEST];
	int i;

	memcpy(was, b->shown, sizeof(was));
	cpupr_keep_shown(copy->time, b->shown);
	for (i = 0; i < CPUPR_NR_GUEST; i++)
		copy->guest[i] = cpupr_keep_guest(copy->guest[i], &b->guest_shown[i],
						  b->shown[i] - was[i]);
}

/* What was copied of a CPU, as it is shown. */
static void settle(int cpu, struct cpupr_ledger *copy)
{
	if (cpupr_ledger_sum(copy) != cpupr_ledger_elapsed(copy))
		unbalanced++;
	keep_shown(&baselines[cpu], copy);
}

/**
 * cpupr_snapshot_row() - one CPU, of books that were copied with something else
 * @cpu: its number
 * @row: filled in
 * @copy: its ledger, the open interval accounted; adjusted to what was shown before
 *
 * Context: under cpupr_snapshot_lock(), which has been held since they were copied.
 */
void cpupr_snapshot_row(int cpu, struct cpupr_row *row, struct cpupr_ledger *copy)
{
	struct baseline *b = &baselines[cpu];
	int i;

	settle(cpu, copy);
	row->elapsed = 0;
	for (i = 0; i < CPUPR_NR_CATEGORIES; i++) {
		row->ns[i] = cpupr_clock_ns(copy->time[i] - b->time[i]);
		row->elapsed += row->ns[i];
	}
	for (i = 0; i < CPUPR_NR_GUEST; i++)
		row->guest_ns[i] = cpupr_clock_ns(copy->guest[i] - b->guest[i]);
	row->online = copy->online;
	row->shown = copy->online || row->elapsed;
}

/**
 * cpupr_snapshot_cpu() - one CPU, and the books that it was taken of
 * @cpu: its number
 * @row: filled in
 * @copy: filled in: since load
 *
 * Context: under cpupr_snapshot_lock().
 */
void cpupr_snapshot_cpu(int cpu, struct cpupr_row *row, struct cpupr_ledger *copy)
{
	copy_ledger(cpu, copy);
	cpupr_snapshot_row(cpu, row, copy);
}

static void add_row(struct cpupr_row *total, const struct cpupr_row *row)
{
	int i;

	for (i = 0; i < CPUPR_NR_CATEGORIES; i++)
		total->ns[i] += row->ns[i];
	for (i = 0; i < CPUPR_NR_GUEST; i++)
		total->guest_ns[i] += row->guest_ns[i];
	total->elapsed += row->elapsed;
}

/**
 * cpupr_snapshot_size() - bytes of a struct cpupr_snapshot
 */
size_t cpupr_snapshot_size(void)
{
	return struct_size((struct cpupr_snapshot *)NULL, cpu, nr_cpu_ids);
}

/**
 * cpupr_snapshot_take() - fill in a snapshot
 * @snapshot: struct cpupr_snapshot, cpupr_snapshot_size() bytes, zeroed before
 *	its first use: rows of CPUs that are not possible stay as they are
 *
 * Changes nothing that a probe sees, interrupts no CPU.
 *
 * Context: process, may sleep.
 */
void cpupr_snapshot_take(void *snapshot)
{
	struct cpupr_snapshot *s = snapshot;
	struct cpupr_ledger copy;
	int cpu;

	memset(&s->total, 0, sizeof(s->total));
	mutex_lock(&snapshot_mutex);
	s->epoch = epoch;
	s->clock = cpupr_clock_name();
	s->since = since;
	s->now = ktime_get_ns();
	s->guest_known = READ_ONCE(cpupr_guest_known);
	s->total.online = true;
	s->total.shown = true;
	for_each_possible_cpu(cpu) {
		cpupr_snapshot_cpu(cpu, &s->cpu[cpu], &copy);
		add_row(&s->total, &s->cpu[cpu]);
	}
	/* It may have been on between two reads. */
	steal_known = steal_known || cpupr_steal_watched() || s->total.ns[CPUPR_STEAL];
	s->steal_known = steal_known;
	mutex_unlock(&snapshot_mutex);
}

/* What interrupts have of all CPUs, those that go on as well: ticks since load. */
static u64 interrupted(void)
{
	struct cpupr_ledger copy;
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		copy_ledger(cpu, &copy);
		sum += copy.time[CPUPR_IRQ] + copy.time[CPUPR_SOFTIRQ];
	}
	return sum;
}

/* Of what is added up over CPUs and again over tasks, so as close together as can be. */
static void rebase(void)
{
	struct cpupr_ledger copy;
	int cpu;

	cpupr_task_rows_rebase();
	since = ktime_get_ns();
	for_each_possible_cpu(cpu) {
		copy_ledger(cpu, &copy);
		settle(cpu, &copy);
		memcpy(baselines[cpu].time, copy.time, sizeof(copy.time));
		memcpy(baselines[cpu].guest, copy.guest, sizeof(copy.guest));
		cpupr_task_rows_rebase_cpu(cpu, &copy);
	}
	cpupr_task_rows_settle();
	cpupr_theft_rebase();
}

/**
 * cpupr_snapshot_reset() - begin a new epoch
 *
 * Context: process, may sleep.
 */
void cpupr_snapshot_reset(void)
{
	unsigned int pass = 1;
	u64 before, now;

	mutex_lock(&snapshot_mutex);
	epoch++;
	steal_known = cpupr_steal_watched();
	/*
	 * The first pass only warms the caches: @since and the baselines are
	 * to be as close together as @now and the rows of a later read. So are
	 * those of a CPU and of the task that runs there. And what an interrupt takes
	 * between two of them would be stolen by one account and not by the other: that
	 * pass is made again, unless they come without a pause.
	 */
	rebase();
	now = interrupted();
	do {
		before = now;
		rebase();
		now = interrupted();
	} while (now != before && ++pass < PASSES);
	cpupr_irqs_rebase();
	cpupr_idle_rebase();
	cpupr_freqs_rebase();
	cpupr_cycles_rebase();
	cpupr_counters_rebase();
	cpupr_runq_rebase();
	cpupr_call_rows_rebase();
	cpupr_cgroups_rebase();
	mutex_unlock(&snapshot_mutex);
}

/**
 * cpupr_snapshot_elapsed() - for how long a CPU was observed in this epoch
 * @cpu: its number
 *
 * Context: under cpupr_snapshot_lock().
 *
 * Return: ns.
 */
u64 cpupr_snapshot_elapsed(int cpu)
{
	struct cpupr_ledger copy;
	struct cpupr_row row;

	cpupr_snapshot_cpu(cpu, &row, &copy);
	return row.elapsed;
}

/**
 * cpupr_snapshot_lock() - keep other readers, resets and a change of clock out
 */
void cpupr_snapshot_lock(void)
{
	mutex_lock(&snapshot_mutex);
}

/**
 * cpupr_snapshot_unlock() - let them in again
 */
void cpupr_snapshot_unlock(void)
{
	mutex_unlock(&snapshot_mutex);
}

/**
 * cpupr_snapshot_rescale() - convert what is kept here to another clock
 * @mult: one old tick is @mult / 2^@shift new ones
 * @shift: see @mult
 *
 * Context: under cpupr_snapshot_lock().
 */
void cpupr_snapshot_rescale(u32 mult, u32 shift)
{
	int cpu, i;

	for_each_possible_cpu(cpu) {
		struct baseline *b = &baselines[cpu];

		for (i = 0; i < CPUPR_NR_CATEGORIES; i++) {
			b->time[i] = mul_u64_u32_shr(b->time[i], mult, shift);
			b->shown[i] = mul_u64_u32_shr(b->shown[i], mult, shift);
		}
		for (i = 0; i < CPUPR_NR_GUEST; i++) {
			b->guest[i] = mul_u64_u32_shr(b->guest[i], mult, shift);
			b->guest_shown[i] = mul_u64_u32_shr(b->guest_shown[i], mult, shift);
		}
	}
	cpupr_irqs_snapshot_rescale(mult, shift);
	cpupr_cycles_snapshot_rescale(mult, shift);
	cpupr_call_rows_rescale(mult, shift);
	cpupr_theft_snapshot_rescale(mult, shift);
}

/**
 * cpupr_snapshot_unbalanced() - reads that found books that did not add up
 *
 * Return: 0, or there is a defect.
 */
u64 cpupr_snapshot_unbalanced(void)
{
	return READ_ONCE(unbalanced);
}

/**
 * cpupr_snapshot_backsteps() - clock steps back, all CPUs, since load
 */
u64 cpupr_snapshot_backsteps(void)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu_ptr(&cpupr_cpu, cpu)->ledger.backsteps);
	return sum;
}

/**
 * cpupr_snapshot_init() - begin the first epoch
 *
 * Return: 0 or -ENOMEM.
 */
int cpupr_snapshot_init(void)
{
	baselines = kvcalloc(nr_cpu_ids, sizeof(*baselines), GFP_KERNEL);
	if (!baselines || cpupr_idle_snapshot_init() || cpupr_freqs_snapshot_init() ||
	    cpupr_cycles_snapshot_init() || cpupr_runq_init() || cpupr_call_rows_init() ||
	    cpupr_cgroups_init() || cpupr_irqs_snapshot_init() || cpupr_theft_snapshot_init()) {
		cpupr_snapshot_exit();
		return -ENOMEM;
	}
	cpupr_snapshot_reset();
	return 0;
}

/**
 * cpupr_snapshot_exit() - the files are gone: forget all
 */
void cpupr_snapshot_exit(void)
{
	cpupr_theft_snapshot_exit();
	cpupr_irqs_snapshot_exit();
	cpupr_cgroups_exit();
	cpupr_call_rows_exit();
	cpupr_runq_exit();
	cpupr_cycles_snapshot_exit();
	cpupr_freqs_snapshot_exit();
	cpupr_idle_snapshot_exit();
	kvfree(baselines);
	baselines = NULL;
}
