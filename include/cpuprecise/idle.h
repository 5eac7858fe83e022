/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the idle collector keeps of each CPU, and what other hooks tell it.
 */
#ifndef CPUPRECISE_IDLE_H
#define CPUPRECISE_IDLE_H

#include <linux/types.h>

#include <cpuprecise/idle_state.h>
#include <cpuprecise/percpu.h>

struct cpuidle_device;

/**
 * struct cpupr_idle - the idle states of a CPU
 * @books: see idle_state.h
 * @device: the CPU's, as far as is known; written by any CPU: idle_device.c
 * @told: of @device: if there is none, the CPU has none
 * @stale: the driver's states, and where the device counts them, are to be read
 *	anew; set by any CPU
 */
struct cpupr_idle {
	struct cpupr_idle_books books;
	struct cpuidle_device *device;
	bool told;
	bool stale;
};

/* What ended a stay has no interrupt line, but this. */
enum {
	CPUPR_IDLE_VECTOR = -1,		/* a hook: NAME_entry */
	CPUPR_IDLE_IPI = -2,		/* a reason */
};

/* Has the CPU left the state of its stay, or of its last one? */
static inline bool cpupr_idle_over(const struct cpupr_cpu *c)
{
	return (s64)(c->idle_end - c->idle->books.start) >= 0;
}

void cpupr_idle_interrupt(struct cpupr_cpu *c, const void *key, int number, const char *name);
void cpupr_idle_switched(struct cpupr_cpu *c);
void cpupr_idle_stop(struct cpupr_cpu *c, u64 now);
void cpupr_idle_rescale(struct cpupr_cpu *c, u64 old, u64 now);
int cpupr_idle_books_init(void);
void cpupr_idle_books_exit(void);

bool cpupr_idle_devices_watched(void);
bool cpupr_idle_device_none(const struct cpupr_idle *i);
int cpupr_idle_devices_watch(void);
void cpupr_idle_devices_find(void);
void cpupr_idle_devices_cpu(void);
void cpupr_idle_devices_unwatch(void);
void cpupr_idle_devices_exit(void);

#endif
