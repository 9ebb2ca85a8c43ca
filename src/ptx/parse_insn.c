/* Instructions: opcode, guard, and operands as they are written. match.c checks them against the instruction's form. */
#include <string.h>

#include "ptx/match.h"

/* ---- operands ------------------------------------------------------------------------------------------- */

static bool raw_push(struct parser *p, struct raw_operands *raw, struct raw_operand operand)
{
	if (raw->count == PARSE_OPERANDS_MAX)
		return parser_fail(p, &p->token, "too many operands, expected at most %d",
		                   PARSE_OPERANDS_MAX);
	raw->list[raw->count++] = operand;
	return true;
}

/* offset = ["+"] ["-"] number, or nothing */
static bool parse_offset(struct parser *p, int64_t *value)
{
	bool plus = parser_accept(p, '+'), minus = parser_accept(p, '-');
	uint64_t offset = 0;
	if ((plus || minus) && !parser_integer(p, "a distance in bytes", INT64_MAX, &offset))
		return false;
	*value = minus ? -(int64_t)offset : (int64_t)offset;
	return true;
}

static bool find_sreg(const struct token *name, uint32_t *index)
{
	if (*name->text != '%' && *name->text != 'W')
		return false;
	for (uint32_t s = 0; s < PTX_SREG_COUNT; s++) {
		const char *spelling = ptx_sreg_name(s);
		if (!strncmp(spelling, name->text, name->length) && !spelling[name->length]) {
			*index = s;
			return true;
		}
	}
	return false;
}

/* Find out what a name refers to. */
static void raw_name(struct parser *p, const struct token *name, struct raw_operand *out)
{
	static const enum raw_kind kinds[] = {
	    [SYMBOL_REGISTER] = RAW_REGISTER,   [SYMBOL_RANGE] = RAW_NAME, [SYMBOL_VARIABLE] = RAW_VARIABLE,
	    [SYMBOL_FUNCTION] = RAW_FUNCTION,   [SYMBOL_LABEL] = RAW_NAME, [SYMBOL_TABLE] = RAW_NAME,
	    [SYMBOL_PROTOTYPE] = RAW_PROTOTYPE,
	};
	enum symbol kind;
	if (name->length == 1 && *name->text == '_')
		out->kind = RAW_SINK;
	else if (symbol_find(p, name, &kind, &out->index))
		out->kind = kinds[kind];
	else if (find_sreg(name, &out->index))
		out->kind = RAW_SREG;
	else
		out->kind = RAW_NAME;
}

/* scalar = ["!"] name [offset] | ["-"] number */
static bool parse_scalar(struct parser *p, struct raw_operands *raw, bool joined)
{
	struct raw_operand out = {.joined = joined, .token = p->token};
	out.negated = parser_accept(p, '!');
	out.minus = !out.negated && parser_accept(p, '-');
	struct token t = p->token;
	switch (t.kind) {
	case TOKEN_NAME:
		if (out.minus)
			return parser_expected(p, "a number after '-'");
		raw_name(p, &t, &out);
		break;
	case TOKEN_INTEGER:
		out.kind = RAW_INTEGER;
		break;
	case TOKEN_SINGLE:
		out.kind = RAW_SINGLE;
		break;
	case TOKEN_DOUBLE:
		out.kind = RAW_DOUBLE;
		break;
	default:
		return parser_expected(p, "an operand");
	}
	out.value = (int64_t)t.value;
	parser_advance(p);
	if ((out.kind == RAW_VARIABLE || out.kind == RAW_FUNCTION) && !parse_offset(p, &out.value))
		return false;
	return raw_push(p, raw, out);
}

/* list = [scalar {"," scalar}] end; counted in the operand at `head` */
static bool parse_list(struct parser *p, struct raw_operands *raw, uint32_t head, char end)
{
	if (parser_accept(p, end))
		return true;
	do {
		if (!parse_scalar(p, raw, false))
			return false;
		raw->list[head].count++;
	} while (parser_accept(p, ','));
	return parser_expect(p, end, "after a list of operands");
}

/* braced = "{" list | "(" list */
static bool parse_braced(struct parser *p, struct raw_operands *raw, enum raw_kind kind, char end)
{
	uint32_t head = raw->count;
	struct raw_operand out = {.kind = kind, .token = p->token};
	parser_advance(p);
	return raw_push(p, raw, out) && parse_list(p, raw, head, end);
}

/* coordinates = ("{" list | scalar) "]", behind "[handle," */
static bool parse_coordinates(struct parser *p, struct raw_operands *raw, uint32_t head)
{
	raw->list[head].kind = RAW_TEXTURE;
	raw->list[head].count = 1;
	if (parser_accept(p, '{')) {
		if (!parse_list(p, raw, head, '}'))
			return false;
	} else if (parse_scalar(p, raw, false)) {
		raw->list[head].count++;
	} else {
		return false;
	}
	return parser_expect(p, ']', "after coordinates (samplers are not supported)");
}

/* address = "[" scalar [offset] "]" | "[" handle "," coordinates */
static bool parse_address(struct parser *p, struct raw_operands *raw)
{
	uint32_t head = raw->count;
	struct raw_operand out = {.kind = RAW_ADDRESS, .token = p->token};
	parser_advance(p);
	if (!raw_push(p, raw, out) || !parse_scalar(p, raw, false))
		return false;
	struct raw_operand base = raw->list[raw->count - 1];
	if (parser_accept(p, ','))
		return parse_coordinates(p, raw, head);
	char buf[SHOW_SIZE];
	out.index = base.index;
	out.value = base.value;
	if (base.kind == RAW_REGISTER) {
		out.base = PTX_BASE_REG;
		if (!parse_offset(p, &out.value))
			return false;
	} else if (base.kind == RAW_VARIABLE) {
		out.base = PTX_BASE_VARIABLE;
	} else if (base.kind == RAW_INTEGER) {
		out.base = PTX_BASE_ABSOLUTE;
		out.value = base.minus ? (int64_t)(0 - (uint64_t)base.value) : base.value;
	} else {
		return parser_fail(p, &base.token,
		                   "%s is not an address, expected a register, a variable or a number",
		                   parser_show(buf, &base.token));
	}
	/* Base and address are one operand. */
	raw->count = head + 1;
	raw->list[head] = out;
	return parser_expect(p, ']', "after an address");
}

/* operand = address | braced | scalar ["|" scalar] */
static bool parse_operand(struct parser *p, struct raw_operands *raw)
{
	if (token_is(&p->token, '['))
		return parse_address(p, raw);
	if (token_is(&p->token, '{'))
		return parse_braced(p, raw, RAW_VECTOR, '}');
	if (token_is(&p->token, '('))
		return parse_braced(p, raw, RAW_LIST, ')');
	if (!parse_scalar(p, raw, false))
		return false;
	return !parser_accept(p, '|') || parse_scalar(p, raw, true);
}

/* operands = [operand {"," operand}] ";" */
static bool parse_operands(struct parser *p, struct raw_operands *raw)
{
	raw->count = 0;
	if (parser_accept(p, ';'))
		return true;
	do {
		if (!parse_operand(p, raw))
			return false;
	} while (parser_accept(p, ','));
	return parser_expect(p, ';', "after an instruction");
}

/* ---- instructions --------------------------------------------------------------------------------------- */

/* opcode = name {"." word}; each text is matched with the forms once */
static bool parse_opcode(struct parser *p, struct memo *memo, struct token *opcode)
{
	*opcode = p->token;
	if (opcode->kind != TOKEN_NAME)
		return parser_expected(p, "an opcode");
	lexer_extend(&p->lexer, opcode);
	const struct symbol_entry *known = symbol_table_find(&p->opcodes, opcode->text, opcode->length);
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
	symbol_table_add(
	    &p->opcodes,
	    (struct symbol_entry){.text = opcode->text, .length = opcode->length, .index = p->memo_count});
	*PARSER_PUSH(p->memos, p->capacity.memos, p->memo_count) = *memo;
	parser_advance(p);
	return true;
}

/* guard = ["@" ["!"] predicate]; PTX_NONE without one */
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

/* plain_instruction = guard opcode operands */
static bool parse_plain_instruction(struct parser *p)
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
	if (!match_instruction(p, memo.form, &insn, &raw))
		return false;
	struct ptx_module *m = p->module;
	*PARSER_PUSH(m->insns, p->capacity.insns, m->insn_count) = insn;
	return true;
}

/* Keep a refused instruction as one that can be analyzed but not run. */
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

/* Skip everything up to the ';' that ends an instruction; vectors of operands have braces. */
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

/* instruction = plain_instruction, or a problem that is kept */
bool parse_instruction(struct parser *p)
{
	struct token start = p->token;
	struct lexer lexer = p->lexer;
	uint32_t operands = p->module->operand_count, pendings = p->pending_count;
	if (parse_plain_instruction(p))
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
