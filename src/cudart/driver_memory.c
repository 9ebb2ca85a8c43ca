/* Memory of the driver API: addresses are numbers there, and fills know elements of 1, 2 and 4 bytes. */
#include "cudart/calls.h"
#include "cudart/copy.h"
#include "cudart/driver.h"
#include "cudart/pool.h"

#include <cuda_runtime_api.h>

static void *pointer(CUdeviceptr address)
{
	return (void *)(uintptr_t)address;
}

/* ---- allocation ----------------------------------------------------------------------------------------------- */

DRIVER_API(cuMemGetInfo, (size_t * free_bytes, size_t *total), cudaMemGetInfo(free_bytes, total))
DRIVER_API(cuMemAlloc, (CUdeviceptr * address, size_t bytes),
           bytes ? cudaMalloc((void **)(void *)address, bytes) : cudaErrorInvalidValue)

CUresult cuMemAllocPitch(CUdeviceptr *address, size_t *pitch, size_t width, size_t height,
                         unsigned element_bytes)
{
	bool is_valid = element_bytes == 4 || element_bytes == 8 || element_bytes == 16;
	DRIVER_CALL(is_valid && width && height
	                ? cudaMallocPitch((void **)(void *)address, pitch, width, height)
	                : cudaErrorInvalidValue);
}

DRIVER_API(cuMemAllocManaged, (CUdeviceptr * address, size_t bytes, unsigned flags),
           cudaMallocManaged((void **)(void *)address, bytes, flags))
DRIVER_API(cuMemAllocAsync, (CUdeviceptr * address, size_t bytes, CUstream stream),
           cudaMallocAsync((void **)(void *)address, bytes, stream))
DRIVER_API(cuMemFree, (CUdeviceptr address), cudaFree(pointer(address)))
DRIVER_API(cuMemFreeAsync, (CUdeviceptr address, CUstream stream), cudaFreeAsync(pointer(address), stream))
DRIVER_API(cuMemAllocHost, (void **address, size_t bytes), cudaMallocHost(address, bytes))
DRIVER_API(cuMemHostAlloc, (void **address, size_t bytes, unsigned flags),
           cudaHostAlloc(address, bytes, flags))
DRIVER_API(cuMemFreeHost, (void *address), cudaFreeHost(address))
DRIVER_API(cuMemHostRegister, (void *address, size_t bytes, unsigned flags),
           cudaHostRegister(address, bytes, flags))
DRIVER_API(cuMemHostUnregister, (void *address), cudaHostUnregister(address))
DRIVER_API(cuMemHostGetDevicePointer, (CUdeviceptr * device, void *host, unsigned flags),
           cudaHostGetDevicePointer((void **)(void *)device, host, flags))

/* ---- questions -------------------------------------------------------------------------------------------------- */

static cudaError_t range_of(struct runtime *rt, CUdeviceptr *base, size_t *bytes, CUdeviceptr address)
{
	struct memory_range range;
	if (!device_memory_find(rt->memory, address, &range))
		return cudaErrorSymbolNotFound; /* the driver's "not found" */
	if (base)
		*base = range.first;
	if (bytes)
		*bytes = range.end - range.first;
	return cudaSuccess;
}

API_PART(RUNTIME_CALL, address_range, (CUdeviceptr * base, size_t *bytes, CUdeviceptr address),
         range_of(rt, base, bytes, address))
DRIVER_API(cuMemGetAddressRange, (CUdeviceptr * base, size_t *bytes, CUdeviceptr address),
           address_range(base, bytes, address))

static cudaError_t pointer_attribute(struct runtime *rt, void *data, CUpointer_attribute which,
                                     CUdeviceptr address)
{
	struct memory_range range;
	if (!data || !device_memory_find(rt->memory, address, &range))
		return cudaErrorInvalidValue;
	uint32_t kind = memory_kind(rt, address);
	bool on_host = kind == ALLOCATION_PINNED || kind == ALLOCATION_REGISTERED;
	switch (which) {
	case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
		*(CUmemorytype *)data = on_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
		return cudaSuccess;
	case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
		*(CUdeviceptr *)data = address;
		return cudaSuccess;
	case CU_POINTER_ATTRIBUTE_HOST_POINTER:
		if (!on_host && kind != ALLOCATION_MANAGED)
			return cudaErrorInvalidValue;
		*(void **)data = pointer(address);
		return cudaSuccess;
	case CU_POINTER_ATTRIBUTE_IS_MANAGED:
		*(unsigned *)data = kind == ALLOCATION_MANAGED;
		return cudaSuccess;
	case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
		*(int *)data = 0;
		return cudaSuccess;
	case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
		*(CUdeviceptr *)data = range.first;
		return cudaSuccess;
	case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
		*(size_t *)data = range.end - range.first;
		return cudaSuccess;
	default:
		return cudaErrorNotSupported;
	}
}

API_PART(RUNTIME_CALL, ask_pointer, (void *data, CUpointer_attribute which, CUdeviceptr address),
         pointer_attribute(rt, data, which, address))
DRIVER_API(cuPointerGetAttribute, (void *data, CUpointer_attribute which, CUdeviceptr address),
           ask_pointer(data, which, address))

/* ---- copies -------------------------------------------------------------------------------------------------------- */

DRIVER_API(cuMemcpy, (CUdeviceptr to, CUdeviceptr from, size_t bytes),
           cudaMemcpy(pointer(to), pointer(from), bytes, cudaMemcpyDefault))
DRIVER_API(cuMemcpyAsync, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream),
           cudaMemcpyAsync(pointer(to), pointer(from), bytes, cudaMemcpyDefault, stream))
DRIVER_API(cuMemcpyHtoD, (CUdeviceptr to, const void *from, size_t bytes),
           cudaMemcpy(pointer(to), from, bytes, cudaMemcpyHostToDevice))
DRIVER_API(cuMemcpyDtoH, (void *to, CUdeviceptr from, size_t bytes),
           cudaMemcpy(to, pointer(from), bytes, cudaMemcpyDeviceToHost))
DRIVER_API(cuMemcpyDtoD, (CUdeviceptr to, CUdeviceptr from, size_t bytes),
           cudaMemcpy(pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice))
DRIVER_API(cuMemcpyHtoDAsync, (CUdeviceptr to, const void *from, size_t bytes, CUstream stream),
           cudaMemcpyAsync(pointer(to), from, bytes, cudaMemcpyHostToDevice, stream))
DRIVER_API(cuMemcpyDtoHAsync, (void *to, CUdeviceptr from, size_t bytes, CUstream stream),
           cudaMemcpyAsync(to, pointer(from), bytes, cudaMemcpyDeviceToHost, stream))
DRIVER_API(cuMemcpyDtoDAsync, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream),
           cudaMemcpyAsync(pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice, stream))

/* Where a rectangle begins; false: an array, or nothing. */
static bool corner(CUmemorytype type, const void *host, CUdeviceptr device, uint64_t offset, void **out)
{
	uint64_t at = type == CU_MEMORYTYPE_HOST ? (uint64_t)(uintptr_t)host : device;
	*out = pointer(at + offset);
	return type == CU_MEMORYTYPE_HOST || type == CU_MEMORYTYPE_DEVICE || type == CU_MEMORYTYPE_UNIFIED;
}

static cudaError_t copy_array(const CUDA_MEMCPY2D *c, CUstream stream)
{
	bool to_array = c->dstMemoryType == CU_MEMORYTYPE_ARRAY,
	     from_array = c->srcMemoryType == CU_MEMORYTYPE_ARRAY;
	cudaArray_t to_one = (cudaArray_t)c->dstArray, from_one = (cudaArray_t)c->srcArray;
	void *to = NULL, *from = NULL;
	if ((!to_array && !corner(c->dstMemoryType, c->dstHost, c->dstDevice,
	                          c->dstXInBytes + c->dstY * c->dstPitch, &to)) ||
	    (!from_array && !corner(c->srcMemoryType, c->srcHost, c->srcDevice,
	                            c->srcXInBytes + c->srcY * c->srcPitch, &from)))
		return cudaErrorInvalidValue;
	if (to_array && from_array)
		return cudaMemcpy2DArrayToArray(to_one, c->dstXInBytes, c->dstY, from_one, c->srcXInBytes,
		                                c->srcY, c->WidthInBytes, c->Height,
		                                cudaMemcpyDeviceToDevice);
	if (to_array)
		return cudaMemcpy2DToArrayAsync(to_one, c->dstXInBytes, c->dstY, from,
		                                c->srcPitch ? c->srcPitch : c->WidthInBytes, c->WidthInBytes,
		                                c->Height, cudaMemcpyDefault, stream);
	return cudaMemcpy2DFromArrayAsync(to, c->dstPitch ? c->dstPitch : c->WidthInBytes, from_one,
	                                  c->srcXInBytes, c->srcY, c->WidthInBytes, c->Height,
	                                  cudaMemcpyDefault, stream);
}

static cudaError_t copy_2d(const CUDA_MEMCPY2D *c, CUstream stream)
{
	void *to, *from;
	if (!c)
		return cudaErrorInvalidValue;
	if (c->dstMemoryType == CU_MEMORYTYPE_ARRAY || c->srcMemoryType == CU_MEMORYTYPE_ARRAY)
		return copy_array(c, stream);
	if (!corner(c->dstMemoryType, c->dstHost, c->dstDevice, c->dstXInBytes + c->dstY * c->dstPitch,
	            &to) ||
	    !corner(c->srcMemoryType, c->srcHost, c->srcDevice, c->srcXInBytes + c->srcY * c->srcPitch,
	            &from))
		return cudaErrorInvalidValue;
	size_t to_pitch = c->dstPitch ? c->dstPitch : c->WidthInBytes;
	size_t from_pitch = c->srcPitch ? c->srcPitch : c->WidthInBytes;
	return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, c->WidthInBytes, c->Height,
	                         cudaMemcpyDefault, stream);
}

DRIVER_API(cuMemcpy2DAsync, (const CUDA_MEMCPY2D *copy, CUstream stream), copy_2d(copy, stream))

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *copy)
{
	return cuMemcpy2DAsync(copy, NULL);
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy)
{
	return cuMemcpy2DAsync(copy, NULL);
}

/* ---- fills ----------------------------------------------------------------------------------------------------------- */

static cudaError_t fill(struct runtime *rt, CUdeviceptr to, struct copy_value value, size_t count)
{
	size_t bytes;
	struct copy_side side = copy_linear(pointer(to), true);
	if (__builtin_mul_overflow(count, (size_t)value.bytes, &bytes) || to % value.bytes)
		return cudaErrorInvalidValue;
	return copy_fill(rt, side, value, (struct copy_box){bytes, 1, 1});
}

API_PART(RUNTIME_CALL, fill_in_stream,
         (CUdeviceptr to, struct copy_value value, size_t count, CUstream stream),
         ON_STREAM(stream, fill(rt, to, value, count)))

#define DEFINE_FILL(bits, type)                                                                              \
	CUresult cuMemsetD##bits##Async(CUdeviceptr to, type value, size_t count, CUstream stream)           \
	{                                                                                                    \
		DRIVER_CALL(fill_in_stream(to, (struct copy_value){value, (bits) / 8}, count, stream));      \
	}                                                                                                    \
	CUresult cuMemsetD##bits(CUdeviceptr to, type value, size_t count)                                   \
	{                                                                                                    \
		return cuMemsetD##bits##Async(to, value, count, NULL);                                       \
	}                                                                                                    \
	DRIVER_ALIAS(cuMemsetD##bits##_v2, cuMemsetD##bits);
DEFINE_FILL(8, unsigned char)
DEFINE_FILL(16, unsigned short)
DEFINE_FILL(32, unsigned)

DRIVER_ALIAS(cuMemGetInfo_v2, cuMemGetInfo);
DRIVER_ALIAS(cuMemAlloc_v2, cuMemAlloc);
DRIVER_ALIAS(cuMemAllocPitch_v2, cuMemAllocPitch);
DRIVER_ALIAS(cuMemFree_v2, cuMemFree);
DRIVER_ALIAS(cuMemAllocHost_v2, cuMemAllocHost);
DRIVER_ALIAS(cuMemHostRegister_v2, cuMemHostRegister);
DRIVER_ALIAS(cuMemHostGetDevicePointer_v2, cuMemHostGetDevicePointer);
DRIVER_ALIAS(cuMemGetAddressRange_v2, cuMemGetAddressRange);
DRIVER_ALIAS(cuMemcpyHtoD_v2, cuMemcpyHtoD);
DRIVER_ALIAS(cuMemcpyDtoH_v2, cuMemcpyDtoH);
DRIVER_ALIAS(cuMemcpyDtoD_v2, cuMemcpyDtoD);
DRIVER_ALIAS(cuMemcpyHtoDAsync_v2, cuMemcpyHtoDAsync);
DRIVER_ALIAS(cuMemcpyDtoHAsync_v2, cuMemcpyDtoHAsync);
DRIVER_ALIAS(cuMemcpyDtoDAsync_v2, cuMemcpyDtoDAsync);
DRIVER_ALIAS(cuMemcpy2D_v2, cuMemcpy2D);
DRIVER_ALIAS(cuMemcpy2DAsync_v2, cuMemcpy2DAsync);
DRIVER_ALIAS(cuMemcpy2DUnaligned_v2, cuMemcpy2DUnaligned);
