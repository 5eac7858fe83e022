/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef X
#define X
static inline const char *cpupr_syscall_name(bool compat, unsigned int nr)
{
	return NULL;
}
#endif
