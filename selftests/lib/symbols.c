// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's symbols, by /proc/kallsyms.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kselftest.h"

#include "machine.h"
#include "symbols.h"

#define MAX_SYMBOLS	400000
#define HEADS		(1 << 16)

static char text[32 << 20];
static struct symbol symbol[MAX_SYMBOLS], *head[HEADS];
static unsigned int symbols;

static unsigned int hash(const char *name, size_t length)
{
	unsigned int h = 5381;

	while (length--)
		h = h * 33 + (unsigned char)*name++;
	return h % HEADS;
}

static void parse_line(char *line)
{
	struct symbol *s = &symbol[symbols];
	char *save, *word, *module;
	struct symbol **at;

	word = strtok_r(line, " \t", &save);
	s->address = strtoull(word, NULL, 16);
	word = strtok_r(NULL, " \t", &save);
	s->type = word ? *word : '?';
	s->name = strtok_r(NULL, " \t", &save);
	module = strtok_r(NULL, " \t", &save);
	s->module = module ?: "";
	if (!s->name)
		ksft_exit_fail_msg("/proc/kallsyms: '%s'\n", line);
	/* In their order. */
	for (at = &head[hash(s->name, strlen(s->name))]; *at; at = &(*at)->next)
		;
	s->next = NULL;
	*at = s;
	symbols++;
}

/* Once more when modules came or went. */
void symbols_load(void)
{
	char *save, *line;

	symbols = 0;
	memset(head, 0, sizeof(head));
	file_read_all("/proc/kallsyms", text, sizeof(text));
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (symbols == MAX_SYMBOLS)
			ksft_exit_fail_msg("more than %u symbols\n", MAX_SYMBOLS);
		parse_line(line);
	}
	if (!symbols || !symbol[symbols / 2].address)
		ksft_exit_fail_msg("/proc/kallsyms has no addresses\n");
}

static const struct symbol *next_of(const struct symbol *s, const char *name, size_t length)
{
	s = s ? s->next : head[hash(name, length)];
	while (s && (strncmp(s->name, name, length) || s->name[length]))
		s = s->next;
	return s;
}

/* The first of this name, or NULL. */
const struct symbol *symbols_find(const char *name)
{
	return next_of(NULL, name, strlen(name));
}

/* How many have it. */
unsigned int symbols_named(const char *name)
{
	const struct symbol *s = NULL;
	unsigned int n = 0;

	while ((s = next_of(s, name, strlen(name))))
		n++;
	return n;
}

/*
 * A function that the compiler has made of this one, with a suffix (.isra.0), but for
 * the part of it that is never needed (.cold); or itself.
 */
const struct symbol *symbols_variant(const char *name)
{
	const struct symbol *found = symbols_find(name);
	size_t length = strlen(name);
	unsigned int i;

	for (i = 0; !found && i < symbols; i++)
		if (!strncmp(symbol[i].name, name, length) && symbol[i].name[length] == '.' &&
		    !strstr(symbol[i].name, ".cold") && strchr("tT", symbol[i].type))
			found = &symbol[i];
	return found;
}

/* Names that begin so, of symbols of these types, each of which is the only one of its name. */
unsigned int symbols_begin(const char *prefix, const char *types, const char **names, unsigned int max)
{
	unsigned int i, n = 0;

	for (i = 0; i < symbols && n < max; i++)
		if (!strncmp(symbol[i].name, prefix, strlen(prefix)) && strchr(types, symbol[i].type) &&
		    symbols_named(symbol[i].name) == 1)
			names[n++] = symbol[i].name;
	return n;
}

/*
 * Is "name+0xOFFSET/0xSIZE [module]" that address? What has no name, as ftrace's
 * trampolines, is the address itself.
 */
bool symbols_frame_is(const char *frame, uint64_t address)
{
	const struct symbol *s = NULL;
	size_t length;
	uint64_t offset;

	if (!strncmp(frame, "? ", 2))
		frame += 2;
	length = strcspn(frame, "+");
	if (!frame[length])
		return !strncmp(frame, "0x", 2) && strtoull(frame, NULL, 16) == address;
	offset = strtoull(frame + length + 1, NULL, 16);
	while ((s = next_of(s, frame, length)))
		if (s->address + offset == address)
			return true;
	return false;
}
