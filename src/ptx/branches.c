/*
 * Branches as a GPU's compiler leaves them. clang's PTX names the successor of every block. Machine code falls through
 * where it can, takes one branch per iteration of a loop, and executes short bodies under a predicate instead of
 * jumping over them, so that loads of several bodies are in flight together.
 *
 * The limits were found with small kernels (docs/lowering.md): a body's cost is its machine instructions, where stores
 * and accesses to shared memory count four times. A body stays behind its branch if its end is reached from elsewhere,
 * if it has a barrier, an atomic, a call or a predicate of its own, or if the branch goes to the thread's end. Results
 * that only the body reads are computed without the predicate: no other code sees them.
 */
#include <stdlib.h>

#include "base/bits.h"
#include "base/memory.h"
#include "ptx/passes.h"

enum { BODY_MAX = 20, SIDES_MAX = 14, NEVER = 1000 };

struct branches {
	struct ptx_module *m;
	struct ptx_function *f;
	struct ptx_insn *insns; /* of the function; labels count from its first one, too */
	uint32_t count;
	bool *gone;
	uint32_t *references;                         /* by instruction: branches to it */
	uint32_t *definitions, *first_use, *last_use; /* by register */
};

/* ---- targets ---------------------------------------------------------------------------------------------- */

static struct ptx_operand *operands_of(const struct branches *b, const struct ptx_insn *insn)
{
	return &b->m->operands[insn->first_operand + insn->result_count];
}

/* Return the first instruction from i on that is not gone; count if there is none. */
static uint32_t next_of(const struct branches *b, uint32_t i)
{
	while (i < b->count && b->gone[i])
		i++;
	return i;
}

static uint32_t target_of(const struct branches *b, uint32_t i)
{
	return next_of(b, operands_of(b, &b->insns[i])->index - b->f->first_insn);
}

static bool is_jump(const struct branches *b, uint32_t i, bool guarded)
{
	return i < b->count && b->insns[i].op == PTX_bra && (b->insns[i].guard != PTX_NONE) == guarded;
}

static void drop(struct branches *b, uint32_t i)
{
	b->gone[i] = true;
	uint32_t next = next_of(b, i);
	if (next < b->count)
		b->references[next] += b->references[i];
}

static void drop_jump(struct branches *b, uint32_t i)
{
	b->references[target_of(b, i)]--;
	drop(b, i);
}

static void count_references(struct branches *b)
{
	for (uint32_t i = 0; i < b->count; i++)
		if (b->insns[i].op == PTX_bra)
			b->references[target_of(b, i)]++;
	for (uint32_t t = 0; t < b->m->table_count; t++)
		for (uint32_t k = 0; k < b->m->tables[t].count; k++) {
			uint32_t at = b->m->tables[t].items[k] - b->f->first_insn;
			if (at < b->count)
				b->references[at]++;
		}
}

/* ---- jumps ------------------------------------------------------------------------------------------------ */

/* Make `@p bra A; bra B` into `@!p bra B`, where A comes next, or B is the head of a loop that A leaves. */
static void invert(struct branches *b, uint32_t i)
{
	uint32_t second = next_of(b, i + 1);
	if (!is_jump(b, second, false) || b->references[second])
		return;
	uint32_t away = target_of(b, i), back = target_of(b, second);
	bool falls_through = away == next_of(b, second + 1);
	if (!falls_through && !(back <= i && away > second))
		return;
	struct ptx_operand *one = operands_of(b, &b->insns[i]), *other = operands_of(b, &b->insns[second]);
	struct ptx_operand label = *one;
	*one = *other;
	*other = label;
	b->insns[i].flags ^= PTX_FLAG_GUARD_NOT;
	if (falls_through)
		drop_jump(b, second);
}

static void straighten(struct branches *b)
{
	for (uint32_t i = 0; i < b->count; i++) {
		if (is_jump(b, i, true) && !b->gone[i])
			invert(b, i);
		if (is_jump(b, i, false) && !b->gone[i] && target_of(b, i) == next_of(b, i + 1))
			drop_jump(b, i);
	}
}

/* ---- predicates ------------------------------------------------------------------------------------------- */

static uint32_t access_cost(const struct ptx_insn *insn)
{
	enum { QUEUED = 4 };
	if (insn->space == PTX_SPACE_param || insn->space == PTX_SPACE_const)
		return 1;
	return insn->op == PTX_st || insn->space == PTX_SPACE_shared ? QUEUED : 1;
}

enum { SPECIAL = 4 };
/* Machine instructions of opcodes whose other fields do not matter; 0: not executed under a predicate. */
static const uint8_t plain_cost[PTX_OP_COUNT] = {
    [PTX_ex2] = SPECIAL, [PTX_lg2] = SPECIAL, [PTX_rsqrt] = SPECIAL, [PTX_sin] = SPECIAL, [PTX_cos] = SPECIAL,
    [PTX_abs] = 1,       [PTX_add] = 1,       [PTX_and] = 1,         [PTX_bfe] = 1,       [PTX_bfi] = 1,
    [PTX_cvt] = 1,       [PTX_fma] = 1,       [PTX_lop3] = 1,        [PTX_mad] = 1,       [PTX_max] = 1,
    [PTX_min] = 1,       [PTX_neg] = 1,       [PTX_not] = 1,         [PTX_or] = 1,        [PTX_prmt] = 1,
    [PTX_selp] = 1,      [PTX_setp] = 1,      [PTX_shf] = 1,         [PTX_shl] = 1,       [PTX_shr] = 1,
    [PTX_sub] = 1,       [PTX_xor] = 1,
};

/* Estimate the machine instructions; NEVER for what is not executed under a predicate. */
static uint32_t cost_of(const struct branches *b, const struct ptx_insn *insn)
{
	if (insn->guard != PTX_NONE || insn->flags & PTX_FLAG_CC)
		return NEVER;
	switch (insn->op) {
	case PTX_ld:
	case PTX_st:
		return access_cost(insn);
	case PTX_mov:
		return operands_of(b, insn)->kind == PTX_SREG;
	case PTX_mul:
		return insn->mode != PTX_MODE_wide; /* folded into the sum that follows */
	case PTX_rcp:
	case PTX_sqrt:
	case PTX_div:
		return insn->flags & PTX_FLAG_APPROX ? SPECIAL : NEVER;
	default:
		return insn->op == PTX_cvta ? 0 : plain_cost[insn->op] ? plain_cost[insn->op] : NEVER;
	}
}

/* Cost of [first, end) under the predicate of a branch; NEVER or more if it cannot be predicated. */
static uint32_t body_cost(const struct branches *b, uint32_t first, uint32_t end, uint32_t guard)
{
	uint32_t cost = 0;
	for (uint32_t i = first; i < end && cost < NEVER; i++) {
		if (b->gone[i])
			continue;
		const struct ptx_insn *insn = &b->insns[i];
		bool entered = b->references[i] && i != first;
		bool spoils = ptx_writes(insn, ptx_results(b->m, insn), guard);
		cost += entered || spoils ? NEVER : cost_of(b, insn);
	}
	return cost;
}

/* Whether all that the instruction computes is read only between it and `end`. */
static bool is_temporary(const struct branches *b, uint32_t i, uint32_t end)
{
	const struct ptx_insn *insn = &b->insns[i];
	const struct ptx_operand *result = ptx_results(b->m, insn);
	if (insn->op == PTX_ld || insn->op == PTX_st)
		return false;
	for (uint32_t r = 0; r < insn->result_count; r++) {
		uint32_t reg = result[r].kind == PTX_REG ? result[r].index : PTX_NONE;
		if (reg != PTX_NONE &&
		    (b->definitions[reg] != 1 || b->first_use[reg] < i || b->last_use[reg] >= end))
			return false;
	}
	return true;
}

static void guard_body(struct branches *b, uint32_t first, uint32_t end, uint32_t guard, uint32_t negated)
{
	for (uint32_t i = first; i < end; i++) {
		if (b->gone[i] || is_temporary(b, i, end))
			continue;
		b->insns[i].guard = guard;
		b->insns[i].flags |= negated;
	}
}

/* `@p bra J; body; J:` */
static bool predicate_body(struct branches *b, uint32_t i)
{
	uint32_t meet = target_of(b, i), body = next_of(b, i + 1);
	if (meet <= body || b->references[body] || b->references[meet] != 1)
		return false;
	/* A jump to the end is one instruction already: an exit under a predicate. */
	if (insn_ends_thread(&b->insns[meet], b->f))
		return false;
	uint32_t guard = b->insns[i].guard;
	if (body_cost(b, body, meet, guard) > BODY_MAX)
		return false;
	guard_body(b, body, meet, guard, ~b->insns[i].flags & PTX_FLAG_GUARD_NOT);
	drop_jump(b, i);
	return true;
}

/* `@p bra E; body; bra J; E: other; J:` */
static bool predicate_sides(struct branches *b, uint32_t i)
{
	uint32_t other = target_of(b, i), body = next_of(b, i + 1);
	if (other <= body || b->references[body] || b->references[other] != 1)
		return false;
	uint32_t jump = other - 1;
	while (jump > body && b->gone[jump])
		jump--;
	if (jump <= body || !is_jump(b, jump, false) || b->references[jump])
		return false;
	uint32_t meet = target_of(b, jump), guard = b->insns[i].guard;
	if (meet <= other || b->references[meet] != 1)
		return false;
	if (body_cost(b, body, jump, guard) + body_cost(b, other, meet, guard) > SIDES_MAX)
		return false;
	uint32_t negated = ~b->insns[i].flags & PTX_FLAG_GUARD_NOT;
	guard_body(b, body, jump, guard, negated);
	guard_body(b, other, meet, guard, negated ^ PTX_FLAG_GUARD_NOT);
	drop_jump(b, i);
	drop_jump(b, jump);
	return true;
}

static void note_use(struct branches *b, uint32_t reg, uint32_t i)
{
	if (reg == PTX_NONE)
		return;
	b->first_use[reg] = bits_min32(i, b->first_use[reg]);
	b->last_use[reg] = i;
}

static void count_uses(struct branches *b)
{
	for (uint32_t reg = 0; reg < b->f->register_count; reg++)
		b->first_use[reg] = UINT32_MAX;
	for (uint32_t i = 0; i < b->count; i++) {
		const struct ptx_insn *insn = &b->insns[i];
		const struct ptx_operand *source = ptx_sources(b->m, insn), *result = ptx_results(b->m, insn);
		for (uint32_t k = 0; k < insn->source_count; k++)
			note_use(b, ptx_register_read(&source[k]), i);
		note_use(b, insn->guard, i);
		for (uint32_t k = 0; k < insn->result_count; k++)
			if (result[k].kind == PTX_REG)
				b->definitions[result[k].index]++;
	}
}

/* ---- a function ----------------------------------------------------------------------------------------- */

void compile_branches(struct ptx_module *m, struct ptx_function *f)
{
	struct branches b = {.m = m, .f = f, .insns = &m->insns[f->first_insn], .count = f->insn_count};
	b.gone = memory_zeroed(b.count, sizeof *b.gone);
	b.references = memory_zeroed(b.count, sizeof *b.references);
	b.definitions = memory_zeroed(f->register_count, sizeof *b.definitions);
	b.first_use = memory_zeroed(f->register_count, sizeof *b.first_use);
	b.last_use = memory_zeroed(f->register_count, sizeof *b.last_use);
	count_references(&b);
	count_uses(&b);
	straighten(&b);
	for (uint32_t i = 0; i < b.count; i++)
		if (!b.gone[i] && is_jump(&b, i, true) && !predicate_body(&b, i))
			predicate_sides(&b, i);
	remove_insns(m, f, b.gone);
	free(b.gone);
	free(b.references);
	free(b.definitions);
	free(b.first_use);
	free(b.last_use);
}
