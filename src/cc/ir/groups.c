#include "cc/ir/groups.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

enum { GROUP = 4 }; /* elements that are loaded at once */

/* A load of one element, and where from. */
struct element {
	struct ir_load load;
	struct ir_span base;
	unsigned offset, size, line;
	bool joined;
};

/* Those of a block since memory was last written. */
struct elements {
	struct element *element;
	unsigned count, room;
};

/* Or orders memory. */
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

/* rest = {", !dbg !" N | ", !tbaa !" N}: metadata of other kinds says what a wider load may not keep. */
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

/* Variables may end behind what is loaded; what is computed from a pointer is as large as its alignment. */
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

/* Which of the group that begins with `first` are there; `member` gets them. */
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

/* One alone stays; so do the first two, and all four: LLVM joins those by itself. Two words of 16 bytes are not worth them. */
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

void ir_join_groups(struct ir_function *function)
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
