/*
 * Lane arithmetic: what one PTX instruction computes, over all lanes of a warp.
 *
 * A value of a warp is an array with one element per lane ("lane array"); the
 * element is as wide as its register: predicates 4 bytes (0 or ~0u), 8- and
 * 16-bit types 2, 32-bit 4, 64-bit 8. Functions compute every lane, active or
 * not: nothing a lane holds may trap (division by zero included). The caller
 * blends the result where lanes are inactive. Immediates and special registers
 * reach these functions as lane arrays too.
 */
#ifndef SLUICE_CUDA_LANES_H
#define SLUICE_CUDA_LANES_H

#include "ptx/ptx.h"

enum { LANES_MAX = 64 };

/*
 * `dst` may be one of the sources. `lanes` is 32 or 64. a, b, c are the sources in
 * PTX order: the predicate of selp and that of setp.and are their third. `d` is the
 * fourth where an opcode has one (bfi's length, lop3's table, norm4d's last argument),
 * the carry (uint32_t 0 or 1 per lane) that add.cc, mad.cc and the like write and
 * addc reads, or an output of a native function. Expects rounding to nearest, and
 * neither flush-to-zero nor denormals-are-zero, in the host's floating-point
 * environment; leaves it so.
 */
typedef void lane_fn(void *dst, const void *a, const void *b, const void *c, void *d, unsigned lanes);

/* Widths of the registers at hand; a cvt.u32.u8 may read a 2- or 4-byte register. */
struct lane_shape {
	uint8_t result_bytes;
	uint8_t source_bytes[4];
};

/*
 * The function for an instruction, or NULL if it is not lane arithmetic (memory,
 * control, warp-wide operations). `shape` matters to cvt alone; NULL: registers as
 * wide as the types. setp with two results: the second is computed by the function
 * of the opposite compare (of f16x2: of the high halves), for which
 * lane_setp_opposite() gives the instruction.
 */
lane_fn *lane_function(const struct ptx_insn *insn, const struct lane_shape *shape);
struct ptx_insn lane_setp_opposite(const struct ptx_insn *insn);
/* Whether the function uses `d` as carry, and whether it writes or reads it. */
bool lane_writes_carry(const struct ptx_insn *insn);
bool lane_reads_carry(const struct ptx_insn *insn);

/*
 * __nv_* and other functions that clang leaves to a device library, run
 * natively. Pointer arguments at the end (sincosf, modf, frexp, remquo) are
 * outputs, lane arrays like results: the one output of a function that has a result
 * goes to `d`; of two outputs of a void function the first goes to `dst`, the second
 * to `d`. Functions that read memory (norm, rnorm) are not among them.
 */
struct native_function {
	const char *name;
	lane_fn *fn;
	uint8_t result;    /* enum ptx_type; PTX_TYPE_none: void */
	uint8_t arg_count; /* values, outputs not counted */
	uint8_t arg[4];    /* enum ptx_type */
	uint8_t output_count;
	uint8_t output[2]; /* types behind the trailing pointer arguments */
	/* How many warp instructions of each kind a GPU executes for it, about; docs/cuda-math.md has the table. */
	struct native_cost {
		uint8_t integer, fp32, fp64, sfu, branch;
	} cost;
};
const struct native_function *native_find(const char *name); /* NULL: unknown */

#endif
