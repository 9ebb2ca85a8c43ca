/* The runtime's memory functions, called as a program calls them: what works, and what is refused how. */
#include "cudart/calls.h"

#include "checks.h"

TEST(bytes_come_back_as_they_were_sent)
{
	char out[1000], in[1000];
	void *device, *other;
	for (int i = 0; i < 1000; i++)
		out[i] = (char)(i * 7);
	OK(cudaMalloc(&device, 1000), cudaMalloc(&other, 1000),
	   cudaMemcpy(device, out, 1000, cudaMemcpyHostToDevice),
	   cudaMemcpy(other, device, 1000, cudaMemcpyDeviceToDevice),
	   cudaMemcpy(in, other, 1000, cudaMemcpyDeviceToHost));
	CHECK(memcmp(in, out, 1000) == 0);
	memset(in, 0, 1000);
	OK(cudaMemcpyAsync(in, device, 1000, cudaMemcpyDefault, NULL));
	CHECK(memcmp(in, out, 1000) == 0);
	OK(cudaMemset(device, 0x5a, 10), cudaMemcpy(in, device, 11, cudaMemcpyDeviceToHost));
	CHECK(in[9] == 0x5a && in[10] == out[10]);
	OK(cudaFree(device), cudaFree(other), cudaFree(NULL));
}

TEST(a_copy_beyond_an_allocation_is_an_error)
{
	static char host[2048];
	char *device;
	OK(cudaMalloc((void **)&device, 1000));
	ANSWERS(INVALID_VALUE, cudaMemcpy(device, host, 1001, cudaMemcpyHostToDevice),
	        cudaMemcpy(device + 1, host, 1000, cudaMemcpyHostToDevice),
	        cudaMemcpy(host, device + 999, 2, cudaMemcpyDeviceToHost), cudaMemset(device, 0, 1001),
	        cudaMemcpy(device, NULL, 10, cudaMemcpyHostToDevice),
	        cudaMemcpy(host + 1, host, 10, cudaMemcpyHostToDevice));
	ANSWERS(INVALID_DIRECTION, cudaMemcpy(device, host, 10, (enum cudaMemcpyKind)5));
	OK(cudaMemcpy(device + 999, host, 1, cudaMemcpyHostToDevice),
	   cudaMemcpy(device, host, 0, cudaMemcpyHostToDevice), cudaFree(device));
	ANSWERS(INVALID_VALUE, cudaMemcpy(host, device, 10, cudaMemcpyDeviceToHost));
}

TEST(only_what_was_allocated_can_be_freed_and_only_once)
{
	char *device, *pinned;
	OK(cudaMalloc((void **)&device, 100), cudaMallocHost((void **)&pinned, 100));
	ANSWERS(INVALID_VALUE, cudaFree(device + 1), cudaFree(pinned), cudaFreeHost(device));
	OK(cudaFree(device));
	ANSWERS(INVALID_VALUE, cudaFree(device));
	OK(cudaFreeHost(pinned));
	ANSWERS(INVALID_VALUE, cudaMalloc(NULL, 10));
	void *much;
	ANSWERS(OUT_OF_MEMORY, cudaMalloc(&much, (size_t)1 << 50));
	ANSWERS(INVALID_VALUE, cudaMallocManaged(&much, 8, 9), cudaHostAlloc(&much, 8, 0x80));
}

TEST(memory_info_counts_device_memory_but_not_page_locked_memory)
{
	size_t before, after, total;
	void *device, *pinned;
	OK(cudaMemGetInfo(&before, &total), cudaMalloc(&device, 1 << 20), cudaMallocHost(&pinned, 1 << 20),
	   cudaMemGetInfo(&after, &total));
	CHECK_EQ(before - after, 1 << 20);
	CHECK(total >= before);
	OK(cudaFreeHost(pinned), cudaFree(device));
	GIVES(after, before, cudaMemGetInfo(&after, &total));
}

TEST(rows_of_pitched_memory_do_not_overlap)
{
	enum { WIDTH = 100, HEIGHT = 7 };
	static char out[HEIGHT][WIDTH], in[HEIGHT][WIDTH];
	char *device;
	size_t pitch;
	OK(cudaMallocPitch((void **)&device, &pitch, WIDTH, HEIGHT));
	CHECK(pitch >= WIDTH && pitch % 512 == 0);
	for (int i = 0; i < WIDTH * HEIGHT; i++)
		out[i / WIDTH][i % WIDTH] = (char)(i % 101);
	OK(cudaMemcpy2D(device, pitch, out, WIDTH, WIDTH, HEIGHT, cudaMemcpyHostToDevice));
	CHECK_EQ(device[3 * pitch + 5], out[3][5]);
	OK(cudaMemcpy2D(in, WIDTH, device, pitch, WIDTH, HEIGHT, cudaMemcpyDeviceToHost));
	CHECK(memcmp(in, out, sizeof in) == 0);
	ANSWERS(cudaErrorInvalidPitchValue,
	        cudaMemcpy2D(device, pitch, out, WIDTH, WIDTH + 1, HEIGHT, cudaMemcpyHostToDevice));
	ANSWERS(INVALID_VALUE,
	        cudaMemcpy2D(device, pitch, out, WIDTH, WIDTH, HEIGHT + 1, cudaMemcpyHostToDevice));
	OK(cudaMemset2D(device, pitch, 1, 2, HEIGHT));
	CHECK(device[6 * pitch + 1] == 1 && device[6 * pitch + 2] == out[6][2]);
	OK(cudaFree(device));
}

TEST(arrays_take_and_give_rectangles)
{
	enum { WIDTH = 9, HEIGHT = 5 };
	float out[HEIGHT][WIDTH], in[HEIGHT][WIDTH];
	cudaArray_t array;
	struct cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat),
	                             got;
	for (int i = 0; i < WIDTH * HEIGHT; i++)
		out[i / WIDTH][i % WIDTH] = (float)i;
	OK(cudaMallocArray(&array, &format, WIDTH, HEIGHT, cudaArrayDefault),
	   cudaMemcpyToArray(array, 0, 0, out, sizeof out, cudaMemcpyHostToDevice));
	memset(in, 0, sizeof in);
	OK(cudaMemcpy2DFromArray(in, sizeof in[0], array, 2 * sizeof(float), 1, 3 * sizeof(float), 2,
	                         cudaMemcpyDeviceToHost));
	CHECK(in[0][0] == out[1][2] && in[1][2] == out[2][4] && in[0][3] == 0);
	OK(cudaGetChannelDesc(&got, array));
	CHECK(got.x == 32 && got.f == cudaChannelFormatKindFloat);
	/* Too much by a row: nothing of it is copied. */
	float other[HEIGHT][WIDTH] = {{0}}, after[HEIGHT][WIDTH];
	ANSWERS(INVALID_VALUE, cudaMemcpyToArray(array, 0, 1, other, sizeof other, cudaMemcpyHostToDevice));
	OK(cudaMemcpyFromArray(after, array, 0, 0, sizeof after, cudaMemcpyDeviceToHost));
	CHECK(!memcmp(after, out, sizeof out));
	ANSWERS(INVALID_VALUE, cudaMemcpy2DToArray(array, 4, 0, out, sizeof out[0], sizeof out[0], 1,
	                                           cudaMemcpyHostToDevice));
	OK(cudaFreeArray(array));
	ANSWERS(INVALID_VALUE, cudaFreeArray(array),
	        cudaMallocArray(&array, &format, WIDTH, HEIGHT, cudaArrayLayered));
	ANSWERS(NOT_SUPPORTED, cudaMallocArray(&array, &format, WIDTH, HEIGHT, cudaArrayColorAttachment));
	format.x = 24;
	ANSWERS(INVALID_CHANNEL, cudaMallocArray(&array, &format, WIDTH, HEIGHT, 0));
}

TEST(a_run_that_leaves_its_array_changes_nothing)
{
	enum { WIDTH = 4, HEIGHT = 3 };
	struct cudaChannelFormatDesc format = {.x = 32, .f = cudaChannelFormatKindFloat};
	float ones[WIDTH * HEIGHT], out[WIDTH * HEIGHT], *device;
	cudaArray_t array;
	for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
		ones[i] = 1;
	OK(cudaMallocArray(&array, &format, WIDTH, HEIGHT, 0),
	   cudaMalloc((void **)&device, 2 * WIDTH * sizeof(float)));
	ANSWERS(INVALID_VALUE, cudaMemcpyToArray(array, 0, 1, ones, sizeof ones, cudaMemcpyHostToDevice),
	        cudaMemcpyToArray(array, 0, 0, device, sizeof ones, cudaMemcpyDeviceToDevice));
	OK(cudaMemcpyFromArray(out, array, 0, 0, sizeof out, cudaMemcpyDeviceToHost));
	for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
		CHECK(out[i] == 0);
	OK(cudaFreeArray(array), cudaFree(device));
}

TEST(boxes_are_copied_between_arrays_and_pitched_memory)
{
	enum { W = 5, H = 4, D = 3 };
	int out[D][H][W], in[D][H][W];
	for (int i = 0; i < W * H * D; i++)
		out[i / (W * H)][i / W % H][i % W] = i;
	cudaArray_t array;
	struct cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
	struct cudaExtent extent = {W, H, D};
	OK(cudaMalloc3DArray(&array, &format, extent, 0));
	struct cudaMemcpy3DParms to = {.srcPtr = {out, sizeof out[0][0], W, H},
	                               .dstArray = array,
	                               .extent = extent,
	                               .kind = cudaMemcpyHostToDevice};
	OK(cudaMemcpy3D(&to));
	struct cudaMemcpy3DParms from = {.srcArray = array,
	                                 .srcPos = {1, 1, 1},
	                                 .dstPtr = {in, sizeof in[0][0], W, H},
	                                 .extent = {W - 1, H - 1, D - 1},
	                                 .kind = cudaMemcpyDeviceToHost};
	memset(in, 0, sizeof in);
	OK(cudaMemcpy3D(&from));
	CHECK_EQ(in[0][0][0], out[1][1][1]);
	CHECK_EQ(in[1][2][3], out[2][3][4]);
	from.extent.depth = D;
	ANSWERS(INVALID_VALUE, cudaMemcpy3D(&from));
	OK(cudaFreeArray(array));
}

TEST(pointers_tell_what_they_are)
{
	static char plain[64];
	void *device, *managed, *pinned, *mapped;
	struct cudaPointerAttributes a;
	OK(cudaMalloc(&device, 8), cudaMallocManaged(&managed, 8, cudaMemAttachGlobal),
	   cudaHostAlloc(&pinned, 8, cudaHostAllocMapped), cudaPointerGetAttributes(&a, device));
	CHECK(a.type == cudaMemoryTypeDevice && a.devicePointer == device && !a.hostPointer);
	OK(cudaPointerGetAttributes(&a, managed));
	CHECK(a.type == cudaMemoryTypeManaged && a.isManaged && a.hostPointer == managed);
	OK(cudaPointerGetAttributes(&a, pinned));
	CHECK(a.type == cudaMemoryTypeHost && a.hostPointer == pinned);
	OK(cudaPointerGetAttributes(&a, plain));
	CHECK(a.type == cudaMemoryTypeUnregistered && a.device == cudaInvalidDeviceId && !a.devicePointer);
	OK(cudaHostRegister(plain, sizeof plain, cudaHostRegisterMapped));
	ANSWERS(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(plain, 8, 0));
	OK(cudaHostGetDevicePointer(&mapped, plain, 0), cudaPointerGetAttributes(&a, plain));
	CHECK(a.type == cudaMemoryTypeHost);
	OK(cudaHostUnregister(plain));
	ANSWERS(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(plain));
	OK(cudaFree(device), cudaFree(managed), cudaFreeHost(pinned));
}

TEST(a_reset_takes_everything_back)
{
	void *device, *again;
	cudaStream_t stream;
	cudaEvent_t event;
	size_t all, now, total;
	OK(cudaMemGetInfo(&all, &total), cudaMalloc(&device, 5000), cudaStreamCreate(&stream),
	   cudaEventCreate(&event), cudaDeviceReset());
	GIVES(now, all, cudaMemGetInfo(&now, &total));
	ANSWERS(INVALID_VALUE, cudaFree(device));
	ANSWERS(INVALID_HANDLE, cudaStreamDestroy(stream), cudaEventDestroy(event));
	OK(cudaMalloc(&again, 5000));
	CHECK(again == device);
	OK(cudaFree(again));
}

TEST(streams_and_events_are_checked_handles)
{
	cudaStream_t stream, other;
	cudaEvent_t a, b, untimed;
	float ms = -1;
	OK(cudaStreamCreate(&stream), cudaStreamCreateWithPriority(&other, cudaStreamNonBlocking, -9));
	int priority;
	GIVES(priority, -5, cudaStreamGetPriority(other, &priority));
	OK(cudaStreamSynchronize(stream), cudaStreamQuery(cudaStreamPerThread), cudaStreamDestroy(stream));
	ANSWERS(INVALID_HANDLE, cudaStreamQuery(stream),
	        cudaStreamQuery((cudaStream_t)a_reset_takes_everything_back));
	OK(cudaEventCreate(&a), cudaEventCreate(&b),
	   cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
	ANSWERS(INVALID_HANDLE, cudaEventElapsedTime(&ms, a, b));
	OK(cudaEventRecord(a, other), cudaEventRecord(b, NULL), cudaEventRecord(untimed, NULL),
	   cudaEventSynchronize(b), cudaEventElapsedTime(&ms, a, b));
	CHECK(ms > 0 && ms < 1000);
	ANSWERS(INVALID_HANDLE, cudaEventElapsedTime(&ms, a, untimed), cudaStreamQuery((cudaStream_t)a));
	OK(cudaStreamWaitEvent(other, a, 0), cudaEventDestroy(a));
	ANSWERS(INVALID_HANDLE, cudaEventQuery(a));
	OK(cudaStreamDestroy(other));
}

TEST(the_device_is_the_machine)
{
	struct cudaDeviceProp p;
	int count, value;
	GIVES(count, 1, cudaGetDeviceCount(&count));
	OK(cudaGetDeviceProperties(&p, 0));
	CHECK(strstr(p.name, "H200"));
	CHECK_EQ(p.multiProcessorCount, 132);
	CHECK_EQ(p.warpSize, 32);
	CHECK_EQ(p.sharedMemPerBlock, 48 * 1024);
	CHECK_EQ(p.sharedMemPerBlockOptin, 227 * 1024);
	GIVES(value, 2048, cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerMultiProcessor, 0));
	OK(cudaSetDevice(0));
	ANSWERS(INVALID_DEVICE, cudaSetDevice(1), cudaGetDeviceProperties(&p, 1));
	ANSWERS(cudaErrorPeerAccessUnsupported, cudaDeviceEnablePeerAccess(0, 0));
	ANSWERS(INVALID_VALUE, cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)9999, 0));
	size_t bytes, total;
	OK(cuInit(0));
	GIVES(total, p.totalGlobalMem, cuMemGetInfo(&bytes, &total));
}

TEST(errors_have_their_names_and_texts)
{
	CHECK(strcmp(cudaGetErrorString(ILLEGAL_ADDRESS), "an illegal memory access was encountered") == 0);
	CHECK(strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress") == 0);
	CHECK(strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);
	CHECK(strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code") == 0);
	CHECK_EQ(cudaErrorLaunchFailure, 719);
}

TESTS(true)
