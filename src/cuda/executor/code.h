/*
 * A kernel as the executor runs it: one compact instruction per PTX instruction.
 * Operands are places, and all that is known before the launch has been looked
 * up. A kernel is decoded once (decode.c); warp.c runs it.
 */
#ifndef SLUICE_CUDA_EXECUTOR_CODE_H
#define SLUICE_CUDA_EXECUTOR_CODE_H

#include "cuda/lanes/lanes.h"
#include "cuda/tensor/tensor.h"
#include "ptx/fragment.h"

struct run;
struct warp;
struct exec;
struct loaded_module;
struct code;

/* Shared memory of the cluster's CTAs: own offsets stay as they are, those of rank r have r + 1 above these bits. */
enum { CLUSTER_SHIFT = 24 };

/* Addresses of functions: 16 bytes apart, one range of numbers per module. */
#define FUNCTION_WINDOW UINT64_C(0x0e0000000000)
#define FUNCTION_MODULE_SHIFT 28

/* A place is a base and an offset from it; the warp knows where its bases are. */
enum place_base {
	PLACE_FRAME,  /* registers and parameter variables of the function that runs */
	PLACE_CONST,  /* immediates and addresses, broadcast; of the kernel. Offset 0 is zeros */
	PLACE_WARP,   /* special registers */
	PLACE_LAUNCH, /* kernel parameters, broadcast; of the launch */
	PLACE_BASES
};
#define PLACE_OFFSET_MASK 0x3fffffffu
#define PLACE_ZERO ((uint32_t)PLACE_CONST << 30)

enum code_kind {
	CODE_HEAD,        /* rounds of a wait begin here, see wait.h; and as CODE_JOIN */
	CODE_JOIN,        /* paths may meet here: end the path if so, else run as `body` */
	CODE_GUARD,       /* evaluate the guard, then run as `plain` */
	CODE_LANE,        /* fn(dst, a, b, c, d) */
	CODE_CARRY,       /* CODE_LANE whose fn writes d, too */
	CODE_NEGATED,     /* CODE_LANE with some source predicates inverted */
	CODE_HANDLER,     /* handler() changes registers only */
	CODE_MEMORY,      /* handler() accesses memory */
	CODE_LOAD_SHARED, /* the same, from shared memory */
	CODE_SYNC,        /* handler(), once the lanes that `d` names have arrived */
	CODE_WAIT,        /* handler() accesses memory, once the mbarrier's phase is over */
	CODE_BRANCH,      /* unconditional */
	CODE_BRANCH_IF,
	CODE_ASK,     /* CODE_BRANCH or CODE_BRANCH_IF in a loop that waits */
	CODE_POLL,    /* CODE_MEMORY there */
	CODE_WRITE,   /* CODE_MEMORY that writes, in a kernel that waits */
	CODE_FENCE,   /* CODE_NOP that waits for such writes */
	CODE_CONTROL, /* control() decides what runs next */
	CODE_NOP
};

enum control_result { CONTROL_NEXT, CONTROL_SWITCH, CONTROL_FAULT };

/* False: run->status says what is wrong. */
typedef bool code_handler(struct run *run, struct warp *w, const struct code *op, uint64_t mask);
typedef enum control_result code_control(struct run *run, struct warp *w, const struct code *op,
                                         uint64_t mask);

struct code {
	union {
		lane_fn *fn;
		code_handler *handler;
		code_control *control;
	};
	uint8_t entry, body, plain; /* enum code_kind: as it stands, behind the join, behind the guard */
	uint8_t bytes;              /* of one lane's result */
	bool guard_not;
	uint8_t mode;                /* free for handler() */
	uint16_t negated;            /* sources that are !%p: bit 0 is a */
	uint32_t guard;              /* place */
	uint32_t dst, a, b, c, d;    /* places; unused ones are PLACE_ZERO */
	uint32_t target, reconverge; /* code indexes */
	uint32_t more;               /* index into a table of the kernel: accesses, calls ... */
	uint32_t insn;               /* of the module */
};

/* A memory access; `first` and `span` are the range that the last access was found in. */
#define ACCESS_NO_SPAN UINT64_MAX /* nothing is inside */
typedef void access_move(void *reg, const uint64_t *address, uint64_t base, uint64_t mask, unsigned lanes);
struct access {
	uint64_t first, span; /* `a` is inside if neither a - first nor span - (a - first) is negative */
	uint64_t last;        /* address of the last read that was looked at */
	int64_t offset;
	uint32_t address;      /* place, PLACE_ZERO: only the offset */
	uint32_t value[4];     /* places: results of a load, values of a store */
	access_move *move[4];  /* between memory and a register, element by element */
	uint8_t address_bytes; /* of the register */
	uint8_t count, element_bytes;
	uint8_t bytes;          /* count * element_bytes */
	uint8_t register_bytes; /* of a value */
	uint8_t unwanted;       /* words of a load that go to no register, as a set */
	uint8_t space;
	bool is_plain; /* one element as wide as its register: a straight copy when lanes are adjacent */
	bool is_store, is_volatile, is_atomic;
	bool is_framed;  /* a local variable by name: the frame's place is added */
	uint32_t stride; /* of a parameter variable: bytes per lane */
};

/* One argument or result: a parameter variable (or register) and its bytes per lane. */
struct call_value {
	uint32_t place, bytes;
};
/* A call: the caller's places for arguments, then results; the callee's places are in its struct code_function. */
struct call {
	uint32_t function; /* of the kernel's table; PTX_NONE: indirect or native */
	uint32_t target;   /* place of the address, of an indirect call */
	uint32_t arg_count, result_count;
	const char *name;
	const struct native_function *native;
	struct call_value *values;
};

/* A parameter variable that has an address: numbers [number, number + bytes) of the function's param space. */
struct param_space {
	uint32_t number, bytes, place;
};

struct code_function {
	uint32_t ptx;   /* function of the module */
	uint32_t first; /* code index */
	uint32_t frame_bytes, local_bytes;
	struct param_space *params;
	uint32_t param_count;
	uint32_t arg_count, result_count;
	struct call_value *values; /* arguments, then results */
};

/* setp p|q: the compare and its opposite. */
struct lane_pair {
	lane_fn *fn[2];
	uint32_t dst[2];
};

/* Places of suld and sust in the kernel's lists: values, coordinates, bytes of the values' registers. */
enum { TEXTURE_VALUES = 4, TEXTURE_PLACES = 12 };

/* A product of matrices, or a move of one between memory and registers. */
struct tensor_code {
	struct tensor_op op;
	tensor_fn *fn;
	uint32_t places; /* of the kernel's lists: registers of D, then A, B, C */
	uint8_t count[4];
	uint8_t distinct[2];        /* of A and B: registers before they repeat themselves */
	struct ptx_tile tile[2][8]; /* what they hold */
	bool is_turned;             /* n > m: computed as the transposed product, A and B change places */
	bool is_quad_pair;          /* mma.m8n8k4.f16: places by a table instead of tiles */
	uint32_t map; /* of the kernel's lists: by matrix, register, lane, element: row << 16 | column */
};

struct branch_table {
	uint32_t *target; /* code indexes */
	uint32_t count;
};

/* A kernel parameter that code reads: lane array at `place` of the launch, from `offset` of the block. */
struct launch_value {
	uint32_t place, offset;
	uint8_t bytes, register_bytes;
	bool is_signed;
};

struct kernel_waits;
struct exec_kernel {
	struct ptx_kernel *facts;
	const struct loaded_module *module;
	struct code *code;
	uint32_t code_count;
	struct code_function *functions; /* entry first */
	uint32_t function_count;
	uint32_t *function_of; /* by PTX function: index into functions, PTX_NONE */
	struct access *accesses;
	struct call *calls;
	struct branch_table *tables;
	struct lane_pair *pairs;
	struct tensor_code *tensors;
	uint32_t *lists; /* places, of instructions with many operands */
	uint8_t *pool;   /* PLACE_CONST */
	uint32_t access_count, call_count, table_count, pair_count, tensor_count, list_count, pool_bytes;
	struct launch_value *launch_values;
	uint32_t launch_value_count, launch_bytes;
	uint32_t sreg_place[PTX_SREG_COUNT]; /* PTX_NONE: not used */
	uint32_t warp_bytes;                 /* of special registers */
	uint64_t local_limit;                /* bytes of local memory per thread */
	uint64_t generation;                 /* of device memory, when the ranges were last good */
	uint32_t lanes;
	struct kernel_waits *waits; /* NULL: none */
};

#endif
