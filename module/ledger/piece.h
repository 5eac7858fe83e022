/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Texts taken apart, byte by byte and never beyond their end: what the parsers
 * of events and of triggers share.
 */
#ifndef CPUPRECISE_PIECE_H
#define CPUPRECISE_PIECE_H

#include <cpuprecise/pure.h>

/* A part of a text: it ends without a NUL. */
struct piece {
	const char *at;
	size_t len;
};

/* The value of a hexadecimal digit; 16 or more if it is none. */
static inline unsigned int digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned int)(c - '0');
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? (unsigned int)(c - 'a') + 10 : 16;
}

static inline bool is_letter(char c)
{
	c |= 0x20;
	return c >= 'a' && c <= 'z';
}

/* Letters, digits, "_", "-" and @also, not beginning with a digit. */
static inline bool is_word(struct piece p, char also)
{
	size_t i;

	if (!p.len || digit(p.at[0]) < 10)
		return false;
	for (i = 0; i < p.len; i++)
		if (!is_letter(p.at[i]) && digit(p.at[i]) >= 10 && p.at[i] != '_' &&
		    p.at[i] != '-' && p.at[i] != also)
			return false;
	return true;
}

static inline bool is_text(struct piece p, const char *text)
{
	return p.len == strlen(text) && !memcmp(p.at, text, p.len);
}

/* Leaves in @p what comes before the first @c, and in @rest what comes after it. */
static inline bool cut(struct piece *p, char c, struct piece *rest)
{
	size_t i;

	for (i = 0; i < p->len; i++) {
		if (p->at[i] != c)
			continue;
		rest->at = p->at + i + 1;
		rest->len = p->len - i - 1;
		p->len = i;
		return true;
	}
	return false;
}

static inline int parse_number(u64 *to, struct piece p, unsigned int base)
{
	u64 number = 0;
	size_t i;

	if (!p.len)
		return -EINVAL;
	for (i = 0; i < p.len; i++)
		if (digit(p.at[i]) >= base || __builtin_mul_overflow(number, base, &number) ||
		    __builtin_add_overflow(number, digit(p.at[i]), &number))
			return -EINVAL;
	*to = number;
	return 0;
}

/* Decimal, or hexadecimal behind 0x. */
static inline int parse_value(u64 *to, struct piece p)
{
	if (p.len > 2 && p.at[0] == '0' && p.at[1] == 'x')
		return parse_number(to, (struct piece){ p.at + 2, p.len - 2 }, 16);
	return parse_number(to, p, 10);
}

#endif
