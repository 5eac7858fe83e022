/* SPDX-License-Identifier: GPL-2.0-only */
/* Epochs of syscalls and syscall_hist. */
#ifndef CPUPRECISE_CALL_ROWS_H
#define CPUPRECISE_CALL_ROWS_H

#include <linux/types.h>

void cpupr_call_rows_rebase(void);
void cpupr_call_rows_rescale(u32 mult, u32 shift);
int cpupr_call_rows_init(void);
void cpupr_call_rows_exit(void);

#endif
