/*
 * Rounds of loops that wait. What a warp records during a round is held until it is known whether the round ended the
 * wait: then it is kept, with its polls marked (trace/poll.h); else it is as if it had not been.
 */
#ifndef SLUICE_CUDA_RECORDER_ROUND_H
#define SLUICE_CUDA_RECORDER_ROUND_H

#include <stddef.h>

#include "cuda/recorder/recorder.h"

struct recorder_round;

struct recorder_round *recorder_round_new(void);
void recorder_round_free(struct recorder_round *round);
/* How much it holds; and back to so much. */
size_t recorder_round_length(const struct recorder_round *round);
void recorder_round_cut(struct recorder_round *round, size_t length);

/* From here on, what the CTA's warps record goes into the round; NULL: to the trace. */
void recorder_hold(struct recorder_cta *cta, struct recorder_round *round);
/*
 * Record what the round holds, and empty it. needed[k] is the number of writes that its k-th poll waited for, of the
 * instructions that the launch names as polls; 0, or NULL for all: it is an ordinary access. The CTA records to the trace
 * afterwards.
 */
void recorder_keep(struct recorder_cta *cta, uint32_t warp, struct recorder_round *round,
                   const uint32_t *needed);
/* The words that polls of the launch wait for: ascending, each once. Once per launch, before its end. */
void recorder_watch(struct recorder *recorder, const uint64_t *addresses, uint32_t count);

#endif
