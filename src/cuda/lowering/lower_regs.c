/*
 * Registers of the trace: the allocation that ptx_analyze() made, folded into
 * the numbers that a trace has. Results of one vector load need consecutive
 * ones, which the allocation does not promise: they get a group of their own
 * at the upper end. So do addresses that live longer than PTX needs them.
 */
#include "cuda/lowering/lower_facts.h"
#include "trace/trace.h"

enum { PLAIN_REGS = 192, GROUP_REGS = 4, GROUPS = 15 };

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

static bool has_vector_result(const struct ptx_insn *insn)
{
	return insn->result_count > 1 && (insn->op == PTX_ld || insn->op == PTX_ldu || insn->op == PTX_tex ||
	                                  insn->op == PTX_tld4 || insn->op == PTX_suld);
}

void lower_number_registers(struct lower_facts *f)
{
	for (uint32_t r = 0; r < f->function->register_count; r++) {
		uint16_t physical = f->function->registers[r].physical;
		f->regs[r].number =
		    physical == PTX_NO_PHYSICAL ? TRACE_REG_NONE : (uint8_t)(physical % PLAIN_REGS);
	}
	for (uint32_t i = 0; i < f->function->insn_count; i++) {
		const struct ptx_insn *insn = &f->module->insns[f->function->first_insn + i];
		if (has_vector_result(insn) &&
		    !is_consecutive(f, ptx_results(f->module, insn), insn->result_count))
			group_results(f, insn);
	}
}
