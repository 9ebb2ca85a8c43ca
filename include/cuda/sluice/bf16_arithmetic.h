/* Arithmetic, comparisons and operators of bfloat16 and pairs of it. Part of cuda_bf16.h. */

#define SLUICE_BF16_BINARY(name, name2, op)                                                                  \
	SLUICE_BF16 __nv_bfloat16 name(const __nv_bfloat16 a, const __nv_bfloat16 b)                         \
	{                                                                                                    \
		return __nv_bfloat16(__bfloat162float(a) op __bfloat162float(b));                            \
	}                                                                                                    \
	SLUICE_BF16 __nv_bfloat162 name2(const __nv_bfloat162 a, const __nv_bfloat162 b)                     \
	{                                                                                                    \
		return __nv_bfloat162(name(a.x, b.x), name(a.y, b.y));                                       \
	}                                                                                                    \
	SLUICE_BF16 __nv_bfloat16 operator op(const __nv_bfloat16 &a, const __nv_bfloat16 &b)                \
	{                                                                                                    \
		return name(a, b);                                                                           \
	}                                                                                                    \
	SLUICE_BF16 __nv_bfloat162 operator op(const __nv_bfloat162 &a, const __nv_bfloat162 &b)             \
	{                                                                                                    \
		return name2(a, b);                                                                          \
	}                                                                                                    \
	SLUICE_BF16 __nv_bfloat16 &operator op##=(__nv_bfloat16 &a, const __nv_bfloat16 &b)                  \
	{                                                                                                    \
		return a = name(a, b);                                                                       \
	}                                                                                                    \
	SLUICE_BF16 __nv_bfloat162 &operator op##=(__nv_bfloat162 &a, const __nv_bfloat162 &b)               \
	{                                                                                                    \
		return a = name2(a, b);                                                                      \
	}
SLUICE_BF16_BINARY(__hadd, __hadd2, +)
SLUICE_BF16_BINARY(__hsub, __hsub2, -)
SLUICE_BF16_BINARY(__hmul, __hmul2, *)
SLUICE_BF16_BINARY(__hdiv, __h2div, /)
#undef SLUICE_BF16_BINARY

#define SLUICE_BF16_COMPARE(name, pair, op)                                                                  \
	SLUICE_BF16 bool name(const __nv_bfloat16 a, const __nv_bfloat16 b)                                  \
	{                                                                                                    \
		return __bfloat162float(a) op __bfloat162float(b);                                           \
	}                                                                                                    \
	SLUICE_BF16 bool operator op(const __nv_bfloat16 &a, const __nv_bfloat16 &b)                         \
	{                                                                                                    \
		return name(a, b);                                                                           \
	}                                                                                                    \
	SLUICE_BF16 __nv_bfloat162 name##2(const __nv_bfloat162 a, const __nv_bfloat162 b)                   \
	{                                                                                                    \
		return __nv_bfloat162(name(a.x, b.x) ? 1.0f : 0.0f, name(a.y, b.y) ? 1.0f : 0.0f);           \
	}                                                                                                    \
	SLUICE_BF16 bool pair(const __nv_bfloat162 a, const __nv_bfloat162 b)                                \
	{                                                                                                    \
		return name(a.x, b.x) && name(a.y, b.y);                                                     \
	}                                                                                                    \
	SLUICE_BF16 bool operator op(const __nv_bfloat162 &a, const __nv_bfloat162 &b)                       \
	{                                                                                                    \
		return pair(a, b);                                                                           \
	}
SLUICE_BF16_COMPARE(__heq, __hbeq2, ==)
SLUICE_BF16_COMPARE(__hne, __hbne2, !=)
SLUICE_BF16_COMPARE(__hlt, __hblt2, <)
SLUICE_BF16_COMPARE(__hle, __hble2, <=)
SLUICE_BF16_COMPARE(__hgt, __hbgt2, >)
SLUICE_BF16_COMPARE(__hge, __hbge2, >=)
#undef SLUICE_BF16_COMPARE

SLUICE_BF16 __nv_bfloat16 __hneg(const __nv_bfloat16 a)
{
	return __ushort_as_bfloat16((unsigned short)(a.__x ^ 0x8000));
}
SLUICE_BF16 __nv_bfloat16 __habs(const __nv_bfloat16 a)
{
	return __ushort_as_bfloat16((unsigned short)(a.__x & 0x7fff));
}
SLUICE_BF16 __nv_bfloat16 operator-(const __nv_bfloat16 &a)
{
	return __hneg(a);
}
SLUICE_BF16 bool __hisnan(const __nv_bfloat16 a)
{
	return (a.__x & 0x7fff) > 0x7f80;
}
SLUICE_BF16 __nv_bfloat16 __hmax(const __nv_bfloat16 a, const __nv_bfloat16 b)
{
	return __hisnan(a) || __hlt(a, b) ? b : a;
}
SLUICE_BF16 __nv_bfloat16 __hmin(const __nv_bfloat16 a, const __nv_bfloat16 b)
{
	return __hisnan(a) || __hgt(a, b) ? b : a;
}
SLUICE_BF16 __nv_bfloat16 __hfma(const __nv_bfloat16 a, const __nv_bfloat16 b, const __nv_bfloat16 c)
{
	return __nv_bfloat16(fmaf(__bfloat162float(a), __bfloat162float(b), __bfloat162float(c)));
}
SLUICE_BF16 __nv_bfloat162 __hfma2(const __nv_bfloat162 a, const __nv_bfloat162 b, const __nv_bfloat162 c)
{
	return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
SLUICE_BF16 __nv_bfloat16 &operator++(__nv_bfloat16 &a)
{
	return a = __hadd(a, __nv_bfloat16(1.0f));
}
SLUICE_BF16 __nv_bfloat16 &operator--(__nv_bfloat16 &a)
{
	return a = __hsub(a, __nv_bfloat16(1.0f));
}
SLUICE_BF16 __nv_bfloat162 __hneg2(const __nv_bfloat162 a)
{
	return __nv_bfloat162(__hneg(a.x), __hneg(a.y));
}
SLUICE_BF16 __nv_bfloat162 operator-(const __nv_bfloat162 &a)
{
	return __hneg2(a);
}
SLUICE_BF16 __nv_bfloat162 __habs2(const __nv_bfloat162 a)
{
	return __nv_bfloat162(__habs(a.x), __habs(a.y));
}
SLUICE_BF16 __nv_bfloat162 __hmax2(const __nv_bfloat162 a, const __nv_bfloat162 b)
{
	return __nv_bfloat162(__hmax(a.x, b.x), __hmax(a.y, b.y));
}
SLUICE_BF16 __nv_bfloat162 __hmin2(const __nv_bfloat162 a, const __nv_bfloat162 b)
{
	return __nv_bfloat162(__hmin(a.x, b.x), __hmin(a.y, b.y));
}
SLUICE_BF16 int __hisinf(const __nv_bfloat16 a)
{
	return a.__x == 0x7f80 ? 1 : a.__x == 0xff80 ? -1 : 0;
}
SLUICE_BF16 __nv_bfloat162 __hisnan2(const __nv_bfloat162 a)
{
	return __nv_bfloat162(__hisnan(a.x) ? 1.0f : 0.0f, __hisnan(a.y) ? 1.0f : 0.0f);
}
SLUICE_BF16 __nv_bfloat16 operator++(__nv_bfloat16 &a, int)
{
	__nv_bfloat16 old = a;
	++a;
	return old;
}
SLUICE_BF16 __nv_bfloat16 operator--(__nv_bfloat16 &a, int)
{
	__nv_bfloat16 old = a;
	--a;
	return old;
}
