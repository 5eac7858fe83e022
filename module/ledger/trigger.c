// SPDX-License-Identifier: GPL-2.0-only
/*
 * Triggers as they are written: what each line says. See trigger.h.
 *
 * Pure: also built by KUnit and on the host. The one other header says what
 * the numbers of events are; user space has it too.
 */
#include <linux/perf_event.h>

#include <cpuprecise/trigger.h>

#include "piece.h"

/* A probe's offset has 32 bits in the kernel, a file's 64, each with its sign. */
#define SYMBOL_REACH	0x7fffffffULL
#define FILE_REACH	0x7fffffffffffffffULL

/* What is wrong, for the reader of the log. */
static int refuse(const char **why, const char *what)
{
	*why = what;
	return -EINVAL;
}

static int too_long(const char **why, const char *what)
{
	*why = what;
	return -E2BIG;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* A letter, a digit, or one of @also. */
static bool is_one_of(char c, const char *also)
{
	return is_letter(c) || digit(c) < 10 || (c && strchr(also, c));
}

static bool is_made_of(struct piece p, const char *also)
{
	size_t i;

	for (i = 0; i < p.len; i++)
		if (!is_one_of(p.at[i], also))
			return false;
	return p.len;
}

static bool is_printable(struct piece p)
{
	size_t i;

	for (i = 0; i < p.len; i++)
		if ((unsigned char)p.at[i] < ' ' || p.at[i] == 0x7f)
			return false;
	return true;
}

static bool is_address(struct piece p)
{
	return p.len >= 2 && p.at[0] == '0' && p.at[1] == 'x';
}

/* Takes the first field off @line: empty, if there is none. */
static struct piece next_field(struct piece *line)
{
	struct piece field;

	while (line->len && is_blank(*line->at)) {
		line->at++;
		line->len--;
	}
	field = (struct piece){ line->at, 0 };
	while (line->len && !is_blank(*line->at)) {
		line->at++;
		line->len--;
		field.len++;
	}
	return field;
}

static int parse_between(u64 *to, struct piece p, u64 least, u64 most)
{
	u64 number;

	if (parse_value(&number, p) || number < least || number > most)
		return -EINVAL;
	*to = number;
	return 0;
}

static int parse_name(char name[CPUPR_TRIGGER_NAME], struct piece p, const char **why)
{
	if (!is_made_of(p, "_") || digit(p.at[0]) < 10)
		return refuse(why, "the name is not of letters, digits and _, or begins with a digit");
	if (p.len >= CPUPR_TRIGGER_NAME)
		return too_long(why, "the name is longer than 63 bytes");
	memcpy(name, p.at, p.len);
	name[p.len] = '\0';
	return 0;
}

/* The first field: LETTER[:NAME], r[MAX][:NAME] */
static int parse_head(struct cpupr_trigger_spec *s, struct piece p, const char **why)
{
	static const char letters[CPUPR_NR_TRIGGER_KINDS] = { 'p', 'r', 't', 'e', 'w', 'u' };
	struct piece name;
	bool named = cut(&p, ':', &name);
	unsigned int kind = 0;
	u64 max_active;

	while (p.len && kind < CPUPR_NR_TRIGGER_KINDS && letters[kind] != *p.at)
		kind++;
	if (!p.len || kind == CPUPR_NR_TRIGGER_KINDS)
		return refuse(why, "the kind is none of p, r, t, e, w, u");
	s->kind = (enum cpupr_trigger_kind)kind;
	if (p.len > 1) {
		p = (struct piece){ p.at + 1, p.len - 1 };
		if (kind != CPUPR_TRIGGER_KRETPROBE)
			return refuse(why, "the kind has more behind it than :NAME");
		if (parse_between(&max_active, p, 1, CPUPR_TRIGGER_MAX_ACTIVE))
			return refuse(why, "the kind r has no number, 1 to 4096, behind it");
		s->max_active = (u32)max_active;
	}
	return named ? parse_name(s->name, name, why) : 0;
}

/* @s is zeroed. */
static int copy_target(struct cpupr_trigger_spec *s, struct piece p, const char **why)
{
	if (p.len >= CPUPR_TRIGGER_TARGET)
		return too_long(why, "the target is longer than 255 bytes");
	memcpy(s->target, p.at, p.len);
	return 0;
}

/* SYMBOL[+OFF] or 0xADDR */
static int parse_place(struct cpupr_trigger_spec *s, struct piece p, const char **why)
{
	struct piece offset;

	if (is_address(p)) {
		/* 0 is what tells that there is none. */
		if (parse_between(&s->address, p, 1, ~0ULL))
			return refuse(why, "the address is no hexadecimal number, or is 0");
		return 0;
	}
	if (cut(&p, '+', &offset) && parse_between(&s->offset, offset, 0, SYMBOL_REACH))
		return refuse(why, "the offset is no number, 0 to 2147483647");
	if (!is_made_of(p, "_.$"))
		return refuse(why, "the symbol is missing, or is not of letters, digits, _, . and $");
	return copy_target(s, p, why);
}

static int parse_return(struct cpupr_trigger_spec *s, struct piece p, const char **why)
{
	int err = parse_place(s, p, why);

	if (!err && s->offset)
		return refuse(why, "the offset is not 0: a function returns as a whole");
	return err;
}

static int parse_tracepoint_target(struct cpupr_trigger_spec *s, struct piece p, const char **why)
{
	struct piece group = p, event;

	/* Systems may begin with a digit: 9p has. */
	if (!cut(&group, ':', &event) || !is_made_of(group, "_-") || !is_made_of(event, "_-"))
		return refuse(why, "the tracepoint is no SYSTEM:EVENT");
	if (group.len >= CPUPR_EVENT_PART || event.len >= CPUPR_EVENT_PART)
		return too_long(why, "the tracepoint's system or event is longer than 63 bytes");
	memcpy(s->event.group, group.at, group.len);
	memcpy(s->event.event, event.at, event.len);
	return copy_target(s, p, why);
}

static int parse_event_target(struct cpupr_trigger_spec *s, struct piece p, const char **why)
{
	int err = cpupr_event_parse(&s->event, p.at, p.len);

	switch (err) {
	case 0:
		return copy_target(s, p, why);
	case -ENAMETOOLONG:
		return too_long(why, "the event's name or a part of it is too long");
	case -ENOENT:
		*why = "no event has that name";
		return err;
	default:
		return refuse(why, "the event is missing or malformed");
	}
}

/* PATH:OFFSET: a path may have colons, an offset has none. */
static int parse_program(struct cpupr_trigger_spec *s, struct piece p, const char **why)
{
	size_t colon = p.len;
	struct piece path;

	while (colon && p.at[colon - 1] != ':')
		colon--;
	if (!colon)
		return refuse(why, "the target is no PATH:OFFSET");
	path = (struct piece){ p.at, colon - 1 };
	if (parse_between(&s->offset, (struct piece){ p.at + colon, p.len - colon }, 0, FILE_REACH))
		return refuse(why, "the offset is no number, 0 to 9223372036854775807");
	if (!path.len || path.at[0] != '/' || path.at[path.len - 1] == '/' || !is_printable(path))
		return refuse(why, "the path is not a file's from / on, or does not print");
	return copy_target(s, path, why);
}

/* What to watch for, and in how many bytes. */
static int parse_access(struct cpupr_trigger_spec *s, struct piece len, struct piece access,
			const char **why)
{
	static const char * const watches[] = {
		[CPUPR_WATCH_READ] = "r",
		[CPUPR_WATCH_WRITE] = "w",
		[CPUPR_WATCH_READ | CPUPR_WATCH_WRITE] = "rw",
		[CPUPR_WATCH_EXECUTE] = "x",
	};
	u8 watch;
	u64 bytes;

	if (parse_between(&bytes, len, 1, 8) || bytes & (bytes - 1))
		return refuse(why, "the length is none of 1, 2, 4, 8");
	s->watch_len = (u8)bytes;
	for (watch = CPUPR_WATCH_READ; watch <= CPUPR_WATCH_EXECUTE; watch++)
		if (is_text(access, watches[watch]))
			s->watch = watch;
	return s->watch ? 0 : refuse(why, "the access is none of r, w, x, rw");
}

static int parse_watch(struct cpupr_trigger_spec *s, struct piece target, struct piece *line,
		       const char **why)
{
	int err = parse_place(s, target, why);
	struct piece len = next_field(line), access = next_field(line);

	return err ? err : parse_access(s, len, access, why);
}

/* What a kind needs; leaves options in @line. */
static int parse_target(struct cpupr_trigger_spec *s, struct piece *line, const char **why)
{
	struct piece p = next_field(line);

	switch (s->kind) {
	case CPUPR_TRIGGER_KRETPROBE:
		return parse_return(s, p, why);
	case CPUPR_TRIGGER_TRACEPOINT:
		return parse_tracepoint_target(s, p, why);
	case CPUPR_TRIGGER_EVENT:
		return parse_event_target(s, p, why);
	case CPUPR_TRIGGER_WATCH:
		return parse_watch(s, p, line, why);
	case CPUPR_TRIGGER_UPROBE:
		return parse_program(s, p, why);
	default:
		return parse_place(s, p, why);
	}
}

enum trigger_option {
	OPTION_MODE,
	OPTION_COMM,
	OPTION_LIMIT,
	OPTION_RATE,
	OPTION_PID,
	OPTION_CPU,
	OPTION_DEPTH,
	OPTION_USER,
	OPTION_PERIOD,
	OPTION_FREQ,
	OPTIONS,
};

#define OPTION(text, range, ...)							\
	{ .name = (text), .wrong = text "= is " range, .twice = text "= is given twice", ##__VA_ARGS__ }
#define NUMBER(text, from, to)	OPTION(text, "no number, " #from " to " #to, .least = from##ULL, .most = to##ULL)

static const struct trigger_option_info {
	const char *name;
	u64 least;
	u64 most;
	const char *wrong;
	const char *twice;
} trigger_options[OPTIONS] = {
	[OPTION_MODE] = OPTION("mode", "neither count nor dump"),
	[OPTION_COMM] = OPTION("comm", "no name of 1 to 15 bytes with octal escapes, as \\040"),
	[OPTION_LIMIT] = NUMBER("limit", 1, 9223372036854775807),
	[OPTION_RATE] = NUMBER("rate", 1, 1000000),
	[OPTION_PID] = NUMBER("pid", 0, 4194304),
	[OPTION_CPU] = NUMBER("cpu", 0, 8191),
	[OPTION_DEPTH] = NUMBER("depth", 1, 64),
	[OPTION_USER] = NUMBER("user", 0, 1),
	[OPTION_PERIOD] = NUMBER("period", 1, 18446744073709551615),
	[OPTION_FREQ] = NUMBER("freq", 1, 100000),
};

static bool given(unsigned int options, enum trigger_option o)
{
	return options >> o & 1;
}

static int parse_mode(struct cpupr_trigger_spec *s, struct piece value)
{
	s->dump = is_text(value, "dump");
	return s->dump || is_text(value, "count") ? 0 : -EINVAL;
}

/* Takes the first character off @p, which is not empty; 0 if it is none of a name. */
static char next_char(struct piece *p)
{
	struct piece first = { p->at, 1 };
	u64 number = (unsigned char)*p->at;

	if (*p->at == '\\') {
		first.len = 4;
		if (p->len < 4 || parse_number(&number, (struct piece){ p->at + 1, 3 }, 8) || number > 255)
			return 0;
	} else if (!is_printable(first)) {
		return 0;
	}
	p->at += first.len;
	p->len -= first.len;
	return (char)number;
}

/* @s is zeroed. */
static int parse_comm(struct cpupr_trigger_spec *s, struct piece value)
{
	size_t len;

	for (len = 0; value.len; len++) {
		char c = next_char(&value);

		if (!c || len == CPUPR_TRIGGER_COMM - 1)
			return -EINVAL;
		s->comm[len] = c;
	}
	return len ? 0 : -EINVAL;
}

static void set_number(struct cpupr_trigger_spec *s, enum trigger_option o, u64 number)
{
	switch (o) {
	case OPTION_LIMIT:
		s->limit = number;
		break;
	case OPTION_RATE:
		s->rate = (u32)number;
		break;
	case OPTION_PID:
		s->has_pid = true;
		s->pid = (s32)number;
		break;
	case OPTION_CPU:
		s->has_cpu = true;
		s->cpu = (s32)number;
		break;
	case OPTION_DEPTH:
		s->depth = (u32)number;
		break;
	case OPTION_USER:
		s->user = number;
		break;
	case OPTION_PERIOD:
		s->period = number;
		break;
	default:
		s->freq = number;
		break;
	}
}

static int parse_number_option(struct cpupr_trigger_spec *s, enum trigger_option o,
			       struct piece value)
{
	const struct trigger_option_info *info = &trigger_options[o];
	u64 number;

	if (o == OPTION_RATE && value.len > 2 && !memcmp(value.at + value.len - 2, "/s", 2))
		value.len -= 2;
	if (parse_between(&number, value, info->least, info->most))
		return -EINVAL;
	set_number(s, o, number);
	return 0;
}

/* One of them; which ones were given is in @options. */
static int parse_option(struct cpupr_trigger_spec *s, struct piece name, unsigned int *options,
			const char **why)
{
	struct piece value = { name.at, 0 };
	enum trigger_option o = 0;
	int err;

	cut(&name, '=', &value);
	while (o < OPTIONS && !is_text(name, trigger_options[o].name))
		o++;
	if (o == OPTIONS || (o >= OPTION_PERIOD && s->kind != CPUPR_TRIGGER_EVENT))
		return refuse(why, "what follows is no option of its kind");
	if (given(*options, o))
		return refuse(why, trigger_options[o].twice);
	*options |= 1U << o;
	if (o == OPTION_MODE)
		err = parse_mode(s, value);
	else if (o == OPTION_COMM)
		err = parse_comm(s, value);
	else
		err = parse_number_option(s, o, value);
	return err ? refuse(why, trigger_options[o].wrong) : 0;
}

/*
 * What comes with each nanosecond or cycle is not to come each time: a CPU that
 * does nothing but overflow is locked up.
 */
static u64 least_period(const struct cpupr_event *e)
{
	if (e->kind != CPUPR_EVENT_PERF)
		return 1;
	if (e->type == PERF_TYPE_SOFTWARE &&
	    (e->config == PERF_COUNT_SW_CPU_CLOCK || e->config == PERF_COUNT_SW_TASK_CLOCK))
		return 10000;
	if (e->type == PERF_TYPE_HARDWARE &&
	    (e->config == PERF_COUNT_HW_CPU_CYCLES || e->config == PERF_COUNT_HW_INSTRUCTIONS))
		return 1000;
	return 1;
}

/* What was not given, and what does not go together. */
static int settle(struct cpupr_trigger_spec *s, unsigned int options, const char **why)
{
	bool program = s->kind == CPUPR_TRIGGER_UPROBE;

	if (!given(options, OPTION_DEPTH))
		s->depth = CPUPR_TRIGGER_DEPTH;
	if (!given(options, OPTION_USER))
		s->user = program || s->dump;
	if (s->dump && !given(options, OPTION_RATE))
		s->rate = CPUPR_TRIGGER_DUMP_RATE;
	if (program && !s->user)
		return refuse(why, "user= is 0: a program has no other stack");
	if (s->kind != CPUPR_TRIGGER_EVENT)
		return 0;
	if (given(options, OPTION_PERIOD) == given(options, OPTION_FREQ))
		return refuse(why, "an event takes period= or freq=, one of them");
	if (s->period && s->period < least_period(&s->event))
		return refuse(why, "period= is less than 10000 for a clock, 1000 for cycles and instructions");
	return 0;
}

static void add_text(char name[CPUPR_TRIGGER_NAME], struct piece p)
{
	size_t at = strlen(name), i;

	for (i = 0; i < p.len && at + 1 < CPUPR_TRIGGER_NAME; i++, at++)
		name[at] = is_one_of(p.at[i], "_") ? p.at[i] : '_';
	name[at] = '\0';
}

static void add_number(char name[CPUPR_TRIGGER_NAME], u64 number, unsigned int base)
{
	char digits[20];	/* of any number */
	size_t at = sizeof(digits);
	u64 rest;

	do {
		rest = div64_u64(number, base);
		digits[--at] = "0123456789abcdef"[number - rest * base];
		number = rest;
	} while (number);
	add_text(name, (struct piece){ digits + at, sizeof(digits) - at });
}

static void add_string(char name[CPUPR_TRIGGER_NAME], const char *text)
{
	add_text(name, (struct piece){ text, strlen(text) });
}

/* Nobody gave it one. */
static void make_name(struct cpupr_trigger_spec *s)
{
	static const char * const prefixes[CPUPR_NR_TRIGGER_KINDS] = {
		"p_", "r_", "t_", "e_", "w_", "u_",
	};
	bool probe = s->kind == CPUPR_TRIGGER_KPROBE || s->kind == CPUPR_TRIGGER_KRETPROBE;

	add_string(s->name, prefixes[s->kind]);
	if (s->address) {
		add_string(s->name, "0x");
		add_number(s->name, s->address, 16);
		return;
	}
	if (s->kind == CPUPR_TRIGGER_UPROBE) {
		add_string(s->name, strrchr(s->target, '/') + 1);
		add_string(s->name, "_0x");
		add_number(s->name, s->offset, 16);
		return;
	}
	add_string(s->name, s->target);
	if (probe || s->offset) {
		add_string(s->name, "_");
		add_number(s->name, s->offset, 10);
	}
}

/**
 * cpupr_trigger_parse() - what a line says
 * @spec: filled; of no use if an error is returned
 * @line: the line, without a newline; need not end with a NUL
 * @len: its bytes
 * @why: NULL, or what is wrong with which of its fields: a text for the log
 *
 * Whether there is such a symbol, file, tracepoint, PMU or CPU is not looked
 * at. Paths and the values of comm= may have bytes beyond ASCII, but no control
 * characters; nothing else may have any of them.
 *
 * Return: 0; -EINVAL; -E2BIG if a name or a target is too long; -ENOENT if no
 * event has that name.
 */
int cpupr_trigger_parse(struct cpupr_trigger_spec *spec, const char *line, size_t len,
			const char **why)
{
	struct piece rest = { line, len }, option;
	unsigned int options = 0;
	int err;

	*why = NULL;
	memset(spec, 0, sizeof(*spec));
	err = parse_head(spec, next_field(&rest), why);
	if (!err)
		err = parse_target(spec, &rest, why);
	while (!err && (option = next_field(&rest)).len)
		err = parse_option(spec, option, &options, why);
	if (!err)
		err = settle(spec, options, why);
	if (!err && !spec->name[0])
		make_name(spec);
	return err;
}

/**
 * cpupr_trigger_is_removal() - is a line meant to remove a trigger?
 * @line: the line, as cpupr_trigger_parse() takes it
 * @len: its bytes
 */
bool cpupr_trigger_is_removal(const char *line, size_t len)
{
	struct piece rest = { line, len }, head = next_field(&rest);

	return head.len && head.at[0] == '-';
}

/**
 * cpupr_trigger_parse_removal() - which trigger a line removes: -:NAME
 * @name: its name; of no use if an error is returned
 * @line: the line, as cpupr_trigger_parse() takes it
 * @len: its bytes
 * @why: as there
 *
 * Return: 0; -EINVAL; -E2BIG if the name is too long.
 */
int cpupr_trigger_parse_removal(char name[CPUPR_TRIGGER_NAME], const char *line, size_t len,
				const char **why)
{
	struct piece rest = { line, len }, head = next_field(&rest), what;

	*why = NULL;
	if (!cut(&head, ':', &what) || !is_text(head, "-"))
		return refuse(why, "a removal is no -:NAME");
	if (next_field(&rest).len)
		return refuse(why, "a removal has more than a name");
	return parse_name(name, what, why);
}

/**
 * cpupr_trigger_parse_dump() - a function whose next stacks are to go to the log
 * @spec: filled, as for ``p:dump_FUNCTION FUNCTION mode=dump limit=N``
 * @text: FUNCTION[+OFF] [N], with or without a newline behind it
 * @why: as cpupr_trigger_parse() has it
 *
 * Return: 0; -EINVAL; -E2BIG if the function's name is too long.
 */
int cpupr_trigger_parse_dump(struct cpupr_trigger_spec *spec, const char *text,
			     const char **why)
{
	struct piece rest = { text, strlen(text) }, place, count;
	int err;

	*why = NULL;
	if (rest.len && text[rest.len - 1] == '\n')
		rest.len--;
	place = next_field(&rest);
	count = next_field(&rest);
	memset(spec, 0, sizeof(*spec));
	err = parse_place(spec, place, why);
	if (err)
		return err;
	spec->dump = true;
	spec->limit = 1;
	if (count.len && parse_between(&spec->limit, count, 1, 1000000))
		return refuse(why, "the number of stacks is no number, 1 to 1000000");
	if (next_field(&rest).len)
		return refuse(why, "there is more than a function and a number of stacks");
	add_string(spec->name, "dump_");
	add_text(spec->name, place);
	return settle(spec, 0, why);
}

/**
 * cpupr_trigger_line() - the first line of a text that says something
 * @text: what is left of the text; becomes the line. The text goes on behind it
 * @len: its bytes; becomes those of the line, its newline not counted
 *
 * Blanks before a line are not part of it. Lines that are empty then, or begin
 * with a #, are left out.
 *
 * Return: the line, without a NUL at its end; NULL if there is none.
 */
const char *cpupr_trigger_line(const char **text, size_t *len)
{
	const char *at = *text, *end = at + *len, *line;
	bool comment = false;

	for (; at < end && (comment || is_blank(*at) || *at == '\n' || *at == '#'); at++)
		comment = *at != '\n' && (comment || *at == '#');
	line = at;
	while (at < end && *at != '\n')
		at++;
	*text = line;
	*len = (size_t)(at - line);
	return *len ? line : NULL;
}

/**
 * cpupr_trigger_rate_take() - may one more be taken in this second?
 * @window: what this returned last; 0 before
 * @now_ns: of a clock that may differ between CPUs, by less than a second
 * @rate: so many a second; 0: as many as there are
 * @taken: it may
 *
 * In probes, on any CPU: the caller puts the window back if it is still what it
 * was, and asks again if not. A window is the second it belongs to plus one,
 * and how many were taken in it. Who is a second behind takes from the one that
 * has begun, or two CPUs would begin it over and over.
 *
 * Return: the window from now on.
 */
notrace u64 cpupr_trigger_rate_take(u64 window, u64 now_ns, u32 rate, bool *taken)
{
	u32 second = (u32)div64_u64(now_ns, 1000000000) + 1, begun = (u32)(window >> 32);

	if (second != begun && second + 1 != begun)
		window = (u64)second << 32;
	*taken = !rate || (u32)window < rate;
	return rate && *taken ? window + 1 : window;
}
