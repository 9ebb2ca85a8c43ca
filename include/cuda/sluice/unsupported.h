/* Device features that are not there: to use one is an error that says so, when the program is compiled. */
#ifndef SLUICE_CUDA_UNSUPPORTED_H
#define SLUICE_CUDA_UNSUPPORTED_H

template <class... A> struct sluice_never {
	static const bool value = false;
};

#define SLUICE_UNSUPPORTED(name, what)                                                                       \
	template <class... A> static __device__ __host__ void name(A...)                                     \
	{                                                                                                    \
		static_assert(sluice_never<A...>::value, #name "(): " what);                                 \
	}                                                                                                    \
	template <class T, class... A> static __device__ __host__ T name(A...)                               \
	{                                                                                                    \
		static_assert(sluice_never<A...>::value, #name "(): " what);                                 \
	}
#define SLUICE_NO_SURFACES(dims)                                                                             \
	SLUICE_UNSUPPORTED(surf##dims##read, "surfaces are not supported")                                   \
	SLUICE_UNSUPPORTED(surf##dims##write, "surfaces are not supported")
SLUICE_NO_SURFACES(1D)
SLUICE_NO_SURFACES(2D)
SLUICE_NO_SURFACES(3D)
SLUICE_NO_SURFACES(1DLayered)
SLUICE_NO_SURFACES(2DLayered)
SLUICE_NO_SURFACES(Cubemap)
SLUICE_NO_SURFACES(CubemapLayered)
SLUICE_UNSUPPORTED(tex1DLayered, "layered textures are not supported")
SLUICE_UNSUPPORTED(tex2DLayered, "layered textures are not supported")
SLUICE_UNSUPPORTED(texCubemap, "cube maps are not supported")
SLUICE_UNSUPPORTED(texCubemapLayered, "cube maps are not supported")
SLUICE_UNSUPPORTED(tex2Dgather, "texture gathers are not supported")
SLUICE_UNSUPPORTED(tex1DGrad, "mipmaps are not supported")
SLUICE_UNSUPPORTED(tex2DGrad, "mipmaps are not supported")
SLUICE_UNSUPPORTED(tex3DGrad, "mipmaps are not supported")
#undef SLUICE_NO_SURFACES
#undef SLUICE_UNSUPPORTED

#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03

template <class T, int dimensions = 1> struct surface : public surfaceReference {
	static_assert(sluice_never<T>::value, "surface<>: surfaces are not supported");
};

#endif
