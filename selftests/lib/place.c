// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the code of this program is in its file.
 */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "kselftest.h"

#include "place.h"

const char *place_file(void)
{
	static char file[4096];
	ssize_t n = readlink("/proc/self/exe", file, sizeof(file) - 1);

	if (n < 0)
		ksft_exit_fail_msg("no /proc/self/exe\n");
	file[n] = '\0';
	return file;
}

/* By the kernel's list of what is mapped where. */
uint64_t place_offset(const void *code)
{
	uint64_t from, to, offset, address = (uintptr_t)code;
	FILE *file = fopen("/proc/self/maps", "r");
	char line[4400];

	if (!file)
		ksft_exit_fail_msg("no /proc/self/maps\n");
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64, &from, &to, &offset) == 3 &&
		    address >= from && address < to) {
			fclose(file);
			return address - from + offset;
		}
	ksft_exit_fail_msg("no file is mapped at %p\n", code);
	return 0;
}
