/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The few kernel primitives that the pure layer may use.
 *
 * Files under module/ledger/ compile unchanged in the kernel, in KUnit and on
 * the host, where this header stands in for the kernel's own. Whatever is not
 * here (clocks, per-CPU macros, locks, printing) is out of reach for them, on
 * purpose.
 */
#ifndef CPUPRECISE_PURE_H
#define CPUPRECISE_PURE_H

#ifdef __KERNEL__

#include <asm/byteorder.h>
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/types.h>

/* Checked on the host only: these are the hottest lines there are. */
#define cpupr_assert(condition)	((void)sizeof(condition))

/*
 * For what a hot function calls once in a blue moon. The function is declared
 * __no_caller_saved_registers, so that its caller need not save any on the way
 * to the call; which is in assembly, as GCC makes no use of that by itself. Its
 * first argument is undefined: the caller's own, which a probe needs up to its
 * end, stays in that register. Worth 10 to 16 instructions a hook, and three more
 * for the frame that none of them sets up: a kernel that unwinds by frames would
 * want one (ASM_CALL_CONSTRAINT), and gets plain calls.
 */
#if defined(CONFIG_X86_64) && defined(CONFIG_CC_IS_GCC) && !defined(CONFIG_FRAME_POINTER)
#define cpupr_call_cold(function, a, b) ({				\
	unsigned long ret;						\
									\
	(void)sizeof((function)(NULL, a, b));	/* checks the types */	\
	asm volatile("call %c[f]"					\
		     : "=a" (ret)					\
		     : [f] "i" (function), "S" (a), "d" (b)		\
		     : "memory", "cc");					\
	ret;								\
})
#else
#define cpupr_call_cold(function, a, b)	((function)(NULL, a, b))
#endif

#ifdef __BIG_ENDIAN
#define CPUPR_BIG_ENDIAN	1
#else
#define CPUPR_BIG_ENDIAN	0
#endif

#else

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/cdefs.h>	/* __always_inline */

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;
typedef struct { int counter; } atomic_t;
typedef struct { s64 counter; } atomic64_t;

#define CPUPR_BIG_ENDIAN	(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#define cpupr_assert(condition)	assert(condition)
#define notrace
#define __no_caller_saved_registers
#define cpupr_call_cold(function, a, b)	((function)(NULL, a, b))
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v)	__atomic_store_n(&(x), v, __ATOMIC_RELAXED)
/* barriers: what the kernel's are at least */
#define smp_load_acquire(p)	__atomic_load_n(p, __ATOMIC_ACQUIRE)
/* barrier */
#define smp_store_release(p, v)	__atomic_store_n(p, v, __ATOMIC_RELEASE)
/* barrier */
#define smp_wmb()		__atomic_thread_fence(__ATOMIC_RELEASE)
/* barrier */
#define smp_mb__before_atomic()	__atomic_thread_fence(__ATOMIC_SEQ_CST)
#define atomic_read(v)		READ_ONCE((v)->counter)
#define atomic_read_acquire(v)	__atomic_load_n(&(v)->counter, __ATOMIC_ACQUIRE)
#define atomic_set(v, i)	WRITE_ONCE((v)->counter, i)
#define atomic_inc(v)		((void)__atomic_add_fetch(&(v)->counter, 1, __ATOMIC_SEQ_CST))
#define atomic_dec(v)		((void)__atomic_sub_fetch(&(v)->counter, 1, __ATOMIC_SEQ_CST))
#define atomic64_read(v)	READ_ONCE((v)->counter)
#define atomic64_set(v, i)	WRITE_ONCE((v)->counter, i)
#define atomic64_add(i, v)	((void)__atomic_add_fetch(&(v)->counter, i, __ATOMIC_RELAXED))
#define atomic64_inc(v)		atomic64_add(1, v)
#define min(a, b)		((a) < (b) ? (a) : (b))

#define cmpxchg(p, old, new) ({						\
	__typeof__(*(p)) was = (old);					\
									\
	__atomic_compare_exchange_n(p, &was, new, false,		\
				    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
	was;								\
})

#define BITS_PER_LONG		(8 * (unsigned int)sizeof(long))
#define BIT_OF(nr)		(1UL << ((nr) % BITS_PER_LONG))
#define WORD_OF(nr, p)		(&(p)[(nr) / BITS_PER_LONG])

static inline bool test_bit(unsigned long nr, const unsigned long *p)
{
	return READ_ONCE(*WORD_OF(nr, p)) & BIT_OF(nr);
}

static inline void set_bit(unsigned long nr, unsigned long *p)
{
	__atomic_fetch_or(WORD_OF(nr, p), BIT_OF(nr), __ATOMIC_RELAXED);
}

static inline bool test_and_set_bit(unsigned long nr, unsigned long *p)
{
	return __atomic_fetch_or(WORD_OF(nr, p), BIT_OF(nr), __ATOMIC_SEQ_CST) & BIT_OF(nr);
}

static inline void clear_bit(unsigned long nr, unsigned long *p)
{
	__atomic_fetch_and(WORD_OF(nr, p), ~BIT_OF(nr), __ATOMIC_RELAXED);
}

static inline void clear_bit_unlock(unsigned long nr, unsigned long *p)
{
	__atomic_fetch_and(WORD_OF(nr, p), ~BIT_OF(nr), __ATOMIC_RELEASE);
}

static inline unsigned long __fls(unsigned long word)
{
	return 63 ^ (unsigned long)__builtin_clzl(word);
}

static inline u64 div64_u64(u64 a, u64 b)
{
	return a / b;
}

static inline u64 mul_u64_u32_shr(u64 a, u32 mul, unsigned int shift)
{
	return (u64)(((__uint128_t)a * mul) >> shift);
}

static inline u64 mul_u64_u64_shr(u64 a, u64 mul, unsigned int shift)
{
	return (u64)(((__uint128_t)a * mul) >> shift);
}

#endif /* __KERNEL__ */
#endif
