// SPDX-License-Identifier: GPL-2.0-only
/*
 * Work for CPUs to do while a test watches.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest.h"

#include "load.h"
#include "loop.h"
#include "machine.h"

/* A child that dies with its parent. */
static pid_t child(void)
{
	pid_t parent = getpid(), pid = fork();

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(0);
	}
	return pid;
}

/* Starts a load, on one CPU or (-1) wherever the scheduler likes. */
pid_t load_start(void (*work)(void), int cpu)
{
	pid_t pid;

	fflush(stdout);
	pid = child();
	if (pid < 0)
		ksft_exit_fail_msg("fork: %s\n", strerror(errno));
	if (pid == 0) {
		setpgid(0, 0);
		if (cpu >= 0)
			pin(cpu);
		work();
		_exit(1);
	}
	setpgid(pid, pid);
	return pid;
}

void load_stop(pid_t load)
{
	int status;

	/* By the load itself first: it may have ended, which no load does. */
	if (waitpid(load, &status, WNOHANG) == load)
		ksft_exit_fail_msg("a load ended by itself, status %#x\n", status);
	kill(-load, SIGKILL);
	waitpid(load, NULL, 0);
}

/* Runs in user mode for a time, in pieces that are short against it. */
void burn_ns(uint64_t ns)
{
	uint64_t end = monotonic_ns() + ns;

	while (monotonic_ns() < end)
		loop_alu(1000);
}

/* Never leaves user mode by itself. */
void load_burn(void)
{
	for (;;)
		loop_alu(1000000);
}

/* Busy about a third of the time, in pieces that no tick is in step with. */
void load_duty(void)
{
	for (;;) {
		burn_ns(1700000);
		sleep_ns(3100000);
	}
}

/* Busy and idle for so long that a governor sees it. */
void load_surges(void)
{
	for (;;) {
		burn_ns(120 * NSEC_PER_MSEC);
		sleep_ns(170 * NSEC_PER_MSEC);
	}
}

/* Processes that are born, touch some memory and die. */
void load_forks(void)
{
	for (;;) {
		pid_t pid = fork();

		if (pid == 0) {
			volatile char page[3 * 4096];

			page[0] = page[4096] = page[8192] = 1;
			_exit(page[0] - 1);
		}
		if (pid > 0)
			waitpid(pid, NULL, 0);
	}
}

/* Groups of senders and receivers over pipes, as hackbench has them. */
void load_pipes(void)
{
	enum { PAIRS = 4, SIZE = 100 };
	char message[SIZE] = "";
	int i;

	for (i = 0; i < PAIRS; i++) {
		int there[2], back[2];

		if (pipe(there) || pipe(back))
			return;
		if (child() == 0) {
			while (read(there[0], message, SIZE) > 0)
				if (write(back[1], message, 1) != 1)
					break;
			_exit(1);
		}
		if (child() == 0) {
			while (write(there[1], message, SIZE) == SIZE)
				if (read(back[0], message, 1) != 1)
					break;
			_exit(1);
		}
	}
	for (;;)
		pause();
}

/* Reads and rewrites a file: of a disk, where there is one. */
void load_files(void)
{
	static char buffer[65536];
	int fd = open("/dev/vda", O_RDONLY | O_CLOEXEC);
	int copy = syscall(SYS_memfd_create, "selftest", 0);

	if (fd < 0)
		fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	for (;;) {
		off_t at = 0;
		ssize_t n;

		while (at < (4 << 20) && (n = pread(fd, buffer, sizeof(buffer), at)) > 0) {
			if (pwrite(copy, buffer, n, at) != n)
				break;
			at += n;
		}
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		if (ftruncate(copy, 0))
			break;
	}
}

static void no_op(int signal)
{
}

/* A timer every 300 us, each with a signal to deliver to a task in user mode. */
void load_timers(void)
{
	struct itimerval often = { { 0, 300 }, { 0, 300 } };
	struct sigaction action = { .sa_handler = no_op };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (;;)
		loop_alu(1000);
}

/*
 * Packets over the loopback device: each is handed to a network softirq on the
 * CPU that sends. In bursts, so that the CPU also becomes idle.
 */
void load_datagrams(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	socklen_t length = sizeof(to);
	char packet[64] = "";
	int in = socket(AF_INET, SOCK_DGRAM, 0);
	int out = socket(AF_INET, SOCK_DGRAM, 0);
	int i;

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(in, (struct sockaddr *)&to, sizeof(to)) ||
	    getsockname(in, (struct sockaddr *)&to, &length))
		return;
	for (;;) {
		for (i = 0; i < 20; i++) {
			if (sendto(out, packet, sizeof(packet), 0, (struct sockaddr *)&to,
				   sizeof(to)) < 0)
				return;
			if (recv(in, packet, sizeof(packet), 0) < 0)
				return;
		}
		sleep_ns(500000);
	}
}

#define PING	"/usr/local/bin/ping"	/* busybox has others of these names */
#define IP	"/usr/local/bin/ip"

bool load_has_pings(void)
{
	return !access(PING, X_OK) && !access(IP, X_OK);
}

/*
 * A flood of pings over a pair of veth devices, whose other end is in a network of its own and
 * goes with it. Where load_has_pings(), and the module veth.
 */
void load_pings(void)
{
	execlp("sh", "sh", "-ec",
	       "modprobe veth; unshare -n sleep 1000000 & there=$!; sleep 0.3;"
	       IP " link add ping0 type veth peer name ping1 netns $there;"
	       IP " addr add 192.0.2.1/24 dev ping0;" IP " link set ping0 up;"
	       "nsenter -t $there -n " IP " addr add 192.0.2.2/24 dev ping1;"
	       "nsenter -t $there -n " IP " link set ping1 up;"
	       "exec " PING " -qf 192.0.2.2 >/dev/null", NULL);
}

/* Sleepers of many periods, which no tick is in step with: the CPUs are idle for short and for long. */
void load_naps(void)
{
	static const unsigned int us[] = { 20, 97, 311, 1103, 4703, 19001 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(us); i++)
		if (child() == 0)
			for (;;)
				sleep_ns(us[i] * NSEC_PER_USEC);
	for (;;)
		pause();
}

/* Two tasks on two CPUs, of which one waits while the other one works. */
void load_ping_pong(void)
{
	int there[2], back[2];
	char byte = 0;

	if (pipe(there) || pipe(back))
		return;
	if (child() == 0) {
		pin(other_cpu());
		while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
			;
		_exit(1);
	}
	pin(0);
	while (write(there[1], &byte, 1) == 1 && read(back[0], &byte, 1) == 1)
		;
}

/* Something else each third of a second. */
void load_mixed(void)
{
	static void (*const work[])(void) = {
		load_naps, load_ping_pong, load_datagrams, load_duty, load_pipes,
	};
	unsigned int i;

	for (i = 0;; i++) {
		pid_t load = load_start(work[i % ARRAY_SIZE(work)], -1);

		sleep_ns(333 * NSEC_PER_MSEC);
		load_stop(load);
	}
}

static void *protect(void *page)
{
	for (;;) {
		mprotect(page, 4096, PROT_READ);
		mprotect(page, 4096, PROT_READ | PROT_WRITE);
		*(volatile char *)page = 1;
		syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
		sleep_ns(200000);
	}
	return NULL;
}

/*
 * Interrupts from one CPU to another: a thread on CPU 0 changes the protection
 * of a page and asks for memory barriers while this one runs the same program.
 */
void load_barriers(void)
{
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_attr_t attr;
	pthread_t thread;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
	pthread_attr_init(&attr);
	pthread_attr_setaffinity_np(&attr, sizeof(set), &set);
	if (page == MAP_FAILED || pthread_create(&thread, &attr, protect, page))
		return;
	for (;;) {
		*(volatile char *)(page + 64);
		loop_alu(1000);
	}
}
