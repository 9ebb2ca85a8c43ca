/*
 * The passes over a function that ptx_analyze() runs (analyze.c): those that rewrite it as a GPU's compiler would, then
 * liveness, the order inside blocks, and registers.
 */
#ifndef SLUICE_PTX_PASSES_H
#define SLUICE_PTX_PASSES_H

#include "ptx/graph.h"

/* ---- rewriting, before the control-flow graph is built */

/* Remove jumps and predicate short bodies: branches.c. */
void compile_branches(struct ptx_module *m, struct ptx_function *f);
/* Join neighboring accesses to shared memory: join_shared.c. */
void compile_shared_accesses(struct ptx_module *m, struct ptx_function *f);
/*
 * Remove the instructions of the function for which `gone` is true, and adjust labels, tables and problems. The places at
 * the end of its range that become free belong to no function.
 */
void remove_insns(struct ptx_module *m, struct ptx_function *f, const bool *gone);

/* ---- liveness (liveness.c) */

/*
 * Find the registers in use. With `schedule`, also reorder the function's instructions in m, the module of g. Fills
 * `physical` of the registers, pressure and call_pressure of the function. `order`: of graph_post_dominators().
 */
void liveness_analyze(struct ptx_module *m, const struct graph *g, const uint32_t *order,
                      struct ptx_function *f, bool schedule);

/* ---- the order inside blocks (schedule.c) */

struct schedule;
/*
 * At most `bound` 32-bit registers are in use where the order of the text allows it; cost is by register, and must stay
 * valid. The caller frees the result.
 */
struct schedule *schedule_new(struct ptx_module *m, const struct ptx_function *f, const uint8_t *cost,
                              uint32_t bound);
/*
 * Reorder block [first, end) as a compiler would. On entry, `alive` has the registers that live on behind the block and
 * `weight` their 32-bit registers; on return, alive has those that are alive in front of it.
 */
void schedule_block(struct schedule *s, uint32_t first, uint32_t end, bool *alive, uint32_t weight);
void schedule_free(struct schedule *s);

/* ---- registers (registers.c) */

/* Return the 32-bit registers that the function's directives leave for values (kernel.c). */
uint32_t register_room(const struct ptx_function *f);
/* When a register is in use, from the first point to the last; points are numbered along the text. */
struct interval {
	uint32_t first, last; /* first > last: never */
};
/* Give registers whose intervals meet different physical registers. */
void allocate_registers(struct ptx_function *f, const struct interval *intervals, uint32_t point_count);
/* Fill the flags `narrow` of the function's registers. */
void find_narrow(const struct ptx_module *m, struct ptx_function *f);
/*
 * Fill, by register, how many 32-bit registers machine code keeps busy with it, and the register that an access reads in
 * its place: the source of a sum with a constant, else itself. Call find_narrow() before.
 */
void register_costs(const struct ptx_module *m, const struct ptx_function *f, uint8_t *cost, uint32_t *base);
/* Return the 32-bit registers that a value takes; 0 for predicates. */
unsigned register_weight(const struct ptx_register *r);

#endif
