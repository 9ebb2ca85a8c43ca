#include "cc/ir/loads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cc/ir/groups.h"

/* ---- parts of vectors --------------------------------------------------------------------------------------- */

/* "<4 x float>": the element, or one without a length, and how many. */
static struct ir_span element_of(struct ir_span vector, unsigned *lanes)
{
	const char *at = vector.text;
	if (!ir_take(&at, "<") || !ir_take_number(&at, lanes) || !ir_take(&at, " x "))
		return (struct ir_span){"", 0};
	return (struct ir_span){at, (size_t)(vector.text + vector.length - at) - 1};
}

/* The load of `lanes` elements, of a type, from the first of them on; `name` is what it defines. */
static void print_part(FILE *out, const struct ir_load *load, const char *name, struct ir_span type,
                       unsigned offset, unsigned serial)
{
	unsigned align = load->align;
	while (offset % align)
		align /= 2;
	if (offset)
		fprintf(out, "  %%sluice.lane.%u.%u = getelementptr inbounds i8, %.*s %.*s, i64 %u\n", serial,
		        offset, IR_SPAN(load->pointer), IR_SPAN(load->address), offset);
	fprintf(out, "  %s = load %.*s, %.*s ", name, IR_SPAN(type), IR_SPAN(load->pointer));
	if (offset)
		fprintf(out, "%%sluice.lane.%u.%u", serial, offset);
	else
		fprintf(out, "%.*s", IR_SPAN(load->address));
	fprintf(out, ", align %u%.*s", align, IR_SPAN(load->rest));
}

/*
 * What is loaded in place of a vector: one part, or two, of a type each. Values keep their names, and with them the
 * numbers of others: the first part has that of the vector.
 */
struct parts {
	char type[64]; /* of a part */
	unsigned size; /* of an element */
	unsigned lanes, count, first[2];
};

/* False: the vector stays. */
static bool choose_parts(struct parts *parts, unsigned used, struct ir_span vector)
{
	enum { WORD = 4, VECTOR = 4, LOWER_HALF = 3, UPPER_HALF = 12 };
	unsigned lanes = 0;
	struct ir_span element = element_of(vector, &lanes);
	unsigned count = (unsigned)__builtin_popcount(used), size = ir_element_size(element);
	*parts = (struct parts){.size = size, .lanes = 1, .count = count};
	if (!size || !count || used >> IR_LANES || element.length > sizeof parts->type - 16)
		return false;
	parts->first[0] = (unsigned)__builtin_ctz(used);
	parts->first[1] = 31 - (unsigned)__builtin_clz(used);
	if (count == 1) {
		snprintf(parts->type, sizeof parts->type, "%.*s", IR_SPAN(element));
		return true;
	}
	if (count != 2 || size != WORD || lanes != VECTOR || used >> VECTOR)
		return false;
	if (used == LOWER_HALF || used == UPPER_HALF) {
		parts->lanes = 2;
		parts->count = 1;
		snprintf(parts->type, sizeof parts->type, "<2 x %.*s>", IR_SPAN(element));
	} else {
		snprintf(parts->type, sizeof parts->type, "%.*s", IR_SPAN(element));
	}
	return true;
}

static char *load_parts(const struct ir_load *load, const struct parts *parts, unsigned serial)
{
	char *text, name[256];
	size_t bytes;
	FILE *out = memory_stream_open(&text, &bytes);
	struct ir_span type = {parts->type, strlen(parts->type)};
	if (parts->count == 2) {
		snprintf(name, sizeof name, "%%sluice.other.%u", serial);
		print_part(out, load, name, type, parts->first[1] * parts->size, serial);
		fputc('\n', out);
	}
	snprintf(name, sizeof name, "%.*s", IR_SPAN(load->name));
	print_part(out, load, name, type, parts->first[0] * parts->size, serial);
	memory_stream_close(out);
	return text;
}

/* What was an element of the vector is one of a part now, or a copy of the whole. */
static char *take_value(const struct ir_extract *extract, const struct parts *parts, struct ir_span line,
                        unsigned serial)
{
	char *text;
	size_t bytes;
	FILE *out = memory_stream_open(&text, &bytes);
	int rest = (int)(line.text + line.length - extract->rest);
	bool is_other = parts->count == 2 && extract->lane == parts->first[1];
	fprintf(out, "  %.*s = ", IR_SPAN(extract->name));
	if (parts->lanes > 1)
		fprintf(out, "extractelement %s %.*s, i64 %u", parts->type, IR_SPAN(extract->vector),
		        extract->lane - parts->first[0]);
	else if (is_other)
		fprintf(out, "bitcast %s %%sluice.other.%u to %s", parts->type, serial, parts->type);
	else
		fprintf(out, "bitcast %s %.*s to %s", parts->type, IR_SPAN(extract->vector), parts->type);
	fprintf(out, "%.*s", rest, extract->rest);
	memory_stream_close(out);
	return text;
}

static void narrow_loads(struct ir_function *function)
{
	enum { NAME_MAX = 200 };
	for (unsigned i = 1; i < function->line_count; i++) {
		struct ir_extract extract;
		struct ir_load load;
		struct parts parts;
		if (!ir_read_extract(function->line[i], &extract))
			continue;
		const struct ir_value *vector = ir_function_find(function, extract.vector);
		if (vector->extracts != vector->uses || !vector->line ||
		    !choose_parts(&parts, vector->lanes, extract.type) ||
		    !ir_read_load(function->line[vector->line], &load) || !ir_same(load.type, extract.type) ||
		    !load.align || load.name.length > NAME_MAX)
			continue;
		if (!function->replaced[vector->line])
			ir_function_replace(function, vector->line, load_parts(&load, &parts, vector->line));
		ir_function_replace(function, i,
		                    take_value(&extract, &parts, function->line[i], vector->line));
	}
}

/* ---- the module --------------------------------------------------------------------------------------------- */

/* What the value that it is about begins with: '%' or '@' if it has a name. */
static char sign_of_value(struct ir_span line)
{
	const char *end = line.text + line.length;
	while (end > line.text && *end != '{')
		end--;
	const char *at = end > line.text ? end - 1 : end;
	while (at > line.text && (at[-1] == ' ' || at[-1] == ','))
		at--;
	while (at > line.text && at[-1] != ' ')
		at--;
	return *at;
}

/* LLVM 19 does not read all that it writes about constants and inline assembly; globals are shared by all functions. */
static bool is_unfit(struct ir_span line, bool changed)
{
	if (!ir_is_use_order(line))
		return false;
	char sign = sign_of_value(line);
	return sign != '%' && (changed || sign != '@');
}

/* Without orders that do not fit; NULL: nothing changes. Frees the text. */
static char *drop_orders(char *text, bool changed)
{
	char *fit;
	size_t bytes;
	bool dropped = false;
	FILE *out = memory_stream_open(&fit, &bytes);
	struct ir_span line;
	for (const char *at = text; ir_take_line(&at, &line);) {
		if (is_unfit(line, changed))
			dropped = true;
		else
			fprintf(out, "%.*s\n", IR_SPAN(line));
	}
	memory_stream_close(out);
	free(text);
	if (changed || dropped)
		return fit;
	free(fit);
	return NULL;
}

static bool rewrite_function(FILE *out, const char **at)
{
	struct ir_function function;
	ir_function_read(&function, at);
	narrow_loads(&function);
	ir_join_groups(&function);
	for (unsigned i = 0; i < function.line_count; i++) {
		if (function.replaced[i])
			fprintf(out, "%s\n", function.replaced[i]);
		else if (!function.changed || !ir_is_use_order(function.line[i]))
			fprintf(out, "%.*s\n", IR_SPAN(function.line[i]));
	}
	bool changed = function.changed;
	ir_function_free(&function);
	return changed;
}

char *ir_rewrite_loads(const char *module)
{
	char *text;
	size_t bytes;
	bool changed = false;
	FILE *out = memory_stream_open(&text, &bytes);
	struct ir_span line;
	for (const char *at = module; *at;) {
		if (ir_begins(at, "define ")) {
			changed |= rewrite_function(out, &at);
			continue;
		}
		ir_take_line(&at, &line);
		fprintf(out, "%.*s\n", IR_SPAN(line));
	}
	memory_stream_close(out);
	return drop_orders(text, changed);
}
