/*
 * Addresses in recordings. Device memory is at the same place in every run;
 * host memory that kernels may touch is where the host's loader and allocator
 * put it, which differs from run to run. Recordings show it in a window of its
 * own instead, in the order in which it was adopted.
 */
#include "cuda/executor/exec_access.h"
#include "cuda/executor/exec_mask.h"

const uint64_t *access_traced(struct run *run, const uint64_t *address, uint64_t mask)
{
	if (!device_memory_has_adopted(run->memory))
		return address;
	for (; mask; mask &= mask - 1) {
		unsigned lane = bits_lowest(mask);
		run->traced[lane] = device_memory_traced(run->memory, address[lane]);
	}
	return run->traced;
}
