/* Types of textures are in driver_types.h; texture<>, which is CUDA C++ only, comes with cuda_runtime.h. */
#include "driver_types.h"

#ifndef __TEXTURE_TYPES_H__
#define __TEXTURE_TYPES_H__

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaTextureTypeCubemapLayered 0xFC

#endif
