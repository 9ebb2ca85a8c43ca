/*
 * Functions of CUDA's mathematics that the C library lacks.
 *
 * Evaluated in long double, so that rounding to double leaves an error of about
 * one unit in the last place. Inverses start from a rational estimate (Hastings,
 * in Abramowitz and Stegun 26.2.22) and take Halley steps.
 */
#include <math.h>

#include "cuda/lanes/native.h"

#define PI_L 3.141592653589793238462643383279502884L
#define SQRT2_L 1.414213562373095048801688724209698079L
#define TWO_OVER_SQRT_PI_L 1.128379167095512573896158903121545172L

/* ---- error function and normal distribution ------------------------------------------------------------ */

/* For |x| <= 1/2. */
static long double erfinv_middle(long double x)
{
	long double y = x * (0.886226925452758L + 0.232013666534655L * x * x);
	for (int i = 0; i < 4; i++) {
		long double error = (erfl(y) - x) / (TWO_OVER_SQRT_PI_L * expl(-y * y));
		y -= error / (1 + y * error);
	}
	return y;
}

/* For 0 < q <= 1/2. */
static long double erfcinv_tail(long double q)
{
	long double t = sqrtl(-2 * logl(q / 2));
	long double y = (t - (2.30753L + t * 0.27061L) / (1 + t * (0.99229L + t * 0.04481L))) / SQRT2_L;
	for (int i = 0; i < 5; i++) {
		long double error = (erfcl(y) - q) / (TWO_OVER_SQRT_PI_L * expl(-y * y));
		y += error / (1 - y * error);
	}
	return y;
}

/* 1 - x and 2 - x are exact where they are taken. */
long double native_erfinv(double x)
{
	if (!(fabs(x) <= 1))
		return NAN;
	if (fabs(x) == 1)
		return copysign(INFINITY, x);
	if (fabs(x) <= 0.5)
		return x == 0 ? x : erfinv_middle(x);
	return copysignl(erfcinv_tail(1 - fabsl((long double)x)), x);
}

long double native_erfcinv(double x)
{
	if (!(x >= 0 && x <= 2))
		return NAN;
	if (x == 0 || x == 2)
		return x == 0 ? INFINITY : -INFINITY;
	if (x < 0.5)
		return erfcinv_tail(x);
	return x > 1.5 ? -erfcinv_tail(2 - (long double)x) : erfinv_middle(1 - (long double)x);
}

long double native_normcdf(double x)
{
	return erfcl(-(long double)x / SQRT2_L) / 2;
}

long double native_normcdfinv(double x)
{
	return -SQRT2_L * native_erfcinv(2 * x);
}

/* exp(x^2) erfc(x): by its continued fraction where the product would lose digits. */
long double native_erfcx(double x)
{
	long double z = x, fraction = z;
	if (x < 5)
		return x < -27 ? (long double)INFINITY : expl(z * z) * erfcl(z);
	for (int k = 60; k >= 1; k--)
		fraction = z + (k / 2.0L) / fraction;
	return TWO_OVER_SQRT_PI_L / 2 / fraction;
}

double native_lgamma(double x)
{
	int sign;
	return lgamma_r(x, &sign);
}

/* ---- Bessel functions of imaginary argument ------------------------------------------------------------ */

/* I_n for n = 0 and 1: the power series, and beyond 30 the asymptotic one. */
static long double bessel_i(int n, long double x)
{
	long double term = n ? x / 2 : 1, sum = term, quarter = x * x / 4;
	if (x < 30) {
		for (int k = 1; k < 120; k++)
			sum += term *= quarter / ((long double)k * (k + n));
		return sum;
	}
	term = sum = 1;
	for (int k = 1; k < 40; k++) {
		long double odd = 2 * k - 1;
		long double factor = (odd * odd - 4 * n * n) / (8 * k * x);
		if (fabsl(factor) >= 1)
			break;
		sum += term *= factor;
	}
	return expl(x) / sqrtl(2 * PI_L * x) * sum;
}

long double native_bessel_i0(double x)
{
	return isinf(x) ? (long double)INFINITY : bessel_i(0, fabsl((long double)x));
}

long double native_bessel_i1(double x)
{
	if (isinf(x) || isnan(x))
		return x;
	return copysignl(bessel_i(1, fabsl((long double)x)), x);
}

/* ---- circular functions of multiples of pi ------------------------------------------------------------- */

/* Whole turns are taken off exactly; what is left is within a quarter turn of a multiple of pi / 2. */
long double native_sinpi(double x)
{
	double turn = remainder(x, 2.0);
	if (!isfinite(x))
		return NAN;
	if (turn == rint(turn))
		return copysign(0.0, x);
	if (fabs(turn) > 0.5)
		return copysignl(sinl(PI_L * (1 - fabsl((long double)turn))), turn);
	return sinl(PI_L * turn);
}

long double native_cospi(double x)
{
	double turn = fabs(remainder(x, 2.0));
	if (!isfinite(x))
		return NAN;
	if (turn == 0.5)
		return 0.0;
	if (turn < 0.25)
		return cosl(PI_L * turn);
	return turn > 0.75 ? -cosl(PI_L * (1 - (long double)turn)) : sinl(PI_L * (0.5L - turn));
}

/* ---- lengths ------------------------------------------------------------------------------------------- */

long double native_norm(double x, double y, double z, double w)
{
	long double p = x, q = y, r = z, s = w;
	if (isinf(x) || isinf(y) || isinf(z) || isinf(w))
		return INFINITY;
	return sqrtl(p * p + q * q + r * r + s * s);
}
