/* Small constructors of the runtime's structures. */
#ifndef __DRIVER_FUNCTIONS_H__
#define __DRIVER_FUNCTIONS_H__

#include "driver_types.h"

static __inline__ __attribute__((unused)) struct cudaPitchedPtr
make_cudaPitchedPtr(void *ptr, size_t pitch, size_t xsize, size_t ysize)
{
	struct cudaPitchedPtr p = {ptr, pitch, xsize, ysize};
	return p;
}

static __inline__ __attribute__((unused)) struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
	struct cudaPos p = {x, y, z};
	return p;
}

static __inline__ __attribute__((unused)) struct cudaExtent make_cudaExtent(size_t width, size_t height,
                                                                            size_t depth)
{
	struct cudaExtent e = {width, height, depth};
	return e;
}

#endif
