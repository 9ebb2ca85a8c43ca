/* What all rules of the grammar need: tokens, messages, growing arrays. */
#include "ptx/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

void parser_advance(struct parser *p)
{
	p->token = lexer_next(&p->lexer);
}

bool parser_fail(struct parser *p, const struct token *at, const char *fmt, ...)
{
	char text[768];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return error_at(p->err, p->module->file, at->line, at->column, "%s", text);
}

const char *parser_show(char buf[SHOW_SIZE], const struct token *t)
{
	if (t->kind == TOKEN_END)
		return strcpy(buf, "end of text");
	const char *quote = t->kind == TOKEN_STRING ? "\"" : "'";
	size_t n = t->length < SHOW_SIZE - 8 ? t->length : SHOW_SIZE - 8;
	snprintf(buf, SHOW_SIZE, "%s%.*s%s%s", quote, (int)n, t->text, n < t->length ? "..." : "", quote);
	for (char *c = buf; *c; c++)
		if ((unsigned char)*c < 0x20 || (unsigned char)*c >= 0x7f)
			*c = '?';
	return buf;
}

bool parser_expected(struct parser *p, const char *what)
{
	char buf[SHOW_SIZE];
	if (p->token.kind == TOKEN_BAD)
		return parser_fail(p, &p->token, "%s %s, expected %s", p->lexer.problem,
		                   parser_show(buf, &p->token), p->lexer.wanted ? p->lexer.wanted : what);
	return parser_fail(p, &p->token, "unexpected %s, expected %s", parser_show(buf, &p->token), what);
}

bool parser_accept(struct parser *p, char punctuation)
{
	if (!token_is(&p->token, punctuation))
		return false;
	parser_advance(p);
	return true;
}

bool parser_expect(struct parser *p, char punctuation, const char *where)
{
	if (parser_accept(p, punctuation))
		return true;
	char what[96];
	snprintf(what, sizeof what, "'%c' %s", punctuation, where);
	return parser_expected(p, what);
}

bool parser_at_word(const struct parser *p, const char *word)
{
	return p->token.kind == TOKEN_WORD && p->token.length == strlen(word) &&
	       !memcmp(p->token.text, word, p->token.length);
}

bool parser_accept_word(struct parser *p, const char *word)
{
	if (!parser_at_word(p, word))
		return false;
	parser_advance(p);
	return true;
}

bool parser_integer(struct parser *p, const char *what, uint64_t max, uint64_t *value)
{
	if (p->token.kind != TOKEN_INTEGER)
		return parser_expected(p, what);
	if (p->token.value > max)
		return parser_fail(p, &p->token, "%s is %llu, expected at most %llu", what,
		                   (unsigned long long)p->token.value, (unsigned long long)max);
	*value = p->token.value;
	parser_advance(p);
	return true;
}

void *parser_reserve(void *array, uint32_t *capacity, uint32_t count, size_t size)
{
	if (count < *capacity)
		return array;
	*capacity = *capacity ? *capacity * 2 : 16;
	return memory_grow(array, *capacity, size);
}
