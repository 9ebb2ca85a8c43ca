/* Shared by exec_decode*.c: the state of decoding one kernel. */
#ifndef SLUICE_CUDA_EXEC_DECODE_H
#define SLUICE_CUDA_EXEC_DECODE_H

#include "cuda/executor/exec_state.h"

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

/* exec_decode_place.c */
unsigned decode_register_bytes(enum ptx_type type);
uint32_t decode_constant(struct decoder *d, uint64_t value, unsigned bytes);
uint32_t decode_frame_place(struct decoder *d, struct code_function *f, uint32_t bytes_per_lane);
uint32_t decode_register(const struct decoder *d, uint32_t index);
unsigned decode_register_width(const struct decoder *d, uint32_t index);
/* The place of a source; `bytes` is the width wanted of an immediate and, on return, the width there is. */
bool decode_source(struct decoder *d, const struct ptx_insn *insn, const struct ptx_operand *o,
                   unsigned *bytes, uint32_t *place);
/* The place of a result, PTX_SINK included. */
uint32_t decode_result(struct decoder *d, const struct ptx_operand *o, unsigned *bytes);
/* Address of a variable as a number; false for local ones, which depend on the frame. */
bool decode_symbol(struct decoder *d, uint32_t variable, uint64_t *value);
/* Whether the variable is a parameter of the entry being decoded, and where in its block. */
bool decode_kernel_param(const struct decoder *d, uint32_t variable, uint64_t *offset);
uint32_t decode_param_variable(struct decoder *d, uint32_t variable);
uint32_t decode_launch_value(struct decoder *d, const struct launch_value *value);

/* exec_decode_lane.c: one instruction each; false: d->err */
bool decode_lane(struct decoder *d, const struct ptx_insn *insn, struct code *op);
bool decode_setp(struct decoder *d, const struct ptx_insn *insn, struct code *op);
bool decode_mov(struct decoder *d, const struct ptx_insn *insn, struct code *op);
bool decode_cvta(struct decoder *d, const struct ptx_insn *insn, struct code *op);
/* exec_decode_memory.c */
bool decode_load(struct decoder *d, const struct ptx_insn *insn, struct code *op);
bool decode_store(struct decoder *d, const struct ptx_insn *insn, struct code *op);
bool decode_atom(struct decoder *d, const struct ptx_insn *insn, struct code *op);
/* A new access of `bytes` in one piece at the address `o`, in `space`; op->more is its number. NULL: d->err. */
struct access *decode_access_at(struct decoder *d, const struct ptx_insn *insn, const struct ptx_operand *o,
                                unsigned bytes, struct code *op);
/* exec_decode_warp.c */
bool decode_warp_wide(struct decoder *d, const struct ptx_insn *insn, struct code *op);
bool decode_barrier(struct decoder *d, const struct ptx_insn *insn, struct code *op);
bool decode_texture(struct decoder *d, const struct ptx_insn *insn, struct code *op);
/* exec_decode_matrix.c */
bool decode_mma(struct decoder *d, const struct ptx_insn *insn, struct code *op);
bool decode_wmma(struct decoder *d, const struct ptx_insn *insn, struct code *op);
bool decode_matrix_move(struct decoder *d, const struct ptx_insn *insn, struct code *op);
bool decode_movmatrix(struct decoder *d, const struct ptx_insn *insn, struct code *op);
/* exec_decode_async.c */
bool decode_copy(struct decoder *d, const struct ptx_insn *insn, struct code *op);
bool decode_mbarrier(struct decoder *d, const struct ptx_insn *insn, struct code *op);
bool decode_mapa(struct decoder *d, const struct ptx_insn *insn, struct code *op);
bool decode_policy(struct decoder *d, const struct ptx_insn *insn, struct code *op);
bool decode_video(struct decoder *d, const struct ptx_insn *insn, struct code *op);
/* exec_surface.c */
bool decode_surface(struct decoder *d, const struct ptx_insn *insn, struct code *op);
/* exec_decode_flow.c */
bool decode_bra(struct decoder *d, const struct ptx_insn *insn, struct code *op);
bool decode_brx(struct decoder *d, const struct ptx_insn *insn, struct code *op);
bool decode_call(struct decoder *d, const struct ptx_insn *insn, struct code *op);
bool decode_end(struct decoder *d, const struct ptx_insn *insn, struct code *op);
bool decode_nothing(struct decoder *d, const struct ptx_insn *insn, struct code *op);
bool decode_trap(struct decoder *d, const struct ptx_insn *insn, struct code *op);

bool decode_unsupported(struct decoder *d, const struct ptx_insn *insn, const char *why);
/* Appends places to the kernel's lists; returns the index of the first. */
uint32_t decode_list(struct decoder *d, const uint32_t *places, uint32_t count);

/* The kernel in executable form, NULL: err. */
struct exec_kernel *exec_decode_kernel(struct exec *exec, struct loaded_module *module, uint32_t entry,
                                       struct error *err);
void decode_free(struct exec_kernel *kernel);

#endif
