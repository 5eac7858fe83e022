// SPDX-License-Identifier: GPL-2.0-only
/*
 * The time of KVM's guests: a thread whose guest never leaves its code, on a CPU of its
 * own, at nice 0 and at nice 5. guest and guest_nice against /proc/stat; user and system
 * of the thread and of its CPU against the thread's clock. And a guest that takes turns
 * with its thread's own code.
 *
 * KVM is loaded after the module, unloaded while the module is there, and loaded again;
 * the module is unloaded and loaded, its collector switched off and on, and its epoch
 * begun anew while the guest runs. The books are closed and monotone at every read.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/kvm.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "kvm.h"
#include "load.h"
#include "machine.h"
#include "module.h"
#include "tasks.h"
#include "traces.h"

#if defined(__x86_64__)

#define CPU		1
#define READS		40
#define INTERVAL	(250 * NSEC_PER_MSEC)

/* --- the guest ----------------------------------------------------------------------- */

#define CODE	12	/* bytes */

static const unsigned char forever[CODE] = { 0xeb, 0xfe };	/* jmp to itself */
/* mov ecx, 2^19; loop to itself; hlt; jmp to the mov */
static const unsigned char a_while[CODE] = {
	0x66, 0xb9, 0x00, 0x00, 0x08, 0x00, 0x67, 0xe2, 0xfd, 0xf4, 0xeb, 0xf4,
};

static pthread_t thread;
static volatile pid_t tid;
static volatile bool stop;

/* In KVM_RUN, and in the thread's own code, which takes turns with it and calls nobody. */
static volatile uint64_t ran, burnt;

static void nothing(int unused)
{
}

static void *run(void *code)
{
	int kvm = kvm_open(), vm, cpu = kvm_cpu(kvm, code, CODE, &vm);
	uint64_t start, end;

	pin(CPU);
	tid = syscall(SYS_gettid);
	while (!stop) {
		start = monotonic_ns();
		if (ioctl(cpu, KVM_RUN, 0) < 0 && errno != EINTR)
			ksft_exit_fail_msg("KVM_RUN: %s\n", strerror(errno));
		end = monotonic_ns();
		ran += end - start;
		if (code == a_while) {
			burn_ns(end - start);
			burnt += monotonic_ns() - end;
		}
	}
	close(cpu);
	close(vm);
	close(kvm);
	tid = 0;
	return NULL;
}

static void guest_start(const void *code)
{
	stop = false;
	if (pthread_create(&thread, NULL, run, (void *)code))
		ksft_exit_fail_msg("no thread\n");
	while (!tid)
		sleep_ns(NSEC_PER_MSEC);
	sleep_ns(100 * NSEC_PER_MSEC);
}

static void guest_stop(void)
{
	stop = true;
	/* One signal could come just before it runs the guest again. */
	while (tid) {
		pthread_kill(thread, SIGUSR1);
		sleep_ns(NSEC_PER_MSEC);
	}
	pthread_join(thread, NULL);
}

/* --- the books ----------------------------------------------------------------------- */

/* One read that follows another one (NULL: none of this epoch), and what is wrong with it. */
static void read_after(struct book *now, const struct book *last)
{
	const char *error;

	book_read(now);
	error = book_check(now);
	if (!error && last)
		error = book_check_after(last, now);
	if (!error)
		error = book_check_elapsed(now, NULL);
	if (error)
		ksft_exit_fail_msg("the books: %s\n", error);
}

/* Reads for a while; returns how much a column of the CPU grew by. */
static uint64_t growth(enum book_field field)
{
	static struct book book[3];
	unsigned int i;

	read_after(&book[0], NULL);
	book[2] = book[0];
	for (i = 1; i <= 20; i++) {
		sleep_ns(25 * NSEC_PER_MSEC);
		read_after(&book[i % 2], &book[(i + 1) % 2]);
	}
	return book_delta(&book[2], &book[0], CPU, field);
}

/* Is there a number in guest and guest_nice of each row, or in none? */
static bool known(bool known)
{
	static struct book book;
	unsigned int both = 1u << GUEST | 1u << GUEST_NICE;
	int i;

	read_after(&book, NULL);
	for (i = 0; i < book.rows; i++)
		if ((book.row[i].known & both) != (known ? both : 0))
			return false;
	return true;
}

/* --- its time ------------------------------------------------------------------------ */

/* All that is compared, at one time. */
struct point {
	struct book book;
	uint64_t stat, stat_all;	/* ms: of guests, and of all but interrupts */
	uint64_t before, after;		/* the thread's clock around the rest */
	uint64_t ran, burnt;
	uint64_t run, clock;		/* by tasks */
};

static void take(struct point *p, const struct point *last, clockid_t clock, bool nice)
{
	static struct tasks tasks;
	const struct tasks_row *row;

	p->before = clock_ns(clock);
	p->stat = stat_guest_ms(CPU, nice);
	p->stat_all = stat_context_ms(CPU);
	p->ran = ran;
	p->burnt = burnt;
	read_after(&p->book, last ? &last->book : NULL);
	tasks_read(&tasks, TASKS);
	p->after = clock_ns(clock);
	row = tasks_row(&tasks, tid);
	p->run = row->value[TASKS_USER] + row->value[TASKS_SYSTEM];
	p->clock = tasks_clock(row);
	tasks_free(&tasks);
}

/* Reads for ten seconds. */
static void watch(struct point *first, struct point *last, clockid_t clock, bool nice)
{
	static struct point point[2];
	unsigned int i;

	take(&point[0], NULL, clock, nice);
	*first = point[0];
	for (i = 1; i <= READS; i++) {
		sleep_ns(INTERVAL);
		take(&point[i % 2], &point[(i + 1) % 2], clock, nice);
	}
	*last = point[READS % 2];
}

static bool near(uint64_t value, uint64_t least, uint64_t most)
{
	uint64_t within = tolerance(most);

	return value + within >= least && value <= most + within;
}

/*
 * A guest that never leaves its code but for ticks. Some are lost on a busy host, and
 * none finds what it takes itself, nor the system time that follows until the guest runs
 * again: so it is shares that are compared, of the time that these left.
 */
static void all_guest(int nice)
{
	enum book_field user = nice ? NICE : USER, guest = nice ? GUEST_NICE : GUEST;
	static struct point a, b;
	uint64_t had, stat, taken, least, most, busy;
	clockid_t clock = pthread_clock(thread);
	double share, stat_share;

	if (setpriority(PRIO_PROCESS, tid, nice))
		ksft_exit_fail_msg("setpriority: %s\n", strerror(errno));
	/* Until it has entered its guest anew. */
	sleep_ns(100 * NSEC_PER_MSEC);
	watch(&a, &b, clock, nice);

	had = book_delta(&a.book, &b.book, CPU, guest);
	stat = b.stat - a.stat;
	taken = book_delta(&a.book, &b.book, CPU, IRQ) + book_delta(&a.book, &b.book, CPU, SOFTIRQ) +
		book_delta(&a.book, &b.book, CPU, SYSTEM);
	busy = book_busy_delta(&a.book, &b.book, CPU);
	least = b.before - a.after;
	most = b.after - a.before;
	share = 100.0 * had / (book_delta(&a.book, &b.book, CPU, ELAPSED) - taken);
	stat_share = 100.0 * stat / (b.stat_all - a.stat_all);
	ksft_test_result(share <= stat_share * 1.02 && share >= stat_share * 0.98,
			 "nice %d: %s grew by %" PRIu64 " ms, in /proc/stat by %" PRIu64 " ms: %.2f and %.2f %% of what ticks (%" PRIu64 " ms) left\n",
			 nice, book_field_name[guest], had / NSEC_PER_MSEC, stat, share, stat_share,
			 taken / NSEC_PER_MSEC);
	ksft_test_result(!book_delta(&a.book, &b.book, CPU, nice ? GUEST : GUEST_NICE),
			 "nice %d: %s stands still\n", nice, book_field_name[nice ? GUEST : GUEST_NICE]);
	ksft_test_result(near(b.clock - a.clock, least, most),
			 "nice %d: user and system of the thread grew by %" PRIu64 " us, with interrupts %"
			 PRIu64 " us, its clock by %" PRIu64 "..%" PRIu64 " us\n", nice,
			 (b.run - a.run) / NSEC_PER_USEC, (b.clock - a.clock) / NSEC_PER_USEC,
			 least / NSEC_PER_USEC, most / NSEC_PER_USEC);
	ksft_test_result(near(busy, least, most),
			 "nice %d: the CPU was busy for %" PRIu64 " us, of that %s but not guest %" PRIu64 " us, system %" PRIu64 " us\n",
			 nice, busy / NSEC_PER_USEC, book_field_name[user],
			 (book_delta(&a.book, &b.book, CPU, user) - had) / NSEC_PER_USEC,
			 book_delta(&a.book, &b.book, CPU, SYSTEM) / NSEC_PER_USEC);
}

/* One that takes turns with its thread's own code, by the clock: they are alone there. */
static void half_guest(void)
{
	static struct point a, b;
	uint64_t had, own, taken;

	watch(&a, &b, pthread_clock(thread), false);
	had = book_delta(&a.book, &b.book, CPU, GUEST);
	own = book_delta(&a.book, &b.book, CPU, USER) - had;
	/* Either has its part of it, which is not known. */
	taken = book_delta(&a.book, &b.book, CPU, IRQ) + book_delta(&a.book, &b.book, CPU, SOFTIRQ) +
		book_delta(&a.book, &b.book, CPU, SYSTEM);
	ksft_test_result(near(b.ran - a.ran, had, had + taken),
			 "in turns: guest grew by %" PRIu64 " us, KVM_RUN took %" PRIu64 " us, interrupts and system %" PRIu64 " us\n",
			 had / NSEC_PER_USEC, (b.ran - a.ran) / NSEC_PER_USEC, taken / NSEC_PER_USEC);
	ksft_test_result(near(b.burnt - a.burnt, own, own + taken),
			 "in turns: user but not guest grew by %" PRIu64 " us, its own code took %" PRIu64 " us\n",
			 own / NSEC_PER_USEC, (b.burnt - a.burnt) / NSEC_PER_USEC);
}

/* --- what comes and goes ------------------------------------------------------------- */

static void switched(void)
{
	uint64_t off, system, on;

	must_write(BOOK_DEBUGFS "collectors", "-guest");
	off = growth(GUEST);
	system = growth(SYSTEM);
	must_write(BOOK_DEBUGFS "collectors", "+guest");
	on = growth(GUEST);
	ksft_test_result(!off && system > 300 * NSEC_PER_MSEC && on > 300 * NSEC_PER_MSEC,
			 "off: guest grew by %" PRIu64 " us, system by %" PRIu64 " us; on: guest by %" PRIu64 " us\n",
			 off / NSEC_PER_USEC, system / NSEC_PER_USEC, on / NSEC_PER_USEC);
}

static void reset(void)
{
	static struct book book;
	uint64_t had;

	must_write(BOOK_DEBUGFS "reset", "1");
	read_after(&book, NULL);
	had = book_cpu(&book, CPU)->ns[GUEST];
	ksft_test_result(had && had <= book.after - book.since, "a new epoch: guest is %" PRIu64 " us\n",
			 had / NSEC_PER_USEC);
}

/* The columns grow while a guest runs; returns false if they do not, or are not known. */
static bool grows(void)
{
	return known(true) && growth(GUEST) > 300 * NSEC_PER_MSEC;
}

int main(void)
{
	struct sigaction action = { .sa_handler = nothing };
	static struct book book[2];
	const char *trouble;
	bool before;

	module_require_unloaded();
	if (!kvm_load())
		ksft_exit_skip("no KVM here\n");
	if (!kvm_unload())
		ksft_exit_skip("KVM is in use\n");
	require_cpus(2);
	ksft_print_header();
	ksft_set_plan(18);
	sigaction(SIGUSR1, &action, NULL);
	pin(0);
	log_mark();

	module_load("");
	before = known(false);
	kvm_load();
	ksft_test_result(before && known(true), "guests are known from when KVM is loaded\n");
	guest_start(forever);
	all_guest(0);
	all_guest(5);
	setpriority(PRIO_PROCESS, tid, 0);
	sleep_ns(100 * NSEC_PER_MSEC);
	switched();
	reset();

	module_unload();
	sleep_ns(100 * NSEC_PER_MSEC);
	module_load("");
	ksft_test_result(grows(), "unloaded and loaded while a guest runs\n");
	guest_stop();
	guest_start(a_while);
	half_guest();
	guest_stop();

	read_after(&book[0], NULL);
	ksft_test_result(kvm_unload(), "KVM goes while the module is there\n");
	read_after(&book[1], &book[0]);
	ksft_test_result(known(true) && book_delta(&book[0], &book[1], BOOK_ALL, GUEST) == 0,
			 "what its guests had is still known\n");
	kvm_load();
	guest_start(forever);
	ksft_test_result(grows(), "KVM comes again\n");
	guest_stop();
	trouble = log_trouble();
	if (trouble)
		ksft_print_msg("%s\n", trouble);
	ksft_test_result(!trouble, "the kernel log is clean\n");
	module_unload();
	ksft_finished();
}

#else

int main(void)
{
	ksft_exit_skip("KVM on x86 only\n");
}

#endif
