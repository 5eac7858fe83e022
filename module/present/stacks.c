// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack/stacks and stack/folded: who was met by triggers, how often. Formats:
 * tools/abi/debugfs-cpuprecise.
 *
 * A stack is copied as addresses; what they are called is looked up when its row
 * is printed, which can take long and sleep.
 */
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/sort.h>
#include <linux/string_helpers.h>

#include <cpuprecise/stacks.h>
#include <cpuprecise/table.h>

/* For stacks that are first met while the others are copied. */
#define ROOM_FOR_NEW	SZ_128K

/**
 * struct stacks_trigger - whose stacks they are
 * @name: of the trigger
 * @symbol: what its place is called, or empty
 * @target: as written
 * @function: a stack is of who called the place, not of the place
 * @total: sum of the counts, of stacks that are left out too
 */
struct stacks_trigger {
	char name[CPUPR_TRIGGER_NAME];
	char symbol[KSYM_SYMBOL_LEN];
	char target[CPUPR_TRIGGER_TARGET];
	bool function;
	u64 total;
};

/**
 * struct stacks_row - a stack
 * @trigger: whose
 * @stack: what it is
 * @count: how often it was met
 * @spans: how many spans @time is the sum of
 * @time: of spans that began with it, ns
 */
struct stacks_row {
	const struct stacks_trigger *trigger;
	const struct cpupr_stack *stack;
	u64 count;
	u64 spans;
	u64 time;
};

/**
 * struct stacks_snapshot - one piece of memory, so that it can be given back as one
 * @triggers: how many have stacks, or could
 * @max_rows: room for so many
 * @rows: how many there are
 * @left_out: stacks that found no room
 * @row: behind the triggers
 * @stack: behind the rows: where the next stack goes
 * @end: of the room for stacks
 * @trigger: in the order of the list
 */
struct stacks_snapshot {
	unsigned int triggers;
	unsigned int max_rows;
	unsigned int rows;
	unsigned int left_out;
	struct stacks_row *row;
	void *stack;
	void *end;
	struct stacks_trigger trigger[];
};

/* What there is: triggers, and bytes of stacks. */
static size_t measure(unsigned int *triggers, unsigned int *entries)
{
	struct cpupr_trigger *t;
	size_t bytes = 0;

	*triggers = 0;
	*entries = 0;
	list_for_each_entry(t, &cpupr_triggers, node) {
		const struct cpupr_stack_entry *e = NULL;
		u32 chain = 0;

		if (!t->set)
			continue;
		++*triggers;
		while ((e = cpupr_stack_set_next(t->set, &chain, e))) {
			++*entries;
			bytes += cpupr_stack_bytes(&e->stack);
		}
		cond_resched();
	}
	return bytes;
}

static struct stacks_snapshot *new_snapshot(void)
{
	unsigned int triggers, entries;
	size_t bytes = measure(&triggers, &entries);
	struct stacks_snapshot *s;
	size_t rows_at;

	if (triggers) {
		bytes += ROOM_FOR_NEW;
		entries += ROOM_FOR_NEW / sizeof(struct cpupr_stack);
	}
	rows_at = ALIGN(struct_size(s, trigger, triggers), sizeof(u64));
	/* Rather none than that others are killed for it. */
	s = kvmalloc(rows_at + entries * sizeof(struct stacks_row) + bytes,
		     GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN);
	if (!s)
		return NULL;
	s->triggers = 0;
	s->max_rows = entries;
	s->rows = 0;
	s->left_out = 0;
	s->row = (void *)s + rows_at;
	s->stack = s->row + entries;
	s->end = s->stack + bytes;
	return s;
}

/* Its counts grow meanwhile; the rest is as it was when it was chained. */
static void copy_entry(struct stacks_snapshot *s, struct stacks_trigger *trigger,
		       const struct cpupr_stack_entry *from)
{
	size_t bytes = cpupr_stack_bytes(&from->stack);
	u64 count = atomic64_read(&from->count);

	/* It is about to be counted for the first time. */
	if (!count)
		return;
	trigger->total += count;
	if (s->rows == s->max_rows || bytes > s->end - s->stack) {
		s->left_out++;
		return;
	}
	s->row[s->rows++] = (struct stacks_row) {
		.trigger = trigger,
		.stack = memcpy(s->stack, &from->stack, bytes),
		.count = count,
		.spans = atomic64_read(&from->spans),
		.time = atomic64_read(&from->time),
	};
	s->stack += bytes;
}

static void copy_trigger(struct stacks_snapshot *s, const struct cpupr_trigger *t)
{
	struct stacks_trigger *trigger = &s->trigger[s->triggers++];
	const struct cpupr_stack_entry *e = NULL;
	u32 chain = 0;

	strscpy(trigger->name, t->spec.name, sizeof(trigger->name));
	strscpy(trigger->symbol, t->symbol, sizeof(trigger->symbol));
	strscpy(trigger->target, t->spec.target, sizeof(trigger->target));
	trigger->function = t->spec.kind == CPUPR_TRIGGER_KPROBE ||
			    t->spec.kind == CPUPR_TRIGGER_KRETPROBE;
	trigger->total = 0;
	while ((e = cpupr_stack_set_next(t->set, &chain, e)))
		copy_entry(s, trigger, e);
	cond_resched();
}

/* By trigger, then the most frequent first, then as they were found. */
static int compare_rows(const void *a, const void *b)
{
	const struct stacks_row *x = a, *y = b;

	if (x->trigger != y->trigger)
		return x->trigger < y->trigger ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x->stack < y->stack ? -1 : x->stack > y->stack;
}

static void *make(void)
{
	struct stacks_snapshot *s;
	struct cpupr_trigger *t;

	cpupr_triggers_lock();
	s = new_snapshot();
	if (s)
		list_for_each_entry(t, &cpupr_triggers, node)
			if (t->set)
				copy_trigger(s, t);
	cpupr_triggers_unlock();
	if (s)
		sort(s->row, s->rows, sizeof(s->row[0]), compare_rows, NULL);
	return s;
}

static unsigned int rows(const void *snapshot)
{
	const struct stacks_snapshot *s = snapshot;

	return s->rows;
}

static void folded_head(struct seq_file *m, const void *snapshot)
{
	const struct stacks_snapshot *s = snapshot;

	if (s->left_out)
		seq_printf(m, "# %u stacks left out\n", s->left_out);
}

static void stacks_head(struct seq_file *m, const void *snapshot)
{
	folded_head(m, snapshot);
	seq_puts(m, "# name count pct time_ns context comm\n");
}

static void *kernel_address(u64 frame)
{
	return (void *)(unsigned long)(frame | CPUPR_FRAME_BITS);
}

static void put_row_head(struct seq_file *m, const struct stacks_row *row)
{
	seq_puts(m, row->trigger->name);
	seq_put_decimal_ull(m, " ", row->count);
	cpupr_put_hundredths(m, true, div64_u64(row->count * 10000, row->trigger->total));
	/* Calls that are all still open have no time yet. */
	cpupr_put_known(m, row->spans, row->time);
	seq_printf(m, " %s ", cpupr_stack_contexts[row->stack->context]);
	cpupr_put_comm(m, row->stack->comm, sizeof(row->stack->comm), " \\");
	seq_putc(m, '\n');
}

static void put_cut(struct seq_file *m, bool cut)
{
	if (cut)
		seq_puts(m, "    ...\n");
}

static int stacks_row(struct seq_file *m, const void *snapshot, unsigned int i)
{
	const struct stacks_snapshot *s = snapshot;
	const struct cpupr_stack *stack = s->row[i].stack;
	const u64 *frame = stack->frame, *user = frame + stack->kernel;
	char name[CPUPR_USER_FRAME];

	put_row_head(m, &s->row[i]);
	for (; frame < user; frame++) {
		seq_puts(m, *frame & CPUPR_FRAME_RELIABLE ? "    " : "    ? ");
		seq_printf(m, *frame & CPUPR_FRAME_RETURN ? "%pB\n" : "%pS\n",
			   kernel_address(*frame));
	}
	put_cut(m, stack->cut & CPUPR_STACK_CUT_KERNEL);
	if (!stack->user)
		return 0;
	seq_puts(m, "    --- (user stack follows)\n");
	for (; frame < user + stack->user; frame++) {
		cpupr_user_frame(name, stack->tgid, stack->start, *frame);
		seq_printf(m, "    %s\n", name);
	}
	put_cut(m, stack->cut & CPUPR_STACK_CUT_USER);
	return 0;
}

/* Names have no semicolons; a blank would part them from the count. */
static void put_folded(struct seq_file *m, char *name)
{
	strreplace(name, ' ', '_');
	seq_putc(m, ';');
	seq_puts(m, name);
}

/* A call that does not return may be a function's last: what is behind it is another's. */
static void put_folded_kernel(struct seq_file *m, u64 frame)
{
	char name[KSYM_SYMBOL_LEN];
	bool returns = frame & CPUPR_FRAME_RETURN;

	snprintf(name, sizeof(name), "%s%ps", frame & CPUPR_FRAME_RELIABLE ? "" : "? ",
		 kernel_address(frame) - returns);
	put_folded(m, name);
}

/* name+0xOFFSET/0xSIZE [module] without the middle. */
static void put_folded_function(struct seq_file *m, const struct stacks_trigger *trigger)
{
	const char *symbol = trigger->symbol[0] ? trigger->symbol : trigger->target;
	char name[KSYM_SYMBOL_LEN];

	snprintf(name, sizeof(name), "%.*s%s", (int)strcspn(symbol, "+"), symbol,
		 strchr(symbol, ' ') ?: "");
	put_folded(m, name);
}

static int folded_row(struct seq_file *m, const void *snapshot, unsigned int i)
{
	const struct stacks_snapshot *s = snapshot;
	const struct stacks_row *row = &s->row[i];
	const struct cpupr_stack *stack = row->stack;
	char name[CPUPR_USER_FRAME];
	unsigned int k;

	cpupr_put_comm(m, stack->comm, sizeof(stack->comm), " \\;");
	for (k = stack->user; k--; ) {
		cpupr_user_frame(name, stack->tgid, stack->start, stack->frame[stack->kernel + k]);
		put_folded(m, name);
	}
	for (k = stack->kernel; k--; )
		put_folded_kernel(m, stack->frame[k]);
	if (row->trigger->function)
		put_folded_function(m, row->trigger);
	seq_put_decimal_ull(m, " ", row->count);
	seq_putc(m, '\n');
	return 0;
}

const struct cpupr_table cpupr_stacks_table = {
	.dir = "stack",
	.name = "stacks",
	.make = make,
	.head = stacks_head,
	.rows = rows,
	.row = stacks_row,
};

const struct cpupr_table cpupr_folded_table = {
	.dir = "stack",
	.name = "folded",
	.make = make,
	.head = folded_head,
	.rows = rows,
	.row = folded_row,
};
