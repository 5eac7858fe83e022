/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long an instruction takes: for programs that count instructions by the
 * clock, as the instruction-counting VM lets them.
 */
#ifndef BENCH_INSN_H
#define BENCH_INSN_H

#include <stdint.h>
#include <time.h>

#include "../boundary/loop.h"

static inline uint64_t insn_clock(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
}

/*
 * The ns that each instruction takes, a power of two (QEMU's -icount shift=N), or
 * 0 where no such number exists. A processor that is that fast by chance is told
 * apart by two loops of the same length whose instructions cost differently on
 * any real one.
 */
static inline unsigned int insn_ns(void)
{
	uint64_t start, took, n = 10000;
	uint64_t plain = UINT64_MAX, costly = UINT64_MAX, look = UINT64_MAX;
	unsigned int ns;
	int i;

	/* The shortest of some: interrupts fall into a loop, and other tasks. */
	for (i = 0; i < 200; i++) {
		start = insn_clock();
		loop_alu(n);
		took = insn_clock() - start;
		plain = took < plain ? took : plain;
		start = insn_clock();
		loop_divide(n);
		took = insn_clock() - start;
		costly = took < costly ? took : costly;
		start = insn_clock();
		took = insn_clock() - start;
		look = took < look ? took : look;
	}
	/* Where the TSC is not trusted, a look at the clock is a system call. */
	plain -= look;
	costly -= look;
	/* The guest's clock is off by what it got wrong when it measured the TSC. */
	plain = plain * 100 / (n * LOOP_ALU_INSNS);
	costly = costly * 100 / (n * LOOP_DIVIDE_INSNS);
	for (ns = 1; ns <= 128; ns *= 2)
		if (plain >= 98 * ns && plain <= 102 * ns && costly >= 98 * ns && costly <= 102 * ns)
			return ns;
	return 0;
}

#endif
