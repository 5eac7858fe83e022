// SPDX-License-Identifier: GPL-2.0-only
/*
 * The time of control groups: as cpu.stat of each group has it, which the kernel
 * counts by itself, and all of them together as the CPUs have it.
 *
 * cpu.stat has interrupts in it that came while a task ran, and is up to a tick late.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "load.h"
#include "machine.h"
#include "table.h"

#define MOUNT	"/tmp/cgroup"
#define GROUPS	64

enum field { G_RUN, G_USER, G_SYSTEM, G_IRQ, G_SOFTIRQ, G_WAIT, G_FIELDS };

struct group {
	uint64_t id;	/* 0: the row other */
	char path[128];
	uint64_t value[G_FIELDS];
};

struct groups {
	unsigned int rows;
	struct group row[GROUPS];
};

static struct groups a, b;

static void groups_read(struct groups *groups)
{
	char *save, *word[2 + G_FIELDS];
	char *line = table_read("cgroups", "# id path run_ns user_ns system_ns irq_ns softirq_ns wait_ns", &save);
	unsigned int i;

	for (groups->rows = 0; line; line = strtok_r(NULL, "\n", &save)) {
		struct group *g = &groups->row[groups->rows++];

		if (groups->rows > GROUPS)
			ksft_exit_fail_msg("more than %d groups\n", GROUPS);
		table_split("cgroups", line, word, 2 + G_FIELDS);
		g->id = strcmp(word[0], "other") ? table_count("cgroups", word[0]) : 0;
		snprintf(g->path, sizeof(g->path), "%s", word[1]);
		for (i = 0; i < G_FIELDS; i++)
			g->value[i] = table_count("cgroups", word[2 + i]);
		if (g->value[G_RUN] != g->value[G_USER] + g->value[G_SYSTEM])
			ksft_exit_fail_msg("%s: run is not user and system\n", g->path);
	}
}

static const struct group *find(const struct groups *groups, uint64_t id)
{
	static const struct group none;
	unsigned int i;

	for (i = 0; i < groups->rows; i++)
		if (groups->row[i].id == id)
			return &groups->row[i];
	return &none;
}

static uint64_t delta(uint64_t id, enum field field)
{
	return find(&b, id)->value[field] - find(&a, id)->value[field];
}

static uint64_t delta_all(uint64_t id)
{
	return delta(id, G_RUN) + delta(id, G_IRQ) + delta(id, G_SOFTIRQ);
}

static uint64_t sum(const struct groups *groups, enum field field)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < groups->rows; i++)
		sum += groups->row[i].value[field];
	return sum;
}

static bool decreases(void)
{
	unsigned int i, field;

	for (i = 0; i < a.rows; i++)
		for (field = 0; field < G_FIELDS; field++)
			if (find(&b, a.row[i].id)->value[field] < a.row[i].value[field])
				return true;
	return false;
}

/* --- the kernel's own ------------------------------------------------------------------- */

/* Makes a group; returns its number. */
static uint64_t make(const char *name)
{
	char path[128];
	struct stat st;

	snprintf(path, sizeof(path), MOUNT "/%s", name);
	if ((mkdir(path, 0755) && errno != EEXIST) || stat(path, &st))
		ksft_exit_fail_msg("%s: %s\n", path, strerror(errno));
	return st.st_ino;
}

static void move(pid_t pid, const char *name)
{
	char path[128], text[16];

	snprintf(path, sizeof(path), MOUNT "/%s/cgroup.procs", name);
	snprintf(text, sizeof(text), "%d", pid);
	must_write(path, text);
}

static uint64_t usage(const char *name)
{
	char path[128], text[512];

	snprintf(path, sizeof(path), MOUNT "/%s/cpu.stat", name);
	if (!file_read(path, text, sizeof(text)) || strncmp(text, "usage_usec ", 11))
		ksft_exit_fail_msg("%s is '%s'\n", path, text);
	return strtoull(text + 11, NULL, 10) * NSEC_PER_USEC;
}

static void clean_up(void)
{
	must_write(BOOK_DEBUGFS "collectors", "-cgroups");
	rmdir(MOUNT "/one");
	rmdir(MOUNT "/one two");
	umount(MOUNT);
}

static bool within(uint64_t is, uint64_t should_be, uint64_t off)
{
	return is + off >= should_be && is <= should_be + off;
}

/* @width: what may lie between the reads of the two. */
static bool near(uint64_t is, uint64_t should_be, uint64_t width)
{
	return within(is, should_be, tolerance(should_be) + width);
}

int main(void)
{
	static struct book book_a, book_b;
	uint64_t one, two, truth[2], user, width, began, ended;
	pid_t load, mixed;
	int i;

	book_require();
	require_cpus(2);
	if (access(BOOK_DEBUGFS "cgroups", R_OK))
		ksft_exit_skip("this module has no cgroups\n");
	mkdir(MOUNT, 0755);
	if (mount("none", MOUNT, "cgroup2", 0, NULL))
		ksft_exit_skip("no cgroup2 here: %s\n", strerror(errno));
	ksft_print_header();
	ksft_set_plan(7);
	groups_read(&a);
	ksft_test_result(!a.rows, "off unless asked for: %u rows\n", a.rows);

	atexit(clean_up);
	must_write(BOOK_DEBUGFS "collectors", "+cgroups");
	one = make("one");
	two = make("one two");
	pin(0);
	load = load_start(load_burn, 1);
	move(load, "one");
	mixed = load_start(load_burn, 0);
	move(mixed, "one two");
	sleep_ns(200 * NSEC_PER_MSEC);

	began = monotonic_ns();
	truth[0] = usage("one");
	truth[1] = usage("one two");
	groups_read(&a);
	book_read(&book_a);
	sleep_ns(3 * NSEC_PER_SEC);
	ended = monotonic_ns();
	truth[0] = usage("one") - truth[0];
	truth[1] = usage("one two") - truth[1];
	groups_read(&b);
	book_read(&book_b);
	width = book_b.after - ended + book_a.after - began;
	ksft_test_result(near(delta_all(one), truth[0], width) &&
			 near(delta_all(two), truth[1], width) &&
			 delta(one, G_RUN) > NSEC_PER_SEC,
			 "as cpu.stat: %" PRIu64 " us of %" PRIu64 ", %" PRIu64 " us of %" PRIu64 "\n",
			 delta_all(one) / 1000, truth[0] / 1000, delta_all(two) / 1000, truth[1] / 1000);
	ksft_test_result(!strcmp(find(&b, one)->path, "/one") && !strcmp(find(&b, two)->path, "/one\\040two"),
			 "their paths: %s, %s\n", find(&b, one)->path, find(&b, two)->path);

	/* On all CPUs. */
	width *= cpus_online();
	user = book_delta(&book_a, &book_b, BOOK_ALL, USER) + book_delta(&book_a, &book_b, BOOK_ALL, NICE);
	ksft_test_result(within(sum(&b, G_USER) - sum(&a, G_USER), user, width) &&
			 within(sum(&b, G_SYSTEM) - sum(&a, G_SYSTEM),
				book_delta(&book_a, &book_b, BOOK_ALL, SYSTEM), width),
			 "all groups are all CPUs: user %" PRIu64 " us of %" PRIu64 ", within %" PRIu64 " us\n",
			 (sum(&b, G_USER) - sum(&a, G_USER)) / 1000, user / 1000, width / 1000);

	/* Into the other group while it runs: what it runs from its next switch on is there. */
	move(load, "one two");
	sleep_ns(100 * NSEC_PER_MSEC);
	began = monotonic_ns();
	groups_read(&a);
	truth[1] = usage("one two");
	width = monotonic_ns() - began;
	sleep_ns(NSEC_PER_SEC);
	ended = monotonic_ns();
	truth[1] = usage("one two") - truth[1];
	groups_read(&b);
	width += monotonic_ns() - ended;
	ksft_test_result(!delta_all(one) && near(delta_all(two), truth[1], width),
			 "moved: %" PRIu64 " us where it was, %" PRIu64 " us of %" PRIu64 " where it is\n",
			 delta_all(one) / 1000, delta_all(two) / 1000, truth[1] / 1000);

	load_stop(load);
	load_stop(mixed);
	groups_read(&a);
	rmdir(MOUNT "/one");
	for (i = 0; i < 100; i++) {
		groups_read(&b);
		if (decreases())
			break;
		a = b;
	}
	ksft_test_result(i == 100 && !strcmp(find(&b, one)->path, "-"),
			 "nothing decreases, a group that is gone keeps its row, without a path\n");

	must_write(BOOK_DEBUGFS "reset", "1");
	groups_read(&b);
	ksft_test_result(sum(&b, G_RUN) < NSEC_PER_SEC && !find(&b, one)->id,
			 "a new epoch: %" PRIu64 " us\n", sum(&b, G_RUN) / 1000);
	ksft_finished();
}
