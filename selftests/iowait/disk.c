// SPDX-License-Identifier: GPL-2.0-only
/*
 * iowait is what the kernel means by it: a CPU is idle while a task that last
 * ran there sleeps for I/O.
 *
 * The device is null_blk, whose requests take a set time (10 ms): the reader's
 * own clocks say how long it slept for them. While it is alone on its CPU, that
 * is the CPU's iowait; while nobody reads, or the CPU has other work, there is
 * none. Readers that hop from CPU to CPU must never make a column go back.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "load.h"
#include "machine.h"

#define DEVICE		"/dev/nullb0"
#define MODPROBE	"modprobe null_blk nr_devices=1 queue_mode=2 irqmode=2 completion_nsec=10000000 gb=1"
#define READERS		8
#define READS		100
#define HOP_SECONDS	5

static int cpu;

static int open_device(void)
{
	int fd = open(DEVICE, O_RDONLY | O_DIRECT | O_CLOEXEC);

	if (fd < 0)
		ksft_exit_fail_msg("open %s: %s\n", DEVICE, strerror(errno));
	return fd;
}

static void *block(void)
{
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE,
		       -1, 0);

	if (p == MAP_FAILED)
		ksft_exit_fail_msg("no memory\n");
	return p;
}

static void read_block(int fd, void *to, unsigned int i)
{
	if (pread(fd, to, 4096, i % 4096 * 4096ul) != 4096)
		ksft_exit_fail_msg("read %s: %s\n", DEVICE, strerror(errno));
}

static void read_and_hop(void)
{
	int fd = open_device(), cpus = cpus_online();
	void *to = block();
	unsigned int i;

	for (i = getpid();; i++) {
		pin(i % cpus);
		read_block(fd, to, i * 7);
	}
}

static void hop(void)
{
	static struct book book[2], first;
	const char *error = NULL;
	pid_t load[READERS];
	uint64_t next, end;
	unsigned int i = 0, r;

	for (r = 0; r < READERS; r++)
		load[r] = load_start(read_and_hop, -1);
	next = monotonic_ns();
	end = next + HOP_SECONDS * NSEC_PER_SEC;
	do {
		struct book *now = &book[i % 2], *last = &book[(i + 1) % 2];

		book_read(now);
		if (!i)
			first = *now;
		error = book_check(now);
		if (!error && i)
			error = book_check_after(last, now);
		i++;
		next += 5 * NSEC_PER_MSEC;
		sleep_until(next);
	} while (!error && monotonic_ns() < end);
	for (r = 0; r < READERS; r++)
		load_stop(load[r]);
	if (error)
		ksft_print_msg("%s\n", error);
	ksft_test_result(!error && i > 100 && book_delta(&first, &book[(i + 1) % 2], BOOK_ALL, IOWAIT),
			 "%d readers hop: %u reads closed and monotone, iowait %" PRIu64 " us, idle %"
			 PRIu64 " us\n", READERS, i,
			 book_delta(&first, &book[(i + 1) % 2], BOOK_ALL, IOWAIT) / 1000,
			 book_delta(&first, &book[(i + 1) % 2], BOOK_ALL, IDLE) / 1000);
}

/* The only reader, alone on its CPU. */
static void alone(void)
{
	static struct book a, b;
	uint64_t slept = 0, iowait, idle, disturbed, elsewhere, within;
	int fd = open_device();
	void *to = block();
	unsigned int i;

	pin(cpu);
	read_block(fd, to, 0);
	book_read(&a);
	for (i = 1; i <= READS; i++) {
		uint64_t wall = monotonic_ns(), run = clock_ns(CLOCK_THREAD_CPUTIME_ID);

		read_block(fd, to, i);
		run = clock_ns(CLOCK_THREAD_CPUTIME_ID) - run;
		slept += monotonic_ns() - wall - run;
	}
	book_read(&b);
	close(fd);

	iowait = book_delta(&a, &b, cpu, IOWAIT);
	idle = book_delta(&a, &b, cpu, IDLE);
	/* Interrupts that came while it slept. */
	disturbed = book_delta(&a, &b, cpu, IRQ) + book_delta(&a, &b, cpu, SOFTIRQ);
	elsewhere = book_delta(&a, &b, BOOK_ALL, IOWAIT) - iowait;
	within = tolerance(slept);
	ksft_test_result(iowait <= slept + within && iowait + disturbed + within >= slept,
			 "one reader: iowait %" PRIu64 " us, it slept for I/O %" PRIu64
			 " us (interrupts %" PRIu64 " us), within %" PRIu64 " us\n", iowait / 1000,
			 slept / 1000, disturbed / 1000, within / 1000);
	ksft_test_result(idle <= within, "one reader: its CPU is idle for %" PRIu64 " us\n", idle / 1000);
	ksft_test_result(elsewhere == 0, "one reader: iowait of the other CPUs %" PRIu64 " ns\n",
			 elsewhere);
}

static void read_forever(void)
{
	int fd = open_device();
	void *to = block();
	unsigned int i;

	for (i = 0;; i++)
		read_block(fd, to, i);
}

/* Its CPU has something else to do. */
static void with_work(void)
{
	static struct book a, b;
	pid_t reader = load_start(read_forever, cpu), burner = load_start(load_burn, cpu);

	pin(0);
	sleep_ns(200 * NSEC_PER_MSEC);
	book_read(&a);
	sleep_ns(NSEC_PER_SEC);
	book_read(&b);
	load_stop(reader);
	load_stop(burner);
	ksft_test_result(book_delta(&a, &b, cpu, IOWAIT) == 0 && book_delta(&a, &b, cpu, USER),
			 "a reader on a busy CPU: iowait %" PRIu64 " ns, user %" PRIu64 " us\n",
			 book_delta(&a, &b, cpu, IOWAIT), book_delta(&a, &b, cpu, USER) / 1000);
}

static void nobody(void)
{
	static struct book a, b;

	sleep_ns(100 * NSEC_PER_MSEC);
	book_read(&a);
	sleep_ns(NSEC_PER_SEC);
	book_read(&b);
	ksft_test_result(book_delta(&a, &b, BOOK_ALL, IOWAIT) == 0 &&
			 book_delta(&a, &b, BOOK_ALL, IDLE), "nobody reads: iowait %" PRIu64
			 " ns, idle %" PRIu64 " us\n", book_delta(&a, &b, BOOK_ALL, IOWAIT),
			 book_delta(&a, &b, BOOK_ALL, IDLE) / 1000);
}

int main(void)
{
	book_require();
	if (access(DEVICE, R_OK) && (system(MODPROBE) || access(DEVICE, R_OK)))
		ksft_exit_skip("no %s: it needs the module null_blk\n", DEVICE);
	ksft_print_header();
	ksft_set_plan(6);
	cpu = other_cpu();
	if (cpu)
		pin_all(cpu, 0);
	nobody();
	alone();
	with_work();
	hop();
	ksft_finished();
}
