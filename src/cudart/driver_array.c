/* Arrays and texture objects of the driver API: descriptions in its terms, handed to the runtime's. */
#include <string.h>

#include "cudart/array.h"
#include "cudart/calls.h"
#include "cudart/driver.h"

#include <cuda_runtime_api.h>

static bool channel_format(CUarray_format format, unsigned channels, struct cudaChannelFormatDesc *out)
{
	static const struct {
		CUarray_format format;
		int bits;
		enum cudaChannelFormatKind kind;
	} rows[] = {
	    {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
	    {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
	    {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
	    {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
	    {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
	    {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
	    {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
	    {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (rows[i].format != format)
			continue;
		int bits = rows[i].bits;
		*out = (struct cudaChannelFormatDesc){bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0,
		                                      channels > 3 ? bits : 0, rows[i].kind};
		return channels == 1 || channels == 2 || channels == 4;
	}
	return false;
}

static CUarray_format format_of(const struct cudaChannelFormatDesc *f)
{
	bool is_signed = f->f == cudaChannelFormatKindSigned;
	if (f->f == cudaChannelFormatKindFloat)
		return f->x == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
	if (f->x == 8)
		return is_signed ? CU_AD_FORMAT_SIGNED_INT8 : CU_AD_FORMAT_UNSIGNED_INT8;
	if (f->x == 16)
		return is_signed ? CU_AD_FORMAT_SIGNED_INT16 : CU_AD_FORMAT_UNSIGNED_INT16;
	return is_signed ? CU_AD_FORMAT_SIGNED_INT32 : CU_AD_FORMAT_UNSIGNED_INT32;
}

static cudaError_t create(CUarray *out, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
	struct cudaChannelFormatDesc format;
	if (!out || !d || !channel_format(d->Format, d->NumChannels, &format))
		return cudaErrorInvalidValue;
	return cudaMalloc3DArray((cudaArray_t *)(void *)out, &format,
	                         (struct cudaExtent){d->Width, d->Height, d->Depth}, d->Flags);
}

static cudaError_t describe(CUDA_ARRAY3D_DESCRIPTOR *out, CUarray array)
{
	struct cudaChannelFormatDesc format;
	struct cudaExtent extent;
	unsigned flags;
	cudaError_t result =
	    out ? cudaArrayGetInfo(&format, &extent, &flags, (cudaArray_t)array) : cudaErrorInvalidValue;
	if (result)
		return result;
	*out =
	    (CUDA_ARRAY3D_DESCRIPTOR){.Width = extent.width,
	                              .Height = extent.height,
	                              .Depth = extent.depth,
	                              .Format = format_of(&format),
	                              .NumChannels = 1U + (format.y != 0) + (format.z != 0) + (format.w != 0),
	                              .Flags = flags};
	return cudaSuccess;
}

DRIVER_API(cuArray3DCreate, (CUarray * out, const CUDA_ARRAY3D_DESCRIPTOR *d), create(out, d))
DRIVER_API(cuArray3DGetDescriptor, (CUDA_ARRAY3D_DESCRIPTOR * out, CUarray array), describe(out, array))
DRIVER_API(cuArrayDestroy, (CUarray array), cudaFreeArray((cudaArray_t)array))

CUresult cuArrayCreate(CUarray *out, const CUDA_ARRAY_DESCRIPTOR *d)
{
	if (!d)
		return CUDA_ERROR_INVALID_VALUE;
	const CUDA_ARRAY3D_DESCRIPTOR whole = {
	    .Width = d->Width, .Height = d->Height, .Format = d->Format, .NumChannels = d->NumChannels};
	return cuArray3DCreate(out, &whole);
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *out, CUarray array)
{
	CUDA_ARRAY3D_DESCRIPTOR whole;
	CUresult result = out ? cuArray3DGetDescriptor(&whole, array) : CUDA_ERROR_INVALID_VALUE;
	if (!result)
		*out = (CUDA_ARRAY_DESCRIPTOR){whole.Width, whole.Height, whole.Format, whole.NumChannels};
	return result;
}

DRIVER_API(cuMemcpyHtoA, (CUarray to, size_t offset, const void *from, size_t bytes),
           cudaMemcpyToArray((cudaArray_t)to, offset, 0, from, bytes, cudaMemcpyHostToDevice))
DRIVER_API(cuMemcpyAtoH, (void *to, CUarray from, size_t offset, size_t bytes),
           cudaMemcpyFromArray(to, (cudaArray_const_t)from, offset, 0, bytes, cudaMemcpyDeviceToHost))
DRIVER_API(cuMemcpyDtoA, (CUarray to, size_t offset, CUdeviceptr from, size_t bytes),
           cudaMemcpyToArray((cudaArray_t)to, offset, 0, (void *)(uintptr_t)from, bytes,
                             cudaMemcpyDeviceToDevice))
DRIVER_API(cuMemcpyAtoD, (CUdeviceptr to, CUarray from, size_t offset, size_t bytes),
           cudaMemcpyFromArray((void *)(uintptr_t)to, (cudaArray_const_t)from, offset, 0, bytes,
                               cudaMemcpyDeviceToDevice))

/* ---- texture objects ------------------------------------------------------------------------------------------ */

static cudaError_t resource_of(const CUDA_RESOURCE_DESC *d, struct cudaResourceDesc *out)
{
	memset(out, 0, sizeof *out);
	switch (d->resType) {
	case CU_RESOURCE_TYPE_ARRAY:
		out->resType = cudaResourceTypeArray;
		out->res.array.array = (cudaArray_t)d->res.array.hArray;
		return cudaSuccess;
	case CU_RESOURCE_TYPE_LINEAR:
		out->resType = cudaResourceTypeLinear;
		out->res.linear.devPtr = (void *)(uintptr_t)d->res.linear.devPtr;
		out->res.linear.sizeInBytes = d->res.linear.sizeInBytes;
		return channel_format(d->res.linear.format, d->res.linear.numChannels, &out->res.linear.desc)
		           ? cudaSuccess
		           : cudaErrorInvalidValue;
	case CU_RESOURCE_TYPE_PITCH2D:
		out->resType = cudaResourceTypePitch2D;
		out->res.pitch2D.devPtr = (void *)(uintptr_t)d->res.pitch2D.devPtr;
		out->res.pitch2D.width = d->res.pitch2D.width;
		out->res.pitch2D.height = d->res.pitch2D.height;
		out->res.pitch2D.pitchInBytes = d->res.pitch2D.pitchInBytes;
		return channel_format(d->res.pitch2D.format, d->res.pitch2D.numChannels,
		                      &out->res.pitch2D.desc)
		           ? cudaSuccess
		           : cudaErrorInvalidValue;
	default:
		return cudaErrorNotSupported;
	}
}

static cudaError_t texture_create(CUtexObject *out, const CUDA_RESOURCE_DESC *resource,
                                  const CUDA_TEXTURE_DESC *texture, const CUDA_RESOURCE_VIEW_DESC *view)
{
	struct cudaResourceDesc from;
	struct cudaTextureDesc how = {.filterMode = cudaFilterModePoint};
	if (!out || !resource || !texture)
		return cudaErrorInvalidValue;
	if (view)
		return cudaErrorNotSupported;
	cudaError_t result = resource_of(resource, &from);
	if (result)
		return result;
	for (int i = 0; i < 3; i++)
		how.addressMode[i] = (enum cudaTextureAddressMode)texture->addressMode[i];
	how.filterMode = (enum cudaTextureFilterMode)texture->filterMode;
	how.readMode = cudaReadModeElementType;
	/* The driver reads small integers as fractions unless it is told not to. */
	const struct cudaChannelFormatDesc *format =
	    resource->resType == CU_RESOURCE_TYPE_LINEAR ? &from.res.linear.desc : &from.res.pitch2D.desc;
	struct cudaChannelFormatDesc own;
	if (resource->resType == CU_RESOURCE_TYPE_ARRAY) {
		result = cudaGetChannelDesc(&own, from.res.array.array);
		format = &own;
	}
	if (!result && format->f != cudaChannelFormatKindFloat && format->x < 32 &&
	    !(texture->flags & CU_TRSF_READ_AS_INTEGER))
		how.readMode = cudaReadModeNormalizedFloat;
	how.normalizedCoords = (texture->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
	how.sRGB = (texture->flags & CU_TRSF_SRGB) != 0;
	memcpy(how.borderColor, texture->borderColor, sizeof how.borderColor);
	return result ? result : cudaCreateTextureObject(out, &from, &how, NULL);
}

DRIVER_API(cuTexObjectCreate,
           (CUtexObject * out, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *texture,
            const CUDA_RESOURCE_VIEW_DESC *view),
           texture_create(out, resource, texture, view))
DRIVER_API(cuTexObjectDestroy, (CUtexObject object), cudaDestroyTextureObject(object))

DRIVER_ALIAS(cuArrayCreate_v2, cuArrayCreate);
DRIVER_ALIAS(cuArray3DCreate_v2, cuArray3DCreate);
DRIVER_ALIAS(cuArrayGetDescriptor_v2, cuArrayGetDescriptor);
DRIVER_ALIAS(cuArray3DGetDescriptor_v2, cuArray3DGetDescriptor);
DRIVER_ALIAS(cuMemcpyHtoA_v2, cuMemcpyHtoA);
DRIVER_ALIAS(cuMemcpyAtoH_v2, cuMemcpyAtoH);
DRIVER_ALIAS(cuMemcpyDtoA_v2, cuMemcpyDtoA);
DRIVER_ALIAS(cuMemcpyAtoD_v2, cuMemcpyAtoD);
