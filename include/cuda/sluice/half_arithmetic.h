/* Arithmetic and comparisons of half and half2, and their operators. Part of cuda_fp16.h. */

SLUICE_HALF __half sluice_half(unsigned short bits)
{
	__half h;
	h.__x = bits;
	return h;
}

#ifdef __CUDA_ARCH__
#define SLUICE_HALF_OP2(ptx, expression)                                                                     \
	unsigned short h;                                                                                    \
	asm(ptx " %0, %1, %2;" : "=h"(h) : "h"(a.__x), "h"(b.__x));                                          \
	return sluice_half(h);
#else
#define SLUICE_HALF_OP2(ptx, expression)                                                                     \
	float x = sluice_half_to_float(a.__x), y = sluice_half_to_float(b.__x);                              \
	return sluice_half(sluice_half_from_float(expression));
#endif

SLUICE_HALF float sluice_saturate(float x)
{
	return x > 0 ? x < 1 ? x : 1.0f : 0.0f;
}

#define SLUICE_HALF_BINARY(name, ptx, expression)                                                            \
	SLUICE_HALF __half name(const __half a, const __half b){SLUICE_HALF_OP2(                             \
	    ptx ".f16", expression)} SLUICE_HALF __half2 name##2(const __half2 a, const __half2 b)           \
	{                                                                                                    \
		return __half2(name(a.x, b.x), name(a.y, b.y));                                              \
	}
SLUICE_HALF_BINARY(__hadd, "add", x + y)
SLUICE_HALF_BINARY(__hsub, "sub", x - y)
SLUICE_HALF_BINARY(__hmul, "mul", x *y)
#undef SLUICE_HALF_BINARY
#define SLUICE_HALF_SATURATED(name, ptx, expression)                                                         \
	SLUICE_HALF __half name##_sat(const __half a, const __half b){SLUICE_HALF_OP2(                       \
	    ptx ".sat.f16", sluice_saturate(expression))} SLUICE_HALF __half2 name##2_sat(const __half2 a,   \
	                                                                                  const __half2 b)   \
	{                                                                                                    \
		return __half2(name##_sat(a.x, b.x), name##_sat(a.y, b.y));                                  \
	}
SLUICE_HALF_SATURATED(__hadd, "add", x + y)
SLUICE_HALF_SATURATED(__hsub, "sub", x - y)
SLUICE_HALF_SATURATED(__hmul, "mul", x *y)
#undef SLUICE_HALF_SATURATED
#undef SLUICE_HALF_OP2

SLUICE_HALF __half __hdiv(const __half a, const __half b)
{
	return sluice_half(sluice_half_from_float(sluice_half_to_float(a.__x) / sluice_half_to_float(b.__x)));
}
SLUICE_HALF __half2 __h2div(const __half2 a, const __half2 b)
{
	return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}
SLUICE_HALF __half __hneg(const __half a)
{
	return sluice_half((unsigned short)(a.__x ^ 0x8000));
}
SLUICE_HALF __half2 __hneg2(const __half2 a)
{
	return __half2(__hneg(a.x), __hneg(a.y));
}
SLUICE_HALF __half __habs(const __half a)
{
	return sluice_half((unsigned short)(a.__x & 0x7fff));
}
SLUICE_HALF __half2 __habs2(const __half2 a)
{
	return __half2(__habs(a.x), __habs(a.y));
}

SLUICE_HALF __half __hfma(const __half a, const __half b, const __half c)
{
#ifdef __CUDA_ARCH__
	unsigned short h;
	asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(h) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
	return sluice_half(h);
#else
	double product = (double)sluice_half_to_float(a.__x) * (double)sluice_half_to_float(b.__x);
	return sluice_half(sluice_half_from_double(product + (double)sluice_half_to_float(c.__x)));
#endif
}
SLUICE_HALF __half2 __hfma2(const __half2 a, const __half2 b, const __half2 c)
{
	return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
SLUICE_HALF __half __hfma_sat(const __half a, const __half b, const __half c)
{
	return sluice_half(
	    sluice_half_from_float(sluice_saturate(sluice_half_to_float(__hfma(a, b, c).__x))));
}
SLUICE_HALF __half2 __hfma2_sat(const __half2 a, const __half2 b, const __half2 c)
{
	return __half2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}

/* ---- comparisons: false with a NaN, those that end in u true ------------------------------------------------- */

SLUICE_HALF bool __hisnan(const __half a)
{
	return (a.__x & 0x7fff) > 0x7c00;
}
SLUICE_HALF int __hisinf(const __half a)
{
	return a.__x == 0x7c00 ? 1 : a.__x == 0xfc00 ? -1 : 0;
}

#define SLUICE_HALF_COMPARE(name, op)                                                                        \
	SLUICE_HALF bool __h##name(const __half a, const __half b)                                           \
	{                                                                                                    \
		return !__hisnan(a) && !__hisnan(b) &&                                                       \
		       sluice_half_to_float(a.__x) op sluice_half_to_float(b.__x);                           \
	}                                                                                                    \
	SLUICE_HALF bool __h##name##u(const __half a, const __half b)                                        \
	{                                                                                                    \
		return __hisnan(a) || __hisnan(b) ||                                                         \
		       sluice_half_to_float(a.__x) op sluice_half_to_float(b.__x);                           \
	}                                                                                                    \
	SLUICE_HALF __half2 __h##name##2(const __half2 a, const __half2 b)                                   \
	{                                                                                                    \
		return __half2(sluice_half(__h##name(a.x, b.x) ? 0x3c00 : 0),                                \
		               sluice_half(__h##name(a.y, b.y) ? 0x3c00 : 0));                               \
	}                                                                                                    \
	SLUICE_HALF __half2 __h##name##u2(const __half2 a, const __half2 b)                                  \
	{                                                                                                    \
		return __half2(sluice_half(__h##name##u(a.x, b.x) ? 0x3c00 : 0),                             \
		               sluice_half(__h##name##u(a.y, b.y) ? 0x3c00 : 0));                            \
	}                                                                                                    \
	SLUICE_HALF bool __hb##name##2(const __half2 a, const __half2 b)                                     \
	{                                                                                                    \
		return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                           \
	}                                                                                                    \
	SLUICE_HALF bool __hb##name##u2(const __half2 a, const __half2 b)                                    \
	{                                                                                                    \
		return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y);                                     \
	}
SLUICE_HALF_COMPARE(eq, ==)
SLUICE_HALF_COMPARE(ne, !=)
SLUICE_HALF_COMPARE(lt, <)
SLUICE_HALF_COMPARE(le, <=)
SLUICE_HALF_COMPARE(gt, >)
SLUICE_HALF_COMPARE(ge, >=)
#undef SLUICE_HALF_COMPARE

/* A NaN loses against a number. */
SLUICE_HALF __half __hmax(const __half a, const __half b)
{
	return __hisnan(a) || __hlt(a, b) ? b : a;
}
SLUICE_HALF __half __hmin(const __half a, const __half b)
{
	return __hisnan(a) || __hgt(a, b) ? b : a;
}
SLUICE_HALF __half2 __hmax2(const __half2 a, const __half2 b)
{
	return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y));
}
SLUICE_HALF __half2 __hmin2(const __half2 a, const __half2 b)
{
	return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y));
}

/* ---- operators ---------------------------------------------------------------------------------------------- */

#define SLUICE_HALF_OPERATOR(op, one, two)                                                                   \
	SLUICE_HALF __half operator op(const __half &a, const __half &b)                                     \
	{                                                                                                    \
		return one(a, b);                                                                            \
	}                                                                                                    \
	SLUICE_HALF __half2 operator op(const __half2 &a, const __half2 &b)                                  \
	{                                                                                                    \
		return two(a, b);                                                                            \
	}                                                                                                    \
	SLUICE_HALF __half &operator op##=(__half &a, const __half &b)                                       \
	{                                                                                                    \
		return a = one(a, b);                                                                        \
	}                                                                                                    \
	SLUICE_HALF __half2 &operator op##=(__half2 &a, const __half2 &b)                                    \
	{                                                                                                    \
		return a = two(a, b);                                                                        \
	}
SLUICE_HALF_OPERATOR(+, __hadd, __hadd2)
SLUICE_HALF_OPERATOR(-, __hsub, __hsub2)
SLUICE_HALF_OPERATOR(*, __hmul, __hmul2)
SLUICE_HALF_OPERATOR(/, __hdiv, __h2div)
#undef SLUICE_HALF_OPERATOR

#define SLUICE_HALF_RELATION(op, name)                                                                       \
	SLUICE_HALF bool operator op(const __half &a, const __half &b)                                       \
	{                                                                                                    \
		return __h##name(a, b);                                                                      \
	}                                                                                                    \
	SLUICE_HALF bool operator op(const __half2 &a, const __half2 &b)                                     \
	{                                                                                                    \
		return __hb##name##2(a, b);                                                                  \
	}
SLUICE_HALF_RELATION(==, eq)
SLUICE_HALF_RELATION(!=, ne)
SLUICE_HALF_RELATION(<, lt)
SLUICE_HALF_RELATION(<=, le)
SLUICE_HALF_RELATION(>, gt)
SLUICE_HALF_RELATION(>=, ge)
#undef SLUICE_HALF_RELATION

SLUICE_HALF __half operator-(const __half &a)
{
	return __hneg(a);
}
SLUICE_HALF __half2 operator-(const __half2 &a)
{
	return __hneg2(a);
}
SLUICE_HALF __half operator+(const __half &a)
{
	return a;
}
SLUICE_HALF __half &operator++(__half &a)
{
	return a = __hadd(a, sluice_half(0x3c00));
}
SLUICE_HALF __half &operator--(__half &a)
{
	return a = __hsub(a, sluice_half(0x3c00));
}
