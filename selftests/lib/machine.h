/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a test needs to know of the machine: clocks, CPUs, what emulates it.
 */
#ifndef SELFTEST_MACHINE_H
#define SELFTEST_MACHINE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#define NSEC_PER_SEC	UINT64_C(1000000000)
#define NSEC_PER_MSEC	UINT64_C(1000000)
#define NSEC_PER_USEC	UINT64_C(1000)

/* The local timer in /proc/interrupts. */
#ifdef __x86_64__
#define TIMER_INTERRUPT	"LOC"
#else
#define TIMER_INTERRUPT	"arch_timer"
#endif

/* One counter of one CPU. */
struct count {
	char name[32];
	char device[32];	/* the last word of its row */
	char text[192];		/* all of what stands behind its figures */
	uint64_t value;
};

uint64_t clock_ns(clockid_t clock);
uint64_t monotonic_ns(void);
clockid_t process_clock(pid_t pid);
clockid_t pthread_clock(pthread_t thread);
clockid_t thread_tick_clock(pid_t tid);
void sleep_ns(uint64_t ns);
void sleep_until(uint64_t monotonic);

int cpus_online(void);
bool cpu_online(int cpu);
int other_cpu(void);
void pin(int cpu);
void pin_all(int cpu, int to);

bool is_tcg(void);
bool is_debug_kernel(void);
unsigned int icount_ns(void);
bool is_icount(void);
uint64_t tolerance(uint64_t ns);
void require_icount(void);
void require_cpus(int count);

bool file_write(const char *path, const char *text);
int file_put(const char *path, const char *text, size_t length);
char *file_read(const char *path, char *buffer, size_t size);
size_t file_read_all(const char *path, char *buffer, size_t size);
ssize_t file_read_pieces(const char *path, size_t piece, char *buffer, size_t size);
void must_write(const char *path, const char *text);
void must_borrow(const char *path, const char *text);
bool file_erase(const char *path);

int msr_open(int cpu);
void msr_ask(int msr);

uint64_t stat_busy_ms(int cpu);
uint64_t stat_idle_ms(int cpu);
uint64_t stat_steal_ms(int cpu);
uint64_t stat_context_ms(int cpu);
uint64_t stat_guest_ms(int cpu, bool nice);
uint64_t stat_irq_ms(int cpu);
uint64_t stat_softirq_ms(int cpu);
uint64_t schedstat_run_ns(int cpu);
uint64_t schedstat_wait_ns(int cpu);
uint64_t schedstat_switches(int cpu);
unsigned int percpu_counts(const char *path, int cpu, struct count *counts, unsigned int max);
uint64_t interrupt_count(const char *name, int cpu);
bool idle_polls(void);

#endif
