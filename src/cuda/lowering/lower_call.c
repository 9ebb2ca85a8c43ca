/* Calls of functions that run natively: what the library's code costs, by kinds of instructions. */
#include "cuda/lanes/lanes.h"
#include "cuda/lowering/lower_emit.h"

static const struct native_function *native_target(const struct lower_facts *f, const struct ptx_insn *insn)
{
	const struct ptx_operand *target = ptx_sources(f->module, insn);
	if (insn->op != PTX_call || !insn->source_count || target->kind != PTX_FUNCTION)
		return NULL;
	const struct ptx_function *callee = &f->module->functions[target->index];
	return callee->is_extern ? native_find(callee->name) : NULL;
}

/* The call's arguments and result go through st.param and ld.param around it, which cost nothing themselves. */
static struct lower_operands native_operands(const struct lower_facts *f, uint32_t call)
{
	struct lower_operands o = {.dst = TRACE_REG_NONE};
	const struct ptx_insn *insns = f->module->insns;
	uint32_t first = f->function->first_insn, end = first + f->function->insn_count;
	for (uint32_t i = call; i-- > first && insns[i].op == PTX_st && insns[i].space == PTX_SPACE_param;)
		lower_add_sources(&o, f, &insns[i], PTX_NONE);
	if (call + 1 < end && insns[call + 1].op == PTX_ld && insns[call + 1].space == PTX_SPACE_param)
		lower_set_results(&o, f, &insns[call + 1]);
	return o;
}

bool lower_native_call(struct lower_output *out, const struct lower_facts *f, const struct ptx_insn *insn)
{
	const struct native_function *native = native_target(f, insn);
	if (!native)
		return false;
	const struct {
		uint8_t count;
		const char *mnemonic;
	} steps[] = {
	    {native->cost.integer, "IADD3"}, {native->cost.sfu, "MUFU"},   {native->cost.fp32, "FFMA"},
	    {native->cost.fp64, "DFMA"},     {native->cost.branch, "BRA"},
	};
	const struct lower_operands o = native_operands(f, (uint32_t)(insn - f->module->insns));
	bool first = true;
	for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
		for (uint8_t i = 0; i < steps[s].count; i++, first = false)
			lower_emit(out, insn, steps[s].mnemonic, &o, WHOLE, first);
	return true;
}
