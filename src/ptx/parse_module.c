/* The module: its head, declarations and functions, and what debuggers want, which is skipped. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ptx/parser.h"

enum { TEXT_BYTES_MAX = 1 << 30 };

/* ".version 6.5" */
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

/* ".target sm_70, debug" */
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

static bool parse_address_size(struct parser *p)
{
	if (p->token.kind != TOKEN_INTEGER || p->token.value != 64)
		return parser_expected(p, "address size 64");
	p->module->address_bits = 64;
	parser_advance(p);
	return true;
}

/* ".section .debug_info { ... }" and "@@DWARF" of old: not for us. */
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

/* ".alias f, g;": calls of f go to g. */
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

static enum linkage parse_linkage(struct parser *p)
{
	static const char *const words[] = {"", ".visible", ".extern", ".weak", ".common"};
	for (enum linkage l = LINKAGE_VISIBLE; l <= LINKAGE_COMMON; l++)
		if (parser_accept_word(p, words[l]))
			return l;
	return LINKAGE_NONE;
}

static bool parse_declaration(struct parser *p)
{
	enum linkage linkage = parse_linkage(p);
	if (parser_at_word(p, ".func") || parser_at_word(p, ".entry"))
		return parse_function(p, linkage);
	if (parser_at_word(p, ".reg"))
		return parse_registers(p);
	enum ptx_space space = PTX_SPACE_generic;
	if (p->token.kind == TOKEN_WORD)
		space = form_space(p->token.text + 1, p->token.length - 1);
	if (space == PTX_SPACE_generic)
		return parser_expected(p, "a variable, a function or a directive of a module");
	parser_advance(p);
	return parse_variables(p, linkage, space);
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

static bool parse_toplevel(struct parser *p)
{
	if (parser_accept(p, ';'))
		return true;
	for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
		if (parser_accept_word(p, directives[i].word))
			return directives[i].parse(p);
	return parse_declaration(p);
}

static bool parse_module(struct parser *p)
{
	if (!parser_at_word(p, ".version"))
		return parser_expected(p, "'.version' at the start of a module");
	while (p->token.kind != TOKEN_END)
		if (!parse_toplevel(p))
			return false;
	return true;
}

/* ---- aliases --------------------------------------------------------------------------------------------- */

static void apply_aliases(struct parser *p)
{
	struct ptx_module *m = p->module;
	uint32_t *target = memory_grow(NULL, m->function_count, sizeof *target);
	for (uint32_t f = 0; f < m->function_count; f++)
		target[f] = f;
	for (uint32_t a = 0; a < p->alias_count; a++) /* an alias of an alias is declared after that */
		target[p->aliases[a][0]] = target[p->aliases[a][1]];
	for (uint32_t i = 0; i < m->operand_count; i++)
		if (m->operands[i].kind == PTX_FUNCTION)
			m->operands[i].index = target[m->operands[i].index];
	free(target);
}

/* ---- start and end --------------------------------------------------------------------------------------- */

static void parser_release(struct parser *p)
{
	names_release(&p->symbols);
	names_release(&p->opcodes);
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
	m->operands = memory_grow(NULL, 0, sizeof *m->operands); /* never NULL: instructions point into it */
	struct parser p = {
	    .module = m, .arena = arena, .err = err, .function = PTX_NONE, .is_tolerant = is_tolerant};
	lexer_start(&p.lexer, text, bytes);
	parser_advance(&p);
	bool ok = parse_module(&p);
	if (ok && p.alias_count)
		apply_aliases(&p);
	parser_release(&p);
	/* What was tolerated is kept in the module. */
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
