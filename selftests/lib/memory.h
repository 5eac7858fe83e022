/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How much memory there is, and whether any was lost.
 */
#ifndef SELFTEST_MEMORY_H
#define SELFTEST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

uint64_t memory_kb(const char *name);
uint64_t memory_available_kb(void);
bool memory_is_watched(void);
void memory_watch(void);
bool memory_is_lost(void);

#endif
