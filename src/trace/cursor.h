/*
 * cursor_next() in parts, for the timing model, which has looked up the kernel's instructions already.
 *
 * If no run is open, cursor_open_run() comes first. cursor_take() then returns the index of the next instruction, which
 * the lanes of cursor->mask execute. If it accesses memory and the mask is not 0, cursor_read_record() must follow.
 */
#ifndef SLUICE_TRACE_CURSOR_H
#define SLUICE_TRACE_CURSOR_H

#include "trace/trace.h"

static inline bool cursor_in_run(const struct warp_cursor *cursor)
{
	return cursor->insn != cursor->run_end;
}
/* Open the next run. Return CURSOR_STEP, or CURSOR_END if the warp has executed everything. */
enum cursor_result cursor_open_run(struct trace_reader *reader, const struct trace_kernel *kernel,
                                   struct warp_cursor *cursor, struct error *err);
/* A run must be open. */
static inline uint32_t cursor_take(struct warp_cursor *cursor)
{
	return cursor->insn++;
}
/* Fill in the addresses of `step`, whose insn is that of cursor_take(), with its slot. */
enum cursor_result cursor_read_record(const struct trace_reader *reader, struct warp_cursor *cursor,
                                      struct warp_step *step, uint32_t slot, struct error *err);

#endif
