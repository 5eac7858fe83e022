/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The same by ftrace: kprobe events, each with the kernel's own stack, and their
 * profile. All is in an instance of its own and is gone when the test ends.
 */
#ifndef SELFTEST_KPROBE_EVENTS_H
#define SELFTEST_KPROBE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define EVENTS_DEPTH	128

struct event_stack {
	const char *event;
	unsigned int frames;
	uint64_t frame[EVENTS_DEPTH];	/* addresses; the first is where the probe is */
	uint64_t count;
};

struct event_profile {
	uint64_t hits, missed;
};

bool events_available(void);
int events_try(const char *name, const char *definition);
void events_add(const char *name, const char *definition);
void events_remove(const char *name);
void events_start(const char *name, pid_t pid);
void events_stop(const char *name);
void events_trace(const char *file, const char *text);
struct event_profile events_profile(const char *name);
unsigned int events_stacks(struct event_stack *stack, unsigned int max);

#endif
