/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What KVM's guests had of a CPU: whether it is known.
 */
#ifndef CPUPRECISE_GUEST_H
#define CPUPRECISE_GUEST_H

#include <linux/types.h>

/* KVM's tracepoints were found and hooked at some time since load. */
extern bool cpupr_guest_known;

#endif
