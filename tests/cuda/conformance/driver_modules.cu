/* The driver API: contexts, modules of PTX text, launches by function handle, memory, streams, events, errors. */
// nvcc: -lcuda
#include <cuda.h>

#include "check.h"

static const char ptx[] =
    ".version 6.5\n.target sm_70\n.address_size 64\n.visible .const .align 4 .u32 factor = 3;\n"
    ".visible .global .align 4 .b8 table[64];\n"
    ".visible .entry scale(.param .u64 scale_param_0, .param .u32 scale_param_1)\n{\n"
    "	.reg .pred %p<2>;\n	.reg .b32 %r<9>;\n	.reg .b64 %rd<5>;\n	ld.param.u64 %rd1, [scale_param_0];\n"
    "	ld.param.u32 %r1, [scale_param_1];\n	mov.u32 %r2, %ctaid.x;\n	mov.u32 %r3, %ntid.x;\n"
    "	mov.u32 %r4, %tid.x;\n	mad.lo.s32 %r5, %r2, %r3, %r4;\n	setp.ge.u32 %p1, %r5, %r1;\n"
    "	@%p1 bra DONE;\n	cvta.to.global.u64 %rd4, %rd1;\n	mul.wide.u32 %rd2, %r5, 4;\n"
    "	add.s64 %rd3, %rd4, %rd2;\n	ld.global.u32 %r6, [%rd3];\n	ld.const.u32 %r7, [factor];\n"
    "	mul.lo.s32 %r8, %r6, %r7;\n	st.global.u32 [%rd3], %r8;\nDONE:\n	ret;\n}\n"
    ".visible .entry keep(.param .u32 keep_param_0)\n{\n	.reg .b32 %r<3>;\n	.reg .b64 %rd<4>;\n"
    "	.shared .align 4 .b8 room[256];\n	ld.param.u32 %r1, [keep_param_0];\n	mov.u32 %r2, %tid.x;\n"
    "	mul.wide.u32 %rd1, %r2, 4;\n	mov.u64 %rd2, table;\n	add.s64 %rd3, %rd2, %rd1;\n"
    "	st.shared.u32 [room], %r1;\n	add.s32 %r1, %r1, %r2;\n	st.global.u32 [%rd3], %r1;\n	ret;\n}\n";

enum { N = 1000 };
static unsigned host[N], want[N];

static void devices_and_contexts(CUcontext *context)
{
	CUdevice device = -1, current = -1;
	CUcontext told = NULL, other, popped;
	int count = 0, warp = 0;
	char name[64] = "";
	CUDA(cuInit(0));
	expect("flags of cuInit", cuInit(7), CUDA_ERROR_INVALID_VALUE);
	CUDA(cuDeviceGetCount(&count), cuDeviceGet(&device, 0));
	expect("a device that is none", cuDeviceGet(&current, count), CUDA_ERROR_INVALID_DEVICE);
	CUDA(cuDeviceGetName(name, sizeof name, device),
	     cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
	check_equal("warp size", warp, 32);
	check_that("a name", name[0] != '\0');
	CUDA(cuCtxGetCurrent(&told));
	check_that("no context at first", told == NULL);
	CUDA(cuDevicePrimaryCtxRetain(context, device), cuCtxSetCurrent(*context), cuCtxGetCurrent(&told));
	check_that("the primary context is current", told == *context);
	CUDA(cuCtxGetDevice(&current));
	check_equal("its device", current, device);
	CUDA(cuCtxPushCurrent(*context), cuCtxPopCurrent(&popped));
	check_that("what was pushed is popped", popped == *context);
	CUDA(cuCtxGetCurrent(&other));
	check_that("and the one before is current", other == *context);
}

static void launches(CUmodule module)
{
	CUfunction scale;
	CUdeviceptr memory;
	CUDA(cuModuleGetFunction(&scale, module, "scale"), cuMemAlloc(&memory, sizeof host));
	for (unsigned i = 0; i < N; i++)
		host[i] = i;
	CUDA(cuMemcpyHtoD(memory, host, sizeof host));
	unsigned n = N - 1;
	void *args[] = {&memory, &n};
	CUDA(cuLaunchKernel(scale, 8, 1, 1, 128, 1, 1, 0, NULL, args, NULL), cuCtxSynchronize(),
	     cuMemcpyDtoH(host, memory, sizeof host));
	for (unsigned i = 0; i < N; i++)
		want[i] = i < N - 1 ? 3 * i : i;
	check_same("a launch", host, want, sizeof *want, N);

	/* The same with packed arguments, in a stream, with another factor. */
	CUdeviceptr factor;
	size_t bytes = 0;
	unsigned ten = 10;
	CUDA(cuModuleGetGlobal(&factor, &bytes, module, "factor"));
	check_equal("size of a variable", (long long)bytes, 4);
	CUDA(cuMemcpyHtoD(factor, &ten, sizeof ten));
	struct {
		CUdeviceptr memory;
		unsigned n;
	} packed = {memory, 10};
	size_t packed_bytes = 12; /* of the parameters, without the padding behind them */
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &packed_bytes,
	                 CU_LAUNCH_PARAM_END};
	CUstream stream;
	CUevent begin, end;
	CUDA(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), cuEventCreate(&begin, CU_EVENT_DEFAULT),
	     cuEventCreate(&end, CU_EVENT_DEFAULT), cuEventRecord(begin, stream),
	     cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, stream, NULL, extra));
	packed_bytes = 16;
	expect("too many bytes", cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, stream, NULL, extra),
	       CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
	CUDA(cuEventRecord(end, stream), cuStreamWaitEvent(stream, end, 0), cuStreamSynchronize(stream));
	expect("an idle stream", cuStreamQuery(stream), CUDA_SUCCESS);
	expect("a finished event", cuEventQuery(end), CUDA_SUCCESS);
	float ms = -1;
	CUDA(cuEventElapsedTime(&ms, begin, end));
	check_that("elapsed time", ms >= 0 && ms < 60000);
	CUDA(cuMemcpyDtoHAsync(host, memory, sizeof host, stream), cuStreamSynchronize(stream));
	for (unsigned i = 0; i < 10; i++)
		want[i] *= 10;
	check_same("packed arguments", host, want, sizeof *want, N);

	int threads = 0, shared = -1, registers = 0, blocks = 0;
	CUDA(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, scale),
	     cuFuncGetAttribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, scale),
	     cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, scale),
	     cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 1024, 0));
	check_that("attributes of a function",
	           threads == 1024 && shared == 0 && registers > 0 && blocks == 2);
	expect("a block too large", cuLaunchKernel(scale, 1, 1, 1, 2048, 1, 1, 0, NULL, args, NULL),
	       CUDA_ERROR_INVALID_VALUE);
	expect("no function", cuLaunchKernel(NULL, 1, 1, 1, 32, 1, 1, 0, NULL, args, NULL),
	       CUDA_ERROR_INVALID_HANDLE);
	CUDA(cuMemFree(memory));
	expect("freeing twice", cuMemFree(memory), CUDA_ERROR_INVALID_VALUE);
	CUDA(cuEventDestroy(begin), cuEventDestroy(end), cuStreamDestroy(stream));
}

static void variables(CUmodule module)
{
	CUfunction keep;
	CUdeviceptr table;
	size_t bytes;
	int base = 40, got[16], expected[16];
	CUDA(cuModuleGetFunction(&keep, module, "keep"), cuModuleGetGlobal(&table, &bytes, module, "table"));
	void *args[] = {&base};
	CUDA(cuLaunchKernel(keep, 1, 1, 1, 16, 1, 1, 0, NULL, args, NULL),
	     cuMemcpyDtoH(got, table, sizeof got));
	for (int i = 0; i < 16; i++)
		expected[i] = 40 + i;
	check_same("a variable of the module", got, expected, sizeof *got, 16);
	int shared = 0;
	CUDA(cuFuncGetAttribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, keep));
	check_equal("static shared memory", shared, 256);
}

static void memory(void)
{
	CUdeviceptr a, b, base;
	size_t bytes = 0, pitch = 0, free_bytes = 0, total = 0;
	static unsigned got[64], expected[64];
	CUDA(cuMemAlloc(&a, 1024), cuMemAllocPitch(&b, &pitch, 100, 10, 4));
	check_that("rows are aligned", pitch >= 100 && pitch % 32 == 0);
	CUDA(cuMemsetD32(a, 0x01020304, 64), cuMemsetD16(a + 64, 0x0a0b, 8), cuMemsetD8(a + 128, 0xee, 8),
	     cuMemcpyDtoD(a + 512, a, 256), cuMemcpyDtoH(got, a + 512, 256));
	for (int i = 0; i < 64; i++)
		expected[i] = 0x01020304;
	for (int i = 0; i < 4; i++)
		expected[16 + i] = 0x0a0b0a0b;
	expected[32] = expected[33] = 0xeeeeeeee;
	check_same("fills of 8, 16 and 32 bits", got, expected, sizeof *got, 64);
	CUDA(cuMemGetAddressRange(&base, &bytes, a + 100));
	check_that("the allocation around an address", base == a && bytes >= 1024);
	CUDA(cuMemGetInfo(&free_bytes, &total));
	check_that("free memory", free_bytes > 0 && free_bytes <= total);
	CUmemorytype type = (CUmemorytype)0;
	CUDA(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, a));
	check_equal("kind of memory", type, CU_MEMORYTYPE_DEVICE);
	void *pinned;
	CUDA(cuMemAllocHost(&pinned, 256), cuMemcpyDtoH(pinned, a, 256));
	check_that("page-locked memory", memcmp(pinned, expected, 256) == 0);
	CUDA(cuMemFreeHost(pinned), cuMemFree(a), cuMemFree(b));
	expect("no bytes", cuMemAlloc(&a, 0), CUDA_ERROR_INVALID_VALUE);
}

static void errors(CUmodule module)
{
	CUmodule bad;
	CUfunction function;
	CUdeviceptr variable;
	char log[512] = "";
	expect("a function that is none", cuModuleGetFunction(&function, module, "nothing"),
	       CUDA_ERROR_NOT_FOUND);
	expect("a variable that is none", cuModuleGetGlobal(&variable, NULL, module, "nothing"),
	       CUDA_ERROR_NOT_FOUND);
	CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
	void *values[] = {log, (void *)(size_t)sizeof log};
	expect("PTX with a mistake",
	       cuModuleLoadDataEx(&bad,
	                          ".version 6.5\n.target sm_70\n.address_size 64\n"
	                          ".visible .entry bad()\n{\n	frobnicate.u32 %r1;\n	ret;\n}\n",
	                          2, options, values),
	       CUDA_ERROR_INVALID_PTX);
	check_that("the log says what", strstr(log, "frobnicate") != NULL);
	expect("a file that is none", cuModuleLoad(&bad, "/nonexistent/module.ptx"),
	       CUDA_ERROR_FILE_NOT_FOUND);
	const char *text = NULL;
	CUDA(cuGetErrorString(CUDA_ERROR_NOT_FOUND, &text));
	check_that("a text of an error", text && strcmp(text, "named symbol not found") == 0);
	CUDA(cuGetErrorName(CUDA_ERROR_INVALID_PTX, &text));
	check_that("a name of an error", strcmp(text, "CUDA_ERROR_INVALID_PTX") == 0);
}

/* The same through the runtime API's names for it. */
static void libraries(void)
{
	cudaLibrary_t library;
	cudaKernel_t kernel;
	void *table = NULL;
	size_t bytes = 0;
	int base = 7, got[16], expected[16];
	CUDA(cudaLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0),
	     cudaLibraryGetKernel(&kernel, library, "keep"),
	     cudaLibraryGetGlobal(&table, &bytes, library, "table"));
	check_equal("size of a library's variable", (long long)bytes, 64);
	void *args[] = {&base};
	CUDA(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(16), args, 0, 0),
	     cudaMemcpy(got, table, sizeof got, cudaMemcpyDeviceToHost));
	for (int i = 0; i < 16; i++)
		expected[i] = 7 + i;
	check_same("a kernel of a library", got, expected, sizeof *got, 16);
	check_equal("a kernel that is none", cudaLibraryGetKernel(&kernel, library, "nothing"),
	            cudaErrorSymbolNotFound);
	cudaGetLastError();
	CUDA(cudaLibraryUnload(library));
}

int main(void)
{
	CUcontext context;
	CUmodule module;
	devices_and_contexts(&context);
	CUDA(cuModuleLoadData(&module, ptx));
	launches(module);
	variables(module);
	memory();
	errors(module);
	libraries();
	CUDA(cuModuleUnload(module), cuDevicePrimaryCtxRelease(0));
	return check_finish("driver_modules");
}
