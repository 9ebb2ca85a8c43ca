/*
 * Control flow of a function.
 *
 * Post-dominators come from the iterative algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance
 * Algorithm") on the reversed graph. Paths that end the thread do not count; otherwise one `exit` in a loop would keep
 * all branches before it from reconverging. So the blocks are taken in groups: those that reach the function's return
 * (an entry's last ret), then those that reach another end or an endless loop, each group under its own root.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ptx/graph.h"

static bool insn_is_call_without_return(const struct ptx_module *m, const struct ptx_insn *i)
{
	const struct ptx_operand *target = ptx_sources(m, i);
	return i->op == PTX_call && target->kind == PTX_FUNCTION && m->functions[target->index].is_noreturn;
}

/* Whether the next instruction starts another block. */
static bool insn_ends_block(const struct ptx_module *m, const struct ptx_insn *i)
{
	return i->op == PTX_bra || i->op == PTX_brx || i->op == PTX_ret || i->op == PTX_exit ||
	       i->op == PTX_trap || insn_is_call_without_return(m, i);
}

/* Return the targets of a branch. */
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

const struct ptx_insn *graph_block_last(const struct graph *g, uint32_t block)
{
	return &g->module->insns[g->start[block + 1] - 1];
}

static bool block_falls_through(const struct graph *g, uint32_t block)
{
	const struct ptx_insn *last = graph_block_last(g, block);
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
		insn_targets(g->module, graph_block_last(g, b), &count);
		edges += count + block_falls_through(g, b);
	}
	g->successors = memory_grow(NULL, edges, sizeof *g->successors);
	edges = 0;
	for (uint32_t b = 0; b < g->count; b++) {
		const struct ptx_insn *last = graph_block_last(g, b);
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
	/* Counting sort, shifted by one so that the starts end up in place. */
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

bool insn_ends_thread(const struct ptx_insn *insn, const struct ptx_function *f)
{
	return insn->guard == PTX_NONE && (insn->op == PTX_exit || (insn->op == PTX_ret && f->is_entry));
}

/* ---- post-dominators ------------------------------------------------------------------------------------ */

enum { UNSEEN = UINT32_MAX };

struct walk {
	const struct graph *g;
	uint32_t *parent; /* post-dominator; count: the root of all; UNSEEN: not yet known */
	uint32_t *number; /* in postorder of the reversed graph, UNSEEN: not visited */
	uint32_t *order;  /* blocks by falling number, filled from the end */
	uint32_t *stack, *edge;
	uint32_t visited;
};

/* Number the blocks that reach `root` in postorder. */
static void walk_backward(struct walk *w, uint32_t root)
{
	const struct graph *g = w->g;
	uint32_t depth = 0;
	if (w->number[root] != UNSEEN)
		return;
	w->number[root] = 0;
	w->stack[depth] = root;
	w->edge[depth++] = g->predecessor_start[root];
	while (depth) {
		uint32_t block = w->stack[depth - 1];
		if (w->edge[depth - 1] == g->predecessor_start[block + 1]) {
			w->order[w->visited] = block;
			w->number[block] = w->visited++;
			depth--;
			continue;
		}
		uint32_t next = g->predecessors[w->edge[depth - 1]++];
		if (w->number[next] != UNSEEN)
			continue;
		w->number[next] = 0;
		w->stack[depth] = next;
		w->edge[depth++] = g->predecessor_start[next];
	}
}

static uint32_t walk_number(const struct walk *w, uint32_t block)
{
	return block == w->g->count ? UINT32_MAX : w->number[block];
}

static uint32_t walk_common(const struct walk *w, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (walk_number(w, a) < walk_number(w, b))
			a = w->parent[a];
		while (walk_number(w, b) < walk_number(w, a))
			b = w->parent[b];
	}
	return a;
}

/* Meet the known successors that belong to the group from number `first` on. */
static uint32_t walk_meet(const struct walk *w, uint32_t block, uint32_t first)
{
	const struct graph *g = w->g;
	uint32_t meet = g->returns[block] ? g->count : UNSEEN;
	for (uint32_t e = g->successor_start[block]; e < g->successor_start[block + 1]; e++) {
		uint32_t s = g->successors[e];
		if (w->number[s] == UNSEEN || w->number[s] < first || w->parent[s] == UNSEEN)
			continue;
		meet = meet == UNSEEN ? s : walk_common(w, meet, s);
	}
	return meet;
}

/* Find the post-dominators of the blocks numbered from `first` on; those of their roots are known. */
static void walk_settle(struct walk *w, uint32_t first)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t n = w->visited; n-- > first;) {
			uint32_t block = w->order[n];
			if (w->parent[block] == w->g->count)
				continue;
			uint32_t meet = walk_meet(w, block, first);
			changed |= meet != w->parent[block];
			w->parent[block] = meet;
		}
	}
}

/* Find the end of an unvisited path: a dead end, or the block where an endless loop closes. */
static uint32_t walk_end(struct walk *w, bool *seen, uint32_t from)
{
	const struct graph *g = w->g;
	for (uint32_t block = from;;) {
		uint32_t next = UNSEEN;
		seen[block] = true;
		for (uint32_t e = g->successor_start[block];
		     e < g->successor_start[block + 1] && next == UNSEEN; e++)
			if (w->number[g->successors[e]] == UNSEEN && !seen[g->successors[e]])
				next = g->successors[e];
		if (next == UNSEEN)
			return block;
		block = next;
	}
}

static void walk_rest(struct walk *w)
{
	bool *seen = memory_zeroed(w->g->count, sizeof *seen);
	for (uint32_t b = 0; b < w->g->count; b++) {
		while (w->number[b] == UNSEEN) {
			uint32_t first = w->visited, root = walk_end(w, seen, b);
			w->parent[root] = w->g->count;
			walk_backward(w, root);
			walk_settle(w, first);
		}
	}
	free(seen);
}

/* Unreachable code, such as the ret behind a label at the end of the text, does not end the function. */
static bool is_reached(const struct graph *g, uint32_t block)
{
	return !block || g->predecessor_start[block] != g->predecessor_start[block + 1];
}

/* Settle the blocks that reach the function's return, or the last ret of an entry. */
static void walk_main(struct walk *w)
{
	const struct graph *g = w->g;
	uint32_t last = UNSEEN;
	for (uint32_t b = 0; b < g->count; b++) {
		const struct ptx_insn *insn = &g->module->insns[g->start[b + 1] - 1];
		if (insn->op == PTX_ret && insn->guard == PTX_NONE && is_reached(g, b))
			last = b;
		if (g->returns[b])
			w->parent[b] = g->count;
	}
	if (g->function->is_entry && last != UNSEEN)
		w->parent[last] = g->count;
	for (uint32_t b = 0; b < g->count; b++)
		if (w->parent[b] == g->count)
			walk_backward(w, b);
	walk_settle(w, 0);
}

void graph_post_dominators(const struct graph *g, uint32_t *post_dominator, uint32_t *order)
{
	uint32_t *scratch = memory_grow(NULL, (size_t)g->count * 3, sizeof *scratch);
	struct walk w = {.g = g,
	                 .parent = post_dominator,
	                 .number = scratch,
	                 .order = order,
	                 .stack = scratch + g->count,
	                 .edge = scratch + 2 * (size_t)g->count};
	for (uint32_t b = 0; b < g->count; b++)
		w.parent[b] = w.number[b] = UNSEEN;
	walk_main(&w);
	walk_rest(&w);
	/* Postorder ends with the roots, where backward problems start. */
	for (uint32_t i = 0, j = g->count - 1; i < j; i++, j--) {
		uint32_t block = order[i];
		order[i] = order[j];
		order[j] = block;
	}
	free(scratch);
}
