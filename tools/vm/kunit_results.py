#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Counts KUnit's results in a kernel log, with the parser of the kernel's own kunit.py.

usage: kunit_results.py DIR LOG RESULTS     (DIR: the kernel source's tools/testing/kunit)

Prints what the parser prints and appends "pass|fail|skip TAB kunit TAB name TAB reason" to RESULTS.
Fails if there were no results.
"""

import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import kunit_parser  # noqa: E402  (where it is comes from the command line)

Status = kunit_parser.TestStatus
VERDICT = {Status.SUCCESS: "pass", Status.SKIPPED: "skip"}


def cases(test, path=()):
    """Yields (name, test) for each test case; a suite that ended badly by itself counts as one."""
    for sub in test.subtests:
        yield from cases(sub, path + (sub.name,))
    if path and (not test.subtests or (not test.ok_status() and all(s.ok_status() for s in test.subtests))):
        yield ".".join(path), test


def main():
    _, _, log, results = sys.argv
    with open(log, encoding="utf-8", errors="replace") as file:
        lines = [re.sub(r"^\[ *\d+\.\d+\] ", "", line) for line in file.read().splitlines()]
    # Suites in modules come without the frame that those of the kernel itself have.
    frame = ["KTAP version 1", f"1..{lines.count('    KTAP version 1')}"]
    top = kunit_parser.parse_run_tests(frame + lines)
    found = list(cases(top))
    with open(results, "a", encoding="utf-8") as file:
        for name, test in found:
            verdict = VERDICT.get(test.status, "fail")
            if verdict == "pass":
                reason = ""
            elif verdict == "skip":
                # The parser does not keep it.
                said = [re.search(rf"ok \d+ {re.escape(test.name)} # SKIP (.*)", line) for line in lines]
                reason = next((match[1] for match in said if match), "no reason given")
            else:
                reason = "; ".join(l.strip("# ") for l in test.log[-3:]) or test.status.name.lower()
            file.write(f"{verdict}\tkunit\t{name}\t{reason}\n")
    sys.exit(0 if found else 1)


if __name__ == "__main__":
    main()
