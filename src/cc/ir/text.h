/*
 * LLVM's intermediate code as text, as far as rewriting single instructions needs it: words and operands, metadata by
 * number, and the lines and values of a function.
 */
#ifndef SLUICE_CC_IR_TEXT_H
#define SLUICE_CC_IR_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A part of a text that the caller owns. */
struct ir_span {
	const char *text;
	size_t length;
};

/* For "%.*s". */
#define IR_SPAN(span) (int)(span).length, (span).text

bool ir_begins(const char *at, const char *with);
bool ir_same(struct ir_span a, struct ir_span b);
bool ir_contains(struct ir_span span, const char *words);
/* Skip a word; false if it does not stand at *at. */
bool ir_take(const char **at, const char *word);
/* Skip digits and store their number; false for no digits, or one million and more. */
bool ir_take_number(const char **at, unsigned *number);
/* Take an operand, up to a comma or a closing bracket that it did not open, or the end of the line. */
struct ir_span ir_take_operand(const char **at);
/*
 * order = "uselistorder" type value ", {" ... "}": the order of a value's uses, by which the code comes out as in one
 * command of clang. It does not fit code that was changed.
 */
bool ir_is_use_order(struct ir_span line);
/* Take the next line, without its end; false at the end of the text. */
bool ir_take_line(const char **at, struct ir_span *line);

enum { IR_NONE = -1 }; /* no metadata */

/* The start of each node !N of a module, "!{...}"; NULL: there is none. */
struct ir_metadata {
	const char **node;
	size_t count;
};
void ir_metadata_read(struct ir_metadata *metadata, const char *module);
void ir_metadata_free(struct ir_metadata *metadata);
const char *ir_metadata_find(const struct ir_metadata *metadata, int number);

/* ---- functions */

enum { IR_LANES = 16 }; /* further lanes share one bit */

struct ir_value {
	struct ir_span name; /* "%7" */
	unsigned line;       /* that defines it; 0: none in the function, as of an argument */
	unsigned uses;
	/* Uses as a vector by extractelement, and the set of their elements. */
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

/* Read the function whose "define" line is at *at, and move *at behind its "}". */
void ir_function_read(struct ir_function *function, const char **at);
void ir_function_free(struct ir_function *function);
/* Find a value; NULL if the function does not have it. */
struct ir_value *ir_function_find(const struct ir_function *function, struct ir_span name);
/* Replace a line by a text without a final newline, which the function owns from now on. */
void ir_function_replace(struct ir_function *function, unsigned line, char *text);

/* extract = "  %1 = extractelement <4 x float> %0, i64 3" */
struct ir_extract {
	struct ir_span name, type, vector;
	unsigned lane;
	const char *rest;
};
bool ir_read_extract(struct ir_span line, struct ir_extract *extract);

/* load = "  %1 = load float, ptr %0, align 4, !dbg !1", neither volatile nor atomic */
struct ir_load {
	struct ir_span name, type, pointer, address;
	unsigned align;
	struct ir_span rest; /* ", !dbg !1", up to the end of the line */
};
bool ir_read_load(struct ir_span line, struct ir_load *load);

/* offset = "  %1 = getelementptr inbounds i8, ptr %0, i64 12": another address plus a constant */
bool ir_read_offset(struct ir_span line, struct ir_span *base, unsigned *offset);

/* Return the size of "float" and the like; 0 for types that are not loaded in vectors. */
unsigned ir_element_size(struct ir_span type);

#endif
