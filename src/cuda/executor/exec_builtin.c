/* Functions of the device runtime that kernels call: printf, assert, malloc and their C++ names. */
#include <stdio.h>

#include "cuda/executor/exec_access.h"
#include "cuda/executor/exec_handlers.h"
#include "cuda/executor/exec_heap.h"
#include "cuda/executor/exec_mask.h"
#include "cuda/executor/exec_print.h"

static uint64_t argument(const struct run *run, const struct warp *w, const struct code *op, unsigned i,
                         unsigned lane)
{
	const struct call *call = &run->kernel->calls[op->more];
	if (i >= call->arg_count)
		return 0;
	return lane_get(place(w, call->values[i].place), call->values[i].bytes, lane);
}

/* A result per lane, from scratch; the caller may have asked for none. */
static void give(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct call *call = &run->kernel->calls[op->more];
	if (call->result_count)
		lanes_write(run, w, call->values[call->arg_count].place, run->scratch[0],
		            call->values[call->arg_count].bytes, mask);
}

static void give_lane(struct run *run, const struct code *op, unsigned lane, uint64_t value)
{
	const struct call *call = &run->kernel->calls[op->more];
	if (call->result_count)
		lane_set(run->scratch[0], call->values[call->arg_count].bytes, lane, value);
}

static bool handle_vprintf(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	for (uint64_t left = mask; left; left &= left - 1) {
		unsigned lane = bits_lowest(left);
		uint64_t format = argument(run, w, op, 0, lane), args = argument(run, w, op, 1, lane);
		give_lane(run, op, lane, (uint64_t)(int64_t)print_lane(run, w, lane, format, args));
	}
	give(run, w, op, mask);
	return true;
}

/* __assertfail(message, file, line, function, size of a character) */
static bool handle_assertfail(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	unsigned lane = bits_lowest(mask);
	char text[3][120];
	static const unsigned from[3] = {0, 1, 3};
	for (unsigned i = 0; i < 3; i++)
		print_guest_string(run, w, lane, argument(run, w, op, from[i], lane), text[i],
		                   sizeof text[i]);
	uint64_t thread = (uint64_t)w->index * run->lanes + lane;
	struct trace_dim b = run->launch->block;
	return fault_at(run, w, op, mask, EXEC_ASSERT,
	                "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed", text[1],
	                (unsigned)argument(run, w, op, 2, lane), text[2], w->cta->id[0], w->cta->id[1],
	                w->cta->id[2], (unsigned)(thread % b.x), (unsigned)(thread / b.x % b.y),
	                (unsigned)(thread / b.x / b.y), text[0]);
}

static bool handle_malloc(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	for (uint64_t left = mask; left; left &= left - 1) {
		unsigned lane = bits_lowest(left);
		give_lane(run, op, lane, heap_allocate(run->exec->heap, argument(run, w, op, 0, lane)));
	}
	give(run, w, op, mask);
	return true;
}

static bool handle_free(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	for (uint64_t left = mask; left; left &= left - 1) {
		uint64_t address = argument(run, w, op, 0, bits_lowest(left));
		if (address && !heap_release(run->exec->heap, address))
			return fault_at(run, w, op, left & -left, EXEC_ILLEGAL_ADDRESS,
			                "free of 0x%llx, which device malloc has not given",
			                (unsigned long long)address);
	}
	return true;
}

struct builtin {
	const char *name;
	code_handler *handler;
};

code_handler *builtin_find(const char *name)
{
	static const struct builtin builtins[] = {
	    {"vprintf", handle_vprintf}, {"__assertfail", handle_assertfail},
	    {"malloc", handle_malloc},   {"free", handle_free},
	    {"_Znwm", handle_malloc},    {"_Znam", handle_malloc},
	    {"_ZdlPv", handle_free},     {"_ZdaPv", handle_free},
	    {"_ZdlPvm", handle_free},    {"_ZdaPvm", handle_free},
	};
	for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
		if (!strcmp(name, builtins[i].name))
			return builtins[i].handler;
	return device_launch_find(name);
}

/* ---- the device library ------------------------------------------------------------------------------- */

static bool store_output(struct run *run, struct warp *w, const struct code *op, const struct call *call,
                         unsigned output, const uint8_t *values, uint64_t mask)
{
	unsigned bytes = ptx_type_bytes(call->native->output[output]);
	const struct call_value *pointer = &call->values[call->native->arg_count + output];
	for (; mask; mask &= mask - 1) {
		unsigned lane = bits_lowest(mask);
		uint64_t address = lane_get(place(w, pointer->place), 8, lane);
		uint8_t *host = access_guest(run, w, lane, address, bytes);
		if (!host || address % bytes)
			return fault_at(run, w, op, mask & -mask,
			                host ? EXEC_MISALIGNED : EXEC_ILLEGAL_ADDRESS,
			                "%s stores %u bytes at 0x%llx, where nothing is", call->name, bytes,
			                (unsigned long long)address);
		memcpy(host, values + (size_t)lane * bytes, bytes);
	}
	run->progress.changed |= run->progress.is_watched;
	return true;
}

/* 16-bit values travel in 32-bit parameters. */
static const void *native_argument(struct run *run, const struct warp *w, const struct call *call, unsigned i)
{
	const void *value = place(w, call->values[i].place);
	if (call->values[i].bytes != 4 || ptx_type_bits(call->native->arg[i]) > 16)
		return value;
	lane_narrow42(run->scratch[2 + i], value, NULL, NULL, NULL, run->lanes);
	return run->scratch[2 + i];
}

static void give_native(struct run *run, struct warp *w, const struct call *call, uint64_t mask)
{
	const struct call_value *r = &call->values[call->arg_count];
	bool is_short = r->bytes == 4 && call->native->result != PTX_TYPE_pred &&
	                ptx_type_bits(call->native->result) <= 16;
	mask_u32 *wide = (mask_u32 *)run->scratch[2];
	for (unsigned i = 0; is_short && i < run->lanes; i++)
		wide[i] = ((const mask_u16 *)run->scratch[0])[i];
	lanes_write(run, w, r->place, is_short ? run->scratch[2] : run->scratch[0], r->bytes, mask);
}

bool handle_native(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct call *call = &run->kernel->calls[op->more];
	const struct native_function *f = call->native;
	const void *arg[4];
	for (unsigned i = 0; i < 4; i++)
		arg[i] = i < f->arg_count ? native_argument(run, w, call, i) : run->scratch[1];
	/* The fourth argument and the second output share a place; no function has both. */
	f->fn(run->scratch[0], arg[0], arg[1], arg[2], (void *)(uintptr_t)arg[3], run->lanes);
	unsigned first = f->result == PTX_TYPE_none;
	if (!first)
		give_native(run, w, call, mask);
	for (unsigned i = 0; i < f->output_count; i++)
		if (!store_output(run, w, op, call, i, first && !i ? run->scratch[0] : run->scratch[1], mask))
			return false;
	return true;
}

bool handle_undefined(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	return fault_at(run, w, op, mask, EXEC_ILLEGAL_INSTRUCTION,
	                "function %s is called but defined nowhere in the module or the device library",
	                run->kernel->calls[op->more].name);
}
