/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's symbols, by /proc/kallsyms.
 */
#ifndef SELFTEST_SYMBOLS_H
#define SELFTEST_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

/* What the names of system calls begin with. */
#ifdef __x86_64__
#define SYMBOLS_CALL	"__x64_sys_"
#else
#define SYMBOLS_CALL	"__arm64_sys_"
#endif

struct symbol {
	uint64_t address;
	char type;
	const char *name, *module;	/* module: "" for the kernel itself */
	struct symbol *next;		/* of the same hash */
};

void symbols_load(void);
const struct symbol *symbols_find(const char *name);
const struct symbol *symbols_variant(const char *name);
unsigned int symbols_named(const char *name);
unsigned int symbols_begin(const char *prefix, const char *types, const char **names, unsigned int max);
bool symbols_frame_is(const char *frame, uint64_t address);

#endif
