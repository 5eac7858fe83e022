// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host test: random names of events and random lists of them, the same ones in
 * every run.
 *
 * What is a name is told by regular expressions, which share nothing with the
 * parser. Texts end where their memory ends, without a NUL.
 */
#include "bare.h"
#include "draw.h"
#include "ktap.h"
#include "event_vectors.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

#define LONGEST		200
#define LIST		10000

#define COUNTS		"(ref-|bus-)?cycles|instructions|cache-(references|misses)|branch(es|-misses)"
#define STALLS		"stalled-cycles-(frontend|backend)"
#define FAULTS		"(page|minor|major|alignment|emulation)-faults|cpu-migrations"
#define MISSES		"(load|store|prefetch)-misses"
#define CACHES		"(L1-dcache|LLC|dTLB|node)-(loads|stores|prefetches|" MISSES ")"
#define FETCHES		"L1-icache-(loads|prefetches|(load|prefetch)-misses)"
#define READS		"(iTLB|branch)-load(s|-misses)"
#define MODES		"(u|k|uk|ku)"
#define WORD		"[A-Za-z_-][A-Za-z0-9_-]*"
#define TERM		"config[12]?=([0-9]+|0x[0-9A-Fa-f]+)"

enum pattern {
	MODAL, MODELESS, HEX, WORDS, MODE_ONLY, HEX_LONG, TERMS,
	CONFIG, TWICE_0, TWICE_1, TWICE_2,
	PATTERNS,
};

static const char * const patterns[PATTERNS] = {
	[MODAL] = "^(" COUNTS "|" STALLS "|" FAULTS "|" CACHES "|" FETCHES "|" READS ")(:.*)?$",
	[MODELESS] = "^(cpu-clock|task-clock|context-switches)(:.*)?$",
	[HEX] = "^r[0-9A-Fa-f]{1,16}(:.*)?$",
	[HEX_LONG] = "^r[0-9A-Fa-f]{17,}(:.*)?$",
	[WORDS] = "^" WORD "(:" WORD "(:" MODES ")?)?$",
	[MODE_ONLY] = "^" WORD "(:" MODES ")?$",
	[TERMS] = "^[A-Za-z_.-][A-Za-z0-9_.-]*/" TERM "(," TERM ")*/(:?" MODES ")?$",
	[CONFIG] = "[/,]config=",
	[TWICE_0] = "[/,]config=.*,config=",
	[TWICE_1] = "[/,]config1=.*,config1=",
	[TWICE_2] = "[/,]config2=.*,config2=",
};

#include "patterns.h"

static bool too_much(const char *text)
{
	const char *value = text;

	while ((value = strchr(value, '='))) {
		bool hex = !strncmp(++value, "0x", 2);

		errno = 0;
		strtoull(value, NULL, hex ? 16 : 10);
		if (errno == ERANGE)
			return true;
	}
	return false;
}

static int model_pmu(const char *text)
{
	if (!is(TERMS, text) || !is(CONFIG, text) || is(TWICE_0, text) || is(TWICE_1, text) ||
	    is(TWICE_2, text) || too_much(text))
		return -EINVAL;
	return strcspn(text, "/") < CPUPR_EVENT_PART ? 0 : -ENAMETOOLONG;
}

static int model_words(const char *text)
{
	size_t group = strcspn(text, ":"), event;

	if (is(MODELESS, text))
		return text[group] ? -EINVAL : 0;
	if (is(MODAL, text) || is(HEX, text))
		return is(MODE_ONLY, text) ? 0 : -EINVAL;
	if (is(HEX_LONG, text) || !is(WORDS, text))
		return -EINVAL;
	if (is(MODE_ONLY, text))
		return -ENOENT;
	event = strcspn(text + group + 1, ":");
	return group < CPUPR_EVENT_PART && event < CPUPR_EVENT_PART ? 0 : -ENAMETOOLONG;
}

static int model(const char *text, size_t len)
{
	if (len >= CPUPR_EVENT_NAME)
		return -ENAMETOOLONG;
	/* No name has a NUL in it. */
	if (strlen(text) != len)
		return -EINVAL;
	return strchr(text, '/') ? model_pmu(text) : model_words(text);
}

static bool agrees(const char *text, size_t len)
{
	char *copy = bare(text, len), shown[LONGEST];
	struct cpupr_event e;
	int got, want = model(text, len);
	bool ok;

	memset(&e, 0xa5, sizeof(e));
	got = cpupr_event_parse(&e, copy, len);
	free(copy);
	/* Several things may be wrong with a name: which of them is told does not matter. */
	ok = got == want || (got && want && got != -ENOENT && want != -ENOENT);
	if (ok && !got)
		ok = !strcmp(e.name, text) && strlen(e.group) < CPUPR_EVENT_PART &&
		     strlen(e.event) < CPUPR_EVENT_PART && !(e.no_user && e.no_kernel) &&
		     !!e.group[0] == (e.kind != CPUPR_EVENT_PERF) &&
		     !!e.event[0] == (e.kind == CPUPR_EVENT_TRACEPOINT);
	printable(text, strlen(text), shown, sizeof(shown));
	if (!ok)
		ktap_note("%s: %d, should be %d", shown, got, want);
	return ok;
}

static bool random_bytes(void)
{
	char text[LONGEST + 1];
	unsigned int i, n;

	for (i = 0; i < 100000; i++) {
		size_t len = below(LONGEST);

		for (n = 0; n < len; n++)
			text[n] = (char)draw();
		text[len] = '\0';
		if (!agrees(text, len))
			return false;
	}
	return true;
}

/* Names of the table with a few bytes changed, cut off, left out or put in. */
static bool almost_names(void)
{
	static const char likely[] = ":/,=ukrx_-.019afzAFZ\n ";
	unsigned int i, n;

	for (i = 0; i < 300000; i++) {
		const char *name = event_vectors[below(NR(event_vectors))].text;
		size_t len = strlen(name), at;
		char text[2 * LONGEST];

		memcpy(text, name, len);
		for (n = below(4); n && len && len < LONGEST; n--) {
			at = below((unsigned int)len);
			switch (below(4)) {
			case 0:
				text[at] = likely[below(sizeof(likely) - 1)];
				break;
			case 1:
				memmove(text + at + 1, text + at, len++ - at);
				text[at] = likely[below(sizeof(likely) - 1)];
				break;
			case 2:
				memmove(text + at, text + at + 1, --len - at);
				break;
			default:
				len = at;
				break;
			}
		}
		text[len] = '\0';
		if (!agrees(text, len))
			return false;
	}
	return true;
}

/* Names made of pieces that are apt to mean something together. */
static bool pieced_names(void)
{
	static const char * const pieces[] = {
		"cycles", "cpu-clock", "r", "1", "f", "ff00ff00", "sched", "sched_switch", "L1-icache",
		"LLC", "node", "-load", "-store", "-loads", "-prefetches", "-misses", ":", ":u", ":k", "uk",
		"ku", "cpu", "/config=", "config1=", "config2=", "config=", "0x", "/", ",", ".", "_",
		"18446744073709551615", "ffffffffffffffff",
	};
	unsigned int i, n;

	for (i = 0; i < 300000; i++) {
		char text[8 * 32] = "";

		for (n = below(9); n; n--)
			strcat(text, pieces[below(NR(pieces))]);
		if (!agrees(text, strlen(text)))
			return false;
	}
	return true;
}

/* What a PMU's terms are must be what they say, in each order and base. */
static bool terms(void)
{
	unsigned int i, n;

	for (i = 0; i < 100000; i++) {
		u64 want[3], *given[3];
		unsigned int first = below(3);
		char text[CPUPR_EVENT_NAME], *end = text;
		struct cpupr_event e;

		given[0] = &e.config;
		given[1] = &e.config1;
		given[2] = &e.config2;
		end += sprintf(end, "p");
		for (n = 0; n < 3; n++) {
			unsigned int which = (first + n) % 3;

			want[which] = draw() >> below(64);
			end += sprintf(end, "%cconfig%.*s=", n ? ',' : '/', !!which, which == 1 ? "1" : "2");
			end += sprintf(end, below(2) ? "%llu" : "0x%llx", (unsigned long long)want[which]);
		}
		end += sprintf(end, "/");
		if (!agrees(text, strlen(text)) || cpupr_event_parse(&e, text, strlen(text)))
			return false;
		for (n = 0; n < 3; n++)
			if (*given[n] != want[n])
				return false;
	}
	return true;
}

/* The value of a raw event, of each length. */
static bool raws(void)
{
	unsigned int i;

	for (i = 0; i < 100000; i++) {
		u64 want = draw() >> below(64);
		struct cpupr_event e;
		char text[32];

		sprintf(text, below(2) ? "r%llx" : "r%016llX", (unsigned long long)want);
		if (!agrees(text, strlen(text)) || cpupr_event_parse(&e, text, strlen(text)) ||
		    e.type != 4 || e.config != want || e.config1 || e.config2)
			return false;
	}
	return true;
}

static bool separates(char c, bool slashes)
{
	return c == ' ' || c == '\t' || c == '\n' || (c == ',' && !slashes);
}

/* Each byte of a list must be in a name or between names, and names as long as can be. */
static bool list_right(const char *list, size_t len)
{
	const char *at = list, *end = list + len, *name;
	size_t n = len, i;

	while ((name = cpupr_event_next(at, &n))) {
		bool slashes = false;

		for (; at < name; at++)
			if (!separates(*at, false))
				return false;
		if (!n || n > (size_t)(end - name))
			return false;
		for (i = 0; i < n; i++) {
			slashes ^= name[i] == '/';
			if (separates(name[i], slashes))
				return false;
		}
		at = name + n;
		if (at < end && !separates(*at, slashes))
			return false;
		n = (size_t)(end - at);
	}
	for (; at < end; at++)
		if (!separates(*at, false))
			return false;
	return !n;
}

static bool random_lists(void)
{
	static const char likely[] = " \t\n,,//ab:=";
	unsigned int i, n;

	for (i = 0; i < 20000; i++) {
		size_t len = below(LONGEST);
		char *list = malloc(len);
		bool ok;

		for (n = 0; n < len; n++)
			list[n] = below(8) ? likely[below(sizeof(likely) - 1)] : (char)draw();
		ok = list_right(list, len);
		free(list);
		if (!ok)
			return false;
	}
	return true;
}

/* 10,000 bytes of names, each of which must come back. */
static bool long_lists(void)
{
	static const char * const names[] = {
		"cycles", "r1", "sched:sched_switch:k", "cpu/config=1,config1=2,config2=3/u", "a", "L1-dcache-loads",
	};
	static const char * const between[] = { " ", "\n", ",", "\t", ", ", "\n\n", ",,," };
	unsigned int i, n;

	for (i = 0; i < 100; i++) {
		char *list = malloc(LIST);
		const char *want[LIST], *at = list, *name;
		size_t len = 0;
		unsigned int written = 0;
		bool ok = true;

		memset(list, ' ', LIST);
		while (len + 64 < LIST) {
			const char *gap = between[below(NR(between))];

			want[written] = names[below(NR(names))];
			memcpy(list + len, want[written], strlen(want[written]));
			len += strlen(want[written++]);
			memcpy(list + len, gap, strlen(gap));
			len += strlen(gap);
		}
		/* The last one ends with the list. */
		memcpy(list + LIST - 2, "r1", 2);
		want[written++] = "r1";
		for (n = 0; n < written && ok; n++) {
			len = (size_t)(list + LIST - at);
			name = cpupr_event_next(at, &len);
			ok = name && len == strlen(want[n]) && !memcmp(name, want[n], len);
			at = name + len;
		}
		len = 0;
		ok = ok && at == list + LIST && !cpupr_event_next(at, &len);
		free(list);
		if (!ok)
			return false;
	}
	return true;
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "random bytes", random_bytes },
		{ "almost names", almost_names },
		{ "names made of pieces", pieced_names },
		{ "terms of a PMU", terms },
		{ "raw events", raws },
		{ "random lists", random_lists },
		{ "lists of 10,000 bytes", long_lists },
	};

	return patterns_run(tests, NR(tests));
}
