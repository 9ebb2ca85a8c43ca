#include "sm/warps_advance.h"

bool warps_open_run(struct warps *warps, struct warp *warp, cycle_t now)
{
	enum cursor_result result =
	    cursor_open_run(warps->reader, warps->launch->kernel, &warp->cursor, warps->error);
	if (result != CURSOR_STEP)
		warps_end(warps, warp->slot, result, now);
	warp->step.mask = warp->cursor.mask;
	return result == CURSOR_STEP;
}

bool warps_read_record(struct warps *warps, struct warp *warp, cycle_t now)
{
	warp->step.kind = ADDR_NONE;
	enum cursor_result result = warp->step.mask
	                                ? cursor_read_record(warps->reader, &warp->cursor, &warp->step,
	                                                     warp->insn->slot, warps->error)
	                                : CURSOR_STEP;
	if (__builtin_expect(result != CURSOR_STEP, 0))
		warps_end(warps, warp->slot, result, now);
	return result == CURSOR_STEP;
}
