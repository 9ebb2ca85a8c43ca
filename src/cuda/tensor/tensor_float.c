/*
 * Whole floating-point products, eight columns at a time.
 *
 * The same numbers as tensor_element.c gives, where nothing special happens:
 * all factors finite and normal or zero, and all products well inside of the
 * range of single precision, where they are exact. Whatever else, element by
 * element.
 */
#include <string.h>

#include "cuda/lanes/lanes_loop.h"
#include "cuda/tensor/tensor.h"

enum {
	COLUMNS = 8,
	FRACTION_BITS = 25,
	LOWEST = -90, /* exponents of products and sums for which nothing under- or overflows */
	HIGHEST = 90
};

typedef float v8f __attribute__((vector_size(32)));
typedef int32_t v8i __attribute__((vector_size(32)));
typedef double v8d __attribute__((vector_size(64)));
typedef int64_t v8l __attribute__((vector_size(64)));

/* Factors as single precision, with their exponents as that has them (0: zero). */
struct factors {
	_Alignas(64) float value[TENSOR_M_MAX * TENSOR_K_MAX];
	_Alignas(64) int32_t exponent[TENSOR_M_MAX * TENSOR_K_MAX];
};

/* ---- unpacking ------------------------------------------------------------------------------------------- */

/* What came up among the factors: `lowest` and `highest` exponent fields of numbers other than zero. */
struct found {
	int32_t lowest, highest;
	uint32_t odd; /* subnormal numbers, NaNs, infinities */
};

/* Bits of single precision for half precision; what is odd is only marked. */
LANE_INLINE void unpack_half(const uint8_t *row, float *value, int32_t *exponent, unsigned count,
                             struct found *found)
{
	int32_t lowest = found->lowest, highest = found->highest;
	uint32_t odd = found->odd;
	LANE_INDEPENDENT for (unsigned i = 0; i < count; i++)
	{
		uint16_t h;
		memcpy(&h, row + 2 * (size_t)i, sizeof h);
		uint32_t magnitude = h & 0x7fffu, sign = (uint32_t)(h & 0x8000u) << 16;
		int32_t field = (int32_t)(magnitude >> 10);
		uint32_t bits = magnitude ? (magnitude << 13) + (112u << 23) : 0;
		int32_t e = magnitude ? field + 112 : 0;
		odd |= (uint32_t)(field == 31) | (uint32_t)(field == 0 && magnitude);
		lowest = magnitude && e < lowest ? e : lowest;
		highest = e > highest ? e : highest;
		exponent[i] = e;
		((lane_u32 *)value)[i] = bits | sign;
	}
	*found = (struct found){lowest, highest, odd};
}

/* bf16 and tf32 are parts of single precision. */
LANE_INLINE void unpack_word(uint32_t bits, float *value, int32_t *exponent, struct found *found)
{
	uint32_t magnitude = bits & 0x7fffffffu;
	int32_t e = (int32_t)(magnitude >> 23);
	found->odd |= (uint32_t)(e == 255) | (uint32_t)(e == 0 && magnitude);
	found->lowest = magnitude && e < found->lowest ? e : found->lowest;
	found->highest = e > found->highest ? e : found->highest;
	*exponent = e;
	memcpy(value, &bits, sizeof bits);
}

LANE_INLINE void unpack(enum ptx_type type, const uint8_t *row, float *value, int32_t *exponent,
                        unsigned count, struct found *found)
{
	if (type == PTX_TYPE_f16) {
		unpack_half(row, value, exponent, count, found);
	} else if (type == PTX_TYPE_bf16) {
		LANE_INDEPENDENT for (unsigned i = 0; i < count; i++)
		{
			uint16_t h;
			memcpy(&h, row + 2 * (size_t)i, sizeof h);
			unpack_word((uint32_t)h << 16, &value[i], &exponent[i], found);
		}
	} else {
		LANE_INDEPENDENT for (unsigned i = 0; i < count; i++)
		{
			uint32_t word;
			memcpy(&word, row + 4 * (size_t)i, sizeof word);
			unpack_word(word & ~0x1fffu, &value[i], &exponent[i], found);
		}
	}
}

/* Whether sums of exponents of both stay where single precision is exact; fields have a bias of 127. */
static bool is_plain(const struct found *a, const struct found *b)
{
	return !a->odd && !b->odd && a->lowest + b->lowest - 254 >= LOWEST &&
	       a->highest + b->highest - 254 <= HIGHEST;
}

/* ---- rows ------------------------------------------------------------------------------------------------ */

/* Bits of c as single precision, and whether it is a number that needs no care. */
static bool addend_of(const struct tensor_op *op, const uint8_t *at, float *value)
{
	uint16_t half;
	uint32_t bits;
	if (op->type_c == PTX_TYPE_f16) {
		memcpy(&half, at, sizeof half);
		uint32_t magnitude = half & 0x7fffu;
		bits = magnitude ? (magnitude << 13) + (112u << 23) : 0;
		bits |= (uint32_t)(half & 0x8000u) << 16;
		memcpy(value, &bits, sizeof bits);
		return !magnitude || (magnitude >= 0x400 && magnitude < 0x7c00);
	}
	memcpy(value, at, sizeof *value);
	memcpy(&bits, at, sizeof bits);
	uint32_t field = bits >> 23 & 255;
	return !(bits & 0x7fffffffu) || (field >= 127 - 80 && field <= 127 + HIGHEST);
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

/* One row and eight columns; false: an element needs care. */
LANE_INLINE bool row_of_eight(const struct tensor_op *op, const float *a, const int32_t *ea, const float *b,
                              const int32_t *eb, const float *c, uint8_t *d)
{
	const v8f *bv = (const v8f *)b, addend = *(const v8f *)c;
	const v8i *ev = (const v8i *)eb;
	v8i largest = ((v8i)addend >> 23 & 255) + 127, sum = {0};
	for (unsigned i = 0; i < op->k; i++) {
		v8i e = ev[i] + ea[i], is_larger = e > largest;
		largest = (e & is_larger) | (largest & ~is_larger);
	}
	/* Fields of two factors have twice the bias. */
	v8i lowest = largest < 254 + LOWEST;
	for (unsigned i = 0; i < COLUMNS; i++)
		if (lowest[i])
			return false;
	v8f scale = (v8f)((FRACTION_BITS + 254 + 127 - largest) << 23);
	for (unsigned i = 0; i < op->k; i++)
		sum += __builtin_convertvector(bv[i] * a[i] * scale, v8i);
	/* Up to 16 products below 2^27 fit into 32 bits, with the addend they do not. */
	v8d total = __builtin_convertvector(sum, v8d) +
	            __builtin_convertvector(__builtin_convertvector(addend * scale, v8i), v8d);
	v8l unit = (__builtin_convertvector(largest, v8l) + (1023 - 254 - FRACTION_BITS)) << 52;
	total *= (v8d)unit;
	if (op->type_d == PTX_TYPE_f16) {
		for (unsigned i = 0; i < COLUMNS; i++) {
			uint16_t half = half_of(total[i]);
			memcpy(d + 2 * (size_t)i, &half, sizeof half);
		}
		return true;
	}
	/* Towards zero: what single precision has no room for is cleared. */
	v8l kept = (v8l)total & ~((INT64_C(1) << 29) - 1);
	v8f result = __builtin_convertvector((v8d)kept, v8f);
	memcpy(d, &result, sizeof result);
	return true;
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

/* ---- products -------------------------------------------------------------------------------------------- */

struct tiles {
	_Alignas(64) float value[TENSOR_K_MAX * COLUMNS];
	_Alignas(64) int32_t exponent[TENSOR_K_MAX * COLUMNS];
};

/* Eight columns of B, k after k. */
LANE_INLINE void take_columns(const struct tensor_op *op, const struct tensor_data *t, unsigned col,
                              struct tiles *tiles, struct found *found)
{
	_Alignas(64) float value[COLUMNS][TENSOR_K_MAX];
	_Alignas(64) int32_t exponent[COLUMNS][TENSOR_K_MAX];
	for (unsigned n = 0; n < COLUMNS; n++)
		unpack(op->type_b, t->b[col + n], value[n], exponent[n], op->k, found);
	for (unsigned i = 0; i < op->k; i++)
		for (unsigned n = 0; n < COLUMNS; n++) {
			tiles->value[i * COLUMNS + n] = value[n][i];
			tiles->exponent[i * COLUMNS + n] = exponent[n][i];
		}
}

LANE_INLINE void columns_of_eight(const struct tensor_op *op, struct tensor_data *t, const struct factors *a,
                                  const struct found *found_a, unsigned col)
{
	struct tiles tiles;
	struct found found_b = {.lowest = 254};
	unsigned c_bytes = op->type_c == PTX_TYPE_f16 ? 2 : 4, d_bytes = op->type_d == PTX_TYPE_f16 ? 2 : 4;
	take_columns(op, t, col, &tiles, &found_b);
	bool plain = is_plain(found_a, &found_b);
	for (unsigned row = 0; row < op->m; row++) {
		_Alignas(32) float c[COLUMNS];
		size_t at = (size_t)row * op->n + col;
		bool ok = plain;
		for (unsigned i = 0; i < COLUMNS && ok; i++)
			ok = addend_of(op, t->c + (at + i) * c_bytes, &c[i]);
		if (!ok || !row_of_eight(op, a->value + (size_t)row * op->k, a->exponent + (size_t)row * op->k,
		                         tiles.value, tiles.exponent, c, t->d + at * d_bytes))
			row_with_care(op, t, row, col);
	}
}

LANE_INLINE void product(const struct tensor_op *op, struct tensor_data *t)
{
	struct factors a;
	struct found found = {.lowest = 254};
	/* Those where C comes last have no such path; sums of more than 16 products would not fit either. */
	if (op->type_a == PTX_TYPE_e4m3 || op->type_a == PTX_TYPE_e5m2 || op->adds_last)
		found.odd = 1;
	for (unsigned row = 0; row < op->m && !found.odd; row++)
		unpack(op->type_a, t->a[row], a.value + (size_t)row * op->k, a.exponent + (size_t)row * op->k, op->k,
		       &found);
	for (unsigned col = 0; col < op->n; col += COLUMNS) {
		if (!found.odd)
			columns_of_eight(op, t, &a, &found, col);
		else
			for (unsigned row = 0; row < op->m; row++)
				row_with_care(op, t, row, col);
	}
}

void tensor_product_float(const struct tensor_op *op, struct tensor_data *t)
{
	product(op, t);
}

LANE_WIDE void tensor_product_float_wide(const struct tensor_op *op, struct tensor_data *t)
{
	product(op, t);
}
