/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Triggers, as they are written: what to watch for, and what to do with the
 * stacks of those who do it. The grammar is that of ftrace's kprobe_events.
 *
 *   p[:NAME] SYMBOL[+OFF]|0xADDR		a function is called (kprobe)
 *   r[MAX][:NAME] SYMBOL|0xADDR		and returns (kretprobe)
 *   t[:NAME] SYS:EVENT				a tracepoint
 *   e[:NAME] EVENT period=N|freq=N		a perf event overflows
 *   w[:NAME] 0xADDR|SYMBOL LEN r|w|x|rw	memory is touched (hardware breakpoint)
 *   u[:NAME] PATH:OFFSET			a program gets there (uprobe)
 *   -:NAME					no longer
 *
 * Each but the last takes options: mode=count|dump limit=N rate=N[/s] pid=N comm=NAME
 * cpu=N depth=N user=0|1.
 *
 * Pure: symbols, paths and numbers of events are looked up by the caller.
 */
#ifndef CPUPRECISE_TRIGGER_H
#define CPUPRECISE_TRIGGER_H

#include <cpuprecise/event.h>

#define CPUPR_TRIGGER_NAME	64	/* bytes of a name, with its NUL */
#define CPUPR_TRIGGER_TARGET	256	/* bytes of a symbol or path, with its NUL */
#define CPUPR_TRIGGER_DEPTH	64	/* frames of each stack, at most and by default */
#define CPUPR_TRIGGER_COMM	16	/* TASK_COMM_LEN */
#define CPUPR_TRIGGER_MAX_ACTIVE 4096	/* as kprobe_events has it */

enum cpupr_trigger_kind {
	CPUPR_TRIGGER_KPROBE,
	CPUPR_TRIGGER_KRETPROBE,
	CPUPR_TRIGGER_TRACEPOINT,
	CPUPR_TRIGGER_EVENT,
	CPUPR_TRIGGER_WATCH,
	CPUPR_TRIGGER_UPROBE,
	CPUPR_NR_TRIGGER_KINDS,
};

/* What a watchpoint watches for: bits. */
#define CPUPR_WATCH_READ	1
#define CPUPR_WATCH_WRITE	2
#define CPUPR_WATCH_EXECUTE	4

/**
 * struct cpupr_trigger_spec - a trigger as it was written
 * @kind: what it watches
 * @name: as given, or made of kind and target as kprobe_events does
 * @target: the symbol, the path, SYS:EVENT or the event's name; empty where @address says it
 * @address: 0xADDR, or 0
 * @offset: bytes behind the symbol, or into the file
 * @event: t: @group and @event only; e: as cpupr_event_parse() leaves it
 * @max_active: r: how many calls may be open at once; 0: as the kernel thinks
 * @watch_len: w: bytes, 1, 2, 4 or 8
 * @watch: w: CPUPR_WATCH_*
 * @period: e: an overflow each so many events; 0: @freq says
 * @freq: e: or so many overflows a second
 * @dump: each hit's stack goes to the kernel's log; else they are counted
 * @limit: so many stacks, then no more; 0: no limit
 * @rate: at most so many stacks a second; 0: no limit
 * @depth: frames of a stack, of the kernel's and of the user's, 1 to CPUPR_TRIGGER_DEPTH
 * @user: with the user's stack
 * @has_pid: only tasks or processes of this number
 * @pid: that number, 0 is the idle tasks'
 * @has_cpu: only on that CPU
 * @cpu: which
 * @comm: only tasks of this name; empty: any
 */
struct cpupr_trigger_spec {
	enum cpupr_trigger_kind kind;
	char name[CPUPR_TRIGGER_NAME];
	char target[CPUPR_TRIGGER_TARGET];
	u64 address;
	u64 offset;
	struct cpupr_event event;
	u32 max_active;
	u8 watch_len;
	u8 watch;
	u64 period;
	u64 freq;
	bool dump;
	u64 limit;
	u32 rate;
	u32 depth;
	bool user;
	bool has_pid;
	s32 pid;
	bool has_cpu;
	s32 cpu;
	char comm[CPUPR_TRIGGER_COMM];
};

/* A dump that nobody bounds: so many a second. A console is slow. */
#define CPUPR_TRIGGER_DUMP_RATE	10

int cpupr_trigger_parse(struct cpupr_trigger_spec *spec, const char *line, size_t len,
			const char **why);
bool cpupr_trigger_is_removal(const char *line, size_t len);
int cpupr_trigger_parse_removal(char name[CPUPR_TRIGGER_NAME], const char *line, size_t len,
				const char **why);
int cpupr_trigger_parse_dump(struct cpupr_trigger_spec *spec, const char *text,
			     const char **why);
const char *cpupr_trigger_line(const char **text, size_t *len);
u64 cpupr_trigger_rate_take(u64 window, u64 now_ns, u32 rate, bool *taken);

#endif
