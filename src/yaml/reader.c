/* Values out of YAML trees. */
#include "yaml/reader.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/args.h"
#include "base/memory.h"
#include "base/suggest.h"

enum { VALUES_MAX = 4096 };

/* ---- lists of texts --------------------------------------------------------------------------------------- */

void texts_add(struct texts *texts, const char *text)
{
	texts->text = memory_grow(texts->text, texts->count + 1, sizeof *texts->text);
	texts->text[texts->count++] = memory_text(text);
}

bool texts_has(const struct texts *texts, const char *text)
{
	for (size_t i = 0; i < texts->count; i++)
		if (!strcmp(texts->text[i], text))
			return true;
	return false;
}

void texts_free(struct texts *texts)
{
	for (size_t i = 0; i < texts->count; i++)
		free(texts->text[i]);
	free(texts->text);
	*texts = (struct texts){0};
}

/* ---- messages --------------------------------------------------------------------------------------------- */

bool read_fail(const struct reader *r, const struct tree_node *node, const char *wanted)
{
	char clip[CLIP_SIZE];
	const char *found = node->kind == TREE_LIST  ? "a list"
	                    : node->kind == TREE_MAP ? "a group of keys"
	                    : *node->text            ? clip_text(clip, node->text)
	                                             : "nothing";
	return error_at(r->err, r->file, node->line, node->column, "expected %s%s%s, found %s", wanted,
	                node->name ? " for " : "", node->name ? node->name : "", found);
}

bool read_fail_at(const struct reader *r, const struct tree_node *node, const char *fmt, ...)
{
	char text[700];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	return error_at(r->err, r->file, node->line, node->column, "%s", text);
}

static bool fail_word(const struct reader *r, uint64_t line, uint64_t column, const char *word,
                      const char *what, const char *const *known, size_t count)
{
	char clip[CLIP_SIZE];
	struct suggest near = suggest_start(word);
	for (size_t i = 0; i < count; i++)
		suggest_offer(&near, known[i]);
	return error_at(r->err, r->file, line, column, "unknown %s '%s'%s%s%s", what, clip_text(clip, word),
	                near.best ? "; did you mean '" : "", near.best ? near.best : "",
	                near.best ? "'?" : "");
}

bool read_fail_unknown(const struct reader *r, const struct tree_node *node, const char *what,
                       const char *const *known, size_t count)
{
	return fail_word(r, node->line, node->column, node->text, what, known, count);
}

bool read_choice(const struct reader *r, const struct tree_node *node, const char *const *known, size_t count,
                 size_t *choice)
{
	if (node->kind != TREE_SCALAR)
		return read_fail(r, node, "a word");
	for (*choice = 0; *choice < count; ++*choice)
		if (!strcmp(node->text, known[*choice]))
			return true;
	return read_fail_unknown(r, node, node->name, known, count);
}

bool read_fail_twice(const struct reader *r, const struct tree_node *map, const struct tree_node *node)
{
	char clip[CLIP_SIZE];
	return error_at(r->err, r->file, node->name_line, node->name_column,
	                "'%s' is given twice; first on line %" PRIu64, clip_text(clip, node->name),
	                tree_find(map, node->name)->name_line);
}

bool read_keys(const struct reader *r, const struct tree_node *map, const char *what,
               const char *const *known)
{
	size_t count = 0;
	if (map->kind != TREE_MAP)
		return read_fail(r, map, "a group of keys");
	while (known[count])
		count++;
	for (const struct tree_node *node = map->first; node; node = node->next) {
		size_t i = 0;
		while (i < count && strcmp(known[i], node->name))
			i++;
		if (i == count)
			return fail_word(r, node->name_line, node->name_column, node->name, what, known,
			                 count);
		if (tree_find(map, node->name) != node)
			return read_fail_twice(r, map, node);
	}
	return true;
}

/* ---- values ----------------------------------------------------------------------------------------------- */

bool read_text(const struct reader *r, const struct tree_node *node, char **text)
{
	bool ok = node->kind == TREE_SCALAR && *node->text;
	for (const char *at = ok ? node->text : ""; *at; at++)
		ok = ok && (unsigned char)*at >= 0x20 && *at != 0x7f;
	if (!ok)
		return read_fail(r, node, "one line of text");
	free(*text);
	*text = memory_text(node->text);
	return true;
}

bool read_text_key(const struct reader *r, const struct tree_node *map, const char *key, bool required,
                   char **text)
{
	const struct tree_node *node = tree_find(map, key);
	if (node)
		return read_text(r, node, text);
	return !required || read_fail_at(r, map, "the key '%s' is missing", key);
}

bool read_number(const struct reader *r, const struct tree_node *node, double *number)
{
	char *end = NULL;
	bool ok = node->kind == TREE_SCALAR && *node->text && strchr("+-.0123456789", node->text[0]);
	*number = ok ? strtod(node->text, &end) : NAN;
	return (ok && end != node->text && !*end && isfinite(*number)) || read_fail(r, node, "a number");
}

bool read_count(const struct reader *r, const struct tree_node *node, uint64_t *count)
{
	struct error ignored;
	return (node->kind == TREE_SCALAR && *node->text &&
	        args_read_number("", node->text, 1, INT64_MAX, count, &ignored)) ||
	       read_fail(r, node, "a number such as 500K or 20M");
}

bool read_yes_no(const struct reader *r, const struct tree_node *node, bool *value)
{
	if (node->kind != TREE_SCALAR || (strcmp(node->text, "yes") && strcmp(node->text, "no")))
		return read_fail(r, node, "yes or no");
	*value = !strcmp(node->text, "yes");
	return true;
}

bool read_texts(const struct reader *r, const struct tree_node *node, struct texts *texts)
{
	if (node->kind == TREE_MAP)
		return read_fail(r, node, "a list");
	const struct tree_node *item = node->kind == TREE_LIST ? node->first : node;
	while (item) {
		char *text = NULL;
		if (!read_text(r, item, &text))
			return false;
		texts_add(texts, text);
		free(text);
		item = node->kind == TREE_LIST ? item->next : NULL;
	}
	return true;
}

/* "FROM..TO" and "FROM..TO xFACTOR" */
static bool read_range(const struct reader *r, const struct tree_node *node, struct texts *values)
{
	long from, to, factor = 0;
	char rest[8] = "", number[32];
	int n = sscanf(node->text, "%ld..%ld x%ld%7s", &from, &to, &factor, rest);
	if (n == 2)
		n = sscanf(node->text, "%ld..%ld%7s", &from, &to, rest);
	if ((n != 2 && n != 3) || *rest || from < 0 || to < from || (n == 3 && (factor < 2 || from < 1)))
		return read_fail(r, node, "a list, a range such as 1..24, or 1..64 x2");
	bool more = true;
	for (long v = from; more && v <= to;
	     more = n == 3 ? !__builtin_mul_overflow(v, factor, &v) : !__builtin_add_overflow(v, 1, &v)) {
		if (values->count == VALUES_MAX)
			return read_fail_at(r, node, "more than %d values", VALUES_MAX);
		snprintf(number, sizeof number, "%ld", v);
		texts_add(values, number);
	}
	return true;
}

bool read_values(const struct reader *r, const struct tree_node *node, struct texts *values)
{
	if (node->kind == TREE_SCALAR)
		return strstr(node->text, "..") ? read_range(r, node, values) : read_texts(r, node, values);
	if (!read_texts(r, node, values))
		return false;
	for (size_t i = 0; i < values->count; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(values->text[i], values->text[k]))
				return read_fail_at(r, node, "%s is listed twice", values->text[i]);
	return values->count || read_fail_at(r, node, "a list without values");
}

bool read_changes(const struct reader *r, const struct tree_node *node, struct texts *changes)
{
	char change[256];
	if (node->kind != TREE_MAP)
		return read_fail(r, node, "{section.key: value}");
	for (const struct tree_node *key = node->first; key; key = key->next) {
		if (key->kind != TREE_SCALAR)
			return read_fail(r, key, "a value");
		if (snprintf(change, sizeof change, "%s=%s", key->name, key->text) >= (int)sizeof change)
			return read_fail(r, key, "a short value");
		texts_add(changes, change);
	}
	return true;
}

bool read_is_name(const char *text)
{
	if (!isalpha((unsigned char)*text))
		return false;
	while (isalnum((unsigned char)*text) || *text == '_')
		text++;
	return !*text;
}
