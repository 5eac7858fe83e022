// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whom interrupts take time of: what theft has is what tasks have as irq_ns and
 * softirq_ns, of one task that is interrupted often, and of all of them, whether they
 * are shown, not shown any more, or had to make room.
 *
 * An interrupt is stolen when it has ended, and is irq_ns while it goes on, so that
 * figures are compared when CPUs are quiet, each between two reads of the other.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest.h"

#include "irqs.h"
#include "load.h"
#include "machine.h"
#include "tasks.h"

#define TRIES	20
#define EPOCHS	20
#define VICTIMS	800	/* more than a CPU has room for */

static struct irqs_theft theft;
static struct tasks before, after;

static uint64_t stolen(const struct tasks_row *row)
{
	return row ? row->value[TASKS_IRQ] + row->value[TASKS_SOFTIRQ] : 0;
}

static uint64_t stolen_of_all(const struct tasks *tasks)
{
	return tasks_sum(tasks, TASKS_IRQ) + tasks_sum(tasks, TASKS_SOFTIRQ);
}

static uint64_t theft_of(pid_t pid, unsigned int *kinds)
{
	uint64_t sum = 0;
	unsigned int i;

	*kinds = 0;
	for (i = 0; i < theft.rows; i++) {
		if (theft.row[i].pid != pid)
			continue;
		sum += theft.row[i].time;
		(*kinds)++;
	}
	return sum;
}

/*
 * Each is rounded down by itself, a nanosecond a row and CPU. @slack: what else may be
 * missing of one: an interrupt that is not over.
 */
static bool lies_between(uint64_t value, uint64_t least, uint64_t most, uint64_t slack)
{
	return value + slack >= least && value <= most + slack;
}

static void read_all(void)
{
	tasks_read(&before, TASKS);
	irqs_theft_read(&theft);
	tasks_read(&after, TASKS);
}

/* As long as it does not run it is robbed of nothing. */
static void stop_and_read(pid_t pid, uint64_t pause)
{
	if (kill(-pid, SIGSTOP))
		ksft_exit_fail_msg("cannot stop pid %d\n", pid);
	sleep_ns(pause);
	read_all();
}

/* Of all tasks, with rows that are not shown. */
static void all(const char *what)
{
	unsigned int turn, right = 0;
	uint64_t sum = 0, least = 0, most = 0;

	for (turn = 0; turn < TRIES && !right; turn++) {
		sleep_ns(50 * NSEC_PER_MSEC);
		read_all();
		sum = irqs_theft_sum(&theft);
		least = stolen_of_all(&before);
		most = stolen_of_all(&after);
		right += lies_between(sum, least, most, 2 * (before.rows + theft.rows));
	}
	ksft_test_result(right, "%s: %u rows and what they leave out are %" PRIu64 " ns, of tasks were stolen %" PRIu64
			 "..%" PRIu64 " ns, try %u\n", what, theft.rows, sum, least, most, turn);
}

/* By the names that irqs and softirqs have them by. */
static bool is_known(const struct irqs_theft_row *row, const struct irqs *irqs)
{
	unsigned int i;

	for (i = 0; i < irqs->rows; i++)
		if (irqs->row[i].kind == row->kind && !strcmp(irqs->row[i].name, row->name))
			return true;
	return false;
}

static void names(void)
{
	static struct irqs hard, soft;
	unsigned int i, strange = 0;

	irqs_read_checked(&hard, false, NULL);
	irqs_read_checked(&soft, true, NULL);
	for (i = 0; i < theft.rows; i++) {
		const struct irqs_theft_row *row = &theft.row[i];

		if (row->kind != IRQS_OTHER && row->kind != IRQS_NMI && row->kind != IRQS_TOTAL &&
		    is_known(row, row->kind == IRQS_SOFTIRQ ? &soft : &hard))
			continue;
		strange++;
		ksft_print_msg("%s '%s' of pid %d\n", irqs_kind_name[row->kind], row->name, row->pid);
	}
	ksft_test_result(theft.rows && !strange, "%u rows, %u of kinds and names that no interrupt has\n", theft.rows,
			 strange);
}

/* The longest interrupt of a CPU and the longest softirq, which may have followed it. */
static uint64_t longest(int cpu)
{
	static struct irqs irqs;
	uint64_t sum = 0;
	unsigned int i, soft;

	for (soft = 0; soft < 2; soft++) {
		uint64_t most = 0;

		irqs_read_checked(&irqs, soft, NULL);
		for (i = 0; i < irqs.rows; i++)
			if (irqs.row[i].cpu == cpu && irqs.row[i].max > most)
				most = irqs.row[i].max;
		sum += most;
	}
	return sum;
}

/*
 * Of one that is interrupted while an epoch begins: both have the same interrupts. A kernel
 * that checks itself takes longer for a reset than from one tick to the next, so that it
 * finds no moment without: there, one tick is in one of them only, and it may have been
 * longer than those that came since.
 */
static void epochs(void)
{
	unsigned int turn, kinds, wrong = 0;
	uint64_t sum, least, most, slack, all = 0;

	for (turn = 0; turn < EPOCHS; turn++) {
		pid_t pid = load_start(load_burn, other_cpu());

		sleep_ns(50 * NSEC_PER_MSEC);
		must_write(BOOK_DEBUGFS "reset", "1");
		sleep_ns(50 * NSEC_PER_MSEC);
		stop_and_read(pid, 20 * NSEC_PER_MSEC);
		sum = theft_of(pid, &kinds);
		least = stolen(tasks_row(&before, pid));
		most = stolen(tasks_row(&after, pid));
		all += sum;
		slack = 2 * kinds + (is_debug_kernel() ? 2 * longest(other_cpu()) : 0);
		if (!sum || !lies_between(sum, least, most, slack)) {
			wrong++;
			ksft_print_msg("epoch %u: of pid %d %" PRIu64 " ns, tasks has %" PRIu64 "..%" PRIu64 " ns\n",
				       turn, pid, sum, least, most);
		}
		kill(-pid, SIGCONT);
		load_stop(pid);
	}
	ksft_test_result(!wrong, "%u of %u epochs begin with another interrupt, %" PRIu64 " ns in all\n", wrong, turn,
			 all);
}

/* One that burns with timers on its CPU; packets and interrupts of other CPUs come, too. */
static void victim(void)
{
	int cpu = other_cpu();
	pid_t pid = load_start(load_timers, cpu), packets, barriers;
	const struct tasks_row *a, *b;
	unsigned int i, kinds, misnamed = 0;
	uint64_t sum, least, most;

	packets = load_start(load_datagrams, cpu);
	barriers = load_start(load_barriers, cpu);
	sleep_ns(2 * NSEC_PER_SEC);
	load_stop(barriers);
	load_stop(packets);
	stop_and_read(pid, 100 * NSEC_PER_MSEC);
	a = tasks_row(&before, pid);
	b = tasks_row(&after, pid);
	sum = theft_of(pid, &kinds);
	least = stolen(a);
	most = stolen(b);
	for (i = 0; i < theft.rows; i++) {
		const struct irqs_theft_row *row = &theft.row[i];

		if (row->pid != pid)
			continue;
		misnamed += row->tgid != pid || strcmp(row->comm, a->comm);
		ksft_print_msg("of pid %d: %s %s, %" PRIu64 " times, %" PRIu64 " ns\n", pid,
			       irqs_kind_name[row->kind], row->name, row->count, row->time);
	}
	ksft_test_result(kinds > 2 && !misnamed && lies_between(sum, least, most, 2 * kinds),
			 "pid %d: %u kinds of interrupts took %" PRIu64 " ns, tasks has %" PRIu64 "..%" PRIu64 " ns\n",
			 pid, kinds, sum, least, most);
	all("with a victim");
	names();
	kill(-pid, SIGCONT);
	load_stop(pid);
}

/* Each of which is interrupted at least once. */
static void forks(void)
{
	unsigned int i;
	int status;

	fflush(stdout);
	for (i = 0; i < VICTIMS; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			struct itimerval soon = { { 0, 0 }, { 0, 100 } };

			signal(SIGALRM, SIG_IGN);
			pin(other_cpu());
			setitimer(ITIMER_REAL, &soon, NULL);
			burn_ns(300 * NSEC_PER_USEC);
			_exit(0);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
			ksft_exit_fail_msg("fork: no victim\n");
	}
}

int main(void)
{
	irqs_require("theft");
	tasks_require();
	ksft_print_header();
	ksft_set_plan(7);
	must_write(BOOK_DEBUGFS "collectors", "+theft");
	/* From here on what one of them has is what the other one has. */
	epochs();
	victim();
	all("without it");
	forks();
	all("many victims");
	ksft_test_result(theft.evicted.count && theft.evicted.time && theft.rows == IRQS_THEFT_ROWS,
			 "%u rows; %" PRIu64 " interrupts are not shown, %" PRIu64 " had to make room\n", theft.rows,
			 theft.other.count, theft.evicted.count);
	ksft_finished();
}
