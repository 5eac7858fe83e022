/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ledger: the closed books of one CPU.
 *
 * A CPU is, at each instant, in exactly one category. Every event closes the
 * open interval into the category that was open and opens the next one, so
 * the categories of a CPU always add up to the time for which it was observed.
 *
 * Pure: it sees numbers only. Times are in ticks of whatever clock the caller
 * uses; only differences of ticks taken on one CPU are ever formed.
 *
 * Context: one writer, the CPU that the ledger belongs to, with interrupts
 * off. The exception is the pair iowaiters/iowait_end, which any CPU may write
 * (see cpupr_ledger_iowait_end()). The transitions are inline because they run
 * on each system call, interrupt and context switch.
 */
#ifndef CPUPRECISE_LEDGER_H
#define CPUPRECISE_LEDGER_H

#include <cpuprecise/pure.h>

/* The names and the order of /proc/stat (Documentation/filesystems/proc.rst). */
enum cpupr_category {
	CPUPR_USER,
	CPUPR_NICE,
	CPUPR_SYSTEM,
	CPUPR_IDLE,
	CPUPR_IOWAIT,
	CPUPR_IRQ,
	CPUPR_SOFTIRQ,
	CPUPR_STEAL,
	CPUPR_NR_CATEGORIES,
};

/* Those before it a CPU can be at. That it was not really there is told afterwards. */
#define CPUPR_NR_OPEN	CPUPR_STEAL

/* A guest's time is part of user or of nice: these are the same numbers. */
#define CPUPR_NR_GUEST	(CPUPR_NICE + 1)

/**
 * union cpupr_at - what a CPU is at
 * @category: what the open interval is booked under
 * @base: what runs when no interrupt does: user, nice, system, idle, iowait
 * @ahead: the open interval began in the future: see cpupr_ledger_user()
 * @irq: depth of nested hard interrupts
 * @softirq: depth of softirq handlers
 * @word: all of it, so that most transitions are one store
 */
union cpupr_at {
	struct {
		u8 category;
		bool ahead;	/* beside @category: both in one store */
		u8 base;
		u16 irq;
		u16 softirq;
	};
	u64 word;
};

/**
 * struct cpupr_ledger - the books of one CPU
 * @start: when the open interval began, ticks
 * @at: what the CPU is at
 * @time: closed intervals by category, ticks
 * @opened: when the row was last opened, moved along when the clock steps back
 * @past: ticks of earlier openings (before the CPU last went offline)
 * @lead: if @at.ahead: by how much
 * @stolen: what the steal clock said, ticks; never less than @time has of it
 * @backsteps: how often the clock was seen to step back
 * @online: false while the row is frozen
 * @in_guest: the open interval is that of a guest, a virtual machine's code
 * @host: if @in_guest: the base context that it comes back to
 * @guest: what guests had of user and of nice, ticks
 * @guest_mark: if @in_guest: what @time of the guest's category was before it
 * @iowaiters: tasks that sleep for I/O and last ran here; written by any CPU
 * @iowait_end: when a CPU last took one off @iowaiters, its clock's ticks
 */
struct cpupr_ledger {
	u64 start;
	union cpupr_at at;
	u64 time[CPUPR_NR_CATEGORIES];
	u64 opened;
	u64 past;
	u64 lead;
	u64 stolen;
	u64 backsteps;
	bool online;
	bool in_guest;
	u8 host;
	u64 guest[CPUPR_NR_GUEST];
	u64 guest_mark;
	atomic_t iowaiters;
	u64 iowait_end;
};

void cpupr_ledger_online(struct cpupr_ledger *l, u64 now, enum cpupr_category base);
void cpupr_ledger_offline(struct cpupr_ledger *l, u64 now);
void __no_caller_saved_registers cpupr_ledger_account_back(void *unused, struct cpupr_ledger *l, u64 now);
void __no_caller_saved_registers cpupr_ledger_account_iowait(void *unused, struct cpupr_ledger *l, u64 now);
void cpupr_ledger_steal(struct cpupr_ledger *l, u64 now, u64 stolen);
void cpupr_ledger_guest_enter(struct cpupr_ledger *l, u64 now, enum cpupr_category base);
void cpupr_ledger_guest_leave(struct cpupr_ledger *l, u64 now);
void cpupr_ledger_rescale(struct cpupr_ledger *l, u64 now, u32 mult, u32 shift);
u64 cpupr_ledger_elapsed(const struct cpupr_ledger *l);
u64 cpupr_ledger_sum(const struct cpupr_ledger *l);
void cpupr_keep_shown(u64 *time, u64 *shown);
u64 cpupr_keep_guest(u64 guest, u64 *shown, u64 grown);
unsigned int cpupr_busy_pct(u64 busy, u64 elapsed);

/* The word of a base context with @irq hard interrupts on it, and nothing else. */
static __always_inline u64 cpupr_at_word(u8 category, u8 base, u8 irq)
{
	union cpupr_at at = { .word = 0 };

	if (CPUPR_BIG_ENDIAN) {
		at.category = category;
		at.base = base;
		at.irq = irq;
		return at.word;
	}
	/* GCC does not make this of the above. */
	return category | (u32)base << 16 | (u64)irq << 32;
}

static __always_inline union cpupr_at cpupr_at_base(enum cpupr_category base)
{
	return (union cpupr_at){ .word = cpupr_at_word(base, base, 0) };
}

/* True for the two categories of user code. */
static __always_inline bool cpupr_is_user(u8 category)
{
	return category <= CPUPR_NICE;
}

/**
 * cpupr_ledger_account() - close the open interval and begin the next one
 * @l: the ledger
 * @now: ticks
 *
 * The category stays.
 */
static __always_inline void cpupr_ledger_account(struct cpupr_ledger *l, u64 now)
{
	u64 delta = now - l->start;

	if (unlikely((s64)delta < 0)) {
		cpupr_call_cold(cpupr_ledger_account_back, l, now);
	} else if (unlikely(l->at.category == CPUPR_IOWAIT)) {
		cpupr_call_cold(cpupr_ledger_account_iowait, l, now);
	} else {
		l->time[l->at.category] += delta;
		l->start = now;
		l->at.ahead = false;
	}
}

/**
 * cpupr_ledger_close() - the same, for transitions
 * @l: the ledger
 * @now: ticks
 *
 * Context: where the open interval is iowait, after cpupr_ledger_account() at
 * the same @now. To look for that here would take two instructions a hook.
 */
static __always_inline void cpupr_ledger_close(struct cpupr_ledger *l, u64 now)
{
	u64 delta = now - l->start;

	cpupr_assert(l->at.category != CPUPR_IOWAIT || !delta);
	if (unlikely((s64)delta < 0)) {
		cpupr_call_cold(cpupr_ledger_account_back, l, now);
	} else {
		l->time[l->at.category] += delta;
		l->start = now;
	}
}

/**
 * cpupr_ledger_settle() - bring a copy up to date, by the rules that the CPU follows
 * @copy: a reader's private copy of a ledger
 * @now: ticks
 * @stolen: see cpupr_ledger_steal()
 */
static inline void cpupr_ledger_settle(struct cpupr_ledger *copy, u64 now, u64 stolen)
{
	if (!copy->online)
		return;
	cpupr_ledger_steal(copy, now, stolen);
	cpupr_ledger_guest_leave(copy, now);
}

/* What an idle CPU is booked under. */
static __always_inline enum cpupr_category cpupr_idle_base(struct cpupr_ledger *l)
{
	return atomic_read(&l->iowaiters) > 0 ? CPUPR_IOWAIT : CPUPR_IDLE;
}

/* What is on top: hard interrupts, then softirqs, then the base context. */
static __always_inline void cpupr_ledger_top(struct cpupr_ledger *l)
{
	if (l->at.irq)
		l->at.category = CPUPR_IRQ;
	else if (l->at.softirq)
		l->at.category = CPUPR_SOFTIRQ;
	else
		l->at.category = l->at.base;
	l->at.ahead = false;
}

/**
 * cpupr_ledger_base() - the base context changes
 * @l: the ledger
 * @now: ticks
 * @base: user, nice, system, idle or iowait
 */
static __always_inline void cpupr_ledger_base(struct cpupr_ledger *l, u64 now,
					      enum cpupr_category base)
{
	cpupr_ledger_close(l, now);
	l->at.base = base;
	cpupr_ledger_top(l);
}

/**
 * cpupr_ledger_switch() - another task begins to run
 * @l: the ledger
 * @now: ticks
 * @base: the base context of the next task
 * @softirq: softirq depth that the next task brings along: 0, but for a kernel
 *	where softirq handlers can be preempted (PREEMPT_RT)
 *
 * No task switch happens inside a hard interrupt, so a depth that is left here
 * is an exit that was missed, and ends now.
 */
static __always_inline void cpupr_ledger_switch(struct cpupr_ledger *l, u64 now,
						enum cpupr_category base, u16 softirq)
{
	cpupr_ledger_close(l, now);
	l->at = cpupr_at_base(base);
	if (softirq) {
		l->at.softirq = softirq;
		l->at.category = CPUPR_SOFTIRQ;
	}
}

/**
 * cpupr_ledger_system() - user code enters the kernel, by no interrupt
 * @l: the ledger
 * @now: ticks
 *
 * As when a task is switched in, no interrupt can be below.
 */
static __always_inline void cpupr_ledger_system(struct cpupr_ledger *l, u64 now)
{
	cpupr_ledger_close(l, now);
	l->at = cpupr_at_base(CPUPR_SYSTEM);
}

/**
 * cpupr_ledger_user() - the CPU returns to user code
 * @l: the ledger
 * @now: ticks
 * @base: CPUPR_USER or CPUPR_NICE
 * @boundary: up to this many ticks of the stay are booked as system
 *
 * The kernel's entry and exit code lies outside of every hook. Taking its cost
 * off the front of the stay, instead of off its end, keeps both columns
 * monotone for a reader that looks in between. It is booked ahead; what a
 * shorter stay did not use is given back when the next event closes it.
 */
static __always_inline void cpupr_ledger_user(struct cpupr_ledger *l, u64 now,
					      enum cpupr_category base, u64 boundary)
{
	bool ahead = unlikely(boundary) && !cpupr_is_user(l->at.base);

	cpupr_ledger_close(l, now);
	l->at = cpupr_at_base(base);
	if (ahead) {
		l->time[CPUPR_SYSTEM] += boundary;
		l->start += boundary;
		l->lead = boundary;
		l->at.ahead = true;
	}
}

/**
 * cpupr_ledger_irq_enter() - a hard interrupt handler begins
 * @l: the ledger
 * @now: ticks
 */
static __always_inline void cpupr_ledger_irq_enter(struct cpupr_ledger *l, u64 now)
{
	cpupr_ledger_close(l, now);
	l->at.irq++;
	l->at.category = CPUPR_IRQ;
	l->at.ahead = false;
}

/**
 * cpupr_ledger_irq_exit() - a hard interrupt handler ends
 * @l: the ledger
 * @now: ticks
 *
 * An exit whose entry was not seen (the collector was just switched on)
 * changes nothing.
 */
static __always_inline void cpupr_ledger_irq_exit(struct cpupr_ledger *l, u64 now)
{
	if (unlikely(!l->at.irq))
		return;
	cpupr_ledger_close(l, now);
	l->at.irq--;
	cpupr_ledger_top(l);
}

/* Is the CPU in a hard interrupt of user code, and in nothing else? */
static __always_inline bool cpupr_ledger_irq_of_user(const struct cpupr_ledger *l)
{
	return l->at.word == cpupr_at_word(CPUPR_IRQ, CPUPR_USER, 1);
}

/**
 * cpupr_ledger_irq_exit_user() - it ends
 * @l: the ledger, where cpupr_ledger_irq_of_user()
 * @now: ticks
 *
 * The same as cpupr_ledger_irq_exit(), in half the instructions.
 */
static __always_inline void cpupr_ledger_irq_exit_user(struct cpupr_ledger *l, u64 now)
{
	/* The compiler does not see that this is what the word says. */
	if (l->at.category != CPUPR_IRQ)
		__builtin_unreachable();
	cpupr_ledger_close(l, now);
	l->at = cpupr_at_base(CPUPR_USER);
}

/**
 * cpupr_ledger_softirq_enter() - a softirq handler begins
 * @l: the ledger
 * @now: ticks
 */
static __always_inline void cpupr_ledger_softirq_enter(struct cpupr_ledger *l, u64 now)
{
	cpupr_ledger_close(l, now);
	l->at.softirq++;
	cpupr_ledger_top(l);
}

/**
 * cpupr_ledger_softirq_exit() - a softirq handler ends
 * @l: the ledger
 * @now: ticks
 */
static __always_inline void cpupr_ledger_softirq_exit(struct cpupr_ledger *l, u64 now)
{
	if (unlikely(!l->at.softirq))
		return;
	cpupr_ledger_close(l, now);
	l->at.softirq--;
	cpupr_ledger_top(l);
}

/**
 * cpupr_ledger_iowait_begin() - a task that last ran here sleeps for I/O
 * @l: the ledger of the CPU on which it ran
 *
 * Context: before the base context becomes idle or iowait, and before anyone
 * can call cpupr_ledger_iowait_end() for the task.
 */
static __always_inline void cpupr_ledger_iowait_begin(struct cpupr_ledger *l)
{
	atomic_inc(&l->iowaiters);
}

/**
 * cpupr_ledger_iowait_end() - such a task is woken
 * @l: the ledger of the CPU on which it last ran
 * @now: ticks of the caller's clock
 *
 * Context: any CPU. The time is published before the count, so that whoever
 * sees the count at 0 also sees when that happened.
 */
static __always_inline void cpupr_ledger_iowait_end(struct cpupr_ledger *l, u64 now)
{
	WRITE_ONCE(l->iowait_end, now);
	/* Pairs with the acquire of whoever reads the count. */
	smp_mb__before_atomic();
	atomic_dec(&l->iowaiters);
}

#endif
