// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loading and unloading the module, for tests that compare with and without.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
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

static int load(const char *file, const char *parameters)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	int err = 0;

	if (fd < 0)
		ksft_exit_fail_msg("cannot open %s: %s\n", file, strerror(errno));
	if (syscall(SYS_finit_module, fd, parameters, 0))
		err = errno;
	close(fd);
	return err;
}

/* Returns 0 or an errno. */
int module_try_load(const char *parameters)
{
	return load(module_file(), parameters);
}

/* Returns 0 or an errno; EWOULDBLOCK while something holds on to the module. */
int module_try_unload(void)
{
	book_close();
	return syscall(SYS_delete_module, "cpuprecise", O_NONBLOCK) ? errno : 0;
}

void module_load(const char *parameters)
{
	int err = module_try_load(parameters);

	if (err)
		ksft_exit_fail_msg("cannot load %s: %s\n", module_file(), strerror(err));
}

void module_unload(void)
{
	int err = module_try_unload();

	if (err)
		ksft_exit_fail_msg("cannot unload the module: %s\n", strerror(err));
}

/* Another module, whose file is in the same directory; NULL if there is none. */
const char *module_beside(const char *name)
{
	static char file[4096];
	int length = strrchr(module_file(), '/') ? strrchr(module_file(), '/') + 1 - module_file() : 0;

	snprintf(file, sizeof(file), "%.*s%s.ko", length, module_file(), name);
	return access(file, R_OK) ? NULL : file;
}

void module_beside_load(const char *name, const char *parameters)
{
	int err = load(module_beside(name), parameters);

	if (err)
		ksft_exit_fail_msg("cannot load %s: %s\n", name, strerror(err));
}

void module_beside_unload(const char *name)
{
	if (syscall(SYS_delete_module, name, O_NONBLOCK))
		ksft_exit_fail_msg("cannot unload %s: %s\n", name, strerror(errno));
}

/* For tests that load it themselves: ends the test as skipped if they cannot. */
void module_require_unloaded(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (geteuid())
		ksft_exit_skip("needs root\n");
	if (!module_file())
		ksft_exit_skip("no module to load: name it by CPUPRECISE_KO\n");
	if (module_is_loaded())
		ksft_exit_skip("the module is in use: unload it first\n");
}
