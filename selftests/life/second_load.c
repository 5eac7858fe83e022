// SPDX-License-Identifier: GPL-2.0-only
/*
 * A second load is refused; so is unloading while a file of debugfs is held
 * open, and neither does any harm. Who holds /proc/cpuprecise open does not
 * hold the module: after the unload its descriptor gives an error or the end
 * of the file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "machine.h"
#include "module.h"
#include "traces.h"

static struct traces before;
static char text[1 << 16];

/* An errno for a descriptor whose file is gone, or 0 for the end of the file; -1 if it still gives data. */
static int gone(ssize_t n)
{
	if (n > 0)
		return -1;
	return n ? errno : 0;
}

int main(void)
{
	static struct book book, later;
	const char *error;
	int fd, fresh, err, again;

	module_require_unloaded();
	ksft_print_header();
	ksft_set_plan(9);
	log_mark();
	traces_take(&before);

	module_load("");
	book_read(&book);
	err = module_try_load("");
	ksft_test_result(err == EEXIST, "a second load: %s\n", strerror(err));
	book_read(&later);
	error = book_check_after(&book, &later);
	if (error)
		ksft_print_msg("%s\n", error);
	ksft_test_result(!error, "the first one goes on\n");

	fd = open(BOOK_DEBUGFS "self", O_RDONLY);
	err = module_try_unload();
	ksft_test_result(fd >= 0 && err == EWOULDBLOCK, "unload while debugfs is held open: %s\n",
			 strerror(err));
	ksft_test_result(read(fd, text, sizeof(text)) > 0, "and the file still reads\n");
	close(fd);

	/* One that has been read from, one that has not, and one that waits in the middle. */
	fd = book_open();
	fresh = book_open();
	if (read(fd, text, 100) != 100)
		ksft_exit_fail_msg("cannot read\n");
	err = module_try_unload();
	ksft_test_result(!err, "unload while /proc/cpuprecise is held open: %s\n", strerror(err));
	err = gone(read(fd, text, sizeof(text)));
	again = gone(pread(fd, text, sizeof(text), 0));
	ksft_test_result(err >= 0 && again >= 0, "then its reads give: %s, %s\n",
			 strerror(err), strerror(again));
	err = gone(read(fresh, text, sizeof(text)));
	lseek(fresh, 0, SEEK_SET);
	ksft_test_result(err >= 0, "and those of a file not read before: %s\n", strerror(err));
	module_load("");
	/* The old ones do not come alive with a new load. */
	err = gone(pread(fd, text, sizeof(text), 0));
	close(fd);
	close(fresh);
	module_unload();
	ksft_test_result(err >= 0, "nor after the next load: %s\n", strerror(err));

	ksft_test_result(traces_none(&before), "nothing left, a clean log\n");
	ksft_finished();
}
