/*
 * Whole floating-point products, eight columns at a time.
 *
 * The same numbers as tensor_element.c gives, where nothing special happens:
 * all factors finite and normal or zero, and all products well inside of the
 * range of single precision, where they are exact. Whatever else, element by
 * element.
 */
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "cuda/lanes/lanes_loop.h"
#include "cuda/tensor/tensor.h"

enum {
	COLUMNS = 8,
	BLOCK_MAX = 16,
	FRACTION_BITS = 25,
	LOWEST = -90, /* exponents of products and sums for which nothing under- or overflows */
	HIGHEST = 90
};

/* Functions that take or give vectors are all inlined: no call depends on how those would be passed. */
#pragma GCC diagnostic ignored "-Wpsabi"
typedef float v8f __attribute__((vector_size(32)));
typedef int32_t v8i __attribute__((vector_size(32)));
typedef uint32_t v8u __attribute__((vector_size(32)));
typedef uint16_t v8h __attribute__((vector_size(16)));
typedef int64_t v4l __attribute__((vector_size(32)));
typedef double v8d __attribute__((vector_size(64)));
typedef int64_t v8l __attribute__((vector_size(64)));

/* Factors as single precision, with their exponents as that has them (0: zero). */
struct factors {
	_Alignas(64) float value[TENSOR_M_MAX * BLOCK_MAX];
	_Alignas(64) int32_t exponent[TENSOR_M_MAX * BLOCK_MAX];
};

/* Eight columns of B, one k after the other. */
struct tiles {
	_Alignas(64) float value[BLOCK_MAX * COLUMNS];
	_Alignas(64) int32_t exponent[BLOCK_MAX * COLUMNS];
};

/* ---- what does not depend on the host -------------------------------------------------------------------- */

/* What came up among the factors: the smallest and largest exponent fields of numbers other than zero; */
struct found {
	v8i lowest, highest;
	v8i odd; /* and whether there were subnormal numbers, NaNs, infinities */
};

static const struct found nothing_found = {.lowest = {254, 254, 254, 254, 254, 254, 254, 254}};

/* Of the eight columns of a vector. */
static int32_t smallest_of(const v8i *v, int32_t sign)
{
	int32_t best = sign * (*v)[0];
	for (unsigned i = 1; i < COLUMNS; i++)
		best = sign * (*v)[i] < best ? sign * (*v)[i] : best;
	return best;
}

/* Whether sums of exponents of both stay where single precision is exact; fields have a bias of 127. */
static bool is_plain(const struct found *a, const struct found *b)
{
	int32_t lowest = smallest_of(&a->lowest, 1) + smallest_of(&b->lowest, 1);
	int32_t highest = -smallest_of(&a->highest, -1) - smallest_of(&b->highest, -1);
	return lowest - 254 >= LOWEST && highest - 254 <= HIGHEST;
}

/* Nearest, ties to even, of a number below 2^17; above 65519 infinity. */
static uint16_t half_of(double v)
{
	uint64_t bits;
	memcpy(&bits, &v, sizeof bits);
	uint32_t sign = (uint32_t)(bits >> 48 & 0x8000);
	double magnitude = v < 0 ? -v : v;
	if (magnitude >= 65520)
		return (uint16_t)(sign | 0x7c00);
	/* Adding a power of two leaves the rounded number in the last ten bits, or the multiple of 2^-24. */
	int exponent = magnitude < 0x1p-14 ? -14 : (int)(bits >> 52 & 2047) - 1023;
	uint64_t unit = (uint64_t)(exponent + 42 + 1023) << 52, rounded;
	double big;
	memcpy(&big, &unit, sizeof big);
	double sum = magnitude + big;
	memcpy(&rounded, &sum, sizeof rounded);
	uint32_t kept = (uint32_t)(rounded - unit); /* in units of 2^(exponent - 10) */
	uint32_t field = magnitude < 0x1p-14 ? 0 : (uint32_t)(exponent + 14);
	return (uint16_t)(sign | (kept + (field << 10)));
}

static void row_with_care(const struct tensor_op *op, struct tensor_data *t, unsigned row, unsigned col)
{
	unsigned c_bytes = op->type_c == PTX_TYPE_f16 ? 2 : 4, d_bytes = op->type_d == PTX_TYPE_f16 ? 2 : 4;
	for (unsigned i = col; i < col + COLUMNS; i++) {
		size_t at = (size_t)row * op->n + i;
		uint32_t c = 0, d;
		memcpy(&c, t->c + at * c_bytes, c_bytes);
		d = tensor_element(op, t->a[row], t->b[i], c);
		memcpy(t->d + at * d_bytes, &d, d_bytes);
	}
}

/* ---- for every host -------------------------------------------------------------------------------------- */

#define TENSOR_NAME(name) name##_base
#define TENSOR_INLINE LANE_INLINE

LANE_INLINE bool any_set_base(v8i v)
{
	v4l x = (v4l)v;
	return (x[0] | x[1] | x[2] | x[3]) != 0;
}

LANE_INLINE v8i larger_base(v8i x, v8i y)
{
	v8i m = x > y;
	return (x & m) | (y & ~m);
}
#include "cuda/tensor/tensor_float_body.def"
#undef TENSOR_NAME
#undef TENSOR_INLINE

void tensor_product_float(const struct tensor_op *op, struct tensor_data *t)
{
	product_base(op, t);
}

/* ---- for those with AVX2 --------------------------------------------------------------------------------- */

#if defined(__x86_64__)
#define TENSOR_NAME(name) name##_avx2
#define TENSOR_INLINE LANE_WIDE LANE_INLINE

LANE_WIDE LANE_INLINE bool any_set_avx2(v8i v)
{
	return !_mm256_testz_si256((__m256i)v, (__m256i)v);
}

LANE_WIDE LANE_INLINE v8i larger_avx2(v8i x, v8i y)
{
	return (v8i)_mm256_max_epi32((__m256i)x, (__m256i)y);
}
#include "cuda/tensor/tensor_float_body.def"

LANE_WIDE void tensor_product_float_wide(const struct tensor_op *op, struct tensor_data *t)
{
	product_avx2(op, t);
}
#else
void tensor_product_float_wide(const struct tensor_op *op, struct tensor_data *t)
{
	product_base(op, t);
}
#endif
