/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Literal names of events and what they stand for: the tables that the host
 * tests and the KUnit suite share.
 *
 * The numbers are those of include/uapi/linux/perf_event.h, in figures, so that
 * a wrong constant is seen too.
 */
#ifndef CPUPRECISE_EVENT_VECTORS_H
#define CPUPRECISE_EVENT_VECTORS_H

#include <cpuprecise/event.h>

#include "printable.h"

#define EVENT_MAX	(~0ULL)

/**
 * struct event_vector - a name, and what it must stand for
 * @text: as written
 * @want: 0 or the error, negative
 * @e: what it stands for, its name aside
 */
struct event_vector {
	const char *text;
	int want;
	struct cpupr_event e;
};

#define EVENT(name, ...)	{ .text = (name), .e = { __VA_ARGS__ } }
#define WRONG(name, error)	{ .text = (name), .want = -(error) }
#define HARDWARE(name, number)	EVENT(name, .type = 0, .config = (number))
#define SOFTWARE(name, number)	EVENT(name, .type = 1, .config = (number))
#define CACHE(name, number)	EVENT(name, .type = 3, .config = (number))
#define RAW(name, number)	EVENT(name, .type = 4, .config = (number))
#define TRACEPOINT(name, system, word, ...)						\
	EVENT(name, .kind = CPUPR_EVENT_TRACEPOINT, .type = 2, .group = (system),	\
	      .event = (word), ##__VA_ARGS__)
#define PMU(name, pmu, ...)								\
	EVENT(name, .kind = CPUPR_EVENT_PMU, .group = (pmu), ##__VA_ARGS__)

#define NAME_63	"a23456789-123456789-123456789-123456789-123456789-123456789-123"

static const struct event_vector event_vectors[] = {
	/* All names */
	HARDWARE("cycles", 0),
	HARDWARE("instructions", 1),
	HARDWARE("cache-references", 2),
	HARDWARE("cache-misses", 3),
	HARDWARE("branches", 4),
	HARDWARE("branch-misses", 5),
	HARDWARE("bus-cycles", 6),
	HARDWARE("stalled-cycles-frontend", 7),
	HARDWARE("stalled-cycles-backend", 8),
	HARDWARE("ref-cycles", 9),
	SOFTWARE("cpu-clock", 0),
	SOFTWARE("task-clock", 1),
	SOFTWARE("page-faults", 2),
	SOFTWARE("context-switches", 3),
	SOFTWARE("cpu-migrations", 4),
	SOFTWARE("minor-faults", 5),
	SOFTWARE("major-faults", 6),
	SOFTWARE("alignment-faults", 7),
	SOFTWARE("emulation-faults", 8),
	/* All caches, with what perf does not take to be done with them */
	CACHE("L1-dcache-loads", 0x00000),
	CACHE("L1-dcache-load-misses", 0x10000),
	CACHE("L1-dcache-stores", 0x00100),
	CACHE("L1-dcache-store-misses", 0x10100),
	CACHE("L1-dcache-prefetches", 0x00200),
	CACHE("L1-dcache-prefetch-misses", 0x10200),
	CACHE("L1-icache-loads", 0x00001),
	CACHE("L1-icache-load-misses", 0x10001),
	WRONG("L1-icache-stores", ENOENT),
	WRONG("L1-icache-store-misses", ENOENT),
	CACHE("L1-icache-prefetches", 0x00201),
	CACHE("L1-icache-prefetch-misses", 0x10201),
	CACHE("LLC-loads", 0x00002),
	CACHE("LLC-load-misses", 0x10002),
	CACHE("LLC-stores", 0x00102),
	CACHE("LLC-store-misses", 0x10102),
	CACHE("LLC-prefetches", 0x00202),
	CACHE("LLC-prefetch-misses", 0x10202),
	CACHE("dTLB-loads", 0x00003),
	CACHE("dTLB-load-misses", 0x10003),
	CACHE("dTLB-stores", 0x00103),
	CACHE("dTLB-store-misses", 0x10103),
	CACHE("dTLB-prefetches", 0x00203),
	CACHE("dTLB-prefetch-misses", 0x10203),
	CACHE("iTLB-loads", 0x00004),
	CACHE("iTLB-load-misses", 0x10004),
	WRONG("iTLB-stores", ENOENT),
	WRONG("iTLB-store-misses", ENOENT),
	WRONG("iTLB-prefetches", ENOENT),
	WRONG("iTLB-prefetch-misses", ENOENT),
	CACHE("branch-loads", 0x00005),
	CACHE("branch-load-misses", 0x10005),
	WRONG("branch-stores", ENOENT),
	WRONG("branch-store-misses", ENOENT),
	WRONG("branch-prefetches", ENOENT),
	WRONG("branch-prefetch-misses", ENOENT),
	CACHE("node-loads", 0x00006),
	CACHE("node-load-misses", 0x10006),
	CACHE("node-stores", 0x00106),
	CACHE("node-store-misses", 0x10106),
	CACHE("node-prefetches", 0x00206),
	CACHE("node-prefetch-misses", 0x10206),
	/* Names that perf has and this has not, and almost names */
	WRONG("cycle", ENOENT),
	WRONG("cyclesx", ENOENT),
	WRONG("Cycles", ENOENT),
	WRONG("cs", ENOENT),
	WRONG("dummy", ENOENT),
	WRONG("L1-dcache", ENOENT),
	WRONG("L1-dcacheloads", ENOENT),
	WRONG("L1-dcache-", ENOENT),
	WRONG("L1-dcache-load", ENOENT),
	WRONG("L1-dcache-misses", ENOENT),
	WRONG("L1-dcache-loadsx", ENOENT),
	WRONG("l1-dcache-loads", ENOENT),
	WRONG("branch", ENOENT),
	WRONG("-loads", ENOENT),
	/* Raw */
	RAW("r0", 0),
	RAW("r1a8", 0x1a8),
	RAW("rC0", 0xc0),
	RAW("rfedcba9876543210", 0xfedcba9876543210ULL),
	RAW("rFFFFFFFFFFFFFFFF", EVENT_MAX),
	RAW("r0000000000000001", 1),
	WRONG("r00000000000000001", EINVAL),
	WRONG("r10000000000000000", EINVAL),
	WRONG("r", ENOENT),
	WRONG("r0x1", ENOENT),
	WRONG("r1g", ENOENT),
	WRONG("R1", ENOENT),
	WRONG("r-1", ENOENT),
	/* Modifiers */
	EVENT("cycles:u", .type = 0, .config = 0, .no_kernel = true),
	EVENT("cycles:k", .type = 0, .config = 0, .no_user = true),
	HARDWARE("cycles:uk", 0),
	HARDWARE("cycles:ku", 0),
	EVENT("stalled-cycles-backend:u", .type = 0, .config = 8, .no_kernel = true),
	EVENT("page-faults:k", .type = 1, .config = 2, .no_user = true),
	EVENT("dTLB-store-misses:k", .type = 3, .config = 0x10103, .no_user = true),
	EVENT("rbad:u", .type = 4, .config = 0xbad, .no_kernel = true),
	RAW("rbad:uk", 0xbad),
	WRONG("cycles:", EINVAL),
	WRONG("cycles:uu", EINVAL),
	WRONG("cycles:kk", EINVAL),
	WRONG("cycles:uku", EINVAL),
	WRONG("cycles:U", EINVAL),
	WRONG("cycles:p", EINVAL),
	WRONG("cycles:u:k", EINVAL),
	WRONG("cycles::u", EINVAL),
	WRONG("cycles:u:", EINVAL),
	WRONG("cycles:any", EINVAL),
	WRONG("rbad:any", EINVAL),
	/* Where a mode would mean something else */
	WRONG("cpu-clock:u", EINVAL),
	WRONG("task-clock:k", EINVAL),
	WRONG("context-switches:u", EINVAL),
	WRONG("context-switches:uk", EINVAL),
	WRONG("context-switches:any", EINVAL),
	/* Tracepoints */
	TRACEPOINT("sched:sched_switch", "sched", "sched_switch"),
	TRACEPOINT("sched:sched_switch:k", "sched", "sched_switch", .no_user = true),
	TRACEPOINT("sched:sched_switch:u", "sched", "sched_switch", .no_kernel = true),
	TRACEPOINT("sched:sched_switch:uk", "sched", "sched_switch"),
	TRACEPOINT("sched:sched_switch:ku", "sched", "sched_switch"),
	TRACEPOINT("foo:bar", "foo", "bar"),
	TRACEPOINT("_a-1:_-2_", "_a-1", "_-2_"),
	TRACEPOINT("foo:u:k", "foo", "u", .no_user = true),
	TRACEPOINT("foo:uu", "foo", "uu"),
	TRACEPOINT("foo:ux", "foo", "ux"),
	TRACEPOINT("foo:cycles", "foo", "cycles"),
	TRACEPOINT("rcu:rcu_utilization", "rcu", "rcu_utilization"),
	TRACEPOINT(NAME_63 ":" NAME_63, NAME_63, NAME_63),
	WRONG("foo:u", ENOENT),
	WRONG("foo:k", ENOENT),
	WRONG("foo:uk", ENOENT),
	WRONG("foo:ku", ENOENT),
	WRONG("foo", ENOENT),
	WRONG("foo:", EINVAL),
	WRONG(":bar", EINVAL),
	WRONG(":", EINVAL),
	WRONG("::", EINVAL),
	WRONG(":u", EINVAL),
	WRONG("foo:bar:", EINVAL),
	WRONG("foo:bar:x", EINVAL),
	WRONG("foo:bar:u:k", EINVAL),
	WRONG("foo::k", EINVAL),
	WRONG("1foo:bar", EINVAL),
	WRONG("foo:1bar", EINVAL),
	WRONG("foo:ba.r", EINVAL),
	WRONG("fo.o:bar", EINVAL),
	WRONG("foo:b*", EINVAL),
	/* PMUs */
	PMU("cpu/config=1/", "cpu", .config = 1),
	PMU("cpu/config=0/", "cpu", .config = 0),
	PMU("cpu/config=0x1aC,config1=0x2,config2=3/", "cpu", .config = 0x1ac, .config1 = 2, .config2 = 3),
	PMU("cpu/config2=3,config=1/", "cpu", .config = 1, .config2 = 3),
	PMU("cpu/config=010/", "cpu", .config = 10),
	PMU("cpu/config=18446744073709551615/", "cpu", .config = EVENT_MAX),
	PMU("cpu/config=0xffffffffffffffff/", "cpu", .config = EVENT_MAX),
	PMU("cpu/config=0x00ffffffffffffffff/", "cpu", .config = 0xffffffffffffffffULL),
	PMU("uncore_imc-0/config=1/", "uncore_imc-0", .config = 1),
	PMU("i915_0000_03_00.0/config=1/", "i915_0000_03_00.0", .config = 1),
	PMU(NAME_63 "/config=1/", NAME_63, .config = 1),
	PMU("cpu/config=1/u", "cpu", .config = 1, .no_kernel = true),
	PMU("cpu/config=1/k", "cpu", .config = 1, .no_user = true),
	PMU("cpu/config=1/uk", "cpu", .config = 1),
	PMU("cpu/config=1/ku", "cpu", .config = 1),
	PMU("cpu/config=1/:u", "cpu", .config = 1, .no_kernel = true),
	PMU("cpu/config=1/:k", "cpu", .config = 1, .no_user = true),
	PMU("cpu/config=1/:uk", "cpu", .config = 1),
	PMU("cpu/config=1/:ku", "cpu", .config = 1),
	WRONG("cpu/config=1/:", EINVAL),
	WRONG("cpu/config=1/x", EINVAL),
	WRONG("cpu/config=1/::u", EINVAL),
	WRONG("cpu/config=1/u:k", EINVAL),
	WRONG("cpu/config=1/uu", EINVAL),
	WRONG("cpu/config=1", EINVAL),
	WRONG("cpu/", EINVAL),
	WRONG("cpu//", EINVAL),
	WRONG("/config=1/", EINVAL),
	WRONG("/", EINVAL),
	WRONG("//", EINVAL),
	WRONG("cpu/config=1//", EINVAL),
	WRONG("cpu/config=1/u/", EINVAL),
	WRONG("cpu:u/config=1/", EINVAL),
	WRONG("1cpu/config=1/", EINVAL),
	WRONG("cpu/config/", EINVAL),
	WRONG("cpu/config=/", EINVAL),
	WRONG("cpu/=1/", EINVAL),
	WRONG("cpu/config=0x/", EINVAL),
	WRONG("cpu/config=0X1/", EINVAL),
	WRONG("cpu/config=x1/", EINVAL),
	WRONG("cpu/config=1a/", EINVAL),
	WRONG("cpu/config=0x1g/", EINVAL),
	WRONG("cpu/config=-1/", EINVAL),
	WRONG("cpu/config=+1/", EINVAL),
	WRONG("cpu/config= 1/", EINVAL),
	WRONG("cpu/config=1=1/", EINVAL),
	WRONG("cpu/config=18446744073709551616/", EINVAL),
	WRONG("cpu/config=18446744073709551620/", EINVAL),
	WRONG("cpu/config=99999999999999999999/", EINVAL),
	WRONG("cpu/config=0x10000000000000000/", EINVAL),
	WRONG("cpu/config=1,config=1/", EINVAL),
	WRONG("cpu/config=1,config1=1,config1=2/", EINVAL),
	WRONG("cpu/config=1,config2=1,config2=2/", EINVAL),
	WRONG("cpu/config1=1/", EINVAL),
	WRONG("cpu/config1=1,config2=1/", EINVAL),
	WRONG("cpu/config=1,config3=1/", EINVAL),
	WRONG("cpu/config=1,event=1/", EINVAL),
	WRONG("cpu/Config=1/", EINVAL),
	WRONG("cpu/conf=1/", EINVAL),
	WRONG("cpu/config=1,/", EINVAL),
	WRONG("cpu/,config=1/", EINVAL),
	WRONG("cpu/config=1,,config1=1/", EINVAL),
	/* Characters */
	WRONG("", EINVAL),
	WRONG(" ", EINVAL),
	WRONG("cycles ", EINVAL),
	WRONG(" cycles", EINVAL),
	WRONG("cyc,les", EINVAL),
	WRONG("cyc.les", EINVAL),
	WRONG("cyc=les", EINVAL),
	WRONG("cyc@les", EINVAL),
	WRONG("cyc`les", EINVAL),
	WRONG("cyc[les", EINVAL),
	WRONG("cyc{les", EINVAL),
	WRONG("cyc\x80les", EINVAL),
	WRONG("cycles\n", EINVAL),
	WRONG("1cycles", EINVAL),
	WRONG("9", EINVAL),
	/* Lengths: of a part, then of a name */
	WRONG(NAME_63 "4:a", ENAMETOOLONG),
	WRONG("a:" NAME_63 "4", ENAMETOOLONG),
	WRONG(NAME_63 "4/config=1/", ENAMETOOLONG),
	WRONG(NAME_63 "4", ENOENT),
	WRONG(NAME_63 NAME_63 "7", ENOENT),
	WRONG(NAME_63 NAME_63 "78", ENAMETOOLONG),
	WRONG(NAME_63 NAME_63 NAME_63 NAME_63, ENAMETOOLONG),
};

#undef EVENT
#undef WRONG
#undef HARDWARE
#undef SOFTWARE
#undef CACHE
#undef RAW
#undef TRACEPOINT
#undef PMU

/**
 * event_run() - take a name apart
 * @v: the name, and what it must be
 * @text: a copy of it, at the very end of its memory
 * @e: filled; garbage before
 *
 * Return: NULL, or what is wrong.
 */
static inline const char *event_run(const struct event_vector *v, const char *text,
				    struct cpupr_event *e)
{
	int got;

	memset(e, 0xa5, sizeof(*e));
	got = cpupr_event_parse(e, text, strlen(v->text));
	if (got != v->want)
		return "the error";
	if (got)
		return NULL;
	if (strcmp(e->name, v->text))
		return "the name";
	if (e->kind != v->e.kind || e->type != v->e.type)
		return "the kind";
	if (e->config != v->e.config || e->config1 != v->e.config1 || e->config2 != v->e.config2)
		return "a config";
	if (strcmp(e->group, v->e.group) || strcmp(e->event, v->e.event))
		return "a part";
	if (e->no_user != v->e.no_user || e->no_kernel != v->e.no_kernel)
		return "a mode";
	return cpupr_event_same(e, &v->e) ? NULL : "it is not the same";
}

/**
 * struct event_pair - two names
 * @a: one
 * @b: the other
 * @same: they count the same
 */
struct event_pair {
	const char *a;
	const char *b;
	bool same;
};

static const struct event_pair event_pairs[] = {
	{ "cycles", "cycles", true },
	{ "cycles", "cycles:uk", true },
	{ "cycles:uk", "cycles:ku", true },
	{ "cycles", "cycles:u", false },
	{ "cycles", "cycles:k", false },
	{ "cycles:u", "cycles:k", false },
	{ "cycles", "instructions", false },
	{ "cycles", "cpu-clock", false },
	{ "cycles", "r0", false },
	{ "r1", "r01", true },
	{ "rAB", "rab", true },
	{ "r1", "r2", false },
	{ "LLC-loads", "LLC-stores", false },
	{ "a:x", "a:y", false },
	{ "a:x", "b:x", false },
	{ "a:x", "a:x:uk", true },
	{ "cpu/config=0/", "cycles", false },
	{ "cpu/config=10/", "cpu/config=0xa/:ku", true },
	{ "cpu/config=1/u", "cpu/config=1/:u", true },
	{ "cpu/config=1/", "cpu/config=1,config1=0,config2=0/", true },
	{ "cpu/config=1,config1=1/", "cpu/config1=1,config=1/", true },
	{ "cpu/config=1/", "cpu/config=2/", false },
	{ "cpu/config=1/", "cpu/config=1,config1=1/", false },
	{ "cpu/config=1/", "cpu/config=1,config2=1/", false },
	{ "cpu/config=1/", "msr/config=1/", false },
};

static inline bool event_pair_right(const struct event_pair *p, struct cpupr_event *a,
				    struct cpupr_event *b)
{
	if (cpupr_event_parse(a, p->a, strlen(p->a)) || cpupr_event_parse(b, p->b, strlen(p->b)) ||
	    cpupr_event_same(a, b) != p->same || cpupr_event_same(b, a) != p->same)
		return false;
	*b = *a;
	if (!cpupr_event_same(a, b))
		return false;
	/* No two names differ in this alone. */
	b->kind ^= 1;
	return !cpupr_event_same(a, b);
}

/**
 * struct event_list - a list of names
 * @text: as written
 * @names: those that it has, each with a bar behind it
 */
struct event_list {
	const char *text;
	const char *names;
};

static const struct event_list event_lists[] = {
	{ "", "" },
	{ " ", "" },
	{ "\t\n ,, ", "" },
	{ "cycles", "cycles|" },
	{ "cycles\n", "cycles|" },
	{ "a b\tc\nd,e", "a|b|c|d|e|" },
	{ ",a,,b,", "a|b|" },
	{ "\n\t a:b:k, c\t", "a:b:k|c|" },
	{ "cpu/config=1,config1=2/u,cycles", "cpu/config=1,config1=2/u|cycles|" },
	{ "a/b,c/,d,e/f,g/ h", "a/b,c/|d|e/f,g/|h|" },
	/* Nothing but a comma belongs to a name. */
	{ "a/b c d,e", "a/b|c|d|e|" },
	{ "a/b\tc,d", "a/b|c|d|" },
	{ "a/b\nc,d", "a/b|c|d|" },
	/* One slash too few: whoever takes the name apart will say so. */
	{ "a/b,c,d", "a/b,c,d|" },
	{ "a//b,c", "a//b|c|" },
	{ "a\rb", "a\rb|" },
};

/* Returns whether the names of @l are those that it has; @text is a copy of it. */
static inline bool event_list_right(const struct event_list *l, const char *text)
{
	const char *end = text + strlen(l->text), *want = l->names, *name;
	size_t len = (size_t)(end - text);

	while ((name = cpupr_event_next(text, &len))) {
		if (name < text || !len || len > (size_t)(end - name) || memcmp(name, want, len) ||
		    want[len] != '|')
			return false;
		want += len + 1;
		text = name + len;
		len = (size_t)(end - text);
	}
	return !len && !*want;
}

#endif
