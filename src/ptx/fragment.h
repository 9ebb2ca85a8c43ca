/*
 * Matrices of D = A B + C, spread over the registers of a warp: how many each
 * lane has, of which type, and which elements they hold.
 *
 * The places are those of the PTX manual ("Matrix Fragments for mma"). For wmma, which the manual leaves open, they are
 * those of an H200.
 */
#ifndef SLUICE_PTX_FRAGMENT_H
#define SLUICE_PTX_FRAGMENT_H

#include "ptx/insn.h"

struct ptx_matrix {
	uint8_t registers;           /* of one lane; 0: there is no such matrix */
	enum ptx_type register_type; /* b32, f32, s32 or f64 */
	enum ptx_type element;       /* e4m3, f16, tf32 ... */
	uint8_t element_bits;
	uint8_t elements;    /* of one register */
	uint16_t rows, cols; /* A: m x k, B: k x n, C and D: m x n */
};

/*
 * Return a matrix of mma, wmma, wgmma, ldmatrix or stmatrix; for the latter two and for wmma.load and .store, `which` is D.
 * Of wgmma it is one warp's part; B is never in registers, and A need not be.
 */
struct ptx_matrix ptx_matrix(const struct ptx_insn *insn, enum ptx_fragment which);
/* Return the type of A or B; wmma.mma.f32.f32 implies f16. */
enum ptx_type ptx_factor_type(const struct ptx_insn *insn, enum ptx_fragment which);

/* Return how many registers of wgmma.mma_async hold A; 0: a descriptor says where it is. */
unsigned ptx_warpgroup_factor_registers(const struct ptx_insn *insn);

/* m, n and k of a shape. */
struct ptx_extent {
	uint16_t m, n, k;
};
struct ptx_extent ptx_shape_extent(enum ptx_shape shape);

/*
 * Return the tile of A or B that a register holds: eight rows (of B: columns) by as many elements of k as four registers
 * hold. `which` is D for the matrix of a wmma.load.
 */
struct ptx_tile {
	uint8_t down, across;
};
struct ptx_tile ptx_factor_tile(const struct ptx_insn *insn, enum ptx_fragment which, unsigned reg);

/* Return the place of element number `element` of register `reg` of a lane. Not for ldmatrix and stmatrix. */
struct ptx_place {
	uint16_t row, col;
};
struct ptx_place ptx_fragment_place(const struct ptx_insn *insn, enum ptx_fragment which, unsigned lane,
                                    unsigned reg, unsigned element);

/*
 * The accesses of wmma.load and wmma.store: `count` of the warp, each of `bytes` per lane. With is_rows (factors of
 * 16 bits in shared memory) a lane addresses 16 bytes for other lanes: row lane % 8 of tile 4 x piece + lane / 8.
 */
struct ptx_pieces {
	uint8_t count, bytes;
	bool is_rows;
};
struct ptx_pieces ptx_matrix_pieces(const struct ptx_insn *insn);
/* The same for a matrix in shared memory, which a generic address does not show beforehand. */
struct ptx_pieces ptx_matrix_pieces_shared(const struct ptx_insn *insn);
/* Return the first element of a lane's piece. */
struct ptx_place ptx_piece_place(const struct ptx_insn *insn, const struct ptx_pieces *pieces, unsigned piece,
                                 unsigned lane);

#endif
