// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: the set of tasks that sleep for I/O, one caller at a time.
 */
#include "ktap.h"

#include <cpuprecise/sleepers.h>

static struct cpupr_sleepers set;

/* Task structures lie in the kernel's half of the address space, 64-byte aligned. */
#define TASK(n)		(0xffff888000000000UL + 64UL * (unsigned long)(n))

static bool is(const char *what, int got, int want)
{
	if (got == want)
		return true;
	ktap_note("%s: %d, should be %d", what, got, want);
	return false;
}

static unsigned int used(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < CPUPR_SLEEPER_SLOTS; i++)
		n += !!set.slot[i].task;
	return n;
}

static bool one_task(void)
{
	bool ok = true;

	ok &= is("remove from the empty set", cpupr_sleepers_remove(&set, TASK(1)), -ENOENT);
	ok &= is("add", cpupr_sleepers_add(&set, TASK(1), 3), 0);
	ok &= is("remove another", cpupr_sleepers_remove(&set, TASK(2)), -ENOENT);
	ok &= is("remove", cpupr_sleepers_remove(&set, TASK(1)), 3);
	ok &= is("remove again", cpupr_sleepers_remove(&set, TASK(1)), -ENOENT);
	return ok && is("left", (int)used(), 0);
}

static bool a_task_twice(void)
{
	bool ok = true;

	ok &= is("add", cpupr_sleepers_add(&set, TASK(7), 0), 0);
	ok &= is("add again", cpupr_sleepers_add(&set, TASK(7), 5), -EEXIST);
	ok &= is("in the set", (int)used(), 1);
	ok &= is("remove", cpupr_sleepers_remove(&set, TASK(7)), 0);
	ok &= is("remove again", cpupr_sleepers_remove(&set, TASK(7)), -ENOENT);
	return ok && is("left", (int)used(), 0);
}

/* So many tasks are tried in the search for some that share a slot. */
#define SEARCH		(1000UL * CPUPR_SLEEPER_SLOTS)

/* Tasks whose slots are the same one, found by asking the set where they go. */
static bool neighbours(unsigned long *task, unsigned int n)
{
	unsigned int i, found = 0, where = 0;
	unsigned long t;

	for (t = 1; found < n && t < SEARCH; t++) {
		cpupr_sleepers_add(&set, TASK(t), 0);
		for (i = 0; i < CPUPR_SLEEPER_SLOTS && !set.slot[i].task; i++)
			;
		cpupr_sleepers_remove(&set, TASK(t));
		if (!found)
			where = i;
		if (i == where)
			task[found++] = TASK(t);
	}
	return is("tasks found that share a slot", (int)found, (int)n);
}

static bool a_full_window(void)
{
	unsigned long task[CPUPR_SLEEPER_REACH + 1];
	bool ok = true;
	int i;

	if (!neighbours(task, CPUPR_SLEEPER_REACH + 1))
		return false;
	for (i = 0; i < CPUPR_SLEEPER_REACH; i++)
		ok &= is("add", cpupr_sleepers_add(&set, task[i], 100 + i), 0);
	ok &= is("one too many", cpupr_sleepers_add(&set, task[i], 1), -ENOSPC);
	ok &= is("and it is not there", cpupr_sleepers_remove(&set, task[i]), -ENOENT);
	ok &= is("a duplicate in a full window", cpupr_sleepers_add(&set, task[4], 1), -EEXIST);

	/* A hole before the others must not hide them. */
	ok &= is("remove the first", cpupr_sleepers_remove(&set, task[0]), 100);
	ok &= is("a duplicate behind a hole", cpupr_sleepers_add(&set, task[9], 1), -EEXIST);
	ok &= is("the room is used", cpupr_sleepers_add(&set, task[CPUPR_SLEEPER_REACH], 99), 0);
	for (i = 1; i < CPUPR_SLEEPER_REACH; i++)
		ok &= is("remove", cpupr_sleepers_remove(&set, task[i]), 100 + i);
	ok &= is("remove the late one", cpupr_sleepers_remove(&set, task[i]), 99);
	return ok && is("left", (int)used(), 0);
}

/* The window of the last slots goes on at the first one. */
static bool around_the_end(void)
{
	unsigned long task[CPUPR_SLEEPER_REACH];
	unsigned long t;
	unsigned int n = 0, i;
	bool ok = true;

	for (t = 1; n < CPUPR_SLEEPER_REACH && t < SEARCH; t++) {
		cpupr_sleepers_add(&set, TASK(t), 0);
		if (set.slot[CPUPR_SLEEPER_SLOTS - 1].task == TASK(t))
			task[n++] = TASK(t);
		cpupr_sleepers_remove(&set, TASK(t));
	}
	if (n < CPUPR_SLEEPER_REACH)
		return is("tasks found for the last slot", (int)n, CPUPR_SLEEPER_REACH);
	for (i = 0; i < n; i++)
		ok &= is("add", cpupr_sleepers_add(&set, task[i], (int)i), 0);
	ok &= is("at the first slot", set.slot[0].task == task[1], true);
	for (i = 0; i < n; i++)
		ok &= is("remove", cpupr_sleepers_remove(&set, task[i]), (int)i);
	return ok && is("left", (int)used(), 0);
}

/* At half its size the set still takes almost every task, and loses none. */
static bool half_full(void)
{
	const int n = CPUPR_SLEEPER_SLOTS / 2;
	static bool in[CPUPR_SLEEPER_SLOTS];
	int i, refused = 0;
	bool ok = true;

	for (i = 0; i < n; i++) {
		/* A slab of tasks: some 10 KiB each. */
		int err = cpupr_sleepers_add(&set, TASK(i * 160), i % 256);

		in[i] = !err;
		refused += !!err;
		if (err && err != -ENOSPC)
			ok &= is("add", err, -ENOSPC);
	}
	if (refused > n / 100)
		ok &= is("refused", refused, n / 100);
	ok &= is("in the set", (int)used(), n - refused);
	for (i = 0; i < n; i++)
		ok &= is("remove", cpupr_sleepers_remove(&set, TASK(i * 160)),
			 in[i] ? i % 256 : -ENOENT);
	return ok && is("left", (int)used(), 0);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "one task comes and goes", one_task },
		{ "a task is in the set once", a_task_twice },
		{ "a full window, a hole in it, duplicates", a_full_window },
		{ "a window around the end of the array", around_the_end },
		{ "half full", half_full },
	};

	ktap_run(tests, sizeof(tests) / sizeof(tests[0]));
	return ktap_exit();
}
