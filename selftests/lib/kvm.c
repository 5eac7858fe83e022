// SPDX-License-Identifier: GPL-2.0-only
/*
 * Guests of KVM: a page of code, no devices.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kselftest.h"

#include "kvm.h"

#define CODE	0x1000

/* What asks KVM for something that it can do. */
int kvm_must(int result, const char *what)
{
	if (result < 0)
		ksft_exit_fail_msg("%s: %s\n", what, strerror(errno));
	return result;
}

#if defined(__x86_64__)

/* Whichever this processor takes, unless it is there. */
bool kvm_load(void)
{
	return !access("/dev/kvm", F_OK) ||
	       ((!system("modprobe kvm_amd 2>/dev/null") || !system("modprobe kvm_intel 2>/dev/null")) &&
		!access("/dev/kvm", F_OK));
}

static bool gone(const char *module)
{
	return !syscall(SYS_delete_module, module, O_NONBLOCK) || errno == ENOENT;
}

/* False if KVM is in use, or no module. */
bool kvm_unload(void)
{
	return gone("kvm_amd") && gone("kvm_intel") && gone("kvm") && access("/dev/kvm", F_OK);
}

/* Loads KVM if need be; ends the test as skipped where there is none. */
int kvm_open(void)
{
	if (!kvm_load())
		ksft_exit_skip("no KVM here\n");
	return kvm_must(open("/dev/kvm", O_RDWR | O_CLOEXEC), "/dev/kvm");
}

/* A guest's only CPU, in real mode, at the beginning of its code. */
int kvm_cpu(int kvm, const void *code, size_t size, int *vm)
{
	struct kvm_regs regs = { .rip = CODE, .rflags = 2 };
	struct kvm_userspace_memory_region slot = { .guest_phys_addr = CODE, .memory_size = 4096 };
	struct kvm_sregs sregs;
	int cpu;
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	memcpy(page, code, size);
	*vm = kvm_must(ioctl(kvm, KVM_CREATE_VM, 0), "KVM_CREATE_VM");
	slot.userspace_addr = (uintptr_t)page;
	kvm_must(ioctl(*vm, KVM_SET_USER_MEMORY_REGION, &slot), "KVM_SET_USER_MEMORY_REGION");
	cpu = kvm_must(ioctl(*vm, KVM_CREATE_VCPU, 0), "KVM_CREATE_VCPU");
	kvm_must(ioctl(cpu, KVM_GET_SREGS, &sregs), "KVM_GET_SREGS");
	sregs.cs.base = 0;
	sregs.cs.selector = 0;
	kvm_must(ioctl(cpu, KVM_SET_SREGS, &sregs), "KVM_SET_SREGS");
	kvm_must(ioctl(cpu, KVM_SET_REGS, &regs), "KVM_SET_REGS");
	return cpu;
}

#else

int kvm_open(void)
{
	ksft_exit_skip("KVM on x86 only\n");
}

#endif
