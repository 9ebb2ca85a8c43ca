/* The model of tensor cores: elements, whole products, orders of sums. */
#include "cuda/tensor/tensor.h"

#include "test.h"

static float single(uint32_t bits)
{
	float v;
	memcpy(&v, &bits, sizeof v);
	return v;
}

static struct tensor_op half_op(void)
{
	return (struct tensor_op){.m = 16,
	                          .n = 8,
	                          .k = 16,
	                          .type_a = PTX_TYPE_f16,
	                          .type_b = PTX_TYPE_f16,
	                          .type_c = PTX_TYPE_f32,
	                          .type_d = PTX_TYPE_f32};
}

static uint32_t element_of(uint16_t a0, uint16_t b0, uint16_t a1, uint16_t b1, float c)
{
	struct tensor_op op = half_op();
	uint16_t a[16] = {a0, a1}, b[16] = {b0, b1};
	uint32_t bits;
	memcpy(&bits, &c, sizeof bits);
	return tensor_element(&op, (uint8_t *)a, (uint8_t *)b, bits);
}

TEST(bits_behind_the_25th_are_cut_off_towards_zero)
{
	/* 1 + 2^-25 keeps the bit, which then does not fit into single precision; with 1 - 1 it is seen. */
	CHECK(single(element_of(0x3c00, 0x3c00, 0xbc00, 0x3c00, 0x1p-25f)) == 0x1p-25f);
	CHECK(single(element_of(0x3c00, 0x3c00, 0xbc00, 0x3c00, 0x1p-26f)) == 0);
	CHECK(single(element_of(0x3c00, 0x3c00, 0xbc00, 0x3c00, -0x1p-26f)) == 0);
	/* Results are cut off, too: 1 + 3 x 2^-24 would round up. */
	CHECK(single(element_of(0x3c00, 0x3c00, 0, 0, 0x3p-25f)) == 1.0f);
	CHECK(single(element_of(0xbc00, 0x3c00, 0, 0, -0x3p-25f)) == -1.0f);
}

TEST(special_values_are_those_of_ieee_with_one_nan)
{
	CHECK_EQ(element_of(0x7c00, 0x3c00, 0, 0, 1), 0x7f800000);
	CHECK_EQ(element_of(0x7c00, 0, 0, 0, 1), 0x7fffffff);
	CHECK_EQ(element_of(0x7c00, 0x3c00, 0x7c00, 0xbc00, 1), 0x7fffffff);
	CHECK_EQ(element_of(0x7e00, 0x3c00, 0, 0, 1), 0x7fffffff);
	CHECK_EQ(element_of(0x8000, 0x3c00, 0, 0, -0.0f), 0);
}

/* Random numbers of all exponents, with a few special ones: whole products against single elements. */
static bool agrees(const struct tensor_op *op, tensor_fn *fn, unsigned trials)
{
	static struct tensor_data t, given; /* a product may use up its factors */
	uint64_t state = op->type_a * 977u + op->k;
	for (unsigned n = 0; n < trials; n++) {
		for (size_t i = 0; i < sizeof t; i += 2) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			uint16_t v = (uint16_t)(state >> 40);
			/* Most trials keep to a few exponents, so that the quick way is taken. */
			if (n % 4 && op->type_a == PTX_TYPE_f16)
				v = (uint16_t)((v & 0x83ff) | (0x3000 + (state >> 60 << 10)));
			else if (n % 4)
				v = (uint16_t)((v & 0x807f) | (0x3d00 + (state >> 60 << 7)));
			memcpy((uint8_t *)&t + i, &v, sizeof v);
		}
		given = t;
		fn(op, &t);
		for (unsigned i = 0; i < op->m * op->n; i++) {
			uint32_t c = 0, d = 0;
			unsigned cb = op->type_c == PTX_TYPE_f16 ? 2 : 4,
			         db = op->type_d == PTX_TYPE_f16 ? 2 : 4;
			memcpy(&c, given.c + i * cb, cb);
			memcpy(&d, t.d + i * db, db);
			if (tensor_element(op, given.a[i / op->n], given.b[i % op->n], c) != d)
				return false;
		}
	}
	return true;
}

TEST(whole_products_equal_their_elements)
{
	static const uint8_t types[][2] = {{PTX_TYPE_f16, 16},  {PTX_TYPE_f16, 8},  {PTX_TYPE_bf16, 16},
	                                   {PTX_TYPE_bf16, 8},  {PTX_TYPE_tf32, 8}, {PTX_TYPE_tf32, 4},
	                                   {PTX_TYPE_e4m3, 32}, {PTX_TYPE_e5m2, 32}};
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		struct tensor_op op = half_op();
		op.type_a = op.type_b = types[i][0];
		op.k = types[i][1];
		CHECK(agrees(&op, tensor_product_float, 40));
		CHECK(agrees(&op, tensor_function(&op), 40));
	}
	struct tensor_op op = half_op();
	op.type_c = op.type_d = PTX_TYPE_f16;
	CHECK(agrees(&op, tensor_product_float, 40));
	CHECK(agrees(&op, tensor_function(&op), 40));
}

/* wmma of tf32 adds four products at a time; m8n8k4 adds C last; C and D may be of different types. */
TEST(other_orders_of_sums_equal_their_elements)
{
	static const uint8_t sums[][2] = {{PTX_TYPE_f32, PTX_TYPE_f32},
	                                  {PTX_TYPE_f16, PTX_TYPE_f32},
	                                  {PTX_TYPE_f32, PTX_TYPE_f16},
	                                  {PTX_TYPE_f16, PTX_TYPE_f16}};
	for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
		struct tensor_op op = half_op();
		op.type_c = sums[i][0];
		op.type_d = sums[i][1];
		CHECK(agrees(&op, tensor_product_float, 40));
		op.m = op.n = 8;
		op.k = 4;
		op.adds_last = true;
		CHECK(agrees(&op, tensor_product_float, 60));
		CHECK(agrees(&op, tensor_function(&op), 60));
	}
	struct tensor_op op = half_op();
	op.type_a = op.type_b = PTX_TYPE_tf32;
	op.k = 8;
	op.block = 4;
	CHECK(agrees(&op, tensor_product_float, 40));
	op.type_a = op.type_b = PTX_TYPE_e4m3;
	op.k = 32;
	op.block = 0;
	op.type_c = op.type_d = PTX_TYPE_f16;
	CHECK(agrees(&op, tensor_function(&op), 40));
}

/* D = C + a0 b0 + a1 b1 of halves, in half precision: rounded once, ties to even, denormals kept. */
TEST(results_of_half_precision_are_rounded_to_nearest)
{
	static const struct {
		uint16_t a0, b0, a1, b1, c, want;
	} rows[] = {
	    {0x3c00, 0x3c00, 0x1000, 0x3c00, 0x0000, 0x3c00}, /* 1 + 2^-11: a tie, to even */
	    {0x3c01, 0x3c00, 0x1000, 0x3c00, 0x0000, 0x3c02}, /* a tie, up to even */
	    {0x3c00, 0x3c00, 0x1001, 0x3c00, 0x0000, 0x3c01}, /* above the tie */
	    {0x7bff, 0x3c00, 0x7bff, 0x3c00, 0x0000, 0x7c00}, /* infinity */
	    {0xfbff, 0x3c00, 0xfbff, 0x3c00, 0x0000, 0xfc00},
	    {0x0001, 0x3c00, 0x0001, 0x3c00, 0x8001, 0x0001}, /* denormal */
	    {0x0001, 0x3800, 0x0000, 0x0000, 0x0000, 0x0000}, /* half of the least: a tie, to 0 */
	    {0x0003, 0x3800, 0x0000, 0x0000, 0x0000, 0x0002},
	    {0x0001, 0x0001, 0x0000, 0x0000, 0x0000, 0x0000}, /* far below */
	    {0x7c00, 0x3c00, 0x0000, 0x0000, 0xfc00, 0x7fff},
	};
	struct tensor_op op = half_op();
	op.type_c = op.type_d = PTX_TYPE_f16;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint16_t a[16] = {rows[i].a0, rows[i].a1}, b[16] = {rows[i].b0, rows[i].b1};
		CHECK_EQ(tensor_element(&op, (uint8_t *)a, (uint8_t *)b, rows[i].c), rows[i].want);
	}
	op.type_a = PTX_TYPE_pred;
	CHECK(!tensor_function(&op));
}

TEST_RUN_ALL(true)
