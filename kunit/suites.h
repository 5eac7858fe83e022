/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The suites, one a file, that suites.c registers.
 */
#ifndef CPUPRECISE_SUITES_H
#define CPUPRECISE_SUITES_H

#include <kunit/test.h>

extern struct kunit_suite cpupr_ledger_suite;
extern struct kunit_suite cpupr_sleepers_suite;
extern struct kunit_suite cpupr_idle_suite;
extern struct kunit_suite cpupr_event_suite;
extern struct kunit_suite cpupr_freq_suite;
extern struct kunit_suite cpupr_cycles_suite;
extern struct kunit_suite cpupr_hist_suite;
extern struct kunit_suite cpupr_task_suite;
extern struct kunit_suite cpupr_call_suite;
extern struct kunit_suite cpupr_cgroup_suite;

#endif
