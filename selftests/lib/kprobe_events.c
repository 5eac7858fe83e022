// SPDX-License-Identifier: GPL-2.0-only
/*
 * The same by ftrace: kprobe events, each with the kernel's own stack, and their
 * profile.
 *
 * The stack is that of the option `stacktrace`, which begins with the registers of
 * the hit; that of a trigger begins in the middle of ftrace.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kselftest.h"

#include "kprobe_events.h"
#include "machine.h"

#define TRACEFS		"/sys/kernel/tracing/"
#define INSTANCE	TRACEFS "instances/selftest/"
#define GROUP		"selftest"
#define BUFFER_KB	"16384"
#define MAX_EVENTS	64

static char event[MAX_EVENTS][64];
static unsigned int events;
static bool traces;

bool events_available(void)
{
	return !access(TRACEFS "kprobe_events", W_OK) && !access(TRACEFS "instances", W_OK);
}

static int append(const char *line)
{
	int fd = open(TRACEFS "kprobe_events", O_WRONLY | O_APPEND | O_CLOEXEC), err = 0;

	if (fd < 0)
		return errno;
	if (write(fd, line, strlen(line)) < 0)
		err = errno;
	close(fd);
	return err;
}

void events_trace(const char *file, const char *text)
{
	char path[512];

	snprintf(path, sizeof(path), INSTANCE "%s", file);
	must_write(path, text);
}

static void clean_up(void)
{
	while (events)
		events_remove(event[0]);
	if (rmdir(INSTANCE))
		ksft_print_msg("no end of tracing: %s\n", strerror(errno));
}

static void prepare(void)
{
	traces = true;
	if (mkdir(INSTANCE, 0700) && errno != EEXIST)
		ksft_exit_fail_msg(INSTANCE ": %s\n", strerror(errno));
	atexit(clean_up);
	events_trace("buffer_size_kb", BUFFER_KB);
	events_trace("trace_options", "stacktrace");
	events_trace("trace_options", "sym-addr");
	events_trace("trace_options", "nooverwrite");
}

/* @definition: "p SYMBOL" or "r SYMBOL". Returns 0 or an errno. */
int events_try(const char *name, const char *definition)
{
	char line[256];
	int err;

	if (!traces)
		prepare();
	snprintf(line, sizeof(line), "%c:" GROUP "/%s%s\n", *definition, name, definition + 1);
	err = append(line);
	if (err)
		return err;
	if (events == MAX_EVENTS)
		ksft_exit_fail_msg("more than %u events\n", MAX_EVENTS);
	strcpy(event[events++], name);
	return 0;
}

void events_add(const char *name, const char *definition)
{
	int err = events_try(name, definition);

	if (err)
		ksft_exit_fail_msg("ftrace: no event '%s': %s\n", definition, strerror(err));
}

void events_remove(const char *name)
{
	char line[128];
	unsigned int i;
	int err;

	for (i = 0; i < events && strcmp(event[i], name); i++)
		;
	if (i == events)
		return;
	events_stop(name);
	snprintf(line, sizeof(line), "-:" GROUP "/%s\n", name);
	err = append(line);
	if (err)
		ksft_print_msg("ftrace: %s stays: %s\n", name, strerror(err));
	memmove(event[i], event[--events], sizeof(event[i]));
}

static void set(const char *name, const char *file, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "events/" GROUP "/%s/%s", name, file);
	events_trace(path, text);
}

/* Hits are counted from here on; those of a task are traced, 0: those of all. */
void events_start(const char *name, pid_t pid)
{
	char filter[64];

	if (pid) {
		snprintf(filter, sizeof(filter), "common_pid == %d", pid);
		set(name, "filter", filter);
	}
	set(name, "enable", "1");
}

void events_stop(const char *name)
{
	set(name, "enable", "0");
}

struct event_profile events_profile(const char *name)
{
	struct event_profile p = { 0, 0 };
	char line[256], word[128];
	FILE *file = fopen(TRACEFS "kprobe_profile", "r");
	bool found = false;

	if (!file)
		ksft_exit_fail_msg("no kprobe_profile\n");
	while (!found && fgets(line, sizeof(line), file))
		found = sscanf(line, " %127s %" SCNu64 " %" SCNu64, word, &p.hits, &p.missed) == 3 &&
			!strcmp(word, name);
	fclose(file);
	if (!found)
		ksft_exit_fail_msg("kprobe_profile has no %s\n", name);
	return p;
}

static const char *event_of(const char *line)
{
	char word[80];
	unsigned int i;

	for (i = 0; i < events; i++) {
		snprintf(word, sizeof(word), ": %s: (", event[i]);
		if (strstr(line, word))
			return event[i];
	}
	return NULL;
}

/* The stack that was read last, into those that there are; returns how many these are. */
static unsigned int count_stack(struct event_stack *stack, unsigned int n, unsigned int max)
{
	struct event_stack *new = &stack[n];
	unsigned int i;

	for (i = 0; i < n; i++)
		if (stack[i].event == new->event && stack[i].frames == new->frames &&
		    !memcmp(stack[i].frame, new->frame, new->frames * sizeof(new->frame[0]))) {
			stack[i].count++;
			return n;
		}
	if (n + 1 == max)
		ksft_exit_fail_msg("ftrace: more than %u stacks\n", max);
	new->count = 1;
	return n + 1;
}

/*
 * What was traced since events_start(): different stacks, and how often each was met.
 * An event's stack stands right behind it: a hit within a hit is missed.
 */
unsigned int events_stacks(struct event_stack *stack, unsigned int max)
{
	FILE *file = fopen(INSTANCE "trace", "r");
	const char *current = NULL;
	unsigned int n = 0;
	char line[1024];
	bool open = false;

	if (!file)
		ksft_exit_fail_msg("no trace\n");
	while (fgets(line, sizeof(line), file)) {
		char *address = strrchr(line, '<');

		if (*line == '#' || *line == '\n')
			continue;
		if (strstr(line, "LOST"))
			ksft_exit_fail_msg("ftrace has lost events\n");
		if (!strncmp(line, " => ", 4)) {
			if (!open || !address || stack[n].frames == EVENTS_DEPTH)
				ksft_exit_fail_msg("ftrace: no place for the frame '%s'\n", line);
			stack[n].frame[stack[n].frames++] = strtoull(address + 1, NULL, 16);
			continue;
		}
		if (open)
			n = count_stack(stack, n, max);
		open = false;
		if (strstr(line, "<stack trace>")) {
			if (!current)
				ksft_exit_fail_msg("ftrace: a stack of no event\n");
			stack[n] = (struct event_stack){ .event = current };
			open = true;
			current = NULL;
		} else {
			current = event_of(line);
		}
	}
	if (open)
		n = count_stack(stack, n, max);
	fclose(file);
	return n;
}
