/* The parser of formulas: a function per rule of the grammar in docs/experiments.md. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "papers/formula/formula.h"

/* NODES_MAX bounds the recursion of an evaluation: a sum of n terms is n deep. */
enum { FORMULA_BYTES_MAX = 16384, DEPTH_MAX = 64, NODES_MAX = 1024 };

struct parser {
	struct formula *formula;
	const char *text;
	size_t at;
	int depth;
	size_t nodes;
	struct error *err;
};

/* ---- places ----------------------------------------------------------------------------------------------- */

static bool fail_at(const struct formula *f, size_t at, struct error *err, const char *fmt, va_list args)
{
	char text[600];
	vsnprintf(text, sizeof text, fmt, args);
	return error_at(err, f->file, f->line, f->column ? f->column + at : 0, "%s", text);
}

bool formula_fail(const struct formula *formula, const struct formula_node *node, struct error *err,
                  const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	fail_at(formula, node->at, err, fmt, args);
	va_end(args);
	return false;
}

bool evaluation_fail(const struct evaluation *e, const struct formula_node *node, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	fail_at(e->formula, node->at, e->err, fmt, args);
	va_end(args);
	return false;
}

static void *fail(struct parser *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void *fail(struct parser *p, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	fail_at(p->formula, p->at, p->err, fmt, args);
	va_end(args);
	return NULL;
}

/* ---- nodes and words -------------------------------------------------------------------------------------- */

static struct formula_node *node_new(struct parser *p, enum formula_kind kind, size_t at)
{
	struct formula_node *node = memory_zeroed(1, sizeof *node);
	node->kind = kind;
	node->at = at;
	node->older = p->formula->newest;
	p->nodes++;
	return p->formula->newest = node;
}

static struct formula_node *operator_new(struct parser *p, enum formula_operator op, size_t at,
                                         struct formula_node *left, struct formula_node *right)
{
	struct formula_node *node = node_new(p, FORMULA_OPERATOR, at);
	node->op = op;
	node->first = left;
	left->next = right;
	return node;
}

static void skip(struct parser *p)
{
	while (p->text[p->at] && isspace((unsigned char)p->text[p->at]))
		p->at++;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Consume a sign if it comes next. */
static bool take(struct parser *p, const char *sign)
{
	skip(p);
	size_t length = strlen(sign);
	if (strncmp(p->text + p->at, sign, length))
		return false;
	if (is_word(sign[0]) && is_word(p->text[p->at + length]))
		return false;
	p->at += length;
	return true;
}

static char *copy_range(const char *from, size_t length)
{
	char *text = memory_zeroed(length + 1, 1);
	memcpy(text, from, length);
	return text;
}

static struct formula_node *parse_or(struct parser *p);

/* ---- the grammar ------------------------------------------------------------------------------------------ */

/* TEXT := "..." or '...' */
static char *parse_text(struct parser *p)
{
	char quote = p->text[p->at];
	const char *start = p->text + p->at + 1, *end = strchr(start, quote);
	if (!end)
		return fail(p, "a text without its closing %c", quote);
	p->at += (size_t)(end - start) + 2;
	return copy_range(start, (size_t)(end - start));
}

/* NUMBER := digits [K | M | G | %] */
static struct formula_node *parse_number(struct parser *p)
{
	struct formula_node *node = node_new(p, FORMULA_NUMBER, p->at);
	char *end;
	node->number = strtod(p->text + p->at, &end);
	static const struct {
		char sign;
		double factor;
	} scales[] = {{'K', 1e3}, {'M', 1e6}, {'G', 1e9}, {'%', 0.01}};
	for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
		if (*end == scales[i].sign) {
			node->number *= scales[i].factor;
			end++;
			break;
		}
	p->at = (size_t)(end - p->text);
	return is_word(*end) ? fail(p, "expected a number") : node;
}

/* NAME ('.' NAME)* */
static char *parse_name(struct parser *p)
{
	size_t start = p->at;
	while (is_word(p->text[p->at]) || (p->text[p->at] == '.' && is_word(p->text[p->at + 1])))
		p->at++;
	return copy_range(p->text + start, p->at - start);
}

/* '(' expr (',' expr)* ')' after a function's name */
static struct formula_node *parse_call(struct parser *p, struct formula_node *node)
{
	struct formula_node **tail = &node->first;
	node->kind = FORMULA_CALL;
	if (take(p, ")"))
		return node;
	do {
		struct formula_node *argument = parse_or(p);
		if (!argument)
			return NULL;
		*tail = argument;
		tail = &argument->next;
	} while (take(p, ","));
	return take(p, ")") ? node : fail(p, "expected ',' or ')' after an argument of %s", node->text);
}

/* primary := NUMBER | TEXT | NAME ('.' NAME)* | NAME '(' ... ')' | '(' expr ')' */
static struct formula_node *parse_primary(struct parser *p)
{
	skip(p);
	char c = p->text[p->at];
	if (take(p, "(")) {
		struct formula_node *inner = parse_or(p);
		return !inner || take(p, ")") ? inner : fail(p, "expected ')'");
	}
	if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)p->text[p->at + 1])))
		return parse_number(p);
	struct formula_node *node = node_new(p, FORMULA_TEXT, p->at);
	if (c == '"' || c == '\'') {
		node->text = parse_text(p);
		return node->text ? node : NULL;
	}
	if (!isalpha((unsigned char)c) && c != '_')
		return c ? fail(p, "expected a value, found '%c'", c)
		         : fail(p, "expected a value at the end");
	node->kind = FORMULA_NAME;
	node->text = parse_name(p);
	return take(p, "(") ? parse_call(p, node) : node;
}

/* pick := TEXT | NAME '=' (NUMBER | TEXT) */
static struct formula_node *parse_pick(struct parser *p, struct formula_node *from)
{
	skip(p);
	struct formula_node *node = node_new(p, FORMULA_PICK, p->at);
	node->first = from;
	if (isalpha((unsigned char)p->text[p->at])) {
		node->name = parse_name(p);
		if (!take(p, "="))
			return fail(p, "expected '=' after %s; write a label in quotes", node->name);
		skip(p);
	}
	char c = p->text[p->at];
	if (c == '"' || c == '\'') {
		node->text = parse_text(p);
		return node->text ? node : NULL;
	}
	size_t start = p->at;
	while (is_word(p->text[p->at]) || p->text[p->at] == '.')
		p->at++;
	if (!node->name || p->at == start)
		return fail(p, "expected a label in quotes, or VARIABLE=VALUE");
	node->text = copy_range(p->text + start, p->at - start);
	return node;
}

/* postfix := primary ('[' pick (',' pick)* ']')* */
static struct formula_node *parse_postfix(struct parser *p)
{
	struct formula_node *node = parse_primary(p);
	while (node && take(p, "[")) {
		do
			node = parse_pick(p, node);
		while (node && take(p, ","));
		if (node && !take(p, "]"))
			return fail(p, "expected ',' or ']'");
	}
	return node;
}

static struct formula_node *parse_factor(struct parser *p);

/* power := postfix ('^' factor)? */
static struct formula_node *parse_power(struct parser *p)
{
	struct formula_node *left = parse_postfix(p);
	size_t at = p->at;
	if (!left || !take(p, "^"))
		return left;
	struct formula_node *right = parse_factor(p);
	return right ? operator_new(p, OPERATOR_POWER, at, left, right) : NULL;
}

/* factor := '-' factor | power */
static struct formula_node *parse_factor(struct parser *p)
{
	skip(p);
	size_t at = p->at;
	if (++p->depth > DEPTH_MAX)
		return fail(p, "nested too deeply");
	struct formula_node *node;
	if (take(p, "-")) {
		node = parse_factor(p);
		node = node ? operator_new(p, OPERATOR_NEGATE, at, node, NULL) : NULL;
	} else {
		node = parse_power(p);
	}
	p->depth--;
	return node;
}

struct sign {
	const char *text;
	enum formula_operator op;
};

static bool take_sign(struct parser *p, const struct sign *signs, size_t count, enum formula_operator *op)
{
	for (size_t i = 0; i < count; i++)
		if (take(p, signs[i].text)) {
			*op = signs[i].op;
			return true;
		}
	return false;
}

/* Parse a chain of left-associative operators of one precedence. */
static struct formula_node *parse_row(struct parser *p, struct formula_node *(*operand)(struct parser *p),
                                      const struct sign *signs, size_t count)
{
	struct formula_node *left = operand(p);
	enum formula_operator op = OPERATOR_ADD;
	size_t at = p->at;
	while (left && take_sign(p, signs, count, &op)) {
		struct formula_node *right = operand(p);
		left = right ? operator_new(p, op, at, left, right) : NULL;
		at = p->at;
	}
	return left;
}

/* term := factor (('*' | '/') factor)* */
static struct formula_node *parse_term(struct parser *p)
{
	static const struct sign signs[] = {{"*", OPERATOR_MULTIPLY}, {"/", OPERATOR_DIVIDE}};
	return parse_row(p, parse_factor, signs, 2);
}

/* sum := term (('+' | '-') term)* */
static struct formula_node *parse_sum(struct parser *p)
{
	static const struct sign signs[] = {{"+", OPERATOR_ADD}, {"-", OPERATOR_SUBTRACT}};
	return parse_row(p, parse_term, signs, 2);
}

/* In a < b < c, b belongs to two comparisons: copy the node; the copies share their operands. */
static struct formula_node *again(struct parser *p, const struct formula_node *node)
{
	struct formula_node *copy = node_new(p, node->kind, node->at), *older = copy->older;
	*copy = *node;
	copy->older = older;
	copy->next = NULL;
	copy->text = node->text ? memory_text(node->text) : NULL;
	copy->name = node->name ? memory_text(node->name) : NULL;
	return copy;
}

/* compare := sum (('<' | '<=' | '>' | '>=' | '==' | '!=' | '~') sum)* */
static struct formula_node *parse_compare(struct parser *p)
{
	static const struct sign signs[] = {{"<=", OPERATOR_LESS_EQUAL}, {">=", OPERATOR_MORE_EQUAL},
	                                    {"==", OPERATOR_EQUAL},      {"!=", OPERATOR_UNEQUAL},
	                                    {"<", OPERATOR_LESS},        {">", OPERATOR_MORE},
	                                    {"~", OPERATOR_NEAR}};
	struct formula_node *left = parse_sum(p), *chain = NULL;
	enum formula_operator op = OPERATOR_LESS;
	size_t at = p->at;
	while (left && take_sign(p, signs, sizeof signs / sizeof *signs, &op)) {
		struct formula_node *right = parse_sum(p);
		if (!right)
			return NULL;
		struct formula_node *link = operator_new(p, op, at, left, right);
		chain = chain ? operator_new(p, OPERATOR_AND, at, chain, link) : link;
		left = again(p, right);
		at = p->at;
	}
	return chain ? chain : left;
}

/* not := 'not' not | compare */
static struct formula_node *parse_not(struct parser *p)
{
	skip(p);
	size_t at = p->at;
	if (!take(p, "not"))
		return parse_compare(p);
	struct formula_node *node = parse_not(p);
	return node ? operator_new(p, OPERATOR_NOT, at, node, NULL) : NULL;
}

/* and := not ('and' not)* */
static struct formula_node *parse_and(struct parser *p)
{
	static const struct sign signs[] = {{"and", OPERATOR_AND}};
	return parse_row(p, parse_not, signs, 1);
}

/* or := and ('or' and)* */
static struct formula_node *parse_or(struct parser *p)
{
	static const struct sign signs[] = {{"or", OPERATOR_OR}};
	if (++p->depth > DEPTH_MAX)
		return fail(p, "nested too deeply");
	struct formula_node *node = parse_row(p, parse_and, signs, 1);
	p->depth--;
	return node;
}

struct formula *formula_parse(const char *text, const char *file, uint64_t line, uint64_t column,
                              struct error *err)
{
	struct formula *formula = memory_zeroed(1, sizeof *formula);
	formula->text = memory_text(text);
	formula->file = memory_text(file);
	formula->line = line;
	formula->column = column;
	struct parser p = {.formula = formula, .text = formula->text, .err = err};
	if (strlen(text) > FORMULA_BYTES_MAX)
		fail(&p, "a formula of more than %d characters", FORMULA_BYTES_MAX);
	else
		formula->root = parse_or(&p);
	skip(&p);
	if (formula->root && p.text[p.at]) {
		char clip[CLIP_SIZE];
		fail(&p, "expected an operator or the end, found '%s'", clip_text(clip, p.text + p.at));
		formula->root = NULL;
	}
	if (formula->root && p.nodes > NODES_MAX) {
		fail(&p, "a formula of more than %d numbers, names and operators", NODES_MAX);
		formula->root = NULL;
	}
	if (formula->root)
		return formula;
	formula_free(formula);
	return NULL;
}

void formula_free(struct formula *formula)
{
	if (!formula)
		return;
	for (struct formula_node *node = formula->newest, *older; node; node = older) {
		older = node->older;
		free(node->text);
		free(node->name);
		free(node);
	}
	free(formula->text);
	free(formula->file);
	free(formula);
}

void formula_names(const struct formula *formula, void (*visit)(void *user, const char *name), void *user)
{
	for (const struct formula_node *node = formula->newest; node; node = node->older)
		if (node->kind == FORMULA_NAME)
			visit(user, node->text);
}

bool read_formula(const struct reader *r, const struct tree_node *node, struct formula **formula)
{
	if (node->kind != TREE_SCALAR || !*node->text)
		return read_fail(r, node, "a formula");
	*formula = formula_parse(node->text, r->file, node->line, node->column + !node->plain, r->err);
	return *formula != NULL;
}
