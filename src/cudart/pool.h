/* Memory pools, as far as the rest of the runtime knows them. */
#ifndef SLUICE_CUDART_POOL_H
#define SLUICE_CUDART_POOL_H

#include "cudart/state.h"

/* Frees what was allocated from a pool; false: nothing of a pool begins there. */
bool pool_release(struct runtime *rt, uint64_t address);
void pools_clear(struct runtime *rt);
/* managed.c: the allocation is gone. */
void managed_hints_forget(struct runtime *rt, uint64_t address);
void managed_hints_clear(struct runtime *rt);
/* memory.c: whether the device has so much left; page-locked host memory does not count. */
bool memory_has(const struct runtime *rt, uint64_t bytes);
/* memory.c: enum allocation of what lies there, managed variables included. */
uint32_t memory_kind(const struct runtime *rt, uint64_t address);
/* memory.c: cudaFree() of any kind of device memory. */
cudaError_t memory_release(struct runtime *rt, const void *pointer);

#endif
