/* Functions: head, directives about the launch, the body's statements; source lines and directives that are skipped. */
#include <string.h>

#include "base/bits.h"
#include "ptx/parser.h"

enum { LOCAL_BYTES_MAX = 512 * 1024, PARAMS_BYTES_MAX = 1 << 20 };

/* ---- directives of functions and modules ------------------------------------------------------------------ */

enum { SOURCES_MAX = 1 << 16 };

/* position = file line column */
static bool parse_position(struct parser *p, uint32_t *file, uint32_t *line)
{
	uint64_t f, l, column;
	if (!parser_integer(p, "a file number", UINT32_MAX, &f) ||
	    !parser_integer(p, "a line", UINT32_MAX, &l) ||
	    !parser_integer(p, "a column", UINT32_MAX, &column))
		return false;
	*file = (uint32_t)f;
	*line = (uint32_t)l;
	return true;
}

/* function_name = label ["+" offset] */
static bool parse_function_name(struct parser *p)
{
	uint64_t offset;
	if (p->token.kind != TOKEN_NAME)
		return parser_expected(p, "a label after 'function_name'");
	parser_advance(p);
	return !parser_accept(p, '+') || parser_integer(p, "an offset", UINT32_MAX, &offset);
}

/* loc = ".loc" position {"," ("function_name" function_name | "inlined_at" position)} */
bool parse_loc(struct parser *p)
{
	uint32_t file, line;
	if (!parse_position(p, &p->source_file, &p->source_line))
		return false;
	while (parser_accept(p, ',')) {
		struct token word = p->token;
		if (word.kind != TOKEN_NAME)
			return parser_expected(p, "'function_name' or 'inlined_at'");
		parser_advance(p);
		bool is_name = word.length == 13 && !memcmp(word.text, "function_name", 13);
		if (!(is_name ? parse_function_name(p) : parse_position(p, &file, &line)))
			return false;
	}
	return true;
}

/* file = ".file" number string {"," number}: time and size may follow the name */
bool parse_file(struct parser *p)
{
	struct ptx_module *m = p->module;
	uint64_t number, ignored;
	if (!parser_integer(p, "a file number", SOURCES_MAX - 1, &number))
		return false;
	if (p->token.kind != TOKEN_STRING)
		return parser_expected(p, "the name of a file in quotes");
	while (m->source_count <= number)
		*PARSER_PUSH(m->sources, p->capacity.sources, m->source_count) = NULL;
	m->sources[number] = arena_text(p->arena, p->token.text, p->token.length);
	parser_advance(p);
	while (parser_accept(p, ','))
		if (!parser_integer(p, "a number", UINT64_MAX, &ignored))
			return false;
	return true;
}

/* skipped = ... ";" */
bool parse_skip_statement(struct parser *p)
{
	while (!token_is(&p->token, ';')) {
		if (p->token.kind == TOKEN_END || p->token.kind == TOKEN_BAD || token_is(&p->token, '}'))
			return parser_expected(p, "';'");
		parser_advance(p);
	}
	parser_advance(p);
	return true;
}

/* parentheses = "(" ... ")" */
bool parse_skip_parentheses(struct parser *p)
{
	if (!parser_expect(p, '(', "after '.attribute'"))
		return false;
	for (uint32_t depth = 1; depth;) {
		if (p->token.kind == TOKEN_END || p->token.kind == TOKEN_BAD || token_is(&p->token, ';'))
			return parser_expected(p, "')'");
		depth += token_is(&p->token, '(');
		depth -= token_is(&p->token, ')');
		parser_advance(p);
	}
	return true;
}

/* ---- header ---------------------------------------------------------------------------------------------- */

/* numbers = number ["," number ["," number]]; those left out are 1 */
static bool parse_numbers(struct parser *p, uint32_t numbers[3])
{
	uint64_t value;
	uint32_t count = 0;
	do {
		if (count == 3)
			return parser_expected(p, "at most three numbers");
		if (!parser_integer(p, "a number", UINT32_MAX, &value))
			return false;
		numbers[count++] = (uint32_t)value;
	} while (parser_accept(p, ','));
	for (uint32_t i = count; i < 3; i++)
		numbers[i] = 1;
	return true;
}

/* function_directive: between the parameters and the body, .maxntid 256, 1, 1 */
static bool parse_function_directive(struct parser *p, struct ptx_function *f)
{
	uint32_t numbers[3];
	if (parser_accept_word(p, ".noreturn")) {
		f->is_noreturn = true;
		return true;
	}
	if (parser_accept_word(p, ".pragma"))
		return parse_skip_statement(p);
	if (parser_accept_word(p, ".attribute"))
		return parse_skip_parentheses(p);
	if (parser_accept_word(p, ".explicitcluster") || parser_accept_word(p, ".blocksareclusters"))
		return true;
	if (parser_accept_word(p, ".maxntid") || parser_accept_word(p, ".reqntid"))
		return parse_numbers(p, f->maxntid);
	if (parser_accept_word(p, ".reqnctapercluster"))
		return parse_numbers(p, f->cluster);
	bool minctas = parser_at_word(p, ".minnctapersm"), maxreg = parser_at_word(p, ".maxnreg");
	if (!minctas && !maxreg && !parser_at_word(p, ".maxnctapersm") &&
	    !parser_at_word(p, ".maxclusterrank") && !parser_at_word(p, ".abi_preserve") &&
	    !parser_at_word(p, ".abi_preserve_control"))
		return parser_expected(p, "a directive, ';' or '{' after the head of a function");
	parser_advance(p);
	if (!parse_numbers(p, numbers))
		return false;
	f->minnctapersm = minctas ? numbers[0] : f->minnctapersm;
	f->maxnreg = maxreg ? numbers[0] : f->maxnreg;
	return true;
}

/* Give a variable the next aligned offset; return the offset behind it. */
static uint64_t place_variable(struct ptx_variable *v, uint64_t bytes)
{
	v->offset = bits_round_up(bytes, v->align);
	return v->offset + v->bytes;
}

/* Lay out parameters or results in their block; return its bytes. */
static uint64_t place_params(struct ptx_module *m, const uint32_t *list, uint32_t count)
{
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < count; i++)
		bytes = place_variable(&m->variables[list[i]], bytes);
	return bytes;
}

static bool same_sizes(const struct ptx_module *m, const uint32_t *a, const uint32_t *b, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (m->variables[a[i]].bytes != m->variables[b[i]].bytes)
			return false;
	return true;
}

/* Find or add the function of that name, and give it the parameters that it has now. */
static bool function_declare(struct parser *p, const struct token *name, struct ptx_function f,
                             uint32_t *index)
{
	struct ptx_module *m = p->module;
	char buf[SHOW_SIZE];
	const struct symbol_entry *old = symbol_table_find(&p->symbols, name->text, name->length);
	if (!old || old->depth) {
		*index = m->function_count;
		f.name = arena_text(p->arena, name->text, name->length);
		*PARSER_PUSH(m->functions, p->capacity.functions, m->function_count) = f;
		return symbol_declare(p, name, SYMBOL_FUNCTION, *index, 0);
	}
	if (old->kind != SYMBOL_FUNCTION)
		return parser_fail(p, name, "%s is a variable, too; expected a new name",
		                   parser_show(buf, name));
	*index = old->index;
	struct ptx_function *known = &m->functions[*index];
	if (known->is_entry != f.is_entry || known->param_count != f.param_count ||
	    known->result_count != f.result_count || !same_sizes(m, known->params, f.params, f.param_count) ||
	    !same_sizes(m, known->results, f.results, f.result_count))
		return parser_fail(p, name,
		                   "%s differs from its declaration in line %u, expected the same parameters",
		                   parser_show(buf, name), known->line);
	if (!known->is_extern && token_is(&p->token, ';'))
		return true;
	if (!known->is_extern)
		return parser_fail(p, name,
		                   "%s is defined twice, expected one body (the first is in line %u)",
		                   parser_show(buf, name), known->line);
	f.name = known->name;
	f.is_noreturn |= known->is_noreturn;
	*known = f;
	return true;
}

/* signature = [params] name [params]: results, the function, parameters; an entry has no results */
static bool parse_signature(struct parser *p, struct ptx_function *f, struct token *name,
                            const char *expected)
{
	struct variable_list results = {0}, params = {0};
	if (!f->is_entry && token_is(&p->token, '(') && !parse_params(p, &results))
		return false;
	*name = p->token;
	if (name->kind != TOKEN_NAME)
		return parser_expected(p, expected);
	f->line = name->line;
	f->column = name->column;
	parser_advance(p);
	if (token_is(&p->token, '(') && !parse_params(p, &params))
		return false;
	f->results = results.index;
	f->result_count = results.count;
	f->params = params.index;
	f->param_count = params.count;
	return true;
}

/* head = (".func" | ".entry") [".attribute" parentheses] signature {function_directive} */
static bool parse_head(struct parser *p, struct ptx_function *f, struct token *name)
{
	f->is_entry = parser_at_word(p, ".entry");
	parser_advance(p);
	if (parser_accept_word(p, ".attribute") && !parse_skip_parentheses(p))
		return false;
	if (!parse_signature(p, f, name, "the name of a function"))
		return false;
	while (!token_is(&p->token, '{') && !token_is(&p->token, ';'))
		if (!parse_function_directive(p, f))
			return false;
	return true;
}

/* ---- body ------------------------------------------------------------------------------------------------ */

/* branch_targets = ".branchtargets" label {"," label} ";" */
static bool parse_branch_targets(struct parser *p, const struct token *label)
{
	struct ptx_module *m = p->module;
	uint32_t count = 1;
	for (struct lexer ahead = p->lexer;
	     ;) { /* counts: labels are put into the list later, so it must not move */
		struct token t = lexer_next(&ahead);
		if (t.kind != TOKEN_NAME && !token_is(&t, ','))
			break;
		count += token_is(&t, ',');
	}
	uint32_t *items = arena_alloc(p->arena, count * sizeof *items), n = 0;
	do {
		if (p->token.kind != TOKEN_NAME)
			return parser_expected(p, "a label");
		symbol_await(p, &p->token, SYMBOL_LABEL, 0, &items[n++]);
		parser_advance(p);
	} while (parser_accept(p, ',') && n < count);
	uint32_t index = m->table_count;
	*PARSER_PUSH(m->tables, p->capacity.tables, m->table_count) = (struct ptx_list){items, n};
	return symbol_declare(p, label, SYMBOL_TABLE, index, p->depth) &&
	       parser_expect(p, ';', "after the labels");
}

/* Add the sizes of results and parameters, for calls through a pointer. */
static bool prototype_add(struct parser *p, const struct token *label, const struct ptx_function *f)
{
	struct ptx_module *m = p->module;
	uint32_t index = m->prototype_count, n = 0;
	uint32_t *bytes = arena_alloc(p->arena, (f->result_count + f->param_count) * sizeof *bytes);
	for (uint32_t i = 0; i < f->result_count; i++)
		bytes[n++] = (uint32_t)m->variables[f->results[i]].bytes;
	for (uint32_t i = 0; i < f->param_count; i++)
		bytes[n++] = (uint32_t)m->variables[f->params[i]].bytes;
	*PARSER_PUSH(m->prototypes, p->capacity.prototypes, m->prototype_count) = (struct ptx_prototype){
	    .result_count = f->result_count, .param_count = f->param_count, .bytes = bytes};
	return symbol_declare(p, label, SYMBOL_PROTOTYPE, index, p->depth);
}

/* call_prototype = ".callprototype" signature {function_directive} ";": (.param .b32 _) _ (.param .b64 _) */
static bool parse_call_prototype(struct parser *p, const struct token *label)
{
	struct ptx_function f = {0};
	struct token name;
	if (!parse_signature(p, &f, &name, "'_' in a call prototype"))
		return false;
	while (p->token.kind == TOKEN_WORD)
		if (!parse_function_directive(p, &f))
			return false;
	return prototype_add(p, label, &f) && parser_expect(p, ';', "after a call prototype");
}

/* call_targets = ".calltargets" f {"," f} ";": the prototype is that of the first */
static bool parse_call_targets(struct parser *p, const struct token *label)
{
	enum symbol kind;
	uint32_t index, first = PTX_NONE;
	do {
		if (p->token.kind != TOKEN_NAME || !symbol_find(p, &p->token, &kind, &index) ||
		    kind != SYMBOL_FUNCTION)
			return parser_expected(p, "a function");
		first = first == PTX_NONE ? index : first;
		parser_advance(p);
	} while (parser_accept(p, ','));
	struct ptx_function f = p->module->functions[first];
	return prototype_add(p, label, &f) && parser_expect(p, ';', "after the functions");
}

/* label = name ":" [branch_targets | call_prototype | call_targets], from behind the colon on */
static bool parse_label(struct parser *p, const struct token *label)
{
	if (parser_accept_word(p, ".branchtargets"))
		return parse_branch_targets(p, label);
	if (parser_accept_word(p, ".callprototype"))
		return parse_call_prototype(p, label);
	if (parser_accept_word(p, ".calltargets"))
		return parse_call_targets(p, label);
	p->last_label = p->module->insn_count;
	return symbol_declare(p, label, SYMBOL_LABEL, p->module->insn_count, p->depth);
}

/* body_directive = registers | loc | file | ".pragma" skipped | [".extern"] variables */
static bool parse_body_directive(struct parser *p)
{
	if (parser_at_word(p, ".reg"))
		return parse_registers(p);
	if (parser_accept_word(p, ".loc"))
		return parse_loc(p);
	if (parser_accept_word(p, ".file"))
		return parse_file(p);
	if (parser_accept_word(p, ".pragma"))
		return parse_skip_statement(p);
	return parse_variables(p, parser_accept_word(p, ".extern"), "a declaration or an instruction");
}

static bool parse_block(struct parser *p);

/* statement = block | ";" | body_directive | label | instruction */
static bool parse_statement(struct parser *p)
{
	if (token_is(&p->token, '{'))
		return parse_block(p);
	if (parser_accept(p, ';'))
		return true;
	if (p->token.kind == TOKEN_WORD)
		return parse_body_directive(p);
	if (p->token.kind == TOKEN_NAME && p->lexer.at < p->lexer.end && *p->lexer.at == '.')
		return parse_instruction(p);
	if (p->token.kind == TOKEN_NAME) {
		struct lexer ahead = p->lexer;
		struct token next = lexer_next(&ahead);
		if (token_is(&next, ':')) {
			struct token label = p->token;
			parser_advance(p);
			parser_advance(p);
			return parse_label(p, &label);
		}
	} else if (!token_is(&p->token, '@')) {
		return parser_expected(p, "an instruction, a label, a declaration or '}'");
	}
	return parse_instruction(p);
}

/* statements = "{" {statement}, up to the closing brace */
static bool parse_statements(struct parser *p)
{
	if (!parser_expect(p, '{', "before a body"))
		return false;
	while (!token_is(&p->token, '}'))
		if (!parse_statement(p))
			return false;
	return true;
}

/* block = statements "}" inside a function: a scope of its own */
static bool parse_block(struct parser *p)
{
	if (p->depth == PARSE_DEPTH_MAX)
		return parser_fail(p, &p->token, "'{' nested too deeply, expected at most %d levels",
		                   PARSE_DEPTH_MAX);
	struct scope scope = scope_open(p);
	if (!parse_statements(p))
		return false;
	parser_advance(p);
	return scope_close(p, &scope);
}

static bool insn_ends(const struct ptx_insn *insn)
{
	return insn->guard == PTX_NONE &&
	       (insn->op == PTX_ret || insn->op == PTX_exit || insn->op == PTX_trap || insn->op == PTX_bra ||
	        insn->op == PTX_brx);
}

/* Add a ret to a body that may run off its end, or has a label there. */
static void function_seal(struct parser *p, uint32_t first)
{
	struct ptx_module *m = p->module;
	bool label_at_end = p->last_label == m->insn_count;
	if (m->insn_count > first && insn_ends(&m->insns[m->insn_count - 1]) && !label_at_end)
		return;
	*PARSER_PUSH(m->insns, p->capacity.insns, m->insn_count) =
	    (struct ptx_insn){.op = PTX_ret,
	                      .vector = 1,
	                      .first_operand = m->operand_count,
	                      .guard = PTX_NONE,
	                      .line = p->token.line,
	                      .column = p->token.column,
	                      .source_file = p->source_file,
	                      .source_line = p->source_line};
}

/* Lay out the local variables that the body declared. */
static bool function_frame(struct parser *p, struct ptx_function *f, uint32_t first_variable)
{
	struct ptx_module *m = p->module;
	uint64_t bytes = 0;
	for (uint32_t i = first_variable; i < m->variable_count; i++) {
		struct ptx_variable *v = &m->variables[i];
		if (v->space != PTX_SPACE_local)
			continue;
		bytes = place_variable(v, bytes);
		if (bytes > LOCAL_BYTES_MAX)
			return parser_fail(
			    p, &p->token,
			    "local variables of '%.64s' take more than %d bytes, expected fewer", f->name,
			    LOCAL_BYTES_MAX);
	}
	f->local_bytes = (uint32_t)bytes;
	return true;
}

/* body = statements "}" */
static bool parse_body(struct parser *p, uint32_t index)
{
	struct ptx_module *m = p->module;
	uint32_t first = m->insn_count, first_variable = m->variable_count;
	p->function = index;
	p->register_count = 0;
	p->source_file = p->source_line = 0;
	p->last_label = PTX_NONE;
	if (!parse_statements(p))
		return false;
	function_seal(p, first);
	struct ptx_function *f = &m->functions[index];
	f->first_insn = first;
	f->insn_count = m->insn_count - first;
	f->registers = arena_copy(p->arena, p->registers, p->register_count * sizeof *p->registers);
	f->register_count = p->register_count;
	f->is_extern = false;
	return function_frame(p, f, first_variable);
}

/*
 * function = head (body | ";"): .func (.param .b32 r) name (.param .b64 a) { ... }
 * Linkage does not matter: a module is a whole program.
 */
bool parse_function(struct parser *p)
{
	struct ptx_module *m = p->module;
	struct ptx_function f = {.is_extern = true, .first_insn = m->insn_count};
	struct token name;
	uint32_t index = PTX_NONE;
	struct scope scope = scope_open(p);
	if (!parse_head(p, &f, &name))
		return false;
	if (place_params(m, f.results, f.result_count) > PARAMS_BYTES_MAX ||
	    (f.param_bytes = place_params(m, f.params, f.param_count)) > PARAMS_BYTES_MAX)
		return parser_fail(p, &name, "parameters take more than %d bytes, expected fewer",
		                   PARAMS_BYTES_MAX);
	if (!function_declare(p, &name, f, &index))
		return false;
	for (uint32_t i = 0; i < f.param_count; i++)
		m->variables[f.params[i]].function = index;
	for (uint32_t i = 0; i < f.result_count; i++)
		m->variables[f.results[i]].function = index;
	if (token_is(&p->token, '{') && !parse_body(p, index))
		return false;
	parser_advance(p); /* '}' or ';' */
	p->function = PTX_NONE;
	return scope_close(p, &scope);
}
