// SPDX-License-Identifier: GPL-2.0-only
/* Compile probe: who calls an idle driver tells lockdep that interrupts are on. */
#include <linux/module.h>
#include <linux/cpuidle.h>

static void __maybe_unused check(void)
{
	ct_cpuidle_enter();
}
