// SPDX-License-Identifier: GPL-2.0-only
/*
 * How much memory there is, by the kernel's own counts; and whether any was lost, by
 * kmemleak, on kernels that have it. Those have KASAN, too, whose quarantine holds
 * what is free, so that their counts tell nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "machine.h"
#include "memory.h"

#define KMEMLEAK	"/sys/kernel/debug/kmemleak"

/* A younger block may be in a register still (mm/kmemleak.c, jiffies_min_age). */
#define MIN_AGE		(6 * NSEC_PER_SEC)

static char text[1 << 16];

/**
 * memory_kb() - a count of /proc/meminfo
 * @name: which
 *
 * Return: kB.
 */
uint64_t memory_kb(const char *name)
{
	unsigned long long kb;
	char *at;

	at = file_read("/proc/meminfo", text, sizeof(text)) ? strstr(text, name) : NULL;
	if (!at || sscanf(at + strlen(name), ": %llu", &kb) != 1)
		ksft_exit_fail_msg("/proc/meminfo has no %s\n", name);
	return kb;
}

/* Free pages that CPUs keep at hand are neither free nor available to /proc/meminfo. */
static uint64_t kept_kb(void)
{
	uint64_t pages = 0;
	char *at;

	if (!file_read("/proc/zoneinfo", text, sizeof(text)))
		ksft_exit_fail_msg("no /proc/zoneinfo\n");
	for (at = text; (at = strstr(at, " count: ")); at++)
		pages += strtoul(at + strlen(" count: "), NULL, 10);
	return pages * sysconf(_SC_PAGESIZE) / 1024;
}

/**
 * memory_available_kb() - memory that is free or can be made so
 *
 * Return: kB.
 */
uint64_t memory_available_kb(void)
{
	/* CPUs count for themselves first. */
	must_write("/proc/sys/vm/stat_refresh", "1");
	return memory_kb("MemAvailable") + kept_kb();
}

/**
 * memory_is_watched() - does the kernel look for memory that was lost?
 */
bool memory_is_watched(void)
{
	return !access(KMEMLEAK, F_OK);
}

/**
 * memory_watch() - from now on
 */
void memory_watch(void)
{
	must_write(KMEMLEAK, "clear");
}

/**
 * memory_is_lost() - was any lost since memory_watch()?
 *
 * Return: it was, and the log of the test says which.
 */
bool memory_is_lost(void)
{
	sleep_ns(MIN_AGE);
	must_write(KMEMLEAK, "scan");
	/* What one scan suspects may have been on its way: two do not err. */
	must_write(KMEMLEAK, "scan");
	if (!file_read(KMEMLEAK, text, sizeof(text)))
		return false;
	if (text[0])
		ksft_print_msg("%s\n", text);
	return text[0];
}
