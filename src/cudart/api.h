/*
 * The types of the CUDA runtime API: those of the headers that programs are
 * compiled with (include/cuda), so that both sides see one definition.
 * Functions are in calls.h.
 */
#ifndef SLUICE_CUDART_API_H
#define SLUICE_CUDART_API_H

#include <stddef.h>
#include <stdint.h>

/* Everything that is exported is marked with it; the library is compiled with hidden visibility. */
#define SLUICE_API __attribute__((visibility("default")))

#include <cuda.h>
#include <driver_types.h>

#endif
