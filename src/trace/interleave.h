/*
 * Writing a launch as it happens: several CTAs are open, their warps take
 * turns, CTAs end in any order. The file is the same as if they had come one
 * after the other. What a CTA holds in memory is its compressed size plus a
 * segment per warp.
 *
 * Nothing is returned before a CTA is closed: a failure stays with the writer
 * until then.
 */
#ifndef SLUICE_TRACE_INTERLEAVE_H
#define SLUICE_TRACE_INTERLEAVE_H

#include "trace/halves.h"
#include "trace/trace.h"

struct cta_stream;

/* Level of compression of what follows; -7 (fast) to 19. */
void trace_writer_set_level(struct trace_writer *writer, int level);

/* A CTA of the open launch, each at most once; not together with trace_writer_begin_cta(). */
struct cta_stream *cta_stream_open(struct trace_writer *writer, uint64_t cta);
/* The warp executed `count` instructions from `first` on, none of which has addresses. */
void cta_stream_run(struct cta_stream *stream, uint32_t warp, uint32_t first, uint32_t count, uint64_t mask);
/* One that has them: popcount(mask) addresses of the active lanes, ascending lanes; mask is not 0. */
void cta_stream_access(struct cta_stream *stream, uint32_t warp, uint32_t insn, uint64_t mask,
                       const uint64_t *address);
/* The same for all of 32 lanes if their halves are even: nothing else of `address` is looked at than lanes 0 and 16. */
void cta_stream_access_halves(struct cta_stream *stream, uint32_t warp, uint32_t insn, uint32_t halves,
                              const uint64_t *address);
/* Writes it, or keeps it until those before it are written; the stream is gone in both cases. */
bool cta_stream_close(struct cta_stream *stream, struct error *err);

#endif
