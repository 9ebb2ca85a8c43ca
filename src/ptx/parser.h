/*
 * The parser's state, shared by the files that parse parts of the grammar.
 *
 * Functions named parse_* read a rule of the grammar from the current token on. They return false after an error, which
 * they have reported. Their comments give the rule: [x] is optional, {x} is repeated, ... leaves details out.
 */
#ifndef SLUICE_PTX_PARSER_H
#define SLUICE_PTX_PARSER_H

#include "ptx/arena.h"
#include "ptx/forms.h"
#include "ptx/lexer.h"
#include "ptx/ptx.h"
#include "ptx/symbol_table.h"

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

/* A use of a label or branch table that may be defined further down. */
struct pending {
	struct token name;
	enum symbol wanted;
	uint32_t operand; /* that gets the index, or */
	uint32_t *slot;   /* the entry of a branch table that does */
};

/* The meaning of an opcode's text. */
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
	struct symbol_table symbols, opcodes;
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
	/* The function that is being parsed. */
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
/* Report "unexpected 'x', expected ..." at the current token. */
bool parser_expected(struct parser *p, const char *what);
bool parser_accept(struct parser *p, char punctuation);
bool parser_expect(struct parser *p, char punctuation, const char *where);
bool parser_at_word(const struct parser *p, const char *word); /* ".reg" */
bool parser_accept_word(struct parser *p, const char *word);
/* Write a token as text for a message; return buf. */
enum { SHOW_SIZE = 64 };
const char *parser_show(char buf[SHOW_SIZE], const struct token *t);
/* Return the largest value of an integer of `bits` bits as it is written, with or without a minus before it. */
uint64_t literal_limit(unsigned bits, bool minus);
/* Return the bits of a number of 4 or 8 bytes, from the value of a TOKEN_SINGLE or TOKEN_DOUBLE. */
uint64_t literal_float_bits(enum token_kind kind, uint64_t value, bool minus, unsigned bytes);
/* Read an integer in [0, max]. */
bool parser_integer(struct parser *p, const char *what, uint64_t max, uint64_t *value);
/* Make room for one more element of an array; return the array. */
void *parser_reserve(void *array, uint32_t *capacity, uint32_t count, size_t size);
#define PARSER_PUSH(array, capacity, count)                                                                  \
	((array) = parser_reserve(array, &(capacity), count, sizeof *(array)), &(array)[(count)++])

/* ---- names and scopes (parser.c) */
bool symbol_declare(struct parser *p, const struct token *name, enum symbol kind, uint32_t index,
                    uint32_t depth);
/* Look up a register, variable, function ...; false if there is none. Creates registers of a range on first use. */
bool symbol_find(struct parser *p, const struct token *name, enum symbol *kind, uint32_t *index);
/* Have the index of a label or branch table put into the operand or the slot when its scope closes. */
void symbol_await(struct parser *p, const struct token *name, enum symbol wanted, uint32_t operand,
                  uint32_t *slot);
/* Add a register to the function; return its index. */
uint32_t parser_new_register(struct parser *p, const struct token *name, uint8_t type);
struct scope {
	uint32_t name_count, pending_count, range_count, nested_ranges;
};
struct scope scope_open(struct parser *p);
/* Resolve the labels that the scope defines. Fails if the function's own scope closes and some are missing. */
bool scope_close(struct parser *p, const struct scope *scope);

/* ---- declarations (parse_declaration.c) */
/* Variables from their state space on; `expected` names what else could stand here, for the message. */
bool parse_variables(struct parser *p, bool is_extern, const char *expected);
bool parse_registers(struct parser *p);
/* A list of the indices of variables, in the module's arena. */
struct variable_list {
	const uint32_t *index;
	uint32_t count;
};
bool parse_params(struct parser *p, struct variable_list *params);

/* ---- functions (parse_function.c) */
bool parse_function(struct parser *p);
bool parse_loc(struct parser *p);
bool parse_file(struct parser *p);
bool parse_skip_statement(struct parser *p);
bool parse_skip_parentheses(struct parser *p);

/* ---- instructions (parse_insn.c) */
/* With is_tolerant, an instruction that is refused is kept as a problem of the module. */
bool parse_instruction(struct parser *p);

#endif
