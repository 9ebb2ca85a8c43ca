/*
 * Launches inside device code, which clang does not take: in the bodies of
 * __global__ and __device__ functions, kernel<<<grid, block>>> becomes
 * sluice_launch<decltype(kernel), &kernel>(grid, block), which the headers
 * define (sluice/device_launch.h). Lines stay where they are.
 *
 * Left out: kernels named by a pointer, and templates whose arguments would
 * have to be deduced; clang's message names the launch then.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cc/cc.h"

struct output {
	char *text;
	size_t length, capacity;
	bool changed;
};

static void put(struct output *out, const char *from, size_t length)
{
	if (out->length + length + 1 > out->capacity) {
		out->capacity = 2 * (out->length + length + 1);
		out->text = memory_grow(out->text, out->capacity, 1);
	}
	memcpy(out->text + out->length, from, length);
	out->length += length;
	out->text[out->length] = '\0';
}

static void put_text(struct output *out, const char *text)
{
	put(out, text, strlen(text));
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool is_the_word(const char *at, const char *start, const char *word)
{
	size_t length = strlen(word);
	return (at == start || !is_word(at[-1])) && !strncmp(at, word, length) && !is_word(at[length]);
}

/* Behind what starts here: a comment, a literal, or one character. */
static const char *step(const char *at)
{
	const char *behind = cc_skip_text(at);
	return behind == at ? at + 1 : behind;
}

/* The bracket that closes the one at `at`, or the end of the text. */
static const char *closing(const char *at, char open, char close)
{
	unsigned depth = 0;
	for (; *at; at = step(at)) {
		depth += *at == open;
		if (*at == close && --depth == 0)
			return at;
	}
	return at;
}

/* ---- functions --------------------------------------------------------------------------------------------- */

/* The brace that opens the body of the function declared here, NULL: a variable, or no body. */
static const char *find_body(const char *at)
{
	while (*at && *at != '{' && *at != ';' && *at != '=') {
		if (*at == '(')
			at = closing(at, '(', ')');
		if (*at)
			at = step(at);
	}
	return *at == '{' ? at : NULL;
}

/* Whether the declaration around `at`, up to its body, is the host's as well. */
static bool is_for_host(const char *start, const char *at, const char *body)
{
	const char *begin = at;
	while (begin > start && !strchr(";{}", begin[-1]))
		begin--;
	for (; begin < body; begin++)
		if (is_the_word(begin, start, "__host__"))
			return true;
	return false;
}

/* ---- launches ------------------------------------------------------------------------------------------------ */

/* Where the kernel's name begins that ends before `end`: identifiers, ::, and the arguments of a template. */
static const char *name_start(const char *start, const char *end)
{
	const char *at = end;
	while (at > start && isspace((unsigned char)at[-1]))
		at--;
	if (at > start && at[-1] == '>') {
		unsigned depth = 0;
		do {
			at--;
			depth += *at == '>';
			depth -= *at == '<';
		} while (at > start && depth);
	}
	while (at > start && (is_word(at[-1]) || at[-1] == ':'))
		at--;
	return at;
}

/* The ">>>" that ends the configuration, NULL: there is none. */
static const char *configuration_end(const char *at)
{
	unsigned depth = 0;
	for (; *at; at = step(at)) {
		depth += *at == '(';
		if (*at == ')' && depth-- == 0)
			return NULL;
		if (!depth && !strncmp(at, ">>>", 3))
			return at;
	}
	return NULL;
}

static void put_launch(struct output *out, const char *name, size_t name_length, const char *configuration,
                       size_t length, bool is_for_host_too)
{
	put_text(out, is_for_host_too ? "SLUICE_LAUNCH_EITHER((" : "sluice_launch<decltype(");
	put(out, name, name_length);
	if (!is_for_host_too) {
		put_text(out, "), &");
		put(out, name, name_length);
	}
	put_text(out, is_for_host_too ? "), (" : ">(");
	put(out, configuration, length);
	put_text(out, is_for_host_too ? "))" : ")");
	out->changed = true;
}

/* Copies a body, launches rewritten. */
static void copy_body(struct output *out, const char *at, const char *end, bool is_for_host_too)
{
	while (at < end) {
		const char *behind = step(at);
		const char *last = strncmp(at, "<<<", 3) == 0 ? configuration_end(at + 3) : NULL;
		if (!last || last >= end) {
			put(out, at, (size_t)(behind - at));
			at = behind;
			continue;
		}
		const char *written = out->text + out->length;
		const char *name = name_start(out->text, written);
		size_t length = (size_t)(written - name);
		char *kept = memory_zeroed(length + 1, 1);
		memcpy(kept, name, length);
		out->length -= length;
		put_launch(out, kept, length, at + 3, (size_t)(last - at - 3), is_for_host_too);
		free(kept);
		at = last + 3;
	}
}

bool cc_rewrite_device_launches(char **text)
{
	struct output out = {0};
	const char *start = *text;
	if (!strstr(start, "<<<"))
		return false;
	for (const char *at = start; *at;) {
		bool is_device = is_the_word(at, start, "__global__") || is_the_word(at, start, "__device__");
		const char *body = is_device ? find_body(at) : NULL;
		if (!body) {
			const char *behind = step(at);
			put(&out, at, (size_t)(behind - at));
			at = behind;
			continue;
		}
		const char *end = closing(body, '{', '}');
		put(&out, at, (size_t)(body - at));
		copy_body(&out, body, end, is_for_host(start, at, body));
		at = end;
	}
	if (out.changed) {
		free(*text);
		*text = out.text;
		return true;
	}
	free(out.text);
	return false;
}
