/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Children that do what they are told, one thing at a time, and tell the CPU
 * time that they have used.
 */
#ifndef SELFTEST_WORKER_H
#define SELFTEST_WORKER_H

#include <stdint.h>
#include <sys/types.h>

#define WORKER_NAME	16	/* TASK_COMM_LEN */

struct worker {
	pid_t pid;
	int command, reply;
};

void worker_start(struct worker *w, int cpu);
uint64_t worker_burn(const struct worker *w, uint64_t ns);
uint64_t worker_rename(const struct worker *w, const char *name);
void worker_exit(struct worker *w);
uint64_t worker_run_ns(pid_t tid);
void worker_reap(pid_t pid);
uint64_t burn_own(uint64_t ns);

#endif
