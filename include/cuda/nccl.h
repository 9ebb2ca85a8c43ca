/*
 * NCCL, as far as libnccl of sluice has it: a communicator of one rank, whose collectives are copies. More ranks are
 * refused: there is one device.
 */
#ifndef NCCL_H_
#define NCCL_H_

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#define NCCL_MAJOR 2
#define NCCL_MINOR 18
#define NCCL_PATCH 1
#define NCCL_SUFFIX ""
#define NCCL_VERSION_CODE 21801
#define NCCL_VERSION(X, Y, Z) ((X)*10000 + (Y)*100 + (Z))
#define NCCL_UNIQUE_ID_BYTES 128

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct ncclComm *ncclComm_t;
typedef struct {
	char internal[NCCL_UNIQUE_ID_BYTES];
} ncclUniqueId;

typedef enum {
	ncclSuccess = 0,
	ncclUnhandledCudaError = 1,
	ncclSystemError = 2,
	ncclInternalError = 3,
	ncclInvalidArgument = 4,
	ncclInvalidUsage = 5,
	ncclRemoteError = 6,
	ncclInProgress = 7,
	ncclNumResults = 8
} ncclResult_t;

typedef enum { ncclSum = 0, ncclProd = 1, ncclMax = 2, ncclMin = 3, ncclAvg = 4, ncclNumOps = 5 } ncclRedOp_t;

typedef enum {
	ncclInt8 = 0,
	ncclChar = 0,
	ncclUint8 = 1,
	ncclInt32 = 2,
	ncclInt = 2,
	ncclUint32 = 3,
	ncclInt64 = 4,
	ncclUint64 = 5,
	ncclFloat16 = 6,
	ncclHalf = 6,
	ncclFloat32 = 7,
	ncclFloat = 7,
	ncclFloat64 = 8,
	ncclDouble = 8,
	ncclBfloat16 = 9,
	ncclNumTypes = 10
} ncclDataType_t;

#define SLUICE_NCCL __attribute__((visibility("default"))) ncclResult_t

SLUICE_NCCL ncclGetVersion(int *version);
SLUICE_NCCL ncclGetUniqueId(ncclUniqueId *id);
__attribute__((visibility("default"))) const char *ncclGetErrorString(ncclResult_t result);
__attribute__((visibility("default"))) const char *ncclGetLastError(ncclComm_t comm);
SLUICE_NCCL ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank);
SLUICE_NCCL ncclCommInitAll(ncclComm_t *comms, int devices, const int *list);
SLUICE_NCCL ncclCommFinalize(ncclComm_t comm);
SLUICE_NCCL ncclCommDestroy(ncclComm_t comm);
SLUICE_NCCL ncclCommAbort(ncclComm_t comm);
SLUICE_NCCL ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *result);
SLUICE_NCCL ncclCommCount(ncclComm_t comm, int *count);
SLUICE_NCCL ncclCommCuDevice(ncclComm_t comm, int *device);
SLUICE_NCCL ncclCommUserRank(ncclComm_t comm, int *rank);
SLUICE_NCCL ncclGroupStart(void);
SLUICE_NCCL ncclGroupEnd(void);

SLUICE_NCCL ncclAllReduce(const void *from, void *to, size_t count, ncclDataType_t type, ncclRedOp_t op,
                          ncclComm_t comm, cudaStream_t stream);
SLUICE_NCCL ncclReduce(const void *from, void *to, size_t count, ncclDataType_t type, ncclRedOp_t op,
                       int root, ncclComm_t comm, cudaStream_t stream);
SLUICE_NCCL ncclBroadcast(const void *from, void *to, size_t count, ncclDataType_t type, int root,
                          ncclComm_t comm, cudaStream_t stream);
SLUICE_NCCL ncclBcast(void *buffer, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                      cudaStream_t stream);
SLUICE_NCCL ncclAllGather(const void *from, void *to, size_t count, ncclDataType_t type, ncclComm_t comm,
                          cudaStream_t stream);
SLUICE_NCCL ncclReduceScatter(const void *from, void *to, size_t count, ncclDataType_t type, ncclRedOp_t op,
                              ncclComm_t comm, cudaStream_t stream);

#if defined(__cplusplus)
}
#endif

#endif
