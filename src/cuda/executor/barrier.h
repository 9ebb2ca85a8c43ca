/*
 * Synchronization: barriers of a CTA, of a warp and of a cluster, and mbarriers.
 *
 * While a launch is recorded, each mbarrier has a book: what had happened at it
 * when its last phase ended. A wait for that phase waited for this
 * (trace/mbarrier.h).
 */
#ifndef SLUICE_CUDA_EXECUTOR_BARRIER_H
#define SLUICE_CUDA_EXECUTOR_BARRIER_H

#include "cuda/executor/run.h"
#include "trace/mbarrier.h"

/* Lanes of the CTA have exited: complete the barriers that waited only for them. */
void barrier_lanes_left(struct run *run, struct cta *cta);
/* The live lanes that a *.sync instruction names. A mask has 32 bits; it holds for each half of 64 lanes. */
uint64_t sync_members(const struct run *run, const struct warp *w, const struct code *op, uint64_t mask);
/* Wake paths that wait for lanes of their warp which cannot come; false: there is none. */
bool sync_release(struct warp *w);

/* Whether the wait is over: the phases of all lanes have ended, or the path gives up (struct path). */
bool mbarrier_is_over(struct run *run, struct warp *w, const struct code *op, uint64_t mask);
/* Count `bytes` that a copy has brought to the mbarrier at `host`; false: a fault. */
bool mbarrier_complete_bytes(struct run *run, struct warp *w, const struct code *op, uint64_t mask,
                             uint64_t host, int64_t bytes);
/* When no warp of the CTA can run: let a path of this warp go on that waits for a phase. False: none does. */
bool mbarrier_release(const struct run *run, struct warp *w);

/* The CTA's own address of an object, from a lane's: in the window of generic addresses or not. */
static inline uint64_t phases_own_address(uint64_t address)
{
	return address - SHARED_WINDOW < WINDOW_BYTES ? address - SHARED_WINDOW : address;
}

/* Note that pieces of a bulk copy report to the mbarrier at `address`; return its mark in the recording. */
uint64_t phases_note_pieces(const struct run *run, struct warp *w, uint64_t address, uint64_t pieces);
/* Clear the books of a slot for the CTA that opens in it; free those of a slot. */
void phases_open_cta(const struct run *run, struct cta *cta);
void phases_free(struct cta *cta);

#endif
