/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The suites, one a file, that suites.c registers, and what several need.
 */
#ifndef CPUPRECISE_SUITES_H
#define CPUPRECISE_SUITES_H

#include <kunit/test.h>
#include <linux/slab.h>

extern struct kunit_suite cpupr_ledger_suite;
extern struct kunit_suite cpupr_sleepers_suite;
extern struct kunit_suite cpupr_idle_suite;
extern struct kunit_suite cpupr_event_suite;
extern struct kunit_suite cpupr_trigger_suite;
extern struct kunit_suite cpupr_freq_suite;
extern struct kunit_suite cpupr_cycles_suite;
extern struct kunit_suite cpupr_hist_suite;
extern struct kunit_suite cpupr_task_suite;
extern struct kunit_suite cpupr_call_suite;
extern struct kunit_suite cpupr_cgroup_suite;
extern struct kunit_suite cpupr_stack_set_suite;
extern struct kunit_suite cpupr_irq_suite;
extern struct kunit_suite cpupr_theft_suite;

/* A text without its NUL: whoever reads beyond it is seen by KASAN. */
static inline char *cpupr_kunit_bare(struct kunit *test, const char *text, size_t len)
{
	char *copy = kunit_kmalloc(test, len, GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, copy);
	memcpy(copy, text, len);
	return copy;
}

#endif
