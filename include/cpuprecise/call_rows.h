/* SPDX-License-Identifier: GPL-2.0-only */
/* Epochs of syscalls and syscall_hist. */
#ifndef CPUPRECISE_CALL_ROWS_H
#define CPUPRECISE_CALL_ROWS_H

void cpupr_call_rows_rebase(void);
int cpupr_call_rows_init(void);
void cpupr_call_rows_exit(void);

#endif
