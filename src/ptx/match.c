/*
 * Operands against the form of their instruction: how many, of which kind.
 * Single values are checked in match_value.c, calls in match_call.c.
 */
#include <stdio.h>
#include <string.h>

#include "ptx/fragment.h"
#include "ptx/match.h"

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

/* An address in a space of its own, whatever the instruction's is. */
static bool match_address_in(struct match *m, const struct raw_operand *raw, uint8_t space)
{
	uint8_t own = m->insn->space;
	m->insn->space = space;
	bool ok = match_address(m, raw);
	m->insn->space = own;
	return ok;
}

/* [handle, {x, y}] or, of txq, [handle]. */
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

static bool match_vector(struct match *m, const struct raw_operand *raw, bool result)
{
	uint32_t count = raw->kind == RAW_VECTOR ? raw->count : 1;
	if (count != m->insn->vector || (m->insn->vector > 1 && raw->kind != RAW_VECTOR))
		return parser_fail(m->p, &raw->token, "vector of %u, expected %u elements%s", count,
		                   m->insn->vector, m->insn->vector > 1 ? " in braces" : "");
	const struct raw_operand *first = raw->kind == RAW_VECTOR ? raw + 1 : raw;
	for (uint32_t i = 0; i < count; i++)
		if (!(result ? match_result : match_value)(m, first + i, m->insn->type, WIDTH_MAY_BE_WIDER))
			return false;
	return true;
}

/* Registers of a matrix; one may stand without braces. */
static bool match_fragment(struct match *m, const struct raw_operand *raw, char letter, bool result)
{
	struct ptx_matrix f = ptx_matrix(m->insn, (enum ptx_fragment)(letter - 'd'));
	uint32_t count = raw->kind == RAW_VECTOR ? raw->count : 1;
	if (count != f.registers)
		return parser_fail(m->p, &raw->token, "%u registers for a matrix of '%s', expected %u", count,
		                   ptx_op_name(m->insn->op), f.registers);
	const struct raw_operand *first = raw->kind == RAW_VECTOR ? raw + 1 : raw;
	for (uint32_t i = 0; i < count; i++)
		if (!(result ? match_result : match_value)(m, first + i, f.register_type, WIDTH_SAME))
			return false;
	return true;
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

/* How many places of the list an operand takes. */
static uint32_t raw_size(const struct raw_operand *raw)
{
	return raw->kind == RAW_VECTOR || raw->kind == RAW_TEXTURE || raw->kind == RAW_LIST ? raw->count + 1
	                                                                                    : 1;
}

/* ---- mov ------------------------------------------------------------------------------------------------- */

/* Parts of a packed or unpacked value: their type by its bits. */
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
	for (uint32_t i = 0; i < raw->count; i++)
		if (!(result ? match_result : match_value)(m, raw + 1 + i,
		                                           mov_part(m->insn->type, raw->count), WIDTH_SAME))
			return false;
	return true;
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

/* Operands at the top, not those inside braces; and how many of them are joined by '|' to the first. */
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

bool match_instruction(struct parser *p, const struct form *form, struct ptx_insn *insn,
                       const struct raw_operands *raw)
{
	struct match m = {.p = p, .insn = insn, .role = "result"};
	struct side results, sources;
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
	for (int i = 0; i < sources.count; i++, next += raw_size(next)) {
		m.number = (unsigned)i + 1;
		if (!match_source(&m, next, sources.letters[i]))
			return false;
	}
	insn->source_count = (uint8_t)(p->module->operand_count - insn->first_operand - insn->result_count);
	return true;
}
