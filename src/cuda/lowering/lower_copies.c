/*
 * Copies of 16 bytes between global and shared memory. clang copies a float4 by
 * halves, a load and a store of 8 bytes each; nvcc does it at once. Whether the
 * type allows that, PTX does not say, but the array in shared memory has its
 * alignment. The halves at the lower addresses stand for the whole.
 */
#include "cuda/lowering/lower_facts.h"

enum { HALF = 8, WHOLE = 16, CHAIN_MAX = 8 };

static const struct ptx_operand *address_of(const struct lower_facts *f, const struct ptx_insn *insn)
{
	return ptx_sources(f->module, insn);
}

/* An access of 8 bytes, as part of a copy has it, to a base that is a register. */
static bool is_half(const struct lower_facts *f, const struct ptx_insn *insn, uint16_t op)
{
	return insn->op == op && insn->vector <= 1 &&
	       (insn->type == PTX_TYPE_u64 || insn->type == PTX_TYPE_b64) &&
	       (insn->space == PTX_SPACE_global || insn->space == PTX_SPACE_shared) &&
	       !(insn->flags & (PTX_FLAG_VOLATILE | PTX_FLAG_STRONG)) &&
	       ptx_register_read(address_of(f, insn)) != PTX_NONE;
}

static bool is_aligned_symbol(const struct lower_facts *f, const struct ptx_operand *o)
{
	return o->kind == PTX_SYMBOL && f->module->variables[o->index].space == PTX_SPACE_shared &&
	       f->module->variables[o->index].align >= WHOLE;
}

/* The register is an address in a shared array that is aligned to 16 bytes. */
static bool leads_to_aligned(const struct lower_facts *f, uint32_t reg, unsigned left)
{
	if (!left || f->regs[reg].defs != 1)
		return false;
	const struct ptx_insn *def = &f->module->insns[f->regs[reg].def];
	if (def->op != PTX_add && def->op != PTX_mad && def->op != PTX_mov && def->op != PTX_cvta)
		return false;
	const struct ptx_operand *source = ptx_sources(f->module, def);
	for (uint32_t i = 0; i < def->source_count; i++)
		if (is_aligned_symbol(f, &source[i]) ||
		    (source[i].kind == PTX_REG && leads_to_aligned(f, source[i].index, left - 1)))
			return true;
	return false;
}

/* The load whose value only the store reads; PTX_NONE. */
static uint32_t load_of(const struct lower_facts *f, uint32_t store)
{
	const struct ptx_operand *value = address_of(f, &f->module->insns[store]) + 1;
	if (value->kind != PTX_REG)
		return PTX_NONE;
	const struct lower_reg *reg = &f->regs[value->index];
	if (reg->defs != 1 || reg->uses != 1 ||
	    f->module->flow[reg->def].block != f->module->flow[store].block)
		return PTX_NONE;
	return is_half(f, &f->module->insns[reg->def], PTX_ld) ? reg->def : PTX_NONE;
}

/* Nobody writes the register in between. */
static bool keeps(const struct lower_facts *f, uint32_t reg, uint32_t a, uint32_t b)
{
	for (uint32_t i = a < b ? a : b; i < (a < b ? b : a); i++) {
		const struct ptx_insn *insn = &f->module->insns[i];
		if (ptx_writes(insn, ptx_results(f->module, insn), reg))
			return false;
	}
	return true;
}

/* The second access is 8 bytes behind the first, which begins a whole, and the same lanes do both. */
static bool are_halves(const struct lower_facts *f, uint32_t low, uint32_t high)
{
	const struct ptx_insn *a = &f->module->insns[low], *b = &f->module->insns[high];
	const struct ptx_operand *x = address_of(f, a), *y = address_of(f, b);
	if (a->space != b->space || a->flags != b->flags || a->guard != b->guard || x->index != y->index)
		return false;
	return y->value == x->value + HALF && x->value % WHOLE == 0 && keeps(f, x->index, low, high) &&
	       (a->guard == PTX_NONE || keeps(f, a->guard, low, high));
}

static void join(struct lower_facts *f, uint32_t low, uint32_t high)
{
	static const char *const words[2][2] = {{"LDG.E.128", "LDS.128"}, {"STG.E.128", "STS.128"}};
	const struct ptx_insn *insn = &f->module->insns[low];
	f->notes[lower_place(f, high)] |= LOWER_ABSORBED;
	f->recipes[lower_place(f, low)] = insn->flags & PTX_FLAG_NC
	                                      ? "LDG.E.128.CONSTANT"
	                                      : words[insn->op == PTX_st][insn->space == PTX_SPACE_shared];
}

/* The store that the other half of a copy ends in, near by: copies are written in one piece. */
static uint32_t other_store(const struct lower_facts *f, uint32_t low)
{
	enum { NEAR = 64 };
	uint32_t first = f->function->first_insn, end = first + f->function->insn_count;
	uint32_t from = low > first + NEAR ? low - NEAR : first, to = end - low > NEAR ? low + NEAR : end;
	for (uint32_t i = from; i < to; i++)
		if (i != low && f->module->flow[i].block == f->module->flow[low].block &&
		    is_half(f, &f->module->insns[i], PTX_st) && are_halves(f, low, i))
			return i;
	return PTX_NONE;
}

void lower_join_copies(struct lower_facts *f)
{
	uint32_t first = f->function->first_insn, end = first + f->function->insn_count;
	for (uint32_t low = first; low < end; low++) {
		if (!is_half(f, &f->module->insns[low], PTX_st))
			continue;
		uint32_t low_load = load_of(f, low),
		         high = low_load == PTX_NONE ? PTX_NONE : other_store(f, low);
		uint32_t high_load = high == PTX_NONE ? PTX_NONE : load_of(f, high);
		if (high_load == PTX_NONE || !are_halves(f, low_load, high_load))
			continue;
		const struct ptx_insn *load = &f->module->insns[low_load], *store = &f->module->insns[low];
		const struct ptx_insn *near = load->space == PTX_SPACE_shared ? load : store;
		if (load->space == store->space ||
		    !leads_to_aligned(f, address_of(f, near)->index, CHAIN_MAX))
			continue;
		join(f, low_load, high_load);
		join(f, low, high);
	}
}
