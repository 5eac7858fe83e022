// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: the table of tasks under concurrent callers.
 *
 * First two callers, step by step: task_table.c is built here with accesses to
 * shared memory that can be stopped. The second caller runs before the first
 * access of the first one, then all over again before the second access, and so
 * on. Then threads for real; the Makefile builds this program with the thread
 * sanitizer.
 */
#include <pthread.h>

/*
 * In the kernel READ_ONCE() of a pointer comes before what is read by way of that
 * pointer, and orders nothing else. Keys are not followed: their type is another.
 */
struct cpupr_task;
#define READ_ORDER(x)							\
	(__builtin_types_compatible_p(__typeof__(x), struct cpupr_task *) ?	\
	 __ATOMIC_CONSUME : __ATOMIC_RELAXED)

#include "stops.h"

#include <ledger/task_table.c>

#define RECORDS	16
#define CHAINS	4
#define KEYS	24
#define DEAD	((const void *)1)	/* the key of a record whose task is dead: nobody's */

static struct cpupr_task_table table;
static struct cpupr_task *heads[CHAINS];
static struct cpupr_task records[RECORDS];
static u32 ring[RECORDS];

static const void *address(unsigned int key)
{
	return (const void *)(0xffff888000000000UL + 10752UL * key);
}

static long number_of(const struct cpupr_task *task)
{
	return task ? task - records : -1;
}

static void begin(unsigned int count, unsigned int bits)
{
	memset(heads, 0, sizeof(heads));
	memset(ring, 0, sizeof(ring));
	memset(records, 0, sizeof(records));
	table = (struct cpupr_task_table){
		.heads = heads, .shift = 64 - bits, .count = count, .task = records,
		.mask = RECORDS - 1, .free = ring,
	};
	cpupr_task_table_init(&table);
}

static unsigned int in_chain(const struct cpupr_task *wanted)
{
	const struct cpupr_task *task;
	unsigned int i, n = 0;

	for (i = 0; i < CHAINS; i++)
		for (task = heads[i]; task; task = task->chain)
			n += task == wanted;
	return n;
}

/* Whoever walks a chain that goes round does so for ever. */
static bool chains_end(void)
{
	const struct cpupr_task *task;
	unsigned int i, n = 0;

	for (i = 0; i < CHAINS; i++)
		for (task = heads[i]; task && n <= RECORDS; task = task->chain)
			n++;
	return n <= RECORDS || is("records in chains", n, RECORDS);
}

/* Each record is in one chain, free, or among the @others: nowhere twice, none lost. */
static bool all_there(struct cpupr_task * const *other, unsigned int others)
{
	bool ok = true;
	unsigned int i;
	unsigned long at;

	for (i = 0; i < table.count; i++) {
		unsigned int n = in_chain(&records[i]), k;

		for (at = table.taken; at != table.given; at++)
			n += ring[at & table.mask] == i;
		for (k = 0; k < others; k++)
			n += other[k] == &records[i];
		ok &= is("places of a record", n, 1);
	}
	return ok;
}

static unsigned int live(unsigned int key)
{
	const struct cpupr_task *task = READ_ONCE(*cpupr_task_head(&table, address(key)));
	unsigned int n = 0;

	for (; task; task = READ_ONCE(*(struct cpupr_task **)&task->chain))
		n += READ_ONCE(*(const void **)&task->key) == address(key);
	return n;
}

/* --- step by step ----------------------------------------------------------------------- */

/**
 * struct caller - what a caller of cpupr_task_get() asks for, and gets
 */
struct caller {
	unsigned int key;
	u64 start;
	struct cpupr_task *got;
	struct cpupr_task *spare;
	bool again;
};

static struct caller first, second;

static void stand_still(struct cpupr_task *task, u64 start)
{
	task->id.start = start;
	task->still = true;
	task->key = NULL;
	task->was = address((unsigned int)number_of(task));
}

/* As module/tasks.c, for one that goes on. */
static void go_on(struct cpupr_task *task)
{
	WRITE_ONCE(task->still, false);
	WRITE_ONCE(task->was, NULL);
}

static void call(struct caller *c)
{
	c->got = cpupr_task_get(&table, address(c->key), c->start, &c->spare, &c->again);
	if (c->again)
		go_on(c->got);
}

static void second_calls(void)
{
	call(&second);
}

/* Records 0 to @n - 1 are those of keys 0 to @n - 1. */
static void fill(unsigned int n)
{
	struct caller c = { .start = 7 };

	for (c.key = 0; c.key < n; c.key++)
		call(&c);
}

static void first_calls(void)
{
	call(&first);
}

/**
 * struct pair - two callers
 * @prepare: what was before
 * @one: is stopped once, before any of its accesses
 * @other: what happens then
 * @right: is it as it should be?
 */
struct pair {
	void (*prepare)(void);
	void (*one)(void);
	void (*other)(void);
	bool (*right)(void);
};

/* Ends with a run in which it was not stopped any more. */
static bool each_stop(const struct pair *p)
{
	unsigned int n;

	if (failed_before())
		return false;
	for (n = 1; n < ACCESSES; n++) {
		first = (struct caller){ .key = 20, .start = 7 };
		second = (struct caller){ .key = 20, .start = 7 };
		p->prepare();
		if (!run_stopped(n, p->one, p->other))
			return n > 1 || is("accesses", 0, 1);
		if (!chains_end() || !p->right()) {
			ktap_note("stopped before access %u", n);
			return false;
		}
	}
	return is("accesses", n, 0);
}

static bool spares_and_chains_right(void)
{
	struct cpupr_task *spare[2] = { first.spare, second.spare };

	return all_there(spare, 2);
}

static void prepare_three(void)
{
	begin(RECORDS, 1);
	fill(3);
}

static bool same_record(void)
{
	bool ok = is("a record", !!first.got, 1);

	ok &= is("the other's", number_of(second.got), number_of(first.got));
	ok &= is("live ones", live(20), 1);
	ok &= is("found", number_of(cpupr_task_find(&table, address(20))), number_of(first.got));
	ok &= is("again", first.again + second.again, 0);
	return ok && spares_and_chains_right();
}

static bool two_getters_of_a_task(void)
{
	return each_stop(&(struct pair){ prepare_three, first_calls, second_calls, same_record });
}

static void prepare_another_key(void)
{
	prepare_three();
	second.key = 21;
	/* Of the same chain: else there is nothing to see. */
	while (cpupr_task_head(&table, address(21)) != cpupr_task_head(&table, address(first.key)))
		first.key++;
}

static bool two_records(void)
{
	bool ok = is("a record", first.got && second.got, 1);

	ok &= is("the same", first.got == second.got, 0);
	ok &= is("live ones", live(first.key), 1);
	ok &= is("live ones of the other", live(21), 1);
	return ok && spares_and_chains_right();
}

static bool two_getters_of_two_tasks(void)
{
	return each_stop(&(struct pair){ prepare_another_key, first_calls, second_calls, two_records });
}

static void prepare_still(void)
{
	prepare_three();
	stand_still(&records[1], 7);
	first.key = 1;
	second.key = 1;
}

static bool revived_once(void)
{
	bool ok = is("the record", number_of(first.got), 1);

	ok &= is("the other's", number_of(second.got), 1);
	ok &= is("again", first.again + second.again, 1);
	ok &= is("live ones", live(1), 1);
	return ok && spares_and_chains_right();
}

/* The one that is faster has gone on with it, or is about to. */
static bool two_getters_of_one_that_stood_still(void)
{
	return each_stop(&(struct pair){ prepare_still, first_calls, second_calls, revived_once });
}

static void prepare_one_left(void)
{
	begin(4, 1);
	fill(3);
	second.key = 21;
}

static bool one_got_it(void)
{
	bool ok = is("records", !!first.got + !!second.got, 1);

	ok &= is("live ones", live(20) + live(21), 1);
	return ok && spares_and_chains_right();
}

static bool two_getters_of_the_last_record(void)
{
	return each_stop(&(struct pair){ prepare_one_left, first_calls, second_calls, one_got_it });
}

/* One is free, and one will be soon. */
static void prepare_one_to_come(void)
{
	prepare_one_left();
	stand_still(&records[1], 7);
	cpupr_task_unlink(&table, &records[1]);
}

static void takes_and_gives(void)
{
	call(&second);
	cpupr_task_release(&table, &records[1]);
}

/* The second one finds none only if the first one was faster. */
static bool each_got_one(void)
{
	bool ok = is("a record", !!first.got, 1);

	if (!second.got)
		ok &= is("the one that was left", number_of(first.got), 3);
	ok &= is("the same", first.got == second.got, 0);
	ok &= is("live ones", live(20), 1);
	ok &= is("live ones of the other", live(21), !!second.got);
	return ok && spares_and_chains_right();
}

static bool a_record_that_comes_back_meanwhile(void)
{
	return each_stop(&(struct pair){ prepare_one_to_come, first_calls, takes_and_gives, each_got_one });
}

static struct caller third;

static void takes_gives_and_takes(void)
{
	takes_and_gives();
	third = (struct caller){ .key = 22, .start = 7 };
	call(&third);
}

/* If the first one was late; else one of the others was. */
static bool two_got_one(void)
{
	struct cpupr_task *spare[3] = { first.spare, second.spare, third.spare };
	bool ok = is("records", !!first.got + !!second.got + !!third.got, 2);

	ok &= is("live ones", live(20) + live(21) + live(22), 2);
	return ok && all_there(spare, 3);
}

static bool all_are_taken_meanwhile(void)
{
	return each_stop(&(struct pair){ prepare_one_to_come, first_calls, takes_gives_and_takes,
					 two_got_one });
}

static void gives(void)
{
	cpupr_task_release(&table, &records[1]);
}

/* That one or none: no other one is free. */
static bool the_one_that_came(void)
{
	struct cpupr_task *spare = second.spare;

	return (!second.got || is("the record", number_of(second.got), 1)) && all_there(&spare, 1);
}

static void prepare_none_left(void)
{
	prepare_one_to_come();
	first_calls();
}

static bool a_record_that_is_just_given(void)
{
	return each_stop(&(struct pair){ prepare_none_left, gives, second_calls, the_one_that_came });
}

static unsigned int going;	/* the record that is unlinked */

static void prepare_going(void)
{
	prepare_three();
	stand_still(&records[going], 7);
}

static void one_goes(void)
{
	cpupr_task_unlink(&table, &records[going]);
}

static bool others_are_there(void)
{
	struct cpupr_task *other[3] = { &records[going], first.spare, second.spare };
	unsigned int i;
	bool ok = true;

	for (i = 0; i < 3; i++)
		ok &= is("live ones", live(i), i != going);
	ok &= is("live ones of the new", live(20), 1);
	return ok && all_there(other, 3);
}

static bool one_goes_another_one_comes(void)
{
	for (going = 0; going < 3; going++)
		if (!each_stop(&(struct pair){ prepare_going, one_goes, second_calls, others_are_there }) ||
		    !each_stop(&(struct pair){ prepare_going, first_calls, one_goes, others_are_there }))
			return false;
	return true;
}

/* Those that were there all the time are found. */
static struct cpupr_task *found;
static unsigned int sought;

static void find_one(void)
{
	found = cpupr_task_find(&table, address(sought));
}

static bool is_found(void)
{
	return is("found", number_of(found), sought);
}

static bool a_finder(void)
{
	for (going = 0; going < 3; going++)
		for (sought = 0; sought < 3; sought++)
			if (sought != going &&
			    (!each_stop(&(struct pair){ prepare_going, find_one, one_goes, is_found }) ||
			     !each_stop(&(struct pair){ prepare_going, find_one, second_calls, is_found })))
				return false;
	return true;
}

/* --- threads ---------------------------------------------------------------------------- */

/*
 * Each thread gets, finds and kills tasks, all of them the same ones; one more
 * takes the dead out, waits until no thread can look at them, and releases them.
 * After each round all tasks stand still.
 */
#define THREADS		3
#define ROUNDS		150
#define CALLS		500

static u64 start_of[KEYS];		/* of the task that is at an address now */
static int owner[RECORDS];		/* a key, and 1; 0 while the record is nobody's */
static int ready[RECORDS];		/* whoever revived it is done */
static int revived[RECORDS];		/* since it stood still */
static unsigned long section[THREADS];	/* odd while the thread may look at records */
static struct cpupr_task *dead;
static int over;
static pthread_barrier_t all_here;
static long mistakes, got, none, deaths, revivals, released;

static void count(long *what)
{
	__atomic_add_fetch(what, 1, __ATOMIC_RELAXED);
}

static void mistake(const char *what, long number)
{
	count(&mistakes);
	ktap_note("%s: %ld", what, number);
}

static void bury(struct cpupr_task *task)
{
	struct cpupr_task *top;

	do {
		top = READ_ONCE(dead);
		task->next = top;
	} while (cmpxchg(&dead, top, task) != top);
}

/* As module/tasks.c, for a task that died. */
static void kill_task(unsigned int key)
{
	struct cpupr_task *task = cpupr_task_find(&table, address(key));

	/* Pairs with get_task(). */
	if (!task || !smp_load_acquire(&ready[number_of(task)]) ||
	    cmpxchg(&task->key, address(key), DEAD) != address(key))
		return;
	count(&deaths);
	WRITE_ONCE(task->still, false);
	WRITE_ONCE(task->id.start, READ_ONCE(start_of[key]));
	/* Pairs with cpupr_task_get(). */
	smp_store_release(&task->was, address(key));
	__atomic_add_fetch(&start_of[key], 1, __ATOMIC_RELAXED);
	bury(task);
}

static void get_task(unsigned int key)
{
	struct cpupr_task *task, *spare;
	bool again;
	int was;

	task = cpupr_task_get(&table, address(key), READ_ONCE(start_of[key]), &spare, &again);
	if (spare) {
		spare->was = NULL;
		bury(spare);
	}
	if (!task) {
		count(&none);
		return;
	}
	count(&got);
	was = cmpxchg(&owner[number_of(task)], 0, (int)key + 1);
	if (was && was != (int)key + 1)
		mistake("a record in two hands", number_of(task));
	if (!again)
		return;
	count(&revivals);
	if (__atomic_add_fetch(&revived[number_of(task)], 1, __ATOMIC_RELAXED) != 1)
		mistake("revived twice", number_of(task));
	go_on(task);
	/* Pairs with kill_task(). */
	smp_store_release(&ready[number_of(task)], 1);
}

static void find_task(unsigned int key)
{
	struct cpupr_task *task = cpupr_task_find(&table, address(key));
	int is_of = task ? READ_ONCE(owner[number_of(task)]) : 0;

	if (is_of && is_of != (int)key + 1)
		mistake("found another task's", number_of(task));
	if (live(key) > 1)
		mistake("records of one task", live(key));
}

static void *caller_thread(void *arg)
{
	unsigned long me = (unsigned long)arg % THREADS;
	unsigned int random = (unsigned int)(unsigned long)arg * 2654435761U + 1;
	unsigned int i;

	restless = random;
	pthread_barrier_wait(&all_here);
	for (i = 0; i < CALLS; i++) {
		unsigned int key;

		random = random * 1664525U + 1013904223U;
		key = (random >> 16) % KEYS;
		__atomic_add_fetch(&section[me], 1, __ATOMIC_SEQ_CST);
		/* At first, all of them at once, as when tasks are followed again. */
		if (i < KEYS) {
			get_task(i);
			__atomic_add_fetch(&section[me], 1, __ATOMIC_SEQ_CST);
			continue;
		}
		switch ((random >> 8) % 8) {
		case 0:
		case 1:
			kill_task(key);
			break;
		case 2:
			find_task(key);
			break;
		default:
			get_task(key);
			break;
		}
		__atomic_add_fetch(&section[me], 1, __ATOMIC_SEQ_CST);
	}
	return NULL;
}

/* Until all who may look at what was taken out are out of their sections. */
static void wait_for_all(void)
{
	unsigned long seen;
	int i;

	for (i = 0; i < THREADS; i++) {
		seen = __atomic_fetch_add(&section[i], 0, __ATOMIC_SEQ_CST);
		while (seen & 1 && __atomic_fetch_add(&section[i], 0, __ATOMIC_SEQ_CST) == seen)
			sched_yield();
	}
}

static void fold(void)
{
	struct cpupr_task *list = __atomic_exchange_n(&dead, NULL, __ATOMIC_SEQ_CST), *task, *next;

	for (task = list; task; task = task->next)
		if (task->was)
			cpupr_task_unlink(&table, task);
	wait_for_all();
	for (task = list; task; task = next) {
		next = task->next;
		WRITE_ONCE(owner[number_of(task)], 0);
		cpupr_task_release(&table, task);
		released++;
	}
}

static void *remover_thread(void *arg)
{
	while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
		fold();
		sched_yield();
	}
	return NULL;
}

static void all_stand_still(void)
{
	unsigned int key;

	for (key = 0; key < KEYS; key++) {
		struct cpupr_task *task = cpupr_task_find(&table, address(key));

		if (!task)
			continue;
		ready[number_of(task)] = 0;
		revived[number_of(task)] = 0;
		task->id.start = start_of[key];
		task->still = true;
		task->key = NULL;
		task->was = address(key);
	}
}

static bool round_right(void)
{
	bool ok = true;
	unsigned int key, n;

	if (!chains_end())
		return false;
	fold();
	for (key = 0; key < KEYS; key++) {
		n = live(key);
		if (n > 1)
			ok &= is("records of one task", n, 1);
	}
	return ok && all_there(NULL, 0);
}

static bool one_round(long number)
{
	pthread_t thread[THREADS], remover;
	long i;

	over = 0;
	if (pthread_create(&remover, NULL, remover_thread, NULL))
		return is("thread", -1, 0);
	for (i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, caller_thread,
				   (void *)(number * THREADS + i)))
			return is("thread", i, -1);
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	__atomic_store_n(&over, 1, __ATOMIC_RELEASE);
	pthread_join(remover, NULL);
	return round_right();
}

static bool many_threads(void)
{
	bool ok = true;
	int i;

	if (failed_before())
		return false;
	pthread_barrier_init(&all_here, NULL, THREADS);
	begin(RECORDS, 2);
	for (i = 0; i < RECORDS; i++)
		ready[i] = 1;
	for (i = 0; i < ROUNDS && ok && !mistakes; i++) {
		ok &= one_round(i);
		all_stand_still();
	}
	ok &= is("mistakes", mistakes, 0);
	/* All of it was tried. */
	if (ok && (!none || !revivals || !deaths || released < deaths))
		ok = is("what never happened", 1, 0);
	return ok;
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "two getters of one task", two_getters_of_a_task },
		{ "two getters of two tasks of a chain", two_getters_of_two_tasks },
		{ "two getters of one that stood still", two_getters_of_one_that_stood_still },
		{ "two getters of the last record", two_getters_of_the_last_record },
		{ "a record that comes back meanwhile", a_record_that_comes_back_meanwhile },
		{ "all are taken meanwhile", all_are_taken_meanwhile },
		{ "a record that is just given", a_record_that_is_just_given },
		{ "one goes, another one comes", one_goes_another_one_comes },
		{ "a finder, while one goes or comes", a_finder },
		{ "threads get, find, kill and revive tasks, one removes them", many_threads },
	};

	ktap_run(tests, sizeof(tests) / sizeof(tests[0]));
	return ktap_exit();
}
