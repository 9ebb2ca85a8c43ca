/*
 * Sharing memory with OpenGL. There is no display to share with: the functions
 * exist, so that programs that offer both ways compile and link, and return
 * cudaErrorNotSupported.
 */
#ifndef __CUDA_GL_INTEROP_H__
#define __CUDA_GL_INTEROP_H__

#include "cuda_runtime_api.h"

/* The types of GL/gl.h, which need not be installed. */
#ifndef __gl_h_
typedef unsigned int GLuint;
typedef unsigned int GLenum;
#endif

enum cudaGLDeviceList {
	cudaGLDeviceListAll = 1,
	cudaGLDeviceListCurrentFrame = 2,
	cudaGLDeviceListNextFrame = 3
};
enum cudaGLMapFlags { cudaGLMapFlagsNone = 0, cudaGLMapFlagsReadOnly = 1, cudaGLMapFlagsWriteDiscard = 2 };
enum cudaGraphicsRegisterFlags {
	cudaGraphicsRegisterFlagsNone = 0,
	cudaGraphicsRegisterFlagsReadOnly = 1,
	cudaGraphicsRegisterFlagsWriteDiscard = 2,
	cudaGraphicsRegisterFlagsSurfaceLoadStore = 4,
	cudaGraphicsRegisterFlagsTextureGather = 8
};
enum cudaGraphicsMapFlags {
	cudaGraphicsMapFlagsNone = 0,
	cudaGraphicsMapFlagsReadOnly = 1,
	cudaGraphicsMapFlagsWriteDiscard = 2
};

#if defined(__cplusplus)
extern "C" {
#endif

SLUICE_API cudaError_t cudaGLGetDevices(unsigned int *count, int *devices, unsigned int room,
                                        enum cudaGLDeviceList list);
SLUICE_API cudaError_t cudaGraphicsGLRegisterImage(struct cudaGraphicsResource **resource, GLuint image,
                                                   GLenum target, unsigned int flags);
SLUICE_API cudaError_t cudaGraphicsGLRegisterBuffer(struct cudaGraphicsResource **resource, GLuint buffer,
                                                    unsigned int flags);
SLUICE_API cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource);
SLUICE_API cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned int flags);
SLUICE_API cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t *resources,
                                                cudaStream_t stream __dv(0));
SLUICE_API cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t *resources,
                                                  cudaStream_t stream __dv(0));
SLUICE_API cudaError_t cudaGraphicsResourceGetMappedPointer(void **address, size_t *bytes,
                                                            cudaGraphicsResource_t resource);
SLUICE_API cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t *array,
                                                             cudaGraphicsResource_t resource,
                                                             unsigned int index, unsigned int level);
/* Of the first versions. */
SLUICE_API cudaError_t cudaGLSetGLDevice(int device);
SLUICE_API cudaError_t cudaGLRegisterBufferObject(GLuint buffer);
SLUICE_API cudaError_t cudaGLMapBufferObject(void **address, GLuint buffer);
SLUICE_API cudaError_t cudaGLUnmapBufferObject(GLuint buffer);
SLUICE_API cudaError_t cudaGLUnregisterBufferObject(GLuint buffer);
SLUICE_API cudaError_t cudaGLSetBufferObjectMapFlags(GLuint buffer, unsigned int flags);
SLUICE_API cudaError_t cudaGLMapBufferObjectAsync(void **address, GLuint buffer, cudaStream_t stream);
SLUICE_API cudaError_t cudaGLUnmapBufferObjectAsync(GLuint buffer, cudaStream_t stream);

#if defined(__cplusplus)
}
#endif

#endif
