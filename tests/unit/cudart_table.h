/*
 * Tables of API calls and what each must answer, and a module with the kernels that tests of the runtime launch.
 *
 *	ANSWERS(ROW(cudaErrorInvalidValue, cudaGraphCreate(NULL, 0)), ROW(...))
 *
 * The calls of one table are independent of each other. An error must also be the thread's last error.
 */
#ifndef SLUICE_TESTS_CUDART_TABLE_H
#define SLUICE_TESTS_CUDART_TABLE_H

#include "cudart/calls.h"
#include "test.h"

#include <cuda_runtime_api.h>

struct answer {
	const char *call;
	long long want, got;
};

/* The error itself, or something that is none if it did not become the last one. */
static inline long long seen(cudaError_t error)
{
	cudaError_t last = cudaGetLastError();
	return last == error ? (long long)error : -1000 - (long long)last;
}

#define ROW(want, call)                                                                                      \
	{                                                                                                    \
#call, want, seen(call)                                                                      \
	}
#define QUIET(want, call)                                                                                    \
	{                                                                                                    \
#call, want, (long long)(call)                                                               \
	}

/* How many are wrong; each is named. */
static inline unsigned answers_wrong(const struct answer *answers, size_t count)
{
	unsigned wrong = 0;
	for (size_t i = 0; i < count; i++)
		if (answers[i].got != answers[i].want) {
			printf("# %s is %lld, expected %lld\n", answers[i].call, answers[i].got,
			       answers[i].want);
			wrong++;
		}
	return wrong;
}

#define ANSWERS(...)                                                                                         \
	do {                                                                                                 \
		const struct answer answers_[] = {__VA_ARGS__};                                              \
		CHECK_EQ(answers_wrong(answers_, sizeof answers_ / sizeof *answers_), 0);                    \
	} while (0)
#define OK(call) CHECK_EQ(call, cudaSuccess)
#define FAILS(call, code) CHECK_EQ(seen(call), code)

/* ---- kernels ---------------------------------------------------------------------------------------------- */

/* Host addresses that stand for store(unsigned *, unsigned), nothing() and `unsigned variable[4]`. */
static char kernel_store, kernel_nothing, variable;

static inline void table_register(void)
{
	static const char text[] =
	    ".version 7.8\n.target sm_90\n.address_size 64\n"
	    ".visible .global .align 4 .b8 variable[16];\n"
	    ".visible .entry store(.param .u64 store_param_0, .param .u32 store_param_1)\n"
	    "{\n"
	    "	.reg .b32 %r<2>;\n"
	    "	.reg .b64 %rd<2>;\n"
	    "	ld.param.u64 %rd1, [store_param_0];\n"
	    "	ld.param.u32 %r1, [store_param_1];\n"
	    "	st.global.u32 [%rd1], %r1;\n"
	    "	ret;\n"
	    "}\n"
	    ".visible .entry nothing()\n"
	    "{\n"
	    "	ret;\n"
	    "}\n";
	static struct {
		int magic, version;
		const char *data;
		void *unused;
	} binary = {0x466243b1, 1, text, NULL};
	void **module = __cudaRegisterFatBinary(&binary);
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

/* A handle of nothing. */
static inline void *no_handle(void)
{
	return &kernel_store;
}

#endif
