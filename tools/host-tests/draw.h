/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random numbers, the same ones for the same seed. Include from one file a program.
 */
#ifndef DRAW_H
#define DRAW_H

#include "ktap.h"

#include <cpuprecise/pure.h>

static u64 random_state;	/* the seed */

/* splitmix64 */
static u64 draw(void)
{
	u64 z = random_state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

static unsigned int below(unsigned int n)
{
	return (unsigned int)(draw() % n);
}

static inline u64 any_bits(void)
{
	return draw() >> below(64);
}

static inline bool chance(unsigned int of_1024)
{
	return below(1024) < of_1024;
}

/* What an event of a history left, against what it should have: true, and a note, if it differs. */
static inline bool event_differs(const char *history, unsigned int number, const char *event,
				 const char *what, u64 got, u64 want)
{
	if (got == want)
		return false;
	ktap_note("%s, event %u (%s): %s is %lld, should be %lld", history, number, event, what,
		  (long long)got, (long long)want);
	return true;
}

/* Each test with a seed of its own, so that it is the same whatever runs before it. */
static inline void draw_run(const struct ktap_test *tests, unsigned int n)
{
	unsigned int i;

	ktap_plan(n);
	for (i = 0; i < n; i++) {
		random_state = i;
		ktap_result(tests[i].run(), tests[i].name);
	}
}

#endif
