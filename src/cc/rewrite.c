/*
 * What nvcc takes and clang does not, in the text of a program: spaces in the
 * brackets of a launch, k << < g, b >> > (), and special registers with one
 * percent sign in inline assembly, "mov.u32 %0, %smid;".
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cc/cc.h"

const char *cc_skip_text(const char *at)
{
	if (at[0] == '/' && at[1] == '/')
		return at + strcspn(at, "\n");
	if (at[0] == '/' && at[1] == '*') {
		const char *end = strstr(at + 2, "*/");
		return end ? end + 2 : at + strlen(at);
	}
	if (*at != '"' && *at != '\'')
		return at;
	char quote = *at++;
	while (*at && *at != quote && *at != '\n')
		at += *at == '\\' && at[1] ? 2 : 1;
	return *at == quote ? at + 1 : at;
}

/* The end of three `bracket`s with white space between any two of them; NULL: there are not three. */
static char *three(char *at, char bracket)
{
	for (int found = 1; found < 3; found++) {
		at++;
		at += strspn(at, " \t\r\n");
		if (*at != bracket)
			return NULL;
	}
	return at + 1;
}

/* Brackets to the front (close) or to the back (open) of the stretch; newlines stay in it, so lines do, too. */
static bool close_up(char *begin, char *end, char bracket)
{
	size_t length = (size_t)(end - begin), spaces = length - 3;
	if (!spaces)
		return false;
	char *gap = memory_zeroed(length, 1), *to = gap;
	for (char *c = begin; c < end; c++)
		if (*c != bracket)
			*to++ = *c;
	memcpy(bracket == '<' ? begin : begin + 3, gap, spaces);
	memset(bracket == '<' ? begin + spaces : begin, bracket, 3);
	free(gap);
	return true;
}

/* "> > >" also ends templates: it is one of ours only behind an opening bracket and before an argument list. */
static bool close_launches(char *text)
{
	bool changed = false, is_open = false;
	for (char *at = text; *at;) {
		char *behind = at + (cc_skip_text(at) - at);
		char *end = NULL;
		if (behind == at && (*at == '<' || (*at == '>' && is_open)))
			end = three(at, *at);
		if (end && *at == '>' && end[strspn(end, " \t\r\n")] != '(')
			end = NULL;
		if (end) {
			is_open = *at == '<';
			changed |= close_up(at, end, *at);
		}
		at = end ? end : behind == at ? at + 1 : behind;
	}
	return changed;
}

/* ---- inline assembly ---------------------------------------------------------------------------------------- */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Behind `asm volatile (` that starts here, NULL: no assembly does. */
static const char *skip_asm(const char *at)
{
	static const char *const names[] = {"asm", "__asm__", "__asm", "volatile", "__volatile__"};
	size_t length = 0;
	while (is_word(at[length]))
		length++;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (length == strlen(names[i]) && !strncmp(at, names[i], length)) {
			at += length + strspn(at + length, " \t\r\n\\");
			return *at == '(' ? at + 1 : skip_asm(at);
		}
	return NULL;
}

/*
 * An operand is %0 or %[name], perhaps with one letter before it; a register
 * has a longer name. Copies a literal to *to, the sign doubled before those.
 */
static const char *copy_template(const char *at, const char *end, char **to)
{
	while (at < end) {
		if (*at == '%' && at + 1 < end && at[1] == '%') {
			*(*to)++ = *at++;
		} else if (*at == '%' && end - at > 2 && islower((unsigned char)at[1]) &&
		           islower((unsigned char)at[2])) {
			*(*to)++ = '%';
		}
		*(*to)++ = *at++;
	}
	return at;
}

/* The template ends at the first colon outside a literal, or with the statement. */
static const char *copy_asm(const char *at, char **to)
{
	while (*at && *at != ':' && *at != ')') {
		const char *behind = cc_skip_text(at);
		if (behind == at)
			*(*to)++ = *at++;
		else
			at = copy_template(at, behind, to);
	}
	return at;
}

/* The text with signs doubled, NULL: none had to be. */
static char *double_percents(const char *text)
{
	size_t length = strlen(text);
	char *copy = memory_zeroed(2 * length + 1, 1), *to = copy;
	for (const char *at = text; *at;) {
		const char *behind = cc_skip_text(at);
		const char *body = behind == at && (at == text || !is_word(at[-1])) ? skip_asm(at) : NULL;
		if (!body && behind == at)
			behind = at + 1;
		const char *plain = body ? body : behind;
		memcpy(to, at, (size_t)(plain - at));
		to += plain - at;
		at = body ? copy_asm(body, &to) : behind;
	}
	if ((size_t)(to - copy) > length)
		return copy;
	free(copy);
	return NULL;
}

bool cc_rewrite(char **text)
{
	bool changed = close_launches(*text);
	changed |= cc_rewrite_device_launches(text);
	char *doubled = double_percents(*text);
	if (!doubled)
		return changed;
	free(*text);
	*text = doubled;
	return true;
}
