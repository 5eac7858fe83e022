// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: random lives of a CPU's frequencies and random arithmetic, the same
 * ones in every run.
 *
 * Sums must be what a slow model makes of the log: it looks for each ns and each
 * cycle, one interval at a time, which frequency was set. Divisions are checked
 * by the compiler's own of 128 bits, which the kernel has not.
 */
#include "draw.h"
#include "ktap.h"

#include <cpuprecise/freq.h>

#define LIVES	400
#define EVENTS	600
#define FIELDS	5	/* of struct cpupr_freq_sum */

enum { BUSY, IDLE, CLOCK, CYCLES, COUNTED };

struct life {
	struct cpupr_freqs f;
	u64 book[FIELDS];	/* as they are told */
	/* The model: marks, and sums by frequency in the order of their coming. */
	u64 mark[FIELDS];
	u64 sum[EVENTS][FIELDS];
	u32 seen[EVENTS];	/* 0 first: not known */
	unsigned int frequencies;
	unsigned int now;	/* among them */
	unsigned int counted;
	u64 booked[FIELDS];
};

static struct life life;
static bool differ(const char *what, u64 got, u64 want)
{
	if (got == want)
		return false;
	ktap_note("%s is %llu, should be %llu", what, (unsigned long long)got, (unsigned long long)want);
	return true;
}

/* Mostly forwards, now and then back. */
static void move_books(void)
{
	int i;

	for (i = 0; i < FIELDS; i++) {
		if (below(8))
			life.book[i] += below(1000000);
		else
			life.book[i] -= life.book[i] < 1000000 ? life.book[i] : below(1000000);
	}
}

static void model_account(int from, int to, unsigned int which)
{
	int i;

	for (i = from; i <= to; i++) {
		if (life.book[i] <= life.mark[i])
			continue;
		life.sum[which][i] += life.book[i] - life.mark[i];
		life.booked[i] += life.book[i] - life.mark[i];
		life.mark[i] = life.book[i];
	}
}

static void model_seed(int from, int to)
{
	int i;

	for (i = from; i <= to; i++)
		life.mark[i] = life.book[i];
}

static void change(u32 khz)
{
	for (life.now = 0; life.now < life.frequencies; life.now++)
		if (life.seen[life.now] == khz)
			break;
	if (life.now == life.frequencies)
		life.seen[life.frequencies++] = khz;
	cpupr_freqs_change(&life.f, khz);
}

static void event(unsigned int variety)
{
	move_books();
	switch (below(40)) {
	case 0:
		model_seed(BUSY, CLOCK);
		cpupr_freqs_seed_time(&life.f, life.book[BUSY], life.book[IDLE], life.book[CLOCK]);
		break;
	case 1:
		model_seed(CYCLES, COUNTED);
		life.counted = life.now;
		cpupr_freqs_seed_cycles(&life.f, life.book[CYCLES], life.book[COUNTED]);
		break;
	case 2 ... 14:
		model_account(BUSY, CLOCK, life.now);
		cpupr_freqs_time(&life.f, life.book[BUSY], life.book[IDLE], life.book[CLOCK]);
		break;
	case 15 ... 24:
		model_account(CYCLES, COUNTED, life.counted);
		life.counted = life.now;
		cpupr_freqs_cycles(&life.f, life.book[CYCLES], life.book[COUNTED]);
		break;
	default:
		/* 0 among them */
		change(below(variety) * 100000);
		break;
	}
}

static bool sums_agree(void)
{
	u64 want[CPUPR_FREQ_ROWS][FIELDS] = { 0 }, all[FIELDS] = { 0 };
	bool bad = false;
	unsigned int i, n;

	for (i = 0; i < life.frequencies; i++) {
		unsigned int row = i < CPUPR_FREQ_OTHER ? i : CPUPR_FREQ_OTHER;

		for (n = 0; n < FIELDS; n++)
			want[row][n] += life.sum[i][n];
		if (row < CPUPR_FREQ_OTHER)
			bad |= differ("a frequency", life.f.khz[row], life.seen[i]);
	}
	for (i = 0; i < CPUPR_FREQ_ROWS; i++) {
		const struct cpupr_freq_sum *s = &life.f.sum[i];
		u64 got[FIELDS] = { s->busy, s->idle, s->clock, s->cycles, s->counted };

		for (n = 0; n < FIELDS; n++) {
			bad |= differ("a sum", got[n], want[i][n]);
			all[n] += got[n];
		}
	}
	for (n = 0; n < FIELDS; n++)
		bad |= differ("the sum of all rows", all[n], life.booked[n]);
	bad |= differ("the number of rows", life.f.rows, min(life.frequencies, CPUPR_FREQ_OTHER + 0U));
	return !bad;
}

static bool lives(void)
{
	unsigned int i, n;

	for (i = 0; i < LIVES; i++) {
		memset(&life, 0, sizeof(life));
		life.frequencies = 1;
		cpupr_freqs_init(&life.f);
		for (n = below(EVENTS - 1); n; n--)
			event(i % 4 ? 10 : 100);
		if (!sums_agree())
			return false;
	}
	return true;
}

static u64 rounded_down(unsigned __int128 a, unsigned __int128 b)
{
	return a / b >> 64 ? ~0ULL : (u64)(a / b);
}

static bool util_wrong(u64 cycles, u32 khz, u64 ns)
{
	unsigned __int128 all = (unsigned __int128)ns * khz;
	u64 got = 0;

	if (differ("there is a share", cpupr_util(cycles, khz, ns, &got), all >= 1000000))
		return true;
	return all >= 1000000 &&
	       differ("a share", got, rounded_down((unsigned __int128)cycles * 10000000000ULL, all));
}

static bool arithmetic(void)
{
	bool bad = false;
	unsigned int i;

	for (i = 0; i < 500000 && !bad; i++) {
		u64 a = any_bits(), b = any_bits();

		bad |= util_wrong(a, (u32)(draw() >> (32 + below(32))), b);
		if (!b)
			continue;
		bad |= differ("kHz", cpupr_khz(a, b), rounded_down((unsigned __int128)a * 1000000, b));
		bad |= differ("IPC", cpupr_ipc100(a, b), rounded_down((unsigned __int128)a * 100, b));
	}
	return !bad;
}

/* A counter of 48 or 64 bits, looked at from time to time. */
static bool counters(void)
{
	unsigned int i;
	bool bad = false;

	for (i = 0; i < 100000 && !bad; i++) {
		u64 mask = below(2) ? ~0ULL : (1ULL << 48) - 1;
		u64 last = draw() & mask, step = any_bits() & (mask >> 1), now;

		now = (last + step) & mask;
		/* No counter of 64 bits goes round. */
		if (mask == ~0ULL && now < last)
			continue;
		bad |= differ("a difference", cpupr_count_delta(now, last), step);
	}
	return !bad;
}

#define PARTS	12

/* The books of a share: exact together, off by less than one each. */
static bool shares(void)
{
	unsigned int i, n, k;

	for (i = 0; i < 100000; i++) {
		u64 whole = any_bits(), part[PARTS], to[PARTS], was[PARTS], parts = 0, added = 0;
		unsigned int parts_nr = 1 + below(PARTS), fallback = below(parts_nr), last = fallback;
		unsigned int width = below(60);

		for (n = 0; n < parts_nr; n++) {
			part[n] = below(3) ? draw() >> (4 + width) : 0;
			parts += part[n];
			was[n] = to[n] = any_bits();
			if (part[n])
				last = n;
		}
		cpupr_share(whole, part, to, parts_nr, fallback);
		for (n = 0; n < parts_nr; n++) {
			u64 got = to[n] - was[n];

			added += got;
			if (n == last)
				continue;
			if (differ("a share", got, parts ? rounded_down((unsigned __int128)whole * part[n], parts) : 0))
				return false;
			for (k = 0; k < parts_nr; k++)
				if (part[k] >= part[n] && to[k] - was[k] < got)
					return differ("the share of more", to[k] - was[k], got);
		}
		if (differ("the sum of all", added, whole))
			return false;
	}
	return true;
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "lives", lives },
		{ "arithmetic", arithmetic },
		{ "counters", counters },
		{ "shares", shares },
	};

	draw_run(tests, sizeof(tests) / sizeof(tests[0]));
	return ktap_exit();
}
