// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's pulse, in the instruction-counting VM: what one getppid(), one round trip over two
 * pipes and one touched page cost. For seeing whether a peer is there, and whether all of it is
 * gone: prints NAME INSTRUCTIONS, the median of some batches.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BATCHES	11
#define EVENTS	2000	/* a batch */
#define PAGE	4096

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void check(int good)
{
	if (!good) {
		perror("pulse");
		exit(1);
	}
}

static int there[2], back[2];

static void pong(void)
{
	char byte;

	close(there[1]);
	close(back[0]);
	while (read(there[0], &byte, 1) == 1)
		check(write(back[1], &byte, 1) == 1);
	_exit(0);
}

static void ping(void)
{
	char byte = 0;

	check(write(there[1], &byte, 1) == 1);
	check(read(back[0], &byte, 1) == 1);
}

static void call(void)
{
	syscall(SYS_getppid);
}

static char *page;

static void touch(void)
{
	*page = 1;
	page += PAGE;
}

static int compare(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

static void pulse(const char *name, void (*event)(void))
{
	uint64_t took[BATCHES], start;
	int batch, i;

	for (batch = 0; batch < BATCHES; batch++) {
		start = now();
		for (i = 0; i < EVENTS; i++)
			event();
		took[batch] = now() - start;
	}
	qsort(took, BATCHES, sizeof(*took), compare);
	printf("%s %.1f\n", name, (double)took[BATCHES / 2] / EVENTS);
	fflush(stdout);
}

int main(void)
{
	page = mmap(NULL, BATCHES * EVENTS * PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	check(page != MAP_FAILED);
	madvise(page, BATCHES * EVENTS * PAGE, MADV_NOHUGEPAGE);
	check(!pipe(there) && !pipe(back));
	if (!fork())
		pong();
	pulse("syscall", call);
	pulse("switch", ping);
	pulse("fault", touch);
	close(there[1]);
	wait(NULL);
	return 0;
}
