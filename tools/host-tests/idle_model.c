// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reference model of idle states. See idle_model.h.
 */
#include <stdio.h>

#include "idle_model.h"

unsigned int idle_model_slot(struct idle_model *m, unsigned int number,
			     const struct cpupr_idle_info *info)
{
	struct idle_state *s;

	for (s = m->state; s < m->state + m->states; s++)
		if (s->number == number && !strncmp(s->info.name, info->name, CPUPR_IDLE_NAME) &&
		    s->info.polling == info->polling &&
		    s->info.exit_latency == info->exit_latency &&
		    s->info.target_residency == info->target_residency)
			return CPUPR_IDLE_FIRST + (unsigned int)(s - m->state);
	if (m->states == MODEL_STATES)
		return CPUPR_IDLE_OTHER;
	s->number = number;
	s->info = *info;
	return CPUPR_IDLE_FIRST + m->states++;
}

unsigned int idle_model_cause(struct idle_model *m, unsigned long key, int number,
			      const char *name)
{
	const unsigned int room = CPUPR_IDLE_CAUSES - CPUPR_IDLE_CAUSES_FIRST;
	struct idle_source *s;

	for (s = m->source; s < m->source + m->sources; s++)
		if (s->number == number && s->key == key)
			return CPUPR_IDLE_CAUSES_FIRST + (unsigned int)(s - m->source);
	if (m->sources == room)
		return CPUPR_IDLE_REST;
	s->key = key;
	s->number = number;
	snprintf(s->name, CPUPR_IDLE_CAUSE_NAME, "%s", name ? name : "");
	return CPUPR_IDLE_CAUSES_FIRST + m->sources++;
}

/* A CPU that stopped: its first interrupt, unless that is none of its business. */
static int halt_ended_by(const struct idle_stay *s)
{
	unsigned int i;

	for (i = 0; i < s->events; i++) {
		const struct idle_event *e = &s->event[i];

		if (!e->softirq)
			return e->over && e->resched ? -1 : e->cause;
	}
	return -1;
}

/*
 * A CPU that polls: whose end was the first to leave a wish to reschedule? If
 * an interrupt found one already, the wish came from elsewhere.
 */
static int poll_ended_by(const struct idle_stay *s)
{
	unsigned int i, before;

	for (i = 0; i < s->events; i++) {
		if (!s->event[i].resched)
			continue;
		if (!s->event[i].softirq)
			return -1;
		for (before = i; before-- > 0; )
			if (!s->event[before].softirq && !s->event[before].over)
				return s->event[before].cause;
	}
	return -1;
}

static unsigned int ended_by(const struct idle_stay *s)
{
	int cause = s->polls ? poll_ended_by(s) : halt_ended_by(s);

	if (cause >= 0)
		return (unsigned int)cause;
	if (!s->watched)
		return CPUPR_IDLE_REST;
	return s->switched ? CPUPR_IDLE_RESCHED : CPUPR_IDLE_NONE;
}

static unsigned __int128 worth(const struct cpupr_idle_info *info)
{
	return (unsigned __int128)info->exit_latency + info->target_residency;
}

static unsigned int bucket_of(u64 ns)
{
	unsigned int k = 0;

	while (ns > 1) {
		ns /= 2;
		k++;
	}
	return k;
}

/* Only what cpupr_idle_book() counts. */
void idle_model_counts(const struct idle_model *m, unsigned int slot,
		       struct cpupr_idle_counts *c)
{
	const struct idle_stay *s;

	memset(c, 0, sizeof(*c));
	for (s = m->stay; s < m->stay + m->stays; s++) {
		if (s->entered != slot)
			continue;
		c->count[bucket_of(s->residency)]++;
		c->time[bucket_of(s->residency)] += s->residency;
		c->wake[ended_by(s)]++;
		if (!s->known)
			continue;
		c->less += s->residency < worth(&s->info);
		c->more += !s->last && s->residency >= worth(&s->next);
	}
}

/* Enabled states on either side; what is below is the nearest one. */
int idle_model_miss(const struct cpupr_idle_info *info, unsigned int states, u64 disabled,
		    unsigned int entered, u64 residency)
{
	const struct cpupr_idle_info *below = NULL;
	unsigned int above = 0, n;

	for (n = states; n-- > 0; ) {
		if (disabled & 1ULL << n)
			continue;
		if (n < entered)
			above++;
		if (n > entered)
			below = &info[n];
	}
	if (info[entered].target_residency > residency)
		return above ? -1 : 0;
	if (!below || info[entered].exit_latency >= residency)
		return 0;
	return (unsigned __int128)below->target_residency + info[entered].exit_latency <= residency;
}

u64 idle_model_cost_pct(u64 usage, u64 exit_latency, u64 elapsed)
{
	unsigned __int128 cost = (unsigned __int128)usage * exit_latency;

	return (u64)(cost * 10000 / elapsed);
}
