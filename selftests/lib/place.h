/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the code of this program is in its file.
 */
#ifndef SELFTEST_PLACE_H
#define SELFTEST_PLACE_H

#include <stdint.h>

const char *place_file(void);
uint64_t place_offset(const void *code);

#endif
