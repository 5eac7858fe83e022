// SPDX-License-Identifier: GPL-2.0-only
/*
 * The observer in its own books: how often each hook was called, and how long
 * it took. One call in some 512 is timed: by a second look at the clock.
 *
 * A hook counts its calls down. When it comes to 0, a lap is over, and the next
 * event on that CPU, of whichever hook, is timed. Laps are of random length,
 * since calls come in patterns. What the looks at the clock and the way in and
 * out of a hook take was measured beforehand.
 */
#include <linux/irqflags.h>
#include <linux/slab.h>

#include <cpuprecise/collector.h>
#include <cpuprecise/idle.h>
#include <cpuprecise/observer.h>
#include <cpuprecise/tasks.h>
#include <cpuprecise/percpu.h>

#define FRACTION_BITS	8	/* of a ns: hooks take tens of them */
#define BATCH		(1 << FRACTION_BITS)
#define BATCHES		16
#define MAX_SAMPLE	(20000ULL << FRACTION_BITS)	/* longer ones are not a hook's doing */

/*
 * In 1/256 ns: a call of a hook that does nothing in its write section; of one that turns
 * interrupts off and on, too; of one that only counts; and what timing a call that does
 * nothing shows.
 */
static u64 empty_call, empty_open, empty_count, empty_sample;

/**
 * cpupr_begin_slow() - enter a write section where there is more to do
 * @unused: see cpupr_call_cold()
 * @c: this CPU
 * @hook: as given to the probe
 *
 * Context: as cpupr_begin().
 *
 * Return: this CPU's clock, ticks; 0 if the books are frozen.
 */
notrace u64 cpupr_begin_slow(void *unused, struct cpupr_cpu *c, void *hook)
{
	u64 now, stolen;

	if (c->slow & CPUPR_SLOW_FROZEN)
		return 0;
	raw_write_seqcount_begin(&c->seq);
	now = c->slow & CPUPR_SLOW_STEAL ? cpupr_steal_clock(&c->steal, smp_processor_id(), &stolen) :
					   cpupr_clock();
	/* Before the category may turn out to be another one. */
	if (c->slow & CPUPR_SLOW_CYCLES)
		cpupr_cycles_account(c);
	if (c->slow & CPUPR_SLOW_STEAL)
		cpupr_ledger_steal(&c->ledger, now, stolen);
	if (c->slow & CPUPR_SLOW_GUEST) {
		cpupr_ledger_guest_leave(&c->ledger, now);
		c->slow &= ~CPUPR_SLOW_GUEST;
	}
	if (c->slow & CPUPR_SLOW_IOWAIT) {
		cpupr_ledger_account(&c->ledger, now);
		if (c->ledger.at.base != CPUPR_IOWAIT)
			c->slow &= ~CPUPR_SLOW_IOWAIT;
	}
	if (c->slow & CPUPR_SLOW_IDLE)
		cpupr_idle_settle(&c->idle->books, !cpupr_idle_over(c) && need_resched());
	if (c->slow & CPUPR_SLOW_SAMPLE) {
		c->slow &= ~CPUPR_SLOW_SAMPLE;
		c->observer.began = now;
		/* So that the end of the section comes here too. */
		c->observer.put_by = *cpupr_left(c, hook);
		*cpupr_left(c, hook) = 0;
	}
	return now;
}

/**
 * cpupr_observer_turn() - an event that was timed is over, or a lap, or both
 * @unused: see cpupr_call_cold()
 * @c: this CPU
 * @hook: as given to the probe
 *
 * Context: as cpupr_count(): its count has just gone below 0.
 */
notrace void cpupr_observer_turn(void *unused, struct cpupr_cpu *c, void *hook)
{
	unsigned int number = cpupr_left(c, hook) - c->left;
	struct cpupr_observer *o = &c->observer;
	u64 now = cpupr_clock();
	u32 lap;

	if (o->began) {
		u64 took = cpupr_clock_ns((now - o->began) << FRACTION_BITS);

		/* Interrupts are off: a hypervisor or firmware had the CPU in between. */
		if (took <= MAX_SAMPLE) {
			o->time[number] += took;
			o->samples[number]++;
		}
		o->began = 0;
		c->left[number] = o->put_by - 1;
		if (c->left[number] >= 0)
			return;
	}
	/* The first lap is over before it began: nothing to be learned from. */
	if (o->laps[number])
		c->slow |= CPUPR_SLOW_SAMPLE;
	/* 448 to 575, by Knuth's multiplicative hash of the time. */
	lap = 448 + ((u32)now * 2654435761U >> 25);
	o->laps[number] += lap;
	c->left[number] += lap;
}

/**
 * cpupr_slow_set() - bring @c->slow in line with the row and the clock
 * @c: a CPU
 *
 * Context: on that CPU with interrupts off, or all CPUs stopped.
 */
void cpupr_slow_set(struct cpupr_cpu *c)
{
	u16 slow = c->slow & (CPUPR_SLOW_SAMPLE | CPUPR_SLOW_IDLE);

	if (!c->ledger.online)
		slow |= CPUPR_SLOW_FROZEN;
	if (c->ledger.at.base == CPUPR_IOWAIT)
		slow |= CPUPR_SLOW_IOWAIT;
	if (c->ledger.in_guest)
		slow |= CPUPR_SLOW_GUEST;
	if (IS_ENABLED(CONFIG_X86) && !cpupr_clock_is_tsc)
		slow |= CPUPR_SLOW_CLOCK;
	if (cpupr_cycles_collector.state == CPUPR_ON)
		slow |= CPUPR_SLOW_CYCLES;
	if (cpupr_tasks_watched && !c->task)
		slow |= CPUPR_SLOW_DEATHS;
	if (c->steal.area)
		slow |= CPUPR_SLOW_STEAL;
	c->slow = slow;
}

/**
 * cpupr_observer_read() - what is known of a hook on a CPU
 * @cpu: number
 * @hook: number
 * @kind: what its calls are
 * @calls: filled in
 *
 * Context: process.
 */
void cpupr_observer_read(int cpu, unsigned int hook, enum cpupr_calls_kind kind,
			 struct cpupr_calls *calls)
{
	struct cpupr_cpu *c = per_cpu_ptr(&cpupr_cpu, cpu);
	struct cpupr_observer *o = &c->observer;
	u64 samples, time, own;
	unsigned int seq;

	do {
		seq = read_seqcount_begin(&c->seq);
		calls->hits = READ_ONCE(o->laps[hook]) - READ_ONCE(c->left[hook]);
		samples = READ_ONCE(o->samples[hook]);
		time = READ_ONCE(o->time[hook]);
	} while (read_seqcount_retry(&c->seq, seq));
	calls->missed = READ_ONCE(o->missed[hook]);

	calls->timed = !calls->hits || samples || kind == CPUPR_CALLS_COUNT;
	if (kind == CPUPR_CALLS_COUNT) {
		own = empty_count;
	} else {
		own = samples ? div64_u64(time, samples) : 0;
		own = (kind == CPUPR_CALLS_OPEN ? empty_open : empty_call) +
		      (own > empty_sample ? own - empty_sample : 0);
	}
	if (kind == CPUPR_CALLS_PAIR)
		own = (own + empty_count) / 2;
	calls->ns = (calls->hits * own) >> FRACTION_BITS;
}

/* As hooks are that come with interrupts off, with nothing between begin and end. */
static noinline notrace void call_empty(struct cpupr_cpu *c)
{
	u64 now;

	if (cpupr_begin(c, cpupr_hook_data(0), &now))
		cpupr_end(c, cpupr_hook_data(0));
}

/* As the others are. */
static noinline notrace void call_open(struct cpupr_cpu *c)
{
	u64 now;

	local_irq_disable();
	if (cpupr_begin(c, cpupr_hook_data(0), &now))
		cpupr_end(c, cpupr_hook_data(0));
	local_irq_enable();
}

static noinline notrace void call_count(struct cpupr_cpu *c)
{
	cpupr_count(c, cpupr_hook_data(0));
}

static __always_inline u64 least(struct cpupr_cpu *c, void (*call)(struct cpupr_cpu *c))
{
	u64 best = U64_MAX, start;
	int batch, i;

	for (batch = 0; batch < BATCHES; batch++) {
		start = cpupr_clock();
		for (i = 0; i < BATCH; i++)
			call(c);
		best = min(best, cpupr_clock() - start);
	}
	/* A batch in ns is a call in 1/256 ns. */
	return cpupr_clock_ns(best);
}

/**
 * cpupr_observer_init() - measure what measuring takes
 *
 * Context: process.
 *
 * Return: 0 or -ENOMEM.
 */
int cpupr_observer_init(void)
{
	struct cpupr_cpu *c = kzalloc(sizeof(*c), GFP_KERNEL);
	unsigned int i;

	if (!c)
		return -ENOMEM;
	seqcount_init(&c->seq);
	c->ledger.online = true;
	preempt_disable();
	cpupr_slow_set(c);
	empty_call = least(c, call_empty);
	empty_open = least(c, call_open);
	empty_count = least(c, call_count);
	empty_sample = U64_MAX;
	for (i = 0; i < BATCH; i++) {
		c->observer.time[0] = 0;
		c->slow |= CPUPR_SLOW_SAMPLE;
		call_open(c);
		/* Not one that was too long to count: a hypervisor had the CPU. */
		if (c->observer.time[0])
			empty_sample = min(empty_sample, c->observer.time[0]);
	}
	preempt_enable();
	kfree(c);
	return 0;
}
