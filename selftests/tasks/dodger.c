// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who dodges the tick, and who is charged instead. The dodger works 3 ms of every
 * 4 ms and sleeps when the tick strikes; the innocent works on the same CPU while
 * the dodger sleeps, through the tick, and is charged a whole one each time.
 *
 * tick_ns is what the tick charged and run_ns what the task ran, so the dodger has
 * the greatest run_ns - tick_ns of all tasks, and the innocent less than nothing.
 * Both threads' CPU clocks say what run_ns should be, and what the kernel has as the
 * user and system time of a thread, which has no other source than the tick, says
 * exactly what tick_ns should be.
 *
 * When the tick strikes is the kernel's choice: first, the dodger tries 16 phases and
 * /proc/stat, which counts ticks, says at which of them it sees least.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "load.h"
#include "machine.h"
#include "tasks.h"

#define GRID		(4 * NSEC_PER_MSEC)
#define WORK		(3 * NSEC_PER_MSEC)
#define PHASES		16
#define PHASE		(GRID / PHASES)
#define LENGTH		(4 * NSEC_PER_SEC)

static int cpu;

/* A clock of a thread around two reads. */
struct judge {
	clockid_t clock;
	uint64_t before[2], after[2];
};

/* A thread that works from one part of each turn to another, counted from its phase. */
struct worker {
	pthread_t thread;
	pid_t tid;
	uint64_t phase;		/* of the grid; may be changed */
	uint64_t from, to;	/* of each turn */
	struct judge ran, charged;
};

static struct worker worker[2] = {
	{ .from = 0, .to = WORK },
	{ .from = WORK, .to = GRID - PHASE / 2 },
};
static struct worker *const dodger = &worker[0], *const innocent = &worker[1];

static void *work(void *arg)
{
	struct worker *w = arg;

	pin(cpu);
	__atomic_store_n(&w->tid, syscall(SYS_gettid), __ATOMIC_RELEASE);
	for (;;) {
		uint64_t start = __atomic_load_n(&w->phase, __ATOMIC_RELAXED) + w->from;
		uint64_t turn = (monotonic_ns() - start) / GRID * GRID + GRID + start;

		sleep_until(turn);
		/*
		 * Until then, not for so long: it may have come late. In user code and in the
		 * kernel, so that the tick finds it in both.
		 */
		while (monotonic_ns() < turn + w->to - w->from)
			syscall(SYS_getppid);
	}
	return NULL;
}

static void start(struct worker *w)
{
	if (pthread_create(&w->thread, NULL, work, w))
		ksft_exit_fail_msg("no thread\n");
	while (!__atomic_load_n(&w->tid, __ATOMIC_ACQUIRE))
		sleep_ns(NSEC_PER_MSEC);
	w->ran.clock = pthread_clock(w->thread);
	w->charged.clock = thread_tick_clock(w->tid);
}

/* The phase where /proc/stat sees least; of several, the one in the middle. */
static uint64_t find_phase(void)
{
	uint64_t seen[PHASES], sum, least = UINT64_MAX;
	unsigned int i, best = 0;

	for (i = 0; i < PHASES; i++) {
		uint64_t busy;

		__atomic_store_n(&dodger->phase, i * PHASE, __ATOMIC_RELAXED);
		sleep_ns(2 * GRID);
		busy = stat_busy_ms(cpu);
		sleep_ns(NSEC_PER_SEC / 2);
		seen[i] = stat_busy_ms(cpu) - busy;
	}
	for (i = 0; i < PHASES; i++) {
		sum = seen[(i + PHASES - 1) % PHASES] + seen[i] + seen[(i + 1) % PHASES];
		if (sum < least) {
			least = sum;
			best = i;
		}
	}
	ksft_print_msg("phase %u of %u: /proc/stat saw %" PRIu64 " ms of 500 ms\n", best, PHASES, seen[best]);
	return best * PHASE;
}

static void take(struct tasks *tasks, const struct tasks *last, unsigned int moment)
{
	const char *error;
	struct worker *w;

	for (w = worker; w < worker + ARRAY_SIZE(worker); w++) {
		w->ran.before[moment] = clock_ns(w->ran.clock);
		w->charged.before[moment] = clock_ns(w->charged.clock);
	}
	tasks_read(tasks, TASKS);
	for (w = worker; w < worker + ARRAY_SIZE(worker); w++) {
		w->ran.after[moment] = clock_ns(w->ran.clock);
		w->charged.after[moment] = clock_ns(w->charged.clock);
	}
	error = tasks_check(tasks, last);
	if (error)
		ksft_exit_fail_msg("%s\n", error);
}

/* run_ns - tick_ns of what came since the first read, in which a task may not have been. */
static int64_t dodged(const struct tasks *a, const struct tasks_row *row)
{
	const struct tasks_row *was = tasks_find_start(a, row->pid, row->start);
	int64_t now = row->value[TASKS_RUN] - row->value[TASKS_TICK];

	return was ? now - (int64_t)(was->value[TASKS_RUN] - was->value[TASKS_TICK]) : now;
}

static const struct tasks_row *top(const struct tasks *a, const struct tasks *b)
{
	const struct tasks_row *best = &b->row[0];
	unsigned int i;

	for (i = 1; i < b->rows; i++)
		if (dodged(a, &b->row[i]) > dodged(a, best))
			best = &b->row[i];
	return best;
}

static void judge(const char *what, uint64_t grown, const struct judge *by, bool exactly)
{
	uint64_t least = by->before[1] - by->after[0], most = by->after[1] - by->before[0];
	uint64_t within = exactly ? 0 : tolerance(most);

	ksft_test_result(grown + within >= least && grown <= most + within, "%s: %" PRIu64
			 " us, its clock: %" PRIu64 "..%" PRIu64 " us, within %" PRIu64 " us\n", what,
			 grown / 1000, least / 1000, most / 1000, within / 1000);
}

int main(void)
{
	static struct tasks a, b;
	const struct tasks_row *best;
	uint64_t run[2], tick[2];
	unsigned int i;

	tasks_require();
	if (is_tcg() && !is_icount())
		ksft_exit_skip("an emulated CPU that loses its turn dodges no tick: see tasks/dodger with icount\n");
	ksft_print_header();
	ksft_set_plan(7);

	cpu = other_cpu();
	if (cpu)
		pin_all(cpu, 0);
	pin(0);
	start(dodger);
	innocent->phase = find_phase();
	__atomic_store_n(&dodger->phase, innocent->phase, __ATOMIC_RELAXED);
	start(innocent);
	sleep_ns(10 * GRID);
	take(&a, NULL, 0);
	sleep_ns(LENGTH);
	take(&b, &a, 1);

	for (i = 0; i < ARRAY_SIZE(worker); i++) {
		const struct worker *w = &worker[i];

		run[i] = tasks_delta(&a, &b, w->tid, TASKS_RUN);
		tick[i] = tasks_delta(&a, &b, w->tid, TASKS_TICK);
		judge(w == dodger ? "the dodger's run_ns, irq_ns and softirq_ns" :
		      "the innocent's run_ns, irq_ns and softirq_ns",
		      tasks_clock(tasks_row(&b, w->tid)) - tasks_clock(tasks_row(&a, w->tid)), &w->ran,
		      false);
		judge(w == dodger ? "the dodger's tick_ns" : "the innocent's tick_ns", tick[i],
		      &w->charged, true);
	}
	best = top(&a, &b);
	ksft_test_result(best->pid == dodger->tid, "the greatest run_ns - tick_ns is pid %d's: %" PRId64
			 " us; the dodger is %d\n", best->pid, dodged(&a, best) / 1000, dodger->tid);
	ksft_test_result(tick[0] < run[0] / 2, "the dodger ran %" PRIu64 " us and was charged %" PRIu64
			 " us, less than half\n", run[0] / 1000, tick[0] / 1000);
	ksft_test_result(tick[1] > run[1] * 2, "the innocent ran %" PRIu64 " us and was charged %" PRIu64
			 " us, more than twice\n", run[1] / 1000, tick[1] / 1000);
	ksft_finished();
}
