// SPDX-License-Identifier: GPL-2.0-only
/*
 * self: calls are counted one by one, never fewer at a later look, and what they
 * took is estimated.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kselftest.h"

#include "book.h"
#include "load.h"
#include "loop.h"
#include "machine.h"

#define MAX_ROWS	(48 * 4)
#define LOOKS		300

struct row {
	char hook[48];
	unsigned int cpu;
	uint64_t hits, missed;
	char ns[32];
};

static struct row rows[2][MAX_ROWS];

static int look(struct row *to)
{
	static char text[1 << 16];
	char *line, *save = NULL;
	int n = 0;

	file_read(BOOK_DEBUGFS "self", text, sizeof(text));
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		struct row *r = &to[n];

		if (*line == '#')
			continue;
		if (n == MAX_ROWS || sscanf(line, "%47s %u %" SCNu64 " %" SCNu64 " %31s", r->hook, &r->cpu,
					    &r->hits, &r->missed, r->ns) != 5)
			ksft_exit_fail_msg("self: %s\n", line);
		n++;
	}
	return n;
}

static const struct row *find(const struct row *in, int n, const char *hook)
{
	int i;

	for (i = 0; i < n; i++)
		if (!strcmp(in[i].hook, hook) && !in[i].cpu)
			return &in[i];
	ksft_exit_fail_msg("self has no hook %s\n", hook);
	return NULL;
}

/* What the hook counts between two looks, with so many calls in between. */
static uint64_t counted(const char *hook, unsigned int calls)
{
	uint64_t before = find(rows[0], look(rows[0]), hook)->hits;

	loop_syscall(calls, SYS_getppid, 0, 0, 0, 0);
	return find(rows[0], look(rows[0]), hook)->hits - before;
}

int main(void)
{
	/* Around the lengths of a lap (module/observer.c), and across many. */
	static const unsigned int calls[] = { 1, 2, 447, 448, 449, 511, 512, 513, 575, 576, 577, 1000, 100001 };
	bool exact = true, timed;
	const struct row *enter;
	unsigned int i, fell = 0;
	int n, later, k;
	uint64_t own;
	pid_t load;

	book_require();
	ksft_print_header();
	/* Only where nothing else runs are all calls known. */
	ksft_set_plan(2 + is_icount());
	pin(0);
	/* A look makes calls of its own: the same each time. */
	own = counted("sys_enter", 1) - 1;
	for (i = 0; is_icount() && i < ARRAY_SIZE(calls); i++) {
		uint64_t hits = counted("sys_enter", calls[i]) - own;

		if (hits != calls[i])
			ksft_print_msg("%u calls: %" PRIu64 " counted\n", calls[i], hits);
		exact = exact && hits == calls[i];
	}
	if (is_icount())
		ksft_test_result(exact, "sys_enter: each call is counted once\n");

	load = cpus_online() > 1 ? load_start(load_pipes, -1) : 0;
	n = look(rows[0]);
	for (i = 0; i < LOOKS; i++) {
		later = look(rows[1]);
		if (later != n)
			ksft_exit_fail_msg("%d rows, then %d\n", n, later);
		for (k = 0; k < n; k++)
			fell += rows[1][k].hits < rows[0][k].hits || rows[1][k].missed < rows[0][k].missed;
		memcpy(rows[0], rows[1], sizeof(rows[0]));
	}
	if (load)
		load_stop(load);
	ksft_test_result(!fell, "%d looks, %u counters that fell\n", LOOKS, fell);

	enter = find(rows[0], n, "sys_enter");
	/* Between a ns and what a longer sample would not count for. */
	timed = strcmp(enter->ns, "-") && strtoull(enter->ns, NULL, 10) > enter->hits &&
		strtoull(enter->ns, NULL, 10) < enter->hits * 20000;
	ksft_test_result(timed, "sys_enter: %" PRIu64 " calls took %s ns\n", enter->hits, enter->ns);
	ksft_finished();
}
