/* Between the registers of a warp and the rows that products take (cuda/tensor/tensor.h). Private to src/cuda/executor. */
#ifndef SLUICE_CUDA_EXECUTOR_MATRIX_H
#define SLUICE_CUDA_EXECUTOR_MATRIX_H

#include "cuda/executor/run.h"

/* A, or B: `count` registers, each a tile of 8 rows of 16 bytes. */
void matrix_gather_tiles(const struct warp *w, const uint32_t *places, const struct ptx_tile *tile,
                         unsigned count, uint8_t (*rows)[TENSOR_ROW_BYTES]);
/* C and D of m x n: `count` registers, tile after tile, down before across; into and out of data->c and ->d. */
void matrix_gather_sums(const struct warp *w, const uint32_t *places, unsigned count,
                        const struct tensor_op *op, uint8_t *c);
void matrix_scatter_sums(struct run *run, struct warp *w, const uint32_t *places, unsigned count,
                         const struct tensor_op *op, uint8_t *d, uint64_t mask);

#endif
