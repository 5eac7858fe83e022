/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's header that numbers the system calls of one ABI. Not compiled:
 * Kbuild preprocesses it, once an ABI, for the macros that it then has.
 */
#ifdef CPUPR_ABI_native
#include <asm/unistd.h>
#endif

/* arm64 has both headers from 6.11 on; there the first includes the second. */
#if defined(CPUPR_ABI_compat) && defined(CONFIG_COMPAT)
#if __has_include("asm/unistd32.h")
#include <asm/unistd32.h>
#elif __has_include("asm/unistd_32.h")
#include <asm/unistd_32.h>
#endif
#endif
