/*
 * Control flow as a GPU's code has it: which branches may diverge, where a
 * point of reconvergence is named and where lanes meet, which branches become
 * predicates.
 */
#include "cuda/lowering/facts.h"

/* ---- divergence ------------------------------------------------------------------------------------- */

static bool sreg_is_uniform(uint32_t sreg)
{
	switch (sreg) {
	case PTX_SREG_tid_x:
	case PTX_SREG_tid_y:
	case PTX_SREG_tid_z:
	case PTX_SREG_laneid:
	case PTX_SREG_lanemask_eq:
	case PTX_SREG_lanemask_lt:
	case PTX_SREG_lanemask_le:
	case PTX_SREG_lanemask_gt:
	case PTX_SREG_lanemask_ge:
		return false;
	default:
		return true;
	}
}

/* Results that differ between lanes whatever the operands are. */
static bool is_source_of_divergence(const struct lower_facts *f, const struct ptx_insn *insn)
{
	switch (insn->op) {
	case PTX_ld:
		return insn->space == PTX_SPACE_param ? !lower_is_entry(f) : insn->space != PTX_SPACE_const;
	case PTX_atom:
	case PTX_shfl:
	case PTX_tex:
	case PTX_tld4:
	case PTX_suld:
	case PTX_match:
		return true;
	default:
		return false;
	}
}

/* All lanes get the same answer. */
static bool unites_lanes(const struct ptx_insn *insn)
{
	return insn->op == PTX_vote || insn->op == PTX_redux || insn->op == PTX_activemask;
}

static bool reads_divergent(const struct lower_facts *f, const struct ptx_insn *insn)
{
	const struct ptx_operand *source = ptx_sources(f->module, insn);
	for (uint32_t i = 0; i < insn->source_count; i++) {
		if (source[i].kind == PTX_SREG && !sreg_is_uniform(source[i].index))
			return true;
		if (ptx_register_read(&source[i]) != PTX_NONE && f->regs[source[i].index].divergent)
			return true;
	}
	return insn->guard != PTX_NONE && f->regs[insn->guard].divergent;
}

static bool mark_results(struct lower_facts *f, const struct ptx_insn *insn)
{
	const struct ptx_operand *result = ptx_results(f->module, insn);
	bool changed = false;
	for (uint32_t i = 0; i < insn->result_count; i++)
		if (result[i].kind == PTX_REG && !f->regs[result[i].index].divergent)
			changed = f->regs[result[i].index].divergent = true;
	return changed;
}

static bool branch_diverges(const struct lower_facts *f, const struct ptx_insn *insn)
{
	if (insn->op == PTX_brx)
		return reads_divergent(f, insn) && !(insn->flags & PTX_FLAG_UNI);
	return insn->op == PTX_bra && insn->guard != PTX_NONE && !(insn->flags & PTX_FLAG_UNI) &&
	       f->regs[insn->guard].divergent;
}

/* A value that is assigned in [first, end) and elsewhere too, or read elsewhere. */
static bool leaves_region(const struct lower_facts *f, uint32_t reg, uint32_t first, uint32_t end)
{
	const struct lower_reg *r = &f->regs[reg];
	return r->defs > 1 && r->uses && (r->first_use < first || r->last_use >= end);
}

/* What only some lanes assign, or each a different number of times, differs between lanes afterwards. */
static bool mark_region(struct lower_facts *f, uint32_t first, uint32_t end)
{
	bool changed = false;
	for (uint32_t i = first; i < end; i++) {
		const struct ptx_insn *insn = &f->module->insns[i];
		const struct ptx_operand *result = ptx_results(f->module, insn);
		for (uint32_t r = 0; r < insn->result_count; r++)
			if (result[r].kind == PTX_REG && !f->regs[result[r].index].divergent &&
			    leaves_region(f, result[r].index, first, end))
				changed = f->regs[result[r].index].divergent = true;
	}
	return changed;
}

static uint32_t target_of(const struct lower_facts *f, const struct ptx_insn *insn)
{
	const struct ptx_operand *source = ptx_sources(f->module, insn);
	return insn->op == PTX_bra && insn->source_count && source[0].kind == PTX_LABEL ? source[0].index
	                                                                                : PTX_NONE;
}

static bool spread_divergence(struct lower_facts *f)
{
	uint32_t first = f->function->first_insn, end = first + f->function->insn_count;
	bool changed = false;
	for (uint32_t i = first; i < end; i++) {
		const struct ptx_insn *insn = &f->module->insns[i];
		if (!unites_lanes(insn) && (is_source_of_divergence(f, insn) || reads_divergent(f, insn)))
			changed |= mark_results(f, insn);
		uint32_t meet = f->module->flow[i].reconverge, target = target_of(f, insn);
		/* Of a loop's last branch the region is the loop. */
		if (branch_diverges(f, insn) && meet != PTX_NONE && meet > i)
			changed |= mark_region(f, target < i ? target : i + 1, meet);
	}
	return changed;
}

void lower_find_divergence(struct lower_facts *f)
{
	while (spread_divergence(f))
		;
}

/* ---- branches --------------------------------------------------------------------------------------- */

/* Whether [first, end) would be executed under a predicate rather than jumped over: of code as clang left it. */
static bool is_foldable(const struct lower_facts *f, uint32_t first, uint32_t end)
{
	enum { FOLD_MAX = 12 };
	if (f->module->is_compiled || end <= first || end - first > FOLD_MAX)
		return false;
	for (uint32_t i = first; i < end; i++)
		switch (f->module->insns[i].op) {
		case PTX_bra:
		case PTX_brx:
		case PTX_call:
		case PTX_bar:
		case PTX_barrier:
		case PTX_ret:
		case PTX_exit:
		case PTX_shfl:
		case PTX_vote:
		case PTX_div:
		case PTX_rem:
			return false;
		default:
			break;
		}
	return true;
}

/* The head of the outermost loop that the branch leaves for `meet`; the branch itself if there is none. */
static uint32_t loop_left(const struct lower_facts *f, uint32_t branch, uint32_t meet)
{
	uint32_t end = f->function->first_insn + f->function->insn_count, head = branch;
	for (uint32_t i = branch; i < end && i < meet; i++) {
		uint32_t target = target_of(f, &f->module->insns[i]);
		if (target != PTX_NONE && target <= branch && target < head)
			head = target;
	}
	return head;
}

/* Names the point of reconvergence `meet` in front of the region that the branch opens. */
static void note_push(struct lower_facts *f, uint32_t branch, uint32_t meet)
{
	uint32_t first = f->function->first_insn, head = loop_left(f, branch, meet);
	uint32_t at = head > first ? head - 1 : first;
	/* The instruction before a branch that opens its block belongs to another block. */
	if (head == branch && head > first && f->module->flow[at].block != f->module->flow[branch].block)
		at = branch;
	f->notes[lower_place(f, at)] |= LOWER_PUSH;
}

static void note_branch(struct lower_facts *f, uint32_t i)
{
	const struct ptx_insn *insn = &f->module->insns[i];
	uint32_t target = target_of(f, insn), meet = f->module->flow[i].reconverge;
	uint8_t *note = &f->notes[lower_place(f, i)];
	if (insn->op == PTX_bra && insn->guard == PTX_NONE) {
		*note |= target == i + 1 || f->module->flow[i].ends ? LOWER_FOLDED : 0;
		return;
	}
	if (f->module->flow[i].ends) {
		*note |= LOWER_TO_END;
		return;
	}
	if (target != PTX_NONE && target == meet && is_foldable(f, i + 1, target)) {
		*note |= LOWER_FOLDED;
		return;
	}
	if (!branch_diverges(f, insn) || meet == PTX_NONE)
		return;
	uint8_t *meets = &f->notes[lower_place(f, meet)];
	if (!(*meets & LOWER_MEET))
		note_push(f, i, meet);
	*meets |= LOWER_MEET;
}

void lower_note_branches(struct lower_facts *f)
{
	uint32_t first = f->function->first_insn;
	for (uint32_t i = first; i < first + f->function->insn_count; i++) {
		uint16_t op = f->module->insns[i].op;
		if (op == PTX_bra || op == PTX_brx)
			note_branch(f, i);
	}
}
