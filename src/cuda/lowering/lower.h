/*
 * What PTX stands for on a GPU: each instruction of a kernel becomes none, one
 * or several machine instructions, by rules and tables (lower.def) that
 * docs/lowering.md explains. The trace holds the result.
 */
#ifndef SLUICE_CUDA_LOWER_H
#define SLUICE_CUDA_LOWER_H

#include "ptx/ptx.h"
#include "trace/trace.h"

enum { LOWER_NONE = UINT32_MAX };

/* Of all functions that a kernel reaches, in the order of the text. */
struct lowering {
	struct trace_insn *insns; /* opcode: offset in strings */
	uint32_t count;
	char *strings;
	/* By instruction i of the module: it is insns[start[i]] up to, not including, insns[start[i + 1]]. */
	uint32_t *start;
	/* The first of them that has lane addresses, and the same for a generic access to local memory; LOWER_NONE. */
	uint32_t *access, *local_access;
	/* Of a matrix that is moved from a generic address: the first of its accesses if that is shared memory. */
	uint32_t *rows_access;
	/* Of a branch that machine code does without: where it leads. What it jumps over is issued, predicated off. */
	uint32_t *folded;
};

/* `pc`: of its first instruction. */
struct lowering *lower_kernel(const struct ptx_module *module, const struct ptx_kernel *kernel, uint64_t pc);
void lower_free(struct lowering *lowering);

#endif
