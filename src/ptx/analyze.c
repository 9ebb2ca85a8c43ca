/* ptx_analyze(): the passes over each function of a module, in their order. */
#include <stdlib.h>

#include "base/memory.h"
#include "ptx/passes.h"

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

static bool leads_to_end(const struct ptx_module *m, const struct ptx_function *f,
                         const struct ptx_insn *insn)
{
	const struct ptx_operand *target = ptx_sources(m, insn);
	return insn->op == PTX_bra && target->kind == PTX_LABEL &&
	       insn_ends_thread(&m->insns[target->index], f);
}

static void analyze_function(struct ptx_module *m, struct ptx_function *f)
{
	struct graph g;
	if (m->is_compiled) {
		compile_branches(m, f);
		compile_shared_accesses(m, f);
	}
	graph_build(&g, m, f, m->block_count);
	uint32_t *post_dominator = memory_grow(NULL, g.count, sizeof *post_dominator);
	uint32_t *order = memory_grow(NULL, g.count, sizeof *order);
	graph_post_dominators(&g, post_dominator, order);
	for (uint32_t b = 0; b < g.count; b++) {
		const struct ptx_insn *last = graph_block_last(&g, b);
		if ((last->op == PTX_bra || last->op == PTX_brx) && post_dominator[b] < g.count)
			m->flow[g.start[b + 1] - 1].reconverge = g.start[post_dominator[b]];
		m->flow[g.start[b + 1] - 1].ends = leads_to_end(m, f, last);
	}
	liveness_analyze(m, &g, order, f, m->is_compiled);
	m->block_count += g.count;
	free(post_dominator);
	free(order);
	graph_free(&g);
}

static int compare_place(const void *a, const void *b)
{
	const struct ptx_function *const *f = a, *const *g = b;
	return (*f)->first_insn < (*g)->first_insn ? -1 : (*f)->first_insn > (*g)->first_insn;
}

bool ptx_analyze(struct ptx_module *m, bool compile, struct error *err)
{
	(void)err; /* all that ptx_parse() accepts can be analyzed */
	free(m->flow);
	m->flow = memory_zeroed(m->insn_count, sizeof *m->flow);
	m->block_count = 0;
	m->is_compiled = compile;
	/* Functions are numbered as they are declared, blocks as they stand in the text. */
	struct ptx_function **bodies = memory_grow(NULL, m->function_count, sizeof(struct ptx_function *));
	uint32_t count = 0;
	for (uint32_t f = 0; f < m->function_count; f++)
		if (!m->functions[f].is_extern)
			bodies[count++] = &m->functions[f];
	qsort(bodies, count, sizeof(struct ptx_function *), compare_place);
	for (uint32_t f = 0; f < count; f++)
		analyze_function(m, bodies[f]);
	free(bodies);
	return true;
}
