/* CTAs of a launch: slots that hold them, and turns of their warps. */
#ifndef SLUICE_CUDA_EXEC_CTA_H
#define SLUICE_CUDA_EXEC_CTA_H

#include "cuda/executor/exec_state.h"

/* A slot for CTAs of this launch; opened and closed once per CTA. False: no room for the threads' stacks. */
bool cta_slot_init(struct run *run, struct cta *cta);
void cta_slot_free(struct run *run, struct cta *cta);
void cta_open(struct run *run, struct cta *cta, uint64_t linear);
void cta_close(struct run *run, struct cta *cta);

/* Runs all CTAs of the launch; false: run->status. */
bool cta_run_all(struct run *run);

#endif
