/*
 * Formulas, the language of docs/experiments.md. Parsing makes a tree; evaluating it needs a scope that knows the names.
 * Evaluation in a scope without values checks a formula.
 */
#ifndef SLUICE_PAPERS_FORMULA_FORMULA_H
#define SLUICE_PAPERS_FORMULA_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/suggest.h"
#include "papers/formula/array.h"
#include "yaml/reader.h"

struct machine;
struct machine_key;

enum formula_kind {
	FORMULA_NUMBER,
	FORMULA_TEXT,
	FORMULA_NAME,
	FORMULA_CALL,
	FORMULA_PICK,
	FORMULA_OPERATOR
};
enum formula_operator {
	OPERATOR_OR,
	OPERATOR_AND,
	OPERATOR_NOT,
	OPERATOR_LESS,
	OPERATOR_LESS_EQUAL,
	OPERATOR_MORE,
	OPERATOR_MORE_EQUAL,
	OPERATOR_EQUAL,
	OPERATOR_UNEQUAL,
	OPERATOR_NEAR,
	OPERATOR_ADD,
	OPERATOR_SUBTRACT,
	OPERATOR_MULTIPLY,
	OPERATOR_DIVIDE,
	OPERATOR_NEGATE,
	OPERATOR_POWER
};

struct formula_node {
	enum formula_kind kind;
	enum formula_operator op;
	double number;
	char *text; /* a text, a dotted name, a function, or the label of a pick */
	char *name; /* of a pick: its variable; NULL: the label is of a series, workload or set */
	struct formula_node *first, *next; /* operands or arguments; of a pick: the value it picks from */
	struct formula_node *older;        /* all nodes, for formula_free() */
	size_t at;                         /* offset in the formula's text */
};

struct formula {
	char *text, *file;
	uint64_t line, column; /* of the text's first character; column 0: not known */
	struct formula_node *root, *newest;
};

/* Parse a formula; NULL: err has file, line, column. Texts are copied. */
struct formula *formula_parse(const char *text, const char *file, uint64_t line, uint64_t column,
                              struct error *err);
void formula_free(struct formula *formula);

struct evaluation;

struct formula_scope {
	/* Find the value of a dotted name; false: err says why there is none, without a place. */
	bool (*name)(void *user, const char *name, struct scratch *scratch, struct array *out,
	             struct error *err);
	/* Call a function beyond the common ones; *known is false if there is none of that name. NULL: no others. */
	bool (*call)(const struct evaluation *e, const struct formula_node *node, struct array *out,
	             bool *known);
	void *user;
};

/* What every step of an evaluation needs. The scratch owns all results; err gets the place of what is wrong. */
struct evaluation {
	const struct formula *formula;
	const struct formula_scope *scope;
	struct scratch *scratch;
	struct error *err;
};

/* Evaluate a formula. False: err has the place. */
bool formula_evaluate(const struct formula *formula, const struct formula_scope *scope,
                      struct scratch *scratch, struct array *out, struct error *err);
/* Evaluate to one number; NaN: missing. */
bool formula_number(const struct formula *formula, const struct formula_scope *scope, double *number,
                    struct error *err);
/* Write "file:line:column: ..." of a node into err; return false. */
bool formula_fail(const struct formula *formula, const struct formula_node *node, struct error *err,
                  const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* Call `visit` for every name in the formula. */
void formula_names(const struct formula *formula, void (*visit)(void *user, const char *name), void *user);

/* ---- for functions ---------------------------------------------------------------------------------------- */

bool evaluate_node(const struct evaluation *e, const struct formula_node *node, struct array *out);
bool evaluation_fail(const struct evaluation *e, const struct formula_node *node, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
size_t formula_count_arguments(const struct formula_node *node);
/* Argument i as a text or a number; false: err has the place. */
bool formula_text_argument(const struct evaluation *e, const struct formula_node *node, size_t i,
                           const char **text);
bool formula_number_argument(const struct evaluation *e, const struct formula_node *node, size_t i,
                             double *number);
/* Return a machine's value: a number, 0 or 1, or the spelling of a choice. */
struct array formula_machine_value(struct scratch *scratch, const struct machine *machine,
                                   const struct machine_key *key);

/* functions.c: the common functions. */
bool formula_call(const struct evaluation *e, const struct formula_node *node, struct array *out,
                  bool *known);
/* Compare a name with those of all functions. */
struct suggest formula_suggest_function(const char *name);
/* model_functions.c: machine(), param(), storage_bits(), sets_used(), set_of(). */
bool formula_call_model(const struct evaluation *e, const struct formula_node *node, struct array *out,
                        bool *known);

/* Read the formula at a node of a YAML file. */
bool read_formula(const struct reader *r, const struct tree_node *node, struct formula **formula);

#endif
