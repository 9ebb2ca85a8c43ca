/* CTAs of a launch: slots that hold them (cta.c), and the turns of CTAs and warps (turns.c). */
#ifndef SLUICE_CUDA_EXECUTOR_CTA_H
#define SLUICE_CUDA_EXECUTOR_CTA_H

#include "cuda/executor/run.h"

/* Prepare a slot for CTAs of this launch; each CTA is opened and closed once. False: no room for the threads' stacks. */
bool cta_slot_init(struct run *run, struct cta *cta);
void cta_slot_free(struct run *run, struct cta *cta);
void cta_open(struct run *run, struct cta *cta, uint64_t linear);
void cta_close(struct run *run, struct cta *cta);

/* Run all CTAs of the launch; false: run->status. */
bool cta_run_all(struct run *run);

#endif
