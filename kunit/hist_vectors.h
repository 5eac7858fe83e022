/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Literal spans and their buckets: the table that the host test and the KUnit
 * suite share.
 */
#ifndef CPUPRECISE_HIST_VECTORS_H
#define CPUPRECISE_HIST_VECTORS_H

#include <cpuprecise/hist.h>

#define HIST_TOP	(1ULL << 63)

/**
 * struct hist_vector - a span and where it is counted
 * @ns: the span
 * @bucket: the number of its bucket
 * @from: the least span of that bucket
 */
struct hist_vector {
	u64 ns;
	unsigned long bucket;
	u64 from;
};

static const struct hist_vector hist_vectors[] = {
	{ 0, 0, 0 }, { 1, 0, 0 }, { 2, 1, 2 }, { 3, 1, 2 }, { 4, 2, 4 }, { 5, 2, 4 }, { 7, 2, 4 }, { 8, 3, 8 },
	{ 1023, 9, 512 }, { 1024, 10, 1024 }, { 1025, 10, 1024 },
	{ 0x7fffffff, 30, 0x40000000 }, { 0x80000000, 31, 0x80000000 },
	{ 0xffffffff, 31, 0x80000000 }, { 0x100000000, 32, 0x100000000 },
	{ (1ULL << 62) - 1, 61, 1ULL << 61 }, { 1ULL << 62, 62, 1ULL << 62 },
	{ HIST_TOP - 1, 62, 1ULL << 62 }, { HIST_TOP, 63, HIST_TOP }, { HIST_TOP + 1, 63, HIST_TOP },
	{ ~0ULL, 63, HIST_TOP },
};

static inline bool hist_right(const struct hist_vector *v)
{
	return cpupr_bucket(v->ns) == v->bucket && v->bucket < CPUPR_BUCKETS &&
	       cpupr_bucket_ns((unsigned int)v->bucket) == v->from;
}

#endif
