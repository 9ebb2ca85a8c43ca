/*
 * The parser: tokens and messages, names in their scopes, and the module, from
 * its head to its declarations and functions. Debug sections are skipped.
 *
 * A range of registers, %r<1000>, takes no room: symbol_find() creates a register when it is first named. Labels are
 * looked up when their scope closes, since they may follow the branch.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ptx/parser.h"

/* ---- tokens and messages -------------------------------------------------------------------------------- */

void parser_advance(struct parser *p)
{
	p->token = lexer_next(&p->lexer);
}

bool parser_fail(struct parser *p, const struct token *at, const char *fmt, ...)
{
	char text[768];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return error_at(p->err, p->module->file, at->line, at->column, "%s", text);
}

const char *parser_show(char buf[SHOW_SIZE], const struct token *t)
{
	if (t->kind == TOKEN_END)
		return strcpy(buf, "end of text");
	const char *quote = t->kind == TOKEN_STRING ? "\"" : "'";
	size_t n = t->length < SHOW_SIZE - 8 ? t->length : SHOW_SIZE - 8;
	snprintf(buf, SHOW_SIZE, "%s%.*s%s%s", quote, (int)n, t->text, n < t->length ? "..." : "", quote);
	for (char *c = buf; *c; c++)
		if ((unsigned char)*c < 0x20 || (unsigned char)*c >= 0x7f)
			*c = '?';
	return buf;
}

bool parser_expected(struct parser *p, const char *what)
{
	char buf[SHOW_SIZE];
	if (p->token.kind == TOKEN_BAD)
		return parser_fail(p, &p->token, "%s %s, expected %s", p->lexer.problem,
		                   parser_show(buf, &p->token), p->lexer.wanted ? p->lexer.wanted : what);
	return parser_fail(p, &p->token, "unexpected %s, expected %s", parser_show(buf, &p->token), what);
}

bool parser_accept(struct parser *p, char punctuation)
{
	if (!token_is(&p->token, punctuation))
		return false;
	parser_advance(p);
	return true;
}

bool parser_expect(struct parser *p, char punctuation, const char *where)
{
	if (parser_accept(p, punctuation))
		return true;
	char what[96];
	snprintf(what, sizeof what, "'%c' %s", punctuation, where);
	return parser_expected(p, what);
}

bool parser_at_word(const struct parser *p, const char *word)
{
	return p->token.kind == TOKEN_WORD && p->token.length == strlen(word) &&
	       !memcmp(p->token.text, word, p->token.length);
}

bool parser_accept_word(struct parser *p, const char *word)
{
	if (!parser_at_word(p, word))
		return false;
	parser_advance(p);
	return true;
}

bool parser_integer(struct parser *p, const char *what, uint64_t max, uint64_t *value)
{
	if (p->token.kind != TOKEN_INTEGER)
		return parser_expected(p, what);
	if (p->token.value > max)
		return parser_fail(p, &p->token, "%s is %llu, expected at most %llu", what,
		                   (unsigned long long)p->token.value, (unsigned long long)max);
	*value = p->token.value;
	parser_advance(p);
	return true;
}

uint64_t literal_limit(unsigned bits, bool minus)
{
	return minus ? (uint64_t)1 << (bits - 1) : bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

uint64_t literal_float_bits(enum token_kind kind, uint64_t value, bool minus, unsigned bytes)
{
	uint32_t single_bits = (uint32_t)value;
	uint64_t sign = minus ? (uint64_t)1 << (bytes * 8 - 1) : 0;
	float single;
	double number;
	if (kind == TOKEN_SINGLE) {
		memcpy(&single, &single_bits, sizeof single);
		number = single;
	} else {
		memcpy(&number, &value, sizeof number);
		single = (float)number;
		memcpy(&single_bits, &single, sizeof single_bits);
	}
	memcpy(&value, &number, sizeof value);
	return (bytes == 4 ? single_bits : value) ^ sign;
}

void *parser_reserve(void *array, uint32_t *capacity, uint32_t count, size_t size)
{
	if (count < *capacity)
		return array;
	*capacity = *capacity ? *capacity * 2 : 16;
	return memory_grow(array, *capacity, size);
}

/* ---- names and scopes ----------------------------------------------------------------------------------- */

static void symbol_add(struct parser *p, const struct token *name, enum symbol kind, uint32_t index,
                       uint32_t depth)
{
	symbol_table_add(
	    &p->symbols,
	    (struct symbol_entry){
	        .text = name->text, .length = name->length, .depth = depth, .kind = kind, .index = index});
}

bool symbol_declare(struct parser *p, const struct token *name, enum symbol kind, uint32_t index,
                    uint32_t depth)
{
	char buf[SHOW_SIZE];
	const struct symbol_entry *old = symbol_table_find(&p->symbols, name->text, name->length);
	if (old && old->depth == depth)
		return parser_fail(p, name, "%s is declared twice in this scope, expected a new name",
		                   parser_show(buf, name));
	symbol_add(p, name, kind, index, depth);
	return true;
}

/* Return the range that declares %r17: the name without the digits, if the range has enough registers. */
static const struct symbol_entry *symbol_range(const struct parser *p, const struct token *name)
{
	uint32_t n = name->length;
	uint64_t number = 0, power = 1;
	while (n > 1 && name->text[n - 1] >= '0' && name->text[n - 1] <= '9' && name->length - n < 10) {
		number += (uint64_t)(name->text[--n] - '0') * power;
		power *= 10;
	}
	if (n == name->length || (name->text[n] == '0' && n + 1 < name->length))
		return NULL;
	const struct symbol_entry *range = symbol_table_find(&p->symbols, name->text, n);
	return range && range->kind == SYMBOL_RANGE && number < p->ranges[range->index].count ? range : NULL;
}

uint32_t parser_new_register(struct parser *p, const struct token *name, uint8_t type)
{
	*PARSER_PUSH(p->registers, p->capacity.registers, p->register_count) =
	    (struct ptx_register){.name = arena_text(p->arena, name->text, name->length),
	                          .type = type,
	                          .physical = PTX_NO_PHYSICAL};
	return p->register_count - 1;
}

bool symbol_find(struct parser *p, const struct token *name, enum symbol *kind, uint32_t *index)
{
	const struct symbol_entry *found = symbol_table_find(&p->symbols, name->text, name->length);
	if (!found || p->nested_ranges) {
		const struct symbol_entry *range = symbol_range(p, name);
		if (range && (!found || range->depth > found->depth)) {
			*kind = SYMBOL_REGISTER;
			*index = parser_new_register(p, name, p->ranges[range->index].type);
			symbol_add(p, name, SYMBOL_REGISTER, *index, range->depth);
			return true;
		}
	}
	if (!found || found->kind == SYMBOL_RANGE)
		return false;
	*kind = (enum symbol)found->kind;
	*index = found->index;
	return true;
}

struct scope scope_open(struct parser *p)
{
	p->depth++;
	return (struct scope){.name_count = p->symbols.count,
	                      .pending_count = p->pending_count,
	                      .range_count = p->range_count,
	                      .nested_ranges = p->nested_ranges};
}

void symbol_await(struct parser *p, const struct token *name, enum symbol wanted, uint32_t operand,
                  uint32_t *slot)
{
	*PARSER_PUSH(p->pendings, p->capacity.pendings, p->pending_count) =
	    (struct pending){.name = *name, .wanted = wanted, .operand = operand, .slot = slot};
}

static bool pending_resolve(struct parser *p, const struct pending *pending)
{
	const struct symbol_entry *found =
	    symbol_table_find(&p->symbols, pending->name.text, pending->name.length);
	if (!found || found->depth != p->depth || found->kind != (uint32_t)pending->wanted)
		return false;
	if (pending->slot)
		*pending->slot = found->index;
	else
		p->module->operands[pending->operand].index = found->index;
	return true;
}

bool scope_close(struct parser *p, const struct scope *scope)
{
	char buf[SHOW_SIZE];
	uint32_t kept = scope->pending_count;
	for (uint32_t i = scope->pending_count; i < p->pending_count; i++) {
		struct pending pending = p->pendings[i];
		if (pending_resolve(p, &pending))
			continue;
		if (p->depth == 1)
			return parser_fail(p, &pending.name, "undefined %s %s, expected one of this function",
			                   pending.wanted == SYMBOL_TABLE ? "branch table" : "label",
			                   parser_show(buf, &pending.name));
		p->pendings[kept++] = pending;
	}
	p->pending_count = kept;
	p->depth--;
	symbol_table_close(&p->symbols, scope->name_count, p->depth);
	p->range_count = scope->range_count;
	p->nested_ranges = scope->nested_ranges;
	return true;
}

/* ---- the module ----------------------------------------------------------------------------------------- */

enum { TEXT_BYTES_MAX = 1 << 30 };

/* version = ".version" number, from the number on */
static bool parse_version(struct parser *p)
{
	double version;
	if (p->token.kind != TOKEN_DOUBLE)
		return parser_expected(p, "a version such as 6.5");
	memcpy(&version, &p->token.value, sizeof version);
	if (!(version >= 1 && version < 100))
		return parser_expected(p, "a version such as 6.5");
	p->module->version = (uint32_t)(version * 10 + 0.5);
	parser_advance(p);
	return true;
}

/* target = ".target" name {"," name}: sm_70, debug */
static bool parse_target(struct parser *p)
{
	char buf[SHOW_SIZE];
	do {
		if (p->token.kind != TOKEN_NAME)
			return parser_expected(p, "a target such as sm_70");
		if (p->token.length > 3 && !memcmp(p->token.text, "sm_", 3))
			p->module->target = (uint32_t)strtoul(parser_show(buf, &p->token) + 4, NULL, 10);
		parser_advance(p);
	} while (parser_accept(p, ','));
	return true;
}

/* address_size = ".address_size" "64" */
static bool parse_address_size(struct parser *p)
{
	if (p->token.kind != TOKEN_INTEGER || p->token.value != 64)
		return parser_expected(p, "address size 64");
	p->module->address_bits = 64;
	parser_advance(p);
	return true;
}

/* section = ".section" [name] "{" ... "}": debug information, which is skipped */
static bool parse_section(struct parser *p)
{
	if (p->token.kind == TOKEN_WORD || p->token.kind == TOKEN_STRING || p->token.kind == TOKEN_NAME)
		parser_advance(p);
	if (!parser_expect(p, '{', "after the name of a section"))
		return false;
	while (!token_is(&p->token, '}')) {
		if (p->token.kind == TOKEN_END || p->token.kind == TOKEN_BAD)
			return parser_expected(p, "'}' at the end of a section");
		parser_advance(p);
	}
	parser_advance(p);
	return true;
}

/* alias = ".alias" f "," g ";": calls of f go to g */
static bool parse_alias(struct parser *p)
{
	uint32_t pair[2];
	for (unsigned i = 0; i < 2; i++) {
		enum symbol kind;
		if (p->token.kind != TOKEN_NAME || !symbol_find(p, &p->token, &kind, &pair[i]) ||
		    kind != SYMBOL_FUNCTION)
			return parser_expected(p, "a function that has been declared");
		parser_advance(p);
		if (i == 0 && !parser_expect(p, ',', "after an alias"))
			return false;
	}
	uint32_t(*alias)[2] = PARSER_PUSH(p->aliases, p->capacity.aliases, p->alias_count);
	(*alias)[0] = pair[0];
	(*alias)[1] = pair[1];
	return parser_expect(p, ';', "after an alias");
}

/* declaration = [".visible" | ".extern" | ".weak" | ".common"] (function | variables) */
static bool parse_declaration(struct parser *p)
{
	bool is_extern = parser_accept_word(p, ".extern");
	if (!is_extern && !parser_accept_word(p, ".visible") && !parser_accept_word(p, ".weak"))
		parser_accept_word(p, ".common");
	if (parser_at_word(p, ".func") || parser_at_word(p, ".entry"))
		return parse_function(p);
	if (parser_at_word(p, ".reg"))
		return parse_registers(p);
	return parse_variables(p, is_extern, "a variable, a function or a directive of a module");
}

struct directive {
	const char *word;
	bool (*parse)(struct parser *p);
};
static const struct directive directives[] = {
    {".version", parse_version}, {".target", parse_target},         {".address_size", parse_address_size},
    {".file", parse_file},       {".section", parse_section},       {".alias", parse_alias},
    {".loc", parse_loc},         {".pragma", parse_skip_statement},
};

/* toplevel = ";" | directive | declaration */
static bool parse_toplevel(struct parser *p)
{
	if (parser_accept(p, ';'))
		return true;
	for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
		if (parser_accept_word(p, directives[i].word))
			return directives[i].parse(p);
	return parse_declaration(p);
}

/* module = version {toplevel} */
static bool parse_module(struct parser *p)
{
	if (!parser_at_word(p, ".version"))
		return parser_expected(p, "'.version' at the start of a module");
	while (p->token.kind != TOKEN_END)
		if (!parse_toplevel(p))
			return false;
	return true;
}

static void apply_aliases(struct parser *p)
{
	struct ptx_module *m = p->module;
	uint32_t *target = memory_grow(NULL, m->function_count, sizeof *target);
	for (uint32_t f = 0; f < m->function_count; f++)
		target[f] = f;
	for (uint32_t a = 0; a < p->alias_count; a++) /* in order: an alias may name an earlier alias */
		target[p->aliases[a][0]] = target[p->aliases[a][1]];
	for (uint32_t i = 0; i < m->operand_count; i++)
		if (m->operands[i].kind == PTX_FUNCTION)
			m->operands[i].index = target[m->operands[i].index];
	free(target);
}

static void parser_release(struct parser *p)
{
	symbol_table_release(&p->symbols);
	symbol_table_release(&p->opcodes);
	free(p->memos);
	free(p->ranges);
	free(p->pendings);
	free(p->aliases);
	free(p->registers);
}

static struct ptx_module *parse_text(const char *file, const char *text, size_t bytes, bool is_tolerant,
                                     struct error *err)
{
	if (bytes > TEXT_BYTES_MAX) {
		error_set(err, "%s: %zu bytes of text, expected at most 2^30", file, bytes);
		return NULL;
	}
	struct ptx_module *m = memory_zeroed(1, sizeof *m);
	struct arena *arena = arena_new();
	m->arena = arena;
	m->file = arena_text(arena, file, strlen(file));
	m->address_bits = 64;
	m->operands = memory_grow(NULL, 0, sizeof *m->operands); /* not NULL: ptx_results() adds to it */
	struct parser p = {
	    .module = m, .arena = arena, .err = err, .function = PTX_NONE, .is_tolerant = is_tolerant};
	lexer_start(&p.lexer, text, bytes);
	parser_advance(&p);
	bool ok = parse_module(&p);
	if (ok && p.alias_count)
		apply_aliases(&p);
	parser_release(&p);
	/* Tolerated problems are in the module. */
	if (ok && is_tolerant && err)
		err->text[0] = '\0';
	if (ok)
		return m;
	ptx_module_free(m);
	return NULL;
}

struct ptx_module *ptx_parse(const char *file, const char *text, size_t bytes, struct error *err)
{
	return parse_text(file, text, bytes, false, err);
}

struct ptx_module *ptx_parse_tolerant(const char *file, const char *text, size_t bytes, struct error *err)
{
	return parse_text(file, text, bytes, true, err);
}

void ptx_module_free(struct ptx_module *m)
{
	if (!m)
		return;
	free(m->insns);
	free(m->flow);
	free(m->operands);
	free(m->functions);
	free(m->variables);
	free(m->tables);
	free(m->prototypes);
	free(m->sources);
	free(m->problems);
	arena_free(m->arena);
	free(m);
}

/* ---- look-up --------------------------------------------------------------------------------------------- */

uint32_t ptx_find_function(const struct ptx_module *m, const char *name)
{
	for (uint32_t f = 0; f < m->function_count; f++)
		if (!strcmp(m->functions[f].name, name))
			return f;
	return PTX_NONE;
}

uint32_t ptx_find_variable(const struct ptx_module *m, const char *name)
{
	for (uint32_t v = 0; v < m->variable_count; v++)
		if (m->variables[v].function == PTX_NONE && !strcmp(m->variables[v].name, name))
			return v;
	return PTX_NONE;
}

uint64_t ptx_param_offset(const struct ptx_module *m, const struct ptx_function *f, uint32_t param)
{
	return m->variables[f->params[param]].offset;
}

uint64_t ptx_local_offset(const struct ptx_module *m, uint32_t variable)
{
	return m->variables[variable].offset;
}

const struct ptx_problem *ptx_find_problem(const struct ptx_module *m, uint32_t insn)
{
	for (uint32_t i = 0; i < m->problem_count; i++)
		if (m->problems[i].insn == insn)
			return &m->problems[i];
	return NULL;
}
