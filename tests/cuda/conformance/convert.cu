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

#define CVT(name, R, rl, A, al, form, expression)                                                            \
	OP(name, R, rl, A, al, A, al, A, al, "cvt." form " %0, %1;", expression)

CVT(rzi_s32_f32, int32_t, "r", float, "f", "rzi.s32.f32", to_s32(rounded(a, FE_TOWARDZERO)))
CVT(rni_s32_f32, int32_t, "r", float, "f", "rni.s32.f32", to_s32(rounded(a, FE_TONEAREST)))
CVT(rmi_s32_f32, int32_t, "r", float, "f", "rmi.s32.f32", to_s32(rounded(a, FE_DOWNWARD)))
CVT(rpi_s32_f32, int32_t, "r", float, "f", "rpi.s32.f32", to_s32(rounded(a, FE_UPWARD)))
CVT(rzi_u32_f32, u32, "r", float, "f", "rzi.u32.f32", to_u32(rounded(a, FE_TOWARDZERO)))
CVT(rpi_u32_f32, u32, "r", float, "f", "rpi.u32.f32", to_u32(rounded(a, FE_UPWARD)))
CVT(rzi_s64_f32, int64_t, "l", float, "f", "rzi.s64.f32", to_s64(rounded(a, FE_TOWARDZERO)))
CVT(rzi_u64_f32, u64, "l", float, "f", "rzi.u64.f32", to_u64(rounded(a, FE_TOWARDZERO)))
CVT(rzi_s32_f64, int32_t, "r", double, "d", "rzi.s32.f64",
    a != a ? INT32_MIN : to_s32(rounded(a, FE_TOWARDZERO)))
CVT(rni_s64_f64, int64_t, "l", double, "d", "rni.s64.f64", to_s64(rounded(a, FE_TONEAREST)))
CVT(rmi_u64_f64, u64, "l", double, "d", "rmi.u64.f64", to_u64(rounded(a, FE_DOWNWARD)))
CVT(rni_f32, float, "f", float, "f", "rni.f32.f32", (float)rounded(a, FE_TONEAREST))
CVT(rzi_f32, float, "f", float, "f", "rzi.f32.f32", (float)rounded(a, FE_TOWARDZERO))
CVT(rmi_f32, float, "f", float, "f", "rmi.f32.f32", (float)rounded(a, FE_DOWNWARD))
CVT(rpi_f64, double, "d", double, "d", "rpi.f64.f64", rounded(a, FE_UPWARD))
CVT(rn_f32_f64, float, "f", double, "d", "rn.f32.f64", (narrow<float, double>(a, FE_TONEAREST)))
CVT(rz_f32_f64, float, "f", double, "d", "rz.f32.f64", (narrow<float, double>(a, FE_TOWARDZERO)))
CVT(rm_f32_f64, float, "f", double, "d", "rm.f32.f64", (narrow<float, double>(a, FE_DOWNWARD)))
CVT(rp_f32_f64, float, "f", double, "d", "rp.f32.f64", (narrow<float, double>(a, FE_UPWARD)))
CVT(f64_f32, double, "d", float, "f", "f64.f32", (double)a)
CVT(rn_f32_s32, float, "f", int32_t, "r", "rn.f32.s32", (narrow<float, int32_t>(a, FE_TONEAREST)))
CVT(rz_f32_u32, float, "f", u32, "r", "rz.f32.u32", (narrow<float, u32>(a, FE_TOWARDZERO)))
CVT(rp_f32_s64, float, "f", int64_t, "l", "rp.f32.s64", (narrow<float, int64_t>(a, FE_UPWARD)))
CVT(rn_f32_u64, float, "f", u64, "l", "rn.f32.u64", (narrow<float, u64>(a, FE_TONEAREST)))
CVT(rn_f64_s32, double, "d", int32_t, "r", "rn.f64.s32", (double)a)
CVT(rn_f64_u64, double, "d", u64, "l", "rn.f64.u64", (narrow<double, u64>(a, FE_TONEAREST)))
CVT(rm_f64_s64, double, "d", int64_t, "l", "rm.f64.s64", (narrow<double, int64_t>(a, FE_DOWNWARD)))
CVT(s32_s8, int32_t, "r", u32, "r", "s32.s8", (int8_t)a)
CVT(u32_u8, u32, "r", u32, "r", "u32.u8", (uint8_t)a)
CVT(s64_s16, int64_t, "l", uint16_t, "h", "s64.s16", (int16_t)a)
CVT(u16_u64, uint16_t, "h", u64, "l", "u16.u64", (uint16_t)a)
CVT(s16_s8, uint16_t, "h", uint16_t, "h", "s16.s8", (uint16_t)(int8_t)a)
CVT(sat_s8_s32, int32_t, "r", int32_t, "r", "sat.s8.s32", clamp(a, -128, 127))
CVT(sat_u8_s32, u32, "r", int32_t, "r", "sat.u8.s32", clamp(a, 0, 255))
CVT(sat_s16_s64, uint16_t, "h", int64_t, "l", "sat.s16.s64", (uint16_t)clamp(a, -32768, 32767))
CVT(sat_u32_s64, u32, "r", int64_t, "l", "sat.u32.s64", clamp(a, 0, UINT32_MAX))
CVT(sat_s32_u32, u32, "r", u32, "r", "sat.s32.u32", a > INT32_MAX ? INT32_MAX : a)

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

int main(void)
{
	CHECK_OP(rzi_s32_f32);
	CHECK_OP(rni_s32_f32);
	CHECK_OP(rmi_s32_f32);
	CHECK_OP(rpi_s32_f32);
	CHECK_OP(rzi_u32_f32);
	CHECK_OP(rpi_u32_f32);
	CHECK_OP(rzi_s64_f32);
	CHECK_OP(rzi_u64_f32);
	CHECK_OP(rzi_s32_f64);
	CHECK_OP(rni_s64_f64);
	CHECK_OP(rmi_u64_f64);
	CHECK_OP(rni_f32);
	CHECK_OP(rzi_f32);
	CHECK_OP(rmi_f32);
	CHECK_OP(rpi_f64);
	CHECK_OP(rn_f32_f64);
	CHECK_OP(rz_f32_f64);
	CHECK_OP(rm_f32_f64);
	CHECK_OP(rp_f32_f64);
	CHECK_OP(f64_f32);
	CHECK_OP(rn_f32_s32);
	CHECK_OP(rz_f32_u32);
	CHECK_OP(rp_f32_s64);
	CHECK_OP(rn_f32_u64);
	CHECK_OP(rn_f64_s32);
	CHECK_OP(rn_f64_u64);
	CHECK_OP(rm_f64_s64);
	CHECK_OP(s32_s8);
	CHECK_OP(u32_u8);
	CHECK_OP(s64_s16);
	CHECK_OP(u16_u64);
	CHECK_OP(s16_s8);
	CHECK_OP(sat_s8_s32);
	CHECK_OP(sat_u8_s32);
	CHECK_OP(sat_s16_s64);
	CHECK_OP(sat_u32_s64);
	CHECK_OP(sat_s32_u32);
	CHECK_OP(functions);
	return check_finish("convert");
}
