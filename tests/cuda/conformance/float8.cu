/* cuda_fp8.h: every value of both formats, and rounding to nearest even with and without saturation. */
#include "check.h"
#include <cuda_fp8.h>

enum { STEPS = 4096 };

/* The format by its definition, without bit tricks. */
static double value_of(unsigned x, int fraction_bits, int bias, unsigned most)
{
	unsigned magnitude = x & 0x7f, e = magnitude >> fraction_bits,
	         f = magnitude & ((1u << fraction_bits) - 1);
	if (magnitude > most)
		return NAN;
	double v = ldexp(e ? f + (1 << fraction_bits) : f, (int)(e ? e : 1) - bias - fraction_bits);
	return x & 0x80 ? -v : v;
}

/* The nearest of all finite values; of two, the even one. */
static unsigned nearest(double x, int fraction_bits, int bias, unsigned most)
{
	unsigned best = 0;
	for (unsigned k = 0; k <= most; k++) {
		double d = fabs(value_of(k, fraction_bits, bias, most) - fabs(x)),
		       b = fabs(value_of(best, fraction_bits, bias, most) - fabs(x));
		if (d < b || (d == b && !(k & 1)))
			best = k;
	}
	return best | (signbit(x) ? 0x80u : 0);
}

__host__ __device__ static float sample(int i)
{
	return (float)(i - STEPS / 2) * (i & 1 ? 0.37f : 0.0043f);
}

__global__ void run(unsigned char *out, float *values)
{
	for (int i = (int)threadIdx.x; i < STEPS; i += (int)blockDim.x) {
		out[2 * i] = __nv_fp8_e4m3(sample(i)).__x;
		out[2 * i + 1] = __nv_fp8_e5m2(sample(i)).__x;
	}
	for (int i = (int)threadIdx.x; i < 256; i += (int)blockDim.x) {
		__nv_fp8_e4m3 a;
		__nv_fp8_e5m2 b;
		a.__x = b.__x = (unsigned char)i;
		values[2 * i] = (float)a;
		values[2 * i + 1] = (float)b;
	}
}

int main(void)
{
	static unsigned char want[2 * STEPS];
	static float want_values[512];
	for (int i = 0; i < STEPS; i++) {
		want[2 * i] = (unsigned char)nearest(sample(i), 3, 7, 0x7e);
		want[2 * i + 1] = (unsigned char)nearest(sample(i), 2, 15, 0x7b);
	}
	for (int i = 0; i < 256; i++) {
		want_values[2 * i] = (float)value_of((unsigned)i, 3, 7, 0x7e);
		want_values[2 * i + 1] = (i & 0x7f) == 0x7c ? (i & 0x80 ? -INFINITY : INFINITY)
		                                            : (float)value_of((unsigned)i, 2, 15, 0x7b);
	}
	float *values = zeros_like(want_values);
	check_run("rounding to eight bits", want, [&](unsigned char *out) { run<<<1, 64>>>(out, values); });
	check_device("values of eight bits", values, want_values);
	check_equal("e5m2 overflows to infinity", __nv_cvt_float_to_fp8(1e9f, __NV_NOSAT, __NV_E5M2), 0x7c);
	check_equal("e4m3 overflows to NaN", __nv_cvt_float_to_fp8(-1e9f, __NV_NOSAT, __NV_E4M3), 0xff);
	check_equal("saturated", __nv_cvt_float_to_fp8(-INFINITY, __NV_SATFINITE, __NV_E4M3), 0xfe);
	return check_finish("float8");
}
