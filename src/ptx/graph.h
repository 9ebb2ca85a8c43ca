/* Control-flow graph of a function: basic blocks in the order of the text, edges in both directions. */
#ifndef SLUICE_PTX_GRAPH_H
#define SLUICE_PTX_GRAPH_H

#include "ptx/ptx.h"

struct graph {
	const struct ptx_module *module;
	const struct ptx_function *function;
	uint32_t count;
	uint32_t *start;                        /* count + 1: first instruction of a block, of the module */
	uint32_t *successor_start, *successors; /* of block b: successors[successor_start[b] ... [b + 1]) */
	uint32_t *predecessor_start, *predecessors;
	bool *returns; /* may leave a .func to its caller from this block */
};

/* Build the graph, and fill flow[].block of the function's instructions, counting on from first_block. */
void graph_build(struct graph *g, struct ptx_module *module, const struct ptx_function *f,
                 uint32_t first_block);
void graph_free(struct graph *g);

/*
 * Find, by block, the nearest block that all paths from it pass; g->count if there is none. Paths that end the thread
 * before (exit, trap, ret of an entry) do not count: no lane waits for those that ended. `order` gets all blocks, each
 * before those it is reached from, except in loops: the order for backward problems.
 */
void graph_post_dominators(const struct graph *g, uint32_t *post_dominator, uint32_t *order);

/* Whether all lanes that execute the instruction end. */
bool insn_ends_thread(const struct ptx_insn *insn, const struct ptx_function *f);

/* Return the last instruction of a block. */
const struct ptx_insn *graph_block_last(const struct graph *g, uint32_t block);

#endif
