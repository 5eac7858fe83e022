/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module's tables in debugfs as rows of words. A text that is no such table
 * ends the test.
 */
#ifndef SELFTEST_TABLE_H
#define SELFTEST_TABLE_H

#include <stddef.h>
#include <stdint.h>

#define TABLE_WORDS	20	/* a row has no more */

char *table_rows(const char *file, char *text, const char *columns, char **save);
char *table_read(const char *file, const char *columns, char **save);
void table_split(const char *file, char *line, char **word, unsigned int words);
int table_cpu(const char *file, const char *word);
uint64_t table_count(const char *file, const char *word);
void table_unescape(const char *file, const char *word, char *name, size_t size);

#endif
