/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Loading and unloading the module, for tests that compare with and without.
 */
#ifndef SELFTEST_MODULE_H
#define SELFTEST_MODULE_H

#include <stdbool.h>

const char *module_file(void);
bool module_is_loaded(void);
int module_try_load(const char *parameters);
int module_try_unload(void);
void module_require_unloaded(void);
void module_load(const char *parameters);
void module_unload(void);
const char *module_beside(const char *name);
void module_beside_load(const char *name, const char *parameters);
void module_beside_unload(const char *name);

#endif
