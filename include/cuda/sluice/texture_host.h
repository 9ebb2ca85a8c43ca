/* The host's functions that take a texture<>; those that take its base are in cuda_runtime_api.h. */
#ifndef SLUICE_CUDA_TEXTURE_HOST_H
#define SLUICE_CUDA_TEXTURE_HOST_H

#define SLUICE_TEXTURE                                                                                       \
	template <class T, int dimensions, cudaTextureReadMode mode> static inline __host__ cudaError_t
typedef cudaChannelFormatDesc sluice_channels;

SLUICE_TEXTURE cudaBindTexture(size_t *offset, const texture<T, dimensions, mode> &tex, const void *address,
                               const sluice_channels &desc, size_t bytes = UINT_MAX)
{
	return ::cudaBindTexture(offset, (const textureReference *)&tex, address, &desc, bytes);
}

SLUICE_TEXTURE cudaBindTexture(size_t *offset, const texture<T, dimensions, mode> &tex, const void *address,
                               size_t bytes = UINT_MAX)
{
	return ::cudaBindTexture(offset, (const textureReference *)&tex, address, &tex.channelDesc, bytes);
}

SLUICE_TEXTURE cudaBindTexture2D(size_t *offset, const texture<T, dimensions, mode> &tex, const void *address,
                                 const sluice_channels &desc, size_t width, size_t height, size_t pitch)
{
	return ::cudaBindTexture2D(offset, (const textureReference *)&tex, address, &desc, width, height,
	                           pitch);
}

SLUICE_TEXTURE cudaBindTexture2D(size_t *offset, const texture<T, dimensions, mode> &tex, const void *address,
                                 size_t width, size_t height, size_t pitch)
{
	return ::cudaBindTexture2D(offset, (const textureReference *)&tex, address, &tex.channelDesc, width,
	                           height, pitch);
}

SLUICE_TEXTURE cudaBindTextureToArray(const texture<T, dimensions, mode> &tex, cudaArray_const_t array,
                                      const sluice_channels &desc)
{
	return ::cudaBindTextureToArray((const textureReference *)&tex, array, &desc);
}

SLUICE_TEXTURE cudaBindTextureToArray(const texture<T, dimensions, mode> &tex, cudaArray_const_t array)
{
	sluice_channels desc;
	cudaError_t error = ::cudaGetChannelDesc(&desc, array);
	return error ? error : ::cudaBindTextureToArray((const textureReference *)&tex, array, &desc);
}

SLUICE_TEXTURE cudaUnbindTexture(const texture<T, dimensions, mode> &tex)
{
	return ::cudaUnbindTexture((const textureReference *)&tex);
}

SLUICE_TEXTURE cudaGetTextureAlignmentOffset(size_t *offset, const texture<T, dimensions, mode> &tex)
{
	return ::cudaGetTextureAlignmentOffset(offset, (const textureReference *)&tex);
}

#undef SLUICE_TEXTURE

#endif
