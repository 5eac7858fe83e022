/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Histograms of spans: one bucket a power of two.
 *
 * Pure: spans are in ns.
 */
#ifndef CPUPRECISE_HIST_H
#define CPUPRECISE_HIST_H

#include <cpuprecise/pure.h>

#define CPUPR_BUCKETS	64	/* one a bit of a span */

/**
 * cpupr_bucket() - where a span is counted
 * @ns: the span
 *
 * Return: 0 for 0 and 1, else k for 2^k to 2^(k+1) - 1.
 */
static __always_inline unsigned long cpupr_bucket(u64 ns)
{
	return __fls(ns | 1);
}

/* The least span that a bucket counts, ns. */
static inline u64 cpupr_bucket_ns(unsigned int bucket)
{
	return bucket ? 1ULL << bucket : 0;
}

#endif
