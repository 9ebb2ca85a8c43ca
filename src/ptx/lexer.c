#include "ptx/lexer.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_START = 1, NAME_PART = 2, DIGIT = 4, HEX = 8, SPACE = 16, PUNCTUATION = 32 };

#define LETTER (NAME_START | NAME_PART)
static const unsigned char classes[256] = {
    ['0' ... '9'] = NAME_PART | DIGIT | HEX,
    ['a' ... 'f'] = LETTER | HEX,
    ['A' ... 'F'] = LETTER | HEX,
    ['g' ... 'z'] = LETTER,
    ['G' ... 'Z'] = LETTER,
    ['_'] = LETTER,
    ['$'] = LETTER,
    ['%'] = NAME_START,
    ['\t' ... '\r'] = SPACE,
    [' '] = SPACE,
    ['!'] = PUNCTUATION,
    ['('] = PUNCTUATION,
    [')'] = PUNCTUATION,
    ['+' ... '-'] = PUNCTUATION,
    [':' ... '>'] = PUNCTUATION,
    ['@'] = PUNCTUATION,
    ['['] = PUNCTUATION,
    [']'] = PUNCTUATION,
    ['{' ... '}'] = PUNCTUATION,
};

static unsigned lexer_class(char c)
{
	return classes[(unsigned char)c];
}

static bool lexer_is(const struct lexer *l, const char *at, unsigned class)
{
	return at < l->end && lexer_class(*at) & class;
}

void lexer_start(struct lexer *lexer, const char *text, size_t bytes)
{
	const char *nul = memchr(text, 0, bytes);
	*lexer = (struct lexer){.at = text, .end = nul ? nul : text + bytes, .line_start = text, .line = 1};
}

static void lexer_newline(struct lexer *l, const char *newline)
{
	l->line++;
	l->line_start = newline + 1;
}

/* False: a comment does not end. */
static bool lexer_skip_comment(struct lexer *l)
{
	if (l->at[1] == '/') {
		const char *newline = memchr(l->at, '\n', (size_t)(l->end - l->at));
		l->at = newline ? newline : l->end;
		return true;
	}
	struct lexer start = *l;
	for (const char *p = l->at + 2; p + 1 < l->end; p++) {
		if (p[0] == '*' && p[1] == '/') {
			l->at = p + 2;
			return true;
		}
		if (*p == '\n')
			lexer_newline(l, p);
	}
	*l = start; /* the message points at where the comment starts */
	return false;
}

static bool lexer_skip_space(struct lexer *l)
{
	for (;;) {
		while (lexer_is(l, l->at, SPACE)) {
			if (*l->at == '\n')
				lexer_newline(l, l->at);
			l->at++;
		}
		if (l->end - l->at < 2 || l->at[0] != '/' || (l->at[1] != '/' && l->at[1] != '*'))
			return true;
		if (!lexer_skip_comment(l))
			return false;
	}
}

static struct token lexer_token(struct lexer *l, enum token_kind kind, const char *end)
{
	struct token t = {.kind = kind,
	                  .text = l->at,
	                  .length = (uint32_t)(end - l->at),
	                  .line = l->line,
	                  .column = (uint32_t)(l->at - l->line_start) + 1};
	l->at = end;
	return t;
}

static struct token lexer_bad(struct lexer *l, const char *end, const char *problem, const char *wanted)
{
	l->problem = problem;
	l->wanted = wanted;
	return lexer_token(l, TOKEN_BAD, end);
}

/* Return the end of a word behind a dot: letters, digits and "::". */
static const char *lexer_word_end(const struct lexer *l, const char *p)
{
	for (;;) {
		while (lexer_is(l, p, NAME_PART))
			p++;
		if (l->end - p < 3 || p[0] != ':' || p[1] != ':' || !lexer_is(l, p + 2, NAME_PART))
			return p;
		p += 2;
	}
}

void lexer_extend(struct lexer *l, struct token *name)
{
	while (l->at < l->end && *l->at == '.')
		l->at = lexer_word_end(l, l->at + 1);
	name->length = (uint32_t)(l->at - name->text);
}

static struct token lexer_name(struct lexer *l)
{
	const char *p = l->at + 1;
	while (lexer_is(l, p, NAME_PART))
		p++;
	if (*l->at == '%' && p < l->end && *p == '.') /* %tid.x */
		p = lexer_word_end(l, p + 1);
	if (*l->at == '%' && p == l->at + 1)
		return lexer_bad(l, p, "no name after", "the name of a register");
	return lexer_token(l, TOKEN_NAME, p);
}

static unsigned lexer_digit(char c)
{
	return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c | 0x20) - 'a' + 10;
}

/* "0f" or "0d" and all hexadecimal digits of an IEEE number */
static struct token lexer_float_bits(struct lexer *l)
{
	bool single = (l->at[1] | 0x20) == 'f';
	const char *p = l->at + 2;
	uint64_t value = 0;
	while (lexer_is(l, p, HEX) && p - l->at < 18)
		value = value << 4 | lexer_digit(*p++);
	if (p - l->at != (single ? 10 : 18) || lexer_is(l, p, NAME_PART))
		return lexer_bad(l, p, "bad number",
		                 single ? "0f and 8 hexadecimal digits" : "0d and 16 hexadecimal digits");
	struct token t = lexer_token(l, single ? TOKEN_SINGLE : TOKEN_DOUBLE, p);
	t.value = value;
	return t;
}

/* 1.5, 2.0e-3 */
static struct token lexer_decimal_float(struct lexer *l, const char *p)
{
	char text[64];
	while (lexer_is(l, p, DIGIT))
		p++;
	if (p < l->end && *p == '.')
		p++;
	while (lexer_is(l, p, DIGIT))
		p++;
	bool is_complete = true;
	if (p < l->end && (*p == 'e' || *p == 'E')) {
		p++;
		p += p < l->end && (*p == '+' || *p == '-');
		is_complete = lexer_is(l, p, DIGIT);
		while (lexer_is(l, p, DIGIT))
			p++;
	}
	size_t length = (size_t)(p - l->at);
	if (!is_complete || length >= sizeof text || lexer_is(l, p, NAME_PART))
		return lexer_bad(l, p, "bad number", "a decimal fraction of at most 63 characters");
	memcpy(text, l->at, length);
	text[length] = 0;
	double value = strtod(text, NULL);
	struct token t = lexer_token(l, TOKEN_DOUBLE, p);
	memcpy(&t.value, &value, sizeof value);
	return t;
}

static struct token lexer_integer(struct lexer *l, const char *p, unsigned base)
{
	const char *first = p;
	uint64_t value = 0;
	bool overflow = false;
	while (lexer_is(l, p, HEX) && lexer_digit(*p) < base) {
		overflow |= __builtin_mul_overflow(value, (uint64_t)base, &value);
		overflow |= __builtin_add_overflow(value, (uint64_t)lexer_digit(*p++), &value);
	}
	bool empty = p == first;
	if (p < l->end && *p == 'U')
		p++;
	if (empty || lexer_is(l, p, NAME_PART))
		return lexer_bad(l, p, "bad number", "digits of its base");
	if (overflow)
		return lexer_bad(l, p, "number out of range:", "at most 64 bits");
	struct token t = lexer_token(l, TOKEN_INTEGER, p);
	t.value = value;
	return t;
}

static struct token lexer_number(struct lexer *l)
{
	char second = l->end - l->at > 1 ? (char)(l->at[1] | 0x20) : 0;
	if (*l->at == '0') {
		if (second == 'f' || second == 'd')
			return lexer_float_bits(l);
		if (second == 'x')
			return lexer_integer(l, l->at + 2, 16);
		if (second == 'b')
			return lexer_integer(l, l->at + 2, 2);
	}
	const char *p = l->at;
	while (lexer_is(l, p, DIGIT))
		p++;
	if (p < l->end && (*p == '.' || *p == 'e' || *p == 'E'))
		return lexer_decimal_float(l, l->at);
	return *l->at == '0' && p > l->at + 1 ? lexer_integer(l, l->at + 1, 8) : lexer_integer(l, l->at, 10);
}

static struct token lexer_string(struct lexer *l)
{
	const char *p = l->at + 1;
	while (p < l->end && *p != '"' && *p != '\n')
		p += *p == '\\' && p + 1 < l->end && p[1] != '\n' ? 2 : 1;
	if (p >= l->end || *p != '"')
		return lexer_bad(l, p < l->end ? p : l->end, "string without its end",
		                 "'\"' on the same line");
	struct token t = lexer_token(l, TOKEN_STRING, p + 1);
	t.text++;
	t.length -= 2;
	return t;
}

struct token lexer_next(struct lexer *l)
{
	if (!lexer_skip_space(l))
		return lexer_bad(l, l->end, "comment without its end", "'*/'");
	if (l->at == l->end)
		return lexer_token(l, TOKEN_END, l->at);
	unsigned class = lexer_class(*l->at);
	if (class & NAME_START)
		return lexer_name(l);
	if (class & DIGIT)
		return lexer_number(l);
	if (class & PUNCTUATION)
		return lexer_token(l, TOKEN_PUNCTUATION, l->at + 1);
	if (*l->at == '"')
		return lexer_string(l);
	if (*l->at == '.' && lexer_is(l, l->at + 1, NAME_PART))
		return lexer_token(l, TOKEN_WORD, lexer_word_end(l, l->at + 1));
	return lexer_bad(l, l->at + 1, "unexpected character", NULL);
}
