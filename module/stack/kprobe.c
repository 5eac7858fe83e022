// SPDX-License-Identifier: GPL-2.0-only
/*
 * Triggers p and r: a function of the kernel is called, and returns.
 */
#include <linux/kprobes.h>
#include <linux/slab.h>
#include <linux/trace_events.h>

#include <cpuprecise/clock.h>
#include <cpuprecise/stacks.h>

/*
 * What compilers add to the names of the functions that they make of one (GCC:
 * interprocedural optimizations): the kernel's symbols have that. Not .cold: that is
 * no entry of a function.
 */
static const char *const suffixes[] = {
	"", ".isra.0", ".constprop.0", ".part.0",
	".constprop.0.isra.0", ".isra.0.constprop.0", ".part.0.isra.0", ".part.0.constprop.0",
	".isra.1", ".constprop.1", ".part.1", ".isra.2", ".constprop.2", ".part.2",
};

#define SYMBOL	(CPUPR_TRIGGER_TARGET + 32)	/* bytes of a name with a suffix */

/* Of a call that is open: in its kretprobe_instance. */
struct span {
	struct cpupr_stack_entry *entry;
	u64 start;
};

static notrace int entry_hit(struct kprobe *kp, struct pt_regs *regs)
{
	cpupr_trigger_hit(container_of(kp, struct cpupr_trigger, kp), regs, CPUPR_FROM_CALLER);
	return 0;
}
NOKPROBE_SYMBOL(entry_hit);

/* The return of a call is watched only if its stack was counted. */
static notrace int call_hit(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(instance);
	struct span *span = (struct span *)instance->data;

	if (!rp)
		return 1;
	span->entry = cpupr_trigger_hit(container_of(rp, struct cpupr_trigger, rp), regs,
					CPUPR_FROM_CALLER);
	span->start = ktime_get_mono_fast_ns();
	return !span->entry;
}
NOKPROBE_SYMBOL(call_hit);

static notrace int return_hit(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct span *span = (struct span *)instance->data;

	/* On another CPU, maybe; and no clock is better than its last second's. */
	cpupr_stack_entry_span(span->entry, ktime_get_mono_fast_ns() - span->start);
	return 0;
}
NOKPROBE_SYMBOL(return_hit);

/*
 * A probe of our own on a function of our own, while there are others: if a call of
 * that is not noticed, none is. Nothing else tells (/sys/kernel/debug/kprobes/enabled).
 */
static unsigned int canary_users;
static bool canary_sang;

static notrace int canary_hit(struct kprobe *kp, struct pt_regs *regs)
{
	WRITE_ONCE(canary_sang, true);
	return 0;
}
NOKPROBE_SYMBOL(canary_hit);

static noinline void canary_call(void)
{
	barrier();
}

static struct kprobe canary = {
	.pre_handler = canary_hit,
};

static int canary_get(void)
{
	int ret = 0;

	if (!canary_users) {
		memset(&canary, 0, sizeof(canary));
		canary.pre_handler = canary_hit;
		canary.addr = (void *)canary_call;
		ret = register_kprobe(&canary);
	}
	if (!ret)
		canary_users++;
	return ret;
}

static void canary_put(void)
{
	if (!--canary_users)
		unregister_kprobe(&canary);
}

/**
 * cpupr_kprobes_live() - are kprobes armed, as far as their switch for all goes?
 *
 * Context: process, may sleep, under the triggers' mutex.
 */
bool cpupr_kprobes_live(void)
{
	if (!canary_users)
		return true;
	WRITE_ONCE(canary_sang, false);
	canary_call();
	return READ_ONCE(canary_sang);
}

/*
 * A name that the kernel knows more than once: register_kprobe() takes the first of
 * them. Events of kprobes do not take it, and look at that before their arguments
 * (kernel/trace/trace_kprobe.c, NON_UNIQ_SYMBOL): so one is asked for whose argument is
 * none, and nothing is registered. Since 6.12 all refusals are EINVAL, which is seen by
 * that of a name that there is not: then one is made, and deleted at once. Without such
 * events nobody can tell.
 */
#ifdef CONFIG_KPROBE_EVENTS
#define EVENT_NAME	"cpuprecise_unique"

static int ask(const char *symbol, const char *argument)
{
	char *text = kmalloc(MAX_DYNEVENT_CMD_LEN, GFP_KERNEL);
	struct dynevent_cmd cmd;
	int ret;

	if (!text)
		return -ENOMEM;
	kprobe_event_cmd_init(&cmd, text, MAX_DYNEVENT_CMD_LEN);
	ret = kprobe_event_gen_cmd_start(&cmd, EVENT_NAME, symbol, argument);
	if (!ret)
		ret = kprobe_event_gen_cmd_end(&cmd);
	kfree(text);
	return ret;
}

static bool is_ambiguous(const char *symbol)
{
	int ret = ask(symbol, "?");

	if (ret == -EADDRNOTAVAIL || ask(EVENT_NAME, "?") == -ENOENT)
		return ret == -EADDRNOTAVAIL;
	ret = ask(symbol, NULL);
	if (!ret)
		kprobe_event_delete(EVENT_NAME);
	return ret == -EINVAL;
}
#else
static bool is_ambiguous(const char *symbol)
{
	return false;
}
#endif

static const char *refusal(int error)
{
	switch (error) {
	case -ENOENT:
		return "no such function: misspelt, inlined where it is used, or of a module that is not there";
	case -EADDRNOTAVAIL:
		return "a name of many functions, or within one that is not to be traced: give an address";
	case -EILSEQ:
		return "not where an instruction begins";
	case -EPERM:
		return "on the blacklist of kprobes, or no code: data, freed init code, a patched instruction";
	case -EOPNOTSUPP:
		return "a function that is not to be traced (notrace)";
	default:
		return "the kernel does not take it";
	}
}

/* Registers it disarmed, so that it can be looked at before it is hit. */
static int register_at(struct cpupr_trigger *t, struct kprobe *kp, const char *symbol)
{
	u32 max_active = t->spec.max_active;

	if (t->spec.kind == CPUPR_TRIGGER_KRETPROBE) {
		memset(&t->rp, 0, sizeof(t->rp));
		t->rp.entry_handler = call_hit;
		t->rp.handler = return_hit;
		t->rp.data_size = sizeof(struct span);
		t->rp.maxactive = max_active;
	} else {
		memset(kp, 0, sizeof(*kp));
		kp->pre_handler = entry_hit;
		kp->offset = t->spec.offset;
	}
	kp->symbol_name = symbol;
	if (!symbol)
		kp->addr = (void *)(unsigned long)t->spec.address;
	kp->flags = KPROBE_FLAG_DISABLED;
	return t->spec.kind == CPUPR_TRIGGER_KRETPROBE ? register_kretprobe(&t->rp) :
							 register_kprobe(kp);
}

static void unregister(struct cpupr_trigger *t)
{
	if (t->spec.kind == CPUPR_TRIGGER_KRETPROBE)
		unregister_kretprobe(&t->rp);
	else
		unregister_kprobe(&t->kp);
}

/* @symbol: set to the name that it is known by, if it has one. */
static int register_any(struct cpupr_trigger *t, struct kprobe *kp, char symbol[SYMBOL])
{
	unsigned int i;
	int ret = -ENOENT;

	if (!t->spec.target[0])
		return register_at(t, kp, NULL);
	for (i = 0; i < ARRAY_SIZE(suffixes) && ret == -ENOENT; i++) {
		snprintf(symbol, SYMBOL, "%s%s", t->spec.target, suffixes[i]);
		ret = register_at(t, kp, symbol);
	}
	/* It is known by its address from here on. */
	kp->symbol_name = NULL;
	return ret;
}

/*
 * Without a place for ftrace at its entry a function is notrace, or of assembly: the
 * tracers' own code among them (kernel/trace/trace_kprobe.c, within_notrace_func()).
 */
static bool is_notrace(const struct cpupr_trigger *t, struct kprobe *kp)
{
	return IS_ENABLED(CONFIG_KPROBES_ON_FTRACE) && !t->spec.offset && t->spec.target[0] &&
	       !kprobe_ftrace(kp);
}

static int arm(struct cpupr_trigger *t, const char **why)
{
	struct kprobe *kp = t->spec.kind == CPUPR_TRIGGER_KRETPROBE ? &t->rp.kp : &t->kp;
	char symbol[SYMBOL];
	int ret = register_any(t, kp, symbol);

	/* What the kernel does not tell apart from bad grammar is told apart here. */
	if (ret == -EINVAL)
		ret = -EPERM;
	if (ret)
		goto refused;
	ret = is_notrace(t, kp) ? -EOPNOTSUPP :
	      t->spec.target[0] && is_ambiguous(symbol) ? -EADDRNOTAVAIL : canary_get();
	if (ret)
		goto unregister;
	t->trap = kprobe_ftrace(kp) ? CPUPR_TRAP_NONE : CPUPR_TRAP_EXCEPTION;
	t->place = (unsigned long)kp->addr;
	sprint_symbol(t->symbol, t->place);
	ret = enable_kprobe(kp);
	if (!ret)
		return 0;
	canary_put();
unregister:
	unregister(t);
refused:
	*why = refusal(ret);
	return ret;
}

/* Those disarmed that settle() has yet to take leave of: all at once, for that waits. */
#define BATCH	64

static struct kprobe *kps[BATCH];
static struct kretprobe *rps[BATCH];
static unsigned int nr_kps, nr_rps;

static void settle(void)
{
	unregister_kprobes(kps, nr_kps);
	unregister_kretprobes(rps, nr_rps);
	nr_kps = 0;
	nr_rps = 0;
}

static void disarm(struct cpupr_trigger *t)
{
	if (t->spec.kind == CPUPR_TRIGGER_KRETPROBE)
		rps[nr_rps++] = &t->rp;
	else
		kps[nr_kps++] = &t->kp;
	canary_put();
	if (nr_kps == BATCH || nr_rps == BATCH)
		settle();
}

static u64 kprobe_missed(const struct cpupr_trigger *t)
{
	return t->kp.nmissed;
}

static u64 kretprobe_missed(const struct cpupr_trigger *t)
{
	return (u64)t->rp.nmissed + t->rp.kp.nmissed;
}

/* kprobes forget the place by themselves. */
static void module_goes(struct cpupr_trigger *t, const struct module *mod)
{
	if (within_module(t->place, mod))
		t->gone = true;
}

const struct cpupr_trigger_ops cpupr_kprobe_ops = {
	.arm = arm,
	.disarm = disarm,
	.settle = settle,
	.missed = kprobe_missed,
	.module_goes = module_goes,
};

const struct cpupr_trigger_ops cpupr_kretprobe_ops = {
	.arm = arm,
	.disarm = disarm,
	.settle = settle,
	.missed = kretprobe_missed,
	.module_goes = module_goes,
};
