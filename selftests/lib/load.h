/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Work for CPUs to do while a test watches.
 *
 * A load is a child process (with children of its own, where it needs them) that
 * goes on until it is stopped, or until the test ends, however that happens.
 */
#ifndef SELFTEST_LOAD_H
#define SELFTEST_LOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What each load does is said where it is defined. They do not return. */
void load_burn(void);
void load_forks(void);
void load_pipes(void);
void load_files(void);
void load_timers(void);
void load_datagrams(void);
void load_pings(void);
void load_barriers(void);
void load_duty(void);
void load_surges(void);
void load_naps(void);
void load_ping_pong(void);
void load_mixed(void);

bool load_has_pings(void);
pid_t load_start(void (*work)(void), int cpu);
void load_stop(pid_t load);
void burn_ns(uint64_t ns);

#endif
