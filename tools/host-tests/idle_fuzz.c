// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: random stays in the states of random drivers, the same ones in
 * every run.
 *
 * At the end of each life of a CPU all that was counted must be what the
 * reference model makes of its log, and the sums must hold: stays, what ended
 * them and their times are the same ones in three orders.
 */
#include "draw.h"
#include "ktap.h"
#include "idle_model.h"

struct kind {
	const char *name;
	u64 seed;
	unsigned int lives;
	unsigned int drivers;	/* that come and go */
	unsigned int variety;	/* of the states that they are made of */
	unsigned int sources;	/* interrupts */
	unsigned int unwatched;	/* in 1024 stays */
	bool huge;		/* times of up to 2^64 - 1 */
	bool wild;		/* interrupts that make no sense */
};

static const struct kind kinds[] = {
	{ "one driver", 1, 150, 1, 40, 10, 0, false, false },
	{ "drivers that come and go", 2, 150, 3, 2, 10, 10, false, false },
	{ "more states than slots", 3, 150, 6, 3, 10, 10, false, false },
	{ "more interrupts than entries", 4, 150, 2, 3, 90, 10, false, false },
	{ "times that overflow", 5, 150, 4, 3, 40, 10, true, false },
	{ "interrupts in any order", 6, 150, 2, 3, 40, 60, true, true },
};

#define NR_KINDS	(sizeof(kinds) / sizeof(kinds[0]))

#define DRIVERS		8
#define GIVEN		12	/* states of a driver: more than are taken */

struct driver {
	unsigned int states;
	struct cpupr_idle_info info[GIVEN];
};

struct life {
	const struct kind *k;
	struct driver driver[DRIVERS];
	const struct driver *now;
	unsigned int states;	/* of it, that are taken */
	bool watched;
	struct cpupr_idle_books books;
	struct idle_model model;
};

static bool differ(const struct life *l, const char *what, u64 got, u64 want)
{
	if (got == want)
		return false;
	ktap_note("%s, stay %u: %s is %llu, should be %llu", l->k->name, l->model.stays, what,
		  (unsigned long long)got, (unsigned long long)want);
	return true;
}

static void make_state(struct life *l, struct cpupr_idle_info *info)
{
	unsigned int v = l->k->variety;

	memset(info, 0, sizeof(*info));
	snprintf(info->name, sizeof(info->name), "a-long-name-%u", below(v));
	info->polling = !below(4);
	if (l->k->huge) {
		info->exit_latency = below(4) ? any_bits() : ~0ULL;
		info->target_residency = below(4) ? any_bits() : ~0ULL;
	} else {
		info->exit_latency = 10 * below(v);
		info->target_residency = 100 * below(v);
	}
}

static bool take_driver(struct life *l)
{
	struct cpupr_idle_books *b = &l->books;
	bool bad = false;
	unsigned int n;

	l->now = &l->driver[below(l->k->drivers)];
	/* None at all, now and then */
	l->states = chance(100) ? 0 : l->now->states;
	cpupr_idle_driver(b, l->now->info, l->states);
	if (l->states > CPUPR_IDLE_STATES)
		l->states = CPUPR_IDLE_STATES;
	bad |= differ(l, "the number of states", b->states, l->states);
	for (n = 0; n < l->states; n++)
		bad |= differ(l, "a slot", (u64)(b->slot_of[n] - b->slot),
			      idle_model_slot(&l->model, n, &l->now->info[n]));
	return !bad;
}

static u8 any_cause(struct life *l, bool *bad)
{
	unsigned long key = below(l->k->sources) / 2;
	int number = (int)below(2) - 1;
	const char *given = NULL;
	char name[MODEL_LONGEST];
	u8 cause;

	/* Up to twice what is kept, or none. */
	snprintf(name, sizeof(name), "%lu:%*d", key, (int)below(2 * CPUPR_IDLE_CAUSE_NAME), number);
	if (below(8))
		given = name;
	cause = cpupr_idle_cause(&l->books, (void *)key, number, given);
	*bad |= differ(l, "a cause", cause, idle_model_cause(&l->model, key, number, given));
	return cause;
}

static void tell(struct life *l, struct idle_stay *s, struct idle_event e)
{
	s->event[s->events++] = e;
	if (e.softirq)
		cpupr_idle_settle(&l->books, e.resched);
	else
		cpupr_idle_wake(&l->books, e.cause, e.over, e.resched);
}

/* Interrupts and requests of other CPUs, while the state lasts and after it. */
static bool happenings(struct life *l, struct idle_stay *s)
{
	bool over = false, resched = false, bad = false;
	int n = (int)below(MODEL_EVENTS / 2);

	while (n-- > 0) {
		if (l->k->wild) {
			tell(l, s, (struct idle_event){ below(2), any_cause(l, &bad), below(2), below(2) });
			continue;
		}
		over |= !below(3);
		resched |= !below(8);
		tell(l, s, (struct idle_event){ false, any_cause(l, &bad), over, resched });
		/* The handler, or the softirq, may ask for it. */
		resched |= !below(4);
		tell(l, s, (struct idle_event){ true, 0, over, !over && resched });
	}
	return !bad;
}

/* Often at an edge of something; never 2^64 - 1, which stands for no limit. */
static u64 any_residency(struct life *l, const struct idle_stay *s)
{
	u64 at;

	switch (below(6)) {
	case 0:
		at = s->info.target_residency;
		break;
	case 1:
		at = s->info.exit_latency;
		break;
	case 2:
		at = s->info.exit_latency + s->info.target_residency;
		break;
	case 3:
		at = s->info.exit_latency + s->next.target_residency;
		break;
	case 4:
		at = s->next.exit_latency + s->next.target_residency;
		break;
	default:
		at = any_bits();
		break;
	}
	at += below(3) - 1ULL;
	return at == ~0ULL ? at - 1 : at;
}

static bool miss_agrees(struct life *l, unsigned int entered, u64 residency)
{
	u64 disabled = below(2) ? draw() & draw() : 0;
	const struct cpupr_idle_info *info = l->now->info;

	return !differ(l, "too deep or too shallow",
		       (u64)cpupr_idle_miss(info, l->states, disabled, entered, residency),
		       (u64)idle_model_miss(info, l->states, disabled, entered, residency));
}

/* A number of a state that the driver has, or of none: without the driver. */
static int any_state(struct life *l)
{
	return l->states && below(16) ? (int)below(l->states) : -1;
}

static bool stay(struct life *l)
{
	struct idle_stay *s = &l->model.stay[l->model.stays];
	int asked = any_state(l), entered = below(8) ? asked : any_state(l);
	unsigned int without = below(2) ? CPUPR_IDLE_POLL : CPUPR_IDLE_DEFAULT, slot = without;
	struct cpupr_idle_books *b = &l->books;
	bool ok;

	if (asked >= 0)
		slot = idle_model_slot(&l->model, (unsigned int)asked, &l->now->info[asked]);
	s->polls = slot == CPUPR_IDLE_POLL ||
		   (slot >= CPUPR_IDLE_FIRST && l->now->info[asked].polling);
	s->watched = l->watched;
	cpupr_idle_enter(b, draw(), asked < 0 ? &b->slot[without] : b->slot_of[asked]);

	s->entered = without;
	if (entered >= 0) {
		s->entered = idle_model_slot(&l->model, (unsigned int)entered, &l->now->info[entered]);
		s->info = l->now->info[entered];
		s->last = (unsigned int)entered + 1 == l->states;
		if (!s->last)
			s->next = l->now->info[entered + 1];
	}
	s->known = s->entered >= CPUPR_IDLE_FIRST;
	s->residency = any_residency(l, s);
	s->switched = below(2);

	ok = happenings(l, s);
	if (entered >= 0)
		ok &= miss_agrees(l, (unsigned int)entered, s->residency);
	cpupr_idle_book(b, entered < 0 ? &b->slot[without] : b->slot_of[entered], s->residency,
			s->switched);
	l->model.stays++;
	return ok;
}

static bool slots_agree(const struct life *l)
{
	u64 stays = 0, wakes = 0, time = 0, residencies = 0;
	unsigned int n, i;
	bool bad = false;

	for (n = 0; n < CPUPR_IDLE_SLOTS; n++) {
		const struct cpupr_idle_counts *c = &l->books.slot[n].counts;
		struct cpupr_idle_counts want;

		idle_model_counts(&l->model, n, &want);
		for (i = 0; i < CPUPR_BUCKETS; i++) {
			bad |= differ(l, "a count", c->count[i], want.count[i]);
			bad |= differ(l, "a time", c->time[i], want.time[i]);
		}
		for (i = 0; i < CPUPR_IDLE_CAUSES; i++) {
			bad |= differ(l, "what ended stays", c->wake[i], want.wake[i]);
			wakes += c->wake[i];
		}
		bad |= differ(l, "less", c->less, want.less);
		bad |= differ(l, "more", c->more, want.more);
		stays += cpupr_idle_usage(c);
		time += cpupr_idle_time(c);
	}
	for (i = 0; i < l->model.stays; i++)
		residencies += l->model.stay[i].residency;
	bad |= differ(l, "the sum of stays", stays, l->model.stays);
	bad |= differ(l, "the sum of what ended them", wakes, l->model.stays);
	bad |= differ(l, "the sum of times", time, residencies);
	return !bad;
}

static bool causes_agree(const struct life *l)
{
	const struct cpupr_idle_cause *cause = &l->books.cause_of[CPUPR_IDLE_CAUSES_FIRST];
	unsigned int i;
	bool bad;

	bad = differ(l, "the number of causes", l->books.causes,
		     CPUPR_IDLE_CAUSES_FIRST + l->model.sources);
	for (i = 0; i < l->model.sources; i++) {
		const struct idle_source *s = &l->model.source[i];

		bad |= differ(l, "a key", (unsigned long)cause[i].key, s->key);
		bad |= differ(l, "a number", (u64)cause[i].number, (u64)s->number);
		bad |= differ(l, "a name's difference", strcmp(cause[i].name, s->name) != 0, 0);
	}
	return !bad;
}

static bool live(struct life *l)
{
	unsigned int n, i;

	for (n = 0; n < l->k->drivers; n++) {
		l->driver[n].states = 1 + below(GIVEN);
		for (i = 0; i < GIVEN; i++)
			make_state(l, &l->driver[n].info[i]);
	}
	cpupr_idle_init(&l->books);
	l->watched = true;
	if (!take_driver(l))
		return false;
	while (l->model.stays < MODEL_STAYS) {
		if (chance(40) && !take_driver(l))
			return false;
		if (chance(l->watched ? l->k->unwatched : 200)) {
			l->watched = !l->watched;
			cpupr_idle_watched(&l->books, l->watched);
		}
		if (!stay(l))
			return false;
	}
	return slots_agree(l) && causes_agree(l);
}

static bool lives(const struct kind *k)
{
	static struct life life;
	unsigned int n;

	for (n = 0; n < k->lives; n++) {
		memset(&life, 0, sizeof(life));
		life.k = k;
		random_state = k->seed << 32 | n;
		if (!live(&life)) {
			ktap_note("in life %u", n);
			return false;
		}
	}
	return true;
}

/* Beyond 2^50 ns of cost, the result is not exact: see cpupr_idle_cost_pct(). */
static bool costs(void)
{
	u64 usage, latency, elapsed, cost, got, want;
	unsigned int n;

	for (n = 0; n < 200000; n++) {
		usage = any_bits();
		latency = any_bits();
		elapsed = any_bits() | 1ULL << 40;
		if (__builtin_mul_overflow(usage, latency, &cost))
			continue;
		got = cpupr_idle_cost_pct(usage, latency, elapsed);
		want = idle_model_cost_pct(usage, latency, elapsed);
		if (got == want ||
		    (cost >> 50 && got + 1 + (want >> 24) >= want && got <= want + 1 + (want >> 24)))
			continue;
		ktap_note("%llu stays of %llu in %llu: %llu, should be %llu",
			  (unsigned long long)usage, (unsigned long long)latency,
			  (unsigned long long)elapsed, (unsigned long long)got,
			  (unsigned long long)want);
		return false;
	}
	return true;
}

int main(void)
{
	unsigned int i;

	ktap_plan(NR_KINDS + 1);
	for (i = 0; i < NR_KINDS; i++)
		ktap_result(lives(&kinds[i]), kinds[i].name);
	ktap_result(costs(), "costs");
	return ktap_exit();
}
