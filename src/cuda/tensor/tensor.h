/*
 * Products of matrices as tensor cores compute them: D = A B + C.
 *
 * Matrices lie row by row, elements packed as in registers: A as m rows of k
 * elements, B as n rows of k (its columns), C and D as m rows of n. Rows of
 * packed elements are whole multiples of four bytes.
 */
#ifndef SLUICE_CUDA_TENSOR_H
#define SLUICE_CUDA_TENSOR_H

#include "ptx/ptx.h"

enum {
	TENSOR_M_MAX = 32,
	TENSOR_N_MAX = 32,
	TENSOR_ROW_BYTES = 128, /* of A and B: 16 elements of f64 */
	TENSOR_K_MAX = 64       /* of numbers; b1 has more, but stays packed */
};

struct tensor_op {
	uint16_t m, n, k;
	uint8_t block;          /* products that are added at a time, 0: all of k */
	uint8_t type_a, type_b; /* enum ptx_type */
	uint8_t type_c, type_d; /* f16, f32, f64 or s32 */
	uint8_t round;          /* enum ptx_round, of f64 */
	bool saturates;         /* integers: the sum is clamped rather than cut off */
	bool is_and;            /* b1: and, else xor */
	bool is_short;          /* e4m3 and e5m2 of wgmma: sums keep 13 bits behind the point */
	bool adds_last;         /* m8n8k4 of f16: no unit has it; C is added to the sum */
};

struct tensor_data {
	_Alignas(64) uint8_t a[TENSOR_M_MAX][TENSOR_ROW_BYTES];
	_Alignas(64) uint8_t b[TENSOR_N_MAX][TENSOR_ROW_BYTES];
	/* f32 and s32 take four bytes each, f64 eight, f16 two (as a half). */
	_Alignas(64) uint8_t c[TENSOR_M_MAX * TENSOR_N_MAX * 8];
	_Alignas(64) uint8_t d[TENSOR_M_MAX * TENSOR_N_MAX * 8];
};

typedef void tensor_fn(const struct tensor_op *op, struct tensor_data *data);
/* The function that computes `d` of the rest; NULL: no such types. */
tensor_fn *tensor_function(const struct tensor_op *op);

/* ---- between the files of tensor*.c */

tensor_fn tensor_product_float, tensor_product_float_wide; /* f16, bf16, tf32, e4m3, e5m2 */
tensor_fn tensor_product_double, tensor_product_double_wide;
tensor_fn tensor_product_integer, tensor_product_integer_wide;
tensor_fn tensor_product_bits;

/*
 * The model of one element, see element.c: c plus the sum of k products,
 * as bits of type_c in and of type_d out.
 */
uint32_t tensor_element(const struct tensor_op *op, const uint8_t *a, const uint8_t *b, uint32_t c);

#endif
