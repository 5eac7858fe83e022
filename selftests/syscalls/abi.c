// SPDX-License-Identifier: GPL-2.0-only
/*
 * An x86-64 kernel has the calls of 32-bit programs too, with numbers of their own: 3
 * is close here and read there. They are counted apart, whether a 32-bit program makes
 * them, in either of its ways, or int 0x80 of a 64-bit one does.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest.h"

#include "entries.h"
#include "machine.h"
#include "syscalls.h"

#if defined(__x86_64__)

#define CALLS	1000

#define IA32_EXIT	1
#define IA32_EXECVEAT	358

/* As arch/x86/entry/syscalls/syscall_32.tbl has them; 64-bit programs have others at each number. */
static const struct {
	int nr;
	const char *name;
} calls[] = {
	{ 3, "read" }, { 6, "close" }, { 20, "getpid" }, { 49, "geteuid" }, { 60, "umask" },
	{ 64, "getppid" }, { 265, "clock_gettime" },
};

static struct syscalls a, b;

/* --- the two programs ------------------------------------------------------------------- */

/*
 * The text of a 32-bit program: it makes each of the calls so often by int 0x80, and once
 * more so often the way that the kernel recommends (AT_SYSINFO behind the environment), with
 * arguments that are refused or do no harm; then it calls exit(0).
 */
#define STRING(x)	#x
#define TEXT(x)		STRING(x)

asm(".pushsection .rodata\n"
	".code32\n"
	".macro	all_calls enter:vararg\n"
	".irp	nr, 3, 6, 20, 49, 60, 64, 265\n"
	"	mov	$" TEXT(CALLS) ", %esi\n"
	"1:	mov	$\\nr, %eax\n"
	"	mov	$-1, %ebx\n"
	"	xor	%ecx, %ecx\n"
	"	xor	%edx, %edx\n"
	"	\\enter\n"
	"	dec	%esi\n"
	"	jnz	1b\n"
	".endr\n"
	".endm\n"
	"program_begin:\n"
	"	all_calls int $0x80\n"
	"	mov	(%esp), %eax\n"
	"	lea	8(%esp, %eax, 4), %edi\n"
	"1:	mov	(%edi), %eax\n"
	"	add	$4, %edi\n"
	"	test	%eax, %eax\n"
	"	jnz	1b\n"
	"1:	mov	(%edi), %eax\n"
	"	mov	4(%edi), %ecx\n"
	"	add	$8, %edi\n"
	"	cmp	$" TEXT(AT_SYSINFO) ", %eax\n"
	"	jne	1b\n"
	"	mov	%ecx, %edi\n"
	"	all_calls call *%edi\n"
	"	mov	$1, %eax\n"
	"	xor	%ebx, %ebx\n"
	"	int	$0x80\n"
	"program_end:\n"
	".code64\n"
	".popsection\n");

static void run_program(void)
{
	static const uint32_t at = 0x8048000;
	struct {
		Elf32_Ehdr head;
		Elf32_Phdr load;
	} elf = {
		.head = {
			.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB, EV_CURRENT },
			.e_type = ET_EXEC, .e_machine = EM_386, .e_version = EV_CURRENT,
			.e_entry = at + sizeof(elf), .e_phoff = sizeof(elf.head),
			.e_ehsize = sizeof(elf.head), .e_phentsize = sizeof(elf.load), .e_phnum = 1,
		},
		.load = {
			.p_type = PT_LOAD, .p_vaddr = at, .p_flags = PF_R | PF_X, .p_align = 4096,
		},
	};
	char *const argument[] = { "program", NULL };
	int fd = memfd_create("program", MFD_CLOEXEC);
	const void *text;
	ssize_t length;

	asm("lea	program_begin(%%rip), %0\n"
	    "	mov	$program_end - program_begin, %1" : "=r" (text), "=r" (length));
	elf.load.p_filesz = elf.load.p_memsz = sizeof(elf) + length;
	if (write(fd, &elf, sizeof(elf)) != sizeof(elf) || write(fd, text, length) != length)
		_exit(1);
	syscall(SYS_execveat, fd, "", argument, argument + 1, AT_EMPTY_PATH);
	_exit(errno == ENOEXEC ? 77 : 1);
}

static void call_int80(void)
{
	unsigned int i, turn;
	long result;

	for (i = 0; i < ARRAY_SIZE(calls); i++)
		for (turn = 0; turn < CALLS; turn++)
			asm volatile("int $0x80" : "=a" (result) : "a" (calls[i].nr), "b" (-1), "c" (0), "d" (0)
				     : "r8", "r9", "r10", "r11", "memory");
	_exit(0);
}

/* --- what comes of them ------------------------------------------------------------------ */

/* Between two reads. */
static void run(void (*program)(void))
{
	int status;
	pid_t pid;

	syscalls_reset();
	entries_begin(&a);
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		program();
	waitpid(pid, &status, 0);
	/* A parent may know of the end before the CPU has left the task for the last time. */
	sleep_ns(100 * NSEC_PER_MSEC);
	entries_end(&b, &a);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		ksft_exit_skip("a kernel without 32-bit programs\n");
	if (status)
		ksft_exit_fail_msg("the program ended with %#x\n", status);
}

static bool is_compat(int nr, const char *name, uint64_t count)
{
	const struct syscalls_row *row = syscalls_find(&b, true, nr);
	const char *error = syscalls_check_hist(&b, true, nr);

	if (row && row->count == count && !strcmp(row->name, name) && !error)
		return true;
	ksft_print_msg("compat %d should be %s, %" PRIu64 " times: %s\n", nr, name, count, error ?: "");
	if (row)
		syscalls_print_row(row);
	return false;
}

static void check(const char *what, uint64_t count)
{
	unsigned int i, right = 0, apart = 0;

	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		struct syscalls_delta native = syscalls_delta(&a, &b, false, calls[i].nr);
		struct entries_span both = entries_span(calls[i].nr);

		right += is_compat(calls[i].nr, calls[i].name, count);
		if (native.count + count >= both.least && native.count + count <= both.most)
			apart++;
		else
			ksft_print_msg("native %d: %" PRIu64 ", with compat %" PRIu64 " to %" PRIu64 "\n",
				       calls[i].nr, native.count, both.least, both.most);
	}
	ksft_test_result(right == i, "%s: %u of %u calls are counted as compat\n", what, right, i);
	ksft_test_result(apart == i, "%s: %u of %u native calls of these numbers are as many as they were\n",
			 what, apart, i);
}

int main(void)
{
	unsigned int i;

	syscalls_require();
	ksft_print_header();
	ksft_set_plan(2 + 2 + 1);
	for (i = 0; i < ARRAY_SIZE(calls); i++)
		entries_open(calls[i].nr);
	run(call_int80);
	check("int 0x80 of a 64-bit program", CALLS);
	run(run_program);
	check("a 32-bit program", 2 * CALLS);
	/* It becomes a 32-bit one within a native call, and its last one never returns. */
	ksft_test_result(!syscalls_check_hist(&b, false, SYS_execveat) && is_compat(IA32_EXIT, "exit", 1) &&
			 !syscalls_find(&b, true, IA32_EXECVEAT),
			 "execveat ends as what it began as, exit of a 32-bit program ends\n");
	ksft_finished();
}

#else

int main(void)
{
	ksft_exit_skip("int 0x80 and programs of instructions are x86's\n");
}

#endif
