#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs host test programs: their KTAP becomes subtests of one KTAP document.
# A program that dies, hangs or leaves its plan is a failure.

set -u

echo "KTAP version 1"
echo "1..$#"
number=0
failed=0
for program; do
	number=$((number + 1))
	output=$(timeout 120 "$program" 2>&1)
	status=$?
	printf '%s\n' "$output" | sed 's/^/  /'
	if [ "$status" -eq 0 ]; then
		echo "ok $number ${program##*/}"
	else
		echo "not ok $number ${program##*/} # exit status $status"
		failed=1
	fi
done
exit $failed
