/*
 * Operands against the form of their instruction: how many there are, of which kind, of which type. Immediates get
 * their bits here. A call is checked against the function or the prototype it names.
 */
#include <stdio.h>
#include <string.h>

#include "ptx/fragment.h"
#include "ptx/match.h"

/* The instruction that is matched. */
struct match {
	struct parser *p;
	struct ptx_insn *insn;
	const char *role; /* "result" or "source", for messages */
	unsigned number;  /* of the operand */
};

enum type_class { CLASS_BITS, CLASS_INTEGER, CLASS_FLOAT, CLASS_PREDICATE };
enum width { WIDTH_SAME, WIDTH_MAY_BE_WIDER };

/* ---- single values -------------------------------------------------------------------------------------- */

static void match_push(struct match *m, struct ptx_operand operand)
{
	struct ptx_module *module = m->p->module;
	*PARSER_PUSH(module->operands, m->p->capacity.operands, module->operand_count) = operand;
}

/* Report "source 2 of 'add' is '5', expected ...". */
static bool match_fail(struct match *m, const struct raw_operand *raw, const char *expected)
{
	char buf[SHOW_SIZE];
	return parser_fail(m->p, &raw->token, "%s %u of '%s' is %s, expected %s", m->role, m->number,
	                   ptx_op_name(m->insn->op), parser_show(buf, &raw->token), expected);
}

static enum type_class type_class(enum ptx_type t)
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
	/* Values of 8 bits live in 16-bit registers and may be written that way. */
	if (v > (bits == 8 ? UINT16_MAX : literal_limit(bits, raw->minus)))
		return parser_fail(m->p, &raw->token,
		                   "immediate is out of range, expected a value of %u bits", bits);
	*value = (int64_t)((raw->minus ? 0 - v : v) & literal_limit(bits, false));
	return true;
}

static bool match_float(struct match *m, const struct raw_operand *raw, enum ptx_type type, int64_t *value)
{
	unsigned bytes = ptx_type_bytes(type);
	enum type_class class = type_class(type);
	if ((class != CLASS_FLOAT && class != CLASS_BITS) || (bytes != 4 && bytes != 8) ||
	    (class == CLASS_FLOAT && type != PTX_TYPE_f32 && type != PTX_TYPE_f64))
		return match_fail(m, raw, "an integer or a register");
	*value = (int64_t)literal_float_bits(raw->kind == RAW_SINGLE ? TOKEN_SINGLE : TOKEN_DOUBLE,
	                                     (uint64_t)raw->value, raw->minus, bytes);
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

/* Match a source that is a value: register, immediate, special register, address of a variable or function. */
static bool match_value(struct match *m, const struct raw_operand *raw, enum ptx_type type, enum width width)
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

static bool match_result(struct match *m, const struct raw_operand *raw, enum ptx_type type, enum width width)
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

/* ---- addresses ------------------------------------------------------------------------------------------- */

static bool match_address_register(struct match *m, const struct raw_operand *raw, uint32_t index)
{
	const struct ptx_register *r = &m->p->registers[index];
	unsigned bytes = ptx_type_bytes(r->type);
	if (type_class(r->type) <= CLASS_INTEGER && (bytes == 4 || bytes == 8))
		return true;
	return parser_fail(m->p, &raw->token,
	                   "address in register '%.32s' of type .%s, expected 32 or 64 bits", r->name,
	                   ptx_type_name(r->type));
}

static bool match_address(struct match *m, const struct raw_operand *raw)
{
	if (raw->kind != RAW_ADDRESS)
		return match_fail(m, raw, "an address in brackets");
	if (raw->base == PTX_BASE_REG && !match_address_register(m, raw, raw->index))
		return false;
	if (raw->base == PTX_BASE_VARIABLE) {
		const struct ptx_variable *v = &m->p->module->variables[raw->index];
		if (m->insn->space == PTX_SPACE_generic)
			m->insn->space = v->space;
		if (m->insn->space != v->space)
			return parser_fail(m->p, &raw->token,
			                   "'%.64s' is a .%s variable, expected one of .%s", v->name,
			                   ptx_space_name(v->space), ptx_space_name(m->insn->space));
	}
	match_push(m, (struct ptx_operand){
	                  .kind = PTX_ADDRESS, .base = raw->base, .index = raw->index, .value = raw->value});
	return true;
}

/* Match an address in a given space, whatever the instruction's is. */
static bool match_address_in(struct match *m, const struct raw_operand *raw, uint8_t space)
{
	uint8_t own = m->insn->space;
	m->insn->space = space;
	bool ok = match_address(m, raw);
	m->insn->space = own;
	return ok;
}

/* Match [handle, {x, y}] or, of txq, [handle]. */
static bool match_texture(struct match *m, const struct raw_operand *raw)
{
	if (raw->kind == RAW_ADDRESS && raw->base != PTX_BASE_ABSOLUTE && !raw->value &&
	    m->insn->op == PTX_txq) {
		match_push(m, (struct ptx_operand){.kind = raw->base == PTX_BASE_REG ? PTX_REG : PTX_SYMBOL,
		                                   .index = raw->index});
		return true;
	}
	if (raw->kind != RAW_TEXTURE || m->insn->op == PTX_txq)
		return match_fail(m, raw, m->insn->op == PTX_txq ? "[texture]" : "[texture, {coordinates}]");
	if (!match_value(m, raw + 1, PTX_TYPE_u64, WIDTH_SAME))
		return false;
	static const uint8_t counts[PTX_MODE_COUNT] = {
	    [PTX_MODE_d1] = 1,  [PTX_MODE_d2] = 2,  [PTX_MODE_d3] = 3,
	    [PTX_MODE_a1d] = 2, [PTX_MODE_a2d] = 3, [PTX_MODE_cube] = 3,
	};
	uint32_t given = raw->count - 1, needed = counts[m->insn->mode];
	if (given < needed || given > 4)
		return parser_fail(m->p, &raw->token, "%u coordinates, expected %u", given, needed);
	bool surface = m->insn->op == PTX_suld || m->insn->op == PTX_sust;
	bool array = m->insn->mode == PTX_MODE_a1d || m->insn->mode == PTX_MODE_a2d;
	for (uint32_t i = 0; i < given; i++) {
		/* The layer of an array is an integer; padding behind the last may be anything. */
		bool integer = surface || (array && i == 0);
		enum ptx_type type = integer ? PTX_TYPE_u32 : i >= needed ? PTX_TYPE_b32 : m->insn->type2;
		if (!match_value(m, raw + 2 + i, type, WIDTH_SAME))
			return false;
	}
	return true;
}

/* Match [map, {x, y}]: the map's address as a number, and as many coordinates as the opcode says. */
static bool match_box(struct match *m, const struct raw_operand *raw)
{
	if (raw->kind != RAW_TEXTURE)
		return match_fail(m, raw, "[tensor map, {coordinates}]");
	if (raw->count - 1 != m->insn->vector)
		return parser_fail(m->p, &raw->token, "%u coordinates, expected %u", raw->count - 1,
		                   m->insn->vector);
	if (!match_value(m, raw + 1, PTX_TYPE_u64, WIDTH_SAME))
		return false;
	for (uint32_t i = 0; i < m->insn->vector; i++)
		if (!match_value(m, raw + 2 + i, PTX_TYPE_s32, WIDTH_SAME))
			return false;
	return true;
}

static bool match_label(struct match *m, const struct raw_operand *raw, enum ptx_operand_kind kind,
                        enum symbol wanted)
{
	if (raw->token.kind != TOKEN_NAME || raw->kind == RAW_REGISTER || raw->kind == RAW_SINK)
		return match_fail(m, raw,
		                  wanted == SYMBOL_LABEL ? "a label" : "the label of a .branchtargets list");
	symbol_await(m->p, &raw->token, wanted, m->p->module->operand_count, NULL);
	match_push(m, (struct ptx_operand){.kind = (uint8_t)kind});
	return true;
}

/* ---- one operand by its letter --------------------------------------------------------------------------- */

static enum ptx_type type_widened(enum ptx_type t)
{
	switch (t) {
	case PTX_TYPE_u16:
		return PTX_TYPE_u32;
	case PTX_TYPE_s16:
		return PTX_TYPE_s32;
	case PTX_TYPE_u32:
		return PTX_TYPE_u64;
	default:
		return PTX_TYPE_s64;
	}
}

/* The type that a letter of forms.def means. */
static enum ptx_type letter_type(const struct ptx_insn *insn, char letter)
{
	switch (letter) {
	case 'u':
	case 'm':
	case 'i':
		return PTX_TYPE_u32;
	case 'p':
		return PTX_TYPE_pred;
	case 'l':
	case 'h':
		return PTX_TYPE_b64;
	case 'n':
		return PTX_TYPE_f32;
	case '2':
	case 'y':
		return insn->type2;
	case 'w':
		return type_widened(insn->type);
	default:
		return insn->type;
	}
}

/* Match the parts of a vector, or one value without braces. */
static bool match_parts(struct match *m, const struct raw_operand *raw, uint32_t count, enum ptx_type type,
                        enum width width, bool result)
{
	const struct raw_operand *first = raw->kind == RAW_VECTOR ? raw + 1 : raw;
	for (uint32_t i = 0; i < count; i++)
		if (!(result ? match_result : match_value)(m, first + i, type, width))
			return false;
	return true;
}

static bool match_vector(struct match *m, const struct raw_operand *raw, bool result)
{
	uint32_t count = raw->kind == RAW_VECTOR ? raw->count : 1;
	if (count != m->insn->vector || (m->insn->vector > 1 && raw->kind != RAW_VECTOR))
		return parser_fail(m->p, &raw->token, "vector of %u, expected %u elements%s", count,
		                   m->insn->vector, m->insn->vector > 1 ? " in braces" : "");
	return match_parts(m, raw, count, m->insn->type, WIDTH_MAY_BE_WIDER, result);
}

/* Match the registers of a matrix; one may stand without braces. */
static bool match_fragment(struct match *m, const struct raw_operand *raw, char letter, bool result)
{
	struct ptx_matrix f = ptx_matrix(m->insn, (enum ptx_fragment)(letter - 'd'));
	uint32_t count = raw->kind == RAW_VECTOR ? raw->count : 1;
	if (count != f.registers)
		return parser_fail(m->p, &raw->token, "%u registers for a matrix of '%s', expected %u", count,
		                   ptx_op_name(m->insn->op), f.registers);
	return match_parts(m, raw, count, f.register_type, WIDTH_SAME, result);
}

static bool match_source(struct match *m, const struct raw_operand *raw, char letter)
{
	enum width width = letter == 'y' || letter == 'x' ? WIDTH_MAY_BE_WIDER : WIDTH_SAME;
	switch (letter) {
	case 'A':
		return match_address(m, raw);
	case 'S':
		return match_address_in(m, raw, PTX_SPACE_shared);
	case 'G':
		return match_address_in(m, raw, PTX_SPACE_global);
	case 'X':
		return match_texture(m, raw);
	case 'M':
		return match_box(m, raw);
	case 'q':
		return raw->kind == RAW_VECTOR ? match_fragment(m, raw, 'e', false)
		                               : match_value(m, raw, PTX_TYPE_b64, WIDTH_SAME);
	case 'd':
	case 'e':
	case 'f':
	case 'g':
		return match_fragment(m, raw, letter, false);
	case 'j': {
		bool is_predicate =
		    raw->kind == RAW_REGISTER && m->p->registers[raw->index].type == PTX_TYPE_pred;
		return match_value(m, raw, is_predicate ? PTX_TYPE_pred : PTX_TYPE_u32, WIDTH_SAME);
	}
	case 'L':
		return match_label(m, raw, PTX_LABEL, SYMBOL_LABEL);
	case 'B':
		return match_label(m, raw, PTX_TABLE, SYMBOL_TABLE);
	case 'v':
		return match_vector(m, raw, false);
	case 'a':
		if (raw->kind == RAW_REGISTER && !match_address_register(m, raw, raw->index))
			return false;
		return match_value(
		    m, raw, raw->kind == RAW_REGISTER ? m->p->registers[raw->index].type : PTX_TYPE_u64,
		    WIDTH_SAME);
	case 'i':
		if (raw->kind != RAW_INTEGER)
			return match_fail(m, raw, "an immediate number");
		return match_value(m, raw, PTX_TYPE_u32, WIDTH_SAME);
	default:
		return match_value(m, raw, letter_type(m->insn, letter), width);
	}
}

/* Return how many places of the list an operand takes. */
static uint32_t raw_size(const struct raw_operand *raw)
{
	return raw->kind == RAW_VECTOR || raw->kind == RAW_TEXTURE || raw->kind == RAW_LIST ? raw->count + 1
	                                                                                    : 1;
}

/* ---- mov ------------------------------------------------------------------------------------------------- */

/* Return the type of the parts of a packed or unpacked value. */
static enum ptx_type mov_part(enum ptx_type whole, uint32_t count)
{
	switch (ptx_type_bytes(whole) * 8 / count) {
	case 8:
		return PTX_TYPE_b8;
	case 16:
		return PTX_TYPE_b16;
	case 32:
		return PTX_TYPE_b32;
	default:
		return PTX_TYPE_b64;
	}
}

static bool mov_side(struct match *m, const struct raw_operand *raw, bool result)
{
	if (raw->kind != RAW_VECTOR)
		return (result ? match_result : match_value)(m, raw, m->insn->type, WIDTH_SAME);
	bool packs = type_class(m->insn->type) == CLASS_BITS || type_class(m->insn->type) == CLASS_INTEGER;
	if (!packs || (raw->count != 2 && raw->count != 4) || ptx_type_bytes(m->insn->type) < raw->count)
		return match_fail(m, raw, "two or four parts of a .b value");
	return match_parts(m, raw, raw->count, mov_part(m->insn->type, raw->count), WIDTH_SAME, result);
}

static bool match_mov(struct match *m, const struct raw_operands *raw)
{
	const struct raw_operand *result = raw->list, *source = result + (raw->count ? raw_size(result) : 0);
	if (raw->count < 2 || source >= raw->list + raw->count ||
	    source + raw_size(source) != raw->list + raw->count)
		return parser_fail(m->p, &m->p->token, "wrong number of operands of 'mov', expected 2");
	if (result->kind == RAW_VECTOR && source->kind == RAW_VECTOR)
		return match_fail(m, source, "one value to be unpacked");
	m->number = 1;
	if (!mov_side(m, result, true))
		return false;
	m->insn->result_count = (uint8_t)(m->p->module->operand_count - m->insn->first_operand);
	m->role = "source";
	if (!mov_side(m, source, false))
		return false;
	m->insn->source_count =
	    (uint8_t)(m->p->module->operand_count - m->insn->first_operand - m->insn->result_count);
	return true;
}

/* ---- calls ---------------------------------------------------------------------------------------------- */

/* The parts of "call (r), target, (a, b), prototype"; all but the target may be missing. */
struct call {
	const struct raw_operand *results, *target, *arguments, *prototype;
};

static bool call_split(struct parser *p, const struct ptx_insn *insn, const struct raw_operands *raw,
                       struct call *call)
{
	const struct raw_operand *at = raw->list, *end = at + raw->count;
	*call = (struct call){0};
	if (at < end && at->kind == RAW_LIST) {
		call->results = at;
		at += at->count + 1;
	}
	if (at < end && at->kind != RAW_LIST)
		call->target = at++;
	if (call->target && at < end && at->kind == RAW_LIST) {
		call->arguments = at;
		at += at->count + 1;
	}
	if (call->target && at < end && at->kind == RAW_PROTOTYPE)
		call->prototype = at++;
	if (call->target && at == end)
		return true;
	struct token where = {.line = insn->line, .column = insn->column};
	return parser_fail(p, at < end ? &at->token : &where,
	                   "wrong operands of 'call', expected (results), function, "
	                   "(arguments) and, if indirect, a declared prototype");
}

/* Match a parameter: a .param variable of `bytes` bytes. */
static bool call_param(struct parser *p, const struct raw_operand *raw, uint64_t bytes, const char *role)
{
	char buf[SHOW_SIZE];
	struct ptx_module *m = p->module;
	if (raw->kind != RAW_VARIABLE || m->variables[raw->index].space != PTX_SPACE_param || raw->value)
		return parser_fail(p, &raw->token, "%s of 'call' is %s, expected a .param variable", role,
		                   parser_show(buf, &raw->token));
	if (m->variables[raw->index].bytes != bytes)
		return parser_fail(p, &raw->token, "%s %s of 'call' has %llu bytes, expected %llu", role,
		                   parser_show(buf, &raw->token),
		                   (unsigned long long)m->variables[raw->index].bytes,
		                   (unsigned long long)bytes);
	*PARSER_PUSH(m->operands, p->capacity.operands, m->operand_count) =
	    (struct ptx_operand){.kind = PTX_SYMBOL, .index = raw->index};
	return true;
}

/* Return the size of parameter i, results first, then arguments. */
static uint64_t call_bytes(const struct ptx_module *m, const struct call *call, uint32_t i)
{
	if (call->prototype)
		return m->prototypes[call->prototype->index].bytes[i];
	const struct ptx_function *f = &m->functions[call->target->index];
	return m->variables[i < f->result_count ? f->results[i] : f->params[i - f->result_count]].bytes;
}

static bool call_list(struct parser *p, const struct call *call, const struct raw_operand *list,
                      uint32_t first, const char *role)
{
	for (uint32_t i = 0; list && i < list->count; i++)
		if (!call_param(p, list + 1 + i, call_bytes(p->module, call, first + i), role))
			return false;
	return true;
}

static bool call_counts(struct parser *p, const struct call *call, uint32_t results, uint32_t params)
{
	uint32_t given_results = call->results ? call->results->count : 0;
	uint32_t given_params = call->arguments ? call->arguments->count : 0;
	char buf[SHOW_SIZE];
	if (given_results != results)
		return parser_fail(p, &call->target->token, "call of %s with %u results, expected %u",
		                   parser_show(buf, &call->target->token), given_results, results);
	if (given_params != params)
		return parser_fail(p, &call->target->token, "call of %s with %u arguments, expected %u",
		                   parser_show(buf, &call->target->token), given_params, params);
	return true;
}

static bool call_target(struct parser *p, const struct call *call)
{
	char buf[SHOW_SIZE];
	const struct raw_operand *target = call->target;
	const struct ptx_module *m = p->module;
	if (target->kind == RAW_FUNCTION && !target->value && !call->prototype) {
		const struct ptx_function *f = &m->functions[target->index];
		return call_counts(p, call, f->result_count, f->param_count);
	}
	if (target->kind == RAW_NAME)
		return parser_fail(p, &target->token,
		                   "undefined function %s, expected one that is declared before",
		                   parser_show(buf, &target->token));
	if (target->kind == RAW_REGISTER && call->prototype) {
		const struct ptx_prototype *proto = &m->prototypes[call->prototype->index];
		if (ptx_type_bytes(p->registers[target->index].type) != 8)
			return parser_fail(p, &target->token,
			                   "call through %s, expected a register of 64 bits",
			                   parser_show(buf, &target->token));
		return call_counts(p, call, proto->result_count, proto->param_count);
	}
	return parser_fail(p, &target->token,
	                   "call of %s, expected a function, or a register and a prototype",
	                   parser_show(buf, &target->token));
}

static bool match_call(struct parser *p, struct ptx_insn *insn, const struct raw_operands *raw)
{
	struct call call;
	struct ptx_module *m = p->module;
	if (!call_split(p, insn, raw, &call) || !call_target(p, &call))
		return false;
	uint32_t results = call.results ? call.results->count : 0;
	if (!call_list(p, &call, call.results, 0, "result"))
		return false;
	*PARSER_PUSH(m->operands, p->capacity.operands, m->operand_count) = (struct ptx_operand){
	    .kind = call.target->kind == RAW_REGISTER ? PTX_REG : PTX_FUNCTION, .index = call.target->index};
	if (!call_list(p, &call, call.arguments, results, "argument"))
		return false;
	if (call.prototype)
		*PARSER_PUSH(m->operands, p->capacity.operands, m->operand_count) =
		    (struct ptx_operand){.kind = PTX_PROTOTYPE, .index = call.prototype->index};
	insn->result_count = (uint8_t)results;
	insn->source_count = (uint8_t)(m->operand_count - insn->first_operand - results);
	return true;
}

/* ---- whole instructions ---------------------------------------------------------------------------------- */

/* Letters of one side of a form; `optional` is the one that may be left out, or -1. */
struct side {
	char letters[8];
	int count, optional;
};

static struct side side_read(const char **at)
{
	struct side s = {.optional = -1};
	for (; **at && **at != '='; ++*at) {
		if (**at == '?')
			s.optional = s.count - 1;
		else
			s.letters[s.count++] = **at;
	}
	*at += **at == '=';
	return s;
}

static void side_drop_optional(struct side *s)
{
	memmove(s->letters + s->optional, s->letters + s->optional + 1, (size_t)(s->count - s->optional));
	s->count--;
}

/* Count the operands, those inside braces as one, and how many are joined by '|' to the first. */
static int count_operands(const struct raw_operands *raw, int *joined)
{
	int count = 0;
	*joined = 0;
	for (uint32_t i = 0; i < raw->count; i += raw_size(&raw->list[i]), count++)
		*joined += raw->list[i].joined;
	return count;
}

static bool match_count(struct match *m, const struct form *form, const struct raw_operands *raw,
                        struct side *results, struct side *sources)
{
	const char *at = form->operands;
	int joined, given = count_operands(raw, &joined);
	*results = side_read(&at);
	*sources = side_read(&at);
	if (sources->count && sources->letters[sources->count - 1] == 'h' &&
	    !(m->insn->flags & PTX_FLAG_HINT))
		sources->count--;
	if (results->optional >= 0 && !joined)
		side_drop_optional(results);
	int most = results->count + sources->count, least = most - (sources->optional >= 0);
	if (joined != (results->count > 1))
		return parser_fail(m->p, &raw->list[0].token, "'%s' %s '|', expected %d result%s",
		                   ptx_op_name(m->insn->op), joined ? "cannot have" : "lacks", results->count,
		                   results->count == 1 ? "" : "s");
	if (given < least || given > most) {
		struct token at_opcode = {.line = m->insn->line, .column = m->insn->column};
		char range[32];
		snprintf(range, sizeof range, least == most ? "%d" : "%d or %d", least, most);
		return parser_fail(m->p, &at_opcode, "'%s' has %d operands, expected %s",
		                   ptx_op_name(m->insn->op), given, range);
	}
	if (given < most)
		side_drop_optional(sources);
	return true;
}

static bool match_one_result(struct match *m, const struct raw_operand *raw, char letter)
{
	if (letter == 'v')
		return match_vector(m, raw, true);
	if (letter == 'd')
		return match_fragment(m, raw, letter, true);
	return match_result(m, raw, letter_type(m->insn, letter),
	                    letter == 'x' || letter == 'm' ? WIDTH_MAY_BE_WIDER : WIDTH_SAME);
}

/* What an instruction adds to it reads as well. */
static void repeat_results(struct match *m)
{
	for (uint32_t i = 0; i < m->insn->result_count; i++)
		match_push(m, m->p->module->operands[m->insn->first_operand + i]);
}

bool match_instruction(struct parser *p, const struct form *form, struct ptx_insn *insn,
                       const struct raw_operands *raw)
{
	struct match m = {.p = p, .insn = insn, .role = "result"};
	struct side results, sources;
	if (*form->operands == '(')
		return match_call(p, insn, raw);
	if (*form->operands == '*')
		return match_mov(&m, raw);
	if (!match_count(&m, form, raw, &results, &sources))
		return false;
	const struct raw_operand *next = raw->list;
	for (int i = 0; i < results.count; i++, next += raw_size(next)) {
		char letter = results.letters[i];
		m.number = (unsigned)i + 1;
		if (!match_one_result(&m, next, letter))
			return false;
	}
	insn->result_count = (uint8_t)(p->module->operand_count - insn->first_operand);
	m.role = "source";
	if (insn->op == PTX_wgmma)
		repeat_results(&m);
	for (int i = 0; i < sources.count; i++, next += raw_size(next)) {
		m.number = (unsigned)i + 1;
		if (!match_source(&m, next, sources.letters[i]))
			return false;
	}
	insn->source_count = (uint8_t)(p->module->operand_count - insn->first_operand - insn->result_count);
	return true;
}
