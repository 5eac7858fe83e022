/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The module's triggers and stacks as structures, what writes them, and the rules
 * that hold at every read.
 *
 * A check answers NULL if the rule holds, else a sentence with the figures. It
 * stays valid until the next check.
 */
#ifndef SELFTEST_STACKS_H
#define SELFTEST_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "book.h"

#define STACKS_TRIGGERS		BOOK_DEBUGFS "stack/triggers"
#define STACKS_STACKS		BOOK_DEBUGFS "stack/stacks"
#define STACKS_FOLDED		BOOK_DEBUGFS "stack/folded"
#define STACKS_DUMP		BOOK_DEBUGFS "dump_stack"
#define STACKS_SHARE		BOOK_PARAMETERS "stack_cpu_pct"

#define STACKS_MAX_TRIGGERS	1024
#define STACKS_MAX_BLOCKS	16384
#define STACKS_MAX_FRAMES	(1 << 18)

enum trigger_field {
	TRIGGER_HITS, TRIGGER_MISSED, TRIGGER_FILTERED, TRIGGER_SUPPRESSED, TRIGGER_DROPPED,
	TRIGGER_DELIVERED, TRIGGER_FIELDS,
};

/* Words are as they stand there. */
struct trigger {
	char name[64], kind[4], target[256], symbol[256], mode[8], state[16], options[256];
	uint64_t value[TRIGGER_FIELDS];	/* 0 where unknown */
	bool missed_known;
};

struct triggers {
	unsigned int rows;
	struct trigger row[STACKS_MAX_TRIGGERS];
};

/* One stack of a trigger: its kernel's frames, and the user's behind them. */
struct stack_block {
	const char *name, *context, *comm;
	uint64_t count, time;
	bool has_time, cut, user_cut;
	unsigned int pct;		/* in hundredths */
	unsigned int kernel, user;
	const char *const *frame;	/* without blanks before it, "? " included */
};

struct stacks {
	unsigned int blocks;
	struct stack_block block[STACKS_MAX_BLOCKS];
	unsigned int frames;
	const char *frame[STACKS_MAX_FRAMES];
	char text[1 << 23];
};

void stacks_require(void);
void stacks_share(unsigned int percent);

/* Each returns 0 or an errno. */
int triggers_put(const char *text, size_t length);
int triggers_replace(const char *text, size_t length);
int triggers_try(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* They end the test if it cannot be done. */
void triggers_add(const char *format, ...) __attribute__((format(printf, 1, 2)));
void triggers_clear(void);

void triggers_parse(struct triggers *t, const char *file);
void triggers_read(struct triggers *t);
const struct trigger *triggers_find(const struct triggers *t, const char *name);
const struct trigger *triggers_row(const struct triggers *t, const char *name);
uint64_t triggers_value(const char *name, enum trigger_field field);
bool triggers_state(const char *name, const char *state);
const char *triggers_check(const struct triggers *t);

void stacks_read(struct stacks *s);
uint64_t stacks_count(const struct stacks *s, const char *name);
const char *stacks_check(const struct stacks *s, const struct triggers *t);
bool frame_names(const char *frame, const char *symbol);
bool stack_has(const struct stack_block *b, const char *symbol);
void stack_print(const struct stack_block *b);

/* A child that does its work when it is told to, and waits else. */
struct actor {
	pid_t pid;
	int go, done;
};

void actor_start(struct actor *a, void (*work)(void), int cpu);
void actor_run(const struct actor *a);
void actor_end(struct actor *a);
void actor_settle(void);

#endif
