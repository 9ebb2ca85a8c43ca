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
SLUICE_UNSUPPORTED(tex2Dgather, "texture gathers are not supported")
SLUICE_UNSUPPORTED(tex1DGrad, "mipmaps are not supported")
SLUICE_UNSUPPORTED(tex2DGrad, "mipmaps are not supported")
SLUICE_UNSUPPORTED(tex3DGrad, "mipmaps are not supported")
#undef SLUICE_UNSUPPORTED

template <class T, int dimensions = 1> struct surface : public surfaceReference {
	static_assert(sluice_never<T>::value,
	              "surface<>: surface references are not supported; use surface objects");
};

#endif
