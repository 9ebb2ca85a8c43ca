/* Control flow other than plain branches: branch tables, calls, returns, exits, traps. */
#include "cuda/executor/exec_access.h"
#include "cuda/executor/exec_barrier.h"
#include "cuda/executor/exec_handlers.h"
#include "cuda/executor/exec_mask.h"
#include "cuda/executor/exec_path.h"

enum { FRAME_BYTES = 16 }; /* what a call takes of the stack beside the callee's variables */

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

/* One target at a time: lanes with others come back to this instruction. */
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
	const struct exec_kernel *k = run->kernel;
	uint64_t offset = address - FUNCTION_WINDOW - ((uint64_t)k->module->id << FUNCTION_MODULE_SHIFT);
	if (offset % 16 || offset / 16 >= k->module->ptx->function_count)
		return PTX_NONE;
	return k->function_of[offset / 16];
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

/* An instruction that the parser did not understand: only who gets there fails. */
enum control_result control_unsupported(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct ptx_problem *problem = ptx_find_problem(run->kernel->module->ptx, op->insn);
	fault_at(run, w, op, mask, EXEC_UNSUPPORTED, "%s",
	         problem ? problem->text : "unsupported instruction");
	return CONTROL_FAULT;
}
