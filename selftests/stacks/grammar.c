// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is written to stack/triggers is done as a whole or not at all. What is no line
 * of the grammar, or what the kernel cannot watch, is refused with the right errno
 * and one line of the log; the triggers that there are go on counting.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "machine.h"
#include "stacks.h"
#include "symbols.h"
#include "traces.h"

#define MANY	600	/* twice that is more than the module takes */
#define ANY	(-1)	/* refused, with whatever errno fits */

/* A string literal with all its bytes, those behind a NUL too. */
#define BYTES(s)	s, sizeof(s) - 1

struct input {
	const char *text;
	size_t length;
	int want;
};

static const struct input bad[] = {
	/* kinds */
	{ BYTES("x:bad vfs_read"), EINVAL },
	{ BYTES("P:bad vfs_read"), EINVAL },
	{ BYTES("vfs_read"), EINVAL },
	{ BYTES(":bad vfs_read"), EINVAL },
	{ BYTES("p"), EINVAL },
	{ BYTES("r"), EINVAL },
	{ BYTES("t"), EINVAL },
	{ BYTES("e"), EINVAL },
	{ BYTES("w"), EINVAL },
	{ BYTES("u"), EINVAL },
	{ BYTES("pp:bad vfs_read"), EINVAL },
	/* names */
	{ BYTES("p: vfs_read"), EINVAL },
	{ BYTES("p:1bad vfs_read"), EINVAL },
	{ BYTES("p:b-d vfs_read"), EINVAL },
	{ BYTES("p:b;d vfs_read"), EINVAL },
	{ BYTES("p:bad:bad vfs_read"), EINVAL },
	{ BYTES("p:b\303\244d vfs_read"), EINVAL },
	{ BYTES("p:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa vfs_read"), ANY },
	/* p */
	{ BYTES("p:bad"), EINVAL },
	{ BYTES("p:bad vfs_read+"), EINVAL },
	{ BYTES("p:bad vfs_read+zz"), EINVAL },
	{ BYTES("p:bad vfs_read+-4"), EINVAL },
	{ BYTES("p:bad +4"), EINVAL },
	{ BYTES("p:bad 0x"), EINVAL },
	{ BYTES("p:bad 0xzz"), EINVAL },
	{ BYTES("p:bad 0x1ffffffffffffffff"), EINVAL },
	{ BYTES("p:bad 0x10"), ANY },
	{ BYTES("p:bad vfs_read vfs_write"), EINVAL },
	{ BYTES("p5:bad vfs_read"), EINVAL },
	{ BYTES("p:bad no_such_fn"), ENOENT },
	{ BYTES("p:bad no_such_module:vfs_read"), ANY },
	{ BYTES("p:bad VFS_READ"), ENOENT },
	{ BYTES("p:bad vfs_rea"), ENOENT },
	/* r */
	{ BYTES("r:bad"), EINVAL },
	{ BYTES("rx:bad vfs_read"), EINVAL },
	{ BYTES("r-1:bad vfs_read"), EINVAL },
	{ BYTES("r4097:bad vfs_read"), EINVAL },
	{ BYTES("r99999999999999999999:bad vfs_read"), EINVAL },
	{ BYTES("r:bad vfs_read+4"), EINVAL },
	{ BYTES("r:bad no_such_fn"), ENOENT },
	/* t */
	{ BYTES("t:bad"), EINVAL },
	{ BYTES("t:bad sched"), EINVAL },
	{ BYTES("t:bad sched:"), EINVAL },
	{ BYTES("t:bad :sched_switch"), EINVAL },
	{ BYTES("t:bad sched:sched_switch:u"), EINVAL },
	{ BYTES("t:bad sched:sched_switch sched:sched_wakeup"), EINVAL },
	{ BYTES("t:bad sched:no_such_event"), ENOENT },
	{ BYTES("t:bad no_such_system:sched_switch"), ENOENT },
	/* e */
	{ BYTES("e:bad"), EINVAL },
	{ BYTES("e:bad period=1000000"), EINVAL },
	{ BYTES("e:bad cpu-clock"), EINVAL },
	{ BYTES("e:bad cpu-clock period=0"), EINVAL },
	{ BYTES("e:bad cpu-clock period="), EINVAL },
	{ BYTES("e:bad cpu-clock period=-5"), EINVAL },
	{ BYTES("e:bad cpu-clock period=many"), EINVAL },
	{ BYTES("e:bad cpu-clock period=99999999999999999999"), EINVAL },
	{ BYTES("e:bad cpu-clock freq=0"), EINVAL },
	{ BYTES("e:bad cpu-clock freq="), EINVAL },
	{ BYTES("e:bad cpu-clock freq=often"), EINVAL },
	{ BYTES("e:bad cpu-clock freq=100 period=1000000"), EINVAL },
	{ BYTES("e:bad no-such-event period=1000000"), ENOENT },
	{ BYTES("p:bad vfs_read period=1000000"), EINVAL },
	/* w */
	{ BYTES("w:bad"), EINVAL },
	{ BYTES("w:bad jiffies"), EINVAL },
	{ BYTES("w:bad jiffies 8"), EINVAL },
	{ BYTES("w:bad jiffies w"), EINVAL },
	{ BYTES("w:bad jiffies 0 w"), EINVAL },
	{ BYTES("w:bad jiffies 3 w"), EINVAL },
	{ BYTES("w:bad jiffies 16 w"), EINVAL },
	{ BYTES("w:bad jiffies -8 w"), EINVAL },
	{ BYTES("w:bad jiffies 8 q"), EINVAL },
	{ BYTES("w:bad jiffies 8 ww"), EINVAL },
	{ BYTES("w:bad jiffies 8 rwx"), EINVAL },
	{ BYTES("w:bad jiffies 8 w w"), EINVAL },
	{ BYTES("w:bad 0xzz 8 w"), EINVAL },
	{ BYTES("w:bad no_such_data 8 w"), ENOENT },
	/* u */
	{ BYTES("u:bad"), EINVAL },
	{ BYTES("u:bad /bin/busybox"), EINVAL },
	{ BYTES("u:bad /bin/busybox:"), EINVAL },
	{ BYTES("u:bad /bin/busybox:zz"), EINVAL },
	{ BYTES("u:bad :0x100"), EINVAL },
	{ BYTES("u:bad /no/such/file:0x100"), ANY /* ENOENT, but for kernels without uprobes */ },
	{ BYTES("u:bad /proc:0x100"), ANY },
	/* options */
	{ BYTES("p:bad vfs_read mode"), EINVAL },
	{ BYTES("p:bad vfs_read mode="), EINVAL },
	{ BYTES("p:bad vfs_read mode=fast"), EINVAL },
	{ BYTES("p:bad vfs_read mode=COUNT"), EINVAL },
	{ BYTES("p:bad vfs_read limit="), EINVAL },
	{ BYTES("p:bad vfs_read limit=-1"), EINVAL },
	{ BYTES("p:bad vfs_read limit=few"), EINVAL },
	{ BYTES("p:bad vfs_read limit=99999999999999999999"), EINVAL },
	{ BYTES("p:bad vfs_read rate=10/"), EINVAL },
	{ BYTES("p:bad vfs_read rate=10/m"), EINVAL },
	{ BYTES("p:bad vfs_read rate=10/sec"), EINVAL },
	{ BYTES("p:bad vfs_read rate=/s"), EINVAL },
	{ BYTES("p:bad vfs_read rate=-1/s"), EINVAL },
	{ BYTES("p:bad vfs_read rate=x/s"), EINVAL },
	{ BYTES("p:bad vfs_read pid="), EINVAL },
	{ BYTES("p:bad vfs_read pid=-1"), EINVAL },
	{ BYTES("p:bad vfs_read pid=me"), EINVAL },
	{ BYTES("p:bad vfs_read pid=4294967297"), EINVAL },
	{ BYTES("p:bad vfs_read comm="), EINVAL },
	{ BYTES("p:bad vfs_read comm=sixteen_letters_"), ANY },
	{ BYTES("p:bad vfs_read cpu="), EINVAL },
	{ BYTES("p:bad vfs_read cpu=-1"), EINVAL },
	{ BYTES("p:bad vfs_read cpu=x"), EINVAL },
	{ BYTES("p:bad vfs_read cpu=99999"), ANY },
	{ BYTES("p:bad vfs_read depth="), EINVAL },
	{ BYTES("p:bad vfs_read depth=0"), EINVAL },
	{ BYTES("p:bad vfs_read depth=65"), EINVAL },
	{ BYTES("p:bad vfs_read depth=deep"), EINVAL },
	{ BYTES("p:bad vfs_read user="), EINVAL },
	{ BYTES("p:bad vfs_read user=2"), EINVAL },
	{ BYTES("p:bad vfs_read user=yes"), EINVAL },
	{ BYTES("p:bad vfs_read color=red"), EINVAL },
	{ BYTES("p:bad vfs_read =1"), EINVAL },
	{ BYTES("p:bad vfs_read limit=1 junk"), EINVAL },
	{ BYTES("p:bad mode=count vfs_read"), EINVAL },
	/* removals */
	{ BYTES("-"), EINVAL },
	{ BYTES("-:"), EINVAL },
	{ BYTES("-keep"), EINVAL },
	{ BYTES("-:keep mode=count"), EINVAL },
	{ BYTES("-:keep vfs_read"), EINVAL },
	{ BYTES("-:nobody"), ENOENT },
	/* the same again */
	{ BYTES("p:keep vfs_read"), EEXIST },
	{ BYTES("t:keep sched:sched_switch"), EEXIST },
	/* bytes */
	{ BYTES("p:bad vfs_read\0"), EINVAL },
	{ BYTES("p:bad vfs\0_read"), EINVAL },
	{ BYTES("p:bad vfs_read\r\n"), EINVAL },
	{ BYTES("p:bad \033[2J"), EINVAL },
	{ BYTES("p:bad %s%n%p"), EINVAL },
};

/* More than one line, and the number of the bad one: beside the others, and in their place. */
static const struct {
	struct input in;
	unsigned int line, replacing;
} several[] = {
	{ { BYTES("p:new vfs_write\nbad\n"), EINVAL }, 2, 2 },
	{ { BYTES("bad\np:new vfs_write\n"), EINVAL }, 1, 1 },
	{ { BYTES("# two\n\np:new vfs_write\nt:new2 sched:sched_switch\np:new3 no_such_fn\n"), ENOENT }, 5, 5 },
	{ { BYTES("p:new vfs_write\np:new vfs_open\n"), EEXIST }, 2, 2 },
	{ { BYTES("-:keep2\nbad\n"), EINVAL }, 2, 0 },
	{ { BYTES("-:keep\n-:nobody\n"), ENOENT }, 2, 1 },
	{ { BYTES("-:keep\n-:keep\n"), ENOENT }, 2, 1 },
	{ { BYTES("p:new vfs_write\np:new2 vfs_open depth=99\np:new3 vfs_read\n"), EINVAL }, 2, 2 },
};

static struct triggers before, after;

/* All but the numbers, of all rows. */
static bool is_same_table(void)
{
	bool same = before.rows == after.rows;
	unsigned int i;

	for (i = 0; same && i < before.rows; i++) {
		const struct trigger *a = &before.row[i], *b = &after.row[i];

		same = !strcmp(a->name, b->name) && !strcmp(a->kind, b->kind) &&
			!strcmp(a->target, b->target) && !strcmp(a->symbol, b->symbol) &&
			!strcmp(a->mode, b->mode) && !strcmp(a->state, b->state) &&
			!strcmp(a->options, b->options) && a->missed_known == b->missed_known;
	}
	return same;
}

/* Reading the table is a hit of `keep`. */
static bool goes_on(void)
{
	return triggers_row(&after, "keep")->value[TRIGGER_HITS] >
		triggers_row(&before, "keep")->value[TRIGGER_HITS];
}

static void keep(void)
{
	static const char text[] = "p:keep vfs_read mode=count comm=grammar\nt:keep2 sched:sched_switch\n"
		"r:keep3 vfs_write limit=1000000 depth=5\n";

	if (triggers_replace(text, sizeof(text) - 1))
		ksft_exit_fail_msg("the first triggers are refused\n");
}

/* @line: which the log is to name. What has a NUL in it is no text, and has no lines. */
static bool is_refused(const struct input *in, unsigned int line, bool replace)
{
	unsigned int wanted = !memchr(in->text, '\0', in->length);
	int (*put)(const char *text, size_t length) = replace ? triggers_replace : triggers_put;
	unsigned int lines, named;
	char number[64];
	int err;

	snprintf(number, sizeof(number), "stack/triggers: line %u: ", line);
	triggers_read(&before);
	log_mark();
	err = put(in->text, in->length);
	named = log_lines(number);
	/* Once more, to hear whether anything else was said. */
	put(in->text, in->length);
	lines = log_lines("cpuprecise");
	triggers_read(&after);
	if ((in->want == ANY ? err > 0 : err == in->want) && named == wanted && lines == wanted &&
	    is_same_table() && goes_on())
		return true;
	ksft_print_msg("'%.*s'%s: %s, should be %s; %u lines in the log, %u with its number%s%s\n",
		       (int)strcspn(in->text, "\n"), in->text,
		       replace ? ", replacing" : "", err ? strerror(err) : "done",
		       in->want == ANY ? "refused" : strerror(in->want), lines, named,
		       is_same_table() ? "" : "; the table has changed", goes_on() ? "" : "; keep stands still");
	keep();
	return false;
}

static bool is_refused_line(const char *line, int want)
{
	struct input in = { line, strlen(line), want };

	return is_refused(&in, 1, false);
}

static void bad_lines(void)
{
	unsigned int i, refused = 0, n = 0;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		refused += is_refused(&bad[i], 1, false);
	ksft_test_result(refused == i, "%u of %u bad lines refused\n", refused, i);
	for (i = refused = 0; i < ARRAY_SIZE(several); i++) {
		n += 1 + !!several[i].replacing;
		refused += is_refused(&several[i].in, several[i].line, false);
		/* None of the old ones is there to be removed. */
		if (several[i].replacing)
			refused += is_refused(&several[i].in, several[i].replacing, true);
	}
	ksft_test_result(refused == n, "all or nothing: %u of %u writes refused\n", refused, n);
}

static void long_writes(void)
{
	static char text[70000];
	struct input in = { text, sizeof(text), E2BIG };
	unsigned int i, lines;
	size_t length = 0;
	int err;

	memset(text, '#', sizeof(text));
	for (i = 100; i < sizeof(text); i += 100)
		text[i] = '\n';
	triggers_read(&before);
	log_mark();
	err = triggers_put(in.text, in.length);
	lines = log_lines("cpuprecise: stack/triggers: ");
	triggers_read(&after);
	ksft_test_result(err == E2BIG && !lines && is_same_table() && goes_on(),
			 "70000 bytes: %s, %u lines in the log\n", strerror(err), lines);

	for (i = 0; i <= STACKS_MAX_TRIGGERS; i++)
		length += sprintf(text + length, "t:n%u sched:sched_process_exec\n", i);
	triggers_read(&before);
	log_mark();
	err = triggers_put(text, length);
	lines = log_lines("cpuprecise: stack/triggers: line ");
	triggers_read(&after);
	ksft_test_result(err == ENOSPC && lines == 1 && is_same_table() && goes_on(),
			 "%u triggers more: %s, %u lines in the log\n", i, strerror(err), lines);
}

/* --- what cannot be watched ------------------------------------------------------------------ */

/* Functions that no probe may be on. */
static unsigned int blacklisted(unsigned int want, unsigned int *refused)
{
	FILE *file = fopen("/sys/kernel/debug/kprobes/blacklist", "r");
	char row[256], name[128], line[160];
	unsigned int n = 0;

	while (file && n < want && fgets(row, sizeof(row), file)) {
		if (sscanf(row, "%*s %127s", name) != 1 || symbols_named(name) != 1)
			continue;
		n++;
		snprintf(line, sizeof(line), "p:bad %s", name);
		*refused += is_refused_line(line, ANY);
	}
	if (file)
		fclose(file);
	return n;
}

/* A function of the kernel's source that no kernel has under its name. */
static const char *inlined(void)
{
	static const char *const names[] = { "context_switch", "ttwu_queue", "rq_lock", "get_current" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!symbols_variant(names[i]))
			return names[i];
	ksft_exit_fail_msg("all functions are there\n");
	return NULL;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A name of more than one function that may be probed. */
static const char *ambiguous(void)
{
	static char *name[1 << 17];
	FILE *file = fopen("/sys/kernel/tracing/available_filter_functions", "r");
	char row[256];
	size_t i, n = 0;

	/* Functions of modules have its name behind theirs. */
	while (file && n < ARRAY_SIZE(name) && fgets(row, sizeof(row), file))
		if (!strchr(row, ' ') && row[0] != '_')
			name[n++] = strdup(strtok(row, "\n"));
	if (file)
		fclose(file);
	qsort(name, n, sizeof(name[0]), compare_names);
	for (i = 1; i < n; i++)
		if (!strcmp(name[i], name[i - 1]))
			return name[i];
	return NULL;
}

static void check_ambiguous(void)
{
	const char *name = ambiguous();
	char line[160];

	if (!name) {
		ksft_test_result_skip("each function has a name of its own here\n");
		return;
	}
	snprintf(line, sizeof(line), "p:bad %s", name);
	ksft_test_result(is_refused_line(line, EADDRNOTAVAIL), "%s: a name of many functions\n", name);
}

static void unprobeable(void)
{
	unsigned int n, refused = 0, hinted;
	char line[160];

	symbols_load();
	n = blacklisted(3, &refused);
	ksft_test_result(n == 3 && refused == n, "%u of %u functions of the blacklist refused\n", refused, n);

	snprintf(line, sizeof(line), "p:bad %s", inlined());
	log_mark();
	triggers_try("%s", line);
	hinted = log_lines("inlined");
	ksft_test_result(is_refused_line(line, ENOENT) && hinted == 1, "%s: inlined, says the log\n",
			 inlined());

	ksft_test_result(is_refused_line("p:bad vfs_read+3", EILSEQ), "the middle of an instruction\n");
	ksft_test_result(is_refused_line("p:bad vfs_read+0x100000", ANY), "behind a function\n");
	ksft_test_result(is_refused_line("p:bad start_kernel", ANY), "a function that is gone since boot\n");
	refused = is_refused_line("p:bad init_task", ANY) + is_refused_line("r:bad init_task", ANY);
	ksft_test_result(refused == 2, "data is no function\n");
	check_ambiguous();
}

/* --- what is right ------------------------------------------------------------------------------ */

static bool is_row(const char *name, const char *kind, const char *target, const char *mode,
		   const char *options)
{
	const struct trigger *row = triggers_find(&after, name);

	if (row && !strcmp(row->kind, kind) && !strcmp(row->target, target) && !strcmp(row->mode, mode) &&
	    (!options || !strcmp(row->options, options)) && !strcmp(row->state, "on"))
		return true;
	if (row)
		ksft_print_msg("%s: %s %s %s %s %s\n", name, row->kind, row->target, row->mode, row->state,
			       row->options);
	else
		ksft_print_msg("there is no %s\n", name);
	return false;
}

static void forms(void)
{
	static const char text[] =
		"# a comment\n"
		"\n"
		"p:one vfs_read\n"
		"   \n"
		"p:two vfs_write mode=count\n"
		"r:three vfs_read\n"
		"r16:four vfs_write depth=64\n"
		"t:five sched:sched_switch\n"
		"e:six cpu-clock period=100000000\n"
		"e:seven cpu-clock freq=10\n"
		"p\tvfs_open\tmode=dump  limit=1 comm=nobody\n";
	bool right;

	right = !triggers_replace(text, sizeof(text) - 1);
	triggers_read(&after);
	right = right && after.rows == 8 && is_row("one", "p", "vfs_read", "count", NULL) &&
		is_row("two", "p", "vfs_write", "count", NULL) && is_row("three", "r", "vfs_read", "count", NULL) &&
		is_row("four", "r", "vfs_write", "count", NULL) &&
		is_row("five", "t", "sched:sched_switch", "count", NULL) &&
		is_row("six", "e", "cpu-clock", "count", NULL) && is_row("seven", "e", "cpu-clock", "count", NULL);
	ksft_test_result(right, "right lines of p, r, t and e, comments and blanks\n");
	/* Without a newline at the end. */
	right = !triggers_replace("p:last vfs_read", 15);
	triggers_read(&after);
	ksft_test_result(right && after.rows == 1 && is_row("last", "p", "vfs_read", "count", NULL),
			 "a last line that does not end\n");
}

static void options(void)
{
	char line[200], want[200];
	bool right;

	snprintf(want, sizeof(want), "limit=5,rate=10/s,pid=%d,comm=grammar,cpu=0,depth=7,user=1", getpid());
	snprintf(line, sizeof(line), "p:all vfs_write mode=count limit=5 rate=10/s pid=%d comm=grammar cpu=0 depth=7 user=1\n",
		 getpid());
	right = !triggers_replace(line, strlen(line));
	triggers_read(&after);
	right = right && after.rows == 1 && is_row("all", "p", "vfs_write", "count", NULL);
	/* Each of them, in whatever order. */
	for (char *save, *word = strtok_r(want, ",", &save); right && word; word = strtok_r(NULL, ",", &save))
		if (!strstr(after.row[0].options, word)) {
			ksft_print_msg("the options are %s, without %s\n", after.row[0].options, word);
			right = false;
		}
	ksft_test_result(right, "all options in one line\n");
}

static void adding(void)
{
	bool right;

	triggers_clear();
	right = !triggers_put(BYTES("p:one vfs_read\n")) && !triggers_put(BYTES("p:two vfs_write\n"));
	triggers_read(&after);
	ksft_test_result(right && after.rows == 2 && !strcmp(after.row[0].name, "one") &&
			 !strcmp(after.row[1].name, "two"), ">> adds, in order\n");

	/* An old name goes with its trigger. */
	right = !triggers_replace(BYTES("p:two vfs_open\np:three vfs_write\n"));
	triggers_read(&after);
	ksft_test_result(right && after.rows == 2 && is_row("two", "p", "vfs_open", "count", NULL) &&
			 is_row("three", "p", "vfs_write", "count", NULL), "> replaces\n");

	right = !triggers_put(BYTES("-:two\n")) && triggers_put(BYTES("-:two\n")) == ENOENT;
	triggers_read(&after);
	ksft_test_result(right && after.rows == 1 && triggers_find(&after, "three"), "-: removes, once\n");

	right = !triggers_put(BYTES("-:three\np:three vfs_read\n"));
	triggers_read(&after);
	ksft_test_result(right && after.rows == 1 && is_row("three", "p", "vfs_read", "count", NULL),
			 "a name is free again in the same write\n");

	triggers_clear();
	triggers_read(&after);
	right = !after.rows && !triggers_put(BYTES("p:one vfs_read\n")) && !triggers_replace(BYTES("\n"));
	triggers_read(&after);
	ksft_test_result(right && !after.rows, "truncated, or replaced by nothing: none is left\n");
}

/* Names that nobody gave are made, and are different. */
static void made_names(void)
{
	bool right = !triggers_replace(BYTES("p vfs_read\nr vfs_read\nt sched:sched_switch\n"));

	triggers_read(&after);
	right = right && after.rows == 3 && strcmp(after.row[0].name, after.row[1].name) &&
		strcmp(after.row[1].name, after.row[2].name) && *after.row[0].name;
	ksft_test_result(right, "names that were not given\n");
	triggers_clear();
}

/* There is room for as many as those that go at the same time have. */
static void many_for_many(void)
{
	static char text[2][65536];
	unsigned int i, k;
	int err;

	for (k = 0; k < 2; k++) {
		size_t length = 0;

		for (i = 0; i < MANY; i++)
			length += sprintf(text[k] + length, "t:%c%u sched:sched_process_exec\n", "ab"[k], i);
	}
	err = triggers_replace(text[0], strlen(text[0])) ?: triggers_replace(text[1], strlen(text[1]));
	triggers_read(&after);
	ksft_test_result(!err && after.rows == MANY && triggers_find(&after, "b0") && !triggers_find(&after, "a0"),
			 "%u triggers for as many others: %s\n", after.rows, err ? strerror(err) : "done");
	triggers_clear();
}

static void user_place(void)
{
	int err = triggers_replace(BYTES("u:place /bin/busybox:0x1000\n"));

	triggers_read(&after);
	if (err == EOPNOTSUPP) {
		ksft_test_result_skip("uprobes: this kernel has none\n");
		return;
	}
	ksft_test_result(!err && is_row("place", "u", "/bin/busybox:0x1000", "count", NULL),
			 "a right line of u\n");
	triggers_clear();
}

int main(void)
{
	const char *trouble;

	stacks_require();
	ksft_print_header();
	ksft_set_plan(2 + 2 + 7 + 2 + 1 + 5 + 1 + 1 + 1 + 1);
	keep();
	bad_lines();
	long_writes();
	unprobeable();
	log_mark();
	forms();
	options();
	adding();
	made_names();
	many_for_many();
	user_place();
	trouble = log_trouble();
	ksft_test_result(!trouble, "a clean log%s%s\n", trouble ? ": " : "", trouble ?: "");
	ksft_finished();
}
