/* Addresses that are not those of device memory: of functions, and of shared memory in a cluster. */
#ifndef SLUICE_CUDA_EXEC_WINDOWS_H
#define SLUICE_CUDA_EXEC_WINDOWS_H

#include <stdint.h>

/* Shared memory of the cluster's CTAs: own offsets stay as they are, those of rank r have r + 1 above these bits. */
enum { CLUSTER_SHIFT = 24 };

/* Function addresses as numbers: 16 bytes apart, a stretch per module. */
#define FUNCTION_WINDOW UINT64_C(0x0e0000000000)
#define FUNCTION_MODULE_SHIFT 28

#endif
