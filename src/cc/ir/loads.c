/* Parts of vectors come first, then elements of groups, then the module around them. */
#include "cc/ir/loads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cc/ir/text.h"

/* ---- groups of elements --------------------------------------------------------------------------------- */

/*
 * Elements of an aligned group of four that a block loads one by one. nvcc loads the group at once, unused elements
 * included, if the first is among them and they are neither just the first two nor two words in different halves; LLVM
 * joins neighbors only. nvcc does not do so with stores. Nothing moves across what may write memory or order it, or out
 * of its block.
 */
enum { GROUP = 4 }; /* elements that are loaded at once */

/* A load of one element, and where from. */
struct element {
	struct ir_load load;
	struct ir_span base;
	unsigned offset, size, line;
	bool joined;
};

/* The elements that a block loaded since memory was last written. */
struct elements {
	struct element *element;
	unsigned count, room;
};

/* Whether a line may write memory or order accesses. */
static bool may_write(struct ir_span line)
{
	static const char *const writers[] = {" call ",   "store ",  "fence ",       "atomicrmw ",
	                                      "cmpxchg ", "invoke ", "load atomic ", "load volatile "};
	static const char *const pure[] = {"@llvm.nvvm.read.ptx.sreg.", "@llvm.fma.", "@llvm.fabs.",
	                                   "@llvm.sqrt."};
	for (size_t i = 0; i < sizeof pure / sizeof *pure; i++)
		if (ir_contains(line, pure[i]))
			return false;
	for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
		if (ir_contains(line, writers[i]))
			return true;
	return false;
}

/* rest = {", !dbg !" N | ", !tbaa !" N}: other metadata may not hold for a wider load */
static bool is_plain(struct ir_span rest)
{
	const char *at = rest.text;
	unsigned number;
	while (at < rest.text + rest.length)
		if ((!ir_take(&at, ", !dbg !") && !ir_take(&at, ", !tbaa !")) ||
		    !ir_take_number(&at, &number))
			return false;
	return true;
}

/* Whether the base is a variable, which may end behind what is loaded. Memory behind a pointer is as large as its alignment. */
static bool is_variable(const struct ir_function *function, struct ir_span base)
{
	const struct ir_value *value = *base.text == '%' ? ir_function_find(function, base) : NULL;
	return !value || (value->line && ir_contains(function->line[value->line], " = alloca "));
}

static void add_element(struct elements *elements, const struct ir_function *function, unsigned line)
{
	struct element element = {.line = line};
	if (function->replaced[line] || !ir_read_load(function->line[line], &element.load) ||
	    !is_plain(element.load.rest))
		return;
	element.size = ir_element_size(element.load.type);
	element.base = element.load.address;
	const struct ir_value *address = ir_function_find(function, element.base);
	if (address && address->line)
		ir_read_offset(function->line[address->line], &element.base, &element.offset);
	if (!element.size || element.size > 4 || is_variable(function, element.base))
		return;
	if (elements->count == elements->room) {
		elements->room = elements->room * 2 + 16;
		elements->element = memory_grow(elements->element, elements->room, sizeof *elements->element);
	}
	elements->element[elements->count++] = element;
}

/* Find the elements of the group that begins with `first`; return their set. */
static unsigned find_group(struct elements *elements, struct element *first, struct element *member[GROUP])
{
	unsigned found = 0;
	for (unsigned i = 0; i < elements->count; i++) {
		struct element *e = &elements->element[i];
		if (e->joined || e->offset < first->offset || !ir_same(e->base, first->base) ||
		    !ir_same(e->load.type, first->load.type) ||
		    !ir_same(e->load.pointer, first->load.pointer))
			continue;
		unsigned distance = e->offset - first->offset, lane = distance / first->size;
		if (distance % first->size || lane >= GROUP || found >> lane & 1)
			continue;
		member[lane] = e;
		found |= 1u << lane;
	}
	return found;
}

/* Whether to load the group: not for one element, the first two or all four, which LLVM joins, nor for two words of 16 bytes. */
static bool has_gap(unsigned found, unsigned size)
{
	enum { FIRST = 1, FIRST_TWO = 3, ALL = 15, WORD = 4 };
	if (size == WORD && __builtin_popcount(found) < 3)
		return false;
	return found & FIRST && found != FIRST && found != FIRST_TWO && found != ALL;
}

static void print_group(FILE *out, const struct element *first, struct ir_span debug)
{
	unsigned serial = first->line;
	const struct ir_load *load = &first->load;
	if (first->offset)
		fprintf(out, "  %%sluice.first.%u = getelementptr inbounds i8, %.*s %.*s, i64 %u\n", serial,
		        IR_SPAN(load->pointer), IR_SPAN(first->base), first->offset);
	fprintf(out, "  %%sluice.group.%u = load <%d x %.*s>, %.*s ", serial, GROUP, IR_SPAN(load->type),
	        IR_SPAN(load->pointer));
	if (first->offset)
		fprintf(out, "%%sluice.first.%u", serial);
	else
		fprintf(out, "%.*s", IR_SPAN(first->base));
	fprintf(out, ", align %u%.*s\n", load->align, IR_SPAN(debug));
}

/* ", !dbg !7" of what follows a load. */
static struct ir_span debug_of(struct ir_span rest)
{
	const char *at = rest.text;
	unsigned number;
	if (!ir_take(&at, ", !dbg !") || !ir_take_number(&at, &number))
		return (struct ir_span){"", 0};
	return (struct ir_span){rest.text, (size_t)(at - rest.text)};
}

/* The group is loaded where the earliest of its members was. */
static void join(struct ir_function *function, struct element *member[GROUP], unsigned found)
{
	const struct element *first = member[0];
	unsigned earliest = first->line;
	for (unsigned lane = 1; lane < GROUP; lane++)
		if (found >> lane & 1 && member[lane]->line < earliest)
			earliest = member[lane]->line;
	for (unsigned lane = 0; lane < GROUP; lane++) {
		if (!(found >> lane & 1))
			continue;
		char *text;
		size_t bytes;
		struct element *e = member[lane];
		struct ir_span debug = debug_of(e->load.rest);
		FILE *out = memory_stream_open(&text, &bytes);
		if (e->line == earliest)
			print_group(out, first, debug);
		fprintf(out, "  %.*s = extractelement <%d x %.*s> %%sluice.group.%u, i64 %u%.*s",
		        IR_SPAN(e->load.name), GROUP, IR_SPAN(first->load.type), first->line, lane,
		        IR_SPAN(debug));
		memory_stream_close(out);
		ir_function_replace(function, e->line, text);
		e->joined = true;
	}
}

static void join_all(struct ir_function *function, struct elements *elements)
{
	for (unsigned i = 0; i < elements->count; i++) {
		struct element *first = &elements->element[i], *member[GROUP];
		if (first->joined || first->load.align < GROUP * first->size)
			continue;
		unsigned found = find_group(elements, first, member);
		if (has_gap(found, first->size) && member[0] == first)
			join(function, member, found);
	}
	elements->count = 0;
}

static void join_groups(struct ir_function *function)
{
	struct elements elements = {0};
	for (unsigned i = 1; i < function->line_count; i++) {
		struct ir_span line = function->line[i];
		bool begins_block = !ir_begins(line.text, "  ");
		if (begins_block || may_write(line))
			join_all(function, &elements);
		else
			add_element(&elements, function, i);
	}
	join_all(function, &elements);
	free(elements.element);
}

/* ---- parts of vectors --------------------------------------------------------------------------------------- */

/* vector = "<" lanes " x " element ">"; returns the element, an empty one for other types */
static struct ir_span element_of(struct ir_span vector, unsigned *lanes)
{
	const char *at = vector.text;
	if (!ir_take(&at, "<") || !ir_take_number(&at, lanes) || !ir_take(&at, " x "))
		return (struct ir_span){"", 0};
	return (struct ir_span){at, (size_t)(vector.text + vector.length - at) - 1};
}

/* Print a load of a type at an offset; it defines `name`. */
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
 * The parts that are loaded in place of a vector: one or two of one type. The first has the name of the vector, so that
 * the numbers of other values stay.
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

/* Make what takes the place of an extractelement: one of a part, or a copy of the whole part. */
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

/* Return the first character of the value of a use order: '%' or '@' if it has a name. */
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

/* Whether a use order must go: LLVM 19 cannot read its own for constants and inline assembly; those of globals span functions. */
static bool is_unfit(struct ir_span line, bool changed)
{
	if (!ir_is_use_order(line))
		return false;
	char sign = sign_of_value(line);
	return sign != '%' && (changed || sign != '@');
}

/* Drop use orders that do not fit. NULL: nothing changes. Frees the text. */
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
	join_groups(&function);
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
