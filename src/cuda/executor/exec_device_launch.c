/*
 * Launches by kernels. The executor only reads what is launched and hands it
 * over; whoever runs the parent runs the children when the parent has ended.
 */
#include "cuda/executor/exec_access.h"
#include "cuda/executor/exec_handlers.h"
#include "cuda/executor/exec_mask.h"

static uint64_t argument(const struct run *run, const struct warp *w, const struct code *op, unsigned i,
                         unsigned lane)
{
	const struct call *call = &run->kernel->calls[op->more];
	return i < call->arg_count ? lane_get(place(w, call->values[i].place), call->values[i].bytes, lane)
	                           : 0;
}

static void give(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct call *call = &run->kernel->calls[op->more];
	if (call->result_count)
		lanes_write(run, w, call->values[call->arg_count].place, run->scratch[0], 4, mask);
}

/* The function behind an address; PTX_NONE: not a kernel of the module that is running. */
static uint32_t find_kernel(const struct run *run, uint64_t address)
{
	const struct loaded_module *module = run->kernel->module;
	uint64_t first = FUNCTION_WINDOW + ((uint64_t)module->id << FUNCTION_MODULE_SHIFT);
	uint64_t index = (address - first) / 16;
	bool is_kernel = address >= first && address % 16 == 0 && index < module->ptx->function_count &&
	                 module->ptx->functions[index].is_entry;
	return is_kernel ? (uint32_t)index : PTX_NONE;
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
		                "nobody runs what kernels launch");
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
	lane_set(run->scratch[0], 4, lane, error);
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
		lane_set(run->scratch[0], 4, lane, run->exec->child_error);
		if (argument(run, w, op, 0, lane))
			run->exec->child_error = 0;
	}
	give(run, w, op, mask);
	return true;
}

code_handler *device_launch_find(const char *name)
{
	if (!strcmp(name, "__sluice_device_launch"))
		return handle_device_launch;
	return strcmp(name, "__sluice_device_error") ? NULL : handle_device_error;
}
