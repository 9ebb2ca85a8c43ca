/*
 * Device memory: one window of the host's address space, at the same address
 * in every run, so that a device address is a host address and traces do not
 * depend on the host's allocator.
 *
 * Allocations are exact to the byte: a kernel that accesses memory between them
 * faults.
 */
#ifndef SLUICE_CUDA_MEMORY_MEMORY_H
#define SLUICE_CUDA_MEMORY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Generic addresses of the spaces that every CTA and thread has of its own; each window is 2^32 bytes. */
#define SHARED_WINDOW UINT64_C(0x0f0000000000)
#define LOCAL_WINDOW UINT64_C(0x0f1000000000)
#define WINDOW_BYTES (UINT64_C(1) << 32)
/* Host memory that kernels touch, as recordings show it. */
#define ADOPTED_WINDOW UINT64_C(0x2f0000000000)
/* Device memory itself. Under ThreadSanitizer, whose own memory lies here, the build gives another place. */
#ifndef DEVICE_WINDOW
#define DEVICE_WINDOW UINT64_C(0x300000000000)
#endif

struct device_memory;

struct memory_range {
	uint64_t first, end; /* [first, end) */
};

/* `total_bytes`: what the GPU has; host pages are taken when they are touched. */
struct device_memory *device_memory_new(uint64_t total_bytes, struct error *err);
void device_memory_free_all(struct device_memory *memory);

/*
 * Zeroed. Laid out as measured on an H200: aligned to 512 bytes, not across a
 * 2 MiB boundary; from 2 MiB on in whole 2 MiB pages of its own. 0: out of
 * memory. bytes 0 is 1.
 */
uint64_t device_memory_allocate(struct device_memory *memory, uint64_t bytes);
bool device_memory_release(struct device_memory *memory,
                           uint64_t address); /* false: no allocation starts here */
/* The allocation that `address` lies in. */
bool device_memory_find(const struct device_memory *memory, uint64_t address, struct memory_range *range);
/* Whether these bytes may be read: within the 2 MiB pages of an allocation, or in the page before or behind. */
bool device_memory_is_near(const struct device_memory *memory, uint64_t address, uint64_t bytes);
/* Counts releases: a cached range is good while this stays the same. */
uint64_t device_memory_generation(const struct device_memory *memory);
void device_memory_usage(const struct device_memory *memory, uint64_t *used, uint64_t *total);

/*
 * Host memory outside the window that kernels may touch as well (page-locked
 * by cudaHostRegister): found, not owned. False: it is empty or overlaps what
 * is known already.
 */
bool device_memory_adopt(struct device_memory *memory, uint64_t first, uint64_t bytes);
bool device_memory_forget(struct device_memory *memory, uint64_t first); /* false: nothing was adopted here */

bool device_memory_has_adopted(const struct device_memory *memory);
/* An address as recordings show it: the same in every run for the same calls; see access.c. */
uint64_t device_memory_traced(const struct device_memory *memory, uint64_t address);

/* A number that the owner of an allocation keeps with it, 0 at first. */
bool device_memory_set_tag(struct device_memory *memory, uint64_t address, uint32_t tag);
uint32_t device_memory_tag(const struct device_memory *memory,
                           uint64_t address); /* anywhere in the allocation */
/* Releases every allocation whose tag is not 0, and forgets adopted memory. */
void device_memory_release_tagged(struct device_memory *memory);

static inline void *device_host(uint64_t address)
{
	return (void *)(uintptr_t)address;
}

#endif
