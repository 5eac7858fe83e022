/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one read of /proc/cpuprecise takes, as people read it: open, read to the
 * end, close. Needs the module, and the instruction-counting VM to mean anything.
 */
#ifndef BENCH_READS_H
#define BENCH_READS_H

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "insn.h"

#define READS_FILE	"/proc/cpuprecise"
#define READS_EACH	20	/* of so many, the cheapest */
#define READS_CALLS	64	/* one read, at most */

/* Sees to it that call @i of a read has the least of its durations; starts the next one. */
static inline bool reads_keep(uint64_t *least, unsigned int i, uint64_t *start)
{
	uint64_t took = insn_clock() - *start;

	if (i >= READS_CALLS)
		return false;
	if (took < least[i])
		least[i] = took;
	*start = insn_clock();
	return true;
}

/* Reads the file, at most @size bytes, as a string; returns the calls that took, or 0. */
static inline unsigned int reads_once(uint64_t *least, char *text, size_t size)
{
	size_t length = 0;
	unsigned int i = 0;
	uint64_t start = insn_clock();
	int fd = open(READS_FILE, O_RDONLY);
	bool ok = fd >= 0 && reads_keep(least, i++, &start);
	ssize_t n = 1;

	while (ok && n) {
		n = read(fd, text + length, size - 1 - length);
		ok = n >= 0 && reads_keep(least, i++, &start);
		length += n;
	}
	close(fd);
	if (!ok || !reads_keep(least, i++, &start))
		return 0;
	text[length] = '\0';
	return i;
}

/*
 * The ns of one read, and the number of CPUs that have a row; 0 if it failed. The
 * sum of the cheapest of several calls each: ticks fall into some of them, and a
 * table of many CPUs takes longer than from one tick to the next.
 */
static inline uint64_t reads_ns(unsigned int *cpus)
{
	static char text[1 << 17];	/* as large as cat's */
	uint64_t least[READS_CALLS], sum = 0;
	const char *at = text;
	unsigned int calls, i;

	memset(least, 0xff, sizeof(least));
	for (i = 0; i < READS_EACH; i++) {
		calls = reads_once(least, text, sizeof(text));
		if (!calls)
			return 0;
	}
	for (i = 0; i < calls; i++)
		sum += least[i];
	*cpus = 0;
	while ((at = strstr(at, "\ncpu"))) {
		at += strlen("\ncpu");
		*cpus += *at >= '0' && *at <= '9';
	}
	return sum;
}

#endif
