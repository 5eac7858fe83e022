// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where a program spends its time, by samples: the share of a function is what the
 * program's own clock says, within three points.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest.h"

#include "machine.h"
#include "place.h"
#include "stacks.h"
#include "traces.h"

#define LENGTH		(8 * NSEC_PER_SEC)	/* of CPU time */
#define PIECE		400000			/* turns of a loop */
#define POINTS		3.0
#define LEAST_SAMPLES	2500			/* three standard deviations are 2.6 points then */
#define ROUNDS		6			/* a busy host lets few of them through */
#define LEAST_HITS	20			/* of 500, on an idle host */
#define ONLINE		"/sys/devices/system/cpu/cpu1/online"
/* What overflows: a clock; an emulated PMU of arm64 has cycles, one of x86 has nothing. */
#ifdef __x86_64__
#define EVENT		"cpu-clock"
#else
#define EVENT		"cycles"
#endif

/* Each function in a section of its own, whose bounds the linker tells. */
#define LOOP(name)								\
	extern const char __start_##name##_code[], __stop_##name##_code[];	\
	static __attribute__((noinline, noclone, section(#name "_code")))	\
	void name(unsigned int turns)						\
	{									\
		while (turns--)							\
			asm volatile("");					\
	}

LOOP(hot)
LOOP(cold)

/* Of the thread's CPU clock. */
static struct {
	uint64_t hot, cold;
} *spent;

static struct triggers triggers;
static struct stacks stacks;

static void work(void)
{
	uint64_t start = clock_ns(CLOCK_THREAD_CPUTIME_ID), a = start, b;

	while (a < start + LENGTH) {
		hot(7 * PIECE);
		b = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		spent->hot += b - a;
		cold(3 * PIECE);
		a = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		spent->cold += a - b;
	}
}

/* Is this frame within a function of ours? */
static bool is_in(const char *frame, const char *start, const char *stop)
{
	size_t length = strlen(place_file());
	uint64_t offset;

	if (strncmp(frame, place_file(), length) || strncmp(frame + length, "+0x", 3))
		return false;
	offset = strtoull(frame + length + 3, NULL, 16);
	return offset >= place_offset(start) && offset < place_offset(start) + (stop - start);
}

/* A row of folded: the frame behind the last ';' is where the CPU was. */
static void add_row(char *line, uint64_t *in_hot, uint64_t *in_cold)
{
	char *count = strrchr(line, ' '), *frame;

	if (!count)
		ksft_exit_fail_msg("folded: '%s'\n", line);
	*count++ = '\0';
	frame = strrchr(line, ';');
	frame = frame ? frame + 1 : line;
	if (is_in(frame, __start_hot_code, __stop_hot_code))
		*in_hot += strtoull(count, NULL, 10);
	if (is_in(frame, __start_cold_code, __stop_cold_code))
		*in_cold += strtoull(count, NULL, 10);
}

static uint64_t hits_while_busy(const char *name)
{
	uint64_t start = clock_ns(CLOCK_THREAD_CPUTIME_ID), before = triggers_value(name, TRIGGER_HITS);

	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < start + NSEC_PER_SEC / 2)
		hot(PIECE / 10);
	return triggers_value(name, TRIGGER_HITS) - before;
}

/* perf takes its events off a CPU that goes: one that is back is watched anew. */
static void check_hotplug(void)
{
	uint64_t before, after;

	if (access(ONLINE, W_OK)) {
		ksft_test_result_skip("CPU 1 cannot be taken offline here\n");
		return;
	}
	triggers_add("e:back " EVENT " period=1000000 cpu=1");
	pin(1);
	before = hits_while_busy("back");
	pin(0);
	must_write(ONLINE, "0");
	must_write(ONLINE, "1");
	/* It is done by work, later. */
	sleep_ns(NSEC_PER_SEC);
	pin(1);
	after = hits_while_busy("back");
	ksft_test_result(before > LEAST_HITS && after > LEAST_HITS,
			 "a CPU goes and comes: %" PRIu64 " hits before, %" PRIu64 " after\n", before, after);
	triggers_clear();
}

/* What is in the two functions so far. */
static void read_samples(uint64_t *in_hot, uint64_t *in_cold)
{
	static char text[1 << 22];
	char *save, *line;

	*in_hot = *in_cold = 0;
	triggers_read(&triggers);
	stacks_read(&stacks);
	file_read_all(STACKS_FOLDED, text, sizeof(text));
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		add_row(line, in_hot, in_cold);
}

int main(void)
{
	uint64_t in_hot, in_cold, delivered;
	unsigned int rounds = 0;
	double truth, told;
	const char *error, *trouble;
	struct actor actor;

	stacks_require();
	ksft_print_header();
	ksft_set_plan(5);
	spent = mmap(NULL, sizeof(*spent), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (spent == MAP_FAILED)
		ksft_exit_fail_msg("no memory\n");
	log_mark();
	stacks_share(100);
	actor_start(&actor, work, other_cpu());
	triggers_add("e:samples " EVENT " freq=1000 user=1 pid=%d", actor.pid);
	do {
		actor_run(&actor);
		read_samples(&in_hot, &in_cold);
	} while (in_hot + in_cold < LEAST_SAMPLES && ++rounds < ROUNDS);
	delivered = triggers_row(&triggers, "samples")->value[TRIGGER_DELIVERED];
	truth = spent->hot * 100.0 / (spent->hot + spent->cold);
	told = (in_hot + in_cold) ? in_hot * 100.0 / (in_hot + in_cold) : 0;
	ksft_test_result(in_hot + in_cold >= LEAST_SAMPLES, "%" PRIu64 " samples\n", in_hot + in_cold);
	ksft_test_result(told > truth - POINTS && told < truth + POINTS,
			 "%.2f %% are in a function, by its clock %.2f %%\n", told, truth);
	/* The rest: the kernel's interrupts, and the clock. */
	ksft_test_result((in_hot + in_cold) * 2 > delivered, "%" PRIu64 " of %" PRIu64
			 " samples are in the two functions\n", in_hot + in_cold, delivered);
	error = stacks_check(&stacks, &triggers);
	trouble = log_trouble();
	ksft_test_result(!error && !trouble, "sums: %s; the log: %s\n", error ?: "right", trouble ?: "clean");
	actor_end(&actor);
	triggers_clear();
	check_hotplug();
	ksft_finished();
}
