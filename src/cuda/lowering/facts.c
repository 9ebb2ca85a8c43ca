/* Facts about the registers of a function: definitions and uses, and their numbers in the trace. */
#include "cuda/lowering/facts.h"

#include <stdlib.h>

#include "base/memory.h"
#include "ptx/fragment.h"
#include "trace/trace.h"

/* ---- registers of the trace ---------------------------------------------------------------------------- */

/*
 * The allocation that ptx_analyze() made, folded into the numbers that a trace
 * has. Results of one vector load need consecutive registers, which the allocation
 * does not promise: they get a group of their own at the upper end. So do addresses
 * that live longer than PTX needs them.
 */

enum { PLAIN_REGS = PTX_PHYSICAL_TURN, GROUP_REGS = 4, GROUPS = 15 };

static unsigned words_of(const struct lower_facts *f, uint32_t reg)
{
	return ptx_type_bits((enum ptx_type)f->function->registers[reg].type) > 32 ? 2 : 1;
}

static bool is_consecutive(const struct lower_facts *f, const struct ptx_operand *result, unsigned count)
{
	for (unsigned i = 1; i < count; i++) {
		if (result[i].kind != PTX_REG || result[i - 1].kind != PTX_REG)
			return false;
		uint8_t before = f->regs[result[i - 1].index].number;
		if (f->regs[result[i].index].number != before + words_of(f, result[i - 1].index))
			return false;
	}
	return true;
}

uint8_t lower_take_group(struct lower_facts *f)
{
	return (uint8_t)(PLAIN_REGS + f->groups++ % GROUPS * GROUP_REGS);
}

static void group_results(struct lower_facts *f, const struct ptx_insn *insn)
{
	const struct ptx_operand *result = ptx_results(f->module, insn);
	unsigned at = lower_take_group(f), end = at + GROUP_REGS;
	for (unsigned i = 0; i < insn->result_count; i++) {
		if (result[i].kind != PTX_REG || at + words_of(f, result[i].index) > end)
			continue;
		f->regs[result[i].index].number = (uint8_t)at;
		at += words_of(f, result[i].index);
	}
}

/* One number for registers [first, first + count) of a list, which come and go together. */
static void unite(struct lower_facts *f, const struct ptx_operand *list, unsigned count)
{
	uint8_t number = TRACE_REG_NONE;
	for (unsigned i = 0; i < count; i++) {
		if (list[i].kind != PTX_REG)
			continue;
		number = number == TRACE_REG_NONE ? f->regs[list[i].index].number : number;
		f->regs[list[i].index].number = number;
	}
}

/* Matrices: what one machine instruction reads or writes of them as a whole. */
static void unite_matrix(struct lower_facts *f, const struct ptx_insn *insn)
{
	const struct ptx_operand *d = ptx_results(f->module, insn), *a = ptx_sources(f->module, insn);
	bool is_product = insn->op == PTX_mma || (insn->op == PTX_wmma && insn->mode == PTX_MODE_mma);
	if (insn->op == PTX_ldmatrix)
		unite(f, d, insn->result_count);
	if (insn->op == PTX_wgmma)
		unite(f, a + insn->result_count, ptx_warpgroup_factor_registers(insn));
	if (!is_product)
		return;
	unsigned skip =
	    ptx_matrix(insn, PTX_FRAGMENT_a).registers + ptx_matrix(insn, PTX_FRAGMENT_b).registers;
	unsigned cs = ptx_matrix(insn, PTX_FRAGMENT_c).registers,
	         parts = insn->op == PTX_wmma && cs > 2 ? 2 : 1;
	/* C first: where D is another set of registers, it keeps its own number. */
	for (unsigned part = 0; part < parts; part++) {
		unite(f, a + skip + part * cs / parts, cs / parts);
		unite(f, d + part * insn->result_count / parts, insn->result_count / parts);
	}
}

static bool has_vector_result(const struct ptx_insn *insn)
{
	return insn->result_count > 1 && (insn->op == PTX_ld || insn->op == PTX_ldu || insn->op == PTX_tex ||
	                                  insn->op == PTX_tld4 || insn->op == PTX_suld);
}

static void number_registers(struct lower_facts *f)
{
	for (uint32_t r = 0; r < f->function->register_count; r++) {
		uint16_t physical = f->function->registers[r].physical;
		f->regs[r].number =
		    physical == PTX_NO_PHYSICAL ? TRACE_REG_NONE : (uint8_t)(physical % PLAIN_REGS);
		f->regs[r].words = (uint8_t)words_of(f, r);
	}
	for (uint32_t i = 0; i < f->function->insn_count; i++) {
		const struct ptx_insn *insn = &f->module->insns[f->function->first_insn + i];
		if (has_vector_result(insn) &&
		    !is_consecutive(f, ptx_results(f->module, insn), insn->result_count))
			group_results(f, insn);
		unite_matrix(f, insn);
	}
}

/* ---- what costs no instruction --------------------------------------------------------------------------- */

/* The register whose value `insn` hands on as its result, if a GPU's code does without it; else PTX_NONE. */
static uint32_t handed_on(const struct lower_facts *f, uint32_t index)
{
	const struct ptx_insn *insn = &f->module->insns[index];
	uint32_t place = lower_place(f, index);
	if (f->notes[place] & LOWER_ABSORBED || insn->guard != PTX_NONE || insn->result_count != 1 ||
	    insn->source_count != 1)
		return PTX_NONE;
	const struct ptx_operand *result = ptx_results(f->module, insn),
	                         *source = ptx_sources(f->module, insn);
	const char *recipe = f->recipes[place] ? f->recipes[place] : lower_recipe(f, insn);
	bool is_handed = recipe && !*recipe && result->kind == PTX_REG && source->kind == PTX_REG &&
	                 f->regs[result->index].defs == 1 &&
	                 f->regs[result->index].number != TRACE_REG_NONE &&
	                 f->regs[source->index].number != TRACE_REG_NONE;
	return is_handed ? source->index : PTX_NONE;
}

/* Whether the instruction that computes the register may write another one instead: it is its only result and use. */
static bool is_movable(const struct lower_facts *f, uint32_t reg)
{
	return f->regs[reg].defs == 1 && f->regs[reg].uses == 1 &&
	       f->module->insns[f->regs[reg].def].result_count == 1;
}

/*
 * Moves, conversions and signs that cost no instruction hand a value on: an instruction that reads the result waits
 * for the one that computed the source. Both get one number: that of the result, which may live long, or that of a
 * source which other instructions read, too.
 */
static void follow_copies(struct lower_facts *f)
{
	uint32_t first = f->function->first_insn, end = first + f->function->insn_count;
	uint32_t count = f->function->register_count, *root = memory_grow(NULL, count + 1, sizeof *root);
	for (uint32_t r = 0; r < count; r++)
		root[r] = r;
	for (uint32_t i = first; i < end; i++) {
		uint32_t source = handed_on(f, i);
		if (source == PTX_NONE)
			continue;
		uint32_t result = ptx_results(f->module, &f->module->insns[i])->index, from = root[source];
		root[result] = from;
		if (f->regs[result].words < f->regs[from].words)
			f->regs[from].words = f->regs[result].words;
		if (is_movable(f, from))
			f->regs[from].number = f->regs[result].number;
	}
	for (uint32_t r = 0; r < count; r++) {
		f->regs[r].number = f->regs[root[r]].number;
		if (root[r] != r)
			f->regs[r].words = f->regs[root[r]].words;
	}
	free(root);
}

/* ---- definitions and uses ------------------------------------------------------------------------------ */

static void count_use(struct lower_facts *f, uint32_t reg, uint32_t index)
{
	if (reg == PTX_NONE)
		return;
	if (!f->regs[reg].uses++)
		f->regs[reg].first_use = index;
	f->regs[reg].last_use = index;
}

static void count_uses(struct lower_facts *f, const struct ptx_insn *insn, uint32_t index)
{
	const struct ptx_operand *source = ptx_sources(f->module, insn);
	for (uint32_t i = 0; i < insn->source_count; i++)
		count_use(f, ptx_register_read(&source[i]), index);
	count_use(f, insn->guard, index);
}

static void count_defs(struct lower_facts *f, const struct ptx_insn *insn, uint32_t index)
{
	const struct ptx_operand *result = ptx_results(f->module, insn);
	for (uint32_t i = 0; i < insn->result_count; i++)
		if (result[i].kind == PTX_REG) {
			f->regs[result[i].index].defs++;
			f->regs[result[i].index].def = index;
		}
}

void lower_facts_find(struct lower_facts *f, const struct ptx_module *module,
                      const struct ptx_function *function)
{
	uint32_t count = function->insn_count;
	*f = (struct lower_facts){.module = module, .function = function};
	f->regs = memory_zeroed(function->register_count + 1, sizeof *f->regs);
	f->notes = memory_zeroed(count + 1, sizeof *f->notes);
	f->absorbs = memory_zeroed(count + 1, sizeof *f->absorbs);
	f->recipes = memory_zeroed(count + 1, sizeof *f->recipes);
	for (uint32_t i = 0; i < count; i++) {
		const struct ptx_insn *insn = &module->insns[function->first_insn + i];
		f->absorbs[i] = PTX_NONE;
		count_uses(f, insn, function->first_insn + i);
		count_defs(f, insn, function->first_insn + i);
	}
	number_registers(f);
	lower_find_divergence(f);
	lower_note_branches(f);
	for (uint32_t r = 0; r < function->register_count; r++)
		f->regs[r].narrow = function->registers[r].narrow && f->regs[r].uses;
	lower_fold_offsets(f);
	if (f->module->is_compiled)
		lower_join_copies(f);
	lower_find_pairs(f);
	follow_copies(f);
}

void lower_facts_free(struct lower_facts *f)
{
	free(f->regs);
	free(f->notes);
	free(f->absorbs);
	free(f->recipes);
}
