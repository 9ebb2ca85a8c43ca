/*
 * Post-dominators, by the iterative algorithm of Cooper, Harvey and Kennedy ("A
 * Simple, Fast Dominance Algorithm") on the reversed graph.
 *
 * Where threads end inside a function, paths that end do not count: otherwise
 * one `exit` in a loop would keep all branches before it from reconverging. So
 * the blocks are taken in groups: those that reach the function's return (an
 * entry's last ret), then those that reach some other end or an endless loop,
 * each under a root of its own.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "ptx/graph.h"

enum { UNSEEN = UINT32_MAX };

struct walk {
	const struct graph *g;
	uint32_t *parent; /* post-dominator; count: the root of all; UNSEEN: not yet known */
	uint32_t *number; /* in postorder of the reversed graph, UNSEEN: not visited */
	uint32_t *order;  /* blocks by falling number, filled from the end */
	uint32_t *stack, *edge;
	uint32_t visited;
};

/* Blocks that reach `root`, numbered in postorder. */
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

/* The common post-dominator of the successors known so far that belong to the group from number `first` on. */
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

/* Settles the blocks numbered from `first` on; their roots are settled. */
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

/* An unvisited block that an unvisited path ends in: a dead end, or the place where an endless loop closes. */
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

/* Code that nothing leads to, such as the ret that a label behind the last instruction gets, is no function's end. */
static bool is_reached(const struct graph *g, uint32_t block)
{
	return !block || g->predecessor_start[block] != g->predecessor_start[block + 1];
}

/* The blocks from which a function returns, or the last that ends an entry. */
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
	/* Postorder ends with the roots; whoever works backward starts with them. */
	for (uint32_t i = 0, j = g->count - 1; i < j; i++, j--) {
		uint32_t block = order[i];
		order[i] = order[j];
		order[j] = block;
	}
	free(scratch);
}
