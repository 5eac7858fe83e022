// SPDX-License-Identifier: GPL-2.0-only
/*
 * In a guest, steal is what the hypervisor says that it took: of CPUs that burn, of
 * CPUs that sleep and have to wait when they are woken, after a CPU was offline, and
 * after the collector was off. It is /proc/stat's within 2 % or a tick a second, the
 * books stay closed, and no column falls, though a CPU that waits is told only
 * later that it waited.
 *
 * So a task's time is what it really got: one that is alone on its CPU has the time
 * that passed, less what /proc/stat says was stolen. And CPUs that share one got no
 * more than that one has.
 */
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "load.h"
#include "machine.h"
#include "tasks.h"

#define CPUS		2
#define CPU		1	/* of the task that is watched */
#define EVERY		(100 * NSEC_PER_MSEC)
#define COLLECTORS	BOOK_DEBUGFS "collectors"
#define ONLINE		"/sys/devices/system/cpu/cpu1/online"

/* One read: the books, with /proc/stat's steal around them, and then what a load got, with it behind that. */
struct point {
	struct book book;
	uint64_t before[CPUS], after[CPUS];
	uint64_t task, task_before, task_after;	/* CLOCK_MONOTONIC around that */
	uint64_t end;
};

static struct point first, last;
static pid_t load[CPUS];

static void require_steal(void)
{
	char text[4096], reason[256];
	const char *row;

	if (geteuid())
		ksft_exit_skip("needs root\n");
	row = file_read(COLLECTORS, text, sizeof(text)) ? strstr(text, "\nsteal ") : NULL;
	if (!row)
		ksft_exit_fail_msg("there is no collector steal\n");
	if (sscanf(row, "\nsteal unsupported %255[^\n]", reason) == 1)
		ksft_exit_skip("no steal clock: %s\n", reason);
}

static uint64_t stolen_ns(int cpu)
{
	return stat_steal_ms(cpu) * NSEC_PER_MSEC;
}

static void take_task(struct point *p)
{
	static struct tasks tasks;
	const struct tasks_row *row;

	tasks_read(&tasks, TASKS);
	row = tasks_row(&tasks, load[CPU]);
	p->task = row->value[TASKS_RUN] + row->value[TASKS_IRQ] + row->value[TASKS_SOFTIRQ];
	p->task_before = tasks.before;
	p->task_after = tasks.after;
	p->end = stolen_ns(CPU);
	tasks_free(&tasks);
}

static void take(struct point *p)
{
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		p->before[cpu] = stolen_ns(cpu);
	book_read(&p->book);
	for (cpu = 0; cpu < CPUS; cpu++)
		p->after[cpu] = stolen_ns(cpu);
	take_task(p);
}

/* Looks from @first to @last, and on the way that no column falls and all is closed. */
static void watch(const char *what, unsigned int seconds)
{
	static struct book book[2];
	const char *error = NULL;
	uint64_t end;
	unsigned int i = 1;

	take(&first);
	book[0] = first.book;
	end = first.book.now + seconds * NSEC_PER_SEC;
	do {
		sleep_ns(EVERY);
		book_read(&book[i % 2]);
		error = book_check(&book[i % 2]);
		if (!error)
			error = book_check_after(&book[(i + 1) % 2], &book[i % 2]);
		if (!error)
			error = book_check_elapsed(&book[i % 2], &first.book);
		i++;
	} while (!error && monotonic_ns() < end);
	take(&last);
	if (!error)
		error = book_check(&last.book);
	if (!error)
		error = book_check_after(&book[(i + 1) % 2], &last.book);
	ksft_test_result(!error, "%s: %u reads%s%s\n", what, i + 1, error ? ": " : "", error ?: "");
}

static uint64_t wall(void)
{
	return last.book.now - first.book.now;
}

/* What /proc/stat says was stolen meanwhile: at least, at most. */
static uint64_t least(int cpu)
{
	return last.before[cpu] > first.after[cpu] ? last.before[cpu] - first.after[cpu] : 0;
}

static uint64_t most(int cpu)
{
	return last.after[cpu] - first.before[cpu];
}

/* 2 %, or a tick a second. */
static uint64_t within(uint64_t ns)
{
	uint64_t ticks = wall() / sysconf(_SC_CLK_TCK);

	return ns / 50 > ticks ? ns / 50 : ticks;
}

static bool is_in(const char *what, uint64_t ns, uint64_t least, uint64_t most, uint64_t off)
{
	ksft_print_msg("%s: %" PRIu64 " us, should be %" PRIu64 "..%" PRIu64 " us within %" PRIu64
		       " us\n", what, ns / 1000, least / 1000, most / 1000, off / 1000);
	return ns + off >= least && ns <= most + off;
}

static bool known(const struct book_row *row)
{
	return row->known & 1u << STEAL;
}

static bool steal_is_stats(void)
{
	bool ok = true;
	char what[32];
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		snprintf(what, sizeof(what), "CPU %d, steal", cpu);
		ok &= known(book_cpu(&last.book, cpu));
		ok &= is_in(what, book_delta(&first.book, &last.book, cpu, STEAL), least(cpu), most(cpu),
			    within(most(cpu)));
	}
	return ok;
}

/* Run on each CPU while it is watched. */
static void watch_load(const char *what, unsigned int seconds, void (*work)(void))
{
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		load[cpu] = load_start(work, cpu);
	/* So that they are where they belong, and have rows. */
	sleep_ns(EVERY);
	watch(what, seconds);
	for (cpu = 0; cpu < CPUS; cpu++)
		load_stop(load[cpu]);
}

static void watch_steal(const char *what, unsigned int seconds, void (*work)(void))
{
	watch_load(what, seconds, work);
	ksft_test_result(steal_is_stats(), "%s: steal is /proc/stat's\n", what);
}

static void burners(void)
{
	uint64_t task_least, task_most, given = 0;
	int cpu;

	watch_steal("both burn", 6, load_burn);
	task_least = last.task_before - first.task_after - (last.end - first.after[CPU]);
	task_most = last.task_after - first.task_before - (last.after[CPU] - first.end);
	ksft_test_result(is_in("the task", last.task - first.task, task_least, task_most, within(wall())),
			 "a task that burns has the time that its CPU got\n");
	for (cpu = 0; cpu < CPUS; cpu++)
		given += book_busy_delta(&first.book, &last.book, cpu) -
			 book_delta(&first.book, &last.book, cpu, STEAL);
	/* The emulated machine of the plan has one CPU for both. */
	if (is_tcg() && least(0) + least(CPU))
		ksft_test_result(is_in("both CPUs", given, 0, wall(), within(wall())),
				 "CPUs that share one got no more than that\n");
	else
		ksft_test_result_skip("these CPUs share none\n");
}

/* What was known stays in this epoch, and stands still. */
static void off_and_on(void)
{
	must_write(COLLECTORS, "-steal");
	watch_load("off", 1, load_burn);
	ksft_test_result(known(&first.book.row[0]) && known(&last.book.row[0]) &&
			 !book_delta(&first.book, &last.book, BOOK_ALL, STEAL),
			 "off: steal stands still\n");
	must_write(BOOK_DEBUGFS "reset", "1");
	watch_load("off, a new epoch", 1, load_burn);
	ksft_test_result(!known(&first.book.row[0]) && !known(&last.book.row[0]),
			 "off, a new epoch: steal is not known\n");
	must_write(COLLECTORS, "+steal");
	watch_steal("on again", 3, load_burn);
}

static void come_back(void)
{
	if (access(ONLINE, W_OK)) {
		ksft_test_result_skip("CPU 1 cannot be taken offline here\n");
		ksft_test_result_skip("CPU 1 cannot be taken offline here\n");
		return;
	}
	must_write(ONLINE, "0");
	sleep_ns(5 * EVERY);
	must_write(ONLINE, "1");
	watch_steal("back from offline", 3, load_burn);
}

int main(void)
{
	const struct sched_param first_of_all = { .sched_priority = 1 };

	tasks_require();
	require_steal();
	require_cpus(CPUS);
	ksft_print_header();
	ksft_set_plan(14);

	/* Before the loads on its CPU, which do not inherit that: so that reads are short. */
	pin(0);
	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &first_of_all))
		ksft_print_msg("no real-time priority\n");
	burners();
	watch_steal("both sleep now and then", 4, load_duty);
	off_and_on();
	come_back();
	ksft_finished();
}
