/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Accesses to shared memory that can be stopped, for code that is included behind
 * this header: one caller is stopped before its nth access while another one runs.
 * Include from one file a program.
 */
#ifndef STOPS_H
#define STOPS_H

#include <sched.h>

#include "ktap.h"

#include <cpuprecise/pure.h>

#define ACCESSES	1000	/* more than any caller has */

/* Before which access from now on, 1 is the next one, and what happens there, once. */
static __thread unsigned int stop_at;
static __thread void (*interloper)(void);

/* Random numbers of a thread that now and then lets others go first; 0: of none. */
static __thread unsigned int restless;

static void stop(void)
{
	if (stop_at && !--stop_at)
		interloper();
	if (!restless)
		return;
	restless = restless * 1664525U + 1013904223U;
	if (restless >> 27 == 0)
		sched_yield();
}

/* Runs @one, and @other before its access @n: was there one? */
static bool run_stopped(unsigned int n, void (*one)(void), void (*other)(void))
{
	bool stopped;

	interloper = other;
	stop_at = n;
	one();
	stopped = !stop_at;
	stop_at = 0;
	return stopped;
}

static bool is(const char *what, long got, long want)
{
	if (got == want)
		return true;
	ktap_note("%s: %ld, should be %ld", what, got, want);
	return false;
}

/* What is wrong may be a chain that goes round: who walks that never comes back. */
static bool failed_before(void)
{
	return !is("tests that failed before", ktap_failed, 0);
}

/* READ_ONCE() orders nothing, unless the program says for which types it does. */
#ifndef READ_ORDER
#define READ_ORDER(x)			__ATOMIC_RELAXED
#endif

#undef READ_ONCE
#undef WRITE_ONCE
#undef smp_load_acquire
#undef smp_store_release
#undef cmpxchg
#define READ_ONCE(x)			({ stop(); __atomic_load_n(&(x), READ_ORDER(x)); })
/* What is written may have been read just before: that is the first of two accesses. */
#define WRITE_ONCE(x, v) ({						\
	__typeof__(x) written = (v);					\
									\
	stop();								\
	__atomic_store_n(&(x), written, __ATOMIC_RELAXED);		\
})
/* barriers: those of pure.h */
#define smp_load_acquire(p)		({ stop(); __atomic_load_n(p, __ATOMIC_ACQUIRE); })
/* barrier */
#define smp_store_release(p, v)		({ stop(); __atomic_store_n(p, v, __ATOMIC_RELEASE); })
#define cmpxchg(p, old, new) ({						\
	__typeof__(*(p)) seen = (old);					\
									\
	stop();								\
	__atomic_compare_exchange_n(p, &seen, new, false,		\
				    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
	seen;								\
})

/* The functions of pure.h, that macros of the same names call. */
#define test_bit(nr, p)			({ stop(); test_bit(nr, p); })
#define set_bit(nr, p)			({ stop(); set_bit(nr, p); })
#define test_and_set_bit(nr, p)		({ stop(); test_and_set_bit(nr, p); })
#define clear_bit_unlock(nr, p)		({ stop(); clear_bit_unlock(nr, p); })
#undef atomic64_add
#define atomic64_add(i, v)						\
	({ stop(); (void)__atomic_add_fetch(&(v)->counter, i, __ATOMIC_RELAXED); })

#endif
