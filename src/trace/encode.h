/*
 * The encoder of one warp's stream: collects a run of consecutive static
 * instructions under one mask, then emits header and address records at once,
 * because the header holds the length. Private to the writer.
 */
#ifndef SLUICE_TRACE_ENCODE_H
#define SLUICE_TRACE_ENCODE_H

#include "trace/format.h"
#include "trace/halves.h"

enum {
	/* Past this many bytes of address records a run is closed, so that runs fit well into a segment. */
	ENCODE_RUN_BYTES = 2048,
	ENCODE_RECORDS_BYTES = ENCODE_RUN_BYTES + RECORD_MAX_BYTES + 8, /* lists are written in words */
	ENCODE_RUN_MAX_BYTES = RUN_HEADER_MAX + ENCODE_RECORDS_BYTES,
	LIST_MEMORY_BITS = 4,
};

/*
 * A memory of encoded address lists. Warps access shared memory in few patterns, and
 * the encoding of a list does not depend on its base. A list is remembered when
 * it comes for the second time, which random lists do not. Where the pattern of
 * both halves of a warp is known (halves.h), no offsets are compared.
 */
struct list_memory {
	struct known_list {
		uint64_t key;          /* of the list that came last */
		uint32_t lanes, bytes; /* 0 lanes: it is not remembered */
		uint64_t offset[TRACE_MAX_LANES];
		uint8_t list[RECORD_MAX_BYTES];
	} known[1 << LIST_MEMORY_BITS]; /* by key, which is made of some of its offsets */
	struct known_halves {
		uint64_t gap; /* from the first lane to that of the second half */
		uint32_t halves, bytes;
		uint8_t list[RECORD_MAX_BYTES];
	} halves[1 << LIST_MEMORY_BITS];
};

struct warp_encoder {
	uint64_t mask, other_mask; /* of the last emitted run, and the one before */
	uint64_t run_mask;
	uint32_t next_insn; /* index that follows the last emitted run */
	uint32_t run_first, run_length;
	uint32_t record_bytes;
	uint64_t last_base;
	uint8_t *records;          /* of the open run; ENCODE_RECORDS_BYTES of the owner */
	struct list_memory *lists; /* of the owner, shared by its encoders */
	struct encoder_slot {
		uint64_t base;
		int64_t stride;
	} slots[CURSOR_SLOTS];
};

void encode_start_warp(struct warp_encoder *e, uint32_t warp_size);

/* Return whether the instruction can join the open run. */
static inline bool encode_joins_run(const struct warp_encoder *e, uint32_t insn, uint64_t mask)
{
	return insn == e->run_first + e->run_length && mask == e->run_mask &&
	       e->run_length - 1 < RUN_LENGTH_MAX - 1 && e->record_bytes < ENCODE_RUN_BYTES;
}

static inline void encode_begin_run(struct warp_encoder *e, uint32_t insn, uint64_t mask)
{
	e->run_first = insn;
	e->run_length = 1;
	e->run_mask = mask;
	e->record_bytes = 0;
}

/* Address records of the instruction that joined last, which has `slot`; `lanes` is the number of active lanes, at least 1. */
void encode_stride(struct warp_encoder *e, uint32_t slot, unsigned lanes, uint64_t base, int64_t stride);
void encode_addresses(struct warp_encoder *e, uint32_t slot, unsigned lanes, const uint64_t *address);
/* The same records for 32 lanes with a known pattern of halves. */
void encode_halves(struct warp_encoder *e, uint32_t slot, uint32_t halves, const uint64_t *address);

/*
 * End the open run, if any: write it to `out`, which has room for ENCODE_RUN_MAX_BYTES, and return its size. The records
 * may be there already, RUN_HEADER_MAX behind the start.
 */
size_t encode_end_run(struct warp_encoder *e, uint8_t *out);

#endif
