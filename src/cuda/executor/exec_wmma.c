/*
 * wmma.load and wmma.store: matrices between memory and registers. One base
 * address and one stride for the whole warp; each lane moves the elements that
 * its registers hold.
 */
#include "cuda/executor/exec_access.h"
#include "cuda/executor/exec_handlers.h"
#include "cuda/executor/exec_mask.h"
#include "ptx/fragment.h"

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
	struct stored s = {.insn = &run->kernel->module->ptx->insns[op->insn]};
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
