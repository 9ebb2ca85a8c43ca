/*
 * Liveness of registers.
 *
 * Most registers are written and read in one block. Only those that a block reads before it writes them can be alive
 * between blocks ("global"). The usual backward equations are solved for the globals alone, WIDTH of them at a time,
 * to bound memory. A guarded write does not kill the old value.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "ptx/passes.h"

enum { WORDS = 8, WIDTH = 64 * WORDS };
enum { TOUCH_READS = 1, TOUCH_WRITES = 2, TOUCH_LIVES_ON = 4, TOUCH_MENTIONED = 8 };

/* A global register that a block mentions: whether it is read before it is written, written, alive behind the block. */
struct touch {
	uint32_t global, flags;
};

struct liveness {
	const struct graph *g;
	const uint32_t *order;
	struct ptx_function *f;
	uint32_t *global_of;   /* by register; PTX_NONE: lives in one block */
	uint32_t *register_of; /* by global */
	uint32_t global_count;
	struct touch *touches;
	uint32_t *touch_start;      /* by block */
	uint32_t *out_weight;       /* by block: 32-bit registers alive behind it */
	struct interval *intervals; /* by register */
	uint8_t *cost;              /* by register */
	uint32_t *base;             /* by register: what an access reads in its place */
};

unsigned register_weight(const struct ptx_register *r)
{
	unsigned bytes = ptx_type_bytes(r->type);
	return r->type == PTX_TYPE_pred ? 0 : bytes > 4 ? bytes / 4 : 1;
}

/* ---- registers of an instruction ------------------------------------------------------------------------- */

enum { INSN_REGISTERS_MAX = 1024 };

/* List the registers that an instruction reads: sources, bases of addresses, the guard. Return their number. */
static uint32_t insn_reads(const struct liveness *l, const struct ptx_insn *i, uint32_t *list)
{
	uint32_t n = 0;
	const struct ptx_operand *source = ptx_sources(l->g->module, i);
	for (uint32_t s = 0; s < i->source_count; s++) {
		uint32_t reg = ptx_register_read(&source[s]);
		if (reg == PTX_NONE)
			continue;
		list[n++] = reg;
		if (l->base[reg] != reg)
			list[n++] = l->base[reg];
	}
	if (i->guard != PTX_NONE)
		list[n++] = i->guard;
	return n;
}

static uint32_t insn_writes(const struct ptx_module *m, const struct ptx_insn *i, uint32_t *list)
{
	uint32_t n = 0;
	const struct ptx_operand *result = ptx_results(m, i);
	for (uint32_t r = 0; r < i->result_count; r++)
		if (result[r].kind == PTX_REG)
			list[n++] = result[r].index;
	return n;
}

/* ---- globals and what blocks do to them ------------------------------------------------------------------ */

/* Registers that a block mentions, and how; `state` is by register and 0 for the others. */
struct mentions {
	uint8_t *state;
	uint32_t *list;
	uint32_t count;
};

static void mention(struct mentions *found, uint32_t reg, uint8_t flags)
{
	if (!found->state[reg])
		found->list[found->count++] = reg;
	/* A register that the block wrote before is not read from outside. */
	if (flags == TOUCH_READS && found->state[reg] & TOUCH_WRITES)
		flags = 0;
	found->state[reg] |= (uint8_t)(TOUCH_MENTIONED | flags);
}

static void block_mentions(const struct liveness *l, uint32_t block, struct mentions *found)
{
	const struct graph *g = l->g;
	uint32_t list[INSN_REGISTERS_MAX];
	for (uint32_t k = 0; k < found->count; k++)
		found->state[found->list[k]] = 0;
	found->count = 0;
	for (uint32_t i = g->start[block]; i < g->start[block + 1]; i++) {
		const struct ptx_insn *insn = &g->module->insns[i];
		uint32_t n = insn_reads(l, insn, list);
		for (uint32_t k = 0; k < n; k++)
			mention(found, list[k], TOUCH_READS);
		n = insn_writes(g->module, insn, list);
		for (uint32_t k = 0; k < n; k++)
			mention(found, list[k], insn->guard == PTX_NONE ? TOUCH_WRITES : 0);
	}
}

static void find_globals(struct liveness *l, struct mentions *found)
{
	for (uint32_t r = 0; r < l->f->register_count; r++)
		l->global_of[r] = PTX_NONE;
	for (uint32_t b = 0; b < l->g->count; b++) {
		block_mentions(l, b, found);
		for (uint32_t k = 0; k < found->count; k++) {
			uint32_t r = found->list[k];
			if (!(found->state[r] & TOUCH_READS) || l->global_of[r] != PTX_NONE)
				continue;
			l->register_of[l->global_count] = r;
			l->global_of[r] = l->global_count++;
		}
	}
}

static void find_touches(struct liveness *l, struct mentions *found)
{
	uint32_t count = 0, capacity = 0;
	for (uint32_t b = 0; b < l->g->count; b++) {
		l->touch_start[b] = count;
		block_mentions(l, b, found);
		for (uint32_t k = 0; k < found->count; k++) {
			uint32_t r = found->list[k];
			if (l->global_of[r] == PTX_NONE)
				continue;
			if (count == capacity) {
				capacity = capacity ? capacity * 2 : 256;
				l->touches = memory_grow(l->touches, capacity, sizeof *l->touches);
			}
			l->touches[count++] = (struct touch){l->global_of[r], found->state[r]};
		}
	}
	l->touch_start[l->g->count] = count;
}

/* ---- the equations, for WIDTH globals -------------------------------------------------------------------- */

struct bits {
	uint64_t word[WORDS];
};

/* in = reads | (out & ~writes); out = union of in of the successors. */
struct equation {
	struct bits reads, writes, in, out;
};

static void equations_fill(const struct liveness *l, struct equation *eq, uint32_t first)
{
	memset(eq, 0, l->g->count * sizeof *eq);
	for (uint32_t b = 0; b < l->g->count; b++) {
		for (uint32_t t = l->touch_start[b]; t < l->touch_start[b + 1]; t++) {
			uint32_t bit = l->touches[t].global - first; /* wraps for those of an earlier batch */
			if (bit >= WIDTH)
				continue;
			uint64_t mask = (uint64_t)1 << bit % 64;
			if (l->touches[t].flags & TOUCH_READS)
				eq[b].reads.word[bit / 64] |= mask;
			if (l->touches[t].flags & TOUCH_WRITES)
				eq[b].writes.word[bit / 64] |= mask;
		}
		eq[b].in = eq[b].reads;
	}
}

static bool equation_step(const struct graph *g, struct equation *eq, uint32_t b)
{
	struct equation *e = &eq[b];
	bool changed = false;
	for (uint32_t s = g->successor_start[b]; s < g->successor_start[b + 1]; s++)
		for (unsigned w = 0; w < WORDS; w++)
			e->out.word[w] |= eq[g->successors[s]].in.word[w];
	for (unsigned w = 0; w < WORDS; w++) {
		uint64_t in = e->reads.word[w] | (e->out.word[w] & ~e->writes.word[w]);
		changed |= in != e->in.word[w];
		e->in.word[w] = in;
	}
	return changed;
}

static void equations_solve(const struct liveness *l, struct equation *eq)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = 0; i < l->g->count; i++)
			changed |= equation_step(l->g, eq, l->order[i]);
	}
}

/* ---- from the solution ----------------------------------------------------------------------------------- */

/* Points along the text: before each instruction, and one behind each block. */
static uint32_t point_before(uint32_t insn_in_function, uint32_t block)
{
	return insn_in_function + block;
}

static void interval_add(struct interval *i, uint32_t point)
{
	i->first = point < i->first ? point : i->first;
	i->last = point > i->last || i->first > i->last ? point : i->last;
}

/* Extend the intervals of the registers in `alive` that `seen` lacks to a point. */
static void stretch(struct liveness *l, const struct bits *alive, struct bits *seen, uint32_t first,
                    uint32_t point)
{
	for (unsigned w = 0; w < WORDS; w++) {
		uint64_t fresh = alive->word[w] & ~seen->word[w];
		seen->word[w] |= fresh;
		for (; fresh; fresh &= fresh - 1)
			interval_add(&l->intervals[l->register_of[first + w * 64 + bits_lowest(fresh)]],
			             point);
	}
}

/* Only the first and the last block matter to an interval. */
static void stretch_all(struct liveness *l, const struct equation *eq, uint32_t first)
{
	const struct graph *g = l->g;
	uint32_t base = g->start[0];
	struct bits seen = {0};
	for (uint32_t b = 0; b < g->count; b++) {
		stretch(l, &eq[b].in, &seen, first, point_before(g->start[b] - base, b));
		stretch(l, &eq[b].out, &seen, first, point_before(g->start[b + 1] - base, b));
	}
	seen = (struct bits){0};
	for (uint32_t b = g->count; b-- > 0;) {
		stretch(l, &eq[b].out, &seen, first, point_before(g->start[b + 1] - base, b));
		stretch(l, &eq[b].in, &seen, first, point_before(g->start[b] - base, b));
	}
}

static struct bits registers_of_weight(const struct liveness *l, uint32_t first, unsigned weight)
{
	struct bits set = {0};
	for (uint32_t i = 0; i < WIDTH && first + i < l->global_count; i++)
		if (l->cost[l->register_of[first + i]] == weight)
			set.word[i / 64] |= (uint64_t)1 << i % 64;
	return set;
}

static void weigh_out(struct liveness *l, const struct equation *eq, uint32_t first)
{
	static const unsigned weights[] = {1, 2, 4};
	for (unsigned k = 0; k < 3; k++) {
		struct bits set = registers_of_weight(l, first, weights[k]);
		for (uint32_t b = 0; b < l->g->count; b++)
			for (unsigned w = 0; w < WORDS; w++)
				l->out_weight[b] += weights[k] * bits_count(eq[b].out.word[w] & set.word[w]);
	}
}

static void mark_touches(struct liveness *l, const struct equation *eq, uint32_t first)
{
	for (uint32_t b = 0; b < l->g->count; b++)
		for (uint32_t t = l->touch_start[b]; t < l->touch_start[b + 1]; t++) {
			uint32_t bit = l->touches[t].global - first;
			if (bit < WIDTH && eq[b].out.word[bit / 64] >> bit % 64 & 1)
				l->touches[t].flags |= TOUCH_LIVES_ON;
		}
}

static void solve_globals(struct liveness *l)
{
	struct equation *eq = memory_grow(NULL, l->g->count, sizeof *eq);
	for (uint32_t first = 0; first < l->global_count; first += WIDTH) {
		equations_fill(l, eq, first);
		equations_solve(l, eq);
		stretch_all(l, eq, first);
		weigh_out(l, eq, first);
		mark_touches(l, eq, first);
	}
	free(eq);
}

/* ---- inside blocks, backward ----------------------------------------------------------------------------- */

/* Add the writes of an instruction to their intervals; return the most registers in use behind it. */
static uint32_t scan_writes(struct liveness *l, const struct ptx_insn *insn, bool *alive, uint32_t weight,
                            uint32_t point)
{
	uint32_t list[INSN_REGISTERS_MAX], n = insn_writes(l->g->module, insn, list), peak = weight;
	for (uint32_t k = 0; k < n; k++) {
		interval_add(&l->intervals[list[k]], point);
		/* A result without a reader takes a register for a moment. */
		if (!alive[list[k]])
			peak += l->cost[list[k]];
	}
	return peak;
}

static uint32_t kill_writes(struct liveness *l, const struct ptx_insn *insn, bool *alive, uint32_t weight)
{
	uint32_t list[INSN_REGISTERS_MAX], n = insn_writes(l->g->module, insn, list);
	for (uint32_t k = 0; k < n && insn->guard == PTX_NONE; k++) {
		weight -= alive[list[k]] ? l->cost[list[k]] : 0;
		alive[list[k]] = false;
	}
	return weight;
}

static uint32_t add_reads(struct liveness *l, const struct ptx_insn *insn, bool *alive, uint32_t weight,
                          uint32_t point)
{
	uint32_t list[INSN_REGISTERS_MAX], n = insn_reads(l, insn, list);
	for (uint32_t k = 0; k < n; k++) {
		interval_add(&l->intervals[list[k]], point);
		weight += alive[list[k]] ? 0 : l->cost[list[k]];
		alive[list[k]] = true;
	}
	return weight;
}

static void enter_block(const struct liveness *l, uint32_t b, bool *alive)
{
	for (uint32_t t = l->touch_start[b]; t < l->touch_start[b + 1]; t++)
		alive[l->register_of[l->touches[t].global]] = l->touches[t].flags & TOUCH_LIVES_ON;
}

static void leave_block(const struct liveness *l, uint32_t b, bool *alive)
{
	for (uint32_t t = l->touch_start[b]; t < l->touch_start[b + 1]; t++)
		alive[l->register_of[l->touches[t].global]] = false;
}

static void scan_block(struct liveness *l, uint32_t b, bool *alive)
{
	const struct graph *g = l->g;
	uint32_t weight = l->out_weight[b];
	enter_block(l, b, alive);
	l->f->pressure = bits_max32(l->f->pressure, weight);
	for (uint32_t i = g->start[b + 1]; i-- > g->start[b];) {
		const struct ptx_insn *insn = &g->module->insns[i];
		uint32_t point = point_before(i - g->start[0], b);
		l->f->pressure = bits_max32(l->f->pressure, scan_writes(l, insn, alive, weight, point + 1));
		if (insn->op == PTX_call)
			l->f->call_pressure = bits_max32(l->f->call_pressure, weight);
		weight = kill_writes(l, insn, alive, weight);
		weight = add_reads(l, insn, alive, weight, point);
		l->f->pressure = bits_max32(l->f->pressure, weight);
	}
	leave_block(l, b, alive);
}

static void scan_blocks(struct liveness *l, bool *alive)
{
	l->f->pressure = l->f->call_pressure = 0;
	for (uint32_t b = 0; b < l->g->count; b++)
		scan_block(l, b, alive);
}

/* ---- the order inside blocks ------------------------------------------------------------------------------ */

/* Registers that a compiler spends on loads ahead of their use, if the directives allow it. */
enum { LOOKAHEAD_REGISTERS = 12 };

/* Reorder all blocks. What is alive between blocks does not depend on the order inside them. */
static void schedule_blocks(struct liveness *l, struct ptx_module *m, bool *alive)
{
	size_t bytes = l->f->register_count * sizeof *l->intervals;
	struct interval *intervals = memory_grow(NULL, l->f->register_count, sizeof *intervals);
	memcpy(intervals, l->intervals, bytes);
	scan_blocks(l, alive);
	memcpy(l->intervals, intervals, bytes);
	free(intervals);
	uint32_t bound = l->f->pressure + LOOKAHEAD_REGISTERS, room = register_room(l->f);
	bound = bits_max32(l->f->pressure, bound < room ? bound : room);
	struct schedule *s = schedule_new(m, l->f, l->cost, bound);
	for (uint32_t b = 0; b < l->g->count; b++) {
		enter_block(l, b, alive);
		schedule_block(s, l->g->start[b], l->g->start[b + 1], alive, l->out_weight[b]);
		leave_block(l, b, alive);
	}
	schedule_free(s);
	scan_blocks(l, alive);
}

/*
 * Keep the order of the text. The number of registers is still that of scheduled code: GPGPU-Sim, too, executes PTX and
 * takes that number from ptxas.
 */
static void scan_as_written(struct liveness *l, struct ptx_module *m, bool *alive)
{
	struct ptx_function *f = l->f;
	size_t code = f->insn_count * sizeof *m->insns, ranges = f->register_count * sizeof *l->intervals;
	struct ptx_insn *insns = memory_grow(NULL, f->insn_count, sizeof *insns);
	struct interval *intervals = memory_grow(NULL, f->register_count, sizeof *intervals);
	memcpy(insns, m->insns + f->first_insn, code);
	memcpy(intervals, l->intervals, ranges);
	schedule_blocks(l, m, alive);
	uint32_t pressure = f->pressure, call_pressure = f->call_pressure;
	memcpy(m->insns + f->first_insn, insns, code);
	memcpy(l->intervals, intervals, ranges);
	scan_blocks(l, alive);
	f->pressure = pressure;
	f->call_pressure = call_pressure;
	free(insns);
	free(intervals);
}

/* ---- a function ------------------------------------------------------------------------------------------ */

static void liveness_release(struct liveness *l)
{
	free(l->global_of);
	free(l->register_of);
	free(l->touches);
	free(l->touch_start);
	free(l->out_weight);
	free(l->intervals);
	free(l->cost);
	free(l->base);
}

void liveness_analyze(struct ptx_module *m, const struct graph *g, const uint32_t *order,
                      struct ptx_function *f, bool schedule)
{
	uint32_t registers = f->register_count;
	struct liveness l = {.g = g, .order = order, .f = f};
	l.global_of = memory_grow(NULL, registers, sizeof *l.global_of);
	l.register_of = memory_grow(NULL, registers, sizeof *l.register_of);
	l.touch_start = memory_grow(NULL, g->count + 1, sizeof *l.touch_start);
	l.out_weight = memory_zeroed(g->count, sizeof *l.out_weight);
	l.intervals = memory_grow(NULL, registers, sizeof *l.intervals);
	for (uint32_t r = 0; r < registers; r++)
		l.intervals[r] = (struct interval){.first = UINT32_MAX, .last = 0};
	l.cost = memory_zeroed(registers, 1);
	find_narrow(g->module, f);
	l.base = memory_grow(NULL, registers, sizeof *l.base);
	register_costs(g->module, f, l.cost, l.base);
	struct mentions found = {.state = memory_zeroed(registers, 1),
	                         .list = memory_grow(NULL, registers, sizeof *found.list)};
	find_globals(&l, &found);
	find_touches(&l, &found);
	solve_globals(&l);
	bool *alive = memory_zeroed(registers, sizeof *alive);
	if (schedule)
		schedule_blocks(&l, m, alive);
	else
		scan_as_written(&l, m, alive);
	allocate_registers(f, l.intervals, f->insn_count + g->count);
	free(alive);
	free(found.state);
	free(found.list);
	liveness_release(&l);
}
