// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines that come and go: each handler has a row by number and name, of all that it was
 * called for, and keeps it when it is gone. The lines are a module's that fires them on
 * demand, so that each count is known.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kselftest.h"

#include "book.h"
#include "irqs.h"
#include "machine.h"
#include "module.h"

#define PARAMETERS	"/sys/module/irq_lines/parameters/"
#define LINES		160
#define NAMED		128	/* lines of a CPU that have a row */
#define SPIN_US		20
/* What the kernel frees it soon gives to the next one, as SLUB does on x86 if it checks nothing. */
#ifdef __x86_64__
#define MEMORY_RETURNS	(!is_debug_kernel())
#else
#define MEMORY_RETURNS	false
#endif

static struct irqs now, last;
static int first;

static void command(const char *text)
{
	must_write(PARAMETERS "command", text);
}

static void request(int line, int handler, const char *name)
{
	char text[256];

	snprintf(text, sizeof(text), "request %d %d %s", line, handler, name);
	command(text);
}

static void give_back(int handler)
{
	char text[32];

	snprintf(text, sizeof(text), "free %d", handler);
	command(text);
}

static void fire(int cpu, int line, unsigned int times)
{
	char text[32];

	pin(cpu);
	snprintf(text, sizeof(text), "fire %d %u", line, times);
	command(text);
}

/* What stands in a file of the module's. */
static uint64_t parameter(const char *name)
{
	char path[128], text[32];

	snprintf(path, sizeof(path), PARAMETERS "%s", name);
	if (!file_read(path, text, sizeof(text)))
		ksft_exit_fail_msg("cannot read %s\n", path);
	return strtoull(text, NULL, 0);
}

static void read_now(void)
{
	last = now;
	irqs_read_checked(&now, false, last.rows ? &last : NULL);
}

static bool has(int cpu, int line, const char *name, uint64_t count)
{
	uint64_t is = irqs_count(&now, cpu, IRQS_LINE, first + line, name);

	if (is != count)
		ksft_print_msg("CPU %d line %d '%s': count %" PRIu64 ", should be %" PRIu64 "\n", cpu, line,
			       name, is, count);
	return is == count;
}

static void counts(int other)
{
	const struct irqs_row *row;
	char number[16];
	bool ok;

	request(0, 0, "alpha");
	must_write(PARAMETERS "spin_us", "20");
	fire(0, 0, 1000);
	must_write(PARAMETERS "spin_us", "0");
	if (other)
		fire(other, 0, 500);
	read_now();
	ok = has(0, 0, "alpha", 1000) && (!other || has(other, 0, "alpha", 500));
	snprintf(number, sizeof(number), "%d", first);
	ksft_test_result(ok && interrupt_count(number, 0) == 1000, "each one is counted, as /proc/interrupts has it\n");
	row = irqs_find(&now, 0, IRQS_LINE, first, "alpha");
	ksft_test_result(row && row->time >= 1000 * SPIN_US * NSEC_PER_USEC && row->max >= SPIN_US * NSEC_PER_USEC &&
			 row->times.count == 1000 && !row->times.least == !row->times.longest,
			 "handlers took %u us: %" PRIu64 " us, max %" PRIu64 " us\n", 1000 * SPIN_US,
			 row ? row->time / 1000 : 0, row ? row->max / 1000 : 0);
}

/* What the kernel had for a handler that is gone, it soon has for another one. */
static void other_name(void)
{
	uint64_t action, again = 0;
	unsigned int turn, same = 0;
	char name[32];
	bool ok = true;

	request(4, 1, "gone0");
	fire(0, 4, 7);
	for (turn = 1; turn < 20; turn++) {
		action = parameter("action");
		give_back(1);
		snprintf(name, sizeof(name), "gone%u", turn % 2);
		request(4, 1, name);
		again = parameter("action");
		same += action == again;
		fire(0, 4, turn % 2 ? 5 : 3);
	}
	give_back(1);
	read_now();
	ok &= has(0, 4, "gone0", 7 + 9 * 3);
	ok &= has(0, 4, "gone1", 10 * 5);
	ksft_test_result(ok && (same || !MEMORY_RETURNS), "the same line under another name, %u times in the same memory\n",
			 same);
}

/* Nor does a name go with the memory to another line. */
static void other_line(void)
{
	unsigned int turn, same = 0;
	uint64_t action;
	bool ok;

	for (turn = 0; turn < 20; turn++) {
		action = turn ? parameter("action") : 0;
		request(5 + turn % 2, 1, "mover");
		same += action == parameter("action");
		fire(0, 5 + turn % 2, turn % 2 ? 2 : 1);
		give_back(1);
	}
	read_now();
	ok = has(0, 5, "mover", 10) && has(0, 6, "mover", 20);
	ksft_test_result(ok && (same || !MEMORY_RETURNS), "the same name on another line, %u times in the same memory\n",
			 same);
}

static void twins(void)
{
	bool ok;

	request(1, 1, "twin");
	request(2, 2, "twin");
	fire(0, 1, 10);
	fire(0, 2, 20);
	fire(0, 1, 30);
	read_now();
	ok = has(0, 1, "twin", 40);
	ok &= has(0, 2, "twin", 20);
	ksft_test_result(ok, "two lines of one name at once\n");
}

static void shared(void)
{
	const struct irqs_row *left, *right;
	bool ok;

	request(3, 3, "left");
	fire(0, 3, 11);
	request(3, 4, "right");
	fire(0, 3, 70);
	give_back(3);
	fire(0, 3, 5);
	read_now();
	ok = has(0, 3, "left", 81);
	ok &= has(0, 3, "right", 75);
	left = irqs_find(&now, 0, IRQS_LINE, first + 3, "left");
	right = irqs_find(&now, 0, IRQS_LINE, first + 3, "right");
	ksft_test_result(ok && left && right && left->time && right->time, "two handlers of one line\n");
}

static void names(void)
{
	static const char odd[] = "two words \xce\xbb\\040#\t.";
	char longest[101], cut[IRQS_NAME];
	bool ok;

	memset(longest, 'n', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	memcpy(cut, longest, sizeof(cut) - 1);
	cut[sizeof(cut) - 1] = '\0';
	request(7, 7, odd);
	request(8, 8, longest);
	fire(0, 7, 17);
	fire(0, 8, 18);
	read_now();
	ok = has(0, 7, odd, 17);
	ok &= has(0, 8, cut, 18);
	ksft_test_result(ok, "names of any bytes, and of many\n");
}

/* More lines than there are rows: what has none is in the row other, and nothing is lost. */
static void many(int cpu)
{
	const struct irqs_row *other;
	uint64_t sum = 0, before, after;
	unsigned int i, rows = 0, lines = 0;
	char name[16];

	before = irqs_count(&now, cpu, IRQS_OTHER, -1, NULL);
	for (i = 9; i < LINES; i++) {
		snprintf(name, sizeof(name), "many%u", i);
		request(i, i, name);
		fire(cpu, i, 3);
		fire(cpu, i, 2);
		lines++;
	}
	read_now();
	for (i = 0; i < now.rows; i++) {
		const struct irqs_row *row = &now.row[i];

		if (row->cpu != cpu || row->kind != IRQS_LINE)
			continue;
		rows++;
		if (!strncmp(row->name, "many", 4)) {
			sum += row->count;
			if (row->count != 5)
				irqs_print_row(row);
		}
	}
	other = irqs_find(&now, cpu, IRQS_OTHER, -1, NULL);
	after = other ? other->count : 0;
	ksft_test_result(sum + after - before == 5 * lines && rows <= NAMED && other && !strcmp(other->name, "other"),
			 "%u lines, %u rows: %" PRIu64 " by name and %" PRIu64 " other, of %u\n", lines, rows, sum,
			 after - before, 5 * lines);
	for (i = 9; i < LINES; i++)
		give_back(i);
}

/* They are the module's no longer; what it had stays. */
static void unloaded(void)
{
	unsigned int i, lines = 0;

	read_now();
	module_beside_unload("irq_lines");
	read_now();
	for (i = 0; i < last.rows; i++) {
		const struct irqs_row *row = &last.row[i];

		if (row->kind == IRQS_LINE && row->number >= first && row->number < first + LINES) {
			lines++;
			if (irqs_count(&now, row->cpu, IRQS_LINE, row->number, row->name) != row->count)
				ksft_exit_fail_msg("'%s' has another count\n", row->name);
		}
	}
	ksft_test_result(lines > NAMED / 2, "%u rows of lines that are gone\n", lines);

	module_beside_load("irq_lines", "lines=160");
	if ((int)parameter("first") != first) {
		ksft_test_result_fail("the lines have other numbers now: %d, not %d\n", (int)parameter("first"), first);
	} else {
		request(1, 1, "twin");
		fire(0, 1, 2);
		read_now();
		ksft_test_result(has(0, 1, "twin", 42), "they come back to the rows that they had\n");
	}
	module_beside_unload("irq_lines");
}

/* Rows of an epoch are of what came in it. */
static void new_epoch(void)
{
	unsigned int i, lines = 0;

	must_write(BOOK_DEBUGFS "reset", "1");
	last.rows = now.rows = 0;
	read_now();
	for (i = 0; i < now.rows; i++)
		lines += now.row[i].kind == IRQS_LINE && now.row[i].number >= first;
	for (i = 0; i < now.rows; i++)
		if (now.row[i].kind == IRQS_OTHER)
			irqs_print_row(&now.row[i]);
	ksft_test_result(!lines, "a new epoch has %u of the lines\n", lines);
}

int main(void)
{
	int other;

	irqs_require("irqs");
	if (!module_beside("irq_lines"))
		ksft_exit_skip("needs the module irq_lines beside cpuprecise\n");
	ksft_print_header();
	ksft_set_plan(11);
	other = other_cpu();
	module_beside_load("irq_lines", "lines=160");
	first = parameter("first");
	must_write(BOOK_DEBUGFS "reset", "1");
	counts(other);
	other_name();
	other_line();
	twins();
	shared();
	names();
	many(other);
	unloaded();
	new_epoch();
	ksft_finished();
}
