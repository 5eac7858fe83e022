// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module's life while CPUs come and go: loaded and unloaded with CPUs
 * offline, CPUs that it has never seen before, holes in the numbers, and CPUs
 * that go and come in a loop under readers. A row always has its CPU's number.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "load.h"
#include "machine.h"
#include "module.h"
#include "traces.h"

#define LOOP_SECONDS	15
#define UNLOAD_LONGEST	(5 * NSEC_PER_SEC)

static struct traces before, after;

static void set_online(int cpu, bool online)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	must_write(path, online ? "1" : "0");
}

/* Rows are those of @rows, by number; those in @online say so. Bit i is CPU i. */
static bool rows_are(const char *when, unsigned int rows, unsigned int online)
{
	static struct book book;
	unsigned int seen = 0, seen_online = 0;
	const char *error;
	int i;

	book_read(&book);
	error = book_check(&book);
	for (i = 1; i < book.rows && !error; i++) {
		seen |= 1u << book.row[i].cpu;
		seen_online |= (unsigned int)book.row[i].online << book.row[i].cpu;
	}
	if (error)
		ksft_print_msg("%s: %s\n", when, error);
	else if (seen != rows || seen_online != online)
		ksft_print_msg("%s: rows %#x, online %#x; should be %#x, %#x\n", when, seen,
			       seen_online, rows, online);
	return !error && seen == rows && seen_online == online;
}

static bool unload_in_time(void)
{
	uint64_t start = monotonic_ns();

	module_unload();
	return monotonic_ns() - start < UNLOAD_LONGEST;
}

static void read_all_the_time(void)
{
	static struct book book[2];
	const char *error = NULL;
	unsigned int i;

	for (i = 0; !error; i++) {
		book_read(&book[i % 2]);
		error = book_check(&book[i % 2]);
		if (!error && i)
			error = book_check_after(&book[(i + 1) % 2], &book[i % 2]);
	}
	/* The loop's end is noticed by load_stop(): a load never ends. */
	ksft_print_msg("reader: %s\n", error);
}

int main(void)
{
	unsigned int all, loops = 0;
	pid_t reader[4], work;
	uint64_t end;
	bool ok;
	int i, cpus;

	module_require_unloaded();
	require_cpus(2);
	cpus = cpus_online() < 4 ? cpus_online() : 4;
	if (access("/sys/devices/system/cpu/cpu1/online", W_OK))
		ksft_exit_skip("CPU 1 cannot be taken offline here\n");
	if (cpus_online() > 30)
		ksft_exit_skip("made for few CPUs\n");
	all = (1u << cpus_online()) - 1;
	ksft_print_header();
	ksft_set_plan(8);
	log_mark();
	traces_take(&before);

	set_online(1, false);
	module_load("");
	ksft_test_result(rows_are("loaded", all & ~2u, all & ~2u), "no row of a CPU that was not there yet\n");
	set_online(1, true);
	ksft_test_result(rows_are("online", all, all), "it has one as soon as it comes\n");
	set_online(1, false);
	ksft_test_result(rows_are("offline", all, all & ~2u), "and keeps it when it goes\n");
	ksft_test_result(unload_in_time(), "unloaded while it is away\n");
	module_load("");
	ok = rows_are("loaded again", all & ~2u, all & ~2u);
	module_unload();
	set_online(1, true);
	traces_take(&after);
	ksft_test_result(ok && traces_same(&before, &after), "loaded again meanwhile, nothing left\n");

	module_load("");
	if (cpus < 4) {
		ksft_test_result_skip("row numbers with a hole: needs 4 CPUs\n");
	} else {
		set_online(2, false);
		ok = rows_are("2 away", all, all & ~4u);
		must_write(BOOK_DEBUGFS "reset", "1");
		/* Not online in this epoch: no row; the others keep their numbers. */
		ok &= rows_are("2 away, new epoch", all & ~4u, all & ~4u);
		set_online(2, true);
		ok &= rows_are("2 back", all, all);
		ksft_test_result(ok, "row numbers with a hole\n");
	}

	for (i = 0; i < (int)ARRAY_SIZE(reader); i++)
		reader[i] = load_start(read_all_the_time, -1);
	work = load_start(load_forks, -1);
	end = monotonic_ns() + LOOP_SECONDS * NSEC_PER_SEC;
	for (loops = 0; monotonic_ns() < end; loops++) {
		set_online(1 + loops % (cpus - 1), false);
		set_online(1 + loops % (cpus - 1), true);
	}
	load_stop(work);
	for (i = 0; i < (int)ARRAY_SIZE(reader); i++)
		load_stop(reader[i]);
	ksft_test_result(rows_are("after the loop", all, all) && loops > 1,
			 "%u times offline and online under four readers\n", loops);
	ok = unload_in_time();
	ksft_test_result(ok && traces_none(&before), "nothing left, a clean log\n");
	ksft_finished();
}
