/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Texts that end where their memory ends.
 */
#ifndef HOST_TESTS_BARE_H
#define HOST_TESTS_BARE_H

#include <stdlib.h>
#include <string.h>

/* Without its NUL: whoever reads beyond it is seen by the address sanitizer. */
static inline char *bare(const char *text, size_t len)
{
	return memcpy(malloc(len), text, len);
}

#endif
