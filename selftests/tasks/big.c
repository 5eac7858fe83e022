// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables of thousands of tasks, read in pieces of any size, at any offset and in
 * any order: the same rows, each complete and once, of one snapshot a pass.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "load.h"
#include "machine.h"
#include "tasks.h"

#define PROCESSES	20
#define THREADS		150	/* each */
#define PIECE		997
#define OTHERS		10	/* that may exit meanwhile */

static pid_t process[PROCESSES];
static char text[1 << 21];
static struct tasks whole, now;
static pid_t ours[PROCESSES * THREADS];
static unsigned int nr_ours;

static void *waits(void *unused)
{
	for (;;)
		pause();
	return NULL;
}

static void many_threads(void)
{
	pthread_attr_t attr;
	pthread_t thread;
	int i;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 32768);
	for (i = 1; i < THREADS; i++)
		if (pthread_create(&thread, &attr, waits, NULL))
			_exit(1);
	waits(NULL);
}

static int threads_of(pid_t pid)
{
	char path[64], status[4096], *at;
	int threads;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	at = file_read(path, status, sizeof(status)) ? strstr(status, "\nThreads:") : NULL;
	if (!at || sscanf(at, " Threads: %d", &threads) != 1)
		ksft_exit_fail_msg("%s does not tell the threads\n", path);
	return threads;
}

static void start(void)
{
	int i;

	for (i = 0; i < PROCESSES; i++)
		process[i] = load_start(many_threads, -1);
	for (i = 0; i < PROCESSES; i++)
		while (threads_of(process[i]) < THREADS)
			sleep_ns(10 * NSEC_PER_MSEC);
}

static bool is_ours(const struct tasks_row *row)
{
	int i;

	for (i = 0; i < PROCESSES && process[i] != row->tgid; i++)
		;
	return i < PROCESSES;
}

/* In the order of the file. */
static void remember(void)
{
	unsigned int i;

	for (i = nr_ours = 0; i < whole.rows; i++)
		if (is_ours(&whole.row[i]) && nr_ours < ARRAY_SIZE(ours))
			ours[nr_ours++] = whole.row[i].pid;
}

/*
 * A table with the rows of ours that one big read had: all of them, but the last ones of
 * those that have exited, where others may have exited since.
 */
static bool is_whole(const char *file, const char *how, size_t length)
{
	unsigned int i, n = 0;
	const char *error;

	text[length] = '\0';
	tasks_parse(&now, file, text);
	now.after = monotonic_ns();
	error = tasks_check(&now, NULL);
	for (i = 0; i < now.rows; i++)
		n += is_ours(&now.row[i]);
	if (!strcmp(file, TASKS_GONE) && n + OTHERS >= nr_ours)
		i = nr_ours - n;
	else
		i = 0;
	for (n += i; i < nr_ours && tasks_find(&now, ours[i]); i++)
		;
	if (!error && n == nr_ours && i == nr_ours)
		return true;
	ksft_print_msg("%s, %s: %u rows of %u; %s\n", file, how, n, nr_ours, error ? error : "");
	return false;
}

static bool in_blocks(const char *file, const char *path)
{
	static const size_t sizes[] = { 1, 100, 512, 4096, 65536 };
	char how[64];
	unsigned int i;
	bool ok = true;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		ssize_t length = file_read_pieces(path, sizes[i], text, sizeof(text));

		snprintf(how, sizeof(how), "blocks of %zu", sizes[i]);
		if (length < 0)
			ksft_exit_fail_msg("%s: does not end in %s\n", file, how);
		ok &= is_whole(file, how, length);
	}
	return ok;
}

/* Is what stands at @at still the same? Without moving the file's own position. */
static bool still(int fd, size_t at, size_t length)
{
	char piece[PIECE];
	size_t want = at + PIECE < length ? PIECE : length - at, has = 0;
	ssize_t n = 1;

	for (; has < want && n > 0; has += n > 0 ? n : 0)
		n = pread(fd, piece + has, want - has, at + has);
	return has == want && !memcmp(text + at, piece, want);
}

/* The first byte takes the snapshot; then from offset 1 on, and in pieces far from each other. */
static bool scattered(const char *file, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t length = 1, pieces, at, i;
	bool ok = true;
	ssize_t n;

	if (fd < 0 || pread(fd, text, 1, 0) != 1)
		ksft_exit_fail_msg("cannot read %s\n", path);
	while ((n = pread(fd, text + length, PIECE, length)) > 0)
		length += n;
	pieces = (length - 1 + PIECE - 1) / PIECE;
	/* A prime that does not divide the count: each piece once. */
	for (i = 0; i < pieces && ok; i++)
		ok = still(fd, 1 + i * 7919 % pieces * PIECE, length);
	for (i = 1; i < 20 && ok; i++) {
		char byte;

		at = i * length / 20;
		ok = lseek(fd, at, SEEK_SET) == (off_t)at && read(fd, &byte, 1) == 1 && byte == text[at];
	}
	if (!ok)
		ksft_print_msg("%s: something has changed at another pass\n", file);
	close(fd);
	return is_whole(file, "at offsets", length) && ok;
}

/* Back to the start from the middle: another table, as whole. */
static bool rewound(const char *file, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t length = 0;
	ssize_t n;

	if (fd < 0 || read(fd, text, 4096) <= 0 || read(fd, text, 100) <= 0 || lseek(fd, 0, SEEK_SET))
		ksft_exit_fail_msg("cannot read %s and go back\n", path);
	while ((n = read(fd, text + length, 4096)) > 0)
		length += n;
	close(fd);
	return is_whole(file, "rewound", length);
}

static void look_at(const char *file, unsigned int rows)
{
	char path[128];

	snprintf(path, sizeof(path), BOOK_DEBUGFS "%s", file);
	tasks_read_checked(&whole, file, NULL);
	remember();
	ksft_test_result(nr_ours <= rows && nr_ours + (rows == TASKS_GONE_ROWS ? OTHERS : 0) >= rows, "%s: %u rows of %u tasks\n", file, nr_ours, rows);
	ksft_test_result(in_blocks(file, path), "%s in blocks of 1 to 65536 bytes\n", file);
	ksft_test_result(scattered(file, path), "%s at odd offsets, in any order\n", file);
	ksft_test_result(rewound(file, path), "%s from the start again\n", file);
}

int main(void)
{
	int i;

	tasks_require();
	ksft_print_header();
	ksft_set_plan(3 * 4);
	start();
	look_at(TASKS, PROCESSES * THREADS);
	look_at(TASKS_PROCESSES, PROCESSES);
	for (i = 0; i < PROCESSES; i++)
		load_stop(process[i]);
	sleep_ns(NSEC_PER_SEC);
	/* Of 3,000 that have exited the file has the last ones. */
	look_at(TASKS_GONE, TASKS_GONE_ROWS);
	ksft_finished();
}
