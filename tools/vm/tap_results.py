#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Counts the results in a stream of KTAP.

Reads KTAP on stdin, prints its result lines with a prefix as they come, and appends
"pass|fail|skip TAB where TAB name TAB reason" to a file. With --expect, the stream has a
"@@ begin NAME" / "@@ end NAME STATUS WHY" frame for each of the tests expected, and one that
skips as a whole is a failure: who expects it has what it needs. Without, it is one test, and
--status says how it ended.
"""

import argparse
import re
import sys

RESULT = re.compile(r"^\s*(not ok|ok)\s+\d+\s*-?\s*(.*)$")
PLAN = re.compile(r"^1\.\.(\d+)(?:\s*#\s*SKIP\s*(.*))?", re.I)
SKIP = re.compile(r"^(.*?)\s*#\s*SKIP\b:?\s*(.*)$", re.I)
KSFT_SKIP = 4


class Test:
    """One program's KTAP: what it announced and what came."""

    def __init__(self, name, emit, expected=False):
        self.name, self.emit, self.expected = name, emit, expected
        self.planned, self.seen, self.failed = None, 0, 0
        self.last_comment = self.skip_all = ""

    def line(self, text):
        plan, result = PLAN.match(text), RESULT.match(text)
        if plan:
            self.planned, self.skip_all = int(plan[1]), plan[2] or ""
        elif result:
            # An indented line is a subtest of one that has its own line at the margin.
            if not text[0].isspace():
                self.seen += 1
            what, skip = result[2], SKIP.match(result[2])
            if result[1] == "not ok":
                self.failed += 1
                self.emit("fail", self.name, what, self.last_comment)
            elif skip:
                self.emit("skip", self.name, skip[1], skip[2] or "no reason given")
            else:
                self.emit("pass", self.name, what, "")
            self.last_comment = ""
        elif text.lstrip().startswith("#"):
            self.last_comment = text.lstrip("# \t")

    def skipped(self):
        reason = self.skip_all or self.last_comment or "no reason given"
        if self.expected:
            self.emit("fail", self.name, "", f"skips as a whole: {reason}")
        else:
            self.emit("skip", self.name, "", reason)

    def end(self, status, why=""):
        if why:
            self.emit("fail", self.name, "", why)
        elif status == KSFT_SKIP and (self.expected or not self.seen):
            self.skipped()
        elif status not in (0, KSFT_SKIP) and not self.failed:
            self.emit("fail", self.name, "", f"exit status {status}; {self.last_comment}".rstrip("; "))
        elif self.planned and self.planned != self.seen:
            self.emit("fail", self.name, "", f"{self.planned} results announced, {self.seen} came")
        elif not self.seen and self.planned == 0:
            self.skipped()
        elif not self.seen:
            self.emit("pass", self.name, "", "")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--where", required=True, help="prefix of each line")
    parser.add_argument("--results", required=True, help="file to append to")
    parser.add_argument("--expect", help="file that names a test a line")
    parser.add_argument("--status", type=int, default=0, help="exit status of the one test")
    args = parser.parse_args()
    results = open(args.results, "a", encoding="utf-8", buffering=1)

    def emit(verdict, test, what, reason):
        name = f"{test}: {what}" if what else test
        reason = reason.replace("\t", " ")
        results.write(f"{verdict}\t{args.where}\t{name}\t{reason}\n")
        word = {"pass": "ok", "fail": "not ok", "skip": "skip"}[verdict]
        print(f"{word:>6}  {args.where}  {name}{'  # ' + reason if reason else ''}", flush=True)

    stream = open(sys.stdin.fileno(), encoding="utf-8", errors="replace", newline="\n", buffering=1)
    if not args.expect:
        test = Test(args.where, lambda v, _t, w, r: emit(v, w or args.where, "", r))
        for text in stream:
            test.line(text.rstrip("\r\n"))
        test.end(args.status)
        return

    with open(args.expect, encoding="utf-8") as file:
        missing = [line.split()[0] for line in file if line.strip()]
    test = None
    for text in stream:
        text = text.rstrip("\r\n")
        frame = re.match(r"@@ (begin|end) (\S+) ?(\d*) ?(.*)", text)
        if frame and frame[1] == "begin":
            test = Test(frame[2], emit, expected=True)
        elif frame and test:
            test.end(int(frame[3]), frame[4])
            missing.remove(test.name)
            test = None
        elif test and text:
            test.line(text)
    for name in missing:
        emit("fail", name, "", "the VM ended before it was done")


if __name__ == "__main__":
    main()
