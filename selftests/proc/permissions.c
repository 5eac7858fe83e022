// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may read and write what: /proc/cpuprecise is for all to read and for no
 * one to write, debugfs is root's. A user gains nothing by being root in a
 * namespace of his own, nor by a descriptor that root could not have opened.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "machine.h"

#define NOBODY	65534
#define NO_NAMESPACE	100	/* a status: it cannot be had here */

/* Without a head: it is empty as long as there are no stacks. */
#define FOLDED	BOOK_DEBUGFS "stack/folded"

static const struct {
	const char *path;
	unsigned int mode;
	const char *command;	/* what can be written to it */
} files[] = {
	{ BOOK_PATH, 0444, NULL },
	{ BOOK_DEBUGFS "collectors", 0600, "-irq" },
	{ BOOK_DEBUGFS "reset", 0600, "1" },
	{ BOOK_DEBUGFS "self", 0400, NULL },
	{ BOOK_DEBUGFS "idle_states", 0400, NULL },
	{ BOOK_DEBUGFS "idle_hist", 0400, NULL },
	{ BOOK_DEBUGFS "idle_wakeups", 0400, NULL },
	{ BOOK_DEBUGFS "counters", 0600, "cpu-clock" },
	{ BOOK_DEBUGFS "freqs", 0400, NULL },
	{ BOOK_DEBUGFS "cycles", 0400, NULL },
	{ BOOK_DEBUGFS "tasks", 0400, NULL },
	{ BOOK_DEBUGFS "processes", 0400, NULL },
	{ BOOK_DEBUGFS "exited", 0400, NULL },
	{ BOOK_DEBUGFS "runq_hist", 0400, NULL },
	{ BOOK_DEBUGFS "syscalls", 0400, NULL },
	{ BOOK_DEBUGFS "syscall_hist", 0400, NULL },
	{ BOOK_DEBUGFS "cgroups", 0400, NULL },
	{ BOOK_DEBUGFS "irqs", 0400, NULL },
	{ BOOK_DEBUGFS "irq_hist", 0400, NULL },
	{ BOOK_DEBUGFS "softirqs", 0400, NULL },
	{ BOOK_DEBUGFS "softirq_hist", 0400, NULL },
	{ BOOK_DEBUGFS "theft", 0400, NULL },
	{ BOOK_DEBUGFS "dump_stack", 0600, "vfs_read" },
	{ BOOK_DEBUGFS "stack/triggers", 0600, "p:intruder vfs_read" },
	{ BOOK_DEBUGFS "stack/stacks", 0400, NULL },
	{ FOLDED, 0400, NULL },
};

static void modes(void)
{
	bool ok = true;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		struct stat st;

		if (stat(files[i].path, &st)) {
			ksft_print_msg("%s: %s\n", files[i].path, strerror(errno));
			ok = false;
			continue;
		}
		if ((st.st_mode & 07777) == files[i].mode && S_ISREG(st.st_mode) && !st.st_uid && !st.st_gid)
			continue;
		ksft_print_msg("%s: mode %o, owner %u:%u\n", files[i].path, st.st_mode, st.st_uid,
			       st.st_gid);
		ok = false;
	}
	ksft_test_result(ok, "modes and owners\n");
}

/* What cannot be written to cannot be opened for it, not by root either. */
static void root_cannot_write(void)
{
	bool ok = true;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		int fd;
		ssize_t n;

		if (files[i].command)
			continue;
		fd = open(files[i].path, O_WRONLY);
		n = fd < 0 ? -1 : write(fd, "1", 1);
		if (n >= 0) {
			ksft_print_msg("%s takes a write\n", files[i].path);
			ok = false;
		}
		if (fd >= 0)
			close(fd);
	}
	ksft_test_result(ok, "tables take no writes from root\n");
}

static bool refused(void)
{
	return errno == EACCES || errno == EPERM;
}

/* In a child that has become someone else: which files does it get at? 0: none but /proc/cpuprecise. */
static int intrude(void)
{
	int wrong = 0;
	unsigned int i;
	char text[256];

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		bool public = !strcmp(files[i].path, BOOK_PATH);
		int fd = open(files[i].path, O_RDONLY);

		if (public ? fd < 0 || read(fd, text, sizeof(text)) <= 0 : fd >= 0 || !refused()) {
			ksft_print_msg("%s: open to read: %s\n", files[i].path,
				       fd < 0 ? strerror(errno) : "done");
			wrong++;
		}
		if (fd >= 0)
			close(fd);
		fd = open(files[i].path, O_WRONLY);
		if (fd >= 0 || !refused()) {
			ksft_print_msg("%s: open to write: %s\n", files[i].path,
				       fd < 0 ? strerror(errno) : "done");
			wrong++;
		}
		if (fd >= 0)
			close(fd);
	}
	return wrong;
}

static void become_nobody(void)
{
	if (setgid(NOBODY) || setuid(NOBODY))
		_exit(99);
}

static void become_fake_root(void)
{
	char map[64];

	become_nobody();
	/* Who has changed his uid may not write to his own files of /proc. */
	prctl(PR_SET_DUMPABLE, 1);
	if (unshare(CLONE_NEWUSER))
		_exit(NO_NAMESPACE);
	snprintf(map, sizeof(map), "0 %d 1", NOBODY);
	if (!file_write("/proc/self/setgroups", "deny") ||
	    !file_write("/proc/self/uid_map", map) || !file_write("/proc/self/gid_map", map) ||
	    geteuid() != 0)
		_exit(99);
}

/* Runs @work as someone else. Returns its status, or -1. */
static int as(void (*become)(void), int (*work)(void))
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		become();
		status = work();
		fflush(stdout);
		_exit(status);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

/* For a path walk that fails above the files proves nothing of their modes. */
static bool debugfs_is_searchable(void)
{
	struct stat st;

	return !stat("/sys/kernel/debug", &st) && (st.st_mode & 0001);
}

static char state_before[4096], state_after[4096];
static struct book before, after;

/* What writes by intruders would change. */
static void take_state(char *state, size_t size, struct book *book)
{
	static const char *const names[] = { "collectors", "dump_stack", "stack/triggers" };
	char path[128];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(path, sizeof(path), BOOK_DEBUGFS "%s", names[i]);
		if (!file_read(path, state, size))
			ksft_exit_fail_msg("cannot read %s\n", names[i]);
		size -= strlen(state);
		state += strlen(state);
	}
	book_read(book);
}

static int opened[ARRAY_SIZE(files)];

/* Opened by root for reading: the rights to write did not come along. */
static int write_to_opened(void)
{
	int wrong = 0;
	unsigned int i;
	char text[256];

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		const char *command = files[i].command ?: "1";
		char again[32];
		int fd;

		if (write(opened[i], command, strlen(command)) >= 0 || (errno != EBADF && !refused())) {
			ksft_print_msg("%s: write to a read-only descriptor: %s\n", files[i].path,
				       strerror(errno));
			wrong++;
		}
		/* Root handed it over to be read, and so it is. */
		if (pread(opened[i], text, sizeof(text), 0) < !!strcmp(files[i].path, FOLDED)) {
			ksft_print_msg("%s: read of a descriptor handed over: %s\n", files[i].path,
				       strerror(errno));
			wrong++;
		}
		/* Opened again through /proc, it is a new open. */
		snprintf(again, sizeof(again), "/proc/self/fd/%d", opened[i]);
		fd = open(again, O_RDWR);
		if (fd >= 0 || !refused()) {
			ksft_print_msg("%s: opened again to write: %s\n", files[i].path,
				       fd < 0 ? strerror(errno) : "done");
			wrong++;
		}
	}
	return wrong;
}

static void result_of(int status, const char *name)
{
	if (status == NO_NAMESPACE) {
		ksft_test_result_skip("%s: nobody may make a namespace of users here\n", name);
		return;
	}
	ksft_test_result(status == 0, "%s\n", name);
}

int main(void)
{
	unsigned int i;

	book_require();
	if (geteuid())
		ksft_exit_skip("needs root\n");
	ksft_print_header();
	ksft_set_plan(6);
	modes();
	root_cannot_write();

	take_state(state_before, sizeof(state_before), &before);
	if (!debugfs_is_searchable() && chmod("/sys/kernel/debug", 0755))
		ksft_exit_fail_msg("cannot open up /sys/kernel/debug: %s\n", strerror(errno));
	result_of(as(become_nobody, intrude), "nobody");
	result_of(as(become_fake_root, intrude), "nobody as root of a user namespace");
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		opened[i] = open(files[i].path, O_RDONLY);
		if (opened[i] < 0)
			ksft_exit_fail_msg("%s: %s\n", files[i].path, strerror(errno));
	}
	result_of(as(become_nobody, write_to_opened), "descriptors that root opened to read");
	for (i = 0; i < ARRAY_SIZE(files); i++)
		close(opened[i]);
	chmod("/sys/kernel/debug", 0700);
	take_state(state_after, sizeof(state_after), &after);
	ksft_test_result(!strcmp(state_before, state_after) && before.epoch == after.epoch,
			 "nothing has changed\n");
	ksft_finished();
}
