/* One instruction and its operands. Part of ptx.h. */
#ifndef SLUICE_PTX_INSN_H
#define SLUICE_PTX_INSN_H

#include <stdbool.h>
#include <stdint.h>

#include "ptx/isa.h"

#define PTX_NONE UINT32_MAX

enum ptx_operand_kind {
	PTX_SINK,     /* "_": a result that is dropped */
	PTX_REG,      /* index: register of the function */
	PTX_IMM,      /* value: bits, as wide as the operand's type; floats as their IEEE bits */
	PTX_SREG,     /* index: enum ptx_sreg */
	PTX_ADDRESS,  /* [base + value]: base says what `index` is */
	PTX_SYMBOL,   /* address of variable `index` plus value, as a number (mov.u64 %rd, table+8) */
	PTX_FUNCTION, /* index: function (call target; mov.u64 %rd, function) */
	PTX_LABEL,    /* index: instruction */
	PTX_TABLE,    /* index: branch table of brx.idx */
	PTX_PROTOTYPE /* index: call prototype of an indirect call */
};

enum ptx_base { PTX_BASE_REG, PTX_BASE_VARIABLE, PTX_BASE_ABSOLUTE };

struct ptx_operand {
	uint8_t kind; /* enum ptx_operand_kind */
	uint8_t base; /* enum ptx_base, of PTX_ADDRESS */
	bool negated; /* !%p */
	uint32_t index;
	int64_t value;
};

/* Return the register that a source reads, as a value or as the base of an address; PTX_NONE if it reads none. */
static inline uint32_t ptx_register_read(const struct ptx_operand *o)
{
	bool reads = o->kind == PTX_REG || (o->kind == PTX_ADDRESS && o->base == PTX_BASE_REG);
	return reads ? o->index : PTX_NONE;
}

/*
 * One instruction. Results come first, then sources; vectors are spelled out:
 * ld.v2 has two results, st.v2 an address and two values, mov.b64 {a,b},c two
 * results, setp p|q and shfl r|p two results, tex four results, a handle and
 * its coordinates. call: results are the return parameters (PTX_SYMBOL), sources
 * the target, the arguments, and a prototype if the call is indirect.
 *
 * Some fields by opcode: bar.red.and/.or have mode red and the operation in
 * `combine` (none: popc); vote.all and the like the question in `mode`; dp2a,
 * dp4a: type of a, type2 of b; tld4: `combine` is the component 0 ... 3 (r, g, b,
 * a); membar.gl has scope gpu. mul.wide and mad.wide: `type` is that of the
 * factors, the result is twice as wide. A generic access to a named variable
 * gets the variable's space. Immediates are masked to their width; predicates are 0 or 1.
 * A function whose text may run off its end gets a ret there, so that each has an instruction.
 *
 * Matrices: mma and wmma.mma have D's registers as results, those of A, B and C as sources, as many as
 * ptx_matrix() says (fragment.h). ldmatrix and stmatrix: `vector` is the number of matrices.
 * wgmma.mma_async: D's registers as results and as first sources, then A (registers, or one descriptor), the descriptor of
 * B, a predicate (0: D is not added), the signs of A and B, whether A and B are transposed, as far as the types have them.
 * cp.async.bulk.tensor: `vector` is the number of dimensions; destination, source, mbarrier, of which the one in global memory
 * is a tensor map's address and its coordinates.
 * cp.async: destination, source, bytes, and bytes to read or a predicate that skips the copy; cp.async.bulk:
 * destination, source, bytes, and the mbarrier where it completes there.
 */
struct ptx_insn {
	uint16_t op;      /* enum ptx_op */
	uint8_t type3;    /* of B; mma: type is D's, type2 A's */
	uint8_t type4;    /* of C */
	uint32_t flags;   /* enum ptx_flag */
	uint8_t shape;    /* enum ptx_shape */
	uint8_t layout;   /* enum ptx_layout, of A or of the matrix in memory */
	uint8_t layout2;  /* of B */
	uint8_t fragment; /* enum ptx_fragment, of wmma.load and wmma.store */
	uint8_t evict;    /* enum ptx_evict */
	uint8_t type;     /* of the result, or of the values of a store or compare */
	uint8_t type2;    /* source of cvt, sources of set, coordinates of tex; else equal to type */
	uint8_t space; /* enum ptx_space of a memory access, cvta, isspacep; PTX_GENERIC if none is written */
	uint8_t vector;  /* 1, 2, 4 or 8 elements of a memory access */
	uint8_t round;   /* enum ptx_round */
	uint8_t compare; /* enum ptx_compare */
	uint8_t combine; /* enum ptx_combine: setp.lt.and... */
	uint8_t mode;  /* enum ptx_mode: what the opcode's own modifier says (lo, bfly, add, sync, 2d ...) */
	uint8_t cache; /* enum ptx_cache */
	uint8_t scope; /* enum ptx_scope */
	uint8_t result_count, source_count;
	uint32_t first_operand;
	uint32_t guard;                    /* predicate register, PTX_NONE: always */
	uint32_t line, column;             /* in the PTX text */
	uint32_t source_file, source_line; /* by .loc; line 0: unknown */
};

/* Whether one of the instruction's results, which start at `result`, is the register. */
static inline bool ptx_writes(const struct ptx_insn *insn, const struct ptx_operand *result, uint32_t reg)
{
	for (uint32_t i = 0; i < insn->result_count; i++)
		if (result[i].kind == PTX_REG && result[i].index == reg)
			return true;
	return false;
}

#endif
