/*
 * Single values against the type they must have: registers, immediates, special
 * registers, addresses of variables. Here immediates get their bits.
 */
#include <string.h>

#include "ptx/match.h"

void match_push(struct match *m, struct ptx_operand operand)
{
	struct ptx_module *module = m->p->module;
	*PARSER_PUSH(module->operands, m->p->capacity.operands, module->operand_count) = operand;
}

bool match_fail(struct match *m, const struct raw_operand *raw, const char *expected)
{
	char buf[SHOW_SIZE];
	return parser_fail(m->p, &raw->token, "%s %u of '%s' is %s, expected %s", m->role, m->number,
	                   ptx_op_name(m->insn->op), parser_show(buf, &raw->token), expected);
}

/* ---- types ----------------------------------------------------------------------------------------------- */

enum type_class type_class(enum ptx_type t)
{
	if (t == PTX_TYPE_pred)
		return CLASS_PREDICATE;
	if (t >= PTX_TYPE_b8 && t <= PTX_TYPE_b128)
		return CLASS_BITS;
	return (t >= PTX_TYPE_f16 && t <= PTX_TYPE_f64) ? CLASS_FLOAT : CLASS_INTEGER;
}

/* Whether an operand of an instruction's type may be in a register of type `reg`. */
static bool type_fits(enum ptx_type type, enum ptx_type reg, enum width width)
{
	enum type_class want = type_class(type), have = type_class(reg);
	unsigned type_bits = ptx_type_bytes(type) * 8, reg_bits = ptx_type_bytes(reg) * 8;
	if (want == CLASS_PREDICATE || have == CLASS_PREDICATE)
		return want == have;
	/* A float is as wide as its register; 16 bits are the narrowest that every instruction takes. */
	bool wider = width == WIDTH_MAY_BE_WIDER && want != CLASS_FLOAT && have != CLASS_FLOAT;
	if (wider ? reg_bits < type_bits : reg_bits != type_bits)
		return false;
	if (want == CLASS_BITS || have == CLASS_BITS)
		return true;
	return want == CLASS_FLOAT || have == CLASS_FLOAT ? type == reg : true;
}

static enum ptx_type sreg_type(uint32_t sreg)
{
	if (sreg == PTX_SREG_is_explicit_cluster)
		return PTX_TYPE_pred;
	return sreg == PTX_SREG_clock64 || sreg == PTX_SREG_globaltimer || sreg == PTX_SREG_gridid
	           ? PTX_TYPE_u64
	           : PTX_TYPE_u32;
}

/* ---- values ---------------------------------------------------------------------------------------------- */

static bool match_integer(struct match *m, const struct raw_operand *raw, enum ptx_type type, int64_t *value)
{
	unsigned bits = ptx_type_bytes(type) * 8;
	uint64_t v = (uint64_t)raw->value;
	if (type == PTX_TYPE_pred) {
		*value = v != 0;
		return true;
	}
	if (type == PTX_TYPE_f32 || type == PTX_TYPE_f64)
		return match_fail(m, raw, "a floating-point number such as 0f3F800000");
	bits = bits > 64 ? 64 : bits;
	uint64_t max = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
	uint64_t limit = raw->minus ? (uint64_t)1 << (bits - 1) : max;
	/* Values of 8 bits live in 16-bit registers and may be written that way. */
	limit = bits == 8 ? UINT16_MAX : limit;
	if (v > limit)
		return parser_fail(m->p, &raw->token,
		                   "immediate is out of range, expected a value of %u bits", bits);
	*value = (int64_t)((raw->minus ? 0 - v : v) & max);
	return true;
}

static bool match_float(struct match *m, const struct raw_operand *raw, enum ptx_type type, int64_t *value)
{
	unsigned bytes = ptx_type_bytes(type);
	double wide;
	float narrow;
	uint32_t bits = (uint32_t)raw->value;
	enum type_class class = type_class(type);
	if ((class != CLASS_FLOAT && class != CLASS_BITS) || (bytes != 4 && bytes != 8) ||
	    (class == CLASS_FLOAT && type != PTX_TYPE_f32 && type != PTX_TYPE_f64))
		return match_fail(m, raw, "an integer or a register");
	memcpy(&wide, &raw->value, sizeof wide);
	memcpy(&narrow, &bits, sizeof narrow);
	if (bytes == 4 && raw->kind == RAW_DOUBLE) {
		narrow = (float)wide;
		memcpy(&bits, &narrow, sizeof bits);
	}
	if (bytes == 8 && raw->kind == RAW_SINGLE)
		wide = narrow;
	memcpy(value, &wide, sizeof wide);
	*value = bytes == 4 ? (int64_t)bits : *value;
	if (raw->minus)
		*value ^= bytes == 4 ? (int64_t)1 << 31 : INT64_MIN;
	return true;
}

static bool match_undefined(struct match *m, const struct raw_operand *raw)
{
	char buf[SHOW_SIZE];
	struct token name = raw->token;
	bool is_register = raw->token.kind == TOKEN_NAME ? *name.text == '%' : true;
	return parser_fail(m->p, &name, "undefined %s %s, expected one that is declared before",
	                   is_register ? "register" : "symbol", parser_show(buf, &name));
}

static bool match_register(struct match *m, const struct raw_operand *raw, enum ptx_type type,
                           enum width width)
{
	char buf[SHOW_SIZE];
	const struct ptx_register *r = &m->p->registers[raw->index];
	if (type_fits(type, r->type, width))
		return true;
	return parser_fail(m->p, &raw->token, "%s %u of '%s' is %s of type .%s, expected one of type .%s",
	                   m->role, m->number, ptx_op_name(m->insn->op), parser_show(buf, &raw->token),
	                   ptx_type_name(r->type), ptx_type_name(type));
}

static bool match_negation(struct match *m, const struct raw_operand *raw, enum ptx_type type)
{
	if (!raw->negated || (type == PTX_TYPE_pred && raw->kind == RAW_REGISTER))
		return true;
	return parser_fail(m->p, &raw->token, "'!' before something else than a predicate, expected none");
}

bool match_value(struct match *m, const struct raw_operand *raw, enum ptx_type type, enum width width)
{
	struct ptx_operand out = {.index = raw->index, .negated = raw->negated};
	unsigned bytes = ptx_type_bytes(type);
	bool holds_address = type_class(type) < CLASS_FLOAT && (bytes == 4 || bytes == 8);
	if (!match_negation(m, raw, type))
		return false;
	switch (raw->kind) {
	case RAW_REGISTER:
		out.kind = PTX_REG;
		if (!match_register(m, raw, type, width))
			return false;
		break;
	case RAW_INTEGER:
		out.kind = PTX_IMM;
		if (!match_integer(m, raw, type, &out.value))
			return false;
		break;
	case RAW_SINGLE:
	case RAW_DOUBLE:
		out.kind = PTX_IMM;
		if (!match_float(m, raw, type, &out.value))
			return false;
		break;
	case RAW_SREG:
		out.kind = PTX_SREG;
		if (!type_fits(type, sreg_type(raw->index), WIDTH_SAME) && raw->index != PTX_SREG_gridid)
			return match_fail(m, raw, "something of the instruction's type");
		break;
	case RAW_VARIABLE:
	case RAW_FUNCTION:
		out.kind = raw->kind == RAW_VARIABLE ? PTX_SYMBOL : PTX_FUNCTION;
		out.value = raw->value;
		if (!holds_address)
			return match_fail(m, raw, "a value; an address has 32 or 64 bits");
		break;
	case RAW_NAME:
		return match_undefined(m, raw);
	default:
		return match_fail(m, raw, "a register or a number");
	}
	match_push(m, out);
	return true;
}

bool match_result(struct match *m, const struct raw_operand *raw, enum ptx_type type, enum width width)
{
	if (raw->kind == RAW_NAME)
		return match_undefined(m, raw);
	if (raw->negated || (raw->kind != RAW_REGISTER && raw->kind != RAW_SINK))
		return match_fail(m, raw, "a register");
	if (raw->kind == RAW_REGISTER && !match_register(m, raw, type, width))
		return false;
	match_push(
	    m, (struct ptx_operand){.kind = raw->kind == RAW_SINK ? PTX_SINK : PTX_REG, .index = raw->index});
	return true;
}
