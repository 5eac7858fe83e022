// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reference model, one instant at a time. See model.h.
 */
#include "model.h"

static bool is_user(int base)
{
	return base == CPUPR_USER || base == CPUPR_NICE;
}

/* What was the CPU doing in the instant that begins at @at? */
static int doing(struct model *m, s64 at)
{
	if (m->irqs)
		return CPUPR_IRQ;
	if (m->softirqs)
		return CPUPR_SOFTIRQ;
	if (is_user(m->base) && m->credit) {
		m->credit--;
		return CPUPR_SYSTEM;
	}
	if (m->base == CPUPR_IOWAIT && m->sleepers <= 0 && at >= m->woken)
		return CPUPR_IDLE;
	return m->base;
}

/* An event, or a reader's look at a copy, ends what is left of a boundary. */
void model_walk(struct model *m, s64 now)
{
	if (now < m->clock) {
		m->backsteps++;
		m->clock = now;
		m->credit = 0;
		return;
	}
	for (; m->clock < now; m->clock++) {
		m->count[doing(m, m->clock)]++;
		if (m->in_guest)
			m->guest[m->base]++;
		m->elapsed++;
	}
	m->credit = 0;
	/* Nobody waits any more: a later sleeper of this CPU is not waited for. */
	if (!m->irqs && !m->softirqs && m->base == CPUPR_IOWAIT && m->sleepers <= 0)
		m->base = CPUPR_IDLE;
}

void model_online(struct model *m, s64 now, int base)
{
	m->clock = now;
	m->credit = 0;
	m->irqs = 0;
	m->softirqs = 0;
	m->base = base;
	m->online = true;
}

void model_offline(struct model *m, s64 now)
{
	model_host(m, now);
	m->online = false;
}

void model_base(struct model *m, s64 now, int base)
{
	model_walk(m, now);
	m->base = base;
}

void model_switch(struct model *m, s64 now, int base, int softirqs)
{
	model_base(m, now, base);
	m->irqs = 0;
	m->softirqs = softirqs;
}

void model_user(struct model *m, s64 now, int base, u64 boundary)
{
	bool stays = is_user(m->base);

	model_walk(m, now);
	if (!stays)
		m->credit = boundary;
	m->irqs = 0;
	m->softirqs = 0;
	m->base = base;
}

static void nest(struct model *m, int *depth, s64 now, int step)
{
	if (step < 0 && !*depth)
		return;
	model_walk(m, now);
	*depth += step;
}

void model_irq(struct model *m, s64 now, int step)
{
	nest(m, &m->irqs, now, step);
}

void model_softirq(struct model *m, s64 now, int step)
{
	nest(m, &m->softirqs, now, step);
}

void model_guest(struct model *m, s64 now, int base)
{
	model_host(m, now);
	m->in_guest = true;
	m->host = m->base;
	m->irqs = 0;
	m->softirqs = 0;
	m->base = base;
}

void model_host(struct model *m, s64 now)
{
	model_walk(m, now);
	if (m->in_guest)
		m->base = m->host;
	m->in_guest = false;
}

void model_sleep(struct model *m)
{
	m->sleepers++;
}

void model_wake(struct model *m, s64 woken)
{
	m->woken = woken;
	m->sleepers--;
}

/*
 * The last instants of the interval are the stolen ones, as many as are still to
 * be booked, but for those that were booked ahead.
 */
void model_steal(struct model *m, s64 now, u64 stolen)
{
	u64 owed;

	if (stolen > m->stolen)
		m->stolen = stolen;
	owed = m->stolen - m->count[CPUPR_STEAL];
	while (m->clock < now) {
		u64 credit = m->credit;
		int what = doing(m, m->clock);
		bool ahead = m->credit < credit;

		if (!ahead && (u64)(now - m->clock) <= owed)
			what = CPUPR_STEAL;
		m->count[what]++;
		if (m->in_guest && what != CPUPR_STEAL)
			m->guest[what]++;
		m->elapsed++;
		m->clock++;
	}
	/* What else the end of an interval, or a step back, does. */
	model_walk(m, now);
}

/* Only for instants of one tick; the books are closed when it is called. */
void model_rescale(struct model *m, s64 now, u32 numerator, u32 shift)
{
	unsigned __int128 scaled;
	int i;

	model_host(m, m->clock);
	m->elapsed = 0;
	for (i = 0; i < CPUPR_NR_GUEST; i++) {
		scaled = m->guest[i];
		m->guest[i] = (u64)(scaled * numerator / ((u64)1 << shift));
	}
	for (i = 0; i < CPUPR_NR_CATEGORIES; i++) {
		scaled = m->count[i];
		m->count[i] = (u64)(scaled * numerator / ((u64)1 << shift));
		m->elapsed += m->count[i];
	}
	scaled = m->stolen;
	m->stolen = (u64)(scaled * numerator / ((u64)1 << shift));
	m->clock = now;
	m->woken = now;
}
