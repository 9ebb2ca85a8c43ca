/*
 * The coalescer: lane addresses in, line requests and bank passes out.
 *
 * Fermi and Kepler ask for whole lines, later machines for 32 B sectors of
 * 128 B lines; the machine's line and sector sizes say which. Regular accesses
 * (base + i * stride) repeat the same shape over and over: their result
 * depends on the base only through its offset in a line, so it is remembered.
 */
#ifndef SLUICE_SM_COALESCER_H
#define SLUICE_SM_COALESCER_H

#include "machine/machine.h"
#include "trace/trace.h"

enum {
	CHUNK_BYTES = 32, /* granularity of partial writes: a sector of every sectored machine */
	LINE_CHUNKS = 4,
	COALESCE_MAX = 2 * TRACE_MAX_LANES, /* a lane may straddle two lines */
};

struct line_request {
	uint64_t line;               /* line number */
	uint32_t bytes[LINE_CHUNKS]; /* bytes touched in each 32 B chunk */
	uint8_t sectors;             /* sectors touched */
	uint8_t full;                /* sectors of which every byte is touched */
	uint8_t lanes;               /* atomics: most lanes on one word, summed over chunks */
	uint8_t passes;              /* atomics: most lanes on one word of the line */
	uint8_t index;               /* which line of its instruction, from 0 */
};

struct coalesced {
	uint32_t count;      /* line requests */
	uint32_t sectors;    /* distinct sectors, summed over requests */
	uint32_t wavefronts; /* bank wavefronts of an L1 hit */
	uint32_t passes; /* atomics: cycles in which lines and sectors of all passes leave, one at a time */
};

struct coalescer;
struct coalescer *coalescer_new(const struct machine *machine);
void coalescer_free(struct coalescer *coalescer);

/* What of a static instruction its requests depend on. */
uint8_t coalesce_shape(const struct trace_insn *insn);
/* Fills request[0 .. count), at most COALESCE_MAX. `shape`: of the instruction. */
struct coalesced coalesce_global(struct coalescer *coalescer, uint8_t shape, const struct warp_step *step,
                                 struct line_request *request);
/* Passes through the shared-memory banks. */
uint32_t coalesce_shared(struct coalescer *coalescer, uint8_t shape, const struct warp_step *step);
/* The lanes' addresses of the last such access, if they were an ADDR_LIST: they need not be decoded again. */
const uint64_t *coalesce_shared_lanes(const struct coalescer *coalescer);

#endif
