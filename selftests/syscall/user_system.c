// SPDX-License-Identifier: GPL-2.0-only
/*
 * User and system against arithmetic. In the instruction-counting VM one
 * instruction takes one nanosecond, and the loops measured here have a known
 * number of instructions in user mode: what /proc/cpuprecise shows beyond it is
 * kernel code outside of the hooks. That is bounded per kernel entry without a
 * correction, and has to be nearly gone with the one that tools/boundary finds.
 *
 * Interrupts take away user time too; there are few, and their share shows as irq.
 */
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "kselftest.h"

#include "book.h"
#include "loop.h"
#include "machine.h"

#define PARAMETER	BOOK_PARAMETERS "boundary_ns"
#define PAGES		8192
#define BLOCK		65536

struct work {
	const char *name;
	void (*run)(uint64_t turns);
	void (*prepare)(void);
	uint64_t turns;
	unsigned int insns;	/* of user code a turn */
	int64_t boundary;	/* at most this much a turn, ns; 0: no kernel entry */
};

static char *pages, *block;
static int file;

static void run_alu(uint64_t turns) { loop_alu(turns); }
static void run_getppid(uint64_t turns) { loop_syscall(turns, SYS_getppid, 0, 0, 0, 0); }
static void run_read(uint64_t turns) { loop_syscall(turns, SYS_pread64, file, (long)block, BLOCK, 0); }
static void run_touch(uint64_t turns) { loop_touch(turns, pages, 4096); }
static void fresh(void) { madvise(pages, PAGES * 4096ul, MADV_DONTNEED); }

static const struct work works[] = {
	{ "ALU loop", run_alu, NULL, 100000000, LOOP_ALU_INSNS, 0 },
	{ "getppid loop", run_getppid, NULL, 200000, LOOP_SYSCALL_INSNS, 350 },
	{ "64 KiB read loop", run_read, NULL, 5000, LOOP_SYSCALL_INSNS, 350 },
	{ "fresh page loop", run_touch, fresh, PAGES, LOOP_TOUCH_INSNS, 300 },
};

struct result {
	int64_t user, elapsed, truth;
};

static struct result measure(const struct work *work)
{
	static struct book_text before, after;
	static struct book a, b;
	struct result result;
	const char *error;

	if (work->prepare)
		work->prepare();
	book_take(&before);
	work->run(work->turns);
	book_take(&after);
	error = book_parse(&a, &before);
	if (!error)
		error = book_check(&a);
	if (!error)
		error = book_parse(&b, &after);
	if (!error)
		error = book_check(&b);
	if (error)
		ksft_exit_fail_msg("%s\n", error);
	result.user = book_delta(&a, &b, 0, USER);
	result.elapsed = book_delta(&a, &b, 0, ELAPSED);
	result.truth = work->turns * work->insns;
	return result;
}

static double share(int64_t part, int64_t whole)
{
	return 100.0 * part / whole;
}

static void calibrate(void)
{
	char self[PATH_MAX] = "", path[PATH_MAX + 16], value[64];
	int status;

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		ksft_exit_fail_msg("/proc/self/exe: %s\n", strerror(errno));
	/* Beside the test where tests are installed, a directory up where they are built. */
	dirname(self);
	snprintf(path, sizeof(path), "%s/boundary", self);
	if (access(path, X_OK))
		snprintf(path, sizeof(path), "%s/../boundary", self);
	fflush(stdout);
	if (fork() == 0) {
		dup2(1, 2);
		if (!freopen("/dev/null", "w", stdout))
			_exit(127);
		fprintf(stderr, "# ");
		execl(path, "boundary", "--set", NULL);
		_exit(127);
	}
	wait(&status);
	if (status)
		ksft_exit_fail_msg("%s --set ended with %#x\n", path, status);
	ksft_print_msg("boundary_ns=%s\n", file_read(PARAMETER, value, sizeof(value)));
}

int main(void)
{
	struct result plain[ARRAY_SIZE(works)], corrected;
	unsigned int i;

	book_require();
	require_icount();
	ksft_print_header();
	ksft_set_plan(2 * ARRAY_SIZE(works));

	pages = mmap(NULL, PAGES * 4096ul, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	block = mmap(NULL, BLOCK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE,
		     -1, 0);
	file = syscall(SYS_memfd_create, "selftest", 0);
	if (pages == MAP_FAILED || block == MAP_FAILED || file < 0 ||
	    write(file, block, BLOCK) != BLOCK)
		ksft_exit_fail_msg("no memory\n");
	madvise(pages, PAGES * 4096ul, MADV_NOHUGEPAGE);

	must_write(PARAMETER, "0,0");
	for (i = 0; i < ARRAY_SIZE(works); i++) {
		const struct work *work = &works[i];
		struct result r;
		double over;

		measure(work);
		r = plain[i] = measure(work);
		over = (double)(r.user - r.truth) / work->turns;
		if (!work->boundary)
			ksft_test_result(share(r.user, r.elapsed) >= 99.5,
					 "%s: user %.3f %%, truth %.3f %%\n", work->name,
					 share(r.user, r.elapsed), share(r.truth, r.elapsed));
		else
			/* Not less than the truth either, by more than the last turn. */
			ksft_test_result(over >= -1 && over <= work->boundary,
					 "%s: %.1f ns a turn beyond the truth, at most %d (user %.2f %%, truth %.2f %%)\n",
					 work->name, over, (int)work->boundary,
					 share(r.user, r.elapsed), share(r.truth, r.elapsed));
	}
	calibrate();
	for (i = 0; i < ARRAY_SIZE(works); i++) {
		const struct work *work = &works[i];
		double off, allowed = work->boundary ? 3 : 0.5;

		corrected = measure(work);
		if (work->boundary)
			off = share(corrected.user, corrected.elapsed) -
			      share(corrected.truth, corrected.elapsed);
		else
			off = share(corrected.user, corrected.elapsed) -
			      share(plain[i].user, plain[i].elapsed);
		ksft_test_result(off <= allowed && off >= -allowed,
				 "%s, corrected: user %.2f %%, truth %.2f %%, before %.2f %%\n",
				 work->name, share(corrected.user, corrected.elapsed),
				 share(corrected.truth, corrected.elapsed),
				 share(plain[i].user, plain[i].elapsed));
	}
	must_write(PARAMETER, "0,0");
	ksft_finished();
}
