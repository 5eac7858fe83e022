// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module's tasks between two reads of /proc/cpuprecise: the same time, cut
 * another way.
 */
#include <inttypes.h>

#include "machine.h"
#include "parse.h"
#include "tasks_books.h"

/* @file: tasks or processes. */
void tasks_books_read(struct tasks_books *books, const char *file)
{
	book_read(&books->before);
	tasks_read(&books->tasks, file);
	book_read(&books->after);
}

static uint64_t user_of(const struct book *book)
{
	const struct book_row *all = book_cpu(book, BOOK_ALL);

	return all->ns[USER] + all->ns[NICE];
}

static uint64_t system_of(const struct book *book)
{
	return book_cpu(book, BOOK_ALL)->ns[SYSTEM];
}

static const char *between(const char *name, uint64_t least, uint64_t sum, uint64_t most)
{
	if (sum >= least && sum <= most)
		return NULL;
	return wrong("%s: the rows add up to %" PRIu64 ", the CPUs' is %" PRIu64 "..%" PRIu64, name, sum,
		     least, most);
}

/*
 * Each row by itself, what follows a read of the same epoch (@last, or NULL), and the
 * sum: no less than the CPUs had before the read and no more than they had after it.
 */
const char *tasks_books_check(const struct tasks_books *now, const struct tasks_books *last)
{
	const char *error = tasks_check(&now->tasks, last ? &last->tasks : NULL);

	if (!error && (now->before.epoch != now->tasks.epoch || now->after.epoch != now->tasks.epoch))
		error = wrong("epochs %" PRIu64 ", %" PRIu64 ", %" PRIu64, now->before.epoch,
			      now->tasks.epoch, now->after.epoch);
	if (!error)
		error = between("user", user_of(&now->before), tasks_sum(&now->tasks, TASKS_USER),
				user_of(&now->after));
	if (!error)
		error = between("system", system_of(&now->before), tasks_sum(&now->tasks, TASKS_SYSTEM),
				system_of(&now->after));
	return error;
}

static const char *grown(const char *name, uint64_t (*of)(const struct book *), enum tasks_field field,
			 const struct tasks_books *a, const struct tasks_books *b)
{
	return between(name, of(&b->before) - of(&a->after),
		       tasks_sum(&b->tasks, field) - tasks_sum(&a->tasks, field),
		       of(&b->after) - of(&a->before));
}

/* The same of what came between two reads: where tasks were not always followed in this epoch. */
const char *tasks_books_check_delta(const struct tasks_books *a, const struct tasks_books *b)
{
	const char *error = tasks_check(&b->tasks, &a->tasks);

	if (!error)
		error = grown("user", user_of, TASKS_USER, a, b);
	if (!error)
		error = grown("system", system_of, TASKS_SYSTEM, a, b);
	return error;
}

/* Some reads in a row, of which each must be right; @books: room for two. */
const char *tasks_books_follow(struct tasks_books *books, unsigned int reads, const char *file)
{
	const char *error = NULL;
	unsigned int i;

	for (i = 0; i < reads && !error; i++) {
		tasks_books_read(&books[i % 2], file);
		error = tasks_books_check(&books[i % 2], i ? &books[(i + 1) % 2] : NULL);
	}
	return error;
}
