// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads that exit: their process has what they had, whoever goes first (the
 * leader, too) and whoever goes on in another program. When the last one is gone,
 * so is the row, and what it had is among those that have exited, to the last unit.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kselftest.h"

#include "load.h"
#include "machine.h"
#include "tasks.h"
#include "worker.h"

#define BURN	(100 * NSEC_PER_MSEC)
#define SETTLE	(30 * NSEC_PER_MSEC)	/* from the last word of a task to its sleep or end */
#define TRIES	20

static struct tasks tasks, processes, exited, later;

/* --- in the process that is looked at ------------------------------------------------- */

static int go[2], done[2];

/* Tells that a step is done, and waits to be told to go on. */
static void step(void)
{
	char byte = 0;

	if (write(done[1], &byte, 1) != 1 || read(go[0], &byte, 1) != 1)
		_exit(1);
}

static void *burns(void *unused)
{
	burn_own(BURN);
	return NULL;
}

static void run_thread(void *(*work)(void *))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, work, NULL) || pthread_join(thread, NULL))
		_exit(1);
}

static void *outlives(void *unused)
{
	prctl(PR_SET_NAME, "outlives");
	step();
	burn_own(BURN);
	step();
	_exit(0);
}

/* Two threads come and go, the leader goes, the third one goes on. */
static void leader_goes(void)
{
	pthread_t thread;

	prctl(PR_SET_NAME, "leader");
	burn_own(BURN);
	run_thread(burns);
	run_thread(burns);
	step();
	if (pthread_create(&thread, NULL, outlives, NULL))
		_exit(1);
	syscall(SYS_exit, 0);
}

static void *execs(void *unused)
{
	char to[16], from[16];

	snprintf(to, sizeof(to), "%d", go[0]);
	snprintf(from, sizeof(from), "%d", done[1]);
	burn_own(BURN);
	step();
	execl("/proc/self/exe", "threads", to, from, NULL);
	_exit(1);
}

/* Of three threads one that is not the leader becomes another program. */
static void other_execs(void)
{
	pthread_t thread;

	prctl(PR_SET_NAME, "leader");
	burn_own(BURN);
	run_thread(burns);
	if (pthread_create(&thread, NULL, execs, NULL))
		_exit(1);
	for (;;)
		pause();
}

/* The other program. */
static int after_exec(char **argv)
{
	go[0] = atoi(argv[1]);
	done[1] = atoi(argv[2]);
	burn_own(BURN);
	step();
	return 0;
}

/* --- what is seen of it ---------------------------------------------------------------- */

static void must_be_done(void)
{
	char byte;

	if (read(done[0], &byte, 1) != 1)
		ksft_exit_fail_msg("the process has gone\n");
	sleep_ns(SETTLE);
}

static void next_step(void)
{
	char byte = 0;

	if (write(go[1], &byte, 1) != 1)
		ksft_exit_fail_msg("the process has gone\n");
}

static pid_t start(void (*work)(void))
{
	if (pipe(go) || pipe(done))
		ksft_exit_fail_msg("no pipe\n");
	return load_start(work, other_cpu());
}

/* All three files of one moment: read until nobody has exited between the first and the last. */
static void read_files(void)
{
	int i;

	for (i = 0; i < TRIES; i++) {
		tasks_read_checked(&exited, TASKS_GONE, NULL);
		tasks_read_checked(&tasks, TASKS, NULL);
		tasks_read_checked(&processes, TASKS_PROCESSES, NULL);
		tasks_read_checked(&later, TASKS_GONE, NULL);
		if (exited.rows == later.rows)
			break;
	}
	if (i == TRIES || exited.rows == TASKS_GONE_ROWS)
		ksft_exit_fail_msg("%u tasks have exited, and it goes on\n", exited.rows);
}

static bool same(const char *what, const struct tasks_row *row, const uint64_t *sum)
{
	bool ok = true;
	int f;

	for (f = 0; f < TASKS_FIELDS; f++) {
		if (row->value[f] == sum[f])
			continue;
		ksft_print_msg("%s: %s is %" PRIu64 ", its parts have %" PRIu64 "\n", what,
			       tasks_field_name[f], row->value[f], sum[f]);
		ok = false;
	}
	return ok;
}

static void add(uint64_t *sum, const struct tasks_row *row)
{
	int f;

	for (f = 0; f < TASKS_FIELDS; f++)
		sum[f] += row->value[f];
}

/* A process, all of which sleeps: what its threads have, with those that have exited. */
static bool adds_up(pid_t pid, unsigned int living, unsigned int gone)
{
	uint64_t sum[TASKS_FIELDS] = { 0 };
	unsigned int i, here = 0, there = 0;

	for (i = 0; i < tasks.rows; i++) {
		if (tasks.row[i].tgid != pid)
			continue;
		add(sum, &tasks.row[i]);
		here++;
	}
	for (i = 0; i < exited.rows; i++) {
		if (exited.row[i].tgid != pid)
			continue;
		add(sum, &exited.row[i]);
		there++;
	}
	if (here == living && there == gone)
		return same("process", tasks_row(&processes, pid), sum);
	ksft_print_msg("process %d: %u threads live, %u have exited; should be %u, %u\n", pid, here,
		       there, living, gone);
	return false;
}

/* All that have exited in this epoch, and of them those whose process is gone. */
static bool exited_adds_up(void)
{
	uint64_t all[TASKS_FIELDS] = { 0 }, gone[TASKS_FIELDS] = { 0 };
	unsigned int i;

	for (i = 0; i < exited.rows; i++) {
		add(all, &exited.row[i]);
		if (!tasks_find(&processes, exited.row[i].tgid))
			add(gone, &exited.row[i]);
	}
	return same("exited of tasks", tasks_row(&tasks, TASKS_EXITED), all) &
	       same("exited of processes", tasks_row(&processes, TASKS_EXITED), gone);
}

/* What the CPU clock of the process says, which counts those that have exited, too. */
static bool is_on_time(pid_t pid, unsigned int pieces)
{
	uint64_t has = tasks_clock(tasks_row(&processes, pid)), clock = clock_ns(process_clock(pid));
	uint64_t within = tolerance(clock);

	if (has + within >= clock && has <= clock + within && has + within >= pieces * BURN)
		return true;
	ksft_print_msg("process %d has run %" PRIu64 " us, by its clock %" PRIu64 " us, of which it burnt %"
		       PRIu64 " us\n", pid, has / NSEC_PER_USEC, clock / NSEC_PER_USEC,
		       pieces * BURN / NSEC_PER_USEC);
	return false;
}

static bool is_leader(pid_t pid, const char *name, char state)
{
	const struct tasks_row *row = tasks_row(&processes, pid);

	if (!strcmp(row->comm, name) && row->state == state)
		return true;
	ksft_print_msg("process %d is '%s' %c, should be '%s' %c\n", pid, row->comm, row->state, name,
		       state);
	return false;
}

static void leader_first(void)
{
	struct tasks before = { 0 };
	pid_t pid = start(leader_goes);
	bool ok;

	must_be_done();
	read_files();
	ok = adds_up(pid, 1, 2) & is_on_time(pid, 3) & is_leader(pid, "leader", 'S');
	ksft_test_result(ok, "two threads have exited: they are part of the process\n");

	next_step();
	must_be_done();
	read_files();
	ok = adds_up(pid, 1, 3) & is_on_time(pid, 3) & is_leader(pid, "leader", 'Z');
	ok &= !tasks_find(&tasks, pid);
	ksft_test_result(ok, "so is the leader, which went before another one\n");

	tasks_read_checked(&before, TASKS_PROCESSES, NULL);
	next_step();
	must_be_done();
	read_files();
	ok = adds_up(pid, 1, 3) & is_on_time(pid, 4);
	ksft_test_result(ok && tasks_delta(&before, &processes, pid, TASKS_RUN) > BURN / 2,
			 "which goes on under the leader's number\n");

	tasks_read_checked(&before, TASKS_PROCESSES, NULL);
	next_step();
	sleep_ns(SETTLE);
	/* A zombie: nobody has waited for it. */
	read_files();
	ok = !tasks_find(&processes, pid) && exited_adds_up();
	ok &= tasks_delta(&before, &processes, TASKS_EXITED, TASKS_RUN) >=
		tasks_row(&before, pid)->value[TASKS_RUN];
	ksft_test_result(ok, "the last one gone: no row, and exited has grown by it\n");
	worker_reap(pid);
	read_files();
	ksft_test_result(exited_adds_up() && !tasks_find(&processes, pid), "the same when it is reaped\n");
	tasks_free(&before);
}

static void exec_by_another(void)
{
	struct tasks before = { 0 };
	pid_t pid = start(other_execs);
	bool ok;

	must_be_done();
	read_files();
	ok = adds_up(pid, 2, 1) & is_on_time(pid, 3);
	tasks_read_checked(&before, TASKS_PROCESSES, NULL);
	next_step();
	must_be_done();
	read_files();
	ok &= adds_up(pid, 1, 2) & is_on_time(pid, 4) & is_leader(pid, "exe", 'S');
	ksft_test_result(ok, "exec by a thread that is not the leader: nothing is lost\n");
	ksft_test_result(tasks_find(&tasks, pid) && tasks_row(&tasks, pid)->tgid == pid &&
			 tasks_row(&processes, pid)->start == tasks_row(&before, pid)->start,
			 "it has the leader's number and start\n");
	next_step();
	sleep_ns(SETTLE);
	worker_reap(pid);
	read_files();
	ksft_test_result(exited_adds_up() && !tasks_find(&processes, pid), "and adds up when it is gone\n");
	tasks_free(&before);
}

int main(int argc, char **argv)
{
	if (argc > 2)
		return after_exec(argv);
	tasks_require();
	ksft_print_header();
	ksft_set_plan(8);
	pin(0);
	must_write(BOOK_DEBUGFS "reset", "1");
	leader_first();
	exec_by_another();
	ksft_finished();
}
