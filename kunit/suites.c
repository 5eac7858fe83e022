// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of suites: loading the module runs them.
 */
#include <linux/module.h>

#include "suites.h"

kunit_test_suites(&cpupr_ledger_suite, &cpupr_sleepers_suite, &cpupr_idle_suite,
		  &cpupr_event_suite, &cpupr_trigger_suite, &cpupr_freq_suite, &cpupr_cycles_suite,
		  &cpupr_hist_suite, &cpupr_task_suite, &cpupr_call_suite, &cpupr_cgroup_suite,
		  &cpupr_stack_set_suite, &cpupr_irq_suite, &cpupr_theft_suite);

MODULE_DESCRIPTION("KUnit tests of cpuprecise");
MODULE_LICENSE("GPL");
