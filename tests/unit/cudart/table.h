/* A module with the kernels that tests of the runtime launch. */
#ifndef SLUICE_TESTS_UNIT_CUDART_TABLE_H
#define SLUICE_TESTS_UNIT_CUDART_TABLE_H

#include "module.h"

#include "checks.h"

/* Host addresses that stand for store(unsigned *, unsigned), nothing() and `unsigned variable[4]`. */
static char kernel_store, kernel_nothing, variable;

static inline void table_register(void)
{
	static const char text[] =
	    ".version 6.0\n.target sm_70\n.address_size 64\n.visible .global .align 4 .b8 variable[16];\n"
	    ".visible .entry store(.param .u64 store_param_0, .param .u32 store_param_1)\n{\n"
	    "	.reg .b32 %r<2>;\n	.reg .b64 %rd<2>;\n	ld.param.u64 %rd1, [store_param_0];\n"
	    "	ld.param.u32 %r1, [store_param_1];\n	st.global.u32 [%rd1], %r1;\n	ret;\n}\n"
	    ".visible .entry nothing()\n{\n	ret;\n}\n";
	void **module = module_add(text);
	__cudaRegisterFunction(module, &kernel_store, "store", "store", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterFunction(module, &kernel_nothing, "nothing", "nothing", -1, NULL, NULL, NULL, NULL,
	                       NULL);
	__cudaRegisterVar(module, &variable, "variable", "variable", 0, 16, 0, 0);
	__cudaRegisterFatBinaryEnd(module);
}

__attribute__((constructor)) static void table_register_all(void)
{
	table_register();
}

static inline struct dim3 size_of(unsigned x)
{
	return (struct dim3){.x = x, .y = 1, .z = 1};
}

/* One thread stores `value` at `at`. */
static inline cudaError_t store(unsigned *at, unsigned value, cudaStream_t stream)
{
	void *args[] = {&at, &value};
	return cudaLaunchKernel(&kernel_store, size_of(1), size_of(1), args, 0, stream);
}

/* A host function that counts its calls in an unsigned. */
static inline void count_call(void *user)
{
	++*(unsigned *)user;
}

static inline cudaGraphNode_t new_empty(cudaGraph_t graph)
{
	cudaGraphNode_t node = NULL;
	cudaGraphAddEmptyNode(&node, graph, NULL, 0);
	return node;
}

/* A handle of nothing. */
static inline void *no_handle(void)
{
	return &kernel_store;
}

#endif
