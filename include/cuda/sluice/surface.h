/*
 * Surfaces in CUDA C++: objects that are read and written element by element,
 * with the suld and sust instructions of PTX. The first coordinate counts bytes.
 */
#ifndef SLUICE_CUDA_SURFACE_H
#define SLUICE_CUDA_SURFACE_H

#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0C
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
#define cudaSurfaceTypeCubemapLayered 0xFC

/* Elements by their size, and the registers that carry them. */
template <unsigned bytes> struct sluice_element;
template <> struct sluice_element<1> {
	unsigned short v[1];
};
template <> struct sluice_element<2> {
	unsigned short v[1];
};
template <> struct sluice_element<4> {
	unsigned int v[1];
};
template <> struct sluice_element<8> {
	unsigned long long v[1];
};
template <> struct sluice_element<16> {
	unsigned int v[4];
};

#ifdef __CUDA_ARCH__
/* Operands: the values, the object (in front of them for a store), the coordinates. */
#define SLUICE_SURF_LOAD1(geometry, bits, c, bound, at, ...)                                                 \
	asm volatile("suld.b." geometry "." bits "." bound " {%0}, [%1, " at "];"                            \
	             : "=" c(e.v[0])                                                                         \
	             : "l"(object), __VA_ARGS__                                                              \
	             : "memory")
#define SLUICE_SURF_STORE1(geometry, bits, c, bound, at, ...)                                                \
	asm volatile("sust.b." geometry "." bits "." bound " [%0, " at "], {%1};" ::"l"(object), c(e.v[0]),  \
	             __VA_ARGS__                                                                             \
	             : "memory")
#define SLUICE_SURF_LOAD4(geometry, bits, c, bound, at, ...)                                                 \
	asm volatile("suld.b." geometry ".v4." bits "." bound " {%0,%1,%2,%3}, [%4, " at "];"                \
	             : "=" c(e.v[0]), "=" c(e.v[1]), "=" c(e.v[2]), "=" c(e.v[3])                            \
	             : "l"(object), __VA_ARGS__                                                              \
	             : "memory")
#define SLUICE_SURF_STORE4(geometry, bits, c, bound, at, ...)                                                \
	asm volatile("sust.b." geometry ".v4." bits "." bound " [%0, " at "], {%1,%2,%3,%4};" ::"l"(object), \
	             c(e.v[0]), c(e.v[1]), c(e.v[2]), c(e.v[3]), __VA_ARGS__                                 \
	             : "memory")
#define SLUICE_SURF_BY_MODE(act, geometry, bits, c, at, ...)                                                 \
	if (mode == cudaBoundaryModeZero)                                                                    \
		act(geometry, bits, c, "zero", at, __VA_ARGS__);                                             \
	else if (mode == cudaBoundaryModeClamp)                                                              \
		act(geometry, bits, c, "clamp", at, __VA_ARGS__);                                            \
	else                                                                                                 \
		act(geometry, bits, c, "trap", at, __VA_ARGS__);
#else
#define SLUICE_SURF_BY_MODE(act, geometry, bits, c, at, ...) ((void)object, (void)mode, (void)e);
#endif

#define SLUICE_SURF_LIST(...) __VA_ARGS__
/* One size of one geometry; `at` is the text of the coordinates behind so many values. */
#define SLUICE_SURF_SIZE(name, geometry, bytes, bits, c, words, declared, at, ...)                           \
	static __device__ __forceinline__ void sluice_load_##name(                                           \
	    sluice_element<bytes> &e, cudaSurfaceObject_t object, SLUICE_SURF_LIST declared,                 \
	    cudaSurfaceBoundaryMode mode)                                                                    \
	{                                                                                                    \
		SLUICE_SURF_BY_MODE(SLUICE_SURF_LOAD##words, geometry, bits, c, at, __VA_ARGS__)             \
	}                                                                                                    \
	static __device__ __forceinline__ void sluice_store_##name(                                          \
	    const sluice_element<bytes> &e, cudaSurfaceObject_t object, SLUICE_SURF_LIST declared,           \
	    cudaSurfaceBoundaryMode mode)                                                                    \
	{                                                                                                    \
		SLUICE_SURF_BY_MODE(SLUICE_SURF_STORE##words, geometry, bits, c, at, __VA_ARGS__)            \
	}
#define SLUICE_SURF_SIZES(name, geometry, declared, at1, at4, ...)                                           \
	SLUICE_SURF_SIZE(name, geometry, 1, "b8", "h", 1, declared, at1, __VA_ARGS__)                        \
	SLUICE_SURF_SIZE(name, geometry, 2, "b16", "h", 1, declared, at1, __VA_ARGS__)                       \
	SLUICE_SURF_SIZE(name, geometry, 4, "b32", "r", 1, declared, at1, __VA_ARGS__)                       \
	SLUICE_SURF_SIZE(name, geometry, 8, "b64", "l", 1, declared, at1, __VA_ARGS__)                       \
	SLUICE_SURF_SIZE(name, geometry, 16, "b32", "r", 4, declared, at4, __VA_ARGS__)
SLUICE_SURF_SIZES(1d, "1d", (int x), "{%2}", "{%5}", "r"(x))
SLUICE_SURF_SIZES(2d, "2d", (int x, int y), "{%2,%3}", "{%5,%6}", "r"(x), "r"(y))
SLUICE_SURF_SIZES(3d, "3d", (int x, int y, int z), "{%2,%3,%4,%4}", "{%5,%6,%7,%7}", "r"(x), "r"(y), "r"(z))
SLUICE_SURF_SIZES(a1d, "a1d", (int x, int layer), "{%2,%3}", "{%5,%6}", "r"(layer), "r"(x))
SLUICE_SURF_SIZES(a2d, "a2d", (int x, int y, int layer), "{%2,%3,%4,%4}", "{%5,%6,%7,%7}", "r"(layer), "r"(x),
                  "r"(y))

/* What programs call: a value of any type of such a size. */
#define SLUICE_SURFACE(name, geometry, declared, given)                                                      \
	template <class T>                                                                                   \
	static __device__ __forceinline__ T name##read(cudaSurfaceObject_t object,                           \
	                                               SLUICE_SURF_LIST declared,                            \
	                                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)  \
	{                                                                                                    \
		T value;                                                                                     \
		sluice_element<sizeof(T)> e;                                                                 \
		sluice_load_##geometry(e, object, SLUICE_SURF_LIST given, mode);                             \
		__builtin_memcpy(&value, &e, sizeof value);                                                  \
		return value;                                                                                \
	}                                                                                                    \
	template <class T>                                                                                   \
	static __device__ __forceinline__ void name##read(                                                   \
	    T *to, cudaSurfaceObject_t object, SLUICE_SURF_LIST declared,                                    \
	    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                                             \
	{                                                                                                    \
		*to = name##read<T>(object, SLUICE_SURF_LIST given, mode);                                   \
	}                                                                                                    \
	template <class T>                                                                                   \
	static __device__ __forceinline__ void name##write(                                                  \
	    T value, cudaSurfaceObject_t object, SLUICE_SURF_LIST declared,                                  \
	    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                                             \
	{                                                                                                    \
		sluice_element<sizeof(T)> e = {};                                                            \
		__builtin_memcpy(&e, &value, sizeof value);                                                  \
		sluice_store_##geometry(e, object, SLUICE_SURF_LIST given, mode);                            \
	}
SLUICE_SURFACE(surf1D, 1d, (int x), (x))
SLUICE_SURFACE(surf2D, 2d, (int x, int y), (x, y))
SLUICE_SURFACE(surf3D, 3d, (int x, int y, int z), (x, y, z))
SLUICE_SURFACE(surf1DLayered, a1d, (int x, int layer), (x, layer))
SLUICE_SURFACE(surf2DLayered, a2d, (int x, int y, int layer), (x, y, layer))
/* A face is a layer, and so is a face of a cube among others. */
SLUICE_SURFACE(surfCubemap, a2d, (int x, int y, int face), (x, y, face))
SLUICE_SURFACE(surfCubemapLayered, a2d, (int x, int y, int face), (x, y, face))

#undef SLUICE_SURFACE
#undef SLUICE_SURF_SIZES
#undef SLUICE_SURF_SIZE
#undef SLUICE_SURF_LIST
#undef SLUICE_SURF_BY_MODE
#ifdef __CUDA_ARCH__
#undef SLUICE_SURF_LOAD1
#undef SLUICE_SURF_STORE1
#undef SLUICE_SURF_LOAD4
#undef SLUICE_SURF_STORE4
#endif

#endif
