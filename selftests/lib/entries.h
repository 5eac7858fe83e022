/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How often the kernel's tracepoint raw_syscalls:sys_enter has fired, by system call
 * number, as perf counts it: an event with a filter a number and CPU.
 */
#ifndef SELFTEST_ENTRIES_H
#define SELFTEST_ENTRIES_H

#include <stdint.h>

#include "syscalls.h"

#define ENTRIES_MAX	96		/* numbers */
#define ENTRIES_ALL	INT64_MIN	/* instead of a number: no filter */

/* Not fewer and not more: the same if only what happened between two reads makes such calls. */
struct entries_span {
	uint64_t least, most;
};

void entries_open(int64_t nr);
void entries_begin(struct syscalls *s);
void entries_end(struct syscalls *s, const struct syscalls *begin);
struct entries_span entries_span(int64_t nr);

#endif
