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

static __always_inline struct cpupr_idle_slot *no_driver(struct cpupr_idle_books *b,
							 unsigned int state)
{
	return &b->slot[state ? CPUPR_IDLE_DEFAULT : CPUPR_IDLE_POLL];
}

/*
 * The device did not count a stay in the state that was asked for. Returns the
 * one that was entered, NULL if there was none.
 */
static notrace __no_caller_saved_registers struct cpupr_idle_slot *
entered_other(void *unused, struct cpupr_idle_books *b, void *unused_too)
{
	struct cpupr_idle_slot *asked = b->stay, *s;
	u64 rejected;
	unsigned int n;

	for (n = 0; n < b->states; n++) {
		s = b->slot_of[n];
		if (!s->device || *s->device == s->usage)
			continue;
		s->usage = *s->device;
		s->counts.unasked++;
		asked->counts.swapped++;
		return s;
	}
	rejected = container_of(asked->device, struct cpuidle_state_usage, usage)->rejected;
	if (rejected != asked->rejected) {
		asked->rejected = rejected;
		asked->counts.rejected++;
		return NULL;
	}
	return no_driver(b, asked->index);
}

/* Kernels that do not tell by cpu_idle_miss: see compat.h. */
static noinline notrace void judge(struct cpupr_idle_books *b, struct cpupr_idle_slot *slot,
				   u64 residency)
{
	struct cpupr_idle_info info[CPUPR_IDLE_STATES];
	u64 disabled = 0;
	unsigned int n;

	if (slot < &b->slot[CPUPR_IDLE_FIRST])
		return;
	for (n = 0; n < b->states; n++) {
		const struct cpupr_idle_slot *s = b->slot_of[n];
		const struct cpuidle_state_usage *kernel =
			s->device ? container_of(s->device, struct cpuidle_state_usage, usage) : NULL;

		info[n] = s->info;
		/* Of what has no slot nothing is known. */
		if (s == &b->slot[CPUPR_IDLE_OTHER] || (kernel && kernel->disable))
			disabled |= 1ULL << n;
	}
	switch (cpupr_idle_miss(info, n, disabled, slot->index, residency)) {
	case -1:
		slot->counts.above++;
		break;
	case 1:
		slot->counts.below++;
		break;
	}
}

/* Context: this CPU, write section, not stale, a stay that is over. */
static __always_inline void book(struct cpupr_cpu *c, struct cpupr_idle_books *b, bool switched)
{
	struct cpupr_idle_slot *slot = b->stay;
	u64 usage, residency;
	s64 ticks;

	if (likely(slot->device)) {
		usage = *slot->device;
		if (unlikely(usage == slot->usage)) {
			slot = (void *)cpupr_call_cold(entered_other, b, NULL);
			if (!slot)
				return;
		} else {
			slot->usage = usage;
		}
	}
	ticks = c->idle_end - b->start;
	residency = likely(ticks >= 0) ? cpupr_clock_ns(ticks) : 0;
	cpupr_idle_book(b, slot, residency, switched);
	if (!CPUPR_CPU_IDLE_MISS)
		judge(b, slot, residency);
}

static notrace void lose_device(struct cpupr_idle_books *b)
{
	unsigned int n;

	for (n = 0; n < CPUPR_IDLE_SLOTS; n++)
		b->slot[n].device = NULL;
}

/* Context: this CPU, write section, stale. */
static notrace void read_driver(struct cpupr_idle *i)
{
	struct cpupr_idle_info info[CPUPR_IDLE_STATES] = { };
	struct cpuidle_device *device;
	struct cpuidle_driver *driver;
	int n, states;

	WRITE_ONCE(i->stale, false);
	/* Whoever changes the device after this sets @stale again. */
	smp_mb();
	device = READ_ONCE(i->device);
	if (device)
		driver = cpuidle_get_cpu_driver(device);
	else
		driver = cpupr_idle_device_none(i) ? NULL : cpuidle_get_driver();
	states = driver ? clamp(driver->state_count, 0, CPUPR_IDLE_STATES) : 0;
	for (n = 0; n < states; n++) {
		const struct cpuidle_state *s = &driver->states[n];

		info[n].exit_latency = max_t(s64, s->exit_latency_ns, 0);
		info[n].target_residency = max_t(s64, s->target_residency_ns, 0);
		info[n].polling = s->flags & CPUIDLE_FLAG_POLLING;
		strscpy_pad(info[n].name, s->name, CPUPR_IDLE_NAME);
	}
	cpupr_idle_driver(&i->books, info, states);
	for (n = 0; device && n < states; n++) {
		struct cpupr_idle_slot *slot = i->books.slot_of[n];

		if (slot == &i->books.slot[CPUPR_IDLE_OTHER])
			continue;
		slot->device = &device->states_usage[n].usage;
		slot->usage = device->states_usage[n].usage;
		slot->rejected = device->states_usage[n].rejected;
	}
}

/* A stay that began before it became stale is taken to be as was asked for. */
static notrace __no_caller_saved_registers void
begin_anew(void *unused, struct cpupr_cpu *c, void *unused_too)
{
	struct cpupr_idle_books *b = &c->idle->books;

	lose_device(b);
	if (b->stay)
		book(c, b, false);
	b->stay = NULL;
	read_driver(c->idle);
}

/* Sets the bit, with a full barrier: on x86 one instruction for both. */
static __always_inline void set_slow_idle(struct cpupr_cpu *c)
{
#ifdef CONFIG_X86
	asm volatile("lock orw %1, %0" : "+m" (c->slow) : "i" (CPUPR_SLOW_IDLE) : "memory");
#else
	c->slow |= CPUPR_SLOW_IDLE;
	/* The same barrier. */
	smp_mb();
#endif
}

/* Context: the idle task, interrupts off. */
static __always_inline void enter(void *data, unsigned int state)
{
	struct cpupr_cpu *c = this_cpu_ptr(&cpupr_cpu);
	struct cpupr_idle_books *b;
	u64 now;

	if (!cpupr_begin_but(c, data, &now, CPUPR_SLOW_IDLE))
		return;
	/* Before @stale is read: see forget() in idle_device.c. */
	set_slow_idle(c);
	b = &c->idle->books;
	/* Another CPU may set it at any time, and does so before what it announces. */
	if (unlikely(data_race(c->idle->stale)))
		cpupr_call_cold(begin_anew, c, NULL);
	if (likely(b->stay))
		book(c, b, false);
	cpupr_idle_enter(b, now, likely(state < b->states) ? b->slot_of[state] : no_driver(b, state));
	cpupr_end(c, data);
}

/*
 * Context for all of leaving: the idle task; interrupts may be on, as in
 * cpu_idle_poll() and default_idle_call() of 6.1.
 */
static noinline notrace void leave_slow(void *data)
{
	struct cpupr_cpu *c;
	unsigned long flags;

	local_irq_save(flags);
	c = this_cpu_ptr(&cpupr_cpu);
	if (!(c->slow & CPUPR_SLOW_FROZEN)) {
		WRITE_ONCE(c->idle_end, cpupr_clock());
		c->slow |= CPUPR_SLOW_IDLE;
		cpupr_count(c, data);
	}
	local_irq_restore(flags);
}

static noinline notrace void __maybe_unused turn(void *data)
{
	unsigned long flags;

	local_irq_save(flags);
	cpupr_observer_turn(NULL, this_cpu_ptr(&cpupr_cpu), data);
	local_irq_restore(flags);
}

/*
 * One store, so that interrupts may be on and a reader needs no more; the idle
 * task stays on its CPU. CPUPR_SLOW_IDLE makes the next context switch book the
 * stay. This half of the calls is never timed.
 */
static __always_inline void leave(void *data)
{
	struct cpupr_cpu *c __maybe_unused = this_cpu_ptr(&cpupr_cpu);

	/* Or the compiler merges the two ways' looks at @slow, and both take longer. */
	barrier();
#ifdef CONFIG_X86
	if (likely(!(c->slow & (u16)~(CPUPR_SLOW_IDLE | CPUPR_SLOW_SAMPLE)))) {
		WRITE_ONCE(c->idle_end, cpupr_fast_clock());
		/* One instruction: interrupts set and clear bits as well. */
		asm("orw %1, %0" : "+m" (c->slow) : "i" (CPUPR_SLOW_IDLE));
		if (unlikely(cpupr_count_down(c, data)))
			turn(data);
		return;
	}
#endif
	leave_slow(data);
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
			struct cpupr_idle_counts *counts = &b->slot_of[state]->counts;

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
	cpupr_idle_wake(b, cpupr_idle_cause(b, key, number, name), cpupr_idle_over(c), need_resched());
	if (b->at.settled && !cpupr_idle_over(c))
		c->slow &= ~CPUPR_SLOW_IDLE;
	raw_write_seqcount_end(&c->seq);
}

/**
 * cpupr_idle_switched() - the idle task makes way for another one
 * @c: this CPU
 *
 * Context: sched_switch with CPUPR_SLOW_IDLE set, interrupts off, outside of a
 * write section.
 */
notrace void cpupr_idle_switched(struct cpupr_cpu *c)
{
	struct cpupr_idle_books *b = &c->idle->books;

	raw_write_seqcount_begin(&c->seq);
	/* As in enter(). */
	smp_mb();
	if (READ_ONCE(c->idle->stale))
		lose_device(b);
	if (b->stay)
		book(c, b, true);
	b->stay = NULL;
	c->slow &= ~CPUPR_SLOW_IDLE;
	raw_write_seqcount_end(&c->seq);
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

	WRITE_ONCE(c->idle->stale, true);
	lose_device(b);
	if (b->stay) {
		if (!cpupr_idle_over(c))
			c->idle_end = now;
		book(c, b, false);
	}
	b->stay = NULL;
	c->slow &= ~CPUPR_SLOW_IDLE;
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
	u64 since_start = cpupr_clock_ns(max_t(s64, old - b->start, 0));
	u64 residency = cpupr_clock_ns(max_t(s64, c->idle_end - b->start, 0));
	bool over = cpupr_idle_over(c);

	b->start = now - since_start;
	c->idle_end = over ? b->start + residency : b->start - 1;
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

static struct cpupr_hook hooks[] = {
#ifdef CPUPR_HAVE_CPU_IDLE_MISS
	CPUPR_HOOK(cpu_idle_miss, probe_cpu_idle_miss),
#endif
	CPUPR_PAIR_HOOK(cpu_idle, probe_cpu_idle),
	{ }
};

struct cpupr_collector cpupr_idle_collector = {
	.name = "idle",
	.desc = "idle states: residency, what ended it, and the governor's choices",
	.hooks = hooks,
	.enable = cpupr_idle_devices_watch,
	.catch_up = cpupr_idle_devices_find,
	.disable = cpupr_idle_devices_unwatch,
};
