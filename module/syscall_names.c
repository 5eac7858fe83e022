// SPDX-License-Identifier: GPL-2.0-only
/*
 * What system calls are called: tables that Kbuild makes of the headers of the
 * kernel built for.
 */
#include <linux/kernel.h>

#include <cpuprecise/syscall_names.h>

/* Generated: cpupr_native_calls, cpupr_compat_calls. */
#include "syscall_names.h"

/**
 * cpupr_syscall_name() - the name of a system call
 * @compat: of the 32-bit ABI (i386, AArch32) instead of the kernel's own
 * @nr: its number, as sys_enter tells it; x32's have a bit that keeps them out of either table
 *
 * Context: any.
 *
 * Return: the name, as in openat(2); NULL if the kernel's headers have none.
 */
const char *cpupr_syscall_name(bool compat, unsigned int nr)
{
	if (compat)
		return nr < ARRAY_SIZE(cpupr_compat_calls) ? cpupr_compat_calls[nr] : NULL;
	return nr < ARRAY_SIZE(cpupr_native_calls) ? cpupr_native_calls[nr] : NULL;
}
