// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: the set of tasks that sleep for I/O under concurrent callers.
 *
 * First the one interleaving that matters, step by step: sleepers.c is built
 * here with a cmpxchg() that can be stopped. Then two and four threads for
 * real; the Makefile builds this program with the thread sanitizer.
 */
#include <pthread.h>

#include "ktap.h"

#include <cpuprecise/sleepers.h>

/* Runs once, just before the next compare-and-exchange. */
static __thread void (*before_cmpxchg)(void);

static unsigned long stoppable_cmpxchg(unsigned long *p, unsigned long old, unsigned long new)
{
	void (*stop)(void) = before_cmpxchg;

	before_cmpxchg = NULL;
	if (stop)
		stop();
	return cmpxchg(p, old, new);
}

#undef cmpxchg
#define cmpxchg(p, old, new)	stoppable_cmpxchg(p, old, new)

#include <ledger/sleepers.c>

#define TASK(n)		(0xffff888000000000UL + 64UL * (unsigned long)(n))

static struct cpupr_sleepers set;

static bool is(const char *what, long got, long want)
{
	if (got == want)
		return true;
	ktap_note("%s: %ld, should be %ld", what, got, want);
	return false;
}

static bool empty(void)
{
	unsigned int i;

	for (i = 0; i < CPUPR_SLEEPER_SLOTS; i++)
		if (set.slot[i].task)
			return is("slot in use", (long)i, -1);
	return true;
}

static int other_got;

static void other_removes(void)
{
	other_got = cpupr_sleepers_remove(&set, TASK(1));
}

static void task_moves(void)
{
	other_got = cpupr_sleepers_remove(&set, TASK(1));
	cpupr_sleepers_add(&set, TASK(1), 9);
}

static bool two_removers(void)
{
	bool ok = true;

	cpupr_sleepers_add(&set, TASK(1), 2);
	before_cmpxchg = other_removes;
	ok &= is("the slower one gets", cpupr_sleepers_remove(&set, TASK(1)), -ENOENT);
	ok &= is("the faster one gets", other_got, 2);
	return ok && empty();
}

/* Woken, run and asleep again elsewhere, all while a waker is held up. */
static bool asleep_again_elsewhere(void)
{
	bool ok = true;

	cpupr_sleepers_add(&set, TASK(1), 2);
	before_cmpxchg = task_moves;
	ok &= is("the held up one gets", cpupr_sleepers_remove(&set, TASK(1)), 9);
	ok &= is("the other one gets", other_got, 2);
	return ok && empty();
}

/* The slot that an adder was about to claim is taken. */
static void other_adds(void)
{
	other_got = cpupr_sleepers_add(&set, TASK(1 + CPUPR_SLEEPER_SLOTS), 4);
}

static bool two_adders(void)
{
	bool ok = true;

	before_cmpxchg = other_adds;
	ok &= is("add", cpupr_sleepers_add(&set, TASK(1), 3), 0);
	ok &= is("the other adds", other_got, 0);
	ok &= is("remove", cpupr_sleepers_remove(&set, TASK(1)), 3);
	ok &= is("remove the other", cpupr_sleepers_remove(&set, TASK(1 + CPUPR_SLEEPER_SLOTS)), 4);
	return ok && empty();
}

/*
 * One thread a CPU. Each puts its own tasks to sleep, with a CPU that changes
 * each time, and all threads wake all tasks. Per CPU, sleeps and wake-ups must
 * balance, which is what the iowait counts are made of.
 */
#define CPUS	64
#define TASKS	24
#define ROUNDS	20000

static int count[CPUS];
static long woken, refused;
static int threads;

static void wake(unsigned long task)
{
	int cpu = cpupr_sleepers_remove(&set, task);

	if (cpu < 0)
		return;
	__atomic_sub_fetch(&count[cpu], 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&woken, 1, __ATOMIC_RELAXED);
}

static void *sleep_and_wake(void *arg)
{
	unsigned int me = (unsigned int)(unsigned long)arg;
	unsigned int random = me * 2654435761U + 1;
	int round;

	for (round = 0; round < ROUNDS; round++) {
		unsigned int own, any;
		int cpu;

		random = random * 1664525U + 1013904223U;
		own = me + (random >> 8) % TASKS / (unsigned int)threads * (unsigned int)threads;
		any = (random >> 16) % TASKS;
		cpu = (int)((random >> 24) % CPUS);

		/* A task sleeps only after it has run: it is not in the set. */
		wake(TASK(own));
		__atomic_add_fetch(&count[cpu], 1, __ATOMIC_RELAXED);
		if (cpupr_sleepers_add(&set, TASK(own), cpu)) {
			__atomic_sub_fetch(&count[cpu], 1, __ATOMIC_RELAXED);
			__atomic_add_fetch(&refused, 1, __ATOMIC_RELAXED);
		}
		wake(TASK(any));
	}
	return NULL;
}

static bool balance(int n)
{
	pthread_t thread[8];
	bool ok = true;
	int i;

	threads = n;
	woken = 0;
	refused = 0;
	memset(count, 0, sizeof(count));
	for (i = 0; i < n; i++)
		if (pthread_create(&thread[i], NULL, sleep_and_wake, (void *)(unsigned long)i))
			return is("thread", i, -1);
	for (i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
	for (i = 0; i < TASKS + n; i++)
		wake(TASK(i));
	for (i = 0; i < CPUS; i++)
		if (count[i])
			ok &= is("sleepers left over on a CPU", count[i], 0);
	ok &= is("refused", refused, 0);
	ok &= is("woken", woken, (long)n * ROUNDS);
	return ok && empty();
}

static bool two_threads(void)
{
	return balance(2);
}

static bool four_threads(void)
{
	return balance(4);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "of two removers one gets the CPU", two_removers },
		{ "a held up remover of a task that sleeps again elsewhere", asleep_again_elsewhere },
		{ "two adders at one slot", two_adders },
		{ "two threads: sleeps and wake-ups balance", two_threads },
		{ "four threads: sleeps and wake-ups balance", four_threads },
	};

	ktap_run(tests, sizeof(tests) / sizeof(tests[0]));
	return ktap_exit();
}
