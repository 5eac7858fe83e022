// SPDX-License-Identifier: GPL-2.0-only
/*
 * tasks, processes, exited: the same columns. runq_hist: how long tasks waited for
 * their CPU. Formats: tools/abi/debugfs-cpuprecise.
 */
#include <linux/cpumask.h>

#include <cpuprecise/snapshot.h>
#include <cpuprecise/table.h>
#include <cpuprecise/task_rows.h>
#include <cpuprecise/tasks.h>

static void head(struct seq_file *m, const void *snapshot)
{
	seq_puts(m, "# pid tgid comm state last_cpu start_ns run_ns user_ns system_ns irq_ns softirq_ns wait_ns switches tick_ns voluntary involuntary\n");
}

static void put_times(struct seq_file *m, const struct cpupr_task_sum *sum)
{
	const u64 *time = sum->time;

	seq_put_decimal_ull(m, " ", time[CPUPR_TASK_USER] + time[CPUPR_TASK_SYSTEM]);
	seq_put_decimal_ull(m, " ", time[CPUPR_TASK_USER]);
	seq_put_decimal_ull(m, " ", time[CPUPR_TASK_SYSTEM]);
	seq_put_decimal_ull(m, " ", time[CPUPR_TASK_IRQ]);
	seq_put_decimal_ull(m, " ", time[CPUPR_TASK_SOFTIRQ]);
}

static void put_counters(struct seq_file *m, const struct cpupr_task_sum *sum)
{
	cpupr_put_known(m, CPUPR_RUN_DELAY, sum->wait);
	seq_put_decimal_ull(m, " ", sum->voluntary + sum->involuntary);
	seq_put_decimal_ull(m, " ", sum->tick);
	seq_put_decimal_ull(m, " ", sum->voluntary);
	seq_put_decimal_ull(m, " ", sum->involuntary);
	seq_putc(m, '\n');
}

static int put_row(struct seq_file *m, const struct cpupr_task_row *row)
{
	const struct cpupr_task_id *id = &row->id;

	seq_put_decimal_ll(m, "", id->pid);
	seq_put_decimal_ll(m, " ", id->tgid);
	seq_putc(m, ' ');
	cpupr_put_comm(m, id->comm, sizeof(id->comm), " \\");
	seq_putc(m, ' ');
	seq_putc(m, id->state);
	seq_put_decimal_ll(m, " ", row->cpu);
	seq_put_decimal_ull(m, " ", id->start);
	put_times(m, &row->sum);
	put_counters(m, &row->sum);
	return 0;
}

static unsigned int rows(const void *snapshot)
{
	const struct cpupr_task_rows *s = snapshot;

	return s->rows + 2;
}

static int row(struct seq_file *m, const void *snapshot, unsigned int i)
{
	const struct cpupr_task_rows *s = snapshot;
	u64 other = 0;
	unsigned int t;

	if (i < s->rows)
		return put_row(m, &s->row[i]);
	if (i == s->rows) {
		seq_puts(m, "exited - - - - -");
		put_times(m, &s->exited);
		put_counters(m, &s->exited);
		return 0;
	}
	for (t = 0; t < CPUPR_NR_TASK_TIMES; t++)
		other |= s->other.time[t];
	if (!other)
		return SEQ_SKIP;
	seq_puts(m, "other - - - - -");
	put_times(m, &s->other);
	seq_puts(m, " - - - - -\n");
	return 0;
}

const struct cpupr_table cpupr_tasks_table = {
	.name = "tasks",
	.size = cpupr_task_rows_size,
	.take = cpupr_task_rows_take,
	.head = head,
	.rows = rows,
	.row = row,
};

const struct cpupr_table cpupr_processes_table = {
	.name = "processes",
	.size = cpupr_task_rows_size,
	.take = cpupr_process_rows_take,
	.head = head,
	.rows = rows,
	.row = row,
};

static unsigned int exited_rows(const void *snapshot)
{
	const struct cpupr_task_rows *s = snapshot;

	return s->rows;
}

const struct cpupr_table cpupr_exited_table = {
	.name = "exited",
	.size = cpupr_exited_rows_size,
	.take = cpupr_exited_rows_take,
	.head = head,
	.rows = exited_rows,
	.row = row,
};
