/*
 * Textures in CUDA C++: texture<> variables and texture objects, fetched by
 * the tex instructions of PTX, and the host's functions for texture<>.
 *
 * One mipmap level and one layer exist: functions with a level of detail take
 * the only one. Layered textures, cube maps, gathers and surfaces are refused
 * when they are used.
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
SLUICE_TEX_WORD(int, "s32", "r")
SLUICE_TEX_WORD(unsigned int, "u32", "r")
SLUICE_TEX_WORD(float, "f32", "f")
#undef SLUICE_TEX_WORD
#undef SLUICE_TEX_ASM

/* The fetch itself, of a texture<>, of an object, and of an object into a variable. */
#define SLUICE_TEX_BODY(T, mode, handle, ...)                                                                \
	typename sluice_read<T, mode>::word words[4];                                                        \
	sluice_tex(handle, words, __VA_ARGS__);                                                              \
	return sluice_read<T, mode>::make(words);
#define SLUICE_FETCH(name, dims, declared, given, same)                                                      \
	template <class T, cudaTextureReadMode mode>                                                         \
	static __device__ __forceinline__ typename sluice_read<T, mode>::type name(                          \
	    texture<T, dims, mode> handle, SLUICE_LIST declared)                                             \
	{                                                                                                    \
		SLUICE_TEX_BODY(T, mode, handle, SLUICE_LIST given)                                          \
	}                                                                                                    \
	template <class T>                                                                                   \
	static __device__ __forceinline__ T name(cudaTextureObject_t handle, SLUICE_LIST declared)           \
	{                                                                                                    \
		SLUICE_TEX_BODY(T, cudaReadModeElementType, handle, SLUICE_LIST given)                       \
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
#undef SLUICE_FETCH
#undef SLUICE_TEX_BODY

#endif
