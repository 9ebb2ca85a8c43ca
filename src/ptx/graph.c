/*
 * Basic blocks and edges, and ptx_analyze(), which runs all analyses.
 */
#include "ptx/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static bool insn_is_call_without_return(const struct ptx_module *m, const struct ptx_insn *i)
{
	const struct ptx_operand *target = ptx_sources(m, i);
	return i->op == PTX_call && target->kind == PTX_FUNCTION && m->functions[target->index].is_noreturn;
}

/* Ends a block: the next instruction starts another. */
static bool insn_ends_block(const struct ptx_module *m, const struct ptx_insn *i)
{
	return i->op == PTX_bra || i->op == PTX_brx || i->op == PTX_ret || i->op == PTX_exit ||
	       i->op == PTX_trap || insn_is_call_without_return(m, i);
}

/* Where a branch goes: `count` instructions. */
static const uint32_t *insn_targets(const struct ptx_module *m, const struct ptx_insn *i, uint32_t *count)
{
	*count = 0;
	if (i->op == PTX_bra) {
		*count = 1;
		return &ptx_sources(m, i)->index;
	}
	if (i->op != PTX_brx)
		return NULL;
	const struct ptx_list *table = &m->tables[ptx_sources(m, i)[1].index];
	*count = table->count;
	return table->items;
}

/* ---- blocks ---------------------------------------------------------------------------------------------- */

static bool *find_leaders(const struct ptx_module *m, const struct ptx_function *f)
{
	bool *leader = memory_zeroed(f->insn_count + 1, sizeof *leader);
	leader[0] = true;
	for (uint32_t i = 0; i < f->insn_count; i++) {
		const struct ptx_insn *insn = &m->insns[f->first_insn + i];
		uint32_t count;
		const uint32_t *targets = insn_targets(m, insn, &count);
		for (uint32_t t = 0; t < count; t++)
			leader[targets[t] - f->first_insn] = true;
		leader[i + 1] |= insn_ends_block(m, insn);
	}
	return leader;
}

static void graph_cut(struct graph *g, struct ptx_module *m, const struct ptx_function *f,
                      uint32_t first_block)
{
	bool *leader = find_leaders(m, f);
	for (uint32_t i = 0; i < f->insn_count; i++)
		g->count += leader[i];
	g->start = memory_grow(NULL, g->count + 1, sizeof *g->start);
	uint32_t block = 0;
	for (uint32_t i = 0; i < f->insn_count; i++) {
		if (leader[i])
			g->start[block++] = f->first_insn + i;
		m->flow[f->first_insn + i] =
		    (struct ptx_flow){.reconverge = PTX_NONE, .block = first_block + block - 1};
	}
	g->start[block] = f->first_insn + f->insn_count;
	free(leader);
}

/* ---- edges ----------------------------------------------------------------------------------------------- */

static const struct ptx_insn *block_last(const struct graph *g, uint32_t block)
{
	return &g->module->insns[g->start[block + 1] - 1];
}

static bool block_falls_through(const struct graph *g, uint32_t block)
{
	const struct ptx_insn *last = block_last(g, block);
	if (block + 1 == g->count)
		return false;
	return last->guard != PTX_NONE || !insn_ends_block(g->module, last);
}

static uint32_t block_of(const struct graph *g, uint32_t insn)
{
	return g->module->flow[insn].block - g->module->flow[g->start[0]].block;
}

static void graph_connect(struct graph *g)
{
	uint32_t edges = 0, count;
	g->successor_start = memory_grow(NULL, g->count + 1, sizeof *g->successor_start);
	for (uint32_t b = 0; b < g->count; b++) {
		insn_targets(g->module, block_last(g, b), &count);
		edges += count + block_falls_through(g, b);
	}
	g->successors = memory_grow(NULL, edges, sizeof *g->successors);
	edges = 0;
	for (uint32_t b = 0; b < g->count; b++) {
		const struct ptx_insn *last = block_last(g, b);
		const uint32_t *targets = insn_targets(g->module, last, &count);
		g->successor_start[b] = edges;
		if (block_falls_through(g, b))
			g->successors[edges++] = b + 1;
		for (uint32_t t = 0; t < count; t++)
			g->successors[edges++] = block_of(g, targets[t]);
		g->returns[b] = last->op == PTX_ret && !g->function->is_entry;
	}
	g->successor_start[g->count] = edges;
}

static void graph_reverse(struct graph *g)
{
	uint32_t edges = g->successor_start[g->count];
	g->predecessor_start = memory_zeroed(g->count + 2, sizeof *g->predecessor_start);
	g->predecessors = memory_grow(NULL, edges, sizeof *g->predecessors);
	/* Counting sort; shifted by one, so that the starts end up in place. */
	for (uint32_t e = 0; e < edges; e++)
		g->predecessor_start[g->successors[e] + 2]++;
	for (uint32_t b = 0; b < g->count; b++)
		g->predecessor_start[b + 1] += g->predecessor_start[b];
	for (uint32_t b = 0; b < g->count; b++)
		for (uint32_t e = g->successor_start[b]; e < g->successor_start[b + 1]; e++)
			g->predecessors[g->predecessor_start[g->successors[e] + 1]++] = b;
}

void graph_build(struct graph *g, struct ptx_module *module, const struct ptx_function *f,
                 uint32_t first_block)
{
	*g = (struct graph){.module = module, .function = f};
	graph_cut(g, module, f, first_block);
	g->returns = memory_zeroed(g->count, sizeof *g->returns);
	graph_connect(g);
	graph_reverse(g);
}

void graph_free(struct graph *g)
{
	free(g->start);
	free(g->successor_start);
	free(g->successors);
	free(g->predecessor_start);
	free(g->predecessors);
	free(g->returns);
}

/* ---- the analyses of a module ---------------------------------------------------------------------------- */

bool insn_ends_thread(const struct ptx_insn *insn, const struct ptx_function *f)
{
	return insn->guard == PTX_NONE && (insn->op == PTX_exit || (insn->op == PTX_ret && f->is_entry));
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
		compile_wide(m, f);
	}
	graph_build(&g, m, f, m->block_count);
	uint32_t *post_dominator = memory_grow(NULL, g.count, sizeof *post_dominator);
	uint32_t *order = memory_grow(NULL, g.count, sizeof *order);
	graph_post_dominators(&g, post_dominator, order);
	for (uint32_t b = 0; b < g.count; b++) {
		const struct ptx_insn *last = block_last(&g, b);
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
	(void)err; /* whatever ptx_parse() lets through can be analysed */
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
