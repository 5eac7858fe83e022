// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module's triggers and stacks as structures, what writes them, and the rules
 * that hold at every read.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest.h"

#include "machine.h"
#include "parse.h"
#include "stacks.h"
#include "table.h"

#define TRIGGERS_COLUMNS	\
	"# name kind target symbol mode hits missed filtered suppressed dropped delivered state options"
#define STACKS_COLUMNS		"# name count pct time_ns context comm"

void stacks_require(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (geteuid())
		ksft_exit_skip("needs root\n");
	if (access(BOOK_PATH, R_OK))
		ksft_exit_skip("the module is not loaded\n");
	if (access(STACKS_TRIGGERS, W_OK))
		ksft_exit_fail_msg(STACKS_TRIGGERS ": %s\n", strerror(errno));
}

/* How much of a CPU stacks may take. */
void stacks_share(unsigned int percent)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", percent);
	must_write(STACKS_SHARE, text);
}

/* --- triggers -------------------------------------------------------------------------- */

static int put(const char *text, size_t length, int flags)
{
	int fd = open(STACKS_TRIGGERS, O_WRONLY | O_CLOEXEC | flags);
	ssize_t n;
	int err;

	if (fd < 0)
		ksft_exit_fail_msg(STACKS_TRIGGERS ": %s\n", strerror(errno));
	n = length ? write(fd, text, length) : 0;
	err = n < 0 ? errno : 0;
	if (n >= 0 && (size_t)n != length)
		ksft_exit_fail_msg(STACKS_TRIGGERS ": took %zd bytes of %zu\n", n, length);
	if (close(fd) && !err)
		err = errno;
	return err;
}

/* What `>>` does. */
int triggers_put(const char *text, size_t length)
{
	return put(text, length, O_APPEND);
}

/* What `>` does. */
int triggers_replace(const char *text, size_t length)
{
	return put(text, length, O_TRUNC);
}

static int put_line(const char *format, va_list args)
{
	char line[1024];
	int length = vsnprintf(line, sizeof(line) - 1, format, args);

	if (length < 0 || length >= (int)sizeof(line) - 1)
		ksft_exit_fail_msg("a line is too long\n");
	line[length++] = '\n';
	return triggers_put(line, length);
}

/* Adds a line. */
int triggers_try(const char *format, ...)
{
	va_list args;
	int err;

	va_start(args, format);
	err = put_line(format, args);
	va_end(args);
	return err;
}

void triggers_add(const char *format, ...)
{
	va_list args;
	int err;

	va_start(args, format);
	err = put_line(format, args);
	va_end(args);
	if (err)
		ksft_exit_fail_msg("the trigger '%s': %s\n", format, strerror(err));
}

void triggers_clear(void)
{
	int err = triggers_replace("", 0);

	if (err)
		ksft_exit_fail_msg("no removal of all triggers: %s\n", strerror(err));
}

static void copy_word(char *to, size_t size, const char *word)
{
	if (strlen(word) >= size)
		ksft_exit_fail_msg("triggers: '%s' is too long\n", word);
	strcpy(to, word);
}

static void parse_row(struct trigger *row, const char *file, char **word)
{
	enum { NAME, KIND, TARGET, SYMBOL, MODE, FIRST, STATE = FIRST + TRIGGER_FIELDS, OPTIONS };
	int f;

	copy_word(row->name, sizeof(row->name), word[NAME]);
	copy_word(row->kind, sizeof(row->kind), word[KIND]);
	copy_word(row->target, sizeof(row->target), word[TARGET]);
	copy_word(row->symbol, sizeof(row->symbol), word[SYMBOL]);
	copy_word(row->mode, sizeof(row->mode), word[MODE]);
	copy_word(row->state, sizeof(row->state), word[STATE]);
	copy_word(row->options, sizeof(row->options), word[OPTIONS]);
	row->missed_known = strcmp(word[FIRST + TRIGGER_MISSED], "-");
	for (f = 0; f < TRIGGER_FIELDS; f++)
		row->value[f] = f == TRIGGER_MISSED && !row->missed_known ?
			0 : table_count(file, word[FIRST + f]);
}

/* @file: stack/triggers or dump_stack, which have the same columns. */
void triggers_parse(struct triggers *t, const char *file)
{
	char *save, *line = table_read(file, TRIGGERS_COLUMNS, &save), *word[TABLE_WORDS];

	for (t->rows = 0; line; line = strtok_r(NULL, "\n", &save)) {
		if (t->rows == STACKS_MAX_TRIGGERS)
			ksft_exit_fail_msg("%s: more than %u rows\n", file, STACKS_MAX_TRIGGERS);
		table_split(file, line, word, 5 + TRIGGER_FIELDS + 2);
		parse_row(&t->row[t->rows++], file, word);
	}
}

void triggers_read(struct triggers *t)
{
	triggers_parse(t, "stack/triggers");
}

const struct trigger *triggers_find(const struct triggers *t, const char *name)
{
	unsigned int i;

	for (i = 0; i < t->rows; i++)
		if (!strcmp(t->row[i].name, name))
			return &t->row[i];
	return NULL;
}

const struct trigger *triggers_row(const struct triggers *t, const char *name)
{
	const struct trigger *row = triggers_find(t, name);

	if (!row)
		ksft_exit_fail_msg("there is no trigger %s\n", name);
	return row;
}

/* As it is now. */
uint64_t triggers_value(const char *name, enum trigger_field field)
{
	static struct triggers now;

	triggers_read(&now);
	return triggers_row(&now, name)->value[field];
}

bool triggers_state(const char *name, const char *state)
{
	static struct triggers now;

	triggers_read(&now);
	if (!strcmp(triggers_row(&now, name)->state, state))
		return true;
	ksft_print_msg("%s is %s, should be %s\n", name, triggers_row(&now, name)->state, state);
	return false;
}

/* Each hit is in one of four; of a table that was read at rest. */
const char *triggers_check(const struct triggers *t)
{
	unsigned int i;

	for (i = 0; i < t->rows; i++) {
		const uint64_t *v = t->row[i].value;
		uint64_t sum = v[TRIGGER_FILTERED] + v[TRIGGER_SUPPRESSED] + v[TRIGGER_DROPPED] +
			v[TRIGGER_DELIVERED];

		if (sum != v[TRIGGER_HITS])
			return wrong("%s: %" PRIu64 " hits, and %" PRIu64 " filtered + %" PRIu64
				     " suppressed + %" PRIu64 " dropped + %" PRIu64 " delivered",
				     t->row[i].name, v[TRIGGER_HITS], v[TRIGGER_FILTERED],
				     v[TRIGGER_SUPPRESSED], v[TRIGGER_DROPPED], v[TRIGGER_DELIVERED]);
	}
	return NULL;
}

/* --- stacks ------------------------------------------------------------------------------ */

static void parse_head(struct stack_block *b, char *line)
{
	enum { NAME, COUNT, PCT, TIME, CONTEXT, COMM, WORDS };
	char *word[TABLE_WORDS];

	table_split("stack/stacks", line, word, WORDS);
	memset(b, 0, sizeof(*b));
	b->name = word[NAME];
	b->count = table_count("stack/stacks", word[COUNT]);
	if (!parse_percent(word[PCT], &b->pct))
		ksft_exit_fail_msg("stack/stacks: '%s' is no percentage\n", word[PCT]);
	b->has_time = strcmp(word[TIME], "-");
	if (b->has_time)
		b->time = table_count("stack/stacks", word[TIME]);
	b->context = word[CONTEXT];
	b->comm = word[COMM];
}

static void parse_frame(struct stacks *s, struct stack_block *b, const char *line, bool *user)
{
	line += strspn(line, " ");
	if (!strcmp(line, "--- (user stack follows)")) {
		*user = true;
	} else if (!strcmp(line, "...")) {
		*(*user ? &b->user_cut : &b->cut) = true;
	} else {
		if (s->frames == STACKS_MAX_FRAMES)
			ksft_exit_fail_msg("stack/stacks: more than %u frames\n", STACKS_MAX_FRAMES);
		s->frame[s->frames++] = line;
		++*(*user ? &b->user : &b->kernel);
	}
}

void stacks_read(struct stacks *s)
{
	struct stack_block *b = NULL;
	char *save, *line;
	bool user = false;

	s->blocks = s->frames = 0;
	file_read_all(STACKS_STACKS, s->text, sizeof(s->text));
	line = table_rows("stack/stacks", s->text, STACKS_COLUMNS, &save);
	for (; line; line = strtok_r(NULL, "\n", &save)) {
		if (*line == ' ') {
			if (!b)
				ksft_exit_fail_msg("stack/stacks: a frame of no stack: '%s'\n", line);
			parse_frame(s, b, line, &user);
			continue;
		}
		if (s->blocks == STACKS_MAX_BLOCKS)
			ksft_exit_fail_msg("stack/stacks: more than %u stacks\n", STACKS_MAX_BLOCKS);
		b = &s->block[s->blocks++];
		parse_head(b, line);
		b->frame = &s->frame[s->frames];
		user = false;
	}
}

/* How often the stacks of a trigger were met. */
uint64_t stacks_count(const struct stacks *s, const char *name)
{
	uint64_t count = 0;
	unsigned int i;

	for (i = 0; i < s->blocks; i++)
		if (!strcmp(s->block[i].name, name))
			count += s->block[i].count;
	return count;
}

/* Counts add up to what was delivered, are sorted, and have their shares; at rest. */
const char *stacks_check(const struct stacks *s, const struct triggers *t)
{
	unsigned int i;

	for (i = 0; i < t->rows; i++) {
		const struct trigger *row = &t->row[i];

		if (!strcmp(row->mode, "count") &&
		    stacks_count(s, row->name) != row->value[TRIGGER_DELIVERED])
			return wrong("%s: the stacks have %" PRIu64 ", delivered were %" PRIu64, row->name,
				     stacks_count(s, row->name), row->value[TRIGGER_DELIVERED]);
	}
	for (i = 0; i < s->blocks; i++) {
		const struct stack_block *b = &s->block[i], *last = i ? b - 1 : NULL;
		uint64_t all = triggers_row(t, b->name)->value[TRIGGER_DELIVERED];
		unsigned int pct = all ? b->count * 10000 / all : 0;

		if (last && !strcmp(last->name, b->name) && last->count < b->count)
			return wrong("%s: %" PRIu64 " stands before %" PRIu64, b->name, last->count, b->count);
		if (b->pct != pct && b->pct != pct + 1)
			return wrong("%s: %" PRIu64 " of %" PRIu64 " is said to be %u.%02u %%", b->name,
				     b->count, all, b->pct / 100, b->pct % 100);
	}
	return NULL;
}

/* Is a frame in this function, or a variant of it that the compiler made? */
bool frame_names(const char *frame, const char *symbol)
{
	size_t length = strlen(symbol);

	if (!strncmp(frame, "? ", 2))
		frame += 2;
	return !strncmp(frame, symbol, length) && (frame[length] == '+' || frame[length] == '.');
}

/* Is the function among the frames of the kernel? */
bool stack_has(const struct stack_block *b, const char *symbol)
{
	unsigned int i;

	for (i = 0; i < b->kernel; i++)
		if (frame_names(b->frame[i], symbol))
			return true;
	return false;
}

void stack_print(const struct stack_block *b)
{
	unsigned int i;

	ksft_print_msg("%s %" PRIu64 " %s %s\n", b->name, b->count, b->context, b->comm);
	for (i = 0; i < b->kernel + b->user; i++)
		ksft_print_msg("    %s%s\n", i < b->kernel ? "" : "user: ", b->frame[i]);
}

/* --- who does what is watched ------------------------------------------------------------- */

/* On one CPU or (-1) wherever the scheduler likes. It dies with the test. */
void actor_start(struct actor *a, void (*work)(void), int cpu)
{
	int go[2], done[2];
	char byte;

	fflush(stdout);
	if (pipe2(go, O_CLOEXEC) || pipe2(done, O_CLOEXEC))
		ksft_exit_fail_msg("pipe: %s\n", strerror(errno));
	a->pid = fork();
	if (a->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(go[1]);
		if (cpu >= 0)
			pin(cpu);
		while (read(go[0], &byte, 1) == 1) {
			work();
			if (write(done[1], &byte, 1) != 1)
				break;
		}
		_exit(0);
	}
	close(go[0]);
	close(done[1]);
	a->go = go[1];
	a->done = done[0];
	actor_settle();
}

/* Until the last of what it did before it waits is done, too. */
void actor_settle(void)
{
	sleep_ns(50 * NSEC_PER_MSEC);
}

void actor_run(const struct actor *a)
{
	char byte = 0;

	if (write(a->go, &byte, 1) != 1 || read(a->done, &byte, 1) != 1)
		ksft_exit_fail_msg("a child is gone\n");
	actor_settle();
}

void actor_end(struct actor *a)
{
	int status;

	close(a->go);
	close(a->done);
	if (waitpid(a->pid, &status, 0) != a->pid || status)
		ksft_exit_fail_msg("a child ended with %#x\n", status);
}
