// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the kernel does for a task between the end of a system call and user
 * code is system: closing the last reference to a large file that has no name
 * frees its memory there, in task work.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "kselftest.h"

#include "book.h"
#include "machine.h"

/* As much as the test is to free: 256 MiB, or half of what the machine can spare. */
static uint64_t file_size(void)
{
	uint64_t wanted = 256 << 20;
	unsigned long kib;
	char line[128];
	FILE *file = fopen("/proc/meminfo", "r");

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "MemAvailable: %lu", &kib) == 1 && kib * 512 < wanted)
			wanted = kib * 512 / 4096 * 4096;
	if (file)
		fclose(file);
	return wanted;
}

int main(void)
{
	static struct book_text before, after;
	static struct book a, b;
	uint64_t size = file_size(), user, system, elapsed;
	const char *error;
	int cpu, fd;

	book_require();
	ksft_print_header();
	ksft_set_plan(1);
	cpu = other_cpu();
	if (cpu)
		pin_all(cpu, 0);
	pin(cpu);

	fd = syscall(SYS_memfd_create, "selftest", 0);
	if (fd < 0 || posix_fallocate(fd, 0, size))
		ksft_exit_fail_msg("no memory for a file of %" PRIu64 " MiB\n", size >> 20);
	book_take(&before);
	close(fd);
	book_take(&after);

	error = book_parse(&a, &before);
	if (!error)
		error = book_parse(&b, &after);
	if (!error)
		error = book_check(&b);
	if (error)
		ksft_exit_fail_msg("%s\n", error);
	user = book_delta(&a, &b, cpu, USER);
	system = book_delta(&a, &b, cpu, SYSTEM);
	elapsed = book_delta(&a, &b, cpu, ELAPSED);
	/*
	 * Freeing takes milliseconds; the user code around it, microseconds. Exact
	 * time lets even what passes until the first tick stand out.
	 */
	ksft_test_result(user * (is_icount() ? 1000 : 100) <= system && system > elapsed / 2,
			 "freeing %" PRIu64 " MiB: system %" PRIu64 " us, user %" PRIu64 " us of %"
			 PRIu64 " us\n", size >> 20, system / 1000, user / 1000, elapsed / 1000);
	ksft_finished();
}
