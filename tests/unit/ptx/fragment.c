/* Places of the elements of matrices: every element has one, and they are those of the PTX manual. */
#include "fixture.h"
#include "ptx/fragment.h"

/* The first tensor cores' product: four of 8 x 8 x 4 at once, lanes 0-3 and 16-19 have the first. */
static struct ptx_insn quad_pair(enum ptx_type sums, enum ptx_layout a, enum ptx_layout b)
{
	return (struct ptx_insn){.op = PTX_mma,
	                         .shape = PTX_SHAPE_m8n8k4,
	                         .type = (uint8_t)sums,
	                         .type2 = PTX_TYPE_f16,
	                         .type3 = PTX_TYPE_f16,
	                         .type4 = (uint8_t)sums,
	                         .layout = (uint8_t)a,
	                         .layout2 = (uint8_t)b};
}

static bool lies_at(const struct ptx_insn *insn, enum ptx_fragment which, unsigned lane, unsigned number,
                    struct ptx_place want)
{
	struct ptx_matrix f = ptx_matrix(insn, which);
	struct ptx_place p = ptx_fragment_place(insn, which, lane, number / f.elements, number % f.elements);
	if (p.row == want.row && p.col == want.col)
		return true;
	printf("# matrix %d, lane %u, element %u: row %u, column %u\n", (int)which, lane, number, p.row,
	       p.col);
	return false;
}

/* "Matrix Fragments for mma.m8n8k4 with .f16 floating point type". */
TEST(a_quad_pair_has_the_places_of_the_manual)
{
	struct ptx_insn rows = quad_pair(PTX_TYPE_f16, PTX_LAYOUT_row, PTX_LAYOUT_row),
	                cols = quad_pair(PTX_TYPE_f32, PTX_LAYOUT_col, PTX_LAYOUT_col);
	CHECK_EQ(ptx_matrix(&rows, PTX_FRAGMENT_a).registers, 2);
	CHECK_EQ(ptx_matrix(&rows, PTX_FRAGMENT_b).registers, 2);
	CHECK_EQ(ptx_matrix(&rows, PTX_FRAGMENT_d).registers, 4);
	CHECK_EQ(ptx_matrix(&cols, PTX_FRAGMENT_c).registers, 8);
	for (unsigned lane = 0; lane < 32; lane++) {
		uint16_t half = lane < 16 ? 0 : 4, own = lane % 4;
		for (uint16_t i = 0; i < 4; i++) {
			CHECK(lies_at(&rows, PTX_FRAGMENT_a, lane, i, (struct ptx_place){own + half, i}));
			CHECK(lies_at(&cols, PTX_FRAGMENT_a, lane, i, (struct ptx_place){i + half, own}));
			CHECK(lies_at(&rows, PTX_FRAGMENT_b, lane, i, (struct ptx_place){own, i + half}));
			CHECK(lies_at(&cols, PTX_FRAGMENT_b, lane, i, (struct ptx_place){i, own + half}));
		}
		for (uint16_t i = 0; i < 8; i++) {
			struct ptx_place wide = {(uint16_t)((lane & 1) + (i & 2) + half),
			                         (uint16_t)((i & 4) + (lane & 2) + (i & 1))};
			CHECK(lies_at(&rows, PTX_FRAGMENT_d, lane, i, (struct ptx_place){own + half, i}));
			CHECK(lies_at(&rows, PTX_FRAGMENT_c, lane, i, (struct ptx_place){own + half, i}));
			CHECK(lies_at(&cols, PTX_FRAGMENT_d, lane, i, wide));
			CHECK(lies_at(&cols, PTX_FRAGMENT_c, lane, i, wide));
		}
	}
}

/* Whether the lanes' registers hold each element, and each as often as any other. */
static bool covers(const struct ptx_insn *insn, enum ptx_fragment which)
{
	static uint16_t times[32 * 256];
	struct ptx_matrix f = ptx_matrix(insn, which);
	memset(times, 0, sizeof times);
	for (unsigned lane = 0; lane < 32; lane++)
		for (unsigned reg = 0; reg < f.registers; reg++)
			for (unsigned e = 0; e < f.elements; e++) {
				struct ptx_place p = ptx_fragment_place(insn, which, lane, reg, e);
				if (p.row >= f.rows || p.col >= f.cols)
					return false;
				times[p.row * f.cols + p.col]++;
			}
	for (unsigned i = 0; i < (unsigned)f.rows * f.cols; i++)
		if (!times[i] || times[i] != times[0])
			return false;
	return true;
}

struct product {
	enum ptx_op op;
	enum ptx_shape shape;
	enum ptx_type d, a, c; /* A none: a wmma that leaves out that its factors are f16 */
};

static const struct product products[] = {
    {PTX_mma, PTX_SHAPE_m16n8k8, PTX_TYPE_f32, PTX_TYPE_f16, PTX_TYPE_f32},
    {PTX_mma, PTX_SHAPE_m16n8k16, PTX_TYPE_f16, PTX_TYPE_f16, PTX_TYPE_f16},
    {PTX_mma, PTX_SHAPE_m16n8k4, PTX_TYPE_f32, PTX_TYPE_tf32, PTX_TYPE_f32},
    {PTX_mma, PTX_SHAPE_m8n8k4, PTX_TYPE_f64, PTX_TYPE_f64, PTX_TYPE_f64},
    {PTX_mma, PTX_SHAPE_m16n8k64, PTX_TYPE_s32, PTX_TYPE_u4, PTX_TYPE_s32},
    {PTX_mma, PTX_SHAPE_m16n8k256, PTX_TYPE_s32, PTX_TYPE_b1, PTX_TYPE_s32},
    {PTX_wmma, PTX_SHAPE_m16n16k16, PTX_TYPE_f32, PTX_TYPE_none, PTX_TYPE_f16},
    {PTX_wmma, PTX_SHAPE_m32n8k16, PTX_TYPE_f16, PTX_TYPE_none, PTX_TYPE_f16},
    {PTX_wmma, PTX_SHAPE_m8n32k16, PTX_TYPE_f32, PTX_TYPE_none, PTX_TYPE_f32},
    {PTX_wmma, PTX_SHAPE_m8n32k16, PTX_TYPE_s32, PTX_TYPE_s8, PTX_TYPE_s32},
    {PTX_wmma, PTX_SHAPE_m16n16k8, PTX_TYPE_f32, PTX_TYPE_tf32, PTX_TYPE_f32},
    {PTX_wmma, PTX_SHAPE_m8n8k4, PTX_TYPE_f64, PTX_TYPE_f64, PTX_TYPE_f64},
};

TEST(registers_of_a_product_hold_each_element_equally_often)
{
	for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
		const struct product *p = &products[i];
		struct ptx_insn insn = {.op = (uint16_t)p->op,
		                        .mode = p->op == PTX_wmma ? PTX_MODE_mma : PTX_MODE_none,
		                        .shape = (uint8_t)p->shape,
		                        .type = (uint8_t)p->d,
		                        .type2 = (uint8_t)p->a,
		                        .type3 = (uint8_t)p->a,
		                        .type4 = (uint8_t)p->c};
		for (enum ptx_fragment which = PTX_FRAGMENT_d; which <= PTX_FRAGMENT_c; which++) {
			if (!covers(&insn, which))
				printf("# product %zu, matrix %d\n", i, (int)which);
			CHECK(covers(&insn, which));
		}
	}
}

/* A wmma.load or wmma.store, and what goes to memory of it. */
struct moved {
	enum ptx_shape shape;
	enum ptx_type type;
	enum ptx_fragment fragment;
	enum ptx_layout layout;
	enum ptx_space space;
	struct ptx_pieces pieces;
};

static const struct moved moves[] = {
    /* 16-bit factors in shared memory: 16 bytes of a row or column per lane. */
    {PTX_SHAPE_m16n16k16, PTX_TYPE_f16, PTX_FRAGMENT_a, PTX_LAYOUT_row, PTX_SPACE_shared, {1, 16, true}},
    {PTX_SHAPE_m16n16k16, PTX_TYPE_f16, PTX_FRAGMENT_a, PTX_LAYOUT_col, PTX_SPACE_shared, {1, 16, true}},
    {PTX_SHAPE_m32n8k16, PTX_TYPE_bf16, PTX_FRAGMENT_a, PTX_LAYOUT_row, PTX_SPACE_shared, {2, 16, true}},
    {PTX_SHAPE_m8n32k16, PTX_TYPE_f16, PTX_FRAGMENT_a, PTX_LAYOUT_row, PTX_SPACE_shared, {1, 16, true}},
    {PTX_SHAPE_m16n16k16, PTX_TYPE_f16, PTX_FRAGMENT_b, PTX_LAYOUT_col, PTX_SPACE_shared, {1, 16, true}},
    /* Elsewhere two elements at once, where they lie one behind the other. */
    {PTX_SHAPE_m16n16k16, PTX_TYPE_f16, PTX_FRAGMENT_a, PTX_LAYOUT_row, PTX_SPACE_global, {4, 4, false}},
    {PTX_SHAPE_m16n16k16, PTX_TYPE_f16, PTX_FRAGMENT_a, PTX_LAYOUT_col, PTX_SPACE_global, {8, 2, false}},
    {PTX_SHAPE_m16n16k16, PTX_TYPE_f16, PTX_FRAGMENT_b, PTX_LAYOUT_col, PTX_SPACE_global, {4, 4, false}},
    /* Factors of other widths: a register at once. */
    {PTX_SHAPE_m16n16k16, PTX_TYPE_s8, PTX_FRAGMENT_a, PTX_LAYOUT_row, PTX_SPACE_shared, {2, 4, false}},
    {PTX_SHAPE_m16n16k16, PTX_TYPE_s8, PTX_FRAGMENT_a, PTX_LAYOUT_col, PTX_SPACE_shared, {8, 1, false}},
    {PTX_SHAPE_m8n8k4, PTX_TYPE_f64, PTX_FRAGMENT_a, PTX_LAYOUT_row, PTX_SPACE_global, {1, 8, false}},
    /* Sums: pairs along a row, or along a column of what is wider than it is high. */
    {PTX_SHAPE_m16n16k16, PTX_TYPE_f32, PTX_FRAGMENT_c, PTX_LAYOUT_row, PTX_SPACE_global, {4, 8, false}},
    {PTX_SHAPE_m16n16k16, PTX_TYPE_f32, PTX_FRAGMENT_c, PTX_LAYOUT_col, PTX_SPACE_global, {8, 4, false}},
    {PTX_SHAPE_m8n32k16, PTX_TYPE_f32, PTX_FRAGMENT_d, PTX_LAYOUT_col, PTX_SPACE_global, {4, 8, false}},
    {PTX_SHAPE_m8n32k16, PTX_TYPE_f16, PTX_FRAGMENT_c, PTX_LAYOUT_row, PTX_SPACE_global, {8, 2, false}},
    {PTX_SHAPE_m8n8k4, PTX_TYPE_f64, PTX_FRAGMENT_c, PTX_LAYOUT_row, PTX_SPACE_global, {1, 16, false}},
};

/* Whether the pieces of all lanes, put side by side, are the whole matrix. */
static bool pieces_cover(const struct ptx_insn *insn, const struct ptx_pieces *pieces)
{
	static uint16_t times[32 * 32];
	struct ptx_matrix f = ptx_matrix(insn, PTX_FRAGMENT_d);
	unsigned elements = pieces->bytes * 8u / f.element_bits;
	bool is_column = insn->layout == PTX_LAYOUT_col;
	memset(times, 0, sizeof times);
	for (unsigned piece = 0; piece < pieces->count; piece++)
		for (unsigned lane = 0; lane < 32; lane++) {
			struct ptx_place p = ptx_piece_place(insn, pieces, piece, lane);
			for (unsigned e = 0; e < elements; e++) {
				unsigned row = p.row + (is_column ? e : 0), col = p.col + (is_column ? 0 : e);
				if (row >= f.rows || col >= f.cols)
					return false;
				times[row * f.cols + col]++;
			}
		}
	for (unsigned i = 0; i < (unsigned)f.rows * f.cols; i++)
		if (!times[i] || times[i] != times[0])
			return false;
	return true;
}

TEST(pieces_of_a_matrix_in_memory_are_the_whole_of_it)
{
	for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
		const struct moved *v = &moves[i];
		struct ptx_insn insn = {.op = PTX_wmma,
		                        .mode =
		                            v->fragment == PTX_FRAGMENT_d ? PTX_MODE_store : PTX_MODE_load,
		                        .shape = (uint8_t)v->shape,
		                        .type = (uint8_t)v->type,
		                        .fragment = (uint8_t)v->fragment,
		                        .layout = (uint8_t)v->layout,
		                        .space = (uint8_t)v->space};
		struct ptx_pieces got = ptx_matrix_pieces(&insn);
		if (got.count != v->pieces.count || got.bytes != v->pieces.bytes ||
		    !pieces_cover(&insn, &got))
			printf("# move %zu: %u pieces of %u bytes\n", i, got.count, got.bytes);
		CHECK_EQ(got.count, v->pieces.count);
		CHECK_EQ(got.bytes, v->pieces.bytes);
		CHECK_EQ(got.is_rows, v->pieces.is_rows);
		CHECK(pieces_cover(&insn, &got));
	}
}

TEST(elements_lie_where_the_manual_has_them)
{
	struct ptx_insn mma = {.op = PTX_mma,
	                       .shape = PTX_SHAPE_m16n8k32,
	                       .type = PTX_TYPE_s32,
	                       .type2 = PTX_TYPE_s8,
	                       .type3 = PTX_TYPE_s8,
	                       .type4 = PTX_TYPE_s32};
	/* Lane 6 is group 1, thread 2 of it. */
	struct ptx_place a = ptx_fragment_place(&mma, PTX_FRAGMENT_a, 6, 3, 1),
	                 b = ptx_fragment_place(&mma, PTX_FRAGMENT_b, 6, 1, 3),
	                 c = ptx_fragment_place(&mma, PTX_FRAGMENT_c, 6, 3, 0);
	CHECK_EQ(a.row, 9);
	CHECK_EQ(a.col, 16 + 2 * 4 + 1);
	CHECK_EQ(b.row, 16 + 2 * 4 + 3);
	CHECK_EQ(b.col, 1);
	CHECK_EQ(c.row, 9);
	CHECK_EQ(c.col, 5);
	CHECK_EQ(ptx_matrix(&mma, PTX_FRAGMENT_a).registers, 4);
	CHECK_EQ(ptx_matrix(&mma, PTX_FRAGMENT_b).registers, 2);
}

TEST_RUN_ALL(true)
