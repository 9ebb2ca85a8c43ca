/*
 * Reads a little outside an allocation, which a GPU mostly lets pass: only whole
 * pages of 2 MiB are protected. With the switch, a load from the pages of an
 * allocation or next to them gives what is there, and each instruction that
 * does so is told once. Stores and atomics fault as ever.
 */
#include "base/memory.h"
#include "cuda/executor/exec_access.h"
#include "cuda/executor/exec_mask.h"

static bool is_known(const struct exec *exec, const struct access *a)
{
	for (uint32_t i = 0; i < exec->lenient_count; i++)
		if (exec->lenient_sites[i] == a)
			return true;
	return false;
}

/* The report of the fault that this would have been. */
static void warn(struct run *run, const struct warp *w, const struct code *op, const struct access *a,
                 const uint64_t *address, uint64_t mask)
{
	struct exec *exec = run->exec;
	struct error text = {0}, *report = run->report;
	if (is_known(exec, a) || !exec->options.warn)
		return;
	exec->lenient_sites =
	    memory_grow(exec->lenient_sites, exec->lenient_count + 1, sizeof *exec->lenient_sites);
	exec->lenient_sites[exec->lenient_count++] = a;
	run->report = &text;
	fault_access(run, w, op, a, address, mask, PTX_SPACE_global, EXEC_ILLEGAL_ADDRESS);
	run->report = report;
	run->status = EXEC_DONE;
	exec->options.warn(exec->options.user, text.text);
}

bool access_lenient(struct run *run, const struct warp *w, const struct code *op, const struct access *a,
                    const uint64_t *address, uint64_t lane_mask)
{
	uint64_t at = address[bits_lowest(lane_mask)];
	if (!run->exec->options.lenient_memory || a->is_store || a->is_atomic ||
	    !device_memory_is_near(run->memory, at, a->bytes))
		return false;
	warn(run, w, op, a, address, lane_mask);
	return true;
}
