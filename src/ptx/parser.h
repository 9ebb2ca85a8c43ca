/*
 * The parser's state, shared by the files that parse parts of the grammar.
 * Functions named parse_* read a rule of the grammar from the current token on;
 * they return false after an error, which has been reported.
 */
#ifndef SLUICE_PTX_PARSER_H
#define SLUICE_PTX_PARSER_H

#include "ptx/arena.h"
#include "ptx/forms.h"
#include "ptx/lexer.h"
#include "ptx/names.h"
#include "ptx/ptx.h"

enum {
	PARSE_DEPTH_MAX = 64,     /* nested { } */
	PARSE_OPERANDS_MAX = 255, /* of one instruction; calls have the most */
};
#define PARSE_BYTES_MAX ((uint64_t)1 << 40) /* of one variable */

/* What a name in the symbol table refers to. */
enum symbol {
	SYMBOL_REGISTER, /* index: of the function */
	SYMBOL_RANGE,    /* %r<N>; index: in ranges */
	SYMBOL_VARIABLE,
	SYMBOL_FUNCTION,
	SYMBOL_LABEL, /* index: instruction */
	SYMBOL_TABLE,
	SYMBOL_PROTOTYPE
};

struct range {
	uint64_t count;
	uint8_t type;
};

/* A name that may be defined further down: a label or a branch table. */
struct pending {
	struct token name;
	enum symbol wanted;
	uint32_t operand; /* that waits for it, or */
	uint32_t *slot;   /* the entry of a branch table that does */
};

/* An opcode text that occurred, and what it means. */
struct memo {
	const struct form *form;
	struct ptx_insn insn;
};

struct parser {
	struct lexer lexer;
	struct token token; /* the next one */
	struct error *err;
	struct ptx_module *module;
	struct arena *arena;
	struct names symbols, opcodes;
	bool is_tolerant; /* ptx_parse_tolerant() */
	struct {
		uint32_t insns, operands, functions, variables, tables, prototypes, sources, registers,
		    ranges, pendings, memos, aliases, problems;
	} capacity;
	struct memo *memos;
	struct range *ranges;
	struct pending *pendings;
	uint32_t (*aliases)[2];
	uint32_t memo_count, range_count, pending_count, alias_count;
	uint32_t nested_ranges; /* open ranges that may hide registers of an outer scope */
	uint64_t initial_bytes; /* of all variables so far */
	/* The function at hand. */
	uint32_t depth;    /* of scopes: 0 the module, 1 a function */
	uint32_t function; /* PTX_NONE: outside */
	struct ptx_register *registers;
	uint32_t register_count;
	uint32_t source_file, source_line;
	uint32_t last_label; /* instruction that it stands before */
};

/* ---- tokens (parser.c) */
void parser_advance(struct parser *p);
bool parser_fail(struct parser *p, const struct token *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* "unexpected 'x', expected ..." at the current token. */
bool parser_expected(struct parser *p, const char *what);
bool parser_accept(struct parser *p, char punctuation);
bool parser_expect(struct parser *p, char punctuation, const char *where);
bool parser_at_word(const struct parser *p, const char *word); /* ".reg" */
bool parser_accept_word(struct parser *p, const char *word);
/* A token as text for a message. */
enum { SHOW_SIZE = 64 };
const char *parser_show(char buf[SHOW_SIZE], const struct token *t);
/* An integer in [0, max]. */
bool parser_integer(struct parser *p, const char *what, uint64_t max, uint64_t *value);
/* Makes room for one more of an array. */
void *parser_reserve(void *array, uint32_t *capacity, uint32_t count, size_t size);
#define PARSER_PUSH(array, capacity, count)                                                                  \
	((array) = parser_reserve(array, &(capacity), count, sizeof *(array)), &(array)[(count)++])

/* ---- names (symbols.c) */
bool symbol_declare(struct parser *p, const struct token *name, enum symbol kind, uint32_t index,
                    uint32_t depth);
/* A register, variable, function ...; false: there is none. Registers of a range come to be by this. */
bool symbol_find(struct parser *p, const struct token *name, enum symbol *kind, uint32_t *index);
struct scope {
	uint32_t name_count, pending_count, range_count, nested_ranges;
};
struct scope scope_open(struct parser *p);
/* Labels that the scope defines are put in; those of the function's scope must all be there. */
bool scope_close(struct parser *p, const struct scope *scope);
void symbol_await(struct parser *p, const struct token *name, enum symbol wanted, uint32_t operand,
                  uint32_t *slot);

/* ---- declarations (parse_variable.c, parse_initial.c) */
enum linkage { LINKAGE_NONE, LINKAGE_VISIBLE, LINKAGE_EXTERN, LINKAGE_WEAK, LINKAGE_COMMON };
/* "[.align N] [.v4] .type": of variables and parameters. */
struct declared_type {
	enum ptx_type type;
	uint32_t align, elements;
};
bool parse_type(struct parser *p, struct declared_type *type);
bool parse_variables(struct parser *p, enum linkage linkage, enum ptx_space space);
bool parse_registers(struct parser *p);
/* "(.param .b32 a, ...)": the variables it adds. */
bool parse_params(struct parser *p, uint32_t *first, uint32_t *count);
struct dimensions {
	uint64_t size[8]; /* elements; the first may be 0: unknown */
	uint32_t count;
};
bool parse_dimensions(struct parser *p, struct dimensions *d);
bool parse_initial(struct parser *p, uint32_t variable, const struct dimensions *d);

/* ---- functions (parse_function.c, parse_insn.c) */
bool parse_function(struct parser *p, enum linkage linkage);
bool parse_statement_instruction(struct parser *p); /* parse_instruction(), or a problem kept for later */
bool parse_loc(struct parser *p);
bool parse_file(struct parser *p);
/* Everything up to a ';', as of a .pragma. */
bool parse_skip_statement(struct parser *p);
bool parse_skip_parentheses(struct parser *p);

#endif
