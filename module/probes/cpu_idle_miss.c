// SPDX-License-Identifier: GPL-2.0-only
/* Compile probe: cpu_idle_miss tells when an idle state was too deep or too shallow. */
#include <linux/module.h>
#include <trace/events/power.h>

static void probe(void *data, unsigned int cpu, unsigned int state, bool below)
{
}

static void __maybe_unused check(void)
{
	check_trace_callback_type_cpu_idle_miss(probe);
}
