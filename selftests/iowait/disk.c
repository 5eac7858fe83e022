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

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/*
 * The only reader, alone on its CPU, looks at the books around each read. It
 * knows that it slept from the clocks that it reads when it runs again, the CPU
 * from the wake-up. An emulated CPU that loses its turn between the two puts
 * milliseconds there, so under emulation it is the read in the middle, when they
 * are put in order of how far they are off, that has to agree; elsewhere it is
 * the sum.
 */
static void alone(void)
{
	static struct book a, b, first;
	uint64_t off[READS], slept[READS], all_slept = 0, all_off = 0, iowait, idle, elsewhere;
	bool sum = is_icount() || !is_tcg();
	int fd = open_device();
	void *to = block();
	unsigned int i;

	pin(cpu);
	read_block(fd, to, 0);
	book_read(&b);
	first = b;
	for (i = 0; i < READS; i++) {
		uint64_t wall, run, disturbed;

		a = b;
		wall = monotonic_ns();
		run = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		read_block(fd, to, i + 1);
		run = clock_ns(CLOCK_THREAD_CPUTIME_ID) - run;
		slept[i] = monotonic_ns() - wall - run;
		book_read(&b);
		iowait = book_delta(&a, &b, cpu, IOWAIT);
		/* Interrupts that came while it slept. */
		disturbed = book_delta(&a, &b, cpu, IRQ) + book_delta(&a, &b, cpu, SOFTIRQ);
		off[i] = iowait > slept[i] ? iowait - slept[i] :
			 iowait + disturbed < slept[i] ? slept[i] - iowait - disturbed : 0;
		all_slept += slept[i];
		all_off += off[i];
	}
	close(fd);
	iowait = book_delta(&first, &b, cpu, IOWAIT);
	idle = book_delta(&first, &b, cpu, IDLE);
	elsewhere = book_delta(&first, &b, BOOK_ALL, IOWAIT) - iowait;
	qsort(off, READS, sizeof(off[0]), compare);
	qsort(slept, READS, sizeof(slept[0]), compare);
	ksft_test_result(sum ? all_off <= all_slept / 100 : off[READS / 2] <= slept[READS / 2] * 3 / 100,
			 "one reader: iowait %" PRIu64 " us, it slept for I/O %" PRIu64 " us; a read: %"
			 PRIu64 " us, off by %" PRIu64 " us in the middle, %" PRIu64 " us at most\n",
			 iowait / 1000, all_slept / 1000, slept[READS / 2] / 1000, off[READS / 2] / 1000,
			 off[READS - 1] / 1000);
	ksft_test_result(idle < iowait / 20, "one reader: its CPU is idle for %" PRIu64 " us\n",
			 idle / 1000);
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
