// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event names as perf spells them: what each of them stands for. See event.h.
 *
 * Pure: also built by KUnit and on the host. The one other header says what
 * the numbers of events are; user space has it too.
 */
#include <linux/perf_event.h>

#include <cpuprecise/event.h>

#include "piece.h"

#define HARDWARE(text, count)						\
	{ .name = (text), .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_##count }
#define SOFTWARE(text, count, is_modeless)				\
	{ .name = (text), .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_##count,	\
	  .modeless = (is_modeless) }

/* Events that have a name of their own. */
static const struct named_event {
	const char *name;
	u32 type;
	u64 config;
	bool modeless;	/* its count has nothing to do with the CPU's mode */
} named_events[] = {
	HARDWARE("cycles", CPU_CYCLES),
	HARDWARE("instructions", INSTRUCTIONS),
	HARDWARE("ref-cycles", REF_CPU_CYCLES),
	HARDWARE("cache-references", CACHE_REFERENCES),
	HARDWARE("cache-misses", CACHE_MISSES),
	HARDWARE("branches", BRANCH_INSTRUCTIONS),
	HARDWARE("branch-misses", BRANCH_MISSES),
	HARDWARE("bus-cycles", BUS_CYCLES),
	HARDWARE("stalled-cycles-frontend", STALLED_CYCLES_FRONTEND),
	HARDWARE("stalled-cycles-backend", STALLED_CYCLES_BACKEND),
	SOFTWARE("cpu-clock", CPU_CLOCK, true),
	SOFTWARE("task-clock", TASK_CLOCK, true),
	SOFTWARE("page-faults", PAGE_FAULTS, false),
	SOFTWARE("minor-faults", PAGE_FAULTS_MIN, false),
	SOFTWARE("major-faults", PAGE_FAULTS_MAJ, false),
	SOFTWARE("context-switches", CONTEXT_SWITCHES, true),
	SOFTWARE("cpu-migrations", CPU_MIGRATIONS, false),
	SOFTWARE("alignment-faults", ALIGNMENT_FAULTS, false),
	SOFTWARE("emulation-faults", EMULATION_FAULTS, false),
};

#define READS		(1U << PERF_COUNT_HW_CACHE_OP_READ)
#define WRITES		(1U << PERF_COUNT_HW_CACHE_OP_WRITE)
#define PREFETCHES	(1U << PERF_COUNT_HW_CACHE_OP_PREFETCH)

/* Caches, and what perf takes to be done with each of them. */
static const struct cache {
	const char *name;
	u64 number;
	unsigned int operations;
} caches[] = {
	{ "L1-dcache", PERF_COUNT_HW_CACHE_L1D, READS | WRITES | PREFETCHES },
	{ "L1-icache", PERF_COUNT_HW_CACHE_L1I, READS | PREFETCHES },
	{ "LLC", PERF_COUNT_HW_CACHE_LL, READS | WRITES | PREFETCHES },
	{ "dTLB", PERF_COUNT_HW_CACHE_DTLB, READS | WRITES | PREFETCHES },
	{ "iTLB", PERF_COUNT_HW_CACHE_ITLB, READS },
	{ "branch", PERF_COUNT_HW_CACHE_BPU, READS },
	{ "node", PERF_COUNT_HW_CACHE_NODE, READS | WRITES | PREFETCHES },
};

/* What is counted of a cache: behind its name. */
static const struct cache_access {
	const char *suffix;
	u64 operation;
	u64 result;
} cache_accesses[] = {
	{ "-loads", PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "-load-misses", PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS },
	{ "-stores", PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "-store-misses", PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_MISS },
	{ "-prefetches", PERF_COUNT_HW_CACHE_OP_PREFETCH, PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "-prefetch-misses", PERF_COUNT_HW_CACHE_OP_PREFETCH, PERF_COUNT_HW_CACHE_RESULT_MISS },
};

#define EVENT_NR(array)	(sizeof(array) / sizeof((array)[0]))

/* @to is zeroed. */
static int copy_part(char to[CPUPR_EVENT_PART], struct piece p)
{
	if (p.len >= CPUPR_EVENT_PART)
		return -ENAMETOOLONG;
	memcpy(to, p.at, p.len);
	return 0;
}

static int parse_modifiers(struct cpupr_event *e, struct piece p)
{
	bool user = is_text(p, "u"), kernel = is_text(p, "k");

	if (!user && !kernel && !is_text(p, "uk") && !is_text(p, "ku"))
		return -EINVAL;
	e->no_user = kernel;
	e->no_kernel = user;
	return 0;
}

static int parse_raw(struct cpupr_event *e, struct piece p)
{
	size_t i;

	if (p.len < 2 || p.at[0] != 'r')
		return -ENOENT;
	for (i = 1; i < p.len; i++)
		if (digit(p.at[i]) >= 16)
			return -ENOENT;
	if (p.len > 1 + 16)
		return -EINVAL;
	e->type = PERF_TYPE_RAW;
	return parse_number(&e->config, (struct piece){ p.at + 1, p.len - 1 }, 16);
}

static int find_access(struct cpupr_event *e, const struct cache *cache, struct piece suffix)
{
	unsigned int i;

	for (i = 0; i < EVENT_NR(cache_accesses); i++) {
		const struct cache_access *a = &cache_accesses[i];

		if (!(cache->operations >> a->operation & 1) || !is_text(suffix, a->suffix))
			continue;
		e->type = PERF_TYPE_HW_CACHE;
		e->config = cache->number | a->operation << 8 | a->result << 16;
		return 0;
	}
	return -ENOENT;
}

static int find_cache(struct cpupr_event *e, struct piece p)
{
	unsigned int i;

	for (i = 0; i < EVENT_NR(caches); i++) {
		size_t len = strlen(caches[i].name);

		if (p.len > len && !memcmp(p.at, caches[i].name, len))
			return find_access(e, &caches[i], (struct piece){ p.at + len, p.len - len });
	}
	return parse_raw(e, p);
}

static int find_name(struct cpupr_event *e, struct piece p, bool modified)
{
	unsigned int i;

	for (i = 0; i < EVENT_NR(named_events); i++) {
		if (!is_text(p, named_events[i].name))
			continue;
		/* A number that means something else is worse than none. */
		if (named_events[i].modeless && modified)
			return -EINVAL;
		e->type = named_events[i].type;
		e->config = named_events[i].config;
		return 0;
	}
	return find_cache(e, p);
}

/* @group and what follows its colon. */
static int parse_tracepoint(struct cpupr_event *e, struct piece group, struct piece event)
{
	struct piece modifiers;
	bool modified = cut(&event, ':', &modifiers);
	int err;

	if (!is_word(event, '_'))
		return -EINVAL;
	/* It was meant as an event's modifier. */
	if (!modified && !parse_modifiers(e, event))
		return -ENOENT;
	e->kind = CPUPR_EVENT_TRACEPOINT;
	e->type = PERF_TYPE_TRACEPOINT;
	err = copy_part(e->group, group);
	if (!err)
		err = copy_part(e->event, event);
	if (!err && modified)
		err = parse_modifiers(e, modifiers);
	return err;
}

static int parse_words(struct cpupr_event *e, struct piece p)
{
	struct piece rest;
	bool more = cut(&p, ':', &rest);
	int err;

	if (!is_word(p, '_'))
		return -EINVAL;
	err = find_name(e, p, more);
	if (!more)
		return err;
	if (err == -ENOENT)
		return parse_tracepoint(e, p, rest);
	return err ? err : parse_modifiers(e, rest);
}

static int parse_term(struct cpupr_event *e, struct piece term, unsigned int *given)
{
	static const char * const names[] = { "config", "config1", "config2" };
	u64 *const to[] = { &e->config, &e->config1, &e->config2 };
	struct piece value;
	unsigned int i;

	if (!cut(&term, '=', &value))
		return -EINVAL;
	for (i = 0; i < EVENT_NR(names); i++) {
		if (!is_text(term, names[i]) || *given >> i & 1)
			continue;
		*given |= 1U << i;
		return parse_value(to[i], value);
	}
	return -EINVAL;
}

/* @pmu and what follows its slash. */
static int parse_pmu(struct cpupr_event *e, struct piece pmu, struct piece terms)
{
	struct piece modifiers, next;
	unsigned int given = 0;
	bool more = true;

	/* Those of PCI devices have dots. */
	if (!is_word(pmu, '.') || !cut(&terms, '/', &modifiers))
		return -EINVAL;
	for (; more; terms = next) {
		more = cut(&terms, ',', &next);
		if (parse_term(e, terms, &given))
			return -EINVAL;
	}
	if (!(given & 1))
		return -EINVAL;
	e->kind = CPUPR_EVENT_PMU;
	if (modifiers.len > 1 && modifiers.at[0] == ':')
		modifiers = (struct piece){ modifiers.at + 1, modifiers.len - 1 };
	if (modifiers.len && parse_modifiers(e, modifiers))
		return -EINVAL;
	return copy_part(e->group, pmu);
}

/**
 * cpupr_event_parse() - what a name stands for
 * @e: filled; of no use if an error is returned
 * @name: NAME, TRACEPOINT-SYSTEM:TRACEPOINT, rHEX or PMU/config=N,.../, each of
 *	them with :u (user mode only), :k (kernel only) or :uk behind it. Need
 *	not end with a NUL
 * @len: its bytes
 *
 * Clocks and context switches take no modifier: a clock goes on in each mode,
 * whatever it is told, and each switch is one in the kernel.
 *
 * Return: 0; -EINVAL if it is malformed; -ENAMETOOLONG; -ENOENT if no event has
 * that name.
 */
int cpupr_event_parse(struct cpupr_event *e, const char *name, size_t len)
{
	struct piece p = { name, len }, terms;

	if (len >= CPUPR_EVENT_NAME)
		return -ENAMETOOLONG;
	memset(e, 0, sizeof(*e));
	memcpy(e->name, name, len);
	return cut(&p, '/', &terms) ? parse_pmu(e, p, terms) : parse_words(e, p);
}

/**
 * cpupr_event_same() - do two names count the same?
 * @a: one; both were looked up, or neither
 * @b: the other
 */
bool cpupr_event_same(const struct cpupr_event *a, const struct cpupr_event *b)
{
	return a->kind == b->kind && a->type == b->type && a->config == b->config &&
	       a->config1 == b->config1 && a->config2 == b->config2 &&
	       !strcmp(a->group, b->group) && !strcmp(a->event, b->event) &&
	       a->no_user == b->no_user && a->no_kernel == b->no_kernel;
}

/**
 * cpupr_event_next() - the first name of a list
 * @list: names, with blanks, tabs, newlines or commas between them; a comma
 *	between the slashes of PMU/config=N,.../ belongs to the name
 * @len: bytes of the list; becomes those of the name. The list goes on behind it
 *
 * Return: the name, without a NUL at its end; NULL if there is none.
 */
const char *cpupr_event_next(const char *list, size_t *len)
{
	const char *end = list + *len, *name;
	bool slashes = false;

	while (list < end && (*list == ' ' || *list == '\t' || *list == '\n' || *list == ','))
		list++;
	for (name = list; list < end; list++) {
		slashes ^= *list == '/';
		if (*list == ' ' || *list == '\t' || *list == '\n' || (*list == ',' && !slashes))
			break;
	}
	*len = (size_t)(list - name);
	return *len ? name : NULL;
}
