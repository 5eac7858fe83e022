// SPDX-License-Identifier: GPL-2.0-only
/* Compile probe: sched_switch has prev_state as its fourth argument. */
#include <linux/module.h>
#include <linux/mm_types.h>
#include <trace/events/sched.h>

void probe(void *data, bool preempt, struct task_struct *prev, struct task_struct *next,
	   unsigned int prev_state);

void check(void);
void check(void)
{
	check_trace_callback_type_sched_switch(probe);
}
