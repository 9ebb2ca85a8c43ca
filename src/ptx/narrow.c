/*
 * Addresses of shared and local memory: PTX computes them with 64 bits, machine
 * code with 32. A register is narrow if nothing else is made of it.
 */
#include "ptx/graph.h"

struct narrow {
	const struct ptx_module *module;
	struct ptx_register *registers;
};

static bool is_wide_integer(const struct ptx_register *reg)
{
	return ptx_type_bits((enum ptx_type)reg->type) == 64 && reg->type != PTX_TYPE_f64;
}

static bool keeps_low_bits(const struct ptx_insn *insn)
{
	switch (insn->op) {
	case PTX_add:
	case PTX_sub:
	case PTX_shl:
	case PTX_mov:
	case PTX_mad:
	case PTX_mul:
	case PTX_and:
	case PTX_or:
		return insn->mode != PTX_MODE_hi;
	default:
		return false;
	}
}

/* Whether `insn` asks for no more than 32 bits of its operand. */
static bool wants_low_bits(const struct narrow *n, const struct ptx_insn *insn,
                           const struct ptx_operand *source)
{
	bool near = insn->space == PTX_SPACE_shared || insn->space == PTX_SPACE_local;
	if (source->kind == PTX_ADDRESS)
		return near;
	if (insn->op == PTX_cvt)
		return ptx_type_bits((enum ptx_type)insn->type) <= 32;
	const struct ptx_operand *result = ptx_results(n->module, insn);
	return keeps_low_bits(insn) && insn->result_count == 1 && result->kind == PTX_REG &&
	       n->registers[result->index].narrow;
}

static bool widen_operands(struct narrow *n, const struct ptx_insn *insn)
{
	const struct ptx_operand *source = ptx_sources(n->module, insn);
	bool changed = false;
	for (uint32_t i = 0; i < insn->source_count; i++) {
		uint32_t reg = ptx_register_read(&source[i]);
		if (reg == PTX_NONE || !n->registers[reg].narrow || wants_low_bits(n, insn, &source[i]))
			continue;
		n->registers[reg].narrow = false;
		changed = true;
	}
	return changed;
}

void find_narrow(const struct ptx_module *m, struct ptx_function *f)
{
	struct narrow n = {.module = m, .registers = f->registers};
	for (uint32_t r = 0; r < f->register_count; r++)
		f->registers[r].narrow = is_wide_integer(&f->registers[r]);
	bool changed = true;
	while (changed) {
		changed = false;
		/* Backwards: what an address is made of comes before it. */
		for (uint32_t i = f->insn_count; i-- > 0;)
			changed |= widen_operands(&n, &m->insns[f->first_insn + i]);
	}
}
