/* SPDX-License-Identifier: GPL-2.0-only */
/* Epochs of runq_hist. */
#ifndef CPUPRECISE_RUNQ_H
#define CPUPRECISE_RUNQ_H

void cpupr_runq_rebase(void);
int cpupr_runq_init(void);
void cpupr_runq_exit(void);

#endif
