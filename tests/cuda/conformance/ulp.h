/* Math functions: the largest error in units of the last place; the host's long double functions are the reference. */
#ifndef SLUICE_CONFORMANCE_ULP_H
#define SLUICE_CONFORMANCE_ULP_H

#include "check.h"

enum { ULP_COUNT = 4096 };

/* One unit in the last place of a type with `digits` bits at x. */
static inline long double ulp_of(long double x, int digits, int lowest)
{
	int exponent;
	if (x == 0)
		return ldexpl(1, lowest - digits + 1);
	frexpl(fabsl(x), &exponent);
	if (exponent - 1 < lowest)
		exponent = lowest + 1;
	return ldexpl(1, exponent - digits);
}

/* Distance of `got` from the correctly rounded result, which is how CUDA documents errors. */
template <typename T> static long double ulp_error(T got, long double want)
{
	const int digits = sizeof(T) == 4 ? 24 : 53, lowest = sizeof(T) == 4 ? -126 : -1022;
	const T rounded = (T)want,
	        largest = sizeof(T) == 4 ? (T)3.4028234663852886e38 : (T)1.7976931348623157e308;
	if (rounded != rounded || got != got)
		return rounded != rounded && got != got ? 0 : 1e30L;
	if (rounded == got)
		return 0;
	if (isinf(rounded) || isinf(got))
		return fabs(rounded) >= largest && fabs(got) >= largest && rounded * got > 0 ? 1 : 1e30L;
	return fabsl((long double)got - rounded) / ulp_of(rounded, digits, lowest);
}

template <typename Op, typename T> __global__ void ulp_kernel(T *out, const T *a, const T *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = Op::device(a[i], b[i]);
}

/* `bound` is the documented maximum. Inputs are evenly spread over [low, high], or over magnitudes if low is 0. */
template <typename Op, typename T>
static void ulp_check(const char *what, double bound, double low, double high)
{
	static T a[ULP_COUNT], b[ULP_COUNT], got[ULP_COUNT];
	for (int i = 0; i < ULP_COUNT; i++) {
		double u = (double)(check_random() >> 11) / 9007199254740992.0;
		double v = (double)(check_random() >> 11) / 9007199254740992.0;
		a[i] = (T)(low + u * (high - low));
		b[i] = (T)(low + v * (high - low));
	}
	T *out = (T *)check_zeros(sizeof got), *da = (T *)check_to_device(a, sizeof a),
	  *db = (T *)check_to_device(b, sizeof b);
	ulp_kernel<Op, T><<<ULP_COUNT / 128, 128>>>(out, da, db);
	check_from_device(got, out, sizeof got);
	CUDA(cudaFree(da));
	CUDA(cudaFree(db));
	long double worst = 0;
	int at = 0;
	for (int i = 0; i < ULP_COUNT; i++) {
		long double error = ulp_error<T>(got[i], Op::host(a[i], b[i]));
		if (error > worst)
			worst = error, at = i;
	}
	printf("%s %s: %.2Lf ulp, at most %g allowed", worst <= bound ? "PASS" : "FAIL", what, worst, bound);
	printf(worst <= bound ? "\n" : " (%.17g, %.17g) gives %.17g\n", (double)a[at], (double)b[at],
	       (double)got[at]);
	check_failures += !(worst <= bound);
}

/* Function of one or two arguments; `exact` computes in long double. */
#define ULP_OP(name, T, expression, exact)                                                                   \
	struct name {                                                                                        \
		static __device__ T device(T x, T y)                                                         \
		{                                                                                            \
			(void)y;                                                                             \
			return expression;                                                                   \
		}                                                                                            \
		static long double host(long double x, long double y)                                        \
		{                                                                                            \
			(void)y;                                                                             \
			return exact;                                                                        \
		}                                                                                            \
	};

#endif
