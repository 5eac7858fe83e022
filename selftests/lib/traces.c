// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where a module leaves traces in the kernel, and what it says there.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kselftest.h"

#include "traces.h"

static void add(struct traces *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct traces *t, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(t->text + t->length, sizeof(t->text) - t->length, format, args);
	va_end(args);
	if (n < 0 || t->length + n >= sizeof(t->text))
		ksft_exit_fail_msg("the kernel's lists are longer than this test can keep\n");
	t->length += n;
}

/* Lines of a file, those that contain @containing if it is given; a file may be absent. */
static void add_file(struct traces *t, const char *path, const char *containing)
{
	char line[4096];
	FILE *file = fopen(path, "r");

	if (!file) {
		add(t, "%s: absent\n", path);
		return;
	}
	while (fgets(line, sizeof(line), file))
		if (!containing || strstr(line, containing))
			add(t, "%s: %s", path, line);
	fclose(file);
}

/* Entries of a directory whose name has our name in it. */
static void add_names(struct traces *t, const char *path)
{
	struct dirent *entry;
	DIR *dir = opendir(path);

	if (!dir) {
		add(t, "%s: absent\n", path);
		return;
	}
	while ((entry = readdir(dir)))
		if (strstr(entry->d_name, "cpuprecise"))
			add(t, "%s/%s is there\n", path, entry->d_name);
	closedir(dir);
}

void traces_take(struct traces *t)
{
	t->length = 0;
	add_names(t, "/proc");
	add_names(t, "/sys/kernel/debug");
	add_names(t, "/sys/module");
	add_names(t, "/sys/kernel/slab");
	add_file(t, "/proc/modules", "cpuprecise");
	add_file(t, "/proc/vmallocinfo", "cpupr");
	add_file(t, "/proc/interrupts", "cpuprecise");
	add_file(t, "/sys/devices/system/cpu/hotplug/states", NULL);
	add_file(t, "/sys/kernel/debug/kprobes/list", NULL);
	add_file(t, "/sys/kernel/tracing/set_event", NULL);
	add_file(t, "/sys/kernel/tracing/kprobe_events", NULL);
	add_file(t, "/sys/kernel/tracing/enabled_functions", NULL);
}

/* Prints the first line in which the two differ. */
bool traces_same(const struct traces *before, const struct traces *after)
{
	const char *a = before->text, *b = after->text;

	while (*a || *b) {
		int an = strcspn(a, "\n"), bn = strcspn(b, "\n");

		if (an != bn || strncmp(a, b, an)) {
			ksft_print_msg("before: %.*s\n", an, a);
			ksft_print_msg("after:  %.*s\n", bn, b);
			return false;
		}
		a += an + (a[an] == '\n');
		b += bn + (b[bn] == '\n');
	}
	return true;
}

static int kmsg = -1;

/* Forget what the log has so far. */
void log_mark(void)
{
	if (kmsg < 0)
		kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (kmsg < 0 || lseek(kmsg, 0, SEEK_END) < 0)
		ksft_exit_fail_msg("/dev/kmsg: %s\n", strerror(errno));
}

/* The next message, its text without the prefix; false if there is none yet. */
static bool next_message(char *text, unsigned int size)
{
	char record[8192], *start;
	size_t length;
	ssize_t n;

	do {
		n = read(kmsg, record, sizeof(record) - 1);
	} while (n < 0 && errno == EPIPE);	/* Overwritten: go on with what is left. */
	if (n < 0)
		return false;
	record[n] = '\0';
	start = strchr(record, ';');
	start = start ? start + 1 : record;
	length = strcspn(start, "\n");
	if (length >= size)
		length = size - 1;
	memcpy(text, start, length);
	text[length] = '\0';
	return true;
}

/*
 * Goes through the messages since the mark, and moves it. Counts those that
 * contain @containing. Returns the first one that says that something is wrong,
 * or NULL. Where allocations are made to fail, the kernel's own words on that,
 * with a stack each, are none.
 */
const char *log_scan(const char *containing, unsigned int *lines, bool allocations_fail)
{
	static const char *const words[] = {
		"BUG", "WARNING", "Oops", "Call Trace", "cut here", "general protection",
		"already registered", "remove_proc_entry", "detected stalls", "self-detected stall",
		"blocked for more than", "soft lockup", "possible recursive", "circular locking",
		"inconsistent lock", "suspicious RCU", "KASAN", "UBSAN", "ODEBUG", "refcount_t",
		"corruption",
	};
	static char text[1024], trouble[1024];
	bool found = false, excused = false;
	unsigned int i;

	*lines = 0;
	while (next_message(text, sizeof(text))) {
		*lines += !!strstr(text, containing);
		if (allocations_fail && (strstr(text, "page allocation failure") ||
					 strstr(text, "vmalloc error")))
			excused = true;
		for (i = 0; i < ARRAY_SIZE(words); i++) {
			if (found || !strstr(text, words[i]))
				continue;
			if (excused && !strcmp(words[i], "Call Trace")) {
				excused = false;
				continue;
			}
			strcpy(trouble, text);
			found = true;
		}
	}
	return found ? trouble : NULL;
}

unsigned int log_lines(const char *containing)
{
	unsigned int lines;

	log_scan(containing, &lines, false);
	return lines;
}

const char *log_trouble(void)
{
	unsigned int lines;

	return log_scan("", &lines, false);
}

/* Nothing was left behind since @before, and the kernel had nothing to say; prints what. */
bool traces_none(const struct traces *before)
{
	static struct traces after;
	const char *trouble;

	traces_take(&after);
	trouble = log_trouble();
	if (trouble)
		ksft_print_msg("%s\n", trouble);
	return traces_same(before, &after) && !trouble;
}
