/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Literal triggers and what they say: the tables that the host tests and the
 * KUnit suite share.
 */
#ifndef CPUPRECISE_TRIGGER_VECTORS_H
#define CPUPRECISE_TRIGGER_VECTORS_H

#include <cpuprecise/trigger.h>

#include "printable.h"

#define TRIGGER_MAX	(~0ULL)

/**
 * struct trigger_vector - a line, and what it must say
 * @text: as written
 * @len: its bytes
 * @spec: what it says, or NULL; a depth of 0 is the greatest
 * @want: the error, negative
 * @why: a word of what is to be said of the error
 */
struct trigger_vector {
	const char *text;
	size_t len;
	const struct cpupr_trigger_spec *spec;
	int want;
	const char *why;
};

#define LINE(line)		.text = (line), .len = sizeof(line) - 1
#define RIGHT(line, letter, as, ...)							\
	{ LINE(line), .spec = &(const struct cpupr_trigger_spec) {			\
		.kind = CPUPR_TRIGGER_##letter, .name = (as), __VA_ARGS__ } }
#define P(line, as, ...)	RIGHT(line, KPROBE, as, __VA_ARGS__)
/* With the options alone to look at. */
#define OPTIONS(text, ...)	P("p f " text, "p_f_0", .target = "f", __VA_ARGS__)
#define R(line, as, ...)	RIGHT(line, KRETPROBE, as, __VA_ARGS__)
#define T(line, as, ...)	RIGHT(line, TRACEPOINT, as, __VA_ARGS__)
#define E(line, as, ...)	RIGHT(line, EVENT, as, __VA_ARGS__)
#define W(line, as, ...)	RIGHT(line, WATCH, as, __VA_ARGS__)
#define U(line, as, ...)	RIGHT(line, UPROBE, as, .user = true, __VA_ARGS__)
#define CYCLES(line, as, ...)								\
	E(line, as, .target = "cycles", .event.name = "cycles", __VA_ARGS__)
#define WRONG(line, word)	{ LINE(line), .want = -EINVAL, .why = (word) }
#define TOO_LONG(line, word)	{ LINE(line), .want = -E2BIG, .why = (word) }
#define UNKNOWN(line, word)	{ LINE(line), .want = -ENOENT, .why = (word) }

#define TEXT_50		"a23456789_b23456789_c23456789_d23456789_e23456789_"
#define TEXT_63		TEXT_50 "f23456789_123"
#define TEXT_250	"" TEXT_50 TEXT_50 TEXT_50 TEXT_50 TEXT_50

static const struct trigger_vector trigger_vectors[] = {
	/* All kinds */
	P("p vfs_read", "p_vfs_read_0", .target = "vfs_read"),
	R("r vfs_read", "r_vfs_read_0", .target = "vfs_read"),
	T("t sched:sched_switch", "t_sched_sched_switch", .target = "sched:sched_switch",
	  .event.group = "sched", .event.event = "sched_switch"),
	CYCLES("e cycles period=1000", "e_cycles", .period = 1000),
	W("w jiffies 8 w", "w_jiffies", .target = "jiffies", .watch_len = 8,
	  .watch = CPUPR_WATCH_WRITE),
	U("u /bin/cat:0x1a0", "u_cat_0x1a0", .target = "/bin/cat", .offset = 0x1a0),
	WRONG("", "kind"),
	WRONG(" \t ", "kind"),
	WRONG("x f", "kind"),
	WRONG("P f", "kind"),
	WRONG("-:f", "kind"),
	WRONG("# f", "kind"),
	WRONG(":name f", "kind"),
	WRONG("\0 f", "kind"),
	WRONG("p\0 f", "kind"),
	WRONG("pf f", "kind"),
	WRONG("p1 f", "kind"),
	WRONG("t1 s:e", "kind"),
	WRONG("e1 cycles freq=1", "kind"),
	WRONG("w1 a 1 w", "kind"),
	WRONG("u1 /a:1", "kind"),
	/* Blanks */
	P("\t p \t vfs_read\t limit=1 ", "p_vfs_read_0", .target = "vfs_read", .limit = 1),
	WRONG("p\nf", "kind"),
	WRONG("p f\n", "symbol"),
	WRONG("p f\r", "symbol"),
	WRONG("p f\0", "symbol"),
	WRONG("p f \0", "option"),
	WRONG("p f limit=1\0", "limit="),
	/* Names */
	P("p:a f", "a", .target = "f"),
	P("p:_A9z f", "_A9z", .target = "f"),
	R("r:name f", "name", .target = "f"),
	T("t:name s:e", "name", .target = "s:e", .event.group = "s", .event.event = "e"),
	CYCLES("e:name cycles freq=1", "name", .freq = 1),
	W("w:name f 1 r", "name", .target = "f", .watch_len = 1, .watch = CPUPR_WATCH_READ),
	U("u:name /f:0", "name", .target = "/f"),
	P("p:" TEXT_63 " f", TEXT_63, .target = "f"),
	TOO_LONG("p:" TEXT_63 "4 f", "name"),
	TOO_LONG("r1:" TEXT_250 " f", "name"),
	WRONG("p: f", "name"),
	WRONG("p:1a f", "name"),
	WRONG("p:a-b f", "name"),
	WRONG("p:a.b f", "name"),
	WRONG("p:a:b f", "name"),
	WRONG("p:a/b f", "name"),
	WRONG("p:a\x80 f", "name"),
	WRONG("p:a\0 f", "name"),
	WRONG("p:a@ f", "name"),
	WRONG("p:a[ f", "name"),
	WRONG("p:a` f", "name"),
	WRONG("p:a{ f", "name"),
	/* Calls open at once */
	R("r1 f", "r_f_0", .target = "f", .max_active = 1),
	R("r4096:name f", "name", .target = "f", .max_active = 4096),
	R("r0x10 f", "r_f_0", .target = "f", .max_active = 16),
	WRONG("r0 f", "kind r"),
	WRONG("r4097 f", "kind r"),
	WRONG("r-1 f", "kind r"),
	WRONG("r1x f", "kind r"),
	WRONG("r18446744073709551617 f", "kind r"),
	WRONG("r1: f", "name"),
	/* Symbols */
	P("p f+0", "p_f_0", .target = "f"),
	P("p f+16", "p_f_16", .target = "f", .offset = 16),
	P("p f+0x1F", "p_f_31", .target = "f", .offset = 31),
	P("p f+2147483647", "p_f_2147483647", .target = "f", .offset = 2147483647),
	P("p a.isra.0", "p_a_isra_0_0", .target = "a.isra.0"),
	P("p $x._9+1", "p__x__9_1", .target = "$x._9", .offset = 1),
	P("p 0", "p_0_0", .target = "0"),
	R("r f+0x0", "r_f_0", .target = "f"),
	W("w f+4 2 rw", "w_f_4", .target = "f", .offset = 4, .watch_len = 2,
	  .watch = CPUPR_WATCH_READ | CPUPR_WATCH_WRITE),
	P("p " TEXT_250 "12345", "p_" TEXT_50 "a23456789_b", .target = TEXT_250 "12345"),
	TOO_LONG("p " TEXT_250 "123456", "target"),
	TOO_LONG("r " TEXT_250 TEXT_250, "target"),
	WRONG("p", "symbol"),
	WRONG("r ", "symbol"),
	WRONG("p +1", "symbol"),
	WRONG("p a-b", "symbol"),
	WRONG("p a:b", "symbol"),
	WRONG("p a/b", "symbol"),
	WRONG("p a,b", "symbol"),
	WRONG("p a\x7f", "symbol"),
	WRONG("p a\xff", "symbol"),
	WRONG("p a\0b", "symbol"),
	WRONG("p limit=1", "symbol"),
	WRONG("p f+", "offset"),
	WRONG("p f+-1", "offset"),
	WRONG("p f+1+1", "offset"),
	WRONG("p f+0x", "offset"),
	WRONG("p f+1a", "offset"),
	WRONG("p f+2147483648", "offset"),
	WRONG("p f+0x10000000000000000", "offset"),
	WRONG("r f+1", "offset"),
	WRONG("r f-1", "symbol"),
	WRONG("r f+x", "offset"),
	/* Addresses */
	P("p 0xffffffff81000000", "p_0xffffffff81000000", .address = 0xffffffff81000000ULL),
	P("p 0xFFFFFFFFFFFFFFFF", "p_0xffffffffffffffff", .address = TRIGGER_MAX),
	R("r 0x000000000000000010", "r_0x10", .address = 16),
	W("w 0xffff888000000000 4 r", "w_0xffff888000000000", .address = 0xffff888000000000ULL,
	  .watch_len = 4, .watch = CPUPR_WATCH_READ),
	WRONG("p 0x", "address"),
	WRONG("p 0x0", "address"),
	WRONG("p 0xg", "address"),
	WRONG("p 0x1+1", "address"),
	WRONG("p 0x10000000000000000", "address"),
	WRONG("r 0x0", "address"),
	WRONG("w 0x0 8 w", "address"),
	/* Tracepoints */
	T("t 9p:9p_client_req", "t_9p_9p_client_req", .target = "9p:9p_client_req",
	  .event.group = "9p", .event.event = "9p_client_req"),
	T("t a-b:c", "t_a_b_c", .target = "a-b:c", .event.group = "a-b", .event.event = "c"),
	T("t " TEXT_63 ":" TEXT_63, "t_" TEXT_50 "f23456789_1", .target = TEXT_63 ":" TEXT_63,
	  .event.group = TEXT_63, .event.event = TEXT_63),
	TOO_LONG("t " TEXT_63 "4:e", "tracepoint"),
	TOO_LONG("t s:" TEXT_63 "4", "tracepoint"),
	WRONG("t", "tracepoint"),
	WRONG("t s", "tracepoint"),
	WRONG("t s:", "tracepoint"),
	WRONG("t :e", "tracepoint"),
	WRONG("t s/e", "tracepoint"),
	WRONG("t s:e:k", "tracepoint"),
	WRONG("t s.t:e", "tracepoint"),
	WRONG("t s:e*", "tracepoint"),
	WRONG("t s:e\0", "tracepoint"),
	/* Events */
	CYCLES("e cycles freq=100000", "e_cycles", .freq = 100000),
	CYCLES("e cycles limit=5 freq=99", "e_cycles", .freq = 99, .limit = 5),
	E("e instructions period=1000", "e_instructions", .target = "instructions",
	  .event.name = "instructions", .event.config = 1, .period = 1000),
	E("e cpu-clock period=10000", "e_cpu_clock", .target = "cpu-clock",
	  .event.name = "cpu-clock", .event.type = 1, .period = 10000),
	E("e task-clock period=0x2710", "e_task_clock", .target = "task-clock",
	  .event.name = "task-clock", .event.type = 1, .event.config = 1, .period = 10000),
	E("e page-faults:u period=1", "e_page_faults_u", .target = "page-faults:u",
	  .event.name = "page-faults:u", .event.type = 1, .event.config = 2,
	  .event.no_kernel = true, .period = 1),
	E("e cache-misses period=18446744073709551615", "e_cache_misses", .target = "cache-misses",
	  .event.name = "cache-misses", .event.config = 3, .period = TRIGGER_MAX),
	E("e cpu/config=0x11,config1=2/ period=1", "e_cpu_config_0x11_config1_2_",
	  .target = "cpu/config=0x11,config1=2/", .event.name = "cpu/config=0x11,config1=2/",
	  .event.kind = CPUPR_EVENT_PMU, .event.group = "cpu", .event.config = 0x11,
	  .event.config1 = 2, .period = 1),
	E("e sched:sched_switch period=1", "e_sched_sched_switch", .target = "sched:sched_switch",
	  .event.name = "sched:sched_switch", .event.kind = CPUPR_EVENT_TRACEPOINT,
	  .event.type = 2, .event.group = "sched", .event.event = "sched_switch", .period = 1),
	E("e L1-dcache-loads period=1", "e_L1_dcache_loads", .target = "L1-dcache-loads",
	  .event.name = "L1-dcache-loads", .event.type = 3, .period = 1),
	E("e r1 period=1", "e_r1", .target = "r1", .event.name = "r1", .event.type = 4,
	  .event.config = 1, .period = 1),
	UNKNOWN("e nothing period=1", "event"),
	TOO_LONG("e " TEXT_250 " period=1", "event"),
	TOO_LONG("e " TEXT_63 "4:e period=1", "event"),
	WRONG("e", "event"),
	WRONG("e period=1", "event"),
	WRONG("e cycles:x period=1", "event"),
	WRONG("e cyc\0les period=1", "event"),
	WRONG("e cycles", "period= or freq="),
	WRONG("e cycles limit=1", "period= or freq="),
	WRONG("e cycles period=1000 freq=1", "period= or freq="),
	WRONG("e cycles period=", "period="),
	WRONG("e cycles period=0", "period="),
	WRONG("e cycles period=-1", "period="),
	WRONG("e cycles period=1000 period=1000", "period="),
	WRONG("e cycles period=18446744073709551616", "period="),
	WRONG("e cycles freq=0", "freq="),
	WRONG("e cycles freq=100001", "freq="),
	WRONG("e cycles freq=1 freq=1", "freq="),
	WRONG("e cycles period=999", "period="),
	WRONG("e cycles:u period=999", "period="),
	WRONG("e instructions period=999", "period="),
	WRONG("e cpu-clock period=9999", "period="),
	WRONG("e task-clock period=9999", "period="),
	WRONG("p f period=1000", "option"),
	WRONG("t s:e freq=1", "option"),
	/* What memory is watched for */
	W("w f 8 x", "w_f", .target = "f", .watch_len = 8, .watch = CPUPR_WATCH_EXECUTE),
	W("w f 0x1 rw", "w_f", .target = "f", .watch_len = 1,
	  .watch = CPUPR_WATCH_READ | CPUPR_WATCH_WRITE),
	WRONG("w", "symbol"),
	WRONG("w +1 8 w", "symbol"),
	WRONG("w f", "length"),
	WRONG("w f w", "length"),
	WRONG("w f 0 w", "length"),
	WRONG("w f 3 w", "length"),
	WRONG("w f 6 w", "length"),
	WRONG("w f 16 w", "length"),
	WRONG("w f 8", "access"),
	WRONG("w f 8 wr", "access"),
	WRONG("w f 8 R", "access"),
	WRONG("w f 8 rwx", "access"),
	WRONG("w f 8 w\0", "access"),
	WRONG("w f 8 limit=1", "access"),
	WRONG("w f 8 w w", "option"),
	/* Programs */
	U("u /a:b/c:d:8", "u_c_d_0x8", .target = "/a:b/c:d", .offset = 8),
	U("u /lib/x-1.so:0xABC", "u_x_1_so_0xabc", .target = "/lib/x-1.so", .offset = 0xabc),
	U("u /\xc3\xa9:1", "u____0x1", .target = "/\xc3\xa9", .offset = 1),
	U("u /f:9223372036854775807", "u_f_0x7fffffffffffffff", .target = "/f",
	  .offset = 0x7fffffffffffffffULL),
	U("u /" TEXT_250 "2345:1", "u_" TEXT_50 "a23456789_b", .target = "/" TEXT_250 "2345",
	  .offset = 1),
	TOO_LONG("u /" TEXT_250 "23456:1", "target"),
	WRONG("u", "target"),
	WRONG("u /f", "target"),
	WRONG("u :1", "path"),
	WRONG("u f:1", "path"),
	WRONG("u ./f:1", "path"),
	WRONG("u /:1", "path"),
	WRONG("u /f/:1", "path"),
	WRONG("u /f\x01:1", "path"),
	WRONG("u /f\x1f:1", "path"),
	WRONG("u /f\x7f:1", "path"),
	WRONG("u /f\0:1", "path"),
	WRONG("u /f:", "offset"),
	WRONG("u /f:f", "offset"),
	WRONG("u /f:+1", "offset"),
	WRONG("u /f:9223372036854775808", "offset"),
	/* Options */
	OPTIONS("mode=count", .limit = 0),
	OPTIONS("mode=dump", .dump = true, .rate = 10, .user = true),
	OPTIONS("mode=dump rate=5/s", .dump = true, .rate = 5, .user = true),
	OPTIONS("user=0 mode=dump", .dump = true, .rate = 10),
	OPTIONS("limit=9223372036854775807", .limit = 0x7fffffffffffffffULL),
	OPTIONS("rate=1000000/s", .rate = 1000000),
	OPTIONS("rate=1", .rate = 1),
	OPTIONS("pid=0", .has_pid = true, .pid = 0),
	OPTIONS("pid=4194304", .has_pid = true, .pid = 4194304),
	OPTIONS("cpu=0", .has_cpu = true, .cpu = 0),
	OPTIONS("cpu=8191", .has_cpu = true, .cpu = 8191),
	OPTIONS("depth=1", .depth = 1),
	OPTIONS("depth=64", .depth = 64),
	OPTIONS("user=1", .user = true),
	OPTIONS("user=0", .user = false),
	OPTIONS("comm=cat", .comm = "cat"),
	OPTIONS("comm=123456789abcdef", .comm = "123456789abcdef"),
	OPTIONS("comm=a\\040b\\134\\012\\377=/", .comm = "a b\\\n\xff=/"),
	OPTIONS("comm=\\141\\142\\143\\144\\145\\146\\147\\150\\151\\152\\153\\154\\155\\156\\157",
		.comm = "abcdefghijklmno"),
	OPTIONS("user=1 depth=3 cpu=2 comm=c pid=0x7 rate=9 limit=8 mode=count", .user = true,
		.depth = 3, .has_cpu = true, .cpu = 2, .comm = "c", .has_pid = true, .pid = 7,
		.rate = 9, .limit = 8),
	U("u /f:1 user=1 mode=dump limit=2", "u_f_0x1", .target = "/f", .offset = 1, .dump = true,
	  .rate = 10, .limit = 2),
	WRONG("u /f:1 user=0", "user="),
	WRONG("p f f", "option"),
	WRONG("p f =", "option"),
	WRONG("p f =1", "option"),
	WRONG("p f Limit=1", "option"),
	WRONG("p f limi=1", "option"),
	WRONG("p f limits=1", "option"),
	WRONG("p f limit =1", "limit="),
	WRONG("p f mode", "mode="),
	WRONG("p f mode=", "mode="),
	WRONG("p f mode=Dump", "mode="),
	WRONG("p f mode=dumps", "mode="),
	WRONG("p f mode=count mode=count", "mode= is given twice"),
	WRONG("p f limit=", "limit="),
	WRONG("p f limit=0", "limit="),
	WRONG("p f limit=+1", "limit="),
	WRONG("p f limit=1k", "limit="),
	WRONG("p f limit=1=1", "limit="),
	WRONG("p f limit=9223372036854775808", "limit="),
	WRONG("p f limit=1 limit=1", "limit= is given twice"),
	WRONG("p f rate=", "rate="),
	WRONG("p f rate=0", "rate="),
	WRONG("p f rate=/s", "rate="),
	WRONG("p f rate=1/", "rate="),
	WRONG("p f rate=1/m", "rate="),
	WRONG("p f rate=1/s/s", "rate="),
	WRONG("p f rate=1000001", "rate="),
	WRONG("p f rate=4294967297", "rate="),
	WRONG("p f rate=1 rate=2/s", "rate= is given twice"),
	WRONG("p f pid=", "pid="),
	WRONG("p f pid=-1", "pid="),
	WRONG("p f pid=4194305", "pid="),
	WRONG("p f pid=0 pid=0", "pid= is given twice"),
	WRONG("p f cpu=", "cpu="),
	WRONG("p f cpu=8192", "cpu="),
	WRONG("p f cpu=0 cpu=1", "cpu= is given twice"),
	WRONG("p f depth=", "depth="),
	WRONG("p f depth=0", "depth="),
	WRONG("p f depth=65", "depth="),
	WRONG("p f depth=1 depth=1", "depth= is given twice"),
	WRONG("p f user=", "user="),
	WRONG("p f user=2", "user="),
	WRONG("p f user=yes", "user="),
	WRONG("p f user=1 user=1", "user= is given twice"),
	WRONG("p f comm=", "comm="),
	WRONG("p f comm=123456789abcdefg", "comm="),
	WRONG("p f comm=\\", "comm="),
	WRONG("p f comm=\\04", "comm="),
	WRONG("p f comm=\\048", "comm="),
	WRONG("p f comm=\\x20", "comm="),
	WRONG("p f comm=\\000", "comm="),
	WRONG("p f comm=\\400", "comm="),
	WRONG("p f comm=\\401", "comm="),
	WRONG("p f comm=a\x01", "comm="),
	WRONG("p f comm=a\0", "comm="),
	WRONG("p f comm=a comm=a", "comm= is given twice"),
};

/* What follows the name of a function that is to be dumped; no text has a NUL. */
static const struct trigger_vector trigger_dumps[] = {
#define DUMP(line, as, ...)	P(line, as, .dump = true, .rate = 10, .user = true, __VA_ARGS__)
	DUMP("vfs_read", "dump_vfs_read", .target = "vfs_read", .limit = 1),
	DUMP("vfs_read\n", "dump_vfs_read", .target = "vfs_read", .limit = 1),
	DUMP(" vfs_read\t5\t\n", "dump_vfs_read", .target = "vfs_read", .limit = 5),
	DUMP("f 1000000", "dump_f", .target = "f", .limit = 1000000),
	DUMP("a.isra.0+0x10 0x2", "dump_a_isra_0_0x10", .target = "a.isra.0", .offset = 16,
	     .limit = 2),
	DUMP("0x10", "dump_0x10", .address = 16, .limit = 1),
	DUMP(TEXT_63, "dump_" TEXT_50 "f2345678", .target = TEXT_63, .limit = 1),
#undef DUMP
	TOO_LONG(TEXT_250 "123456", "target"),
	WRONG("", "symbol"),
	WRONG("\n", "symbol"),
	WRONG("f\n\n", "symbol"),
	WRONG("f\n1", "symbol"),
	WRONG("s:e", "symbol"),
	WRONG("f+x", "offset"),
	WRONG("0x0", "address"),
	WRONG("f 0", "number of stacks"),
	WRONG("f 1000001", "number of stacks"),
	WRONG("f x", "number of stacks"),
	WRONG("f -1", "number of stacks"),
	WRONG("f limit=1", "number of stacks"),
	WRONG("f 1 1", "more than"),
};

/* Of what a removal says, the name alone. */
static const struct trigger_vector trigger_removals[] = {
	P("-:a", "a", .limit = 0),
	P(" \t-:_A9z\t", "_A9z", .limit = 0),
	P("-:" TEXT_63, TEXT_63, .limit = 0),
	TOO_LONG("-:" TEXT_63 "4", "name"),
	WRONG("-", "removal"),
	WRONG("-a", "removal"),
	WRONG("- :a", "removal"),
	WRONG("--:a", "removal"),
	WRONG("-1:a", "removal"),
	WRONG("-:a a", "removal"),
	WRONG("-:a \0", "removal"),
	WRONG("-:", "name"),
	WRONG("-: a", "removal"),
	WRONG("-:9", "name"),
	WRONG("-:a:b", "name"),
	WRONG("-:a\0", "name"),
	WRONG("-:a\n", "name"),
};

#undef LINE
#undef RIGHT
#undef P
#undef OPTIONS
#undef R
#undef T
#undef E
#undef W
#undef U
#undef CYCLES
#undef WRONG
#undef TOO_LONG
#undef UNKNOWN

static inline bool trigger_event_same(const struct cpupr_event *a, const struct cpupr_event *b)
{
	return cpupr_event_same(a, b) && !strcmp(a->name, b->name);
}

/* Returns NULL, or what of @s is not what it must be: a depth of 0 is the greatest. */
static inline const char *trigger_differs(const struct cpupr_trigger_spec *s,
					  const struct cpupr_trigger_spec *want)
{
	u32 depth = want->depth ? want->depth : CPUPR_TRIGGER_DEPTH;

	if (s->kind != want->kind || s->max_active != want->max_active)
		return "the kind";
	if (strcmp(s->name, want->name))
		return "the name";
	if (strcmp(s->target, want->target) || s->address != want->address ||
	    s->offset != want->offset)
		return "the target";
	if (!trigger_event_same(&s->event, &want->event) || s->period != want->period ||
	    s->freq != want->freq)
		return "the event";
	if (s->watch_len != want->watch_len || s->watch != want->watch)
		return "the watch";
	if (s->dump != want->dump || s->limit != want->limit || s->rate != want->rate)
		return "the mode";
	if (s->depth != depth || s->user != want->user)
		return "the stack";
	if (s->has_pid != want->has_pid || s->pid != want->pid || s->has_cpu != want->has_cpu ||
	    s->cpu != want->cpu || memcmp(s->comm, want->comm, CPUPR_TRIGGER_COMM))
		return "the filter";
	return NULL;
}

/* Returns NULL, or what is wrong with an error. */
static inline const char *trigger_refused(const struct trigger_vector *v, int got, const char *why)
{
	if (got != v->want)
		return "the error";
	if (!got)
		return why ? "there is a reason" : NULL;
	return why && strstr(why, v->why) ? NULL : "the reason";
}

/**
 * trigger_run() - take a line apart
 * @v: the line, and what it must say
 * @text: a copy of it, at the very end of its memory
 * @s: filled; garbage before
 *
 * Return: NULL, or what is wrong.
 */
static inline const char *trigger_run(const struct trigger_vector *v, const char *text,
				      struct cpupr_trigger_spec *s)
{
	const char *why = "garbage", *wrong;
	int got;

	memset(s, 0xa5, sizeof(*s));
	got = cpupr_trigger_parse(s, text, v->len, &why);
	wrong = trigger_refused(v, got, why);
	return wrong || got ? wrong : trigger_differs(s, v->spec);
}

/* The same of what is to be dumped; its text needs its NUL. */
static inline const char *trigger_dump_run(const struct trigger_vector *v,
					   struct cpupr_trigger_spec *s)
{
	const char *why = "garbage", *wrong;
	int got;

	memset(s, 0xa5, sizeof(*s));
	got = cpupr_trigger_parse_dump(s, v->text, &why);
	wrong = trigger_refused(v, got, why);
	return wrong || got ? wrong : trigger_differs(s, v->spec);
}

/* And of a removal. */
static inline const char *trigger_removal_run(const struct trigger_vector *v, const char *text)
{
	const char *why = "garbage", *wrong;
	char name[CPUPR_TRIGGER_NAME];
	int got;

	memset(name, 0xa5, sizeof(name));
	got = cpupr_trigger_parse_removal(name, text, v->len, &why);
	wrong = trigger_refused(v, got, why);
	if (wrong || got)
		return wrong;
	if (!cpupr_trigger_is_removal(text, v->len))
		return "it is none";
	return strcmp(name, v->spec->name) ? "the name" : NULL;
}

/**
 * struct trigger_text - a text of lines
 * @text: as written
 * @len: its bytes
 * @lines: those that say something, each with a bar behind it
 */
struct trigger_text {
	const char *text;
	size_t len;
	const char *lines;
};

#define TEXT(written, found)	{ (written), sizeof(written) - 1, (found) }

static const struct trigger_text trigger_texts[] = {
	TEXT("", ""),
	TEXT("\n", ""),
	TEXT(" \t\n\n\t\n", ""),
	TEXT("#", ""),
	TEXT("# p f\n", ""),
	TEXT("a", "a|"),
	TEXT("a\n", "a|"),
	TEXT("a b\nc\n", "a b|c|"),
	TEXT("\n\na\n\n\nb", "a|b|"),
	TEXT("# c\na\n# c\nb # c\n#c", "a|b # c|"),
	TEXT("\t # c\n\t a\t\n", "a\t|"),
	TEXT("##\n a#b\n\t\n", "a#b|"),
	TEXT("a\0b\nc", "a\0b|c|"),
	TEXT("\0\n", "\0|"),
	TEXT("a\r\n\r\n", "a\r|\r|"),
};

#undef TEXT

/* Returns whether the lines of @t are those that it has; @text is a copy of it. */
static inline bool trigger_text_right(const struct trigger_text *t, const char *text)
{
	const char *end = text + t->len, *at = text, *want = t->lines, *line;
	size_t len = t->len;

	while ((line = cpupr_trigger_line(&at, &len))) {
		if (line != at || line < text || !len || len > (size_t)(end - line) ||
		    memcmp(line, want, len) || want[len] != '|')
			return false;
		want += len + 1;
		at = line + len;
		len = (size_t)(end - at);
	}
	return at == end && !len && !*want;
}

/**
 * struct trigger_take - a stack that comes
 * @ns: when
 * @rate: so many are taken a second
 * @taken: it must be one of them
 */
struct trigger_take {
	u64 ns;
	u32 rate;
	bool taken;
};

/* One after the other. */
static const struct trigger_take trigger_takes[] = {
	{ 0, 1, true },
	{ 0, 1, false },
	{ 999999999, 1, false },
	{ 999999999, 2, true },
	{ 999999999, 2, false },
	{ 1000000000, 2, true },
	/* From a CPU that is behind: it takes what is left. */
	{ 999999999, 2, true },
	{ 999999999, 2, false },
	{ 1000000001, 2, false },
	/* No rate: nothing is counted. */
	{ 1000000001, 0, true },
	{ 1999999999, 3, true },
	{ 1999999999, 3, false },
	/* After a while; then the clock is set back. */
	{ 100000000000, 1, true },
	{ 100999999999, 1, false },
	{ 50000000000, 1, true },
	{ 50999999999, 1, false },
	{ 1ULL << 62, 1, true },
	{ 1ULL << 62, 1, false },
};

/* Returns the number of the first stack that is not right, or how many there are. */
static inline unsigned int trigger_takes_run(unsigned int n)
{
	unsigned int i;
	u64 window = 0;
	bool taken;

	for (i = 0; i < n; i++) {
		window = cpupr_trigger_rate_take(window, trigger_takes[i].ns, trigger_takes[i].rate, &taken);
		if (taken != trigger_takes[i].taken)
			break;
	}
	return i;
}

#endif
