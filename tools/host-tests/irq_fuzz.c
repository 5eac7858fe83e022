// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: random histories of the interrupts of a CPU, the same ones in every run.
 *
 * The model is a list of all that ever ran: each has what passed while it was the
 * innermost one. After each event the rows must say what the list does, and add up to
 * the ledger's columns; so must pairs of victims to what rows took; and parts that a
 * reader shows to the whole.
 */
#include "draw.h"
#include "ktap.h"
#include "irq_machine.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

#define EVENTS		2500
#define HANDLERS	24
#define DEPTH		40
#define NONE		(-1)

/**
 * struct history - what happens how often, in 1024 events where nothing else is said
 * @name: what it shows
 * @runs: with as many seeds
 * @origin: of the clock, ticks
 * @scale: ns are ticks * @scale >> IRQ_SHIFT
 * @lines: how many
 * @enter: interrupts begin
 * @goes: handlers go and others come to where they were in memory
 * @missed: of ends and beginnings of softirqs and of switches: what came before was missed
 * @books: are begun and ended
 * @theft: is asked for, or not
 * @tasks: how many
 * @back: the clock steps back
 * @rescale: another clock
 */
struct history {
	const char *name;
	unsigned int runs;
	u64 origin;
	u64 scale;
	unsigned int lines;
	unsigned int enter;
	unsigned int goes;
	unsigned int missed;
	unsigned int books;
	unsigned int theft;
	unsigned int tasks;
	unsigned int back;
	unsigned int rescale;
};

static const struct history histories[] = {
	{ "interrupts and softirqs", 4, 0, IRQ_NS, 4, 300, 0, 0, 0, 0, 4, 0, 0 },
	{ "deep inside of each other", 4, 1000, IRQ_NS / 3, 4, 460, 0, 0, 0, 0, 4, 0, 0 },
	{ "handlers that go and come", 4, -3000ULL, IRQ_NS, 4, 300, 100, 0, 0, 0, 4, 0, 0 },
	{ "more handlers than rows", 4, 0, IRQ_NS, 60, 350, 400, 0, 0, 0, 4, 0, 0 },
	{ "ends and beginnings that were missed", 4, 0, IRQ_NS / 6, 4, 350, 10, 100, 0, 0, 4, 0, 0 },
	{ "booked now and then", 4, 0, IRQ_NS, 4, 350, 10, 0, 30, 0, 4, 0, 0 },
	{ "victims by the hundred", 4, 0, IRQ_NS, 20, 330, 30, 0, 0, 2, 3000, 0, 0 },
	{ "a clock that steps back, another clock", 4, 1ULL << 63, IRQ_NS, 4, 350, 10, 0, 0, 0, 4, 20, 4 },
	{ "all of it at once", 12, 777, IRQ_NS / 7 * 2, 12, 380, 60, 40, 10, 10, 60, 10, 4 },
};

static const char * const names[] = {
	"eth0", "nvme0q1", "", NULL, "(null)", "a name with spaces",
	"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJK",
	"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL",
	"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJ",
};

/**
 * struct interval - one of an interrupt or a softirq
 * @row: the number of its row
 * @ticks: while it was the innermost one
 * @over: it ended
 * @ns: of @ticks, when it ended
 * @stolen: theft was asked for when it ended
 * @victim: the task that ran then
 */
struct interval {
	unsigned int row;
	u64 ticks;
	bool over;
	u64 ns;
	bool stolen;
	u64 victim;
};

/* Of a softirq, what is not in the list. */
struct softirq {
	u64 raised;
	u64 daemon;
	u64 delays;
	u64 delay;
	u64 delay_max;
	u64 delay_hist[CPUPR_BUCKETS];
};

static struct run {
	const struct history *h;
	struct irq_machine m;
	u64 clock;
	struct irq_handler handler[HANDLERS];

	struct interval list[2 * EVENTS + DEPTH];
	unsigned int intervals;
	int stack[DEPTH];		/* of the list, the outermost first; NONE: nobody knows */
	unsigned int depth;
	u64 left;			/* whose end was missed: the next one's */
	u64 unseen;			/* of the irq column: while nothing was booked by name */
	unsigned int softirqs;		/* depth */
	int softirq;			/* the number of the one that began last */
	u64 soft_ticks;			/* since one ended */
	u64 soft_unseen;
	struct softirq soft[CPUPR_SOFTIRQS];
	struct { s32 line; char name[CPUPR_IRQ_NAME]; } named[CPUPR_IRQ_NAMED];
	unsigned int nameds;
	u64 shown[CPUPR_IRQ_ROWS + 1];

	unsigned int number;
	const char *event;
} r;

static bool differ(const char *what, u64 got, u64 want)
{
	return event_differs(r.h->name, r.number, r.event, what, got, want);
}

static u64 ns_of(u64 ticks)
{
	return mul_u64_u64_shr(ticks, r.h->scale, IRQ_SHIFT);
}

static unsigned int bucket(u64 ns)
{
	unsigned int n = 0;

	while (ns > 1) {
		ns /= 2;
		n++;
	}
	return n;
}

/* --- the model -------------------------------------------------------------------------- */

static int begun(unsigned int row)
{
	r.list[r.intervals] = (struct interval){ .row = row };
	return (int)r.intervals++;
}

static struct interval *innermost(void)
{
	return &r.list[r.stack[r.depth - 1]];
}

/* Time passes, and is whose it is. */
static void pass(u64 now)
{
	u64 ticks = (s64)(now - r.clock) < 0 ? 0 : now - r.clock;

	r.clock = now;
	if (r.depth && r.m.booked)
		innermost()->ticks += ticks;
	else if (r.depth)
		r.unseen += ticks;
	else if (r.softirqs && r.m.booked)
		r.soft_ticks += ticks;
	else if (r.softirqs)
		r.soft_unseen += ticks;
}

static void is_over(struct interval *i)
{
	i->over = true;
	i->ns = ns_of(i->ticks);
	i->stolen = r.m.asked;
	i->victim = r.m.runs;
}

/* The row of a line or an IPI, in the order in which they came. */
static unsigned int named(const struct irq_handler *h)
{
	char name[CPUPR_IRQ_NAME];
	unsigned int i;

	snprintf(name, sizeof(name), "%.47s", h->name ? h->name : "(null)");
	for (i = 0; i < r.nameds; i++)
		if (r.named[i].line == h->number && !strcmp(r.named[i].name, name))
			return CPUPR_IRQ_VECTORS + i;
	if (i == CPUPR_IRQ_NAMED)
		return IRQ_MACHINE_OTHER;
	r.named[i].line = h->number;
	memcpy(r.named[i].name, name, sizeof(name));
	r.nameds++;
	return CPUPR_IRQ_VECTORS + i;
}

static void model_enter(const struct irq_handler *h)
{
	unsigned int row;

	if (r.m.booked) {
		row = h->kind == CPUPR_IRQ_VECTOR ? (unsigned int)h->number % 32 : named(h);
		/* Of so many it is known who goes on. */
		if (r.depth > CPUPR_IRQ_NEST)
			r.stack[r.depth - 1] = NONE;
		r.stack[r.depth] = begun(row);
		r.list[r.stack[r.depth]].ticks = r.left;
		r.left = 0;
	}
	r.depth++;
}

static void model_leave(void)
{
	if (!r.depth)
		return;
	if (!r.m.booked) {
		r.depth--;
		return;
	}
	is_over(innermost());
	r.depth--;
	if (r.depth && r.stack[r.depth - 1] == NONE)
		r.stack[r.depth - 1] = begun(IRQ_MACHINE_OTHER);
}

/* Whoever is in an interrupt is no longer, and of the innermost one nobody has its time. */
static u64 drop_irqs(void)
{
	u64 ticks = r.left;

	r.left = 0;
	if (r.depth && r.m.booked) {
		ticks += innermost()->ticks;
		innermost()->ticks = 0;
	}
	return ticks;
}

static void model_softirq(unsigned int number, u64 now)
{
	struct softirq *s = &r.soft[number];
	u64 delay = now - s->raised;

	r.softirqs++;
	if (!r.m.booked)
		return;
	r.softirq = (int)number;
	if (s->raised && delay <= ~0ULL / 2) {
		s->delays++;
		s->delay += delay;
		s->delay_max = delay > s->delay_max ? delay : s->delay_max;
		s->delay_hist[bucket(ns_of(delay))]++;
	}
	s->raised = 0;
}

static void model_softirq_end(unsigned int number, bool daemon)
{
	struct interval *i;

	if (!r.softirqs)
		return;
	r.softirqs--;
	if (!r.m.booked)
		return;
	i = &r.list[begun(IRQ_MACHINE_SOFTIRQ(number))];
	i->ticks = r.soft_ticks;
	is_over(i);
	r.soft[number].daemon += daemon ? r.soft_ticks : 0;
	r.soft_ticks = 0;
}

/* --- what must be ----------------------------------------------------------------------- */

struct sums {
	u64 count;
	u64 time;
	u64 max;
};

/* What each row has by the list. The innermost one's ticks are open, not yet its row's. */
static void sum_up(struct sums *row)
{
	const struct interval *i;

	memset(row, 0, IRQ_MACHINE_ROWS * sizeof(*row));
	for (i = r.list; i < r.list + r.intervals; i++) {
		if (!i->over && r.m.booked && r.depth && i == innermost())
			continue;
		row[i->row].time += i->ticks;
		row[i->row].count += i->over;
		if (i->over && i->ticks > row[i->row].max)
			row[i->row].max = i->ticks;
	}
}

static u64 open_ticks(unsigned int number)
{
	if (r.depth && innermost()->row == number)
		return innermost()->ticks;
	if (r.softirqs && r.softirq >= 0 && number == IRQ_MACHINE_SOFTIRQ((unsigned int)r.softirq))
		return r.soft_ticks;
	return 0;
}

static bool row_agrees(unsigned int number, const struct sums *sum)
{
	struct cpupr_irq_row *row = irq_machine_row(&r.m, number);
	u64 open = r.m.booked ? irq_machine_open(&r.m, r.clock, row) : 0;
	bool bad = false;

	bad |= differ("the count of a row", row->count, sum->count);
	bad |= differ("its time", row->time, sum->time);
	bad |= differ("its longest", row->max, sum->max);
	bad |= differ("what it has open", open, r.m.booked ? open_ticks(number) : 0);
	if (row->victim != CPUPR_THEFT_NONE && row->victim != CPUPR_THEFT_IDLE)
		bad |= differ("its pair is its own", row->pair->row == row &&
			      row->pair->victim == row->victim, true);
	return !bad;
}

static bool softirq_agrees(unsigned int number)
{
	const struct cpupr_softirq_row *s = &r.m.books.softirq[number];
	const struct softirq *want = &r.soft[number];

	return !(differ("a raise", s->raised, want->raised) |
		 differ("ksoftirqd's share", s->daemon, want->daemon) |
		 differ("delays", s->delays, want->delays) |
		 differ("the sum of delays", s->delay, want->delay) |
		 differ("the longest delay", s->delay_max, want->delay_max) |
		 differ("buckets of delays",
			!!memcmp(s->delay_hist, want->delay_hist, sizeof(want->delay_hist)), 0));
}

static bool hist_agrees(unsigned int number)
{
	u64 hist[CPUPR_BUCKETS] = { 0 };
	const struct interval *i;

	for (i = r.list; i < r.list + r.intervals; i++)
		if (i->over && i->row == number)
			hist[bucket(i->ns)]++;
	return !differ("buckets of a row",
		       !!memcmp(irq_machine_row(&r.m, number)->hist, hist, sizeof(hist)), 0);
}

/* All that rows have, and what is open, is all that the columns have. */
static bool columns_agree(void)
{
	const struct cpupr_ledger *l = &r.m.ledger;
	u64 irq = r.left + r.unseen, softirq = r.soft_unseen;
	unsigned int i;

	for (i = 0; i <= IRQ_MACHINE_OTHER; i++)
		irq += irq_machine_row(&r.m, i)->time + (r.m.booked ? open_ticks(i) : 0);
	for (; i < IRQ_MACHINE_ROWS; i++)
		softirq += irq_machine_row(&r.m, i)->time;
	return !(differ("the sum of rows", irq, l->time[CPUPR_IRQ]) |
		 differ("the sum of softirqs", softirq + r.soft_ticks, l->time[CPUPR_SOFTIRQ]));
}

/* What is in the list of @pair: all, if none ever made room. */
static bool pair_agrees(const struct cpupr_theft_pair *pair)
{
	u64 count = 0, time = 0;
	const struct interval *i;

	if (!pair->row)
		return true;
	for (i = r.list; i < r.list + r.intervals; i++) {
		if (!i->stolen || i->victim != pair->victim ||
		    irq_machine_row(&r.m, i->row) != pair->row)
			continue;
		count++;
		time += i->ticks;
	}
	if (r.m.theft.evicted)
		return !differ("a pair has more than there was",
			       pair->count > count || pair->time > time, false);
	return !(differ("the count of a pair", pair->count, count) |
		 differ("its time", pair->time, time));
}

static bool theft_agrees(void)
{
	const struct cpupr_theft *t = &r.m.theft;
	u64 count = t->evicted_count + t->idle.count, time = t->evicted_time + t->idle.time;
	u64 idle = 0, pairs = t->evicted;
	const struct cpupr_theft_pair *p;
	const struct interval *i;

	for (p = t->pair; p < t->pair + CPUPR_THEFT_PAIRS; p++) {
		count += p->count;
		time += p->time;
		pairs += !!p->row;
	}
	for (i = r.list; i < r.list + r.intervals; i++) {
		if (!i->stolen)
			continue;
		count--;
		time -= i->ticks;
		if (i->victim == CPUPR_THEFT_IDLE)
			idle += i->ticks;
	}
	return !(differ("what was stolen more often than it was", count, 0) |
		 differ("what was stolen more than there was", time, 0) |
		 differ("what was taken of nobody", t->idle.time, idle) |
		 differ("pairs", pairs, t->born)) &&
	       pair_agrees(&t->pair[below(CPUPR_THEFT_PAIRS)]);
}

/* A reader of the irq column and of rows, that were read a moment apart. */
static bool parts_agree(void)
{
	u64 total = r.m.ledger.time[CPUPR_IRQ] - r.unseen, sum = 0;
	u64 before[CPUPR_IRQ_ROWS + 1], target[CPUPR_IRQ_ROWS + 1];
	unsigned int i;

	memcpy(before, r.shown, sizeof(before));
	for (i = 0; i <= IRQ_MACHINE_OTHER; i++)
		target[i] = irq_machine_row(&r.m, i)->time + open_ticks(i) + below(3);
	cpupr_parts(r.shown, target, IRQ_MACHINE_OTHER + 1, total);
	for (i = 0; i <= IRQ_MACHINE_OTHER; i++) {
		sum += r.shown[i];
		if (differ("a part that fell", r.shown[i] < before[i], false))
			return false;
	}
	return !differ("the sum of parts", sum, total);
}

static bool agrees(void)
{
	static struct sums sum[IRQ_MACHINE_ROWS];
	unsigned int i;

	sum_up(sum);
	if (differ("rows in use", r.m.books.used, CPUPR_IRQ_VECTORS + r.nameds) ||
	    differ("the depth", r.m.ledger.at.irq, r.depth))
		return false;
	for (i = 0; i < IRQ_MACHINE_ROWS; i++)
		if (!row_agrees(i, &sum[i]))
			return false;
	for (i = 0; i < r.nameds; i++)
		if (differ("a name is that", !strcmp(r.m.books.row[CPUPR_IRQ_VECTORS + i].name,
						     r.named[i].name), true))
			return false;
	return softirq_agrees(below(CPUPR_SOFTIRQS)) && hist_agrees(below(IRQ_MACHINE_ROWS)) &&
	       columns_agree() && theft_agrees() && (!r.m.booked || parts_agree());
}

/* --- events ----------------------------------------------------------------------------- */

/* Three of four handlers are looked for where others are. */
static void comes(unsigned int i)
{
	struct irq_handler *h = &r.handler[i];

	h->key = 0x1000ul + i % 6 * 0x20ul + i / 6 * 0x200000ul;
	h->kind = below(8) ? CPUPR_IRQ_LINE : CPUPR_IRQ_IPI;
	h->number = h->kind == CPUPR_IRQ_IPI ? -1 : (s32)below(r.h->lines);
	h->name = names[below(NR(names))];
}

static void enter(u64 now)
{
	struct irq_handler vector = { 0, CPUPR_IRQ_VECTOR, (s32)(0xe0 + below(32)), NULL };
	const struct irq_handler *h = below(3) ? &r.handler[below(HANDLERS)] : &vector;

	r.event = "irq";
	if (r.depth == DEPTH)
		return;
	irq_machine_enter(&r.m, now, h);
	model_enter(h);
}

static void leave(u64 now)
{
	r.event = "irq end";
	irq_machine_leave(&r.m, now);
	model_leave();
}

/* Softirqs do not interrupt each other. */
static void softirq(u64 now)
{
	unsigned int number = below(CPUPR_SOFTIRQS);

	if (r.depth || (r.softirqs && !chance(r.h->missed)))
		return;
	r.event = "softirq";
	irq_machine_softirq(&r.m, now, number);
	model_softirq(number, now);
}

static void softirq_end(u64 now)
{
	unsigned int number = r.softirq < 0 || chance(r.h->missed) ? below(CPUPR_SOFTIRQS) :
			      (unsigned int)r.softirq;
	bool daemon = below(2);

	if (r.depth)
		return;
	r.event = "softirq end";
	model_softirq_end(number, daemon);
	irq_machine_softirq_end(&r.m, now, number, daemon);
}

static void raise_softirq(u64 now)
{
	unsigned int number = below(CPUPR_SOFTIRQS);

	r.event = "raise";
	if (!r.m.booked)
		return;
	cpupr_softirq_raise(&r.m.books, number, now);
	if (!r.soft[number].raised)
		r.soft[number].raised = now;
}

static void switch_to(u64 now, u64 next)
{
	if ((r.depth || r.softirqs) && !chance(r.h->missed))
		return;
	r.event = "switch";
	irq_machine_switch(&r.m, now, next);
	r.left = drop_irqs();
	r.depth = 0;
	r.softirqs = 0;
}

static void goes(unsigned int i)
{
	r.event = "another handler";
	cpupr_irqs_forget(&r.m.books, (void *)r.handler[i].key);
	comes(i);
}

static void book(u64 now)
{
	unsigned int i;

	r.event = "books";
	memset(r.shown, 0, sizeof(r.shown));
	if (r.m.booked) {
		r.unseen += drop_irqs();
		r.soft_unseen += r.soft_ticks;
		r.soft_ticks = 0;
		r.m.booked = false;
		return;
	}
	irq_machine_book(&r.m, now);
	for (i = 0; i < r.depth; i++)
		r.stack[i] = begun(IRQ_MACHINE_OTHER);
	for (i = 0; i < CPUPR_SOFTIRQS; i++)
		r.soft[i].raised = 0;
	r.softirq = NONE;
}

/* One old tick is three new ones, so that all stays exact. */
static void rescale(u64 now)
{
	u64 local = 1 + draw() % (1ULL << 62), waited;
	unsigned int i;

	r.event = "rescale";
	irq_machine_rescale(&r.m, now, local, 3, 0);
	for (i = 0; i < r.intervals; i++)
		r.list[i].ticks *= 3;
	for (i = 0; i < CPUPR_SOFTIRQS; i++) {
		struct softirq *s = &r.soft[i];

		waited = (s64)(now - s->raised) < 0 ? 0 : now - s->raised;
		if (s->raised)
			s->raised = local - 3 * waited;
		s->daemon *= 3;
		s->delay *= 3;
		s->delay_max *= 3;
	}
	r.left *= 3;
	r.unseen *= 3;
	r.soft_ticks *= 3;
	r.soft_unseen *= 3;
	r.clock = local;
	memset(r.shown, 0, sizeof(r.shown));
}

static void account(u64 now)
{
	cpupr_ledger_account(&r.m.ledger, now);
	pass(now);
}

static void event(void)
{
	u64 now = chance(r.h->back) ? r.clock - below(60) : r.clock + below(12);

	account(now);
	if (chance(r.h->goes))
		goes(below(HANDLERS));
	if (chance(r.h->books))
		book(now);
	else if (chance(r.h->theft))
		r.m.asked = r.m.asked ? NULL : &r.m.theft;
	else if (chance(r.h->rescale))
		rescale(now);
	else if (chance(r.h->enter))
		enter(now);
	else if (chance(r.depth ? 800 : 20))
		leave(now);
	else if (chance(300))
		raise_softirq(now);
	else if (chance(500))
		switch_to(now, below(r.h->tasks));
	else if (chance(r.softirqs ? 50 : 900))
		softirq(now);
	else
		softirq_end(now);
}

static bool run(const struct history *h)
{
	unsigned int i;

	memset(&r, 0, sizeof(r));
	r.h = h;
	r.clock = h->origin;
	r.softirq = NONE;
	irq_machine_init(&r.m, h->origin, h->scale);
	for (i = 0; i < HANDLERS; i++)
		comes(i);
	book(h->origin);
	r.m.asked = &r.m.theft;
	for (r.number = 0; r.number < EVENTS; r.number++) {
		event();
		if (!agrees())
			return false;
	}
	return true;
}

static bool history(const struct history *h)
{
	unsigned int i;

	for (i = 0; i < h->runs; i++) {
		random_state = (u64)(h - histories) << 32 | i;
		if (!run(h)) {
			ktap_note("seed %u", i);
			return false;
		}
	}
	return true;
}

int main(void)
{
	unsigned int i;

	ktap_plan(NR(histories));
	for (i = 0; i < NR(histories); i++)
		ktap_result(history(&histories[i]), histories[i].name);
	return ktap_exit();
}
