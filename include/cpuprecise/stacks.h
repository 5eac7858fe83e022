/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stacks on demand: live triggers, and what a hit of one does.
 *
 * To add a kind of trigger: write module/stack/KIND.c with a struct
 * cpupr_trigger_ops, name it in module/stack/triggers.c and in module/Kbuild, and
 * teach module/ledger/trigger.c its grammar.
 */
#ifndef CPUPRECISE_STACKS_H
#define CPUPRECISE_STACKS_H

#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/path.h>
#include <linux/perf_event.h>
#include <linux/tracepoint.h>
#include <linux/uprobes.h>

#include <cpuprecise/stack_set.h>
#include <cpuprecise/trigger.h>

struct cpupr_trigger;

/**
 * struct cpupr_trigger_ops - a kind of trigger
 * @arm: watch. Returns 0 or -errno, with @why set to what the user is told.
 * @disarm: no longer, whatever @arm did
 * @settle: optional; after it no hit of those disarmed is in progress; without it
 *	there is none when @disarm returns
 * @missed: hits that the kernel lost; without it that is not known
 * @module_goes: optional; a module is about to be unloaded: forget what is its own
 *	and set @gone
 * @cpus_change: optional; CPUs came or went
 *
 * Context: process, may sleep, under the triggers' mutex; not under cpus_read_lock().
 */
struct cpupr_trigger_ops {
	int (*arm)(struct cpupr_trigger *t, const char **why);
	void (*disarm)(struct cpupr_trigger *t);
	void (*settle)(void);
	u64 (*missed)(const struct cpupr_trigger *t);
	void (*module_goes)(struct cpupr_trigger *t, const struct module *mod);
	void (*cpus_change)(struct cpupr_trigger *t);
};

extern const struct cpupr_trigger_ops cpupr_kprobe_ops, cpupr_kretprobe_ops;
extern const struct cpupr_trigger_ops cpupr_tracepoint_ops, cpupr_perf_ops, cpupr_uprobe_ops;

/**
 * struct cpupr_trigger_counts - what became of hits, each of which is in one of them
 * @filtered: of another task or CPU than asked for
 * @suppressed: by limit=, by rate=, by the share of the CPU that stacks may take,
 *	because our own printing caused them, or because the trigger is about to go
 * @dropped: there was no memory left, or too many were nested
 * @delivered: counted in stacks, or on their way to the log
 */
struct cpupr_trigger_counts {
	u64 filtered;
	u64 suppressed;
	u64 dropped;
	u64 delivered;
};

/* Through what a hit comes in, which preempt_count() then tells beside what it hit. */
enum cpupr_trigger_trap {
	CPUPR_TRAP_NONE,
	CPUPR_TRAP_EXCEPTION,	/* an exception that counts as an NMI (x86: #BP, #DB) */
	CPUPR_TRAP_OVERFLOW,	/* an interrupt or NMI of its own */
};

/**
 * struct cpupr_trigger - a live one
 * @node: in the list; under the triggers' mutex
 * @spec: as written
 * @ops: of its kind
 * @counts: by CPU
 * @set: its stacks; not with mode=dump
 * @left: of limit=; counted down
 * @printed: how many stacks went to the log; by the work that prints
 * @window: of rate=, see cpupr_trigger_rate_take()
 * @trap: through what hits come in
 * @place: where in the kernel it is, or 0
 * @symbol: what that is called, as sprint_symbol() says; else empty
 * @at_entry: u: at a function's first instruction
 * @gone: the module that it watched was unloaded
 * @leaves: a write that is in progress takes it away
 * @retired: it goes: hits are not looked at, and what is not printed yet is not
 * @unprinted: how many stacks that were; by the work that prints
 * @once: it goes when its limit is reached
 * @kp: p
 * @rp: r
 * @tp: t
 * @tp_size: t: bytes of the function that calls the tracepoint's probes
 * @perf: e, w: one event a CPU, or NULL; allocated by arm
 * @consumer: u
 * @uprobe_file: u: held, or empty: what has the inode must stay mounted
 * @uprobe: u: where registering gives one
 */
struct cpupr_trigger {
	struct list_head node;
	struct cpupr_trigger_spec spec;
	const struct cpupr_trigger_ops *ops;
	struct cpupr_trigger_counts __percpu *counts;
	struct cpupr_stack_set *set;
	atomic64_t left;
	u64 printed;
	u64 window;
	enum cpupr_trigger_trap trap;
	unsigned long place;
	char symbol[KSYM_SYMBOL_LEN];
	bool at_entry;
	bool gone;
	bool leaves;
	bool retired;
	u32 unprinted;
	bool once;
	union {
		struct kprobe kp;
		struct kretprobe rp;
		struct {
			struct tracepoint *tp;
			unsigned long tp_size;
		};
		struct perf_event **perf;
		struct {
			struct uprobe_consumer consumer;
			struct path uprobe_file;
			struct uprobe *uprobe;
		};
	};
};

/* From where the stack is to be taken. */
enum cpupr_stack_from {
	CPUPR_FROM_CALLER,	/* registers in a function: first frame is its caller */
	CPUPR_FROM_HERE,	/* registers anywhere: first frame is where they are */
	CPUPR_FROM_TRACEPOINT,	/* no registers: first frame is who has the tracepoint */
	CPUPR_FROM_USER,	/* registers of the user's: no frames of the kernel */
};

/* hit.c: memory that hits need, while there are triggers. May sleep. */
int cpupr_hits_init(void);
void cpupr_hits_exit(void);

/* hit.c: what all kinds do with a hit. Any context, NMIs too; preemption off. */
struct cpupr_stack_entry *cpupr_trigger_hit(struct cpupr_trigger *t, struct pt_regs *regs,
					    enum cpupr_stack_from from);

/* What enum cpupr_stack_context is called. */
extern const char *const cpupr_stack_contexts[];

/* unwind.c: frames into @stack, which has room for twice CPUPR_STACK_DEPTH. */
void cpupr_unwind_kernel(struct cpupr_stack *stack, const struct cpupr_trigger *t,
			 struct pt_regs *regs, enum cpupr_stack_from from);
void cpupr_unwind_user(struct cpupr_stack *stack, unsigned int depth, struct pt_regs *regs,
		       bool at_entry);

/* dump.c: stacks on their way to the log. */
bool cpupr_dump_put(struct cpupr_trigger *t, const struct cpupr_stack *stack);
bool cpupr_dump_prints(void);
void cpupr_dump_flush(void);
void cpupr_dump_exit(void);

/* kprobe.c: are kprobes armed at all? May sleep. */
bool cpupr_kprobes_live(void);

/* user_frame.c: what a user's address is called. May sleep. */
#define CPUPR_USER_FRAME	128	/* bytes of it, with its NUL */
void cpupr_user_frame(char name[CPUPR_USER_FRAME], s32 tgid, u64 start, u64 address);

/* triggers.c: the list. All may sleep. */
extern struct list_head cpupr_triggers;
extern struct cpupr_stack_pool cpupr_stack_pool;
void cpupr_triggers_lock(void);
void cpupr_triggers_unlock(void);
void cpupr_trigger_sum(const struct cpupr_trigger *t, struct cpupr_trigger_counts *sum);
const char *cpupr_trigger_state(const struct cpupr_trigger *t);
int cpupr_triggers_write(const char *text);
int cpupr_triggers_replace(const char *text);
int cpupr_triggers_dump_stack(const char *text);
void cpupr_triggers_cpus_change(void);
void cpupr_triggers_reap(void);
int cpupr_triggers_init(void);
void cpupr_triggers_exit(void);

#endif
