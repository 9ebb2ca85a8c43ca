/*
 * What a value costs: how many of a thread's 32-bit registers machine code
 * keeps busy with it.
 *
 * Parameters of a kernel, constants, and what is made of them alone lie in the
 * constant bank, from where instructions read them; a sum with a constant that
 * only addresses are made of is part of those addresses. Both are free. An
 * address of shared or local memory takes one register, not two.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "ptx/graph.h"

struct definitions {
	const struct ptx_module *m;
	const struct ptx_function *f;
	uint32_t *count;       /* by register: instructions that write it */
	bool *is_address_only; /* by register: nothing but bases of accesses */
};

static void count_definitions(struct definitions *d)
{
	for (uint32_t r = 0; r < d->f->register_count; r++)
		d->is_address_only[r] = true;
	for (uint32_t i = 0; i < d->f->insn_count; i++) {
		const struct ptx_insn *insn = &d->m->insns[d->f->first_insn + i];
		const struct ptx_operand *result = ptx_results(d->m, insn), *source = ptx_sources(d->m, insn);
		for (uint32_t k = 0; k < insn->result_count; k++)
			if (result[k].kind == PTX_REG)
				d->count[result[k].index] += insn->guard == PTX_NONE ? 1 : 2;
		for (uint32_t k = 0; k < insn->source_count; k++)
			if (source[k].kind == PTX_REG)
				d->is_address_only[source[k].index] = false;
	}
}

/* Constants, and values that are free themselves. */
static bool is_free(const struct ptx_operand *o, const uint8_t *cost, const struct definitions *d)
{
	return o->kind == PTX_IMM || o->kind == PTX_SYMBOL ||
	       (o->kind == PTX_REG && !cost[o->index] && d->f->registers[o->index].type != PTX_TYPE_pred);
}

/* A sum with a constant that becomes the offset of accesses. */
static bool folds(const struct definitions *d, const struct ptx_insn *insn)
{
	const struct ptx_operand *source = ptx_sources(d->m, insn);
	return insn->op == PTX_add && source[0].kind == PTX_REG && source[1].kind == PTX_IMM &&
	       d->is_address_only[ptx_results(d->m, insn)->index];
}

static bool costs_nothing(const struct definitions *d, const struct ptx_insn *insn, const uint8_t *cost)
{
	const struct ptx_operand *source = ptx_sources(d->m, insn);
	switch (insn->op) {
	case PTX_ld:
		return insn->space == PTX_SPACE_param && d->f->is_entry;
	case PTX_mov:
	case PTX_cvta:
		return insn->source_count == 1 && is_free(source, cost, d);
	case PTX_add:
		return (is_free(source, cost, d) && is_free(source + 1, cost, d)) || folds(d, insn);
	default:
		return false;
	}
}

/* In the order of the text, where values come before what is made of them. */
static void find_free(const struct definitions *d, uint8_t *cost, uint32_t *base)
{
	for (uint32_t i = 0; i < d->f->insn_count; i++) {
		const struct ptx_insn *insn = &d->m->insns[d->f->first_insn + i];
		const struct ptx_operand *result = ptx_results(d->m, insn);
		if (insn->result_count < 1 || result->kind != PTX_REG || d->count[result->index] != 1)
			continue;
		if (folds(d, insn))
			base[result->index] = base[ptx_sources(d->m, insn)->index];
		if (costs_nothing(d, insn, cost))
			for (uint32_t k = 0; k < insn->result_count; k++)
				if (result[k].kind == PTX_REG && d->count[result[k].index] == 1)
					cost[result[k].index] = 0;
	}
}

void register_costs(const struct ptx_module *m, const struct ptx_function *f, uint8_t *cost, uint32_t *base)
{
	struct definitions d = {.m = m, .f = f};
	d.count = memory_zeroed(f->register_count, sizeof *d.count);
	d.is_address_only = memory_zeroed(f->register_count, sizeof *d.is_address_only);
	count_definitions(&d);
	for (uint32_t r = 0; r < f->register_count; r++) {
		base[r] = r;
		cost[r] = f->registers[r].narrow ? 1 : (uint8_t)register_weight(&f->registers[r]);
	}
	find_free(&d, cost, base);
	free(d.count);
	free(d.is_address_only);
}
