/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Guests of KVM: a page of code, no devices.
 */
#ifndef SELFTEST_KVM_H
#define SELFTEST_KVM_H

#include <stdbool.h>
#include <stddef.h>

bool kvm_load(void);
bool kvm_unload(void);
int kvm_open(void);
int kvm_must(int result, const char *what);
int kvm_cpu(int kvm, const void *code, size_t size, int *vm);

#endif
