/*
 * A loop is a range of the text that ends with a branch to its beginning, and that is entered nowhere else: compilers lay
 * out loops that wait like this. What is not clear is taken for an ordinary loop.
 *
 * Registers that matter are found backwards from the branches and the polls. None of them may bring a value from one round
 * to the next: each must be written, in every round, before it is read. Rounds need not begin where the loop does: where
 * its question comes first and reads what was loaded at the end, a round begins with that load.
 */
#include "cuda/executor/wait_loops.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct search {
	const struct ptx_module *m;
	const struct ptx_function *f;
	uint32_t first, last, head; /* of the loop in question */
	bool *matters;              /* by register */
	bool *relevant;             /* by instruction of the loop */
	bool changed;
};

/* ---- instructions ------------------------------------------------------------------------------------- */

static const struct ptx_insn *at(const struct search *s, uint32_t i)
{
	return &s->m->insns[i];
}

static uint32_t target_of(const struct search *s, uint32_t i)
{
	return ptx_sources(s->m, at(s, i))->index;
}

static bool is_inside(const struct search *s, uint32_t i)
{
	return i >= s->first && i <= s->last;
}

static bool is_global(const struct ptx_insn *insn)
{
	return insn->space == PTX_SPACE_global || insn->space == PTX_SPACE_generic;
}

/* A load that another thread's store may change. */
static bool is_changing_load(const struct ptx_insn *insn)
{
	return insn->op == PTX_ld && is_global(insn) && !(insn->flags & PTX_FLAG_NC);
}

static bool is_strong(const struct ptx_insn *insn)
{
	return insn->op == PTX_atom || insn->flags & (PTX_FLAG_VOLATILE | PTX_FLAG_STRONG) ||
	       insn->cache == PTX_CACHE_cv || insn->cache == PTX_CACHE_cg;
}

static bool is_poll(const struct ptx_insn *insn)
{
	return is_changing_load(insn) || (insn->op == PTX_atom && is_global(insn));
}

/* Whether the instruction may stand in a loop that waits. */
static bool is_allowed(const struct ptx_insn *insn)
{
	switch (insn->op) {
	case PTX_ld:
		return is_changing_load(insn) || insn->flags & PTX_FLAG_NC ||
		       insn->space == PTX_SPACE_const || insn->space == PTX_SPACE_param;
	case PTX_atom:
		return is_global(insn);
	case PTX_bar:
		return insn->mode == PTX_MODE_warp;
	case PTX_barrier:
	case PTX_st:
	case PTX_red:
	case PTX_call:
	case PTX_brx:
	case PTX_ret:
	case PTX_exit:
	case PTX_trap:
	case PTX_brkpt:
	case PTX_ldu:
	case PTX_tex:
	case PTX_tld4:
	case PTX_txq:
	case PTX_suld:
	case PTX_sust:
	case PTX_cp:
	case PTX_mbarrier:
	case PTX_wmma:
	case PTX_mma:
	case PTX_ldmatrix:
	case PTX_stmatrix:
	case PTX_movmatrix:
	case PTX_discard:
	case PTX_activemask:
	case PTX_elect:
	case PTX_griddepcontrol:
	case PTX_setmaxnreg:
	case PTX_unsupported:
		return false;
	default:
		return true;
	}
}

static bool reads_time(const struct search *s, const struct ptx_insn *insn)
{
	const struct ptx_operand *source = ptx_sources(s->m, insn);
	for (uint32_t i = 0; i < insn->source_count; i++)
		if (source[i].kind == PTX_SREG && source[i].index >= PTX_SREG_clock &&
		    source[i].index <= PTX_SREG_globaltimer_hi)
			return true;
	return false;
}

static bool reads_carry(const struct ptx_insn *insn)
{
	return insn->op == PTX_addc || insn->op == PTX_subc || insn->op == PTX_madc;
}

/* ---- shape -------------------------------------------------------------------------------------------- */

static uint32_t end_of(const struct search *s)
{
	return s->f->first_insn + s->f->insn_count;
}

/* Whether a branch from outside enters the loop behind its beginning. */
static bool is_entered_elsewhere(const struct search *s)
{
	for (uint32_t i = s->f->first_insn; i < end_of(s); i++)
		if (at(s, i)->op == PTX_bra && !is_inside(s, i) && target_of(s, i) > s->first &&
		    target_of(s, i) <= s->last)
			return true;
	for (uint32_t t = 0; t < s->m->table_count; t++)
		for (uint32_t k = 0; k < s->m->tables[t].count; k++)
			if (is_inside(s, s->m->tables[t].items[k]))
				return true;
	return false;
}

static bool has_shape(const struct search *s)
{
	bool asks = false, leaves = s->last + 1 < end_of(s) && at(s, s->last)->guard != PTX_NONE;
	for (uint32_t i = s->first; i <= s->last; i++) {
		const struct ptx_insn *insn = at(s, i);
		if (!is_allowed(insn))
			return false;
		asks |= is_poll(insn) && is_strong(insn);
		leaves |= insn->op == PTX_bra && !is_inside(s, target_of(s, i));
	}
	return asks && leaves && !is_entered_elsewhere(s);
}

/* Whether the loop has no branches but those that leave it and the last one: it is one line of instructions. */
static bool is_straight(const struct search *s)
{
	for (uint32_t i = s->first; i < s->last; i++)
		if (at(s, i)->op == PTX_bra && is_inside(s, target_of(s, i)))
			return false;
	return true;
}

/* ---- what matters ------------------------------------------------------------------------------------- */

static void need(struct search *s, uint32_t reg)
{
	if (reg == PTX_NONE || s->matters[reg])
		return;
	s->matters[reg] = true;
	s->changed = true;
}

static void need_insn(struct search *s, uint32_t i)
{
	const struct ptx_insn *insn = at(s, i);
	const struct ptx_operand *source = ptx_sources(s->m, insn);
	if (!s->relevant[i - s->first])
		s->changed = true;
	s->relevant[i - s->first] = true;
	need(s, insn->guard);
	for (uint32_t k = 0; k < insn->source_count; k++)
		need(s, ptx_register_read(&source[k]));
}

static bool writes_what_matters(const struct search *s, uint32_t i)
{
	const struct ptx_insn *insn = at(s, i);
	const struct ptx_operand *result = ptx_results(s->m, insn);
	for (uint32_t k = 0; k < insn->result_count; k++)
		if (result[k].kind == PTX_REG && s->matters[result[k].index])
			return true;
	return false;
}

/* Whether anything that matters happens in [from, to). */
static bool range_matters(const struct search *s, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++)
		if (is_poll(at(s, i)) || writes_what_matters(s, i) ||
		    (at(s, i)->op == PTX_bra && s->relevant[i - s->first]))
			return true;
	return false;
}

/* A branch inside the loop matters if something does that it jumps over, or repeats. */
static bool branch_matters(const struct search *s, uint32_t i)
{
	uint32_t target = target_of(s, i);
	if (!is_inside(s, target) || i == s->last || target == s->first)
		return true;
	return target > i ? range_matters(s, i + 1, target) : range_matters(s, target, i);
}

static void find_what_matters(struct search *s)
{
	do {
		s->changed = false;
		for (uint32_t i = s->first; i <= s->last; i++) {
			const struct ptx_insn *insn = at(s, i);
			if (is_poll(insn) || writes_what_matters(s, i) ||
			    (insn->op == PTX_bra && branch_matters(s, i)))
				need_insn(s, i);
		}
	} while (s->changed);
}

/* ---- from one round to the next ----------------------------------------------------------------------- */

/* The place of an instruction in a round that begins at the head. */
static uint32_t order_of(const struct search *s, uint32_t i)
{
	return i >= s->head ? i - s->head : i - s->first + s->last + 1 - s->head;
}

/* Whether every round executes the instruction, in all lanes. */
static bool is_sure(const struct search *s, uint32_t i)
{
	if (at(s, i)->guard != PTX_NONE)
		return false;
	for (uint32_t b = s->first; b < i; b++)
		if (at(s, b)->op == PTX_bra && is_inside(s, target_of(s, b)) && target_of(s, b) > i)
			return false;
	return true;
}

static bool is_written(const struct search *s, uint32_t reg)
{
	for (uint32_t i = s->first; i <= s->last; i++)
		if (ptx_writes(at(s, i), ptx_results(s->m, at(s, i)), reg))
			return true;
	return false;
}

/* Whether the register, read at `use`, was surely written before in the same round, or is not written in the loop. */
static bool is_fresh(const struct search *s, uint32_t reg, uint32_t use)
{
	if (reg == PTX_NONE || !is_written(s, reg))
		return true;
	for (uint32_t i = s->first; i <= s->last; i++)
		if (order_of(s, i) < order_of(s, use) &&
		    ptx_writes(at(s, i), ptx_results(s->m, at(s, i)), reg) && is_sure(s, i))
			return true;
	return false;
}

static bool reads_fresh(const struct search *s, uint32_t i)
{
	const struct ptx_insn *insn = at(s, i);
	const struct ptx_operand *source = ptx_sources(s->m, insn);
	if (!is_fresh(s, insn->guard, i))
		return false;
	for (uint32_t k = 0; k < insn->source_count; k++)
		if (!is_fresh(s, ptx_register_read(&source[k]), i))
			return false;
	return true;
}

/*
 * An atomic asks if it writes what does not change in the loop: a lock is taken so. One that writes a value that was
 * computed from the memory's is an update, which takes turns with others in any order.
 */
static bool is_update(const struct search *s, uint32_t i)
{
	const struct ptx_insn *insn = at(s, i);
	const struct ptx_operand *source = ptx_sources(s->m, insn);
	for (uint32_t k = 1; insn->op == PTX_atom && k < insn->source_count; k++)
		if (source[k].kind == PTX_REG && is_written(s, source[k].index))
			return true;
	return false;
}

/* Whether a round depends on nothing but memory and what does not change. */
static bool forgets(const struct search *s)
{
	for (uint32_t i = s->first; i <= s->last; i++) {
		if (!s->relevant[i - s->first])
			continue;
		if (reads_time(s, at(s, i)) || reads_carry(at(s, i)) || is_update(s, i) || !reads_fresh(s, i))
			return false;
	}
	return true;
}

/* Let rounds begin where the loop does or, in a straight loop, at its first poll. */
static bool find_head(struct search *s)
{
	s->head = s->first;
	if (forgets(s))
		return true;
	if (!is_straight(s))
		return false;
	while (!is_poll(at(s, s->head)))
		s->head++;
	return forgets(s);
}

/* ---- the question in front of the loop ------------------------------------------------------------------- */

static bool same_address(const struct search *s, uint32_t a, uint32_t b)
{
	const struct ptx_operand *x = ptx_sources(s->m, at(s, a)), *y = ptx_sources(s->m, at(s, b));
	return x->kind == y->kind && x->base == y->base && x->index == y->index && x->value == y->value &&
	       (ptx_register_read(x) == PTX_NONE || !is_written(s, x->index));
}

static bool asks_the_same(const struct search *s, uint32_t i)
{
	for (uint32_t k = s->first; k <= s->last; k++)
		if (at(s, k)->op == at(s, i)->op && is_poll(at(s, k)) && is_strong(at(s, k)) &&
		    same_address(s, i, k))
			return true;
	return false;
}

/* A line of instructions, other than accesses, leads from a load of the same address to the loop. */
static uint32_t find_question(const struct search *s)
{
	for (uint32_t i = s->first; i-- > s->f->first_insn;) {
		const struct ptx_insn *insn = at(s, i);
		if (is_poll(insn) && is_strong(insn))
			return asks_the_same(s, i) ? i : PTX_NONE;
		bool is_skip = insn->op == PTX_bra && insn->guard != PTX_NONE && target_of(s, i) > s->last;
		if (is_poll(insn) || !is_allowed(insn) || (insn->op == PTX_bra && !is_skip))
			return PTX_NONE;
	}
	return PTX_NONE;
}

/* ---- a function ----------------------------------------------------------------------------------------- */

static void add(struct wait_loops *found, const struct search *s)
{
	found->loops = memory_grow(found->loops, found->loop_count + 1, sizeof *found->loops);
	found->loops[found->loop_count++] = (struct wait_loop){
	    .first = s->first, .last = s->last, .head = s->head, .question = find_question(s)};
}

static void examine(struct wait_loops *found, struct search *s)
{
	if (!has_shape(s))
		return;
	s->matters = memory_zeroed(s->f->register_count + 1, sizeof *s->matters);
	s->relevant = memory_zeroed(s->last - s->first + 1, sizeof *s->relevant);
	find_what_matters(s);
	if (find_head(s))
		add(found, s);
	free(s->matters);
	free(s->relevant);
}

static bool is_known(const struct wait_loops *found, uint32_t insn)
{
	for (uint32_t i = 0; i < found->poll_count; i++)
		if (found->polls[i].insn == insn)
			return true;
	return false;
}

static void add_poll(struct wait_loops *found, const struct ptx_module *m, uint32_t insn, uint32_t loop)
{
	if (!is_poll(&m->insns[insn]) || is_known(found, insn))
		return;
	found->polls = memory_grow(found->polls, found->poll_count + 1, sizeof *found->polls);
	found->polls[found->poll_count++] =
	    (struct wait_poll){.insn = insn, .loop = loop, .is_strong = is_strong(&m->insns[insn])};
}

static void add_polls(struct wait_loops *found, const struct ptx_module *m, uint32_t loop)
{
	const struct wait_loop l = found->loops[loop];
	if (l.question != PTX_NONE)
		add_poll(found, m, l.question, loop);
	for (uint32_t i = l.first; i <= l.last; i++)
		add_poll(found, m, i, loop);
}

/* The last branch of the text that goes back to the same place; PTX_NONE: this one does not go back, or is not the last. */
static bool closes_loop(const struct search *s, uint32_t i)
{
	if (at(s, i)->op != PTX_bra || target_of(s, i) > i)
		return false;
	for (uint32_t k = i + 1; k < end_of(s); k++)
		if (at(s, k)->op == PTX_bra && target_of(s, k) == target_of(s, i))
			return false;
	return true;
}

void wait_loops_find(struct wait_loops *found, const struct ptx_module *m, const struct ptx_function *f)
{
	struct search s = {.m = m, .f = f};
	uint32_t before = found->loop_count;
	for (uint32_t i = f->first_insn; i < f->first_insn + f->insn_count; i++) {
		if (!closes_loop(&s, i))
			continue;
		s.first = target_of(&s, i);
		s.last = i;
		examine(found, &s);
	}
	for (uint32_t i = before; i < found->loop_count; i++)
		add_polls(found, m, i);
}

void wait_loops_free(struct wait_loops *loops)
{
	free(loops->loops);
	free(loops->polls);
}
