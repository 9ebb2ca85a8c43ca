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
	GIVES(count, 3, cuModuleGetFunctionCount(&count, module));
	OK(cuModuleUnload(module), cuModuleLoad(&module, scratch_write("code.ptx", text)));
	GIVES(count, 3, cuModuleGetFunctionCount(&count, module));
	OK(cuModuleUnload(module), cuModuleLoadFatBinary(&module, &wrapper), cuModuleUnload(module));
	RETURNS(INVALID_VALUE, cuModuleLoad(&module, NULL), cuModuleLoadData(NULL, text),
	        cuModuleLoadData(&module, NULL));
	RETURNS(INVALID_VALUE, cuModuleLoad(NULL, scratch_path("code.ptx")));
	RETURNS(FILE_NOT_FOUND, cuModuleLoad(&module, "/nonexistent/code.ptx"));
	/* A file that begins as the wrapper does holds no address. */
	RETURNS(NO_BINARY,
	        cuModuleLoad(&module, scratch_write("code.bin", "\xb1\x43\x62\x46 and what is no address")));
}

/* Text may begin with any blank; an empty file is a module without anything in it. */
TEST(what_is_text_is_seen_by_its_first_byte)
{
	static const struct {
		const char *begin;
		int want;
	} rows[] = {{"\n", CUDA_SUCCESS},
	            {"\t\n", CUDA_SUCCESS},
	            {"\r\n", CUDA_SUCCESS},
	            {"  ", CUDA_SUCCESS},
	            {"// a comment\n", CUDA_SUCCESS},
	            {"\x7f"
	             "ELF",
	             NO_BINARY},
	            {"\x02\x03\x04\x05", NO_BINARY},
	            {"\xff\xfe", NO_BINARY}};
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
	RETURNS(INVALID_PTX, cuModuleLoadDataEx(&module, broken, 4, options, values));
	CHECK(strstr(errors, ".rog"));
	CHECK_EQ(notes[0], '\0');
	OK(cuModuleLoadDataEx(&module, text, 4, options, values), cuModuleUnload(module));
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
	EXPECT(INVALID_PTX, cuModuleLoadDataEx(&module, broken, 2, options, values));
	EXPECT(0, strcmp(errors, "old"));
	EXPECT(INVALID_PTX, cuModuleLoadDataEx(&module, broken, 2, options, NULL),
	       cuModuleLoadDataEx(&module, broken, 2, NULL, values));
	return test_failures;
}

static int broken_status;

TEST(without_a_buffer_messages_go_to_stderr)
{
	unsigned count = 0;
	CHECK_EQ(broken_status, 0);
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
	OK(cuModuleLoadData(&module, text), cuModuleUnload(module));
	RETURNS(INVALID_HANDLE, cuModuleUnload(module), cuModuleUnload(NULL),
	        cuModuleGetFunction(&function, module, "add"), cuModuleGetFunctionCount(&count, module),
	        cuModuleGetGlobal(&address, NULL, module, "counter"));
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
	GIVES(again, add, cuModuleGetFunction(&again, loaded, "add"));
	GIVES(bytes, 4, cuModuleGetGlobal(&address, &bytes, loaded, "counter"));
	GIVES(value, 5, cuMemcpyDtoH(&value, address, 4));
	bytes = 0;
	GIVES(bytes, 4, cuModuleGetGlobal(NULL, &bytes, loaded, "counter"));
	OK(cuModuleGetGlobal(&address, NULL, loaded, "counter"));
	SAYS(name, "add", cuFuncGetName(&name, add));
	GIVES(module, loaded, cuFuncGetModule(&module, add));
	RETURNS(NOT_FOUND, cuModuleGetFunction(&again, loaded, "absent"),
	        cuModuleGetFunction(&again, loaded, "helper"),
	        cuModuleGetGlobal(&address, &bytes, loaded, "absent"),
	        cuModuleGetGlobal(&address, &bytes, loaded, "pool"));
	RETURNS(INVALID_VALUE, cuModuleGetFunction(NULL, loaded, "add"),
	        cuModuleGetFunction(&again, loaded, NULL), cuModuleGetFunctionCount(NULL, loaded),
	        cuModuleGetGlobal(&address, &bytes, loaded, NULL), cuFuncGetName(NULL, add),
	        cuFuncGetModule(NULL, add), cuFuncGetModule(&module, NULL));
}

/* Sluice only: a variable that is asked for without a place for the answer. */
TEST(a_variable_without_a_place_for_the_answer_is_refused)
{
	RETURNS(INVALID_VALUE, cuModuleGetGlobal(NULL, NULL, loaded, "counter"));
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
		GIVES(value, rows[i].want, cuFuncGetAttribute(&value, rows[i].which, shares));
	}
	GIVES(value, 256, cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, add));
	OK(cuFuncSetAttribute(add, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 64 * 1024));
	GIVES(value, 64 * 1024,
	      cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, add));
	OK(cuFuncSetCacheConfig(add, CU_FUNC_CACHE_PREFER_SHARED));
	OK(cuFuncSetSharedMemConfig(add, CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE));
	RETURNS(INVALID_VALUE, cuFuncGetAttribute(NULL, CU_FUNC_ATTRIBUTE_NUM_REGS, add),
	        cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX, add),
	        cuFuncSetAttribute(add, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 300 * 1024),
	        cuFuncSetAttribute(add, CU_FUNC_ATTRIBUTE_NUM_REGS, 8),
	        cuFuncSetCacheConfig(add, (CUfunc_cache)9), cuFuncSetSharedMemConfig(add, (CUsharedconfig)9));
	RETURNS(INVALID_HANDLE, cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, NULL));
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
	OK(cuMemAlloc(&device, sizeof host), cuMemcpyHtoD(device, host, sizeof host));
	void *args[] = {&device, &ten};
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_BUFFER_POINTER, &packed,
	                 CU_LAUNCH_PARAM_END};
	packed.address = device;
	packed.value = 100;
	OK(launch(add, 4, args, NULL), launch(add, 4, NULL, extra), cuMemcpyDtoH(host, device, sizeof host));
	CHECK(host[0] == 111 && host[3] == 114);
	RETURNS(INVALID_VALUE, launch(add, 4, args, extra));
	bytes = 4;
	RETURNS(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, launch(add, 4, NULL, extra));
	bytes = 12;
	void *unknown[] = {(void *)9, &bytes, CU_LAUNCH_PARAM_END};
	void *no_buffer[] = {CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
	void *empty[] = {CU_LAUNCH_PARAM_END};
	RETURNS(INVALID_VALUE, launch(add, 4, NULL, unknown), launch(add, 4, NULL, no_buffer));
	OK(launch(nothing, 4, NULL, empty), launch(nothing, 4, NULL, NULL), cuCtxSynchronize(),
	   cuMemFree(device));
}

TEST(launches_that_cannot_be_are_refused)
{
	void *empty[] = {CU_LAUNCH_PARAM_END};
	RETURNS(INVALID_HANDLE, launch(NULL, 1, NULL, NULL));
	RETURNS(INVALID_VALUE, launch(nothing, 0, NULL, NULL), launch(nothing, 1025, NULL, NULL),
	        launch(nothing, 1025, NULL, empty),
	        cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 48 * 1024 + 1, NULL, NULL, NULL));
	OK(cuLaunchCooperativeKernel(nothing, 132 * 2, 1, 1, 1024, 1, 1, 0, NULL, NULL));
	RETURNS(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
	        cuLaunchCooperativeKernel(nothing, 132 * 2 + 1, 1, 1, 1024, 1, 1, 0, NULL, NULL));
	RETURNS(INVALID_HANDLE, cuLaunchCooperativeKernel(NULL, 1, 1, 1, 32, 1, 1, 0, NULL, NULL));
	OK(cuCtxSynchronize());
}

/* Sluice looks functions up; a GPU's driver reads what a wrong one points to. */
TEST(a_function_that_is_none_is_refused)
{
	void *empty[] = {CU_LAUNCH_PARAM_END};
	RETURNS(INVALID_HANDLE, launch((CUfunction)(uintptr_t)text, 1, NULL, NULL),
	        launch((CUfunction)(uintptr_t)text, 1, NULL, empty));
	CUmodule module;
	RETURNS(INVALID_HANDLE, cuFuncGetModule(&module, (CUfunction)(uintptr_t)text));
}

static size_t half_of_shared(int threads)
{
	return (size_t)threads * 128;
}

TEST(occupancy_is_asked_of_functions)
{
	int blocks, grid = 0, block = 0;
	GIVES(blocks, 2, cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 1024, 0));
	GIVES(blocks, 2,
	      cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, nothing, 1024, 0,
	                                                           cudaOccupancyDisableCachingOverride));
	OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, nothing, NULL, 0, 0));
	CHECK(grid == 264 && block == 1024);
	OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, nothing, NULL, 0, 5000));
	CHECK(grid == 264 && block == 1024);
	OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, nothing, NULL, 0, 100));
	CHECK(block == 64 && grid == 132 * 32);
	OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, nothing, half_of_shared, 0, 0));
	CHECK(grid * block == 132 * 1536 || grid * block == 132 * 1792);
	RETURNS(INVALID_VALUE,
	        cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, nothing, 1024, 0, 8),
	        cuOccupancyMaxActiveBlocksPerMultiprocessor(NULL, nothing, 1024, 0),
	        cuOccupancyMaxPotentialBlockSize(NULL, &block, nothing, NULL, 0, 0),
	        cuOccupancyMaxPotentialBlockSize(&grid, NULL, nothing, NULL, 0, 0));
	RETURNS(INVALID_HANDLE, cuOccupancyMaxPotentialBlockSize(&grid, &block, NULL, NULL, 0, 0));
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
	OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), cuStreamCreateWithPriority(&urgent, 0, -2));
	GIVES(flags, CU_STREAM_NON_BLOCKING, cuStreamGetFlags(stream, &flags));
	GIVES(priority, -2, cuStreamGetPriority(urgent, &priority));
	OK(cuEventCreate(&a, 0), cuEventCreate(&b, CU_EVENT_BLOCKING_SYNC), cuEventRecord(a, stream),
	   cuStreamWaitEvent(urgent, a, 0), cuEventRecord(b, urgent), cuEventSynchronize(b), cuEventQuery(b),
	   cuEventElapsedTime(&ms, a, b));
	CHECK(ms >= 0 && ms < 10000);
	OK(cuStreamAddCallback(stream, count_call, &calls, 0), cuLaunchHostFunc(stream, count_host, &calls),
	   cuStreamSynchronize(stream), cuStreamQuery(stream));
	CHECK_EQ(calls, 2);
	RETURNS(INVALID_VALUE, cuStreamAddCallback(stream, NULL, &calls, 0),
	        cuStreamAddCallback(stream, count_call, &calls, 1), cuLaunchHostFunc(stream, NULL, &calls),
	        cuEventCreate(NULL, 0), cuStreamCreate(NULL, 0), cuStreamCreate(&stream, 64));
	OK(cuEventDestroy(a), cuEventDestroy(b), cuStreamDestroy(stream), cuStreamDestroy(urgent));
}

/* Sluice looks handles up; a GPU's driver may read what a stale one points to. */
TEST(stale_streams_and_events_are_found_out)
{
	CUstream stream;
	CUevent event;
	int calls = 0;
	OK(cuStreamCreate(&stream, 0), cuEventCreate(&event, 0), cuStreamDestroy(stream),
	   cuEventDestroy(event));
	RETURNS(INVALID_HANDLE, cuStreamAddCallback(stream, count_call, &calls, 0));
	CHECK_EQ(calls, 0);
	RETURNS(INVALID_HANDLE, cuStreamQuery(stream), cuEventSynchronize(event));
}

/* ---- the linker ---------------------------------------------------------------------------------------------------------------- */

TEST(one_text_is_linked_with_nothing)
{
	CUlinkState state;
	CUmodule module;
	CUfunction function;
	void *image = NULL;
	size_t bytes = 0;
	OK(cuLinkCreate(0, NULL, NULL, &state),
	   cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)(uintptr_t)text, sizeof text, "a name", 0, NULL,
	                 NULL),
	   cuLinkComplete(state, &image, &bytes));
	CHECK(bytes > 0);
	OK(cuModuleLoadData(&module, image), cuModuleGetFunction(&function, module, "add"),
	   cuModuleUnload(module), cuLinkDestroy(state), cuLinkCreate(0, NULL, NULL, &state),
	   cuLinkAddFile(state, CU_JIT_INPUT_PTX, scratch_write("code.ptx", text), 0, NULL, NULL),
	   cuLinkComplete(state, &image, NULL), cuModuleLoadData(&module, image), cuModuleUnload(module));
	RETURNS(INVALID_VALUE, cuLinkAddFile(state, CU_JIT_INPUT_PTX, NULL, 0, NULL, NULL));
	RETURNS(FILE_NOT_FOUND,
	        cuLinkAddFile(state, CU_JIT_INPUT_PTX, "/nonexistent/code.ptx", 0, NULL, NULL));
	OK(cuLinkDestroy(state));
	RETURNS(INVALID_VALUE, cuLinkCreate(0, NULL, NULL, NULL));
}

/* Left out: device code of several inputs, and machine code. */
TEST(what_the_linker_cannot_do_is_refused)
{
	CUlinkState state, gone;
	void *image, *data = (void *)(uintptr_t)text;
	size_t bytes;
	OK(cuLinkCreate(0, NULL, NULL, &gone), cuLinkDestroy(gone));
	RETURNS(INVALID_HANDLE, cuLinkDestroy(gone), cuLinkComplete(gone, &image, &bytes),
	        cuLinkAddData(gone, CU_JIT_INPUT_PTX, data, sizeof text, NULL, 0, NULL, NULL));
	OK(cuLinkCreate(0, NULL, NULL, &state));
	RETURNS(INVALID_IMAGE, cuLinkComplete(state, &image, &bytes));
	RETURNS(INVALID_VALUE, cuLinkComplete(state, NULL, &bytes),
	        cuLinkAddData(state, CU_JIT_INPUT_PTX, NULL, 5, NULL, 0, NULL, NULL),
	        cuLinkAddData(state, CU_JIT_INPUT_PTX, data, 0, NULL, 0, NULL, NULL));
	RETURNS(NOT_SUPPORTED, cuLinkAddData(state, CU_JIT_INPUT_CUBIN, data, 8, NULL, 0, NULL, NULL));
	OK(cuLinkAddData(state, CU_JIT_INPUT_PTX, data, sizeof text, NULL, 0, NULL, NULL));
	RETURNS(NOT_SUPPORTED,
	        cuLinkAddData(state, CU_JIT_INPUT_PTX, data, sizeof text, NULL, 0, NULL, NULL));
	OK(cuLinkDestroy(state));
}

static bool ready(void)
{
	CUcontext context;
	return !cuInit(0) && !cuDevicePrimaryCtxRetain(&context, 0) && !cuCtxSetCurrent(context) &&
	       !cuModuleLoadData(&loaded, text) && !cuModuleGetFunction(&add, loaded, "add") &&
	       !cuModuleGetFunction(&nothing, loaded, "nothing") &&
	       !cuModuleGetFunction(&shares, loaded, "shares");
}

/* A fresh process is forked for a test before this one has started anything. */
TESTS((broken_status = fixture_run(load_broken), ready()))
