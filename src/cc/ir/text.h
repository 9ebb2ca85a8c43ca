/*
 * LLVM's intermediate code as text, as far as it has to be read to rewrite
 * single instructions of it: words, operands, and metadata by their numbers.
 */
#ifndef SLUICE_CC_IR_TEXT_H
#define SLUICE_CC_IR_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A stretch of the text; it belongs to whoever owns that. */
struct ir_span {
	const char *text;
	size_t length;
};

/* For "%.*s". */
#define IR_SPAN(span) (int)(span).length, (span).text

bool ir_begins(const char *at, const char *with);
bool ir_same(struct ir_span a, struct ir_span b);
bool ir_contains(struct ir_span span, const char *words);
/* Behind the word, if it stands at *at. */
bool ir_take(const char **at, const char *word);
/* Behind digits that make a number below one million. */
bool ir_take_number(const char **at, unsigned *number);
/* Up to a comma or bracket that closes what was open before, or the end of the line. */
struct ir_span ir_take_operand(const char **at);
/*
 * order = "uselistorder" type value ", {" ... "}": clang writes down in which order a value is used, so that the code
 * comes out as it would have. For what changed it no longer fits.
 */
bool ir_is_use_order(struct ir_span line);
/* The next line without its end, or false; *at is behind it then. */
bool ir_take_line(const char **at, struct ir_span *line);

enum { IR_NONE = -1 }; /* no metadata */

/* Where the node !N of a module starts: "!{...}"; NULL: there is none. */
struct ir_metadata {
	const char **node;
	size_t count;
};
void ir_metadata_read(struct ir_metadata *metadata, const char *module);
void ir_metadata_free(struct ir_metadata *metadata);
const char *ir_metadata_find(const struct ir_metadata *metadata, int number);

#endif
