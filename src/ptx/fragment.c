#include "ptx/fragment.h"

enum { LANES = 32 };

struct ptx_extent ptx_shape_extent(enum ptx_shape shape)
{
#define X(name, m, n, k) {m, n, k},
	static const struct ptx_extent extents[] = {PTX_SHAPES(X)};
#undef X
	return extents[shape];
}

/* ---- sizes ----------------------------------------------------------------------------------------------- */

enum ptx_type ptx_factor_type(const struct ptx_insn *insn, enum ptx_fragment which)
{
	if (insn->op == PTX_wmma && insn->mode == PTX_MODE_mma && !insn->type3)
		return PTX_TYPE_f16;
	return which == PTX_FRAGMENT_a ? insn->type2 : insn->type3;
}

static enum ptx_type element_type(const struct ptx_insn *insn, enum ptx_fragment which)
{
	if (insn->op == PTX_wgmma && which == PTX_FRAGMENT_c)
		which = PTX_FRAGMENT_d;
	if (insn->op == PTX_wmma && insn->mode != PTX_MODE_mma)
		return insn->type;
	switch (which) {
	case PTX_FRAGMENT_d:
		return insn->type;
	case PTX_FRAGMENT_c:
		return insn->type4;
	default:
		return ptx_factor_type(insn, which);
	}
}

static uint8_t element_bits(enum ptx_type type)
{
#define X(name, bits) bits,
	static const uint8_t widths[] = {PTX_TYPES(X)};
#undef X
	return widths[type];
}

static enum ptx_type register_type(enum ptx_type element)
{
	return element == PTX_TYPE_f32 || element == PTX_TYPE_f64 || element == PTX_TYPE_s32 ? element
	                                                                                     : PTX_TYPE_b32;
}

/* The first tensor cores' m8n8k4: four products at once, of eight lanes each. */
static bool is_quad_pair(const struct ptx_insn *insn)
{
	return insn->op == PTX_mma && insn->shape == PTX_SHAPE_m8n8k4 && insn->type2 == PTX_TYPE_f16;
}

/* The matrix that a wmma.load or wmma.store moves is asked for as D. */
static enum ptx_fragment actual(const struct ptx_insn *insn, enum ptx_fragment which)
{
	bool moves = insn->op == PTX_wmma && insn->mode != PTX_MODE_mma;
	return moves ? (enum ptx_fragment)insn->fragment : which;
}

static unsigned count_registers(const struct ptx_insn *insn, enum ptx_fragment which,
                                const struct ptx_matrix *f)
{
	bool is_factor = which == PTX_FRAGMENT_a || which == PTX_FRAGMENT_b;
	if (insn->op == PTX_wgmma && which == PTX_FRAGMENT_b)
		return 0;
	if (is_quad_pair(insn))
		return is_factor ? 2 : f->element == PTX_TYPE_f16 ? 4 : 8;
	/* wmma holds half-precision factors twice or more. */
	if (insn->op == PTX_wmma && is_factor && f->element == PTX_TYPE_f16)
		return 8;
	unsigned register_bits = f->register_type == PTX_TYPE_f64 ? 64 : 32;
	return (unsigned)f->rows * f->cols * f->element_bits / (LANES * register_bits);
}

struct ptx_matrix ptx_matrix(const struct ptx_insn *insn, enum ptx_fragment which)
{
	struct ptx_extent e = ptx_shape_extent(insn->shape);
	if (insn->op == PTX_ldmatrix || insn->op == PTX_stmatrix)
		return (struct ptx_matrix){insn->vector, PTX_TYPE_b32, PTX_TYPE_b16, 16, 2, 8, 8};
	which = actual(insn, which);
	struct ptx_matrix f = {.element = element_type(insn, which)};
	/* A warp of the four has a quarter of the rows. */
	unsigned rows = insn->op == PTX_wgmma ? e.m / 4u : e.m;
	f.rows = which == PTX_FRAGMENT_b ? e.k : (uint16_t)rows;
	f.cols = which == PTX_FRAGMENT_a ? e.k : e.n;
	f.register_type = register_type(f.element);
	f.element_bits = element_bits(f.element);
	f.elements = (uint8_t)((f.register_type == PTX_TYPE_f64 ? 64 : 32) / f.element_bits);
	f.registers = (uint8_t)count_registers(insn, which, &f);
	return f;
}

unsigned ptx_warpgroup_factor_registers(const struct ptx_insn *insn)
{
	enum { REGISTERS = 4 };
	if (insn->op != PTX_wgmma || insn->mode != PTX_MODE_mma_async)
		return 0;
	/* Descriptors of both, the predicate, and signs and transpositions as far as the type has them. */
	unsigned bytes = ptx_type_bytes(insn->type2),
	         behind_d = (unsigned)insn->source_count - insn->result_count;
	unsigned least = bytes == 2 ? 7 : insn->type == PTX_TYPE_s32 ? 3 : 5;
	return behind_d > least ? REGISTERS : 0;
}

/* ---- places ---------------------------------------------------------------------------------------------- */

/* Eight rows of one register each side by side; four lanes share a row. */
static struct ptx_place tile_place(unsigned lane, unsigned per_register, unsigned element)
{
	return (struct ptx_place){(uint16_t)(lane / 4), (uint16_t)(lane % 4 * per_register + element)};
}

static struct ptx_place quad_pair_place(const struct ptx_insn *insn, enum ptx_fragment which, unsigned lane,
                                        unsigned i)
{
	unsigned half = lane < 16 ? 0 : 4, own = lane % 4;
	bool is_column = (which == PTX_FRAGMENT_a ? insn->layout : insn->layout2) == PTX_LAYOUT_col;
	unsigned row, col;
	if (which == PTX_FRAGMENT_a) {
		row = is_column ? i + half : own + half;
		col = is_column ? own : i;
	} else if (which == PTX_FRAGMENT_b) {
		row = is_column ? i : own;
		col = is_column ? own + half : i + half;
	} else if ((which == PTX_FRAGMENT_d ? insn->type : insn->type4) == PTX_TYPE_f16) {
		row = own + half;
		col = i;
	} else {
		row = (lane & 1) + (i & 2) + half;
		col = (i & 4) + (lane & 2) + (i & 1);
	}
	return (struct ptx_place){(uint16_t)row, (uint16_t)col};
}

struct ptx_tile ptx_factor_tile(const struct ptx_insn *insn, enum ptx_fragment which, unsigned reg)
{
	struct ptx_matrix f = ptx_matrix(insn, which);
	which = actual(insn, which);
	unsigned length = which == PTX_FRAGMENT_a ? f.rows : f.cols;
	unsigned along = (which == PTX_FRAGMENT_a ? f.cols : f.rows) / (4u * f.elements), tiles = length / 8;
	/* Where there are more registers than elements, the first repeat. */
	reg %= tiles * along;
	/* A, or B where it is the longer one: 16 rows at a time, down before across. */
	bool is_long = which == PTX_FRAGMENT_a ? tiles > 1 : tiles > 2;
	if (!is_long)
		return (struct ptx_tile){(uint8_t)(reg / along), (uint8_t)(reg % along)};
	unsigned block = reg / (2 * along), rest = reg % (2 * along);
	return (struct ptx_tile){(uint8_t)(2 * block + rest % 2), (uint8_t)(rest / 2)};
}

/* In B, rows and columns are exchanged. */
static struct ptx_place factor_place(const struct ptx_insn *insn, const struct ptx_matrix *f,
                                     enum ptx_fragment which, unsigned lane, unsigned reg, unsigned element)
{
	struct ptx_tile t = ptx_factor_tile(insn, which, reg);
	struct ptx_place p = tile_place(lane, f->elements, element);
	p.row = (uint16_t)(p.row + 8 * t.down);
	p.col = (uint16_t)(p.col + 4u * f->elements * t.across);
	return actual(insn, which) == PTX_FRAGMENT_b ? (struct ptx_place){p.col, p.row} : p;
}

/*
 * Tiles of 8 x 8, two elements of a row per lane; down the rows first, then across. A matrix that is wider than high is
 * computed transposed, and so are its places.
 */
static struct ptx_place sum_place(const struct ptx_matrix *f, unsigned lane, unsigned reg, unsigned element)
{
	bool is_turned = f->cols > f->rows;
	unsigned number = reg * f->elements + element, tile = number / 2;
	unsigned tiles = (is_turned ? f->cols : f->rows) / 8u;
	struct ptx_place p = tile_place(lane, 2, number % 2);
	p.row = (uint16_t)(p.row + 8 * (tile % tiles));
	p.col = (uint16_t)(p.col + 8 * (tile / tiles));
	return is_turned ? (struct ptx_place){p.col, p.row} : p;
}

struct ptx_place ptx_fragment_place(const struct ptx_insn *insn, enum ptx_fragment which, unsigned lane,
                                    unsigned reg, unsigned element)
{
	struct ptx_matrix f = ptx_matrix(insn, which);
	which = actual(insn, which);
	if (is_quad_pair(insn))
		return quad_pair_place(insn, which, lane, reg * f.elements + element);
	if (which == PTX_FRAGMENT_a || which == PTX_FRAGMENT_b)
		return factor_place(insn, &f, which, lane, reg, element);
	return sum_place(&f, lane, reg, element);
}

/* ---- in memory ------------------------------------------------------------------------------------------- */

static bool is_factor(const struct ptx_insn *insn)
{
	return insn->fragment == PTX_FRAGMENT_a || insn->fragment == PTX_FRAGMENT_b;
}

/* Whether the elements of a register are contiguous in memory. */
static bool is_along(const struct ptx_insn *insn)
{
	struct ptx_matrix f = ptx_matrix(insn, PTX_FRAGMENT_d);
	bool is_turned = insn->fragment == PTX_FRAGMENT_b || (!is_factor(insn) && f.cols > f.rows);
	return insn->layout == (is_turned ? PTX_LAYOUT_col : PTX_LAYOUT_row);
}

/* Return the number of registers before they repeat. */
static unsigned distinct_registers(const struct ptx_matrix *f)
{
	unsigned bits = f->register_type == PTX_TYPE_f64 ? 64 : 32;
	return (unsigned)f->rows * f->cols * f->element_bits / (LANES * bits);
}

struct ptx_pieces ptx_matrix_pieces_shared(const struct ptx_insn *insn)
{
	struct ptx_matrix f = ptx_matrix(insn, PTX_FRAGMENT_d);
	if (is_factor(insn) && f.element_bits == 16)
		return (struct ptx_pieces){(uint8_t)((distinct_registers(&f) + 3) / 4), 16, true};
	unsigned numbers = distinct_registers(&f) * f.elements;
	unsigned per_piece = !is_along(insn) ? 1 : is_factor(insn) ? f.elements : 2;
	return (struct ptx_pieces){(uint8_t)(numbers / per_piece), (uint8_t)(per_piece * f.element_bits / 8),
	                           false};
}

struct ptx_pieces ptx_matrix_pieces(const struct ptx_insn *insn)
{
	struct ptx_pieces p = ptx_matrix_pieces_shared(insn);
	if (!p.is_rows || insn->space == PTX_SPACE_shared)
		return p;
	struct ptx_matrix f = ptx_matrix(insn, PTX_FRAGMENT_d);
	unsigned per_piece = is_along(insn) ? 2 : 1;
	return (struct ptx_pieces){(uint8_t)(distinct_registers(&f) * 2 / per_piece),
	                           (uint8_t)(2 * per_piece), false};
}

struct ptx_place ptx_piece_place(const struct ptx_insn *insn, const struct ptx_pieces *pieces, unsigned piece,
                                 unsigned lane)
{
	struct ptx_matrix f = ptx_matrix(insn, PTX_FRAGMENT_d);
	if (pieces->is_rows) {
		/* The first element of a row of the tile, or of a column where columns are contiguous. */
		unsigned reg = (4 * piece + lane / 8) % distinct_registers(&f);
		unsigned number = lane % 8;
		return is_along(insn) ? ptx_fragment_place(insn, PTX_FRAGMENT_d, 4 * number, reg, 0)
		                      : ptx_fragment_place(insn, PTX_FRAGMENT_d, number / 2, reg, number % 2);
	}
	unsigned number = piece * (pieces->bytes * 8u / f.element_bits);
	return ptx_fragment_place(insn, PTX_FRAGMENT_d, lane, number / f.elements, number % f.elements);
}
