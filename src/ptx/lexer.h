/* Tokens of PTX text. Numbers have their values; lines and columns count from 1, columns in bytes. */
#ifndef SLUICE_PTX_LEXER_H
#define SLUICE_PTX_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum token_kind {
	TOKEN_END,
	TOKEN_NAME,        /* foo, %r1, $L__BB0_1, %tid.x, _ */
	TOKEN_WORD,        /* .reg, .b32, .shared::cta */
	TOKEN_INTEGER,     /* value */
	TOKEN_SINGLE,      /* 0f3F800000: value has the bits */
	TOKEN_DOUBLE,      /* 0d..., 1.5: value has the bits */
	TOKEN_STRING,      /* text without the quotes */
	TOKEN_PUNCTUATION, /* one character */
	TOKEN_BAD          /* text is the place; the lexer's `problem` says what is wrong */
};

struct token {
	enum token_kind kind;
	uint32_t length;
	const char *text; /* in the source */
	uint32_t line, column;
	uint64_t value;
};

struct lexer {
	const char *at, *end, *line_start;
	uint32_t line;
	const char *problem, *wanted; /* of a bad token; wanted may be NULL */
};

/* A NUL byte ends the text. */
void lexer_start(struct lexer *lexer, const char *text, size_t bytes);
struct token lexer_next(struct lexer *lexer);
/* Extend a name by the .words that follow without a gap, as in ld.global.f32. */
void lexer_extend(struct lexer *lexer, struct token *name);

static inline bool token_is(const struct token *t, char punctuation)
{
	return t->kind == TOKEN_PUNCTUATION && *t->text == punctuation;
}

#endif
