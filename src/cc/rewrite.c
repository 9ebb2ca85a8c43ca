/*
 * Sources rewritten for clang: what nvcc takes and clang does not. Lines stay where they are.
 *
 * - Spaces in the brackets of a launch: k << < g, b >> > ().
 * - Special registers with one percent sign in inline assembly: "mov.u32 %0, %smid;".
 * - Launches in the bodies of __global__ and __device__ functions: kernel<<<grid, block>>> becomes
 *   sluice_launch<decltype(kernel), &kernel>(grid, block), which the headers define (sluice/device_launch.h). Left out:
 *   kernels named by a pointer, and templates with deduced arguments; clang's message names the launch then.
 *
 * - alignas behind __shared__, which clang wants in front of the whole declaration, becomes __align__.
 *
 * clang sees the copies in place of the originals through an overlay of its file system.
 */
#include "cc/rewrite.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/output.h"

/* Skip a comment or a literal that starts here; return `at` itself if there is none. */
static const char *skip_text(const char *at)
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

/* Skip what starts here: a comment, a literal, or one character. */
static const char *step(const char *at)
{
	const char *behind = skip_text(at);
	return behind == at ? at + 1 : behind;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Find the end of three `bracket`s, perhaps with white space between them; NULL: there are not three. */
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

/* Move three brackets together, to the front (closing) or the back (opening); newlines stay, so lines keep their numbers. */
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

/* "> > >" also ends templates: it is a launch only behind an opening bracket and before an argument list. */
static bool close_launches(char *text)
{
	bool changed = false, is_open = false;
	for (char *at = text; *at;) {
		char *behind = at + (skip_text(at) - at);
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

/* Skip `asm volatile (` that starts here; NULL: it is no assembly. */
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
 * Copy a literal to *to with the percent signs of registers doubled. An operand is %0 or %[name], perhaps with one letter
 * before it; a register has a longer name.
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

/* Copy a template, which ends at the first colon outside a literal, or with the statement. */
static const char *copy_asm(const char *at, char **to)
{
	while (*at && *at != ':' && *at != ')') {
		const char *behind = skip_text(at);
		if (behind == at)
			*(*to)++ = *at++;
		else
			at = copy_template(at, behind, to);
	}
	return at;
}

/* Return a copy with percent signs doubled, NULL: there was none to double. */
static char *double_percents(const char *text)
{
	size_t length = strlen(text);
	char *copy = memory_zeroed(2 * length + 1, 1), *to = copy;
	for (const char *at = text; *at;) {
		const char *behind = skip_text(at);
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

/* ---- launches in device code ---------------------------------------------------------------------------- */

static bool is_the_word(const char *at, const char *start, const char *word)
{
	size_t length = strlen(word);
	return (at == start || !is_word(at[-1])) && !strncmp(at, word, length) && !is_word(at[length]);
}

/* Find the bracket that closes the one at `at`, or the end of the text. */
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

/* Find the brace that opens the body of the function declared here; NULL: a variable, or no body. */
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

/* Whether the declaration around `at`, up to its body, has __host__ too. */
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

/* Find the start of the kernel's name that ends before `end`: identifiers, ::, arguments of a template. */
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

/* Find the ">>>" that ends the configuration; NULL: there is none. */
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

/* A part of a source, for "%.*s". */
struct text {
	const char *at;
	int length;
};
#define TEXT(text) (text).length, (text).at

static void print_launch(FILE *out, struct text name, struct text configuration, bool is_for_host_too)
{
	if (is_for_host_too)
		fprintf(out, "SLUICE_LAUNCH_EITHER((%.*s), (%.*s))", TEXT(name), TEXT(configuration));
	else
		fprintf(out, "sluice_launch<decltype(%.*s), &%.*s>(%.*s)", TEXT(name), TEXT(name),
		        TEXT(configuration));
}

/* Copy a body with its launches rewritten; return whether there was one. */
static bool copy_body(FILE *out, const char *at, const char *end, bool is_for_host_too)
{
	const char *body = at, *copied = at;
	while (at < end) {
		const char *last = !strncmp(at, "<<<", 3) ? configuration_end(at + 3) : NULL;
		if (!last || last >= end) {
			at = step(at);
			continue;
		}
		const char *name = name_start(copied, at);
		fwrite(copied, 1, (size_t)(name - copied), out);
		print_launch(out, (struct text){name, (int)(at - name)},
		             (struct text){at + 3, (int)(last - at - 3)}, is_for_host_too);
		copied = at = last + 3;
	}
	fwrite(copied, 1, (size_t)(end - copied), out);
	return copied != body;
}

/* Rewrite launches in device code; replaces *text. False: there are none. */
static bool rewrite_device_launches(char **text)
{
	const char *start = *text, *copied = start;
	if (!strstr(start, "<<<"))
		return false;
	char *rewritten;
	size_t bytes;
	bool changed = false;
	FILE *out = memory_stream_open(&rewritten, &bytes);
	for (const char *at = start; *at;) {
		bool is_device = is_the_word(at, start, "__global__") || is_the_word(at, start, "__device__");
		const char *body = is_device ? find_body(at) : NULL;
		if (!body) {
			at = step(at);
			continue;
		}
		const char *end = closing(body, '{', '}');
		fwrite(copied, 1, (size_t)(body - copied), out);
		changed |= copy_body(out, body, end, is_for_host(start, at, body));
		copied = at = end;
	}
	fputs(copied, out);
	memory_stream_close(out);
	free(changed ? *text : rewritten);
	if (changed)
		*text = rewritten;
	return changed;
}

/* ---- alignment of shared variables --------------------------------------------------------------------------- */

/* Replace "__shared__ alignas(" by "__shared__ __align__("; NULL: there is none. */
static char *move_alignment(const char *text)
{
	static const char from[] = "alignas", to[] = "__align__", shared[] = "__shared__";
	char *copy = NULL, *end = NULL;
	size_t length = strlen(text);
	const char *copied = text;
	for (const char *at = strstr(text, shared) ? text : ""; *at; at = step(at)) {
		if (!is_the_word(at, text, shared))
			continue;
		const char *next = at + strlen(shared);
		next += strspn(next, " \t\r\n");
		if (!is_the_word(next, text, from))
			continue;
		if (!copy)
			end = copy = memory_zeroed(2 * length + 1, 1);
		memcpy(end, copied, (size_t)(next - copied));
		end += next - copied;
		memcpy(end, to, strlen(to));
		end += strlen(to);
		copied = next + strlen(from);
	}
	if (copy)
		memcpy(end, copied, strlen(copied) + 1);
	return copy;
}

static bool replace_text(char **text, char *by)
{
	if (!by)
		return false;
	free(*text);
	*text = by;
	return true;
}

bool cc_rewrite(char **text)
{
	bool changed = close_launches(*text);
	changed |= replace_text(text, move_alignment(*text));
	changed |= rewrite_device_launches(text);
	return replace_text(text, double_percents(*text)) || changed;
}

/* ---- files and their copies ----------------------------------------------------------------------------- */

struct overlay {
	const struct words *options; /* for -I */
	const char *folder;
	struct words seen; /* absolute paths */
	struct words replaced, copies;
};

static bool was_seen(const struct words *seen, const char *path)
{
	for (size_t i = 0; i < seen->count; i++)
		if (!strcmp(seen->text[i], path))
			return true;
	return false;
}

static bool visit_file(struct overlay *overlay, const char *path, struct error *err);

/* Visit #include "name": in the folder of the including file, else in those of -I. */
static bool visit_include(struct overlay *overlay, const char *includer, const char *name, size_t length,
                          struct error *err)
{
	char path[2048];
	const char *slash = strrchr(includer, '/');
	snprintf(path, sizeof path, "%.*s/%.*s", (int)(slash - includer), includer, (int)length, name);
	for (size_t i = 0; access(path, R_OK) != 0 && i < overlay->options->count; i++)
		if (!strncmp(overlay->options->text[i], "-I", 2))
			snprintf(path, sizeof path, "%s/%.*s", overlay->options->text[i] + 2, (int)length,
			         name);
	return access(path, R_OK) != 0 || visit_file(overlay, path, err);
}

static bool visit_includes(struct overlay *overlay, const char *path, const char *text, struct error *err)
{
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		const char *at = line + strspn(line, " \t");
		if (*at++ != '#')
			continue;
		at += strspn(at, " \t");
		if (strncmp(at, "include", 7) != 0)
			continue;
		at += 7 + strspn(at + 7, " \t");
		if (*at == '"' && !visit_include(overlay, path, at + 1, strcspn(at + 1, "\"\n"), err))
			return false;
	}
	return true;
}

static bool visit_file(struct overlay *overlay, const char *path, struct error *err)
{
	char *whole = realpath(path, NULL);
	if (!whole || was_seen(&overlay->seen, whole)) {
		free(whole);
		return true;
	}
	words_add(&overlay->seen, whole);
	char *text = cc_read_text(whole, err);
	bool done = text && visit_includes(overlay, whole, text, err);
	if (done && cc_rewrite(&text)) {
		const char *copy =
		    words_format(&overlay->copies, "%s/copy-%zu", overlay->folder, overlay->copies.count);
		words_add(&overlay->replaced, whole);
		done = output_write(copy, text, strlen(text), err);
	}
	free(text);
	free(whole);
	return done;
}

/* Print a name of clang's description of an overlay, in YAML; a quote in it is doubled. */
static void print_quoted(FILE *out, const char *text)
{
	fputc('\'', out);
	for (; *text; text++)
		fprintf(out, *text == '\'' ? "''" : "%c", *text);
	fputc('\'', out);
}

static bool write_overlay(const struct overlay *overlay, const char *path, struct error *err)
{
	FILE *out = fopen(path, "w");
	if (!out)
		return error_set(err, "%s: cannot be written", path);
	fputs("version: 0\nuse-external-names: false\nroots:\n", out);
	for (size_t i = 0; i < overlay->copies.count; i++) {
		fputs("  - type: file\n    name: ", out);
		print_quoted(out, overlay->replaced.text[i]);
		fputs("\n    external-contents: ", out);
		print_quoted(out, overlay->copies.text[i]);
		fputc('\n', out);
	}
	return fclose(out) == 0 || error_set(err, "%s: cannot be written", path);
}

bool cc_overlay_rewritten(const char *source, const struct words *options, const char *folder, char **path,
                          struct error *err)
{
	struct overlay overlay = {.options = options, .folder = folder};
	*path = NULL;
	bool done = visit_file(&overlay, source, err);
	if (done && overlay.copies.count) {
		char name[1024];
		snprintf(name, sizeof name, "%s/overlay.yaml", folder);
		done = write_overlay(&overlay, name, err);
		*path = memory_text(name);
	}
	words_free(&overlay.seen);
	words_free(&overlay.replaced);
	words_free(&overlay.copies);
	return done;
}
