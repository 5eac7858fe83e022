/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What system calls are called.
 */
#ifndef CPUPRECISE_SYSCALL_NAMES_H
#define CPUPRECISE_SYSCALL_NAMES_H

#include <linux/types.h>

const char *cpupr_syscall_name(bool compat, unsigned int nr);

#endif
