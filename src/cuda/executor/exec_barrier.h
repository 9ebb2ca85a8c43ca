/* Barriers of a CTA and of a warp. */
#ifndef SLUICE_CUDA_EXEC_BARRIER_H
#define SLUICE_CUDA_EXEC_BARRIER_H

#include "cuda/executor/exec_state.h"

/* Lanes of the CTA have exited: barriers that waited for them alone are complete. */
void barrier_lanes_left(struct run *run, struct cta *cta);
/* The live lanes that a *.sync instruction names. A mask has 32 bits; it holds for each half of 64 lanes. */
uint64_t sync_members(const struct run *run, const struct warp *w, const struct code *op, uint64_t mask);
/* Paths that wait for lanes of their warp which cannot come look again; false: there is none. */
bool sync_release(struct warp *w);

#endif
