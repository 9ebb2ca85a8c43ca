/* The heap of device malloc: one allocation of device memory, taken when it is first used. */
#ifndef SLUICE_CUDA_EXEC_HEAP_H
#define SLUICE_CUDA_EXEC_HEAP_H

#include "cuda/memory/memory.h"

struct heap;
struct heap *heap_new(struct device_memory *memory, uint64_t bytes);
void heap_free(struct heap *heap);
/* Aligned to 16 bytes; 0: the heap is full. The same calls give the same addresses. */
uint64_t heap_allocate(struct heap *heap, uint64_t bytes);
bool heap_release(struct heap *heap, uint64_t address); /* false: no block starts here */

#endif
