// SPDX-License-Identifier: GPL-2.0-only
/*
 * Taking snapshots of the idle states. As in snapshot.c, a reset is a baseline
 * kept here and never touches the books.
 */
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include <cpuprecise/idle.h>
#include <cpuprecise/idle_snapshot.h>
#include <cpuprecise/snapshot.h>

/**
 * struct idle_base - what readers know of a state of a CPU
 * @counts: where the epoch began
 * @time: where the epoch began, the stay included that was open then, ns
 * @shown: the time that the last read found, ns
 */
struct idle_base {
	struct cpupr_idle_counts counts;
	u64 time;
	u64 shown;
};

/* Protected by cpupr_snapshot_lock(). */
static struct idle_base (*bases)[CPUPR_IDLE_SLOTS];	/* nr_cpu_ids */

/*
 * Copy a state of a CPU and add the stay that is open. State by state, since a
 * CPU may write as often as a copy of all of them takes.
 */
static void copy_slot(int cpu, unsigned int n, struct cpupr_idle_slot *copy, u64 *time)
{
	struct cpupr_cpu *c = per_cpu_ptr(&cpupr_cpu, cpu);
	struct cpupr_idle_books *b = &c->idle->books;
	struct idle_base *base = &bases[cpu][n];
	unsigned int seq;
	u64 open;
	s64 ticks;

	do {
		seq = read_seqcount_begin(&c->seq);
		*copy = b->slot[n];
		open = 0;
		if (b->stay == &b->slot[n]) {
			ticks = READ_ONCE(c->idle_end) - b->start;
			if (ticks < 0)
				ticks = cpupr_clock_of(cpu) - b->start;
			open = ticks > 0 ? cpupr_clock_ns(ticks) : 0;
		}
	} while (read_seqcount_retry(&c->seq, seq));

	/*
	 * A reader may be ahead of the CPU's own clock; and a stay may turn out
	 * to have been one in another state. What was shown stays.
	 */
	base->shown = max(base->shown, cpupr_idle_time(&copy->counts) + open);
	*time = base->shown;
}

static bool has_state(int cpu, unsigned int n)
{
	const struct cpupr_idle_books *b = &per_cpu_ptr(&cpupr_cpu, cpu)->idle->books;
	unsigned int i, states = READ_ONCE(b->states);

	for (i = 0; i < states; i++)
		if (READ_ONCE(b->slot_of[i]) == &b->slot[n])
			return true;
	return false;
}

static void take_row(int cpu, unsigned int n, struct cpupr_idle_row *row)
{
	const struct idle_base *base = &bases[cpu][n];
	const u64 *from = (const u64 *)&base->counts;
	u64 *count = (u64 *)&row->slot.counts, any = 0;
	unsigned int i;

	copy_slot(cpu, n, &row->slot, &row->time);
	row->time -= base->time;
	for (i = 0; i < sizeof(base->counts) / sizeof(u64); i++) {
		count[i] -= from[i];
		any |= count[i];
	}
	row->usage = cpupr_idle_usage(&row->slot.counts);
	row->shown = any || row->time || has_state(cpu, n);
}

static void take_causes(int cpu, struct cpupr_idle_cpu *to)
{
	struct cpupr_cpu *c = per_cpu_ptr(&cpupr_cpu, cpu);
	unsigned int seq;

	/* Entries never change once they are there. */
	do {
		seq = read_seqcount_begin(&c->seq);
		to->causes = c->idle->books.causes;
	} while (read_seqcount_retry(&c->seq, seq));
	memcpy(to->cause, c->idle->books.cause_of, sizeof(to->cause[0]) * to->causes);
}

/**
 * cpupr_idle_snapshot_size() - bytes of a struct cpupr_idle_snapshot
 */
size_t cpupr_idle_snapshot_size(void)
{
	return struct_size((struct cpupr_idle_snapshot *)NULL, cpu, nr_cpu_ids);
}

/**
 * cpupr_idle_snapshot_take() - fill in a snapshot
 * @snapshot: struct cpupr_idle_snapshot, cpupr_idle_snapshot_size() bytes,
 *	zeroed before its first use
 *
 * Changes nothing that a probe sees, interrupts no CPU.
 *
 * Context: process, may sleep.
 */
void cpupr_idle_snapshot_take(void *snapshot)
{
	struct cpupr_idle_snapshot *s = snapshot;
	unsigned int n;
	int cpu;

	cpupr_snapshot_lock();
	s->rejected_known = cpupr_idle_devices_watched();
	for_each_possible_cpu(cpu) {
		struct cpupr_idle_cpu *to = &s->cpu[cpu];

		for (n = 0; n < CPUPR_IDLE_SLOTS; n++)
			take_row(cpu, n, &to->row[n]);
		/* After the rows, whose counts refer to them. */
		take_causes(cpu, to);
		to->elapsed = cpupr_snapshot_elapsed(cpu);
	}
	cpupr_snapshot_unlock();
}

/**
 * cpupr_idle_rebase() - a new epoch begins
 *
 * Context: under cpupr_snapshot_lock().
 */
void cpupr_idle_rebase(void)
{
	struct cpupr_idle_slot copy;
	unsigned int n;
	int cpu;

	for_each_possible_cpu(cpu)
		for (n = 0; n < CPUPR_IDLE_SLOTS; n++) {
			copy_slot(cpu, n, &copy, &bases[cpu][n].time);
			bases[cpu][n].counts = copy.counts;
		}
}

/**
 * cpupr_idle_snapshot_init() - before the first epoch
 *
 * Return: 0 or -ENOMEM.
 */
int cpupr_idle_snapshot_init(void)
{
	bases = kvcalloc(nr_cpu_ids, sizeof(*bases), GFP_KERNEL);
	return bases ? 0 : -ENOMEM;
}

/**
 * cpupr_idle_snapshot_exit() - the files are gone: forget all
 */
void cpupr_idle_snapshot_exit(void)
{
	kvfree(bases);
	bases = NULL;
}
