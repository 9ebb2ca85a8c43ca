/*
 * Several PTX instructions that are one machine instruction, or none, in a GPU's
 * code: pairs, addresses that differ by a constant, copies by halves.
 */
#include "cuda/lowering/facts.h"

/* ---- pairs --------------------------------------------------------------------------------------------- */

/*
 * Pairs of instructions that one machine instruction does: a product and the
 * sum it goes into, a shifted index and its base, three-operand sums and logic.
 */

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

/* ---- addresses that differ by a constant --------------------------------------------------------------- */

/*
 * Addresses that differ by a constant. clang computes base + scale * (index +
 * constant) anew for each constant, since the 32-bit sum might wrap; a GPU's
 * compiler knows from the source that it does not and writes the constant into
 * the access: [R2+0x200]. So the first such address of a block is computed, the
 * others cost nothing.
 */

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

/* One reader less; without a reader, the instruction costs nothing. */
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

/* ---- copies of 16 bytes -------------------------------------------------------------------------------- */

/*
 * Copies of 16 bytes between global and shared memory. clang copies a float4 by
 * halves, a load and a store of 8 bytes each; nvcc does it at once. Whether the
 * type allows that, PTX does not say, but the array in shared memory has its
 * alignment. The halves at the lower addresses stand for the whole.
 */

enum { HALF_BYTES = 8, WHOLE_BYTES = 16, CHAIN_MAX = 8 };

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
	       f->module->variables[o->index].align >= WHOLE_BYTES;
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

/* Whether no instruction between the two writes the register. */
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
	return y->value == x->value + HALF_BYTES && x->value % WHOLE_BYTES == 0 &&
	       keeps(f, x->index, low, high) && (a->guard == PTX_NONE || keeps(f, a->guard, low, high));
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
