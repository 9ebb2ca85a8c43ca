/*
 * Functions of the runtime API that are not supported. Each
 * exists, so that programs that mention it link; called, it names itself once
 * and fails. Arguments are not looked at.
 */
#include "cudart/state.h"

/* clang-format off */
#define UNSUPPORTED(X)                                                                                               \
	/* between processes and devices */                                                                          \
	X(cudaMemPoolExportToShareableHandle) X(cudaMemPoolImportFromShareableHandle) X(cudaMemPoolExportPointer)    \
	X(cudaMemPoolImportPointer)                                       \
	X(cudaLaunchCooperativeKernelMultiDevice) X(cudaDeviceGetNvSciSyncAttributes)                                \
	X(cudaImportExternalMemory) X(cudaExternalMemoryGetMappedBuffer)                                             \
	X(cudaExternalMemoryGetMappedMipmappedArray) X(cudaDestroyExternalMemory) X(cudaImportExternalSemaphore)     \
	X(cudaSignalExternalSemaphoresAsync) X(cudaWaitExternalSemaphoresAsync) X(cudaDestroyExternalSemaphore)      \
	/* mip levels, surfaces, other copies */                                                                     \
	X(cudaMallocMipmappedArray) X(cudaGetMipmappedArrayLevel) X(cudaFreeMipmappedArray)                          \
	X(cudaBindTextureToMipmappedArray) X(cudaBindSurfaceToArray) X(cudaGetSurfaceReference)                      \
	X(cudaGetTextureObjectResourceViewDesc) X(cudaMemcpyArrayToArray)                                            \
	/* graphics */                                                                                               \
	X(cudaGraphicsUnregisterResource) X(cudaGraphicsResourceSetMapFlags) X(cudaGraphicsMapResources)             \
	X(cudaGraphicsUnmapResources) X(cudaGraphicsResourceGetMappedPointer)                                        \
	X(cudaGraphicsSubResourceGetMappedArray) X(cudaGraphicsResourceGetMappedMipmappedArray)                      \
	X(cudaGraphicsGLRegisterImage) X(cudaGraphicsGLRegisterBuffer) X(cudaGLGetDevices) X(cudaGLSetGLDevice)      \
	X(cudaGLRegisterBufferObject) X(cudaGLMapBufferObject) X(cudaGLUnmapBufferObject)                            \
	X(cudaGLUnregisterBufferObject) X(cudaGLSetBufferObjectMapFlags) X(cudaGLMapBufferObjectAsync)               \
	X(cudaGLUnmapBufferObjectAsync)                                                                              \
	/* tools */                                                                                                  \
	X(cudaGetExportTable) X(cudaProfilerInitialize)
/* clang-format on */

enum {
#define X(name) UNSUPPORTED_##name,
	UNSUPPORTED(X)
#undef X
	    UNSUPPORTED_COUNT
};
_Static_assert((int)UNSUPPORTED_COUNT <= (int)UNSUPPORTED_MAX, "the runtime keeps a flag for each");

static cudaError_t refuse(const char *name, unsigned which)
{
	struct runtime *rt = runtime_lock();
	if (!rt->was_refused[which])
		runtime_say("%s is not supported", name);
	rt->was_refused[which] = true;
	return runtime_leave(rt, cudaErrorNotSupported);
}

#define X(name)                                                                                              \
	SLUICE_API cudaError_t name(void);                                                                   \
	cudaError_t name(void)                                                                               \
	{                                                                                                    \
		return refuse(#name, UNSUPPORTED_##name);                                                    \
	}
UNSUPPORTED(X)
#undef X
