/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * KTAP output for the host tests: a plan, and a line a test.
 */
#ifndef HOST_TESTS_KTAP_H
#define HOST_TESTS_KTAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned int ktap_planned, ktap_done, ktap_failed;

static inline void ktap_plan(unsigned int n)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	ktap_planned = n;
	printf("KTAP version 1\n1..%u\n", n);
}

/* What was seen, for the reader of a failure. */
static inline __attribute__((format(printf, 1, 2))) void ktap_note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("# ");
	vprintf(format, args);
	printf("\n");
	va_end(args);
}

static inline bool ktap_result(bool ok, const char *name)
{
	ktap_failed += !ok;
	printf("%sok %u %s\n", ok ? "" : "not ", ++ktap_done, name);
	return ok;
}

/* A plan that was not kept is a failure too. */
static inline int ktap_exit(void)
{
	if (ktap_done != ktap_planned)
		ktap_note("planned %u tests, ran %u", ktap_planned, ktap_done);
	return ktap_failed || ktap_done != ktap_planned ? EXIT_FAILURE : EXIT_SUCCESS;
}

/**
 * struct ktap_test - a test that is a function
 * @name: what it shows
 * @run: returns whether it does
 */
struct ktap_test {
	const char *name;
	bool (*run)(void);
};

static inline void ktap_run(const struct ktap_test *tests, unsigned int n)
{
	unsigned int i;

	ktap_plan(n);
	for (i = 0; i < n; i++)
		ktap_result(tests[i].run(), tests[i].name);
}

#endif
