// SPDX-License-Identifier: GPL-2.0-only
/* Compile probe: fails only if nothing compiles against these headers. */
#include <linux/module.h>
