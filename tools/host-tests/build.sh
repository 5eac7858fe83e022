#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of the build, KTAP on stdout:
#
#   build.sh [--checkpatch SCRIPT] [--out DIR] KDIR...
#
# For each kernel build tree the module is built in a copy of the source, with
# W=1 and C=2 (sparse), and so are the modules of bench and tests: without a word from compiler or checker, for the kernel
# that was asked for, with no symbol that it does not export. DIR gets
# RELEASE/cpuprecise.ko. Where a build cannot be, make says so in one sentence.
# SCRIPT is a kernel tree's scripts/checkpatch.pl.

set -u

top=$(readlink -f "$(dirname "$0")/../..")
checkpatch= out=
while [ $# -gt 0 ]; do
	case $1 in
	--checkpatch) checkpatch=$2; shift 2 ;;
	--out) out=$2; shift 2 ;;
	-*) sed -n 's/^#   //p' "$0" >&2; exit 2 ;;
	*) break ;;
	esac
done

work=$(mktemp -d "${TMPDIR:-/tmp}/cpuprecise-build.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
number=0 failed=0

# result STATUS NAME: a KTAP line; what the test noted in $work/note comes before a failure.
result()
{
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number $2"
	else
		sed 's/^/# /' "$work/note"
		echo "not ok $number $2"
		failed=1
	fi
}
skip() { number=$((number + 1)); echo "ok $number $1 # SKIP $2"; }

copy_tree()
{
	rm -rf "$1"
	mkdir -p "$1"
	tar -C "$top" --exclude=.git --exclude=./build --exclude='*.ko' --exclude='*.o' --exclude='*.mod' \
		--exclude='*.mod.c' --exclude='.*.cmd' --exclude=Module.symvers --exclude=modules.order -cf - . |
		tar -C "$1" -xf -
}

# Are there names for both ABIs, and are most of the native ones those of the C library, at the same
# numbers? Each may know some that the other does not. What differs is noted.
names_agree()
{
	local names=$work/tree/module/syscall_names.h cc=gcc
	grep -q '^CONFIG_ARM64=y' "$1/include/config/auto.conf" && cc=aarch64-linux-gnu-gcc
	[ "$(grep -c '= "read",' "$names")" = 2 ] && ! grep '"syscalls"\|"compat_\|"ia32_' "$names" || return
	sed -n '/native/,/^}/s/.*\[\(.*\)\] = "\(.*\)".*/\1 __NR_\2/p' "$names" |
		$cc -E -P -include sys/syscall.h -x c - |
		awk '$2 ~ /^__NR_/ { unknown++; next } $1 == $2 { same++; next } NF == 2 { print; bad++ }
			END { exit bad || same < 2 * unknown || !same }'
}

# A build that must end with one sentence, which has all the given words.
one_sentence()
{
	local kdir=$1 said word
	shift
	if make --no-print-directory -C "$work/tree" KDIR="$kdir" >"$work/note" 2>&1; then
		echo "make succeeded" >>"$work/note"
		return 1
	fi
	# make's own last word is not ours to choose.
	said=$(grep -v '^make[[:digit:][]*.*\*\*\*' "$work/note")
	[ "$(printf '%s\n' "$said" | wc -l)" = 1 ] || return 1
	for word; do
		case $said in *"$word"*) ;; *) return 1 ;; esac
	done
}

echo "KTAP version 1"
echo "1..$((3 + 5 * $# + 1))"

copy_tree "$work/tree"
one_sentence "$work/nowhere" "$work/nowhere" "linux-headers-"
result $? "no kernel headers: says what to install"

mkdir "$work/kernel"
touch "$work/kernel/Makefile"
one_sentence "$work/kernel" "$work/kernel" "not configured" "modules_prepare"
result $? "a kernel that is not configured: says what to run"

mkdir -p "$work/kernel/include/config"
printf '%s\n' CONFIG_MODULES=y CONFIG_PROC_FS=y CONFIG_SMP=y '# CONFIG_TRACEPOINTS is not set' |
	tee "$work/kernel/.config" >"$work/kernel/include/config/auto.conf"
one_sentence "$work/kernel" "$work/kernel" "CONFIG_TRACEPOINTS" "enable"
result $? "a kernel without an option: says which to enable"

for kdir; do
	kdir=$(readlink -f "$kdir")
	release=$(sed -n 's/^#define UTS_RELEASE "\(.*\)"/\1/p' "$kdir/include/generated/utsrelease.h")
	ko=$work/tree/module/cpuprecise.ko
	copy_tree "$work/tree"
	check=C=2
	command -v sparse >/dev/null || check=

	make -s -j"$(nproc)" -C "$work/tree" KDIR="$kdir" BENCH=1 TESTS=1 W=1 $check >"$work/log" 2>&1
	status=$?
	# What kbuild itself says of a kernel without vmlinux.
	grep -v '^Skipping BTF generation ' "$work/log" >"$work/note"
	[ "$status" = 0 ] && [ -e "$ko" ] && [ ! -s "$work/note" ]
	result $? "$release: builds, W=1 is silent"
	if [ "$check" ]; then
		[ "$status" = 0 ] && ! grep -q 'warning:\|error:' "$work/note"
		result $? "$release: sparse is silent"
	else
		skip "$release: sparse is silent" "sparse is not installed"
	fi

	modinfo -F vermagic "$ko" >"$work/note" 2>&1
	[ "$(cut -d' ' -f1 "$work/note")" = "$release" ]
	result $? "$release: vermagic is that of the kernel asked for"

	# Symbols come from the kernel, nowhere else.
	nm -u "$ko" 2>"$work/note" | awk '{ print $2 }' | sort >"$work/wanted"
	awk '{ print $2 }' "$kdir/Module.symvers" | sort >"$work/exported"
	comm -23 "$work/wanted" "$work/exported" >>"$work/note"
	[ -s "$work/wanted" ] && [ ! -s "$work/note" ]
	result $? "$release: needs no symbol that is not exported"

	names_agree "$kdir" >"$work/note" 2>&1
	result $? "$release: names of system calls agree with the C library's"

	if [ "$out" ]; then
		mkdir -p "$out/$release"
		cp "$ko" "$out/$release/"
	fi
done

if [ "$checkpatch" ]; then
	find "$top/module" "$top/include" "$top/kunit" "$top/tools/bench" "$top/selftests/modules" -name '*.[ch]' ! -name '*.mod.c' | sort |
		xargs perl "$checkpatch" --no-tree --terse --no-summary --show-types -f >"$work/note" 2>&1
	[ ! -s "$work/note" ]
	result $? "checkpatch is silent"
else
	skip "checkpatch is silent" "needs --checkpatch"
fi
exit $failed
