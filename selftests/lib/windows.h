/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Times that the module has booked on a CPU against ftrace's spans, cut into windows.
 */
#ifndef SELFTEST_WINDOWS_H
#define SELFTEST_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

#include "timeline.h"

#define WINDOWS	9

struct window {
	int64_t booked;
	int64_t least, most;	/* the spans; where the moment of a read is not known, two figures */
	uint64_t events;
};

bool windows_watch(const char *what, struct timeline *timeline, int cpu, void (*const *loads)(void),
		   unsigned int nr, unsigned int events, void (*read)(unsigned int i));
int64_t window_off(const struct window *w);
bool window_fits(const struct window *w);
const struct window *windows_middle(struct window w[WINDOWS]);

#endif
