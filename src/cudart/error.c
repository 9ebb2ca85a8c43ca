/*
 * Errors: the last one of a thread, names and texts. Functions of the runtime API that are not supported exist, so that
 * programs that mention them link; when called, they print their name once and fail. Arguments are ignored.
 */
#include "cudart/calls.h"
#include "cudart/state.h"

struct error_text {
	cudaError_t code;
	const char *name, *text;
};

static const struct error_text errors[] = {
#define X(name, text) {name, #name, text},
#include "cudart/errors.def"
#undef X
};

static const struct error_text *find(cudaError_t code)
{
	for (unsigned i = 0; i < sizeof errors / sizeof *errors; i++)
		if (errors[i].code == code)
			return &errors[i];
	return NULL;
}

const char *cudaGetErrorName(cudaError_t error)
{
	return find(error) ? find(error)->name : "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
	return find(error) ? find(error)->text : "unrecognized error code";
}

/*
 * A fault of the device is not the last error before a call has returned it;
 * but every call that needs the device does.
 */
cudaError_t cudaPeekAtLastError(void)
{
	return runtime_thread()->last_error;
}

cudaError_t cudaGetLastError(void)
{
	cudaError_t error = runtime_thread()->last_error;
	runtime_thread()->last_error = cudaSuccess;
	return error;
}

/* ---- what is not supported ----------------------------------------------------------------------------------- */

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
