/*
 * Registers of a function: which 64-bit values need 32 bits only, how many 32-bit registers a value keeps busy, and
 * the physical registers that linear scan gives them (Poletto and Sarkar, 1999).
 *
 * Nothing is spilled: there are as many physical registers as the values take. A value that is written where another
 * is read for the last time may take its register, since reads come before writes. But registers are taken in turn:
 * a machine instruction may stand for two of the text and read the operands of the first where the second stands.
 */
#include <stdlib.h>

#include "base/bits.h"
#include "base/memory.h"
#include "ptx/passes.h"

/* ---- narrow registers ----------------------------------------------------------------------------------- */

/* PTX computes addresses of shared and local memory with 64 bits, machine code with 32. A register is narrow if it has no other use. */
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

/* Whether `insn` needs at most 32 bits of its operand. */
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
		/* Backward: the operands of an address are computed before it. */
		for (uint32_t i = f->insn_count; i-- > 0;)
			changed |= widen_operands(&n, &m->insns[f->first_insn + i]);
	}
}

/* ---- what a value costs --------------------------------------------------------------------------------- */

/*
 * Parameters of a kernel, constants, and what is computed from them alone lie in the constant bank, from which
 * instructions read them. A sum with a constant that only addresses use becomes part of those addresses. Both are free.
 */
struct definitions {
	const struct ptx_module *m;
	const struct ptx_function *f;
	uint32_t *count;       /* by register: instructions that write it */
	bool *is_address_only; /* by register: only bases of accesses read it */
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

/* In the order of the text, where values are computed before their uses. */
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

/* ---- linear scan ---------------------------------------------------------------------------------------- */

enum { PHYSICAL_MAX = PTX_NO_PHYSICAL - 1 };

struct allocation {
	bool *taken;    /* by physical register */
	uint32_t count; /* of them: enough for all values, however they are aligned */
	uint32_t next;  /* register to try first */
};

/* Take the first free run of `weight` registers in [first, end), aligned to weight. Return `end` if there is none. */
static uint32_t take_between(struct allocation *a, uint32_t first, uint32_t end, unsigned weight)
{
	for (uint32_t r = (first + weight - 1) / weight * weight; r + weight <= end; r += weight) {
		unsigned free_count = 0;
		while (free_count < weight && !a->taken[r + free_count])
			free_count++;
		if (free_count < weight)
			continue;
		for (unsigned k = 0; k < weight; k++)
			a->taken[r + k] = true;
		return r;
	}
	return end;
}

static uint32_t allocation_take(struct allocation *a, unsigned weight)
{
	uint32_t turn = bits_min32(a->count, PTX_PHYSICAL_TURN);
	uint32_t r = take_between(a, a->next, turn, weight);
	if (r == turn)
		r = take_between(a, 0, turn, weight);
	if (r < turn) {
		a->next = r + weight;
		return r;
	}
	r = take_between(a, turn, a->count, weight);
	/* Out of physical registers: values share the last one, which only adds dependences. */
	return r < a->count ? r : (a->count - weight) / weight * weight;
}

static void allocation_give(struct allocation *a, uint32_t physical, unsigned weight)
{
	for (unsigned k = 0; k < weight; k++)
		a->taken[physical + k] = false;
}

/* Registers by the point at which their interval starts or ends: list heads and links. */
struct buckets {
	uint32_t *head, *next;
};

static struct buckets buckets_new(uint32_t points, uint32_t registers)
{
	struct buckets b = {.head = memory_grow(NULL, points, sizeof *b.head),
	                    .next = memory_grow(NULL, registers, sizeof *b.next)};
	for (uint32_t i = 0; i < points; i++)
		b.head[i] = PTX_NONE;
	return b;
}

static void buckets_add(struct buckets *b, uint32_t point, uint32_t reg)
{
	b->next[reg] = b->head[point];
	b->head[point] = reg;
}

static void buckets_free(struct buckets *b)
{
	free(b->head);
	free(b->next);
}

static void allocate_at(struct ptx_function *f, struct allocation *a, const struct buckets *starts,
                        const struct buckets *ends, uint32_t point)
{
	for (uint32_t r = starts->head[point]; r != PTX_NONE; r = starts->next[r])
		f->registers[r].physical = (uint16_t)allocation_take(a, register_weight(&f->registers[r]));
	for (uint32_t r = ends->head[point]; r != PTX_NONE; r = ends->next[r])
		allocation_give(a, f->registers[r].physical, register_weight(&f->registers[r]));
}

void allocate_registers(struct ptx_function *f, const struct interval *intervals, uint32_t point_count)
{
	uint64_t most = 4;
	for (uint32_t r = 0; r < f->register_count; r++)
		most += 4 * (uint64_t)register_weight(&f->registers[r]);
	struct allocation a = {.count = (uint32_t)bits_min(most, PHYSICAL_MAX)};
	a.taken = memory_zeroed(a.count, sizeof *a.taken);
	struct buckets starts = buckets_new(point_count, f->register_count);
	struct buckets ends = buckets_new(point_count, f->register_count);
	for (uint32_t r = f->register_count; r-- > 0;) {
		f->registers[r].physical = PTX_NO_PHYSICAL;
		if (intervals[r].first > intervals[r].last || !register_weight(&f->registers[r]))
			continue;
		buckets_add(&starts, intervals[r].first, r);
		buckets_add(&ends, intervals[r].last, r);
	}
	for (uint32_t point = 0; point < point_count; point++)
		allocate_at(f, &a, &starts, &ends, point);
	buckets_free(&starts);
	buckets_free(&ends);
	free(a.taken);
}
