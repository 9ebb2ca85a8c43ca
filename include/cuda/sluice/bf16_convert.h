/* Conversions between bfloat16, pairs of it and other types, by the names of CUDA. Part of cuda_bf16.h. */

SLUICE_BF16 float __bfloat162float(const __nv_bfloat16 a)
{
	return sluice_bf16_to_float(a.__x);
}
SLUICE_BF16 __nv_bfloat16 __float2bfloat16(const float a)
{
	return __nv_bfloat16(a);
}
SLUICE_BF16 __nv_bfloat16 __float2bfloat16_rn(const float a)
{
	return __nv_bfloat16(a);
}
SLUICE_BF16 __nv_bfloat16 __double2bfloat16(const double a)
{
	return __nv_bfloat16(a);
}
SLUICE_BF16 unsigned short __bfloat16_as_ushort(const __nv_bfloat16 a)
{
	return a.__x;
}
SLUICE_BF16 __nv_bfloat16 __ushort_as_bfloat16(const unsigned short bits)
{
	__nv_bfloat16 a;
	a.__x = bits;
	return a;
}
SLUICE_BF16 __nv_bfloat162 __halves2bfloat162(const __nv_bfloat16 low, const __nv_bfloat16 high)
{
	return __nv_bfloat162(low, high);
}
SLUICE_BF16 __nv_bfloat162 __bfloat162bfloat162(const __nv_bfloat16 a)
{
	return __nv_bfloat162(a, a);
}
SLUICE_BF16 __nv_bfloat162 __float2bfloat162_rn(const float a)
{
	return __bfloat162bfloat162(a);
}
SLUICE_BF16 __nv_bfloat162 __floats2bfloat162_rn(const float low, const float high)
{
	return __nv_bfloat162(low, high);
}
SLUICE_BF16 __nv_bfloat162 __float22bfloat162_rn(const float2 a)
{
	return __nv_bfloat162(a.x, a.y);
}
SLUICE_BF16 float2 __bfloat1622float2(const __nv_bfloat162 a)
{
	return make_float2(__bfloat162float(a.x), __bfloat162float(a.y));
}
SLUICE_BF16 float __low2float(const __nv_bfloat162 a)
{
	return __bfloat162float(a.x);
}
SLUICE_BF16 float __high2float(const __nv_bfloat162 a)
{
	return __bfloat162float(a.y);
}
SLUICE_BF16 __nv_bfloat16 __low2bfloat16(const __nv_bfloat162 a)
{
	return a.x;
}
SLUICE_BF16 __nv_bfloat16 __high2bfloat16(const __nv_bfloat162 a)
{
	return a.y;
}

SLUICE_BF16 __nv_bfloat162 make_bfloat162(const __nv_bfloat16 x, const __nv_bfloat16 y)
{
	return __nv_bfloat162(x, y);
}
SLUICE_BF16 __nv_bfloat162 __low2bfloat162(const __nv_bfloat162 a)
{
	return __nv_bfloat162(a.x, a.x);
}
SLUICE_BF16 __nv_bfloat162 __high2bfloat162(const __nv_bfloat162 a)
{
	return __nv_bfloat162(a.y, a.y);
}
SLUICE_BF16 __nv_bfloat162 __lows2bfloat162(const __nv_bfloat162 a, const __nv_bfloat162 b)
{
	return __nv_bfloat162(a.x, b.x);
}
SLUICE_BF16 __nv_bfloat162 __highs2bfloat162(const __nv_bfloat162 a, const __nv_bfloat162 b)
{
	return __nv_bfloat162(a.y, b.y);
}
SLUICE_BF16 __nv_bfloat162 __lowhigh2highlow(const __nv_bfloat162 a)
{
	return __nv_bfloat162(a.y, a.x);
}
SLUICE_BF16 short __bfloat16_as_short(const __nv_bfloat16 a)
{
	return (short)a.__x;
}
SLUICE_BF16 __nv_bfloat16 __short_as_bfloat16(const short bits)
{
	return __ushort_as_bfloat16((unsigned short)bits);
}

/* In other directions: towards zero, down, up. */
SLUICE_BF16 __nv_bfloat16 sluice_bf16_towards(const float a, const bool is_away)
{
	unsigned int word;
	memcpy(&word, &a, sizeof word);
	if ((word & 0x7fffffff) > 0x7f800000)
		return __ushort_as_bfloat16(0x7fff);
	return __ushort_as_bfloat16((unsigned short)((word >> 16) + (is_away && (word & 0xffff))));
}
SLUICE_BF16 __nv_bfloat16 __float2bfloat16_rz(const float a)
{
	return sluice_bf16_towards(a, false);
}
SLUICE_BF16 __nv_bfloat16 __float2bfloat16_rd(const float a)
{
	return sluice_bf16_towards(a, a < 0);
}
SLUICE_BF16 __nv_bfloat16 __float2bfloat16_ru(const float a)
{
	return sluice_bf16_towards(a, a > 0);
}

#define SLUICE_BF16_TO_INTEGER(type, name)                                                                   \
	SLUICE_BF16 type __bfloat162##name##_rn(const __nv_bfloat16 a)                                       \
	{                                                                                                    \
		return (type)rintf(__bfloat162float(a));                                                     \
	}                                                                                                    \
	SLUICE_BF16 type __bfloat162##name##_rz(const __nv_bfloat16 a)                                       \
	{                                                                                                    \
		return (type)truncf(__bfloat162float(a));                                                    \
	}                                                                                                    \
	SLUICE_BF16 type __bfloat162##name##_rd(const __nv_bfloat16 a)                                       \
	{                                                                                                    \
		return (type)floorf(__bfloat162float(a));                                                    \
	}                                                                                                    \
	SLUICE_BF16 type __bfloat162##name##_ru(const __nv_bfloat16 a)                                       \
	{                                                                                                    \
		return (type)ceilf(__bfloat162float(a));                                                     \
	}                                                                                                    \
	SLUICE_BF16 __nv_bfloat16 __##name##2bfloat16_rn(const type i)                                       \
	{                                                                                                    \
		return __ushort_as_bfloat16(sluice_bf16_from_double((double)i));                             \
	}
SLUICE_BF16_TO_INTEGER(int, int)
SLUICE_BF16_TO_INTEGER(unsigned int, uint)
SLUICE_BF16_TO_INTEGER(short, short)
SLUICE_BF16_TO_INTEGER(unsigned short, ushort)
SLUICE_BF16_TO_INTEGER(long long, ll)
SLUICE_BF16_TO_INTEGER(unsigned long long, ull)
#undef SLUICE_BF16_TO_INTEGER
