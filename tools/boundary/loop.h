/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Loops whose user instructions are known to the last one.
 *
 * Written in assembly, so that the number a turn is what stands here and not
 * what a compiler made of it. Where one instruction takes one nanosecond, the
 * true user time of n turns is n times that number.
 */
#ifndef SELFTEST_LOOP_H
#define SELFTEST_LOOP_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOOP_ALU_INSNS		2	/* per turn */
#define LOOP_SYSCALL_INSNS	4
#define LOOP_TOUCH_INSNS	4
#define LOOP_DIVIDE_INSNS	6

#if defined(__x86_64__)

/* Counts down: nothing but the ALU. */
static inline void loop_alu(uint64_t turns)
{
	asm volatile("1:	dec	%0\n"
		     "	jnz	1b\n"
		     : "+r" (turns) : : "cc", "memory");
}

/* As many instructions a turn as LOOP_DIVIDE_INSNS, one of them slow on any processor. */
static inline void loop_divide(uint64_t turns)
{
	asm volatile("1:	mov	$-1, %%rax\n"
		     "	mov	$1, %%edx\n"
		     "	mov	$3, %%ecx\n"
		     "	div	%%rcx\n"
		     "	dec	%0\n"
		     "	jnz	1b\n"
		     : "+r" (turns) : : "rax", "rcx", "rdx", "cc", "memory");
}

/* One system call a turn; its arguments survive it. */
static inline void loop_syscall(uint64_t turns, long nr, long a, long b, long c, long d)
{
	register long r10 asm("r10") = d;

	asm volatile("1:	mov	%1, %%rax\n"
		     "	syscall\n"
		     "	dec	%0\n"
		     "	jnz	1b\n"
		     : "+r" (turns)
		     : "r" (nr), "D" (a), "S" (b), "d" (c), "r" (r10)
		     : "rax", "rcx", "r11", "cc", "memory");
}

/* loop_syscall() without the kernel. */
static inline void loop_no_syscall(uint64_t turns, long nr)
{
	asm volatile("1:	mov	%1, %%rax\n"
		     "	nop\n"
		     "	dec	%0\n"
		     "	jnz	1b\n"
		     : "+r" (turns) : "r" (nr) : "rax", "cc", "memory");
}

/* Writes one byte to each of @turns pieces of @step bytes. */
static inline void loop_touch(uint64_t turns, void *start, size_t step)
{
	asm volatile("1:	movb	$1, (%1)\n"
		     "	add	%2, %1\n"
		     "	dec	%0\n"
		     "	jnz	1b\n"
		     : "+r" (turns), "+r" (start) : "r" (step) : "cc", "memory");
}

#elif defined(__aarch64__)

static inline void loop_alu(uint64_t turns)
{
	asm volatile("1:	subs	%0, %0, #1\n"
		     "	b.ne	1b\n"
		     : "+r" (turns) : : "cc", "memory");
}

static inline void loop_divide(uint64_t turns)
{
	asm volatile("1:	mov	x9, #-1\n"
		     "	mov	x10, #3\n"
		     "	udiv	x9, x9, x10\n"
		     "	udiv	x9, x9, x10\n"
		     "	subs	%0, %0, #1\n"
		     "	b.ne	1b\n"
		     : "+r" (turns) : : "x9", "x10", "cc", "memory");
}

static inline void loop_syscall(uint64_t turns, long nr, long a, long b, long c, long d)
{
	register long x8 asm("x8") = nr;
	register long x1 asm("x1") = b;
	register long x2 asm("x2") = c;
	register long x3 asm("x3") = d;

	/* x0 is both the first argument and the result. */
	asm volatile("1:	mov	x0, %1\n"
		     "	svc	#0\n"
		     "	subs	%0, %0, #1\n"
		     "	b.ne	1b\n"
		     : "+r" (turns)
		     : "r" (a), "r" (x8), "r" (x1), "r" (x2), "r" (x3)
		     : "x0", "cc", "memory");
}

static inline void loop_no_syscall(uint64_t turns, long nr)
{
	asm volatile("1:	mov	x0, %1\n"
		     "	nop\n"
		     "	subs	%0, %0, #1\n"
		     "	b.ne	1b\n"
		     : "+r" (turns) : "r" (nr) : "x0", "cc", "memory");
}

static inline void loop_touch(uint64_t turns, void *start, size_t step)
{
	asm volatile("1:	strb	wzr, [%1]\n"
		     "	add	%1, %1, %2\n"
		     "	subs	%0, %0, #1\n"
		     "	b.ne	1b\n"
		     : "+r" (turns), "+r" (start) : "r" (step) : "cc", "memory");
}

#else
#error "no loops for this architecture"
#endif

#endif
