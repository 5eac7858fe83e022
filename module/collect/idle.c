// SPDX-License-Identifier: GPL-2.0-only
/*
 * Idle states: which one the CPU was sent to, which one it was in, for how
 * long, and what ended that.
 *
 * cpu_idle tells which state was asked for. The one that was entered, or that
 * none was, shows in the counts of the CPU's cpuidle device, which the kernel
 * brings up to date after it left the state, with interrupts on: so a stay is
 * booked when the CPU goes on, to a task or to the next stay.
 *
 * Without a cpuidle driver, and now and then beside one, the kernel idles by
 * default_idle_call(), which says state 1, or by cpu_idle_poll(), which says 0
 * (kernel/sched/idle.c); that counts in no device.
 */
#include <linux/cpuidle.h>
#include <linux/irqflags.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <trace/events/power.h>

#include <cpuprecise/collector.h>
#include <cpuprecise/compat.h>
#include <cpuprecise/idle.h>

static_assert(CPUPR_IDLE_STATES == CPUIDLE_STATE_MAX);
static_assert(CPUPR_IDLE_NAME == CPUIDLE_NAME_LEN);

/* Context: this CPU, write section, no stay. */
static noinline notrace void read_driver(struct cpupr_idle *i)
{
	struct cpupr_idle_info info[CPUPR_IDLE_STATES] = { };
	struct cpuidle_device *device;
	struct cpuidle_driver *driver;
	int n, states;

	WRITE_ONCE(i->stale, false);
	/* As in book(); and whoever changes the device after this sets @stale again. */
	smp_mb();
	device = READ_ONCE(i->device);
	if (device)
		driver = cpuidle_get_cpu_driver(device);
	else
		driver = cpupr_idle_devices_known() ? NULL : cpuidle_get_driver();
	states = driver ? clamp(driver->state_count, 0, CPUPR_IDLE_STATES) : 0;
	for (n = 0; n < states; n++) {
		const struct cpuidle_state *s = &driver->states[n];

		info[n].exit_latency = max_t(s64, s->exit_latency_ns, 0);
		info[n].target_residency = max_t(s64, s->target_residency_ns, 0);
		info[n].polling = s->flags & CPUIDLE_FLAG_POLLING;
		strncpy(info[n].name, s->name, CPUPR_IDLE_NAME);
		if (device) {
			i->usage[n] = device->states_usage[n].usage;
			i->rejected[n] = device->states_usage[n].rejected;
		}
	}
	cpupr_idle_driver(&i->books, info, states);
	WRITE_ONCE(i->counted, device);
}

static __always_inline struct cpupr_idle_slot *no_driver(struct cpupr_idle_books *b,
							 unsigned int state)
{
	return &b->slot[state ? CPUPR_IDLE_DEFAULT : CPUPR_IDLE_POLL];
}

/* The device did not count a stay in the state that was asked for. Returns NULL if there was none. */
static noinline notrace struct cpupr_idle_slot *
entered_other(struct cpupr_idle *i, const struct cpuidle_device *device)
{
	struct cpupr_idle_books *b = &i->books;
	unsigned int n;

	for (n = 0; n < b->states; n++)
		if (device->states_usage[n].usage != i->usage[n]) {
			i->usage[n] = device->states_usage[n].usage;
			b->stay->counts.swapped++;
			b->slot[b->slot_of[n]].counts.unasked++;
			return &b->slot[b->slot_of[n]];
		}
	if (device->states_usage[b->state].rejected != i->rejected[b->state]) {
		i->rejected[b->state] = device->states_usage[b->state].rejected;
		b->stay->counts.rejected++;
		return NULL;
	}
	return no_driver(b, b->state);
}

/* Kernels that do not tell by cpu_idle_miss: see compat.h. */
static noinline notrace void judge(struct cpupr_idle *i, struct cpupr_idle_slot *slot)
{
	struct cpupr_idle_info info[CPUPR_IDLE_STATES];
	const struct cpuidle_device *device = i->counted;
	u64 disabled = 0;
	unsigned int n;

	if (slot < &i->books.slot[CPUPR_IDLE_FIRST])
		return;
	for (n = 0; n < i->books.states; n++) {
		info[n] = i->books.slot[i->books.slot_of[n]].info;
		if (device && device->states_usage[n].disable)
			disabled |= 1ULL << n;
	}
	switch (cpupr_idle_miss(info, n, disabled, slot->index, i->books.residency)) {
	case -1:
		slot->counts.above++;
		break;
	case 1:
		slot->counts.below++;
		break;
	}
}

/* Context: this CPU, write section, a stay that is over. */
static __always_inline void book(struct cpupr_cpu *c, struct cpupr_idle *i, bool switched)
{
	struct cpupr_idle_books *b = &i->books;
	struct cpupr_idle_slot *slot = b->stay;
	const struct cpuidle_device *device;
	u64 usage;

	/* The section has begun before this is read: see forget() in idle_device.c. */
	smp_mb();
	device = READ_ONCE(i->counted);
	if (likely(device)) {
		usage = device->states_usage[b->state].usage;
		if (likely(usage != i->usage[b->state]))
			i->usage[b->state] = usage;
		else
			slot = entered_other(i, device);
	}
	c->slow &= ~CPUPR_SLOW_IDLE;
	if (unlikely(!slot)) {
		b->stay = NULL;
		return;
	}
	cpupr_idle_book(b, slot, switched);
	if (!CPUPR_CPU_IDLE_MISS)
		judge(i, slot);
}

/* Context: the idle task, interrupts off. */
static __always_inline void enter(void *data, unsigned int state)
{
	struct cpupr_cpu *c = this_cpu_ptr(&cpupr_cpu);
	struct cpupr_idle *i = c->idle;
	struct cpupr_idle_books *b = &i->books;
	u64 now;

	if (!cpupr_begin_but(c, data, &now, CPUPR_SLOW_IDLE))
		return;
	if (b->stay)
		book(c, i, false);
	if (unlikely(READ_ONCE(i->stale)))
		read_driver(i);
	cpupr_idle_enter(b, now, likely(state < b->states) ? &b->slot[b->slot_of[state]] :
			 no_driver(b, state), state);
	c->slow |= CPUPR_SLOW_IDLE;
	cpupr_end(c, data);
}

/* Context: the idle task; interrupts may be on: cpu_idle_poll(), default_idle_call(). */
static __always_inline void leave(void *data)
{
	struct cpupr_cpu *c;
	struct cpupr_idle_books *b;
	unsigned long flags;
	u64 now;

	local_irq_save(flags);
	c = this_cpu_ptr(&cpupr_cpu);
	b = &c->idle->books;
	if (cpupr_begin_but(c, data, &now, CPUPR_SLOW_IDLE)) {
		if (likely(b->stay)) {
			s64 ticks = now - b->start;

			cpupr_idle_leave(b, likely(ticks > 0) ? cpupr_clock_ns(ticks) : 0);
		}
		cpupr_end(c, data);
	}
	local_irq_restore(flags);
}

static notrace void probe_cpu_idle(void *data, unsigned int state, unsigned int cpu)
{
	if (state == PWR_EVENT_EXIT)
		leave(data);
	else
		enter(data, state);
}
CPUPR_CHECK_HOOK(cpu_idle, probe_cpu_idle)

#ifdef CPUPR_HAVE_CPU_IDLE_MISS
/* Context: the idle task, interrupts on. */
static notrace void probe_cpu_idle_miss(void *data, unsigned int cpu, unsigned int state, bool below)
{
	struct cpupr_cpu *c;
	struct cpupr_idle_books *b;
	u64 now;

	local_irq_disable();
	c = this_cpu_ptr(&cpupr_cpu);
	b = &c->idle->books;
	if (cpupr_begin_but(c, data, &now, CPUPR_SLOW_IDLE)) {
		if (likely(b->stay && state < b->states)) {
			struct cpupr_idle_counts *counts = &b->slot[b->slot_of[state]].counts;

			if (below)
				counts->below++;
			else
				counts->above++;
		}
		cpupr_end(c, data);
	}
	local_irq_enable();
}
CPUPR_CHECK_HOOK(cpu_idle_miss, probe_cpu_idle_miss)
#endif

/**
 * cpupr_idle_interrupt() - an interrupt comes while CPUPR_SLOW_IDLE is set
 * @c: this CPU
 * @key: see cpupr_idle_cause()
 * @number: of its line, or CPUPR_IDLE_VECTOR or CPUPR_IDLE_IPI
 * @name: of its handler, its hook or its reason
 *
 * Context: hard interrupt, interrupts off, outside of a write section.
 */
notrace void cpupr_idle_interrupt(struct cpupr_cpu *c, const void *key, int number,
				  const char *name)
{
	struct cpupr_idle_books *b = &c->idle->books;

	raw_write_seqcount_begin(&c->seq);
	cpupr_idle_wake(b, cpupr_idle_cause(b, key, number, name), need_resched());
	if (b->settled)
		c->slow &= ~CPUPR_SLOW_IDLE;
	raw_write_seqcount_end(&c->seq);
}

/**
 * cpupr_idle_switched() - the idle task makes way for another one
 * @c: this CPU
 * @unused: nothing
 *
 * Context: sched_switch, interrupts off, outside of a write section.
 *
 * Return: nothing.
 */
notrace unsigned long cpupr_idle_switched(struct cpupr_cpu *c, void *unused)
{
	if (!c->idle->books.stay)
		return 0;
	raw_write_seqcount_begin(&c->seq);
	book(c, c->idle, true);
	raw_write_seqcount_end(&c->seq);
	return 0;
}

/**
 * cpupr_idle_stop() - no event of this CPU will follow, or none was seen lately
 * @c: this CPU
 * @now: ticks
 *
 * An open stay ends here: this came by an interrupt, which ends it anyway.
 *
 * Context: interrupts off, write section.
 */
void cpupr_idle_stop(struct cpupr_cpu *c, u64 now)
{
	struct cpupr_idle_books *b = &c->idle->books;
	s64 ticks = now - b->start;

	WRITE_ONCE(c->idle->counted, NULL);
	WRITE_ONCE(c->idle->stale, true);
	if (!b->stay)
		return;
	if (!b->over)
		cpupr_idle_leave(b, ticks > 0 ? cpupr_clock_ns(ticks) : 0);
	book(c, c->idle, false);
}

/**
 * cpupr_idle_rescale() - go on with another clock, whose ticks are ns
 * @c: a CPU
 * @old: ticks of the clock that is left
 * @now: ticks of the other one at the same moment
 *
 * Context: all CPUs stopped, write section.
 */
void cpupr_idle_rescale(struct cpupr_cpu *c, u64 old, u64 now)
{
	struct cpupr_idle_books *b = &c->idle->books;
	s64 ticks = old - b->start;

	b->start = now - (ticks > 0 ? cpupr_clock_ns(ticks) : 0);
}

/**
 * cpupr_idle_books_init() - the books of all CPUs
 *
 * They stay until the module goes, whether the collector is on or off.
 *
 * Return: 0 or -ENOMEM.
 */
int cpupr_idle_books_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct cpupr_idle *i = kvzalloc_node(sizeof(*i), GFP_KERNEL, cpu_to_node(cpu));

		if (!i) {
			cpupr_idle_books_exit();
			return -ENOMEM;
		}
		cpupr_idle_init(&i->books);
		i->stale = true;
		per_cpu_ptr(&cpupr_cpu, cpu)->idle = i;
	}
	return 0;
}

/**
 * cpupr_idle_books_exit() - all hooks are gone: free them
 */
void cpupr_idle_books_exit(void)
{
	int cpu;

	cpupr_idle_devices_exit();
	for_each_possible_cpu(cpu) {
		kvfree(per_cpu_ptr(&cpupr_cpu, cpu)->idle);
		per_cpu_ptr(&cpupr_cpu, cpu)->idle = NULL;
	}
}

static int enable(void)
{
	cpupr_idle_devices_watch();
	return 0;
}

static struct cpupr_hook hooks[] = {
#ifdef CPUPR_HAVE_CPU_IDLE_MISS
	CPUPR_HOOK(cpu_idle_miss, probe_cpu_idle_miss),
#endif
	CPUPR_HOOK(cpu_idle, probe_cpu_idle),
	{ }
};

struct cpupr_collector cpupr_idle_collector = {
	.name = "idle",
	.desc = "idle states: residency, what ended it, and the governor's choices",
	.hooks = hooks,
	.enable = enable,
	.catch_up = cpupr_idle_devices_find,
	.disable = cpupr_idle_devices_unwatch,
};
