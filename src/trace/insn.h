/*
 * Instruction classes: what the timing model needs to know of an opcode.
 *
 * A class says which kind of pipe an instruction wants and how it behaves;
 * latencies and intervals belong to the machine. The same classes serve SASS,
 * PTX and GCN. Adding one is a line here plus its timing in the machine files.
 */
#ifndef SLUICE_TRACE_INSN_H
#define SLUICE_TRACE_INSN_H

#include <stdint.h>

/* X(NAME, name in files, what it covers) */
#define OP_CLASSES(X)                                                                                        \
	X(NOP, "nop", "no operation, dependency-barrier bookkeeping")                                        \
	X(INT, "int", "integer add, logic, shift, select, compare, min/max, move, int32-to-fp32")            \
	X(IMAD, "imad", "integer multiply-add and its move and shift forms, dot products")                   \
	X(FP32, "fp32", "single-precision add, multiply, fused multiply-add")                                \
	X(FP16, "fp16", "half-precision arithmetic, packed or not")                                          \
	X(FP64, "fp64", "double-precision arithmetic and compares")                                          \
	X(SFU, "sfu", "transcendentals, conversions, population count, find leading one, bit reverse")       \
	X(TENSOR, "tensor", "matrix multiply-accumulate of 8- to 32-bit inputs")                             \
	X(TENSOR64, "tensor64", "double-precision matrix multiply-accumulate")                               \
	X(SHUFFLE, "shuffle", "warp shuffle")                                                                \
	X(VOTE, "vote", "warp vote, match, warp reduction")                                                  \
	X(SREG, "sreg", "read of a special register")                                                        \
	X(CONST, "const", "load from constant memory into a register")                                       \
	X(UNIFORM, "uniform", "uniform datapath")                                                            \
	X(BRANCH, "branch", "branch, call, return, indirect jump")                                           \
	X(RECONVERGE, "reconverge", "push or pop of a reconvergence point, warp synchronisation")            \
	X(BARRIER, "barrier", "CTA barrier that waits")                                                      \
	X(ARRIVE, "arrive", "CTA barrier arrival that does not wait")                                        \
	X(FENCE, "fence", "memory fence, cache control")                                                     \
	X(EXIT, "exit", "end of the thread")                                                                 \
	X(LOAD, "load", "load")                                                                              \
	X(STORE, "store", "store")                                                                           \
	X(ATOMIC, "atomic", "read-modify-write that returns a value")                                        \
	X(REDUCE, "reduce", "read-modify-write that returns nothing")                                        \
	X(TEXTURE, "texture", "texture and surface access")

enum op_class {
#define X(NAME, name, doc) OP_##NAME,
	OP_CLASSES(X)
#undef X
	    OP_COUNT
};

#define MEM_SPACES(X)                                                                                        \
	X(NONE, "none")                                                                                      \
	X(GLOBAL, "global")                                                                                  \
	X(LOCAL, "local")                                                                                    \
	X(SHARED, "shared")                                                                                  \
	X(CONST, "const")                                                                                    \
	X(GENERIC, "generic") /* resolved per access by the windows of the kernel header */                  \
	X(TEXTURE, "texture")

enum mem_space {
#define X(NAME, name) SPACE_##NAME,
	MEM_SPACES(X)
#undef X
	    SPACE_COUNT
};

/* Properties that hold for every execution of an instruction. */
enum insn_flag {
	INSN_MEMORY = 1u << 0,         /* may carry lane addresses in the stream */
	INSN_SETS_PREDICATE = 1u << 1, /* result goes to a predicate (compare, vote) */
	INSN_USES_PREDICATE = 1u << 2, /* known to wait for the last predicate (branches) */
	INSN_BYPASS_L1 = 1u << 3,      /* strong or cache-global access: not served by L1 */
	INSN_CAS = 1u << 4,            /* compare-and-swap: twice the cost of an add */
	INSN_REG_LANE = 1u << 5,       /* shuffle with a lane register */
	INSN_GPU_SCOPE = 1u << 6,      /* fence at GPU or system scope: empties L1 */
	INSN_WRITES_UNIFORM = 1u << 7, /* result goes to a uniform register */
	INSN_GUESSED = 1u << 8,        /* opcode unknown: class guessed from its prefix */
	INSN_DOUBLE_PASS = 1u << 9,    /* takes its pipe twice (IMAD.HI) */
	INSN_ASYNC_COPY =
	    1u
	    << 10, /* LDGSTS: global load that writes shared memory; its destination register is none. On what is no
	                 access: commits the warp's copies as a group, or, with a width, waits until at most width - 1
	                 groups are under way; 255: until all copies are there. Products of warp groups (HGMMA) have it,
	                 too, with a width if one closes its group, and so has what waits for them (WARPGROUP.DEPBAR) */
	INSN_BULK =
	    1u
	    << 11, /* with ASYNC_COPY: part of a bulk copy, 512 bytes at most; a store reads shared memory. Above
	              the addresses stands its mbarrier, see trace/mbarrier.h */
	INSN_PHASE_WAIT =
	    1u << 12, /* waits for a phase of the mbarrier at its address; above it stands until when */
	INSN_EVICT_FIRST = 1u << 13, /* its data may leave the caches first, */
	INSN_EVICT_LAST = 1u << 14,  /* last, */
	INSN_NO_ALLOCATE = 1u << 15, /* or is not to be kept in L1 at all */
	INSN_POLL = 1u << 16,        /* a global load or atomic of a spin-wait; see trace/poll.h */
};

const char *op_class_name(enum op_class op);
const char *op_class_doc(enum op_class op);
const char *mem_space_name(enum mem_space space);

#endif
