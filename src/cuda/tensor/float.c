/*
 * Whole floating-point products, eight columns at a time.
 *
 * The same numbers as element.c gives, where nothing special happens:
 * all factors finite and, but for halves, normal or zero, all products well
 * inside of the range of single precision, where they are exact, and sums of
 * 31 bits. Whatever else, element by element.
 */
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "cuda/lanes/loop.h"
#include "cuda/tensor/tensor.h"

enum {
	COLUMNS = 8,
	BLOCK_MAX = 16,
	FRACTION_BITS = 25,
	LOWEST = -90, /* exponents of products and sums for which nothing under- or overflows */
	HIGHEST = 90
};

typedef float v8f __attribute__((vector_size(32)));
typedef int32_t v8i __attribute__((vector_size(32)));
typedef uint32_t v8u __attribute__((vector_size(32)));
typedef uint16_t v8h __attribute__((vector_size(16)));
typedef int64_t v4l __attribute__((vector_size(32)));

/*
 * Rows of A as single precision, with exponents as that has them; those of zero and of subnormal numbers are the
 * smallest of the type. Behind k are zeros.
 */
struct factors {
	_Alignas(64) float value[TENSOR_M_MAX][BLOCK_MAX];
	_Alignas(64) uint16_t exponent[TENSOR_M_MAX][BLOCK_MAX];
};

/* Eight columns of B, one k after the other. */
struct tiles {
	_Alignas(64) float value[BLOCK_MAX][COLUMNS];
	_Alignas(64) uint16_t exponent[BLOCK_MAX][COLUMNS];
};

/* A loop of up to BLOCK_MAX rounds, unrolled. */
#if defined(__clang__)
#define TENSOR_UNROLLED _Pragma("clang loop unroll(full)")
#else
#define TENSOR_UNROLLED _Pragma("GCC unroll 16")
#endif

/* ---- what does not depend on the host -------------------------------------------------------------------- */

/* What came up among the factors: the smallest and largest exponent fields of numbers other than zero; */
struct found {
	v8i lowest, highest;
	v8i odd; /* and whether there were NaNs, infinities, subnormal numbers of eight exponent bits */
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

/* total x 2^scale, to nearest, ties to even; above 65519 infinity. */
static uint16_t half_of(int32_t total, int32_t scale)
{
	uint64_t bits = (uint64_t)(scale + 1023) << 52;
	double v;
	memcpy(&v, &bits, sizeof v);
	v *= total;
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

/* Towards zero: what single precision has no room for, the last bits of numbers with more than 24, is cleared. */
LANE_INLINE v8f cut_off_base(v8i total)
{
	v8i sign = total >> 31, magnitude = (total ^ sign) - sign;
	v8i more = (v8i)((v8u)magnitude >> 24); /* of the smallest integer, too */
	more |= more >> 1;
	more |= more >> 2;
	more |= more >> 4;
	magnitude &= ~more;
	return __builtin_convertvector((magnitude ^ sign) - sign, v8f);
}

/* The largest exponents of the products of rows x and y with eight columns, one row's behind the other's. */
LANE_INLINE void largest_of_rows_base(const uint16_t *x, const uint16_t *y, const struct tiles *b, unsigned k,
                                      v8h largest[2])
{
	v8h of_x = {0}, of_y = {0};
	TENSOR_UNROLLED
	for (unsigned i = 0; i < k; i++) {
		v8h column;
		memcpy(&column, b->exponent[i], sizeof column);
		v8h with_x = column + x[i], with_y = column + y[i];
		v8h more_x = (v8h)(with_x > of_x), more_y = (v8h)(with_y > of_y);
		of_x = (with_x & more_x) | (of_x & ~more_x);
		of_y = (with_y & more_y) | (of_y & ~more_y);
	}
	largest[0] = of_x;
	largest[1] = of_y;
}

/* Halves have faster ways on some hosts; false: not here. */
LANE_INLINE bool unpack_halves_base(const struct tensor_data *t, unsigned rows, struct factors *a, v8i *odd)
{
	(void)t, (void)rows, (void)a, (void)odd;
	return false;
}

LANE_INLINE bool take_half_columns_base(const struct tensor_data *t, unsigned col, struct tiles *b, v8i *odd)
{
	(void)t, (void)col, (void)b, (void)odd;
	return false;
}
#include "cuda/tensor/float_body.def"
#undef TENSOR_NAME
#undef TENSOR_INLINE

void tensor_product_float(const struct tensor_op *op, struct tensor_data *t)
{
	product_base(op, t);
}

/* ---- for those with AVX2 --------------------------------------------------------------------------------- */

#if defined(__x86_64__)
/* Every processor with AVX2 converts halves, too. */
#define TENSOR_WIDE __attribute__((target("avx2,fma,f16c")))
#define TENSOR_NAME(name) name##_avx2
#define TENSOR_INLINE TENSOR_WIDE LANE_INLINE

TENSOR_INLINE bool any_set_avx2(v8i v)
{
	return !_mm256_testz_si256((__m256i)v, (__m256i)v);
}

TENSOR_INLINE v8i larger_avx2(v8i x, v8i y)
{
	return (v8i)_mm256_max_epi32((__m256i)x, (__m256i)y);
}

/*
 * To nearest, and one unit less where that is more than the number was. Of 2^31, for which the host has the smallest
 * integer, the difference is negative, too.
 */
TENSOR_INLINE v8f cut_off_avx2(v8i total)
{
	v8i sign = total >> 31;
	v8f nearest = __builtin_convertvector(total, v8f);
	v8u back = (v8u)_mm256_cvttps_epi32((__m256)nearest);
	v8i excess = (v8i)((v8u)(total ^ sign) - (back ^ (v8u)sign));
	return (v8f)((v8i)nearest + (excess >> 31));
}

/* Word i of each half of a vector, eight times. */
TENSOR_INLINE __m256i spread_avx2(__m256i words, unsigned i)
{
	return _mm256_shuffle_epi8(words, _mm256_set1_epi16((short)(0x0100 + 0x0202 * i)));
}

TENSOR_INLINE void largest_of_rows_avx2(const uint16_t *x, const uint16_t *y, const struct tiles *b,
                                        unsigned k, v8h largest[2])
{
	__m256i all = _mm256_setzero_si256();
	TENSOR_UNROLLED
	for (unsigned first = 0; first < k; first += 8) {
		__m256i rows = _mm256_loadu2_m128i((const __m128i *)(const void *)(y + first),
		                                   (const __m128i *)(const void *)(x + first));
		TENSOR_UNROLLED
		for (unsigned i = 0; i < 8; i++) {
			__m128i column =
			    _mm_load_si128((const __m128i *)(const void *)b->exponent[first + i]);
			__m256i sum =
			    _mm256_add_epi16(_mm256_broadcastsi128_si256(column), spread_avx2(rows, i));
			all = _mm256_max_epu16(all, sum);
		}
	}
	largest[0] = (v8h)_mm256_castsi256_si128(all);
	largest[1] = (v8h)_mm256_extracti128_si256(all, 1);
}

/* Exponent fields of halves, with the bias of single precision; all bits of `odd` where they are NaN or infinite. */
TENSOR_INLINE __m128i half_exponents_avx2(__m128i halves, __m128i *odd)
{
	__m128i field = _mm_and_si128(_mm_srli_epi16(halves, 10), _mm_set1_epi16(31));
	*odd = _mm_or_si128(*odd, _mm_cmpeq_epi16(field, _mm_set1_epi16(31)));
	return _mm_add_epi16(_mm_max_epu16(field, _mm_set1_epi16(1)), _mm_set1_epi16(112));
}

TENSOR_INLINE bool unpack_halves_avx2(const struct tensor_data *t, unsigned rows, struct factors *a, v8i *odd)
{
	__m256i highest = _mm256_setzero_si256();
	for (unsigned row = 0; row < rows; row++) {
		__m256i halves = _mm256_load_si256((const __m256i *)(const void *)t->a[row]);
		__m256i field = _mm256_and_si256(_mm256_srli_epi16(halves, 10), _mm256_set1_epi16(31));
		highest = _mm256_max_epu16(highest, field);
		field =
		    _mm256_add_epi16(_mm256_max_epu16(field, _mm256_set1_epi16(1)), _mm256_set1_epi16(112));
		_mm256_store_si256((__m256i *)(void *)a->exponent[row], field);
		_mm256_store_ps(a->value[row], _mm256_cvtph_ps(_mm256_castsi256_si128(halves)));
		_mm256_store_ps(a->value[row] + 8, _mm256_cvtph_ps(_mm256_extracti128_si256(halves, 1)));
	}
	*odd |= (v8i)_mm256_cmpeq_epi16(highest, _mm256_set1_epi16(31));
	return true;
}

/* Eight rows of eight halves become eight columns. */
TENSOR_INLINE void turn_halves_avx2(const uint8_t (*from)[TENSOR_ROW_BYTES], unsigned at, __m128i to[8])
{
	__m128i x[8], y[8];
	for (unsigned i = 0; i < 4; i++) {
		__m128i p = _mm_load_si128((const __m128i *)(const void *)(from[i] + at)),
		        q = _mm_load_si128((const __m128i *)(const void *)(from[i + 4] + at));
		x[2 * i] = _mm_unpacklo_epi16(p, q);
		x[2 * i + 1] = _mm_unpackhi_epi16(p, q);
	}
	for (unsigned i = 0; i < 4; i++) {
		y[2 * i] = _mm_unpacklo_epi16(x[i], x[i + 4]);
		y[2 * i + 1] = _mm_unpackhi_epi16(x[i], x[i + 4]);
	}
	for (unsigned i = 0; i < 4; i++) {
		to[2 * i] = _mm_unpacklo_epi16(y[i], y[i + 4]);
		to[2 * i + 1] = _mm_unpackhi_epi16(y[i], y[i + 4]);
	}
}

TENSOR_INLINE bool take_half_columns_avx2(const struct tensor_data *t, unsigned col, struct tiles *b,
                                          v8i *odd)
{
	__m128i found = _mm_setzero_si128(), turned[8];
	for (unsigned first = 0; first < BLOCK_MAX; first += 8) {
		turn_halves_avx2(t->b + col, 2 * first, turned);
		for (unsigned i = 0; i < 8; i++) {
			_mm256_store_ps(b->value[first + i], _mm256_cvtph_ps(turned[i]));
			_mm_store_si128((__m128i *)(void *)b->exponent[first + i],
			                half_exponents_avx2(turned[i], &found));
		}
	}
	*odd |= (v8i)_mm256_broadcastsi128_si256(found);
	return true;
}
#include "cuda/tensor/float_body.def"

TENSOR_WIDE void tensor_product_float_wide(const struct tensor_op *op, struct tensor_data *t)
{
	product_avx2(op, t);
}
#else
void tensor_product_float_wide(const struct tensor_op *op, struct tensor_data *t)
{
	product_base(op, t);
}
#endif
