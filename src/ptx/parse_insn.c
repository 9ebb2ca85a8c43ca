/* Instructions, and the statements about source lines between them. */
#include <string.h>

#include "ptx/match.h"

enum { SOURCES_MAX = 1 << 16 };

/* The form of an opcode's text; each text is looked up once. */
static bool parse_opcode(struct parser *p, struct memo *memo, struct token *opcode)
{
	*opcode = p->token;
	if (opcode->kind != TOKEN_NAME)
		return parser_expected(p, "an opcode");
	lexer_extend(&p->lexer, opcode);
	const struct name *known = names_find(&p->opcodes, opcode->text, opcode->length);
	if (known) {
		*memo = p->memos[known->index];
		parser_advance(p);
		return true;
	}
	struct form_problem problem;
	memo->form = form_find(opcode->text, opcode->length, &memo->insn, &problem);
	if (!memo->form) {
		opcode->column += (uint32_t)problem.at;
		return parser_fail(p, opcode, "%s", problem.text);
	}
	names_add(&p->opcodes,
	          (struct name){.text = opcode->text, .length = opcode->length, .index = p->memo_count});
	*PARSER_PUSH(p->memos, p->capacity.memos, p->memo_count) = *memo;
	parser_advance(p);
	return true;
}

/* "@%p" or "@!%p"; PTX_NONE without. */
static bool parse_guard(struct parser *p, uint32_t *guard, uint32_t *flags)
{
	char buf[SHOW_SIZE];
	enum symbol kind;
	*guard = PTX_NONE;
	*flags = 0;
	if (!parser_accept(p, '@'))
		return true;
	if (parser_accept(p, '!'))
		*flags = PTX_FLAG_GUARD_NOT;
	struct token name = p->token;
	if (name.kind != TOKEN_NAME)
		return parser_expected(p, "a predicate register after '@'");
	if (!symbol_find(p, &name, &kind, guard))
		return parser_fail(p, &name, "undefined register %s, expected a predicate",
		                   parser_show(buf, &name));
	if (kind != SYMBOL_REGISTER || p->registers[*guard].type != PTX_TYPE_pred)
		return parser_fail(p, &name, "%s guards an instruction, expected a register of type .pred",
		                   parser_show(buf, &name));
	parser_advance(p);
	return true;
}

/* "@%p opcode operands;" */
static bool parse_instruction(struct parser *p)
{
	struct memo memo;
	struct token opcode;
	struct raw_operands raw;
	uint32_t guard;
	uint32_t flags;
	if (!parse_guard(p, &guard, &flags) || !parse_opcode(p, &memo, &opcode) || !parse_operands(p, &raw))
		return false;
	struct ptx_insn insn = memo.insn;
	insn.guard = guard;
	insn.flags |= flags;
	insn.line = opcode.line;
	insn.column = opcode.column;
	insn.source_file = p->source_file;
	insn.source_line = p->source_line;
	insn.first_operand = p->module->operand_count;
	if (!(*memo.form->operands == '(' ? match_call(p, &insn, &raw)
	                                  : match_instruction(p, memo.form, &insn, &raw)))
		return false;
	struct ptx_module *m = p->module;
	*PARSER_PUSH(m->insns, p->capacity.insns, m->insn_count) = insn;
	return true;
}

/* The instruction that was refused, as one that can be analysed but not run. */
static void keep_problem(struct parser *p, const struct token *at)
{
	struct ptx_module *m = p->module;
	const char *text = arena_text(p->arena, p->err->text, strlen(p->err->text));
	*PARSER_PUSH(m->problems, p->capacity.problems, m->problem_count) =
	    (struct ptx_problem){.insn = m->insn_count, .line = at->line, .column = at->column, .text = text};
	*PARSER_PUSH(m->insns, p->capacity.insns, m->insn_count) =
	    (struct ptx_insn){.op = PTX_unsupported,
	                      .vector = 1,
	                      .first_operand = m->operand_count,
	                      .guard = PTX_NONE,
	                      .line = at->line,
	                      .column = at->column,
	                      .source_file = p->source_file,
	                      .source_line = p->source_line};
}

/* Everything up to the ';' that ends an instruction; vectors of operands have braces. */
static bool skip_instruction(struct parser *p)
{
	for (uint32_t depth = 0; depth || !token_is(&p->token, ';'); parser_advance(p)) {
		bool closes = token_is(&p->token, '}');
		if (p->token.kind == TOKEN_END || p->token.kind == TOKEN_BAD || (closes && !depth))
			return false;
		depth += token_is(&p->token, '{');
		depth -= closes;
	}
	parser_advance(p);
	return true;
}

bool parse_statement_instruction(struct parser *p)
{
	struct token start = p->token;
	struct lexer lexer = p->lexer;
	uint32_t operands = p->module->operand_count, pendings = p->pending_count;
	if (parse_instruction(p))
		return true;
	p->token = start;
	p->lexer = lexer;
	if (!p->is_tolerant || !p->err || !skip_instruction(p))
		return false;
	p->module->operand_count = operands;
	p->pending_count = pendings;
	keep_problem(p, &start);
	return true;
}

/* ---- source lines ---------------------------------------------------------------------------------------- */

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

static bool parse_function_name(struct parser *p)
{
	uint64_t offset;
	if (p->token.kind != TOKEN_NAME)
		return parser_expected(p, "a label after 'function_name'");
	parser_advance(p);
	return !parser_accept(p, '+') || parser_integer(p, "an offset", UINT32_MAX, &offset);
}

/* ".loc 1 12 5" and, of inlined code, ", function_name $L__info_string0, inlined_at 1 3 7" */
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

/* ".file 1 "a.cu"" with or without a time and a size. */
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
