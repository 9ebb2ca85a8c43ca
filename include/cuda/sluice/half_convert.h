/* Conversions between half, half2 and other types, by the names of CUDA. Part of cuda_fp16.h. */

SLUICE_HALF float __half2float(const __half a)
{
	return sluice_half_to_float(a.__x);
}
SLUICE_HALF __half __float2half(const float a)
{
	return sluice_half(sluice_half_from_float(a));
}
SLUICE_HALF __half __float2half_rn(const float a)
{
	return sluice_half(sluice_half_from_float(a));
}
SLUICE_HALF __half __float2half_rz(const float a)
{
	return sluice_half(sluice_half_from_float_rz(a));
}
SLUICE_HALF __half __float2half_rd(const float a)
{
	return sluice_half(sluice_half_from_float_rd(a));
}
SLUICE_HALF __half __float2half_ru(const float a)
{
	return sluice_half(sluice_half_from_float_ru(a));
}
SLUICE_HALF __half __double2half(const double a)
{
	return sluice_half(sluice_half_from_double(a));
}

SLUICE_HALF unsigned short __half_as_ushort(const __half a)
{
	return a.__x;
}
SLUICE_HALF short __half_as_short(const __half a)
{
	return (short)a.__x;
}
SLUICE_HALF __half __ushort_as_half(const unsigned short bits)
{
	return sluice_half(bits);
}
SLUICE_HALF __half __short_as_half(const short bits)
{
	return sluice_half((unsigned short)bits);
}

/* To integers: nearest even, towards zero, down, up. A half is exact as a float, and few integers are halves. */
#define SLUICE_HALF_TO_INTEGER(type, name)                                                                   \
	SLUICE_HALF type __half2##name##_rn(const __half a)                                                  \
	{                                                                                                    \
		return (type)rintf(__half2float(a));                                                         \
	}                                                                                                    \
	SLUICE_HALF type __half2##name##_rz(const __half a)                                                  \
	{                                                                                                    \
		return (type)truncf(__half2float(a));                                                        \
	}                                                                                                    \
	SLUICE_HALF type __half2##name##_rd(const __half a)                                                  \
	{                                                                                                    \
		return (type)floorf(__half2float(a));                                                        \
	}                                                                                                    \
	SLUICE_HALF type __half2##name##_ru(const __half a)                                                  \
	{                                                                                                    \
		return (type)ceilf(__half2float(a));                                                         \
	}                                                                                                    \
	SLUICE_HALF __half __##name##2half_rn(const type i)                                                  \
	{                                                                                                    \
		return sluice_half(sluice_half_from_double((double)i));                                      \
	}                                                                                                    \
	SLUICE_HALF __half __##name##2half_rz(const type i)                                                  \
	{                                                                                                    \
		return sluice_half(sluice_half_round((double)i, 1));                                         \
	}                                                                                                    \
	SLUICE_HALF __half __##name##2half_rd(const type i)                                                  \
	{                                                                                                    \
		return sluice_half(sluice_half_round((double)i, 2));                                         \
	}                                                                                                    \
	SLUICE_HALF __half __##name##2half_ru(const type i)                                                  \
	{                                                                                                    \
		return sluice_half(sluice_half_round((double)i, 3));                                         \
	}
SLUICE_HALF_TO_INTEGER(int, int)
SLUICE_HALF_TO_INTEGER(unsigned int, uint)
SLUICE_HALF_TO_INTEGER(short, short)
SLUICE_HALF_TO_INTEGER(unsigned short, ushort)
SLUICE_HALF_TO_INTEGER(long long, ll)
SLUICE_HALF_TO_INTEGER(unsigned long long, ull)
#undef SLUICE_HALF_TO_INTEGER

/* ---- pairs ------------------------------------------------------------------------------------------------ */

SLUICE_HALF __half2 make_half2(const __half x, const __half y)
{
	return __half2(x, y);
}
SLUICE_HALF __half2 __halves2half2(const __half low, const __half high)
{
	return __half2(low, high);
}
SLUICE_HALF __half2 __half2half2(const __half a)
{
	return __half2(a, a);
}
SLUICE_HALF __half2 __float2half2_rn(const float a)
{
	return __half2half2(__float2half(a));
}
SLUICE_HALF __half2 __floats2half2_rn(const float low, const float high)
{
	return __half2(__float2half(low), __float2half(high));
}
SLUICE_HALF __half2 __float22half2_rn(const float2 a)
{
	return __floats2half2_rn(a.x, a.y);
}
SLUICE_HALF float2 __half22float2(const __half2 a)
{
	return make_float2(__half2float(a.x), __half2float(a.y));
}
SLUICE_HALF float __low2float(const __half2 a)
{
	return __half2float(a.x);
}
SLUICE_HALF float __high2float(const __half2 a)
{
	return __half2float(a.y);
}
SLUICE_HALF __half __low2half(const __half2 a)
{
	return a.x;
}
SLUICE_HALF __half __high2half(const __half2 a)
{
	return a.y;
}
SLUICE_HALF __half2 __low2half2(const __half2 a)
{
	return __half2(a.x, a.x);
}
SLUICE_HALF __half2 __high2half2(const __half2 a)
{
	return __half2(a.y, a.y);
}
SLUICE_HALF __half2 __lows2half2(const __half2 a, const __half2 b)
{
	return __half2(a.x, b.x);
}
SLUICE_HALF __half2 __highs2half2(const __half2 a, const __half2 b)
{
	return __half2(a.y, b.y);
}
SLUICE_HALF __half2 __lowhigh2highlow(const __half2 a)
{
	return __half2(a.y, a.x);
}
