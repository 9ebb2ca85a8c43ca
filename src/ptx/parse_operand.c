/* Operands as they are written; what an instruction makes of them is match.c's business. */
#include <string.h>

#include "ptx/match.h"

static bool raw_push(struct parser *p, struct raw_operands *raw, struct raw_operand operand)
{
	if (raw->count == PARSE_OPERANDS_MAX)
		return parser_fail(p, &p->token, "too many operands, expected at most %d",
		                   PARSE_OPERANDS_MAX);
	raw->list[raw->count++] = operand;
	return true;
}

/* "+4", "+-4", "-4" or nothing. */
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

/* What a name refers to. */
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

/* A register, a number or a name, without braces or brackets. */
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

/* "a, b }": `count` of the operand at `head` is what it holds. */
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

static bool parse_braced(struct parser *p, struct raw_operands *raw, enum raw_kind kind, char end)
{
	uint32_t head = raw->count;
	struct raw_operand out = {.kind = kind, .token = p->token};
	parser_advance(p);
	return raw_push(p, raw, out) && parse_list(p, raw, head, end);
}

/* ", {x, y}]" behind "[handle". */
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

/* "[%rd1+8]", "[name-4]", "[16]", "[handle, {x, y}]" */
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
	/* The base has been taken over: the address is one operand. */
	raw->count = head + 1;
	raw->list[head] = out;
	return parser_expect(p, ']', "after an address");
}

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

bool parse_operands(struct parser *p, struct raw_operands *raw)
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
