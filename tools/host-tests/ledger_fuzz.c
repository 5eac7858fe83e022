// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: random histories of a CPU, the same ones in every run.
 *
 * After each event the ledger must be closed and must agree with the reference
 * model in every category, to the tick. Between events readers look at copies:
 * what they see must be what the model says, closed, and never less than what
 * an earlier reader saw.
 *
 * An instant of the model is @scale ticks of the ledger, and the ledger's clock
 * starts at @origin, so that histories run across 2^32, 2^63 and 2^64 ticks.
 */
#include "draw.h"
#include "ktap.h"
#include "model.h"

struct history {
	const char *name;
	u64 seed;
	unsigned int events;
	u64 origin;
	u64 scale;
	unsigned int steps_back;	/* in 1024 events */
	unsigned int hotplug;		/* in 1024 events */
	unsigned int rescales;		/* in 1024 events */
	unsigned int skew;		/* of the clocks of other CPUs, instants */
	bool storms;			/* entries by the hundred, then exits */
	unsigned int steals;		/* in 1024 events and reads */
	bool late;			/* and told after readers saw something else */
};

static const struct history histories[] = {
	{ "events of one CPU", 1, 300000, 0, 1, 0, 0, 0, 0, false, 0, false },
	{ "ticks of 2^40 around 2^63", 2, 100000, 0x7fff000000000000, 1ULL << 40,
	  0, 2, 0, 0, false, 0, false },
	{ "a clock that passes 2^64", 3, 100000, -200000ULL, 1, 0, 2, 0, 0, false, 0, false },
	{ "a clock that passes 2^32", 4, 100000, 0xffffff00, 1, 4, 2, 0, 0, false, 0, false },
	{ "a clock that steps back", 5, 200000, 1000000, 3, 30, 2, 0, 0, false, 0, false },
	{ "wake-ups by other clocks", 6, 200000, 1000000, 7, 0, 2, 0, 12, false, 0, false },
	{ "offline and online", 7, 200000, 0, 1, 2, 60, 0, 3, false, 0, false },
	{ "a change of clock now and then", 8, 200000, 0, 1, 2, 2, 3, 3, false, 0, false },
	{ "nesting to depth 255 and past it", 9, 200000, 0, 1, 2, 2, 0, 3, true, 0, false },
	{ "all of it at once", 10, 400000, 123456789, 1, 5, 5, 1, 20, true, 0, false },
	{ "a hypervisor that steals", 11, 300000, 1000000, 5, 0, 2, 0, 0, false, 300, false },
	{ "and tells it late", 12, 300000, 1000000, 5, 0, 2, 0, 0, false, 300, true },
	{ "all of it at once, and stolen from", 13, 400000, 987654321, 1, 5, 5, 1, 20, true, 100, true },
};

#define NR_HISTORIES	(sizeof(histories) / sizeof(histories[0]))

struct run {
	const struct history *h;
	struct cpupr_ledger ledger;
	struct model model;
	u64 shown[CPUPR_NR_CATEGORIES];	/* the most that a reader has seen */
	s64 seen;			/* when the last reader looked, instants */
	u64 stolen;			/* the steal clock, instants */
	int storm;			/* events of a storm still to come */
	const char *event;
	unsigned int number;
};

static const char * const names[CPUPR_NR_CATEGORIES] = {
	"user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal",
};

static const char * const guests[CPUPR_NR_GUEST] = { "guest", "guest_nice" };

static u64 ticks(const struct run *r, s64 instant)
{
	return r->h->origin + (u64)instant * r->h->scale;
}

/* Neither events nor readers are behind this instant. */
static s64 latest(const struct run *r)
{
	return r->seen > r->model.clock ? r->seen : r->model.clock;
}

static bool differ(const struct run *r, const char *what, u64 got, u64 want)
{
	if (got == want)
		return false;
	ktap_note("seed %llu, event %u (%s): %s is %llu, should be %llu",
		  (unsigned long long)r->h->seed, r->number, r->event, what,
		  (unsigned long long)got, (unsigned long long)want);
	return true;
}

/* Are the ledger @l and the model @m the same books, as a reader sees them now? */
static bool agree(const struct run *r, const struct cpupr_ledger *now, const struct model *m)
{
	struct cpupr_ledger copy = *now, *l = &copy;
	bool bad = false;
	int i;

	if (l->online)
		cpupr_ledger_guest_leave(l, ticks(r, m->clock));
	for (i = 0; i < CPUPR_NR_CATEGORIES; i++)
		bad |= differ(r, names[i], l->time[i], m->count[i] * r->h->scale);
	for (i = 0; i < CPUPR_NR_GUEST; i++)
		bad |= differ(r, guests[i], l->guest[i], m->guest[i] * r->h->scale);
	bad |= differ(r, "elapsed", cpupr_ledger_elapsed(l), m->elapsed * r->h->scale);
	bad |= differ(r, "the sum", cpupr_ledger_sum(l), cpupr_ledger_elapsed(l));
	bad |= differ(r, "backsteps", l->backsteps, m->backsteps);
	return !bad;
}

/* The steal clock goes on, by no more than the time since it was last looked at. */
static void steal(struct run *r, s64 span)
{
	if (r->h->steals && chance(r->h->steals))
		r->stolen += below((unsigned int)span + 1);
}

/* An account, where the steal clock is looked at too. */
static void account(const struct run *r, struct cpupr_ledger *l, struct model *m, s64 now)
{
	if (r->h->steals) {
		cpupr_ledger_steal(l, ticks(r, now), r->stolen * r->h->scale);
		model_steal(m, now, r->stolen);
	} else {
		cpupr_ledger_account(l, ticks(r, now));
		model_walk(m, now);
	}
}

/* What was told late was shown as something else: then it is what is shown that is monotone. */
static bool shown_stays(struct run *r, const struct cpupr_ledger *l)
{
	u64 now[CPUPR_NR_CATEGORIES], last[CPUPR_NR_CATEGORIES], sum = 0;
	bool bad = false;
	int i;

	memcpy(now, l->time, sizeof(now));
	memcpy(last, r->shown, sizeof(last));
	cpupr_keep_shown(now, r->shown);
	for (i = 0; i < CPUPR_NR_CATEGORIES; i++) {
		if (now[i] < last[i])
			bad |= differ(r, names[i], now[i], last[i]);
		sum += now[i];
	}
	return !(bad | differ(r, "the sum shown", sum, cpupr_ledger_elapsed(l)));
}

/*
 * Where the clocks of other CPUs are off, a wake-up can be stamped before an
 * instant that a reader has already seen as iowait. Then only the sum of idle
 * and iowait is monotone.
 */
static bool monotone(struct run *r, const struct cpupr_ledger *l)
{
	u64 now[CPUPR_NR_CATEGORIES];
	bool bad = false;
	int i;

	memcpy(now, l->time, sizeof(now));
	if (r->h->skew) {
		now[CPUPR_IDLE] += now[CPUPR_IOWAIT];
		now[CPUPR_IOWAIT] = 0;
	}
	for (i = 0; i < CPUPR_NR_CATEGORIES; i++)
		if (now[i] < r->shown[i])
			bad |= differ(r, names[i], now[i], r->shown[i]);
	memcpy(r->shown, now, sizeof(now));
	return !bad;
}

/* Look at copies, at up to three instants before @next. */
static bool readers(struct run *r, s64 next)
{
	s64 at = latest(r);
	int n = (int)below(4);

	r->event = "read";
	while (n--) {
		struct cpupr_ledger copy = r->ledger;
		struct model model = r->model;

		if (r->model.online) {
			s64 last = at;

			if (next > at)
				at += below((unsigned int)(next - at) + 1);
			if (!r->h->late)
				steal(r, at - last);
			account(r, &copy, &model, at);
			cpupr_ledger_guest_leave(&copy, ticks(r, at));
		}
		if (!agree(r, &copy, &model) || !(r->h->late ? shown_stays : monotone)(r, &copy))
			return false;
	}
	r->seen = at;
	return true;
}

static int any_base(void)
{
	static const int bases[] = {
		CPUPR_USER, CPUPR_NICE, CPUPR_SYSTEM, CPUPR_IDLE, CPUPR_IOWAIT,
	};

	return bases[below(5)];
}

/* The row's clock stepped back: what readers saw of the open interval is undone. */
static void step_back(struct run *r, s64 *now)
{
	*now = r->model.clock - 1 - below(40);
	r->seen = *now;
	memset(r->shown, 0, sizeof(r->shown));
}

static void change_clock(struct run *r, s64 now)
{
	static const struct { u32 mult, shift; } scales[] = {
		{ 1, 0 }, { 1431655765, 32 }, { 3, 1 }, { 4294967295, 32 }, { 5, 2 },
	};
	unsigned int i = below(sizeof(scales) / sizeof(scales[0]));
	s64 new = below(100000);

	account(r, &r->ledger, &r->model, now);
	cpupr_ledger_rescale(&r->ledger, ticks(r, new), scales[i].mult, scales[i].shift);
	model_rescale(&r->model, new, scales[i].mult, scales[i].shift);
	memset(r->shown, 0, sizeof(r->shown));
	r->seen = new;
	r->stolen = r->model.stolen;
}

static void transition(struct run *r, s64 now)
{
	struct cpupr_ledger *l = &r->ledger;
	struct model *m = &r->model;
	u64 t = ticks(r, now);
	int base, depth;
	u64 boundary;
	s64 woken;

	if (r->h->late && now > m->clock)
		steal(r, now - m->clock + 8);
	/* Nothing is seen of the guest but how long it runs; then see cpupr_ledger_guest_enter(). */
	if (l->in_guest && !below(4)) {
		r->event = "account of a guest";
		account(r, l, m, now);
		return;
	}
	if (l->in_guest) {
		account(r, l, m, now);
		cpupr_ledger_guest_leave(l, t);
		model_host(m, now);
	}
	/* See cpupr_ledger_close(). */
	if (l->at.category == CPUPR_IOWAIT || r->h->steals)
		account(r, l, m, now);
	if (r->storm) {
		r->storm--;
		/* Hundreds of entries, then as many exits, of one kind and then of the other. */
		depth = r->storm / 600 % 2 ? 1 : -1;
		if (r->storm & 1 << 11) {
			r->event = "softirq storm";
			if (depth > 0)
				cpupr_ledger_softirq_enter(l, t);
			else
				cpupr_ledger_softirq_exit(l, t);
			model_softirq(m, now, depth);
		} else {
			r->event = "irq storm";
			if (depth > 0)
				cpupr_ledger_irq_enter(l, t);
			else
				cpupr_ledger_irq_exit(l, t);
			model_irq(m, now, depth);
		}
		return;
	}

	switch (below(17)) {
	case 0:
		r->event = "base";
		base = any_base();
		cpupr_ledger_base(l, t, (enum cpupr_category)base);
		model_base(m, now, base);
		break;
	case 1:
	case 2:
		r->event = "switch";
		base = any_base();
		depth = below(8) ? 0 : (int)below(3);
		cpupr_ledger_switch(l, t, (enum cpupr_category)base, (u16)depth);
		model_switch(m, now, base, depth);
		break;
	case 3:
	case 4:
		r->event = "user";
		base = below(4) ? CPUPR_USER : CPUPR_NICE;
		boundary = below(2) ? below(40) : 0;
		cpupr_ledger_user(l, t, (enum cpupr_category)base, boundary * r->h->scale);
		model_user(m, now, base, boundary);
		break;
	case 5:
	case 6:
		r->event = "irq entry";
		cpupr_ledger_irq_enter(l, t);
		model_irq(m, now, 1);
		break;
	case 7:
	case 8:
		r->event = "irq exit";
		if (cpupr_ledger_irq_of_user(l) && below(2))
			cpupr_ledger_irq_exit_user(l, t);
		else
			cpupr_ledger_irq_exit(l, t);
		model_irq(m, now, -1);
		break;
	case 9:
		r->event = "softirq entry";
		cpupr_ledger_softirq_enter(l, t);
		model_softirq(m, now, 1);
		break;
	case 10:
		r->event = "softirq exit";
		cpupr_ledger_softirq_exit(l, t);
		model_softirq(m, now, -1);
		break;
	case 11:
		/* A task that runs here: the CPU is not waiting for another one. */
		r->event = "sleep";
		if (m->base == CPUPR_IOWAIT)
			break;
		cpupr_ledger_iowait_begin(l);
		model_sleep(m);
		break;
	case 12:
		/* Now, or by a clock that is ahead or behind, or one too many. */
		r->event = "wake";
		if (m->sleepers <= 0 && !r->h->skew)
			break;
		woken = latest(r);
		if (r->h->skew)
			woken += (s64)below(2 * r->h->skew + 1) - r->h->skew;
		cpupr_ledger_iowait_end(l, ticks(r, woken));
		model_wake(m, woken);
		break;
	case 13:
		if (r->h->storms && chance(40)) {
			r->storm = (int)below(4000);
			break;
		}
		r->event = "account";
		cpupr_ledger_account(l, t);
		model_walk(m, now);
		break;
	case 14:
		r->event = "system";
		cpupr_ledger_system(l, t);
		model_switch(m, now, CPUPR_SYSTEM, 0);
		break;
	case 15:
		r->event = "guest";
		base = below(4) ? CPUPR_USER : CPUPR_NICE;
		cpupr_ledger_guest_enter(l, t, (enum cpupr_category)base);
		model_guest(m, now, base);
		break;
	case 16:
		r->event = "host";
		cpupr_ledger_guest_leave(l, t);
		model_host(m, now);
		break;
	}
}

static void event(struct run *r, s64 now)
{
	const struct history *h = r->h;
	int base;

	if (!r->model.online) {
		if (chance(200)) {
			r->event = "online";
			base = any_base();
			now += below(1000);
			cpupr_ledger_online(&r->ledger, ticks(r, now), (enum cpupr_category)base);
			model_online(&r->model, now, base);
			r->seen = now;
		}
		return;
	}
	if (chance(h->steps_back))
		step_back(r, &now);
	if (chance(h->hotplug)) {
		r->event = "offline";
		if (h->steals)
			account(r, &r->ledger, &r->model, now);
		cpupr_ledger_offline(&r->ledger, ticks(r, now));
		model_offline(&r->model, now);
	} else if (chance(h->rescales)) {
		r->event = "rescale";
		change_clock(r, now);
	} else {
		transition(r, now);
	}
}

static bool history(const struct history *h)
{
	struct run r = { .h = h };

	random_state = h->seed;
	cpupr_ledger_online(&r.ledger, ticks(&r, 0), CPUPR_IDLE);
	model_online(&r.model, 0, CPUPR_IDLE);
	for (r.number = 0; r.number < h->events; r.number++) {
		s64 now = latest(&r) + below(12);

		if (!readers(&r, now))
			return false;
		event(&r, now);
		if (!agree(&r, &r.ledger, &r.model))
			return false;
	}
	return true;
}

int main(void)
{
	unsigned int i;

	ktap_plan(NR_HISTORIES);
	for (i = 0; i < NR_HISTORIES; i++)
		ktap_result(history(&histories[i]), histories[i].name);
	return ktap_exit();
}
