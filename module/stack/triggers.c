// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of triggers: lines that are written add to it and take from it, all of a
 * write or nothing.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include <cpuprecise/stacks.h>

#define MAX_TRIGGERS	1024

static unsigned int stack_kb = 4096;

static int stack_kb_set(const char *val, const struct kernel_param *kp)
{
	return param_set_uint_minmax(val, kp, 64, 64 * 1024);
}

static const struct kernel_param_ops stack_kb_ops = {
	.set = stack_kb_set,
	.get = param_get_uint,
};
module_param_cb(stack_kb, &stack_kb_ops, &stack_kb, 0444);
MODULE_PARM_DESC(stack_kb, "memory for stacks while there are triggers, KiB, 64 to 65536");

/* By kind: what users know of how it is done is there, what is written in trigger.c. */
static const struct cpupr_trigger_ops *const kinds[CPUPR_NR_TRIGGER_KINDS] = {
	[CPUPR_TRIGGER_KPROBE] = &cpupr_kprobe_ops,
	[CPUPR_TRIGGER_KRETPROBE] = &cpupr_kretprobe_ops,
	[CPUPR_TRIGGER_TRACEPOINT] = &cpupr_tracepoint_ops,
	[CPUPR_TRIGGER_EVENT] = &cpupr_perf_ops,
	[CPUPR_TRIGGER_WATCH] = &cpupr_perf_ops,
	[CPUPR_TRIGGER_UPROBE] = &cpupr_uprobe_ops,
};

/* Protects all that follows. Taken before any lock of the kernel's. */
static DEFINE_MUTEX(mutex);
LIST_HEAD(cpupr_triggers);
struct cpupr_stack_pool cpupr_stack_pool;
static unsigned int nr_triggers;
static unsigned int nr_leaving;	/* of these, by a write in progress */

/**
 * cpupr_triggers_lock() - keep the list as it is
 *
 * Context: process, may sleep.
 */
void cpupr_triggers_lock(void)
{
	mutex_lock(&mutex);
}

/**
 * cpupr_triggers_unlock() - no longer
 */
void cpupr_triggers_unlock(void)
{
	mutex_unlock(&mutex);
}

/**
 * cpupr_trigger_sum() - what became of its hits, on all CPUs
 * @t: which
 * @sum: filled in
 *
 * Context: process, under the lock. Hits go on.
 */
void cpupr_trigger_sum(const struct cpupr_trigger *t, struct cpupr_trigger_counts *sum)
{
	int cpu;

	memset(sum, 0, sizeof(*sum));
	for_each_possible_cpu(cpu) {
		const struct cpupr_trigger_counts *c = per_cpu_ptr(t->counts, cpu);

		sum->filtered += READ_ONCE(c->filtered);
		sum->suppressed += READ_ONCE(c->suppressed);
		sum->dropped += READ_ONCE(c->dropped);
		sum->delivered += READ_ONCE(c->delivered);
	}
}

/**
 * cpupr_trigger_state() - is it still at it?
 * @t: which
 *
 * Context: process, may sleep, under the lock.
 */
const char *cpupr_trigger_state(const struct cpupr_trigger *t)
{
	bool kprobe = t->spec.kind == CPUPR_TRIGGER_KPROBE ||
		      t->spec.kind == CPUPR_TRIGGER_KRETPROBE;

	if (t->gone)
		return "gone";
	if (kprobe && !cpupr_kprobes_live())
		return "disarmed";
	return t->spec.limit && !atomic64_read(&t->left) ? "done" : "on";
}

static struct cpupr_trigger *find(struct list_head *list, const char *name)
{
	struct cpupr_trigger *t;

	list_for_each_entry(t, list, node)
		if (!t->leaves && !strcmp(t->spec.name, name))
			return t;
	return NULL;
}

/* Memory that all share: there is none as long as nobody asks. */
static int get_memory(void)
{
	struct cpupr_stack_pool *pool = &cpupr_stack_pool;
	int ret;

	if (nr_triggers)
		return 0;
	pool->chunks = stack_kb * 1024U / CPUPR_STACK_CHUNK;
	/* Rather none than that others are killed for it. */
	pool->memory = __vmalloc((size_t)pool->chunks * CPUPR_STACK_CHUNK,
				 GFP_KERNEL | __GFP_ZERO | __GFP_RETRY_MAYFAIL | __GFP_NOWARN);
	pool->taken = bitmap_zalloc(pool->chunks, GFP_KERNEL);
	ret = pool->memory && pool->taken ? cpupr_hits_init() : -ENOMEM;
	if (ret) {
		vfree(pool->memory);
		bitmap_free(pool->taken);
	}
	return ret;
}

static void put_memory(void)
{
	if (nr_triggers)
		return;
	cpupr_hits_exit();
	vfree(cpupr_stack_pool.memory);
	bitmap_free(cpupr_stack_pool.taken);
	memset(&cpupr_stack_pool, 0, sizeof(cpupr_stack_pool));
}

static void discard(struct cpupr_trigger *t)
{
	if (t->set) {
		cpupr_stack_set_clear(t->set);
		bitmap_free(t->set->owned);
		kfree(t->set);
	}
	free_percpu(t->counts);
	kfree(t);
	nr_triggers--;
	put_memory();
}

static struct cpupr_stack_set *new_set(void)
{
	struct cpupr_stack_set *set = kzalloc(sizeof(*set), GFP_KERNEL);

	if (!set)
		return NULL;
	set->pool = &cpupr_stack_pool;
	set->owned = bitmap_zalloc(cpupr_stack_pool.chunks, GFP_KERNEL);
	if (set->owned)
		return set;
	kfree(set);
	return NULL;
}

/* Allocated, not armed. */
static struct cpupr_trigger *new_trigger(const struct cpupr_trigger_spec *spec)
{
	struct cpupr_trigger *t;

	if (get_memory())
		return NULL;
	nr_triggers++;
	t = kzalloc(sizeof(*t), GFP_KERNEL);
	if (!t) {
		nr_triggers--;
		put_memory();
		return NULL;
	}
	t->spec = *spec;
	t->ops = kinds[spec->kind];
	atomic64_set(&t->left, spec->limit);
	t->counts = alloc_percpu(struct cpupr_trigger_counts);
	if (!spec->dump)
		t->set = new_set();
	if (t->counts && (spec->dump || t->set))
		return t;
	discard(t);
	return NULL;
}

static void settle(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i]->settle)
			kinds[i]->settle();
	cpupr_dump_flush();
}

/* Those on @list, which are armed and in nobody's way any more. */
static void retire(struct list_head *list)
{
	struct cpupr_trigger *t, *next;

	if (list_empty(list))
		return;
	list_for_each_entry(t, list, node)
		WRITE_ONCE(t->retired, true);
	list_for_each_entry(t, list, node)
		t->ops->disarm(t);
	settle();
	list_for_each_entry_safe(t, next, list, node) {
		if (t->unprinted)
			pr_info("%s: removed, %u stacks not printed\n", t->spec.name, t->unprinted);
		discard(t);
	}
	INIT_LIST_HEAD(list);
}

static int add(const struct cpupr_trigger_spec *spec, bool once, struct list_head *list,
	       const char **why)
{
	struct cpupr_trigger *t;
	int ret;

	if (spec->has_cpu && (spec->cpu >= nr_cpu_ids || !cpu_possible(spec->cpu))) {
		*why = "cpu= is none of this machine";
		return -EINVAL;
	}
	if (find(&cpupr_triggers, spec->name) || find(list, spec->name)) {
		*why = "there is one of that name";
		return -EEXIST;
	}
	if (nr_triggers - nr_leaving >= MAX_TRIGGERS) {
		*why = "there are too many";
		return -ENOSPC;
	}
	*why = "no memory";
	t = new_trigger(spec);
	if (!t)
		return -ENOMEM;
	t->once = once;
	ret = t->ops->arm(t, why);
	if (ret) {
		discard(t);
		return ret;
	}
	list_add_tail(&t->node, list);
	return 0;
}

static int leave(const char *name, const char **why)
{
	struct cpupr_trigger *t = find(&cpupr_triggers, name);

	if (!t) {
		*why = "there is none of that name";
		return -ENOENT;
	}
	t->leaves = true;
	nr_leaving++;
	return 0;
}

/* One line of a write. */
static int apply(const char *line, size_t len, struct list_head *list, const char **why)
{
	struct cpupr_trigger_spec *spec;
	int ret;

	if (cpupr_trigger_is_removal(line, len)) {
		char name[CPUPR_TRIGGER_NAME];

		ret = cpupr_trigger_parse_removal(name, line, len, why);
		return ret ?: leave(name, why);
	}
	*why = "no memory";
	spec = kmalloc(sizeof(*spec), GFP_KERNEL);
	if (!spec)
		return -ENOMEM;
	ret = cpupr_trigger_parse(spec, line, len, why) ?: add(spec, false, list, why);
	kfree(spec);
	return ret;
}

/* Which line of @text begins at @at, from 1. */
static unsigned int line_number(const char *text, const char *at)
{
	unsigned int n = 1;

	for (; text < at; text++)
		n += *text == '\n';
	return n;
}

static int apply_all(const char *text, struct list_head *list)
{
	const char *rest = text, *line, *why;
	size_t len;
	int ret;

	for (; len = strlen(rest), (line = cpupr_trigger_line(&rest, &len)); rest += len) {
		ret = apply(line, len, list, &why);
		if (ret) {
			pr_info("stack/triggers: line %u: %s\n", line_number(text, line), why);
			return ret;
		}
	}
	return 0;
}

static int write_lines(const char *text, bool replace)
{
	struct cpupr_trigger *t, *next;
	LIST_HEAD(new);
	LIST_HEAD(old);
	int ret;

	mutex_lock(&mutex);
	list_for_each_entry(t, &cpupr_triggers, node) {
		t->leaves = replace && !t->once;
		nr_leaving += t->leaves;
	}
	ret = apply_all(text, &new);
	nr_leaving = 0;
	list_for_each_entry_safe(t, next, &cpupr_triggers, node) {
		if (!ret && t->leaves)
			list_move_tail(&t->node, &old);
		t->leaves = false;
	}
	if (!ret)
		list_splice_tail_init(&new, &cpupr_triggers);
	retire(ret ? &new : &old);
	mutex_unlock(&mutex);
	return ret;
}

/**
 * cpupr_triggers_write() - add and remove triggers
 * @text: lines, see trigger.h
 *
 * Context: process, may sleep.
 *
 * Return: 0, or -errno of the first line that was refused; then nothing has changed,
 * and the log says why.
 */
int cpupr_triggers_write(const char *text)
{
	return write_lines(text, false);
}

/**
 * cpupr_triggers_replace() - the same, in place of all that there are
 * @text: lines; none of them removes all
 *
 * Context: process, may sleep.
 *
 * Return: as cpupr_triggers_write()
 */
int cpupr_triggers_replace(const char *text)
{
	return write_lines(text, true);
}

/**
 * cpupr_triggers_dump_stack() - the next calls of a function go to the log
 * @text: its name, and how many
 *
 * Context: process, may sleep.
 *
 * Return: as cpupr_triggers_write()
 */
int cpupr_triggers_dump_stack(const char *text)
{
	struct cpupr_trigger_spec *spec = kmalloc(sizeof(*spec), GFP_KERNEL);
	const char *why;
	int ret;

	if (!spec)
		return -ENOMEM;
	ret = cpupr_trigger_parse_dump(spec, text, &why);
	mutex_lock(&mutex);
	if (!ret)
		ret = add(spec, true, &cpupr_triggers, &why);
	mutex_unlock(&mutex);
	if (ret)
		pr_info("dump_stack: %s\n", why);
	kfree(spec);
	return ret;
}

/**
 * cpupr_triggers_reap() - take away what had to be done once and was
 *
 * Context: process, may sleep.
 */
void cpupr_triggers_reap(void)
{
	struct cpupr_trigger *t, *next;
	LIST_HEAD(done);

	mutex_lock(&mutex);
	list_for_each_entry_safe(t, next, &cpupr_triggers, node)
		if (t->once && READ_ONCE(t->printed) >= t->spec.limit)
			list_move_tail(&t->node, &done);
	retire(&done);
	mutex_unlock(&mutex);
}

/**
 * cpupr_triggers_cpus_change() - CPUs came or went
 *
 * Context: process, may sleep, not under cpus_read_lock().
 */
void cpupr_triggers_cpus_change(void)
{
	struct cpupr_trigger *t;

	mutex_lock(&mutex);
	list_for_each_entry(t, &cpupr_triggers, node)
		if (t->ops->cpus_change)
			t->ops->cpus_change(t);
	mutex_unlock(&mutex);
}

/*
 * Before the tracepoints' own notifier, which warns of probes that are left
 * (kernel/tracepoint.c).
 */
static int module_event(struct notifier_block *nb, unsigned long event, void *data)
{
	struct cpupr_trigger *t;

	if (event != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	mutex_lock(&mutex);
	list_for_each_entry(t, &cpupr_triggers, node)
		if (!t->gone && t->ops->module_goes)
			t->ops->module_goes(t, data);
	mutex_unlock(&mutex);
	return NOTIFY_OK;
}

static struct notifier_block module_block = {
	.notifier_call = module_event,
	.priority = 1,
};

/**
 * cpupr_triggers_init() - be ready for triggers
 *
 * Return: 0 or -errno.
 */
int cpupr_triggers_init(void)
{
	return register_module_notifier(&module_block);
}

/**
 * cpupr_triggers_exit() - all of them go
 *
 * Context: process, may sleep; nobody writes any more.
 */
void cpupr_triggers_exit(void)
{
	LIST_HEAD(all);

	unregister_module_notifier(&module_block);
	mutex_lock(&mutex);
	list_splice_init(&cpupr_triggers, &all);
	retire(&all);
	mutex_unlock(&mutex);
	cpupr_dump_exit();
}
