/*
 * Matrices in the registers of a warp: products, and moves from and to memory.
 *
 * A register of a fragment is a tile of eight rows, each of 16 bytes (32 of
 * double precision) that four neighbouring lanes hold; as lane arrays lie in
 * memory lane by lane, a tile's rows do so too.
 */
#include "cuda/executor/access.h"
#include "cuda/executor/handlers.h"
#include "cuda/executor/mask.h"
#include "cuda/executor/matrix.h"
#include "ptx/fragment.h"

enum { TILE_ROWS = 8 };

/* A loop over the rows of a tile, without the loop. */
#if defined(__clang__)
#define EIGHT_TIMES _Pragma("clang loop unroll(full)")
#else
#define EIGHT_TIMES _Pragma("GCC unroll 8")
#endif

/* ---- products ----------------------------------------------------------------------------------------- */

/* A or B: tiles of registers into rows. Sizes are constants where this is inlined. */
static inline void gather_tiles(const struct warp *w, const uint32_t *places, const struct ptx_tile *tile,
                                unsigned count, unsigned row_bytes, uint8_t (*rows)[TENSOR_ROW_BYTES])
{
	for (unsigned r = 0; r < count; r++) {
		const uint8_t *from = place(w, places[r]);
		uint8_t *to = rows[TILE_ROWS * tile[r].down] + row_bytes * tile[r].across;
		EIGHT_TIMES
		for (unsigned g = 0; g < TILE_ROWS; g++)
			memcpy(to + (size_t)g * TENSOR_ROW_BYTES, from + (size_t)row_bytes * g, row_bytes);
	}
}

static void gather_factor(const struct warp *w, const uint32_t *places, const struct ptx_tile *tile,
                          unsigned count, bool is_double, uint8_t (*rows)[TENSOR_ROW_BYTES])
{
	if (is_double)
		gather_tiles(w, places, tile, count, 32, rows);
	else
		gather_tiles(w, places, tile, count, 16, rows);
}

/* C or D: 8 x 8 tiles, of which each lane holds two neighbours in two registers, or one if they are halves. */
struct sums {
	uint8_t *matrix;
	unsigned tiles, cols, bytes;
};

static uint8_t *tile_at(const struct sums *s, unsigned tile)
{
	size_t at = (size_t)TILE_ROWS * (tile % s->tiles) * s->cols + TILE_ROWS * (tile / s->tiles);
	return s->matrix + at * s->bytes;
}

/* Two registers of neighbours side by side, and apart again: four lanes of a row. */
typedef uint32_t word4 __attribute__((vector_size(16)));
typedef uint64_t long4 __attribute__((vector_size(32)));

#define GATHER_ROWS(type)                                                                                    \
	EIGHT_TIMES                                                                                          \
	for (unsigned row = 0; row < TILE_ROWS; row++, at += pitch) {                                        \
		type x, y, low, high;                                                                        \
		memcpy(&x, first + row * sizeof x, sizeof x);                                                \
		memcpy(&y, second + row * sizeof y, sizeof y);                                               \
		low = __builtin_shufflevector(x, y, 0, 4, 1, 5);                                             \
		high = __builtin_shufflevector(x, y, 2, 6, 3, 7);                                            \
		memcpy(at, &low, sizeof low);                                                                \
		memcpy(at + sizeof low, &high, sizeof high);                                                 \
	}
#define SCATTER_ROWS(type)                                                                                   \
	EIGHT_TIMES                                                                                          \
	for (unsigned row = 0; row < TILE_ROWS; row++, at += pitch) {                                        \
		type x, y, low, high;                                                                        \
		memcpy(&low, at, sizeof low);                                                                \
		memcpy(&high, at + sizeof low, sizeof high);                                                 \
		x = __builtin_shufflevector(low, high, 0, 2, 4, 6);                                          \
		y = __builtin_shufflevector(low, high, 1, 3, 5, 7);                                          \
		memcpy(first + row * sizeof x, &x, sizeof x);                                                \
		memcpy(second + row * sizeof y, &y, sizeof y);                                               \
	}

/* Rows of a tile from one register of pairs, or two of neighbours; and back. */
static void gather_tile(const struct sums *s, unsigned tile, const uint8_t *first, const uint8_t *second)
{
	uint8_t *at = tile_at(s, tile);
	size_t pitch = (size_t)s->cols * s->bytes;
	if (s->bytes == 4)
		GATHER_ROWS(word4)
	else if (s->bytes == 8)
		GATHER_ROWS(long4)
	else
		for (unsigned row = 0; row < TILE_ROWS; row++)
			memcpy(at + row * pitch, first + row * sizeof(word4), sizeof(word4));
}

static void scatter_tile(const struct sums *s, unsigned tile, uint8_t *first, uint8_t *second)
{
	const uint8_t *at = tile_at(s, tile);
	size_t pitch = (size_t)s->cols * s->bytes;
	if (s->bytes == 4)
		SCATTER_ROWS(word4)
	else if (s->bytes == 8)
		SCATTER_ROWS(long4)
	else
		for (unsigned row = 0; row < TILE_ROWS; row++)
			memcpy(first + row * sizeof(word4), at + row * pitch, sizeof(word4));
}

static void gather_sums(const struct warp *w, const uint32_t *places, unsigned count, const struct sums *s)
{
	unsigned each = s->bytes == 2 ? 1 : 2;
	for (unsigned tile = 0; tile < count / each; tile++)
		gather_tile(s, tile, place(w, places[tile * each]), place(w, places[tile * each + each - 1]));
}

static void scatter_sums(struct run *run, struct warp *w, const uint32_t *places, unsigned count,
                         const struct sums *s, uint64_t mask)
{
	unsigned each = s->bytes == 2 ? 1 : 2, bytes = s->bytes == 8 ? 8 : 4;
	bool is_whole = mask == w->live;
	for (unsigned tile = 0; tile < count / each; tile++) {
		const uint32_t *to = places + tile * each;
		if (is_whole) {
			scatter_tile(s, tile, place(w, to[0]), place(w, to[each - 1]));
			continue;
		}
		scatter_tile(s, tile, run->scratch[0], run->scratch[1]);
		for (unsigned i = 0; i < each; i++)
			lanes_write(run, w, to[i], run->scratch[i], bytes, mask);
	}
}

static unsigned sum_bytes(uint8_t type)
{
	return type == PTX_TYPE_f16 ? 2 : type == PTX_TYPE_f64 ? 8 : 4;
}

void matrix_gather_tiles(const struct warp *w, const uint32_t *places, const struct ptx_tile *tile,
                         unsigned count, uint8_t (*rows)[TENSOR_ROW_BYTES])
{
	gather_tiles(w, places, tile, count, 16, rows);
}

void matrix_gather_sums(const struct warp *w, const uint32_t *places, unsigned count,
                        const struct tensor_op *op, uint8_t *c)
{
	const struct sums s = {c, op->m / TILE_ROWS, op->n, sum_bytes(op->type_c)};
	gather_sums(w, places, count, &s);
}

void matrix_scatter_sums(struct run *run, struct warp *w, const uint32_t *places, unsigned count,
                         const struct tensor_op *op, uint8_t *d, uint64_t mask)
{
	const struct sums s = {d, op->m / TILE_ROWS, op->n, sum_bytes(op->type_d)};
	scatter_sums(run, w, places, count, &s, mask);
}

/* ---- four products of eight lanes each ---------------------------------------------------------------- */

/* Group q is lanes 4q ... 4q + 3 and 16 more. */
static bool in_group(unsigned lane, unsigned group)
{
	return lane % 16 / 4 == group;
}

static void gather_group(const struct run *run, const struct warp *w, const struct tensor_code *t,
                         unsigned group, unsigned fragment, struct tensor_data *data)
{
	const uint32_t *places = run->kernel->lists + t->places,
	               *map = run->kernel->lists + t->map + fragment * 512;
	bool is_half = fragment != PTX_FRAGMENT_c || t->op.type_c == PTX_TYPE_f16;
	for (unsigned f = 0; f < fragment; f++)
		places += t->count[f];
	for (unsigned r = 0; r < t->count[fragment]; r++)
		for (unsigned lane = 0; lane < 32; lane++)
			for (unsigned e = 0; e < (is_half ? 2u : 1u) && in_group(lane, group); e++) {
				uint32_t at = map[r * 64 + lane * 2 + e], row = at >> 16, col = at & 0xffff;
				const uint8_t *from = place(w, places[r]) + 4 * (size_t)lane + 2 * (size_t)e;
				uint8_t *to = fragment == PTX_FRAGMENT_a ? data->a[row] + 2 * col
				              : fragment == PTX_FRAGMENT_b
				                  ? data->b[col] + 2 * row
				                  : data->c + (row * 8 + col) * (is_half ? 2 : 4);
				memcpy(to, from, is_half ? 2 : 4);
			}
}

static void handle_quad_pairs(struct run *run, struct warp *w, const struct tensor_code *t, uint64_t mask)
{
	struct tensor_data data;
	_Alignas(64) uint8_t results[8][128];
	const uint32_t *map = run->kernel->lists + t->map, *places = run->kernel->lists + t->places;
	bool is_half = t->op.type_d == PTX_TYPE_f16;
	for (unsigned group = 0; group < 4; group++) {
		for (unsigned f = PTX_FRAGMENT_a; f <= PTX_FRAGMENT_c; f++)
			gather_group(run, w, t, group, f, &data);
		t->fn(&t->op, &data);
		for (unsigned i = 0; i < t->count[0] * 64u; i++) {
			unsigned lane = i / 2 % 32;
			size_t at = (map[i] >> 16) * 8 + (map[i] & 0xffff);
			if (!in_group(lane, group) || (i % 2 && !is_half))
				continue;
			if (is_half)
				memcpy(results[i / 64] + 4 * lane + 2 * (i % 2), data.d + 2 * at, 2);
			else
				memcpy(results[i / 64] + 4 * lane, data.d + 4 * at, 4);
		}
	}
	for (unsigned r = 0; r < t->count[0]; r++)
		lanes_write(run, w, places[r], results[r], 4, mask);
}

bool handle_mma(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct tensor_code *t = &run->kernel->tensors[op->more];
	if (t->is_quad_pair) {
		handle_quad_pairs(run, w, t, mask);
		return true;
	}
	struct tensor_data data;
	const struct tensor_op *product = &t->op;
	const uint32_t *d = run->kernel->lists + t->places, *a = d + t->count[PTX_FRAGMENT_d],
	               *b = a + t->count[PTX_FRAGMENT_a], *c = b + t->count[PTX_FRAGMENT_b];
	bool is_double = product->type_a == PTX_TYPE_f64;
	unsigned rows = product->m / TILE_ROWS;
	struct sums in = {data.c, rows, product->n, sum_bytes(product->type_c)},
	            out = {data.d, rows, product->n, sum_bytes(product->type_d)};
	gather_factor(w, a, t->tile[0], t->distinct[0], is_double, t->is_turned ? data.b : data.a);
	gather_factor(w, b, t->tile[1], t->distinct[1], is_double, t->is_turned ? data.a : data.b);
	gather_sums(w, c, t->count[PTX_FRAGMENT_c], &in);
	t->fn(product, &data);
	scatter_sums(run, w, d, t->count[PTX_FRAGMENT_d], &out, mask);
	return true;
}

/* ---- 8 x 8 matrices of 16 bits ------------------------------------------------------------------------- */

static void transpose(const uint16_t from[64], uint16_t to[64])
{
	for (unsigned i = 0; i < 64; i++)
		to[i] = from[i % 8 * 8 + i / 8];
}

/* The lanes that name rows: eight for each matrix. */
static uint64_t naming_lanes(const struct warp *w, const struct code *op)
{
	return mask_of_lanes(8u * op->mode) & w->live;
}

bool handle_ldmatrix(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	struct access *a = &run->kernel->accesses[op->more];
	const uint32_t *places = run->kernel->lists + op->target;
	bool is_transposed = (insn_of(run, op)->flags & PTX_FLAG_TRANS) != 0;
	uint64_t naming = naming_lanes(w, op);
	const uint64_t *host = access_hosts(run, w, op, a, naming);
	uint16_t matrix[4][64], turned[64];
	if (!host)
		return false;
	if (run->progress.is_watched)
		access_watch_read(run, a, host[bits_lowest(naming)]);
	/* All before any: a result may hold an address. */
	for (unsigned j = 0; j < op->mode; j++)
		for (unsigned row = 0; row < 8; row++)
			if (naming >> (8 * j + row) & 1)
				memcpy(matrix[j] + 8 * row, device_host(host[8 * j + row]), 16);
	for (unsigned j = 0; j < op->mode; j++) {
		if (is_transposed)
			transpose(matrix[j], turned);
		lanes_write(run, w, places[j], is_transposed ? turned : matrix[j], 4, mask);
	}
	return true;
}

bool handle_stmatrix(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	struct access *a = &run->kernel->accesses[op->more];
	const uint32_t *places = run->kernel->lists + op->target;
	bool is_transposed = (insn_of(run, op)->flags & PTX_FLAG_TRANS) != 0;
	uint64_t naming = naming_lanes(w, op);
	const uint64_t *host = access_hosts(run, w, op, a, naming);
	uint16_t matrix[64], turned[64];
	(void)mask;
	if (!host)
		return false;
	if (run->progress.is_watched)
		access_before_change(run, host, 0, 16, naming);
	for (unsigned j = 0; j < op->mode; j++) {
		memcpy(matrix, place(w, places[j]), sizeof matrix);
		if (is_transposed)
			transpose(matrix, turned);
		for (unsigned row = 0; row < 8; row++)
			if (naming >> (8 * j + row) & 1)
				memcpy(device_host(host[8 * j + row]),
				       (is_transposed ? turned : matrix) + 8 * row, 16);
	}
	if (run->progress.is_watched)
		access_after_change(run, host, 0, 16, naming, 0);
	return true;
}

bool handle_movmatrix(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	uint16_t matrix[64], turned[64];
	memcpy(matrix, place(w, op->a), sizeof matrix);
	transpose(matrix, turned);
	lanes_write(run, w, op->dst, turned, 4, mask);
	return true;
}

/* ---- wmma.load and wmma.store -------------------------------------------------------------------------- */

/*
 * wmma.load and wmma.store: matrices between memory and registers. One base
 * address and one stride for the whole warp; each lane moves the elements that
 * its registers hold.
 */

/* A matrix in memory. */
struct stored {
	const struct ptx_insn *insn;
	struct ptx_matrix matrix;
	struct ptx_pieces pieces;
	uint64_t base,
	    stride; /* address as the access has it, elements from row to row or column to column */
};

static uint64_t element_offset(const struct stored *s, struct ptx_place p)
{
	bool is_row = s->insn->layout == PTX_LAYOUT_row;
	uint64_t number = is_row ? p.row * s->stride + p.col : p.col * s->stride + p.row;
	return number * s->matrix.element_bits / 8;
}

static struct stored stored_matrix(struct run *run, const struct warp *w, const struct code *op,
                                   const struct access *a, uint64_t mask)
{
	unsigned lane = bits_lowest(mask);
	struct stored s = {.insn = insn_of(run, op)};
	s.matrix = ptx_matrix(s.insn, PTX_FRAGMENT_d);
	s.base = access_addresses(run, w, a)[lane];
	s.stride = lane_get(place(w, op->b), 4, lane);
	bool is_shared = a->space == PTX_SPACE_shared ||
	                 (a->space == PTX_SPACE_generic && s.base - SHARED_WINDOW < WINDOW_BYTES);
	s.pieces = is_shared ? ptx_matrix_pieces_shared(s.insn) : ptx_matrix_pieces(s.insn);
	return s;
}

/* Addresses of all pieces: checked, recorded. False: a fault. */
static bool check_pieces(struct run *run, struct warp *w, const struct code *op, struct access *a,
                         const struct stored *s, uint64_t mask)
{
	struct access piece = *a;
	uint64_t address[LANES_MAX];
	bool ok = true;
	piece.bytes = piece.element_bytes = s->pieces.bytes;
	piece.span = ACCESS_NO_SPAN;
	for (unsigned k = 0; ok && k < s->pieces.count; k++) {
		for (unsigned lane = 0; lane < run->lanes; lane++)
			address[lane] =
			    s->base + element_offset(s, ptx_piece_place(s->insn, &s->pieces, k, lane));
		run->piece = k | (s->pieces.is_rows && a->space == PTX_SPACE_generic ? RECORDER_ROWS : 0u);
		ok = access_hosts_at(run, w, op, &piece, address, mask) != NULL;
	}
	run->piece = WHOLE_INSN;
	if (run->progress.is_watched && !a->is_store)
		access_watch_read(run, a, s->base);
	return ok;
}

/* Where the matrix starts in host memory; elements were checked before. */
static uint8_t *host_of(const struct warp *w, const struct access *a, uint64_t base)
{
	if (a->space == PTX_SPACE_shared)
		return w->cta->shared + base;
	if (a->space == PTX_SPACE_generic && base - SHARED_WINDOW < WINDOW_BYTES)
		return w->cta->shared + (base - SHARED_WINDOW);
	return device_host(base);
}

/* Whether several elements share a byte: they are read and written by registers. */
static bool is_packed(const struct stored *s)
{
	return s->matrix.element_bits < 8;
}

bool handle_wmma_load(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	struct access *a = &run->kernel->accesses[op->more];
	struct stored s = stored_matrix(run, w, op, a, mask);
	const uint32_t *places = run->kernel->lists + op->target;
	if (!check_pieces(run, w, op, a, &s, mask))
		return false;
	const uint8_t *from = host_of(w, a, s.base);
	unsigned bytes = s.matrix.register_type == PTX_TYPE_f64 ? 8 : 4;
	unsigned step = is_packed(&s) ? s.matrix.elements : 1, each = bytes * step / s.matrix.elements;
	for (unsigned r = 0; r < s.matrix.registers; r++) {
		for (unsigned i = 0; i < 32 * s.matrix.elements / step; i++) {
			unsigned lane = i * step / s.matrix.elements, element = i * step % s.matrix.elements;
			struct ptx_place p = ptx_fragment_place(s.insn, PTX_FRAGMENT_d, lane, r, element);
			memcpy(run->scratch[0] + (size_t)i * each, from + element_offset(&s, p), each);
		}
		lanes_write(run, w, places[r], run->scratch[0], bytes, mask);
	}
	return true;
}

bool handle_wmma_store(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	struct access *a = &run->kernel->accesses[op->more];
	struct stored s = stored_matrix(run, w, op, a, mask);
	const uint32_t *places = run->kernel->lists + op->target;
	if (!check_pieces(run, w, op, a, &s, mask))
		return false;
	uint8_t *to = host_of(w, a, s.base);
	unsigned each = s.matrix.element_bits / 8u;
	run->progress.changed = true;
	for (unsigned r = 0; r < s.matrix.registers; r++)
		for (unsigned i = 0; i < 32u * s.matrix.elements; i++) {
			unsigned lane = i / s.matrix.elements;
			struct ptx_place p =
			    ptx_fragment_place(s.insn, PTX_FRAGMENT_d, lane, r, i % s.matrix.elements);
			if (mask >> lane & 1)
				memcpy(to + element_offset(&s, p), place(w, places[r]) + (size_t)i * each,
				       each);
		}
	return true;
}
