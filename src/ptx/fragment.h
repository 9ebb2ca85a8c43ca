/*
 * Matrices of D = A B + C, spread over the registers of a warp: how many each
 * lane has, of which type, and which elements they hold.
 *
 * The places are those of the PTX manual ("Matrix Fragments for mma"). For
 * wmma, whose places the manual leaves open, they are those that an H200 has.
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

/* Of mma, wmma, ldmatrix and stmatrix (D: the registers in question). */
struct ptx_matrix ptx_matrix(const struct ptx_insn *insn, enum ptx_fragment which);
/* The types of A and B; wmma.mma.f32.f32 leaves out that they are f16. */
enum ptx_type ptx_factor_type(const struct ptx_insn *insn, enum ptx_fragment which);

/* m, n and k of a shape. */
struct ptx_extent {
	uint16_t m, n, k;
};
struct ptx_extent ptx_shape_extent(enum ptx_shape shape);

/*
 * The tile of A or B that a register is: eight rows (of B: columns), as many elements of k as four registers hold.
 * `which` is D for the matrix of a wmma.load.
 */
struct ptx_tile {
	uint8_t down, across;
};
struct ptx_tile ptx_factor_tile(const struct ptx_insn *insn, enum ptx_fragment which, unsigned reg);

/* The element that lane `lane` holds as number `element` of register `reg`. Not of ldmatrix and stmatrix. */
struct ptx_place {
	uint16_t row, col;
};
struct ptx_place ptx_fragment_place(const struct ptx_insn *insn, enum ptx_fragment which, unsigned lane,
                                    unsigned reg, unsigned element);

/*
 * How wmma.load and wmma.store go to memory: in `count` accesses of the warp, each of `bytes` per lane. With `rows`
 * (factors of 16 bits in shared memory) a lane names 16 bytes that others get: row lane % 8 of tile 4 x piece + lane / 8.
 */
struct ptx_pieces {
	uint8_t count, bytes;
	bool is_rows;
};
struct ptx_pieces ptx_matrix_pieces(const struct ptx_insn *insn);
/* The same if the matrix lies in shared memory, which a generic address does not tell beforehand. */
struct ptx_pieces ptx_matrix_pieces_shared(const struct ptx_insn *insn);
/* The first element of a lane's piece. */
struct ptx_place ptx_piece_place(const struct ptx_insn *insn, const struct ptx_pieces *pieces, unsigned piece,
                                 unsigned lane);

#endif
