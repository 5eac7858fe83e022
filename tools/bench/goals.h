/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the module is to cost at most, in instructions over the bare kernel:
 * GOAL(tool, workload, most, what). The tool default is the module as it is loaded
 * without parameters, books is that without records of tasks and names of interrupts:
 * collectors=BOOKS.
 * Included where GOAL() is defined; the bench's guest and report also read it.
 *
 * The system call by which a task yields is taken off.
 */
#define BOOKS "sched,syscall,fault,irq,softirq,iowait,idle,counters,freqs"
GOAL(books, yield, 60, "context switch")
GOAL(books, syscall, 150, "system call, in and out")
GOAL(books, irq, 110, "interrupt, in and out")
GOAL(books, softirq, 110, "softirq, in and out")
GOAL(default, yield, 150, "context switch, with tasks")
GOAL(default, syscall, 220, "system call, in and out, with tasks and by number")
GOAL(default, irq, 140, "interrupt, in and out, by name")
GOAL(default, softirq, 140, "softirq, in and out, by name")
GOAL(default, idle, 110, "idle, in and out")
GOAL(default, fault, 480, "page fault, in and out")
