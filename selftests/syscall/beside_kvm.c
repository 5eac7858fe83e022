// SPDX-License-Identifier: GPL-2.0-only
/*
 * KVM has user return notifiers of its own: they give a CPU its host's model
 * specific registers back, before user code can see those of a guest. They share
 * one flag of the task with ours, which our probe moves at each switch. So: a
 * guest with a TSC_AUX of its own, another task that is switched to whenever the
 * guest has run, and no task ever sees the guest's.
 */
#include <inttypes.h>
#include <linux/kvm.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest.h"

#include "book.h"
#include "kvm.h"
#include "load.h"
#include "machine.h"

#if defined(__x86_64__)

#define RUNS		3000
#define MSR_TSC_AUX	0xc0000103
#define GUEST_AUX	0x5a5a

/* Shared with the other task. */
static volatile struct {
	uint64_t looks, foreign;
} *other;

static uint32_t aux(void)
{
	uint32_t low, high, value;

	asm volatile("rdtscp" : "=a" (low), "=d" (high), "=c" (value));
	return value;
}

/* A guest that halts, and halts again whenever it is run. Returns its CPU. */
static int guest(int kvm)
{
	static const unsigned char code[] = { 0xf4, 0xeb, 0xfd };	/* hlt; jmp back */
	struct {
		struct kvm_msrs head;
		struct kvm_msr_entry entry;
	} msrs = { { .nmsrs = 1 }, { .index = MSR_TSC_AUX, .data = GUEST_AUX } };
	int vm, cpu = kvm_cpu(kvm, code, sizeof(code), &vm);

	if (ioctl(cpu, KVM_SET_MSRS, &msrs) != 1)
		ksft_exit_fail_msg("KVM_SET_MSRS: the guest has no TSC_AUX\n");
	return cpu;
}

int main(void)
{
	int kvm, cpu, i;
	uint64_t foreign = 0, halts = 0;
	static struct book before, after;
	struct kvm_run *run;
	const char *error;
	uint32_t ours;
	pid_t pid;

	book_require();
	kvm = kvm_open();
	ksft_print_header();
	ksft_set_plan(3);
	pin(0);
	ours = aux();
	other = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	fflush(stdout);
	pid = fork();
	while (!pid) {
		other->foreign += aux() != ours;
		other->looks++;
		sched_yield();
		other->foreign += aux() != ours;
	}
	cpu = guest(kvm);
	run = mmap(NULL, kvm_must(ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, 0), "KVM_GET_VCPU_MMAP_SIZE"),
		   PROT_READ | PROT_WRITE, MAP_SHARED, cpu, 0);
	book_read(&before);
	for (i = 0; i < RUNS; i++) {
		kvm_must(ioctl(cpu, KVM_RUN, 0), "KVM_RUN");
		foreign += aux() != ours;
		halts += run->exit_reason == KVM_EXIT_HLT;
		sched_yield();
		foreign += aux() != ours;
	}
	book_read(&after);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	error = book_check(&after);
	if (!error)
		error = book_check_after(&before, &after);
	ksft_test_result(halts == RUNS, "the guest ran %d times and halted %" PRIu64 " times\n", RUNS, halts);
	ksft_test_result(!foreign && !other->foreign && other->looks > RUNS / 2,
			 "TSC_AUX: the guest's seen %" PRIu64 " times beside it, %" PRIu64 " of %" PRIu64 " times by another task\n",
			 foreign, other->foreign, other->looks);
	ksft_test_result(!error, "the books are closed: %s\n", error ? error : "yes");
	ksft_finished();
}

#else

int main(void)
{
	ksft_exit_skip("KVM on x86 only\n");
}

#endif
