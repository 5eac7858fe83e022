// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of events is replaced as a whole or not at all: whatever is written,
 * the old events or the new ones are counted, and an event of both lists does not
 * notice. What the hardware cannot count at once is refused, not counted in turns.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kselftest.h"

#include "counters.h"
#include "load.h"
#include "machine.h"
#include "traces.h"

#define FUZZ_LISTS	1000
#define SEED		20261130
#define OLD		"cpu-clock context-switches page-faults"

static struct counters a, b;

/* --- bad lists ---------------------------------------------------------------------- */

static char long_list[10000], long_name[200], many[512];

/* A string literal with all its bytes, those behind a NUL too. */
#define BYTES(s)	s, sizeof(s) - 1

static const struct {
	const char *text;
	size_t length;		/* 0: that of the text */
	int want;
} bad[] = {
	{ BYTES(""), EINVAL },
	{ BYTES("\n"), EINVAL },
	{ BYTES(" ,\t,\n"), EINVAL },
	{ BYTES("nosuch"), ENOENT },
	{ BYTES("cpu-clock nosuch"), ENOENT },
	{ BYTES("cycles nosuch:u"), ENOENT },
	{ BYTES("Cpu-Clock"), ENOENT },
	{ BYTES("cpu-cloc"), ENOENT },
	{ BYTES("cpu-clocks"), ENOENT },
	{ BYTES("sched:nosuch"), ENOENT },
	{ BYTES("nosuch:sched_switch"), ENOENT },
	{ BYTES("nosuch/config=1/"), ENOENT },
	{ BYTES("r"), ENOENT },
	{ BYTES("rxyz"), ENOENT },
	{ BYTES("L1-icache-stores"), ENOENT },
	{ BYTES("r12345678123456781"), EINVAL },
	{ BYTES("cpu-clock:u"), EINVAL },
	{ BYTES("context-switches:k"), EINVAL },
	{ BYTES("page-faults:x"), EINVAL },
	{ BYTES("page-faults:"), EINVAL },
	{ BYTES("sched:sched_switch:h"), EINVAL },
	{ BYTES("msr/config=1"), EINVAL },
	{ BYTES("msr/config1=1/"), EINVAL },
	{ BYTES("msr/config=1,config=2/"), EINVAL },
	{ BYTES("msr/tsc/"), EINVAL },
	{ BYTES("+page-faults"), EINVAL },
	{ BYTES("{page-faults}"), EINVAL },
	{ BYTES("page-faults;cycles"), EINVAL },
	{ BYTES("page-faults page-faults"), EEXIST },
	{ BYTES("cycles cycles:uk"), EEXIST },
	{ BYTES("cycles:ku,cycles:uk"), EEXIST },
	{ BYTES("r0011 r11"), EEXIST },
	{ BYTES("sched:sched_switch\nsched:sched_switch\n"), EEXIST },
	{ BYTES("page-faults\rminor-faults"), EINVAL },
	{ BYTES("page-faults\033[2J"), EINVAL },
	{ BYTES("page-faults\001"), EINVAL },
	{ BYTES("page-faults\\040"), EINVAL },
	{ BYTES("page\303\244faults"), EINVAL },
	{ BYTES("%s%n%p"), EINVAL },
	{ BYTES("page-faults\0"), EINVAL },
	{ BYTES("page-faults\0minor-faults"), EINVAL },
	{ BYTES("\0page-faults"), EINVAL },
	{ long_list, sizeof(long_list), E2BIG },
	{ long_name, sizeof(long_name) - 1, ENAMETOOLONG },
	{ many, 0, E2BIG },
};

/* The same rows, all of them counting on. */
static bool goes_on(const struct counters *from, const struct counters *to)
{
	bool same = from->rows == to->rows && from->rows;
	unsigned int i;

	for (i = 0; same && i < from->rows; i++) {
		const struct counters_row *was = &from->row[i], *is = &to->row[i];

		same = was->cpu == is->cpu && !strcmp(was->event, is->event) &&
			!strcmp(was->status, is->status) &&
			(strcmp(is->status, "ok") || is->running > was->running);
	}
	if (!same)
		counters_print(to);
	return same;
}

static bool is_refused(const char *text, size_t length, int want)
{
	unsigned int lines;
	int err;

	counters_read_checked(&a, NULL);
	log_mark();
	err = file_put(COUNTERS_PATH, text, length);
	lines = log_lines("");
	counters_read_checked(&b, &a);
	if (err == want && lines <= 1 && goes_on(&a, &b))
		return true;
	ksft_print_msg("'%.40s': %s, should be %s; %u lines in the log\n", text, strerror(err),
		       strerror(want), lines);
	return false;
}

static void bad_lists(void)
{
	unsigned int i, refused = 0;

	memset(long_list, ' ', sizeof(long_list));
	memcpy(long_list, "page-faults", 11);
	memset(long_name, 'x', sizeof(long_name) - 1);
	for (i = 1; i <= 33; i++)
		sprintf(many + strlen(many), "r%x ", i);
	counters_choose(OLD);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		refused += is_refused(bad[i].text, bad[i].length ?: strlen(bad[i].text), bad[i].want);
	ksft_test_result(refused == i, "%u of %u bad lists refused, the old one counts on\n", refused, i);
}

/* The log has each byte that is not printed as \x.., if it came as such. */
static void harmless(void)
{
	log_mark();
	file_put(COUNTERS_PATH, "page-faults\033[2J", 15);
	ksft_test_result(!log_lines("\\x1b"), "what is refused is escaped in the log\n");
}

/* --- good lists ---------------------------------------------------------------------- */

/* The rows of CPU 0 have these names, in this order, and so have those of each other CPU. */
static bool is_list(const struct counters *c, const char *const *names, unsigned int n)
{
	const char *error = counters_check(c);
	unsigned int i;

	if (error || c->rows != n * cpus_online())
		return false;
	for (i = 0; i < n; i++)
		if (c->row[i].cpu || strcmp(c->row[i].event, names[i]))
			return false;
	return true;
}

static void forms(void)
{
	static const char *const names[] = { "page-faults", "minor-faults:u", "sched:sched_switch" };
	static const char *const lists[] = {
		"page-faults minor-faults:u sched:sched_switch",
		"page-faults,minor-faults:u,sched:sched_switch\n",
		"page-faults\nminor-faults:u\nsched:sched_switch\n",
		"\t ,page-faults ,, minor-faults:u\t\tsched:sched_switch , \n\n",
	};
	unsigned int i, right = 0;

	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		counters_choose("cpu-clock");
		counters_choose(lists[i]);
		counters_read(&a);
		right += is_list(&a, names, ARRAY_SIZE(names));
	}
	ksft_test_result(right == i, "blanks, newlines and commas: %u of %u lists taken\n", right, i);
}

/* 32 names are not too many. */
static void full(void)
{
	static const char *const events[] = {
		"page-faults", "minor-faults", "major-faults", "alignment-faults", "cpu-migrations",
		"raw_syscalls:sys_enter", "raw_syscalls:sys_exit", "sched:sched_switch",
		"sched:sched_wakeup", "irq:softirq_entry", "irq:softirq_exit",
	};
	static const char *const modifiers[] = { "", ":u", ":k" };
	static char text[4096], word[33][64];
	const char *names[33];
	bool taken, refused;
	unsigned int i;

	for (i = 0; i < 33; i++) {
		names[i] = word[i];
		sprintf(word[i], "%s%s", events[i / 3], modifiers[i % 3]);
		if (i < 32)
			sprintf(text + strlen(text), "%s\n", word[i]);
	}
	taken = !file_put(COUNTERS_PATH, text, strlen(text));
	counters_read_checked(&a, NULL);
	taken &= is_list(&a, names, 32);
	strcat(text, word[32]);
	refused = file_put(COUNTERS_PATH, text, strlen(text)) == E2BIG;
	counters_read_checked(&b, &a);
	ksft_test_result(taken && refused && goes_on(&a, &b), "32 events, and not 33\n");
}

/* Time and switches of the old list go on in the new one; what was not in it begins. */
static void kept(void)
{
	static const char *const lists[] = {
		"page-faults cpu-clock raw_syscalls:sys_enter", "raw_syscalls:sys_enter cpu-clock",
		"cpu-clock:", "cpu-clock minor-faults,raw_syscalls:sys_enter sched:sched_switch",
	};
	unsigned int i, jumps = 0, turns = 20;
	struct counters_span span;
	int cpu;

	counters_choose(lists[0]);
	counters_read_checked(&a, NULL);
	for (i = 1; i <= turns; i++) {
		file_write(COUNTERS_PATH, lists[i % ARRAY_SIZE(lists)]);
		counters_read_checked(&b, NULL);
		span = counters_time(&a, &b);
		for (cpu = 0; cpu < cpus_online(); cpu++) {
			uint64_t clock = counters_delta(&a, &b, cpu, "cpu-clock");

			/* Clocks of CPUs agree within a jiffy, and are not steered: 0.1 %. */
			jumps += clock + clock / 1000 + 1000 < span.least || clock > span.most * 1.001 + 1000 ||
				counters_row(&a, cpu, "raw_syscalls:sys_enter")->value >
				counters_row(&b, cpu, "raw_syscalls:sys_enter")->value ||
				counters_row(&b, cpu, "raw_syscalls:sys_enter")->running <
				counters_row(&a, cpu, "raw_syscalls:sys_enter")->running;
		}
		a = b;
	}
	ksft_test_result(!jumps, "what is in both lists goes on through %u changes, %u jumps\n", turns, jumps);

	counters_choose("page-faults");
	counters_choose("cpu-clock");
	counters_read_checked(&b, NULL);
	/* Less than since the last turn, let alone since the beginning. */
	ksft_test_result(counters_row(&b, 0, "cpu-clock")->value < b.after - a.before,
			 "what was not begins with 0\n");
}

/* --- random lists -------------------------------------------------------------------- */

/* Those that every machine takes, and behind them those that none does. */
static const char *const pool[] = {
	"cpu-clock", "task-clock", "context-switches", "page-faults", "page-faults:u", "page-faults:k",
	"minor-faults", "major-faults:u", "cpu-migrations", "sched:sched_switch",
	"raw_syscalls:sys_enter", "raw_syscalls:sys_exit:u", "irq:softirq_entry", "cycles",
	"instructions", "branch-misses:k", "L1-dcache-load-misses", "cycles:u", "r1234",
	"nosuch", "cpu-clock:u", "sched:nosuch", "a/b/", ":", "cycles:uk:k", "\001", "page-faults/",
};
#define GOOD	19

/* Writes a random list. Returns its errno; @names is what it would be. */
static int write_random(const char **names, unsigned int *n)
{
	static const char *const separators[] = { " ", ",", "\n", "\t", ", ", "\n\n" };
	char text[2048] = "";

	for (*n = 0; *n < 1u + rand() % 6; ++*n) {
		/* Most lists have no bad name. */
		names[*n] = pool[rand() % (rand() % 8 ? GOOD : ARRAY_SIZE(pool))];
		strcat(text, names[*n]);
		strcat(text, separators[rand() % ARRAY_SIZE(separators)]);
	}
	return file_put(COUNTERS_PATH, text, strlen(text));
}

static void fuzz(void)
{
	static const char *names[8], *old[8] = { "cpu-clock" };
	unsigned int i, n, old_n = 1, wrong = 0, taken = 0;

	srand(SEED);
	counters_choose("cpu-clock");
	for (i = 0; i < FUZZ_LISTS && wrong < 5; i++) {
		int err = write_random(names, &n);

		if (!err) {
			memcpy(old, names, sizeof(old));
			old_n = n;
			taken++;
		}
		counters_read(&a);
		if (is_list(&a, old, old_n) && (!err || err == EINVAL || err == ENOENT || err == EEXIST))
			continue;
		ksft_print_msg("list %u: %s\n", i, strerror(err));
		counters_print(&a);
		wrong++;
	}
	ksft_test_result(!wrong && taken > i / 4 && taken < i,
			 "%u random lists, %u of them taken: the old one or the new one (seed %d)\n", i,
			 taken, SEED);
}

/* --- the hardware's counters ---------------------------------------------------------- */

/* Raw events, more than the PMU counts at once: all below CHAIN, which is none by itself. */
#define RAW	0x1e
#define SWAPS	10

static void list_of(char *text, unsigned int from, unsigned int n)
{
	unsigned int i;

	*text = '\0';
	for (i = 0; i < n; i++)
		sprintf(text + strlen(text), "r%x ", (from + i) % RAW);
}

static void slots(void)
{
	char text[512];
	unsigned int n, i, swaps = 0;
	int err = 0;

	/* That has a counter of its own. */
	must_write(BOOK_DEBUGFS "collectors", "-freqs");
	for (n = 1; n < RAW; n++) {
		list_of(text, 0, n + 1);
		counters_read_checked(&a, NULL);
		err = file_put(COUNTERS_PATH, text, strlen(text));
		if (err)
			break;
	}
	counters_read_checked(&b, &a);
	ksft_test_result(err == ENOSPC && goes_on(&a, &b) && b.rows == n * cpus_online(),
			 "room for %u counters: with one more the old ones count on (%s)\n", n, strerror(err));

	/* Old and new together are too many, each alone is not. */
	for (i = 1; i <= SWAPS; i++) {
		list_of(text, i * 3, n);
		err = file_put(COUNTERS_PATH, text, strlen(text));
		counters_read_checked(&b, NULL);
		swaps += !err && b.rows == n * cpus_online() && counters_are(&b, 0, b.row[0].event, "ok") &&
			counters_are(&b, 1, b.row[n - 1].event, "ok");
	}
	must_write(BOOK_DEBUGFS "collectors", "+freqs");
	ksft_test_result(swaps == SWAPS, "old ones make room for new ones: %u times\n", swaps);
#ifdef __aarch64__
	counters_choose("r1e");
	counters_read_checked(&b, NULL);
	ksft_test_result(counters_are(&b, 0, "r1e", "unsupported") && !counters_row(&b, 0, "r1e")->counted,
			 "what perf takes and never counts is unsupported\n");
#else
	ksft_test_result_skip("an event that is never counted: arm64's\n");
#endif
}

int main(void)
{
	const char *trouble;

	counters_require();
	require_cpus(2);
	ksft_print_header();
	ksft_set_plan(2 + 2 + 2 + 1 + 3 + 1);
	bad_lists();
	harmless();
	log_mark();
	forms();
	full();
	kept();
	fuzz();
	counters_choose("cycles");
	counters_read_checked(&a, NULL);
	if (counters_row(&a, 0, "cycles")->counted) {
		slots();
	} else {
		ksft_test_result_skip("the hardware's room: no PMU\n");
		ksft_test_result_skip("making room: no PMU\n");
		ksft_test_result_skip("an event that is never counted: no PMU\n");
	}
	counters_choose(COUNTERS_DEFAULT);
	trouble = log_trouble();
	ksft_test_result(!trouble, "a clean log%s%s\n", trouble ? ": " : "", trouble ?: "");
	ksft_finished();
}
