/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a module leaves traces in the kernel, and what it says there.
 */
#ifndef SELFTEST_TRACES_H
#define SELFTEST_TRACES_H

#include <stdbool.h>

/* The text of all places where something could be left behind. */
struct traces {
	char text[1 << 18];
	unsigned int length;
};

void traces_take(struct traces *traces);
bool traces_same(const struct traces *before, const struct traces *after);
bool traces_none(const struct traces *before);

/* Kernel log from now on. */
void log_mark(void);
const char *log_scan(const char *containing, unsigned int *lines, bool allocations_fail);
unsigned int log_lines(const char *containing);
const char *log_trouble(void);

#endif
