/*
 * Addresses of shared and local memory: PTX computes them with 64 bits, machine
 * code with 32. A register is narrow if nothing else is made of it.
 */
#include "cuda/lower_facts.h"

static bool is_wide_integer(const struct lower_facts *f, uint32_t reg)
{
	return lower_kind_of(f->function->registers[reg].type) == I64;
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

/* Whether `insn` asks for no more than 32 bits of its operand number `s`. */
static bool wants_low_bits(const struct lower_facts *f, const struct ptx_insn *insn,
                           const struct ptx_operand *source)
{
	bool near = insn->space == PTX_SPACE_shared || insn->space == PTX_SPACE_local;
	if (source->kind == PTX_ADDRESS)
		return near;
	if (insn->op == PTX_cvt)
		return ptx_type_bits((enum ptx_type)insn->type) <= 32;
	const struct ptx_operand *result = ptx_results(f->module, insn);
	return keeps_low_bits(insn) && insn->result_count == 1 && result->kind == PTX_REG &&
	       f->regs[result->index].narrow;
}

static bool widen_operands(struct lower_facts *f, const struct ptx_insn *insn)
{
	const struct ptx_operand *source = ptx_sources(f->module, insn);
	bool changed = false;
	for (uint32_t i = 0; i < insn->source_count; i++) {
		uint32_t reg = lower_reads(&source[i]);
		if (reg == PTX_NONE || !f->regs[reg].narrow || wants_low_bits(f, insn, &source[i]))
			continue;
		f->regs[reg].narrow = false;
		changed = true;
	}
	return changed;
}

void lower_find_narrow(struct lower_facts *f)
{
	for (uint32_t r = 0; r < f->function->register_count; r++)
		f->regs[r].narrow = is_wide_integer(f, r) && f->regs[r].uses;
	bool changed = true;
	while (changed) {
		changed = false;
		/* Backwards: what an address is made of comes before it. */
		for (uint32_t i = f->function->insn_count; i-- > 0;)
			changed |= widen_operands(f, &f->module->insns[f->function->first_insn + i]);
	}
}
