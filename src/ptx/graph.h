/* Control-flow graph of one function: basic blocks in the order of the text, edges both ways. */
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

/* Fills flow[].block of the function's instructions, counting on from first_block. */
void graph_build(struct graph *g, struct ptx_module *module, const struct ptx_function *f,
                 uint32_t first_block);
void graph_free(struct graph *g);

/*
 * The nearest block that all paths from b pass which do not end the thread
 * before; g->count: none. Such paths (exit, trap, ret of an entry) do not count
 * because lanes that end need not be waited for. `order` has all blocks, each
 * before those it is reached from, but for loops: the order for backward problems.
 */
void graph_post_dominators(const struct graph *g, uint32_t *post_dominator, uint32_t *order);

/* Lanes that get to this instruction are gone. */
bool insn_ends_thread(const struct ptx_insn *insn, const struct ptx_function *f);

/* ---- compiling a function that has not been analysed */
/* Leaves its branches as a compiler would: branches.c. */
void compile_branches(struct ptx_module *m, struct ptx_function *f);
/* Joins accesses to shared memory that lie side by side: wide.c. */
void compile_wide(struct ptx_module *m, struct ptx_function *f);
/* Takes out those of the function's instructions that are gone; what it had at its end belongs to nobody then. */
void remove_insns(struct ptx_module *m, struct ptx_function *f, const bool *gone);
/* Bits at the lower end of a value that are the same whatever the input. */
struct low_bits {
	uint8_t known; /* so many of them */
	uint64_t value;
};
/* By register; the caller frees it. And of a shared variable's address. */
struct low_bits *register_low_bits(const struct ptx_module *m, const struct ptx_function *f);
struct low_bits shared_low_bits(const struct ptx_module *m, uint32_t variable);

/*
 * Registers in use, and by them the order inside blocks: with `schedule`, reorders the function's instructions in m, the
 * module of g; fills `physical` of the registers, pressure and call_pressure of the function.
 */
void liveness_analyze(struct ptx_module *m, const struct graph *g, const uint32_t *order,
                      struct ptx_function *f, bool schedule);

/*
 * Gives instructions the order in which a compiler issues them, such that at most `bound` 32-bit registers are in use
 * where the text allows it; cost is by register. Of a block [first, end): what lives on behind it is `alive` and weighs
 * `weight`; alive is left as it is in front.
 */
struct schedule;
struct schedule *schedule_new(struct ptx_module *m, const struct ptx_function *f, const uint8_t *cost,
                              uint32_t bound);
void schedule_block(struct schedule *s, uint32_t first, uint32_t end, bool *alive, uint32_t weight);
void schedule_free(struct schedule *s);
/* 32-bit registers that the function's directives leave for values. */
uint32_t register_room(const struct ptx_function *f);

/* When a register is in use, from the first point to the last; points are numbered along the text. */
struct interval {
	uint32_t first, last; /* first > last: never */
};
/* Gives registers whose intervals meet different physical registers. */
void allocate_registers(struct ptx_function *f, const struct interval *intervals, uint32_t point_count);
/* Fills the flags `narrow` of the function's registers. */
void find_narrow(const struct ptx_module *m, struct ptx_function *f);
/*
 * By register: how many 32-bit registers machine code keeps busy with it, and the register that an access reads in
 * its place if it is a sum with a constant, else itself. After find_narrow().
 */
void register_costs(const struct ptx_module *m, const struct ptx_function *f, uint8_t *cost, uint32_t *base);
/* 32-bit registers that a value takes; 0 for predicates. */
unsigned register_weight(const struct ptx_register *r);

#endif
