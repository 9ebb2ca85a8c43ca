/* Functions that kernels call and the host runs: printf, assert, malloc, launches by kernels, the device library. */
#include <stdio.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/memory.h"
#include "cuda/executor/access.h"
#include "cuda/executor/handlers.h"
#include "cuda/executor/mask.h"

/* ---- the heap of device malloc ------------------------------------------------------------------------- */

/* Blocks are powers of two, with a free list for each size. Kept outside the guest's reach. */

enum { UNIT = 16, SIZES = 48 };

struct free_list {
	uint64_t *blocks;
	size_t count, capacity;
};

struct heap {
	struct device_memory *memory;
	uint64_t bytes, base, used;
	uint8_t *size_of; /* by unit: 1 + log2 of the block's units if one starts here, else 0 */
	struct free_list free[SIZES];
};

struct heap *heap_new(struct device_memory *memory, uint64_t bytes)
{
	struct heap *h = memory_zeroed(1, sizeof *h);
	h->memory = memory;
	h->bytes = bytes / UNIT * UNIT;
	return h;
}

void heap_free(struct heap *h)
{
	if (!h)
		return;
	if (h->base)
		device_memory_release(h->memory, h->base);
	for (unsigned i = 0; i < SIZES; i++)
		free(h->free[i].blocks);
	free(h->size_of);
	free(h);
}

static bool heap_start(struct heap *h)
{
	if (!h->base && h->bytes) {
		h->base = device_memory_allocate(h->memory, h->bytes);
		/* More than the device has: every malloc of the kernel gives NULL. */
		if (h->base)
			h->size_of = memory_zeroed(h->bytes / UNIT, 1);
	}
	return h->base != 0;
}

/* Aligned to 16 bytes; 0: the heap is full. The same calls give the same addresses. */
static uint64_t heap_allocate(struct heap *h, uint64_t bytes)
{
	if (bytes > h->bytes || !heap_start(h))
		return 0;
	unsigned size = bits_log2_up((bytes + UNIT - 1) / UNIT);
	struct free_list *list = &h->free[size];
	uint64_t offset = h->used, block = (uint64_t)UNIT << size;
	if (list->count) {
		offset = list->blocks[--list->count];
	} else {
		if (block > h->bytes - h->used)
			return 0;
		h->used += block;
	}
	h->size_of[offset / UNIT] = (uint8_t)(1 + size);
	return h->base + offset;
}

/* False: no block starts at the address. */
static bool heap_release(struct heap *h, uint64_t address)
{
	uint64_t offset = address - h->base;
	if (!h->base || offset >= h->used || offset % UNIT || !h->size_of[offset / UNIT])
		return false;
	struct free_list *list = &h->free[h->size_of[offset / UNIT] - 1];
	if (list->count == list->capacity) {
		list->capacity = list->capacity ? 2 * list->capacity : 16;
		list->blocks = memory_grow(list->blocks, list->capacity, sizeof *list->blocks);
	}
	list->blocks[list->count++] = offset;
	h->size_of[offset / UNIT] = 0;
	return true;
}

/* ---- arguments and results ----------------------------------------------------------------------------- */

static uint64_t argument(const struct run *run, const struct warp *w, const struct code *op, unsigned i,
                         unsigned lane)
{
	const struct call *call = &run->kernel->calls[op->more];
	if (i >= call->arg_count)
		return 0;
	return lane_get(place(w, call->values[i].place), call->values[i].bytes, lane);
}

/* Write the results that give_lane() has collected, if the call has a result. */
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

/* ---- printf, assert, malloc ---------------------------------------------------------------------------- */

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

/* ---- launches by kernels ------------------------------------------------------------------------------- */

/*
 * The executor only reads what is launched and passes it to the options'
 * launch_child(), which arranges that it runs after the parent.
 */

/* The kernel of the running module at an address; PTX_NONE: none. */
static uint32_t find_kernel(const struct run *run, uint64_t address)
{
	const struct loaded_module *module = run->kernel->module;
	uint32_t index = function_index(module, address);
	return index != PTX_NONE && module->ptx->functions[index].is_entry ? index : PTX_NONE;
}

static struct trace_dim dim_argument(const struct run *run, const struct warp *w, const struct code *op,
                                     unsigned first, unsigned lane)
{
	return (struct trace_dim){.x = (uint32_t)argument(run, w, op, first, lane),
	                          .y = (uint32_t)argument(run, w, op, first + 1, lane),
	                          .z = (uint32_t)argument(run, w, op, first + 2, lane)};
}

/* (function, parameters, grid, block, shared bytes, stream) */
static bool launch_lane(struct run *run, const struct warp *w, const struct code *op, unsigned lane)
{
	const struct exec_options *options = &run->exec->options;
	struct exec_child child = {.module = run->kernel->module,
	                           .entry = find_kernel(run, argument(run, w, op, 0, lane)),
	                           .grid = dim_argument(run, w, op, 2, lane),
	                           .block = dim_argument(run, w, op, 5, lane),
	                           .dynamic_shared_bytes = (uint32_t)argument(run, w, op, 8, lane),
	                           .stream = argument(run, w, op, 9, lane)};
	if (!options->launch_child)
		return fault_at(run, w, op, UINT64_C(1) << lane, EXEC_UNSUPPORTED,
		                "launches by kernels are not supported here");
	if (child.entry == PTX_NONE)
		return fault_at(run, w, op, UINT64_C(1) << lane, EXEC_ILLEGAL_INSTRUCTION,
		                "a launch of 0x%llx, which is no kernel of this file",
		                (unsigned long long)argument(run, w, op, 0, lane));
	uint64_t bytes = child.module->ptx->functions[child.entry].param_bytes;
	uint64_t parameters = argument(run, w, op, 1, lane);
	child.parameters = bytes ? access_guest(run, w, lane, parameters, bytes) : NULL;
	if (bytes && !child.parameters)
		return fault_at(run, w, op, UINT64_C(1) << lane, EXEC_ILLEGAL_ADDRESS,
		                "%llu bytes of parameters at 0x%llx, where nothing is",
		                (unsigned long long)bytes, (unsigned long long)parameters);
	uint32_t error = options->launch_child(options->user, &child);
	if (error)
		run->exec->child_error = error;
	give_lane(run, op, lane, error);
	return true;
}

static bool handle_device_launch(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	for (uint64_t left = mask; left; left &= left - 1)
		if (!launch_lane(run, w, op, bits_lowest(left)))
			return false;
	give(run, w, op, mask);
	return true;
}

static bool handle_device_error(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	for (uint64_t left = mask; left; left &= left - 1) {
		unsigned lane = bits_lowest(left);
		give_lane(run, op, lane, run->exec->child_error);
		if (argument(run, w, op, 0, lane))
			run->exec->child_error = 0;
	}
	give(run, w, op, mask);
	return true;
}

/* ---- builtins by name ---------------------------------------------------------------------------------- */

struct builtin {
	const char *name;
	code_handler *handler;
};

code_handler *builtin_find(const char *name)
{
	static const struct builtin builtins[] = {
	    {"vprintf", handle_vprintf},
	    {"__assertfail", handle_assertfail},
	    {"malloc", handle_malloc},
	    {"free", handle_free},
	    {"_Znwm", handle_malloc},
	    {"_Znam", handle_malloc},
	    {"_ZdlPv", handle_free},
	    {"_ZdaPv", handle_free},
	    {"_ZdlPvm", handle_free},
	    {"_ZdaPvm", handle_free},
	    {"__sluice_device_launch", handle_device_launch},
	    {"__sluice_device_error", handle_device_error},
	};
	for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
		if (!strcmp(name, builtins[i].name))
			return builtins[i].handler;
	return NULL;
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
