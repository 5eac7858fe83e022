// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: random lives of tasks' records, the same ones in every run.
 *
 * The model is a plain list of who has which record. After each event all tasks
 * are looked up, and each record must hold what its task left there.
 */
#include "draw.h"
#include "ktap.h"

#include <cpuprecise/task_table.h>

#define RECORDS	100
#define RING	128
#define KEYS	48
#define EVENTS	60000

enum state { FREE, LIVE, STILL, UNLINKED };

/* What the model knows of a record. */
struct entry {
	enum state state;
	unsigned int key;
	u64 start;
	u64 stamp;
};

/**
 * struct history - a table
 * @name: what it shows
 * @count: records
 * @bits: of a hash
 * @ring: entries for what is free
 * @taken: what were taken and given before, in the ring's numbers
 * @keys: tasks at a time that may live
 * @going: in 1024 events, how often one goes
 */
struct history {
	const char *name;
	unsigned int count;
	unsigned int bits;
	unsigned int ring;
	unsigned long taken;
	unsigned int keys;
	unsigned int going;
};

static const struct history histories[] = {
	{ "one record", 1, 1, 1, 0, 3, 300 },
	{ "three records, two chains", 3, 1, 4, 0, 8, 300 },
	{ "sixteen records, room for all", 16, 4, 16, 0, 12, 200 },
	{ "sixteen records, always too few", 16, 4, 16, 0, KEYS, 100 },
	{ "a count that is no power of two", 100, 7, 128, 0, KEYS, 250 },
	{ "numbers of the ring pass 2^64", 5, 3, 8, -1000UL, 9, 300 },
	{ "numbers of the ring pass 2^32", 16, 4, 16, (1UL << 32) - 1000, 20, 300 },
	{ "two long chains", 40, 1, 64, 0, KEYS, 200 },
};

static struct run {
	const struct history *h;
	struct cpupr_task_table table;
	struct cpupr_task *heads[RING];
	struct cpupr_task task[RECORDS];
	u32 free[RING];
	struct entry entry[RECORDS];
	u64 starts;		/* no two tasks begin at a time */
	u64 start_of[KEYS];	/* of the task that last was at an address */
	unsigned int number;
	const char *event;
} r;

static bool differ(const char *what, u64 got, u64 want)
{
	return event_differs(r.h->name, r.number, r.event, what, got, want);
}

/* Task structures of a slab: never followed. */
static const void *address(unsigned int key)
{
	return (const void *)(0xffff888000000000UL + 10752UL * key);
}

static s64 number_of(const struct cpupr_task *task)
{
	return task ? task - r.task : -1;
}

static s64 find(unsigned int key, enum state state, u64 start)
{
	unsigned int i;

	for (i = 0; i < r.h->count; i++)
		if (r.entry[i].state == state && r.entry[i].key == key &&
		    (state == LIVE || r.entry[i].start == start))
			return i;
	return -1;
}

static unsigned int free_records(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < r.h->count; i++)
		n += r.entry[i].state == FREE;
	return n;
}

/* A record of that state, or -1; any of them. */
static s64 pick(enum state state)
{
	unsigned int i, first = below(r.h->count);

	for (i = 0; i < r.h->count; i++)
		if (r.entry[(first + i) % r.h->count].state == state)
			return (first + i) % r.h->count;
	return -1;
}

/* The whole record, so that nobody else's is written to unseen. */
static void stamp(s64 number)
{
	struct cpupr_task *task = &r.task[number];
	u64 value = draw();
	unsigned int i;

	r.entry[number].stamp = value;
	for (i = 0; i < CPUPR_NR_TASK_TIMES; i++) {
		task->time[i] = value + i;
		task->shown[i] = value - i;
		task->base.time[i] = value ^ i;
	}
	task->base.tick = value;
	task->delay = ~value;
	task->call = (s32)(value >> 40);
}

static bool stamped(unsigned int number)
{
	const struct cpupr_task *task = &r.task[number];
	u64 value = r.entry[number].stamp;
	unsigned int i;

	for (i = 0; i < CPUPR_NR_TASK_TIMES; i++)
		if (task->time[i] != value + i || task->shown[i] != value - i ||
		    task->base.time[i] != (value ^ i))
			return false;
	return task->base.tick == value && task->delay == ~value && task->call == (s32)(value >> 40);
}

static bool fresh(const struct cpupr_task *task)
{
	static const struct cpupr_task none;

	return !task->was && !task->still && !task->delay && task->call == CPUPR_NO_CALL &&
	       !memcmp(task->time, none.time, sizeof(none.time)) &&
	       !memcmp(task->shown, none.shown, sizeof(none.shown)) &&
	       !memcmp(&task->base, &none.base, sizeof(none.base));
}

static bool get(void)
{
	unsigned int key = below(r.h->keys);
	struct cpupr_task *spare = r.task, *task;
	bool again = below(2), bad = false;
	s64 live, still, got;
	u64 start;

	/* Another task at that address, or the same one. */
	if (find(key, LIVE, 0) < 0 && chance(300))
		r.start_of[key] = ++r.starts;
	start = r.start_of[key];
	live = find(key, LIVE, start);
	still = find(key, STILL, start);
	r.event = "get";
	task = cpupr_task_get(&r.table, address(key), start, &spare, &again);
	got = number_of(task);
	bad |= differ("what is spare", !!spare, 0);
	bad |= differ("again", again, live < 0 && still >= 0);
	if (live >= 0)
		return !(bad | differ("the record", (u64)got, (u64)live));
	if (still >= 0) {
		bad |= differ("the record", (u64)got, (u64)still);
		task->was = NULL;
		r.entry[still].state = LIVE;
		return !bad;
	}
	if (!free_records())
		return !(bad | differ("the record", (u64)got, -1ULL));
	if (differ("a record", !!task, 1) || differ("its state", r.entry[got].state, FREE) ||
	    differ("a record as it begins", fresh(task), 1))
		return false;
	r.entry[got] = (struct entry){ .state = LIVE, .key = key, .start = start };
	stamp(got);
	return !bad;
}

static void stand_still(void)
{
	s64 number = pick(LIVE);
	struct cpupr_task *task;

	r.event = "still";
	if (number < 0)
		return;
	task = &r.task[number];
	task->was = task->key;
	task->key = NULL;
	task->still = true;
	task->id.start = r.entry[number].start;
	r.entry[number].state = STILL;
}

static void unlink_one(void)
{
	s64 number = pick(STILL);

	r.event = "unlink";
	if (number < 0)
		return;
	cpupr_task_unlink(&r.table, &r.task[number]);
	r.entry[number].state = UNLINKED;
}

static void release(void)
{
	s64 number = pick(UNLINKED);

	r.event = "release";
	if (number < 0)
		return;
	cpupr_task_release(&r.table, &r.task[number]);
	r.entry[number].state = FREE;
}

static bool agree(void)
{
	bool bad = differ("room", cpupr_task_room(&r.table), free_records());
	unsigned int i;

	for (i = 0; i < KEYS; i++)
		bad |= differ("what is found", (u64)number_of(cpupr_task_find(&r.table, address(i))),
			      (u64)find(i, LIVE, 0));
	for (i = 0; i < r.h->count; i++)
		if (r.entry[i].state != FREE)
			bad |= differ("a record that is as it was left", stamped(i), 1);
	return !bad;
}

static void begin(const struct history *h)
{
	unsigned int i;

	memset(&r, 0, sizeof(r));
	r.h = h;
	r.table = (struct cpupr_task_table){
		.heads = r.heads, .shift = 64 - h->bits, .count = h->count, .task = r.task,
		.mask = h->ring - 1, .free = r.free,
	};
	cpupr_task_table_init(&r.table);
	if (!h->taken)
		return;
	r.table.taken = h->taken;
	r.table.given = h->taken + h->count;
	for (i = 0; i < h->count; i++)
		r.free[(h->taken + i) & r.table.mask] = i;
}

static bool history(const struct history *h)
{
	begin(h);
	for (r.number = 0; r.number < EVENTS; r.number++) {
		if (!chance(3 * h->going)) {
			if (!get())
				return false;
		} else if (chance(341)) {
			stand_still();
		} else if (chance(512)) {
			unlink_one();
		} else {
			release();
		}
		if (!agree())
			return false;
	}
	return true;
}

int main(void)
{
	unsigned int i;

	ktap_plan(sizeof(histories) / sizeof(histories[0]));
	for (i = 0; i < sizeof(histories) / sizeof(histories[0]); i++) {
		random_state = i;
		ktap_result(history(&histories[i]), histories[i].name);
	}
	return ktap_exit();
}
