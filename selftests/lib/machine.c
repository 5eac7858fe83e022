// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a test needs to know of the machine: clocks, CPUs, what emulates it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "kselftest.h"

#include "insn.h"
#include "machine.h"

uint64_t clock_ns(clockid_t clock)
{
	struct timespec ts;

	if (clock_gettime(clock, &ts))
		ksft_exit_fail_msg("clock_gettime(%d): %s\n", (int)clock, strerror(errno));
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

uint64_t monotonic_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/*
 * The CPU clock of a process, which any other may read; that of a single thread only
 * its own process may. Live, as the kernel adds what its threads have run since they
 * were last switched in (clock_getcpuclockid(3); include/linux/posix-timers.h:
 * CPUCLOCK_SCHED).
 */
clockid_t process_clock(pid_t pid)
{
	return ((~(clockid_t)pid) << 3) | 2;
}

clockid_t pthread_clock(pthread_t thread)
{
	clockid_t clock;

	if (pthread_getcpuclockid(thread, &clock))
		ksft_exit_fail_msg("no CPU clock of a thread\n");
	return clock;
}

/*
 * What the tick has charged to a thread of this process, user and system (CPUCLOCK_PROF
 * and CPUCLOCK_PERTHREAD_MASK there).
 */
clockid_t thread_tick_clock(pid_t tid)
{
	return ((~(clockid_t)tid) << 3) | 4;
}

void sleep_until(uint64_t monotonic)
{
	struct timespec ts = {
		.tv_sec = monotonic / NSEC_PER_SEC,
		.tv_nsec = monotonic % NSEC_PER_SEC,
	};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}

void sleep_ns(uint64_t ns)
{
	sleep_until(monotonic_ns() + ns);
}

int cpus_online(void)
{
	return sysconf(_SC_NPROCESSORS_ONLN);
}

bool cpu_online(int cpu)
{
	char path[64], state[4];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d", cpu);
	if (access(path, F_OK))
		return false;
	/* One that cannot be taken offline has no such file. */
	strcat(path, "/online");
	return !file_read(path, state, sizeof(state)) || *state == '1';
}

/* A CPU to put load on while the test itself watches from CPU 0; CPU 0 if there is no other. */
int other_cpu(void)
{
	return cpus_online() > 1 ? 1 : 0;
}

/* The calling thread stays on one CPU. */
void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		ksft_exit_fail_msg("cannot run on CPU %d: %s\n", cpu, strerror(errno));
}

#define WORKQUEUES	"/sys/devices/virtual/workqueue/cpumask"
#define MAX_MOVED	4096

static struct {
	pid_t pid;
	cpu_set_t set;
} moved[MAX_MOVED];
static int nr_moved;
static char workqueues[256];

static void move_back(void)
{
	while (nr_moved--)
		sched_setaffinity(moved[nr_moved].pid, sizeof(cpu_set_t), &moved[nr_moved].set);
	file_write(WORKQUEUES, workqueues);
}

/*
 * Every task that can be moved goes away from @cpu, to @to, until the test ends.
 * Kernel threads of one CPU cannot.
 */
void pin_all(int cpu, int to)
{
	struct dirent *entry;
	char mask[32];
	cpu_set_t set;
	DIR *proc = opendir("/proc");

	if (!proc)
		ksft_exit_fail_msg("no /proc\n");
	CPU_ZERO(&set);
	CPU_SET(to, &set);
	while ((entry = readdir(proc))) {
		pid_t pid = atoi(entry->d_name);

		if (pid <= 0 || nr_moved == MAX_MOVED ||
		    sched_getaffinity(pid, sizeof(cpu_set_t), &moved[nr_moved].set) ||
		    !CPU_ISSET(cpu, &moved[nr_moved].set) ||
		    sched_setaffinity(pid, sizeof(set), &set))
			continue;
		moved[nr_moved++].pid = pid;
	}
	closedir(proc);
	/* New work of unbound workqueues, too. Absent on some kernels. */
	if (file_read(WORKQUEUES, workqueues, sizeof(workqueues))) {
		snprintf(mask, sizeof(mask), "%x", 1u << to);
		file_write(WORKQUEUES, mask);
	}
	atexit(move_back);
}

/* Does QEMU's own emulation, rather than a processor, run the instructions? */
bool is_tcg(void)
{
#ifdef __x86_64__
	unsigned int a, b, c, d;
	char name[13] = "";

	/* A KVM guest in an emulated machine does not see that. */
	if (getenv("SELFTEST_TCG"))
		return true;
	__cpuid(1, a, b, c, d);
	if (!(c & (1u << 31)))
		return false;
	__cpuid(0x40000000, a, b, c, d);
	memcpy(name, &b, 4);
	memcpy(name + 4, &c, 4);
	memcpy(name + 8, &d, 4);
	return !strcmp(name, "TCGTCGTCGTCG");
#else
	/* No such leaf: the caller says so. */
	return getenv("SELFTEST_TCG");
#endif
}

/* The ns that each instruction takes in the instruction-counting VM, 0 elsewhere. */
unsigned int icount_ns(void)
{
	static int known = -1;

	if (known < 0)
		known = is_tcg() ? insn_ns() : 0;
	return known;
}

/* One that checks itself, and takes ten times as long. */
bool is_debug_kernel(void)
{
	return !access("/sys/kernel/debug/kmemleak", F_OK);
}

/* Is one instruction one nanosecond? */
bool is_icount(void)
{
	return icount_ns() == 1;
}

/*
 * How far a time on a CPU may be from the kernel's own clock of the task that
 * was alone there: 1 % or a tick; emulation stretches what lies between the
 * two clocks' readings.
 */
uint64_t tolerance(uint64_t ns)
{
	uint64_t share = is_tcg() && !is_icount() ? ns * 3 / 100 : ns / 100;
	uint64_t least = is_tcg() && !is_icount() ? 20 * NSEC_PER_MSEC : 4 * NSEC_PER_MSEC;

	return share > least ? share : least;
}

void require_icount(void)
{
	if (!is_icount())
		ksft_exit_skip("needs the instruction-counting VM: truth is arithmetic there only\n");
}

void require_cpus(int count)
{
	if (cpus_online() < count)
		ksft_exit_skip("needs %d CPUs, there are %d\n", count, cpus_online());
}

bool file_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done;

	if (fd < 0)
		return false;
	done = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	close(fd);
	return done;
}

/* Writes any bytes; returns 0 or an errno. */
int file_put(const char *path, const char *text, size_t length)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n;
	int err;

	if (fd < 0)
		ksft_exit_fail_msg("%s: %s\n", path, strerror(errno));
	n = write(fd, text, length);
	err = n < 0 ? errno : 0;
	close(fd);
	return err;
}

void must_write(const char *path, const char *text)
{
	if (!file_write(path, text))
		ksft_exit_fail_msg("cannot write '%s' to %s: %s\n", text, path, strerror(errno));
}

static struct {
	char path[128], text[128];
} borrowed[16];
static unsigned int nr_borrowed;

static void give_back(void)
{
	while (nr_borrowed) {
		nr_borrowed--;
		file_write(borrowed[nr_borrowed].path, borrowed[nr_borrowed].text);
	}
}

/* What a file of the kernel's says now: what it has in brackets of several, or all of it. */
static void current_text(const char *path, char *text, size_t size)
{
	char all[512], *word;

	if (!file_read(path, all, sizeof(all)))
		ksft_exit_fail_msg("cannot read %s: %s\n", path, strerror(errno));
	word = strchr(all, '[');
	if (word) {
		word++;
		word[strcspn(word, "]")] = '\0';
	}
	/* buffer_size_kb before anybody has traced: "7 (expanded: 1408)" */
	if (!word && (word = strstr(all, "expanded: "))) {
		word += strlen("expanded: ");
		word[strcspn(word, ")")] = '\0';
	}
	snprintf(text, size, "%.*s", (int)size - 1, word ?: all);
}

/* must_write(), and what was there comes back when the test ends, however it does. */
void must_borrow(const char *path, const char *text)
{
	unsigned int i;

	for (i = 0; i < nr_borrowed && strcmp(borrowed[i].path, path); i++)
		;
	if (i == ARRAY_SIZE(borrowed) || strlen(path) >= sizeof(borrowed[i].path))
		ksft_exit_fail_msg("no room for what %s was\n", path);
	if (i == nr_borrowed) {
		strcpy(borrowed[i].path, path);
		current_text(path, borrowed[i].text, sizeof(borrowed[i].text));
		if (!nr_borrowed++)
			atexit(give_back);
	}
	must_write(path, text);
}

/* What a trace does when it is opened so. */
bool file_erase(const char *path)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* The start of a file as a string, without the last newline; NULL if it cannot be read. */
char *file_read(const char *path, char *buffer, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return NULL;
	n = read(fd, buffer, size - 1);
	close(fd);
	if (n < 0)
		return NULL;
	if (n && buffer[n - 1] == '\n')
		n--;
	buffer[n] = '\0';
	return buffer;
}

/* The whole of a file as a string, in one pass; returns its length. What does not fit ends the test. */
size_t file_read_all(const char *path, char *buffer, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t length = 0;
	ssize_t n;

	if (fd < 0)
		ksft_exit_fail_msg("open %s: %s\n", path, strerror(errno));
	while ((n = read(fd, buffer + length, size - 1 - length)) > 0)
		length += n;
	if (n < 0 || length == size - 1)
		ksft_exit_fail_msg("read %s: %s\n", path, n < 0 ? strerror(errno) : "too long");
	close(fd);
	buffer[length] = '\0';
	return length;
}

/* The same in pieces of @piece bytes; -1 if it does not open or end. No string. */
ssize_t file_read_pieces(const char *path, size_t piece, char *buffer, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t length = 0;
	ssize_t n;

	if (fd < 0)
		return -1;
	do {
		n = read(fd, buffer + length, piece);
		length += n > 0 ? n : 0;
	} while (n > 0 && length + piece < size);
	close(fd);
	return n ? -1 : (ssize_t)length;
}

/* For msr_ask(); negative where there is no such thing. */
int msr_open(int cpu)
{
	char path[32];

	snprintf(path, sizeof(path), "/dev/cpu/%d/msr", cpu);
	if (access(path, R_OK) && system("modprobe msr"))
		return -1;
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* Has a CPU read a register of its own: in an interrupt, if that is another CPU, and with no task. */
void msr_ask(int msr)
{
	enum { TSC = 0x10 };
	uint64_t value;

	if (pread(msr, &value, sizeof(value), TSC) != sizeof(value))
		ksft_exit_fail_msg("cannot read a register of a CPU: %s\n", strerror(errno));
}

/* A column of /proc/stat's row of a CPU, in milliseconds (there in steps of 10). */
static uint64_t stat_ms(int cpu, unsigned int columns)
{
	static char text[65536];
	char name[16], *at;
	uint64_t sum = 0;
	int i, skip;

	snprintf(name, sizeof(name), "\ncpu%d ", cpu);
	at = file_read("/proc/stat", text, sizeof(text)) ? strstr(text, name) : NULL;
	if (!at)
		ksft_exit_fail_msg("/proc/stat has no CPU %d\n", cpu);
	at += strlen(name);
	for (i = 0; i < 10; i++) {
		unsigned long long ticks;

		if (sscanf(at, "%llu%n", &ticks, &skip) != 1)
			break;
		at += skip;
		if (columns & (1u << i))
			sum += ticks;
	}
	return sum * 1000 / sysconf(_SC_CLK_TCK);
}

/* user, nice, system, irq, softirq: samples taken at ticks. */
uint64_t stat_busy_ms(int cpu)
{
	return stat_ms(cpu, 1 | 2 | 4 | 32 | 64);
}

/* idle, iowait: measured, where the tick stops in idle. */
uint64_t stat_idle_ms(int cpu)
{
	return stat_ms(cpu, 8 | 16);
}

/* What a hypervisor took, up to the CPU's last tick. */
uint64_t stat_steal_ms(int cpu)
{
	return stat_ms(cpu, 128);
}

/* user, nice, system, idle, iowait: all but interrupts. */
uint64_t stat_context_ms(int cpu)
{
	return stat_ms(cpu, 1 | 2 | 4 | 8 | 16);
}

/* Measured, where the kernel has CONFIG_IRQ_TIME_ACCOUNTING. */
uint64_t stat_irq_ms(int cpu)
{
	return stat_ms(cpu, 32);
}

uint64_t stat_softirq_ms(int cpu)
{
	return stat_ms(cpu, 64);
}

/* guest and guest_nice, which are part of user and nice. */
uint64_t stat_guest_ms(int cpu, bool nice)
{
	return stat_ms(cpu, nice ? 512 : 256);
}

/* A field of the row of a CPU in /proc/schedstat, the first behind its name being 1. */
static uint64_t schedstat(int cpu, int field)
{
	static char text[262144];
	unsigned long long value = 0;
	char name[16], *at;
	int i, skip;

	snprintf(name, sizeof(name), "\ncpu%d ", cpu);
	at = file_read("/proc/schedstat", text, sizeof(text)) ? strstr(text, name) : NULL;
	if (!at)
		ksft_exit_fail_msg("/proc/schedstat has no CPU %d\n", cpu);
	at += strlen(name);
	for (i = 0; i < field; i++, at += skip)
		if (sscanf(at, "%llu%n", &value, &skip) != 1)
			ksft_exit_fail_msg("/proc/schedstat has no field %d\n", field);
	return value;
}

/*
 * How long tasks have run on a CPU up to its last context switch, by the
 * scheduler's own books (rq->rq_cpu_time).
 */
uint64_t schedstat_run_ns(int cpu)
{
	return schedstat(cpu, 7);
}

/* How long tasks have waited for a CPU before they ran or left (rq->rq_sched_info.run_delay). */
uint64_t schedstat_wait_ns(int cpu)
{
	return schedstat(cpu, 8);
}

/* How often a CPU has switched to a task (rq->rq_sched_info.pcount); the idle task is none. */
uint64_t schedstat_switches(int cpu)
{
	return schedstat(cpu, 9);
}

/*
 * What one CPU has counted in a table of a row a counter and a column a CPU:
 * /proc/interrupts, /proc/softirqs. Returns how many there are; a row without a
 * column for that CPU is none.
 */
unsigned int percpu_counts(const char *path, int cpu, struct count *counts, unsigned int max)
{
	char line[8192];
	FILE *file = fopen(path, "r");
	int i, skip, column = -1;
	unsigned int n = 0;

	if (!file || !fgets(line, sizeof(line), file))
		ksft_exit_fail_msg("no %s\n", path);
	/* The heading names the CPUs that are online. */
	for (char *at = line; sscanf(at, " CPU%d%n", &i, &skip) == 1; at += skip) {
		column++;
		if (i == cpu)
			break;
	}
	while (fgets(line, sizeof(line), file)) {
		unsigned long long value;
		char *at = line, *text;

		if (n == max)
			ksft_exit_fail_msg("%s has more than %u rows\n", path, max);
		if (sscanf(at, " %31[^:]:%n", counts[n].name, &skip) != 1)
			continue;
		for (i = 0; i <= column; i++) {
			at += skip;
			if (sscanf(at, "%llu%n", &value, &skip) != 1)
				break;
		}
		if (i <= column)
			continue;
		counts[n].value = value;
		*counts[n].device = '\0';
		text = at + skip + strspn(at + skip, " 0123456789");
		snprintf(counts[n].text, sizeof(counts[n].text), "%.*s", (int)strcspn(text, "\n"), text);
		while (sscanf(at, "%31s%n", counts[n].device, &skip) == 1)
			at += skip;
		n++;
	}
	fclose(file);
	return n;
}

/* A row of /proc/interrupts, by its name or its device. */
uint64_t interrupt_count(const char *name, int cpu)
{
	static struct count counts[256];
	unsigned int n = percpu_counts("/proc/interrupts", cpu, counts, ARRAY_SIZE(counts)), i;

	for (i = 0; i < n; i++)
		if (!strcmp(counts[i].name, name) || !strcmp(counts[i].device, name))
			return counts[i].value;
	ksft_exit_fail_msg("/proc/interrupts has no row %s\n", name);
	return 0;
}

/* Was the kernel told that an idle CPU is to spin? By a word of its architecture. */
bool idle_polls(void)
{
	char text[4096];

#ifdef __x86_64__
	return file_read("/proc/cmdline", text, sizeof(text)) && strstr(text, "idle=poll");
#else
	return file_read("/proc/cmdline", text, sizeof(text)) && strstr(text, "nohlt");
#endif
}
