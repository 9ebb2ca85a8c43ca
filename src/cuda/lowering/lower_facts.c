/* Definitions and uses of registers; the other facts are found from them. */
#include "cuda/lowering/lower_facts.h"

#include <stdlib.h>

#include "base/memory.h"

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
	lower_number_registers(f);
	lower_find_divergence(f);
	lower_note_branches(f);
	for (uint32_t r = 0; r < function->register_count; r++)
		f->regs[r].narrow = function->registers[r].narrow && f->regs[r].uses;
	lower_fold_offsets(f);
	if (f->module->is_compiled)
		lower_join_copies(f);
	lower_find_pairs(f);
	lower_follow_copies(f);
}

void lower_facts_free(struct lower_facts *f)
{
	free(f->regs);
	free(f->notes);
	free(f->absorbs);
	free(f->recipes);
}
