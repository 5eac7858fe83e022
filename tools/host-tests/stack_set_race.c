// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: sets of stacks under concurrent callers.
 *
 * First two callers, step by step: stack_set.c is built here with accesses to
 * shared memory that can be stopped. The second caller runs before the first
 * access of the first one, then all over again before the second access, and so
 * on; so does an NMI. Then threads for real; the Makefile builds this program with
 * the thread sanitizer.
 */
#include <pthread.h>

#include "stops.h"

#include <ledger/stack_set.c>

#define SETS	2
#define CHUNKS	8
#define KEYS	2000		/* different stacks: some of each chain */
#define BYTES	(sizeof(struct cpupr_stack_entry) + 2 * sizeof(u64))	/* of each of them */

static u64 memory[CHUNKS * CPUPR_STACK_CHUNK / sizeof(u64)];
static unsigned long taken, owned[SETS];
static struct cpupr_stack_pool pool;
static struct cpupr_stack_set sets[SETS];
static long counted[SETS][KEYS];	/* calls that returned an entry */

union buffer {
	struct cpupr_stack stack;
	u64 word[BYTES / sizeof(u64)];
};

static const struct cpupr_stack *stack_of(union buffer *b, unsigned int key)
{
	memset(b, 0, sizeof(*b));
	b->stack.kernel = 1;
	b->stack.user = 1;
	b->stack.frame[0] = 0xffffffff81000000ULL + key;
	b->stack.frame[1] = ~b->stack.frame[0];
	return &b->stack;
}

/* -1: of none. */
static long key_of(const struct cpupr_stack_entry *entry)
{
	const struct cpupr_stack *stack = &entry->stack;

	if (stack->kernel != 1 || stack->user != 1 || stack->frame[1] != ~stack->frame[0])
		return -1;
	return (long)(stack->frame[0] - 0xffffffff81000000ULL);
}

static void begin(unsigned int chunks)
{
	unsigned int s;

	memset(memory, 0x5a, sizeof(memory));
	memset(sets, 0, sizeof(sets));
	memset(counted, 0, sizeof(counted));
	taken = 0;
	pool = (struct cpupr_stack_pool){ memory, &taken, chunks };
	for (s = 0; s < SETS; s++) {
		owned[s] = 0;
		sets[s].pool = &pool;
		sets[s].owned = &owned[s];
	}
}

static struct cpupr_stack_entry *count(unsigned int s, unsigned int key)
{
	union buffer b;
	struct cpupr_stack_entry *entry = cpupr_stack_set_count(&sets[s], stack_of(&b, key));

	if (entry)
		__atomic_add_fetch(&counted[s][key], 1, __ATOMIC_RELAXED);
	return entry;
}

/* Each stack once, as often as it was counted; @n is of how many there are. */
static bool set_right(unsigned int s, unsigned int *n)
{
	struct cpupr_stack_entry *entry = NULL;
	bool seen[KEYS] = { false };
	u32 chain = 0;

	*n = 0;
	while ((entry = cpupr_stack_set_next(&sets[s], &chain, entry))) {
		long key = key_of(entry);

		/* Or a chain may go round. */
		if (key < 0 || key >= KEYS || seen[key])
			return is("a stack that is there already", key, -1);
		seen[key] = true;
		if (!is("count", atomic64_read(&entry->count), counted[s][key]))
			return false;
		++*n;
	}
	for (long key = 0; key < KEYS; key++)
		if (counted[s][key] && !seen[key])
			return is("a stack that is not there", key, -1);
	return true;
}

/* All chunks that are taken are of one set. */
static bool books_right(unsigned int n0, unsigned int n1)
{
	unsigned int n[SETS];

	return set_right(0, &n[0]) && set_right(1, &n[1]) && is("stacks", n[0], n0) &&
	       is("stacks of the other set", n[1], n1) &&
	       is("chunks", (long)taken, (long)(owned[0] | owned[1])) &&
	       is("chunks of two sets", (long)(owned[0] & owned[1]), 0);
}

/* --- two callers ------------------------------------------------------------------------- */

static unsigned int key[4];	/* four of a chain */
static struct cpupr_stack_entry *got[2];

static bool find_keys(void)
{
	unsigned int k, n = 0;
	union buffer b;

	for (k = 0; k < KEYS && n < 4; k++)
		if (hash_of(stack_of(&b, k)) % CPUPR_STACK_HEADS == 7)
			key[n++] = k;
	return is("stacks of a chain", n, 4);
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
		p->prepare();
		got[0] = NULL;
		got[1] = NULL;
		if (!run_stopped(n, p->one, p->other))
			return n > 1 || is("accesses", 0, 1);
		if (!p->right()) {
			ktap_note("stopped before access %u", n);
			return false;
		}
	}
	return is("accesses", n, 0);
}

static void first_counts(void)
{
	got[0] = count(0, key[0]);
}

static void second_counts_the_same(void)
{
	got[1] = count(0, key[0]);
}

static void second_counts_another(void)
{
	got[1] = count(0, key[1]);
}

static void second_counts_in_the_other_set(void)
{
	got[1] = count(1, key[0]);
}

static void prepare_empty(void)
{
	begin(CHUNKS);
}

static void prepare_one_there(void)
{
	begin(CHUNKS);
	count(0, key[2]);
}

static void prepare_there(void)
{
	begin(CHUNKS);
	count(0, key[0]);
}

/* As if that much was used of the newest chunk of set 0. */
static void leave(unsigned int chunks, unsigned int bytes)
{
	begin(chunks);
	count(0, key[2]);
	sets[0].last = (sets[0].last & ~0xffffffffULL) | (CPUPR_STACK_CHUNK - bytes);
}

static bool both_got_the_same(void)
{
	return is("an entry", !!got[0], 1) && is("the other's", got[1] == got[0], 1);
}

/* If the entry is the first piece of its chunk, what the other one had taken was given back. */
static bool same_entry(void)
{
	bool ahead = ((char *)got[0] - (char *)memory) % CPUPR_STACK_CHUNK == FIRST;

	return both_got_the_same() && books_right(1, 0) &&
	       is("bytes", (long)(u32)sets[0].last, (long)(FIRST + (ahead ? 1 : 2) * BYTES));
}

static bool two_of_a_new_stack(void)
{
	return each_stop(&(struct pair){ prepare_empty, first_counts, second_counts_the_same,
					 same_entry });
}

static bool same_entry_counted_thrice(void)
{
	return both_got_the_same() && books_right(1, 0) &&
	       is("count", counted[0][key[0]], 3);
}

static bool two_of_one_that_is_there(void)
{
	return each_stop(&(struct pair){ prepare_there, first_counts, second_counts_the_same,
					 same_entry_counted_thrice });
}

static bool two_entries(void)
{
	return is("entries", !!got[0] + !!got[1], 2) && books_right(3, 0) &&
	       is("bytes", (long)(u32)sets[0].last, (long)(FIRST + 3 * BYTES));
}

static bool two_of_a_chain(void)
{
	return each_stop(&(struct pair){ prepare_one_there, first_counts, second_counts_another,
					 two_entries });
}

static void second_counts_three(void)
{
	count(0, key[1]);
	second_counts_the_same();
	count(0, key[3]);
}

static bool three_more(void)
{
	return both_got_the_same() && books_right(4, 0);
}

static bool others_in_front_meanwhile(void)
{
	return each_stop(&(struct pair){ prepare_one_there, first_counts, second_counts_three,
					 three_more });
}

static void prepare_room_for_one(void)
{
	leave(1, BYTES + 8);
}

static bool one_got_it(void)
{
	return is("entries", !!got[0] + !!got[1], 1) && books_right(2, 0);
}

static bool room_for_one_of_two(void)
{
	return each_stop(&(struct pair){ prepare_room_for_one, first_counts, second_counts_another,
					 one_got_it });
}

static bool one_at_least_got_it(void)
{
	return is("none", !got[0] && !got[1], 0) && books_right(2, 0);
}

static bool room_for_one_stack_of_two(void)
{
	return each_stop(&(struct pair){ prepare_room_for_one, first_counts, second_counts_the_same,
					 one_at_least_got_it });
}

static void prepare_a_chunk_left(void)
{
	leave(2, BYTES - 8);
}

/* Whoever interrupts the one that has the chunk in its hands gets none, once. */
static bool each_got_a_piece_of_it(void)
{
	if (!is("the entry of who was interrupted", !!got[0], 1))
		return false;
	if (!got[1])
		second_counts_another();
	return is("an entry", !!got[1], 1) && books_right(3, 0) && is("chunks", (long)taken, 3);
}

static bool the_last_chunk(void)
{
	return each_stop(&(struct pair){ prepare_a_chunk_left, first_counts, second_counts_another,
					 each_got_a_piece_of_it });
}

static void prepare_two_chunks_left(void)
{
	leave(3, BYTES - 8);
}

static bool one_chunk_for_both(void)
{
	return is("entries", !!got[0] + !!got[1], 2) && books_right(3, 0) &&
	       is("chunks", (long)cpupr_stack_pool_used(&pool), 2 * CPUPR_STACK_CHUNK);
}

static bool two_chunks_at_once(void)
{
	return each_stop(&(struct pair){ prepare_two_chunks_left, first_counts, second_counts_another,
					 one_chunk_for_both });
}

static bool one_set_got_it(void)
{
	return is("entries", !!got[0] + !!got[1], 1) && books_right(1 + !!got[0], !!got[1]);
}

static bool the_last_chunk_of_two_sets(void)
{
	return each_stop(&(struct pair){ prepare_a_chunk_left, first_counts,
					 second_counts_in_the_other_set, one_set_got_it });
}

static void prepare_two_sets(void)
{
	prepare_a_chunk_left();
	count(1, key[0]);
}

static void second_clears(void)
{
	cpupr_stack_set_clear(&sets[1]);
	memset(counted[1], 0, sizeof(counted[1]));
}

static bool it_was_late_or_not(void)
{
	return books_right(1 + !!got[0], 0) && is("another try", !!count(0, key[0]), 1);
}

static bool the_other_set_is_cleared(void)
{
	return each_stop(&(struct pair){ prepare_two_sets, first_counts, second_clears,
					 it_was_late_or_not });
}

static unsigned int read_of[KEYS];

static void prepare_a_read(void)
{
	begin(CHUNKS);
	count(0, key[0]);
	count(0, key[3]);
	memset(read_of, 0, sizeof(read_of));
}

static void first_reads(void)
{
	struct cpupr_stack_entry *entry = NULL;
	u32 chain = 0;

	while ((entry = cpupr_stack_set_next(&sets[0], &chain, entry)))
		if (is("a number", atomic64_read(&entry->count) > 0 && key_of(entry) >= 0, 1))
			read_of[key_of(entry)]++;
}

static void second_counts_some(void)
{
	count(0, key[1]);
	count(0, key[0]);
	count(0, 0);
	count(0, 1);
}

/* What was there is read once, the new ones at most. */
static bool read_once(void)
{
	return is("read", read_of[key[0]], 1) && is("read", read_of[key[3]], 1) &&
	       is("read twice", read_of[key[1]] > 1 || read_of[0] > 1 || read_of[1] > 1, 0) &&
	       books_right(5, 0);
}

static bool a_reader(void)
{
	return each_stop(&(struct pair){ prepare_a_read, first_reads, second_counts_some, read_once });
}

static void first_finds(void)
{
	union buffer b;

	got[0] = cpupr_stack_set_find(&sets[0], stack_of(&b, key[3]));
}

static bool found_it(void)
{
	return is("found", got[0] ? key_of(got[0]) : -1, key[3]);
}

static bool a_finder(void)
{
	return each_stop(&(struct pair){ prepare_a_read, first_finds, second_counts_some, found_it });
}

static struct cpupr_stack_entry *spanned;

static void prepare_a_span(void)
{
	begin(CHUNKS);
	spanned = count(0, key[0]);
}

static void first_spans(void)
{
	cpupr_stack_entry_span(spanned, 1ULL << 40);
}

static void second_spans(void)
{
	cpupr_stack_entry_span(spanned, 5);
}

static bool both_are_in_it(void)
{
	return is("spans", atomic64_read(&spanned->spans), 2) &&
	       is("time", atomic64_read(&spanned->time), (1LL << 40) + 5) && books_right(1, 0);
}

static bool two_spans(void)
{
	return each_stop(&(struct pair){ prepare_a_span, first_spans, second_spans, both_are_in_it });
}

/* --- threads ----------------------------------------------------------------------------- */

/*
 * Each thread counts stacks of the same ones in set 0, and of set 1, too, or one more
 * has that for itself, and clears it now and then. Another one reads set 0.
 */
#define THREADS		4
#define ROUNDS		12
#define CALLS		1500

/**
 * struct crowd - what the threads do
 * @chunks: of the pool
 * @stacks: different ones that there are
 * @cleared: set 1 is of one thread
 */
struct crowd {
	unsigned int chunks;
	unsigned int stacks;
	bool cleared;
};

static const struct crowd *crowd;
static pthread_barrier_t all_here;
static int over;
static long mistakes, none;

static unsigned int next_random(unsigned int *random)
{
	*random = *random * 1664525U + 1013904223U;
	return *random >> 8;
}

static void call(unsigned int s, unsigned int k)
{
	struct cpupr_stack_entry *entry = count(s, k);

	if (entry)
		cpupr_stack_entry_span(entry, k + 1);
	else
		__atomic_add_fetch(&none, 1, __ATOMIC_RELAXED);
}

static void *caller_thread(void *arg)
{
	unsigned int random = (unsigned int)(unsigned long)arg * 2654435761U + 1, i;

	restless = random;
	pthread_barrier_wait(&all_here);
	/* At first all of them the same ones at once. */
	for (i = 0; i < CALLS; i++)
		call(crowd->cleared ? 0 : next_random(&random) % SETS,
		     (i < CALLS / 2 ? i : next_random(&random)) % crowd->stacks);
	return NULL;
}

static bool spans_right(unsigned int s)
{
	struct cpupr_stack_entry *entry = NULL;
	u32 chain = 0;

	while ((entry = cpupr_stack_set_next(&sets[s], &chain, entry)))
		if (!is("spans", atomic64_read(&entry->spans), atomic64_read(&entry->count)) ||
		    !is("time", atomic64_read(&entry->time),
			atomic64_read(&entry->count) * (key_of(entry) + 1)))
			return false;
	return true;
}

static void *clearing_thread(void *arg)
{
	unsigned int random = (unsigned int)(unsigned long)arg, i, n;

	restless = random;
	pthread_barrier_wait(&all_here);
	for (i = 1; i <= CALLS; i++) {
		call(1, next_random(&random) % crowd->stacks);
		if (i % 250)
			continue;
		if (!set_right(1, &n) || !spans_right(1))
			__atomic_add_fetch(&mistakes, 1, __ATOMIC_RELAXED);
		second_clears();
	}
	return NULL;
}

static void *reading_thread(void *arg)
{
	while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
		struct cpupr_stack_entry *entry = NULL;
		u32 chain = 0;

		while ((entry = cpupr_stack_set_next(&sets[0], &chain, entry)))
			if (key_of(entry) < 0 || key_of(entry) >= KEYS || atomic64_read(&entry->count) < 1)
				__atomic_add_fetch(&mistakes, 1, __ATOMIC_RELAXED);
		sched_yield();
	}
	return NULL;
}

static bool round_right(void)
{
	unsigned int n[SETS];

	return set_right(0, &n[0]) && set_right(1, &n[1]) && spans_right(0) && spans_right(1) &&
	       books_right(n[0], n[1]) && is("mistakes", mistakes, 0);
}

static bool one_round(unsigned long number)
{
	pthread_t thread[THREADS + 1], reader;
	unsigned int threads = THREADS + crowd->cleared;
	unsigned long i;

	begin(crowd->chunks);
	over = 0;
	if (pthread_create(&reader, NULL, reading_thread, NULL))
		return is("thread", -1, 0);
	for (i = 0; i < threads; i++)
		if (pthread_create(&thread[i], NULL, i < THREADS ? caller_thread : clearing_thread,
				   (void *)(number * threads + i)))
			return is("thread", (long)i, -1);
	for (i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	__atomic_store_n(&over, 1, __ATOMIC_RELEASE);
	pthread_join(reader, NULL);
	return round_right();
}

static bool threads(const struct crowd *c)
{
	unsigned long i;

	if (failed_before())
		return false;
	crowd = c;
	none = 0;
	pthread_barrier_init(&all_here, NULL, THREADS + c->cleared);
	for (i = 0; i < ROUNDS; i++)
		if (!one_round(i))
			return false;
	pthread_barrier_destroy(&all_here);
	return true;
}

static bool room_for_all(void)
{
	return threads(&(struct crowd){ CHUNKS, 250, false }) && is("without memory", none, 0);
}

static bool room_for_some(void)
{
	return threads(&(struct crowd){ 3, KEYS, false }) && is("without memory", none > 0, 1);
}

static bool one_clears(void)
{
	return threads(&(struct crowd){ 4, 400, true });
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "keys for the others", find_keys },
		{ "two of a new stack", two_of_a_new_stack },
		{ "two of one that is there", two_of_one_that_is_there },
		{ "two of a chain", two_of_a_chain },
		{ "others in front meanwhile", others_in_front_meanwhile },
		{ "room for one of two", room_for_one_of_two },
		{ "room for one, and both are the same", room_for_one_stack_of_two },
		{ "the last chunk", the_last_chunk },
		{ "two chunks at once", two_chunks_at_once },
		{ "the last chunk of two sets", the_last_chunk_of_two_sets },
		{ "the other set is cleared meanwhile", the_other_set_is_cleared },
		{ "a reader", a_reader },
		{ "a finder", a_finder },
		{ "two spans", two_spans },
		{ "threads, room for all", room_for_all },
		{ "threads, room for some", room_for_some },
		{ "threads, and one clears a set", one_clears },
	};

	ktap_run(tests, sizeof(tests) / sizeof(tests[0]));
	return ktap_exit();
}
