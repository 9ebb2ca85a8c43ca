/* The runtime's memory functions, called as a program calls them: what works, and what is refused how. */
#include "cudart/calls.h"

#include "checks.h"

TEST(bytes_come_back_as_they_were_sent)
{
	char out[1000], in[1000];
	void *device, *other;
	for (int i = 0; i < 1000; i++)
		out[i] = (char)(i * 7);
	OK(cudaMalloc(&device, 1000));
	OK(cudaMalloc(&other, 1000));
	OK(cudaMemcpy(device, out, 1000, cudaMemcpyHostToDevice));
	OK(cudaMemcpy(other, device, 1000, cudaMemcpyDeviceToDevice));
	OK(cudaMemcpy(in, other, 1000, cudaMemcpyDeviceToHost));
	CHECK(memcmp(in, out, 1000) == 0);
	memset(in, 0, 1000);
	OK(cudaMemcpyAsync(in, device, 1000, cudaMemcpyDefault, NULL));
	CHECK(memcmp(in, out, 1000) == 0);
	OK(cudaMemset(device, 0x5a, 10));
	OK(cudaMemcpy(in, device, 11, cudaMemcpyDeviceToHost));
	CHECK(in[9] == 0x5a && in[10] == out[10]);
	OK(cudaFree(device));
	OK(cudaFree(other));
	OK(cudaFree(NULL));
}

TEST(a_copy_beyond_an_allocation_is_an_error)
{
	static char host[2048];
	char *device;
	OK(cudaMalloc((void **)&device, 1000));
	FAILS(cudaMemcpy(device, host, 1001, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	FAILS(cudaMemcpy(device + 1, host, 1000, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	FAILS(cudaMemcpy(host, device + 999, 2, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
	FAILS(cudaMemset(device, 0, 1001), cudaErrorInvalidValue);
	FAILS(cudaMemcpy(device, NULL, 10, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	FAILS(cudaMemcpy(host + 1, host, 10, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	FAILS(cudaMemcpy(device, host, 10, (enum cudaMemcpyKind)5), cudaErrorInvalidMemcpyDirection);
	OK(cudaMemcpy(device + 999, host, 1, cudaMemcpyHostToDevice));
	OK(cudaMemcpy(device, host, 0, cudaMemcpyHostToDevice));
	OK(cudaFree(device));
	FAILS(cudaMemcpy(host, device, 10, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
}

TEST(only_what_was_allocated_can_be_freed_and_only_once)
{
	char *device, *pinned;
	OK(cudaMalloc((void **)&device, 100));
	OK(cudaMallocHost((void **)&pinned, 100));
	FAILS(cudaFree(device + 1), cudaErrorInvalidValue);
	FAILS(cudaFree(pinned), cudaErrorInvalidValue);
	FAILS(cudaFreeHost(device), cudaErrorInvalidValue);
	OK(cudaFree(device));
	FAILS(cudaFree(device), cudaErrorInvalidValue);
	OK(cudaFreeHost(pinned));
	FAILS(cudaMalloc(NULL, 10), cudaErrorInvalidValue);
	void *much;
	FAILS(cudaMalloc(&much, (size_t)1 << 50), cudaErrorMemoryAllocation);
	FAILS(cudaMallocManaged(&much, 8, 9), cudaErrorInvalidValue);
	FAILS(cudaHostAlloc(&much, 8, 0x80), cudaErrorInvalidValue);
}

TEST(memory_info_counts_device_memory_but_not_page_locked_memory)
{
	size_t before, after, total;
	void *device, *pinned;
	OK(cudaMemGetInfo(&before, &total));
	OK(cudaMalloc(&device, 1 << 20));
	OK(cudaMallocHost(&pinned, 1 << 20));
	OK(cudaMemGetInfo(&after, &total));
	CHECK_EQ(before - after, 1 << 20);
	CHECK(total >= before);
	OK(cudaFreeHost(pinned));
	OK(cudaFree(device));
	OK(cudaMemGetInfo(&after, &total));
	CHECK_EQ(after, before);
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
	FAILS(cudaMemcpy2D(device, pitch, out, WIDTH, WIDTH + 1, HEIGHT, cudaMemcpyHostToDevice),
	      cudaErrorInvalidPitchValue);
	FAILS(cudaMemcpy2D(device, pitch, out, WIDTH, WIDTH, HEIGHT + 1, cudaMemcpyHostToDevice),
	      cudaErrorInvalidValue);
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
	OK(cudaMallocArray(&array, &format, WIDTH, HEIGHT, cudaArrayDefault));
	OK(cudaMemcpyToArray(array, 0, 0, out, sizeof out, cudaMemcpyHostToDevice));
	memset(in, 0, sizeof in);
	OK(cudaMemcpy2DFromArray(in, sizeof in[0], array, 2 * sizeof(float), 1, 3 * sizeof(float), 2,
	                         cudaMemcpyDeviceToHost));
	CHECK(in[0][0] == out[1][2] && in[1][2] == out[2][4] && in[0][3] == 0);
	OK(cudaGetChannelDesc(&got, array));
	CHECK(got.x == 32 && got.f == cudaChannelFormatKindFloat);
	/* Too much by a row: nothing of it is copied. */
	float other[HEIGHT][WIDTH] = {{0}}, after[HEIGHT][WIDTH];
	FAILS(cudaMemcpyToArray(array, 0, 1, other, sizeof other, cudaMemcpyHostToDevice),
	      cudaErrorInvalidValue);
	OK(cudaMemcpyFromArray(after, array, 0, 0, sizeof after, cudaMemcpyDeviceToHost));
	CHECK(!memcmp(after, out, sizeof out));
	FAILS(cudaMemcpy2DToArray(array, 4, 0, out, sizeof out[0], sizeof out[0], 1, cudaMemcpyHostToDevice),
	      cudaErrorInvalidValue);
	OK(cudaFreeArray(array));
	FAILS(cudaFreeArray(array), cudaErrorInvalidValue);
	FAILS(cudaMallocArray(&array, &format, WIDTH, HEIGHT, cudaArrayLayered), cudaErrorInvalidValue);
	FAILS(cudaMallocArray(&array, &format, WIDTH, HEIGHT, cudaArrayColorAttachment),
	      cudaErrorNotSupported);
	format.x = 24;
	FAILS(cudaMallocArray(&array, &format, WIDTH, HEIGHT, 0), cudaErrorInvalidChannelDescriptor);
}

TEST(a_run_that_leaves_its_array_changes_nothing)
{
	enum { WIDTH = 4, HEIGHT = 3 };
	struct cudaChannelFormatDesc format = {.x = 32, .f = cudaChannelFormatKindFloat};
	float ones[WIDTH * HEIGHT], out[WIDTH * HEIGHT], *device;
	cudaArray_t array;
	for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
		ones[i] = 1;
	OK(cudaMallocArray(&array, &format, WIDTH, HEIGHT, 0));
	OK(cudaMalloc((void **)&device, 2 * WIDTH * sizeof(float)));
	FAILS(cudaMemcpyToArray(array, 0, 1, ones, sizeof ones, cudaMemcpyHostToDevice),
	      cudaErrorInvalidValue);
	FAILS(cudaMemcpyToArray(array, 0, 0, device, sizeof ones, cudaMemcpyDeviceToDevice),
	      cudaErrorInvalidValue);
	OK(cudaMemcpyFromArray(out, array, 0, 0, sizeof out, cudaMemcpyDeviceToHost));
	for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
		CHECK(out[i] == 0);
	OK(cudaFreeArray(array));
	OK(cudaFree(device));
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
	FAILS(cudaMemcpy3D(&from), cudaErrorInvalidValue);
	OK(cudaFreeArray(array));
}

TEST(pointers_tell_what_they_are)
{
	static char plain[64];
	void *device, *managed, *pinned, *mapped;
	struct cudaPointerAttributes a;
	OK(cudaMalloc(&device, 8));
	OK(cudaMallocManaged(&managed, 8, cudaMemAttachGlobal));
	OK(cudaHostAlloc(&pinned, 8, cudaHostAllocMapped));
	OK(cudaPointerGetAttributes(&a, device));
	CHECK(a.type == cudaMemoryTypeDevice && a.devicePointer == device && !a.hostPointer);
	OK(cudaPointerGetAttributes(&a, managed));
	CHECK(a.type == cudaMemoryTypeManaged && a.isManaged && a.hostPointer == managed);
	OK(cudaPointerGetAttributes(&a, pinned));
	CHECK(a.type == cudaMemoryTypeHost && a.hostPointer == pinned);
	OK(cudaPointerGetAttributes(&a, plain));
	CHECK(a.type == cudaMemoryTypeUnregistered && a.device == cudaInvalidDeviceId && !a.devicePointer);
	OK(cudaHostRegister(plain, sizeof plain, cudaHostRegisterMapped));
	FAILS(cudaHostRegister(plain, 8, 0), cudaErrorHostMemoryAlreadyRegistered);
	OK(cudaHostGetDevicePointer(&mapped, plain, 0));
	OK(cudaPointerGetAttributes(&a, plain));
	CHECK(a.type == cudaMemoryTypeHost);
	OK(cudaHostUnregister(plain));
	FAILS(cudaHostUnregister(plain), cudaErrorHostMemoryNotRegistered);
	OK(cudaFree(device));
	OK(cudaFree(managed));
	OK(cudaFreeHost(pinned));
}

TEST(a_reset_takes_everything_back)
{
	void *device, *again;
	cudaStream_t stream;
	cudaEvent_t event;
	size_t all, now, total;
	OK(cudaMemGetInfo(&all, &total));
	OK(cudaMalloc(&device, 5000));
	OK(cudaStreamCreate(&stream));
	OK(cudaEventCreate(&event));
	OK(cudaDeviceReset());
	OK(cudaMemGetInfo(&now, &total));
	CHECK_EQ(now, all);
	FAILS(cudaFree(device), cudaErrorInvalidValue);
	FAILS(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
	FAILS(cudaEventDestroy(event), cudaErrorInvalidResourceHandle);
	OK(cudaMalloc(&again, 5000));
	CHECK(again == device);
	OK(cudaFree(again));
}

TEST(streams_and_events_are_checked_handles)
{
	cudaStream_t stream, other;
	cudaEvent_t a, b, untimed;
	float ms = -1;
	OK(cudaStreamCreate(&stream));
	OK(cudaStreamCreateWithPriority(&other, cudaStreamNonBlocking, -9));
	int priority;
	OK(cudaStreamGetPriority(other, &priority));
	CHECK_EQ(priority, -5);
	OK(cudaStreamSynchronize(stream));
	OK(cudaStreamQuery(cudaStreamPerThread));
	OK(cudaStreamDestroy(stream));
	FAILS(cudaStreamQuery(stream), cudaErrorInvalidResourceHandle);
	FAILS(cudaStreamQuery((cudaStream_t)a_reset_takes_everything_back), cudaErrorInvalidResourceHandle);
	OK(cudaEventCreate(&a));
	OK(cudaEventCreate(&b));
	OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
	FAILS(cudaEventElapsedTime(&ms, a, b), cudaErrorInvalidResourceHandle);
	OK(cudaEventRecord(a, other));
	OK(cudaEventRecord(b, NULL));
	OK(cudaEventRecord(untimed, NULL));
	OK(cudaEventSynchronize(b));
	OK(cudaEventElapsedTime(&ms, a, b));
	CHECK(ms > 0 && ms < 1000);
	FAILS(cudaEventElapsedTime(&ms, a, untimed), cudaErrorInvalidResourceHandle);
	FAILS(cudaStreamQuery((cudaStream_t)a), cudaErrorInvalidResourceHandle);
	OK(cudaStreamWaitEvent(other, a, 0));
	OK(cudaEventDestroy(a));
	FAILS(cudaEventQuery(a), cudaErrorInvalidResourceHandle);
	OK(cudaStreamDestroy(other));
}

TEST(the_device_is_the_machine)
{
	struct cudaDeviceProp p;
	int count, value;
	OK(cudaGetDeviceCount(&count));
	CHECK_EQ(count, 1);
	OK(cudaGetDeviceProperties(&p, 0));
	CHECK(strstr(p.name, "H200"));
	CHECK_EQ(p.multiProcessorCount, 132);
	CHECK_EQ(p.warpSize, 32);
	CHECK_EQ(p.sharedMemPerBlock, 48 * 1024);
	CHECK_EQ(p.sharedMemPerBlockOptin, 227 * 1024);
	OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerMultiProcessor, 0));
	CHECK_EQ(value, 2048);
	OK(cudaSetDevice(0));
	FAILS(cudaSetDevice(1), cudaErrorInvalidDevice);
	FAILS(cudaGetDeviceProperties(&p, 1), cudaErrorInvalidDevice);
	FAILS(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
	FAILS(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)9999, 0), cudaErrorInvalidValue);
	size_t bytes, total;
	CHECK_EQ(cuInit(0), CUDA_SUCCESS);
	CHECK_EQ(cuMemGetInfo(&bytes, &total), CUDA_SUCCESS);
	CHECK_EQ(total, p.totalGlobalMem);
}

TEST(errors_have_their_names_and_texts)
{
	CHECK(strcmp(cudaGetErrorString(cudaErrorIllegalAddress),
	             "an illegal memory access was encountered") == 0);
	CHECK(strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress") == 0);
	CHECK(strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);
	CHECK(strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code") == 0);
	CHECK_EQ(cudaErrorLaunchFailure, 719);
}

TEST_MAIN(TEST_ENTRY(bytes_come_back_as_they_were_sent) TEST_ENTRY(a_copy_beyond_an_allocation_is_an_error)
              TEST_ENTRY(only_what_was_allocated_can_be_freed_and_only_once)
                  TEST_ENTRY(memory_info_counts_device_memory_but_not_page_locked_memory)
                      TEST_ENTRY(rows_of_pitched_memory_do_not_overlap)
                          TEST_ENTRY(arrays_take_and_give_rectangles)
                              TEST_ENTRY(a_run_that_leaves_its_array_changes_nothing)
                                  TEST_ENTRY(boxes_are_copied_between_arrays_and_pitched_memory)
                                      TEST_ENTRY(pointers_tell_what_they_are)
                                          TEST_ENTRY(a_reset_takes_everything_back)
                                              TEST_ENTRY(streams_and_events_are_checked_handles)
                                                  TEST_ENTRY(the_device_is_the_machine)
                                                      TEST_ENTRY(errors_have_their_names_and_texts))
