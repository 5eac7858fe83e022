// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loading and unloading the module, for tests that compare with and without.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "module.h"

/* The file to load: what the caller of the test named, or beside the tests; NULL if there is none. */
const char *module_file(void)
{
	static const char beside[] = "../cpuprecise.ko";
	const char *named = getenv("CPUPRECISE_KO");

	if (named)
		return named;
	return access(beside, R_OK) ? NULL : beside;
}

bool module_is_loaded(void)
{
	return access("/sys/module/cpuprecise", F_OK) == 0;
}

void module_load(const char *parameters)
{
	int fd = open(module_file(), O_RDONLY | O_CLOEXEC);

	if (fd < 0 || syscall(SYS_finit_module, fd, parameters, 0))
		ksft_exit_fail_msg("cannot load %s: %s\n", module_file(), strerror(errno));
	close(fd);
}

void module_unload(void)
{
	if (syscall(SYS_delete_module, "cpuprecise", O_NONBLOCK))
		ksft_exit_fail_msg("cannot unload the module: %s\n", strerror(errno));
}
