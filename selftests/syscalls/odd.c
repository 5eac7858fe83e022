// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls that never return, return twice, in another program or by another's hand, and
 * those that there are not: each one that begins is counted, as perf counts the kernel's
 * tracepoint, and ends once; what all of them took of CPUs is no more than the tasks'
 * system time; none is longer than the epoch; no record of a task stays.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
/* glibc has its own of what is in there. */
#include <linux/ptrace.h>

#include "kselftest.h"

#include "entries.h"
#include "load.h"
#include "machine.h"
#include "memory.h"
#include "syscalls.h"
#include "tasks.h"

#define BIRTHS		20000
#define BIRTHS_TCG	4000
#define BIRTHS_DEBUG	320
#define VFORKS		8	/* one for so many births */
#define SIGNALS		3000
#define THREADS		300
/* By which the C library of Debian 12 makes a thread. */
#ifdef __aarch64__
#define BY_PTHREAD	SYS_clone
#else
#define BY_PTHREAD	SYS_clone3
#endif
#define CROWDS		30	/* processes of some threads */
#define KILLED		10
#define CALLS		1000
#define NO_CALL		9999
#define X32_CALL	(0x40000000 | SYS_write)	/* of an ABI that the kernels here do not have */
#define COLLECTORS	BOOK_DEBUGFS "collectors"

static struct syscalls a, b;
static struct tasks tasks;
static uint64_t epoch;		/* began after this */
static unsigned int births;

/* What processes tell each other. */
static struct shared {
	uint64_t longest;		/* of forks, by the clocks of those who fork */
} *shared;

/* In the parent, which was in the call since then. */
static void forked(pid_t pid, uint64_t since)
{
	uint64_t took = monotonic_ns() - since, longest = shared->longest;

	if (pid < 0)
		ksft_exit_fail_msg("fork: %s\n", strerror(errno));
	while (took > longest && !__atomic_compare_exchange_n(&shared->longest, &longest, took, false,
							      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

static pid_t start(void (*what)(void))
{
	uint64_t since;
	pid_t pid;

	fflush(stdout);
	since = monotonic_ns();
	pid = fork();
	if (pid == 0) {
		what();
		_exit(0);
	}
	forked(pid, since);
	return pid;
}

/* Waits for its end, which is to be this one: a status as of wait(). */
static void ends(pid_t pid, int expected)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || status != expected)
		ksft_exit_fail_msg("a process ended with %#x, not %#x\n", status, expected);
}

static void execute_nothing(void)
{
	char *const argument[] = { "odd", "nothing", NULL }, *const none[] = { NULL };

	execve("/proc/self/exe", argument, none);
	_exit(1);
}

/* --- what a part has to show ------------------------------------------------------------- */

#define SOME	1

/* Others may be there that end by themselves, and do so now: as many as perf has, which is no fewer. */
struct expect {
	int64_t nr;
	uint64_t least;
};

static struct entries_span made(int64_t nr)
{
	static const int64_t others[] = { -1, NO_CALL, X32_CALL };
	struct entries_span sum = { 0, 0 }, one;
	unsigned int i;

	if (nr != SYSCALLS_OTHER)
		return entries_span(nr);
	for (i = 0; i < ARRAY_SIZE(others); i++) {
		one = entries_span(others[i]);
		sum.least += one.least;
		sum.most += one.most;
	}
	return sum;
}

static bool is_right(const struct expect *expect)
{
	struct syscalls_delta d = syscalls_delta(&a, &b, false, expect->nr);
	struct entries_span perf = made(expect->nr);
	const char *error = syscalls_check_hist(&b, false, expect->nr);

	/* One may end while the files are read. */
	if (perf.least <= d.count && d.count <= perf.most && d.count >= expect->least && !error)
		return true;
	ksft_print_msg("%" PRId64 ": counted %" PRIu64 ", ended %" PRIu64 ", perf %" PRIu64 " to %" PRIu64
		       ", at least %" PRIu64 ": %s\n", expect->nr, d.count, d.ended, perf.least, perf.most,
		       expect->least, error ?: "");
	return false;
}

static bool is_bounded(void)
{
	uint64_t cpu = syscalls_cpu(&b), system = tasks_sum(&tasks, TASKS_SYSTEM), age = b.after - epoch;
	bool bounded = cpu <= system;
	unsigned int i;

	if (!bounded)
		ksft_print_msg("calls took %" PRIu64 " ns, the tasks' system time is %" PRIu64 "\n", cpu, system);
	for (i = 0; i < b.rows; i++) {
		if (b.row[i].max <= age + age / 1000)
			continue;
		syscalls_print_row(&b.row[i]);
		ksft_print_msg("the epoch is %" PRIu64 " ns old\n", age);
		bounded = false;
	}
	return bounded;
}

static void new_epoch(void)
{
	epoch = monotonic_ns();
	syscalls_reset();
}

/* Does something between two reads; of the calls that are named, nobody else makes any. */
static void part(const char *what, void (*work)(void), const struct expect *expect, unsigned int n)
{
	bool right = true;
	unsigned int i;

	shared->longest = 0;
	new_epoch();
	entries_begin(&a);
	work();
	/* Whoever waits for a task's end may be faster than its CPU is in leaving it. */
	sleep_ns(200 * NSEC_PER_MSEC);
	entries_end(&b, &a);
	tasks_read_checked(&tasks, TASKS, NULL);
	for (i = 0; i < n; i++)
		right &= is_right(&expect[i]);
	right &= is_bounded();
	ksft_test_result(right, "%s\n", what);
}

#define PART(what, work, ...)	\
	part(what, work, (const struct expect[]){ __VA_ARGS__ }, \
	     sizeof((const struct expect[]){ __VA_ARGS__ }) / sizeof(struct expect))

static bool is_at_most(const char *name, int nr, uint64_t ns)
{
	const struct syscalls_row *row = syscalls_find(&b, false, nr);
	uint64_t max = row ? row->max : 0;

	ksft_print_msg("longest %s: %" PRIu64 " us, by the clocks of those who call %" PRIu64 "\n", name,
		       max / 1000, ns / 1000);
	return max <= ns + ns / 1000 + 10 * NSEC_PER_USEC;
}

/* --- births ------------------------------------------------------------------------------ */

#define EXECUTES	4	/* one of so many goes on to another program */

static void nothing(void)
{
}

static void fork_and_exec(void)
{
	unsigned int i;

	for (i = 0; i < births / 2; i++)
		ends(start(i % EXECUTES ? nothing : execute_nothing), 0);
}

static void fork_on_first(void)
{
	pin(0);
	fork_and_exec();
}

static void fork_on_second(void)
{
	pin(other_cpu());
	fork_and_exec();
}

static void give_birth(void)
{
	pid_t first = start(fork_on_first), second = start(fork_on_second);

	ends(first, 0);
	ends(second, 0);
}

/* The parent is in its call until the child has gone on to another program. */
static void vfork_once(void)
{
	uint64_t since = monotonic_ns();
	pid_t pid = vfork();

	if (pid == 0)
		execute_nothing();
	forked(pid, since);
	ends(pid, 0);
}

static void vforks(void)
{
	unsigned int i;

	for (i = 0; i < births / VFORKS; i++)
		vfork_once();
}

static void *call_once(void *unused)
{
	syscall(SYS_getppid);
	return NULL;
}

static void make_threads(void)
{
	pthread_t thread;
	unsigned int i;

	for (i = 0; i < THREADS; i++)
		if (pthread_create(&thread, NULL, call_once, NULL) || pthread_join(thread, NULL))
			_exit(1);
}

static void threads(void)
{
	ends(start(make_threads), 0);
}

/* --- signals ----------------------------------------------------------------------------- */

static int empty[2];	/* a pipe in which nothing comes */

static void handle(int signal)
{
}

static long read_nothing(void)
{
	static char byte;
	struct iovec to = { &byte, 1 };

	return syscall(SYS_readv, empty[0], &to, 1);
}

static long nap(void)
{
	struct timespec ts = { .tv_sec = 1000 };

	return syscall(SYS_nanosleep, &ts, NULL);
}

static void signal_itself(void)
{
	unsigned int i;

	signal(SIGUSR1, handle);
	for (i = 0; i < SIGNALS; i++)
		syscall(SYS_kill, getpid(), SIGUSR1);
}

/* Interrupted in calls that sleep, that are begun again, and in such as are short. */
static void be_interrupted(void)
{
	struct sigaction again = { .sa_handler = handle, .sa_flags = SA_RESTART };
	struct sigaction once = { .sa_handler = handle };
	unsigned int i;

	sigaction(SIGUSR1, &again, NULL);
	sigaction(SIGUSR2, &once, NULL);
	for (;;) {
		read_nothing();
		nap();
		for (i = 0; i < CALLS; i++)
			syscall(SYS_getppid);
	}
}

static void signals(void)
{
	pid_t target = start(be_interrupted);
	unsigned int i;

	ends(start(signal_itself), 0);
	for (i = 0; i < SIGNALS; i++) {
		kill(target, i % 3 ? SIGUSR2 : SIGUSR1);
		if (i % 2)
			sleep_ns(100 * NSEC_PER_USEC);
	}
	kill(target, SIGKILL);
	ends(target, SIGKILL);
}

/* --- ends in the middle of calls ---------------------------------------------------------- */

/* However slow the machine is: in its call, it sleeps. */
static void await_sleep(pid_t tid)
{
	char path[64], text[1024], *state;

	snprintf(path, sizeof(path), "/proc/%d/stat", tid);
	do {
		sleep_ns(10 * NSEC_PER_MSEC);
		state = file_read(path, text, sizeof(text)) ? strrchr(text, ')') : NULL;
		if (!state)
			ksft_exit_fail_msg("%s: gone\n", path);
	} while (state[2] != 'S');
}

/* Of a crowd, who is to sleep. */
static pid_t sleepers[2];

static void *in_read(void *unused)
{
	__atomic_store_n(&sleepers[0], syscall(SYS_gettid), __ATOMIC_RELAXED);
	read_nothing();
	return NULL;
}

static void *in_nap(void *unused)
{
	__atomic_store_n(&sleepers[1], syscall(SYS_gettid), __ATOMIC_RELAXED);
	nap();
	return NULL;
}

static void *in_short_calls(void *unused)
{
	for (;;)
		syscall(SYS_getppid);
	return NULL;
}

/* Some threads, each in calls by now. */
static void gather(void)
{
	static void *(*const what[])(void *) = { in_read, in_nap, in_short_calls };
	pthread_t thread;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(what); i++)
		if (pthread_create(&thread, NULL, what[i], NULL))
			_exit(1);
	for (i = 0; i < ARRAY_SIZE(sleepers); i++) {
		while (!__atomic_load_n(&sleepers[i], __ATOMIC_RELAXED))
			sleep_ns(NSEC_PER_MSEC);
		await_sleep(sleepers[i]);
	}
}

static void *execute(void *unused)
{
	execute_nothing();
	return NULL;
}

/* The program goes on in another thread, as the first one. */
static void execute_in_thread(void)
{
	pthread_t thread;

	gather();
	pthread_create(&thread, NULL, execute, NULL);
	pause();
}

static void leave(void)
{
	gather();
	syscall(SYS_exit_group, 0);
}

static void *leave_later(void *unused)
{
	char text[512];

	do
		sleep_ns(5 * NSEC_PER_MSEC);
	while (file_read("/proc/self/stat", text, sizeof(text)) && !strstr(text, ") Z "));
	syscall(SYS_exit_group, 0);
	return NULL;
}

/* The first thread is gone when the others are told to go. */
static void leave_first(void)
{
	pthread_t thread;

	gather();
	pthread_create(&thread, NULL, leave_later, NULL);
	syscall(SYS_exit, 1);
}

static void repeat(void (*what)(void))
{
	unsigned int i;

	for (i = 0; i < CROWDS; i++)
		ends(start(what), 0);
}

static void executes(void) { repeat(execute_in_thread); }
static void leaves(void) { repeat(leave); }
static void first_leaves(void) { repeat(leave_first); }

static void read_until_killed(void)
{
	read_nothing();
}

static void kills(void)
{
	unsigned int i;

	for (i = 0; i < KILLED; i++) {
		pid_t pid = start(read_until_killed);

		await_sleep(pid);
		kill(pid, SIGKILL);
		ends(pid, SIGKILL);
	}
}

/* --- calls that another one skips --------------------------------------------------------- */

static void be_traced(void)
{
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	raise(SIGSTOP);
	for (;;)
		syscall(SYS_getppid);
}

static void skip_call(pid_t pid)
{
	long failed;

#ifdef __x86_64__
	failed = ptrace(PTRACE_POKEUSER, pid, offsetof(struct user, regs.orig_rax), -1L);
#else
	int nr = -1;
	struct iovec of = { &nr, sizeof(nr) };

	failed = ptrace(PTRACE_SETREGSET, pid, NT_ARM_SYSTEM_CALL, &of);
#endif
	if (failed)
		ksft_exit_fail_msg("ptrace: cannot skip a call: %s\n", strerror(errno));
}

/* Every second one is made to be none; at the entry to the last one, which it never makes, it is killed. */
static void trace(void)
{
	pid_t pid = start(be_traced);
	unsigned int entry = 0;
	int status;

	waitpid(pid, &status, 0);
	ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
	while (entry < CALLS) {
		struct ptrace_syscall_info info;

		if (ptrace(PTRACE_SYSCALL, pid, 0, 0) || waitpid(pid, &status, 0) != pid ||
		    status != ((SIGTRAP | 0x80) << 8 | 0x7f))
			ksft_exit_fail_msg("ptrace: %s, status %#x\n", strerror(errno), status);
		if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) <= 0)
			ksft_exit_fail_msg("ptrace: %s\n", strerror(errno));
		if (info.op != PTRACE_SYSCALL_INFO_ENTRY || info.entry.nr != SYS_getppid)
			continue;
		if (++entry % 2)
			skip_call(pid);
	}
	kill(pid, SIGKILL);
	ends(pid, SIGKILL);
}

/* A filter that does this to one call. */
static void refuse(int nr, uint32_t action)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { ARRAY_SIZE(filter), filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		_exit(1);
}

static void be_refused(void)
{
	unsigned int i;

	refuse(SYS_getppid, SECCOMP_RET_ERRNO | EPERM);
	for (i = 0; i < CALLS; i++)
		if (syscall(SYS_getppid) != -1 || errno != EPERM || syscall(SYS_umask, 022) < 0)
			_exit(1);
}

static void be_killed(void)
{
	refuse(SYS_getppid, SECCOMP_RET_KILL_PROCESS);
	syscall(SYS_getppid);
}

static void filters(void)
{
	ends(start(be_refused), 0);
	ends(start(be_killed), SIGSYS);
}

static bool has_seccomp(void)
{
	return prctl(PR_GET_SECCOMP) == 0;
}

/* The kernel does not come to the tracepoint with those. */
static bool none_of(int nr)
{
	return !made(nr).most && !syscalls_find(&b, false, nr);
}

static void call_nothing(void)
{
	static const long nothing[] = { -1, NO_CALL, X32_CALL };
	unsigned int i;

	for (i = 0; i < 3 * CALLS; i++)
		if (syscall(nothing[i % 3], 0, 0, 0) != -1)
			_exit(1);
}

static void no_calls(void)
{
	ends(start(call_nothing), 0);
}

/* --- off and on --------------------------------------------------------------------------- */

static void nap_short(void)
{
	struct timespec ts = { .tv_nsec = 400000000 };

	syscall(SYS_nanosleep, &ts, NULL);
	syscall(SYS_umask, 022);
}

/* The one began before and ends after; the other one begins while nobody looks. */
static void switch_off(void)
{
	pid_t pid[2];

	new_epoch();
	pid[0] = start(nap_short);
	sleep_ns(100 * NSEC_PER_MSEC);
	must_write(COLLECTORS, "-syscalls");
	pid[1] = start(nap_short);
	sleep_ns(200 * NSEC_PER_MSEC);
	must_write(COLLECTORS, "+syscalls");
	ends(pid[0], 0);
	ends(pid[1], 0);
	sleep_ns(100 * NSEC_PER_MSEC);
	syscalls_read_checked(&b, NULL);
	tasks_read_checked(&tasks, TASKS, NULL);
	ksft_test_result(is_bounded() && syscalls_find(&b, false, SYS_umask),
			 "off and on again while tasks are in calls\n");
}

static void nap_and_burn(void)
{
	uint64_t since = monotonic_ns();

	nap_short();
	shared->longest = monotonic_ns() - since;
	burn_ns(400 * NSEC_PER_MSEC);
}

static void switch_all(char how, const char *const *name)
{
	char text[32];

	for (; *name; name++) {
		snprintf(text, sizeof(text), "%c%s", how, *name);
		must_write(COLLECTORS, text);
	}
}

/* Nobody sees that the call ends: what the task does then is no part of it. */
static void end_unseen(const char *what, const char *const *collectors)
{
	pid_t pid;

	new_epoch();
	pid = start(nap_and_burn);
	sleep_ns(100 * NSEC_PER_MSEC);
	switch_all('-', collectors);
	sleep_ns(500 * NSEC_PER_MSEC);
	switch_all('+', collectors);
	ends(pid, 0);
	syscalls_read_checked(&b, NULL);
	ksft_test_result(is_at_most("nanosleep", SYS_nanosleep, shared->longest),
			 "%s: a call whose end nobody saw does not last\n", what);
}

static void ends_unseen(void)
{
	static const char *const syscalls[] = { "syscalls", NULL }, *const tasks[] = { "tasks", NULL };
	static const char *const sched[] = { "sched", NULL }, *const user[] = { "syscall", "fault", NULL };

	end_unseen("syscalls off", syscalls);
	end_unseen("tasks off", tasks);
	end_unseen("sched off", sched);
	end_unseen("syscall and fault off", user);
}

/* --- what is left -------------------------------------------------------------------------- */

static void vforked(void)
{
#ifdef SYS_vfork
	const int nr = SYS_vfork;
#else
	const int nr = SYS_clone;
#endif

	PART("vfork", vforks, { nr, births / VFORKS }, { SYS_execve, births / VFORKS },
	     { SYS_exit_group, births / VFORKS });
	ksft_test_result(is_at_most("vfork", nr, shared->longest), "nor in the one that waits for it\n");
}

static void give_births(const char *what, unsigned int number)
{
	births = number;
	PART(what, give_birth, { SYS_clone, births + 2 }, { SYS_execve, births / EXECUTES },
	     { SYS_exit_group, births + 2 });
	ksft_test_result(is_at_most("fork", SYS_clone, shared->longest), "a child is not in its parent's call\n");
}

static void check_watched(unsigned int number)
{
	memory_watch();
	give_births("and again", number);
	ksft_test_result(!memory_is_lost() && !tasks_find(&tasks, TASKS_OTHER),
			 "after %u more tasks kmemleak finds nothing\n", births);
}

static void check_available(unsigned int number)
{
	uint64_t before = memory_available_kb(), after;

	give_births("and again", number);
	after = memory_available_kb();
	ksft_test_result(after + 512 > before && !tasks_find(&tasks, TASKS_OTHER),
			 "after %u more tasks: %" PRIu64 " kB available, was %" PRIu64 "\n", births,
			 after, before);
}

/* What the first of them take, those that come later have again. */
static void forks(unsigned int number)
{
	give_births("forked, executed, left", number / 4);
	if (memory_is_watched())
		check_watched(number);
	else
		check_available(number);
}

int main(int argc, char **argv)
{
	static const int64_t numbers[] = {
		SYS_clone, SYS_clone3, SYS_execve, SYS_exit, SYS_exit_group, SYS_rt_sigreturn,
		SYS_getppid, SYS_readv, SYS_nanosleep, SYS_umask, SYS_kill, -1, NO_CALL, X32_CALL,
#ifdef SYS_vfork
		SYS_vfork,
#endif
	};
	unsigned int i, number = is_tcg() ? BIRTHS_TCG : BIRTHS;

	if (argc > 1)
		return 0;
	tasks_require();
	syscalls_require();
	if (memory_is_watched())
		number = BIRTHS_DEBUG;
	/* What the test itself uses is not to come in large pieces. */
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	ksft_print_header();
	ksft_set_plan(5 + 2 + 2 + 4 + 1 + 2 + 1 + 1 + 4);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED || pipe(empty))
		ksft_exit_fail_msg("no memory\n");
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		entries_open(numbers[i]);

	forks(number);
	vforked();
	PART("threads", threads, { BY_PTHREAD, SOME }, { SYS_exit, THREADS }, { SYS_getppid, THREADS });
	PART("signals", signals, { SYS_rt_sigreturn, SIGNALS }, { SYS_readv, SOME }, { SYS_nanosleep, SOME },
	     { SYS_getppid, SOME });

	PART("a thread executes another program", executes, { SYS_execve, CROWDS }, { SYS_readv, CROWDS },
	     { SYS_nanosleep, CROWDS }, { SYS_getppid, SOME }, { SYS_exit_group, CROWDS });
	PART("a process ends while its threads are in calls", leaves, { SYS_exit_group, CROWDS },
	     { SYS_readv, CROWDS }, { SYS_nanosleep, CROWDS }, { SYS_getppid, SOME });
	PART("a first thread ends before the others", first_leaves, { SYS_exit_group, CROWDS },
	     { SYS_exit, CROWDS }, { SYS_readv, CROWDS }, { SYS_nanosleep, CROWDS }, { SYS_getppid, SOME });
	PART("killed in a call that sleeps", kills, { SYS_readv, KILLED });

	PART("a tracer skips calls", trace, { SYS_getppid, CALLS / 2 - 1 }, { SYSCALLS_OTHER, CALLS / 2 });
	if (has_seccomp()) {
		PART("filters refuse calls", filters, { SYS_umask, CALLS }, { SYS_exit_group, 1 });
		ksft_test_result(none_of(SYS_getppid), "a call that a filter refuses is none\n");
	} else {
		ksft_test_result_skip("a kernel without seccomp\n");
		ksft_test_result_skip("a kernel without seccomp\n");
	}
	PART("numbers that there are not", no_calls, { SYSCALLS_OTHER, 3 * CALLS });
	switch_off();
	ends_unseen();
	ksft_finished();
}
