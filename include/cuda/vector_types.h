/* Vector types (char1 ... double4) and dim3, with the sizes and alignments that device code relies on. */
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

#include "host_defines.h"

/* name, element, alignment of the vectors of 2 and of 4; those of 1 and 3 are aligned like an element. */
#define SLUICE_VECTOR_KINDS(V)                                                                               \
	V(char, signed char, 2, 4)                                                                           \
	V(uchar, unsigned char, 2, 4)                                                                        \
	V(short, short, 4, 8)                                                                                \
	V(ushort, unsigned short, 4, 8)                                                                      \
	V(int, int, 8, 16)                                                                                   \
	V(uint, unsigned int, 8, 16)                                                                         \
	V(long, long, 16, 16)                                                                                \
	V(ulong, unsigned long, 16, 16)                                                                      \
	V(longlong, long long, 16, 16)                                                                       \
	V(ulonglong, unsigned long long, 16, 16)                                                             \
	V(float, float, 8, 16)                                                                               \
	V(double, double, 16, 16)

#define SLUICE_DEFINE_VECTORS(name, element, align2, align4)                                                 \
	struct name##1                                                                                       \
	{                                                                                                    \
		element x;                                                                                   \
	};                                                                                                   \
	struct __align__(align2) name##2                                                                     \
	{                                                                                                    \
		element x, y;                                                                                \
	};                                                                                                   \
	struct name##3                                                                                       \
	{                                                                                                    \
		element x, y, z;                                                                             \
	};                                                                                                   \
	struct __align__(align4) name##4                                                                     \
	{                                                                                                    \
		element x, y, z, w;                                                                          \
	};                                                                                                   \
	typedef struct name##1 name##1;                                                                      \
	typedef struct name##2 name##2;                                                                      \
	typedef struct name##3 name##3;                                                                      \
	typedef struct name##4 name##4;

SLUICE_VECTOR_KINDS(SLUICE_DEFINE_VECTORS)
#undef SLUICE_DEFINE_VECTORS

struct dim3 {
	unsigned int x, y, z;
#if defined(__cplusplus)
#if __cplusplus >= 201103L
	__host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
	    : x(vx), y(vy), z(vz)
	{
	}
	__host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
	{
	}
	__host__ __device__ constexpr operator uint3() const
	{
		return uint3{x, y, z};
	}
#else
	__host__ __device__ dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
	    : x(vx), y(vy), z(vz)
	{
	}
	__host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
	{
	}
	__host__ __device__ operator uint3() const
	{
		uint3 v = {x, y, z};
		return v;
	}
#endif
#endif
};
typedef struct dim3 dim3;

#endif
