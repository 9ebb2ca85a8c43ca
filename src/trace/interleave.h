/*
 * Writing a launch as it is executed: several CTAs are open, their warps take
 * turns, CTAs end in any order. The file is the same as for sequential CTAs. An open
 * CTA takes its compressed size plus a segment per warp in memory. Failures are
 * reported when a CTA is closed.
 */
#ifndef SLUICE_TRACE_INTERLEAVE_H
#define SLUICE_TRACE_INTERLEAVE_H

#include "trace/halves.h"
#include "trace/trace.h"

struct cta_stream;

/* Set the compression level from here on, -7 (fast) to 19. */
void trace_writer_set_level(struct trace_writer *writer, int level);
/* The file may not grow beyond `bytes`; writing fails then. 0: without bound. */
void trace_writer_set_limit(struct trace_writer *writer, uint64_t bytes);
/* Writing failed since the limit was reached. */
bool trace_writer_is_at_limit(const struct trace_writer *writer);
/* Warp instructions of the launches that are complete. */
uint64_t trace_writer_insns(const struct trace_writer *writer);

/* Open a CTA of the open launch, each at most once. Not to be mixed with trace_writer_begin_cta(). */
struct cta_stream *cta_stream_open(struct trace_writer *writer, uint64_t cta);
/* Record that the warp executed `count` instructions without addresses, from `first` on. */
void cta_stream_run(struct cta_stream *stream, uint32_t warp, uint32_t first, uint32_t count, uint64_t mask);
/* Record an access with popcount(mask) addresses, ascending lanes; mask is not 0. */
void cta_stream_access(struct cta_stream *stream, uint32_t warp, uint32_t insn, uint64_t mask,
                       const uint64_t *address);
/* The same for 32 active lanes with a known pattern: only the addresses of lanes 0 and 16 are read. */
void cta_stream_access_halves(struct cta_stream *stream, uint32_t warp, uint32_t insn, uint32_t halves,
                              const uint64_t *address);
/* Write the CTA, or keep it until those before it are written. The stream is freed. */
bool cta_stream_close(struct cta_stream *stream, struct error *err);

#endif
