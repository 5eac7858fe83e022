// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: random triggers, texts of them and stacks that come, the same ones
 * in every run.
 *
 * What is a trigger is told by regular expressions, which share nothing with
 * the parser; what it says by whoever wrote it. Lines end where their memory
 * ends, without a NUL.
 */
#include "bare.h"
#include "draw.h"
#include "trigger_vectors.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

#define LONGEST		700
#define FIELDS		20
#define SECOND		1000000000ULL

#define NUMBER		"([0-9]+|0x[0-9A-Fa-f]+)"
#define NAME		"[A-Za-z_][A-Za-z0-9_]{0,62}"
#define SYMBOL		"[A-Za-z0-9_.$]{1,255}"
#define ADDRESS		"0x[0-9A-Fa-f]+"
#define WORD		"[A-Za-z0-9_-]{1,63}"
#define PRINTS		"[^\x01-\x1f\x7f]"

enum pattern {
	HEAD, HEAD_MAX, PLACE, PLACE_0X, PLACE_OFFSET, EVENT_NAME, PROGRAM, LENGTH, ACCESS,
	OPTION_NAME, MODE, COMM, OCTAL_BAD, A_NUMBER,
	PATTERNS,
};

static const char * const patterns[PATTERNS] = {
	[HEAD] = "^([prtewu]|r" NUMBER ")(:" NAME ")?$",
	[HEAD_MAX] = "^r[0-9]",
	[PLACE] = "^(" ADDRESS "|" SYMBOL "(\\+" NUMBER ")?)$",
	[PLACE_0X] = "^0x",
	[PLACE_OFFSET] = "^[^+]*\\+",
	[EVENT_NAME] = "^" WORD ":" WORD "$",
	[PROGRAM] = "^/(" PRINTS "{0,253}[^/\x01-\x1f\x7f]):" NUMBER "$",
	[LENGTH] = "^(0*[1248]|0x0*[1248])$",
	[ACCESS] = "^(r|w|x|rw)$",
	[OPTION_NAME] = "^(mode|comm|limit|rate|pid|cpu|depth|user|period|freq)=",
	[MODE] = "^(count|dump)$",
	[COMM] = "^([^\x01-\x1f\x7f\\]|\\\\[0-3][0-7][0-7]){1,15}$",
	[OCTAL_BAD] = "\\\\000",
	[A_NUMBER] = "^" NUMBER "$",
};

#include "patterns.h"

static void set(char *to, const char *text)
{
	memcpy(to, text, strlen(text) + 1);
}

static bool in_range(const char *text, u64 least, u64 most, u64 *number)
{
	errno = 0;
	*number = strtoull(text, NULL, strncmp(text, "0x", 2) ? 10 : 16);
	return is(A_NUMBER, text) && !errno && *number >= least && *number <= most;
}

static bool model_place(char kind, const char *text)
{
	u64 number;

	if (!is(PLACE, text))
		return false;
	if (is(PLACE_0X, text))
		return in_range(text, 1, ~0ULL, &number);
	return !is(PLACE_OFFSET, text) ||
	       in_range(strchr(text, '+') + 1, 0, kind == 'r' ? 0 : 0x7fffffff, &number);
}

static bool model_target(char kind, const char *text)
{
	struct cpupr_event e;
	u64 number;

	switch (kind) {
	case 't':
		return is(EVENT_NAME, text);
	case 'e':
		return !cpupr_event_parse(&e, text, strlen(text));
	case 'u':
		return is(PROGRAM, text) && in_range(strrchr(text, ':') + 1, 0, ~0ULL >> 1, &number);
	default:
		return model_place(kind, text);
	}
}

/* How often an event may overflow, by its name. */
static u64 model_least(const char *event)
{
	static const char * const thousands[] = {
		"cycles", "cycles:u", "cycles:k", "cycles:uk", "cycles:ku",
		"instructions", "instructions:u", "instructions:k", "instructions:uk", "instructions:ku",
	};
	unsigned int i;

	if (!strcmp(event, "cpu-clock") || !strcmp(event, "task-clock"))
		return 10000;
	for (i = 0; i < NR(thousands); i++)
		if (!strcmp(event, thousands[i]))
			return 1000;
	return 1;
}

static bool model_option(char kind, const char *target, const char *option)
{
	static const struct {
		const char *name;
		u64 least, most;
	} numbers[] = {
		{ "limit=", 1, ~0ULL >> 1 }, { "pid=", 0, 4194304 }, { "cpu=", 0, 8191 },
		{ "depth=", 1, 64 }, { "user=", 0, 1 }, { "period=", 1, ~0ULL },
		{ "freq=", 1, 100000 }, { "rate=", 1, 1000000 },
	};
	const char *value = strchr(option, '=') + 1;
	char without[LONGEST];
	unsigned int i;
	u64 number;

	if (!strncmp(option, "mode=", 5))
		return is(MODE, value);
	if (!strncmp(option, "comm=", 5))
		return is(COMM, value) && !is(OCTAL_BAD, value);
	for (i = 0; strncmp(option, numbers[i].name, strlen(numbers[i].name)); i++)
		;
	set(without, value);
	if (option[0] == 'r' && strlen(value) > 2 && !strcmp(value + strlen(value) - 2, "/s"))
		without[strlen(value) - 2] = '\0';
	if (!in_range(without, numbers[i].least, numbers[i].most, &number))
		return false;
	if ((option[0] == 'f' || !strncmp(option, "period", 6)) && kind != 'e')
		return false;
	if (option[0] == 'u' && kind == 'u' && !number)
		return false;
	return strncmp(option, "period", 6) || number >= model_least(target);
}

static bool model_options(char kind, const char *target, char **field, unsigned int n)
{
	unsigned int i, k, periods = 0;

	for (i = 0; i < n; i++) {
		if (!is(OPTION_NAME, field[i]) || !model_option(kind, target, field[i]))
			return false;
		periods += !strncmp(field[i], "period=", 7) || !strncmp(field[i], "freq=", 5);
		for (k = 0; k < i; k++)
			if (strcspn(field[k], "=") == strcspn(field[i], "=") &&
			    !strncmp(field[k], field[i], strcspn(field[i], "=")))
				return false;
	}
	return periods == (kind == 'e');
}

/* Is it a trigger? */
static bool model(const char *text, size_t len)
{
	char copy[LONGEST], *field[LONGEST], *next = copy;
	unsigned int n = 0, options = 2;
	u64 number;

	if (strlen(text) != len)
		return false;
	set(copy, text);
	while ((field[n] = strtok(next, " \t"))) {
		next = NULL;
		n++;
	}
	if (n < 2 || !is(HEAD, field[0]) || !model_target(field[0][0], field[1]))
		return false;
	if (is(HEAD_MAX, field[0])) {
		char max[LONGEST];

		set(max, field[0] + 1);
		max[strcspn(max, ":")] = '\0';
		if (!in_range(max, 1, 4096, &number))
			return false;
	}
	if (field[0][0] == 'w') {
		options = 4;
		if (n < 4 || !is(LENGTH, field[2]) || !is(ACCESS, field[3]))
			return false;
	}
	return model_options(field[0][0], field[1], field + options, n - options);
}

/* Whatever a line says: nothing is out of bounds, and each text ends. */
static bool within_bounds(const struct cpupr_trigger_spec *s)
{
	size_t i, name = strnlen(s->name, sizeof(s->name));

	for (i = 0; i < name; i++)
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789", s->name[i]))
			return false;
	return name && name < sizeof(s->name) && s->kind < CPUPR_NR_TRIGGER_KINDS &&
	       strnlen(s->target, sizeof(s->target)) < sizeof(s->target) &&
	       !s->target[0] == !!s->address && s->max_active <= CPUPR_TRIGGER_MAX_ACTIVE &&
	       (s->max_active == 0 || s->kind == CPUPR_TRIGGER_KRETPROBE) &&
	       !!s->watch_len == (s->kind == CPUPR_TRIGGER_WATCH) && s->watch_len <= 8 &&
	       !!s->watch == !!s->watch_len && s->watch <= CPUPR_WATCH_EXECUTE &&
	       (!!s->period != !!s->freq) == (s->kind == CPUPR_TRIGGER_EVENT) &&
	       s->limit <= ~0ULL >> 1 && s->rate <= 1000000 && (s->rate || !s->dump) &&
	       s->depth >= 1 && s->depth <= CPUPR_TRIGGER_DEPTH && s->pid >= 0 &&
	       (s->user || s->kind != CPUPR_TRIGGER_UPROBE) && s->pid <= 4194304 &&
	       s->cpu >= 0 && s->cpu <= 8191 &&
	       strnlen(s->comm, sizeof(s->comm)) < sizeof(s->comm);
}

static bool parses(const char *text, size_t len, struct cpupr_trigger_spec *s, const char **why)
{
	char *copy = bare(text, len);
	int got;

	memset(s, 0xa5, sizeof(*s));
	got = cpupr_trigger_parse(s, copy, len, why);
	free(copy);
	if (!got && *why)
		*why = "there is a reason";
	if (got && (!*why || (got != -EINVAL && got != -E2BIG && got != -ENOENT)))
		*why = "the error is none";
	return !got;
}

static bool agrees(const char *text, size_t len)
{
	char shown[LONGEST];
	struct cpupr_trigger_spec s;
	const char *why;
	bool ok = parses(text, len, &s, &why), want = model(text, len);

	if (ok == want && (!ok || within_bounds(&s)))
		return true;
	printable(text, len, shown, sizeof(shown));
	ktap_note("%s: %s, should be %s", shown, ok ? "right" : why, want ? "right" : "wrong");
	return false;
}

static bool random_bytes(void)
{
	static const char heads[] = "prtewu-# ";
	char text[LONGEST + 1];
	unsigned int i, n;

	for (i = 0; i < 100000; i++) {
		size_t len = below(LONGEST);

		for (n = 0; n < len; n++)
			text[n] = (char)draw();
		text[len] = '\0';
		if (len > 2 && chance(512)) {
			text[0] = heads[below(sizeof(heads) - 1)];
			text[1] = ' ';
		}
		if (!agrees(text, len))
			return false;
	}
	return true;
}

/* Lines of the table with a few bytes changed, cut off, left out or put in. */
static bool almost_lines(void)
{
	static const char likely[] = ":/,=+-$.\\_0189xfazAZ \t\n\x7f\x80#";
	unsigned int i, n;

	for (i = 0; i < 150000; i++) {
		const struct trigger_vector *v = &trigger_vectors[below(NR(trigger_vectors))];
		size_t len = v->len, at;
		char text[LONGEST];

		memcpy(text, v->text, len);
		for (n = below(4); n && len; n--) {
			at = below((unsigned int)len);
			switch (below(4)) {
			case 0:
				text[at] = likely[below(sizeof(likely))];
				break;
			case 1:
				memmove(text + at + 1, text + at, len++ - at);
				text[at] = likely[below(sizeof(likely))];
				break;
			case 2:
				memmove(text + at, text + at + 1, --len - at);
				break;
			default:
				len = chance(256) ? at : len;
				break;
			}
		}
		text[len] = '\0';
		if (!agrees(text, len))
			return false;
	}
	return true;
}

static const char *one_of(const char * const *texts, unsigned int n)
{
	return texts[below(n)];
}

/* Lines made of fields that are apt to mean something together, or next to it. */
static bool pieced_lines(void)
{
	static const char * const heads[] = {
		"p", "r", "t", "e", "w", "u", "r4096", "r4097", "p:name", "r1:n", "u:", "w:9", "e:_", "x",
	};
	static const char * const targets[] = {
		"f", "f+1", "f+0x7fffffff", "f+0x80000000", "0x1", "0x0", "0xffffffffffffffff", "s:e", "9p:9p",
		"cycles", "cpu-clock", "page-faults", "nothing", "cpu/config=1/", "/bin/cat:1", "/a:b:0x7",
		"/f:0xffffffffffffffff", "f:1", "a.b$",
	};
	static const char * const watches[] = { "", "1 r", "2 w", "4 rw", "8 x", "3 r", "8", "0x8 rw" };
	static const char * const options[] = {
		"mode=", "limit=", "rate=", "pid=", "comm=", "cpu=", "depth=", "user=", "period=", "freq=", "no=",
	};
	static const char * const values[] = {
		"0", "1", "2", "64", "65", "999", "1000", "9999", "10000", "8191", "8192", "100000", "100001",
		"1000000", "1000001", "4194304", "4194305", "9223372036854775807", "9223372036854775808",
		"18446744073709551615", "18446744073709551616", "0x1", "0x", "count", "dump", "1/s", "10/s", "/s",
		"a", "\\040b", "\\400", "\\000", "123456789abcdef", "123456789abcdef0", "",
	};
	unsigned int i, n, right = 0;

	for (i = 0; i < 300000; i++) {
		struct cpupr_trigger_spec s;
		const char *why;
		char text[LONGEST];
		size_t len;

		len = (size_t)sprintf(text, "%s %s", one_of(heads, NR(heads)), one_of(targets, NR(targets)));
		if (text[0] == 'w' || !below(20))
			len += (size_t)sprintf(text + len, " %s", one_of(watches, NR(watches)));
		for (n = below(4); n; n--)
			len += (size_t)sprintf(text + len, "%s%s%s", below(2) ? " " : "\t ",
					       one_of(options, NR(options)), one_of(values, NR(values)));
		if (!agrees(text, len))
			return false;
		right += parses(text, len, &s, &why);
	}
	/* Or it would have been about wrong ones alone. */
	ktap_note("%u were right", right);
	return right > 5000;
}

static char *write_number(char *end, u64 number)
{
	return end + sprintf(end, below(2) ? "%llu" : "0x%llx", (unsigned long long)number);
}

static char *write_option(char *end, const char *name, u64 number)
{
	end += sprintf(end, " %s=", name);
	return write_number(end, number);
}

/* Writes a place of its own making, and the name that comes of it; returns the end. */
static char *write_place(char *end, struct cpupr_trigger_spec *s)
{
	static const char * const symbols[] = { "vfs_read", "a.isra.0", "_$", "9" };
	bool offset = s->kind != CPUPR_TRIGGER_KRETPROBE && below(2);
	unsigned int i;

	if (!below(3)) {
		s->address = any_bits() | 1;
		sprintf(s->name, "%c_0x%llx", "prtewu"[s->kind], (unsigned long long)s->address);
		return end + sprintf(end, "0x%llx", (unsigned long long)s->address);
	}
	set(s->target, one_of(symbols, NR(symbols)));
	end += sprintf(end, "%s", s->target);
	if (offset) {
		s->offset = any_bits() & 0x7fffffff;
		*end++ = '+';
		end = write_number(end, s->offset);
	}
	i = (unsigned int)sprintf(s->name, "%c_%.20s", "prtewu"[s->kind], s->target);
	if (s->kind != CPUPR_TRIGGER_WATCH || s->offset)
		sprintf(s->name + i, "_%llu", (unsigned long long)s->offset);
	return end;
}

static char *write_target(char *end, struct cpupr_trigger_spec *s)
{
	static const char * const watches[] = { "", "r", "w", "rw", "x" };

	switch (s->kind) {
	case CPUPR_TRIGGER_TRACEPOINT:
		set(s->name, "t_a_b_c");
		set(s->target, "a-b:c");
		set(s->event.group, "a-b");
		set(s->event.event, "c");
		return end + sprintf(end, "a-b:c");
	case CPUPR_TRIGGER_EVENT:
		set(s->name, "e_page_faults");
		set(s->target, "page-faults");
		cpupr_event_parse(&s->event, "page-faults", 11);
		end += sprintf(end, "page-faults");
		if (below(2))
			return write_option(end, "freq", s->freq = 1 + below(100000));
		return write_option(end, "period", s->period = any_bits() | 1);
	case CPUPR_TRIGGER_UPROBE:
		set(s->target, "/a:b/c-d");
		s->offset = any_bits() >> 1;
		s->user = true;
		sprintf(s->name, "u_c_d_0x%llx", (unsigned long long)s->offset);
		return write_number(end + sprintf(end, "/a:b/c-d:"), s->offset);
	case CPUPR_TRIGGER_WATCH:
		end = write_place(end, s);
		s->watch_len = (u8)(1 << below(4));
		s->watch = (u8)(1 + below(4));
		return end + sprintf(end, " %u %s", s->watch_len, watches[s->watch]);
	default:
		return write_place(end, s);
	}
}

/* In random order, each at most once; a dump has a rate and a user's stack of itself. */
static char *write_options(char *end, struct cpupr_trigger_spec *s)
{
	unsigned int i, which, first = below(8), step = 1 + 2 * below(4), options = below(256);

	for (i = 0; i < 8; i++) {
		which = (first + i * step) % 8;
		switch (options >> which & 1 ? which : 8) {
		case 0:
			s->dump = below(2);
			end += sprintf(end, " mode=%s", s->dump ? "dump" : "count");
			break;
		case 1:
			end = write_option(end, "limit", s->limit = (any_bits() >> 1) | 1);
			break;
		case 2:
			end = write_option(end, "rate", s->rate = 1 + below(1000000));
			end += sprintf(end, "%s", below(2) ? "/s" : "");
			break;
		case 3:
			s->has_pid = true;
			end = write_option(end, "pid", (u64)(s->pid = (s32)below(4194305)));
			break;
		case 4:
			s->has_cpu = true;
			end = write_option(end, "cpu", (u64)(s->cpu = (s32)below(8192)));
			break;
		case 5:
			end = write_option(end, "depth", s->depth = 1 + below(64));
			break;
		case 6:
			s->user = s->kind == CPUPR_TRIGGER_UPROBE || below(2);
			end = write_option(end, "user", s->user);
			break;
		case 7:
			set(s->comm, "a b");
			end += sprintf(end, " comm=a\\040b");
			break;
		}
	}
	if (s->dump && !s->rate)
		s->rate = 10;
	if (s->dump && !(options >> 6 & 1))
		s->user = true;
	return end;
}

/* Auto names have no characters but those of names. */
static void clean(char *name)
{
	for (; *name; name++)
		if (strchr(".$-", *name))
			*name = '_';
}

/* What is written must be what is read. */
static bool known_lines(void)
{
	unsigned int i;

	for (i = 0; i < 100000; i++) {
		struct cpupr_trigger_spec want = { .kind = below(CPUPR_NR_TRIGGER_KINDS) }, s;
		char text[LONGEST], *end = text, given[CPUPR_TRIGGER_NAME] = "";
		const char *why, *wrong;

		*end++ = "prtewu"[want.kind];
		if (want.kind == CPUPR_TRIGGER_KRETPROBE && below(2))
			end = write_number(end, want.max_active = 1 + below(4096));
		if (below(2)) {
			sprintf(given, "n%llu", (unsigned long long)draw());
			end += sprintf(end, ":%s", given);
		}
		*end++ = ' ';
		end = write_options(write_target(end, &want), &want);
		clean(want.name);
		if (given[0])
			set(want.name, given);
		wrong = parses(text, (size_t)(end - text), &s, &why) ? trigger_differs(&s, &want) : why;
		if (wrong || !agrees(text, (size_t)(end - text))) {
			ktap_note("%s: %s", text, wrong);
			return false;
		}
	}
	return true;
}

/* Each dump is what its trigger would be; whatever comes, nothing is out of bounds. */
static bool dumps(void)
{
	static const char likely[] = "ab.$_+0x19 \t\n:-=\x80";
	unsigned int i, n, right = 0;

	for (i = 0; i < 100000; i++) {
		char text[32], place[32], *copy, trigger[160];
		struct cpupr_trigger_spec s, want;
		size_t len = below(12);
		const char *why;
		u64 limit = 1;
		int got;

		for (n = 0; n < len; n++)
			text[n] = likely[below(sizeof(likely) - 1)];
		text[len] = '\0';
		if (chance(512))
			len = (size_t)sprintf(text, "f+%u %llu\n", below(20), (unsigned long long)(limit = below(1000002)));
		copy = bare(text, len + 1);
		memset(&s, 0xa5, sizeof(s));
		got = cpupr_trigger_parse_dump(&s, copy, &why);
		free(copy);
		if (got ? got != -EINVAL || !why : why || !within_bounds(&s))
			return false;
		if (got || !s.target[0])
			continue;
		right++;
		if (sscanf(text, " %31s", place) != 1)
			return false;
		sprintf(trigger, "p:%s %s mode=dump limit=%llu", s.name, place, (unsigned long long)s.limit);
		if (!parses(trigger, strlen(trigger), &want, &why) || trigger_differs(&s, &want) ||
		    strncmp(s.name, "dump_", 5) || (text[0] == 'f' && s.limit != limit))
			return false;
	}
	return right > 5000;
}

/* Byte by byte: what comes next, and the number of bytes that it has. */
static const char *model_line(const char *at, const char *end, size_t *len)
{
	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));

		if (!stop)
			stop = end;
		while (at < stop && (*at == ' ' || *at == '\t'))
			at++;
		*len = (size_t)(stop - at);
		if (*len && *at != '#')
			return at;
		at = stop < end ? stop + 1 : end;
	}
	return NULL;
}

static bool texts(void)
{
	static const char likely[] = " \t\n\n##ab\r";
	unsigned int i, n;

	for (i = 0; i < 100000; i++) {
		size_t size = below(60), len, want_len;
		char *text = malloc(size);
		const char *at = text, *end = text + size, *line, *want;

		/* With its NUL, in places. */
		for (n = 0; n < size; n++)
			text[n] = likely[below(sizeof(likely))];
		do {
			want = model_line(at, end, &want_len);
			len = (size_t)(end - at);
			line = cpupr_trigger_line(&at, &len);
			if (line != want || (line && (at != line || len != want_len)))
				break;
			at += len;
		} while (line);
		free(text);
		if (line || want)
			return false;
	}
	return true;
}

/* One clock: so many are taken in each second, and those that come first. */
static bool rates(void)
{
	unsigned int i, n;

	for (i = 0; i < 2000; i++) {
		u64 window = 0, now = draw() >> (1 + below(32)), second = ~0ULL;
		u32 rate = below(8), used = 0;
		bool taken;

		for (n = 0; n < 500; n++) {
			now += draw() % (SECOND >> below(8));
			if (now / SECOND != second)
				used = 0;
			second = now / SECOND;
			window = cpupr_trigger_rate_take(window, now, rate, &taken);
			if (taken != (!rate || used < rate))
				return false;
			used += taken;
		}
	}
	return true;
}

/* Clocks that differ by less than a second: never more than in as many seconds, and one. */
static bool rates_of_cpus(void)
{
	unsigned int i, n;

	for (i = 0; i < 2000; i++) {
		u64 window = 0, now = draw() >> (2 + below(32)), begin = now, most;
		u32 rate = 1 + below(8), all = 0;
		bool taken;

		for (n = 0; n < 500; n++) {
			now += draw() % (SECOND >> 6);
			window = cpupr_trigger_rate_take(window, now + draw() % SECOND, rate, &taken);
			all += taken;
		}
		most = (now + SECOND) / SECOND - begin / SECOND + 1;
		if (all > most * rate || all < (most - 3) * rate)
			return false;
	}
	return true;
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "random bytes", random_bytes },
		{ "almost lines", almost_lines },
		{ "lines made of pieces", pieced_lines },
		{ "lines that say what is known", known_lines },
		{ "dumps", dumps },
		{ "random texts", texts },
		{ "rates", rates },
		{ "rates of CPUs that differ", rates_of_cpus },
	};

	return patterns_run(tests, NR(tests));
}
