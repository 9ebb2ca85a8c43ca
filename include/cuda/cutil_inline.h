/* The later names of cutil.h's checks. */
#ifndef _CUTIL_INLINE_H_
#define _CUTIL_INLINE_H_

#include "cutil.h"

#define cutilSafeCall(call) CUDA_SAFE_CALL(call)
#define cutilSafeCallNoSync(call) CUDA_SAFE_CALL(call)
#define cutilCheckError(call) CUT_SAFE_CALL(call)
#define cutilCheckMsg(text) CUT_CHECK_ERROR(text)
#define cutilDrvSafeCall(call) CU_SAFE_CALL(call)
#define cutilDrvSafeCallNoSync(call) CU_SAFE_CALL(call)
#define cutilSafeThreadSync() CUDA_SAFE_CALL(cudaDeviceSynchronize())
#define cutilSafeMalloc(call) CUT_SAFE_MALLOC(call)
#define cutilCondition(value) CUT_CONDITION(value)
#define cutilExit(argc, argv) CUT_EXIT(argc, argv)
#define cutilDeviceInit(argc, argv) CUT_DEVICE_INIT(argc, argv)
#define cutilChooseCudaDevice(argc, argv) CUT_DEVICE_INIT(argc, argv)

static __inline__ __attribute__((unused)) int cutGetMaxGflopsDeviceId(void)
{
	return 0;
}

#endif
