/* cvt: float to integer saturates and maps NaN to 0 (or the lowest), every rounding; narrowing; float to float. */
#include "op.h"
#include <fenv.h>

typedef uint32_t u32;
typedef uint64_t u64;

static double rounded(double x, int how)
{
	volatile double v = x, r;
	fesetround(how);
	r = nearbyint(v);
	fesetround(FE_TONEAREST);
	return r;
}

static int32_t to_s32(double x)
{
	return x != x ? 0 : x >= 2147483648.0 ? INT32_MAX : x < -2147483648.0 ? INT32_MIN : (int32_t)x;
}
static u32 to_u32(double x)
{
	return !(x > 0) ? 0 : x >= 4294967296.0 ? UINT32_MAX : (u32)x;
}
/* A NaN gives the lowest value of 64 bits, a number saturates. */
static int64_t to_s64(double x)
{
	return x != x                       ? INT64_MIN
	       : x >= 9223372036854775808.0 ? INT64_MAX
	       : x < -9223372036854775808.0 ? INT64_MIN
	                                    : (int64_t)x;
}
static u64 to_u64(double x)
{
	return x != x ? UINT64_C(1) << 63 : !(x > 0) ? 0 : x >= 18446744073709551616.0 ? UINT64_MAX : (u64)x;
}
template <typename R, typename T> static R narrow(T x, int how)
{
	volatile T v = x;
	volatile R r;
	fesetround(how);
	r = (R)v;
	fesetround(FE_TONEAREST);
	return r;
}
static int64_t clamp(int64_t x, int64_t low, int64_t high)
{
	return x < low ? low : x > high ? high : x;
}

#define CVT(name, r, a, form, expression) OP(name, r, a, a, a, "cvt." form " %0, %1;", expression)

CVT(rzi_s32_f32, s, f, "rzi.s32.f32", to_s32(rounded(a, FE_TOWARDZERO)))
CVT(rni_s32_f32, s, f, "rni.s32.f32", to_s32(rounded(a, FE_TONEAREST)))
CVT(rmi_s32_f32, s, f, "rmi.s32.f32", to_s32(rounded(a, FE_DOWNWARD)))
CVT(rpi_s32_f32, s, f, "rpi.s32.f32", to_s32(rounded(a, FE_UPWARD)))
CVT(rzi_u32_f32, r, f, "rzi.u32.f32", to_u32(rounded(a, FE_TOWARDZERO)))
CVT(rpi_u32_f32, r, f, "rpi.u32.f32", to_u32(rounded(a, FE_UPWARD)))
CVT(rzi_s64_f32, q, f, "rzi.s64.f32", to_s64(rounded(a, FE_TOWARDZERO)))
CVT(rzi_u64_f32, l, f, "rzi.u64.f32", to_u64(rounded(a, FE_TOWARDZERO)))
CVT(rzi_s32_f64, s, d, "rzi.s32.f64", a != a ? INT32_MIN : to_s32(rounded(a, FE_TOWARDZERO)))
CVT(rni_s64_f64, q, d, "rni.s64.f64", to_s64(rounded(a, FE_TONEAREST)))
CVT(rmi_u64_f64, l, d, "rmi.u64.f64", to_u64(rounded(a, FE_DOWNWARD)))
CVT(rni_f32, f, f, "rni.f32.f32", (float)rounded(a, FE_TONEAREST))
CVT(rzi_f32, f, f, "rzi.f32.f32", (float)rounded(a, FE_TOWARDZERO))
CVT(rmi_f32, f, f, "rmi.f32.f32", (float)rounded(a, FE_DOWNWARD))
CVT(rpi_f64, d, d, "rpi.f64.f64", rounded(a, FE_UPWARD))
CVT(rn_f32_f64, f, d, "rn.f32.f64", (narrow<float, double>(a, FE_TONEAREST)))
CVT(rz_f32_f64, f, d, "rz.f32.f64", (narrow<float, double>(a, FE_TOWARDZERO)))
CVT(rm_f32_f64, f, d, "rm.f32.f64", (narrow<float, double>(a, FE_DOWNWARD)))
CVT(rp_f32_f64, f, d, "rp.f32.f64", (narrow<float, double>(a, FE_UPWARD)))
CVT(f64_f32, d, f, "f64.f32", (double)a)
CVT(rn_f32_s32, f, s, "rn.f32.s32", (narrow<float, int32_t>(a, FE_TONEAREST)))
CVT(rz_f32_u32, f, r, "rz.f32.u32", (narrow<float, u32>(a, FE_TOWARDZERO)))
CVT(rp_f32_s64, f, q, "rp.f32.s64", (narrow<float, int64_t>(a, FE_UPWARD)))
CVT(rn_f32_u64, f, l, "rn.f32.u64", (narrow<float, u64>(a, FE_TONEAREST)))
CVT(rn_f64_s32, d, s, "rn.f64.s32", (double)a)
CVT(rn_f64_u64, d, l, "rn.f64.u64", (narrow<double, u64>(a, FE_TONEAREST)))
CVT(rm_f64_s64, d, q, "rm.f64.s64", (narrow<double, int64_t>(a, FE_DOWNWARD)))
CVT(s32_s8, s, r, "s32.s8", (int8_t)a)
CVT(u32_u8, r, r, "u32.u8", (uint8_t)a)
CVT(s64_s16, q, h, "s64.s16", (int16_t)a)
CVT(u16_u64, h, l, "u16.u64", (uint16_t)a)
CVT(s16_s8, h, h, "s16.s8", (uint16_t)(int8_t)a)
CVT(sat_s8_s32, s, s, "sat.s8.s32", clamp(a, -128, 127))
CVT(sat_u8_s32, r, s, "sat.u8.s32", clamp(a, 0, 255))
CVT(sat_s16_s64, h, q, "sat.s16.s64", (uint16_t)clamp(a, -32768, 32767))
CVT(sat_u32_s64, r, q, "sat.u32.s64", clamp(a, 0, UINT32_MAX))
CVT(sat_s32_u32, r, r, "sat.s32.u32", a > INT32_MAX ? INT32_MAX : a)

/* The functions that C programs call for the same. */
struct functions {
	typedef u64 result;
	typedef float first;
	typedef double second;
	typedef int32_t third;
	static __device__ u64 device(float a, double b, int32_t)
	{
		u64 h = (u32)__float2int_rn(a);
		h = h * 31 + __float2uint_rz(a);
		h = h * 31 + (u32)__float2int_ru(a);
		h = h * 31 + (u64)__double2ll_rn(b);
		h = h * 31 + __double2uint_rd(b);
		h = h * 31 + (u32)__double2hiint(b) + (u32)__double2loint(b);
		h = h * 31 +
		    (a != a ? 0 : (u64)(u32)__float_as_int(truncf(a)) + (u32)__float_as_int(rintf(a)));
		return h * 31 + (u32)__float_as_int(__int_as_float(77));
	}
	static u64 host(float a, double b, int32_t)
	{
		u64 h = (u32)to_s32(rounded(a, FE_TONEAREST));
		uint64_t bits;
		uint32_t t, r;
		float truncated = truncf(a), nearest = rintf(a);
		memcpy(&bits, &b, sizeof bits);
		memcpy(&t, &truncated, sizeof t);
		memcpy(&r, &nearest, sizeof r);
		h = h * 31 + to_u32(rounded(a, FE_TOWARDZERO));
		h = h * 31 + (u32)to_s32(rounded(a, FE_UPWARD));
		h = h * 31 + (u64)to_s64(rounded(b, FE_TONEAREST));
		h = h * 31 + (b != b ? UINT32_C(1) << 31 : to_u32(rounded(b, FE_DOWNWARD)));
		h = h * 31 + (u32)(bits >> 32) + (u32)bits;
		h = h * 31 + (a != a ? 0 : (u64)t + r);
		return h * 31 + 77;
	}
};
OP_ENTRY(functions)

OPS("convert")
