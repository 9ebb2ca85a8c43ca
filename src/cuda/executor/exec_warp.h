/* Running one warp. */
#ifndef SLUICE_CUDA_EXEC_WARP_H
#define SLUICE_CUDA_EXEC_WARP_H

#include "cuda/executor/exec_state.h"

enum warp_stop { WARP_ENDED, WARP_WAITS, WARP_SLICE_OVER, WARP_FAULT };

/* Runs until the warp ends, waits, or has issued `budget` instructions more. */
enum warp_stop warp_run(struct run *run, struct warp *w, uint64_t budget);

#endif
