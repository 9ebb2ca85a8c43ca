/*
 * cursor_next() in parts, for who knows the instructions of the kernel already: the timing model, which would look them
 * up twice otherwise.
 *
 * Where no run is open, cursor_open_run() comes first. cursor_take() then gives the index of the next instruction, which
 * the lanes of cursor->mask execute. If it accesses memory and the mask is not 0, cursor_read_record() must follow.
 */
#ifndef SLUICE_TRACE_CURSOR_H
#define SLUICE_TRACE_CURSOR_H

#include "trace/trace.h"

static inline bool cursor_in_run(const struct warp_cursor *cursor)
{
	return cursor->insn != cursor->run_end;
}
/* CURSOR_STEP: a run is open. CURSOR_END: there is none, the warp has executed everything. */
enum cursor_result cursor_open_run(struct trace_reader *reader, const struct trace_kernel *kernel,
                                   struct warp_cursor *cursor, struct error *err);
/* A run must be open. */
static inline uint32_t cursor_take(struct warp_cursor *cursor)
{
	return cursor->insn++;
}
/* Fills in the addresses of `step`, whose insn is what cursor_take() gave; `slot` is that instruction's. */
enum cursor_result cursor_read_record(const struct trace_reader *reader, struct warp_cursor *cursor,
                                      struct warp_step *step, uint32_t slot, struct error *err);

#endif
