/*
 * Pairs of instructions that one machine instruction does: a product and the
 * sum it goes into, a shifted index and its base, three-operand sums and logic.
 */
#include "cuda/lowering/lower_facts.h"

/* The only instruction that computes what the operand reads, if it comes before `consumer`. */
static uint32_t producer_of(const struct lower_facts *f, uint32_t consumer, const struct ptx_operand *source)
{
	if (source->kind != PTX_REG)
		return PTX_NONE;
	const struct lower_reg *reg = &f->regs[source->index];
	if (reg->defs != 1 || reg->def >= consumer || f->module->insns[reg->def].guard != PTX_NONE)
		return PTX_NONE;
	return reg->def;
}

static bool is_sole_use(const struct lower_facts *f, uint32_t consumer, const struct ptx_operand *source)
{
	const struct lower_reg *reg = &f->regs[source->index];
	return reg->uses == 1 && f->module->flow[reg->def].block == f->module->flow[consumer].block;
}

/* Extensions to 64 bits are part of a product as well. */
static bool could_share(const struct lower_facts *f, const struct ptx_insn *producer,
                        const struct ptx_insn *consumer)
{
	if (producer->op == PTX_cvt && consumer->op == PTX_mul)
		return lower_kind_of(consumer->type) == I64 && consumer->mode != PTX_MODE_hi;
	return lower_pair_recipe(f, LOWER_SHARE, producer, consumer) != NULL;
}

static void count_sharers(struct lower_facts *f, uint32_t consumer)
{
	const struct ptx_insn *insn = &f->module->insns[consumer];
	const struct ptx_operand *source = ptx_sources(f->module, insn);
	if (f->notes[lower_place(f, consumer)] & LOWER_ABSORBED)
		return;
	for (uint32_t s = 0; s < insn->source_count && s < 2; s++) {
		uint32_t producer = producer_of(f, consumer, &source[s]);
		if (producer != PTX_NONE && could_share(f, &f->module->insns[producer], insn))
			f->regs[source[s].index].shared_by++;
	}
}

static void pair(struct lower_facts *f, uint32_t consumer, uint32_t producer, const char *recipe)
{
	f->notes[lower_place(f, producer)] |= LOWER_ABSORBED;
	f->absorbs[lower_place(f, consumer)] = producer;
	f->recipes[lower_place(f, consumer)] = recipe;
}

static bool try_pair(struct lower_facts *f, uint32_t consumer, const struct ptx_operand *source)
{
	uint32_t producer = producer_of(f, consumer, source);
	if (producer == PTX_NONE || f->absorbs[lower_place(f, producer)] != PTX_NONE)
		return false;
	const struct ptx_insn *from = &f->module->insns[producer], *to = &f->module->insns[consumer];
	const char *recipe = NULL;
	if (f->regs[source->index].shared_by == f->regs[source->index].uses)
		recipe = lower_pair_recipe(f, LOWER_SHARE, from, to);
	if (!recipe && is_sole_use(f, consumer, source))
		recipe = lower_pair_recipe(f, LOWER_FUSE, from, to);
	if (recipe)
		pair(f, consumer, producer, recipe);
	return recipe != NULL;
}

void lower_find_pairs(struct lower_facts *f)
{
	uint32_t first = f->function->first_insn, end = first + f->function->insn_count;
	for (uint32_t i = first; i < end; i++)
		count_sharers(f, i);
	for (uint32_t i = first; i < end; i++) {
		const struct ptx_insn *insn = &f->module->insns[i];
		const struct ptx_operand *source = ptx_sources(f->module, insn);
		if (f->notes[lower_place(f, i)] & LOWER_ABSORBED)
			continue;
		for (uint32_t s = 0; s < insn->source_count && s < 2; s++)
			if (try_pair(f, i, &source[s]))
				break;
	}
}
