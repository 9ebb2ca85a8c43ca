/*
 * Formulas: the small language of docs/experiments.md. Parsing gives a tree;
 * evaluating it needs a scope that knows the names. A formula is checked by
 * evaluating it in a scope that knows the names and no values.
 */
#ifndef SLUICE_PAPERS_FORMULA_FORMULA_H
#define SLUICE_PAPERS_FORMULA_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
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
	char *text; /* a text; a name with its dots; a function; a pick's text or value */
	char *name; /* of a pick: its variable; NULL: a label or a set */
	struct formula_node *first, *next; /* operands, arguments; of a pick: what is picked from */
	struct formula_node *older;        /* all nodes, for formula_free() */
	size_t at;                         /* in the formula's text, from 0 */
};

struct formula {
	char *text, *file;
	uint64_t line, column; /* of the text's first character; column 0: not known */
	struct formula_node *root, *newest;
};

/* NULL: err has file, line, column. All texts are copied. */
struct formula *formula_parse(const char *text, const char *file, uint64_t line, uint64_t column,
                              struct error *err);
void formula_free(struct formula *formula);

struct formula_scope {
	/* The value of a dotted name; false: err says why there is none, without a place. */
	bool (*name)(void *user, const char *name, struct scratch *scratch, struct array *out,
	             struct error *err);
	/*
	 * A function beyond the common ones. *known false: there is none of that name. NULL: no others. Arguments
	 * are evaluated by the scope if it wants to.
	 */
	bool (*call)(const struct formula *formula, const struct formula_node *node,
	             const struct formula_scope *scope, struct scratch *scratch, struct array *out,
	             bool *known, struct error *err);
	void *user;
};

/* False: err has the place. What is allocated belongs to the scratch. */
bool formula_evaluate(const struct formula *formula, const struct formula_scope *scope,
                      struct scratch *scratch, struct array *out, struct error *err);
/* The same, of a part. */
bool formula_evaluate_node(const struct formula *formula, const struct formula_node *node,
                           const struct formula_scope *scope, struct scratch *scratch, struct array *out,
                           struct error *err);
/* To one number; NaN: missing. */
bool formula_number(const struct formula *formula, const struct formula_scope *scope, double *number,
                    struct error *err);
/* "file:line:column: ..." of a node; always false. */
bool formula_fail(const struct formula *formula, const struct formula_node *node, struct error *err,
                  const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* Calls `visit` for every name in it. */
void formula_names(const struct formula *formula, void (*visit)(void *user, const char *name), void *user);

/* formula_functions.c: the common functions. */
bool formula_call(const struct formula *formula, const struct formula_node *node,
                  const struct formula_scope *scope, struct scratch *scratch, struct array *out, bool *known,
                  struct error *err);
/* The nearest of the names of functions; NULL: none is near. */
const char *formula_suggest_function(const char *name);
/* formula_model.c: machine(), param(), storage_bits(), sets_used(), set_of(). */
bool formula_call_model(const struct formula *formula, const struct formula_node *node,
                        const struct formula_scope *scope, struct scratch *scratch, struct array *out,
                        bool *known, struct error *err);
/* A machine's value: a number, a truth, or the spelling of a choice. */
struct array formula_machine_value(struct scratch *scratch, const struct machine *machine,
                                   const struct machine_key *key);
size_t formula_count_arguments(const struct formula_node *node);
/* Argument i as a text or a number; false: err has the place. */
bool formula_text_argument(const struct formula *formula, const struct formula_node *node, size_t i,
                           const char **text, struct error *err);
bool formula_number_argument(const struct formula *formula, const struct formula_node *node,
                             const struct formula_scope *scope, struct scratch *scratch, size_t i,
                             double *number, struct error *err);

/* The formula that stands at a node of a YAML file. */
bool read_formula(const struct reader *r, const struct tree_node *node, struct formula **formula);

#endif
