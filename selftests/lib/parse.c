// SPDX-License-Identifier: GPL-2.0-only
/*
 * Words of the module's tables, and sentences on what is wrong with them.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "parse.h"

/* What a check answers. It stays valid until the next one. */
const char *wrong(const char *format, ...)
{
	static char reason[512];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	return reason;
}

bool parse_u64(const char *word, uint64_t *value)
{
	char *end;

	if (*word < '0' || *word > '9')
		return false;
	errno = 0;
	*value = strtoull(word, &end, 10);
	return !errno && !*end;
}

/* "73.41" as 7341. Anything else (nan, 1e2, 5, -0.00) is wrong. */
bool parse_percent(const char *word, unsigned int *value)
{
	unsigned int whole, part;
	int length = 0;

	if (*word < '0' || *word > '9')
		return false;
	if (sscanf(word, "%7u.%2u%n", &whole, &part, &length) != 2 || word[length] ||
	    word[length - 3] != '.')
		return false;
	*value = whole * 100 + part;
	return true;
}
