/*
 * Declarations come first, then variables, then functions with their bodies. Local names that collide get the suffix of
 * their text. Of definitions that several texts may have (weak ones, kernels of templates) the first stays. Debug
 * sections are left out, source lines are kept.
 */
#include "ptx/link.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum item_kind { ITEM_HEAD, ITEM_FILE, ITEM_OTHER, ITEM_VARIABLE, ITEM_DECLARATION, ITEM_FUNCTION };

/* A statement at the top level: [text, text + bytes). */
struct item {
	enum item_kind kind;
	unsigned input;
	const char *text, *name;
	size_t bytes, name_bytes;
	bool is_extern, is_weak, is_entry, is_local;
	bool is_dropped, is_renamed;
};

struct linker {
	const struct ptx_link_input *input;
	unsigned count;
	struct item *items;
	size_t item_count, item_capacity;
	FILE *out;
	bool has_renamed;
	unsigned *file_offset; /* by input: added to the numbers of its .file and .loc */
};

/* ---- scanning -------------------------------------------------------------------------------------------- */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static const char *skip_blanks(const char *at)
{
	for (;;) {
		at += strspn(at, " \t\r\n");
		if (at[0] == '/' && at[1] == '/') {
			at += strcspn(at, "\n");
		} else if (at[0] == '/' && at[1] == '*') {
			const char *end = strstr(at + 2, "*/");
			at = end ? end + 2 : at + strlen(at);
		} else {
			return at;
		}
	}
}

/* Skip a comment, a string, or one character. */
static const char *step(const char *at)
{
	if (at[0] == '/' && (at[1] == '/' || at[1] == '*'))
		return skip_blanks(at);
	if (*at != '"')
		return at + 1;
	for (at++; *at && *at != '"'; at++)
		at += *at == '\\' && at[1];
	return at + (*at == '"');
}

/* statement = ... ";" | ... "{" ... "}", where the braces are not initial values; returns the place behind it */
static const char *statement_end(const char *at, bool *has_body)
{
	int depth = 0;
	bool has_values = false;
	*has_body = false;
	while (*at) {
		char c = *at;
		has_values |= c == '=' && !depth;
		depth += c == '(' || c == '{';
		depth -= c == ')' || c == '}';
		*has_body |= c == '{' && depth == 1 && !has_values;
		at = step(at);
		if (depth == 0 && (c == ';' || (c == '}' && *has_body)))
			break;
	}
	return at;
}

static bool has_directive(const struct item *item, const char *directive)
{
	const char *end = item->name, *at = strstr(item->text, directive);
	size_t n = strlen(directive);
	return at && at < end && !is_word(at[n]);
}

/* Find the name: the first word that is neither a directive, nor a number, nor in parentheses. */
static void find_name(struct item *item)
{
	const char *at = item->text, *end = item->text + item->bytes;
	int depth = 0;
	while (at < end) {
		depth += *at == '(';
		depth -= *at == ')';
		if (*at == '.' || is_word(*at)) {
			const char *word = at++;
			while (is_word(*at))
				at++;
			if (depth == 0 && *word != '.' && !isdigit((unsigned char)*word)) {
				item->name = word;
				item->name_bytes = (size_t)(at - word);
				return;
			}
		} else {
			at = step(at);
		}
	}
	item->name = end;
}

/* Whether the name is mangled as one of internal linkage. */
static bool is_file_local(const struct item *item)
{
	static const char space[] = "12_GLOBAL__N_1";
	for (size_t i = 0; i + sizeof space - 1 <= item->name_bytes; i++)
		if (!strncmp(item->name + i, space, sizeof space - 1))
			return true;
	return item->name_bytes > 3 && !strncmp(item->name, "_ZL", 3);
}

static void classify(struct item *item, bool has_body)
{
	find_name(item);
	bool is_function = has_directive(item, ".func") || has_directive(item, ".entry");
	bool is_variable =
	    has_directive(item, ".global") || has_directive(item, ".const") || has_directive(item, ".shared");
	item->kind = is_function   ? has_body ? ITEM_FUNCTION : ITEM_DECLARATION
	             : is_variable ? ITEM_VARIABLE
	                           : ITEM_OTHER;
	item->is_extern = has_directive(item, ".extern");
	item->is_weak = has_directive(item, ".weak") || has_directive(item, ".common");
	item->is_entry = has_directive(item, ".entry");
	bool is_visible = item->is_extern || item->is_weak || has_directive(item, ".visible");
	item->is_local = !is_visible || is_file_local(item);
}

static struct item *add_item(struct linker *l)
{
	if (l->item_count == l->item_capacity) {
		l->item_capacity = l->item_capacity ? 2 * l->item_capacity : 64;
		l->items = memory_grow(l->items, l->item_capacity, sizeof *l->items);
	}
	l->items[l->item_count] = (struct item){0};
	return &l->items[l->item_count++];
}

static bool starts_with(const char *at, const char *word)
{
	return !strncmp(at, word, strlen(word));
}

static void scan(struct linker *l, unsigned input)
{
	for (const char *at = skip_blanks(l->input[input].text); *at; at = skip_blanks(at)) {
		struct item *item = add_item(l);
		bool has_body, is_head = starts_with(at, ".version") || starts_with(at, ".target") ||
		                         starts_with(at, ".address_size");
		item->input = input;
		item->text = at;
		if (is_head || starts_with(at, ".file")) {
			item->kind = is_head ? ITEM_HEAD : ITEM_FILE;
			at += strcspn(at, "\n");
			item->bytes = (size_t)(at - item->text);
			continue;
		}
		at = statement_end(at, &has_body);
		item->bytes = (size_t)(at - item->text);
		if (starts_with(item->text, ".section"))
			l->item_count--;
		else
			classify(item, has_body);
	}
}

/* ---- resolving ------------------------------------------------------------------------------------------- */

static bool same_name(const struct item *x, const struct item *y)
{
	return x->name_bytes == y->name_bytes && x->name_bytes && !strncmp(x->name, y->name, x->name_bytes);
}

static bool is_definition(const struct item *item)
{
	return item->kind == ITEM_FUNCTION || (item->kind == ITEM_VARIABLE && !item->is_extern);
}

static bool is_named(const struct item *item)
{
	return item->kind == ITEM_FUNCTION || item->kind == ITEM_VARIABLE || item->kind == ITEM_DECLARATION;
}

/* Find the definition that other texts may refer to. */
static struct item *find_definition(const struct linker *l, const struct item *wanted)
{
	for (size_t i = 0; i < l->item_count; i++)
		if (is_definition(&l->items[i]) && !l->items[i].is_local && same_name(&l->items[i], wanted))
			return &l->items[i];
	return NULL;
}

static void rename_local(struct linker *l, const struct item *local)
{
	l->has_renamed = true;
	for (size_t i = 0; i < l->item_count; i++)
		if (l->items[i].input == local->input && same_name(&l->items[i], local))
			l->items[i].is_renamed = true;
}

/* Rename or drop one of two items of the same name; false if both define it. */
static bool settle(struct linker *l, const struct item *first, struct item *later, struct error *err)
{
	bool are_apart = first->input != later->input;
	if (are_apart && !first->is_renamed && (first->is_local || later->is_local)) {
		rename_local(l, later->is_local ? later : first);
		return true;
	}
	if (first->is_renamed != later->is_renamed || (first->is_renamed && are_apart))
		return true;
	if (!is_definition(later)) {
		later->is_dropped = first->kind == later->kind || is_definition(first);
		return true;
	}
	if (!are_apart || !is_definition(first))
		return true;
	later->is_dropped = true;
	if (first->is_weak || later->is_weak || (first->is_entry && later->is_entry))
		return true;
	return error_set(err, "%s '%.*s' is defined in several files of the program",
	                 later->kind == ITEM_VARIABLE ? "device variable" : "device function",
	                 (int)later->name_bytes, later->name);
}

static bool resolve(struct linker *l, struct error *err)
{
	for (size_t i = 0; i < l->item_count; i++)
		for (size_t k = 0; k < i && is_named(&l->items[i]); k++)
			if (is_named(&l->items[k]) && !l->items[k].is_dropped &&
			    same_name(&l->items[k], &l->items[i]) &&
			    !settle(l, &l->items[k], &l->items[i], err))
				return false;
	for (size_t i = 0; i < l->item_count; i++) {
		struct item *item = &l->items[i];
		if (item->kind == ITEM_VARIABLE && item->is_extern && find_definition(l, item))
			item->is_dropped = true;
	}
	return true;
}

/* ---- writing --------------------------------------------------------------------------------------------- */

/* Whether a word of this text is the name of a renamed item. */
static bool is_renamed(const struct linker *l, unsigned input, const char *word, size_t bytes)
{
	for (size_t i = 0; l->has_renamed && i < l->item_count; i++) {
		const struct item *item = &l->items[i];
		if (item->is_renamed && item->input == input && item->name_bytes == bytes &&
		    !strncmp(item->name, word, bytes))
			return true;
	}
	return false;
}

/* Write the file number that follows .file or .loc, with the offset of the text. */
static const char *put_file_number(struct linker *l, const char *at, unsigned input)
{
	char *end;
	unsigned long file = strtoul(at + strspn(at, " \t"), &end, 10);
	fprintf(l->out, " %lu", file + l->file_offset[input]);
	return end;
}

static void put_item(struct linker *l, const struct item *item)
{
	const char *at = item->text, *end = at + item->bytes;
	bool defines = item->kind == ITEM_DECLARATION && item->is_extern && find_definition(l, item);
	while (at < end) {
		const char *from = at;
		if (*at != '.' && !is_word(*at)) {
			at = step(at);
			fwrite(from, 1, (size_t)(at - from), l->out);
			continue;
		}
		for (at++; is_word(*at);)
			at++;
		size_t bytes = (size_t)(at - from);
		if (defines && bytes == 7 && starts_with(from, ".extern")) {
			fputs(".visible", l->out);
			continue;
		}
		fwrite(from, 1, bytes, l->out);
		if ((bytes == 4 && starts_with(from, ".loc")) || (bytes == 5 && starts_with(from, ".file")) ||
		    (bytes == 10 && starts_with(from, "inlined_at")))
			at = put_file_number(l, at, item->input);
		else if (is_renamed(l, item->input, from, bytes))
			fprintf(l->out, "$%u", l->input[item->input].number);
	}
	fputc('\n', l->out);
}

/* Find the text with the newest target, whose .version, .target and .address_size are taken. */
static unsigned newest(const struct linker *l)
{
	unsigned best = 0;
	unsigned long best_target = 0;
	for (unsigned i = 0; i < l->count; i++) {
		const char *at = strstr(l->input[i].text, ".target sm_");
		unsigned long target = at ? strtoul(at + strlen(".target sm_"), NULL, 10) : 0;
		if (target > best_target) {
			best = i;
			best_target = target;
		}
	}
	return best;
}

static void number_files(struct linker *l)
{
	unsigned total = 0;
	for (unsigned input = 0; input < l->count; input++) {
		unsigned long most = 0;
		l->file_offset[input] = total;
		for (size_t i = 0; i < l->item_count; i++) {
			const struct item *item = &l->items[i];
			unsigned long file = item->kind == ITEM_FILE ? strtoul(item->text + 5, NULL, 10) : 0;
			if (item->input == input && file > most)
				most = file;
		}
		total += (unsigned)most;
	}
}

static void put_all(struct linker *l)
{
	static const enum item_kind order[] = {ITEM_DECLARATION, ITEM_VARIABLE, ITEM_FUNCTION, ITEM_OTHER,
	                                       ITEM_FILE};
	unsigned head = newest(l);
	for (size_t i = 0; i < l->item_count; i++)
		if (l->items[i].kind == ITEM_HEAD && l->items[i].input == head)
			put_item(l, &l->items[i]);
	for (size_t k = 0; k < sizeof order / sizeof *order; k++)
		for (size_t i = 0; i < l->item_count; i++)
			if (l->items[i].kind == order[k] && !l->items[i].is_dropped)
				put_item(l, &l->items[i]);
}

static void scan_all(struct linker *l)
{
	for (unsigned i = 0; i < l->count; i++)
		scan(l, i);
}

char *ptx_link(const struct ptx_link_input *input, unsigned count, struct error *err)
{
	struct linker l = {.input = input, .count = count};
	l.file_offset = memory_zeroed(count + 1, sizeof *l.file_offset);
	scan_all(&l);
	number_files(&l);
	char *text = NULL;
	size_t bytes;
	if (resolve(&l, err)) {
		l.out = memory_stream_open(&text, &bytes);
		put_all(&l);
		memory_stream_close(l.out);
	}
	free(l.items);
	free(l.file_offset);
	return text;
}

/* ---- groups ---------------------------------------------------------------------------------------------- */

static void join(unsigned *group, unsigned count, unsigned x, unsigned y)
{
	unsigned low = group[x] < group[y] ? group[x] : group[y], high = group[x] + group[y] - low;
	for (unsigned i = 0; i < count; i++)
		if (group[i] == high)
			group[i] = low;
}

void ptx_link_groups(const struct ptx_link_input *input, unsigned count, unsigned *group)
{
	struct linker l = {.input = input, .count = count};
	scan_all(&l);
	for (unsigned i = 0; i < count; i++)
		group[i] = i;
	for (size_t i = 0; i < l.item_count; i++) {
		const struct item *item = &l.items[i], *defined = item->is_extern && is_named(item)
		                                                      ? find_definition(&l, item)
		                                                      : NULL;
		if (defined)
			join(group, count, item->input, defined->input);
	}
	free(l.items);
}
