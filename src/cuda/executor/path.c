/*
 * Paths of a warp (struct path), and control flow other than plain branches.
 * Nodes and frames come from free lists: a warp allocates only until it has
 * reached its greatest depth.
 */
#include "cuda/executor/warp.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "cuda/executor/access.h"
#include "cuda/executor/barrier.h"
#include "cuda/executor/handlers.h"
#include "cuda/executor/mask.h"

static uint32_t path_new(struct warp *w)
{
	if (w->free_path != PTX_NONE) {
		uint32_t id = w->free_path;
		w->free_path = w->paths[id].parent;
		return id;
	}
	if (w->path_count == w->path_capacity) {
		w->path_capacity = w->path_capacity ? 2 * w->path_capacity : 16;
		w->paths = memory_grow(w->paths, w->path_capacity, sizeof *w->paths);
	}
	return w->path_count++;
}

static void path_free(struct warp *w, uint32_t id)
{
	w->paths[id].state = PATH_FREE;
	w->paths[id].parent = w->free_path;
	w->free_path = id;
}

static void push_ready(struct warp *w, uint32_t id)
{
	w->paths[id].state = PATH_READY;
	w->ready[w->ready_count++] = id;
}

uint32_t path_add_child(struct warp *w, uint32_t parent, uint64_t mask, uint32_t pc, uint32_t reconverge,
                        uint32_t frame)
{
	uint32_t id = path_new(w);
	w->paths[id] = (struct path){.mask = mask,
	                             .pc = pc,
	                             .reconverge = reconverge,
	                             .frame = frame,
	                             .parent = parent,
	                             .callee = PTX_NONE};
	if (parent != PTX_NONE)
		w->paths[parent].children++;
	push_ready(w, id);
	return id;
}

void path_start(struct warp *w, uint32_t pc)
{
	w->path_count = w->ready_count = w->waiting = 0;
	w->free_path = PTX_NONE;
	path_add_child(w, PTX_NONE, w->live, pc, PTX_NONE, 0);
	path_next(w);
}

bool path_next(struct warp *w)
{
	if (!w->ready_count) {
		w->current = PTX_NONE;
		return false;
	}
	w->current = w->ready[--w->ready_count];
	w->base[PLACE_FRAME] = w->frames[w->paths[w->current].frame].registers;
	return true;
}

/* One child less; a node whose last child is gone goes on with the lanes that arrived, or ends too. */
static void child_done(struct warp *w, uint32_t node)
{
	while (node != PTX_NONE) {
		struct path *p = &w->paths[node];
		if (--p->children)
			return;
		if (p->callee != PTX_NONE) {
			frame_free(w, p->callee);
			p->callee = PTX_NONE;
		}
		if (p->mask) {
			push_ready(w, node);
			return;
		}
		uint32_t parent = p->parent;
		path_free(w, node);
		node = parent;
	}
}

void path_wait_for_children(struct warp *w, uint32_t pc)
{
	struct path *p = &w->paths[w->current];
	p->state = PATH_INNER;
	p->pc = pc;
	p->mask = 0;
	p->children = 0;
}

/* Split a path whose meeting point is its own: the second side is a sibling, or loops would pile up nodes. */
static void split_to_sibling(struct warp *w, const uint64_t side[2], const uint32_t pc[2])
{
	uint32_t node = w->current;
	struct path p = w->paths[node];
	unsigned stays = 1;
	if (p.reconverge != PTX_NONE && (pc[0] == p.reconverge || pc[1] == p.reconverge)) {
		stays = pc[0] == p.reconverge;
		w->paths[p.parent].mask |= side[!stays];
	} else {
		path_add_child(w, p.parent, side[0], pc[0], p.reconverge, p.frame);
	}
	w->paths[node].mask = side[stays];
	w->paths[node].pc = pc[stays];
}

void path_diverge(struct warp *w, uint64_t taken, uint32_t target, uint32_t next, uint32_t reconverge)
{
	uint32_t node = w->current;
	struct path p = w->paths[node];
	uint64_t side[2] = {taken, p.mask & ~taken};
	uint32_t pc[2] = {target, next};
	if (reconverge == PTX_NONE || reconverge == p.reconverge) {
		split_to_sibling(w, side, pc);
		return;
	}
	path_wait_for_children(w, reconverge);
	for (unsigned i = 0; i < 2; i++) {
		if (pc[i] == reconverge)
			w->paths[node].mask |= side[i];
		else
			path_add_child(w, node, side[i], pc[i], reconverge, p.frame);
	}
	path_next(w);
}

static void end_current(struct warp *w)
{
	uint32_t parent = w->paths[w->current].parent;
	path_free(w, w->current);
	child_done(w, parent);
	path_next(w);
}

void path_arrive(struct warp *w)
{
	struct path *p = &w->paths[w->current];
	if (p->parent == PTX_NONE)
		BUG("the outermost path of warp %u has nothing to meet", w->index);
	w->paths[p->parent].mask |= p->mask;
	end_current(w);
}

void path_leave(struct warp *w, uint64_t mask)
{
	struct path *p = &w->paths[w->current];
	p->mask &= ~mask;
	if (!p->mask)
		end_current(w);
}

void path_return(struct warp *w, uint64_t mask, uint32_t node)
{
	w->paths[node].mask |= mask;
	path_leave(w, mask);
}

void path_block(struct warp *w, enum path_state state)
{
	w->paths[w->current].state = (uint8_t)state;
	w->waiting++;
	path_next(w);
}

void path_wake(struct warp *w, uint32_t path)
{
	w->waiting--;
	push_ready(w, path);
	if (w->current == PTX_NONE)
		path_next(w);
}

void path_merge(struct warp *w, uint32_t path)
{
	uint32_t parent = w->paths[path].parent;
	w->paths[w->current].mask |= w->paths[path].mask;
	w->waiting--;
	path_free(w, path);
	child_done(w, parent);
}

void path_resume(struct warp *w, uint32_t path)
{
	if (w->current != PTX_NONE)
		push_ready(w, w->current);
	w->waiting--;
	push_ready(w, path);
	path_next(w);
}

/* Let lanes that have arrived at an inner node go on alone, as a sibling of it. */
static void split_arrived(struct warp *w, uint32_t node)
{
	struct path p = w->paths[node];
	w->paths[node].mask = 0;
	if (p.reconverge != PTX_NONE && p.pc == p.reconverge)
		w->paths[p.parent].mask |= p.mask;
	else
		path_add_child(w, p.parent, p.mask, p.pc, p.reconverge, p.frame);
}

static void split_all_arrived(struct warp *w)
{
	uint32_t count = w->path_count;
	for (uint32_t i = 0; i < count; i++)
		if (w->paths[i].state == PATH_INNER && w->paths[i].mask)
			split_arrived(w, i);
}

bool path_go_ahead(struct warp *w)
{
	split_all_arrived(w);
	return path_next(w);
}

void path_rotate(struct warp *w)
{
	if (!w->ready_count)
		split_all_arrived(w);
	if (!w->ready_count)
		return;
	for (uint32_t i = w->ready_count; i > 0; i--)
		w->ready[i] = w->ready[i - 1];
	w->ready[0] = w->current;
	w->ready_count++;
	path_next(w);
}

uint32_t frame_new(struct warp *w, uint32_t function, uint32_t bytes)
{
	uint32_t id = w->free_frame[function];
	if (id != PTX_NONE) {
		w->free_frame[function] = w->frames[id].next_free;
		return id;
	}
	if (w->frame_count == w->frame_capacity) {
		w->frame_capacity = w->frame_capacity ? 2 * w->frame_capacity : 4;
		w->frames = memory_grow(w->frames, w->frame_capacity, sizeof *w->frames);
	}
	w->frames[w->frame_count] =
	    (struct frame){.registers = memory_zeroed(bytes ? bytes : 1, 1), .function = function};
	return w->frame_count++;
}

void frame_free(struct warp *w, uint32_t frame)
{
	uint32_t function = w->frames[frame].function;
	w->frames[frame].next_free = w->free_frame[function];
	w->free_frame[function] = frame;
}

/* ---- branch tables, calls, returns, exits, traps ------------------------------------------------------- */

enum { FRAME_BYTES = 16 }; /* of the stack that a call takes in addition to the callee's variables */

/* Lanes that hold the same value as the first active one. */
static uint64_t lanes_alike(const uint8_t *values, unsigned bytes, uint64_t mask, uint64_t *value)
{
	uint64_t same = 0;
	*value = lane_get(values, bytes, bits_lowest(mask));
	for (uint64_t left = mask; left; left &= left - 1)
		if (lane_get(values, bytes, bits_lowest(left)) == *value)
			same |= left & -left;
	return same;
}

/* One target at a time: the other lanes run this instruction again. */
enum control_result control_brx(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct branch_table *table = &run->kernel->tables[op->more];
	uint64_t index, same = lanes_alike(place(w, op->a), op->bytes, mask, &index);
	uint32_t at = (uint32_t)(op - run->kernel->code);
	if (index >= table->count) {
		fault_at(run, w, op, same, EXEC_ILLEGAL_INSTRUCTION,
		         "branch index %llu is outside of the table of %u", (unsigned long long)index,
		         table->count);
		return CONTROL_FAULT;
	}
	if (same == mask)
		w->paths[w->current].pc = table->target[index];
	else
		path_diverge(w, same, table->target[index], at, op->reconverge);
	return CONTROL_SWITCH;
}

/* ---- calls -------------------------------------------------------------------------------------------- */

static bool stack_has_room(struct run *run, struct warp *w, const struct code *op, uint64_t mask,
                           uint64_t base, const struct code_function *f)
{
	uint64_t limit = run->kernel->local_limit;
	if (base + f->local_bytes <= limit)
		return true;
	return fault_at(run, w, op, mask, EXEC_STACK_OVERFLOW, "the stack of %llu bytes per thread is full",
	                (unsigned long long)limit);
}

static enum control_result enter(struct run *run, struct warp *w, const struct code *op, uint64_t mask,
                                 uint32_t function)
{
	const struct code_function *f = &run->kernel->functions[function];
	const struct call *call = &run->kernel->calls[op->more];
	uint32_t node = w->current, caller = w->paths[node].frame;
	const struct code_function *from = &run->kernel->functions[w->frames[caller].function];
	uint32_t base = (w->frames[caller].local_base + from->local_bytes + FRAME_BYTES + 15u) & ~15u;
	if (!stack_has_room(run, w, op, mask, base, f))
		return CONTROL_FAULT;
	uint32_t callee = frame_new(w, function, f->frame_bytes);
	struct frame *frame = &w->frames[callee];
	frame->parent = caller;
	frame->call_node = node;
	frame->call = call;
	frame->local_base = base;
	for (uint32_t i = 0; i < call->arg_count; i++)
		memcpy(frame->registers + f->values[i].place, place(w, call->values[i].place),
		       (size_t)call->values[i].bytes * run->lanes);
	path_wait_for_children(w, w->paths[node].pc);
	w->paths[node].callee = callee;
	path_add_child(w, node, mask, f->first, PTX_NONE, callee);
	path_next(w);
	return CONTROL_SWITCH;
}

enum control_result control_call(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	return enter(run, w, op, mask, run->kernel->calls[op->more].function);
}

static bool fits(const struct call *call, const struct code_function *f)
{
	if (call->arg_count != f->arg_count || call->result_count != f->result_count)
		return false;
	for (uint32_t i = 0; i < f->arg_count + f->result_count; i++)
		if (call->values[i].bytes != f->values[i].bytes)
			return false;
	return true;
}

/* The function behind an address, PTX_NONE: none that this kernel can call. */
static uint32_t function_at(const struct run *run, uint64_t address)
{
	uint32_t index = function_index(run->kernel->module, address);
	return index == PTX_NONE ? PTX_NONE : run->kernel->function_of[index];
}

enum control_result control_call_indirect(struct run *run, struct warp *w, const struct code *op,
                                          uint64_t mask)
{
	const struct call *call = &run->kernel->calls[op->more];
	uint64_t target, same = lanes_alike(place(w, call->target), 8, mask, &target);
	uint32_t at = (uint32_t)(op - run->kernel->code), function = function_at(run, target);
	if (same != mask) {
		path_diverge(w, same, at, at, at + 1);
		return CONTROL_SWITCH;
	}
	if (function == PTX_NONE) {
		fault_at(run, w, op, mask, EXEC_ILLEGAL_INSTRUCTION,
		         "no function is at the address 0x%llx that is called", (unsigned long long)target);
		return CONTROL_FAULT;
	}
	if (!fits(call, &run->kernel->functions[function])) {
		fault_at(run, w, op, mask, EXEC_ILLEGAL_INSTRUCTION,
		         "function %s takes other parameters than the call gives",
		         run->kernel->module->ptx->functions[run->kernel->functions[function].ptx].name);
		return CONTROL_FAULT;
	}
	return enter(run, w, op, mask, function);
}

/* ---- ends --------------------------------------------------------------------------------------------- */

enum control_result control_exit(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	(void)op;
	w->live &= ~mask;
	w->cta->live_threads -= bits_count(mask);
	path_leave(w, mask);
	barrier_lanes_left(run, w->cta);
	if (run->cluster_size > 1)
		cluster_lanes_left(run, w->cta);
	return CONTROL_SWITCH;
}

enum control_result control_ret(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct frame *frame = &w->frames[w->paths[w->current].frame];
	if (frame->call_node == PTX_NONE)
		return control_exit(run, w, op, mask);
	const struct code_function *f = &run->kernel->functions[frame->function];
	const struct call *call = frame->call;
	uint8_t *caller = w->frames[frame->parent].registers;
	for (uint32_t i = 0; i < call->result_count; i++) {
		const struct call_value *there = &f->values[f->arg_count + i];
		uint32_t here = call->values[call->arg_count + i].place;
		if (there->bytes == 4 || there->bytes == 8)
			run->host->blend(caller + here, frame->registers + there->place, there->bytes, mask,
			                 run->lanes);
		else
			mask_copy(caller + here, frame->registers + there->place, there->bytes, mask);
	}
	path_return(w, mask, frame->call_node);
	return CONTROL_SWITCH;
}

enum control_result control_trap(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	fault_at(run, w, op, mask, EXEC_ILLEGAL_INSTRUCTION, "trap");
	return CONTROL_FAULT;
}

/* An instruction that the parser did not understand: it fails only when it is reached. */
enum control_result control_unsupported(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct ptx_problem *problem = ptx_find_problem(run->kernel->module->ptx, op->insn);
	fault_at(run, w, op, mask, EXEC_UNSUPPORTED, "%s",
	         problem ? problem->text : "unsupported instruction");
	return CONTROL_FAULT;
}
