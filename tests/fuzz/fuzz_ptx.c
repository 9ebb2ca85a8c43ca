/* Any bytes as PTX: an error with its place, or a module of which everything can be asked. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

static void check_operand(const struct ptx_module *m, const struct ptx_function *f,
                          const struct ptx_operand *o)
{
	switch ((enum ptx_operand_kind)o->kind) {
	case PTX_REG:
		check(o->index < f->register_count);
		break;
	case PTX_SREG:
		check(o->index < PTX_SREG_COUNT);
		break;
	case PTX_ADDRESS:
		check(o->base != PTX_BASE_REG || o->index < f->register_count);
		check(o->base != PTX_BASE_VARIABLE || o->index < m->variable_count);
		break;
	case PTX_SYMBOL:
		check(o->index < m->variable_count);
		break;
	case PTX_FUNCTION:
		check(o->index < m->function_count);
		break;
	case PTX_LABEL:
		check(o->index - f->first_insn < f->insn_count);
		break;
	case PTX_TABLE:
		check(o->index < m->table_count);
		break;
	case PTX_PROTOTYPE:
		check(o->index < m->prototype_count);
		break;
	case PTX_SINK:
	case PTX_IMM:
		break;
	}
}

static void check_insn(const struct ptx_module *m, const struct ptx_function *f, uint32_t i)
{
	const struct ptx_insn *insn = &m->insns[i];
	char text[80];
	for (uint32_t o = 0; o < (uint32_t)insn->result_count + insn->source_count; o++)
		check_operand(m, f, &m->operands[insn->first_operand + o]);
	check(insn->guard == PTX_NONE || insn->guard < f->register_count);
	check(m->flow[i].block < m->block_count);
	check(m->flow[i].reconverge == PTX_NONE || m->flow[i].reconverge - f->first_insn < f->insn_count);
	ptx_print(m, i, text, sizeof text);
	check(text[0]);
}

static void check_function(const struct ptx_module *m, uint32_t index)
{
	const struct ptx_function *f = &m->functions[index];
	check(f->insn_count > 0 && f->call_pressure <= f->pressure);
	for (uint32_t i = 0; i < f->insn_count; i++)
		check_insn(m, f, f->first_insn + i);
	struct error err = {""};
	struct ptx_kernel *kernel = ptx_kernel_new(m, index, &err);
	check(kernel ? kernel->registers >= 8 && kernel->registers <= 255 : err.text[0] != 0);
	ptx_kernel_free(kernel);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = {""};
	/* In a block of its own size, so that reading past the end is found. */
	char *text = malloc(size ? size : 1);
	memcpy(text, data, size);
	struct ptx_module *m = ptx_parse("fuzz.ptx", text, size, &err);
	free(text);
	if (!m) {
		check(!strncmp(err.text, "fuzz.ptx:", 9) && !strpbrk(err.text, "\n\r\x1b"));
		return 0;
	}
	check(ptx_analyze(m, size & 1, &err));
	for (uint32_t f = 0; f < m->function_count; f++)
		if (!m->functions[f].is_extern)
			check_function(m, f);
	ptx_module_free(m);
	return 0;
}
