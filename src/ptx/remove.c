/* Taking instructions out of a function that has not been analysed: what names one by its place is told. */
#include <stdlib.h>

#include "base/memory.h"
#include "ptx/graph.h"

void remove_insns(struct ptx_module *m, struct ptx_function *f, const bool *gone)
{
	struct ptx_insn *insns = &m->insns[f->first_insn];
	uint32_t first = f->first_insn, count = f->insn_count, left = 0;
	uint32_t *place = memory_grow(NULL, count, sizeof *place);
	for (uint32_t i = 0; i < count; i++) {
		place[i] = first + left;
		left += !gone[i];
	}
	for (uint32_t i = 0; i < count; i++)
		if (!gone[i] && insns[i].op == PTX_bra) {
			struct ptx_operand *label =
			    &m->operands[insns[i].first_operand + insns[i].result_count];
			label->index = place[label->index - first];
		}
	for (uint32_t t = 0; t < m->table_count; t++)
		for (uint32_t k = 0; k < m->tables[t].count; k++) {
			uint32_t at = m->tables[t].items[k] - first;
			if (at < count)
				m->tables[t].items[k] = place[at];
		}
	for (uint32_t p = 0; p < m->problem_count; p++)
		if (m->problems[p].insn - first < count)
			m->problems[p].insn = place[m->problems[p].insn - first];
	for (uint32_t i = 0; i < count; i++)
		if (!gone[i])
			m->insns[place[i]] = insns[i];
	for (uint32_t i = left; i < count; i++)
		m->insns[first + i] = (struct ptx_insn){.op = PTX_ret, .guard = PTX_NONE};
	f->insn_count = left;
	free(place);
}
