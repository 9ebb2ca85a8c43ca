/*
 * What generated functions are made of, for the host's C compiler and for device
 * code alike: inputs, guarded operations, and a hash of all variables.
 *
 * FUNCTION is what a function is declared with on either side, CALLED one that is not inlined.
 */
#ifndef SLUICE_RANDOM_RUNTIME_H
#define SLUICE_RANDOM_RUNTIME_H

#include <stdint.h>
#include <string.h>

enum { LANES = 64 };

struct input {
	uint64_t u64[2];
	int64_t i64[2];
	double f64[2];
	float f32[2];
	uint32_t u32[2];
	int32_t i32[2];
	uint16_t u16[2];
	int16_t i16[2];
	uint8_t u8[2];
	int8_t i8[2];
};

FUNCTION uint32_t bits_u32(float x)
{
	uint32_t b;
	memcpy(&b, &x, sizeof b);
	return x != x ? UINT32_C(0x7fc00000) : b;
}
FUNCTION int32_t bits_i32(float x)
{
	return (int32_t)bits_u32(x);
}
FUNCTION uint64_t bits_u64(double x)
{
	uint64_t b;
	memcpy(&b, &x, sizeof b);
	return x != x ? UINT64_C(0x7ff8000000000000) : b;
}
FUNCTION int64_t bits_i64(double x)
{
	return (int64_t)bits_u64(x);
}

FUNCTION uint64_t mix(uint64_t h, uint64_t value)
{
	return (h ^ value) * UINT64_C(0x9e3779b97f4a7c15);
}

/* Integer helpers: U is the unsigned type that a is seen in, W the one of arithmetic. */
#define INTEGER(T, tag, U, bits, low)                                                                        \
	FUNCTION T divide_##tag(T a, T b)                                                                    \
	{                                                                                                    \
		return b == 0 ? a : (low) < 0 && b == (T)-1 ? (T)(0u - (U)a) : (T)(a / b);                   \
	}                                                                                                    \
	FUNCTION T modulo_##tag(T a, T b)                                                                    \
	{                                                                                                    \
		return b == 0 ? (T)1 : (low) < 0 && b == (T)-1 ? (T)0 : (T)(a % b);                          \
	}                                                                                                    \
	FUNCTION T least_##tag(T a, T b)                                                                     \
	{                                                                                                    \
		return a < b ? a : b;                                                                        \
	}                                                                                                    \
	FUNCTION T rotate_##tag(T a, T b)                                                                    \
	{                                                                                                    \
		unsigned n = (unsigned)b & ((bits)-1);                                                       \
		return (T)(U)((U)a << n | (U)a >> (((bits)-n) & ((bits)-1)));                                \
	}                                                                                                    \
	FUNCTION T popcount_##tag(T a)                                                                       \
	{                                                                                                    \
		return (T)__builtin_popcountll((U)a);                                                        \
	}                                                                                                    \
	FUNCTION T leading_##tag(T a)                                                                        \
	{                                                                                                    \
		return (T)((U)a == 0 ? (bits) : __builtin_clzll((U)a) - (64 - (bits)));                      \
	}                                                                                                    \
	FUNCTION uint64_t seen_##tag(T a)                                                                    \
	{                                                                                                    \
		return (U)a;                                                                                 \
	}                                                                                                    \
	FUNCTION T f32_to_##tag(float x)                                                                     \
	{                                                                                                    \
		return x > (low) && x < 127.0f ? (T)x : (T)3;                                                \
	}                                                                                                    \
	FUNCTION T f64_to_##tag(double x)                                                                    \
	{                                                                                                    \
		return x > (low) && x < 127.0 ? (T)x : (T)5;                                                 \
	}

INTEGER(int8_t, i8, uint8_t, 8, -128)
INTEGER(uint8_t, u8, uint8_t, 8, 0)
INTEGER(int16_t, i16, uint16_t, 16, -30000)
INTEGER(uint16_t, u16, uint16_t, 16, 0)
INTEGER(int32_t, i32, uint32_t, 32, -2000000000)
INTEGER(uint32_t, u32, uint32_t, 32, 0)
INTEGER(int64_t, i64, uint64_t, 64, -9000000000000000000)
INTEGER(uint64_t, u64, uint64_t, 64, 0)

#define NARROW(T, tag, W, bits)                                                                              \
	FUNCTION T high_##tag(T a, T b)                                                                      \
	{                                                                                                    \
		return (T)(((W)a * (W)b) >> (bits));                                                         \
	}

NARROW(int8_t, i8, int32_t, 8)
NARROW(uint8_t, u8, uint32_t, 8)
NARROW(int16_t, i16, int32_t, 16)
NARROW(uint16_t, u16, uint32_t, 16)
NARROW(int32_t, i32, int64_t, 32)
NARROW(uint32_t, u32, uint64_t, 32)
NARROW(int64_t, i64, __int128, 64)
NARROW(uint64_t, u64, unsigned __int128, 64)

FUNCTION uint64_t reverse_u64(uint64_t a)
{
	return __builtin_bswap64(a);
}
FUNCTION int64_t reverse_i64(int64_t a)
{
	return (int64_t)__builtin_bswap64((uint64_t)a);
}
FUNCTION uint32_t reverse_u32(uint32_t a)
{
	return __builtin_bswap32(a);
}
FUNCTION int32_t reverse_i32(int32_t a)
{
	return (int32_t)__builtin_bswap32((uint32_t)a);
}
FUNCTION uint16_t reverse_u16(uint16_t a)
{
	return __builtin_bswap16(a);
}
FUNCTION int16_t reverse_i16(int16_t a)
{
	return (int16_t)__builtin_bswap16((uint16_t)a);
}
FUNCTION uint8_t reverse_u8(uint8_t a)
{
	return (uint8_t)(a << 4 | a >> 4);
}
FUNCTION int8_t reverse_i8(int8_t a)
{
	return (int8_t)reverse_u8((uint8_t)a);
}

#define FLOATING(T, tag, suffix, bits_of)                                                                    \
	FUNCTION T magnitude_##tag(T a)                                                                      \
	{                                                                                                    \
		return __builtin_fabs##suffix(a);                                                            \
	}                                                                                                    \
	FUNCTION T negate_##tag(T a)                                                                         \
	{                                                                                                    \
		return -a;                                                                                   \
	}                                                                                                    \
	FUNCTION T root_##tag(T a)                                                                           \
	{                                                                                                    \
		return __builtin_sqrt##suffix(__builtin_fabs##suffix(a));                                    \
	}                                                                                                    \
	FUNCTION T down_##tag(T a)                                                                           \
	{                                                                                                    \
		return __builtin_floor##suffix(a);                                                           \
	}                                                                                                    \
	FUNCTION T up_##tag(T a)                                                                             \
	{                                                                                                    \
		return __builtin_ceil##suffix(a);                                                            \
	}                                                                                                    \
	FUNCTION T chop_##tag(T a)                                                                           \
	{                                                                                                    \
		return __builtin_trunc##suffix(a);                                                           \
	}                                                                                                    \
	FUNCTION T fused_##tag(T a, T b, T c)                                                                \
	{                                                                                                    \
		return __builtin_fma##suffix(a, b, c);                                                       \
	}                                                                                                    \
	FUNCTION T smaller_##tag(T a, T b)                                                                   \
	{                                                                                                    \
		return a < b ? a : b;                                                                        \
	}                                                                                                    \
	FUNCTION T larger_##tag(T a, T b)                                                                    \
	{                                                                                                    \
		return a > b ? a : b;                                                                        \
	}                                                                                                    \
	FUNCTION T signed_like_##tag(T a, T b)                                                               \
	{                                                                                                    \
		return b != b ? a : __builtin_copysign##suffix(a, b);                                        \
	}                                                                                                    \
	FUNCTION uint64_t seen_##tag(T a)                                                                    \
	{                                                                                                    \
		return bits_of(a);                                                                           \
	}

FLOATING(float, f32, f, bits_u32)
FLOATING(double, f64, , bits_u64)

/* A real call, with a stack of its own. */
CALLED int32_t helper_i32(int32_t a, float b, uint64_t c)
{
	uint16_t table[4] = {(uint16_t)a, (uint16_t)c, (uint16_t)(c >> 16), 7};
	for (uint32_t i = 0; i < ((uint32_t)a & 3); i++)
		table[(c >> i) & 3] = (uint16_t)(table[i] + (b > (float)i ? 3u : 5u));
	return table[0] + table[1] * 3 + table[2] - table[3];
}

#endif
