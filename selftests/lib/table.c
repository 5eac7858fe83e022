// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module's tables in debugfs as rows of words.
 */
#include <stdio.h>
#include <string.h>

#include "kselftest.h"

#include "book.h"
#include "machine.h"
#include "parse.h"
#include "table.h"

/*
 * The first row of a text whose last heading is @columns, or NULL; the others come
 * from strtok_r(NULL, "\n", save). Takes the text to pieces.
 */
char *table_rows(const char *file, char *text, const char *columns, char **save)
{
	size_t length = strlen(text);
	char *line, *head = NULL;

	if (!length || text[length - 1] != '\n')
		ksft_exit_fail_msg("%s: the last line does not end\n", file);
	line = strtok_r(text, "\n", save);
	while (line && *line == '#') {
		head = line;
		line = strtok_r(NULL, "\n", save);
	}
	/* Columns may be appended, never changed. */
	if (!head || strncmp(head, columns, strlen(columns)))
		ksft_exit_fail_msg("%s: the columns are '%s'\n", file, head ? head : "");
	return line;
}

/* The same of a file as it is now. Valid until the next one is read. */
char *table_read(const char *file, const char *columns, char **save)
{
	static char text[1 << 22];
	char path[128];

	snprintf(path, sizeof(path), BOOK_DEBUGFS "%s", file);
	file_read_all(path, text, sizeof(text));
	return table_rows(file, text, columns, save);
}

/* The words of a line: as many as a row has columns, or the test ends. */
void table_split(const char *file, char *line, char **word, unsigned int words)
{
	char *save = NULL, *at;
	unsigned int n = 0;

	for (at = strtok_r(line, " \t", &save); at && n < TABLE_WORDS; at = strtok_r(NULL, " \t", &save))
		word[n++] = at;
	if (n < words)
		ksft_exit_fail_msg("%s: a row of %u words, should be %u\n", file, n, words);
}

int table_cpu(const char *file, const char *word)
{
	uint64_t cpu;

	if (!parse_u64(word, &cpu) || cpu >= BOOK_MAX_CPUS)
		ksft_exit_fail_msg("%s: a CPU is called '%s'\n", file, word);
	return cpu;
}

uint64_t table_count(const char *file, const char *word)
{
	uint64_t value;

	if (!parse_u64(word, &value))
		ksft_exit_fail_msg("%s: '%s' is no number\n", file, word);
	return value;
}

/* A name with its bytes that were octal; one of no bytes is told by a word. */
void table_unescape(const char *file, const char *word, char *name, size_t size)
{
	size_t n = 0;

	if (!strcmp(word, "<null>"))
		word = "";
	while (*word) {
		int digits = 0;
		unsigned int byte = (unsigned char)*word;

		if (*word == '\\' && (sscanf(word, "\\%3o%n", &byte, &digits) != 1 || digits != 4))
			ksft_exit_fail_msg("%s: '%s' is not escaped as octal\n", file, word);
		if (n == size - 1)
			ksft_exit_fail_msg("%s: a name of more than %zu bytes\n", file, n);
		name[n++] = byte;
		word += digits ? digits : 1;
	}
	name[n] = '\0';
}
