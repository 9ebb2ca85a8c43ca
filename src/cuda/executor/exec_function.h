/* Functions and calls in decoded form: where parameters are, for caller and callee. Part of exec_code.h. */
#ifndef SLUICE_CUDA_EXEC_FUNCTION_H
#define SLUICE_CUDA_EXEC_FUNCTION_H

#include "cuda/lanes/lanes.h"

/* One argument or result: a parameter variable (or register) and its bytes per lane. */
struct call_value {
	uint32_t place, bytes;
};
/* A call: the caller's places for arguments, then results; the callee's are with its function. */
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

#endif
