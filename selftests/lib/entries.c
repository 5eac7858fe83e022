// SPDX-License-Identifier: GPL-2.0-only
/*
 * How often the kernel's tracepoint raw_syscalls:sys_enter has fired, by system call
 * number, as perf counts it.
 *
 * Nothing is sampled, so that nothing can be lost, and no kernel lacks it that has
 * perf and tracepoints.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "entries.h"
#include "machine.h"

static struct {
	int64_t nr;
	uint64_t least, most;
	int fd[BOOK_MAX_CPUS];
} entry[ENTRIES_MAX];
static unsigned int entries, cpus;

static void open_cpu(unsigned int at, int cpu, struct perf_event_attr *attr)
{
	char filter[40];
	int fd = syscall(SYS_perf_event_open, attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		ksft_exit_fail_msg("perf: sys_enter on CPU %d: %s\n", cpu, strerror(errno));
	snprintf(filter, sizeof(filter), "id == %" PRId64, entry[at].nr);
	if (entry[at].nr != ENTRIES_ALL && ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter))
		ksft_exit_fail_msg("perf: filter '%s': %s\n", filter, strerror(errno));
	entry[at].fd[cpu] = fd;
}

/* From here on calls of @nr are counted. */
void entries_open(int64_t nr)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr) };
	char id[32];
	int cpu;

	if (!file_read("/sys/kernel/tracing/events/raw_syscalls/sys_enter/id", id, sizeof(id)))
		ksft_exit_fail_msg("no tracepoint sys_enter\n");
	if (entries == ENTRIES_MAX)
		ksft_exit_fail_msg("more than %u numbers to count\n", entries);
	attr.config = strtoull(id, NULL, 10);
	entry[entries].nr = nr;
	cpus = cpus_online();
	for (cpu = 0; cpu < (int)cpus; cpu++)
		open_cpu(entries, cpu, &attr);
	entries++;
}

static uint64_t calls_of(unsigned int at)
{
	uint64_t sum = 0, value;
	unsigned int cpu;

	for (cpu = 0; cpu < cpus; cpu++) {
		if (read(entry[at].fd[cpu], &value, sizeof(value)) != sizeof(value))
			ksft_exit_fail_msg("perf: read: %s\n", strerror(errno));
		sum += value;
	}
	return sum;
}

/* Reads the module's files, within what perf says before and after. */
void entries_begin(struct syscalls *s)
{
	unsigned int i;

	for (i = 0; i < entries; i++)
		entry[i].most = calls_of(i);
	syscalls_read_checked(s, NULL);
	for (i = 0; i < entries; i++)
		entry[i].least = calls_of(i);
}

/* @begin: of the same epoch. */
void entries_end(struct syscalls *s, const struct syscalls *begin)
{
	unsigned int i;

	for (i = 0; i < entries; i++)
		entry[i].least = calls_of(i) - entry[i].least;
	syscalls_read_checked(s, begin);
	for (i = 0; i < entries; i++)
		entry[i].most = calls_of(i) - entry[i].most;
}

/* How many calls of a number the last two reads have between them. */
struct entries_span entries_span(int64_t nr)
{
	unsigned int i;

	for (i = 0; i < entries; i++)
		if (entry[i].nr == nr)
			return (struct entries_span){ entry[i].least, entry[i].most };
	ksft_exit_fail_msg("calls of %" PRId64 " are not counted\n", nr);
	return (struct entries_span){ 0, 0 };
}
