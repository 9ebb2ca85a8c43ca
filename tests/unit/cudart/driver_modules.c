/* Modules that a program loads itself, their functions and launches, the linker inside the driver. */
#include <cuda.h>
#include <cuda_runtime_api.h>

#include "fixture.h"
#include "scratch.h"

/* clang-format off */
static const char text[] =
    ".version 6.0\n.target sm_70\n.address_size 64\n"
    ".visible .global .align 4 .u32 counter = 5;\n.shared .align 4 .b8 pool[16];\n"
    ".visible .func (.param .b32 out) helper(.param .b32 in)\n{\n"
    "	.reg .b32 %r<2>;\n	ld.param.u32 %r1, [in];\n	st.param.b32 [out], %r1;\n	ret;\n}\n"
    ".visible .entry add(.param .u64 add_0, .param .u32 add_1)\n.maxntid 256, 1, 1\n{\n"
    "	.reg .b32 %r<4>;\n	.reg .b64 %rd<4>;\n"
    "	ld.param.u64 %rd1, [add_0];\n	ld.param.u32 %r1, [add_1];\n"
    "	mov.u32 %r2, %tid.x;\n	mul.wide.u32 %rd2, %r2, 4;\n	add.s64 %rd3, %rd1, %rd2;\n"
    "	ld.global.u32 %r3, [%rd3];\n	add.s32 %r3, %r3, %r1;\n	st.global.u32 [%rd3], %r3;\n"
    "	ret;\n}\n"
    ".visible .entry nothing()\n{\n	ret;\n}\n"
    ".visible .entry shares()\n{\n	.shared .align 4 .b8 kept[40000];\n	.reg .b32 %r<2>;\n"
    "	mov.u32 %r1, 7;\n	st.shared.u32 [kept], %r1;\n	ret;\n}\n";
/* clang-format on */
static const char broken[] =
    ".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry bad()\n{\n	.rog\n}\n";

/* ---- loading ---------------------------------------------------------------------------------------------------------- */

TEST(modules_come_from_texts_files_and_wrappers)
{
	struct {
		int magic, version;
		const char *data;
		void *unused;
	} wrapper = {0x466243b1, 1, text, NULL};
	CUmodule module;
	unsigned count = 0;
	OK(cuModuleLoadData(&module, text));
	OK(cuModuleGetFunctionCount(&count, module));
	CHECK_EQ(count, 3);
	OK(cuModuleUnload(module));
	OK(cuModuleLoad(&module, scratch_write("code.ptx", text)));
	OK(cuModuleGetFunctionCount(&count, module));
	CHECK_EQ(count, 3);
	OK(cuModuleUnload(module));
	OK(cuModuleLoadFatBinary(&module, &wrapper));
	OK(cuModuleUnload(module));
	CHECK_EQ(cuModuleLoad(&module, NULL), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuModuleLoad(&module, "/nonexistent/code.ptx"), CUDA_ERROR_FILE_NOT_FOUND);
	CHECK_EQ(cuModuleLoadData(NULL, text), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuModuleLoadData(&module, NULL), CUDA_ERROR_INVALID_VALUE);
}

/* Text may begin with any blank; an empty file is a module without anything in it. */
TEST(what_is_text_is_seen_by_its_first_byte)
{
	static const struct {
		const char *begin;
		CUresult want;
	} rows[] = {{"\n", CUDA_SUCCESS},
	            {"\t\n", CUDA_SUCCESS},
	            {"\r\n", CUDA_SUCCESS},
	            {"  ", CUDA_SUCCESS},
	            {"// a comment\n", CUDA_SUCCESS},
	            {"\x7f"
	             "ELF",
	             CUDA_ERROR_NO_BINARY_FOR_GPU},
	            {"\x02\x03\x04\x05", CUDA_ERROR_NO_BINARY_FOR_GPU},
	            {"\xff\xfe", CUDA_ERROR_NO_BINARY_FOR_GPU}};
	char image[sizeof text + 16];
	CUmodule module;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		snprintf(image, sizeof image, "%s%s", rows[i].begin, text);
		CHECK_EQ(cuModuleLoadData(&module, image), rows[i].want);
		if (!rows[i].want)
			OK(cuModuleUnload(module));
	}
}

TEST(what_the_compiler_says_goes_into_the_programs_buffer)
{
	char errors[256] = "x", notes[16] = "old";
	CUmodule module;
	CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
	                          CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
	void *values[] = {errors, (void *)(uintptr_t)sizeof errors, notes, (void *)(uintptr_t)sizeof notes};
	CHECK_EQ(cuModuleLoadDataEx(&module, broken, 4, options, values), CUDA_ERROR_INVALID_PTX);
	CHECK(strstr(errors, ".rog"));
	CHECK_EQ(notes[0], '\0');
	OK(cuModuleLoadDataEx(&module, text, 4, options, values));
	OK(cuModuleUnload(module));
}

/* Without a buffer, or with one of no bytes, stderr has it. */
static int load_broken(void)
{
	char errors[8] = "old";
	CUmodule module;
	CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER};
	void *values[] = {errors, NULL};
	CUcontext context;
	if (cuInit(0) || cuCtxCreate(&context, 0, 0))
		return 90;
	EXPECT(cuModuleLoadDataEx(&module, broken, 2, options, values), CUDA_ERROR_INVALID_PTX);
	EXPECT(strcmp(errors, "old"), 0);
	EXPECT(cuModuleLoadDataEx(&module, broken, 2, options, NULL), CUDA_ERROR_INVALID_PTX);
	EXPECT(cuModuleLoadDataEx(&module, broken, 2, NULL, values), CUDA_ERROR_INVALID_PTX);
	return test_failures;
}

TEST(without_a_buffer_messages_go_to_stderr)
{
	unsigned count = 0;
	CHECK_EQ(fixture_run(load_broken), 0);
	const char *said = fixture_said();
	while ((said = strstr(said, ".rog")) != NULL) {
		said++;
		count++;
	}
	CHECK_EQ(count, 3);
}

TEST(a_module_that_was_unloaded_is_gone)
{
	CUmodule module;
	CUfunction function;
	CUdeviceptr address;
	unsigned count;
	OK(cuModuleLoadData(&module, text));
	OK(cuModuleUnload(module));
	CHECK_EQ(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
	CHECK_EQ(cuModuleUnload(NULL), CUDA_ERROR_INVALID_HANDLE);
	CHECK_EQ(cuModuleGetFunction(&function, module, "add"), CUDA_ERROR_INVALID_HANDLE);
	CHECK_EQ(cuModuleGetFunctionCount(&count, module), CUDA_ERROR_INVALID_HANDLE);
	CHECK_EQ(cuModuleGetGlobal(&address, NULL, module, "counter"), CUDA_ERROR_INVALID_HANDLE);
}

/* ---- what is in it ------------------------------------------------------------------------------------------------------ */

static CUmodule loaded;
static CUfunction add, nothing, shares;

TEST(functions_and_variables_are_found_by_name)
{
	CUfunction again;
	CUmodule module;
	CUdeviceptr address = 0;
	const char *name;
	size_t bytes = 0;
	unsigned value = 0;
	OK(cuModuleGetFunction(&again, loaded, "add"));
	CHECK(again == add);
	CHECK_EQ(cuModuleGetFunction(&again, loaded, "absent"), CUDA_ERROR_NOT_FOUND);
	CHECK_EQ(cuModuleGetFunction(&again, loaded, "helper"), CUDA_ERROR_NOT_FOUND);
	CHECK_EQ(cuModuleGetFunction(NULL, loaded, "add"), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuModuleGetFunction(&again, loaded, NULL), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuModuleGetFunctionCount(NULL, loaded), CUDA_ERROR_INVALID_VALUE);
	OK(cuModuleGetGlobal(&address, &bytes, loaded, "counter"));
	CHECK_EQ(bytes, 4);
	OK(cuMemcpyDtoH(&value, address, 4));
	CHECK_EQ(value, 5);
	bytes = 0;
	OK(cuModuleGetGlobal(NULL, &bytes, loaded, "counter"));
	CHECK_EQ(bytes, 4);
	OK(cuModuleGetGlobal(&address, NULL, loaded, "counter"));
	CHECK_EQ(cuModuleGetGlobal(&address, &bytes, loaded, "absent"), CUDA_ERROR_NOT_FOUND);
	CHECK_EQ(cuModuleGetGlobal(&address, &bytes, loaded, "pool"), CUDA_ERROR_NOT_FOUND);
	CHECK_EQ(cuModuleGetGlobal(&address, &bytes, loaded, NULL), CUDA_ERROR_INVALID_VALUE);
	OK(cuFuncGetName(&name, add));
	CHECK(!strcmp(name, "add"));
	CHECK_EQ(cuFuncGetName(NULL, add), CUDA_ERROR_INVALID_VALUE);
	OK(cuFuncGetModule(&module, add));
	CHECK(module == loaded);
	CHECK_EQ(cuFuncGetModule(NULL, add), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuFuncGetModule(&module, NULL), CUDA_ERROR_INVALID_VALUE);
}

/* Sluice only: a variable that is asked for without a place for the answer. */
TEST(a_variable_without_a_place_for_the_answer_is_refused)
{
	CHECK_EQ(cuModuleGetGlobal(NULL, NULL, loaded, "counter"), CUDA_ERROR_INVALID_VALUE);
}

TEST(functions_tell_their_attributes_and_take_settings)
{
	static const struct {
		CUfunction_attribute which;
		int want;
	} rows[] = {{CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
	            {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 40000},
	            {CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, 0},
	            {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, 0},
	            {CU_FUNC_ATTRIBUTE_PTX_VERSION, 70},
	            {CU_FUNC_ATTRIBUTE_BINARY_VERSION, 90},
	            {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 48 * 1024 - 40000},
	            {CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, -1},
	            {CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET, 0},
	            {CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 0}};
	int value;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		OK(cuFuncGetAttribute(&value, rows[i].which, shares));
		CHECK_EQ(value, rows[i].want);
	}
	OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, add));
	CHECK_EQ(value, 256);
	CHECK_EQ(cuFuncGetAttribute(NULL, CU_FUNC_ATTRIBUTE_NUM_REGS, add), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX, add), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, NULL), CUDA_ERROR_INVALID_HANDLE);
	OK(cuFuncSetAttribute(add, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 64 * 1024));
	OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, add));
	CHECK_EQ(value, 64 * 1024);
	CHECK_EQ(cuFuncSetAttribute(add, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 300 * 1024),
	         CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuFuncSetAttribute(add, CU_FUNC_ATTRIBUTE_NUM_REGS, 8), CUDA_ERROR_INVALID_VALUE);
	OK(cuFuncSetCacheConfig(add, CU_FUNC_CACHE_PREFER_SHARED));
	CHECK_EQ(cuFuncSetCacheConfig(add, (CUfunc_cache)9), CUDA_ERROR_INVALID_VALUE);
	OK(cuFuncSetSharedMemConfig(add, CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE));
	CHECK_EQ(cuFuncSetSharedMemConfig(add, (CUsharedconfig)9), CUDA_ERROR_INVALID_VALUE);
}

/* ---- launches --------------------------------------------------------------------------------------------------------------- */

static CUresult launch(CUfunction function, unsigned threads, void **args, void **extra)
{
	return cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, NULL, args, extra);
}

TEST(arguments_come_one_by_one_or_packed)
{
	unsigned host[4] = {1, 2, 3, 4}, ten = 10;
	CUdeviceptr device;
	struct {
		CUdeviceptr address;
		unsigned value;
	} packed;
	size_t bytes = 12;
	OK(cuMemAlloc(&device, sizeof host));
	OK(cuMemcpyHtoD(device, host, sizeof host));
	void *args[] = {&device, &ten};
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_BUFFER_POINTER, &packed,
	                 CU_LAUNCH_PARAM_END};
	packed.address = device;
	packed.value = 100;
	OK(launch(add, 4, args, NULL));
	OK(launch(add, 4, NULL, extra));
	OK(cuMemcpyDtoH(host, device, sizeof host));
	CHECK(host[0] == 111 && host[3] == 114);
	CHECK_EQ(launch(add, 4, args, extra), CUDA_ERROR_INVALID_VALUE);
	bytes = 4;
	CHECK_EQ(launch(add, 4, NULL, extra), CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
	bytes = 12;
	void *unknown[] = {(void *)9, &bytes, CU_LAUNCH_PARAM_END};
	void *no_buffer[] = {CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
	void *empty[] = {CU_LAUNCH_PARAM_END};
	CHECK_EQ(launch(add, 4, NULL, unknown), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(launch(add, 4, NULL, no_buffer), CUDA_ERROR_INVALID_VALUE);
	OK(launch(nothing, 4, NULL, empty));
	OK(launch(nothing, 4, NULL, NULL));
	OK(cuCtxSynchronize());
	OK(cuMemFree(device));
}

TEST(launches_that_cannot_be_are_refused)
{
	void *empty[] = {CU_LAUNCH_PARAM_END};
	CHECK_EQ(launch(NULL, 1, NULL, NULL), CUDA_ERROR_INVALID_HANDLE);
	CHECK_EQ(launch(nothing, 0, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(launch(nothing, 1025, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(launch(nothing, 1025, NULL, empty), CUDA_ERROR_INVALID_VALUE);
	OK(cuLaunchCooperativeKernel(nothing, 132, 1, 1, 32, 1, 1, 0, NULL, NULL));
	CHECK_EQ(cuLaunchCooperativeKernel(nothing, 132 * 64, 1, 1, 32, 1, 1, 0, NULL, NULL),
	         CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
	CHECK_EQ(cuLaunchCooperativeKernel(NULL, 1, 1, 1, 32, 1, 1, 0, NULL, NULL),
	         CUDA_ERROR_INVALID_HANDLE);
	OK(cuCtxSynchronize());
}

/* Sluice looks functions up; a GPU's driver reads what a wrong one points to. */
TEST(a_function_that_is_none_is_refused)
{
	void *empty[] = {CU_LAUNCH_PARAM_END};
	CHECK_EQ(launch((CUfunction)(uintptr_t)text, 1, NULL, NULL), CUDA_ERROR_INVALID_HANDLE);
	CHECK_EQ(launch((CUfunction)(uintptr_t)text, 1, NULL, empty), CUDA_ERROR_INVALID_HANDLE);
	CUmodule module;
	CHECK_EQ(cuFuncGetModule(&module, (CUfunction)(uintptr_t)text), CUDA_ERROR_INVALID_HANDLE);
}

static size_t half_of_shared(int threads)
{
	return (size_t)threads * 128;
}

TEST(occupancy_is_asked_of_functions)
{
	int blocks, grid = 0, block = 0;
	OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 1024, 0));
	CHECK_EQ(blocks, 2);
	OK(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, nothing, 1024, 0,
	                                                        cudaOccupancyDisableCachingOverride));
	CHECK_EQ(blocks, 2);
	CHECK_EQ(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, nothing, 1024, 0, 8),
	         CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuOccupancyMaxActiveBlocksPerMultiprocessor(NULL, nothing, 1024, 0),
	         CUDA_ERROR_INVALID_VALUE);
	OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, nothing, NULL, 0, 0));
	CHECK(grid == 264 && block == 1024);
	OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, nothing, NULL, 0, 5000));
	CHECK(grid == 264 && block == 1024);
	OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, nothing, NULL, 0, 100));
	CHECK(block == 64 && grid == 132 * 32);
	OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, nothing, half_of_shared, 0, 0));
	CHECK(grid * block == 132 * 1536 || grid * block == 132 * 1792);
	CHECK_EQ(cuOccupancyMaxPotentialBlockSize(NULL, &block, nothing, NULL, 0, 0),
	         CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuOccupancyMaxPotentialBlockSize(&grid, NULL, nothing, NULL, 0, 0),
	         CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuOccupancyMaxPotentialBlockSize(&grid, &block, NULL, NULL, 0, 0),
	         CUDA_ERROR_INVALID_HANDLE);
}

/* ---- streams and events ------------------------------------------------------------------------------------------------------ */

static void count_call(CUstream stream, CUresult status, void *calls)
{
	*(int *)calls += stream != NULL && status == CUDA_SUCCESS;
}

static void count_host(void *calls)
{
	++*(int *)calls;
}

TEST(streams_and_events_are_those_of_the_runtime)
{
	CUstream stream, urgent;
	CUevent a, b;
	unsigned flags = 9;
	int priority = 9, calls = 0;
	float ms = -1;
	OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	OK(cuStreamCreateWithPriority(&urgent, 0, -2));
	OK(cuStreamGetFlags(stream, &flags));
	CHECK_EQ(flags, CU_STREAM_NON_BLOCKING);
	OK(cuStreamGetPriority(urgent, &priority));
	CHECK_EQ(priority, -2);
	OK(cuEventCreate(&a, 0));
	OK(cuEventCreate(&b, CU_EVENT_BLOCKING_SYNC));
	OK(cuEventRecord(a, stream));
	OK(cuStreamWaitEvent(urgent, a, 0));
	OK(cuEventRecord(b, urgent));
	OK(cuEventSynchronize(b));
	OK(cuEventQuery(b));
	OK(cuEventElapsedTime(&ms, a, b));
	CHECK(ms >= 0 && ms < 10000);
	OK(cuStreamAddCallback(stream, count_call, &calls, 0));
	OK(cuLaunchHostFunc(stream, count_host, &calls));
	OK(cuStreamSynchronize(stream));
	OK(cuStreamQuery(stream));
	CHECK_EQ(calls, 2);
	CHECK_EQ(cuStreamAddCallback(stream, NULL, &calls, 0), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuStreamAddCallback(stream, count_call, &calls, 1), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuLaunchHostFunc(stream, NULL, &calls), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuEventCreate(NULL, 0), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuStreamCreate(NULL, 0), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuStreamCreate(&stream, 64), CUDA_ERROR_INVALID_VALUE);
	OK(cuEventDestroy(a));
	OK(cuEventDestroy(b));
	OK(cuStreamDestroy(stream));
	OK(cuStreamDestroy(urgent));
}

/* Sluice looks handles up; a GPU's driver may read what a stale one points to. */
TEST(stale_streams_and_events_are_found_out)
{
	CUstream stream;
	CUevent event;
	int calls = 0;
	OK(cuStreamCreate(&stream, 0));
	OK(cuEventCreate(&event, 0));
	OK(cuStreamDestroy(stream));
	OK(cuEventDestroy(event));
	CHECK_EQ(cuStreamAddCallback(stream, count_call, &calls, 0), CUDA_ERROR_INVALID_HANDLE);
	CHECK_EQ(calls, 0);
	CHECK_EQ(cuStreamQuery(stream), CUDA_ERROR_INVALID_HANDLE);
	CHECK_EQ(cuEventSynchronize(event), CUDA_ERROR_INVALID_HANDLE);
}

/* ---- the linker ---------------------------------------------------------------------------------------------------------------- */

TEST(one_text_is_linked_with_nothing)
{
	CUlinkState state;
	CUmodule module;
	CUfunction function;
	void *image = NULL;
	size_t bytes = 0;
	OK(cuLinkCreate(0, NULL, NULL, &state));
	OK(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)(uintptr_t)text, sizeof text, "a name", 0, NULL,
	                 NULL));
	OK(cuLinkComplete(state, &image, &bytes));
	CHECK(bytes > 0);
	OK(cuModuleLoadData(&module, image));
	OK(cuModuleGetFunction(&function, module, "add"));
	OK(cuModuleUnload(module));
	OK(cuLinkDestroy(state));
	OK(cuLinkCreate(0, NULL, NULL, &state));
	OK(cuLinkAddFile(state, CU_JIT_INPUT_PTX, scratch_write("code.ptx", text), 0, NULL, NULL));
	OK(cuLinkComplete(state, &image, NULL));
	OK(cuModuleLoadData(&module, image));
	OK(cuModuleUnload(module));
	CHECK_EQ(cuLinkAddFile(state, CU_JIT_INPUT_PTX, NULL, 0, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuLinkAddFile(state, CU_JIT_INPUT_PTX, "/nonexistent/code.ptx", 0, NULL, NULL),
	         CUDA_ERROR_FILE_NOT_FOUND);
	OK(cuLinkDestroy(state));
	CHECK_EQ(cuLinkCreate(0, NULL, NULL, NULL), CUDA_ERROR_INVALID_VALUE);
}

/* Left out: device code of several inputs, and machine code. */
TEST(what_the_linker_cannot_do_is_refused)
{
	CUlinkState state, gone;
	void *image, *data = (void *)(uintptr_t)text;
	size_t bytes;
	OK(cuLinkCreate(0, NULL, NULL, &gone));
	OK(cuLinkDestroy(gone));
	CHECK_EQ(cuLinkDestroy(gone), CUDA_ERROR_INVALID_HANDLE);
	CHECK_EQ(cuLinkComplete(gone, &image, &bytes), CUDA_ERROR_INVALID_HANDLE);
	CHECK_EQ(cuLinkAddData(gone, CU_JIT_INPUT_PTX, data, sizeof text, NULL, 0, NULL, NULL),
	         CUDA_ERROR_INVALID_HANDLE);
	OK(cuLinkCreate(0, NULL, NULL, &state));
	CHECK_EQ(cuLinkComplete(state, &image, &bytes), CUDA_ERROR_INVALID_IMAGE);
	CHECK_EQ(cuLinkComplete(state, NULL, &bytes), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuLinkAddData(state, CU_JIT_INPUT_PTX, NULL, 5, NULL, 0, NULL, NULL),
	         CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuLinkAddData(state, CU_JIT_INPUT_PTX, data, 0, NULL, 0, NULL, NULL),
	         CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuLinkAddData(state, CU_JIT_INPUT_CUBIN, data, 8, NULL, 0, NULL, NULL),
	         CUDA_ERROR_NOT_SUPPORTED);
	OK(cuLinkAddData(state, CU_JIT_INPUT_PTX, data, sizeof text, NULL, 0, NULL, NULL));
	CHECK_EQ(cuLinkAddData(state, CU_JIT_INPUT_PTX, data, sizeof text, NULL, 0, NULL, NULL),
	         CUDA_ERROR_NOT_SUPPORTED);
	OK(cuLinkDestroy(state));
}

static const struct test_case cases[] = {
    TEST_ENTRY(without_a_buffer_messages_go_to_stderr) TEST_ENTRY(modules_come_from_texts_files_and_wrappers)
        TEST_ENTRY(what_is_text_is_seen_by_its_first_byte)
            TEST_ENTRY(what_the_compiler_says_goes_into_the_programs_buffer)
                TEST_ENTRY(a_module_that_was_unloaded_is_gone)
                    TEST_ENTRY(functions_and_variables_are_found_by_name)
                        TEST_ENTRY(a_variable_without_a_place_for_the_answer_is_refused)
                            TEST_ENTRY(functions_tell_their_attributes_and_take_settings)
                                TEST_ENTRY(arguments_come_one_by_one_or_packed)
                                    TEST_ENTRY(launches_that_cannot_be_are_refused)
                                        TEST_ENTRY(a_function_that_is_none_is_refused)
                                            TEST_ENTRY(occupancy_is_asked_of_functions)
                                                TEST_ENTRY(streams_and_events_are_those_of_the_runtime)
                                                    TEST_ENTRY(stale_streams_and_events_are_found_out)
                                                        TEST_ENTRY(one_text_is_linked_with_nothing)
                                                            TEST_ENTRY(what_the_linker_cannot_do_is_refused)};

int main(int argc, char **argv)
{
	CUcontext context;
	int failed = argc > 1 ? 0 : test_run(cases, 1, NULL);
	if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context) ||
	    cuModuleLoadData(&loaded, text) || cuModuleGetFunction(&add, loaded, "add") ||
	    cuModuleGetFunction(&nothing, loaded, "nothing") ||
	    cuModuleGetFunction(&shares, loaded, "shares"))
		return 1;
	unsigned skip = argc > 1 ? 0 : 1;
	return test_run(cases + skip, sizeof cases / sizeof *cases - skip, argc > 1 ? argv[1] : NULL) ||
	       failed;
}
