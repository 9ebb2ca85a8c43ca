/* What a kernel takes, and how many of its CTAs an SM of the machine holds. */
#ifndef SLUICE_CUDART_FUNCTION_H
#define SLUICE_CUDART_FUNCTION_H

#include "cudart/state.h"

struct function {
	struct symbol *symbol;
	uint32_t entry;
	const struct ptx_kernel *kernel;
	uint32_t registers;          /* per thread, by SLUICE_MAXRREGCOUNT at most */
	uint32_t max_threads;        /* per CTA: the device's, or less by launch bounds */
	uint32_t max_dynamic_shared; /* what a launch may ask for */
};

/* As many threads as the register file holds, in whole warps. */
uint32_t function_register_threads(const struct runtime *rt, uint32_t registers);
cudaError_t function_find(struct runtime *rt, const void *host, struct function *function);
/* CTAs of so many threads per SM; 0: not one fits. */
uint32_t function_occupancy(const struct runtime *rt, const struct function *function, uint64_t threads,
                            uint64_t dynamic_shared);

#endif
