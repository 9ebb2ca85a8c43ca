/*
 * What is known of the lower bits of registers, whatever the input: from the instructions alone.
 *
 * All of a register's definitions count, wherever they are: of the index of a loop, the bits that its steps leave alone.
 * A definition counts once its sources are known, and again as less and less is known of them.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "ptx/graph.h"

enum { ALL = 64 };

struct alignment {
	const struct ptx_module *m;
	struct low_bits *of; /* by register */
	bool *is_defined;    /* by register: something is known, or nothing will be */
};

static const struct low_bits unknown = {0, 0};

static bool is_integer(uint8_t type)
{
	return type >= PTX_TYPE_b8 && type <= PTX_TYPE_s64;
}

static uint64_t lower(uint64_t value, uint32_t bits)
{
	return bits < ALL ? value & (((uint64_t)1 << bits) - 1) : value;
}

static struct low_bits known(uint32_t bits, uint64_t value)
{
	bits = bits < ALL ? bits : ALL;
	return (struct low_bits){(uint8_t)bits, lower(value, bits)};
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t zeros_of(struct low_bits b)
{
	return b.value ? (uint32_t)__builtin_ctzll(b.value) : b.known;
}

struct low_bits shared_low_bits(const struct ptx_module *m, uint32_t variable)
{
	const struct ptx_variable *v = &m->variables[variable];
	uint32_t align = v->space == PTX_SPACE_shared ? ptx_shared_align(m, v) : 0;
	return align ? known((uint32_t)__builtin_ctz(align), 0) : unknown;
}

static struct low_bits plus(struct low_bits x, struct low_bits y)
{
	return known(least(x.known, y.known), x.value + y.value);
}

static struct low_bits times(struct low_bits x, struct low_bits y)
{
	return known(least(x.known + zeros_of(y), y.known + zeros_of(x)), x.value * y.value);
}

/* Up to the first bit of which neither both are known nor one alone decides. */
static struct low_bits both(struct low_bits x, struct low_bits y)
{
	uint32_t n = 0;
	for (; n < ALL; n++) {
		bool knows_x = n < x.known, knows_y = n < y.known;
		bool clears = (knows_x && !(x.value >> n & 1)) || (knows_y && !(y.value >> n & 1));
		if (!clears && !(knows_x && knows_y))
			break;
	}
	return known(n, x.value & y.value);
}

static struct low_bits shifted(struct low_bits x, const struct ptx_operand *by, bool left)
{
	if (by->kind != PTX_IMM || (uint64_t)by->value >= 32)
		return left ? known(zeros_of(x), 0) : unknown;
	uint32_t n = (uint32_t)by->value;
	if (left)
		return known(x.known + n, x.value << n);
	return x.known > n && x.known < ALL ? known(x.known - n, x.value >> n) : unknown;
}

static struct low_bits bits_of(const struct alignment *a, const struct ptx_operand *o)
{
	switch (o->kind) {
	case PTX_REG:
		return a->of[o->index];
	case PTX_IMM:
		return known(ALL, (uint64_t)o->value);
	case PTX_SYMBOL:
		return plus(shared_low_bits(a->m, o->index), known(ALL, (uint64_t)o->value));
	default:
		return unknown;
	}
}

static struct low_bits in_common(struct low_bits x, struct low_bits y)
{
	uint64_t differ = x.value ^ y.value;
	uint32_t alike = differ ? (uint32_t)__builtin_ctzll(differ) : ALL;
	return known(least(alike, least(x.known, y.known)), x.value);
}

/* Of a result of one register. Immediates have the width of the operation, and so have no more bits than its result. */
static struct low_bits bits_of_result(const struct alignment *a, const struct ptx_insn *insn)
{
	const struct ptx_operand *s = ptx_sources(a->m, insn);
	if (!is_integer(insn->type) || insn->flags & PTX_FLAG_SAT || insn->mode == PTX_MODE_hi)
		return unknown;
	switch (insn->op) {
	case PTX_mov:
		return insn->source_count == 1 ? bits_of(a, &s[0]) : unknown;
	case PTX_cvt:
		return is_integer(insn->type2) ? bits_of(a, &s[0]) : unknown;
	case PTX_cvta:
		return insn->space == PTX_SPACE_shared ? bits_of(a, &s[0]) : unknown;
	case PTX_add:
		return plus(bits_of(a, &s[0]), bits_of(a, &s[1]));
	case PTX_sub:
		return plus(bits_of(a, &s[0]), times(bits_of(a, &s[1]), known(ALL, UINT64_MAX)));
	case PTX_mul:
		return times(bits_of(a, &s[0]), bits_of(a, &s[1]));
	case PTX_mad:
		return plus(times(bits_of(a, &s[0]), bits_of(a, &s[1])), bits_of(a, &s[2]));
	case PTX_and:
		return both(bits_of(a, &s[0]), bits_of(a, &s[1]));
	case PTX_or:
	case PTX_xor: {
		struct low_bits x = bits_of(a, &s[0]), y = bits_of(a, &s[1]);
		return known(least(x.known, y.known),
		             insn->op == PTX_or ? x.value | y.value : x.value ^ y.value);
	}
	case PTX_selp:
		return in_common(bits_of(a, &s[0]), bits_of(a, &s[1]));
	case PTX_shl:
	case PTX_shr:
		return shifted(bits_of(a, &s[0]), &s[1], insn->op == PTX_shl);
	default:
		return unknown;
	}
}

static bool has_sources(const struct alignment *a, const struct ptx_insn *insn)
{
	const struct ptx_operand *source = ptx_sources(a->m, insn);
	for (uint32_t i = 0; i < insn->source_count; i++) {
		uint32_t reg = ptx_register_read(&source[i]);
		if (reg != PTX_NONE && !a->is_defined[reg])
			return false;
	}
	return true;
}

static bool add_definition(struct alignment *a, const struct ptx_insn *insn)
{
	const struct ptx_operand *result = ptx_results(a->m, insn);
	bool changed = false;
	for (uint32_t i = 0; i < insn->result_count && has_sources(a, insn); i++) {
		if (result[i].kind != PTX_REG)
			continue;
		uint32_t reg = result[i].index;
		struct low_bits bits = insn->result_count == 1 ? bits_of_result(a, insn) : unknown;
		if (a->is_defined[reg])
			bits = in_common(a->of[reg], bits);
		changed |= !a->is_defined[reg] || bits.known != a->of[reg].known;
		a->of[reg] = bits;
		a->is_defined[reg] = true;
	}
	return changed;
}

static void add_definitions(struct alignment *a, const struct ptx_function *f)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = f->first_insn; i < f->first_insn + f->insn_count; i++)
			changed |= add_definition(a, &a->m->insns[i]);
	}
}

struct low_bits *register_low_bits(const struct ptx_module *m, const struct ptx_function *f)
{
	struct alignment a = {.m = m};
	a.of = memory_zeroed(f->register_count + 1, sizeof *a.of);
	a.is_defined = memory_zeroed(f->register_count + 1, sizeof *a.is_defined);
	add_definitions(&a, f);
	/* Registers that are never written, or from themselves alone: nothing is known of what is made of them, either. */
	for (uint32_t r = 0; r < f->register_count; r++)
		a.is_defined[r] = true;
	add_definitions(&a, f);
	free(a.is_defined);
	return a.of;
}
