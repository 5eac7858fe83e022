// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures how much kernel code the ledger takes for user code, and tells the
 * module.
 *
 * The hooks sit inside the kernel: the first and the last instructions of each
 * kernel entry lie outside of them and are booked as user. This program runs a
 * loop of a system call that does nothing and a loop that touches fresh pages,
 * reads from /proc/cpuprecise how much user time a turn took, and takes off
 * what the same loop takes without entering the kernel. It does so on one CPU
 * of each kind that the machine has, and prints
 *
 *	SYSCALL_NS,FAULT_NS
 *
 * as the module parameter boundary_ns wants them. Of several kinds of CPU, the
 * smallest figures count, so that no CPU has user code booked as system.
 * --set writes them.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "loop.h"

#define BOOK		"/proc/cpuprecise"
#define PARAMETER	"/sys/module/cpuprecise/parameters/boundary_ns"

/*
 * While it is measured. With 0,0 the module's way back to user mode would be
 * shorter than it is with the figures that are found.
 */
#define NEARLY_NONE	"1,1"

#define ROUNDS	15	/* of which the median counts: an interrupt falls into some */
#define TURNS	2000

struct kind {
	char name[192];
	int cpu;
};

struct figures {
	unsigned int syscall, fault;
};

static void die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
static bool read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY);
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, text, size - 1);
	close(fd);
	if (n < 0)
		return false;
	while (n && text[n - 1] == '\n')
		n--;
	text[n] = '\0';
	return true;
}

static bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	bool done;

	if (fd < 0)
		return false;
	done = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	close(fd);
	return done;
}

/* What the parameter was before this program set it to 0. */
static char restore[64];

static void die(const char *format, ...)
{
	va_list args;

	fputs("boundary: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	if (*restore)
		write_text(PARAMETER, restore);
	exit(1);
}

/* --- the user time of a loop ---------------------------------------------------- */

/* Room for the rows of 8192 CPUs. */
static char before[1 << 20], after[1 << 20];
static int book;

static void look(char *text)
{
	size_t length = 0;
	ssize_t n;

	/* The first read takes the snapshot, and returns a page of it at most. */
	while ((n = pread(book, text + length, sizeof(before) - 1 - length, length)) > 0)
		length += n;
	if (n < 0 || !length)
		die("cannot read %s", BOOK);
	text[length] = '\0';
}

/* user + nice of a CPU's row */
static long long user_ns(const char *text, int cpu)
{
	long long user, nice;
	char name[24];
	const char *at;

	snprintf(name, sizeof(name), "\ncpu%d ", cpu);
	at = strstr(text, name);
	if (!at || sscanf(at + strlen(name), "%lld %lld", &user, &nice) != 2)
		die("%s has no CPU %d", BOOK, cpu);
	return user + nice;
}

static char *pages;
static size_t page_size;

static void fresh_pages(void)
{
	if (madvise(pages, TURNS * page_size, MADV_DONTNEED))
		die("madvise: %s", strerror(errno));
}

static void with_syscall(void) { loop_syscall(TURNS, SYS_getppid, 0, 0, 0, 0); }
static void without_syscall(void) { loop_no_syscall(TURNS, SYS_getppid); }
static void touch(void) { loop_touch(TURNS, pages, page_size); }

static int compare(const void *a, const void *b)
{
	long long x = *(const long long *)a, y = *(const long long *)b;

	return (x > y) - (x < y);
}

/* Median over rounds of the user time of TURNS turns, ns. */
static long long measure(int cpu, void (*loop)(void), void (*prepare)(void))
{
	long long round[ROUNDS];
	int i;

	for (i = 0; i < ROUNDS; i++) {
		if (prepare)
			prepare();
		look(before);
		loop();
		look(after);
		round[i] = user_ns(after, cpu) - user_ns(before, cpu);
	}
	qsort(round, ROUNDS, sizeof(round[0]), compare);
	return round[ROUNDS / 2];
}

static unsigned int per_turn(long long with, long long without)
{
	return with > without ? (with - without + TURNS / 2) / TURNS : 0;
}

static struct figures calibrate(int cpu)
{
	struct figures f;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("cannot run on CPU %d: %s", cpu, strerror(errno));
	/* Once for the caches and for whatever the kernel patches late. */
	with_syscall();
	touch();
	f.syscall = per_turn(measure(cpu, with_syscall, NULL), measure(cpu, without_syscall, NULL));
	f.fault = per_turn(measure(cpu, touch, fresh_pages), measure(cpu, touch, NULL));
	return f;
}

/* --- the kinds of CPU ------------------------------------------------------------- */

/* Is a CPU in a list such as "0-3,8"? */
static bool in_list(const char *list, int cpu)
{
	while (*list) {
		char *end;
		long first = strtol(list, &end, 10), last = first;

		if (end == list)
			return false;
		if (*end == '-')
			last = strtol(end + 1, &end, 10);
		if (cpu >= first && cpu <= last)
			return true;
		list = *end ? end + 1 : end;
	}
	return false;
}

/* The line "model name" of a CPU in /proc/cpuinfo; empty where there is none. */
static void model(int cpu, char *name, size_t size)
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	char line[256];
	int at = -1;

	*name = '\0';
	while (file && fgets(line, sizeof(line), file)) {
		sscanf(line, "processor : %d", &at);
		if (at == cpu && (!strncmp(line, "model name", 10) || !strncmp(line, "CPU part", 8)) &&
		    strchr(line, ':')) {
			snprintf(name, size, "%s", strchr(line, ':') + 2);
			name[strcspn(name, "\n")] = '\0';
			break;
		}
	}
	if (file)
		fclose(file);
}

/* What CPUs of one kind have in common: model, capacity, and on hybrid machines the core type. */
static void describe(int cpu, char *name, size_t size)
{
	char path[96], capacity[32] = "", list[256], part[96];
	const char *type = "";

	model(cpu, part, sizeof(part));
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cpu_capacity", cpu);
	read_text(path, capacity, sizeof(capacity));
	if (read_text("/sys/devices/cpu_core/cpus", list, sizeof(list)) && in_list(list, cpu))
		type = ", performance core";
	if (read_text("/sys/devices/cpu_atom/cpus", list, sizeof(list)) && in_list(list, cpu))
		type = ", efficient core";
	snprintf(name, size, "%s%s%s%s", *part ? part : "CPU", *capacity ? ", capacity " : "",
		 capacity, type);
}

int main(int argc, char **argv)
{
	static struct kind kinds[16];
	char old[64], new[64], name[192];
	struct figures least = { -1u, -1u };
	int nr = 0, i, cpu;
	cpu_set_t allowed;
	bool set = argc == 2 && !strcmp(argv[1], "--set");

	if (argc > 2 || (argc == 2 && !set)) {
		fprintf(stderr, "usage: boundary [--set]\n");
		return 2;
	}
	book = open(BOOK, O_RDONLY);
	if (book < 0)
		die("no %s: load the module first (make load)", BOOK);
	if (!read_text(PARAMETER, old, sizeof(old)))
		die("cannot read %s: %s", PARAMETER, strerror(errno));
	if (!write_text(PARAMETER, NEARLY_NONE))
		die("cannot write %s: run this as root", PARAMETER);
	strcpy(restore, old);

	page_size = sysconf(_SC_PAGESIZE);
	pages = mmap(NULL, TURNS * page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	if (pages == MAP_FAILED)
		die("no memory");
	/* One fault a page. */
	madvise(pages, TURNS * page_size, MADV_NOHUGEPAGE);

	sched_getaffinity(0, sizeof(allowed), &allowed);
	for (cpu = 0; cpu < CPU_SETSIZE && nr < 16; cpu++) {
		if (!CPU_ISSET(cpu, &allowed))
			continue;
		describe(cpu, name, sizeof(name));
		for (i = 0; i < nr && strcmp(kinds[i].name, name); i++)
			;
		if (i == nr) {
			strcpy(kinds[nr].name, name);
			kinds[nr++].cpu = cpu;
		}
	}
	for (i = 0; i < nr; i++) {
		struct figures f = calibrate(kinds[i].cpu);

		f.syscall++;
		f.fault++;
		fprintf(stderr, "CPU %d (%s): %u ns a system call, %u ns a page fault\n",
			kinds[i].cpu, kinds[i].name, f.syscall, f.fault);
		if (f.syscall < least.syscall)
			least.syscall = f.syscall;
		if (f.fault < least.fault)
			least.fault = f.fault;
	}
	snprintf(new, sizeof(new), "%u,%u", least.syscall, least.fault);
	if (!write_text(PARAMETER, set ? new : old))
		die("cannot write %s: run this as root", PARAMETER);
	puts(new);
	return 0;
}
