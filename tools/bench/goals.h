/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the module is to cost at most, in instructions over the bare kernel, as
 * it is loaded without parameters: GOAL(workload, most, what). Included where
 * GOAL() is defined; the report of `make bench` also reads it.
 *
 * The system call by which a task yields is taken off.
 */
GOAL(yield, 60, "context switch")
GOAL(syscall, 150, "system call, in and out")
GOAL(irq, 110, "interrupt, in and out")
GOAL(softirq, 110, "softirq, in and out")
GOAL(idle, 110, "idle, in and out")
GOAL(fault, 480, "page fault, in and out")
