/*
 * Textures in CUDA C++: texture<> variables and texture objects, fetched by
 * the tex instructions of PTX, and the host's functions for texture<>.
 *
 * One mipmap level exists: functions with a level of detail take the only one.
 * Gathers are refused when they are used; surfaces are in surface.h.
 */
#ifndef SLUICE_CUDA_TEXTURE_H
#define SLUICE_CUDA_TEXTURE_H

template <class T, int dimensions = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct __device_builtin_texture_type__ texture : public textureReference {
	__host__ texture(int is_normalized = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
	                 cudaTextureAddressMode address = cudaAddressModeClamp)
	{
		set(is_normalized, filter, address, cudaCreateChannelDesc<T>());
	}
	__host__ texture(int is_normalized, cudaTextureFilterMode filter, cudaTextureAddressMode address,
	                 cudaChannelFormatDesc desc)
	{
		set(is_normalized, filter, address, desc);
	}

      private:
	__host__ void set(int is_normalized, cudaTextureFilterMode filter, cudaTextureAddressMode address,
	                  cudaChannelFormatDesc desc)
	{
		textureReference *self = this;
		memset(self, 0, sizeof *self);
		normalized = is_normalized;
		filterMode = filter;
		addressMode[0] = addressMode[1] = addressMode[2] = address;
		channelDesc = desc;
		__cudaReserved[0] = mode;
	}
};

/* ---- what a fetch gives ----------------------------------------------------------------------------------- */

/* The four registers of a fetch become a T; mode tells whether integers are read as fractions. */
template <class T> struct sluice_texel;

#define SLUICE_TEXEL(type, reg, float_type, from, from_float)                                                \
	template <> struct sluice_texel<type> {                                                              \
		typedef reg word;                                                                            \
		typedef float_type fraction;                                                                 \
		static __device__ __forceinline__ type make(const word *v)                                   \
		{                                                                                            \
			(void)v;                                                                             \
			return from;                                                                         \
		}                                                                                            \
		static __device__ __forceinline__ fraction make_fraction(const float *v)                     \
		{                                                                                            \
			(void)v;                                                                             \
			return from_float;                                                                   \
		}                                                                                            \
	};
#define SLUICE_TEXEL_VECTORS(name, element, reg)                                                             \
	SLUICE_TEXEL(element, reg, float, (element)v[0], v[0])                                               \
	SLUICE_TEXEL(name##1, reg, float1, make_##name##1((element)v[0]), make_float1(v[0]))                 \
	SLUICE_TEXEL(name##2, reg, float2, make_##name##2((element)v[0], (element)v[1]),                     \
	             make_float2(v[0], v[1]))                                                                \
	SLUICE_TEXEL(name##4, reg, float4,                                                                   \
	             make_##name##4((element)v[0], (element)v[1], (element)v[2], (element)v[3]),             \
	             make_float4(v[0], v[1], v[2], v[3]))
SLUICE_TEXEL(char, int, float, (char)v[0], v[0])
SLUICE_TEXEL_VECTORS(char, signed char, int)
SLUICE_TEXEL_VECTORS(uchar, unsigned char, unsigned int)
SLUICE_TEXEL_VECTORS(short, short, int)
SLUICE_TEXEL_VECTORS(ushort, unsigned short, unsigned int)
SLUICE_TEXEL_VECTORS(int, int, int)
SLUICE_TEXEL_VECTORS(uint, unsigned int, unsigned int)
SLUICE_TEXEL_VECTORS(float, float, float)
#undef SLUICE_TEXEL_VECTORS
#undef SLUICE_TEXEL

template <class T, cudaTextureReadMode mode> struct sluice_read {
	typedef T type;
	typedef typename sluice_texel<T>::word word;
	static __device__ __forceinline__ type make(const word *v)
	{
		return sluice_texel<T>::make(v);
	}
};
template <class T> struct sluice_read<T, cudaReadModeNormalizedFloat> {
	typedef typename sluice_texel<T>::fraction type;
	typedef float word;
	static __device__ __forceinline__ type make(const word *v)
	{
		return sluice_texel<T>::make_fraction(v);
	}
};

/* ---- fetches: a handle is a texture object or, in device code, a texture<> ------------------------------------ */

#ifdef __CUDA_ARCH__
#define SLUICE_TEX_ASM(ptx, constraint, ...)                                                                 \
	asm(ptx                                                                                              \
	    : "=" constraint(v[0]), "=" constraint(v[1]), "=" constraint(v[2]), "=" constraint(v[3])         \
	    : "l"(handle), __VA_ARGS__)
#else
#define SLUICE_TEX_ASM(ptx, constraint, ...) ((void)handle, (void)v)
#endif

#define SLUICE_TEX_WORD(word, type, constraint)                                                              \
	template <class H> static __device__ __forceinline__ void sluice_tex(H handle, word *v, int x)       \
	{                                                                                                    \
		SLUICE_TEX_ASM("tex.1d.v4." type ".s32 {%0,%1,%2,%3}, [%4, {%5}];", constraint, "r"(x));     \
	}                                                                                                    \
	template <class H> static __device__ __forceinline__ void sluice_tex(H handle, word *v, float x)     \
	{                                                                                                    \
		SLUICE_TEX_ASM("tex.1d.v4." type ".f32 {%0,%1,%2,%3}, [%4, {%5}];", constraint, "f"(x));     \
	}                                                                                                    \
	template <class H>                                                                                   \
	static __device__ __forceinline__ void sluice_tex(H handle, word *v, float x, float y)               \
	{                                                                                                    \
		SLUICE_TEX_ASM("tex.2d.v4." type ".f32 {%0,%1,%2,%3}, [%4, {%5,%6}];", constraint, "f"(x),   \
		               "f"(y));                                                                      \
	}                                                                                                    \
	template <class H>                                                                                   \
	static __device__ __forceinline__ void sluice_tex(H handle, word *v, float x, float y, float z)      \
	{                                                                                                    \
		SLUICE_TEX_ASM("tex.3d.v4." type ".f32 {%0,%1,%2,%3}, [%4, {%5,%6,%7,%7}];", constraint,     \
		               "f"(x), "f"(y), "f"(z));                                                      \
	}
/* Layers and cubes have overloads of their own: the first coordinate of a layered fetch is an integer. */
#define SLUICE_TEX_LAYER(word, type, constraint)                                                             \
	template <class H>                                                                                   \
	static __device__ __forceinline__ void sluice_tex_layer(H handle, word *v, int layer, float x)       \
	{                                                                                                    \
		SLUICE_TEX_ASM("tex.a1d.v4." type ".f32 {%0,%1,%2,%3}, [%4, {%5,%6}];", constraint,          \
		               "r"(layer), "f"(x));                                                          \
	}                                                                                                    \
	template <class H>                                                                                   \
	static __device__ __forceinline__ void sluice_tex_layer(H handle, word *v, int layer, float x,       \
	                                                        float y)                                     \
	{                                                                                                    \
		SLUICE_TEX_ASM("tex.a2d.v4." type ".f32 {%0,%1,%2,%3}, [%4, {%5,%6,%7,%7}];", constraint,    \
		               "r"(layer), "f"(x), "f"(y));                                                  \
	}                                                                                                    \
	template <class H>                                                                                   \
	static __device__ __forceinline__ void sluice_tex_cube(H handle, word *v, float x, float y, float z) \
	{                                                                                                    \
		SLUICE_TEX_ASM("tex.cube.v4." type ".f32 {%0,%1,%2,%3}, [%4, {%5,%6,%7,%7}];", constraint,   \
		               "f"(x), "f"(y), "f"(z));                                                      \
	}
SLUICE_TEX_LAYER(int, "s32", "r")
SLUICE_TEX_LAYER(unsigned int, "u32", "r")
SLUICE_TEX_LAYER(float, "f32", "f")
#undef SLUICE_TEX_LAYER
SLUICE_TEX_WORD(int, "s32", "r")
SLUICE_TEX_WORD(unsigned int, "u32", "r")
SLUICE_TEX_WORD(float, "f32", "f")
#undef SLUICE_TEX_WORD
#undef SLUICE_TEX_ASM

/* The fetch itself, of a texture<>, of an object, and of an object into a variable. */
#define SLUICE_TEX_BODY(fetch, T, mode, handle, ...)                                                         \
	typename sluice_read<T, mode>::word words[4];                                                        \
	fetch(handle, words, __VA_ARGS__);                                                                   \
	return sluice_read<T, mode>::make(words);
#define SLUICE_FETCH(name, dims, declared, given, same)                                                      \
	SLUICE_FETCH_BY(sluice_tex, name, dims, declared, given, same)
#define SLUICE_FETCH_BY(fetch, name, dims, declared, given, same)                                            \
	template <class T, cudaTextureReadMode mode>                                                         \
	static __device__ __forceinline__ typename sluice_read<T, mode>::type name(                          \
	    texture<T, dims, mode> handle, SLUICE_LIST declared)                                             \
	{                                                                                                    \
		SLUICE_TEX_BODY(fetch, T, mode, handle, SLUICE_LIST given)                                   \
	}                                                                                                    \
	template <class T>                                                                                   \
	static __device__ __forceinline__ T name(cudaTextureObject_t handle, SLUICE_LIST declared)           \
	{                                                                                                    \
		SLUICE_TEX_BODY(fetch, T, cudaReadModeElementType, handle, SLUICE_LIST given)                \
	}                                                                                                    \
	template <class T>                                                                                   \
	static __device__ __forceinline__ void name(T *to, cudaTextureObject_t handle, SLUICE_LIST declared) \
	{                                                                                                    \
		*to = name<T>(handle, SLUICE_LIST same);                                                     \
	}
#define SLUICE_LIST(...) __VA_ARGS__
SLUICE_FETCH(tex1Dfetch, cudaTextureType1D, (int x), (x), (x))
SLUICE_FETCH(tex1D, cudaTextureType1D, (float x), (x), (x))
SLUICE_FETCH(tex2D, cudaTextureType2D, (float x, float y), (x, y), (x, y))
SLUICE_FETCH(tex3D, cudaTextureType3D, (float x, float y, float z), (x, y, z), (x, y, z))
SLUICE_FETCH(tex1DLod, cudaTextureType1D, (float x, float level), (x), (x, level))
SLUICE_FETCH(tex2DLod, cudaTextureType2D, (float x, float y, float level), (x, y), (x, y, level))
SLUICE_FETCH(tex3DLod, cudaTextureType3D, (float x, float y, float z, float level), (x, y, z),
             (x, y, z, level))
SLUICE_FETCH_BY(sluice_tex_layer, tex1DLayered, cudaTextureType1DLayered, (float x, int layer), (layer, x),
                (x, layer))
SLUICE_FETCH_BY(sluice_tex_layer, tex2DLayered, cudaTextureType2DLayered, (float x, float y, int layer),
                (layer, x, y), (x, y, layer))
SLUICE_FETCH_BY(sluice_tex_layer, tex1DLayeredLod, cudaTextureType1DLayered,
                (float x, int layer, float level), (layer, x), (x, layer, level))
SLUICE_FETCH_BY(sluice_tex_layer, tex2DLayeredLod, cudaTextureType2DLayered,
                (float x, float y, int layer, float level), (layer, x, y), (x, y, layer, level))
SLUICE_FETCH_BY(sluice_tex_cube, texCubemap, cudaTextureTypeCubemap, (float x, float y, float z), (x, y, z),
                (x, y, z))
SLUICE_FETCH_BY(sluice_tex_cube, texCubemapLod, cudaTextureTypeCubemap,
                (float x, float y, float z, float level), (x, y, z), (x, y, z, level))

/* A cube among others: its face is found here and fetched as a layer; what that takes more is charged to the kernel. */
struct sluice_cube_face {
	int face;
	float s, t;
};
static __device__ __forceinline__ sluice_cube_face sluice_find_face(float x, float y, float z)
{
	float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
	bool by_x = ax >= ay && ax >= az, by_y = !by_x && ay >= az;
	float major = by_x ? ax : by_y ? ay : az;
	bool is_positive = by_x ? x >= 0 : by_y ? y >= 0 : z >= 0;
	float s = by_x ? (is_positive ? -z : z) : by_y ? x : (is_positive ? x : -x);
	float t = by_y ? (is_positive ? z : -z) : -y;
	sluice_cube_face at = {(by_x   ? 0
	                        : by_y ? 2
	                               : 4) +
	                           !is_positive,
	                       (s / major + 1.0f) / 2.0f, (t / major + 1.0f) / 2.0f};
	return at;
}
template <class H, class W>
static __device__ __forceinline__ void sluice_tex_cubes(H handle, W *v, int layer, float x, float y, float z)
{
	sluice_cube_face at = sluice_find_face(x, y, z);
	sluice_tex_layer(handle, v, 6 * layer + at.face, at.s, at.t);
}
SLUICE_FETCH_BY(sluice_tex_cubes, texCubemapLayered, cudaTextureTypeCubemapLayered,
                (float x, float y, float z, int layer), (layer, x, y, z), (x, y, z, layer))
#undef SLUICE_FETCH
#undef SLUICE_FETCH_BY
#undef SLUICE_TEX_BODY

#endif
