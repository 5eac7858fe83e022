// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of tasks, whatever bytes they are of: a line a task, always as many
 * columns, nothing in the text that is no printing ASCII; unescaped it is what the
 * kernel has now, after another name and another program, too.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kselftest.h"

#include "load.h"
#include "machine.h"
#include "tasks.h"
#include "worker.h"

#define COLUMNS	16

static const char *const names[] = {
	"a b)\n9 9 9", "\x01\x1b\xff", "", "\\\\040\\", "fifteen bytes..", "#", "-", "exited",
	"\t\r\v\f\x7f\x80", "\"'%s%n$`*?",
};

static struct worker worker[ARRAY_SIZE(names)];
static struct tasks tasks, processes, exited;
static char text[1 << 20];

/* Of the file as it is: what no name may change. */
static bool is_clean(const char *file)
{
	unsigned int columns = 1, line = 1;
	char path[128];
	size_t length, i;
	bool ok = true;

	snprintf(path, sizeof(path), BOOK_DEBUGFS "%s", file);
	length = file_read_all(path, text, sizeof(text));
	if (strlen(text) != length) {
		ksft_print_msg("%s: a NUL\n", file);
		return false;
	}
	for (i = 0; i < length && ok; i++) {
		unsigned char c = text[i];

		ok = c == '\n' || (c >= ' ' && c <= '~');
		if (!ok)
			ksft_print_msg("%s: line %u has a byte %#x\n", file, line, c);
		columns += c == ' ';
		if (c != '\n')
			continue;
		/* The heading begins with a word of its own. */
		if (columns != COLUMNS + (line == 1)) {
			ksft_print_msg("%s: line %u is of %u words\n", file, line, columns);
			ok = false;
		}
		columns = 1;
		line++;
	}
	return ok;
}

/* As the kernel has it: /proc/TID/comm, whose newline at the end is not the name's. */
static bool is_named(const struct tasks *from, pid_t tid)
{
	const struct tasks_row *row = tasks_row(from, tid);
	char path[64], comm[64];

	snprintf(path, sizeof(path), "/proc/%d/comm", tid);
	if (!file_read(path, comm, sizeof(comm)))
		ksft_exit_fail_msg("no %s\n", path);
	if (!strcmp(row->comm, comm))
		return true;
	ksft_print_msg("pid %d is '%s', should be '%s'\n", tid, row->comm, comm);
	return false;
}

static bool all_named(void)
{
	unsigned int i;
	bool ok = true;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		ok &= is_named(&tasks, worker[i].pid) & is_named(&processes, worker[i].pid);
	return ok;
}

static void read_files(void)
{
	tasks_read_checked(&tasks, TASKS, NULL);
	tasks_read_checked(&processes, TASKS_PROCESSES, NULL);
}

static void strange_names(void)
{
	unsigned int i;
	bool ok;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		worker_start(&worker[i], -1);
		worker_rename(&worker[i], names[i]);
	}
	ok = is_clean(TASKS) & is_clean(TASKS_PROCESSES);
	ksft_test_result(ok, "%u strange names: clean lines of %u columns\n",
			 (unsigned int)ARRAY_SIZE(names), COLUMNS);
	read_files();
	ksft_test_result(all_named(), "each is what /proc/TID/comm has\n");

	for (i = 0; i < ARRAY_SIZE(names); i++)
		worker_rename(&worker[i], names[(i + 1) % ARRAY_SIZE(names)]);
	read_files();
	ksft_test_result(all_named(), "and after another name at once\n");
}

static void names_of_the_dead(void)
{
	unsigned int i;
	bool ok;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		worker_exit(&worker[i]);
		worker_reap(worker[i].pid);
	}
	sleep_ns(50 * NSEC_PER_MSEC);
	ok = is_clean(TASKS_GONE);
	tasks_read_checked(&exited, TASKS_GONE, NULL);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		const char *want = names[(i + 1) % ARRAY_SIZE(names)];
		const struct tasks_row *row = tasks_row(&exited, worker[i].pid);

		if (!strcmp(row->comm, want))
			continue;
		ksft_print_msg("pid %d was '%s', should be '%s'\n", row->pid, row->comm, want);
		ok = false;
	}
	ksft_test_result(ok, "those that have exited keep them\n");
}

static void run_another_program(void)
{
	prctl(PR_SET_NAME, "before exec");
	execl("/proc/self/exe", "names", "wait", NULL);
	_exit(1);
}

static void another_program(void)
{
	pid_t pid = load_start(run_another_program, -1);
	char path[64], comm[64] = "";

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	while (file_read(path, comm, sizeof(comm)) && strcmp(comm, "exe"))
		sleep_ns(NSEC_PER_MSEC);
	read_files();
	ksft_test_result(is_named(&tasks, pid) && is_named(&processes, pid),
			 "another program: '%s' now\n", tasks_row(&tasks, pid)->comm);
	load_stop(pid);
}

static pid_t thread_tid;
static pthread_barrier_t barrier;

static void *named_thread(void *unused)
{
	prctl(PR_SET_NAME, "a thread");
	thread_tid = syscall(SYS_gettid);
	pthread_barrier_wait(&barrier);
	pause();
	return NULL;
}

static void threads(void)
{
	pthread_t thread;
	bool ok;

	prctl(PR_SET_NAME, "its leader");
	pthread_barrier_init(&barrier, NULL, 2);
	if (pthread_create(&thread, NULL, named_thread, NULL))
		ksft_exit_fail_msg("no thread\n");
	pthread_barrier_wait(&barrier);
	read_files();
	ok = is_named(&tasks, thread_tid) & is_named(&tasks, getpid()) & is_named(&processes, getpid());
	ok &= !tasks_find(&processes, thread_tid) && tasks_row(&tasks, thread_tid)->tgid == getpid();
	ksft_test_result(ok && !strcmp(tasks_row(&tasks, thread_tid)->comm, "a thread"),
			 "a thread has its own name, the process its leader's\n");
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		pause();
		return 1;
	}
	tasks_require();
	ksft_print_header();
	ksft_set_plan(6);
	strange_names();
	names_of_the_dead();
	another_program();
	threads();
	ksft_finished();
}
