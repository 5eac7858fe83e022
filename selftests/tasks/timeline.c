// SPDX-License-Identifier: GPL-2.0-only
/*
 * hackbench's tasks against ftrace's timeline of all CPUs, from their birth to their
 * death, as the file exited has them: what each one ran, within 0.5 %, its switches,
 * voluntary and involuntary, exactly; what interrupts and softirqs stole from it.
 *
 * And the waits for a CPU over the same time, against the kernel's own books of each
 * CPU (/proc/schedstat): runq_hist has as many as there were switches to a task, its
 * buckets' bounds lie around their sum, and that sum is wait_ns of all rows.
 *
 * The module and ftrace stamp an event one after the other. When an emulated CPU
 * loses its turn between the two, milliseconds land on different sides of them, and
 * hackbench is a few microseconds away from such a stamp at any time. So under
 * emulation, judged is the task in the middle when they are put in order of how far
 * they are off, within 3 %; in the instruction-counting VM, where no CPU waits for a
 * turn, and on real machines, it is all of them. Counts are exact everywhere.
 *
 * It goes on for 10 s, or until ftrace's buffer of a CPU is nearly full.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "load.h"
#include "machine.h"
#include "table.h"
#include "tasks.h"
#include "timeline.h"

#define LENGTH		(10 * NSEC_PER_SEC)
#define FULL		80	/* per cent of the buffer */
#define HACKBENCH_TASKS	21	/* two groups of five senders and five receivers, and their parent */

/* --- the waits --------------------------------------------------------------------------- */

struct waits {
	uint64_t count[BOOK_MAX_CPUS];
	uint64_t least, most;		/* the sum of all, by the buckets' bounds */
};

/* What the kernel has: taken before the module's files and after them. */
struct kernel_waits {
	uint64_t count[BOOK_MAX_CPUS];
	uint64_t sum;
};

struct shot {
	struct kernel_waits before, after;
	struct waits hist;
	uint64_t wait_ns;
};

static int cpus;

static void read_hist(struct waits *waits)
{
	char *line, *word[TABLE_WORDS], *save = NULL;
	const char *file = "runq_hist";

	memset(waits, 0, sizeof(*waits));
	for (line = table_read(file, "# cpu bucket_ns count", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		uint64_t bucket, count;

		table_split(file, line, word, 3);
		bucket = table_count(file, word[1]);
		count = table_count(file, word[2]);
		if (bucket & (bucket - 1) || bucket == 1)
			ksft_exit_fail_msg("%s: %" PRIu64 " is no power of two\n", file, bucket);
		waits->count[table_cpu(file, word[0])] += count;
		waits->least += bucket * count;
		waits->most += (bucket ? bucket * 2 - 1 : 1) * count;
	}
}

static void read_kernel(struct kernel_waits *waits)
{
	int cpu;

	waits->sum = 0;
	for (cpu = 0; cpu < cpus; cpu++) {
		waits->count[cpu] = schedstat_switches(cpu);
		waits->sum += schedstat_wait_ns(cpu);
	}
}

static void take(struct shot *shot)
{
	static struct tasks tasks;

	read_kernel(&shot->before);
	read_hist(&shot->hist);
	tasks_read_checked(&tasks, TASKS, NULL);
	shot->wait_ns = tasks_sum(&tasks, TASKS_WAIT);
	read_kernel(&shot->after);
	if (tasks_find(&tasks, TASKS_OTHER))
		ksft_exit_fail_msg("tasks without a record: nobody knows how long they waited\n");
}

static void judge_waits(const struct shot *a, const struct shot *b)
{
	uint64_t least = b->before.sum - a->after.sum, most = b->after.sum - a->before.sum;
	uint64_t low = b->hist.least - a->hist.least, high = b->hist.most - a->hist.most;
	uint64_t wait = b->wait_ns - a->wait_ns;
	int cpu, wrong = 0;

	for (cpu = 0; cpu < cpus; cpu++) {
		uint64_t count = b->hist.count[cpu] - a->hist.count[cpu];
		uint64_t fewest = b->before.count[cpu] - a->after.count[cpu];
		uint64_t greatest = b->after.count[cpu] - a->before.count[cpu];

		/* The task that is running may count when it stops. */
		wrong += count + 1 < fewest || count > greatest + 1;
		ksft_print_msg("CPU %d: %" PRIu64 " waits, /proc/schedstat: %" PRIu64 "..%" PRIu64 "\n",
			       cpu, count, fewest, greatest);
	}
	ksft_test_result(!wrong, "runq_hist: the count of waits, wrong on %d of %d CPUs\n", wrong, cpus);
	ksft_test_result(low <= most && high >= least, "runq_hist: waits add up to %" PRIu64 "..%" PRIu64
			 " us, /proc/schedstat: %" PRIu64 "..%" PRIu64 " us\n", low / 1000, high / 1000,
			 least / 1000, most / 1000);
	ksft_test_result(wait >= least && wait <= most, "wait_ns of all rows: %" PRIu64
			 " us, /proc/schedstat: %" PRIu64 "..%" PRIu64 " us\n", wait / 1000, least / 1000,
			 most / 1000);
}

/* --- the tasks --------------------------------------------------------------------------- */

static struct timeline timeline[BOOK_MAX_CPUS];

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/*
 * Either may be longer by what the hooks cost on either side of a stamp. Where an
 * interrupt ends, the module's comes before ftrace's, and the rest of its hook between.
 */
static bool fits(uint64_t stolen, uint64_t spans, uint64_t events)
{
	uint64_t slack = (is_icount() ? 300 : is_tcg() ? 20000 : 3000) * events;
	uint64_t own = is_icount() ? 50 * events : 0;

	return (stolen * 100 >= spans * 95 || stolen + own >= spans) && stolen <= spans + slack;
}

/* All tasks of hackbench. */
struct found {
	unsigned int tasks, miscounted;
	uint64_t off[TASKS_GONE_ROWS];	/* of run_ns */
	unsigned int irq_off, softirq_off;	/* tasks that do not fit */
	uint64_t irq, softirq, switches;
	struct timeline_task traced;
};

static void add(struct found *f, const struct tasks_row *row)
{
	struct timeline_task t = { 0 };
	const uint64_t *value = row->value;
	int cpu;

	for (cpu = 0; cpu < cpus; cpu++)
		timeline_add_task(&t, &timeline[cpu], row->pid, 0, UINT64_MAX);
	f->off[f->tasks++] = llabs((int64_t)(value[TASKS_RUN] - t.run)) * 10000 / (t.run + 1);
	f->miscounted += t.voluntary != value[TASKS_VOLUNTARY] || t.involuntary != value[TASKS_INVOLUNTARY];
	f->switches += value[TASKS_SWITCHES];
	f->irq_off += !fits(value[TASKS_IRQ], t.irq, t.irqs);
	f->softirq_off += !fits(value[TASKS_SOFTIRQ], t.softirq, t.softirqs);
	f->irq += value[TASKS_IRQ];
	f->softirq += value[TASKS_SOFTIRQ];
	f->traced.irq += t.irq;
	f->traced.irqs += t.irqs;
	f->traced.softirq += t.softirq;
	f->traced.softirqs += t.softirqs;
	ksft_print_msg("pid %d: run %" PRIu64 " us, timeline %" PRIu64 " us; voluntary %" PRIu64 ", %"
		       PRIu64 "; involuntary %" PRIu64 ", %" PRIu64 "\n", row->pid,
		       value[TASKS_RUN] / 1000, t.run / 1000, value[TASKS_VOLUNTARY], t.voluntary,
		       value[TASKS_INVOLUNTARY], t.involuntary);
}

static void judge_tasks(const struct tasks *gone, uint64_t from)
{
	bool all = !is_tcg() || is_icount();
	unsigned int allowed = all ? 50 : 300;	/* hundredths of a per cent */
	static struct found f;
	uint64_t middle, most;
	unsigned int i;

	for (i = 0; i < gone->rows; i++)
		if (!strcmp(gone->row[i].comm, "hackbench") && gone->row[i].start >= from)
			add(&f, &gone->row[i]);
	ksft_test_result(f.tasks == HACKBENCH_TASKS, "%u tasks of hackbench have exited, of %u\n", f.tasks,
			 HACKBENCH_TASKS);
	if (!f.tasks)
		ksft_exit_fail_msg("nothing to judge\n");
	qsort(f.off, f.tasks, sizeof(f.off[0]), compare);
	middle = f.off[f.tasks / 2];
	most = f.off[f.tasks - 1];
	ksft_test_result((all ? most : middle) <= allowed, "run_ns is off by %" PRIu64 ".%02" PRIu64
			 " %% in the middle, %" PRIu64 ".%02" PRIu64 " %% at most; allowed: %u.%02u %% %s\n",
			 middle / 100, middle % 100, most / 100, most % 100, allowed / 100, allowed % 100,
			 all ? "at most" : "in the middle");
	ksft_test_result(!f.miscounted && f.switches, "switches of %u of %u tasks are wrong, in all %" PRIu64
			 "\n", f.miscounted, f.tasks, f.switches);
	ksft_test_result(f.irq_off <= (all ? 0 : f.tasks / 2), "interrupts stole %" PRIu64
			 " us, timeline: %" PRIu64 " us in %" PRIu64 " events; %u tasks are off\n",
			 f.irq / 1000, f.traced.irq / 1000, f.traced.irqs, f.irq_off);
	ksft_test_result(f.softirq_off <= (all ? 0 : f.tasks / 2), "softirqs stole %" PRIu64
			 " us, timeline: %" PRIu64 " us in %" PRIu64 " events; %u tasks are off\n",
			 f.softirq / 1000, f.traced.softirq / 1000, f.traced.softirqs, f.softirq_off);
}

static void hackbench(void)
{
	int null = open("/dev/null", O_WRONLY);

	dup2(null, STDOUT_FILENO);
	execlp("hackbench", "hackbench", "-g", "2", "-f", "5", "-l", "10000000", NULL);
}

static bool nearly_full(void)
{
	int cpu;

	for (cpu = 0; cpu < cpus; cpu++)
		if (timeline_filled(cpu) >= FULL)
			return true;
	return false;
}

/* From before its first task's birth until after the death of its last one. */
static void watch_hackbench(void)
{
	uint64_t start = monotonic_ns();
	pid_t load;

	/* They are this test's to bury when their parent is gone. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	timeline_start(TIMELINE_SWITCHES);
	load = load_start(hackbench, -1);
	while (monotonic_ns() < start + LENGTH && !nearly_full())
		sleep_ns(NSEC_PER_SEC / 20);
	load_stop(load);
	while (wait(NULL) > 0)
		;
	sleep_ns(NSEC_PER_SEC / 20);
	timeline_stop();
	ksft_print_msg("hackbench for %" PRIu64 " ms\n", (monotonic_ns() - start) / NSEC_PER_MSEC);
}

int main(void)
{
	static struct shot before, after;
	static struct tasks gone;
	uint64_t lost = 0, from;
	int cpu;

	tasks_require();
	if (!timeline_available())
		ksft_exit_skip("no tracefs: this is judged by ftrace\n");
	if (system("command -v hackbench >/dev/null"))
		ksft_exit_skip("needs hackbench\n");
	ksft_print_header();
	ksft_set_plan(9);

	cpus = cpus_online();
	from = monotonic_ns();
	take(&before);
	watch_hackbench();
	take(&after);
	tasks_read_checked(&gone, TASKS_GONE, NULL);
	for (cpu = 0; cpu < cpus; cpu++) {
		lost += timeline_lost(cpu);
		timeline_load(&timeline[cpu], cpu);
	}
	ksft_test_result(!lost, "%" PRIu64 " trace events lost\n", lost);
	judge_tasks(&gone, from);
	judge_waits(&before, &after);
	ksft_finished();
}
