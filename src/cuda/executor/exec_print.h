/* Device printf: formats are read by us and never reach the host's printf unchecked. */
#ifndef SLUICE_CUDA_EXEC_PRINT_H
#define SLUICE_CUDA_EXEC_PRINT_H

#include "cuda/executor/exec_state.h"

/* Prints what one lane's vprintf(format, args) says; returns the number of conversions, -1: no such format. */
int print_lane(struct run *run, const struct warp *w, unsigned lane, uint64_t format, uint64_t args);
/* A string of the guest, cut to `size`; "(null)" and the like if there is none. */
void print_guest_string(struct run *run, const struct warp *w, unsigned lane, uint64_t address, char *buf,
                        size_t size);

#endif
