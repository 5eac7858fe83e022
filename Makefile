# SPDX-License-Identifier: GPL-2.0-only
# What people type. The kernel's build system reads Kbuild, not this file.
#
#   make                 build for the running kernel
#   make KVER=6.1.0-…    for another installed one; KDIR=… for any build tree
#   make load, unload    on this machine, as root
#   make install         into /lib/modules, with depmod
#   make demo            the main job, in a VM; ARCH=arm64: what a PMU adds to it, in an emulated one
#   make test [T=name]   all tests, in VMs
#   make bench           what the module and its peers cost, in VMs; writes tools/bench/RESULTS.md

KVER ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KVER)/build
CONFIG := $(firstword $(wildcard $(KDIR)/include/config/auto.conf $(KDIR)/.config))

# What the module cannot do without.
NEEDS := CONFIG_MODULES CONFIG_PROC_FS CONFIG_TRACEPOINTS CONFIG_SMP

# Module parameters for `make load`, as in PARAMS="clock=local".
PARAMS ?=

.PHONY: all modules check-kernel load unload install clean demo test bench

all: modules

check-kernel:
	@test -e "$(KDIR)/Makefile" || { \
		echo "No kernel headers in $(KDIR): install linux-headers-$(KVER), or name a build tree with KDIR=." >&2; \
		exit 1; }
	@test -n "$(CONFIG)" || { \
		echo "The kernel in $(KDIR) is not configured: run 'make modules_prepare' there." >&2; exit 1; }
	@for option in $(NEEDS); do grep -q "^$$option=y" "$(CONFIG)" || { \
		echo "The kernel in $(KDIR) lacks $$option: enable it and rebuild that kernel." >&2; exit 1; }; done

modules: check-kernel
	@$(MAKE) --no-print-directory -C "$(KDIR)" M="$(CURDIR)" modules

tools/boundary/boundary: tools/boundary/boundary.c tools/boundary/loop.h
	$(CC) -O2 -Wall -Wextra -D_GNU_SOURCE -o $@ $<

# The boundary depends on the CPU, so it is measured where it is used, unless
# it is given: PARAMS="boundary_ns=250,250".
load: modules tools/boundary/boundary
	insmod module/cpuprecise.ko $(PARAMS)
	$(if $(findstring boundary_ns=,$(PARAMS)),,tools/boundary/boundary --set)

unload:
	rmmod cpuprecise

# Without the kernel's own key (distributions keep theirs), sign by hand: README.
install: modules
	@$(MAKE) --no-print-directory -C "$(KDIR)" M="$(CURDIR)" modules_install \
		$(if $(wildcard $(KDIR)/certs/signing_key.pem),,CONFIG_MODULE_SIG_ALL=)
	depmod $(if $(INSTALL_MOD_PATH),-b "$(INSTALL_MOD_PATH)") \
		"$$(modinfo -F vermagic module/cpuprecise.ko | cut -d' ' -f1)"

clean:
	@test ! -e "$(KDIR)/Makefile" || $(MAKE) --no-print-directory -C "$(KDIR)" M="$(CURDIR)" clean
	@rm -f tools/boundary/boundary
	@$(MAKE) --no-print-directory -C tools/host-tests clean

demo:
	@tools/vm/demo $(if $(filter arm64,$(ARCH)),arm64,x86)

test:
	@T="$(T)" tools/vm/test

bench:
	@tools/bench/bench
