/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Words of the module's tables, and sentences on what is wrong with them.
 */
#ifndef SELFTEST_PARSE_H
#define SELFTEST_PARSE_H

#include <stdbool.h>
#include <stdint.h>

const char *wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool parse_u64(const char *word, uint64_t *value);
bool parse_percent(const char *word, unsigned int *value);

#endif
