// SPDX-License-Identifier: GPL-2.0-only
/*
 * A consistent copy of a CPU's books, its open interval closed.
 */
#include <cpuprecise/percpu.h>

/**
 * cpupr_ledger_copy() - copy a CPU's books and close the copy's open interval
 * @cpu: whose; by the rules that the CPU itself follows
 * @copy: filled in
 * @tries: how often to begin anew if the CPU writes meanwhile
 *
 * Context: any but an NMI and this CPU's own write section.
 *
 * Return: false if the CPU wrote each time.
 */
notrace bool cpupr_ledger_copy(int cpu, struct cpupr_ledger *copy, unsigned int tries)
{
	struct cpupr_cpu *c = per_cpu_ptr(&cpupr_cpu, cpu);
	unsigned int seq;
	u64 now, stolen;

	for (;;) {
		seq = raw_read_seqcount(&c->seq);
		*copy = c->ledger;
		/* The count before the time: see cpupr_ledger_iowait_end(). */
		smp_rmb();
		copy->iowait_end = READ_ONCE(c->ledger.iowait_end);
		now = cpupr_clock_stolen(c, cpu, &stolen);
		if (!(seq & 1) && !read_seqcount_retry(&c->seq, seq))
			break;
		if (!--tries)
			return false;
		cpu_relax();
	}

	cpupr_ledger_settle(copy, now, stolen);
	return true;
}
