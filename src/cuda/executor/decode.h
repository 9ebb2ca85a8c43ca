/* The state of decoding one kernel, and what the files decode*.c share. */
#ifndef SLUICE_CUDA_EXECUTOR_DECODE_H
#define SLUICE_CUDA_EXECUTOR_DECODE_H

#include "cuda/executor/run.h"

struct pooled {
	uint64_t value;
	uint32_t place;
	uint8_t bytes;
};

struct decoder {
	struct exec *exec;
	struct loaded_module *module;
	const struct ptx_module *ptx;
	struct exec_kernel *kernel;
	struct code_function *function; /* being decoded */
	uint32_t **register_place;      /* by function of the kernel, then register */
	uint32_t *variable_place;       /* of parameter variables; PTX_NONE: none yet */
	uint32_t *variable_number;      /* their address in the function's param space */
	uint32_t *code_of;              /* by instruction of the module */
	uint32_t carry_place, sink_place;
	struct pooled *pooled;
	uint32_t pooled_count;
	struct error *err;
};

/* Return the kernel in executable form, NULL: err. */
struct exec_kernel *exec_decode_kernel(struct exec *exec, struct loaded_module *module, uint32_t entry,
                                       struct error *err);
void decode_free(struct exec_kernel *kernel);

/* ---- operands ---- */
unsigned decode_register_bytes(enum ptx_type type);
uint32_t decode_constant(struct decoder *d, uint64_t value, unsigned bytes);
uint32_t decode_frame_place(struct decoder *d, struct code_function *f, uint32_t bytes_per_lane);
uint32_t decode_register(const struct decoder *d, uint32_t index);
unsigned decode_register_width(const struct decoder *d, uint32_t index);
/* The place of a source; `bytes` is the width wanted of an immediate and, on return, the operand's width. */
bool decode_source(struct decoder *d, const struct ptx_insn *insn, const struct ptx_operand *o,
                   unsigned *bytes, uint32_t *place);
/* The place of a result, PTX_SINK included. */
uint32_t decode_result(struct decoder *d, const struct ptx_operand *o, unsigned *bytes);
/* Address of a variable as a number; false for local ones, which depend on the frame. */
bool decode_symbol(struct decoder *d, uint32_t variable, uint64_t *value);
/* Whether the variable is a parameter of the entry being decoded, and where in its block. */
bool decode_kernel_param(const struct decoder *d, uint32_t variable, uint64_t *offset);
/* The place of a parameter variable; the first call lays it out in the frame and in the function's param space. */
uint32_t decode_param_variable(struct decoder *d, uint32_t variable);
uint32_t decode_launch_value(struct decoder *d, const struct launch_value *value);
/* Append places to the kernel's lists; return the index of the first. */
uint32_t decode_list(struct decoder *d, const uint32_t *places, uint32_t count);
/* Fail because this instruction cannot be run. */
bool decode_unsupported(struct decoder *d, const struct ptx_insn *insn, const char *why);

/* ---- one instruction each; false: d->err ---- */
typedef bool decode_fn(struct decoder *d, const struct ptx_insn *insn, struct code *op);
decode_fn decode_nothing;
/* decode_registers.c */
decode_fn decode_lane, decode_setp, decode_mov, decode_cvta, decode_warp_wide, decode_barrier, decode_mma,
    decode_wmma, decode_warpgroup, decode_matrix_move, decode_movmatrix, decode_video;
/* decode_memory.c */
decode_fn decode_load, decode_store, decode_atom, decode_copy, decode_mbarrier, decode_mapa, decode_policy,
    decode_texture, decode_surface;
/* Add an access of `bytes` in one piece at the address `o`; op->more is its number. NULL: d->err. */
struct access *decode_access_at(struct decoder *d, const struct ptx_insn *insn, const struct ptx_operand *o,
                                unsigned bytes, struct code *op);

#endif
