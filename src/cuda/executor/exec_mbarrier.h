/* mbarriers, see exec_mbarrier.c. */
#ifndef SLUICE_CUDA_EXEC_MBARRIER_H
#define SLUICE_CUDA_EXEC_MBARRIER_H

#include "cuda/executor/exec_state.h"

/* Whether the wait need not wait: the phases of all lanes are over, or it has been told to give up. */
bool mbarrier_is_over(struct run *run, struct warp *w, const struct code *op, uint64_t mask);
/* A copy of so many bytes has come to its end; false: a fault. */
bool mbarrier_complete_bytes(struct run *run, struct warp *w, const struct code *op, uint64_t mask,
                             uint64_t host, int64_t bytes);
/* Paths of the cluster that wait for phases look again. */
void mbarrier_wake_cluster(struct run *run, struct cta *cta);
/* When no warp of the CTA can run: lets one go on that waits for a phase. False: it does not. */
bool mbarrier_release(const struct run *run, struct warp *w);

#endif
