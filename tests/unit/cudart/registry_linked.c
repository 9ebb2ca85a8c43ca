/*
 * Relocatable device code: modules that are compiled in and need one another's
 * functions are one program; a module that needs none of them stays alone. And
 * what the driver API says of modules that are compiled in.
 */
#include "module.h"

#include <cuda_runtime_api.h>

#include "fixture.h"

#define HEAD ".version 6.0\n.target sm_70\n.address_size 64\n"
#define STORE(name, value)                                                                                   \
	".visible .entry " name "(.param .u64 to)\n{\n	.reg .b32 %r<2>;\n	.reg .b64 %rd<2>;\n"               \
	"	ld.param.u64 %rd1, [to];\n" value "	st.global.u32 [%rd1], %r1;\n	ret;\n}\n"

/* clang-format off */
static const char *const texts[] = {
    /* 0 and 1 need each other, and both have a `secret` of their own. */
    HEAD ".extern .func (.param .b32 out) seven();\n.global .u32 secret = 3;\n"
    ".visible .global .u32 open = 40;\n"
    STORE("first", "	.param .b32 got;\n	call (got), seven, ();\n	ld.param.b32 %r1, [got];\n")
    STORE("reads", "	ld.global.u32 %r1, [secret];\n"),
    HEAD ".global .u32 secret = 9;\n.extern .global .u32 open;\n"
    ".visible .func (.param .b32 out) seven()\n{\n	.reg .b32 %r<2>;\n	mov.u32 %r1, 7;\n"
    "	st.param.b32 [out], %r1;\n	ret;\n}\n"
    STORE("second", "	ld.global.u32 %r1, [open];\n"),
    /* 2 is alone, and so is 3, whose function no module defines. */
    HEAD STORE("alone", "	mov.u32 %r1, 11;\n"),
    HEAD ".visible .entry declared(.param .u64 to);\n.extern .func (.param .b32 out) nobodys();\n"
    STORE("lost", "	.param .b32 got;\n	call (got), nobodys, ();\n	ld.param.b32 %r1, [got];\n"),
    /* 4 and 5 define the same. */
    HEAD ".extern .func other();\n.visible .func same()\n{\n	ret;\n}\n" STORE("twice", "	mov.u32 %r1, 1;\n"),
    HEAD ".visible .func same()\n{\n	ret;\n}\n.visible .func other()\n{\n	ret;\n}\n"
    STORE("again", "	mov.u32 %r1, 1;\n"),
    /* Machine code, and text that is none. */
    "\x7f" "ELF", HEAD ".nonsense\n",
    /* A library that was closed again. */
    HEAD ".visible .func nobodys()\n{\n	ret;\n}\n"};
static const char *const kernels[] = {"first", "reads", "second", "alone", "lost", "twice", "again", "code", "junk", "declared"};
static const unsigned module_of[] = {0, 0, 1, 2, 3, 4, 5, 6, 7, 3};
/* clang-format on */
enum { MODULES = sizeof texts / sizeof *texts, KERNELS = sizeof kernels / sizeof *kernels };

static void **modules[MODULES];
static char hosts[KERNELS], first_secret, second_secret;

__attribute__((constructor)) static void register_all(void)
{
	for (unsigned i = 0; i < MODULES; i++)
		modules[i] = module_add(texts[i]);
	for (unsigned i = 0; i < KERNELS; i++)
		__cudaRegisterFunction(modules[module_of[i]], &hosts[i], (char *)(uintptr_t)kernels[i],
		                       kernels[i], -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterVar(modules[0], &first_secret, "secret", "secret", 0, 4, 0, 0);
	__cudaRegisterVar(modules[1], &second_secret, "secret", "secret", 0, 4, 0, 0);
	for (unsigned i = 0; i < MODULES; i++)
		__cudaRegisterFatBinaryEnd(modules[i]);
	__cudaUnregisterFatBinary(modules[8]);
}

/* What the kernel stores; minus the error if it cannot run. */
static long run(unsigned kernel)
{
	struct dim3 one = {1, 1, 1};
	unsigned *device, got = 0;
	if (cudaMalloc((void **)&device, 4))
		return -1;
	void *args[] = {&device};
	cudaError_t result = cudaLaunchKernel(&hosts[kernel], one, one, args, 0, NULL);
	cudaError_t waited = cudaDeviceSynchronize();
	if (!result && !waited)
		result = cudaMemcpy(&got, device, 4, cudaMemcpyDeviceToHost);
	cudaFree(device);
	return result ? -(long)result : waited ? -(long)waited : (long)got;
}

TEST(modules_that_need_one_another_are_one_program)
{
	CHECK_EQ(run(0), 7);
	CHECK_EQ(run(2), 40);
	CHECK_EQ(run(1), 3);
	CHECK_EQ(run(3), 11);
}

TEST(names_of_a_module_alone_are_its_own)
{
	unsigned value = 0, five = 5;
	GIVES(value, 3, cudaMemcpyFromSymbol(&value, &first_secret, 4, 0, cudaMemcpyDeviceToHost));
	GIVES(value, 9, cudaMemcpyFromSymbol(&value, &second_secret, 4, 0, cudaMemcpyDeviceToHost));
	OK(cudaMemcpyToSymbol(&second_secret, &five, 4, 0, cudaMemcpyHostToDevice));
	CHECK_EQ(run(1), 3);
}

/* In a process of its own: what cannot be linked or parsed is told on stderr. */
static int broken_modules(void)
{
	CUfunction function;
	CUdeviceptr address;
	CUmodule junk = (CUmodule)modules[7], code = (CUmodule)modules[6];
	unsigned count;
	EXPECT(-cudaErrorInvalidPtx, run(5), run(5));
	EXPECT(-cudaErrorInvalidKernelImage, run(7));
	EXPECT(-cudaErrorInvalidPtx, run(8));
	EXPECT(INVALID_PTX, cuModuleGetFunction(&function, junk, "junk"),
	       cuModuleGetGlobal(&address, NULL, junk, "any"));
	EXPECT(INVALID_VALUE, cuModuleGetFunctionCount(&count, code));
	EXPECT(11, run(3));
	EXPECT(-NOT_SUPPORTED, run(9));
	return test_failures;
}

TEST(what_cannot_be_linked_fails_its_kernels_alone)
{
	CHECK_EQ(fixture_run(broken_modules), 0);
	const char *said = fixture_said();
	CHECK(strstr(said, "same"));
	CHECK(strstr(said, "device code of module 7 is not PTX; compile the program with sluice cc"));
	CHECK(strstr(said, ".nonsense"));
}

TEST(modules_that_are_compiled_in_answer_but_stay)
{
	CUmodule module = (CUmodule)modules[2];
	CUfunction function;
	CUdeviceptr address;
	size_t bytes;
	unsigned count = 0;
	int value;
	CHECK_EQ(run(3), 11);
	GIVES(count, 1, cuModuleGetFunctionCount(&count, module));
	OK(cuModuleGetFunction(&function, module, "alone"));
	GIVES(value, 1024, cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
	RETURNS(INVALID_HANDLE, cuModuleGetFunction(NULL, NULL, "alone"), cuModuleUnload(module));
	RETURNS(NOT_FOUND, cuModuleGetGlobal(&address, &bytes, module, "to"));
	CHECK_EQ(run(3), 11);
}

/* A recorder knows kernels by their module, which stays. */
static int recorded(void)
{
	CUmodule module;
	CUfunction function;
	CUdeviceptr device;
	unsigned got = 0;
	void *args[] = {&device};
	EXPECT(cudaSuccess, cudaFree(NULL));
	EXPECT(CUDA_SUCCESS, cuModuleLoadData(&module, texts[2]),
	       cuModuleGetFunction(&function, module, "alone"), cuMemAlloc(&device, 4),
	       cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, args, NULL));
	EXPECT_GIVES(got, 11, cuMemcpyDtoH(&got, device, 4));
	EXPECT(CUDA_SUCCESS, cuModuleUnload(module));
	EXPECT(INVALID_HANDLE, cuModuleUnload(module));
	return test_failures;
}

/* Recording belongs to the process that loaded the library, so this program is run again. */
TEST(a_recorded_module_is_unloaded_by_name_alone)
{
	char command[256], trace[] = "/tmp/sluice-linked-XXXXXX";
	int file = mkstemp(trace);
	CHECK(file >= 0);
	close(file);
	snprintf(command, sizeof command, "SLUICE_RECORD=%s /proc/%d/exe recorded", trace, (int)getpid());
	OK(system(command), unlink(trace));
}

TEST(registers_can_be_limited)
{
	char command[128];
	struct cudaFuncAttributes a;
	OK(cudaFuncGetAttributes(&a, &hosts[3]));
	CHECK(a.numRegs > 2);
	for (int limit = 2; limit < 256; limit += 253) {
		snprintf(command, sizeof command, "SLUICE_MAXRREGCOUNT=%d /proc/%d/exe registers", limit,
		         (int)getpid());
		CHECK_EQ(WEXITSTATUS(system(command)), limit < a.numRegs ? limit : a.numRegs);
	}
}

int main(int argc, char **argv)
{
	struct cudaFuncAttributes a = {.numRegs = 0};
	if (argc > 1 && !strcmp(argv[1], "recorded"))
		return recorded();
	if (argc > 1 && !strcmp(argv[1], "registers"))
		return cudaFuncGetAttributes(&a, &hosts[3]) ? 256 : a.numRegs;
	return test_run(tests_listed, tests_count, argc > 1 ? argv[1] : NULL);
}
