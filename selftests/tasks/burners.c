// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks that never give up their CPU are booked while they run, wherever they run:
 * at every read of tasks and processes, each half second.
 *
 * One alone on CPU 1: what its row grows by is what its CPU clock does, what
 * CLOCK_MONOTONIC does less interrupts, and what the CPU's row is busy. Nothing
 * stands still and nothing is caught up later.
 *
 * Then all under load: a pinned one, by its clock; one that hops from CPU to CPU;
 * four threads of another process, by that process's clock. A clock is read before
 * and after the table, so that truth is a range. The process clock of another
 * process is up to a tick behind for each CPU.
 *
 * The one that hops is judged by ftrace's timeline of all CPUs: emulation puts
 * time on its clock that it did not run. An emulated CPU may lose its turn between
 * the stamps of ftrace and the module, or of a clock and the module, which puts
 * milliseconds on different sides of them. So under emulation and load, it is the
 * interval in the middle, when they are put in order of how far they are off, that is
 * judged; elsewhere it is all of them.
 *
 * At each read of both parts: the sums of all rows are the user and system time of
 * all CPUs, which are read before and after. They are so right after load, too.
 */
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "load.h"
#include "machine.h"
#include "tasks.h"
#include "timeline.h"

#define READS		21
#define INTERVAL	(500 * NSEC_PER_MSEC)
#define HOP		(3 * NSEC_PER_MSEC)
#define THREADS		4
#define TICK_MOST	(10 * NSEC_PER_MSEC)
#define CPU		1

/* Who is watched, in which file, and by what clock. */
struct watched {
	const char *what;
	int pid;
	clockid_t clock;
	uint64_t lag;		/* the clock may be behind by so much */
	bool whole;		/* judged by the process's row */
};

/* Of one of them at one read. */
struct point {
	uint64_t before, after;	/* its clock around the read */
	uint64_t tasks_clock, run;
};

struct sample {
	struct book book[3];	/* before tasks, between it and processes, after that */
	uint64_t before, after;	/* CLOCK_MONOTONIC around tasks */
	struct point point[3];
};

static struct sample sample[READS];
static struct tasks tasks[2], processes[2];

/* --- the burners --------------------------------------------------------------------- */

static pid_t tid[2];

static void *burn(void *unused)
{
	pin(CPU);
	__atomic_store_n(&tid[0], syscall(SYS_gettid), __ATOMIC_RELEASE);
	load_burn();
	return NULL;
}

static void *hop(void *unused)
{
	int cpu = 0;

	__atomic_store_n(&tid[1], syscall(SYS_gettid), __ATOMIC_RELEASE);
	for (;; cpu = !cpu) {
		pin(cpu);
		burn_ns(HOP);
	}
	return NULL;
}

static void *burn_either(void *cpu)
{
	pin(cpu ? CPU : 0);
	load_burn();
	return NULL;
}

static void four_threads(void)
{
	pthread_t thread;
	int i;

	for (i = 1; i < THREADS; i++)
		if (pthread_create(&thread, NULL, burn_either, i % 2 ? &tid : NULL))
			return;
	load_burn();
}

static struct watched start(const char *what, void *(*work)(void *), pid_t *pid)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, work, NULL))
		ksft_exit_fail_msg("no thread\n");
	while (!__atomic_load_n(pid, __ATOMIC_ACQUIRE))
		sleep_ns(NSEC_PER_MSEC);
	return (struct watched){ .what = what, .pid = *pid, .clock = pthread_clock(thread) };
}

/* --- reading --------------------------------------------------------------------------- */

/* A table between two looks at the clocks of those that it is to judge. */
static void read_between(struct tasks *now, const struct tasks *last, const char *file, bool whole,
			 const struct watched *w, unsigned int nr, struct sample *s)
{
	const char *error;
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (w[i].whole == whole)
			s->point[i].before = clock_ns(w[i].clock);
	tasks_read(now, file);
	for (i = 0; i < nr; i++)
		if (w[i].whole == whole)
			s->point[i].after = clock_ns(w[i].clock);
	for (i = 0; i < nr; i++) {
		if (w[i].whole != whole)
			continue;
		s->point[i].tasks_clock = tasks_clock(tasks_row(now, w[i].pid));
		s->point[i].run = tasks_row(now, w[i].pid)->value[TASKS_RUN];
	}
	error = tasks_check(now, last->rows ? last : NULL);
	if (error)
		ksft_exit_fail_msg("%s: %s\n", file, error);
}

/* Is a sum of rows within what the CPUs had before and after? */
static bool sum_fits(const struct tasks *t, enum tasks_field field, const struct book *before)
{
	const struct book_row *a = book_cpu(&before[0], BOOK_ALL), *b = book_cpu(&before[1], BOOK_ALL);
	uint64_t sum = tasks_sum(t, field), least, most;

	least = field == TASKS_USER ? a->ns[USER] + a->ns[NICE] : a->ns[SYSTEM];
	most = field == TASKS_USER ? b->ns[USER] + b->ns[NICE] : b->ns[SYSTEM];
	if (sum >= least && sum <= most)
		return true;
	ksft_print_msg("%s: %s of %u rows adds up to %" PRIu64 ", the CPUs have %" PRIu64 "..%" PRIu64
		       "\n", t->file, tasks_field_name[field], t->rows, sum, least, most);
	return false;
}

/* Nobody else on this CPU delays a read: the narrower it is, the more it tells. */
static void hurry(void)
{
	struct sched_param first = { .sched_priority = 1 };

	pin(0);
	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &first))
		ksft_exit_fail_msg("no priority\n");
}

/* Returns whether all sums were right. */
static bool take(struct sample *s, const struct watched *w, unsigned int nr)
{
	static unsigned int turn;
	struct tasks *t = &tasks[turn % 2], *p = &processes[turn % 2];
	bool fits;

	turn++;
	book_read(&s->book[0]);
	read_between(t, &tasks[turn % 2], TASKS, false, w, nr, s);
	book_read(&s->book[1]);
	read_between(p, &processes[turn % 2], TASKS_PROCESSES, true, w, nr, s);
	book_read(&s->book[2]);
	s->before = t->before;
	s->after = t->after;
	fits = sum_fits(t, TASKS_USER, &s->book[0]);
	fits &= sum_fits(t, TASKS_SYSTEM, &s->book[0]);
	fits &= sum_fits(p, TASKS_USER, &s->book[1]);
	fits &= sum_fits(p, TASKS_SYSTEM, &s->book[1]);
	return fits;
}

static void take_all(const char *what, const struct watched *w, unsigned int nr)
{
	unsigned int i, wrong = 0;

	for (i = 0; i < READS; i++) {
		if (i)
			sleep_ns(INTERVAL);
		wrong += !take(&sample[i], w, nr);
	}
	ksft_print_msg("%s: the last read of tasks took %" PRIu64 " us\n", what,
		       (sample[READS - 1].after - sample[READS - 1].before) / 1000);
	ksft_test_result(!wrong, "%s: sums of user_ns and system_ns, wrong at %u of %u reads\n", what,
			 wrong, READS);
}

/* --- judging --------------------------------------------------------------------------- */

/* How far a value is outside of a range. */
static uint64_t outside(uint64_t value, uint64_t least, uint64_t most)
{
	return value < least ? least - value : value > most ? value - most : 0;
}

/* Half a per cent of the clock, where nothing is emulated. */
static uint64_t share(uint64_t ns)
{
	return is_tcg() ? tolerance(ns) : ns / 200;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* @middle: the interval in the middle is judged, where it is emulated; but none may be nothing. */
static void judge_clock(const struct watched *w, unsigned int n, bool middle)
{
	uint64_t off[READS - 1], judged, slack = 0;
	unsigned int i, nothing = 0;

	for (i = 1; i < READS; i++) {
		const struct point *a = &sample[i - 1].point[n], *b = &sample[i].point[n];
		uint64_t grown = b->tasks_clock - a->tasks_clock;
		uint64_t least = b->before > a->after + w->lag ? b->before - a->after - w->lag : 0;
		uint64_t most = b->after - a->before + w->lag;

		slack = share(most);
		off[i - 1] = outside(grown, least, most);
		nothing += !grown;
		if (!grown || off[i - 1] > slack)
			ksft_print_msg("%s: grew by %" PRIu64 " us, its clock by %" PRIu64 "..%" PRIu64
				       " us\n", w->what, grown / 1000, least / 1000, most / 1000);
	}
	qsort(off, READS - 1, sizeof(off[0]), compare);
	middle = middle && is_tcg();
	judged = off[middle ? READS / 2 : READS - 2];
	ksft_test_result(judged <= slack && !nothing, "%s, by its clock: off by %" PRIu64 " us %s, %" PRIu64
			 " us at most, allowed: %" PRIu64 " us; did not grow at %u of %u reads\n",
			 w->what, judged / 1000, middle ? "in the middle" : "at most",
			 off[READS - 2] / 1000, slack / 1000, nothing, READS - 1);
}

/* What CPU 1's row had between two samples: not less and not more than that. */
static void between(const struct sample *a, const struct sample *b, uint64_t *busy, uint64_t *interrupts)
{
	int most;

	for (most = 0; most < 2; most++) {
		const struct book *from = &a->book[!most], *to = &b->book[most];

		interrupts[most] = book_delta(from, to, CPU, IRQ) + book_delta(from, to, CPU, SOFTIRQ);
		busy[most] = book_busy_delta(from, to, CPU) - interrupts[most];
	}
}

/* Alone on its CPU: it has all of the time that no interrupt has. */
static void judge_alone(void)
{
	unsigned int i, by_wall = 0, by_cpu = 0;

	for (i = 1; i < READS; i++) {
		const struct sample *a = &sample[i - 1], *b = &sample[i];
		uint64_t grown = b->point[0].run - a->point[0].run;
		uint64_t busy[2], interrupts[2], wall[2], within;
		bool wall_off, busy_off;

		between(a, b, busy, interrupts);
		wall[0] = b->before - a->after - interrupts[1];
		wall[1] = b->after - a->before - interrupts[0];
		within = tolerance(wall[1]);
		wall_off = outside(grown, wall[0], wall[1]) > within;
		busy_off = outside(grown, busy[0], busy[1]) > within;
		by_wall += wall_off;
		by_cpu += busy_off;
		if (wall_off || busy_off)
			ksft_print_msg("run_ns grew by %" PRIu64 " us; CLOCK_MONOTONIC less interrupts: %"
				       PRIu64 "..%" PRIu64 " us, CPU %d busy: %" PRIu64 "..%" PRIu64
				       " us\n", grown / 1000, wall[0] / 1000, wall[1] / 1000, CPU,
				       busy[0] / 1000, busy[1] / 1000);
	}
	ksft_test_result(!by_wall, "alone, by CLOCK_MONOTONIC less interrupts: wrong at %u of %u reads\n",
			 by_wall, READS - 1);
	ksft_test_result(!by_cpu, "alone, by the CPU's row: wrong at %u of %u reads\n", by_cpu, READS - 1);
}

/* It hops between the first two CPUs. */
static struct timeline timeline[2];

static uint64_t traced(int pid, uint64_t from, uint64_t to)
{
	struct timeline_task task = { 0 };
	int cpu;

	for (cpu = 0; cpu < 2; cpu++)
		timeline_add_task(&task, &timeline[cpu], pid, from, to);
	return task.run;
}

static void judge_timeline(const struct watched *w, unsigned int n)
{
	/* An emulated CPU takes some 10 us from the stamp of one of two probes to that of the other. */
	const unsigned int share = is_tcg() ? 100 : 200;
	uint64_t off[READS - 1], lost = 0, judged, most = 0;
	unsigned int i;
	int cpu;

	for (cpu = 0; cpu < 2; cpu++) {
		lost += timeline_lost(cpu);
		timeline_load(&timeline[cpu], cpu);
	}
	for (i = 1; i < READS; i++) {
		const struct sample *a = &sample[i - 1], *b = &sample[i];
		uint64_t grown = b->point[n].run - a->point[n].run;
		uint64_t least = traced(w->pid, a->after, b->before);

		most = traced(w->pid, a->before, b->after);
		off[i - 1] = grown ? outside(grown, least, most) : UINT64_MAX;
		ksft_print_msg("%s: run_ns grew by %" PRIu64 " us, timeline %" PRIu64 "..%" PRIu64 " us\n",
			       w->what, grown / 1000, least / 1000, most / 1000);
	}
	qsort(off, READS - 1, sizeof(off[0]), compare);
	judged = off[is_tcg() ? READS / 2 : READS - 2];
	ksft_test_result(!lost, "%" PRIu64 " trace events lost\n", lost);
	ksft_test_result(judged <= most / share, "%s, by its timeline: off by %" PRIu64 " us %s, %" PRIu64
			 " us at most; allowed: %" PRIu64 " us\n", w->what, judged / 1000,
			 is_tcg() ? "in the middle" : "at most", off[READS - 2] / 1000, most / share / 1000);
}

static void load_nice(void)
{
	if (nice(10) < 0)
		return;
	load_duty();
}

static void (*const loads[])(void) = { load_forks, load_datagrams, load_nice };
static pid_t load[ARRAY_SIZE(loads)];

/* On CPU 0, or on it and the other one. */
static void start_loads(bool both)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(loads); i++)
		load[i] = load_start(loads[i], both && i % 2 ? CPU : 0);
}

static void stop_loads(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(loads); i++)
		load_stop(load[i]);
}

static void watch_alone(struct watched *w)
{
	*w = start("pinned", burn, &tid[0]);
	start_loads(false);
	take_all("alone on its CPU", w, 1);
	stop_loads();
	judge_clock(w, 0, false);
	judge_alone();
}

static void watch_under_load(struct watched *w)
{
	pid_t four = load_start(four_threads, -1);

	start_loads(true);
	w[1] = start("hopping", hop, &tid[1]);
	w[2] = (struct watched){ .what = "four threads", .pid = four, .clock = process_clock(four),
				 .lag = 2 * TICK_MOST, .whole = true };
	timeline_start(TIMELINE_SWITCHES);
	sleep_ns(INTERVAL);
	take_all("under load", w, 3);
	sleep_ns(INTERVAL / 10);
	timeline_stop();
	stop_loads();
	load_stop(four);
	judge_clock(&w[0], 0, true);
	judge_clock(&w[2], 2, true);
	judge_timeline(&w[1], 1);
}

int main(void)
{
	struct watched w[3];
	unsigned int i;
	bool sums;

	tasks_require();
	require_cpus(2);
	if (!timeline_available())
		ksft_exit_skip("no tracefs: one part is judged by ftrace\n");
	ksft_print_header();
	ksft_set_plan(10);

	hurry();
	sums = take(&sample[0], NULL, 0);
	ksft_test_result(sums, "sums right after load\n");
	must_write(BOOK_DEBUGFS "reset", "1");
	for (i = 0; i < 2; i++)
		tasks[i].rows = processes[i].rows = 0;

	pin_all(CPU, 0);
	watch_alone(w);
	watch_under_load(w);
	ksft_finished();
}
