// SPDX-License-Identifier: GPL-2.0-only
/*
 * A task that works 3 ms of every 4 ms and is asleep whenever the tick strikes, and what three
 * clocks say of it: its own CPU clock, /proc/stat, and /proc/cpuprecise.
 */
#define _GNU_SOURCE
#include <err.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CPU		1
#define PERIOD_NS	4000000		/* one tick at HZ=250 */
#define WORK_NS		3000000
#define PHASES		16
#define PHASE_STEP_NS	(PERIOD_NS / PHASES)
#define SEC		1000000000LL

/* The same moment on the three clocks, and on the wall's; all in ns. */
struct sample {
	int64_t wall, task, stat, module, interrupts;
};

static int64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * SEC + t.tv_nsec;
}

/* Returns the line of @path that starts with @start. */
static char *find_line(const char *path, const char *start)
{
	static char line[1024];
	FILE *file = fopen(path, "r");

	if (!file)
		err(1, "%s", path);
	while (fgets(line, sizeof(line), file)) {
		if (!strncmp(line, start, strlen(start))) {
			fclose(file);
			return line;
		}
	}
	errx(1, "%s: no line '%s'", path, start);
}

/* user + nice + system, in ticks of USER_HZ. */
static int64_t read_stat(void)
{
	long long user, nice, system;

	if (sscanf(find_line("/proc/stat", "cpu1 "), "cpu1 %lld %lld %lld", &user, &nice, &system) != 3)
		errx(1, "/proc/stat: cannot read cpu1");
	return (user + nice + system) * (SEC / sysconf(_SC_CLK_TCK));
}

/* user + nice + system as above, and what interrupts took. The columns are those of /proc/stat. */
static void read_module(struct sample *s)
{
	long long user, nice, system, irq, softirq;

	if (sscanf(find_line("/proc/cpuprecise", "cpu1 "), "cpu1 %lld %lld %lld %*s %*s %lld %lld",
		   &user, &nice, &system, &irq, &softirq) != 5)
		errx(1, "/proc/cpuprecise: cannot read cpu1");
	s->module = user + nice + system;
	s->interrupts = irq + softirq;
}

static struct sample sample(void)
{
	struct sample s;

	s.stat = read_stat();
	read_module(&s);
	s.task = now(CLOCK_THREAD_CPUTIME_ID);
	s.wall = now(CLOCK_MONOTONIC);
	return s;
}

/* Works and sleeps for @duration, each turn starting @phase after a multiple of the period. */
static struct sample dodge(int64_t phase, int64_t duration)
{
	int64_t turn = (now(CLOCK_MONOTONIC) / PERIOD_NS + 2) * PERIOD_NS + phase;
	int64_t end = turn + duration;
	struct sample before, after;
	struct timespec t;

	before = sample();
	for (; turn < end; turn += PERIOD_NS) {
		t = (struct timespec){ turn / SEC, turn % SEC };
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
		while (now(CLOCK_MONOTONIC) < turn + WORK_NS)
			;
	}
	after = sample();
	return (struct sample){ after.wall - before.wall, after.task - before.task,
				after.stat - before.stat, after.module - before.module,
				after.interrupts - before.interrupts };
}

static void show(const char *clock, int64_t ns, const struct sample *s)
{
	printf("  %-28s %6lld ms %6.1f %%\n", clock, (long long)ns / 1000000, 100.0 * ns / s->wall);
}

/*
 * Where the tick falls in the period is the kernel's choice: look for the phase at which /proc/stat
 * sees least. A quarter of them are as good; with its neighbours' shares added, the middle one wins.
 */
static int64_t find_phase(void)
{
	double share[PHASES], sum, least = 4;
	struct sample s;
	int i, best = 0;

	for (i = 0; i < PHASES; i++) {
		s = dodge(i * PHASE_STEP_NS, SEC / 2);
		share[i] = (double)s.stat / s.wall;
	}
	for (i = 0; i < PHASES; i++) {
		sum = share[(i + PHASES - 1) % PHASES] + share[i] + share[(i + 1) % PHASES];
		if (sum < least) {
			least = sum;
			best = i;
		}
	}
	return best * PHASE_STEP_NS;
}

int main(void)
{
	struct sample s;
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(CPU, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		err(1, "CPU %d", CPU);

	s = dodge(find_phase(), 4 * SEC);
	printf("A task on CPU %d works 3 ms of every 4 ms and sleeps whenever the tick strikes.\n", CPU);
	printf("User, nice and system time of the same %.1f s, three ways:\n\n", (double)s.wall / SEC);
	show("the task's own CPU clock", s.task, &s);
	show("CPU 1 in /proc/stat", s.stat, &s);
	show("CPU 1 in /proc/cpuprecise", s.module, &s);
	printf("\nInterrupts, which /proc/cpuprecise keeps apart, took %lld ms of CPU %d.\n",
	       (long long)s.interrupts / 1000000, CPU);
	return 0;
}
