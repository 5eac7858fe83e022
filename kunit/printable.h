/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Texts under test in the names of tests.
 */
#ifndef CPUPRECISE_PRINTABLE_H
#define CPUPRECISE_PRINTABLE_H

#include <cpuprecise/pure.h>

/* A text may have anything in it: KTAP has a line a test, up to a #. */
static inline void printable(const char *text, size_t len, char *line, size_t size)
{
	size_t i;

	for (i = 0; i < size - 1 && i < len; i++)
		line[i] = text[i] > ' ' && text[i] <= '~' && text[i] != '#' ? text[i] : '?';
	line[i] = '\0';
}

#endif
