// SPDX-License-Identifier: GPL-2.0-only
/*
 * The workloads: a pipe ping-pong, system calls, interrupts, softirqs, passes
 * of the idle loop, short-lived processes, page faults.
 *
 * A repeat is many short batches, of which the median counts: most are over
 * before a tick or another task comes between, such as the reader of a tool that
 * records all events, which wakes up after a few hundred. The cheapest would be
 * one whose events that tool has lost.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "insn.h"
#include "workload.h"

#define LOAD		"/sys/module/bench_load/parameters/"
#define PAGE		4096
#define MAX_BATCHES	400	/* of a workload */
#define FAULTS		250	/* pages */
#define IRQ_SPAN_NS	(100000 + 51 * 20000)	/* 50 interrupts: bench_load.c */

static void fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(1);
}

/* --- a ping-pong over two pipes ------------------------------------------------ */

static int there[2], back[2];
static pid_t partner;

static void pong(void)
{
	char byte;

	close(there[1]);
	close(back[0]);
	while (read(there[0], &byte, 1) == 1)
		if (write(back[1], &byte, 1) != 1)
			break;
	_exit(0);
}

/* What this side does more than its partner, in turns of loop_alu(). */
#define HEAD_START	(20000000 / LOOP_ALU_INSNS)
#define EXTRA		(500 / LOOP_ALU_INSNS)

static uint64_t batch_pingpong(unsigned int events)
{
	uint64_t start = insn_clock(), spun = (uint64_t)events * EXTRA * LOOP_ALU_INSNS;
	char byte = 0;

	while (events--) {
		loop_alu(EXTRA);
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			fail("pipe");
	}
	return insn_clock() - start - spun;
}

/*
 * A scheduler that is fair goes by how much each of the two has run: if they
 * drift apart, its decisions take another way after some 10000 trips. So one is
 * ahead of the other from the start, as far as the scheduler lets it count, and
 * stays there.
 */
static void start_pingpong(void)
{
	if (pipe(there) || pipe(back))
		fail("pipe");
	partner = fork();
	if (partner < 0)
		fail("fork");
	if (!partner)
		pong();
	close(there[0]);
	close(back[1]);
	batch_pingpong(1);
	loop_alu(HEAD_START);
}

static void stop_pingpong(void)
{
	close(there[1]);
	close(back[0]);
	waitpid(partner, NULL, 0);
}

/* --- two tasks that take turns --------------------------------------------------- */

/* The same static priority: whoever yields goes behind the other. */
static void start_yield(void)
{
	const struct sched_param first = { .sched_priority = 1 };

	if (sched_setscheduler(0, SCHED_FIFO, &first))
		fail("sched_setscheduler");
	partner = fork();
	if (partner < 0)
		fail("fork");
	while (!partner)
		loop_syscall(1000, SYS_sched_yield, 0, 0, 0, 0);
}

/* One that is switched to and makes its call is as good as the other. */
static uint64_t batch_yield(unsigned int events)
{
	uint64_t start = insn_clock();

	loop_syscall(events / 2, SYS_sched_yield, 0, 0, 0, 0);
	return insn_clock() - start;
}

static void stop_yield(void)
{
	const struct sched_param none = { 0 };

	kill(partner, SIGKILL);
	waitpid(partner, NULL, 0);
	if (sched_setscheduler(0, SCHED_BATCH, &none))
		fail("sched_setscheduler");
}

/* --- a system call that does nothing --------------------------------------------- */

static uint64_t batch_syscall(unsigned int events)
{
	uint64_t start = insn_clock();

	loop_syscall(events, SYS_getppid, 0, 0, 0, 0);
	return insn_clock() - start;
}

/* --- what the kernel module bench_load makes ------------------------------------- */

static int load_fd;

static void open_load(const char *file)
{
	load_fd = open(file, O_RDWR | O_CLOEXEC);
	if (load_fd < 0)
		fail(file);
}

static void close_load(void)
{
	close(load_fd);
}

static void write_load(unsigned int n)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%u", n);

	if (pwrite(load_fd, text, len, 0) != len)
		fail("bench_load");
}

static uint64_t read_load(void)
{
	char text[32] = "";

	if (pread(load_fd, text, sizeof(text) - 1, 0) <= 0)
		fail("bench_load");
	return strtoull(text, NULL, 10);
}

static void start_irq(void)
{
	open_load(LOAD "irqs");
}

static uint64_t spin(void)
{
	uint64_t start = insn_clock();

	loop_alu(IRQ_SPAN_NS / LOOP_ALU_INSNS);
	return insn_clock() - start;
}

/* The same loop in user mode, with interrupts and without. */
static uint64_t batch_irq(unsigned int events)
{
	static uint64_t quiet = UINT64_MAX;
	uint64_t took;

	took = spin();
	quiet = took < quiet ? took : quiet;
	write_load(events);
	took = spin();
	if (read_load()) {
		fprintf(stderr, "irq: not all interrupts came while they were waited for\n");
		exit(1);
	}
	return took - quiet;
}

static void start_softirq(void)
{
	open_load(LOAD "softirqs");
}

static void start_idle(void)
{
	open_load(LOAD "idle");
}

static void stop_idle(void)
{
	write_load(0);
	close_load();
}

/* The kernel module looks at the clock itself. */
static uint64_t batch_load(unsigned int events)
{
	write_load(events);
	return read_load();
}

/* --- processes and pages ----------------------------------------------------------- */

static uint64_t batch_fork(unsigned int events)
{
	uint64_t start = insn_clock();

	while (events--) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			fail("fork");
	}
	return insn_clock() - start;
}

static char *pages;

static void start_fault(void)
{
	pages = mmap(NULL, FAULTS * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED)
		fail("mmap");
	/* Page by page, please. */
	madvise(pages, FAULTS * PAGE, MADV_NOHUGEPAGE);
}

static uint64_t batch_fault(unsigned int events)
{
	uint64_t start;

	if (madvise(pages, FAULTS * PAGE, MADV_DONTNEED))
		fail("madvise");
	start = insn_clock();
	loop_touch(events, pages, PAGE);
	return insn_clock() - start;
}

static void stop_fault(void)
{
	munmap(pages, FAULTS * PAGE);
}

const struct workload workloads[] = {
	{ "pingpong", "a round trip over two pipes: two switches, four system calls, two wake-ups",
	  5, MAX_BATCHES, start_pingpong, batch_pingpong, stop_pingpong, NULL },
	{ "yield", "sched_yield() to another task: a switch and a system call",
	  1000, 20, start_yield, batch_yield, stop_yield, NULL },
	{ "syscall", "a getppid() system call", 200, 100, NULL, batch_syscall, NULL, NULL },
	{ "irq", "a timer interrupt of user code", 50, 20, start_irq, batch_irq, close_load, NULL },
	{ "softirq", "a softirq handler", 500, 20, start_softirq, batch_load, close_load, NULL },
	{ "idle", "a pass of the idle loop", 100, 20, start_idle, batch_load, stop_idle, "cpu_idle" },
	{ "fork", "a process: fork, exit, wait", 1, 100, NULL, batch_fork, NULL, NULL },
	{ "fault", "a page touched for the first time", FAULTS, 20, start_fault, batch_fault, stop_fault, NULL },
	{ }
};

/* Returns NULL if there is none of that name. */
const struct workload *workload_find(const char *name)
{
	const struct workload *w;

	for (w = workloads; w->name; w++)
		if (!strcmp(w->name, name))
			return w;
	return NULL;
}

/*
 * One CPU, all memory there. As a batch task, so that the tasks which a workload
 * wakes never preempt it: each round trip takes the same way.
 */
void workload_prepare(void)
{
	struct sched_param none = { 0 };
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		fail("sched_setaffinity");
	if (sched_setscheduler(0, SCHED_BATCH, &none))
		fail("sched_setscheduler");
	if (mlockall(MCL_CURRENT))
		fail("mlockall");
}

/* What the module says of its hooks since it was loaded; zeros if it is not there. */
struct workload_self workload_self(const struct workload *w)
{
	FILE *file = fopen("/sys/kernel/debug/cpuprecise/self", "r");
	struct workload_self self = { 0 };
	char line[256], hook[64], ns[32];
	uint64_t hits;

	if (!file)
		return self;
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%63s %*u %" SCNu64 " %*u %31s", hook, &hits, ns) != 3 ||
		    (w->hook && strcmp(w->hook, hook)))
			continue;
		self.hits += hits;
		self.ns += strtoull(ns, NULL, 10);
	}
	fclose(file);
	return self;
}

/*
 * What the hooks took for an event, ns. Of a workload with a hook of its own,
 * more of its events came than were measured: they are pairs of its calls.
 */
double workload_self_event(const struct workload *w, unsigned int repeats,
			   struct workload_self from, struct workload_self to)
{
	double ns = to.ns - from.ns;

	if (!w->hook)
		return ns / repeats / w->batches / w->events;
	return to.hits > from.hits ? 2 * ns / (to.hits - from.hits) : 0;
}

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Returns the instructions of the median batch. */
uint64_t workload_repeat(const struct workload *w)
{
	static uint64_t took[MAX_BATCHES];
	unsigned int i;

	if (w->start)
		w->start();
	for (i = 0; i < w->batches; i++)
		took[i] = w->batch(w->events);
	if (w->stop)
		w->stop();
	qsort(took, w->batches, sizeof(took[0]), compare);
	return took[w->batches / 2];
}
