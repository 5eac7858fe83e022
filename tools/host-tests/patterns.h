/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a grammar allows, said a second time by regular expressions: include from one file a
 * program, behind its PATTERNS patterns[].
 */
#ifndef PATTERNS_H
#define PATTERNS_H

#include <regex.h>
#include <stdlib.h>

#include "draw.h"

static regex_t compiled[PATTERNS];

static bool is(unsigned int pattern, const char *text)
{
	return !regexec(&compiled[pattern], text, 0, NULL, 0);
}

/* Runs tests that use them. Return: for main(). */
static int patterns_run(const struct ktap_test *tests, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < PATTERNS; i++) {
		if (!regcomp(&compiled[i], patterns[i], REG_EXTENDED | REG_NOSUB))
			continue;
		ktap_note("a pattern is wrong: %s", patterns[i]);
		return EXIT_FAILURE;
	}
	draw_run(tests, n);
	for (i = 0; i < PATTERNS; i++)
		regfree(&compiled[i]);
	return ktap_exit();
}

#endif
