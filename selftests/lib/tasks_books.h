/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module's tasks between two reads of /proc/cpuprecise: the same time, cut
 * another way.
 */
#ifndef SELFTEST_TASKS_BOOKS_H
#define SELFTEST_TASKS_BOOKS_H

#include "book.h"
#include "tasks.h"

/* One of them is read again and again; all zero before the first time. */
struct tasks_books {
	struct book before, after;
	struct tasks tasks;
};

void tasks_books_read(struct tasks_books *books, const char *file);
const char *tasks_books_check(const struct tasks_books *now, const struct tasks_books *last);
const char *tasks_books_check_delta(const struct tasks_books *a, const struct tasks_books *b);
const char *tasks_books_follow(struct tasks_books *books, unsigned int reads, const char *file);

#endif
