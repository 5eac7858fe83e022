// SPDX-License-Identifier: GPL-2.0-only
/*
 * Collectors switched off and on under load: the books stay closed and monotone
 * at each of many reads, the time of what is off stays where it would have been
 * split from, and the split is back when it is on again.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "load.h"
#include "loop.h"
#include "machine.h"

#define PAGES	2048
#define BLOCK	65536

static char *pages, *block;
static int file;

/* A row of the collectors file is "name state reason". */
static bool has_state(const char *name, const char *state)
{
	static char text[16384];
	char *line, *save = NULL;

	if (!file_read(BOOK_DEBUGFS "collectors", text, sizeof(text)))
		ksft_exit_fail_msg("no %scollectors\n", BOOK_DEBUGFS);
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char a[64], b[64];

		if (sscanf(line, "%63s %63s", a, b) == 2 && !strcmp(a, name))
			return !strcmp(b, state);
	}
	return false;
}

static void turn(const char *name, bool on)
{
	char command[64];

	snprintf(command, sizeof(command), "%c%s", on ? '+' : '-', name);
	must_write(BOOK_DEBUGFS "collectors", command);
	if (!has_state(name, on ? "on" : "off"))
		ksft_exit_fail_msg("wrote %s: the file does not show it\n", command);
}

static uint64_t growth(enum book_field field)
{
	static struct book a, b;
	const char *error;

	book_read(&a);
	sleep_ns(500 * NSEC_PER_MSEC);
	book_read(&b);
	error = book_check_after(&a, &b);
	if (error)
		ksft_exit_fail_msg("%s\n", error);
	return book_delta(&a, &b, BOOK_ALL, field);
}

static void check_column(const char *name, enum book_field field)
{
	uint64_t off, on;

	turn(name, false);
	off = growth(field);
	turn(name, true);
	on = growth(field);
	ksft_test_result(off == 0 && on, "%s off: its column grew by %" PRIu64 " ns, on: by %" PRIu64
			 " ns\n", name, off, on);
}

static void read_blocks(void)
{
	loop_syscall(1000, SYS_pread64, file, (long)block, BLOCK, 0);
}

static void touch_pages(void)
{
	loop_touch(PAGES, pages, 4096);
}

/* Per cent of this CPU's user and system time in a loop that is user. */
static unsigned int user_share(void (*loop)(void))
{
	static struct book_text before, after;
	static struct book a, b;
	uint64_t user, system;

	madvise(pages, PAGES * 4096ul, MADV_DONTNEED);
	book_take(&before);
	loop();
	book_take(&after);
	if (book_parse(&a, &before) || book_parse(&b, &after))
		ksft_exit_fail_msg("the text does not parse\n");
	user = book_delta(&a, &b, 0, USER);
	system = book_delta(&a, &b, 0, SYSTEM);
	return user * 100 / (user + system + 1);
}

static void check_split(const char *name, void (*loop)(void), unsigned int user_off,
			unsigned int user_on)
{
	unsigned int off, on;

	turn(name, false);
	off = user_share(loop);
	turn(name, true);
	/* The way into the kernel and back is user to some part: see the test of that. */
	on = user_share(loop);
	ksft_test_result(off >= user_off && on <= user_on,
			 "%s off: the loop is %u %% user, at least %u; on: %u %%, at most %u\n", name,
			 off, user_off, on, user_on);
}

struct watched {
	volatile bool stop;
	unsigned int reads;
	char error[512];
};

static void watch(struct watched *w)
{
	static struct book book[2];
	const char *error = NULL;

	while (!w->stop && !error) {
		struct book *now = &book[w->reads % 2], *last = &book[(w->reads + 1) % 2];

		book_read(now);
		error = book_check(now);
		if (!error && w->reads)
			error = book_check_after(last, now);
		if (!error)
			error = book_check_elapsed(now, NULL);
		w->reads++;
		sleep_ns(NSEC_PER_MSEC);
	}
	if (error)
		strncpy(w->error, error, sizeof(w->error) - 1);
}

int main(void)
{
	static const char *const names[] = { "sched", "syscall", "fault", "irq", "softirq", "iowait" };
	void (*const loads[])(void) = { load_datagrams, load_timers, load_duty };
	pid_t load[ARRAY_SIZE(loads)], watcher;
	struct watched *w;
	unsigned int i, round;

	book_require();
	ksft_print_header();
	ksft_set_plan(6);

	pages = mmap(NULL, PAGES * 4096ul, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	block = mmap(NULL, BLOCK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE,
		     -1, 0);
	w = mmap(NULL, sizeof(*w), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	file = syscall(SYS_memfd_create, "selftest", 0);
	if (pages == MAP_FAILED || block == MAP_FAILED || w == MAP_FAILED || file < 0 ||
	    write(file, block, BLOCK) != BLOCK)
		ksft_exit_fail_msg("no memory\n");
	madvise(pages, PAGES * 4096ul, MADV_NOHUGEPAGE);

	/* The split of this CPU's time first: the load would be in it. */
	pin(0);
	check_split("syscall", read_blocks, 90, 50);
	check_split("fault", touch_pages, 90, 60);

	for (i = 0; i < ARRAY_SIZE(loads); i++)
		load[i] = load_start(loads[i], other_cpu());
	fflush(stdout);
	watcher = fork();
	if (watcher == 0) {
		watch(w);
		_exit(0);
	}
	check_column("irq", IRQ);
	check_column("softirq", SOFTIRQ);
	/* All of them, one by one, and in pairs while another is off. */
	for (round = 0; round < 4; round++) {
		for (i = 0; i < ARRAY_SIZE(names); i++) {
			turn(names[i], false);
			turn(names[(i + 1 + round) % ARRAY_SIZE(names)], round == 3);
			sleep_ns(30 * NSEC_PER_MSEC);
			turn(names[i], true);
			turn(names[(i + 1 + round) % ARRAY_SIZE(names)], true);
			sleep_ns(10 * NSEC_PER_MSEC);
		}
	}
	ksft_test_result(growth(IDLE) + growth(USER) + growth(SYSTEM) > 0, "all on again: time goes on\n");
	w->stop = true;
	waitpid(watcher, NULL, 0);
	for (i = 0; i < ARRAY_SIZE(loads); i++)
		load_stop(load[i]);
	if (w->error[0])
		ksft_print_msg("%s\n", w->error);
	ksft_test_result(!w->error[0] && w->reads > 10, "%u reads meanwhile: closed, monotone, on time\n",
			 w->reads);
	ksft_finished();
}
