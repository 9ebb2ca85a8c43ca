/* Calls of the recorder that a round holds. Private to src/cuda/recorder. */
#ifndef SLUICE_CUDA_RECORDER_HELD_H
#define SLUICE_CUDA_RECORDER_HELD_H

#include "cuda/recorder/round.h"

enum held_kind { HELD_SPAN, HELD_STEP, HELD_ACCESS };

/* `address` is by lane; NULL: none. `number` is the span's count, or the access's halves. */
void round_hold(struct recorder_round *round, enum held_kind kind, uint32_t insn, uint32_t number,
                uint64_t mask, enum ptx_space space, const uint64_t *address);

/* A call that was held. */
struct held {
	enum held_kind kind;
	uint32_t insn, number;
	uint64_t mask;
	enum ptx_space space;
	const uint64_t *address; /* by lane, valid until the next is read; NULL: none */
	uint64_t lanes[TRACE_MAX_LANES];
};
/* Read the call at `*at` and go to the next; false: there is none. */
bool round_next(const struct recorder_round *round, size_t *at, struct held *call);

#endif
