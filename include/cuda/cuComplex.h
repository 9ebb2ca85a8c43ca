/* Complex numbers as float2 and double2, on both sides and in C. */
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include <math.h>

#include "vector_functions.h"
#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define SLUICE_COMPLEX static __inline__ __host__ __device__ __attribute__((unused))

/* f: "f" or nothing; the names end in it, and those of math.h, too. Division and modulus scale against overflow. */
#define SLUICE_DEFINE_COMPLEX(type, real, suffix, make, f)                                                   \
	SLUICE_COMPLEX real cuCreal##suffix(type a)                                                          \
	{                                                                                                    \
		return a.x;                                                                                  \
	}                                                                                                    \
	SLUICE_COMPLEX real cuCimag##suffix(type a)                                                          \
	{                                                                                                    \
		return a.y;                                                                                  \
	}                                                                                                    \
	SLUICE_COMPLEX type cuConj##suffix(type a)                                                           \
	{                                                                                                    \
		return make(a.x, -a.y);                                                                      \
	}                                                                                                    \
	SLUICE_COMPLEX type cuCadd##suffix(type a, type b)                                                   \
	{                                                                                                    \
		return make(a.x + b.x, a.y + b.y);                                                           \
	}                                                                                                    \
	SLUICE_COMPLEX type cuCsub##suffix(type a, type b)                                                   \
	{                                                                                                    \
		return make(a.x - b.x, a.y - b.y);                                                           \
	}                                                                                                    \
	SLUICE_COMPLEX type cuCmul##suffix(type a, type b)                                                   \
	{                                                                                                    \
		return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                   \
	}                                                                                                    \
	SLUICE_COMPLEX type cuCdiv##suffix(type a, type b)                                                   \
	{                                                                                                    \
		real scale = 1 / (fabs##f(b.x) + fabs##f(b.y));                                              \
		real ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;                 \
		real inverse = 1 / (bx * bx + by * by);                                                      \
		return make((ax * bx + ay * by) * inverse, (ay * bx - ax * by) * inverse);                   \
	}                                                                                                    \
	SLUICE_COMPLEX real cuCabs##suffix(type a)                                                           \
	{                                                                                                    \
		return hypot##f(a.x, a.y);                                                                   \
	}                                                                                                    \
	SLUICE_COMPLEX type cuCfma##suffix(type a, type b, type c)                                           \
	{                                                                                                    \
		return make(a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x);                       \
	}

SLUICE_COMPLEX cuFloatComplex make_cuFloatComplex(float x, float y)
{
	return make_float2(x, y);
}
SLUICE_COMPLEX cuDoubleComplex make_cuDoubleComplex(double x, double y)
{
	return make_double2(x, y);
}
SLUICE_COMPLEX cuComplex make_cuComplex(float x, float y)
{
	return make_float2(x, y);
}
SLUICE_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a)
{
	return make_double2((double)a.x, (double)a.y);
}
SLUICE_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a)
{
	return make_float2((float)a.x, (float)a.y);
}
SLUICE_DEFINE_COMPLEX(cuFloatComplex, float, f, make_cuFloatComplex, f)
SLUICE_DEFINE_COMPLEX(cuDoubleComplex, double, , make_cuDoubleComplex, )

#undef SLUICE_DEFINE_COMPLEX
#undef SLUICE_COMPLEX

#endif
