/* Products without rounding, or with that of IEEE 754: integers, bits, and double precision, term after term. */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "cuda/lanes/loop.h"
#include "cuda/tensor/tensor.h"

enum { COLUMNS = 8 };
typedef int32_t v8i __attribute__((vector_size(32)));

/* ---- integers -------------------------------------------------------------------------------------------- */

static int32_t element(const uint8_t *row, unsigned i, enum ptx_type type)
{
	switch (type) {
	case PTX_TYPE_s8:
		return (int8_t)row[i];
	case PTX_TYPE_u8:
		return row[i];
	case PTX_TYPE_s4:
		return (int8_t)(uint8_t)(row[i / 2] >> 4 * (i % 2) << 4) >> 4;
	default:
		return row[i / 2] >> 4 * (i % 2) & 15;
	}
}

static int32_t clamp(int64_t v)
{
	return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (int32_t)v;
}

/* Products of up to 64 bytes stay far inside of 32 bits; only the addend takes them out. */
LANE_INLINE void integer_product(const struct tensor_op *op, struct tensor_data *t)
{
	_Alignas(32) int32_t b[TENSOR_K_MAX][COLUMNS], c[COLUMNS];
	for (unsigned col = 0; col < op->n; col += COLUMNS) {
		for (unsigned i = 0; i < op->k; i++)
			for (unsigned n = 0; n < COLUMNS; n++)
				b[i][n] = element(t->b[col + n], i, op->type_b);
		for (unsigned row = 0; row < op->m; row++) {
			v8i sum = {0};
			size_t at = ((size_t)row * op->n + col) * 4;
			for (unsigned i = 0; i < op->k; i++)
				sum += *(const v8i *)b[i] * element(t->a[row], i, op->type_a);
			memcpy(c, t->c + at, sizeof c);
			for (unsigned n = 0; n < COLUMNS; n++)
				c[n] = op->saturates ? clamp((int64_t)c[n] + sum[n])
				                     : (int32_t)((uint32_t)c[n] + (uint32_t)sum[n]);
			memcpy(t->d + at, c, sizeof c);
		}
	}
}

void tensor_product_integer(const struct tensor_op *op, struct tensor_data *t)
{
	integer_product(op, t);
}

LANE_WIDE void tensor_product_integer_wide(const struct tensor_op *op, struct tensor_data *t)
{
	integer_product(op, t);
}

/* ---- bits ------------------------------------------------------------------------------------------------ */

void tensor_product_bits(const struct tensor_op *op, struct tensor_data *t)
{
	for (unsigned row = 0; row < op->m; row++)
		for (unsigned col = 0; col < op->n; col++) {
			size_t at = ((size_t)row * op->n + col) * 4;
			uint32_t sum;
			memcpy(&sum, t->c + at, sizeof sum);
			for (unsigned i = 0; i < op->k / 8u; i += 8) {
				uint64_t x, y;
				memcpy(&x, t->a[row] + i, sizeof x);
				memcpy(&y, t->b[col] + i, sizeof y);
				sum += bits_count(op->is_and ? x & y : x ^ y);
			}
			memcpy(t->d + at, &sum, sizeof sum);
		}
}

/* ---- double precision ------------------------------------------------------------------------------------ */

static int host_rounding(enum ptx_round round)
{
	switch (round) {
	case PTX_ROUND_rz:
		return FE_TOWARDZERO;
	case PTX_ROUND_rm:
		return FE_DOWNWARD;
	case PTX_ROUND_rp:
		return FE_UPWARD;
	default:
		return FE_TONEAREST;
	}
}

/* A chain of fused multiply-adds, k ascending. */
LANE_INLINE void double_product(const struct tensor_op *op, struct tensor_data *t)
{
	fesetround(host_rounding((enum ptx_round)op->round));
	for (unsigned row = 0; row < op->m; row++)
		for (unsigned col = 0; col < op->n; col++) {
			size_t at = ((size_t)row * op->n + col) * 8;
			double sum, x, y;
			memcpy(&sum, t->c + at, sizeof sum);
			for (unsigned i = 0; i < op->k; i++) {
				memcpy(&x, t->a[row] + 8 * (size_t)i, sizeof x);
				memcpy(&y, t->b[col] + 8 * (size_t)i, sizeof y);
				sum = __builtin_fma(x, y, sum);
			}
			/* One NaN, whatever the host made of several. */
			uint64_t nan = UINT64_C(0x7fffffffffffffff);
			if (sum != sum)
				memcpy(&sum, &nan, sizeof sum);
			memcpy(t->d + at, &sum, sizeof sum);
		}
	fesetround(FE_TONEAREST);
}

void tensor_product_double(const struct tensor_op *op, struct tensor_data *t)
{
	double_product(op, t);
}

LANE_WIDE void tensor_product_double_wide(const struct tensor_op *op, struct tensor_data *t)
{
	double_product(op, t);
}

/* ---- choice ---------------------------------------------------------------------------------------------- */

tensor_fn *tensor_function(const struct tensor_op *op)
{
	bool is_wide = lane_host_is_wide();
	switch (op->type_a) {
	case PTX_TYPE_f16:
	case PTX_TYPE_bf16:
	case PTX_TYPE_tf32:
	case PTX_TYPE_e4m3:
	case PTX_TYPE_e5m2:
		return is_wide ? tensor_product_float_wide : tensor_product_float;
	case PTX_TYPE_s8:
	case PTX_TYPE_u8:
	case PTX_TYPE_s4:
	case PTX_TYPE_u4:
		return is_wide ? tensor_product_integer_wide : tensor_product_integer;
	case PTX_TYPE_f64:
		return is_wide ? tensor_product_double_wide : tensor_product_double;
	case PTX_TYPE_b1:
		return tensor_product_bits;
	default:
		return NULL;
	}
}
