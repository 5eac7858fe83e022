// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frequencies: sums by frequency, and what is worked out of cycles and time.
 * See freq.h.
 *
 * Pure: also built by KUnit and on the host.
 */
#include <cpuprecise/freq.h>

/**
 * cpupr_freqs_init() - a CPU of which no frequency is known
 * @f: its frequencies
 */
void cpupr_freqs_init(struct cpupr_freqs *f)
{
	memset(f, 0, sizeof(*f));
	f->rows = CPUPR_FREQ_UNKNOWN + 1;
}

/**
 * cpupr_freqs_seed_time() - time is accounted from here on
 * @f: the CPU's frequencies
 * @busy: its books, ns
 * @idle: its books, ns
 * @clock: ns
 */
void cpupr_freqs_seed_time(struct cpupr_freqs *f, u64 busy, u64 idle, u64 clock)
{
	f->at.busy = busy;
	f->at.idle = idle;
	f->at.clock = clock;
}

/**
 * cpupr_freqs_seed_cycles() - cycles are accounted from here on
 * @f: the CPU's frequencies
 * @cycles: so many until now
 * @clock: ns
 */
void cpupr_freqs_seed_cycles(struct cpupr_freqs *f, u64 cycles, u64 clock)
{
	f->at.cycles = cycles;
	f->at.counted = clock;
	f->counted = f->row;
}

/* What goes backwards is nothing, and its mark stays: no time counts twice. */
static void advance(u64 *sum, u64 *mark, u64 now)
{
	if (now <= *mark)
		return;
	*sum += now - *mark;
	*mark = now;
}

/**
 * cpupr_freqs_time() - bring times up to date: they belong to the frequency now
 * @f: the CPU's frequencies
 * @busy: its books, ns
 * @idle: its books, ns
 * @clock: ns
 */
void cpupr_freqs_time(struct cpupr_freqs *f, u64 busy, u64 idle, u64 clock)
{
	struct cpupr_freq_sum *s = &f->sum[f->row];

	advance(&s->busy, &f->at.busy, busy);
	advance(&s->idle, &f->at.idle, idle);
	advance(&s->clock, &f->at.clock, clock);
}

/**
 * cpupr_freqs_cycles() - bring cycles up to date
 * @f: the CPU's frequencies
 * @cycles: so many until now
 * @clock: ns, when they were read
 *
 * They belong to the frequency at the last time that they were read.
 */
void cpupr_freqs_cycles(struct cpupr_freqs *f, u64 cycles, u64 clock)
{
	struct cpupr_freq_sum *s = &f->sum[f->counted];

	advance(&s->cycles, &f->at.cycles, cycles);
	advance(&s->counted, &f->at.counted, clock);
	f->counted = f->row;
}

/**
 * cpupr_freqs_change() - another frequency from now on
 * @f: the CPU's frequencies, up to date
 * @khz: 0 if it is not known
 */
void cpupr_freqs_change(struct cpupr_freqs *f, u32 khz)
{
	unsigned int i;

	f->row = CPUPR_FREQ_UNKNOWN;
	if (!khz)
		return;
	for (i = CPUPR_FREQ_UNKNOWN + 1; i < f->rows && f->khz[i] != khz; i++)
		;
	/* The row behind the last one is CPUPR_FREQ_OTHER. */
	f->row = i;
	if (i < f->rows || i == CPUPR_FREQ_OTHER)
		return;
	f->khz[i] = khz;
	f->rows++;
}

/**
 * cpupr_count_delta() - events between two looks at a counter
 * @now: the counter
 * @last: what it was
 *
 * perf makes counters 64 bits wide. One that is lower than before went round at
 * 48 bits, as PMU counters do; 0 if it cannot have been one of those.
 */
u64 cpupr_count_delta(u64 now, u64 last)
{
	if (now >= last)
		return now - last;
	return last >> 48 ? 0 : now + (1ULL << 48) - last;
}

/*
 * @a / @b, rounded down, 2^64 - 1 if it is more than that; @b is below 2^127. The
 * kernel divides 128 bits only by functions that trap, or are not exact, on
 * some machine or other.
 */
static u64 divide(unsigned __int128 a, unsigned __int128 b)
{
	unsigned __int128 rest = a >> 64;
	u64 quotient = 0;
	int bit;

	if (rest >= b)
		return ~0ULL;
	/* Most of them: two times and a frequency are not this small. */
	if (!rest && !(b >> 64))
		return div64_u64((u64)a, (u64)b);
	for (bit = 63; bit >= 0; bit--) {
		rest = rest << 1 | ((u64)a >> bit & 1);
		if (rest < b)
			continue;
		rest -= b;
		quotient |= 1ULL << bit;
	}
	return quotient;
}

/**
 * cpupr_util() - how much of a frequency was used
 * @cycles: so many were counted
 * @khz: the frequency
 * @ns: in this time
 * @pct100: becomes the share in hundredths of a per cent, rounded down; more
 *	than 10000 where the CPU ran faster
 *
 * Return: false if there is none: the time is too short for a single cycle.
 */
bool cpupr_util(u64 cycles, u32 khz, u64 ns, u64 *pct100)
{
	/* Millionths of a cycle. */
	unsigned __int128 all = (unsigned __int128)ns * khz;

	if (all < 1000000)
		return false;
	*pct100 = divide((unsigned __int128)cycles * 10000000000ULL, all);
	return true;
}

/**
 * cpupr_khz() - mean frequency
 * @cycles: so many were counted
 * @ns: in this time
 *
 * Return: kHz, rounded down; 0 if there is no time.
 */
u64 cpupr_khz(u64 cycles, u64 ns)
{
	return ns ? divide((unsigned __int128)cycles * 1000000, ns) : 0;
}

/**
 * cpupr_aperf_khz() - mean frequency while a CPU ran
 * @base: what @mperf counts at, kHz
 * @aperf: APERF counted so many
 * @mperf: and MPERF, in the same time; both stop in idle states
 *
 * Return: kHz, rounded down; 0 if MPERF stood still.
 */
u64 cpupr_aperf_khz(u32 base, u64 aperf, u64 mperf)
{
	return mperf ? divide((unsigned __int128)aperf * base, mperf) : 0;
}

/**
 * cpupr_ipc100() - instructions a cycle
 * @instructions: so many
 * @cycles: in so many, not 0
 *
 * Return: hundredths, rounded down.
 */
u64 cpupr_ipc100(u64 instructions, u64 cycles)
{
	return divide((unsigned __int128)instructions * 100, cycles);
}

/**
 * cpupr_share() - share out a sum, so that nothing is lost
 * @whole: the sum
 * @part: in proportion to these, whose own sum is below 2^64
 * @to: each share is added here, rounded down; the last one that is not 0 gets
 *	what is left too
 * @n: how many
 * @fallback: gets all of it if all parts are 0
 */
void cpupr_share(u64 whole, const u64 *part, u64 *to, unsigned int n, unsigned int fallback)
{
	unsigned int i, last = fallback;
	u64 parts = 0, left = whole;

	for (i = 0; i < n; i++)
		parts += part[i];
	for (i = 0; i < n; i++) {
		u64 share;

		if (!part[i])
			continue;
		share = divide((unsigned __int128)whole * part[i], parts);
		to[i] += share;
		left -= share;
		last = i;
	}
	to[last] += left;
}
