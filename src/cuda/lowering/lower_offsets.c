/*
 * Addresses that differ by a constant. clang computes base + scale * (index +
 * constant) anew for each constant, since the 32-bit sum might wrap; a GPU's
 * compiler knows from the source that it does not and writes the constant into
 * the access: [R2+0x200]. So the first such address of a block is computed, the
 * others cost nothing.
 */
#include "cuda/lowering/lower_facts.h"

/* base + scale * (root + constant) */
struct scaled_address {
	uint32_t base, root;
	int64_t scale;
	uint32_t product, sum; /* instructions; sum is PTX_NONE where the constant is 0 */
};

static const struct ptx_insn *definition(const struct lower_facts *f, const struct ptx_operand *o,
                                         uint16_t op)
{
	if (o->kind != PTX_REG || f->regs[o->index].defs != 1)
		return NULL;
	const struct ptx_insn *def = &f->module->insns[f->regs[o->index].def];
	return def->op == op && def->guard == PTX_NONE ? def : NULL;
}

static bool is_scaling(const struct lower_facts *f, const struct ptx_insn *product)
{
	const struct ptx_operand *source = ptx_sources(f->module, product);
	return product->mode == PTX_MODE_wide && source[0].kind == PTX_REG && source[1].kind == PTX_IMM;
}

/* Operand `s` of the sum `insn` as the scaled index, the other one as the base. */
static bool match_operand(const struct lower_facts *f, const struct ptx_insn *insn, unsigned s,
                          struct scaled_address *a)
{
	const struct ptx_operand *source = ptx_sources(f->module, insn), *base = &source[1 - s];
	const struct ptx_insn *product = definition(f, &source[s], PTX_mul);
	if (!product || !is_scaling(f, product) || base->kind != PTX_REG)
		return false;
	const struct ptx_operand *factor = ptx_sources(f->module, product);
	*a = (struct scaled_address){.base = base->index,
	                             .root = factor[0].index,
	                             .scale = factor[1].value,
	                             .product = f->regs[source[s].index].def,
	                             .sum = PTX_NONE};
	const struct ptx_insn *sum = definition(f, &factor[0], PTX_add);
	if (!sum)
		return true;
	const struct ptx_operand *part = ptx_sources(f->module, sum);
	if (part[0].kind == PTX_REG && part[1].kind == PTX_IMM) {
		a->root = part[0].index;
		a->sum = f->regs[factor[0].index].def;
	}
	return true;
}

static bool match(const struct lower_facts *f, uint32_t i, struct scaled_address *a)
{
	const struct ptx_insn *insn = &f->module->insns[i];
	const struct ptx_operand *result = ptx_results(f->module, insn);
	if (insn->op != PTX_add || lower_kind_of(insn->type) != I64 || insn->guard != PTX_NONE ||
	    result->kind != PTX_REG || f->regs[result->index].defs != 1)
		return false;
	return match_operand(f, insn, 1, a) || match_operand(f, insn, 0, a);
}

static bool is_same(const struct scaled_address *a, const struct scaled_address *b)
{
	return a->base == b->base && a->root == b->root && a->scale == b->scale;
}

/* What nobody else reads goes with its reader. */
static void drop(struct lower_facts *f, uint32_t insn)
{
	const struct ptx_operand *result = ptx_results(f->module, &f->module->insns[insn]);
	if (--f->regs[result->index].uses == 0)
		f->notes[lower_place(f, insn)] |= LOWER_ABSORBED;
}

static void follow(struct lower_facts *f, uint32_t follower, uint8_t number, const struct scaled_address *a)
{
	f->notes[lower_place(f, follower)] |= LOWER_ABSORBED;
	f->regs[ptx_results(f->module, &f->module->insns[follower])->index].number = number;
	drop(f, a->product);
	if (f->notes[lower_place(f, a->product)] & LOWER_ABSORBED && a->sum != PTX_NONE)
		drop(f, a->sum);
}

/* Followers of the address that instruction `leader` computes, as long as base and index stay what they are. */
static void find_followers(struct lower_facts *f, uint32_t leader, const struct scaled_address *a)
{
	uint32_t end = f->function->first_insn + f->function->insn_count;
	struct lower_reg *address = &f->regs[ptx_results(f->module, &f->module->insns[leader])->index];
	bool is_followed = false;
	for (uint32_t i = leader + 1; i < end && f->module->flow[i].block == f->module->flow[leader].block;
	     i++) {
		struct scaled_address b;
		const struct ptx_insn *insn = &f->module->insns[i];
		if (!(f->notes[lower_place(f, i)] & LOWER_ABSORBED) && match(f, i, &b) && is_same(a, &b)) {
			/* It is read longer than its own register is reserved for it. */
			if (!is_followed)
				address->number = lower_take_group(f);
			is_followed = true;
			follow(f, i, address->number, &b);
		}
		const struct ptx_operand *result = ptx_results(f->module, insn);
		if (ptx_writes(insn, result, a->base) || ptx_writes(insn, result, a->root))
			return;
	}
}

void lower_fold_offsets(struct lower_facts *f)
{
	uint32_t first = f->function->first_insn;
	for (uint32_t i = first; i < first + f->function->insn_count; i++) {
		struct scaled_address a;
		if (!(f->notes[lower_place(f, i)] & LOWER_ABSORBED) && match(f, i, &a))
			find_followers(f, i, &a);
	}
}
