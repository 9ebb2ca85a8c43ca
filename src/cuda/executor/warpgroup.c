/*
 * Products of warp groups: wgmma.mma_async and what waits for them.
 *
 * A warp computes its 16 of the 64 rows, at once, when it comes to the instruction: the earliest time that PTX allows. What
 * the four warps read together must stay until all of them have: wait_group, which PTX has them reach together, is a
 * barrier of the group.
 *
 * A matrix in shared memory lies in pieces of 8 rows of 16, 32, 64 or 128 bytes, as its descriptor says: a row is one of
 * the matrix where k is contiguous, else a step of k. Within 128 bytes, or what the mode has, units of 16 bytes are
 * exchanged by the bits of the address above (Hopper's "swizzle").
 */
#include "cuda/executor/access.h"
#include "cuda/executor/barrier.h"
#include "cuda/executor/handlers.h"
#include "cuda/executor/mask.h"
#include "cuda/executor/matrix.h"
#include "cuda/executor/warp.h"

enum { UNIT = 16, PIECE_ROWS = 8, GROUP_WARPS = 4, WARP_ROWS = 16, COLUMNS = TENSOR_N_MAX };

/* ---- matrices in shared memory ------------------------------------------------------------------------------ */

struct described {
	const uint8_t *shared;
	uint64_t limit;           /* bytes of shared memory */
	uint64_t start;           /* address */
	uint64_t leading, stride; /* bytes between pieces: along a row, or in the other direction */
	uint32_t row;             /* bytes of a piece's row; 16: not exchanged */
	bool is_transposed;       /* k is not contiguous */
	bool is_outside;          /* something was read there */
};

static struct described describe(const struct run *run, const struct warp *w, uint64_t descriptor,
                                 bool is_transposed)
{
	static const uint8_t rows[] = {16, 128, 64, 32};
	enum { FIELD = 0x3fff };
	return (struct described){.shared = w->cta->shared,
	                          .limit = run->shared_bytes,
	                          .start = (descriptor & FIELD) * UNIT,
	                          .leading = (descriptor >> 16 & FIELD) * UNIT,
	                          .stride = (descriptor >> 32 & FIELD) * UNIT,
	                          .row = rows[descriptor >> 62],
	                          .is_transposed = is_transposed};
}

/* Unit `unit` of row `line`, both counted over the whole matrix. */
static const uint8_t *unit_at(struct described *m, uint32_t line, uint32_t unit)
{
	static const uint8_t zeros[UNIT] = {0};
	uint32_t units = m->row / UNIT, piece = line / PIECE_ROWS;
	uint64_t across = unit / units, at = m->start + line % PIECE_ROWS * m->row + unit % units * UNIT;
	if (m->row > UNIT)
		at += piece * m->stride + across * m->leading;
	else
		at += m->is_transposed ? piece * m->leading + across * m->stride
		                       : piece * m->stride + across * m->leading;
	at ^= (at >> 7 & (units - 1)) * UNIT;
	if (at + UNIT > m->limit) {
		m->is_outside = true;
		return zeros;
	}
	return m->shared + at;
}

/* Rows [first, first + count) of A, or columns of B: k contiguous elements each, `bytes` in all. */
static void gather_lines(struct described *m, uint32_t first, uint32_t count, uint32_t bytes,
                         uint8_t (*to)[TENSOR_ROW_BYTES])
{
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t unit = 0; unit < bytes / UNIT; unit++)
			memcpy(to[i] + (size_t)unit * UNIT, unit_at(m, first + i, unit), UNIT);
}

/* The same of elements of 16 bits that lie the other way: each step of k has its line. */
static void gather_turned(struct described *m, uint32_t first, uint32_t count, uint32_t k,
                          uint8_t (*to)[TENSOR_ROW_BYTES])
{
	enum { EACH = 2, ELEMENTS = UNIT / EACH };
	for (uint32_t step = 0; step < k; step++)
		for (uint32_t i = 0; i < count; i += ELEMENTS) {
			const uint8_t *from = unit_at(m, step, (first + i) / ELEMENTS);
			for (uint32_t e = 0; e < ELEMENTS; e++)
				memcpy(to[i + e] + (size_t)step * EACH, from + (size_t)e * EACH, EACH);
		}
}

static void gather(struct described *m, const struct tensor_op *op, uint32_t first, uint32_t count,
                   uint32_t bytes, uint8_t (*to)[TENSOR_ROW_BYTES])
{
	if (m->is_transposed)
		gather_turned(m, first, count, op->k, to);
	else
		gather_lines(m, first, count, bytes, to);
}

/* ---- products ------------------------------------------------------------------------------------------------ */

static void negate(uint8_t (*rows)[TENSOR_ROW_BYTES], uint32_t count, uint32_t bytes, uint32_t element_bytes)
{
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t at = element_bytes - 1; at < bytes; at += element_bytes)
			rows[i][at] ^= 0x80;
}

static void gather_a(const struct run *run, struct warp *w, const struct code *op,
                     const struct tensor_code *t, struct described *a, struct tensor_data *data)
{
	static const struct ptx_tile tiles[] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
	uint32_t bytes = UNIT * 2, rank = w->index % GROUP_WARPS;
	const uint32_t *places = run->kernel->lists + t->places + t->count[PTX_FRAGMENT_d];
	if (t->count[PTX_FRAGMENT_a])
		matrix_gather_tiles(w, places, tiles, t->count[PTX_FRAGMENT_a], data->a);
	else
		gather(a, &t->op, rank * WARP_ROWS, WARP_ROWS, bytes, data->a);
	if (op->mode & WARPGROUP_NEGATIVE)
		negate(data->a, WARP_ROWS, bytes, bytes / t->op.k);
}

bool handle_warpgroup_product(struct run *run, struct warp *w, const struct code *op, uint64_t mask)
{
	const struct tensor_code *t = &run->kernel->tensors[op->more];
	unsigned lane = bits_lowest(mask);
	struct described a = describe(run, w, lane_get(place(w, op->a), 8, lane),
	                              op->mode & WARPGROUP_TURNS_A),
	                 b = describe(run, w, lane_get(place(w, op->b), 8, lane),
	                              op->mode & WARPGROUP_TURNS_B);
	bool adds = (lane_get(place(w, op->c), 4, lane) != 0) != ((op->negated & 4) != 0);
	const uint32_t *d = run->kernel->lists + t->places;
	struct tensor_op part = t->op;
	struct tensor_data data;
	gather_a(run, w, op, t, &a, &data);
	for (uint32_t col = 0; col < t->op.n; col += COLUMNS) {
		part.n = (uint16_t)(t->op.n - col < COLUMNS ? t->op.n - col : COLUMNS);
		unsigned registers = (unsigned)t->count[PTX_FRAGMENT_d] * part.n / t->op.n;
		gather(&b, &part, col, part.n, UNIT * 2, data.b);
		if (adds)
			matrix_gather_sums(w, d, registers, &part, data.c);
		else
			memset(data.c, 0, sizeof data.c);
		t->fn(&part, &data);
		matrix_scatter_sums(run, w, d, registers, &part, data.d, mask);
		d += registers;
	}
	if (a.is_outside || b.is_outside)
		return fault_at(run, w, op, mask, EXEC_ILLEGAL_ADDRESS,
		                "wgmma reads matrix %s outside of shared memory, at 0x%llx and behind",
		                a.is_outside ? "A" : "B",
		                (unsigned long long)(a.is_outside ? a.start : b.start));
	return true;
}
