/* One function of a module: its lines, its values, and what takes the place of lines. */
#ifndef SLUICE_CC_IR_FUNCTION_H
#define SLUICE_CC_IR_FUNCTION_H

#include "cc/ir/text.h"

enum { IR_LANES = 16 }; /* those behind are one */

struct ir_value {
	struct ir_span name; /* "%7" */
	unsigned line; /* that defines it; 0, the function's first: an argument, or nothing of the kind */
	unsigned uses;
	/* Uses as a vector of which one element is taken, and the set of those elements. */
	unsigned extracts, lanes;
};

struct ir_function {
	struct ir_span *line;
	char **replaced; /* by line; NULL: it stays */
	unsigned line_count;
	struct ir_value *value; /* a hash table of value_room entries, a power of two */
	size_t value_room;
	bool changed;
};

/* Reads the function whose "define" line is at *at; *at is behind its "}" then. */
void ir_function_read(struct ir_function *function, const char **at);
void ir_function_free(struct ir_function *function);
/* NULL: the function does not have it. */
struct ir_value *ir_function_find(const struct ir_function *function, struct ir_span name);
/* Takes over the text, which has no newline at its end. */
void ir_function_replace(struct ir_function *function, unsigned line, char *text);

/* "  %1 = extractelement <4 x float> %0, i64 3" */
struct ir_extract {
	struct ir_span name, type, vector;
	unsigned lane;
	const char *rest;
};
bool ir_read_extract(struct ir_span line, struct ir_extract *extract);

/* "  %1 = load float, ptr %0, align 4, !dbg !1"; none that is volatile or atomic. */
struct ir_load {
	struct ir_span name, type, pointer, address;
	unsigned align;
	struct ir_span rest; /* ", !dbg !1", up to the end of the line */
};
bool ir_read_load(struct ir_span line, struct ir_load *load);

/* "  %1 = getelementptr inbounds i8, ptr %0, i64 12": an address that is another one and a constant. */
bool ir_read_offset(struct ir_span line, struct ir_span *base, unsigned *offset);

/* The size of "float" and the like; 0: it is none of the types that are loaded in vectors. */
unsigned ir_element_size(struct ir_span type);

#endif
